// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gradients of one converted layer as eLUT-NN takes them: straight through the choice of centroids, plus a reconstruction loss that
/// pulls centroids to the rows and rows to the centroids. [PIM-DL, ASPLOS 2024, section 4.2]
#include "core/numeric/lut/lookup.h"

namespace pim::lut {

struct LayerLoss {
    std::span<const float> rows;     ///< [rows, inputs]
    std::span<const float> weights;  ///< [inputs, features]
    std::span<const float> upstream; ///< [rows, features]: gradient of the loss with respect to the output.
    double reconstruction = 0.5;     ///< Factor of the reconstruction loss: mean of (sums - dense)^2.
    /// One: only sums move towards dense outputs. Two: the latter towards the former as well.
    int sides = 1;
};

struct LayerGradients {
    std::vector<float> rows;      ///< [rows, inputs]
    std::vector<float> weights;   ///< [inputs, features]
    std::vector<float> centroids; ///< As Codebooks::values.
    std::vector<float> bias;      ///< [features]
    double loss = 0;              ///< Reconstruction, before its factor.
};

/// Output = dense + stop(sums - dense) + bias, where dense = rows x weights and sums are those of centroids x weights; the choice of
/// centroids is constant. Errors: those of closestCentroids() and makeTable().
Result<LayerGradients> layerGradients(const LayerLoss& loss, const Codebooks& books, int threads = 0);

} // namespace pim::lut
