// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Exact choice between two labels for many items that influence each other: minimum cut of a network.
/// [Dinic 1970; labels by cut: Greig, Porteous, Seheult 1989]
#include <cstdint>
#include <vector>

namespace pim {

/// Minimises the sum of the costs of single labels and of pairs of labels. All costs are >= 0.
/// O(V² E) at worst, near linear on the graphs of neural networks. Deterministic.
class TwoLabels {
public:
    /// \returns the number of the item.
    int add(std::int64_t costOfA, std::int64_t costOfB);
    /// \p cost is paid if \p a gets label A and \p b gets label B.
    void addPair(int a, int b, std::int64_t cost);
    /// \returns for every item whether it gets B. Among equally good answers the one with the fewest B.
    std::vector<bool> solve();

    /// A cost that no sum of others reaches; forbids a label or a pair.
    static constexpr std::int64_t kForbidden = std::int64_t{1} << 61;

private:
    struct Edge {
        int to = 0;
        std::int64_t capacity = 0;
    };
    void addEdge(int from, int to, std::int64_t forward, std::int64_t backward);
    bool layer();
    std::int64_t push(std::int64_t limit);

    std::vector<Edge> m_edges; ///< Edge e and its reverse e^1.
    /// Edges of a node: 0 source (label A), 1 sink (label B), then the items.
    std::vector<std::vector<int>> m_out{2};
    std::vector<int> m_level;
    std::vector<std::size_t> m_next;
};

} // namespace pim
