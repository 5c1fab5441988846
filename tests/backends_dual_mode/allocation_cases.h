// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Allocation problems for tests: those of tests/golden/cmswitch and random ones.
#include "backends/dual_mode/segmentation.h"
#include "tests/backends_dual_mode/golden.h"

#include <random>

namespace pim::test {

inline AllocationProblem goldenAllocation(const nlohmann::json& instance) {
    AllocationProblem problem;
    problem.arrays = instance.at("N");
    problem.arrayBytesPerCycle = instance.at("Dcim");
    problem.mainBytesPerCycle = instance.at("Dmain");
    problem.duplication =
        instance.at("com_mode") == "fractional" ? DuplicationRule::Any : DuplicationRule::Copies;
    for (const auto& op : instance.at("ops"))
        problem.ops.push_back({op.at("W"), op.at("cw"), op.at("tr")});
    for (const auto& edge : instance.at("edges"))
        problem.edges.push_back({edge[0], edge[1], edge[2]});
    return problem;
}

/// As dp_golden.json: one allocation a segment.
inline SegmentationProblem goldenSegmentation(const nlohmann::json& file, const std::string& name) {
    SegmentationProblem problem;
    problem.chip = referenceDualModeChip();
    problem.options.keepAllCompute = false;
    problem.options.jointBorders = false;
    const auto& one = file.at("cases").at(name);
    problem.predecessors = std::make_shared<const std::vector<std::vector<int>>>(
        one.at("op_preds").get<std::vector<std::vector<int>>>());
    for (const auto& row : one.at("subops")) {
        DualModeSubOp op;
        op.op = row[0];
        op.minArrays = row[1];
        op.m = row[2];
        op.n = row[3];
        op.k = row[4];
        op.g = row[5];
        op.computeWork = row[6];
        op.traffic = row[7];
        op.outBytes = row[8];
        problem.subOps.push_back(op);
    }
    return problem;
}

/// Whole numbers from a fixed seed; the same on every machine, unlike the distributions of the standard
/// library.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_engine(seed) {}
    int between(int low, int high) {
        return low + static_cast<int>(m_engine() % static_cast<std::uint64_t>(high - low + 1));
    }
    /// Spread evenly over magnitudes.
    double magnitude(double low, double high) {
        const double part = static_cast<double>(m_engine() >> 11) / 9007199254740992.0;
        return std::round(low * std::pow(high / low, part));
    }
    bool chance(int percent) { return between(1, 100) <= percent; }

private:
    std::mt19937_64 m_engine;
};

/// Chains, and graphs with odd cycles, that fit the chip.
inline AllocationProblem randomAllocation(Dice& dice, int arrays, int mostOps) {
    AllocationProblem problem;
    problem.arrays = arrays;
    const double bytes[] = {1, 4, 40}, main[] = {4, 32, 320};
    problem.arrayBytesPerCycle = bytes[dice.between(0, 2)];
    problem.mainBytesPerCycle = main[dice.between(0, 2)];
    problem.duplication = dice.chance(50) ? DuplicationRule::Copies : DuplicationRule::Any;
    const int ops = dice.between(1, mostOps);
    int left = arrays;
    for (int i = 0; i < ops; ++i) {
        // Small weights leave room for copies and memory, large ones fill the chip.
        const int wide = dice.between(1, std::max(1, 3 * arrays / (2 * ops)));
        const int w = dice.between(1, std::max(1, std::min(left - (ops - 1 - i), wide)));
        left -= w;
        problem.ops.push_back({w, dice.magnitude(100, 1e5) * w, dice.magnitude(1000, 1e7)});
    }
    const bool chain = dice.chance(40);
    for (int to = 1; to < ops; ++to)
        for (int from = 0; from < to; ++from)
            if (chain ? from + 1 == to : dice.chance(from + 1 == to ? 80 : 45))
                problem.edges.push_back({from, to, dice.between(0, 24)});
    return problem;
}

/// Network of small random operators, each fed by one or two before it.
inline SegmentationProblem randomNetwork(std::uint64_t seed, int ops, int mostArrays, int leastArrays = 1) {
    Dice dice(seed);
    SegmentationProblem problem;
    problem.chip = referenceDualModeChip();
    std::vector<std::vector<int>> predecessors;
    for (int i = 0; i < ops; ++i) {
        DualModeSubOp op;
        op.op = i;
        op.minArrays = dice.between(leastArrays, mostArrays);
        op.computeWork = op.minArrays * dice.magnitude(400, 40000);
        op.traffic = dice.magnitude(1000, 3e6);
        op.outBytes = dice.magnitude(1000, 1e6);
        problem.subOps.push_back(op);
        predecessors.emplace_back();
        if (i > 0)
            predecessors.back().push_back(i - 1);
        if (i > 3 && dice.chance(30))
            predecessors.back().push_back(i - dice.between(2, 4));
    }
    problem.predecessors = std::make_shared<const std::vector<std::vector<int>>>(std::move(predecessors));
    return problem;
}

/// The network \p layer again and again; operators without input read what the layer before made last.
inline SegmentationProblem repeatedLayers(const SegmentationProblem& layer, int copies) {
    const int ops = static_cast<int>(layer.predecessors->size());
    SegmentationProblem network = layer;
    std::vector<std::vector<int>> predecessors = *layer.predecessors;
    for (int copy = 1; copy < copies; ++copy) {
        for (DualModeSubOp op : layer.subOps) {
            op.op += copy * ops;
            network.subOps.push_back(op);
        }
        for (std::vector<int> before : *layer.predecessors) {
            if (before.empty())
                before.push_back(-1);
            for (int& from : before)
                from += copy * ops;
            predecessors.push_back(std::move(before));
        }
    }
    network.predecessors = std::make_shared<const std::vector<std::vector<int>>>(std::move(predecessors));
    return network;
}

} // namespace pim::test
