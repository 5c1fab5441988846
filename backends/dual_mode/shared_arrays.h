// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The most memory arrays that can serve as output of one operator and input of the next at the same time: a
/// maximum b-matching. Flow: allocation -> [shareArrays].
#include "backends/dual_mode/allocation.h"

#include <vector>

namespace pim {

/// Maximises the sum of shared arrays such that edge e takes at most edges[e].cap and the edges at an
/// operator take at most its memory arrays. Exact: leaves are taken first (enough on forests), what is left
/// is a maximum flow where it is bipartite, else a half-integral flow on the double cover, rounded, with
/// branching where two odd cycles remain. \param memory arrays of each operator. \param need   stop as soon
/// as so many are reached or known to be out of reach; < 0: go to the maximum. \param shared takes the
/// result, one an edge; the best found where the search stopped early. \returns arrays shared.
int shareArrays(const std::vector<int>& memory, const std::vector<AllocationEdge>& edges, int need,
                std::vector<int>& shared);

} // namespace pim
