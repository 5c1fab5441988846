// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ops whose sizes nobody knows before a run: what they take or make depends on data (NonMaxSuppression), or on an operator that is
/// not known. Machines planned as a whole leave them, and all that follows from them, to the host.
#include "core/graph/graph.h"

#include <vector>

namespace pim {

inline constexpr const char* kUnsizedReason = "the sizes of what it takes or makes are not known";
inline constexpr const char* kUnsizedHint = "bind its dimensions; a tensor of an operator that is not known "
                                            "needs its shape in the model, as value_info";

/// [op] True where a tensor that it takes or makes, other than constants, has no size, or where it takes anything of such an op.
std::vector<bool> unsizedOps(const Graph& graph);

} // namespace pim
