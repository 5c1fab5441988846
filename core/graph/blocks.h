// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Parts of a network that come again: transformer layers, residual blocks, experts. Flow: Graph ->
/// [findBlocks] -> views/graph, core/report, `pimc inspect`.
///
/// Found by structure, not by name: rows of equal neighbours are the runs (tandem repeats) of the sequence of
/// ops, taken with shapes first and without them in what is left; what repeats without being neighbours is
/// found between the places where least crosses from op to op. Names only choose between cuts that are
/// equally good, and what a block is called. O(n log^2 n) in ops; no state, same input, same output.
#include "core/graph/graph.h"

namespace pim {

/// A repeated part, or a row of such parts that follow one another.
struct Block {
    std::string name;         ///< "layers.3", "attn", "Conv block 2"; of a row "40 × layers".
    std::int32_t parent = -1; ///< Position in BlockTree::blocks; -1: the network.
    std::int32_t first = 0;   ///< Its ops are BlockTree::order[first … first + count).
    std::int32_t count = 0;
    std::int32_t pattern = -1; ///< The same for parts of the same structure; -1 for rows.
    bool isRow = false;

    std::int32_t end() const { return first + count; }
};

struct BlockTree {
    std::vector<OpId> order;         ///< All ops, producers first, ops of a block next to one another.
    std::vector<Block> blocks;       ///< Parents before children, siblings in order; siblings do not overlap.
    std::vector<std::int32_t> inner; ///< Of each op (by OpId): the smallest block it is in; -1: none.

    /// \p block lies in \p ancestor, or is it.
    bool isWithin(std::int32_t block, std::int32_t ancestor) const;
    int depth(std::int32_t block) const; ///< 0 for those directly in the network.
};

/// A part has at least this many ops.
inline constexpr std::int32_t kLeastBlockOps = 4;

BlockTree findBlocks(const Graph& graph);

/// Which blocks to show folded at first: none in a graph that can be looked at as it is, else the parts of
/// rows, or the rows too where those would still be too many.
std::vector<bool> foldedAtFirst(const Graph& graph, const BlockTree& blocks);

} // namespace pim
