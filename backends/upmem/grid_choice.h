// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The draft for a number of DPUs or tasklets that the user wants. Flow: numbers -> [drafts that give work to exactly as many] ->
/// the one with the lowest price.
#include "core/drafts/opwise.h"

#include <optional>

namespace pim::upmem {

struct GridQuestion {
    const TilingSpace& space;
    const Target& target;
    const std::vector<Residency>& residency; ///< One a kernel tensor.
    const Draft& draft;                      ///< Looked at first; its code is that of all.
    std::optional<int> dpus, tasklets;       ///< Nothing: as many as is best.
    bool takesAny = false;                   ///< The first that can be had, not the fastest.
};

/// ErrorCode::IllegalOverride: none cuts the loops so, or none fits a DPU (with what it needs). Its place is "dpus" or "tasklets",
/// and empty where what Draft::code says is in the way.
Result<Draft> gridOf(const GridQuestion& question);

} // namespace pim::upmem
