// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph_drawing/ranked_graph.h"

#include <algorithm>

namespace pim::layout {
namespace {

using Layers = std::vector<std::vector<std::int32_t>>;

/// A depth-first walk from the top puts what belongs together side by side: a good start for the sweeps.
void startOrder(RankedGraph& graph) {
    std::int32_t ranks = 0;
    for (const std::int32_t r : graph.rank)
        ranks = std::max(ranks, r + 1);
    graph.layers.assign(at(ranks), {});
    std::vector<bool> seen(graph.vertices());
    std::vector<std::int32_t> stack, roots(graph.vertices());
    for (std::size_t v = 0; v < roots.size(); ++v)
        roots[v] = static_cast<std::int32_t>(v);
    std::stable_sort(roots.begin(), roots.end(),
                     [&](auto a, auto b) { return graph.rank[at(a)] < graph.rank[at(b)]; });
    for (const std::int32_t root : roots) {
        stack.push_back(root);
        while (!stack.empty()) {
            const std::int32_t v = stack.back();
            stack.pop_back();
            if (seen[at(v)])
                continue;
            seen[at(v)] = true;
            graph.layers[at(graph.rank[at(v)])].push_back(v);
            const auto below = graph.down.of(v);
            stack.insert(stack.end(), below.rbegin(), below.rend());
        }
    }
}

void numberLayer(RankedGraph& graph, std::size_t layer) {
    for (std::size_t i = 0; i < graph.layers[layer].size(); ++i)
        graph.order[at(graph.layers[layer][i])] = static_cast<std::int32_t>(i);
}

/// Pairs of links that cross, by counting inversions in a Fenwick tree. [Barth, Jünger, Mutzel, GD 2002]
std::int64_t countCrossings(const RankedGraph& graph, std::vector<std::int32_t>& tree,
                            std::vector<std::int32_t>& ends) {
    std::int64_t crossings = 0;
    for (std::size_t r = 0; r + 1 < graph.layers.size(); ++r) {
        const std::size_t width = graph.layers[r + 1].size();
        tree.assign(width + 1, 0);
        std::int64_t counted = 0;
        for (const std::int32_t v : graph.layers[r]) {
            ends.clear();
            for (const std::int32_t w : graph.down.of(v))
                ends.push_back(graph.order[at(w)]);
            std::sort(ends.begin(), ends.end());
            for (const std::int32_t end : ends) {
                std::int64_t upToEnd = 0;
                for (std::int32_t i = end + 1; i > 0; i -= i & -i)
                    upToEnd += tree[at(i)];
                crossings += counted - upToEnd;
            }
            for (const std::int32_t end : ends)
                for (auto i = static_cast<std::size_t>(end) + 1; i <= width; i += i & -i)
                    ++tree[i];
            counted += static_cast<std::int64_t>(ends.size());
        }
    }
    return crossings;
}

/// Sorts one layer by the mean position of the neighbours given; a vertex without any keeps its place in the
/// count.
void sortByBarycentre(RankedGraph& graph, std::size_t layer, const Adjacency& neighbours, bool reverseTies,
                      std::vector<std::pair<double, std::int32_t>>& keyed) {
    keyed.clear();
    for (const std::int32_t v : graph.layers[layer]) {
        const auto around = neighbours.of(v);
        double sum = 0;
        for (const std::int32_t w : around)
            sum += graph.order[at(w)];
        keyed.emplace_back(around.empty() ? graph.order[at(v)] : sum / static_cast<double>(around.size()), v);
    }
    if (reverseTies)
        std::reverse(keyed.begin(), keyed.end());
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i)
        graph.layers[layer][i] = keyed[i].second;
    numberLayer(graph, layer);
}

void sortAdjacency(const RankedGraph& graph, Adjacency& adjacency) {
    for (std::size_t v = 0; v < graph.vertices(); ++v)
        std::sort(adjacency.item.begin() + adjacency.start[v],
                  adjacency.item.begin() + adjacency.start[v + 1],
                  [&](auto a, auto b) { return graph.order[at(a)] < graph.order[at(b)]; });
}

} // namespace

std::int64_t orderRanks(RankedGraph& graph, int sweeps, const TaskContext& task) {
    startOrder(graph);
    graph.order.assign(graph.vertices(), 0);
    for (std::size_t r = 0; r < graph.layers.size(); ++r)
        numberLayer(graph, r);

    std::vector<std::int32_t> tree, ends;
    std::vector<std::pair<double, std::int32_t>> keyed;
    std::int64_t best = countCrossings(graph, tree, ends);
    Layers bestLayers = graph.layers;
    int idle = 0;
    for (int sweep = 0; sweep < sweeps && best > 0 && idle < 3; ++sweep) {
        const bool reverseTies = sweep % 4 >= 2;
        const std::size_t ranks = graph.layers.size();
        for (std::size_t step = 1; step < ranks; ++step) {
            if (sweep % 2 == 0)
                sortByBarycentre(graph, step, graph.up, reverseTies, keyed);
            else
                sortByBarycentre(graph, ranks - 1 - step, graph.down, reverseTies, keyed);
            if (step % 64 == 0 && task.cancelled())
                return -1;
        }
        if (const std::int64_t crossings = countCrossings(graph, tree, ends); crossings < best) {
            best = crossings;
            bestLayers = graph.layers;
            idle = 0;
        } else {
            ++idle;
        }
        if (task.cancelled())
            return -1;
    }
    graph.layers = std::move(bestLayers);
    for (std::size_t r = 0; r < graph.layers.size(); ++r)
        numberLayer(graph, r);
    sortAdjacency(graph, graph.up);
    sortAdjacency(graph, graph.down);
    return best;
}

} // namespace pim::layout
