// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Layers whose products give sums of several windows at once (unfoldings ik,ok,1 and i,ok2,1). A share
/// multiplies each piece of the input once, at the first of its windows that reads it; a window has all its
/// sums when the last piece it reads was multiplied, which is at that window at the latest. [PIMCOMP Table
/// IV] Flow: TaskShare -> [InputPieces] -> rows.
#include "backends/crossbar/schedule/tasks.h"

#include <optional>
#include <span>

namespace pim {

/// What a product multiplies. RowAcrossWindows: of an input row what the windows in one output column read;
/// AllPositions: an input pixel.
struct InputPiece {
    int row = 0;    ///< Of the input.
    int column = 0; ///< Of the input, the first; may be padding.
    int window = 0; ///< Output column of the first window that reads it.
};

class InputPieces {
public:
    /// \p rows: output columns the share computes, as TaskShare::rows; both outlive it.
    InputPieces(const CrossbarLayer& layer, Unfolding unfolding, const std::vector<ColumnSpan>& rows);

    /// Pieces that windows \p span of output row \p y are the first to read, in the order of these windows.
    std::span<const InputPiece> of(int y, ColumnSpan span) const;
    /// Input row before which output row \p y and those after it have no pieces.
    int firstRow(int y) const { return m_firstRow[std::size_t(y)]; }
    std::int64_t count() const { return m_count; }
    /// Input columns of a piece.
    ColumnSpan columns(const InputPiece& piece) const { return {piece.column, piece.column + m_width}; }
    /// Windows a product is for, one a slice of as many columns as there are output channels.
    int slices() const { return m_slices; }
    struct Window {
        int y = 0, x = 0;
    };
    /// Whose sums slice \p slice is part of; none: of no window of the share.
    std::optional<Window> window(const InputPiece& piece, int slice) const;

private:
    void add(int y, const InputPiece& piece, std::vector<bool>& seen, int seenWidth, int seenColumn);

    const PixelWindow& m_window;
    const std::vector<ColumnSpan>& m_rows;
    bool m_byPixel; ///< AllPositions.
    int m_width, m_slices;
    std::vector<std::vector<InputPiece>> m_pieces; ///< [output row]
    std::vector<int> m_firstRow;                   ///< [output row], and one more.
    std::int64_t m_count = 0;
};

/// Products of each array group of a matrix share, over its replicas: windows, or pieces of the input.
std::int64_t productsOf(const CrossbarLayer& layer, const TaskShare& share);

} // namespace pim
