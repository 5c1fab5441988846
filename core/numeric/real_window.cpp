// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling, transposed convolution, and normalisation across neighbouring channels.
#include "core/base/parallel.h"
#include "core/graph/semantics/transposed_axes.h"
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

enum class PoolKind : std::uint8_t { Average, Largest, Norm };

/// Where in the whole input the largest element of each window is, the first if there are several.
Value largestPlaces(const RealCall& call, const PoolAxis& rows, const PoolAxis& columns) {
    const bool byColumns = call.op.intAttribute("storage_order", 0) != 0;
    Fresh<std::int64_t> places(DataType::I64, call.out[0].shape);
    const auto in = call.reals(0);
    const std::int64_t planeIn = rows.in * columns.in, planeOut = rows.out * columns.out;
    for (std::int64_t i = 0; i < std::ssize(places.data); ++i) {
        const std::int64_t plane = i / planeOut, oy = i % planeOut / columns.out, ox = i % columns.out;
        std::int64_t best = -1;
        float largest = 0;
        for (std::int64_t ky = 0; ky < rows.kernel; ++ky)
            for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
                const std::int64_t y = oy * rows.stride - rows.begin + ky * rows.dilation,
                                   x = ox * columns.stride - columns.begin + kx * columns.dilation;
                if (y < 0 || y >= rows.in || x < 0 || x >= columns.in)
                    continue;
                const float v = in[static_cast<std::size_t>(plane * planeIn + y * columns.in + x)];
                if (best < 0 || v > largest) {
                    largest = v;
                    best = byColumns ? x * rows.in + y : y * columns.in + x;
                }
            }
        places.data[static_cast<std::size_t>(i)] = plane * planeIn + best;
    }
    return places.value;
}

RealAnswer pool(const RealCall& call, PoolKind kind) {
    const double power = static_cast<double>(call.op.intAttribute("p", 2));
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
                            sum +=
                                kind == PoolKind::Norm ? static_cast<float>(std::pow(std::abs(v), power)) : v;
                            ++count;
                        } else if (padCounts && y < rows.in + rows.end && x < columns.in + columns.end) {
                            ++count; // what lies behind the padding (rounding up) never counts
                        }
                    }
                }
                to[oy * columns.out + ox] =
                    kind == PoolKind::Average ? sum / static_cast<float>(std::max<std::int64_t>(count, 1))
                    : kind == PoolKind::Norm  ? static_cast<float>(std::pow(sum, 1 / power))
                                              : best;
            }
    });
    std::vector<Value> results{out.value};
    if (call.out.size() > 1 && call.out[1].dtype == DataType::I64)
        results.push_back(largestPlaces(call, rows, columns));
    return results;
}

/// Outputs of one axis that place \p k of the kernel reaches, as inputs [first, end).
std::pair<std::int64_t, std::int64_t> inputsAt(const TransposedAxis& axis, std::int64_t k) {
    const std::int64_t shift = k * axis.dilation - axis.begin; // i * stride + shift in [0, out)
    const std::int64_t first = shift >= 0 ? 0 : (-shift + axis.stride - 1) / axis.stride;
    const std::int64_t end = shift >= axis.out ? 0 : (axis.out - 1 - shift) / axis.stride + 1;
    return {first, std::min(end, axis.in)};
}

/// Adds \p weight times a plane of the input to a plane of the output, shifted by one place of the kernel.
void addShifted(const TransposedAxis (&axes)[3], const std::int64_t (&place)[3], const float* in,
                float weight, float* out) {
    std::pair<std::int64_t, std::int64_t> reach[3];
    for (std::size_t i = 0; i < 3; ++i)
        reach[i] = inputsAt(axes[i], place[i]);
    const auto at = [&](std::size_t axis, std::int64_t i) {
        return i * axes[axis].stride + place[axis] * axes[axis].dilation - axes[axis].begin;
    };
    for (std::int64_t z = reach[0].first; z < reach[0].second; ++z)
        for (std::int64_t y = reach[1].first; y < reach[1].second; ++y) {
            const float* from = in + (z * axes[1].in + y) * axes[2].in;
            float* to = out + (at(0, z) * axes[1].out + at(1, y)) * axes[2].out;
            for (std::int64_t x = reach[2].first; x < reach[2].second; ++x)
                to[at(2, x)] += weight * from[x];
        }
}

/// Each input element times the kernel is added to the output, one to three spatial axes; sums run over input
/// channels, then places of the kernel, then come to the bias.
RealAnswer transposedConvolution(const RealCall& call) {
    if (!call.real(0) || !call.real(1) || call.in[0].shape.size() > 5)
        return std::nullopt;
    const Shape &x = call.in[0].shape, &w = call.in[1].shape, &y = call.out[0].shape;
    const auto spatial = transposedAxes(call.op, x, w, y);
    if (!spatial || (call.has(2) && (!call.real(2) || call.in[2].count() != y[1])))
        return std::nullopt;
    TransposedAxis axes[3];
    std::copy(spatial->begin(), spatial->end(), axes + 3 - spatial->size());
    const std::int64_t groups = call.op.intAttribute("group", 1), ins = x[1] / groups, outs = w[1];
    std::int64_t planeIn = 1, planeOut = 1, kernel = 1;
    for (const TransposedAxis& axis : axes) {
        planeIn *= axis.in;
        planeOut *= axis.out;
        kernel *= axis.kernel;
    }
    Fresh<float> out(DataType::F32, y);
    const auto in = call.reals(0), weights = call.reals(1);
    parallelFor(static_cast<std::size_t>(y[0] * y[1]), call.threads, [&](std::size_t plane) {
        const std::int64_t image = static_cast<std::int64_t>(plane) / y[1],
                           channel = static_cast<std::int64_t>(plane) % y[1];
        float* to = out.data.data() + static_cast<std::int64_t>(plane) * planeOut;
        std::fill_n(to, planeOut, 0.0F);
        for (std::int64_t c = channel / outs * ins; c < (channel / outs + 1) * ins; ++c) {
            const float* from = in.data() + (image * x[1] + c) * planeIn;
            const float* taps = weights.data() + (c * outs + channel % outs) * kernel;
            for (std::int64_t k = 0; k < kernel; ++k) {
                const std::int64_t row = k / axes[2].kernel;
                addShifted(axes, {row / axes[1].kernel, row % axes[1].kernel, k % axes[2].kernel}, from,
                           taps[k], to);
            }
        }
        if (call.has(2))
            for (std::int64_t i = 0; i < planeOut; ++i)
                to[i] += call.reals(2)[static_cast<std::size_t>(channel)];
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
    if (op.type == "AveragePool")
        return pool(call, PoolKind::Average);
    if (op.type == "MaxPool")
        return pool(call, PoolKind::Largest);
    if (op.type == "LpPool")
        return pool(call, PoolKind::Norm);
    if (op.type == "ConvTranspose")
        return transposedConvolution(call);
    if (op.type == "LRN")
        return localResponse(call);
    return std::nullopt;
}

} // namespace pim::numeric
