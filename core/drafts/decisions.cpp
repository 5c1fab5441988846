// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/opwise_planner.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

tl::unexpected<Error> illegal(const Override& decision, const std::string& message,
                              const std::string& hint = {}) {
    return fail(ErrorCode::IllegalOverride, message, placeOf(decision), hint);
}

Result<DataType> readType(const Override& decision, const Target& target) {
    const auto type = dataTypeFromName(decision.value);
    std::string known;
    if (const Level* core = target.level("core"))
        for (const Unit& unit : core->units)
            for (const DataType offered : unit.types) {
                if (type == offered)
                    return offered;
                known += fmt::format("{}{}", known.empty() ? "" : ", ", name(offered));
            }
    return illegal(decision, fmt::format("{} cannot compute in \"{}\"; its units take: {}", target.id,
                                         decision.value, known.empty() ? "nothing" : known));
}

Result<void> readInto(OpDecisions& decisions, const Override& decision, const Target& target,
                      std::span<const std::string_view> codeFields) {
    const bool networkWide = decision.op.empty();
    if (decision.field == "placement") {
        if (decision.value != "host" && decision.value != "pim")
            return illegal(decision,
                           fmt::format("\"{}\" is no placement; allowed: host, pim", decision.value));
        decisions.placement = decision.value == "pim" ? DeviceId::first() : DeviceId::host();
        decisions.placementIsNetworkWide = networkWide;
        return {};
    }
    if (decision.field == "dtype") {
        PIM_TRY(decisions.dtype, readType(decision, target));
        return {};
    }
    if (!networkWide && decision.field == "draft") {
        decisions.draft = decision.value;
        return {};
    }
    if (!networkWide && decision.field.starts_with("residency/")) {
        if (decision.value != "resident" && decision.value != "streamed")
            return illegal(
                decision, fmt::format("\"{}\" is no residency; allowed: resident, streamed", decision.value));
        decisions.residency[decision.field.substr(10)] =
            decision.value == "resident" ? Residency::Resident : Residency::Streamed;
        return {};
    }
    if (!networkWide && std::ranges::find(codeFields, decision.field) != codeFields.end()) {
        decisions.code[decision.field] = decision.value;
        return {};
    }
    return illegal(decision,
                   fmt::format("nothing called \"{}\" can be decided{}{}{}", decision.field,
                               networkWide ? " for the whole network; fields: dtype, placement"
                                           : "; fields: draft, dtype, placement, residency/TENSOR",
                               networkWide || codeFields.empty() ? "" : ", ",
                               networkWide ? std::string() : fmt::format("{}", fmt::join(codeFields, ", "))));
}

} // namespace

std::string placeOf(const Override& decision) {
    return fmt::format("{}/{}", decision.op.empty() ? "network" : decision.op, decision.field);
}

Result<OpDecisions> readDecision(const Target& target, const Override& decision,
                                 std::span<const std::string_view> codeFields) {
    OpDecisions decisions;
    PIM_CHECK(readInto(decisions, decision, target, codeFields));
    return decisions;
}

CodeDecisions codeDecisions(const Overrides& overrides, const std::string& op,
                            std::span<const std::string_view> codeFields) {
    CodeDecisions decisions;
    for (const std::string_view field : codeFields)
        if (const std::string* const value = overrides.find(op, std::string(field)))
            decisions.emplace(field, *value);
    return decisions;
}

Result<std::vector<OpDecisions>> readDecisions(const Graph& graph, const Target& target,
                                               const Overrides& overrides,
                                               std::span<const std::string_view> codeFields) {
    std::vector<OpDecisions> decisions(graph.ops.size());
    if (overrides.empty())
        return decisions;
    std::map<std::string_view, std::size_t> opByName;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        opByName.emplace(graph.ops[i].name, i);
    OpDecisions everywhere;
    for (const Override& decision : overrides.all()) // sorted: the network (name "") comes first
        if (decision.op.empty()) {
            PIM_CHECK(readInto(everywhere, decision, target, codeFields));
            std::fill(decisions.begin(), decisions.end(), everywhere);
        } else if (const auto at = opByName.find(decision.op); at != opByName.end()) {
            PIM_CHECK(readInto(decisions[at->second], decision, target, codeFields));
        } else {
            return illegal(decision, fmt::format("the model has no op \"{}\"", decision.op),
                           "remove this decision, or take the name from `pimc inspect`");
        }
    return decisions;
}

} // namespace pim
