// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph_drawing/ranked_graph.h"

#include <algorithm>

namespace pim::layout {
namespace {

/// Reverses the edges a depth-first walk finds leading back into its own path.
void breakCycles(std::size_t nodes, std::vector<LayoutEdge>& edges) {
    const Adjacency out = makeAdjacency(nodes, edges);
    // Position in `edges` of each entry of `out`: makeAdjacency keeps the order of the pairs.
    std::vector<std::int32_t> next(out.start.begin(), out.start.end() - 1), source(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e)
        source[at(next[at(edges[e].from)]++)] = static_cast<std::int32_t>(e);
    std::copy(out.start.begin(), out.start.end() - 1, next.begin());

    enum : std::uint8_t { New, OnPath, Done };
    std::vector<std::uint8_t> state(nodes, New);
    std::vector<std::int32_t> path;
    std::vector<std::size_t> backward;
    for (std::size_t root = 0; root < nodes; ++root) {
        if (state[root] != New)
            continue;
        path.push_back(static_cast<std::int32_t>(root));
        state[root] = OnPath;
        while (!path.empty()) {
            const std::int32_t v = path.back();
            if (next[at(v)] == out.start[at(v) + 1]) {
                state[at(v)] = Done;
                path.pop_back();
                continue;
            }
            const std::int32_t slot = next[at(v)]++;
            const std::int32_t w = out.item[at(slot)];
            if (state[at(w)] == OnPath) {
                backward.push_back(at(source[at(slot)]));
            } else if (state[at(w)] == New) {
                state[at(w)] = OnPath;
                path.push_back(w);
            }
        }
    }
    for (const std::size_t e : backward)
        std::swap(edges[e].from, edges[e].to);
}

} // namespace

Adjacency makeAdjacency(std::size_t vertices, const std::vector<LayoutEdge>& pairs) {
    Adjacency result;
    result.start.assign(vertices + 1, 0);
    for (const LayoutEdge& pair : pairs)
        ++result.start[at(pair.from) + 1];
    for (std::size_t v = 0; v < vertices; ++v)
        result.start[v + 1] += result.start[v];
    result.item.resize(pairs.size());
    std::vector<std::int32_t> next(result.start.begin(), result.start.end() - 1);
    for (const LayoutEdge& pair : pairs)
        result.item[at(next[at(pair.from)]++)] = pair.to;
    return result;
}

std::vector<std::int32_t> assignRanks(std::size_t nodes, std::vector<LayoutEdge>& edges) {
    breakCycles(nodes, edges);
    const Adjacency out = makeAdjacency(nodes, edges);
    std::vector<std::int32_t> incoming(nodes, 0), rank(nodes, 0), sorted;
    for (const LayoutEdge& edge : edges)
        ++incoming[at(edge.to)];
    std::vector<std::int32_t> degree = incoming;
    for (std::size_t v = 0; v < nodes; ++v)
        if (incoming[v] == 0)
            sorted.push_back(static_cast<std::int32_t>(v));
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (const std::int32_t w : out.of(sorted[i])) {
            rank[at(w)] = std::max(rank[at(w)], rank[at(sorted[i])] + 1);
            if (--degree[at(w)] == 0)
                sorted.push_back(w);
        }
    // A node with more readers than inputs shortens more than it lengthens by moving down.
    for (std::size_t i = sorted.size(); i-- > 0;) {
        const std::int32_t v = sorted[i];
        const auto readers = out.of(v);
        if (static_cast<std::int32_t>(readers.size()) <= incoming[at(v)])
            continue;
        std::int32_t first = rank[at(readers.front())];
        for (const std::int32_t w : readers)
            first = std::min(first, rank[at(w)]);
        rank[at(v)] = first - 1;
    }
    return rank;
}

} // namespace pim::layout
