// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/numbers.h"

#include "backends/crossbar/numeric/fixed_point.h"
#include "backends/crossbar/numeric/layer_weights.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {

namespace {

/// Narrower elements have no bit to spare.
constexpr int kBitsWithRoom = 12;

bool keepsExponent(VectorOp op) {
    return op == VectorOp::None || op == VectorOp::Relu || op == VectorOp::Clip;
}

/// Weights, biases and factors: what is computed with others would mean nothing, and could not be compared.
tl::unexpected<Error> notFinite(const std::string& what, std::string_view where, std::int64_t at,
                                double value) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} {} is {}, and only finite numbers can be computed with", where, at, value),
                what, "repair the weights of the model, or export it again");
}
Result<void> checkFinite(const std::string& what, std::span<const float> values) {
    const auto wrong = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    return wrong == values.end() ? Result<void>() : notFinite(what, "value", wrong - values.begin(), *wrong);
}

Result<std::vector<float>> constantReals(const CrossbarNetwork& network, TensorId tensor) {
    PIM_TRY(const Value value, constantValue(network.graph->tensor(tensor)));
    if (value.dtype != DataType::F32)
        return fail(ErrorCode::Unsupported,
                    fmt::format("a constant of type {} takes part in arithmetic", name(value.dtype)),
                    network.graph->tensor(tensor).name);
    const auto reals = elements<float>(value);
    PIM_CHECK(checkFinite(network.graph->tensor(tensor).name, reals));
    return std::vector<float>(reals.begin(), reals.end());
}

/// Maps that share an exponent, by union and find. Node 2 i is the map of layer i, 2 i + 1 what it has before
/// its function.
class SharedExponents {
public:
    SharedExponents(const CrossbarNetwork& network, const std::vector<CrossbarReals>& samples)
        : m_network(network) {
        m_parent.resize(2 * network.layers.size());
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (std::size_t i = 0; i < network.layers.size(); ++i)
            join(network.layers[i], i);
        m_largest.resize(m_parent.size());
        for (const CrossbarReals& sample : samples)
            for (std::size_t i = 0; i < network.layers.size(); ++i) {
                raise(2 * i, sample.largest[i]);
                if (!keepsExponent(network.layers[i].activation.op))
                    raise(2 * i + 1, std::max(sample.largestBefore[i], sample.largest[i]));
            }
    }
    int of(std::size_t layer, bool before, int bits) {
        return fixed::exponentFor(m_largest[find(2 * layer + before)] * (bits >= kBitsWithRoom ? 2 : 1),
                                  bits);
    }

private:
    void join(const CrossbarLayer& layer, std::size_t i) {
        if (keepsExponent(layer.activation.op))
            unite(2 * i, 2 * i + 1);
        const auto* window = layer.as<WindowWork>();
        const auto* element = layer.as<ElementWork>();
        const std::size_t operands = layer.inputs.size() + (element && element->constant.valid() ? 1 : 0);
        if (layer.as<ConcatWork>() || layer.as<ViewWork>() || (window && window->kind == PoolKind::Max) ||
            (element && operands > 2))
            for (const LayerId input : layer.inputs)
                unite(2 * input.index(), 2 * i + 1);
    }
    std::size_t find(std::size_t node) {
        while (m_parent[node] != node)
            node = m_parent[node] = m_parent[m_parent[node]];
        return node;
    }
    void unite(std::size_t a, std::size_t b) { m_parent[find(a)] = find(b); }
    void raise(std::size_t node, double largest) {
        double& known = m_largest[find(node)];
        known = std::max(known, largest);
    }

    const CrossbarNetwork& m_network;
    std::vector<std::size_t> m_parent;
    std::vector<double> m_largest;
};

class Quantiser {
public:
    Quantiser(const CrossbarNetwork& network, const NumbersOptions& options, CrossbarNumbers& numbers)
        : m_network(network), m_options(options), m_numbers(numbers) {}

    /// \param largestSum max |x| of what the layer has before its function, all samples.
    Result<void> constants(std::size_t i, double largestSum) {
        const CrossbarLayer& layer = m_network.layers[i];
        if (const MatrixWork* work = layer.matrix())
            return matrix(i, *work, largestSum);
        if (const auto* element = layer.as<ElementWork>(); element && element->constant.valid())
            return elementConstant(i, *element);
        if (const auto* normal = layer.as<NormaliseWork>();
            normal && normal->kind != NormaliseKind::Lrn && normal->kind != NormaliseKind::Softmax)
            return scaleShift(i, *normal);
        return {};
    }
    double weightError() const { return m_squares > 0 ? std::sqrt(m_errors / m_squares) : 0; }

private:
    Result<void> matrix(std::size_t i, const MatrixWork& work, double largestSum) {
        LayerNumbers& to = m_numbers.layers[i];
        const CrossbarLayer& layer = m_network.layers[i];
        PIM_TRY(const LayerWeights weights, LayerWeights::open(m_network, layer));
        std::vector<float> bias;
        if (work.bias.valid()) {
            PIM_TRY(bias, constantReals(m_network, work.bias));
            if (bias.size() == 1)
                bias.resize(std::size_t(work.outChannels), bias[0]);
            if (int(bias.size()) != work.outChannels)
                return fail(ErrorCode::Unsupported,
                            fmt::format("its bias has {} values for {} output channels", bias.size(),
                                        work.outChannels),
                            layer.name);
        }
        const int inExponent = m_numbers.layers[layer.inputs[0].index()].exponent;
        PIM_CHECK(setExponents(to, work, weights, bias, inExponent, largestSum));
        for (std::size_t c = 0; c < bias.size(); ++c) {
            const double value = double(bias[c]) * work.biasScale;
            to.bias.push_back(m_options.real ? value
                                             : std::nearbyint(std::ldexp(value, -to.sumExponents[c])));
        }
        if (!m_options.real)
            PIM_CHECK(measureErrors(to, weights));
        if (!m_options.weights)
            return {};
        return m_options.real ? weights.read(0, work.outChannels, to.realWeights)
                              : weights.readFixed({0, work.outChannels, 0, weights.rows()}, to,
                                                  m_options.weightBits, to.weights);
    }

    Result<void> setExponents(LayerNumbers& to, const MatrixWork& work, const LayerWeights& weights,
                              std::span<const float> bias, int inExponent, double largestSum) const {
        std::vector<double> largest(std::size_t(work.outChannels));
        double ofLayer = 0;
        Result<void> finite;
        PIM_CHECK(weights.forAll([&](int begin, int end, std::span<const float> part) {
            const auto rows = std::size_t(weights.rows());
            const auto wrong =
                std::ranges::find_if(part, [](float weight) { return !std::isfinite(weight); });
            if (finite && wrong != part.end())
                finite = notFinite(m_network.graph->tensor(work.weights).name, "a weight of output channel",
                                   begin + (wrong - part.begin()) / weights.rows(), *wrong);
            for (int o = begin; o < end; ++o)
                for (const float weight : part.subspan(std::size_t(o - begin) * rows, rows))
                    largest[std::size_t(o)] = std::max(largest[std::size_t(o)], std::fabs(double(weight)));
        }));
        PIM_CHECK(std::move(finite));
        for (const double ofChannel : largest)
            ofLayer = std::max(ofLayer, ofChannel);
        for (int o = 0; o < work.outChannels; ++o) {
            // One bit of room: sums of other inputs than those of calibration are larger.
            const double sum =
                2 *
                (largestSum + (bias.empty() ? 0 : std::fabs(double(bias[std::size_t(o)]) * work.biasScale)));
            const int forSums = fixed::exponentFor(sum, m_options.accumulatorBits) - inExponent;
            const int forWeights = fixed::exponentFor(
                m_options.perChannel ? largest[std::size_t(o)] : ofLayer, m_options.weightBits);
            to.weightExponents.push_back(m_options.real ? 0 : std::max(forSums, forWeights));
            to.sumExponents.push_back(m_options.real ? 0 : to.weightExponents.back() + inExponent);
        }
        return {};
    }

    Result<void> measureErrors(const LayerNumbers& numbers, const LayerWeights& weights) {
        return weights.forAll([&](int begin, int end, std::span<const float> part) {
            const auto rows = std::size_t(weights.rows());
            for (int o = begin; o < end; ++o) {
                const int exponent = numbers.weightExponents[std::size_t(o)];
                const fixed::Rounding rounding(exponent, m_options.weightBits);
                const double unit = std::ldexp(1.0, exponent);
                for (const float weight : part.subspan(std::size_t(o - begin) * rows, rows)) {
                    const double error = double(rounding(double(weight))) * unit - double(weight);
                    m_errors += error * error;
                    m_squares += double(weight) * double(weight);
                }
            }
        });
    }

    Result<void> elementConstant(std::size_t i, const ElementWork& work) {
        const CrossbarLayer& layer = m_network.layers[i];
        PIM_TRY(const Value value, constantValue(m_network.graph->tensor(work.constant)));
        if (value.dtype != DataType::F32)
            return fail(ErrorCode::Unsupported,
                        fmt::format("its constant is {}, not a fraction", name(value.dtype)), layer.name);
        const auto reals = elements<float>(value);
        if (const auto wrong = std::ranges::find_if(reals, [](float real) { return std::isnan(real); });
            wrong != reals.end())
            return notFinite(m_network.graph->tensor(work.constant).name, "value", wrong - reals.begin(),
                             *wrong);
        const Broadcast broadcast = work.broadcast.empty() ? Broadcast::None : work.broadcast.back();
        const std::int64_t wanted = broadcast == Broadcast::None       ? layer.out.elements()
                                    : broadcast == Broadcast::Pixels   ? layer.out.channels
                                    : broadcast == Broadcast::Channels ? layer.out.pixels()
                                                                       : 1;
        if (std::int64_t(reals.size()) != wanted)
            return fail(ErrorCode::Unsupported,
                        fmt::format("its constant has {} values, {} are needed", reals.size(), wanted),
                        layer.name);
        if (broadcast == Broadcast::None) {
            // Without its leading ones a constant may have fewer axes than the map's tensor.
            Value full = value;
            const auto& shape = m_network.graph->tensor(layer.value).shape;
            if (shape && full.count() == elementCount(*shape).value_or(-1))
                full.shape = *shape;
            PIM_TRY(m_numbers.layers[i].constant, mapOfTensor(full, layer.out, layer.name));
        } else {
            m_numbers.layers[i].constant.assign(reals.begin(), reals.end());
        }
        return {};
    }

    Result<void> scaleShift(std::size_t i, const NormaliseWork& work) {
        const CrossbarLayer& layer = m_network.layers[i];
        const auto channels = std::size_t(layer.out.channels);
        std::vector<float> parts[4];
        const TensorId tensors[4]{work.scale, work.bias, work.mean, work.variance};
        for (int k = 0; k < 4; ++k) {
            if (tensors[k].valid()) {
                PIM_TRY(parts[k], constantReals(m_network, tensors[k]));
            } else {
                parts[k].assign(channels, k == 0 || k == 3 ? 1.0F : 0.0F);
            }
            if (parts[k].size() != channels)
                return fail(
                    ErrorCode::Unsupported,
                    fmt::format("a factor of its has {} values for {} channels", parts[k].size(), channels),
                    layer.name);
        }
        const bool statistics = work.kind == NormaliseKind::ScaleShift; // else those of the pixel
        for (std::size_t c = 0; c < channels; ++c) {
            const double factor =
                double(parts[0][c]) / (statistics ? std::sqrt(double(parts[3][c]) + work.epsilon) : 1);
            if (!std::isfinite(factor))
                return fail(ErrorCode::Unsupported,
                            fmt::format("channel {} has the factor {}, of a scale of {}, a variance of {} "
                                        "and an epsilon of {}",
                                        c, factor, parts[0][c], parts[3][c], work.epsilon),
                            layer.name, "variances must not be negative, nor zero with an epsilon of zero");
            m_numbers.layers[i].factor.push_back(factor);
            m_numbers.layers[i].shift.push_back(double(parts[1][c]) - double(parts[2][c]) * factor);
        }
        return {};
    }

    const CrossbarNetwork& m_network;
    const NumbersOptions& m_options;
    CrossbarNumbers& m_numbers;
    double m_errors = 0, m_squares = 0;
};

Result<std::vector<CrossbarReals>> calibrate(const CrossbarNetwork& network, const NumbersOptions& options,
                                             const TaskContext& task) {
    std::vector<CrossbarReals> samples;
    const std::size_t count =
        options.calibration.empty() ? std::size_t(std::max(1, options.samples)) : options.calibration.size();
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Value> inputs;
        if (options.calibration.empty()) {
            PIM_TRY(inputs, sampleInputs(*network.graph, options.seed + i));
        } else {
            inputs = options.calibration[i];
        }
        PIM_TRY(CrossbarReals reals, realRanges(network, inputs, options.threads, task));
        samples.push_back(std::move(reals));
    }
    return samples;
}

} // namespace

double CrossbarNumbers::toHost(LayerId layer, std::int64_t held) const {
    const LayerNumbers& numbers = layers[layer.index()];
    return numbers.whole ? double(held) : double(float(std::ldexp(double(held), numbers.exponent)));
}

std::int64_t CrossbarNumbers::fromHost(LayerId layer, double value) const {
    const LayerNumbers& numbers = layers[layer.index()];
    return numbers.whole ? std::int64_t(value) : fixed::fromReal(value, numbers.exponent, activationBits);
}

std::vector<std::int64_t> CrossbarNumbers::held(LayerId layer, std::span<const float> from) const {
    std::vector<std::int64_t> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = fromHost(layer, double(from[i]));
    return to;
}

std::vector<float> CrossbarNumbers::reals(LayerId layer, std::span<const std::int64_t> from) const {
    std::vector<float> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = float(toHost(layer, from[i]));
    return to;
}

NumbersOptions numbersOptions(const CrossbarChip& chip) {
    NumbersOptions options;
    options.weightBits = chip.weightBits;
    options.activationBits = chip.activationBits;
    options.accumulatorBits = chip.accumulatorBits();
    return options;
}

Result<CrossbarNumbers> quantiseNetwork(const CrossbarNetwork& network, const NumbersOptions& options,
                                        const TaskContext& task) {
    for (const auto& [what, bits] :
         {std::pair{"weights", options.weightBits}, {"activations", options.activationBits}})
        if (!options.real && (bits < 2 || bits > 16))
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("{} of {} bits; 2 to 16 can be computed with", what, bits), network.name);
    if (!options.real && (options.accumulatorBits < options.activationBits || options.accumulatorBits > 48))
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("accumulators of {} bits; {} to 48 can be computed with",
                                options.accumulatorBits, options.activationBits),
                    network.name);
    PIM_TRY(const auto samples, calibrate(network, options, task));
    CrossbarNumbers numbers{
        options.weightBits, options.activationBits, options.accumulatorBits, options.real, {}, 0};
    numbers.layers.resize(network.layers.size());
    SharedExponents exponents(network, samples);
    Quantiser quantiser(network, options, numbers);
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        LayerNumbers& layer = numbers.layers[i];
        layer.whole = network.layers[i].whole;
        const bool scaled = !options.real && !layer.whole;
        layer.exponent = scaled ? exponents.of(i, false, options.activationBits) : 0;
        layer.preExponent = scaled ? exponents.of(i, true, options.activationBits) : 0;
        double largest = 0;
        for (const CrossbarReals& sample : samples)
            largest = std::max({largest, sample.largest[i], sample.largestBefore[i]});
        PIM_CHECK(quantiser.constants(i, largest));
    }
    numbers.weightError = quantiser.weightError();
    return numbers;
}

} // namespace pim
