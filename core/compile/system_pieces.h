// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which ops of a planned system may gain from being divided between two devices. Flow: SystemPlan without pieces -> [this] ->
/// core/assign/pieces.h -> a plan with pieces, which is kept if it is faster.
#include "core/compile/system_plan.h"

namespace pim {

/// A guess, made by the times of the whole ops: that a piece takes its share of the time of its op on its device. Divided so that both
/// devices are done at once, what both have to be brought included. Devices that wait for one another share nothing. Ops that somebody placed stay
/// whole.
std::vector<OpPieces> piecesThatMayPay(const SystemPlan& plan, const Overrides& placed);

/// Those of the pieces whose op the plan has on several devices.
std::vector<OpPieces> sharedPieces(const SystemPlan& plan, const std::vector<OpPieces>& pieces);

} // namespace pim
