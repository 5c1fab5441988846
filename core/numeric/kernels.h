// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Inner loops of the matrix products: blocks small enough for the caches, in the widest vectors the machine
/// has. Every machine gives the same numbers: integer sums are exact, and each real sum runs over n in
/// ascending order.
#include <cstdint>

namespace pim {

/// Rows are padded with zeros to a multiple of this.
constexpr std::int64_t kIntegerStep = 16;
/// Columns of a packed panel of real weights.
constexpr std::int64_t kRealColumns = 16;

inline std::int64_t paddedLength(std::int64_t n) {
    return (n + kIntegerStep - 1) / kIntegerStep * kIntegerStep;
}

/// out[r * outRow + c * outColumn] (+)= sum over i of a[r * n + i] * b[c * n + i].
/// \param n a multiple of kIntegerStep; sums are those of 32 bits that wrap. \param add false: out is written over.
void integerProduct(const std::int16_t* a, std::int64_t rows, const std::int16_t* b, std::int64_t columns,
                    std::int64_t n, std::int32_t* out, std::int64_t outRow, std::int64_t outColumn, bool add);

/// out[r * outRow + c * outColumn] = sum over i of a[r * n + i] * b[i * kRealColumns + c], c < columns <=
/// kRealColumns.
void realProduct(const float* a, std::int64_t rows, const float* b, std::int64_t columns, std::int64_t n,
                 float* out, std::int64_t outRow, std::int64_t outColumn);

/// What machines without wide vectors run; the same numbers.
void integerProductPlain(const std::int16_t* a, std::int64_t rows, const std::int16_t* b,
                         std::int64_t columns, std::int64_t n, std::int32_t* out, std::int64_t outRow,
                         std::int64_t outColumn, bool add);
void realProductPlain(const float* a, std::int64_t rows, const float* b, std::int64_t columns, std::int64_t n,
                      float* out, std::int64_t outRow, std::int64_t outColumn);

} // namespace pim
