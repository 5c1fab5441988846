// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network as boxes and lines on paper: what repeats stands as one box, as the window shows it at first, and what is too much is left
/// out and counted. Flow: Graph -> [graphPicture] -> Drawing -> html_writer.h.
#include "core/base/task.h"
#include "core/graph/graph.h"
#include "core/plan/document.h"

namespace pim::report {

/// \param most boxes of ops and repeated parts, in the order of the graph, at least 1.
/// Errors: Cancelled.
Result<Drawing> graphPicture(const Graph& graph, std::size_t most, const TaskContext& task = {});

} // namespace pim::report
