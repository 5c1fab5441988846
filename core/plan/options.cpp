// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/options.h"

#include "core/base/json_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {

std::string_view name(MappingChoice choice) {
    return choice == MappingChoice::Fixed ? "fixed" : "searched";
}

bool CodePasses::isOn(std::string_view id) const {
    return std::find(leftOut.begin(), leftOut.end(), id) == leftOut.end();
}

const OptionTexts& CompileOptions::of(std::string_view backend) const {
    static const OptionTexts kDefaults;
    const auto found = family.find(backend);
    return found == family.end() ? kDefaults : found->second;
}

std::span<const FormerFamilyName> formerFamilyNames() {
    static constexpr FormerFamilyName kNames[] = {{"cim", "dual_mode"}};
    return kNames;
}

namespace {

std::string currentName(std::string_view family) {
    const auto names = formerFamilyNames();
    const auto found = std::ranges::find(names, family, &FormerFamilyName::former);
    return std::string(found == names.end() ? family : found->now);
}

} // namespace

std::string optionsJson(const CompileOptions& options) {
    // No "threads": the result does not depend on them.
    nlohmann::json json{{"compute_type", name(options.computeType)},
                        {"conv_as_gemm", options.convAsGemm},
                        {"overlap_host_transfer", options.overlapHostTransfer},
                        {"group_commands", options.groupCommands},
                        {"seed", options.seed},
                        {"tiling",
                         {{"rule1", options.tiling.rule1},
                          {"rule2", options.tiling.rule2},
                          {"rule3", options.tiling.rule3},
                          {"both_strategies", options.tiling.bothStrategies},
                          {"every_allocation", options.tiling.everyAllocation},
                          {"max_kept", options.tiling.maxKept}}}};
    if (options.tiling.paperRule2)
        json["tiling"]["paper_rule2"] = true;
    if (options.tiling.walkLimit != TilingOptions{}.walkLimit)
        json["tiling"]["walk_limit"] = options.tiling.walkLimit;
    if (options.mapping != MappingChoice::Searched)
        json["mapping"] = name(options.mapping);
    if (!options.passes.leftOut.empty())
        json["passes_left_out"] = options.passes.leftOut;
    if (options.verifyDrafts > 0)
        json["verify_drafts"] = options.verifyDrafts;
    if (!options.predictorVersion.empty())
        json["predictor"] = options.predictorVersion;
    for (const auto& [family, texts] : options.family)
        if (!texts.empty())
            json[family] = texts;
    return json.dump();
}

Result<CompileOptions> optionsFromJson(std::string_view text, std::string_view where) {
    const auto bad = [&](std::string_view what) {
        return fail(ErrorCode::Database, fmt::format("the stored options cannot be read: {}", what),
                    std::string(where), "the run may come from another version of PIM Studio");
    };
    CompileOptions options;
    const auto read = [](nlohmann::json& from, const char* key, auto& value) {
        if (const auto found = from.find(key); found != from.end()) {
            using Read = std::remove_reference_t<decltype(value)>;
            if constexpr (std::is_integral_v<Read> && !std::is_same_v<Read, bool>)
                value = wholeNumber<Read>(*found);
            else
                value = found->template get<Read>();
            from.erase(found);
        }
    };
    try {
        auto json = nlohmann::json::parse(text);
        std::string type;
        read(json, "compute_type", type);
        if (const auto known = dataTypeFromName(type); known)
            options.computeType = *known;
        else if (!type.empty())
            return bad(fmt::format("unknown compute type \"{}\"", type));
        read(json, "conv_as_gemm", options.convAsGemm);
        read(json, "overlap_host_transfer", options.overlapHostTransfer);
        read(json, "group_commands", options.groupCommands);
        read(json, "seed", options.seed);
        std::string mapping{name(options.mapping)};
        read(json, "mapping", mapping);
        if (mapping == name(MappingChoice::Fixed))
            options.mapping = MappingChoice::Fixed;
        else if (mapping != name(MappingChoice::Searched))
            return bad(fmt::format("unknown mapping \"{}\"", mapping));
        read(json, "passes_left_out", options.passes.leftOut);
        read(json, "verify_drafts", options.verifyDrafts);
        read(json, "predictor", options.predictorVersion);
        auto tiling = json.value("tiling", nlohmann::json::object());
        json.erase("tiling");
        read(tiling, "rule1", options.tiling.rule1);
        read(tiling, "rule2", options.tiling.rule2);
        read(tiling, "rule3", options.tiling.rule3);
        read(tiling, "paper_rule2", options.tiling.paperRule2);
        read(tiling, "both_strategies", options.tiling.bothStrategies);
        read(tiling, "every_allocation", options.tiling.everyAllocation);
        read(tiling, "walk_limit", options.tiling.walkLimit);
        read(tiling, "max_kept", options.tiling.maxKept);
        json.update(tiling); // what is left over is not known
        // What is left over belongs to families of hardware: one object of texts each.
        for (const auto& [key, value] : json.items()) {
            if (!value.is_object())
                return bad(fmt::format("unknown option \"{}\"", key));
            options.family[currentName(key)] = value.get<OptionTexts>();
        }
    } catch (const std::exception& error) {
        return bad(error.what());
    }
    return options;
}

} // namespace pim
