// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which values of a target set the speed of a kind of resource, and which how many of it there are. Families fill it, so that "what would
/// help" can be asked of any machine. Flow: Target -> ReportFacet::speedUps, multiples -> [SpeedUp] -> whatIf (core/compile/what_if.h).
#include "core/hardware/target.h"

#include <initializer_list>
#include <optional>

namespace pim {

/// A quantity in the JSON of a target (targetJson()).
struct TargetValue {
    enum class Kind : std::uint8_t {
        Rate, ///< Goes up with the factor: bandwidth, lanes, a number of units.
        Time  ///< Goes down with it: a time, the share of one unit in what stays.
    };
    std::string
        pointer; ///< JSON pointer [RFC 6901] to the quantity, not to its number: "/parameters/timing.mvm".
    Kind kind = Kind::Rate;
};

/// All of the values together make the resource faster, or give the machine more of it, by one factor.
struct SpeedUp {
    enum class Way : std::uint8_t { Fast, Many };
    std::string
        resource; ///< TimelineTrack::group, or a part of its work that has values of its own: "refresh".
    std::vector<TargetValue> values;
    Way way = Way::Fast;
};
std::string_view name(SpeedUp::Way way); ///< "fast", "many"

// Each is empty where the target has no such figure, or 0: nothing there could be faster.
std::optional<TargetValue> parameterValue(const Target& target, const std::string& parameter,
                                          TargetValue::Kind kind);
std::optional<TargetValue> bandwidthValue(const Target& target, std::string_view level,
                                          std::string_view memory);
std::optional<TargetValue> capacityValue(const Target& target, std::string_view level,
                                         std::string_view memory, TargetValue::Kind kind);
/// Of the first memory of the outermost level, which has to hold those of all units in it.
std::optional<TargetValue> wholeCapacityValue(const Target& target);
/// Lanes of the first unit that offers \p operation.
std::optional<TargetValue> lanesValue(const Target& target, std::string_view level,
                                      std::string_view operation);

/// "host arithmetic", "host memory" and "host overheads", the time an operator takes whatever its size.
void addHostSpeedUps(std::vector<SpeedUp>& all, const Target& target);

/// Leaves out values that are not there, and resources without any.
void addSpeedUp(std::vector<SpeedUp>& all, std::string resource,
                std::initializer_list<std::optional<TargetValue>> values);
/// The same of parameters.
void addSpeedUp(std::vector<SpeedUp>& all, const Target& target, std::string resource, TargetValue::Kind kind,
                std::initializer_list<const char*> parameters);
/// More instances of a level, called as the machine does: "pseudo-channels". \param others have to change with their number.
void addMultiple(std::vector<SpeedUp>& all, const Target& target, std::string_view level,
                 std::vector<std::optional<TargetValue>> others = {});

} // namespace pim
