// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits a run of memristor tiles in time, and what would help. Flow, TileRun -> [limitsOf], [rooflineOf], [whatHelps] ->
/// `pimc cinm --time`.
#include "backends/cinm/flow.h"
#include "core/compile/what_if.h"
#include "core/plan/roofline.h"
#include "core/timeline/limits.h"

namespace pim::cinm {

/// Tiles, the host, and where all tiles share it the port that their words go through.
Limits limitsOf(const memristor::TileRun& run);

/// Words in, words out, arrays and the sums of the host. The device model has no time for the product itself: an array is as fast as the
/// words that meet it. OpUnderRoof::op is the label of the run's timeline. \param options of the flow that was run.
Roofline rooflineOf(const memristor::TileRun& run, const FlowOptions& options);

struct TilesHelp {
    /// ChangedValue::pointer names the option of `pimc cinm`.
    WhatIf whatIf;
    std::optional<double> ownPortsNs; ///< With a port for each tile; absent where there is.
};
/// Each is the program lowered again with one option changed, loops searched anew, and its calls run in time. \param run of \p flow with
/// \p options. Errors: Unsupported (not all of the flow is for tiles: faster ones would get other ops), those of lower() and timeTiles().
Result<TilesHelp> whatHelps(const Flow& flow, const memristor::TileRun& run,
                            const memristor::TileRunOptions& options = {}, const TaskContext& task = {});

} // namespace pim::cinm
