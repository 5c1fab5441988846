// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/lut/lookup.h"

#include "core/base/parallel.h"
#include "core/numeric/lut/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::lut {
namespace {

constexpr std::int64_t kOutputRowsAtOnce = 64;
constexpr std::int64_t kLargest = 127;

std::size_t at(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

template <class AnyTable>
Result<std::int64_t> rowsOf(const AnyTable& table, std::span<const std::uint16_t> indices) {
    if (table.codebooks < 1 || table.centroids < 1 || table.features < 1 ||
        std::ssize(table.values) != table.codebooks * table.centroids * table.features)
        return fail(ErrorCode::Usage,
                    fmt::format("{} values for a table of {} codebooks, {} centroids, {} features",
                                table.values.size(), table.codebooks, table.centroids, table.features));
    if (std::ssize(indices) % table.codebooks != 0)
        return fail(ErrorCode::Usage,
                    fmt::format("{} indices are no rows of {} codebooks", indices.size(), table.codebooks));
    const auto odd =
        std::ranges::find_if(indices, [&](std::uint16_t index) { return index >= table.centroids; });
    if (odd != indices.end())
        return fail(ErrorCode::Usage,
                    fmt::format("index {} at row {}, codebook {}; there are {} centroids", *odd,
                                (odd - indices.begin()) / table.codebooks,
                                (odd - indices.begin()) % table.codebooks, table.centroids));
    return std::ssize(indices) / table.codebooks;
}

Result<void> checkBias(std::span<const float> bias, std::int64_t features) {
    if (!bias.empty() && std::ssize(bias) != features)
        return fail(ErrorCode::Usage, fmt::format("{} biases for {} features", bias.size(), features));
    return {};
}

/// Calls \p finish(row, sums) with the sums of every row, codebooks added in order.
template <class Sum, class AnyTable, class Finish>
void gather(const AnyTable& table, std::span<const std::uint16_t> indices, std::int64_t rows, int threads,
            const Finish& finish) {
    parallelFor(at((rows + kOutputRowsAtOnce - 1) / kOutputRowsAtOnce), threads, [&](std::size_t block) {
        std::vector<Sum> sums(at(table.features));
        std::vector<const typename decltype(table.values)::value_type*> chosen(at(table.codebooks));
        const std::int64_t begin = static_cast<std::int64_t>(block) * kOutputRowsAtOnce;
        for (std::int64_t row = begin; row < std::min(rows, begin + kOutputRowsAtOnce); ++row) {
            std::ranges::fill(sums, Sum{});
            for (std::int64_t c = 0; c < table.codebooks; ++c) {
                const std::int64_t centroid = indices[at(row * table.codebooks + c)];
                chosen[at(c)] = &table.values[at((c * table.centroids + centroid) * table.features)];
            }
            addRows(chosen.data(), table.codebooks, table.features, sums.data());
            finish(row, sums);
        }
    });
}

} // namespace

std::string_view name(TableScale scale) {
    return scale == TableScale::Layer ? "layer" : "column";
}

Result<Table> makeTable(const Codebooks& books, std::span<const float> weights, std::int64_t features,
                        int threads) {
    if (features < 1 || books.inputLength() < 1 || books.centroids < 1 ||
        std::ssize(weights) != books.inputLength() * features ||
        std::ssize(books.values) != books.inputLength() * books.centroids)
        return fail(ErrorCode::Usage, fmt::format("{} weights for {} inputs and {} features", weights.size(),
                                                  books.inputLength(), features));
    Table table{books.codebooks, books.centroids, features, {}};
    table.values.resize(at(books.codebooks * books.centroids * features));
    parallelFor(at(books.codebooks), threads, [&](std::size_t number) {
        const auto c = static_cast<std::int64_t>(number);
        std::vector<double> sums(at(features));
        for (std::int64_t i = 0; i < books.centroids; ++i) {
            std::ranges::fill(sums, 0.0);
            for (std::int64_t v = 0; v < books.length; ++v) {
                const double centroid = books.centroid(c, i)[at(v)];
                const float* const row = &weights[at((c * books.length + v) * features)];
                for (std::size_t f = 0; f < sums.size(); ++f)
                    sums[f] += centroid * double(row[f]);
            }
            std::ranges::transform(sums, &table.values[at((c * books.centroids + i) * features)],
                                   [](double sum) { return static_cast<float>(sum); });
        }
    });
    return table;
}

Result<std::vector<float>> lookUp(const Table& table, std::span<const std::uint16_t> indices,
                                  std::span<const float> bias, int threads) {
    PIM_TRY(const std::int64_t rows, rowsOf(table, indices));
    PIM_CHECK(checkBias(bias, table.features));
    std::vector<float> output(at(rows * table.features));
    gather<double>(table, indices, rows, threads, [&](std::int64_t row, const std::vector<double>& sums) {
        float* const to = &output[at(row * table.features)];
        for (std::size_t f = 0; f < sums.size(); ++f)
            to[f] = static_cast<float>(sums[f] + (bias.empty() ? 0.0 : double(bias[f])));
    });
    return output;
}

Result<QuantizedTable> quantize(const Table& table, TableScale scale) {
    PIM_CHECK(rowsOf(table, {}));
    QuantizedTable quantized{table.codebooks, table.centroids, table.features, {}, {}};
    std::vector<float> largest(scale == TableScale::Layer ? 1 : at(table.features));
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        if (!std::isfinite(table.values[i]))
            return fail(ErrorCode::InvalidModel, fmt::format("{} in a table", table.values[i]), {},
                        "weights and centroids have to be finite");
        float& most = largest[i % at(table.features) % largest.size()];
        most = std::max(most, std::abs(table.values[i]));
    }
    for (const float most : largest)
        quantized.scales.push_back(most > 0 ? most / static_cast<float>(kLargest) : 1.0F);
    quantized.values.resize(table.values.size());
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const float steps = table.values[i] / quantized.scales[i % at(table.features) % largest.size()];
        quantized.values[i] = static_cast<std::int8_t>(
            std::clamp<long>(std::lrint(steps), -kLargest, kLargest)); // halves to even
    }
    return quantized;
}

Result<std::vector<std::int32_t>> accumulate(const QuantizedTable& table,
                                             std::span<const std::uint16_t> indices, int threads) {
    PIM_TRY(const std::int64_t rows, rowsOf(table, indices));
    if (table.codebooks > std::numeric_limits<std::int32_t>::max() / kLargest)
        return fail(ErrorCode::Unsupported,
                    fmt::format("sums over {} codebooks may not fit 32 bits", table.codebooks));
    std::vector<std::int32_t> output(at(rows * table.features));
    gather<std::int32_t>(table, indices, rows, threads,
                         [&](std::int64_t row, const std::vector<std::int32_t>& sums) {
                             std::ranges::copy(sums, &output[at(row * table.features)]);
                         });
    return output;
}

Result<std::vector<float>> dequantize(const QuantizedTable& table, std::span<const std::int32_t> sums,
                                      std::span<const float> bias) {
    PIM_CHECK(checkBias(bias, table.features));
    const bool one = table.scales.size() == 1;
    if (table.features < 1 || std::ssize(sums) % table.features != 0 ||
        (!one && std::ssize(table.scales) != table.features))
        return fail(ErrorCode::Usage, fmt::format("{} sums and {} scales for {} features", sums.size(),
                                                  table.scales.size(), table.features));
    std::vector<float> output(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t f = i % at(table.features);
        output[i] = static_cast<float>(sums[i]) * table.scales[one ? 0 : f] + (bias.empty() ? 0.0F : bias[f]);
    }
    return output;
}

} // namespace pim::lut
