// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Changes the rows of a table so that their sums come closer to what the layer should give: ridge least squares over all codebooks at
/// once, the one-hot choices of centroids being the regressors.
/// Flow: Table + indices + missing outputs -> refit -> Table.
#include "core/numeric/lut/lookup.h"

namespace pim::lut {

struct RefitOptions {
    /// Strengths tried are strengthBase times powers of 4 times the rows a centroid has on average.
    double strengthBase = 0.02;
    int firstPower = 2; ///< Where the search starts.
    int mostPower = 8;  ///< Powers are in [0, mostPower].
    int threads = 0;    ///< The result is the same with any number.
};

struct Refit {
    bool changed = false;                   ///< False: the table as it was is best.
    int power = 0;                          ///< Of the strength taken.
    double errorBefore = 0, errorAfter = 0; ///< Mean squares on the rows the strength was chosen with.
};

constexpr std::int64_t kMostRefitRows = 16384; ///< More are thinned out by keptRow().

/// \param missing [rows, features]: what is to be added to the sums of the table. The strength is chosen on the last fifth of the
/// rows, fitted to the others; the table is then fitted to all rows with it. Below five rows nothing is changed.
/// Errors: Usage for lengths that do not fit; Cancelled.
Result<Refit> refit(Table& table, std::span<const std::uint16_t> indices, std::span<const float> missing,
                    const RefitOptions& options = {}, const TaskContext& task = {});

} // namespace pim::lut
