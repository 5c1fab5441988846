// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The low-latency pipeline. [PIMCOMP §VII-B, Algorithm 2]
#include "backends/crossbar/schedule/row_engine.h"
#include "core/base/task.h"

namespace pim {

/// Emits one sample: windows run as soon as what they read is in their cores. Errors: see scheduleCrossbar().
Result<void> scheduleLowLatency(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task);

} // namespace pim
