// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The ways to lay weights out, one function each; mapNetwork() picks by name.
#include "backends/crossbar/search/layout.h"
#include "backends/crossbar/search/row_pipeline.h"

namespace pim {

/// Every layer once (or as often as the user asks for), pins first, large array groups before small ones,
/// each where least is left over. \returns the entry that found no room; invalid: all did.
MatrixId packOnce(CrossbarLayout& layout);

/// All replicas of an entry the user pinned; false where there is no room.
bool placePinned(CrossbarLayout& layout, MatrixId entry);

/// Replicas until products are even: the shortest period for which replicas, none with more work than it and
/// all within the arrays, can be dealt out to the cores. Knows nothing of traffic. \p base: every layer at
/// least once.
CrossbarLayout balancedLayout(const CrossbarLayout& base);

struct BlockLayouts {
    std::vector<CrossbarLayout> layouts; ///< And the base, cheapest in the mode first.
    /// [layout] LL: as pipelineTimes() has it; HT: ns alone, that of layoutNs().
    std::vector<RowPipelineTimes> times;
    std::vector<std::size_t> quick; ///< Which of them come without thoroughness too.
};
/// Cores in blocks, each block with one stretch of consecutive layers, all cores of a block alike: a layer
/// then lies in few cores (borders of strips are loaded twice), and layers that read the same map can share
/// what is loaded. Lengths of stretches and sizes of blocks by dynamic programming, for several periods.
/// LL: also with layers in tiles, see tiledHeads(). \param thorough: LL; more ways, for a search.
BlockLayouts blockLayouts(const CrossbarLayout& base, CrossbarMode mode, bool thorough = false);

struct TiledHead {
    CrossbarLayout layout;
    bool thorough = false; ///< It comes with thoroughness alone.
};
/// LL: the layers of the largest maps in tiles, see MappedTiles, each in all cores or in as many as make a
/// square; the other layers are not there yet. One such layout for each height, several if \p thorough; none
/// where the user has decided about these layers.
std::vector<TiledHead> tiledHeads(const CrossbarLayoutModel& model, bool thorough);

/// Where cores of a chip are interchangeable (a bus, no pins) the busiest come first: a shared memory that
/// serves in that order keeps those waiting that have the time. [core] where it goes.
std::vector<CoreId> busiestFirst(const CrossbarLayout& layout, CrossbarMode mode);

} // namespace pim
