// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One connected component on its way through the layout: every vertex has a rank, every link joins
/// neighbouring ranks (longer edges were cut by inserting waypoints), every rank has an order.
#include "core/graph_drawing/layered.h"

namespace pim::layout {

inline std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

/// Neighbours of each vertex in one flat array.
struct Adjacency {
    std::vector<std::int32_t> start; ///< One more entry than vertices.
    std::vector<std::int32_t> item;

    std::span<const std::int32_t> of(std::int32_t v) const {
        const auto at = static_cast<std::size_t>(v);
        return std::span(item).subspan(static_cast<std::size_t>(start[at]),
                                       static_cast<std::size_t>(start[at + 1] - start[at]));
    }
};

/// Neighbours over \p pairs, from .from to .to; keeps the order of the pairs.
Adjacency makeAdjacency(std::size_t vertices, const std::vector<LayoutEdge>& pairs);

struct RankedGraph {
    std::int32_t realVertices = 0;                 ///< The first ones; the rest are waypoints.
    std::vector<std::int32_t> rank;                ///< Of each vertex.
    std::vector<double> width;                     ///< Across the direction; 0 for waypoints.
    std::vector<LayoutEdge> links;                 ///< From rank r to rank r + 1, each pair once.
    Adjacency up, down;                            ///< Over links; sorted by order after orderRanks().
    std::vector<std::vector<std::int32_t>> layers; ///< Vertices of each rank in order.
    std::vector<std::int32_t> order;               ///< Position of each vertex in its rank.

    bool isWaypoint(std::int32_t v) const { return v >= realVertices; }
    std::size_t vertices() const { return rank.size(); }
};

/// Rank of each node: longest path from a source; nodes without predecessors then move next to their first
/// successor. \p edges are made acyclic first by reversing those that close a cycle. No loops among \p edges.
std::vector<std::int32_t> assignRanks(std::size_t nodes, std::vector<LayoutEdge>& edges);

/// Orders every rank and sorts the adjacency by it. \returns crossings; -1 when cancelled.
std::int64_t orderRanks(RankedGraph& graph, int sweeps, const TaskContext& task);

/// Centre of each vertex across the direction; empty when cancelled.
std::vector<double> assignCoordinates(const RankedGraph& graph, const LayoutOptions& options,
                                      const TaskContext& task);

} // namespace pim::layout
