// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which layouts a search met are worth showing beside its result: those that no other one beats in period,
/// latency and energy together, by the estimates. Flow: layouts -> [tradeOffsOf] -> CrossbarMapping.
#include "backends/crossbar/search/layout_cost.h"

namespace pim {

/// In the order given, as many at once as there are threads, until \p task is over; the first in any case.
/// \returns the shortest period first.
std::vector<MappingTradeOff> tradeOffsOf(const std::vector<const CrossbarLayout*>& layouts,
                                         const MappingOptions& options, const TaskContext& task);

} // namespace pim
