// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Why one way to run an op takes longer than another, in words, from the breakdown and what is known beside
/// it.
#include "core/compile/facts.h"

namespace pim {

/// One part of the time that differs.
struct ExplainedPart {
    std::string key; ///< Of the part: "input".
    double aNs = 0, bNs = 0;
    std::string text; ///< "Input rearrangement costs 3.20 µs more (4.40 µs instead of 1.20 µs): …"
    double deltaNs() const { return bNs - aNs; }
};

struct Explanation {
    std::string headline;             ///< "B is 1.80× slower than A: 5.80 µs instead of 3.20 µs."
    std::vector<ExplainedPart> parts; ///< Largest difference first; parts equal in both are left out.
    std::string text() const;         ///< All of it, one sentence a line.
};

/// About B, measured at A. The facts may be empty; where both know one that differs, the sentence of its part
/// says so. \param nameA, nameB how the two are called.
Explanation explainCosts(const CostSplit& a, const CostSplit& b, const Facts& factsA = {},
                         const Facts& factsB = {}, std::string_view nameA = "A",
                         std::string_view nameB = "B");

} // namespace pim
