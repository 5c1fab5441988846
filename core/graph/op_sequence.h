// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The ops of a network as a sequence of letters, and where it repeats: the workings of blocks.h.
#include "core/graph/blocks.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace pim {

/// Equal stretches that follow one another without a gap.
struct TandemRow {
    std::int32_t first = 0, period = 0, repeats = 0;
    std::int32_t end() const { return first + period * repeats; }
};

class OpSequence {
public:
    enum class With { Shapes, TypesOnly };

    static std::vector<OpId> fileOrder(const Graph& graph);
    /// Each op as late as its first reader needs it, inputs in their order.
    static std::vector<OpId> depthFirst(const Graph& graph);

    OpSequence(const Graph& graph, std::vector<OpId> order);

    std::int32_t size() const { return static_cast<std::int32_t>(m_order.size()); }
    const std::vector<OpId>& order() const { return m_order; }
    /// Rows within [from, to) that do not overlap, those that cover most first; cut where least crosses.
    std::vector<TandemRow> rows(std::int32_t from, std::int32_t to, With with) const;
    /// The parts of a row are rows themselves if shapes are left aside: of two kinds of layers in turn, say.
    bool isMadeOfSmaller(const TandemRow& row) const;
    /// [from, to) cut at all places where as little crosses as anywhere in it and what crosses is read twice.
    std::vector<std::pair<std::int32_t, std::int32_t>> closedStretches(std::int32_t from,
                                                                       std::int32_t to) const;
    /// Types and inner edges as one number; equal for equal stretches.
    std::uint64_t structure(std::int32_t from, std::int32_t to) const;

private:
    struct Letters {
        std::vector<std::uint64_t> letter, prefix; ///< prefix[i]: hash of the first i letters.
        std::uint64_t hash(const std::vector<std::uint64_t>& powers, std::int32_t from,
                           std::int32_t to) const;
    };
    std::vector<TandemRow> tandems(std::int32_t from, std::int32_t to, const Letters& letters) const;
    std::int32_t commonAfter(const Letters& letters, std::int32_t a, std::int32_t b, std::int32_t most) const;
    std::int32_t commonBefore(const Letters& letters, std::int32_t a, std::int32_t b,
                              std::int32_t most) const;
    void countCrossings(const Graph& graph);
    std::int32_t bestStart(const TandemRow& run, std::int32_t length) const;
    std::vector<TandemRow> verified(const TandemRow& row) const;
    bool sameStructure(std::int32_t a, std::int32_t b, std::int32_t count) const;
    int sharedNameDepth(std::int32_t from, std::int32_t to) const;

    const Graph& m_graph;
    std::vector<OpId> m_order;
    std::vector<std::int32_t>
        m_inputStart; ///< Producers of op at position i: m_producers[m_inputStart[i] …).
    std::vector<std::int32_t> m_producers; ///< Position; -1: none within the network.
    std::vector<std::int32_t>
        m_crossing; ///< Of each cut (before position i): tensors made before and read behind.
    std::vector<std::int32_t> m_fanOut; ///< Of each cut: readers behind it of the newest tensor that crosses.
    Letters m_shapes, m_types;
    std::vector<std::uint64_t> m_powers;
};

/// Path of the name of an op without its last part: {"layers.0", "attn"} of "/layers.0/attn/MatMul".
std::vector<std::string_view> namePath(std::string_view name);
/// Gives every block a name; rows and parts in tree order.
void nameBlocks(const Graph& graph, BlockTree& tree);

} // namespace pim
