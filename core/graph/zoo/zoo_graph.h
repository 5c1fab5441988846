// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network of the zoo as a graph, without a file that stays. Flow: name -> [zooGraph] -> Graph.
#include "core/graph/import.h"

namespace pim {

/// Without weights, one sample. Errors: NotFound; Io where no temporary file can be written; Cancelled.
Result<std::shared_ptr<const Graph>> zooGraph(std::string_view model, const TaskContext& task = {});

} // namespace pim
