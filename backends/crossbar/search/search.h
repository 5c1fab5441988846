// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Makes layouts better step by step: replicas move, come, go and change places, by simulated annealing over
/// the estimate. Anytime; where nobody stops it, the seed and the number of steps decide everything.
/// Flow: start layouts -> [searchLayout] -> best layouts, curve.
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
    std::vector<CrossbarLayout> others; ///< Good ones met on the way, cheapest first.
    std::vector<SearchPoint> history;   ///< The start first.
    std::int64_t steps = 0;
};

/// Two chains side by side. The first of \p starts is the result where nothing better is found; the second chain begins with
/// the next. A cancelled search gives its best so far. \param steps of each chain.
LayoutSearchResult searchLayout(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                                std::int64_t steps, const TaskContext& task);

/// Steps of a chain from \p start that take so long, at the most; so few that a clock seldom ends them.
std::int64_t annealingSteps(const CrossbarLayout& start, CrossbarMode mode, double seconds);

} // namespace pim
