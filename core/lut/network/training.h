// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Trains all converted layers of a network together, so that its logits come close to those of the unconverted network. Gradients go
/// straight through the choice of centroids (Bengio, Leonard, Courville 2013; LUT-NN; PIM-DL section 4.2).
/// Flow: Calibration::layerByLayer -> Training -> LutLayers.
#include "core/lut/network/calibration.h"
#include "core/lut/network/tape.h"
#include "core/lut/network/trained_layer.h"

namespace pim::lut {

class Training {
public:
    /// All outlive it.
    Training(const Classifier& classifier, const Samples& samples, std::vector<OpId> layers,
             const Unconverted& teacher, Conversion& made)
        : m_classifier(classifier), m_samples(samples), m_layers(std::move(layers)), m_teacher(teacher),
          m_made(made) {}

    /// All steps. Errors: Unsupported for ops that cannot be differentiated; InvalidModel for a loss that is not finite; those of
    /// runs; Cancelled.
    Result<void> run(const TaskContext& task, const StepWatch& watch);

private:
    /// Loss of the samples and its gradient with respect to their logits.
    struct Loss {
        double sum = 0;
        std::int64_t agreeing = 0; ///< Samples whose largest logit is the unconverted network's.
        std::vector<float> gradient;
    };

    Result<void> prepare(const Graph& graph);
    /// Nothing of it where there is no checkpoint.
    Result<void> goOn();
    Result<void> keep(int steps);
    /// Of everything the result depends on.
    std::string identity() const;
    /// The next samples, m_which.
    void draw(std::int64_t batch);
    Result<Loss> step(std::int64_t batch, double fall, const TaskContext& task);
    Result<void> forward(const Graph& graph, const RealStep& at);
    Result<void> backward(const TapeStep& at, std::span<const float> output, double fall,
                          std::vector<float>* input);
    /// Adds the gradient of what the layer misses of the unconverted network's output to that of its sums [rows, features].
    void addReconstruction(const TapeStep& at, const ProductLayer& product, std::vector<float>& sums) const;
    Loss lossOf(std::span<const float> logits) const;

    const Classifier& m_classifier;
    const Samples& m_samples;
    std::vector<OpId> m_layers;
    const Unconverted& m_teacher;
    Conversion& m_made;
    std::map<std::int64_t, TrainedLayer> m_trained; ///< By op.
    std::unique_ptr<Tape> m_tape;
    int m_done = 0; ///< Steps.
    // Samples in the order of the epoch, how many of it are taken, those of the step.
    std::uint64_t m_random = 0;
    std::vector<std::int64_t> m_order;
    std::size_t m_taken = 0;
    std::span<const std::int64_t> m_which;
};

} // namespace pim::lut
