// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/options_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim {

Result<CompileOptions> optionsFromJson(std::string_view text, std::string_view where) {
    const auto bad = [&](std::string_view what) {
        return fail(ErrorCode::Database, fmt::format("the stored options cannot be read: {}", what),
                    std::string(where), "the run may come from another version of PIM Studio");
    };
    CompileOptions options;
    const auto read = [](nlohmann::json& from, const char* key, auto& value) {
        if (const auto found = from.find(key); found != from.end()) {
            value = found->template get<std::remove_reference_t<decltype(value)>>();
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
        auto tiling = json.value("tiling", nlohmann::json::object());
        json.erase("tiling");
        read(tiling, "rule1", options.tiling.rule1);
        read(tiling, "rule2", options.tiling.rule2);
        read(tiling, "rule3", options.tiling.rule3);
        read(tiling, "both_strategies", options.tiling.bothStrategies);
        read(tiling, "every_allocation", options.tiling.everyAllocation);
        read(tiling, "walk_limit", options.tiling.walkLimit);
        read(tiling, "max_kept", options.tiling.maxKept);
        json.update(tiling);
        if (!json.empty())
            return bad(fmt::format("unknown option \"{}\"", json.begin().key()));
    } catch (const std::exception& error) {
        return bad(error.what());
    }
    return options;
}

} // namespace pim
