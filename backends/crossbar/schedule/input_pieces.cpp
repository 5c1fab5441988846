// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/input_pieces.h"

#include <algorithm>

namespace pim {
namespace {

/// Output row or column whose window has input \p from at place \p k of the kernel; -1: none.
int windowAt(int from, int k, int stride, int pad, int dilation) {
    const int at = from + pad - k * dilation;
    return at >= 0 && at % stride == 0 ? at / stride : -1;
}

} // namespace

InputPieces::InputPieces(const CrossbarLayer& layer, Unfolding unfolding, const std::vector<ColumnSpan>& rows)
    : m_window(layer.matrix()->window), m_rows(rows), m_byPixel(unfolding == Unfolding::AllPositions),
      m_width(m_byPixel ? 1 : (m_window.kernelX - 1) * m_window.dilationX + 1),
      m_slices(m_byPixel ? m_window.kernel() : m_window.kernelY), m_pieces(rows.size()),
      m_firstRow(rows.size() + 1, layer.in.height) {
    const PixelWindow& w = m_window;
    const int seenWidth = m_byPixel ? layer.in.width : layer.out.width;
    std::vector<bool> seen(std::size_t(layer.in.height) * std::size_t(seenWidth), false);
    for (int y = 0; y < std::ssize(rows); ++y)
        for (int x = rows[std::size_t(y)].begin; x < rows[std::size_t(y)].end; ++x)
            for (int ky = 0; ky < w.kernelY; ++ky) {
                const int row = y * w.strideY - w.padTop + ky * w.dilationY, left = x * w.strideX - w.padLeft;
                if (row < 0 || row >= layer.in.height)
                    continue;
                for (int kx = 0; kx < (m_byPixel ? w.kernelX : 1); ++kx)
                    if (const int column = left + kx * w.dilationX;
                        !m_byPixel || (column >= 0 && column < layer.in.width))
                        add(y, {row, column, x}, seen, seenWidth, m_byPixel ? column : x);
            }
    for (std::size_t y = rows.size(); y-- > 0;) {
        m_firstRow[y] = m_firstRow[y + 1];
        for (const InputPiece& piece : m_pieces[y])
            m_firstRow[y] = std::min(m_firstRow[y], piece.row);
    }
}

void InputPieces::add(int y, const InputPiece& piece, std::vector<bool>& seen, int seenWidth,
                      int seenColumn) {
    const std::size_t at = std::size_t(piece.row) * std::size_t(seenWidth) + std::size_t(seenColumn);
    if (seen[at])
        return;
    seen[at] = true;
    m_pieces[std::size_t(y)].push_back(piece);
    ++m_count;
}

std::span<const InputPiece> InputPieces::of(int y, ColumnSpan span) const {
    const auto& pieces = m_pieces[std::size_t(y)];
    return {std::ranges::lower_bound(pieces, span.begin, {}, &InputPiece::window),
            std::ranges::lower_bound(pieces, span.end, {}, &InputPiece::window)};
}

std::optional<InputPieces::Window> InputPieces::window(const InputPiece& piece, int slice) const {
    const PixelWindow& w = m_window;
    const int ky = m_byPixel ? slice / w.kernelX : slice;
    const int y = windowAt(piece.row, ky, w.strideY, w.padTop, w.dilationY);
    const int x = m_byPixel ? windowAt(piece.column, slice % w.kernelX, w.strideX, w.padLeft, w.dilationX)
                            : piece.window;
    if (y < 0 || y >= std::ssize(m_rows) || x < m_rows[std::size_t(y)].begin ||
        x >= m_rows[std::size_t(y)].end)
        return std::nullopt;
    return Window{y, x};
}

std::int64_t productsOf(const CrossbarLayer& layer, const TaskShare& share) {
    if (spansWindows(*layer.matrix(), share.unfolding))
        return InputPieces(layer, share.unfolding, share.rows).count();
    std::int64_t windows = 0;
    for (const ColumnSpan span : share.rows)
        windows += span.size();
    return windows;
}

} // namespace pim
