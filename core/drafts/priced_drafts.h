// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The drafts of one kernel that may be the best, with prices. Flow: space + pricer -> bounds of all drafts
/// that the rules leave -> prices of those within reach -> ranking and simulation (search.cpp), samples to
/// learn from (core/predict). Most drafts are ruled out by their bound, which is what makes the choice for a
/// new size fast.
#include "core/drafts/opwise.h"
#include "core/drafts/space_table.h"

#include <limits>
#include <vector>

namespace pim {

/// Columns, one entry per draft within reach, in order of enumeration.
struct PricedDrafts {
    std::vector<Draft> drafts;
    std::vector<DraftSummary> summaries;
    std::vector<KernelPrice> prices;
    std::vector<double> boundsNs; ///< KernelPricer::boundNs
    EnumerationCounts counts;     ///< Of the whole space; [Kept] includes drafts out of reach.
    std::int64_t outOfReach = 0;  ///< Kept by the rules, but neither priced nor here,
    double outOfReachBoundNs =    ///< and the least of their bounds; infinite: there are none.
        std::numeric_limits<double>::infinity();

    /// Positions, the cheapest first; ties in order of enumeration.
    std::vector<std::size_t> byPrice() const;
};

/// A draft whose bound is so many times the least price is out of reach. Prices are off by less
/// (core/predict/README.md), so it is not the fastest.
inline constexpr double kBoundReach = 1.25;

/// \param reach at least 1. What is within reach does not depend on the order in which drafts are looked at.
/// Error::Cancelled.
Result<PricedDrafts> priceDrafts(const KeptDrafts& all, const KernelPricer& pricer,
                                 double reach = kBoundReach, const TaskContext& task = {});
/// Of all drafts that the rules keep. Errors: as KeptDrafts::of().
Result<PricedDrafts> priceDrafts(const TilingSpace& space, const KernelPricer& pricer,
                                 const TilingOptions& options, double reach = kBoundReach,
                                 const TaskContext& task = {});

} // namespace pim
