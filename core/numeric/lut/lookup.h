// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A linear layer as look-ups: the product of every centroid with the weights is made once, a row of the output is then a sum of one
/// table row for each codebook. [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 3]
/// Flow: Codebooks + weights -> makeTable -> Table -> lookUp, or quantize -> QuantizedTable -> accumulate -> dequantize.
#include "core/numeric/lut/codebooks.h"

namespace pim::lut {

/// values [codebooks][centroids][features].
struct Table {
    std::int64_t codebooks = 0, centroids = 0, features = 0;
    std::vector<float> values;
};

/// centroids x weights, each a float32 of a sum in 64 bits. \param weights [inputLength, features].
/// Errors: Usage if they do not fit each other.
Result<Table> makeTable(const Codebooks& books, std::span<const float> weights, std::int64_t features,
                        int threads = 0);

/// Output [rows, features]: sum of the rows that \p indices [rows, codebooks] name, codebooks in order, plus \p bias [features]
/// (or nothing), in 64 bits. Errors: Usage for an index that is no centroid, or lengths that do not fit.
Result<std::vector<float>> lookUp(const Table& table, std::span<const std::uint16_t> indices,
                                  std::span<const float> bias, int threads = 0);

/// How many scales a quantised table has.
enum class TableScale : std::uint8_t {
    Layer, ///< One. [PIM-DL, artifact leesou/PIM-DL-ASPLOS 87aee67, weight converter]
    Column ///< One for each feature.
};
std::string_view name(TableScale scale);

/// value = element x scale.
struct QuantizedTable {
    std::int64_t codebooks = 0, centroids = 0, features = 0;
    std::vector<std::int8_t> values; ///< [codebooks][centroids][features], in [-127, 127].
    std::vector<float> scales;       ///< 1 or [features].
};

/// Symmetric: scale = max|table| / 127 in float32 (1 for a table of zeros), elements rounded to the nearest, half to even.
/// Errors: InvalidModel for a table that is not finite.
Result<QuantizedTable> quantize(const Table& table, TableScale scale);

/// Exact sums [rows, features] of 32 bits, what the DPUs return. Errors as lookUp; Unsupported if sums could leave 32 bits.
Result<std::vector<std::int32_t>> accumulate(const QuantizedTable& table,
                                             std::span<const std::uint16_t> indices, int threads = 0);
/// sum x scale + bias in float32. \param bias [features] or nothing. Errors: Usage for lengths that do not fit.
Result<std::vector<float>> dequantize(const QuantizedTable& table, std::span<const std::int32_t> sums,
                                      std::span<const float> bias);

} // namespace pim::lut
