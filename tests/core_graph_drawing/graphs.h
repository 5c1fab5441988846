// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Seeded graphs that look like networks, for tests and benchmarks of the layout.
#include "core/graph_drawing/layered.h"

#include <random>

namespace pim::test {

struct Drawing {
    std::vector<LayoutSize> nodes;
    std::vector<LayoutEdge> edges;
};

/// Blocks of branches that split and join again with a skip edge over each, one tensor read by every block.
inline Drawing networkLike(int nodes, unsigned seed) {
    std::mt19937 random(seed);
    Drawing drawing;
    const auto add = [&](int from) {
        drawing.nodes.push_back({190, 58});
        const auto v = static_cast<std::int32_t>(drawing.nodes.size() - 1);
        if (from >= 0)
            drawing.edges.push_back({from, v});
        return v;
    };
    const std::int32_t shared = add(-1);
    std::int32_t tail = add(-1);
    while (static_cast<int>(drawing.nodes.size()) < nodes) {
        std::vector<std::int32_t> ends;
        const int branches = 1 + static_cast<int>(random() % 4);
        for (int b = 0; b < branches; ++b) {
            std::int32_t end = tail;
            for (unsigned k = 0, n = 1 + random() % 6; k < n; ++k)
                end = add(end);
            ends.push_back(end);
        }
        const std::int32_t join = add(-1);
        for (const std::int32_t end : ends)
            drawing.edges.push_back({end, join});
        if (random() % 2)
            drawing.edges.push_back({tail, join});
        if (random() % 4 == 0)
            drawing.edges.push_back({shared, join});
        tail = join;
    }
    return drawing;
}

/// Edges between random nodes, from the lower to the higher number; several components, long edges, many
/// crossings.
inline Drawing tangle(int nodes, int edges, unsigned seed) {
    std::mt19937 random(seed);
    Drawing drawing;
    for (int v = 0; v < nodes; ++v)
        drawing.nodes.push_back({20.0 + random() % 200, 20.0 + random() % 60});
    for (int e = 0; e < edges && nodes > 1; ++e) {
        const auto a = static_cast<std::int32_t>(random() % static_cast<unsigned>(nodes));
        const auto b = static_cast<std::int32_t>(random() % static_cast<unsigned>(nodes));
        if (a != b)
            drawing.edges.push_back({std::min(a, b), std::max(a, b)});
    }
    return drawing;
}

} // namespace pim::test
