// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Some ops of a network as a network of their own. Flow: Graph -> [this] -> a plan for one machine -> join.h.
#include "core/graph/graph.h"

#include <memory>
#include <span>
#include <vector>

namespace pim {

struct Subgraph {
    std::shared_ptr<const Graph> graph;
    std::vector<OpId> ops;         ///< Of the whole network, ascending: op i of \ref graph is ops[i].
    std::vector<TensorId> tensors; ///< Likewise for tensors.
};

/// What the ops read and others make becomes an input, what others read an output; names stay. The graph has a structure hash of
/// its own, so that no cache takes it for the whole.
/// \param ops in any order; one named twice counts once.
/// Error::Usage where there is none or one that the graph does not have.
Result<Subgraph> subgraphOf(const Graph& graph, std::span<const OpId> ops);

} // namespace pim
