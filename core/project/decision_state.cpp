// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/decision_state.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {

const Overrides& DecisionState::overrides() const {
    const auto found = std::ranges::find(variants, variant, &Variant::name);
    PIM_ASSERT(found != variants.end(), "the variant in force is one of the variants");
    return found->overrides;
}

std::string decisionsText(const DecisionState& state) {
    using Json = nlohmann::json;
    Json json{
        {"model", {{"path", state.modelPath.string()}, {"hash", state.modelHash}}},
        {"bindings", state.graph.bindings},
        {"disabled_passes", state.graph.disabledPasses},
        {"target", {{"id", state.target->id}, {"host", state.target->host.id}, {"hash", state.target->hash}}},
        {"options", Json::parse(optionsJson(state.options))},
        {"variant", state.variant}};
    if (!state.graph.passOptions.empty())
        json["pass_options"] = state.graph.passOptions;
    for (const Variant& variant : state.variants)
        json["variants"].push_back({{"name", variant.name},
                                    {"parent", variant.parent},
                                    {"overrides", Json::parse(variant.overrides.json())}});
    json["marks"] = Json::parse(decisionsJson({{}, state.marks}))["marks"];
    json["notes"] = Json::array();
    for (const Note& note : state.notes)
        json["notes"].push_back({{"id", note.id},
                                 {"op", note.op},
                                 {"timeline", note.timeline},
                                 {"from_ns", note.fromNs},
                                 {"to_ns", note.toNs},
                                 {"text", note.text}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace pim
