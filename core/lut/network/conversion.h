// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network with some of its products replaced by table sums: which layers, their codebooks and tables from calibration samples, and
/// an observer that puts the sums in the place of the products while the network runs. The ops of the graph stay as they are.
/// [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 4]
/// Flow: Classifier + Samples + ConversionOptions -> convert -> Conversion -> observer of logitsOf().
#include "core/lut/network/conversion_options.h"
#include "core/lut/network/inference.h"
#include "core/lut/network/product_layer.h"
#include "core/numeric/lut/lookup.h"

#include <functional>
#include <map>
#include <optional>

namespace pim::lut {

/// One converted layer.
struct LutLayer {
    Codebooks books;
    Table table;
    std::optional<QuantizedTable> quantized; ///< Used instead of the table.

    /// Sums [rows, features], without bias. \param rows [rows, inputs filled up to sub-vectors].
    Result<std::vector<float>> sums(std::span<const float> rows, int threads) const;
    /// The same of indices [rows, codebooks].
    Result<std::vector<float>> sumsOf(std::span<const std::uint16_t> indices, int threads) const;
};

/// What samples told of a converted layer.
struct LayerUse {
    double squaredError = 0, squaredDense = 0; ///< Of its output, against the product with the same inputs.
    std::vector<std::int64_t> chosen;          ///< [codebooks][centroids]: how often.
    /// [codebooks]: of the distances of sub-vectors to their centroids, of sub-vectors.
    std::vector<double> squaredDistance, squaredInput;
    std::vector<float> rows; ///< [kept, inputs filled up to sub-vectors]: some of its input.

    double relativeError() const; ///< Root of the ratio.
    std::int64_t unused() const;  ///< Centroids never chosen.
    /// Root of the distances relative to the sub-vectors.
    double codebookError(std::int64_t codebook) const;
};
using LayerUses = std::map<std::string, LayerUse>; ///< By the name of the op.

/// By the name of the op: the same whatever the batch is.
using LutLayers = std::map<std::string, LutLayer>;

/// A point of the curve of training.
struct CalibrationStep {
    int step = 0;
    double loss = 0;      ///< Mean over the samples since the point before.
    double agreement = 0; ///< Share of these for which the unconverted network chooses the same class.
};

/// Told after each step of training, from the thread that trains, with loss and agreement of its samples. Where training goes on from a
/// checkpoint, the curve that was kept comes first.
using StepWatch = std::function<void(const CalibrationStep&)>;

struct Conversion {
    ConversionOptions options;
    LutLayers layers;
    std::vector<std::string> notes;     ///< What the user should know, such as padding.
    std::vector<CalibrationStep> curve; ///< Of training; empty without.
    double calibrationCpuSeconds = 0;

    /// Replaces products while a network runs; this and \p uses, where layers are watched, have to outlive it.
    /// \param rows so many at most are kept of the first run of each layer, see keptRow().
    Classifier::Observer observer(int threads = 0, LayerUses* uses = nullptr, std::int64_t rows = 0) const;
    /// Writes layers.json and for each layer NUMBER_centroids.npy [codebooks, centroids, length], NUMBER_table.npy [codebooks, centroids,
    /// features], in 8 bit with NUMBER_scales.npy [1 or features]. The folder is made. Errors: Io.
    Result<void> save(const std::filesystem::path& folder) const;
};

/// Ops that are to be converted, in the order they run: those of the data set's list, else all products with constant weights but the
/// first and the last; less those that the options leave dense.
/// Errors: NotFound for a name that is no node, or a pattern that fits no layer; Unsupported for one that cannot be converted, or
/// nothing left.
Result<std::vector<OpId>> layersToConvert(const Graph& graph, const DataSet& set,
                                          const ConversionOptions& options);

/// \param calibration labels are not read.
/// Errors: those of layersToConvert() and of runs; Usage for more centroids than rows; Unsupported for methods other than k-means where
/// the batch is fixed.
Result<Conversion> convert(const Classifier& classifier, const DataSet& set, const Samples& calibration,
                           const ConversionOptions& options, const TaskContext& task = {},
                           const StepWatch& watch = {});

} // namespace pim::lut
