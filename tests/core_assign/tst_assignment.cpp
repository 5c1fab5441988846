// SPDX-License-Identifier: GPL-3.0-or-later
// Who runs what: against every assignment in every order, and against the whole searched without cutting it.
#include "core/assign/assignment.h"
#include "core/assign/request_stream.h"
#include "core/assign/stretch_forms.h"
#include "tests/core_assign/assignment_cases.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

/// Every order and every device, each schedule made anew by the rules of assignment.h alone.
class Exhaustive {
public:
    explicit Exhaustive(const Problem& problem)
        : m_problem(problem), m_device(problem.ops.size(), -1),
          m_free(static_cast<std::size_t>(problem.devices + problem.links)),
          m_there(problem.values.size(), std::vector<double>(static_cast<std::size_t>(problem.devices), -1)) {
        m_there[0][0] = 0; // the input
    }
    double best() {
        go(0, 0, 0);
        return m_best;
    }

private:
    void go(std::size_t taken, double end, double rent) {
        if (taken == m_problem.ops.size()) {
            const auto before = std::pair(m_free, m_there);
            for (const int value : m_problem.results)
                end = std::max(end, move(value, 0));
            std::tie(m_free, m_there) = before;
            m_best = std::min(m_best, end + rent);
            return;
        }
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op) {
            const auto& work = m_problem.ops[op];
            if (m_device[op] >= 0 || std::ranges::any_of(work.inputs, [&](int value) {
                    const int producer = m_problem.values[static_cast<std::size_t>(value)].producer;
                    return producer >= 0 && m_device[static_cast<std::size_t>(producer)] < 0;
                }))
                continue;
            for (int device = 0; device < m_problem.devices; ++device) {
                const double ns = work.ns[static_cast<std::size_t>(device)];
                if (ns == kNever)
                    continue;
                const auto before = std::pair(m_free, m_there);
                double start = ns > 0 ? m_free[static_cast<std::size_t>(device)] : 0;
                const bool holds = m_problem.holdsHost[static_cast<std::size_t>(device)];
                if (holds && ns > 0)
                    start = std::max(start, m_free[0]);
                for (const int value : work.inputs)
                    start = std::max(start, move(value, device));
                if (ns > 0)
                    m_free[static_cast<std::size_t>(device)] = start + ns;
                if (holds && ns > 0)
                    m_free[0] = start + ns;
                m_there[static_cast<std::size_t>(work.outputs[0])][static_cast<std::size_t>(device)] =
                    start + ns;
                m_device[op] = device;
                double latest = std::max(end, start + ns);
                for (const auto& places : m_there)
                    latest = std::max(latest, std::ranges::max(places));
                go(taken + 1, latest,
                   rent + (work.rentNs.empty() ? 0 : work.rentNs[static_cast<std::size_t>(device)]));
                m_device[op] = -1;
                std::tie(m_free, m_there) = before;
            }
        }
    }
    double move(int value, int to) {
        double& there = m_there[static_cast<std::size_t>(value)][static_cast<std::size_t>(to)];
        if (there >= 0)
            return there;
        const int producer = m_problem.values[static_cast<std::size_t>(value)].producer;
        const int from = producer < 0 ? 0 : m_device[static_cast<std::size_t>(producer)];
        double start = m_there[static_cast<std::size_t>(value)][static_cast<std::size_t>(from)];
        const auto& route = m_problem.routes[static_cast<std::size_t>(from * m_problem.devices + to)];
        for (const int link : route)
            start = std::max(start, m_free[static_cast<std::size_t>(m_problem.devices + link)]);
        there = start + m_problem.transferNs(value, from, to);
        for (const int link : route)
            m_free[static_cast<std::size_t>(m_problem.devices + link)] = there;
        return there;
    }

    const Problem& m_problem;
    std::vector<int> m_device;
    std::vector<double> m_free;
    std::vector<std::vector<double>> m_there;
    double m_best = kNever;
};

AssignmentFound found(const Problem& problem, const AssignmentSearch& search = {}) {
    auto answer = assign(problem, search);
    if (!answer)
        throw std::logic_error(answer.error().text());
    return *answer;
}

} // namespace

class AssignmentTest : public QObject {
    Q_OBJECT
private slots:
    void smallNetworksAreSpreadAsWellAsCanBe() {
        std::mt19937 random(7);
        for (int i = 0; i < 150; ++i) {
            const Shape shape{2 + i % 5, 2 + i % 2, 0.35, false};
            const Problem problem = randomProblem(random, shape);
            const auto answer = found(problem);
            const double best = Exhaustive(problem).best();
            QCOMPARE(answer.best.ns, best);
            QCOMPARE(answer.boundNs, best);
        }
    }

    void narrowNetworksOfTwelveOpsToo() {
        std::mt19937 random(11);
        for (int i = 0; i < 6; ++i) {
            const Problem problem = randomProblem(random, {12, 2, 0.15, true});
            QCOMPARE(found(problem).best.ns, Exhaustive(problem).best());
        }
    }

    /// What ops pay for their place counts like time, and makes nothing wait.
    void rentsArePaid() {
        std::mt19937 random(19);
        int moved = 0;
        for (int i = 0; i < 90; ++i) {
            Problem problem = randomProblem(random, {2 + i % 5, 2 + i % 2, 0.35, false});
            const auto free = found(problem);
            for (auto& op : problem.ops)
                for (std::size_t device = 0; device < op.ns.size(); ++device)
                    op.rentNs.push_back(device == 0 ? 0 : std::uniform_int_distribution<>(0, 80)(random));
            const auto answer = found(problem);
            QCOMPARE(answer.boundNs, Exhaustive(problem).best());
            double rents = 0;
            for (std::size_t op = 0; op < problem.ops.size(); ++op)
                rents += problem.ops[op].rentNs[static_cast<std::size_t>(answer.best.device[op])];
            QCOMPARE(answer.best.ns + rents, answer.boundNs);
            moved += answer.best.device != free.best.device ? 1 : 0;
        }
        QVERIFY(moved > 20);
    }

    /// A network with one beginning and one end is cut into stretches; searched as a whole it is not shorter.
    void cuttingLosesNothing() {
        std::mt19937 random(3);
        for (int i = 0; i < 20; ++i) {
            const Problem problem = randomProblem(random, {22, 3, 0.04, true, true});
            const auto answer = found(problem, {{}, 4'000'000, 0});
            const StretchFound whole =
                searchStretch({problem, std::vector<int>(problem.values.size(), 0), -1}, 4'000'000, 0, {});
            QCOMPARE(answer.boundNs, answer.best.ns);
            QCOMPARE(answer.best.ns, whole.best.ns);
        }
    }

    /// Query, key and value of an attention: each alone would be sooner on the device, but all come back over one link. Many small ops on the host
    /// can be ordered in many ways, none of which matters.
    /// Prices that changed by a little: what was found before is a schedule still, and what it says of all of them is true.
    void whatIsKnownOfAStretchHoldsForOneThatIsAlike() {
        std::mt19937 random(31);
        std::uniform_real_distribution<double> factor(0.9, 1.1);
        for (int i = 0; i < 100; ++i) {
            SolvedStretch known;
            known.stretch.problem = randomProblem(random, {3 + i % 4, 2 + i % 2, 0.35, i % 3 == 0});
            const Problem& problem = known.stretch.problem;
            known.stretch.startDevice.assign(problem.values.size(), 0);
            known.found = searchStretch(known.stretch, 100'000, 0, {});
            QCOMPARE(known.found.best.ns, Exhaustive(problem).best());
            Stretch alike = known.stretch;
            for (auto& op : alike.problem.ops) {
                for (double& ns : op.ns)
                    ns *= factor(random);
                op.rentNs.assign(static_cast<std::size_t>(problem.devices), i % 2 == 0 ? 0.5 : 0);
            }
            QCOMPARE(formOf(alike), formOf(known.stretch));
            QVERIFY(pricesOf(alike) != pricesOf(known.stretch));
            StretchFound found = boundOf(alike);
            const double aloneNs = found.boundNs;
            carryOver(known, alike, found);
            const double best = Exhaustive(alike.problem).best();
            QVERIFY2(
                found.boundNs <= best * (1 + 1e-12) && found.boundNs >= aloneNs &&
                    found.best.ns >= best * (1 - 1e-12),
                qPrintable(
                    QString("%1: %2 <= %3 <= %4").arg(i).arg(found.boundNs).arg(best).arg(found.best.ns)));
            StretchFound same = boundOf(known.stretch);
            carryOver(known, known.stretch, same);
            QCOMPARE(same.best.ns, same.boundNs);
            alike.problem.ops.back().ns.back() = alike.problem.ops.back().ns.back() == kNever ? 1 : kNever;
            QVERIFY(formOf(alike) != formOf(known.stretch));
        }
    }

    void whatWasFoundIsNotSearchedAgain() {
        std::mt19937 random(5);
        const Problem problem = randomProblem(random, {60, 3, 0.1, true});
        SolvedStretches solved;
        AssignmentSearch search;
        search.solved = &solved;
        const auto first = found(problem, search), again = found(problem, search);
        QCOMPARE(first.best.ns, found(problem).best.ns);
        QCOMPARE(again.best.ns, first.best.ns);
        QCOMPARE(again.boundNs, first.boundNs);
        QVERIFY(first.states > 0);
        QCOMPARE(again.states, 0);
    }

    void branchesThatShareALinkAreKnownToBeWellSpread() {
        Problem problem;
        problem.devices = 2;
        problem.links = 2;
        problem.routes = {{}, {0}, {1}, {}};
        problem.holdsHost.assign(2, false);
        const auto value = [&](int producer) {
            problem.values.push_back({producer, {}, {0, 1020, 1015, 0}});
            return static_cast<int>(problem.values.size()) - 1;
        };
        const auto op = [&](double host, double device, const std::vector<int>& inputs) {
            const int position = static_cast<int>(problem.ops.size());
            problem.ops.push_back({{host, device}, inputs, {}, {}});
            for (const int read : inputs)
                problem.values[static_cast<std::size_t>(read)].readers.push_back(position);
            problem.ops.back().outputs.push_back(value(position));
            return problem.ops.back().outputs.front();
        };
        const int input = value(-1);
        const int norm = op(2008, kNever, {input});
        std::vector<int> made;
        for (int branch = 0; branch < 3; ++branch) {
            int last = op(1132, 42, {norm});
            const int split = last;
            for (int small = 0; small < 6; ++small)
                last = op(3 + small, kNever,
                          small == 3 ? std::vector<int>{last, split} : std::vector<int>{last});
            made.push_back(last);
        }
        const int attention = op(145, kNever, made);
        const int projection = op(1132, 47, {attention});
        problem.results = {op(10, 5, {input, projection})};

        const auto answer = found(problem);
        QVERIFY2(answer.gap() <= 0.005, qPrintable(QString::number(answer.gap())));
        std::vector<int> onHost(problem.ops.size(), 0), order(problem.ops.size());
        std::iota(order.begin(), order.end(), 0);
        onHost[1] = 1; // the first branch
        QVERIFY2(answer.best.ns <= scheduledNs(problem, onHost, order),
                 qPrintable(QString::number(answer.best.ns)));
    }

    void theBoundHoldsWhereTheSearchIsCutShort() {
        std::mt19937 random(5);
        for (int i = 0; i < 8; ++i) {
            const Problem problem = randomProblem(random, {11, 3, 0.2, false});
            const auto exact = found(problem, {{}, 50'000'000});
            const auto quick = found(problem, {{}, 50});
            QVERIFY(quick.boundNs <= exact.best.ns + 1e-9);
            QVERIFY(quick.best.ns >= exact.best.ns - 1e-9);
            QVERIFY(quick.best.ns >= quick.boundNs);
        }
    }

    void scheduleKeepsItsRules() {
        std::mt19937 random(13);
        for (int i = 0; i < 30; ++i) {
            const Problem problem = randomProblem(random, {60, 4, 0.1, i % 2 == 0});
            const auto answer = found(problem, {{}, 2000});
            const auto spans = schedule(problem, answer.best);
            double end = 0;
            std::vector<std::vector<std::pair<double, double>>> busy(
                static_cast<std::size_t>(problem.devices + problem.links));
            for (const AssignmentSpan& span : spans) {
                end = std::max(end, span.endNs);
                if (span.op >= 0)
                    busy[static_cast<std::size_t>(span.device)].emplace_back(span.startNs, span.endNs);
                else
                    for (const int link :
                         problem.routes[static_cast<std::size_t>(span.from * problem.devices + span.device)])
                        busy[static_cast<std::size_t>(problem.devices + link)].emplace_back(span.startNs,
                                                                                            span.endNs);
            }
            QCOMPARE(end, answer.best.ns);
            for (auto& one : busy) {
                std::ranges::sort(one);
                for (std::size_t s = 1; s < one.size(); ++s)
                    QVERIFY(one[s].first >= one[s - 1].second);
            }
            std::vector<int> order;
            for (std::size_t op = 0; op < problem.ops.size(); ++op)
                order.push_back(static_cast<int>(op));
            const std::vector<int> onHost(problem.ops.size(), 0);
            QVERIFY(answer.best.ns <= scheduledNs(problem, onHost, order));
        }
    }

    /// Two devices that take turns: alone a request waits for each, in a stream both work all the time.
    void requestsFollowOneAnother() {
        Problem chain;
        chain.devices = 2;
        chain.holdsHost = {false, false};
        chain.routes.resize(4);
        chain.values.push_back({-1, {0}, std::vector<double>(4, 0)});
        for (int op = 0; op < 4; ++op) {
            chain.ops.push_back({{10, 10}, {op}, {op + 1}, {}});
            chain.values.push_back(
                {op, op < 3 ? std::vector<int>{op + 1} : std::vector<int>{}, std::vector<double>(4, 0)});
        }
        chain.results = {4};
        Assignment turns{{0, 1, 0, 1}, {0, 1, 2, 3}, 40};
        const RequestStream alone = streamOf(chain, turns, 1), both = streamOf(chain, turns);
        QCOMPARE(alone.leastNs, 20.0);
        QCOMPARE(both.periodNs, 20.0);
        QVERIFY2(alone.periodNs == 40 && alone.longestNs == 40, qPrintable(QString::number(alone.periodNs)));
        QCOMPARE(streamOf(chain, {{0, 0, 0, 0}, {0, 1, 2, 3}, 40}).periodNs, 40.0);

        std::mt19937 random(23);
        for (int i = 0; i < 60; ++i) {
            const Problem problem = randomProblem(random, {8 + i % 20, 2 + i % 2, 0.2, i % 2 == 0});
            const auto answer = found(problem);
            const RequestStream one = streamOf(problem, answer.best, 1),
                                four = streamOf(problem, answer.best);
            QVERIFY2(one.periodNs <= answer.best.ns * (1 + 1e-12), qPrintable(QString::number(i)));
            QVERIFY(one.longestNs <= answer.best.ns * (1 + 1e-12));
            QVERIFY(four.periodNs >= four.leastNs && one.leastNs == four.leastNs);
            QVERIFY(four.busiest < problem.devices + problem.links);
        }
    }

    void pinnedOpsStayWhereTheyArePut() {
        std::mt19937 random(17);
        const Problem problem = randomProblem(random, {30, 3, 0.15, true});
        AssignmentSearch search;
        search.pinned.assign(problem.ops.size(), -1);
        search.pinned[3] = 0;
        search.pinned[20] = 0;
        const auto free = found(problem);
        const auto pinned = found(problem, search);
        QCOMPARE(pinned.best.device[3], 0);
        QCOMPARE(pinned.best.device[20], 0);
        QVERIFY(pinned.best.ns >= free.boundNs - 1e-9);
        for (std::size_t op = 0; op < problem.ops.size(); ++op)
            if (problem.ops[op].ns[2] == kNever) {
                search.pinned[op] = 2;
                QCOMPARE(assign(problem, search).error().code, ErrorCode::Usage);
                break;
            }
    }
};

QTEST_APPLESS_MAIN(AssignmentTest)
#include "tst_assignment.moc"
