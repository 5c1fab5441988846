// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices that follow one another form straight columns, as the blocks of Brandes and Köpf; but where they
// take the mean of four extreme alignments, which lets the trunk of a network drift sideways at every join,
// we align once and let the longest column win. Columns are then packed from both sides, averaged, and drawn
// towards their neighbours.
#include "core/graph_drawing/ranked_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pim::layout {
namespace {

using Ints = std::vector<std::int32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Columns {
    Ints of; ///< Column of each vertex, numbered from 0.
    std::size_t count = 0;
    std::size_t longest = 0;
};

/// Chooses, between each two ranks, links to draw straight: no two cross, each vertex takes part in one at
/// most.
Columns formColumns(const RankedGraph& graph) {
    struct Candidate {
        std::int32_t upper, lower;
        bool mixed;          ///< Between a node and a waypoint: first to bend.
        std::int32_t length; ///< Ranks the column of the upper end spans.
        double aside;        ///< Distance of the lower end from the middle of its siblings.
    };
    Columns columns{Ints(graph.vertices(), -1)};
    Ints length;
    const auto startColumn = [&](std::int32_t v) {
        columns.of[at(v)] = static_cast<std::int32_t>(length.size());
        length.push_back(1);
    };
    if (!graph.layers.empty())
        for (const std::int32_t v : graph.layers.front())
            startColumn(v);
    std::vector<Candidate> candidates;
    for (std::size_t r = 0; r + 1 < graph.layers.size(); ++r) {
        candidates.clear();
        for (const std::int32_t u : graph.layers[r]) {
            const auto below = graph.down.of(u);
            double middle = 0;
            int nodes = 0;
            for (std::size_t i = 0; i < below.size(); ++i)
                if (!graph.isWaypoint(below[i])) {
                    middle += static_cast<double>(i);
                    ++nodes;
                }
            middle = nodes > 0 ? middle / nodes : static_cast<double>(below.size() - 1) / 2;
            for (std::size_t i = 0; i < below.size(); ++i)
                candidates.push_back({u, below[i], graph.isWaypoint(u) != graph.isWaypoint(below[i]),
                                      length[at(columns.of[at(u)])],
                                      std::abs(static_cast<double>(i) - middle)});
        }
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            if (a.mixed != b.mixed)
                return b.mixed;
            return a.length != b.length ? a.length > b.length : a.aside < b.aside;
        });
        std::map<std::int32_t, std::int32_t>
            straight; // order of the upper end -> order of the lower end, both ascending
        for (const Candidate& link : candidates) {
            const std::int32_t upper = graph.order[at(link.upper)], lower = graph.order[at(link.lower)];
            const auto next = straight.lower_bound(upper);
            if ((next != straight.end() && (next->first == upper || next->second <= lower)) ||
                (next != straight.begin() && std::prev(next)->second >= lower))
                continue;
            straight.emplace_hint(next, upper, lower);
            columns.of[at(link.lower)] = columns.of[at(link.upper)];
            ++length[at(columns.of[at(link.lower)])];
        }
        for (const std::int32_t v : graph.layers[r + 1])
            if (columns.of[at(v)] < 0)
                startColumn(v);
    }
    columns.count = length.size();
    columns.longest =
        static_cast<std::size_t>(std::max_element(length.begin(), length.end()) - length.begin());
    return columns;
}

/// Least distance between the centres of two columns that are neighbours in some rank.
struct Gap {
    std::int32_t left, right;
    double length;
};

/// Columns with the room each needs to its neighbours, and the links that pull them together.
class Packing {
public:
    Packing(const RankedGraph& graph, const LayoutOptions& options) : m_columns(formColumns(graph)) {
        const auto half = [&](std::int32_t v) {
            return graph.width[at(v)] / 2 + (graph.isWaypoint(v) ? options.edgeGap : options.nodeGap) / 2;
        };
        std::vector<LayoutEdge> rightOf, leftOf, pulls;
        for (const Ints& layer : graph.layers)
            for (std::size_t i = 1; i < layer.size(); ++i) {
                const std::int32_t a = m_columns.of[at(layer[i - 1])], b = m_columns.of[at(layer[i])];
                rightOf.push_back({a, static_cast<std::int32_t>(m_gaps.size())});
                leftOf.push_back({b, static_cast<std::int32_t>(m_gaps.size())});
                m_gaps.push_back({a, b, half(layer[i - 1]) + half(layer[i])});
            }
        for (const LayoutEdge& link : graph.links) {
            const std::int32_t a = m_columns.of[at(link.from)], b = m_columns.of[at(link.to)];
            if (a != b) {
                pulls.push_back({a, b});
                pulls.push_back({b, a});
            }
        }
        m_right = makeAdjacency(m_columns.count, rightOf);
        m_left = makeAdjacency(m_columns.count, leftOf);
        m_pulls = makeAdjacency(m_columns.count, pulls);
        sortFromLeft();
    }

    std::vector<double> place(const TaskContext& task) const {
        std::vector<double> x = packed(true), fromRight = packed(false);
        const double shift = x[m_columns.longest] - fromRight[m_columns.longest];
        for (std::size_t c = 0; c < x.size(); ++c)
            x[c] = (x[c] + fromRight[c] + shift) / 2; // keeps every gap that both keep
        constexpr int kRounds = 6;                    // more change nothing a person would see
        for (int round = 0; round < kRounds && !task.cancelled(); ++round)
            for (std::size_t i = 0; i < m_sorted.size(); ++i)
                pull(x, m_sorted[round % 2 == 0 ? m_sorted.size() - 1 - i : i]);
        return x;
    }

    std::int32_t columnOf(std::size_t vertex) const { return m_columns.of[vertex]; }

private:
    const Gap& gap(std::int32_t i) const { return m_gaps[at(i)]; }

    void sortFromLeft() {
        Ints waiting(m_columns.count, 0);
        for (const Gap& g : m_gaps)
            ++waiting[at(g.right)];
        for (std::size_t c = 0; c < m_columns.count; ++c)
            if (waiting[c] == 0)
                m_sorted.push_back(static_cast<std::int32_t>(c));
        for (std::size_t i = 0; i < m_sorted.size(); ++i)
            for (const std::int32_t g : m_right.of(m_sorted[i]))
                if (--waiting[at(gap(g).right)] == 0)
                    m_sorted.push_back(gap(g).right);
    }

    double leastX(const std::vector<double>& x, std::int32_t c) const {
        double least = -kInfinity;
        for (const std::int32_t g : m_left.of(c))
            least = std::max(least, x[at(gap(g).left)] + gap(g).length);
        return least;
    }

    double mostX(const std::vector<double>& x, std::int32_t c) const {
        double most = kInfinity;
        for (const std::int32_t g : m_right.of(c))
            most = std::min(most, x[at(gap(g).right)] - gap(g).length);
        return most;
    }

    /// Every column as far to one side as it goes, then back until it touches its neighbour behind.
    std::vector<double> packed(bool toLeft) const {
        std::vector<double> x(m_columns.count, 0);
        const std::size_t n = m_sorted.size();
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t c = m_sorted[toLeft ? i : n - 1 - i];
            x[at(c)] = toLeft ? std::max(0.0, leastX(x, c)) : std::min(0.0, mostX(x, c));
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t c = m_sorted[toLeft ? n - 1 - i : i];
            const double room = toLeft ? mostX(x, c) : leastX(x, c);
            if (std::isfinite(room))
                x[at(c)] = room;
        }
        return x;
    }

    /// Moves a column to the mean of what it is linked to, as far as its neighbours let it.
    void pull(std::vector<double>& x, std::int32_t c) const {
        const auto linked = m_pulls.of(c);
        if (linked.empty())
            return;
        double sum = 0;
        for (const std::int32_t other : linked)
            sum += x[at(other)];
        const double low = leastX(x, c), high = mostX(x, c);
        if (low <= high)
            x[at(c)] = std::clamp(sum / static_cast<double>(linked.size()), low, high);
    }

    Columns m_columns;
    std::vector<Gap> m_gaps;
    Adjacency m_right, m_left; ///< Column -> positions in m_gaps.
    Adjacency m_pulls;         ///< Column -> columns.
    Ints m_sorted;             ///< Columns so that each comes after all that lie left of it.
};

} // namespace

std::vector<double> assignCoordinates(const RankedGraph& graph, const LayoutOptions& options,
                                      const TaskContext& task) {
    const Packing packing(graph, options);
    if (task.cancelled())
        return {};
    const std::vector<double> columns = packing.place(task);
    std::vector<double> x(graph.vertices());
    for (std::size_t v = 0; v < x.size(); ++v)
        x[v] = columns[at(packing.columnOf(v))];
    return x;
}

} // namespace pim::layout
