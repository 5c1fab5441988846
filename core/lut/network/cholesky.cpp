// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/cholesky.h"

#include "core/base/parallel.h"
#include "core/numeric/kernels.h"

#include <algorithm>
#include <cmath>

namespace pim::lut {
namespace {

constexpr std::int64_t kBlock = 64; ///< Rows and columns; a multiple of kRealColumns.

std::size_t place(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// A block of a matrix, row after row.
struct Block {
    float* first;
    std::int64_t rows, columns, stride;
};

/// Subtracts rows [block.rows, n] x columns of packed panels.
void subtractProduct(const float* rows, const float* panels, std::int64_t n, const Block& block) {
    float product[kBlock * kRealColumns];
    for (std::int64_t c = 0; c < block.columns; c += kRealColumns) {
        const std::int64_t width = std::min(kRealColumns, block.columns - c);
        realProduct({rows, block.rows, panels + c * n, width, n, product, kRealColumns, 1});
        for (std::int64_t r = 0; r < block.rows; ++r)
            for (std::int64_t i = 0; i < width; ++i)
                block.first[r * block.stride + c + i] -= product[r * kRealColumns + i];
    }
}

} // namespace

Cholesky::Cholesky(std::span<const float> matrix, std::int64_t size, std::int64_t stride, float ridge,
                   int threads)
    : m_size(size), m_threads(threads), m_lower(place(size * size)) {
    for (std::int64_t i = 0; i < size; ++i) {
        std::copy_n(&matrix[place(i * stride)], i + 1, &m_lower[place(i * size)]);
        m_lower[place(i * size + i)] += ridge;
    }
    std::vector<float> panels(place(size * kBlock));
    for (std::int64_t first = 0; first < size && m_good; first += kBlock) {
        const std::int64_t width = std::min(kBlock, size - first);
        // The rows of this block, turned, [first][kRealColumns] a panel.
        for (std::int64_t c = 0; c < width; ++c)
            for (std::int64_t i = 0; i < first; ++i)
                panels[place((c / kRealColumns * first + i) * kRealColumns + c % kRealColumns)] =
                    m_lower[place((first + c) * size + i)];
        const auto update = [&](std::int64_t begin, std::int64_t count) {
            if (first == 0)
                return;
            std::vector<float> rows(place(count * first));
            for (std::int64_t r = 0; r < count; ++r)
                std::copy_n(&m_lower[place((begin + r) * size)], first, &rows[place(r * first)]);
            subtractProduct(rows.data(), panels.data(), first,
                            {&m_lower[place(begin * size + first)], count, width, size});
        };
        update(first, width);
        for (std::int64_t j = first; j < first + width && m_good; ++j)
            for (std::int64_t i = j; i < first + width; ++i) {
                double sum = m_lower[place(i * size + j)];
                for (std::int64_t k = first; k < j; ++k)
                    sum -= double(m_lower[place(i * size + k)]) * double(m_lower[place(j * size + k)]);
                m_good = m_good && (i != j || sum > 0);
                m_lower[place(i * size + j)] = static_cast<float>(
                    i == j ? std::sqrt(std::max(sum, 0.0)) : sum / double(m_lower[place(j * size + j)]));
            }
        if (!m_good)
            return;
        const std::int64_t below = size - first - width;
        parallelFor(place((below + kBlock - 1) / kBlock), threads, [&](std::size_t number) {
            const std::int64_t begin = first + width + static_cast<std::int64_t>(number) * kBlock;
            const std::int64_t count = std::min(kBlock, size - begin);
            update(begin, count);
            for (std::int64_t i = begin; i < begin + count; ++i) {
                float* const row = &m_lower[place(i * size)];
                for (std::int64_t j = first; j < first + width; ++j) {
                    const float* const pivot = &m_lower[place(j * size)];
                    float sum = row[j];
                    for (std::int64_t k = first; k < j; ++k)
                        sum -= row[k] * pivot[k];
                    row[j] = sum / pivot[j];
                }
            }
        });
    }
}

void Cholesky::solve(std::span<float> right, std::int64_t columns) const {
    const std::int64_t groups = (columns + kRealColumns - 1) / kRealColumns;
    const std::int64_t blocks = (m_size + kBlock - 1) / kBlock;
    // Factors of the two triangular systems as blocks of rows, shared by all columns.
    parallelFor(place(groups), m_threads, [&](std::size_t group) {
        const std::int64_t column = static_cast<std::int64_t>(group) * kRealColumns;
        const std::int64_t width = std::min(kRealColumns, columns - column);
        std::vector<float> x(place(m_size * kRealColumns)), rows(place(m_size * kBlock));
        for (std::int64_t i = 0; i < m_size; ++i)
            std::copy_n(&right[place(i * columns + column)], width, &x[place(i * kRealColumns)]);
        for (std::int64_t block = 0; block < blocks; ++block) {
            const std::int64_t first = block * kBlock, count = std::min(kBlock, m_size - first);
            for (std::int64_t r = 0; r < count && first > 0; ++r)
                std::copy_n(&m_lower[place((first + r) * m_size)], first, &rows[place(r * first)]);
            if (first > 0)
                subtractProduct(rows.data(), x.data(), first,
                                {&x[place(first * kRealColumns)], count, kRealColumns, kRealColumns});
            for (std::int64_t i = first; i < first + count; ++i) {
                float* const to = &x[place(i * kRealColumns)];
                for (std::int64_t k = first; k < i; ++k)
                    for (std::int64_t c = 0; c < kRealColumns; ++c)
                        to[c] -= m_lower[place(i * m_size + k)] * x[place(k * kRealColumns + c)];
                for (std::int64_t c = 0; c < kRealColumns; ++c)
                    to[c] /= m_lower[place(i * m_size + i)];
            }
        }
        for (std::int64_t block = blocks; block-- > 0;) {
            const std::int64_t first = block * kBlock, count = std::min(kBlock, m_size - first);
            const std::int64_t end = first + count, below = m_size - end;
            for (std::int64_t k = 0; k < below; ++k)
                for (std::int64_t r = 0; r < count; ++r)
                    rows[place(r * below + k)] = m_lower[place((end + k) * m_size + first + r)];
            if (below > 0)
                subtractProduct(rows.data(), &x[place(end * kRealColumns)], below,
                                {&x[place(first * kRealColumns)], count, kRealColumns, kRealColumns});
            for (std::int64_t i = end; i-- > first;) {
                float* const to = &x[place(i * kRealColumns)];
                for (std::int64_t k = i + 1; k < end; ++k)
                    for (std::int64_t c = 0; c < kRealColumns; ++c)
                        to[c] -= m_lower[place(k * m_size + i)] * x[place(k * kRealColumns + c)];
                for (std::int64_t c = 0; c < kRealColumns; ++c)
                    to[c] /= m_lower[place(i * m_size + i)];
            }
        }
        for (std::int64_t i = 0; i < m_size; ++i)
            std::copy_n(&x[place(i * kRealColumns)], width, &right[place(i * columns + column)]);
    });
}

} // namespace pim::lut
