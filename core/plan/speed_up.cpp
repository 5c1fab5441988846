// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/speed_up.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

std::optional<TargetValue> parameterValue(const Target& target, const std::string& parameter,
                                          TargetValue::Kind kind) {
    if (target.numberOr(parameter, 0) <= 0)
        return std::nullopt;
    return TargetValue{"/parameters/" + parameter, kind}; // dotted names have no "/" and no "~"
}

std::optional<TargetValue> bandwidthValue(const Target& target, std::string_view level,
                                          std::string_view memory) {
    for (std::size_t at = 0; at < target.levels.size(); ++at)
        if (const Level& found = target.levels[at]; found.id == level)
            for (std::size_t m = 0; m < found.memories.size(); ++m)
                if (found.memories[m].name == memory && found.memories[m].bytesPerNs > 0)
                    return TargetValue{fmt::format("/levels/{}/memories/{}/bandwidth", at, m),
                                       TargetValue::Kind::Rate};
    return std::nullopt;
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
    SpeedUp made{std::move(resource), {}};
    for (const auto& value : values)
        if (value)
            made.values.push_back(*value);
    if (!made.values.empty())
        all.push_back(std::move(made));
}

} // namespace pim
