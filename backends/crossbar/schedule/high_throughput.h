// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Algorithm 1 of PIMCOMP (§VII-A): all layers work at once, each on its own sample, so nothing waits but for
/// what lies in the same core. Flow: RowEngine -> [runHighThroughput] -> program of one round.
#include "backends/crossbar/schedule/row_engine.h"
#include "core/base/task.h"

namespace pim {

/// Emits a whole round. Products of every share are spread evenly over it, array group by array group, so
/// that those of one array group are as far apart as they can be, and vector work lies between products of
/// others. Errors: those of RowEngine; Cancelled.
Result<void> runHighThroughput(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task);

} // namespace pim
