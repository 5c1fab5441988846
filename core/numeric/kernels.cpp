// SPDX-License-Identifier: GPL-3.0-or-later
// Written so that the compiler vectorises: fixed counts of sums, one loop. The bodies are compiled twice, for
// every x86-64 and for AVX2, and chosen at run time.
#include "core/numeric/kernels.h"

namespace pim {

namespace {

#define PIM_INLINE inline __attribute__((always_inline))

/// Rows from \p row and columns from \p column on.
template <int Rows, int Columns>
PIM_INLINE void integerTile(const IntegerBlocks& of, std::int64_t row, std::int64_t column, bool add) {
    const std::int64_t n = of.n;
    const std::int16_t *a = of.a + row * n, *b = of.b + column * n;
    std::int32_t sums[Rows][Columns] = {};
    for (std::int64_t i = 0; i < n; ++i)
        for (int r = 0; r < Rows; ++r)
            for (int c = 0; c < Columns; ++c)
                sums[r][c] += std::int32_t(a[r * n + i]) * std::int32_t(b[c * n + i]);
    for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Columns; ++c) {
            std::int32_t& target = of.out[(row + r) * of.outRow + (column + c) * of.outColumn];
            target = add ? target + sums[r][c] : sums[r][c];
        }
}

PIM_INLINE void integerBody(const IntegerBlocks& of, bool add) {
    std::int64_t r = 0;
    for (; r + 4 <= of.rows; r += 4) {
        std::int64_t c = 0;
        for (; c + 2 <= of.columns; c += 2)
            integerTile<4, 2>(of, r, c, add);
        for (; c < of.columns; ++c)
            integerTile<4, 1>(of, r, c, add);
    }
    for (; r < of.rows; ++r) {
        std::int64_t c = 0;
        for (; c + 4 <= of.columns; c += 4)
            integerTile<1, 4>(of, r, c, add);
        for (; c < of.columns; ++c)
            integerTile<1, 1>(of, r, c, add);
    }
}

/// Eight lanes; on machines with shorter vectors the compiler splits them.
using Lanes = float __attribute__((vector_size(32)));
using LooseLanes = float __attribute__((vector_size(32), aligned(4), may_alias));
static_assert(kRealColumns == 16);

template <int Rows>
PIM_INLINE void realTile(const RealBlocks& of, std::int64_t row) {
    const std::int64_t n = of.n;
    const float *a = of.a + row * n, *b = of.b;
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
        for (std::int64_t c = 0; c < of.columns; ++c)
            of.out[(row + r) * of.outRow + c * of.outColumn] = c < 8 ? low[r][c] : high[r][c - 8];
}

PIM_INLINE void realBody(const RealBlocks& of) {
    std::int64_t r = 0;
    for (; r + 4 <= of.rows; r += 4)
        realTile<4>(of, r);
    for (; r < of.rows; ++r)
        realTile<1>(of, r);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void integerAvx2(const IntegerBlocks& of, bool add) {
    integerBody(of, add);
}
// No FMA: it rounds differently, and all machines shall give the same numbers.
__attribute__((target("avx2,no-fma"))) void realAvx2(const RealBlocks& of) {
    realBody(of);
}
const bool kAvx2 = __builtin_cpu_supports("avx2");
#endif

} // namespace

void integerProduct(const IntegerBlocks& blocks, bool add) {
#if defined(__x86_64__)
    if (kAvx2)
        return integerAvx2(blocks, add);
#endif
    integerProductPlain(blocks, add);
}

void realProduct(const RealBlocks& blocks) {
#if defined(__x86_64__)
    if (kAvx2)
        return realAvx2(blocks);
#endif
    realProductPlain(blocks);
}

void integerProductPlain(const IntegerBlocks& blocks, bool add) {
    integerBody(blocks, add);
}

void realProductPlain(const RealBlocks& blocks) {
    realBody(blocks);
}

} // namespace pim
