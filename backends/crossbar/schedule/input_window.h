// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What of its inputs a stretch of an output row reads.
#include "backends/crossbar/network.h"

namespace pim {

/// Columns [begin, end) of one row.
struct ColumnSpan {
    int begin = 0, end = 0;
    bool empty() const { return end <= begin; }
    int size() const { return empty() ? 0 : end - begin; }
    ColumnSpan within(ColumnSpan other) const {
        return {begin > other.begin ? begin : other.begin, end < other.end ? end : other.end};
    }
    void include(ColumnSpan other) {
        if (other.empty())
            return;
        if (empty()) {
            *this = other;
            return;
        }
        begin = begin < other.begin ? begin : other.begin;
        end = end > other.end ? end : other.end;
    }

    friend bool operator==(const ColumnSpan&, const ColumnSpan&) = default;
};

/// Rows and columns of input \p input that output row \p y, columns \p span of \p layer read: columns with padding, rows clipped
/// to the map. Of a transposed convolution none may be read at all: then ends are beginnings.
struct InputWindow {
    int rowBegin = 0, rowEnd = 0; ///< Of the kernel, not clipped: may lie outside.
    int rowStep = 1;
    ColumnSpan columns; ///< Not clipped.
};
InputWindow inputWindow(const CrossbarLayer& layer, const PixelMap& in, std::size_t input, int y,
                        ColumnSpan span);

} // namespace pim
