// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Looks for the Pareto front of a space of which only some points can be priced. A point is an index in mixed radix, its digits are the genes.
/// Flow: radices + SearchOptions -> [searchSpace] -> batches of indices -> figures -> … until the evaluations are used up.
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace pim {

enum class SearchMethod { Exhaustive, Random, Nsga2 };
std::string_view name(SearchMethod method); ///< "exhaustive", "random", "nsga2"
std::optional<SearchMethod> searchMethod(std::string_view name);

struct SearchOptions {
    SearchMethod method = SearchMethod::Nsga2;
    std::int64_t evaluations = 1000; ///< At most so many points are priced; exhaustive: all are.
    std::uint64_t seed = 1;
    friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

/// Prices points: for each a row of figures, less is better, all of one length; an empty row where the point is refused. Asked with ascending
/// indices, and never for a point it was asked for before. It may work on any number of threads: the search sees whole batches only.
using PriceBatch =
    std::function<Result<std::vector<std::vector<double>>>(const std::vector<std::int64_t>& indices)>;

/// The same indices are asked for, in the same batches, for the same radices, options and figures. All points are where there are no more than
/// evaluations. Random: each point is as likely. Nsga2: NSGA-II on the digits (Deb et al., IEEE Trans. Evol. Comp. 6(2), 2002); when a
/// generation finds next to nothing new, the neighbours of the front are priced. Refused points are worse than all others.
/// \param radices how many values each digit has, the last the fastest; at least 1 each, their product below 2^62.
/// Errors: Usage (no evaluations), those of \p price.
Result<void> searchSpace(const std::vector<std::int64_t>& radices, const SearchOptions& options,
                         const PriceBatch& price);

/// How much of the space below \p reference is at least as bad as one of the points (Zitzler and Thiele, PPSN V, 1998). Points that are
/// not better than the reference in all figures add nothing. \p figures: one row a point, as long as the reference, less is better.
double hypervolume(const std::vector<std::vector<double>>& figures, const std::vector<double>& reference);

} // namespace pim
