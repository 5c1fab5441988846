// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From arrays that multiply matrices of any integers (cim) to calls of a driver whose tiles hold signed bytes (memristor).
/// A cim tile is as many tiles as its elements have bytes (digits.h): cim tile t holds digit d in tile t * digits + d.
#include "core/ir/rewrite.h"

namespace pim::ir {

/// When results are waited for, after cim-schedule-asap and -alap of the public artifact of CINM.
enum class TileSchedule : std::uint8_t {
    Asap, ///< Each is merged as soon as its own tile is done, while others work.
    Alap, ///< One barrier for all, in front of the first result that is needed.
};

/// Errors: Unsupported where tiles are written with other elements than integers, or of two kinds, or where a product is
/// handed around a loop.
/// \p cim outlives the rule.
Result<Rewriter::Rule> toMemristor(const Module& cim, TileSchedule schedule = TileSchedule::Asap);
Result<Module> lowerToMemristor(const Module& cim, TileSchedule schedule = TileSchedule::Asap);

} // namespace pim::ir
