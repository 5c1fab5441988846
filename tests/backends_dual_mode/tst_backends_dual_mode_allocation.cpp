// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The allocation of arrays inside a segment equals reference results and plain enumeration, keeps every rule
/// of the model, and says why where there is none.
#include <QTest>
#include <string>

#include "backends/dual_mode/shared_arrays.h"
#include "tests/backends_dual_mode/allocation_cases.h"

#include <functional>
#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

int sum(const std::vector<int>& values) {
    return std::accumulate(values.begin(), values.end(), 0);
}

/// Empty where \p found keeps every rule of \p problem.
std::string broken(const AllocationProblem& problem, const Allocation& found) {
    const std::size_t ops = problem.ops.size();
    if (found.compute.size() != ops || found.memory.size() != ops ||
        found.shared.size() != problem.edges.size())
        return "counts are missing";
    double latency = 0;
    for (std::size_t i = 0; i < ops; ++i) {
        const AllocationOp& op = problem.ops[i];
        if (found.compute[i] < op.minArrays)
            return "fewer compute arrays than the weights need";
        if (problem.duplication == DuplicationRule::Copies && found.compute[i] % op.minArrays != 0)
            return "no whole number of copies";
        if (found.memory[i] < 0 || (!problem.memoryArrays && found.memory[i] > 0))
            return "memory arrays that cannot be";
        if (found.compute[i] != op.pinnedCompute.value_or(found.compute[i]) ||
            found.memory[i] != op.pinnedMemory.value_or(found.memory[i]))
            return "a decision was not kept";
        latency = std::max(latency, operatorLatency(op, found.compute[i], found.memory[i], problem));
    }
    std::vector<int> used(ops, 0);
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
        if (found.shared[e] < 0 || found.shared[e] > problem.edges[e].cap)
            return "an edge shares more than it may";
        used[static_cast<std::size_t>(problem.edges[e].from)] += found.shared[e];
        used[static_cast<std::size_t>(problem.edges[e].to)] += found.shared[e];
    }
    for (std::size_t i = 0; i < ops; ++i)
        if (used[i] > found.memory[i])
            return "an operator shares more memory arrays than it has";
    if (found.arraysUsed() > problem.arrays)
        return "more arrays than the chip has";
    return latency == found.latency ? "" : "the latency is not that of its counts";
}

/// Most arrays shared, by trying everything.
int mostShared(std::vector<int> left, const std::vector<AllocationEdge>& edges, std::size_t at = 0) {
    if (at == edges.size())
        return 0;
    const auto from = static_cast<std::size_t>(edges[at].from), to = static_cast<std::size_t>(edges[at].to);
    int best = 0;
    for (int arrays = 0; arrays <= std::min({edges[at].cap, left[from], left[to]}); ++arrays) {
        std::vector<int> rest = left;
        rest[from] -= arrays;
        rest[to] -= arrays;
        best = std::max(best, arrays + mostShared(std::move(rest), edges, at + 1));
    }
    return best;
}

/// {smallest latency, fewest arrays that reach it}, by trying everything.
std::pair<double, int> enumerate(const AllocationProblem& problem) {
    std::pair<double, int> best{std::numeric_limits<double>::infinity(), 0};
    const std::size_t ops = problem.ops.size();
    std::vector<int> compute(ops), memory(ops);
    const std::function<void(std::size_t, int)> choose = [&](std::size_t i, int computeLeft) {
        if (i == ops) {
            double latency = 0;
            for (std::size_t k = 0; k < ops; ++k)
                latency = std::max(latency, operatorLatency(problem.ops[k], compute[k], memory[k], problem));
            if (latency > best.first)
                return;
            const int arrays = sum(compute) + sum(memory) - mostShared(memory, problem.edges);
            if (arrays <= problem.arrays)
                best = std::min(best, {latency, arrays});
            return;
        }
        const int step = problem.duplication == DuplicationRule::Copies ? problem.ops[i].minArrays : 1;
        for (int c = problem.ops[i].minArrays; c <= computeLeft; c += step)
            for (int m = 0; m <= (problem.memoryArrays ? problem.arrays : 0); ++m) {
                if ((problem.ops[i].pinnedCompute && c != *problem.ops[i].pinnedCompute) ||
                    (problem.ops[i].pinnedMemory && m != *problem.ops[i].pinnedMemory))
                    continue;
                compute[i] = c;
                memory[i] = m;
                choose(i + 1, computeLeft - c);
            }
    };
    choose(0, problem.arrays);
    return best;
}

AllocationProblem twoOps() {
    AllocationProblem problem;
    problem.arrays = 16;
    problem.arrayBytesPerCycle = 4;
    problem.mainBytesPerCycle = 32;
    problem.ops = {{4, 4000, 64000}, {3, 9000, 1000}};
    problem.edges = {{0, 1, 2}};
    return problem;
}

} // namespace

#define VERIFY_SOUND(problem, found)                                                                         \
    QVERIFY2((found).has_value(), (found) ? "" : (found).error().text().c_str());                            \
    QCOMPARE(QString::fromStdString(broken(problem, *(found))), QString())

class TestDualModeAllocation : public QObject {
    Q_OBJECT

private slots:
    void reachesTheReferenceLatencies() {
        const nlohmann::json file = goldenDualMode("segment_alloc_golden.json");
        QCOMPARE(file.at("instances").size(), std::size_t(492));
        for (const auto& instance : file.at("instances")) {
            const AllocationProblem problem = goldenAllocation(instance);
            const Result<Allocation> found = allocate(problem);
            VERIFY_SOUND(problem, found);
            const double expected = instance.at("T_opt");
            QVERIFY2(std::abs(found->latency - expected) <= 1e-9 * expected, instance.dump().c_str());
        }
    }

    void equalsPlainEnumeration() {
        Dice dice(1);
        for (int round = 0; round < 240; ++round) {
            const int ops = round % 3 + 1;
            AllocationProblem problem = randomAllocation(dice, ops == 3 ? 9 : 16, ops);
            problem.memoryArrays = round % 8 != 0;
            problem.mainBandwidth = round % 4 == 1 ? MainBandwidthRule::Shared : MainBandwidthRule::Each;
            if (round % 5 == 2) {
                AllocationOp& op =
                    problem.ops[static_cast<std::size_t>(dice.between(0, int(problem.ops.size()) - 1))];
                op.pinnedCompute = op.minArrays;
            }
            if (round % 5 == 3 && problem.memoryArrays)
                problem.ops.back().pinnedMemory = dice.between(0, 2);
            const auto [latency, arrays] = enumerate(problem);
            const Result<Allocation> found = allocate(problem);
            if (!std::isfinite(latency)) {
                QVERIFY(!found);
                continue;
            }
            VERIFY_SOUND(problem, found);
            QCOMPARE(found->latency, latency);
            QCOMPARE(found->arraysUsed(), arrays);
        }
    }

    void sharesAsManyArraysAsEnumeration() {
        Dice dice(2);
        int odd = 0;
        for (int round = 0; round < 3000; ++round) {
            const int nodes = dice.between(2, 7);
            std::vector<int> memory;
            for (int i = 0; i < nodes; ++i)
                memory.push_back(dice.between(0, 3));
            std::vector<AllocationEdge> edges;
            for (int to = 1; to < nodes; ++to)
                for (int from = 0; from < to; ++from)
                    if (edges.size() < 9 && dice.chance(55))
                        edges.push_back({from, to, dice.between(0, 3)});
            std::vector<int> shared;
            const int most = mostShared(memory, edges);
            QCOMPARE(shareArrays(memory, edges, -1, shared), most);
            QCOMPARE(sum(shared), most);
            // Asked for a number, it says yes exactly where the maximum does.
            QVERIFY(shareArrays(memory, edges, most, shared) >= most);
            QVERIFY(shareArrays(memory, edges, most + 1, shared) <= most);
            odd += most % 2;
        }
        QVERIFY(odd > 500);
    }

    /// Triangles that each lose half an array, joined so that the halves can meet.
    void sharesAcrossOddCycles() {
        std::vector<AllocationEdge> edges;
        for (int triangle = 0; triangle < 8; ++triangle) {
            const int a = 3 * triangle;
            edges.push_back({a, a + 1, 5});
            edges.push_back({a + 1, a + 2, 5});
            edges.push_back({a, a + 2, 5});
            if (triangle > 0)
                edges.push_back({a - 1, a, 5});
        }
        std::vector<int> shared;
        // 24 operators of one array: a perfect matching exists along the bridges.
        QCOMPARE(shareArrays(std::vector<int>(24, 1), edges, -1, shared), 12);
        QCOMPARE(shareArrays(std::vector<int>(24, 3), edges, -1, shared), 36);
        for (AllocationEdge& edge : edges)
            if (edge.to == edge.from + 1 && edge.to % 3 == 0)
                edge.cap = 0;
        // Without bridges every triangle leaves one array alone.
        QCOMPARE(shareArrays(std::vector<int>(24, 1), edges, -1, shared), 8);
    }

    /// An operator less is never slower, and with its latency as a bound the search ends at the same allocation.
    void boundsChangeNoAllocation() {
        Dice dice(11);
        AllocationScratch scratch; // of problems of all sizes
        int bounded = 0;
        for (int round = 0; round < 200; ++round) {
            AllocationProblem problem = randomAllocation(dice, 96, 8);
            const Result<Allocation> found = allocate(problem);
            AllocationProblem shorter = problem;
            shorter.ops.pop_back();
            const int last = static_cast<int>(shorter.ops.size());
            std::erase_if(shorter.edges,
                          [&](const AllocationEdge& edge) { return edge.from == last || edge.to == last; });
            const auto bound = fastestAllocation(shorter, 0, scratch);
            QVERIFY(bound || !found);
            const auto again = fastestAllocation(problem, bound ? bound->latency : 0, scratch);
            QCOMPARE(again.has_value(), found.has_value());
            if (!found)
                continue;
            QVERIFY(bound->latency <= found->latency);
            bounded += bound->latency > 0 ? 1 : 0;
            QCOMPARE(again->latency, found->latency);
            QCOMPARE(again->compute, found->compute);
            QCOMPARE(again->memory, found->memory);
            QCOMPARE(again->shared, found->shared);
        }
        QVERIFY(bounded > 100);
    }

    void slowerAllocationsGiveUpLatencyForArrays() {
        Dice dice(3);
        int seen = 0;
        for (int round = 0; round < 100; ++round) {
            const AllocationProblem problem = randomAllocation(dice, 96, 6);
            const Result<Allocation> fastest = allocate(problem);
            VERIFY_SOUND(problem, fastest);
            const Allocation* before = &*fastest;
            AllocationScratch scratch;
            const std::vector<Allocation> slower =
                slowerAllocations(problem, *fastest, 2 * fastest->latency, 40, scratch);
            for (const Allocation& one : slower) {
                QCOMPARE(QString::fromStdString(broken(problem, one)), QString());
                QVERIFY(one.latency > before->latency && one.latency <= 2 * fastest->latency);
                QVERIFY(sum(one.compute) + sum(one.memory) < sum(before->compute) + sum(before->memory));
                before = &one;
                ++seen;
            }
        }
        QVERIFY(seen > 200);
    }

    void mainBandwidthSharedByBytesCostsTime() {
        AllocationProblem problem = twoOps();
        problem.memoryArrays = false;
        const Result<Allocation> each = allocate(problem);
        problem.mainBandwidth = MainBandwidthRule::Shared;
        const Result<Allocation> shared = allocate(problem);
        VERIFY_SOUND(problem, shared);
        // The first alone has 64000 bytes at 32 a cycle; together they have 65000.
        QCOMPARE(each->latency, 2000.0);
        QCOMPARE(shared->latency, 2031.25);
    }

    void handlesLargeChipsQuickly() {
        Dice dice(4);
        AllocationProblem problem = randomAllocation(dice, 1'000'000, 24);
        problem.duplication = DuplicationRule::Any;
        const Result<Allocation> found = allocate(problem);
        VERIFY_SOUND(problem, found);
        QVERIFY(found->arraysUsed() > 900'000); // steps of one array leave next to none idle
    }

    void handlesExtremeNumbers() {
        for (const double work : {0.0, 1e-300, 1.0, 1e300})
            for (const double traffic : {0.0, 1e-300, 1.0, 1e300})
                for (const double array : {0.0, 1e-30, 1e30})
                    for (const double main : {0.0, 1e-30, 32.0, 1e30}) {
                        AllocationProblem problem = twoOps();
                        problem.arrayBytesPerCycle = array;
                        problem.mainBytesPerCycle = main;
                        problem.ops[0].computeWork = work;
                        problem.ops[0].traffic = traffic;
                        const Result<Allocation> found = allocate(problem);
                        if (array <= 0 && main <= 0) {
                            QVERIFY(!found); // the second operator moves bytes
                            continue;
                        }
                        VERIFY_SOUND(problem, found);
                    }
    }

    void keepsDecisions() {
        AllocationProblem problem = twoOps();
        problem.ops[0].pinnedCompute = 8;
        problem.ops[1].pinnedMemory = 3;
        const Result<Allocation> found = allocate(problem);
        VERIFY_SOUND(problem, found);
        QCOMPARE(found->compute[0], 8);
        QCOMPARE(found->memory[1], 3);
    }

    void saysWhyThereIsNone_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const char* said, ErrorCode code) {
            QTest::newRow(name) << said << static_cast<int>(code);
        };
        row("no arrays", "the chip has 0 arrays", ErrorCode::InvalidTarget);
        row("no bandwidth", "no bandwidth", ErrorCode::InvalidTarget);
        row("negative bandwidth", "-1", ErrorCode::InvalidTarget);
        row("too large", "need at least 17 compute arrays; the chip has 16", ErrorCode::Unsupported);
        row("no weights", "at least one array", ErrorCode::InvalidFile);
        row("edge to nowhere", "from 0 to 7", ErrorCode::InvalidFile);
        row("edge to itself", "from 1 to 1", ErrorCode::InvalidFile);
        row("pin too small", "the weights need 4", ErrorCode::IllegalOverride);
        row("pin too large", "the chip has 16", ErrorCode::IllegalOverride);
        row("pin no whole copies", "Set 8 or 12", ErrorCode::IllegalOverride);
        row("pins do not fit", "16 compute arrays and 2 memory arrays as they are set",
            ErrorCode::IllegalOverride);
        row("negative memory", "-2 memory arrays", ErrorCode::IllegalOverride);
        row("memory on a static chip", "all arrays compute", ErrorCode::IllegalOverride);
        row("not a number", "nan", ErrorCode::InvalidFile);
    }

    void saysWhyThereIsNone() {
        QFETCH(QString, said);
        QFETCH(int, code);
        const QByteArray name = QTest::currentDataTag();
        AllocationProblem problem = twoOps();
        if (name == "no arrays")
            problem.arrays = 0;
        else if (name == "no bandwidth")
            problem.mainBytesPerCycle = problem.arrayBytesPerCycle = 0;
        else if (name == "negative bandwidth")
            problem.mainBytesPerCycle = -1;
        else if (name == "too large")
            problem.ops[0].minArrays = 14;
        else if (name == "no weights")
            problem.ops[0].minArrays = 0;
        else if (name == "edge to nowhere")
            problem.edges[0].to = 7;
        else if (name == "edge to itself")
            problem.edges[0] = {1, 1, 2};
        else if (name == "pin too small")
            problem.ops[0].pinnedCompute = 2;
        else if (name == "pin too large")
            problem.ops[0].pinnedCompute = 20;
        else if (name == "pin no whole copies")
            problem.ops[0].pinnedCompute = 10;
        else if (name == "pins do not fit") {
            problem.ops[0].minArrays = 13;
            problem.ops[0].pinnedMemory = 2;
        } else if (name == "negative memory")
            problem.ops[0].pinnedMemory = -2;
        else if (name == "memory on a static chip") {
            problem.memoryArrays = false;
            problem.ops[0].pinnedMemory = 2;
        } else
            problem.ops[1].traffic = std::nan("");
        const Result<Allocation> found = allocate(problem);
        QVERIFY(!found);
        QCOMPARE(static_cast<int>(found.error().code), code);
        QVERIFY2(QString::fromStdString(found.error().text()).contains(said), found.error().text().c_str());
    }

    void runsWithoutMainMemoryWhereArraysFeedEveryOperator() {
        AllocationProblem problem = twoOps();
        problem.mainBytesPerCycle = 0;
        const Result<Allocation> found = allocate(problem);
        VERIFY_SOUND(problem, found);
        QVERIFY(found->memory[0] > 0 && found->memory[1] > 0);
    }
};

QTEST_APPLESS_MAIN(TestDualModeAllocation)
#include "tst_backends_dual_mode_allocation.moc"
