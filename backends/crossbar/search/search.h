// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Makes layouts better step by step: replicas move, come, go and change places, by simulated annealing over
/// the estimate. Anytime; ends after its steps or its time, whichever is first; where steps end it, the
/// seed decides everything. Flow: start layouts -> [searchLayout] -> best layouts, curve.
#include "backends/crossbar/search/layout_cost.h"
#include "backends/crossbar/search/row_pipeline.h"

#include <limits>

namespace pim {

/// What searches compare layouts by, ns: HT CrossbarLayoutCost::objective(), LL rowPipelineTimes().
/// \p limitNs: LL, see there.
double layoutNs(const CrossbarLayout& layout, CrossbarMode mode,
                double limitNs = std::numeric_limits<double>::infinity());

/// LL.
RowPipelineTimes pipelineTimes(const CrossbarLayout& layout,
                               double limitNs = std::numeric_limits<double>::infinity());
/// How much later the layers of each entry end than what they read, back from the one that ends last: what
/// a sample waits for. [entry], and a little for all. \p layerEndNs: see RowPipelineTimes.
std::vector<double> criticalWeights(const CrossbarLayoutModel& model, const std::vector<double>& layerEndNs);

struct LayoutSearchResult {
    CrossbarLayout best;
    std::vector<CrossbarLayout> others;             ///< Good ones met on the way, cheapest first.
    std::vector<std::pair<double, double>> history; ///< (seconds, cost of the best in ns), the start first.
    std::int64_t steps = 0;
};

/// The first of \p starts is the result where nothing better is found; further chains begin with the next. A
/// cancelled search gives its best so far. \param steps of each chain; 0: by the seconds of \p options.
LayoutSearchResult searchLayout(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                                const TaskContext& task, std::int64_t steps = 0);

} // namespace pim
