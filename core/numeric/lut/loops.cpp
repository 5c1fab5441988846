// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/lut/loops.h"

#include <algorithm>
#include <cmath>

#define PIM_LUT_INLINE __attribute__((always_inline)) inline

namespace pim::lut {
namespace {

template <class Number>
PIM_LUT_INLINE void distancesTo(const TurnedBook<Number>& book, const Number* point, Number* distances) {
    for (std::int64_t i = 0; i < book.centroids; ++i)
        distances[i] = 0;
    for (std::int64_t v = 0; v < book.length; ++v) {
        const Number x = point[v];
        const Number* const centroids = book.values + v * book.centroids;
        for (std::int64_t i = 0; i < book.centroids; ++i)
            distances[i] += (x - centroids[i]) * (x - centroids[i]);
    }
}

template <class Number>
PIM_LUT_INLINE Number leastOf(const Number* distances, std::int64_t count) {
    constexpr std::int64_t kAbreast = 8;
    Number least[kAbreast];
    const std::int64_t whole = count / kAbreast * kAbreast;
    if (whole == 0)
        return *std::min_element(distances, distances + count);
    for (std::int64_t i = 0; i < kAbreast; ++i)
        least[i] = distances[i];
    for (std::int64_t at = kAbreast; at < whole; at += kAbreast)
        for (std::int64_t i = 0; i < kAbreast; ++i)
            least[i] = distances[at + i] < least[i] ? distances[at + i] : least[i];
    for (std::int64_t i = whole; i < count; ++i)
        least[0] = distances[i] < least[0] ? distances[i] : least[0];
    return *std::min_element(least, least + kAbreast);
}

PIM_LUT_INLINE std::int64_t nearestExact(const TurnedBook<double>& book, const double* point,
                                         double* distances) {
    distancesTo(book, point, distances);
    const double least = leastOf(distances, book.centroids);
    std::int64_t best = 0;
    while (best + 1 < book.centroids &&
           !(distances[best] == least)) // distances that are no numbers end here too
        ++best;
    return best;
}

/// With as many centroids as most codebooks have, all distances stay in registers.
PIM_LUT_INLINE float leastOfSixteen(const TurnedBook<float>& book, const float* point, float* distances) {
    constexpr int kCentroids = 16;
    using Lanes __attribute__((vector_size(32))) = float;
    using LooseLanes __attribute__((vector_size(32), aligned(4))) = float;
    Lanes low = {}, high = {};
    for (std::int64_t v = 0; v < book.length; ++v) {
        const float* const centroids = book.values + v * kCentroids;
        const Lanes apartLow = point[v] - *reinterpret_cast<const LooseLanes*>(centroids);
        const Lanes apartHigh = point[v] - *reinterpret_cast<const LooseLanes*>(centroids + 8);
        low += apartLow * apartLow;
        high += apartHigh * apartHigh;
    }
    *reinterpret_cast<LooseLanes*>(distances) = low;
    *reinterpret_cast<LooseLanes*>(distances + 8) = high;
    Lanes least = low < high ? low : high;
    Lanes other = __builtin_shufflevector(least, least, 4, 5, 6, 7, 0, 1, 2, 3);
    least = least < other ? least : other;
    other = __builtin_shufflevector(least, least, 2, 3, 0, 1, 6, 7, 4, 5);
    least = least < other ? least : other;
    other = __builtin_shufflevector(least, least, 1, 0, 3, 2, 5, 4, 7, 6);
    least = least < other ? least : other;
    return least[0];
}

PIM_LUT_INLINE std::int64_t nearestBeyond(const TurnedBook<float>& book, const float* point, float* distances,
                                          float margin) {
    float least = 0;
    if (book.centroids == 16) {
        least = leastOfSixteen(book, point, distances);
    } else {
        distancesTo(book, point, distances);
        least = leastOf(distances, book.centroids);
    }
    // Where nothing else is near the least, the search below ends at it.
    std::int64_t near = 0, best = 0;
    for (std::int64_t i = 0; i < book.centroids; ++i)
        near += distances[i] - least <= 2 * margin ? 1 : 0;
    if (near == 1) {
        while (distances[best] != least)
            ++best;
        return best;
    }
    for (std::int64_t i = 1; i < book.centroids; ++i)
        if (distances[best] - distances[i] > margin)
            best = i;
    return best;
}

/// Sums of a few features stay in registers while all rows pass.
template <class From, class Sum>
PIM_LUT_INLINE void addRowsTo(const From* const* rows, std::int64_t count, std::int64_t features, Sum* sums) {
    constexpr std::int64_t kFeatures = 32;
    std::int64_t f = 0;
    for (; f + kFeatures <= features; f += kFeatures) {
        Sum part[kFeatures];
        for (std::int64_t i = 0; i < kFeatures; ++i)
            part[i] = sums[f + i];
        for (std::int64_t row = 0; row < count; ++row)
            for (std::int64_t i = 0; i < kFeatures; ++i)
                part[i] += static_cast<Sum>(rows[row][f + i]);
        for (std::int64_t i = 0; i < kFeatures; ++i)
            sums[f + i] = part[i];
    }
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t i = f; i < features; ++i)
            sums[i] += static_cast<Sum>(rows[row][i]);
}

PIM_LUT_INLINE void addRowTo(const float* from, std::int64_t features, float* to) {
    for (std::int64_t f = 0; f < features; ++f)
        to[f] += from[f];
}

PIM_LUT_INLINE void adamOn(const AdamStep& step, const float* gradient, std::int64_t count,
                           const AdamState& state) {
    const float keptMean = step.mean, keptSquare = step.square;
    for (std::int64_t i = 0; i < count; ++i) {
        const float g = gradient[i];
        const float mean = keptMean * state.mean[i] + (1 - keptMean) * g;
        const float square = keptSquare * state.square[i] + (1 - keptSquare) * g * g;
        state.mean[i] = mean;
        state.square[i] = square;
        state.parameters[i] -= step.factor * mean / (std::sqrt(square) + step.tiny);
    }
}

#if defined(__x86_64__)
// No FMA: it rounds differently, and all machines shall give the same numbers.
#define PIM_LUT_WIDE __attribute__((target("avx2,no-fma")))
const bool kWide = __builtin_cpu_supports("avx2");
PIM_LUT_WIDE std::int64_t nearestWide(const TurnedBook<double>& book, const double* point,
                                      double* distances) {
    return nearestExact(book, point, distances);
}
PIM_LUT_WIDE std::int64_t nearestWide(const TurnedBook<float>& book, const float* point, float* distances,
                                      float margin) {
    return nearestBeyond(book, point, distances, margin);
}
PIM_LUT_WIDE void addRowsWide(const float* const* rows, std::int64_t count, std::int64_t features,
                              double* sums) {
    addRowsTo(rows, count, features, sums);
}
PIM_LUT_WIDE void addRowsWide(const float* const* rows, std::int64_t count, std::int64_t features,
                              float* sums) {
    addRowsTo(rows, count, features, sums);
}
PIM_LUT_WIDE void addRowsWide(const std::int8_t* const* rows, std::int64_t count, std::int64_t features,
                              std::int32_t* sums) {
    addRowsTo(rows, count, features, sums);
}
PIM_LUT_WIDE void addRowWide(const float* from, std::int64_t features, float* to) {
    addRowTo(from, features, to);
}
PIM_LUT_WIDE void adamWide(const AdamStep& step, const float* gradient, std::int64_t count,
                           const AdamState& state) {
    adamOn(step, gradient, count, state);
}
#define PIM_LUT_CHOOSE(wide, plain) return kWide ? wide : plain
#else
#define PIM_LUT_CHOOSE(wide, plain) return plain
#endif

} // namespace

std::int64_t nearest(const TurnedBook<double>& book, const double* point, double* distances) {
    PIM_LUT_CHOOSE(nearestWide(book, point, distances), nearestExact(book, point, distances));
}
std::int64_t nearest(const TurnedBook<float>& book, const float* point, float* distances, float margin) {
    PIM_LUT_CHOOSE(nearestWide(book, point, distances, margin),
                   nearestBeyond(book, point, distances, margin));
}
void addRows(const float* const* rows, std::int64_t count, std::int64_t features, double* sums) {
    PIM_LUT_CHOOSE(addRowsWide(rows, count, features, sums), addRowsTo(rows, count, features, sums));
}
void addRows(const float* const* rows, std::int64_t count, std::int64_t features, float* sums) {
    PIM_LUT_CHOOSE(addRowsWide(rows, count, features, sums), addRowsTo(rows, count, features, sums));
}
void addRows(const std::int8_t* const* rows, std::int64_t count, std::int64_t features, std::int32_t* sums) {
    PIM_LUT_CHOOSE(addRowsWide(rows, count, features, sums), addRowsTo(rows, count, features, sums));
}
void addRow(const float* from, std::int64_t features, float* to) {
    PIM_LUT_CHOOSE(addRowWide(from, features, to), addRowTo(from, features, to));
}
void adam(const AdamStep& step, const float* gradient, std::int64_t count, const AdamState& state) {
    PIM_LUT_CHOOSE(adamWide(step, gradient, count, state), adamOn(step, gradient, count, state));
}

} // namespace pim::lut
