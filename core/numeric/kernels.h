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

/// Two blocks of lines of n elements, and where the products of each line of one with each of the other go.
template <class In, class Out>
struct BlockProduct {
    const In* a = nullptr; ///< [rows][n]
    std::int64_t rows = 0;
    const In* b = nullptr; ///< As the product says.
    std::int64_t columns = 0;
    std::int64_t n = 0;
    Out* out = nullptr; ///< Row r and column c at r * outRow + c * outColumn.
    std::int64_t outRow = 0, outColumn = 1;
};
using IntegerBlocks = BlockProduct<std::int16_t, std::int32_t>;
using RealBlocks = BlockProduct<float, float>;

/// out[r * outRow + c * outColumn] (+)= sum over i of a[r * n + i] * b[c * n + i].
/// \p blocks with n a multiple of kIntegerStep; sums are those of 32 bits that wrap. \param add false: out is written over.
void integerProduct(const IntegerBlocks& blocks, bool add);

/// out[r * outRow + c * outColumn] = sum over i of a[r * n + i] * b[i * kRealColumns + c], c < columns <=
/// kRealColumns.
void realProduct(const RealBlocks& blocks);

/// What machines without wide vectors run; the same numbers.
void integerProductPlain(const IntegerBlocks& blocks, bool add);
void realProductPlain(const RealBlocks& blocks);

} // namespace pim
