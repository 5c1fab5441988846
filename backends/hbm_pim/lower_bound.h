// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Clocks that no code of the blocks goes below, from counts alone: what code_streams.h cannot leave out,
/// whatever passes are on. A tenth of the work of a price. Flow: counts of a draft -> [bounds] ->
/// KernelPricer::boundNs.
#include "backends/hbm_pim/code_plan.h"

namespace pim::hbm {

/// Element-wise ops and sums, but their column commands: out of single-bank mode and back, the microprogram,
/// from writing the mode to reading and from reading to writing. \param stays blocks are in all-bank mode
/// already, \param keeps or stay there.
double modeTicksAtLeast(const Machine& machine, bool stays, bool keeps);

/// What the host adds to its bursts when it writes into, or reads from, some row: opened, closed or, read
/// last, the data.
double hostRowTicksAtLeast(const Machine& machine, bool write);

/// Modes, sweeps and results of products, by the better form. Without what the host writes into banks.
double productTicksAtLeast(const DotTask& task, const Machine& machine);

} // namespace pim::hbm
