// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling, transposed convolution, and normalisation across neighbouring channels.
#include "core/base/parallel.h"
#include "core/graph/semantics/transposed_axes.h"
#include "core/numeric/real_ops.h"

#include <array>
#include <cmath>
#include <limits>

namespace pim::numeric {

namespace {

struct WindowAxis {
    std::int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1, begin = 0, end = 0;

    std::int64_t place(std::int64_t output, std::int64_t tap) const {
        return output * stride - begin + tap * dilation;
    }
    bool holds(std::int64_t place) const { return place >= 0 && place < in; }
};
/// Planes, rows and columns; those that an operator does not have are one.
using WindowAxes = std::array<WindowAxis, 3>;

std::optional<WindowAxes> windowAxes(const Op& op, const Shape& x, const Shape& y,
                                     const std::vector<std::int64_t>& kernel) {
    if (x.size() < 3 || x.size() > 5 || y.size() != x.size())
        return std::nullopt;
    const std::size_t n = x.size() - 2;
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(n, 1));
    const auto dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(n, 1));
    const auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * n, 0));
    const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
    if (kernel.size() != n || strides.size() != n || dilations.size() != n || pads.size() != 2 * n)
        return std::nullopt;
    WindowAxes axes;
    for (std::size_t i = 0; i < n; ++i) {
        WindowAxis& a = axes[3 - n + i];
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
    return axes;
}

/// Calls \p visit(place in a plane of the input, or -1 in the padding that counts) for each tap of a window.
template <class Visit>
void forWindow(const WindowAxes& axes, const std::int64_t (&output)[3], const Visit& visit) {
    const auto& [planes, rows, columns] = axes;
    const auto isPadding = [](const WindowAxis& axis, std::int64_t place) {
        return place < axis.in + axis.end; // what lies behind (rounding up) never counts
    };
    for (std::int64_t kz = 0; kz < planes.kernel; ++kz)
        for (std::int64_t ky = 0; ky < rows.kernel; ++ky) {
            const std::int64_t z = planes.place(output[0], kz), y = rows.place(output[1], ky);
            const bool holds = planes.holds(z) && rows.holds(y);
            for (std::int64_t kx = 0; kx < columns.kernel; ++kx) {
                const std::int64_t x = columns.place(output[2], kx);
                if (holds && columns.holds(x))
                    visit((z * rows.in + y) * columns.in + x);
                else if (isPadding(planes, z) && isPadding(rows, y) && isPadding(columns, x))
                    visit(std::int64_t(-1));
            }
        }
}

/// Calls \p visit(plane, element in it, its place along the three axes) for every output, planes shared among threads.
template <class Visit>
void forOutputs(const WindowAxes& axes, std::int64_t planes, int threads, const Visit& visit) {
    parallelFor(static_cast<std::size_t>(planes), threads, [&](std::size_t plane) {
        std::int64_t i = 0;
        for (std::int64_t z = 0; z < axes[0].out; ++z)
            for (std::int64_t y = 0; y < axes[1].out; ++y)
                for (std::int64_t x = 0; x < axes[2].out; ++x)
                    visit(static_cast<std::int64_t>(plane), i++, {z, y, x});
    });
}
using OutputPlace = const std::int64_t (&)[3];

enum class PoolKind : std::uint8_t { Average, Largest, Norm };

/// Where in the whole input the largest element of each window is, the first if there are several.
Value largestPlaces(const RealCall& call, const WindowAxes& axes) {
    const auto& [planes, rows, columns] = axes;
    const bool byColumns = call.op.intAttribute("storage_order", 0) != 0;
    Fresh<std::int64_t> places(DataType::I64, call.out[0].shape);
    const auto in = call.reals(0);
    const std::int64_t planeIn = planes.in * rows.in * columns.in,
                       planeOut = planes.out * rows.out * columns.out;
    const auto written = [&](std::int64_t place) { // the first spatial axis runs fastest
        const std::int64_t z = place / columns.in / rows.in, y = place / columns.in % rows.in,
                           x = place % columns.in;
        return byColumns ? (x * rows.in + y) * planes.in + z : place;
    };
    forOutputs(axes, planeOut > 0 ? std::ssize(places.data) / planeOut : 0, call.threads,
               [&](std::int64_t plane, std::int64_t i, OutputPlace output) {
                   std::int64_t best = -1;
                   float largest = 0;
                   forWindow(axes, output, [&](std::int64_t place) {
                       if (place < 0)
                           return;
                       const float v = in[static_cast<std::size_t>(plane * planeIn + place)];
                       if (best < 0 || v > largest) {
                           largest = v;
                           best = place;
                       }
                   });
                   places.data[static_cast<std::size_t>(plane * planeOut + i)] =
                       plane * planeIn + (best < 0 ? best : written(best));
               });
    return places.value;
}

RealAnswer pool(const RealCall& call, PoolKind kind) {
    const double power = static_cast<double>(call.op.intAttribute("p", 2));
    const auto axes =
        windowAxes(call.op, call.in[0].shape, call.out[0].shape, call.op.intsAttribute("kernel_shape", {}));
    if (!axes)
        return std::nullopt;
    const auto& [planes, rows, columns] = *axes;
    const bool padCounts = call.op.intAttribute("count_include_pad", 0) != 0;
    Fresh<float> out(DataType::F32, call.out[0].shape);
    const auto in = call.reals(0);
    const std::int64_t planeIn = planes.in * rows.in * columns.in,
                       planeOut = planes.out * rows.out * columns.out;
    forOutputs(*axes, planeOut > 0 ? std::ssize(out.data) / planeOut : 0, call.threads,
               [&](std::int64_t plane, std::int64_t i, OutputPlace output) {
                   const float* from = in.data() + plane * planeIn;
                   float best = -std::numeric_limits<float>::infinity(), sum = 0;
                   std::int64_t count = 0;
                   forWindow(*axes, output, [&](std::int64_t place) {
                       if (place < 0) {
                           count += padCounts ? 1 : 0;
                           return;
                       }
                       const float v = from[place];
                       best = std::max(best, v);
                       sum += kind == PoolKind::Norm ? static_cast<float>(std::pow(std::abs(v), power)) : v;
                       ++count;
                   });
                   out.data[static_cast<std::size_t>(plane * planeOut + i)] =
                       kind == PoolKind::Average ? sum / static_cast<float>(std::max<std::int64_t>(count, 1))
                       : kind == PoolKind::Norm  ? static_cast<float>(std::pow(sum, 1 / power))
                                                 : best;
               });
    std::vector<Value> results{out.value};
    if (call.out.size() > 1 && call.out[1].dtype == DataType::I64)
        results.push_back(largestPlaces(call, *axes));
    return results;
}

/// 8-bit numbers, which single precision has.
RealAnswer largestOfWhole(const RealCall& call) {
    std::vector<Value> in{call.in[0]};
    in[0].bytes = std::make_shared<const std::vector<std::byte>>(
        bytesFromReals(realsOf(*in[0].bytes, in[0].dtype), DataType::F32));
    in[0].dtype = DataType::F32;
    RealCall reals = call;
    reals.in = in;
    auto results = pool(reals, PoolKind::Largest);
    if (results) {
        Value& largest = results->front();
        largest.bytes = std::make_shared<const std::vector<std::byte>>(
            bytesFromReals(realsOf(*largest.bytes, DataType::F32), call.in[0].dtype));
        largest.dtype = call.in[0].dtype;
    }
    return results;
}

/// With three spatial axes; those with fewer are matrix products (matrix_form.h).
RealAnswer convolution(const RealCall& call) {
    if (!call.real(1) || call.in[0].shape.size() != 5 || call.in[1].shape.size() != 5)
        return std::nullopt;
    const Shape &x = call.in[0].shape, &w = call.in[1].shape, &y = call.out[0].shape;
    const std::int64_t groups = call.op.intAttribute("group", 1);
    const auto axes = windowAxes(call.op, x, y, {w.begin() + 2, w.end()});
    if (!axes || groups < 1 || w[0] % groups != 0 || w[1] * groups != x[1] || y[1] != w[0] ||
        (call.has(2) && (!call.real(2) || call.in[2].count() != w[0])))
        return std::nullopt;
    std::int64_t planeIn = 1, planeOut = 1, taps = 1;
    for (const WindowAxis& axis : *axes) {
        planeIn *= axis.in;
        planeOut *= axis.out;
        taps *= axis.kernel;
    }
    Fresh<float> out(DataType::F32, y);
    const auto in = call.reals(0), weights = call.reals(1),
               bias = call.has(2) ? call.reals(2) : std::span<const float>();
    WindowAxes whole = *axes; // every tap is visited, those in the padding too
    for (WindowAxis& axis : whole)
        axis.end = std::numeric_limits<std::int64_t>::max() / 2;
    forOutputs(*axes, y[0] * y[1], call.threads, [&](std::int64_t plane, std::int64_t i, OutputPlace output) {
        const std::int64_t image = plane / y[1], filter = plane % y[1],
                           first = filter / (w[0] / groups) * w[1];
        float sum = 0;
        for (std::int64_t c = 0; c < w[1]; ++c) {
            const float* from = in.data() + (image * x[1] + first + c) * planeIn;
            const float* tap = weights.data() + (filter * w[1] + c) * taps;
            forWindow(whole, output, [&](std::int64_t place) {
                sum += place < 0 ? 0 : *tap * from[place];
                ++tap;
            });
        }
        out.data[static_cast<std::size_t>(plane * planeOut + i)] =
            sum + (bias.empty() ? 0 : bias[static_cast<std::size_t>(filter)]);
    });
    return single(out.value);
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
    if (op.domain.empty() && op.type == "MaxPool" && call.has(0) &&
        (call.in[0].dtype == DataType::I8 || call.in[0].dtype == DataType::U8))
        return largestOfWhole(call);
    if (!op.domain.empty() || !call.real(0))
        return std::nullopt;
    if (op.type == "Conv")
        return convolution(call);
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
