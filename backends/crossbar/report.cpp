// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/report.h"

namespace pim {

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

} // namespace pim
