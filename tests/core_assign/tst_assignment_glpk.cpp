// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Who runs what, against GLPK: as a mixed-integer program of devices, starts and orders. Links are wide enough for all transfers at once here, else
/// the order of transfers would be one of its variables too; the exhaustive search has that.
#include <QTest>

#include "tests/core_assign/assignment_cases.h"
#include "tests/support/glpk_program.h"

using namespace pim;
using namespace pim::test;

namespace {

using Terms = std::vector<std::pair<int, double>>;

class ScheduleProgram {
public:
    explicit ScheduleProgram(const Problem& problem) : m_problem(problem), m_program(GLP_MIN) {
        for (const auto& op : problem.ops)
            m_long += maxFinite(op.ns);
        for (const auto& value : problem.values)
            m_long += std::ranges::max(value.transferNs);
    }

    /// Least length of a schedule; negative where GLPK finds none in time.
    double solve() {
        m_end = m_program.column(GLP_CV, 0, -1, 1);
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
            addOp(op);
        for (std::size_t value = 0; value < m_problem.values.size(); ++value)
            addValue(value);
        for (std::size_t one = 0; one < m_problem.ops.size(); ++one)
            for (std::size_t other = one + 1; other < m_problem.ops.size(); ++other)
                if (!leadsTo(one, other))
                    addOrder(one, other);
        return m_program.solve();
    }

private:
    static double maxFinite(const std::vector<double>& ns) {
        double most = 0;
        for (const double one : ns)
            most = one < kNever ? std::max(most, one) : most;
        return most;
    }

    void addOp(std::size_t op) {
        m_start.push_back(m_program.column(GLP_CV, 0, -1));
        Terms once, ends{{m_end, 1}, {m_start[op], -1}};
        auto& chosen = m_on.emplace_back();
        for (const double ns : m_problem.ops[op].ns) {
            chosen.push_back(m_program.column(GLP_IV, 0, ns < kNever ? 1 : 0));
            once.emplace_back(chosen.back(), 1);
            ends.emplace_back(chosen.back(), ns < kNever ? -ns : 0);
        }
        m_program.row(once, 1, false);
        m_program.row(once, 1, true);
        m_program.row(ends, 0, false);
    }

    /// start + time on its device, as terms with a factor.
    void addEnd(Terms& terms, std::size_t op, double factor) const {
        terms.emplace_back(m_start[op], factor);
        for (std::size_t device = 0; device < m_on[op].size(); ++device)
            if (const double ns = m_problem.ops[op].ns[device]; ns < kNever)
                terms.emplace_back(m_on[op][device], factor * ns);
    }

    void addValue(std::size_t value) {
        const auto& one = m_problem.values[value];
        const auto devices = static_cast<std::size_t>(m_problem.devices);
        const auto transfer = [&](std::size_t from, std::size_t to) {
            return one.transferNs[from * devices + to];
        };
        for (const int reader : one.readers) {
            const auto op = static_cast<std::size_t>(reader);
            Terms terms{{m_start[op], 1}};
            for (std::size_t to = 0; one.producer < 0 && to < devices; ++to)
                terms.emplace_back(m_on[op][to], -transfer(0, to));
            if (one.producer >= 0) {
                const auto producer = static_cast<std::size_t>(one.producer);
                addEnd(terms, producer, -1);
                for (std::size_t from = 0; from < devices; ++from)
                    for (std::size_t to = 0; to < devices; ++to)
                        if (from != to) {
                            const int both = m_program.column(GLP_CV, 0, 1);
                            m_program.row({{both, 1}, {m_on[producer][from], -1}, {m_on[op][to], -1}}, -1,
                                          false);
                            terms.emplace_back(both, -transfer(from, to));
                        }
            }
            m_program.row(terms, 0, false);
        }
        if (std::ranges::find(m_problem.results, static_cast<int>(value)) == m_problem.results.end())
            return;
        const auto producer = static_cast<std::size_t>(one.producer);
        Terms terms{{m_end, 1}};
        addEnd(terms, producer, -1);
        for (std::size_t from = 1; from < devices; ++from)
            terms.emplace_back(m_on[producer][from], -transfer(from, 0));
        m_program.row(terms, 0, false);
    }

    bool leadsTo(std::size_t from, std::size_t to) const {
        if (from == to)
            return true;
        for (const int value : m_problem.ops[to].inputs)
            if (const int producer = m_problem.values[static_cast<std::size_t>(value)].producer;
                producer >= 0 && leadsTo(from, static_cast<std::size_t>(producer)))
                return true;
        return false;
    }

    /// Does an op keep a device while it is on another? [on][kept]
    bool keeps(std::size_t op, std::size_t on, std::size_t kept) const {
        const double ns = m_problem.ops[op].ns[on];
        return ns > 0 && ns < kNever && (on == kept || (kept == 0 && m_problem.holdsHost[on]));
    }

    /// Where both keep a device, one of them is first.
    void addOrder(std::size_t one, std::size_t other) {
        const int first = m_program.column(GLP_IV, 0, 1);
        const auto devices = static_cast<std::size_t>(m_problem.devices);
        for (std::size_t a = 0; a < devices; ++a)
            for (std::size_t b = 0; b < devices; ++b) {
                bool share = false;
                for (std::size_t kept = 0; kept < devices; ++kept)
                    share = share || (keeps(one, a, kept) && keeps(other, b, kept));
                if (!share)
                    continue;
                Terms after{{m_start[other], 1},
                            {first, -m_long},
                            {m_on[one][a], -m_long},
                            {m_on[other][b], -m_long}};
                addEndOn(after, one, a);
                m_program.row(after, -3 * m_long, false);
                Terms before{
                    {m_start[one], 1}, {first, m_long}, {m_on[one][a], -m_long}, {m_on[other][b], -m_long}};
                addEndOn(before, other, b);
                m_program.row(before, -2 * m_long, false);
            }
    }
    /// Less the end of an op that is on this device.
    void addEndOn(Terms& terms, std::size_t op, std::size_t device) const {
        terms.emplace_back(m_start[op], -1);
        terms.emplace_back(m_on[op][device], -m_problem.ops[op].ns[device]);
    }

    const Problem& m_problem;
    GlpkProgram m_program;
    double m_long = 1; ///< Longer than any schedule that is worth its name.
    int m_end = 0;
    std::vector<int> m_start;           ///< [op]
    std::vector<std::vector<int>> m_on; ///< [op][device]
};

} // namespace

class AssignmentGlpkTest : public QObject {
    Q_OBJECT
private slots:
    void asShortAsTheIntegerProgram() {
        std::mt19937 random(23);
        int solved = 0;
        for (int i = 0; i < 60; ++i) {
            Problem problem = randomProblem(random, {6 + i % 7, 2 + i % 2, 0.35, false});
            problem.links = 0;
            for (auto& route : problem.routes)
                route.clear();
            const double least = ScheduleProgram(problem).solve();
            if (least < 0) // not in time
                continue;
            ++solved;
            const auto found = assign(problem, {{}, 5'000'000});
            QVERIFY2(found, found ? "" : found.error().text().c_str());
            QVERIFY2(std::abs(found->best.ns - least) < 1e-6 * (1 + least),
                     qPrintable(QStringLiteral("%1: %2, GLPK has %3").arg(i).arg(found->best.ns).arg(least)));
        }
        QVERIFY2(solved >= 54, qPrintable(QString::number(solved)));
    }
};

QTEST_APPLESS_MAIN(AssignmentGlpkTest)
#include "tst_assignment_glpk.moc"
