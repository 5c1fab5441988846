// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Makes a layout better step by step: replicas move, come, go and change places, by simulated annealing over
/// the exact cost. Anytime; ends after its steps or its time, whichever is first; where steps end it, the
/// seed decides everything. Flow: start layout -> [searchLayout] -> best layout, curve, trade-offs.
#include "core/crossbar/search/layout_cost.h"

namespace pim {

/// One layout no other beats in everything.
struct MappingTradeOff {
    double periodNs = 0, latencyNs = 0,
           energyPj = 0; ///< Estimates: HT period, LL latency, energy of a sample in the mode searched.
    CrossbarMapping mapping;
};

struct LayoutSearchResult {
    CrossbarLayout best;
    std::vector<std::pair<double, double>> history; ///< (seconds, cost of the best in ns), the start first.
    std::vector<MappingTradeOff> tradeOffs;         ///< Shortest period first.
    std::int64_t steps = 0;
};

/// \p start is the result where nothing better is found. A cancelled search gives its best so far.
/// \param steps of each chain; 0: by the seconds of \p options.
LayoutSearchResult searchLayout(const CrossbarLayout& start, const MappingOptions& options,
                                const TaskContext& task, std::int64_t steps = 0);

} // namespace pim
