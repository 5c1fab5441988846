// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Searches a sweep for its Pareto front: only some of its points are computed, each once, side by side.
#include "core/compile/search/search.h"
#include "core/compile/sweep.h"

#include <map>

namespace pim {

/// SweepSetup::mostPoints of a search that does not compute all of them. Indices in 62 bits have room to spare.
inline constexpr std::int64_t kMostSearched = 1'000'000'000'000'000;

struct SweepSearch {
    std::vector<SweepPoint> points;      ///< Those that were computed, by index.
    std::vector<std::string> objectives; ///< What was searched for.
};
/// Keeps what was computed; an error ends the search.
using SearchedPoint = std::function<Result<void>(const SweepPoint&)>;
/// \p setup: prepared. \param objectives as markSweep() takes them; empty: what it would take for the first points computed. Points with a
/// problem, or without an objective, are refused. \p computed: of each point as it is computed; may be null. \param known points of an earlier search,
/// by index: they count as computed, without being so again, so that a search that was cut short goes on as if it had not been. Errors: Usage (no evaluations, several values of the axis "model"), Cancelled,
/// those of \p computed.
Result<SweepSearch> searchSweep(const BackendList& backends, const SweepSetup& setup,
                                const SearchOptions& options, std::vector<std::string> objectives,
                                const SearchedPoint& computed = {}, const TaskContext& task = {},
                                std::map<std::int64_t, SweepPoint> known = {});

} // namespace pim
