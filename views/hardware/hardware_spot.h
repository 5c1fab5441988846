// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A place on a machine: host, or an instance of a level of the target. Shared by floorplan and tree.
#include "core/hardware/target.h"
#include "views/common/mime.h"

#include <QString>

#include <vector>

namespace pim::views {

/// Beside kMimeOp what can be dragged onto the hardware, or cut and pasted there: position of the dimension set, decimal.
inline constexpr const char* kMimeDimension = "application/x-pim-dimension";

/// Where on the machine something lies.
struct HardwareSpot {
    enum class Kind { None, Host, Machine } kind = Kind::None;
    std::vector<int> path; ///< Machine: instance at each level, outermost first; may stop early.
    friend bool operator==(const HardwareSpot&, const HardwareSpot&) = default;
};

/// Innermost instances (cores, arrays) of the machine that come before a spot, and how many lie in it.
struct CoreRange {
    std::int64_t first = 0, count = 0;
};
CoreRange coresOf(const Target& target, const HardwareSpot& spot);
/// Spot of the \p index-th instance of a level, counted through the whole machine.
HardwareSpot spotOf(const Target& target, std::size_t level, std::int64_t index);
/// "HBM3 stack 2 › pseudo-channel 5"; the name of the host or of the machine for the rest.
QString spotName(const Target& target, const HardwareSpot& spot);

} // namespace pim::views
