// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Clocks of a kernel on HBM-PIM and of the same work through plain memory accesses. Channels that are
/// offered the same bursts are simulated once.
#include "core/base/task.h"
#include "core/dram/hbm_pim/hbm_pim_kernel.h"

namespace pim {

struct HbmPimCost {
    std::int64_t cycles = 0; ///< Clocks of 1 ns until the last burst of all channels is done.
    HbmPimCounts counts;     ///< Of all channels.
};

/// All bursts of a stream on one channel, times \p channels. Error::Unsupported for a burst that the simulator would wait for forever.
/// \param log Takes the commands of one channel if given.
Result<HbmPimCost> runHbmPimStream(const HbmPimStream& stream, int channels, int ranks,
                                   const HbmPimTiming& timing, std::vector<HbmPimCommand>* log = nullptr,
                                   const TaskContext& task = {});

/// The kernel. Error::Usage as of checkHbmPimShape().
Result<HbmPimCost> runHbmPimKernel(const HbmPimShape& shape, const HbmPimTiming& timing = {},
                                   std::vector<HbmPimCommand>* log = nullptr, const TaskContext& task = {});

/// The same work on the host's side: all operands are read, and once every channel is done the result is
/// written.
Result<HbmPimCost> runHbmPimBaseline(const HbmPimShape& shape, const HbmPimTiming& timing = {},
                                     std::vector<HbmPimCommand>* log = nullptr, const TaskContext& task = {});

/// Text of a log: one line a command, in the columns of the simulator's instrumented build.
std::string hbmPimLogCsv(const std::vector<HbmPimCommand>& log);

} // namespace pim
