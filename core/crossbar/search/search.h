// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Makes layouts better step by step: replicas move, come, go and change places, by simulated annealing over
/// the estimate. Anytime; ends after its steps or its time, whichever is first; where steps end it, the
/// seed decides everything. Flow: start layouts -> [searchLayout] -> best layouts, curve, trade-offs.
#include "core/crossbar/search/layout_cost.h"

namespace pim {

/// What searches compare layouts by, ns: HT CrossbarLayoutCost::objective(), LL rowPipelineTimes().
double layoutNs(const CrossbarLayout& layout, CrossbarMode mode);

struct LayoutSearchResult {
    CrossbarLayout best;
    std::vector<CrossbarLayout> others;             ///< Good ones met on the way, cheapest first.
    std::vector<std::pair<double, double>> history; ///< (seconds, cost of the best in ns), the start first.
    std::vector<MappingTradeOff> tradeOffs;         ///< Shortest period first.
    std::int64_t steps = 0;
};

/// The first of \p starts is the result where nothing better is found; further chains begin with the next. A
/// cancelled search gives its best so far. \param steps of each chain; 0: by the seconds of \p options.
LayoutSearchResult searchLayout(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                                const TaskContext& task, std::int64_t steps = 0);

} // namespace pim
