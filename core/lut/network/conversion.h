// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network with some of its products replaced by table sums: which layers, their codebooks and tables from calibration samples, and
/// an observer that puts the sums in the place of the products while the network runs. The ops of the graph stay as they are.
/// [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 4]
/// Flow: Classifier + Samples -> convert -> Conversion -> observer of logitsOf().
#include "core/lut/network/inference.h"
#include "core/lut/lookup.h"

#include <map>
#include <optional>

namespace pim::lut {

enum class LutMethod : std::uint8_t {
    KMeans, ///< Centroids by k-means of what the unconverted network has there; tables are centroids times weights.
    Refit   ///< Layer after layer behind those converted before, tables fitted to the outputs of the unconverted network.
};
std::string_view name(LutMethod method);

struct ConversionOptions {
    std::int64_t length = 4;     ///< Of a sub-vector: V.
    std::int64_t centroids = 16; ///< CT.
    LutMethod method = LutMethod::KMeans;
    std::optional<TableScale> int8; ///< Tables of 8 bit; else float32.
    std::uint64_t seed = 0;
    int threads = 0; ///< The result is the same with any number.
};
/// "v=4,ct=16,method=refit,int8=column,seed=1". Errors: Usage with the part that is wrong and what there is.
Result<ConversionOptions> parseConversion(std::string_view text);

/// One converted layer.
struct LutLayer {
    Codebooks books;
    Table table;
    std::optional<QuantizedTable> quantized; ///< Used instead of the table.
};

struct Conversion {
    ConversionOptions options;
    std::map<std::string, LutLayer> layers; ///< By the name of the op.
    std::vector<std::string> notes;         ///< What the user should know, such as padding.
    double calibrationCpuSeconds = 0;

    /// Replaces products while a network runs; this has to outlive it.
    Classifier::Observer observer(int threads = 0) const;
};

/// Ops that are to be converted, in the order they run: those of the data set's list, else all products with constant weights but the
/// first and the last. Errors: NotFound for a name that is no node; Unsupported for one that has no constant weights, or nothing left.
Result<std::vector<OpId>> layersToConvert(const Graph& graph, const DataSet& set);

/// Errors: those of layersToConvert() and runs; Usage for more centroids than samples; Unsupported for Refit where the batch is fixed.
Result<Conversion> convert(const Classifier& classifier, const DataSet& set, const Samples& calibration,
                           const ConversionOptions& options, const TaskContext& task = {});

} // namespace pim::lut
