// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which ops of a planned system may gain from being divided between two devices. Flow: SystemPlan without pieces -> [this] ->
/// core/assign/pieces.h -> a plan with pieces, which is kept if it is faster.
#include "core/compile/system_plan.h"

namespace pim {

/// An op in two pieces.
struct PieceGuess {
    /// The first is meant for \ref device, the second for the device that has the whole: a machine that takes as many operators as have room
    /// comes to what is meant for it before it comes to the rest.
    OpPieces pieces;
    int device = 0;
};

/// By the times of the whole ops: that a piece takes its share of the time of its op on its device. Divided so that both devices are
/// done at once, what both have to be brought included. Devices that wait for one another share nothing. Ops that somebody placed stay
/// whole.
std::vector<PieceGuess> piecesThatMayPay(const SystemPlan& plan, const Overrides& placed);

/// What to try next, after the plan with these pieces: a first piece that has no room where it was meant to be gets smaller; of the others those whose
/// op the plan has on several devices stay.
std::vector<PieceGuess> nextPieces(const SystemPlan& plan, const std::vector<PieceGuess>& guesses);

} // namespace pim
