// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/layer_gradient.h"

#include "core/lut/network/product_gradient.h"

namespace pim::lut {

Result<LayerGradients> layerGradients(const LayerLoss& loss, const Codebooks& books, int threads) {
    const std::int64_t inputs = books.inputLength(), rows = std::ssize(loss.rows) / inputs;
    const std::int64_t features = std::ssize(loss.weights) / inputs;
    PIM_TRY(const auto indices, closestCentroids({loss.rows, inputs}, books, threads));
    std::vector<float> chosen(loss.rows.size()); // rows as their centroids have them
    for (std::int64_t i = 0; i < std::ssize(indices); ++i) {
        const auto centroid = books.centroid(i % books.codebooks, indices[static_cast<std::size_t>(i)]);
        std::ranges::copy(centroid, chosen.begin() + i * books.length);
    }
    // sums - dense = (chosen - rows) x weights, so one product is enough.
    std::vector<float> apart(chosen.size());
    for (std::size_t i = 0; i < apart.size(); ++i)
        apart[i] = chosen[i] - loss.rows[i];
    std::vector<float> error = product({apart}, {loss.weights}, rows, inputs, threads);
    LayerGradients made;
    const double each = 2 * loss.reconstruction / double(error.size());
    std::vector<float> dense(loss.upstream.begin(), loss.upstream.end()); // gradient of dense outputs
    made.bias.resize(static_cast<std::size_t>(features));
    for (std::size_t i = 0; i < error.size(); ++i) {
        made.loss += double(error[i]) * double(error[i]) / double(error.size());
        made.bias[i % made.bias.size()] += dense[i];
        error[i] = static_cast<float>(double(error[i]) * each); // gradient of the sums
        if (loss.sides == 2)
            dense[i] -= error[i];
    }
    made.rows = product({dense}, {loss.weights, true}, rows, features, threads);
    made.weights = product({loss.rows, true}, {dense}, inputs, rows, threads);
    const auto ofChosen = product({error}, {loss.weights, true}, rows, features, threads);
    const auto throughChosen = product({chosen, true}, {error}, inputs, rows, threads);
    for (std::size_t i = 0; i < made.weights.size(); ++i)
        made.weights[i] += throughChosen[i];
    made.centroids.resize(books.values.size());
    for (std::int64_t i = 0; i < std::ssize(indices); ++i) {
        const std::int64_t c = i % books.codebooks;
        float* const to = &made.centroids[static_cast<std::size_t>(
            (c * books.centroids + indices[static_cast<std::size_t>(i)]) * books.length)];
        for (std::int64_t v = 0; v < books.length; ++v)
            to[v] += ofChosen[static_cast<std::size_t>(i * books.length + v)];
    }
    return made;
}

} // namespace pim::lut
