// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Places the boxes of a directed graph in ranks so that edges run one way, are short and cross little.
/// Flow: sizes + edges -> [layoutLayered] -> positions and edge routes -> views/graph, core/report.
///
/// The method is the one of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
/// structures" (IEEE SMC 1981): ranks by longest path, order within a rank by barycentre sweeps, coordinates by
/// straight columns, akin to Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (GD 2001). Edges of
/// one source over several ranks share one route, so that a tensor read by a hundred ops costs one lane. No state;
/// same input, same output.
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pim {

enum class LayoutDirection : std::uint8_t { TopToBottom, LeftToRight };

struct LayoutPoint {
    double x = 0, y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutSize {
    double width = 0, height = 0;
};

struct LayoutEdge {
    std::int32_t from = 0, to = 0; ///< Positions in the list of nodes.
};

/// Lengths in the unit of the node sizes.
struct LayoutOptions {
    LayoutDirection direction = LayoutDirection::TopToBottom;
    double nodeGap = 28; ///< Between nodes of a rank.
    double edgeGap = 16; ///< Around an edge that passes a rank.
    double rankGap = 42;
    double componentGap = 80; ///< Between parts of the graph that are not connected.
    int sweeps = 8;           ///< Barycentre sweeps at most; stops early without crossings.
};

struct GraphLayout {
    double width = 0, height = 0;    ///< All nodes and routes lie in [0, width] x [0, height].
    std::vector<LayoutPoint> nodes;  ///< Top left corner of each.
    std::vector<std::int32_t> ranks; ///< Rank of each within its component, from 0.
    std::vector<std::uint32_t>
        edgeStart; ///< Edge i owns points[edgeStart[i] … edgeStart[i + 1]); one more entry than edges.
    /// Route from the side of the source to the side of the target, at least two points; successive points
    /// either lie on a straight line along the direction or are to be joined by an S-curve. Empty for an edge
    /// from a node to itself.
    std::vector<LayoutPoint> points;
    std::int64_t crossings = 0; ///< Between neighbouring ranks, routes included.

    std::span<const LayoutPoint> edge(std::size_t i) const {
        return std::span(points).subspan(edgeStart[i], edgeStart[i + 1] - edgeStart[i]);
    }
};

/// Cycles are allowed: an edge that closes one runs backwards. O((V + E) log V) in nodes and passed ranks.
/// Errors: Usage (an edge to a node that does not exist, a size that is not finite), Cancelled.
Result<GraphLayout> layoutLayered(const std::vector<LayoutSize>& nodes, const std::vector<LayoutEdge>& edges,
                                  const LayoutOptions& options = {}, const TaskContext& task = {});

} // namespace pim
