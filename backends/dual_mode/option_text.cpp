// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/option_text.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

namespace pim {
namespace {

template <class E>
struct Named {
    E value;
    std::string_view name;
};
constexpr Named<DualModeStrategy> kStrategyNames[] = {{DualModeStrategy::DualMode, "dual-mode"},
                                                      {DualModeStrategy::AllCompute, "all-compute"},
                                                      {DualModeStrategy::Puma, "puma"},
                                                      {DualModeStrategy::Occ, "occ"}};
constexpr Named<DuplicationRule> kDuplications[] = {{DuplicationRule::Copies, "copies"},
                                                    {DuplicationRule::Any, "any"}};
constexpr Named<TrafficRule> kTraffics[] = {
    {TrafficRule::All, "all"}, {TrafficRule::Activations, "activations"}, {TrafficRule::Inputs, "inputs"}};
constexpr Named<MainBandwidthRule> kBandwidths[] = {{MainBandwidthRule::Each, "each"},
                                                    {MainBandwidthRule::Shared, "shared"}};
constexpr Named<RewriteRule> kRewrites[] = {
    {RewriteRule::Max, "max"}, {RewriteRule::Sum, "sum"}, {RewriteRule::Bus, "bus"}};
constexpr Named<CostRule> kCosts[] = {
    {CostRule::Formula, "formula"}, {CostRule::Flow, "flow"}, {CostRule::Once, "once"}};
constexpr Named<bool> kSwitches[] = {{true, "on"}, {false, "off"}};

using Entry = OptionEntry<DualModeOptions>;

template <class E>
std::string nameIn(std::span<const Named<E>> names, E value) {
    const auto at = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.value == value; });
    return std::string(at->name);
}
template <class E>
bool setFrom(std::span<const Named<E>> names, std::string_view text, E& value) {
    const auto at = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.name == text; });
    if (at == names.end())
        return false;
    value = at->value;
    return true;
}

bool setCaps(DualModeOptions& options, std::string_view text) {
    std::vector<int> caps;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto cap = parsePositive<int>(text.substr(0, comma));
        if (!cap)
            return false;
        caps.push_back(*cap);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    options.caps = std::move(caps);
    return !options.caps.empty();
}

std::vector<Entry> entries() {
    return {
        {{"strategy", "dual-mode|all-compute|puma|occ", "who decides about the arrays"},
         [](const DualModeOptions& o) { return nameIn<DualModeStrategy>(kStrategyNames, o.strategy); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<DualModeStrategy>(kStrategyNames, v, o.strategy);
         }},
        {{"duplication", "copies|any",
          "compute arrays of an operator: whole copies of its weights, or any number"},
         [](const DualModeOptions& o) { return nameIn<DuplicationRule>(kDuplications, o.duplication); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<DuplicationRule>(kDuplications, v, o.duplication);
         }},
        {{"traffic", "all|activations|inputs",
          "bytes an operator moves: weights too, inputs and outputs, or inputs alone"},
         [](const DualModeOptions& o) { return nameIn<TrafficRule>(kTraffics, o.traffic); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<TrafficRule>(kTraffics, v, o.traffic);
         }},
        {{"main-bandwidth", "each|shared",
          "main memory: all of it for every operator, or shared by those of a segment"},
         [](const DualModeOptions& o) { return nameIn<MainBandwidthRule>(kBandwidths, o.mainBandwidth); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<MainBandwidthRule>(kBandwidths, v, o.mainBandwidth);
         }},
        {{"rewrite", "max|sum|bus",
          "weights of a segment are written side by side, one operator after the other, or as fast as they "
          "come over the bus"},
         [](const DualModeOptions& o) { return nameIn<RewriteRule>(kRewrites, o.rewrite); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<RewriteRule>(kRewrites, v, o.rewrite);
         }},
        {{.key = "cost",
          .values = "formula|flow|once",
          .meaning = "plans are judged by the published formulas, by timing the flows of all proposals as "
                     "the simulator does, or, "
                     "for a first look, by timing those of the two most promising ones once",
          .quick = "once"},
         [](const DualModeOptions& o) { return nameIn<CostRule>(kCosts, o.cost); },
         [](DualModeOptions& o, std::string_view v) { return setFrom<CostRule>(kCosts, v, o.cost); }},
        {{"caps", "N,N,…", "most arrays of one piece when operators are cut; the best cap wins"},
         [](const DualModeOptions& o) { return fmt::format("{}", fmt::join(o.caps, ",")); },
         setCaps},
        {{"keep-all-compute", "on|off", "also consider every segment with all arrays computing"},
         [](const DualModeOptions& o) { return nameIn<bool>(kSwitches, o.keepAllCompute); },
         [](DualModeOptions& o, std::string_view v) {
             return setFrom<bool>(kSwitches, v, o.keepAllCompute);
         }},
        {{"joint-borders", "on|off", "also consider slower segments with cheaper borders"},
         [](const DualModeOptions& o) { return nameIn<bool>(kSwitches, o.jointBorders); },
         [](DualModeOptions& o, std::string_view v) { return setFrom<bool>(kSwitches, v, o.jointBorders); }},
        {{"max-segment-ops", "N", "most pieces of operators in one segment"},
         [](const DualModeOptions& o) { return std::to_string(o.maxSegmentOps); },
         [](DualModeOptions& o, std::string_view v) {
             const auto number = parsePositive<int>(v);
             o.maxSegmentOps = number.value_or(o.maxSegmentOps);
             return number.has_value();
         }},
    };
}

} // namespace

const TypedOptionTable<DualModeOptions>& dualModeOptionTable() {
    static const TypedOptionTable<DualModeOptions> kTable(entries());
    return kTable;
}

} // namespace pim
