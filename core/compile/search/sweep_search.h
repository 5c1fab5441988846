// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Searches a sweep for its Pareto front: only some of its points are computed, each once, side by side.
#include "core/compile/search/search.h"
#include "core/compile/sweep.h"

namespace pim {

/// SweepSetup::mostPoints of a search that does not compute all of them. Indices in 62 bits have room to spare.
inline constexpr std::int64_t kMostSearched = 1'000'000'000'000'000;

struct SweepSearch {
    std::vector<SweepPoint> points;      ///< Those that were computed, by index.
    std::vector<std::string> objectives; ///< What was searched for.
};
/// \p setup: prepared. \param objectives as markSweep() takes them; empty: what it would take for the first points computed. Points with a
/// problem, or without an objective, are refused. \p told: of each point as it is computed; may be null. Errors: Usage, Cancelled.
Result<SweepSearch> searchSweep(const BackendList& backends, const SweepSetup& setup,
                                const SearchOptions& options, std::vector<std::string> objectives,
                                const std::function<void(const SweepPoint&)>& told = {},
                                const TaskContext& task = {});

} // namespace pim
