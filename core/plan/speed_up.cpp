// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/speed_up.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

const Memory* memoryOf(const Target& target, std::string_view level, std::string_view memory) {
    const Level* const found = target.level(level);
    return found ? found->memory(memory) : nullptr;
}

std::string memoryPointer(const Target& target, std::string_view level, const Memory& memory) {
    const Level& found = *target.level(level);
    return fmt::format("/levels/{}/memories/{}", &found - target.levels.data(),
                       &memory - found.memories.data());
}

} // namespace

std::string_view name(SpeedUp::Way way) {
    return way == SpeedUp::Way::Fast ? "fast" : "many";
}

std::optional<TargetValue> parameterValue(const Target& target, const std::string& parameter,
                                          TargetValue::Kind kind) {
    if (target.numberOr(parameter, 0) <= 0)
        return std::nullopt;
    return TargetValue{"/parameters/" + parameter, kind}; // dotted names have no "/" and no "~"
}

std::optional<TargetValue> bandwidthValue(const Target& target, std::string_view level,
                                          std::string_view memory) {
    const Memory* const found = memoryOf(target, level, memory);
    if (!found || found->bytesPerNs <= 0)
        return std::nullopt;
    return TargetValue{memoryPointer(target, level, *found) + "/bandwidth", TargetValue::Kind::Rate};
}

std::optional<TargetValue> capacityValue(const Target& target, std::string_view level,
                                         std::string_view memory, TargetValue::Kind kind) {
    const Memory* const found = memoryOf(target, level, memory);
    if (!found)
        return std::nullopt;
    return TargetValue{memoryPointer(target, level, *found) + "/capacity", kind};
}

std::optional<TargetValue> wholeCapacityValue(const Target& target) {
    if (target.levels.empty() || target.levels.front().memories.empty())
        return std::nullopt;
    return capacityValue(target, target.levels.front().id, target.levels.front().memories.front().name,
                         TargetValue::Kind::Rate);
}

std::optional<TargetValue> lanesValue(const Target& target, std::string_view level,
                                      std::string_view operation) {
    for (std::size_t at = 0; at < target.levels.size(); ++at)
        if (const Level& found = target.levels[at]; found.id == level)
            if (const Unit* const unit = found.unitFor(operation))
                return TargetValue{fmt::format("/levels/{}/units/{}/lanes", at, unit - found.units.data()),
                                   TargetValue::Kind::Rate};
    return std::nullopt;
}

void addSpeedUp(std::vector<SpeedUp>& all, std::string resource,
                std::initializer_list<std::optional<TargetValue>> values) {
    SpeedUp made{std::move(resource), {}, SpeedUp::Way::Fast};
    for (const auto& value : values)
        if (value)
            made.values.push_back(*value);
    if (!made.values.empty())
        all.push_back(std::move(made));
}

void addSpeedUp(std::vector<SpeedUp>& all, const Target& target, std::string resource, TargetValue::Kind kind,
                std::initializer_list<const char*> parameters) {
    SpeedUp made{std::move(resource), {}, SpeedUp::Way::Fast};
    for (const char* const parameter : parameters)
        if (auto value = parameterValue(target, parameter, kind))
            made.values.push_back(*std::move(value));
    if (!made.values.empty())
        all.push_back(std::move(made));
}

void addMultiple(std::vector<SpeedUp>& all, const Target& target, std::string_view level,
                 std::vector<std::optional<TargetValue>> others) {
    const Level* const found = target.level(level);
    if (!found)
        return;
    SpeedUp made{found->name + (found->name.ends_with('s') ? "" : "s"), {}, SpeedUp::Way::Many};
    made.values.push_back(
        {fmt::format("/levels/{}/count", found - target.levels.data()), TargetValue::Kind::Rate});
    for (auto& value : others)
        if (value)
            made.values.push_back(*std::move(value));
    all.push_back(std::move(made));
}

void addHostSpeedUps(std::vector<SpeedUp>& all, const Target& target) {
    const Host& host = target.host;
    SpeedUp arithmetic{"host arithmetic", {}, SpeedUp::Way::Fast},
        overheads{"host overheads", {}, SpeedUp::Way::Fast};
    for (const auto& [type, flops] : host.peakFlopsPerNs)
        if (flops > 0)
            arithmetic.values.push_back({fmt::format("/host/flops/{}", name(type)), TargetValue::Kind::Rate});
    for (const char* const parameter : {"overhead.activation.fixed", "overhead.activation.perByte",
                                        "overhead.norm.fixed", "overhead.norm.perByte"})
        if (const auto found = host.parameters.find(parameter);
            found != host.parameters.end() && found->second.value > 0)
            overheads.values.push_back(
                {fmt::format("/host/parameters/{}", parameter), TargetValue::Kind::Time});
    const SpeedUp memory{
        "host memory", {{"/host/memoryBandwidth", TargetValue::Kind::Rate}}, SpeedUp::Way::Fast};
    for (const SpeedUp& each : {arithmetic, memory, overheads})
        if (!each.values.empty())
            all.push_back(each);
}

} // namespace pim
