// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/report.h"

namespace pim {
namespace {

/// Of the mesh of a level: "chip.x" or "chip.y".
std::optional<TargetValue> shorterSide(const Target& target, const std::string& level) {
    const bool isX = target.numberOr(level + ".x", 1) < target.numberOr(level + ".y", 1);
    return parameterValue(target, level + (isX ? ".x" : ".y"), TargetValue::Kind::Rate);
}

} // namespace

/// Groups as profile.cpp names them, values as chip.cpp reads them.
std::vector<SpeedUp> CrossbarReportFacet::speedUps(const Target& target) const {
    const auto rate = [&](const char* name) { return parameterValue(target, name, TargetValue::Kind::Rate); };
    const auto time = [&](const char* name) { return parameterValue(target, name, TargetValue::Kind::Time); };
    std::vector<SpeedUp> all;
    addSpeedUp(all, "global memory", {bandwidthValue(target, "chip", "global")});
    addSpeedUp(all, "products", {time("timing.mvm"), time("timing.mvmIssue")});
    addSpeedUp(all, "vector units", {time("timing.vector")});
    addSpeedUp(all, "network", {rate("bandwidth.connection"), time("timing.hop"), rate("bandwidth.offChip")});
    addSpeedUp(all, "copies", {bandwidthValue(target, "core", "local")});
    return all;
}

/// Values as chip.cpp reads them.
std::vector<SpeedUp> CrossbarReportFacet::multiples(const Target& target) const {
    std::vector<SpeedUp> all;
    for (const std::string level : {"chip", "core"})
        addMultiple(all, target, level, {shorterSide(target, level)});
    std::vector<std::optional<TargetValue>> otherSizes;
    for (const auto& [key, quantity] : target.parameters)
        if (key.starts_with("size.") && key.ends_with(".count"))
            otherSizes.push_back(parameterValue(target, key, TargetValue::Kind::Rate));
    addMultiple(all, target, "array", std::move(otherSizes));
    if (const auto units = parameterValue(target, "vector.units", TargetValue::Kind::Rate))
        all.push_back({"vector units", {*units}, SpeedUp::Way::Many});
    return all;
}

} // namespace pim
