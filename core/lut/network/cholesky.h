// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Systems of a few thousand equations with a symmetric positive definite matrix, in float32 with the blocked products of
/// core/numeric/kernels.h: the same numbers on every machine and with any number of threads.
#include <cstdint>
#include <span>
#include <vector>

namespace pim::lut {

/// Lower triangle L with L x transposed L = A, Golub and Van Loan, Matrix Computations, algorithm 4.2.2 in block rows.
class Cholesky {
public:
    /// \param matrix [size, size], row-major; only its lower triangle is read. \p ridge is added to its diagonal.
    Cholesky(std::span<const float> matrix, std::int64_t size, std::int64_t stride, float ridge, int threads);
    /// False: it is not positive definite to the digits of float32.
    bool isGood() const { return m_good; }
    /// Solves in place. \param right [size, columns].
    void solve(std::span<float> right, std::int64_t columns) const;

private:
    std::int64_t m_size;
    int m_threads;
    bool m_good = true;
    std::vector<float> m_lower; ///< [size, size]
};

} // namespace pim::lut
