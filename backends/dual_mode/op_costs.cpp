// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/op_costs.h"

#include <algorithm>

namespace pim {
namespace {

struct PieceTime {
    double compute = 0, data = 0; ///< Cycles; they go on side by side.
    double latency() const { return std::max(compute, data); }
};

PieceTime timeOf(const DualModeSubOp& piece, int compute, int memory, const DualModePlan& plan,
                 double mainShare) {
    const DualModeChip& chip = plan.chip;
    const double bandwidth = chip.mainBytesPerCycle * mainShare + memory * chip.arrayBytesPerCycle;
    return {compute > 0 ? piece.computeWork / compute : 0, bandwidth > 0 ? piece.traffic / bandwidth : 0};
}

/// A piece that its arrays keep busy all the time waits for nothing.
PieceTime timeInFlow(const DualModePieceTime& piece) {
    return {piece.busy, piece.elapsed};
}

} // namespace

DualModeShares shareOutSegments(const DualModePlan& plan) {
    DualModeShares all;
    std::vector<DualModeOpShare>& shares = all.operators;
    shares.resize(plan.workload->ops.size());
    std::vector<std::vector<DualModeVectorTime>> vectors(plan.segmentation.segments.size());
    for (const DualModeVectorTime& time : plan.vectorTimes)
        vectors[static_cast<std::size_t>(time.segment)].push_back(time);
    std::vector<double> longest(shares.size(), 0);
    const double cycleNs = plan.chip.cycleNs;
    for (std::size_t s = 0; s < plan.segmentation.segments.size(); ++s) {
        const DualModeSegment& segment = plan.segmentation.segments[s];
        const std::size_t pieces = segment.compute.size();
        const double mainShare =
            plan.options.mainBandwidth == MainBandwidthRule::Each ? 1.0 : 1.0 / static_cast<double>(pieces);
        std::vector<PieceTime> times;
        double latencies = 0;
        int arrays = 0;
        for (std::size_t i = 0; i < pieces; ++i) {
            const DualModeSubOp& piece = plan.subOps[static_cast<std::size_t>(segment.first) + i];
            times.push_back(plan.pieceTimes.empty()
                                ? timeOf(piece, segment.compute[i], segment.memory[i], plan, mainShare)
                                : timeInFlow(plan.pieceTimes[static_cast<std::size_t>(segment.first) + i]));
            latencies += times.back().latency();
            arrays += segment.compute[i];
        }
        double together = latencies;
        if (latencies > 0) {
            for (const DualModeVectorTime& time : vectors[s])
                together += time.busy;
            for (const DualModeVectorTime& time : vectors[s])
                all.vectorOps[time.op].computeNs += segment.intra * time.busy / together * cycleNs;
        }
        for (std::size_t i = 0; i < pieces; ++i) {
            const DualModeSubOp& piece = plan.subOps[static_cast<std::size_t>(segment.first) + i];
            DualModeOpShare& op = shares[static_cast<std::size_t>(piece.op)];
            const double weight =
                latencies > 0 ? times[i].latency() / latencies : 1.0 / static_cast<double>(pieces);
            const double intraNs =
                segment.intra * (latencies > 0 ? times[i].latency() / together : weight) * cycleNs;
            const double computing = times[i].latency() > 0 ? times[i].compute / times[i].latency() : 1;
            op.cost.computeNs += intraNs * computing;
            op.cost.inputNs += intraNs * (1 - computing);
            op.cost.outputNs += segment.writeBack * weight * cycleNs;
            op.cost.modeSwitchNs += segment.switching * weight * cycleNs;
            op.cost.rewriteNs += segment.rewrite * cycleNs *
                                 (arrays > 0 ? static_cast<double>(segment.compute[i]) / arrays : weight);
            if (op.firstSegment < 0)
                op.firstSegment = static_cast<int>(s);
            op.lastSegment = static_cast<int>(s);
            op.compute = std::max(op.compute, segment.compute[i]);
            op.memory = std::max(op.memory, segment.memory[i]);
            ++op.pieces;
            if (times[i].latency() > longest[static_cast<std::size_t>(piece.op)]) {
                longest[static_cast<std::size_t>(piece.op)] = times[i].latency();
                op.waitsForData = times[i].data > times[i].compute;
            }
        }
    }
    return all;
}

} // namespace pim
