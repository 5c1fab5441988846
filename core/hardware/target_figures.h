// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The figures of a machine by name, to read and to vary: "group.count", "core.bank.capacity", "core.SIMD_FPU.lanes",
/// "device.bus.bandwidth", "timing.tCK", "host.memoryBandwidth". Flow: Target + changes -> [changedTarget] -> Target -> sweep.
///
/// Levels, memories and units are named as in the target file, with _ for what is neither letter nor digit; parameters as there.
#include "core/hardware/target.h"

#include <optional>
#include <utility>

namespace pim {

struct TargetFigure {
    std::string name;
    double value = 0;
    std::string unit;   ///< As in unitTable(); bytes and bandwidths of levels are in B and GB/s.
    bool whole = false; ///< Counts, bytes, cycles.
};

/// All there are, those of levels first, then parameters, then the host.
std::vector<TargetFigure> targetFigures(const Target& target);
/// In base units, for formulas; nothing if there is none of the name.
std::optional<double> targetFigure(const Target& target, std::string_view name);

/// A name and what it becomes: a number in the unit of the value ("32"), one with a unit ("16MiB"), or a formula over other values
/// in base units ("64MiB / core.count"), which sees what was changed before it.
using TargetChange = std::pair<std::string, std::string>;

/// A number with or without a unit; else it is a formula.
bool isPlainValue(std::string_view text);

/// \p base with the \p changes, one after the other. What was the sum of its parts stays it: the memory and the bus of a level that have
/// exactly what all their inner ones have together follow when count, capacity or bandwidth of those change. Where a figure comes from says
/// that it was varied. Area and power of a level ("area.chip") are forgotten where something inside of
/// it changed and they did not: what was published for another machine is unknown here. Errors: Usage (a name that is not there, with the nearest; a text that is no value; more than \p base can
/// count), InvalidTarget (figures that contradict each other, as checkPlausible()).
Result<Target> changedTarget(const Target& base, const std::vector<TargetChange>& changes);

} // namespace pim
