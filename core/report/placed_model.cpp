// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/placed_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

std::string bindingsText(const Graph& graph) {
    std::string text;
    for (const DimBinding& binding : graph.bindings)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", binding.symbol, binding.value);
    return text;
}

/// What each op says, one after the other, equal ones once.
template <class Say>
std::string joined(const std::vector<const OpPlan*>& ops, Say say) {
    std::vector<std::string> said;
    for (const OpPlan* op : ops)
        if (std::string text = say(*op); !text.empty() && std::ranges::find(said, text) == said.end())
            said.push_back(std::move(text));
    return fmt::format("{}", fmt::join(said, "; "));
}

MetadataEntries entriesOf(const Plan& plan, const std::vector<const OpPlan*>& ops) {
    if (ops.empty())
        return {{"pimstudio.placement", "none"},
                {"pimstudio.reason", "known before the network runs, or not needed"}};
    double ns = 0;
    for (const OpPlan* op : ops)
        ns += op->cost.totalNs();
    const double total = plan.total.totalNs();
    const std::string draft = joined(
        ops, [](const OpPlan& op) { return op.draft ? op.space->draftText(*op.draft) : std::string(); });
    MetadataEntries entries{
        {"pimstudio.op", joined(ops, [&](const OpPlan& op) { return plan.graph->op(op.op).name; })},
        {"pimstudio.placement", joined(ops, [](const OpPlan& op) { return name(op.placement); })},
        {"pimstudio.device", joined(ops, [&](const OpPlan& op) { return deviceName(plan, op.placement); })},
        {"pimstudio.ns", fmt::format("{}", ns)},
        {"pimstudio.share", fmt::format("{:.6g}", total > 0 ? ns / total : 0)},
        {"pimstudio.origin", joined(ops, [](const OpPlan& op) { return std::string(name(op.origin)); })}};
    if (!draft.empty())
        entries.emplace_back("pimstudio.draft", draft);
    entries.emplace_back("pimstudio.reason", joined(ops, [](const OpPlan& op) { return op.reason; }));
    return entries;
}

} // namespace

ModelMetadata placedModel(const Plan& plan) {
    std::vector<std::vector<const OpPlan*>> opsOfNode;
    for (const OpPlan& op : plan.ops)
        for (const NodeRef& node : plan.graph->op(op.op).sources) {
            if (node.index < 0)
                continue;
            const auto place = static_cast<std::size_t>(node.index);
            opsOfNode.resize(std::max(opsOfNode.size(), place + 1));
            if (opsOfNode[place].empty() || opsOfNode[place].back() != &op)
                opsOfNode[place].push_back(&op);
        }
    ModelMetadata metadata{plan.graph->source.fileBytes, "pimstudio.", {}, {}};
    for (const auto& ops : opsOfNode)
        metadata.nodes.push_back(entriesOf(plan, ops));
    metadata.model = {{"pimstudio.target", plan.target->id},
                      {"pimstudio.host", plan.target->host.id},
                      {"pimstudio.total_ns", fmt::format("{}", plan.total.totalNs())},
                      {"pimstudio.host_only_ns", fmt::format("{}", plan.hostOnlyNs)},
                      {"pimstudio.speedup", fmt::format("{:.6g}", plan.speedup())},
                      {"pimstudio.origin", std::string(name(plan.origin))}};
    if (const std::string bindings = bindingsText(*plan.graph); !bindings.empty())
        metadata.model.emplace_back("pimstudio.bindings", bindings);
    return metadata;
}

} // namespace pim
