// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How codebooks and tables of a network come out of calibration samples.
/// Flow: Samples -> rows of every layer -> trainCodebooks, makeTable, refit -> LutLayers -> (training.h).
#include "core/lut/network/conversion.h"

namespace pim::lut {

/// What the unconverted network has for all samples, once layerByLayer() ran it.
struct Unconverted {
    std::vector<float> logits;            ///< [samples, classes]
    std::map<std::int64_t, Value> layers; ///< Outputs, by op.
};

class Calibration {
public:
    /// All outlive it. \param made gets layers, notes and the curve.
    Calibration(const Classifier& classifier, const Samples& samples, std::vector<OpId> layers,
                Conversion& made)
        : m_classifier(classifier), m_samples(samples), m_layers(std::move(layers)), m_made(made) {}

    /// Codebooks from inputs that the unconverted network has.
    Result<void> fromUnconverted(const TaskContext& task);
    /// Codebooks from inputs behind the layers converted before; tables refitted to the outputs of the unconverted network.
    Result<void> layerByLayer(const TaskContext& task);
    /// All layers together, from what layerByLayer() found.
    Result<void> train(const TaskContext& task, const StepWatch& watch);

private:
    bool isConverted(OpId op) const;
    /// Codebooks, table and its 8 bits for rows of a layer. \param fit changes the table before it is quantised.
    Result<LutLayer> layerFrom(const Graph& graph, const ProductLayer& product, std::span<const float> rows,
                               const TaskContext& task) const;

    const Classifier& m_classifier;
    const Samples& m_samples;
    std::vector<OpId> m_layers; ///< In the order they run.
    Conversion& m_made;
    Unconverted m_teacher;
};

/// Sets the 8-bit form where it is wanted. Errors: those of quantize().
Result<void> finishTable(LutLayer& layer, const ConversionOptions& options);

} // namespace pim::lut
