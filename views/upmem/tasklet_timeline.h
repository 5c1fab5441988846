// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The run of a DPU as a timeline: a track for each tasklet. Flow: OpOnDpu -> [Timeline] -> canvas.
#include "backends/upmem/op_run.h"
#include "core/timeline/timeline.h"

namespace pim::views {

/// Positions in Timeline::kinds.
enum class TaskletKind : std::uint16_t { Running, Dma, Asleep };

Timeline taskletTimeline(const upmem::OpOnDpu& run);

} // namespace pim::views
