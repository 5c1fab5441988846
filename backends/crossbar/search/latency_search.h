// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// LL: the layout whose program takes least, of many that the estimate finds good: it is within a few percent
/// of the program, and so are they of each other. Flow: start layouts -> LayoutSpreader, searchLayout() ->
/// programs -> [searchLatency] -> CrossbarMapping.
#include "backends/crossbar/search/layout.h"

namespace pim {

/// \p starts: not empty. The program of the first is timed, whatever that takes, and nothing slower comes
/// out; the others are in the order in which they are worth a try. Ends with the budget of \p options; a
/// cancelled search gives its best so far.
CrossbarMapping searchLatency(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                              const TaskContext& task);

} // namespace pim
