// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which ops of a planned system may gain from being divided among devices. Flow: SystemPlan without pieces -> [this] ->
/// core/assign/pieces.h -> a plan with pieces, which is kept if it is faster.
#include "core/compile/system_plan.h"

namespace pim {

/// An op in pieces, one a device.
struct PieceGuess {
    OpPieces pieces;
    /// Device that each piece is meant for; the last one has the whole op: a machine that takes as many operators as have room comes to
    /// what is meant for it before it comes to the rest.
    std::vector<int> devices;
};

/// By the times of the whole ops: that a piece takes its share of the time of its op on its device. Divided so that all devices are
/// done at once, what they have to be brought included; as many as each still gain something. Devices that wait for one another share
/// nothing. Ops that somebody placed stay whole.
std::vector<PieceGuess> piecesThatMayPay(const SystemPlan& plan, const Overrides& placed);

/// What to try next, after the plan with these pieces: a piece that has no room where it was meant to be gets smaller, and those that came to the same
/// device are one. Ops that are then whole are left out.
std::vector<PieceGuess> nextPieces(const SystemPlan& plan, const std::vector<PieceGuess>& guesses);

} // namespace pim
