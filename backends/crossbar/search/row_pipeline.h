// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a sample takes in the low-latency pipeline, without a program: rows of strips are followed through
/// the cores as the schedule orders them (backends/crossbar/schedule/low_latency.h), each core with a clock,
/// buses and memories with the time they have left. Flow: CrossbarMapping -> tasks -> [RowPipeline] -> latency.
///
/// What it leaves out: local memories (how long stretches of rows are is taken from the defaults of the
/// schedule, nobody waits for room), copies that bring vectors together while products are issued, and
/// windows of different layers that take turns in a core.
#include "backends/crossbar/mapping.h"

#include <limits>

namespace pim {

struct RowPipelineTimes {
    double ns = 0;                    ///< From the first load to the last result.
    std::vector<double> layerBeginNs; ///< [layer] when its first row begins; 0 for what no core computes.
    std::vector<double> layerEndNs;   ///< [layer] when its last row is done; 0 for what no core computes.
};
/// \p mapping: of low latency, within the arrays. \p rules: whose clocks; products take CrossbarChip::mvmNs.
/// \p limitNs: a sample that takes longer is followed no further than until that is seen; its ns is infinite.
RowPipelineTimes rowPipelineTimes(const CrossbarNetwork& network, const CrossbarChip& chip,
                                  const CrossbarMapping& mapping, CrossbarReferee rules,
                                  double limitNs = std::numeric_limits<double>::infinity());

} // namespace pim
