// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/plan.h"

#include "backends/dual_mode/decisions.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

using Ordered = nlohmann::ordered_json;

std::string_view word(DuplicationRule rule) {
    return rule == DuplicationRule::Copies ? "copies" : "any";
}
std::string_view word(TrafficRule rule) {
    return rule == TrafficRule::All ? "all" : rule == TrafficRule::Activations ? "activations" : "inputs";
}
std::string_view word(MainBandwidthRule rule) {
    return rule == MainBandwidthRule::Each ? "each" : "shared";
}
std::string_view word(RewriteRule rule) {
    return rule == RewriteRule::Max ? "max" : rule == RewriteRule::Sum ? "sum" : "bus";
}

Ordered segmentJson(const DualModeSegment& segment) {
    Ordered one;
    one["first"] = segment.first;
    one["last"] = segment.last;
    one["compute"] = segment.compute;
    one["memory"] = segment.memory;
    one["shared"] = Ordered::array();
    for (const SharedArrays& shared : segment.shared)
        one["shared"].push_back({shared.from, shared.to, shared.arrays});
    one["allCompute"] = segment.allCompute;
    one["toMemory"] = segment.toMemory;
    one["toCompute"] = segment.toCompute;
    one["cycles"] = {{"intra", segment.intra},
                     {"writeBack", segment.writeBack},
                     {"switching", segment.switching},
                     {"rewrite", segment.rewrite}};
    return one;
}

} // namespace

std::string DualModePlan::json() const {
    Ordered object;
    object["kind"] = kind();
    object["chip"] = {{"name", chip.name},
                      {"arrays", chip.arrays},
                      {"rows", chip.rows},
                      {"columns", chip.columns},
                      {"cycleNs", chip.cycleNs}};
    object["options"] = {{"strategy", dualModeStrategyId(options.strategy)},
                         {"duplication", word(options.duplication)},
                         {"traffic", word(options.traffic)},
                         {"mainBandwidth", word(options.mainBandwidth)},
                         {"rewrite", word(options.rewrite)},
                         {"caps", options.caps},
                         {"keepAllCompute", options.keepAllCompute},
                         {"jointBorders", options.jointBorders},
                         {"maxSegmentOps", options.maxSegmentOps}};
    object["cycles"] = segmentation.cycles;
    object["speedup"] = speedup();
    object["memoryShare"] = memoryShare();
    object["cap"] = cap;
    if (searchedCuts)
        object["searchedCuts"] = true;
    object["caps"] = Ordered::array();
    for (const DualModeCapTrial& trial : caps) {
        object["caps"].push_back({{"cap", trial.cap},
                                  {"subOps", trial.subOps},
                                  {"cycles", trial.cycles},
                                  {"allComputeCycles", trial.allComputeCycles}});
        if (trial.searched)
            object["caps"].back()["searched"] = true;
    }
    object["baselines"] = Ordered::array();
    for (const DualModeBaseline& baseline : baselines)
        object["baselines"].push_back({{"id", dualModeStrategyId(baseline.strategy)},
                                       {"name", baseline.name},
                                       {"cycles", baseline.cycles}});
    object["operators"] = Ordered::array();
    for (const DualModeOp& op : workload->ops)
        object["operators"].push_back({{"name", op.name},
                                       {"M", op.m},
                                       {"N", op.n},
                                       {"K", op.k},
                                       {"G", op.g},
                                       {"macs", op.macs()},
                                       {"inBytes", op.inBytes},
                                       {"outBytes", op.outBytes},
                                       {"weightBytes", op.weightBytes},
                                       {"producedWeights", op.producedWeights},
                                       {"minArrays", minimumArrays(op, chip)},
                                       {"predecessors", op.predecessors}});
    // A row a piece, in the order of the columns named: networks have tens of thousands.
    object["pieceColumns"] = {"operator", "gBegin", "g", "nBegin", "n", "kBegin", "k", "minArrays"};
    object["pieces"] = Ordered::array();
    for (const DualModeSubOp& s : subOps)
        object["pieces"].push_back(
            Ordered::array({s.op, s.gBegin, s.g, s.nBegin, s.n, s.kBegin, s.k, s.minArrays}));
    object["segments"] = Ordered::array();
    for (const DualModeSegment& segment : segmentation.segments)
        object["segments"].push_back(segmentJson(segment));
    return object.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

std::string DualModePlan::subOpName(int subOp) const {
    if (subOp < 0 || subOp >= static_cast<int>(subOps.size()))
        return {};
    const DualModeSubOp& s = subOps[static_cast<std::size_t>(subOp)];
    const std::string& name = workload->ops[static_cast<std::size_t>(s.op)].name;
    return s.pieces > 1 ? fmt::format("{} piece {}/{}", name, s.piece + 1, s.pieces) : name;
}

double DualModePlan::speedup() const {
    const auto found =
        std::ranges::find(baselines, DualModeStrategy::AllCompute, &DualModeBaseline::strategy);
    return found != baselines.end() && segmentation.cycles > 0 ? found->cycles / segmentation.cycles : 0;
}

double DualModePlan::memoryShare() const {
    double memory = 0, all = 0;
    for (const DualModeSegment& segment : segmentation.segments) {
        memory += segment.cycles() * segment.memoryArrays();
        all += segment.cycles() * chip.arrays;
    }
    return all > 0 ? memory / all : 0;
}

} // namespace pim
