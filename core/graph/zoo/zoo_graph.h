// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network of the zoo as a graph, without a file that stays. Flow: name -> [zooGraph] -> Graph.
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"

namespace pim {

/// Without weights, whatever \p options say, and one sample unless they say so. Errors: those of writeZooModel(); Io where no temporary
/// file can be written.
Result<std::shared_ptr<const Graph>> zooGraph(std::string_view model, ZooOptions options = {},
                                              const TaskContext& task = {});

} // namespace pim
