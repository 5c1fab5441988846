// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/training.h"

#include "core/base/hash.h"
#include "core/base/split_mix.h"
#include "core/lut/network/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pim::lut {
namespace {

/// Weight of what layers miss of the unconverted network's outputs, relative to these, beside the loss of the logits. Of 0 to 1, 0.05
/// was best for the networks of tests/golden/lut: without it few samples are learned by heart.
constexpr double kOutputWeight = 0.05;
constexpr int kStepsOfCurve = 20;

std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t& state) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        order[static_cast<std::size_t>(i)] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(nextFraction(state) * double(i))]);
    return order;
}

Samples chosenFrom(const Samples& samples, std::span<const std::int64_t> which) {
    const std::int64_t each = std::ssize(*samples.x.bytes) / samples.count();
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (const std::int64_t sample : which) {
        const auto from = samples.x.bytes->begin() + sample * each;
        bytes->insert(bytes->end(), from, from + each);
    }
    Samples chosen{samples.file, samples.x, {}};
    chosen.x.shape.front() = std::ssize(which);
    chosen.x.bytes = std::move(bytes);
    return chosen;
}

/// softmax in 64 bits.
void probabilities(std::span<const float> logits, std::vector<double>& to) {
    const double top = double(*std::ranges::max_element(logits));
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        sum += to[i] = std::exp(double(logits[i]) - top);
    for (double& value : to)
        value /= sum;
}

} // namespace

Result<void> Training::prepare(const Graph& graph) {
    for (const OpId id : m_layers) {
        LutLayer& layer = m_made.layers.at(graph.op(id).name);
        PIM_TRY(const auto product, ProductLayer::of(graph, id, layer.books.length));
        PIM_TRY(auto weights, product.weights(graph));
        m_trained.try_emplace(id.value, layer, std::move(weights), m_made.options);
    }
    m_random = m_made.options.seed;
    return {};
}

Result<void> Training::forward(const Graph& graph, const RealStep& at) {
    if (const auto found = m_trained.find(at.op.value); found != m_trained.end()) {
        PIM_TRY(const auto product, ProductLayer::of(graph, at.op, found->second.layer().books.length));
        PIM_TRY(const auto sums, found->second.sums(product.inputRows(at.inputs[product.inputOperand()])));
        PIM_TRY((*at.results)[0], product.finished(graph, at.inputs, sums));
    }
    m_tape->record(at.op, at.inputs, *at.results);
    return {};
}

void Training::addReconstruction(const TapeStep& at, const ProductLayer& product,
                                 std::vector<float>& sums) const {
    const auto wanted = elements<float>(m_teacher.layers.at(at.op.value)),
               found = elements<float>(at.outputs[0]);
    const std::size_t each = wanted.size() / static_cast<std::size_t>(m_samples.count());
    if (each * m_which.size() != found.size()) // samples are not side by side
        return;
    std::vector<float> apart(found.size());
    double size = 0;
    for (std::size_t s = 0; s < m_which.size(); ++s)
        for (std::size_t i = 0; i < each; ++i) {
            const float value = wanted[static_cast<std::size_t>(m_which[s]) * each + i];
            size += double(value) * double(value);
            apart[s * each + i] = found[s * each + i] - value;
        }
    const auto factor = static_cast<float>(2 * kOutputWeight / std::max(size, 1e-30));
    const std::vector<float> rows = product.fromOutput(apart);
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += factor * rows[i];
}

Result<void> Training::backward(const TapeStep& at, std::span<const float> output, double fall,
                                std::vector<float>* input) {
    TrainedLayer& trained = m_trained.at(at.op.value);
    const Graph& graph = m_tape->graph();
    const Op& op = graph.op(at.op);
    PIM_TRY(const auto product, ProductLayer::of(graph, at.op, trained.layer().books.length));
    std::vector<float> sums = product.fromOutput(output);
    if (m_made.options.loss == LutLoss::Outputs)
        addReconstruction(at, product, sums);
    if (const double alpha = op.type == "Gemm" ? op.floatAttribute("alpha", 1) : 1; alpha != 1)
        for (float& value : sums)
            value = static_cast<float>(double(value) * alpha);
    PIM_TRY(const auto rows, trained.learn(sums, fall, input != nullptr));
    if (input) {
        input->resize(static_cast<std::size_t>(at.inputs[product.inputOperand()].count()));
        product.addToInput(rows, *input);
    }
    return {};
}

/// Kullback-Leibler divergence from the unconverted network's probabilities [Hinton, Vinyals, Dean 2015]: needs no labels.
Training::Loss Training::lossOf(std::span<const float> logits) const {
    const std::size_t count = m_which.size(), classes = logits.size() / count;
    Loss loss;
    loss.gradient.resize(logits.size());
    std::vector<double> p(classes), q(classes);
    for (std::size_t s = 0; s < count; ++s) {
        const auto found = logits.subspan(s * classes, classes);
        const auto wanted =
            std::span(m_teacher.logits).subspan(static_cast<std::size_t>(m_which[s]) * classes, classes);
        probabilities(found, q);
        probabilities(wanted, p);
        loss.agreeing += std::ranges::max_element(found) - found.begin() ==
                                 std::ranges::max_element(wanted) - wanted.begin()
                             ? 1
                             : 0;
        for (std::size_t i = 0; i < classes; ++i) {
            loss.sum += p[i] > 0 ? p[i] * std::log(p[i] / std::max(q[i], 1e-300)) : 0;
            loss.gradient[s * classes + i] = static_cast<float>((q[i] - p[i]) / double(count));
        }
    }
    return loss;
}

std::string Training::identity() const {
    const ConversionOptions& options = m_made.options;
    Sha256 hash;
    hash.add(m_tape->graph().source.structureHash);
    hash.add(fmt::format("{} {} {} {} {} {}", options.size.length, options.size.centroids, options.seed,
                         name(options.loss), options.steps, options.batch));
    for (const auto& [op, layer] : m_made.layers) // with sizes of their own
        hash.add(fmt::format("\n{}:{},{}", op, layer.books.length, layer.books.centroids));
    hash.add(options.int8 ? name(*options.int8) : std::string_view("off"));
    hash.add(*m_samples.x.bytes);
    hash.add(std::as_bytes(std::span(m_teacher.logits))); // stands for the weights
    return hash.hex();
}

Result<void> Training::keep(int steps) {
    if (m_made.options.checkpoint.empty())
        return {};
    Checkpoint state{identity(), steps, m_random, m_order, m_taken, m_made.curve, {}, {}};
    for (auto& [op, trained] : m_trained) {
        const TrainedLayer::State parts = trained.state();
        for (const std::vector<float>* const array : parts.arrays)
            state.arrays.push_back(*array);
        for (const int* const count : parts.counts)
            state.counts.push_back(*count);
    }
    return writeCheckpoint(m_made.options.checkpoint, state);
}

Result<void> Training::goOn() {
    if (m_made.options.checkpoint.empty())
        return {};
    PIM_TRY(auto state, readCheckpoint(m_made.options.checkpoint, identity()));
    if (!state)
        return {};
    const auto odd = [&] {
        return fail(ErrorCode::InvalidFile, "its contents are not those of these layers and samples",
                    m_made.options.checkpoint, "delete the file to begin training anew");
    };
    if (state->steps < 0 || state->steps > m_made.options.steps || state->taken > state->order.size() ||
        std::ranges::any_of(state->order,
                            [&](std::int64_t sample) { return sample < 0 || sample >= m_samples.count(); }))
        return odd();
    auto array = state->arrays.begin();
    auto count = state->counts.begin();
    for (auto& [op, trained] : m_trained)
        if (!trained.restore({array, state->arrays.end()}, {count, state->counts.end()}))
            return odd();
        else {
            const TrainedLayer::State parts = trained.state();
            array += std::ssize(parts.arrays);
            count += std::ssize(parts.counts);
        }
    m_done = state->steps;
    m_random = state->random;
    m_order = std::move(state->order);
    m_taken = state->taken;
    m_made.curve = std::move(state->curve);
    m_made.notes.push_back(fmt::format("training goes on after step {} of {}", m_done, m_made.options.steps));
    return {};
}

void Training::draw(std::int64_t batch) {
    const auto count = static_cast<std::size_t>(batch);
    if (m_taken + count > m_order.size()) { // an epoch is over; what does not fill a batch is left out
        m_order = shuffled(m_samples.count(), m_random);
        m_taken = 0;
    }
    m_which = std::span(m_order).subspan(m_taken, count);
    m_taken += count;
}

Result<Training::Loss> Training::step(std::int64_t batch, double fall, const TaskContext& task) {
    const int threads = m_made.options.threads;
    draw(batch);
    m_tape->clear();
    const auto see = [&](const Graph& graph, const RealStep& now) { return forward(graph, now); };
    PIM_TRY(const Value logits,
            m_classifier.run(chosenFrom(m_samples, m_which), 0, batch, see, threads, {task.stop, {}}));
    Loss loss = lossOf(elements<float>(logits));
    if (!std::isfinite(loss.sum))
        return fail(ErrorCode::InvalidModel, fmt::format("the loss is {} while tables are trained", loss.sum),
                    m_samples.file, "take method=refit");
    const auto learn = [&](const TapeStep& now, std::span<const float> output, std::vector<float>* input) {
        return backward(now, output, fall, input);
    };
    PIM_CHECK(m_tape->backward(loss.gradient, learn, threads));
    return loss;
}

Result<void> Training::run(const TaskContext& task, const StepWatch& watch) {
    const ConversionOptions& options = m_made.options;
    const std::int64_t batch = std::min<std::int64_t>(options.batch, m_samples.count());
    PIM_TRY(const auto graph, m_classifier.graph(batch, task));
    PIM_CHECK(prepare(*graph));
    m_tape = std::make_unique<Tape>(graph, m_layers);
    PIM_CHECK(goOn());
    if (watch)
        std::ranges::for_each(m_made.curve, watch);
    CalibrationStep part;
    std::int64_t seen = 0;
    for (int i = m_done; i < options.steps; ++i) {
        if (task.cancelled())
            return TaskContext::cancelledError("training of tables");
        task.report("training tables", i, options.steps);
        const double fall = 0.5 * (1 + std::cos(std::numbers::pi * i / options.steps));
        PIM_TRY(const Loss loss, step(batch, fall, task));
        part.loss += loss.sum;
        part.agreement += double(loss.agreeing);
        seen += batch;
        if (watch)
            watch({i + 1, loss.sum / double(batch), double(loss.agreeing) / double(batch)});
        if ((i + 1) % kStepsOfCurve == 0 || i + 1 == options.steps) {
            m_made.curve.push_back({i + 1, part.loss / double(seen), part.agreement / double(seen)});
            part = {};
            seen = 0;
            PIM_CHECK(keep(i + 1));
        }
    }
    for (auto& [op, trained] : m_trained)
        PIM_CHECK(finishTable(trained.layer(), options));
    return {};
}

} // namespace pim::lut
