// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/training.h"

#include "core/base/parallel.h"
#include "core/base/split_mix.h"
#include "core/lut/network/calibration.h"
#include "core/lut/network/product_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <cstdlib>

namespace pim::lut {
namespace {

double knob(const char* key, double fallback) { const char* v = std::getenv(key); return v ? std::atof(v) : fallback; }

double meanSquareRoot(std::span<const float> values) {
    double sum = 0;
    for (const float value : values)
        sum += double(value) * double(value);
    return values.empty() ? 0 : std::sqrt(sum / double(values.size()));
}

/// Order of the samples of an epoch.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t& state) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        order[static_cast<std::size_t>(i)] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(nextFraction(state) * double(i))]);
    return order;
}

Samples chosenFrom(const Samples& samples, std::span<const std::int64_t> which) {
    const std::size_t each = samples.x.bytes->size() / static_cast<std::size_t>(samples.count());
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (const std::int64_t sample : which) {
        const auto from = samples.x.bytes->begin() + static_cast<std::ptrdiff_t>(sample) * std::ssize(*samples.x.bytes) / samples.count();
        bytes->insert(bytes->end(), from, from + static_cast<std::ptrdiff_t>(each));
    }
    Samples chosen{samples.file, samples.x, {}};
    chosen.x.shape.front() = std::ssize(which);
    chosen.x.bytes = std::move(bytes);
    return chosen;
}

} // namespace

void Adam::step(std::span<float> parameters, std::span<const float> gradient, double rate) {
    constexpr float kMean = 0.9F, kSquare = 0.999F, kTiny = 1e-12F; // defaults of the paper; gradients are small
    m_mean.resize(parameters.size());
    m_square.resize(parameters.size());
    m_meanPower *= double(kMean);
    m_squarePower *= double(kSquare);
    const auto factor = static_cast<float>(rate / (1 - m_meanPower) * std::sqrt(1 - m_squarePower));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        m_mean[i] = kMean * m_mean[i] + (1 - kMean) * gradient[i];
        m_square[i] = kSquare * m_square[i] + (1 - kSquare) * gradient[i] * gradient[i];
        parameters[i] -= factor * m_mean[i] / (std::sqrt(m_square[i]) + kTiny);
    }
}

Result<void> Training::prepare(const Graph& graph) {
    for (const OpId id : m_layers) {
        LutLayer& layer = m_made.layers.at(graph.op(id).name);
        Trained& trained = m_trained[id.value];
        trained.layer = &layer;
        PIM_TRY(const auto product, ProductLayer::of(graph, id, layer.books.length));
        PIM_TRY(trained.weights, product.weights(graph));
        trained.tableRate = knob("LR", 0.02) * meanSquareRoot(layer.table.values);
        trained.centroidRate = knob("LRC", 0.01) * meanSquareRoot(layer.books.values);
    }
    return {};
}

Result<void> Training::forward(const Graph& graph, const RealStep& at) {
    const auto found = m_trained.find(at.op.value);
    if (found != m_trained.end()) {
        Trained& trained = found->second;
        const int threads = m_made.options.threads;
        PIM_TRY(const auto product, ProductLayer::of(graph, at.op, trained.layer->books.length));
        trained.rows = product.inputRows(at.inputs[product.inputOperand()]);
        PIM_TRY(trained.indices, closestCentroids({trained.rows, product.padded()}, trained.layer->books, threads));
        PIM_TRY(const auto sums, lookUp(trained.layer->table, trained.indices, {}, threads));
        PIM_TRY((*at.results)[0], product.finished(graph, at.inputs, sums));
    }
    m_tape->record(at.op, at.inputs, *at.results);
    return {};
}

Result<void> Training::learn(const TapeStep& step, std::span<const float> output,
                             std::vector<float>* input) {
    Trained& trained = m_trained.at(step.op.value);
    LutLayer& layer = *trained.layer;
    const int threads = m_made.options.threads;
    const Graph& graph = m_tape->graph();
    PIM_TRY(const auto product, ProductLayer::of(graph, step.op, layer.books.length));
    const std::vector<float> sums = product.fromOutput(output);
    const std::int64_t features = product.features(), books = layer.books.codebooks;
    std::vector<float> rows;
    if (input)
        rows = lut::product({sums}, {trained.weights, true}, product.rows(), features, threads);
    std::vector<float> table(layer.table.values.size());
    parallelFor(static_cast<std::size_t>(books), threads, [&](std::size_t c) {
        for (std::int64_t row = 0; row < product.rows(); ++row) {
            const std::size_t entry = c * static_cast<std::size_t>(layer.books.centroids) +
                                      trained.indices[static_cast<std::size_t>(row * books) + c];
            float* const to = &table[entry * static_cast<std::size_t>(features)];
            const float* const from = &sums[static_cast<std::size_t>(row * features)];
            for (std::int64_t f = 0; f < features; ++f)
                to[f] += from[f];
        }
    });
    const double fall = 0.5 * (1 + std::cos(std::numbers::pi * m_progress));
    trained.table.step(layer.table.values, table, trained.tableRate * fall);
    if (const double rate = trained.centroidRate * fall; rate > 0) {
        // straight-through for centroids: those of the rows that chose them
        std::vector<float> centroids(layer.books.values.size());
        const std::int64_t length = layer.books.length;
        const float pull = static_cast<float>(knob("PULL", 0));
        for (std::int64_t i = 0; i < std::ssize(trained.indices); ++i) {
            const std::int64_t at = ((i % books) * layer.books.centroids + trained.indices[static_cast<std::size_t>(i)]) * length;
            for (std::int64_t v = 0; v < length; ++v)
                centroids[static_cast<std::size_t>(at + v)] +=
                    pull * (layer.books.values[static_cast<std::size_t>(at + v)] - trained.rows[static_cast<std::size_t>(i * length + v)]);
        }
        trained.centroids.step(layer.books.values, centroids, rate);
    }
    if (input) {
        input->resize(static_cast<std::size_t>(step.inputs[product.inputOperand()].count()));
        product.addToInput(rows, *input);
    }
    return {};
}

Training::Loss Training::lossOf(std::span<const float> logits, std::span<const std::int64_t> samples) const {
    const auto count = samples.size(), classes = logits.size() / count;
    Loss loss;
    loss.gradient.resize(logits.size());
    std::vector<double> p(classes), q(classes);
    const auto probabilities = [classes](const float* from, std::vector<double>& to) {
        const double top = double(*std::max_element(from, from + classes));
        double sum = 0;
        for (std::size_t i = 0; i < classes; ++i)
            sum += to[i] = std::exp(double(from[i]) - top);
        for (double& value : to)
            value /= sum;
    };
    for (std::size_t s = 0; s < count; ++s) {
        const float* const found = &logits[s * classes];
        const float* const wanted = &m_wanted[static_cast<std::size_t>(samples[s]) * classes];
        probabilities(found, q);
        probabilities(wanted, p);
        loss.agreeing += std::max_element(found, found + classes) - found == std::max_element(wanted, wanted + classes) - wanted ? 1 : 0;
        for (std::size_t i = 0; i < classes; ++i) {
            loss.sum += p[i] > 0 ? p[i] * std::log(p[i] / std::max(q[i], 1e-300)) : 0;
            loss.gradient[s * classes + i] = static_cast<float>((q[i] - p[i]) / double(count) + knob("MSE", 0) * (double(found[i]) - double(wanted[i])) / double(count * classes));
        }
    }
    return loss;
}

Result<void> Training::run(const TaskContext& task) {
    const ConversionOptions& options = m_made.options;
    const std::int64_t batch = std::min<std::int64_t>(options.batch, m_samples.count());
    PIM_TRY(const auto graph, m_classifier.graph(batch, task));
    PIM_CHECK(prepare(*graph));
    m_tape = std::make_unique<Tape>(graph, m_layers);
    std::uint64_t state = options.seed;
    std::vector<std::int64_t> order;
    std::size_t at = 0;
    CalibrationStep part;
    std::int64_t seen = 0;
    for (int step = 0; step < options.steps; ++step) {
        if (task.cancelled())
            return TaskContext::cancelledError("training of tables");
        if (at + static_cast<std::size_t>(batch) > order.size()) { // an epoch; what does not fill a batch is left out
            order = shuffled(m_samples.count(), state);
            at = 0;
        }
        const std::span which(order.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::size_t>(batch));
        at += static_cast<std::size_t>(batch);
        m_progress = double(step) / options.steps;
        m_tape->clear();
        const auto see = [&](const Graph& seenGraph, const RealStep& now) { return forward(seenGraph, now); };
        PIM_TRY(const Value logits, m_classifier.run(chosenFrom(m_samples, which), 0, batch, see, options.threads, task));
        const Loss loss = lossOf(elements<float>(logits), which);
        if (!std::isfinite(loss.sum))
            return fail(ErrorCode::InvalidModel, fmt::format("the loss is {} at step {}", loss.sum, step), m_samples.file, "take method=refit");
        PIM_CHECK(m_tape->backward(loss.gradient, [&](const TapeStep& now, std::span<const float> output, std::vector<float>* input) {
            return learn(now, output, input);
        }, options.threads));
        part.loss += loss.sum;
        part.accuracy += double(loss.agreeing);
        seen += batch;
        if ((step + 1) % 20 == 0 || step + 1 == options.steps) {
            m_made.curve.push_back({step + 1, part.loss / double(seen), part.accuracy / double(seen)});
            part = {};
            seen = 0;
        }
        task.report("training tables", step + 1, options.steps);
    }
    for (auto& [op, trained] : m_trained)
        PIM_CHECK(finishTable(*trained.layer, options));
    return {};
}

Result<void> Calibration::train(const TaskContext& task) {
    Training training(m_classifier, m_samples, m_layers, m_wanted, m_made);
    return training.run(task);
}

} // namespace pim::lut
