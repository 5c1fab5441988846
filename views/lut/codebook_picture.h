// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is drawn of one codebook: sub-vectors and centroids on the plane in which the sub-vectors spread most, and how often each
/// centroid is chosen. Flow: LutLayer + LayerUse -> [CodebookPicture] -> plots.
#include "core/lut/network/conversion.h"
#include "core/numeric/lut/projection.h"

namespace pim::views {

struct CodebookPicture {
    lut::Plane plane;
    std::vector<std::array<double, 2>> points; ///< Sub-vectors that were kept, on the plane.
    std::vector<int> nearest;                  ///< Centroid of each.
    std::vector<double> distance;              ///< Of each to it, in all dimensions.
    std::vector<std::array<double, 2>> centroids;
    std::vector<std::int64_t> chosen; ///< Of each centroid, by all test samples.

    std::int64_t allChosen() const;
};

/// Errors: Usage for a codebook that there is not, or an evaluation that kept no rows.
Result<CodebookPicture> codebookPicture(const lut::Codebooks& books, const lut::LayerUse& use,
                                        std::int64_t codebook);

} // namespace pim::views
