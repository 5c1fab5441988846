// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/min_cut.h"

#include <algorithm>

namespace pim {
namespace {
constexpr int kSource = 0, kSink = 1, kFirst = 2;
}

int TwoLabels::add(std::int64_t costOfA, std::int64_t costOfB) {
    const int node = static_cast<int>(m_out.size());
    m_out.emplace_back();
    // What both labels cost alike decides nothing and needs no flow.
    const std::int64_t common = std::min(costOfA, costOfB);
    addEdge(kSource, node, costOfB - common, 0);
    addEdge(node, kSink, costOfA - common, 0);
    return node - kFirst;
}

void TwoLabels::addPair(int a, int b, std::int64_t cost) {
    if (cost > 0 && a != b)
        addEdge(a + kFirst, b + kFirst, cost, 0);
}

void TwoLabels::addEdge(int from, int to, std::int64_t forward, std::int64_t backward) {
    m_out[static_cast<std::size_t>(from)].push_back(static_cast<int>(m_edges.size()));
    m_edges.push_back({to, forward});
    m_out[static_cast<std::size_t>(to)].push_back(static_cast<int>(m_edges.size()));
    m_edges.push_back({from, backward});
}

/// Breadth-first levels towards the sink over edges with capacity left.
bool TwoLabels::layer() {
    m_level.assign(m_out.size(), -1);
    m_level[kSource] = 0;
    std::vector<int> queue{kSource};
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (const int e : m_out[static_cast<std::size_t>(queue[head])])
            if (const Edge& edge = m_edges[static_cast<std::size_t>(e)];
                edge.capacity > 0 && m_level[static_cast<std::size_t>(edge.to)] < 0) {
                m_level[static_cast<std::size_t>(edge.to)] =
                    m_level[static_cast<std::size_t>(queue[head])] + 1;
                queue.push_back(edge.to);
            }
    return m_level[kSink] >= 0;
}

/// One augmenting path along the levels; a loop, not recursion, because networks can be deep.
std::int64_t TwoLabels::push(std::int64_t limit) {
    std::vector<int> path;
    int node = kSource;
    while (node != kSink) {
        auto& next = m_next[static_cast<std::size_t>(node)];
        const auto& out = m_out[static_cast<std::size_t>(node)];
        while (next < out.size()) {
            const Edge& edge = m_edges[static_cast<std::size_t>(out[next])];
            if (edge.capacity > 0 &&
                m_level[static_cast<std::size_t>(edge.to)] == m_level[static_cast<std::size_t>(node)] + 1)
                break;
            ++next;
        }
        if (next < out.size()) {
            path.push_back(out[next]);
            node = m_edges[static_cast<std::size_t>(out[next])].to;
        } else if (path.empty()) {
            return 0;
        } else { // dead end: step back and try the next edge of the node before
            node = m_edges[static_cast<std::size_t>(path.back() ^ 1)].to;
            path.pop_back();
            ++m_next[static_cast<std::size_t>(node)];
        }
    }
    for (const int e : path)
        limit = std::min(limit, m_edges[static_cast<std::size_t>(e)].capacity);
    for (const int e : path) {
        m_edges[static_cast<std::size_t>(e)].capacity -= limit;
        m_edges[static_cast<std::size_t>(e ^ 1)].capacity += limit;
    }
    return limit;
}

std::vector<bool> TwoLabels::solve() {
    while (layer()) {
        m_next.assign(m_out.size(), 0);
        while (push(kForbidden) > 0) {
        }
    }
    // B: whatever can still reach the sink. That is the smallest sink side.
    std::vector<bool> reachesSink(m_out.size(), false);
    reachesSink[kSink] = true;
    std::vector<int> queue{kSink};
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (const int e : m_out[static_cast<std::size_t>(queue[head])]) {
            const int from = m_edges[static_cast<std::size_t>(e)].to; // e^1 leads from there to here
            if (m_edges[static_cast<std::size_t>(e ^ 1)].capacity > 0 &&
                !reachesSink[static_cast<std::size_t>(from)]) {
                reachesSink[static_cast<std::size_t>(from)] = true;
                queue.push_back(from);
            }
        }
    return {reachesSink.begin() + kFirst, reachesSink.end()};
}

} // namespace pim
