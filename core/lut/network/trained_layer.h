// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One converted layer while it is trained: its forward pass on the samples of a step, and what it learns from the gradient of its
/// output.
/// Flow: rows -> sums() -> the rest of the network -> gradient of the sums -> learn() -> gradient of the rows.
#include "core/lut/network/conversion.h"

namespace pim::lut {

/// Adam (Kingma, Ba 2015) for one array of parameters.
class Adam {
public:
    void step(std::span<float> parameters, std::span<const float> gradient, double rate);
    /// What has to be kept to go on later: means and squares, and how many steps there were.
    std::vector<float>& means() { return m_mean; }
    std::vector<float>& squares() { return m_square; }
    int& steps() { return m_steps; }

private:
    std::vector<float> m_mean, m_square;
    int m_steps = 0;
};

class TrainedLayer {
public:
    /// \param layer is changed; outlives it. \param weights [inputs, features].
    TrainedLayer(LutLayer& layer, std::vector<float> weights, const ConversionOptions& options);

    LutLayer& layer() { return m_layer; }
    /// Sums [rows, features] for rows [rows, inputs], which are kept for learn().
    Result<std::vector<float>> sums(std::vector<float> rows);
    /// \param gradient of the sums. \param fall 1 at the begin of training, 0 at its end. \returns that of the rows where \p wanted.
    Result<std::vector<float>> learn(std::span<const float> gradient, double fall, bool wanted);

    /// All arrays that training changes, in one order.
    struct State {
        std::vector<std::vector<float>*> arrays;
        std::vector<int*> counts;
    };
    State state();
    /// Takes the arrays and counts of state() from the begin of what is kept. False if they are not of these lengths.
    bool restore(std::span<std::vector<float>> arrays, std::span<const int> counts);

private:
    /// Tables as they are.
    void learnTable(std::span<const float> gradient, double fall);
    /// Weights, centroids and biases, from which tables are made. [PIM-DL section 4.2]
    Result<std::vector<float>> learnFactors(std::span<const float> gradient, double fall);
    Result<void> rebuild();

    LutLayer& m_layer;
    const ConversionOptions& m_options;
    std::vector<float> m_weights; ///< [inputs, features]
    std::vector<float> m_beyond;  ///< What tables have beyond centroids times weights, from the refit.
    std::vector<float> m_bias;    ///< [features], learnt; in the table of the first codebook.
    std::vector<float> m_rows;    ///< Of the step, [rows, inputs].
    std::vector<std::uint16_t> m_indices; ///< Of the step.
    double m_tableRate = 0, m_weightRate = 0, m_centroidRate = 0;
    Adam m_tableSteps, m_weightSteps, m_centroidSteps, m_biasSteps;
};

} // namespace pim::lut
