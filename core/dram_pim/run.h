// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs the code of a kernel on numbers, command by command. Flow: PimCode + inputs -> every group's
/// PimChannel -> merged outputs.
#include "core/base/task.h"
#include "core/dram_pim/channel.h"

namespace pim {

/// \param tensors one a tensor of the kernel, row-major; values are rounded to code.type (nearest, ties to
/// even) as they cross the bus. What outputs held before is ignored. \returns outputs in their places, inputs
/// as they came. The host merges partial results: it adds them in float in the order group, burst, lane and
/// rounds once (Reduce with "max" or "min": takes the greatest or least). InOut tensors start from what is
/// given. A group sends a burst of a tensor at most once a phase, reads no outputs but the scratch tensor (as
/// it was when the phase began), and all groups together send every element of every output. Deterministic
/// whatever the number of threads. With a scratch tensor the groups go phase by phase and the order is phase,
/// group, burst, lane; without, each group runs all its phases and its memory is freed before the last group
/// begins. Errors: Usage (sizes that do not fit), what a channel returns with the phase and the command's
/// place in it, Cancelled.
Result<std::vector<std::vector<float>>> runPimCode(const PimCode& code, const Kernel& kernel,
                                                   std::vector<std::vector<float>> tensors,
                                                   const PimChannelMaker& makeChannel, int threads = 0,
                                                   const TaskContext& task = {});

} // namespace pim
