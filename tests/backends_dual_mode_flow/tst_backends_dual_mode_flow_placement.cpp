// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Physical arrays: as few switches as there can be, consecutive slots, data that stay where they are read.
#include <QTest>

#include "backends/dual_mode/plan.h"

#include <random>

using namespace pim;

namespace {

DualModeChip chipOf(int arrays) {
    DualModeChip chip;
    chip.arrays = arrays;
    chip.rows = 8;
    chip.columns = 8;
    chip.arrayBytes = 64;
    return chip;
}

DualModeSubOp subOp(int op, int arrays) {
    DualModeSubOp made;
    made.op = op;
    made.m = 64, made.n = 8, made.k = 8, made.g = 1;
    made.minArrays = arrays;
    return made;
}

struct Case {
    std::vector<DualModeSubOp> subOps;
    Segmentation segmentation;
};

/// One sub-operator a segment with these arrays.
Case chain(const std::vector<std::pair<int, int>>& computeMemory) {
    Case made;
    for (const auto& [compute, memory] : computeMemory) {
        const int i = int(made.subOps.size());
        made.subOps.push_back(subOp(i, 1));
        DualModeSegment segment;
        segment.first = segment.last = i;
        segment.compute = {compute};
        segment.memory = {memory};
        made.segmentation.segments.push_back(segment);
    }
    return made;
}

/// Fewest switches over the whole run: dynamic programming over the arrays in memory mode.
int fewestSwitches(const std::vector<std::pair<int, int>>& computeMemory, int arrays) {
    constexpr int kMany = 1 << 20;
    std::vector<int> cost(std::size_t(arrays) + 1, kMany);
    cost[0] = 0;
    for (const auto& [compute, memory] : computeMemory) {
        std::vector<int> next(cost.size(), kMany);
        for (int from = 0; from <= arrays; ++from)
            for (int to = memory; to <= arrays - compute; ++to)
                next[std::size_t(to)] =
                    std::min(next[std::size_t(to)], cost[std::size_t(from)] + std::abs(to - from));
        cost = next;
    }
    return *std::min_element(cost.begin(), cost.end());
}

} // namespace

class TestPlacement : public QObject {
    Q_OBJECT
private slots:
    void switchesAsLittleAsPossible() {
        std::mt19937 random(7);
        for (int round = 0; round < 400; ++round) {
            const int arrays = 1 + int(random() % 12);
            std::vector<std::pair<int, int>> counts;
            for (int s = 0; s < 1 + int(random() % 8); ++s) {
                const int compute = 1 + int(random() % std::size_t(arrays));
                counts.emplace_back(compute, int(random() % std::size_t(arrays - compute + 1)));
            }
            const Case one = chain(counts);
            const auto placement = placeArrays(one.subOps, one.segmentation, chipOf(arrays));
            QCOMPARE(placement.size(), counts.size());
            int switches = 0;
            std::vector<ArrayMode> mode(std::size_t(arrays), ArrayMode::Compute);
            for (std::size_t s = 0; s < placement.size(); ++s) {
                const auto& [compute, memory] = counts[s];
                int placedCompute = 0, placedMemory = 0;
                std::vector<int> toMemory, toCompute;
                const std::vector<ArrayUse> uses = placement[s].arrays();
                QCOMPARE(uses.size(), std::size_t(arrays));
                for (int array = 0; array < arrays; ++array) {
                    const ArrayUse& use = uses[std::size_t(array)];
                    placedCompute += use.mode == ArrayMode::Compute;
                    placedMemory += use.mode == ArrayMode::Memory;
                    if (use.mode == ArrayMode::Idle || use.mode == mode[std::size_t(array)])
                        continue;
                    (use.mode == ArrayMode::Memory ? toMemory : toCompute).push_back(array);
                    mode[std::size_t(array)] = use.mode;
                }
                QCOMPARE(placedCompute, compute);
                QCOMPARE(placedMemory, memory);
                QCOMPARE(placement[s].toMemory, toMemory);
                QCOMPARE(placement[s].toCompute, toCompute);
                switches += int(toMemory.size() + toCompute.size());
                // Eq. 1 of CMSwitch: never below, and reached where the segment before left no array idle.
                const auto [before, memoryBefore] = s == 0 ? std::pair(arrays, 0) : counts[s - 1];
                const int leastCompute = std::max(0, compute - (arrays - memoryBefore));
                const int leastMemory = std::max(0, memory - (arrays - before));
                QVERIFY(int(toCompute.size()) >= leastCompute && int(toMemory.size()) >= leastMemory);
                if (before + memoryBefore == arrays) {
                    QCOMPARE(int(toCompute.size()), leastCompute);
                    QCOMPARE(int(toMemory.size()), leastMemory);
                }
            }
            QCOMPARE(switches, fewestSwitches(counts, arrays));
            QCOMPARE(placeArrays(one.subOps, one.segmentation, chipOf(arrays)).back().toMemory,
                     placement.back().toMemory);
        }
    }

    void givesCopiesConsecutiveSlotsAndSharedArraysTwoUsers() {
        Case one;
        one.subOps = {subOp(0, 2), subOp(1, 3)};
        DualModeSegment segment;
        segment.first = 0, segment.last = 1;
        segment.compute = {4, 3};
        segment.memory = {2, 2};
        segment.shared = {{0, 1, 1}};
        one.segmentation.segments = {segment};
        const auto placement = placeArrays(one.subOps, one.segmentation, chipOf(12));
        std::vector<int> slotsOf[2];
        int shared = 0, feeding = 0, collecting = 0;
        for (const ArrayUse& use : placement[0].arrays()) {
            if (use.mode == ArrayMode::Compute)
                slotsOf[use.subOp].push_back(use.slot);
            if (use.mode == ArrayMode::Memory) {
                shared += use.subOp == 0 && use.reader == 1;
                feeding += use.subOp < 0 && use.reader >= 0;
                collecting += use.subOp >= 0 && use.reader < 0;
            }
        }
        QCOMPARE(slotsOf[0], (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(slotsOf[1], (std::vector<int>{0, 1, 2}));
        QCOMPARE(shared, 1);
        QCOMPARE(feeding + collecting, 2);
        QCOMPARE(placement[0].toMemory.size(), std::size_t(3));
    }

    /// Output arrays of the first segment are input arrays of the second, on the same places.
    void keepsDataWhereTheyAreRead() {
        Case one = chain({{2, 4}, {2, 4}});
        one.subOps[0].n = 1; // almost all traffic is output
        one.subOps[1].k = 1; // almost all traffic is input
        const auto placement = placeArrays(one.subOps, one.segmentation, chipOf(12));
        int kept = 0;
        const std::vector<ArrayUse> before = placement[0].arrays(), after = placement[1].arrays();
        for (std::size_t array = 0; array < 12; ++array)
            kept += before[array].mode == ArrayMode::Memory && before[array].subOp == 0 &&
                    after[array].mode == ArrayMode::Memory && after[array].reader == 1;
        QVERIFY2(kept >= 3, qPrintable(QString::number(kept)));
        // Nobody reads the output of the first: its arrays are as good as any.
        DualModeWorkload apart;
        apart.ops.resize(2);
        const auto other = placeArrays(one.subOps, one.segmentation, chipOf(12), apart);
        QCOMPARE(other[1].toMemory.size(), std::size_t(0));
    }

    /// A sub-operator that comes twice finds its weights.
    void findsWeightsThatAreThere() {
        Case one = chain({{3, 0}, {5, 0}});
        one.segmentation.segments.push_back(one.segmentation.segments[0]);
        const auto placement = placeArrays(one.subOps, one.segmentation, chipOf(12));
        const auto computing = [&](std::size_t segment) {
            std::vector<std::size_t> arrays;
            const std::vector<ArrayUse> uses = placement[segment].arrays();
            for (std::size_t array = 0; array < uses.size(); ++array)
                if (uses[array].mode == ArrayMode::Compute)
                    arrays.push_back(array);
            return arrays;
        };
        const auto first = computing(0), last = computing(2);
        QCOMPARE(first.size(), std::size_t(3));
        // The second one came between and took low numbers; what it left is found again.
        QCOMPARE(last.size(), std::size_t(3));
        Case direct = chain({{3, 0}});
        direct.segmentation.segments.push_back(direct.segmentation.segments[0]);
        const auto twice = placeArrays(direct.subOps, direct.segmentation, chipOf(12));
        QCOMPARE(twice[0].runs, twice[1].runs);
    }
};

QTEST_GUILESS_MAIN(TestPlacement)
#include "tst_backends_dual_mode_flow_placement.moc"
