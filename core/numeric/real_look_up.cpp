// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of a layer as look-ups: the closest centroids, and sums of table rows.
#include "core/base/parallel.h"
#include "core/numeric/lut/lookup.h"
#include "core/numeric/real_ops.h"

#include <algorithm>

namespace pim::numeric {
namespace {

template <class T>
std::vector<T> copied(const Value& value) {
    const auto all = elements<T>(value);
    return {all.begin(), all.end()};
}

RealAnswer closest(const RealCall& call) {
    const Shape &x = call.in[0].shape, &centroids = call.in[1].shape;
    const lut::Codebooks books{centroids[0], centroids[1], centroids[2], copied<float>(call.in[1])};
    const auto inputs = static_cast<std::size_t>(x.back()),
               padded = static_cast<std::size_t>(books.inputLength());
    auto rows = call.reals(0);
    std::vector<float> filled;
    if (padded != inputs) {
        filled.resize(rows.size() / inputs * padded, 0);
        for (std::size_t row = 0; row * inputs < rows.size(); ++row)
            std::ranges::copy(rows.subspan(row * inputs, inputs),
                              filled.begin() + std::ptrdiff_t(row * padded));
        rows = filled;
    }
    const auto found = lut::closestCentroids({rows, books.inputLength()}, books, call.threads);
    if (!found)
        return std::nullopt;
    Fresh<std::uint16_t> indices(DataType::U16, call.out[0].shape);
    std::ranges::copy(*found, indices.data.begin());
    return single(indices.value);
}

RealAnswer sums(const RealCall& call) {
    const Shape& table = call.in[0].shape;
    const auto indices = elements<std::uint16_t>(call.in[1]);
    const auto bias = call.real(2) ? call.reals(2) : std::span<const float>();
    Fresh<float> out(DataType::F32, call.out[0].shape);
    Result<std::vector<float>> found = std::vector<float>();
    if (call.in[0].dtype == DataType::I8 && call.real(3)) {
        const lut::QuantizedTable whole{table[0], table[1], table[2], copied<std::int8_t>(call.in[0]),
                                        copied<float>(call.in[3])};
        const auto added = lut::accumulate(whole, indices, call.threads);
        if (!added)
            return std::nullopt;
        found = lut::dequantize(whole, *added, {});
    } else if (call.real(0)) {
        found =
            lut::lookUp({table[0], table[1], table[2], copied<float>(call.in[0])}, indices, {}, call.threads);
    }
    if (!found || found->size() != out.data.size())
        return std::nullopt;
    for (std::size_t i = 0; i < found->size();
         ++i) // as the bias of a product: added to a sum that was rounded
        out.data[i] = (*found)[i] + (bias.empty() ? 0.0F : bias[i % bias.size()]);
    return single(out.value);
}

/// Windows of a convolution as rows, [image][row][column][channel, kernel row, kernel column]; padding is 0.
RealAnswer unrolled(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const auto kernel = call.op.intsAttribute("kernel_shape", {}),
               strides = call.op.intsAttribute("strides", {1, 1}),
               dilations = call.op.intsAttribute("dilations", {1, 1});
    auto pads = call.op.intsAttribute("pads", {0, 0, 0, 0});
    if (x.size() != 4 || y.size() != 4 || kernel.size() != 2 || strides.size() != 2 ||
        dilations.size() != 2 || pads.size() != 4)
        return std::nullopt;
    const std::string padding = call.op.stringAttribute("auto_pad", "NOTSET");
    for (std::size_t i = 0; i < 2 && padding != "NOTSET"; ++i) {
        const std::int64_t total = std::max<std::int64_t>(
            0, (y[i + 1] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - x[i + 2]);
        pads[i] = padding == "VALID" ? 0 : padding == "SAME_UPPER" ? total / 2 : total - total / 2;
    }
    Fresh<float> rows(DataType::F32, y);
    const auto from = call.reals(0);
    parallelFor(static_cast<std::size_t>(y[0] * y[1]), call.threads, [&](std::size_t line) {
        const std::int64_t image = std::int64_t(line) / y[1],
                           top = std::int64_t(line) % y[1] * strides[0] - pads[0];
        float* to = rows.data.data() + std::int64_t(line) * y[2] * y[3];
        for (std::int64_t column = 0; column < y[2]; ++column)
            for (std::int64_t channel = 0; channel < x[1]; ++channel)
                for (std::int64_t r = 0; r < kernel[0]; ++r)
                    for (std::int64_t s = 0; s < kernel[1]; ++s) {
                        const std::int64_t h = top + r * dilations[0],
                                           w = column * strides[1] - pads[1] + s * dilations[1];
                        const bool inside = h >= 0 && h < x[2] && w >= 0 && w < x[3];
                        *to++ =
                            inside ? from[std::size_t(((image * x[1] + channel) * x[2] + h) * x[3] + w)] : 0;
                    }
    });
    return single(rows.value);
}

} // namespace

RealAnswer runLookUp(const RealCall& call) {
    if (call.op.domain != "pim" || !call.has(0))
        return std::nullopt;
    if (call.op.type == "Unroll" && call.real(0))
        return unrolled(call);
    if (!call.has(1))
        return std::nullopt;
    if (call.op.type == "ClosestCentroids" && call.real(0) && call.real(1))
        return closest(call);
    return call.op.type == "LookUp" && call.in[1].dtype == DataType::U16 ? sums(call) : std::nullopt;
}

} // namespace pim::numeric
