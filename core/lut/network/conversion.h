// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network with some of its products replaced by table sums: which layers, their codebooks and tables from calibration samples, and
/// an observer that puts the sums in the place of the products while the network runs. The ops of the graph stay as they are.
/// [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 4]
/// Flow: Classifier + Samples + ConversionOptions -> convert -> Conversion -> observer of logitsOf().
#include "core/lut/lookup.h"
#include "core/lut/network/conversion_options.h"
#include "core/lut/network/inference.h"
#include "core/lut/network/product_layer.h"

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
};

/// By the name of the op: the same whatever the batch is.
using LutLayers = std::map<std::string, LutLayer>;

/// A point of the curve of training.
struct CalibrationStep {
    int step = 0;
    double loss = 0;      ///< Mean over the samples since the point before.
    double agreement = 0; ///< Share of these for which the unconverted network chooses the same class.
};

struct Conversion {
    ConversionOptions options;
    LutLayers layers;
    std::vector<std::string> notes;     ///< What the user should know, such as padding.
    std::vector<CalibrationStep> curve; ///< Of training; empty without.
    double calibrationCpuSeconds = 0;

    /// Replaces products while a network runs; this has to outlive it.
    Classifier::Observer observer(int threads = 0) const;
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
                           const ConversionOptions& options, const TaskContext& task = {});

} // namespace pim::lut
