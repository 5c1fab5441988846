// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/blocks.h"

#include "core/graph/op_sequence.h"

#include <algorithm>
#include <unordered_map>

namespace pim {
namespace {

/// The network, a row or a part while the tree is made.
struct Draftsman {
    const OpSequence& sequence;
    std::vector<Block> blocks;

    std::int32_t add(std::int32_t parent, std::int32_t first, std::int32_t count, bool isRow) {
        Block block;
        block.parent = parent;
        block.first = first;
        block.count = count;
        block.isRow = isRow;
        blocks.push_back(std::move(block));
        return static_cast<std::int32_t>(blocks.size()) - 1;
    }
    void split(std::int32_t parent, std::int32_t from, std::int32_t to);
    void addRow(std::int32_t parent, const TandemRow& row);
    void copyInside(std::int32_t from, std::int32_t to);
    void addScattered();
};

/// Rows within [from, to), one within another, children of \p parent.
void Draftsman::split(std::int32_t parent, std::int32_t from, std::int32_t to) {
    std::vector<TandemRow> rows = sequence.rows(from, to, OpSequence::With::Shapes);
    const auto byStart = [](const TandemRow& a, const TandemRow& b) { return a.first < b.first; };
    std::erase_if(rows, [this](const TandemRow& row) { return sequence.isMadeOfSmaller(row); });
    std::sort(rows.begin(), rows.end(), byStart);
    std::vector<TandemRow> more;
    std::int32_t at = from;
    for (std::size_t i = 0; i <= rows.size(); ++i) {
        const std::int32_t gapEnd = i < rows.size() ? rows[i].first : to;
        for (const TandemRow& row : sequence.rows(at, gapEnd, OpSequence::With::TypesOnly))
            more.push_back(row);
        if (i < rows.size())
            at = rows[i].end();
    }
    rows.insert(rows.end(), more.begin(), more.end());
    std::sort(rows.begin(), rows.end(), byStart);
    for (const TandemRow& row : rows)
        // Within a part a few short repeats are read sooner than unfolded.
        if (parent < 0 || row.repeats > 3 || row.period >= 2 * kLeastBlockOps)
            addRow(parent, row);
}

void Draftsman::addRow(std::int32_t parent, const TandemRow& row) {
    const std::int32_t rowBlock = add(parent, row.first, row.period * row.repeats, true);
    std::vector<std::int32_t> parts;
    for (std::int32_t i = 0; i < row.repeats; ++i)
        parts.push_back(add(rowBlock, row.first + i * row.period, row.period, false));
    split(parts.front(), row.first, row.first + row.period);
    for (std::size_t i = 1; i < parts.size(); ++i)
        copyInside(parts.front(), parts[i]);
}

/// Parts of one structure are divided alike.
void Draftsman::copyInside(std::int32_t from, std::int32_t to) {
    const std::int32_t shift =
        blocks[static_cast<std::size_t>(to)].first - blocks[static_cast<std::size_t>(from)].first;
    std::unordered_map<std::int32_t, std::int32_t> twin{{from, to}};
    const std::size_t count = blocks.size();
    for (std::size_t i = static_cast<std::size_t>(from) + 1; i < count; ++i) {
        const Block original = blocks[i];
        if (const auto parent = twin.find(original.parent); parent != twin.end())
            twin[static_cast<std::int32_t>(i)] =
                add(parent->second, original.first + shift, original.count, original.isRow);
    }
}

/// What comes again without being neighbours: stretches between the places where least crosses.
void Draftsman::addScattered() {
    struct Stretch {
        std::int32_t parent, from, to;
    };
    std::vector<std::vector<std::int32_t>> children(blocks.size() + 1);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        children[static_cast<std::size_t>(blocks[i].parent + 1)].push_back(static_cast<std::int32_t>(i));
    std::vector<Stretch> stretches;
    for (std::int32_t p = -1; p < static_cast<std::int32_t>(blocks.size()); ++p) {
        const Block* parent = p < 0 ? nullptr : &blocks[static_cast<std::size_t>(p)];
        if (parent && parent->isRow)
            continue;
        std::vector<std::pair<std::int32_t, std::int32_t>> taken;
        for (const std::int32_t child : children[static_cast<std::size_t>(p + 1)])
            taken.emplace_back(blocks[static_cast<std::size_t>(child)].first,
                               blocks[static_cast<std::size_t>(child)].end());
        std::sort(taken.begin(), taken.end());
        const std::int32_t last = parent ? parent->end() : sequence.size();
        taken.emplace_back(last, last);
        std::int32_t at = parent ? parent->first : 0;
        for (const auto& [from, to] : taken) {
            for (const auto& [a, b] : sequence.closedStretches(at, from))
                if (b - a >= kLeastBlockOps && !(parent && b - a == parent->count))
                    stretches.push_back({p, a, b});
            at = to;
        }
    }
    std::unordered_map<std::uint64_t, int> seen;
    for (const Block& block : blocks)
        if (!block.isRow)
            ++seen[sequence.structure(block.first, block.end())];
    for (const Stretch& stretch : stretches)
        ++seen[sequence.structure(stretch.from, stretch.to)];
    for (const Stretch& stretch : stretches)
        if (seen[sequence.structure(stretch.from, stretch.to)] > 1)
            add(stretch.parent, stretch.from, stretch.to - stretch.from, false);
}

/// Parents before children, siblings in order.
std::vector<Block> inTreeOrder(const std::vector<Block>& blocks) {
    std::vector<std::int32_t> order(blocks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    const auto at = [&](std::int32_t i) -> const Block& { return blocks[static_cast<std::size_t>(i)]; };
    // A block begins no later than what is in it and is longer; a row and its only wrapping are told apart by
    // kind.
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        if (at(a).first != at(b).first)
            return at(a).first < at(b).first;
        return at(a).count > at(b).count;
    });
    std::vector<std::int32_t> place(blocks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    std::vector<Block> sorted;
    for (const std::int32_t i : order) {
        sorted.push_back(at(i));
        if (sorted.back().parent >= 0)
            sorted.back().parent = place[static_cast<std::size_t>(sorted.back().parent)];
    }
    return sorted;
}

BlockTree makeTree(const Graph& graph, const OpSequence& sequence) {
    Draftsman drawn{sequence, {}};
    drawn.split(-1, 0, sequence.size());
    drawn.addScattered();
    BlockTree tree;
    tree.order = sequence.order();
    tree.blocks = inTreeOrder(drawn.blocks);
    std::unordered_map<std::uint64_t, std::int32_t> patterns;
    for (Block& block : tree.blocks)
        if (!block.isRow)
            block.pattern = patterns
                                .emplace(sequence.structure(block.first, block.end()),
                                         static_cast<std::int32_t>(patterns.size()))
                                .first->second;
    tree.inner.assign(graph.ops.size(), -1);
    for (std::size_t b = 0; b < tree.blocks.size(); ++b) // parents first: the innermost one stays
        for (std::int32_t i = tree.blocks[b].first; i < tree.blocks[b].end(); ++i)
            tree.inner[tree.order[static_cast<std::size_t>(i)].index()] = static_cast<std::int32_t>(b);
    return tree;
}

std::int64_t covered(const BlockTree& tree) {
    return std::count_if(tree.inner.begin(), tree.inner.end(), [](std::int32_t block) { return block >= 0; });
}

} // namespace

bool BlockTree::isWithin(std::int32_t block, std::int32_t ancestor) const {
    while (block > ancestor)
        block = blocks[static_cast<std::size_t>(block)].parent;
    return block == ancestor;
}

int BlockTree::depth(std::int32_t block) const {
    int depth = -1;
    for (; block >= 0; block = blocks[static_cast<std::size_t>(block)].parent)
        ++depth;
    return depth;
}

BlockTree findBlocks(const Graph& graph) {
    BlockTree tree = makeTree(graph, OpSequence(graph, OpSequence::fileOrder(graph)));
    // Some exporters write breadth first: then blocks lie interleaved in the file and depth first finds them.
    if (const auto ops = static_cast<std::int64_t>(graph.ops.size()); 2 * covered(tree) < ops) {
        BlockTree other = makeTree(graph, OpSequence(graph, OpSequence::depthFirst(graph)));
        if (covered(other) > covered(tree))
            tree = std::move(other);
    }
    nameBlocks(graph, tree);
    return tree;
}

std::vector<bool> foldedAtFirst(const Graph& graph, const BlockTree& blocks) {
    constexpr std::size_t kLookedAtWhole = 100, kManyNodes = 250;
    std::vector<bool> folded(blocks.blocks.size());
    if (graph.ops.size() <= kLookedAtWhole)
        return folded;
    std::size_t seen = graph.ops.size();
    for (std::size_t i = 0; i < blocks.blocks.size(); ++i) {
        const Block& block = blocks.blocks[i];
        const Block* const outer =
            block.parent < 0 ? nullptr : &blocks.blocks[static_cast<std::size_t>(block.parent)];
        const bool isOutermostPart = !block.isRow && (!outer || (outer->isRow && outer->parent < 0));
        if (!isOutermostPart)
            continue;
        folded[i] = true;
        seen -= static_cast<std::size_t>(block.count) - 1;
    }
    if (seen > kManyNodes)
        for (std::size_t i = 0; i < blocks.blocks.size(); ++i)
            folded[i] = folded[i] || (blocks.blocks[i].isRow && blocks.blocks[i].parent < 0);
    return folded;
}

} // namespace pim
