// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one figure by which programs of a network compete: how long a sample takes by a referee.
/// Flow: CrossbarProgram + CrossbarChip + referee -> [programNs] -> searches, stages of several layers.
#include "backends/crossbar/options.h"
#include "backends/crossbar/profile.h"

namespace pim {

/// Nanoseconds of a sample (HT: period, LL: latency). By the rules of PIMCOMP-NN products take as long as
/// chipOfReferee() says. \param hostMaps LL, asked for by the profiler alone. Errors: those of
/// profileCrossbar() or evaluateCompat(); Cancelled.
Result<double> programNs(const CrossbarProgram& program, const CrossbarChip& chip, CrossbarMode mode,
                         CrossbarReferee referee, std::vector<HostMap> hostMaps, const TaskContext& task);

} // namespace pim
