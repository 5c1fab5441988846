// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The ways to lay weights out, one function each; mapNetwork() picks by name.
#include "core/base/task.h"
#include "core/crossbar/search/layout.h"

namespace pim {

/// Every layer once (or as often as the user asks for), pins first, large array groups before small ones,
/// each where least is left over. \returns the entry that found no room, or -1.
int packOnce(CrossbarLayout& layout);

/// All replicas of an entry the user pinned; false where there is no room.
bool placePinned(CrossbarLayout& layout, int entry);

/// Replicas until products are even: the shortest period for which replicas, none with more work than it and
/// all within the arrays, can be dealt out to the cores. Knows nothing of traffic. \p base: every layer at
/// least once.
CrossbarLayout balancedLayout(const CrossbarLayout& base);

/// Cores in blocks, each block with one stretch of consecutive layers, all cores of a block alike: a layer
/// then lies in few cores (borders of strips are loaded twice), and layers that read the same map can share
/// what is loaded. Lengths of stretches and sizes of blocks by dynamic programming, for several periods.
/// LL: also with layers in tiles, see tiledHeads(). \param thorough: LL; more ways, for a search.
/// \returns those found and \p base, cheapest in \p mode first.
std::vector<CrossbarLayout> blockLayouts(const CrossbarLayout& base, CrossbarMode mode,
                                         bool thorough = false);

/// LL: the layers of the largest maps in tiles, see MappedTiles, each in all cores or in as many as make a
/// square; the other layers are not there yet. One such layout for each height, several if \p thorough; none
/// where the user has decided about these layers.
std::vector<CrossbarLayout> tiledHeads(const CrossbarLayoutModel& model, bool thorough);

/// LL: layers whose maps have the same height get more replicas together, or replicas in more cores, as long
/// as a sample then takes less time. \p tries: estimates at most. \p growth: how many times as many replicas
/// or cores. \p timed: the program of what is found will be compared with that of \p start. A cancelled one
/// gives its best so far.
CrossbarLayout spreadLayout(const CrossbarLayout& start, int tries, double growth, bool timed,
                            const TaskContext& task = {});

/// Where cores of a chip are interchangeable (a bus, no pins) the busiest come first: a shared memory that
/// serves in that order keeps those waiting that have the time. [core] where it goes.
std::vector<int> busiestFirst(const CrossbarLayout& layout, CrossbarMode mode);

} // namespace pim
