// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The ways to lay weights out, one function each; mapNetwork() picks by name.
#include "core/crossbar/search/layout.h"

namespace pim {

/// Every layer once (or as often as the user asks for), pins first, large array groups before small ones, each where least is
/// left over. \returns the entry that found no room, or -1.
int packOnce(CrossbarLayout& layout);

/// Replicas until products are even: the shortest period for which replicas, none with more work than it and all within the
/// arrays, can be dealt out to the cores. Knows nothing of traffic. \p base: every layer at least once.
CrossbarLayout balancedLayout(const CrossbarLayout& base);

/// Cores in blocks, each block with one stretch of consecutive layers, all cores of a block alike: then a core computes the same
/// part of every map of its stretch, and only the seams move. Lengths of stretches and sizes of blocks by dynamic programming.
/// \returns \p base where no stretch fits.
CrossbarLayout blockLayout(const CrossbarLayout& base);

} // namespace pim
