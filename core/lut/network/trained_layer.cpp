// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/trained_layer.h"

#include "core/base/parallel.h"
#include "core/lut/network/layer_gradient.h"
#include "core/lut/network/product_gradient.h"
#include "core/numeric/lut/loops.h"

#include <cmath>

namespace pim::lut {
namespace {

/// Steps of Adam relative to the root mean square of what they change. Of 0.003 to 0.05 these were best for the networks of
/// tests/golden/lut.
constexpr double kTableRate = 0.015, kFactorRate = 0.01;
/// Factor of the reconstruction loss of PIM-DL.
constexpr double kReconstruction = 1e-3;

std::size_t spotOf(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

double meanSquareRoot(std::span<const float> values) {
    double sum = 0;
    for (const float value : values)
        sum += double(value) * double(value);
    return values.empty() ? 0 : std::sqrt(sum / double(values.size()));
}

/// As lookUp(), in float32: for training that is enough, and twice as fast.
std::vector<float> sumsOf(const Table& table, std::span<const std::uint16_t> indices, int threads) {
    constexpr std::int64_t kRows = 64;
    const std::int64_t rows = std::ssize(indices) / table.codebooks;
    std::vector<float> sums(spotOf(rows * table.features));
    parallelFor(spotOf((rows + kRows - 1) / kRows), threads, [&](std::size_t block) {
        std::vector<const float*> chosen(spotOf(table.codebooks));
        const std::int64_t begin = static_cast<std::int64_t>(block) * kRows;
        for (std::int64_t row = begin; row < std::min(rows, begin + kRows); ++row) {
            for (std::int64_t c = 0; c < table.codebooks; ++c)
                chosen[spotOf(c)] = &table.values[spotOf(
                    (c * table.centroids + indices[spotOf(row * table.codebooks + c)]) * table.features)];
            addRows(chosen.data(), table.codebooks, table.features, &sums[spotOf(row * table.features)]);
        }
    });
    return sums;
}

} // namespace

void Adam::step(std::span<float> parameters, std::span<const float> gradient, double rate) {
    m_mean.resize(parameters.size());
    m_square.resize(parameters.size());
    ++m_steps;
    AdamStep factors;
    factors.factor = static_cast<float>(rate / (1 - std::pow(double(factors.mean), m_steps)) *
                                        std::sqrt(1 - std::pow(double(factors.square), m_steps)));
    adam(factors, gradient.data(), std::ssize(gradient), {m_mean.data(), m_square.data(), parameters.data()});
}

TrainedLayer::TrainedLayer(LutLayer& layer, std::vector<float> weights, const ConversionOptions& options)
    : m_layer(layer), m_options(options), m_weights(std::move(weights)) {
    m_tableRate = kTableRate * meanSquareRoot(layer.table.values);
    m_weightRate = kFactorRate * meanSquareRoot(m_weights);
    m_centroidRate = kFactorRate * meanSquareRoot(layer.books.values);
    m_bias.resize(spotOf(layer.table.features));
    if (options.loss == LutLoss::Outputs)
        return;
    const auto made = makeTable(layer.books, m_weights, layer.table.features, options.threads);
    m_beyond = layer.table.values;
    for (std::size_t i = 0; made && i < m_beyond.size(); ++i)
        m_beyond[i] -= made->values[i];
}

Result<std::vector<float>> TrainedLayer::sums(std::vector<float> rows) {
    m_rows = std::move(rows);
    PIM_TRY(m_indices,
            closestCentroids({m_rows, m_layer.books.inputLength()}, m_layer.books, m_options.threads));
    return sumsOf(m_layer.table, m_indices, m_options.threads);
}

Result<std::vector<float>> TrainedLayer::learn(std::span<const float> gradient, double fall, bool wanted) {
    if (m_options.loss != LutLoss::Outputs)
        return learnFactors(gradient, fall);
    std::vector<float> rows;
    const std::int64_t features = m_layer.table.features;
    if (wanted) // straight through the choice of centroids
        rows = product({gradient}, {m_weights, true}, std::ssize(gradient) / features, features,
                       m_options.threads);
    learnTable(gradient, fall);
    return rows;
}

void TrainedLayer::learnTable(std::span<const float> gradient, double fall) {
    Table& table = m_layer.table;
    std::vector<float> sums(table.values.size());
    const std::int64_t rows = std::ssize(gradient) / table.features;
    parallelFor(spotOf(table.codebooks), m_options.threads, [&](std::size_t number) {
        const auto c = static_cast<std::int64_t>(number);
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t entry = c * table.centroids + m_indices[spotOf(row * table.codebooks + c)];
            addRow(&gradient[spotOf(row * table.features)], table.features,
                   &sums[spotOf(entry * table.features)]);
        }
    });
    m_tableSteps.step(table.values, sums, m_tableRate * fall);
}

Result<std::vector<float>> TrainedLayer::learnFactors(std::span<const float> gradient, double fall) {
    LayerLoss loss{m_rows, m_weights, gradient, kReconstruction, m_options.loss == LutLoss::OneSided ? 1 : 2};
    PIM_TRY(auto found, layerGradients(loss, m_layer.books, m_options.threads));
    m_weightSteps.step(m_weights, found.weights, m_weightRate * fall);
    m_centroidSteps.step(m_layer.books.values, found.centroids, m_centroidRate * fall);
    m_biasSteps.step(m_bias, found.bias, m_weightRate * fall);
    PIM_CHECK(rebuild());
    return std::move(found.rows);
}

Result<void> TrainedLayer::rebuild() {
    PIM_TRY(m_layer.table, makeTable(m_layer.books, m_weights, m_layer.table.features, m_options.threads));
    for (std::size_t i = 0; i < m_beyond.size(); ++i)
        m_layer.table.values[i] += m_beyond[i];
    const std::int64_t first = m_layer.table.centroids * m_layer.table.features;
    for (std::int64_t i = 0; i < first; ++i) // every row of the output takes one entry of the first codebook
        m_layer.table.values[spotOf(i)] += m_bias[spotOf(i % m_layer.table.features)];
    return {};
}

// Parameters first, then means and squares of the optimiser of each, in the same order.
TrainedLayer::State TrainedLayer::state() {
    State state{{&m_layer.table.values, &m_weights, &m_layer.books.values, &m_bias}, {}};
    for (Adam* const adamState : {&m_tableSteps, &m_weightSteps, &m_centroidSteps, &m_biasSteps}) {
        state.arrays.push_back(&adamState->means());
        state.arrays.push_back(&adamState->squares());
        state.counts.push_back(&adamState->steps());
    }
    return state;
}

bool TrainedLayer::restore(std::span<std::vector<float>> arrays, std::span<const int> counts) {
    const State parts = state();
    const std::size_t optimisers = parts.counts.size(), parameters = parts.arrays.size() - 2 * optimisers;
    if (arrays.size() < parts.arrays.size() || counts.size() < optimisers)
        return false;
    for (std::size_t i = 0; i < parts.arrays.size(); ++i) {
        const std::size_t wanted = parts.arrays[i < parameters ? i : (i - parameters) / 2]->size();
        if (arrays[i].size() != wanted &&
            (i < parameters || !arrays[i].empty())) // an optimiser that never ran
            return false;
    }
    for (std::size_t i = 0; i < parts.arrays.size(); ++i)
        *parts.arrays[i] = std::move(arrays[i]);
    for (std::size_t i = 0; i < optimisers; ++i)
        *parts.counts[i] = counts[i];
    return true;
}

} // namespace pim::lut
