// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Codebooks of a linear layer: a row of its input is cut into sub-vectors, each of which is replaced by the closest of a few
/// centroids. [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 3]
/// Flow: rows of the input -> trainCodebooks -> Codebooks -> closestCentroids -> indices -> lookup.h.
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pim::lut {

/// Centroids [codebooks][centroids][length]; codebook c is for input[c * length, (c + 1) * length).
struct Codebooks {
    std::int64_t codebooks = 0, centroids = 0, length = 0;
    std::vector<float> values;

    std::int64_t inputLength() const { return codebooks * length; }
    std::span<const float> centroid(std::int64_t codebook, std::int64_t index) const {
        return std::span(values).subspan(static_cast<std::size_t>((codebook * centroids + index) * length),
                                         static_cast<std::size_t>(length));
    }
};

/// Rows of floats, one after the other; not owned.
struct Rows {
    std::span<const float> values;
    std::int64_t length = 0; ///< Of a row.

    std::int64_t count() const { return length > 0 ? std::ssize(values) / length : 0; }
    std::span<const float> row(std::int64_t index) const {
        return values.subspan(static_cast<std::size_t>(index * length), static_cast<std::size_t>(length));
    }
};

constexpr std::int64_t kMostCentroids = 1 << 16; ///< An index has 16 bits.
/// A centroid is taken over an earlier one only if it is closer by more than this. [PIM-DL artifact leesou/PIM-DL-ASPLOS 87aee67,
/// index_calc_host]
constexpr float kCloser = 1e-6F;

/// Which of \p all rows is number \p index of \p kept <= all that stand for them: one, by chance but always the same, out of each of
/// \p kept equal parts. Rows at equal steps would be of the same few tokens of every sample.
std::int64_t keptRow(std::int64_t index, std::int64_t kept, std::int64_t all);

struct KMeansOptions {
    std::int64_t centroids = 16;
    std::int64_t length = 2;      ///< Of a sub-vector.
    int steps = 12;               ///< Of Lloyd.
    std::int64_t mostRows = 2048; ///< More are thinned out by keptRow().
    std::uint64_t seed = 0;
    int threads = 0; ///< 0: as many as the machine has. The result is the same with any number.
};

/// Centroids by k-means++ (Arthur and Vassilvitskii 2007), then Lloyd's steps, each codebook on its own. A codebook with fewer
/// different sub-vectors than centroids repeats the first of them, which no index ever names.
/// Errors: Usage for no rows, a length that does not divide the rows, numbers of centroids out of range; InvalidModel for an
/// input that is not finite; Cancelled.
Result<Codebooks> trainCodebooks(const Rows& rows, const KMeansOptions& options,
                                 const TaskContext& task = {});

struct LloydStep {
    Codebooks moved; ///< Means of what is closest; a centroid that nothing is closest to stays.
    std::vector<std::int64_t> count; ///< [codebooks][centroids]
    /// Sum of squared distances to the closest centroid, before they moved and after.
    double inertiaBefore = 0, inertiaAfter = 0;
};
/// Exact: sums of 64 bits, the lowest index of equally close ones. Errors as closestCentroids.
Result<LloydStep> lloydStep(const Rows& rows, const Codebooks& books, int threads = 0);

/// Index [rows][codebooks] of the closest centroid: squared distance in float32, summed up over the sub-vector in order; the
/// lowest index of those within kCloser of each other, as the search meets them.
/// Errors: Usage if rows are not as long as the codebooks say, or these have too many or too few values.
Result<std::vector<std::uint16_t>> closestCentroids(const Rows& rows, const Codebooks& books,
                                                    int threads = 0);

} // namespace pim::lut
