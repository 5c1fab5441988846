// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/input_window.h"

#include <algorithm>

namespace pim {

InputWindow inputWindow(const CrossbarLayer& layer, const PixelMap& in, std::size_t input, int y,
                        ColumnSpan span) {
    const PixelWindow* window = nullptr;
    if (const auto* matrix = layer.matrix())
        window = &matrix->window;
    else if (const auto* pool = layer.as<WindowWork>())
        window = &pool->window;
    if (window && window->phases() > 1) { // every row and column a pixel of any phase may read
        const auto up = [](int at, int spread) { return (at >= 0 ? at + spread - 1 : at) / spread; };
        const auto down = [](int at, int spread) { return (at >= 0 ? at : at - spread + 1) / spread; };
        const int top = y - window->padTop, bottom = top + (window->kernelY - 1) * window->dilationY;
        const int left = span.begin - window->padLeft,
                  right = span.end - 1 - window->padLeft + (window->kernelX - 1) * window->dilationX;
        return {up(top, window->spreadY),
                down(bottom, window->spreadY) + 1,
                1,
                {up(left, window->spreadX), down(right, window->spreadX) + 1}};
    }
    if (window) {
        const int top = y * window->strideY - window->padTop;
        const int left = span.begin * window->strideX - window->padLeft;
        return {top,
                top + (window->kernelY - 1) * window->dilationY + 1,
                window->dilationY,
                {left, (span.end - 1) * window->strideX - window->padLeft +
                           (window->kernelX - 1) * window->dilationX + 1}};
    }
    if (in.pixels() == 1 && layer.out.pixels() > 1) // one pixel for all
        return {0, 1, 1, {0, 1}};
    if (const auto* view = layer.as<ViewWork>()) {
        const ViewWork::Rows rows = view->rows[std::size_t(std::min(y, layer.out.height - 1))];
        return {rows.begin, rows.end, 1, {0, in.width}};
    }
    if (layer.as<ConcatWork>() && input < layer.inputs.size())
        return {0, in.height, 1, {0, in.width}};
    return {y, y + 1, 1, span};
}

} // namespace pim
