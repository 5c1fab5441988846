// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execute/sample_weights.h"

#include "core/base/number_text.h"
#include "core/base/split_mix.h"
#include "core/graph/semantics/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

bool isAbsent(const Tensor& tensor) {
    return !tensor.constant && tensor.data && !tensor.data->present;
}

/// Such that sums of products of numbers near 1 are near 1; which axes are summed over is not asked.
double spreadOf(const Shape& shape, std::int64_t count) {
    const double summed = shape.size() > 2 ? static_cast<double>(count) / static_cast<double>(shape.front())
                                           : std::sqrt(static_cast<double>(count));
    return std::sqrt(3 / std::max(1.0, summed));
}

Result<std::vector<std::byte>> sampleBytes(const Tensor& tensor, std::uint64_t seed) {
    const auto where = fmt::format("tensor \"{}\"", tensor.name);
    const bool isFraction =
        tensor.dtype == DataType::F32 || tensor.dtype == DataType::F16 || tensor.dtype == DataType::BF16;
    if (!isFraction || !tensor.shape || !isStatic(*tensor.shape))
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its values are absent, and random {} would mean nothing", name(tensor.dtype)),
            where);
    PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
    const bool isVector = tensor.shape->size() < 2;
    const auto numbers =
        sampleNumbers(static_cast<std::size_t>(count), isVector ? 0.5 : spreadOf(*tensor.shape, count), seed);
    std::vector<double> values(numbers.begin(), numbers.end());
    if (isVector)
        for (double& value : values)
            value += 1;
    return bytesFromReals(values, tensor.dtype);
}

} // namespace

std::vector<float> sampleNumbers(std::size_t count, double spread, std::uint64_t seed) {
    std::vector<float> numbers(count);
    std::uint64_t state = seed;
    for (float& number : numbers) {
        const auto signed24 = static_cast<std::int64_t>(nextRandom(state) >> 40) - (1LL << 23);
        number = static_cast<float>(static_cast<double>(signed24) * 0x1p-23 * spread);
    }
    return numbers;
}

Result<std::shared_ptr<const Graph>> withSampleWeights(std::shared_ptr<const Graph> graph, std::uint64_t seed,
                                                       std::int64_t mostBytes) {
    double bytes = 0;
    bool any = false;
    for (const Tensor& tensor : graph->tensors)
        if (isAbsent(tensor)) {
            any = true;
            bytes += 4.0 * static_cast<double>(tensor.shape ? elementCount(*tensor.shape).value_or(0) : 0);
        }
    if (!any)
        return graph;
    if (bytes > static_cast<double>(mostBytes))
        return fail(ErrorCode::Unsupported,
                    fmt::format("its weights are absent, and random ones would take {}; at most {} are made",
                                bytesText(bytes), bytesText(static_cast<double>(mostBytes))),
                    graph->name, "put the weights beside the model, or run its ops one by one");
    auto filled = std::make_shared<Graph>(*graph);
    for (std::size_t i = 0; i < filled->tensors.size(); ++i)
        if (Tensor& tensor = filled->tensors[i]; isAbsent(tensor)) {
            PIM_TRY(auto sample, sampleBytes(tensor, seed * 0x100000001b3ULL + i));
            tensor.constant = std::make_shared<const std::vector<std::byte>>(std::move(sample));
        }
    return filled;
}

} // namespace pim
