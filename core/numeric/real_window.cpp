// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling, and normalisation across neighbouring channels.
#include "core/base/parallel.h"
#include "core/numeric/real_ops.h"

#include <cmath>
#include <limits>

namespace pim::numeric {

namespace {

struct PoolAxis {
    std::int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, begin = 0, end = 0;
};

/// Window geometry of one or two spatial axes, as rows and columns.
std::optional<std::pair<PoolAxis, PoolAxis>> poolAxes(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    if (x.size() < 3 || x.size() > 4 || y.size() != x.size())
        return std::nullopt;
    const std::size_t n = x.size() - 2;
    const auto kernel = call.op.intsAttribute("kernel_shape", {});
    const auto strides = call.op.intsAttribute("strides", std::vector<std::int64_t>(n, 1));
    const auto dilations = call.op.intsAttribute("dilations", std::vector<std::int64_t>(n, 1));
    const auto pads = call.op.intsAttribute("pads", std::vector<std::int64_t>(2 * n, 0));
    const std::string autoPad = call.op.stringAttribute("auto_pad", "NOTSET");
    if (kernel.size() != n || strides.size() != n || dilations.size() != n || pads.size() != 2 * n)
        return std::nullopt;
    PoolAxis axes[2];
    for (std::size_t i = 0; i < n; ++i) {
        PoolAxis& a = axes[2 - n + i];
        a = {x[i + 2], y[i + 2], kernel[i], strides[i], dilations[i], pads[i], pads[i + n]};
        if (autoPad == "VALID") {
            a.begin = a.end = 0;
        } else if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
            const std::int64_t total =
                std::max<std::int64_t>(0, (a.out - 1) * a.stride + a.dilation * (a.kernel - 1) + 1 - a.in);
            a.begin = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            a.end = total - a.begin;
        }
    }
    return std::pair(axes[0], axes[1]);
}

RealAnswer pool(const RealCall& call, bool average) {
    const auto axes = poolAxes(call);
    if (!axes)
        return std::nullopt;
    const auto& [rows, columns] = *axes;
    const bool padCounts = call.op.intAttribute("count_include_pad", 0) != 0;
    Fresh<float> out(DataType::F32, call.out[0].shape);
    const auto in = call.reals(0);
    const std::int64_t planeIn = rows.in * columns.in, planeOut = rows.out * columns.out;
    const std::int64_t planes = planeOut > 0 ? static_cast<std::int64_t>(out.data.size()) / planeOut : 0;
    parallelFor(static_cast<std::size_t>(planes), call.threads, [&](std::size_t p) {
        const float* from = in.data() + static_cast<std::int64_t>(p) * planeIn;
        float* to = out.data.data() + static_cast<std::int64_t>(p) * planeOut;
        for (std::int64_t oy = 0; oy < rows.out; ++oy)
            for (std::int64_t ox = 0; ox < columns.out; ++ox) {
                float best = -std::numeric_limits<float>::infinity(), sum = 0;
                std::int64_t count = 0;
                for (std::int64_t ky = 0; ky < rows.kernel; ++ky) {
                    const std::int64_t y = oy * rows.stride - rows.begin + ky * rows.dilation;
                    for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
                        const std::int64_t x = ox * columns.stride - columns.begin + kx * columns.dilation;
                        if (y >= 0 && y < rows.in && x >= 0 && x < columns.in) {
                            const float v = from[y * columns.in + x];
                            best = std::max(best, v);
                            sum += v;
                            ++count;
                        } else if (padCounts && y < rows.in + rows.end && x < columns.in + columns.end) {
                            ++count; // what lies behind the padding (rounding up) never counts
                        }
                    }
                }
                to[oy * columns.out + ox] =
                    average ? sum / static_cast<float>(std::max<std::int64_t>(count, 1)) : best;
            }
    });
    return single(out.value);
}

/// y = x / (bias + alpha / size * sum of squares over `size` channels)^beta
RealAnswer localResponse(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    if (shape.size() < 2)
        return std::nullopt;
    const std::int64_t size = call.op.intAttribute("size", 1);
    const auto alpha = static_cast<float>(call.op.floatAttribute("alpha", 1e-4)),
               beta = static_cast<float>(call.op.floatAttribute("beta", 0.75)),
               bias = static_cast<float>(call.op.floatAttribute("bias", 1));
    const AxisSplit s = splitAt(shape, 1);
    Fresh<float> out(DataType::F32, shape);
    const auto in = call.reals(0);
    parallelFor(static_cast<std::size_t>(s.outer * s.extent), call.threads, [&](std::size_t i) {
        const std::int64_t c = static_cast<std::int64_t>(i) % s.extent,
                           image = static_cast<std::int64_t>(i) / s.extent;
        const std::int64_t first = std::max<std::int64_t>(0, c - (size - 1) / 2),
                           last = std::min(s.extent - 1, c + size / 2);
        for (std::int64_t j = 0; j < s.inner; ++j) {
            float sum = 0;
            for (std::int64_t o = first; o <= last; ++o) {
                const float v = in[static_cast<std::size_t>((image * s.extent + o) * s.inner + j)];
                sum += v * v;
            }
            const auto at = i * static_cast<std::size_t>(s.inner) + static_cast<std::size_t>(j);
            out.data[at] = in[at] / std::pow(bias + alpha / static_cast<float>(size) * sum, beta);
        }
    });
    return single(out.value);
}

} // namespace

RealAnswer runWindow(const RealCall& call) {
    const Op& op = call.op;
    if (!op.domain.empty() || !call.real(0))
        return std::nullopt;
    if (op.type == "MaxPool" || op.type == "AveragePool")
        return pool(call, op.type == "AveragePool");
    if (op.type == "LRN")
        return localResponse(call);
    return std::nullopt;
}

} // namespace pim::numeric
