// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// cinm -> cnm: ops spread over processing units with memories of their own (CINM, section 3.2.4). Every loop of an op is cut into
/// equal boxes, dealt out to devices, then to the units of a device; what hangs over the edge is filled up with elements that
/// change nothing. Cuts of a loop that sums leave partial results, which the host puts together.
#include "core/ir/rewrite.h"

#include <optional>
#include <string>
#include <vector>

namespace pim::ir {

/// A loop of an op that units can share.
struct UnitLoop {
    std::string name; ///< "m"
    std::int64_t extent = 1;
    bool sums = false;  ///< Where it is cut, units have partial results.
    bool whole = false; ///< Every unit runs all of it.
};
/// Empty: the op stays as it is, it is none of cinm or nothing spreads it (the cosine of simSearch).
std::vector<UnitLoop> unitLoops(const Module& module, const Operation& op);

/// Who does what of an op: unit u of device d has box (device digit * units + unit digit) of each loop, where the digits count
/// d and u with the last loop fastest.
struct UnitMapping {
    struct Cut {
        std::int64_t tile = 1; ///< Turns of the loop in a box.
        std::int64_t devices = 1, units = 1;
        friend bool operator==(const Cut&, const Cut&) = default;
    };
    std::vector<Cut> loops; ///< One for each of unitLoops().

    std::int64_t devices() const;
    std::int64_t units() const; ///< Of a device.
};
/// "64 x 16 units: m 4 of 512, k all 64, …"
std::string text(const UnitMapping& mapping, const std::vector<UnitLoop>& loops);
/// Loops that do not sum first, the first outermost, then those that do; no unit without work.
UnitMapping spreadEvenly(const std::vector<UnitLoop>& loops, std::int64_t devices, std::int64_t units);

/// Bytes of all arrays of a unit.
std::int64_t unitBytes(const Module& module, const Operation& op, const UnitMapping& mapping);

using UnitMappingOf = std::function<std::optional<UnitMapping>(OperationId)>;
/// Ops for which \p mappingOf gives none stay as they are.
Rewriter::Rule toCnm(UnitMappingOf mappingOf);
Result<Module> lowerToCnm(const Module& cinm, UnitMappingOf mappingOf);

} // namespace pim::ir
