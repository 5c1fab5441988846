// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph_drawing/layered.h"

#include "core/graph_drawing/ranked_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {
namespace {

using layout::RankedGraph;

std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

/// One connected part of the input, in its own numbering.
struct Component {
    std::vector<std::int32_t> nodes; ///< Positions in the input, ascending.
    std::vector<std::int32_t> edges; ///< Positions in the input, loops left out.
};

/// What layoutComponent() leaves: positions relative to its own top left corner.
struct Placed {
    double width = 0, height = 0;
    std::vector<LayoutPoint> nodes;
    std::vector<std::int32_t> ranks;
    std::vector<std::vector<LayoutPoint>> routes;
    std::int64_t crossings = 0;
};

std::vector<Component> components(std::size_t nodes, const std::vector<LayoutEdge>& edges,
                                  std::vector<std::int32_t>& localOf) {
    std::vector<std::int32_t> parent(nodes);
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](std::int32_t v) {
        while (parent[at(v)] != v)
            v = parent[at(v)] = parent[at(parent[at(v)])];
        return v;
    };
    for (const LayoutEdge& edge : edges)
        parent[at(find(edge.from))] = find(edge.to);
    std::vector<std::int32_t> number(nodes, -1);
    std::vector<Component> result;
    localOf.resize(nodes);
    for (std::size_t v = 0; v < nodes; ++v) {
        std::int32_t& index = number[at(find(static_cast<std::int32_t>(v)))];
        if (index < 0) {
            index = static_cast<std::int32_t>(result.size());
            result.emplace_back();
        }
        localOf[v] = static_cast<std::int32_t>(result[at(index)].nodes.size());
        result[at(index)].nodes.push_back(static_cast<std::int32_t>(v));
    }
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges[e].from != edges[e].to)
            result[at(number[at(find(edges[e].from))])].edges.push_back(static_cast<std::int32_t>(e));
    return result;
}

/// Cuts edges that span several ranks. All long edges of a source share one lane of waypoints, one a rank; a
/// target branches off the lane in the rank before its own. Lanes are laid shortest first until there are
/// more waypoints than a reader could follow; edges of the remaining sources are drawn straight and do not
/// take part.
struct Lanes {
    std::vector<std::int32_t> firstWaypoint; ///< Of each source; -1: none.
    std::vector<bool> straight;              ///< Sources without a lane although they need one.
};

Lanes addLanes(RankedGraph& graph, const std::vector<LayoutEdge>& edges) {
    const auto nodes = at(graph.realVertices);
    std::vector<std::int32_t> reach(nodes, 0);
    for (const LayoutEdge& edge : edges)
        reach[at(edge.from)] =
            std::max(reach[at(edge.from)], graph.rank[at(edge.to)] - graph.rank[at(edge.from)]);
    std::vector<std::int32_t> sources;
    for (std::size_t v = 0; v < nodes; ++v)
        if (reach[v] > 1)
            sources.push_back(static_cast<std::int32_t>(v));
    std::stable_sort(sources.begin(), sources.end(),
                     [&](auto a, auto b) { return reach[at(a)] < reach[at(b)]; });

    Lanes lanes{std::vector<std::int32_t>(nodes, -1), std::vector<bool>(nodes)};
    const std::size_t limit = 5 * nodes + 1000;
    for (const std::int32_t source : sources) {
        const auto needed = at(reach[at(source)] - 1);
        if (graph.vertices() + needed > limit) {
            lanes.straight[at(source)] = true;
            continue;
        }
        lanes.firstWaypoint[at(source)] = static_cast<std::int32_t>(graph.vertices());
        std::int32_t previous = source;
        for (std::size_t i = 0; i < needed; ++i) {
            const auto waypoint = static_cast<std::int32_t>(graph.vertices());
            graph.rank.push_back(graph.rank[at(previous)] + 1);
            graph.links.push_back({previous, waypoint});
            previous = waypoint;
        }
    }
    for (const LayoutEdge& edge : edges) {
        const std::int32_t span = graph.rank[at(edge.to)] - graph.rank[at(edge.from)];
        if (span == 1)
            graph.links.push_back(edge);
        else if (!lanes.straight[at(edge.from)])
            graph.links.push_back({lanes.firstWaypoint[at(edge.from)] + span - 2, edge.to});
    }
    graph.width.resize(graph.vertices(), 0);
    // A pair joined by two tensors is one link.
    std::vector<std::int32_t> order(graph.links.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t i) {
        return std::pair(graph.links[at(i)].from, graph.links[at(i)].to);
    };
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    std::vector<bool> drop(graph.links.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        drop[at(order[i])] = key(order[i]) == key(order[i - 1]);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < graph.links.size(); ++i)
        if (!drop[i])
            graph.links[kept++] = graph.links[i];
    graph.links.resize(kept);
    return lanes;
}

/// Drops points that lie on a straight line along the direction.
void append(std::vector<LayoutPoint>& route, const LayoutPoint& point) {
    if (route.size() >= 2 && std::abs(route[route.size() - 2].x - point.x) < 0.01 &&
        std::abs(route.back().x - point.x) < 0.01)
        route.back() = point;
    else
        route.push_back(point);
}

/// A component with its ranks, while nodes and edges get their places.
struct Drawn {
    const Component& part;
    const std::vector<LayoutSize>& sizes; ///< Of all nodes.
    RankedGraph graph;
    Lanes lanes;
    std::vector<LayoutEdge> edges;   ///< Downwards, of positions in the component.
    std::vector<double> x;           ///< [vertex] middle
    std::vector<double> top, height; ///< [rank]
    std::vector<double> middle;      ///< [node] y

    const LayoutSize& size(std::size_t node) const { return sizes[at(part.nodes[node])]; }
    std::int32_t span(const LayoutEdge& edge) const {
        return graph.rank[at(edge.to)] - graph.rank[at(edge.from)];
    }
};

/// Ranks one below the other, the leftmost border at 0.
void placeNodes(Drawn& drawn, double rankGap, Placed& result) {
    const RankedGraph& graph = drawn.graph;
    const std::size_t nodes = drawn.part.nodes.size();
    drawn.top.assign(graph.layers.size() + 1, 0);
    drawn.height.assign(graph.layers.size(), 0);
    for (std::size_t v = 0; v < nodes; ++v)
        drawn.height[at(graph.rank[v])] = std::max(drawn.height[at(graph.rank[v])], drawn.size(v).height);
    for (std::size_t r = 0; r < drawn.height.size(); ++r)
        drawn.top[r + 1] = drawn.top[r] + drawn.height[r] + rankGap;
    double left = 0, right = 0;
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
        const double begin = drawn.x[v] - graph.width[v] / 2, end = drawn.x[v] + graph.width[v] / 2;
        left = v == 0 ? begin : std::min(left, begin);
        right = v == 0 ? end : std::max(right, end);
    }
    for (double& value : drawn.x)
        value -= left;
    result.width = right - left;
    result.height = drawn.top.back() - rankGap;
    for (std::size_t v = 0; v < nodes; ++v) {
        const auto rank = at(graph.rank[v]);
        drawn.middle.push_back(drawn.top[rank] + drawn.height[rank] / 2);
        result.nodes.push_back(
            {drawn.x[v] - drawn.size(v).width / 2, drawn.middle[v] - drawn.size(v).height / 2});
        result.ranks.push_back(graph.rank[v]);
    }
}

/// From the source down its lane to a port of the target.
std::vector<LayoutPoint> routeOf(const Drawn& drawn, const LayoutEdge& edge, double port) {
    const auto from = at(edge.from), to = at(edge.to);
    std::vector<LayoutPoint> route{{drawn.x[from], drawn.middle[from] + drawn.size(from).height / 2}};
    if (!drawn.lanes.straight[from])
        for (std::int32_t k = 0; k + 1 < drawn.span(edge); ++k) {
            const auto rank = at(drawn.graph.rank[from] + 1 + k);
            const double lane = drawn.x[at(drawn.lanes.firstWaypoint[from] + k)];
            append(route, {lane, drawn.top[rank]});
            append(route, {lane, drawn.top[rank] + drawn.height[rank]});
        }
    append(route, {drawn.x[to] + port, drawn.middle[to] - drawn.size(to).height / 2});
    return route;
}

void routeEdges(const Drawn& drawn, Placed& result) {
    // Where each edge comes from in the rank before its target decides its place among the target's inputs.
    std::vector<double> arrival(drawn.edges.size());
    std::vector<std::vector<std::int32_t>> inputs(drawn.part.nodes.size());
    for (std::size_t e = 0; e < drawn.edges.size(); ++e) {
        const auto [from, to] = drawn.edges[e];
        const std::int32_t span = drawn.span(drawn.edges[e]);
        const bool viaLane = span > 1 && !drawn.lanes.straight[at(from)];
        arrival[e] = drawn.x[at(viaLane ? drawn.lanes.firstWaypoint[at(from)] + span - 2 : from)];
        inputs[at(to)].push_back(static_cast<std::int32_t>(e));
    }
    result.routes.resize(drawn.edges.size());
    for (std::size_t v = 0; v < inputs.size(); ++v) {
        auto& into = inputs[v];
        std::stable_sort(into.begin(), into.end(),
                         [&](auto a, auto b) { return arrival[at(a)] < arrival[at(b)]; });
        // An edge that comes straight from above arrives in the middle and stays straight; the others stand
        // beside it.
        double straight = static_cast<double>(into.size() - 1) / 2;
        for (std::size_t i = 0; i < into.size(); ++i)
            if (std::abs(arrival[at(into[i])] - drawn.x[v]) < 0.5)
                straight = static_cast<double>(i);
        const double farthest = std::max({straight, static_cast<double>(into.size() - 1) - straight, 1.0});
        const double step = std::min(18.0, 0.4 * drawn.size(v).width / farthest);
        for (std::size_t i = 0; i < into.size(); ++i)
            result.routes[at(into[i])] =
                routeOf(drawn, drawn.edges[at(into[i])], (static_cast<double>(i) - straight) * step);
    }
}

Result<Placed> layoutComponent(const Component& part, const std::vector<LayoutSize>& sizes,
                               const std::vector<LayoutEdge>& allEdges,
                               const std::vector<std::int32_t>& localOf, const LayoutOptions& options,
                               const TaskContext& task) {
    std::vector<LayoutEdge> edges;
    for (const std::int32_t e : part.edges)
        edges.push_back({localOf[at(allEdges[at(e)].from)], localOf[at(allEdges[at(e)].to)]});
    const std::vector<LayoutEdge> given = edges; // assignRanks turns backward edges round

    RankedGraph graph;
    graph.realVertices = static_cast<std::int32_t>(part.nodes.size());
    graph.rank = layout::assignRanks(part.nodes.size(), edges);
    for (const std::int32_t v : part.nodes)
        graph.width.push_back(sizes[at(v)].width);
    Lanes lanes = addLanes(graph, edges);
    std::vector<LayoutEdge> reversed = graph.links;
    for (LayoutEdge& link : reversed)
        std::swap(link.from, link.to);
    graph.down = layout::makeAdjacency(graph.vertices(), graph.links);
    graph.up = layout::makeAdjacency(graph.vertices(), reversed);

    Placed result;
    result.crossings = layout::orderRanks(graph, options.sweeps, task);
    std::vector<double> x;
    if (result.crossings >= 0)
        x = layout::assignCoordinates(graph, options, task);
    if (x.empty())
        return TaskContext::cancelledError("layout");

    Drawn drawn{.part = part,
                .sizes = sizes,
                .graph = std::move(graph),
                .lanes = std::move(lanes),
                .edges = std::move(edges),
                .x = std::move(x)};
    placeNodes(drawn, options.rankGap, result);
    routeEdges(drawn, result);
    for (std::size_t e = 0; e < given.size(); ++e)
        if (drawn.edges[e].from != given[e].from) // closes a cycle: drawn from its own source, upwards
            std::reverse(result.routes[e].begin(), result.routes[e].end());
    return result;
}

/// Largest first, side by side in rows about as wide as the largest or as the whole is high.
std::vector<LayoutPoint> packInRows(const std::vector<Placed>& parts, double gap, double& width,
                                    double& height) {
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return parts[a].nodes.size() > parts[b].nodes.size(); });
    double area = 0, row = 0;
    for (const Placed& part : parts) {
        area += (part.width + gap) * (part.height + gap);
        row = std::max(row, part.width);
    }
    row = std::max(row, std::sqrt(area) * 1.3);
    std::vector<LayoutPoint> corner(parts.size());
    double x = 0, y = 0, rowHeight = 0;
    width = height = 0;
    for (const std::size_t i : order) {
        if (x > 0 && x + parts[i].width > row) {
            x = 0;
            y += rowHeight + gap;
            rowHeight = 0;
        }
        corner[i] = {x, y};
        x += parts[i].width + gap;
        rowHeight = std::max(rowHeight, parts[i].height);
        width = std::max(width, x - gap);
        height = std::max(height, y + rowHeight);
    }
    return corner;
}

} // namespace

Result<GraphLayout> layoutLayered(const std::vector<LayoutSize>& nodes, const std::vector<LayoutEdge>& edges,
                                  const LayoutOptions& options, const TaskContext& task) {
    const auto count = static_cast<std::int64_t>(nodes.size());
    for (const LayoutEdge& edge : edges)
        if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count)
            return fail(ErrorCode::Usage, "edge " + std::to_string(edge.from) + " to " +
                                              std::to_string(edge.to) + " names a node outside 0 … " +
                                              std::to_string(count - 1));
    for (const LayoutSize& size : nodes)
        if (!std::isfinite(size.width) || !std::isfinite(size.height) || size.width < 0 || size.height < 0)
            return fail(ErrorCode::Usage, "a node has a size that is negative or not finite");

    const bool sideways = options.direction == LayoutDirection::LeftToRight;
    std::vector<LayoutSize> sizes = nodes;
    if (sideways)
        for (LayoutSize& size : sizes)
            std::swap(size.width, size.height);

    std::vector<std::int32_t> localOf;
    const std::vector<Component> parts = components(nodes.size(), edges, localOf);
    std::vector<Placed> placed;
    for (const Component& part : parts) {
        PIM_TRY(Placed one, layoutComponent(part, sizes, edges, localOf, options, task));
        placed.push_back(std::move(one));
        task.report("layout", static_cast<std::int64_t>(placed.size()),
                    static_cast<std::int64_t>(parts.size()));
    }

    GraphLayout result;
    const std::vector<LayoutPoint> corner =
        packInRows(placed, options.componentGap, result.width, result.height);
    result.nodes.resize(nodes.size());
    result.ranks.resize(nodes.size());
    std::vector<std::vector<LayoutPoint>*> routes(edges.size(), nullptr);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto move = [&](LayoutPoint& point) {
            point.x += corner[i].x;
            point.y += corner[i].y;
        };
        for (std::size_t v = 0; v < parts[i].nodes.size(); ++v) {
            move(placed[i].nodes[v]);
            result.nodes[at(parts[i].nodes[v])] = placed[i].nodes[v];
            result.ranks[at(parts[i].nodes[v])] = placed[i].ranks[v];
        }
        for (std::size_t e = 0; e < parts[i].edges.size(); ++e) {
            std::for_each(placed[i].routes[e].begin(), placed[i].routes[e].end(), move);
            routes[at(parts[i].edges[e])] = &placed[i].routes[e];
        }
        result.crossings += placed[i].crossings;
    }
    result.edgeStart.push_back(0);
    for (const auto* route : routes) {
        if (route)
            result.points.insert(result.points.end(), route->begin(), route->end());
        result.edgeStart.push_back(static_cast<std::uint32_t>(result.points.size()));
    }
    if (sideways) {
        std::swap(result.width, result.height);
        for (LayoutPoint& point : result.nodes)
            std::swap(point.x, point.y);
        for (LayoutPoint& point : result.points)
            std::swap(point.x, point.y);
    }
    return result;
}

} // namespace pim
