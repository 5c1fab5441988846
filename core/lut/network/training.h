// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Trains all tables and centroids of a network together, so that its logits come close to those of the unconverted network.
/// Gradients go straight through the choice of centroids (Bengio, Leonard, Courville 2013; LUT-NN; PIM-DL section 4.2).
/// Flow: Calibration::layerByLayer -> Training -> LutLayers.
#include "core/lut/network/conversion.h"
#include "core/lut/network/tape.h"

namespace pim::lut {

/// Adam (Kingma, Ba 2015) for one array of parameters.
class Adam {
public:
    void step(std::span<float> parameters, std::span<const float> gradient, double rate);

private:
    std::vector<float> m_mean, m_square;
    double m_meanPower = 1, m_squarePower = 1;
};

class Training {
public:
    /// \param wanted logits of the unconverted network, [samples, classes]. All outlive it.
    Training(const Classifier& classifier, const Samples& samples, std::vector<OpId> layers,
             std::span<const float> wanted, Conversion& made)
        : m_classifier(classifier), m_samples(samples), m_layers(std::move(layers)), m_wanted(wanted),
          m_made(made) {}

    /// All steps. Errors: Unsupported for ops that cannot be differentiated; those of runs; Cancelled.
    Result<void> run(const TaskContext& task);

private:
    struct Trained {
        LutLayer* layer = nullptr;
        std::vector<float> weights;         ///< [inputs, features]
        std::vector<float> rows;            ///< Of the step, [rows, inputs].
        std::vector<std::uint16_t> indices; ///< Of the step.
        double tableRate = 0, centroidRate = 0;
        Adam table, centroids;
    };

    Result<void> prepare(const Graph& graph);
    Result<void> forward(const Graph& graph, const RealStep& at);
    Result<void> learn(const TapeStep& step, std::span<const float> output, std::vector<float>* input);
    /// Loss of the samples and its gradient with respect to their logits.
    struct Loss {
        double sum = 0;
        std::int64_t agreeing = 0; ///< Samples whose largest logit is the wanted one.
        std::vector<float> gradient;
    };
    Loss lossOf(std::span<const float> logits, std::span<const std::int64_t> samples) const;

    const Classifier& m_classifier;
    const Samples& m_samples;
    std::vector<OpId> m_layers;
    std::span<const float> m_wanted;
    Conversion& m_made;
    std::map<std::int64_t, Trained> m_trained; ///< By op.
    std::unique_ptr<Tape> m_tape;
    double m_progress = 0; ///< Of the run, 0 to 1: rates fall with it.
};

} // namespace pim::lut
