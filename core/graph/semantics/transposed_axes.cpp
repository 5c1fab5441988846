// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/transposed_axes.h"

#include <algorithm>

namespace pim {

std::optional<std::vector<TransposedAxis>> transposedAxes(const Op& op, const Shape& x, const Shape& w,
                                                          const Shape& y) {
    const std::int64_t groups = op.intAttribute("group", 1);
    if (x.size() < 3 || w.size() != x.size() || y.size() != x.size() || groups < 1 || w[0] != x[1] ||
        x[1] % groups != 0 || y[0] != x[0] || y[1] != w[1] * groups)
        return std::nullopt;
    const std::size_t n = x.size() - 2;
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(n, 1));
    const auto dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(n, 1));
    const auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * n, 0));
    const auto extra = op.intsAttribute("output_padding", std::vector<std::int64_t>(n, 0));
    const std::string automatic = op.stringAttribute("auto_pad", "NOTSET");
    const bool fromShape = automatic.starts_with("SAME") || !op.intsAttribute("output_shape", {}).empty();
    if (strides.size() != n || dilations.size() != n || pads.size() != 2 * n || extra.size() != n)
        return std::nullopt;
    std::vector<TransposedAxis> axes;
    for (std::size_t i = 0; i < n; ++i) {
        TransposedAxis axis{x[i + 2], y[i + 2], w[i + 2], strides[i], dilations[i], pads[i]};
        if (axis.stride < 1 || axis.dilation < 1 || axis.kernel < 1)
            return std::nullopt;
        if (fromShape) {
            const std::int64_t all =
                axis.stride * (axis.in - 1) + extra[i] + (axis.kernel - 1) * axis.dilation + 1;
            const std::int64_t cut = std::max<std::int64_t>(0, all - axis.out);
            axis.begin = automatic == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
        } else if (automatic == "VALID") {
            axis.begin = 0;
        }
        axes.push_back(axis);
    }
    return axes;
}

} // namespace pim
