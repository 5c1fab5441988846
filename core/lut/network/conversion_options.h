// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a network is converted: sub-vectors and centroids for all layers and for some by name, method, width of tables, seed.
#include "core/base/option_table.h"
#include "core/numeric/lut/lookup.h"

#include <optional>
#include <string>
#include <vector>

namespace pim::lut {

enum class LutMethod : std::uint8_t {
    KMeans, ///< Centroids by k-means of what the unconverted network has there; tables are centroids times weights.
    Refit, ///< Layer after layer behind those converted before, tables fitted to the outputs of the unconverted network.
    Elut ///< Refit, then all tables and centroids trained together through the network. [PIM-DL section 4.2, eLUT-NN]
};
std::string_view name(LutMethod method);

/// What training lowers beside the loss of the logits, and with that what it changes.
enum class LutLoss : std::uint8_t {
    Outputs, ///< What tables miss of the unconverted network's outputs, layer by layer; tables change.
    OneSided, ///< Reconstruction loss of PIM-DL: tables towards products; weights, centroids and biases change.
    TwoSided ///< The same, and products towards tables.
};
std::string_view name(LutLoss loss);

struct LutSize {
    std::int64_t length = 4;     ///< Of a sub-vector: V.
    std::int64_t centroids = 16; ///< Of a codebook: CT.
};

/// What holds for layers whose name contains a text.
struct LayerRule {
    std::string part;
    std::optional<LutSize> size; ///< Nothing: stays dense.
};

struct ConversionOptions {
    LutSize size;
    std::vector<LayerRule> rules; ///< The last that fits decides.
    LutMethod method = LutMethod::KMeans;
    std::optional<TableScale> int8; ///< Tables of 8 bit; else float32.
    std::uint64_t seed = 0;
    LutLoss loss = LutLoss::Outputs;
    int steps = 120;        ///< Of training.
    int batch = 32;         ///< Samples of a step.
    std::string checkpoint; ///< File that training goes on from and keeps its state in; empty: none.
    int threads = 0;        ///< The result is the same with any number.

    /// Nothing: stays dense.
    std::optional<LutSize> sizeOf(std::string_view layer) const;
};

/// Size, method, width, seed, loss, steps and batch; rules, checkpoint and threads are no options of the result.
const TypedOptionTable<ConversionOptions>& conversionTable();

/// "v=4,ct=16,method=refit,int8=column,seed=1". Errors: Usage with the part that is wrong and what there is.
Result<ConversionOptions> parseConversion(std::string_view text);
/// "ffn1:v=2,ct=16" or "head:off"; what is left out is as in \p options. Errors: as parseConversion().
Result<void> addLayerRule(ConversionOptions& options, std::string_view text);

} // namespace pim::lut
