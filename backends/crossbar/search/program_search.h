// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// High throughput: the layout and the stages whose program is fastest, found by making programs and timing
/// them. A stage for every layer sends each map through global memory; layers that wait for each other hand
/// rows on over bus or mesh instead, but stand where one of them is late. Which of them should wait no
/// estimate tells well enough, a program does.
/// Flow: start layouts -> [searchPrograms] -> CrossbarMapping with its stages.
#include "backends/crossbar/search/layout.h"

namespace pim {

/// \param starts the first is timed whatever that takes; the result is never slower than any of them that
/// was timed before the budget of \p options was spent. Layouts may be of different models of one network.
/// Errors: those of the first start where no start has a program; Cancelled before the first was timed.
Result<CrossbarMapping> searchPrograms(const std::vector<CrossbarLayout>& starts,
                                       const MappingOptions& options, const TaskContext& task);

} // namespace pim
