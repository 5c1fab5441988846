// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Examples of drafts that the rules removed. The quick search does not visit them (it only counts), so they
/// are drawn from the whole space: always the same ones for the same kernel and machine.
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"

namespace pim {

inline constexpr std::size_t kRejectedSampled = 200; ///< Of each rule, for an exploration.

/// At most \p each drafts of every rule from 1 to 3 that \p wanted asks for, in order of the rules. Fewer
/// where the rule is rare or the task is cancelled.
std::vector<Exploration::Rejected> sampleRejected(const TilingSpace& space, const TilingOptions& options,
                                                  const std::array<bool, kPruneRules>& wanted,
                                                  std::size_t each, const TaskContext& task = {});

} // namespace pim
