// SPDX-License-Identifier: GPL-3.0-or-later
// Written so that the compiler vectorises: fixed counts of sums, one loop. The bodies are compiled twice, for
// every x86-64 and for AVX2, and chosen at run time.
#include "core/numeric/kernels.h"

namespace pim {

namespace {

#define PIM_INLINE inline __attribute__((always_inline))

template <int Rows, int Columns>
PIM_INLINE void integerTile(const std::int16_t* __restrict a, const std::int16_t* __restrict b,
                            std::int64_t n, std::int32_t* out, std::int64_t outRow, std::int64_t outColumn,
                            bool add) {
    std::int32_t sums[Rows][Columns] = {};
    for (std::int64_t i = 0; i < n; ++i)
        for (int r = 0; r < Rows; ++r)
            for (int c = 0; c < Columns; ++c)
                sums[r][c] += std::int32_t(a[r * n + i]) * std::int32_t(b[c * n + i]);
    for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Columns; ++c) {
            std::int32_t& target = out[r * outRow + c * outColumn];
            target = add ? target + sums[r][c] : sums[r][c];
        }
}

PIM_INLINE void integerBody(const std::int16_t* a, std::int64_t rows, const std::int16_t* b,
                            std::int64_t columns, std::int64_t n, std::int32_t* out, std::int64_t outRow,
                            std::int64_t outColumn, bool add) {
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        std::int64_t c = 0;
        for (; c + 2 <= columns; c += 2)
            integerTile<4, 2>(a + r * n, b + c * n, n, out + r * outRow + c * outColumn, outRow, outColumn,
                              add);
        for (; c < columns; ++c)
            integerTile<4, 1>(a + r * n, b + c * n, n, out + r * outRow + c * outColumn, outRow, outColumn,
                              add);
    }
    for (; r < rows; ++r) {
        std::int64_t c = 0;
        for (; c + 4 <= columns; c += 4)
            integerTile<1, 4>(a + r * n, b + c * n, n, out + r * outRow + c * outColumn, outRow, outColumn,
                              add);
        for (; c < columns; ++c)
            integerTile<1, 1>(a + r * n, b + c * n, n, out + r * outRow + c * outColumn, outRow, outColumn,
                              add);
    }
}

/// Eight lanes; on machines with shorter vectors the compiler splits them.
using Lanes = float __attribute__((vector_size(32)));
using LooseLanes = float __attribute__((vector_size(32), aligned(4), may_alias));
static_assert(kRealColumns == 16);

template <int Rows>
PIM_INLINE void realTile(const float* __restrict a, const float* __restrict b, std::int64_t columns,
                         std::int64_t n, float* out, std::int64_t outRow, std::int64_t outColumn) {
    Lanes low[Rows] = {}, high[Rows] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        const Lanes left = *reinterpret_cast<const LooseLanes*>(b + i * kRealColumns);
        const Lanes right = *reinterpret_cast<const LooseLanes*>(b + i * kRealColumns + 8);
        for (int r = 0; r < Rows; ++r) {
            low[r] += a[r * n + i] * left;
            high[r] += a[r * n + i] * right;
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            out[r * outRow + c * outColumn] = c < 8 ? low[r][c] : high[r][c - 8];
}

PIM_INLINE void realBody(const float* a, std::int64_t rows, const float* b, std::int64_t columns,
                         std::int64_t n, float* out, std::int64_t outRow, std::int64_t outColumn) {
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4)
        realTile<4>(a + r * n, b, columns, n, out + r * outRow, outRow, outColumn);
    for (; r < rows; ++r)
        realTile<1>(a + r * n, b, columns, n, out + r * outRow, outRow, outColumn);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void integerAvx2(const std::int16_t* a, std::int64_t rows,
                                                 const std::int16_t* b, std::int64_t columns, std::int64_t n,
                                                 std::int32_t* out, std::int64_t outRow,
                                                 std::int64_t outColumn, bool add) {
    integerBody(a, rows, b, columns, n, out, outRow, outColumn, add);
}
// No FMA: it rounds differently, and all machines shall give the same numbers.
__attribute__((target("avx2,no-fma"))) void realAvx2(const float* a, std::int64_t rows, const float* b,
                                                     std::int64_t columns, std::int64_t n, float* out,
                                                     std::int64_t outRow, std::int64_t outColumn) {
    realBody(a, rows, b, columns, n, out, outRow, outColumn);
}
const bool kAvx2 = __builtin_cpu_supports("avx2");
#endif

} // namespace

void integerProduct(const std::int16_t* a, std::int64_t rows, const std::int16_t* b, std::int64_t columns,
                    std::int64_t n, std::int32_t* out, std::int64_t outRow, std::int64_t outColumn,
                    bool add) {
#if defined(__x86_64__)
    if (kAvx2)
        return integerAvx2(a, rows, b, columns, n, out, outRow, outColumn, add);
#endif
    integerProductPlain(a, rows, b, columns, n, out, outRow, outColumn, add);
}

void realProduct(const float* a, std::int64_t rows, const float* b, std::int64_t columns, std::int64_t n,
                 float* out, std::int64_t outRow, std::int64_t outColumn) {
#if defined(__x86_64__)
    if (kAvx2)
        return realAvx2(a, rows, b, columns, n, out, outRow, outColumn);
#endif
    realProductPlain(a, rows, b, columns, n, out, outRow, outColumn);
}

void integerProductPlain(const std::int16_t* a, std::int64_t rows, const std::int16_t* b,
                         std::int64_t columns, std::int64_t n, std::int32_t* out, std::int64_t outRow,
                         std::int64_t outColumn, bool add) {
    integerBody(a, rows, b, columns, n, out, outRow, outColumn, add);
}

void realProductPlain(const float* a, std::int64_t rows, const float* b, std::int64_t columns, std::int64_t n,
                      float* out, std::int64_t outRow, std::int64_t outColumn) {
    realBody(a, rows, b, columns, n, out, outRow, outColumn);
}

} // namespace pim
