// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Rules that the ops of cim and of memristor share: how many tiles of which size, and that an op names one.
#include "core/ir/dialect.h"

namespace pim::ir::tiles {

/// 'tiles' of 'size' x 'size' cells are within what there may be.
Result<void> verifyTiles(const Module& module, const Operation& op);
/// 'tile' names one.
Result<void> verifyTile(const Module& module, const Operation& op);

} // namespace pim::ir::tiles
