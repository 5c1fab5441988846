// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/quantized_model.h"

#include "core/base/parallel.h"
#include "core/numeric/difference.h"
#include "core/numeric/real_ops.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pim {

namespace {

constexpr float kLargestHalf = 65504.0F;
/// Room left for the bias in a 32-bit accumulator.
constexpr std::int64_t kLargestBias = std::int64_t(1) << 30;
constexpr std::size_t kPiece = 1 << 20;

/// max |x|, infinities as the largest half, NaN left out.
float largestOf(std::span<const float> values) {
    std::array<float, 8> best{}; // independent, so that the loop vectorises
    const auto seen = [](float x) {
        const float a = std::fabs(x);
        return a <= std::numeric_limits<float>::max() ? a : a != a ? 0.0F : kLargestHalf;
    };
    std::size_t i = 0;
    for (; i + best.size() <= values.size(); i += best.size())
        for (std::size_t j = 0; j < best.size(); ++j) {
            const float a = seen(values[i + j]);
            best[j] = best[j] > a ? best[j] : a;
        }
    for (; i < values.size(); ++i)
        best[0] = std::max(best[0], seen(values[i]));
    return *std::max_element(best.begin(), best.end());
}

/// Adding and taking away 1.5 * 2^23 rounds to a whole number, ties to even.
constexpr float kRounder = 12582912.0F;

void quantizeInto(std::span<const float> reals, int exponent, std::int8_t* out, int threads) {
    const float scale = std::ldexp(1.0F, -exponent);
    parallelFor((reals.size() + kPiece - 1) / kPiece, threads, [&](std::size_t piece) {
        const std::size_t end = std::min(reals.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) {
            float x = reals[i] * scale;
            x = x == x ? x : 0.0F;
            x = x < -128.0F ? -128.0F : x;
            x = x > 127.0F ? 127.0F : x;
            out[i] = static_cast<std::int8_t>(static_cast<std::int32_t>((x + kRounder) - kRounder));
        }
    });
}

/// Operators whose real results are elements of their first input.
bool keepsExponent(const Op& op) {
    static constexpr std::string_view kKeeping[]{
        "Relu",     "MaxPool", "GlobalMaxPool", "Reshape",   "Flatten",        "Squeeze",      "Unsqueeze",
        "Identity", "Dropout", "Slice",         "Split",     "Gather",         "DepthToSpace", "SpaceToDepth",
        "Expand",   "Tile",    "Pad",           "Transpose", "ReverseSequence"};
    return op.domain.empty() &&
           std::find(std::begin(kKeeping), std::end(kKeeping), op.type) != std::end(kKeeping);
}

/// Those that can work on int8 as it is.
bool movesOnly(const Op& op) {
    return keepsExponent(op) && op.type != "MaxPool" && op.type != "GlobalMaxPool" && op.type != "Pad" &&
           op.type != "Relu";
}

/// The largest numbers that runs of the network had.
struct SeenRanges {
    std::vector<float> tensors; ///< One a tensor of the graph.
    std::map<OpId, float> scores;

    void add(TensorId tensor, const Value& value) {
        if (value.dtype == DataType::F32)
            tensors[tensor.index()] = std::max(tensors[tensor.index()], largestOf(elements<float>(value)));
    }
    void add(const Graph& graph, const RealStep& step) {
        const Op& op = graph.op(step.op);
        for (std::size_t i = 0; i < op.outputs.size() && i < step.outputs.size(); ++i)
            if (op.outputs[i].valid())
                add(op.outputs[i], step.outputs[i]);
        if (!step.scores.empty())
            scores[step.op] = std::max(scores[step.op], largestOf(step.scores));
    }
};

class Quantizer {
public:
    Quantizer(QuantizedModel& model, SeenRanges& seen, int threads)
        : m_model(model), m_graph(*model.graph), m_seen(seen), m_threads(threads) {}

    Result<void> observe(const RealStep& step) {
        const Op& op = m_graph.op(step.op);
        m_seen.add(m_graph, step);
        const auto& forms = m_model.forms[step.op.index()];
        if (forms.empty()) {
            for (std::size_t i = 0; i < op.inputs.size(); ++i)
                if (op.inputs[i].valid() && m_graph.tensor(op.inputs[i]).isConstant())
                    m_model.constants.try_emplace(op.inputs[i], step.inputs[i]);
        } else {
            PIM_CHECK(quantizeOperands(op, step, forms));
        }
        for (std::size_t i = 0; i < op.outputs.size() && i < step.outputs.size(); ++i)
            if (op.outputs[i].valid() && step.outputs[i].dtype == DataType::F32)
                setExponent(op, op.outputs[i]);
        if (forms.size() == 2)
            m_model.scoreExponents[step.op] = exponentFor(static_cast<double>(m_seen.scores[step.op]));
        if (forms.size() == 1 && op.inputs.size() > 2 && op.inputs[2].valid())
            return quantizeBias(op, step, forms[0]);
        return {};
    }

private:
    tl::unexpected<Error> unsupported(const Op& op, std::string why) const {
        return fail(ErrorCode::Unsupported, std::move(why), fmt::format("{} \"{}\"", op.type, op.name));
    }

    void setExponent(const Op& op, TensorId out) {
        auto& exponent = m_model.exponents[out.index()];
        if (keepsExponent(op) && m_model.exponents[op.inputs[0].index()])
            exponent = m_model.exponents[op.inputs[0].index()];
        else
            exponent = exponentFor(static_cast<double>(m_seen.tensors[out.index()]));
    }

    int operandExponent(OpId id, std::size_t i) const {
        const auto it = m_model.operands.find({id, static_cast<int>(i)});
        return it != m_model.operands.end() ? it->second.exponent
                                            : *m_model.exponents[m_graph.op(id).inputs[i].index()];
    }

    /// Weights and biases that are NaN or infinite: 8 bits have no such number, and whatever they took instead would not be the model.
    Result<void> checkFinite(TensorId constant, const Value& value) const {
        const auto values = elements<float>(value);
        const auto wrong = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
        if (wrong == values.end())
            return {};
        return fail(ErrorCode::Unsupported,
                    fmt::format("element {} is {}, and only finite numbers can be computed with",
                                shapeText(indexOf(wrong - values.begin(), value.shape)), *wrong),
                    m_graph.tensor(constant).name, "repair the weights of the model, or export it again");
    }

    Result<void> quantizeOperands(const Op& op, const RealStep& step, const std::vector<MatrixForm>& forms) {
        for (const MatrixForm& form : forms)
            if (form.n * 128 * 128 + kLargestBias > std::numeric_limits<std::int32_t>::max())
                return unsupported(
                    op, fmt::format("it adds up {} products; more than {} can overflow a 32-bit accumulator",
                                    form.n,
                                    (std::numeric_limits<std::int32_t>::max() - kLargestBias) / (128 * 128)));
        const float alpha = static_cast<float>(op.type == "Gemm" ? op.floatAttribute("alpha", 1) : 1);
        const std::size_t count = forms.size() == 2 ? 3 : 2;
        bool scaled = alpha == 1;
        for (std::size_t i = count; i-- > 0;) {
            if (!m_graph.tensor(op.inputs[i]).isConstant())
                continue;
            auto reals = elements<float>(step.inputs[i]);
            PIM_CHECK(checkFinite(op.inputs[i], step.inputs[i]));
            std::vector<float> copy;
            if (!scaled) { // the factor goes into one constant operand
                copy.assign(reals.begin(), reals.end());
                for (float& v : copy)
                    v *= alpha;
                reals = copy;
                scaled = true;
            }
            QuantizedOperand operand;
            operand.exponent = exponentFor(static_cast<double>(largestOf(reals)));
            operand.values.resize(reals.size());
            quantizeInto(reals, operand.exponent, operand.values.data(), m_threads);
            m_model.operands[{step.op, static_cast<int>(i)}] = std::move(operand);
        }
        if (!scaled)
            return unsupported(op, "its alpha is not 1 and neither operand is a constant");
        if (forms.size() == 2 && op.inputs.size() > 3 && op.inputs[3].valid() &&
            m_graph.tensor(op.inputs[3]).isConstant())
            m_model.constants.try_emplace(op.inputs[3], step.inputs[3]);
        return {};
    }

    Result<void> quantizeBias(const Op& op, const RealStep& step, const MatrixForm& form) {
        if (!m_graph.tensor(op.inputs[2]).isConstant())
            return unsupported(
                op, "its bias is computed at run time; only constants can be added in the accumulators");
        const int exponent = operandExponent(step.op, 0) + operandExponent(step.op, 1);
        const double beta = op.type == "Gemm" ? op.floatAttribute("beta", 1) : 1;
        const auto reals = elements<float>(step.inputs[2]);
        PIM_CHECK(checkFinite(op.inputs[2], step.inputs[2]));
        const auto toInt = [&](float v) {
            const double q = std::nearbyint(std::ldexp(static_cast<double>(v) * beta, -exponent));
            const auto limit = static_cast<double>(kLargestBias);
            return static_cast<std::int32_t>(q != q ? 0 : std::clamp(q, -limit, limit));
        };
        std::vector<std::int32_t> bias;
        const Shape& shape = step.inputs[2].shape;
        const bool perColumn = form.isConv() || shape.empty() || shape.size() == 1 || shape[0] == 1;
        if (perColumn) {
            for (std::int64_t c = 0; c < form.g * form.k; ++c)
                bias.push_back(toInt(reals[reals.size() == 1 ? 0 : static_cast<std::size_t>(c)]));
        } else {
            for (std::int64_t m = 0; m < form.m; ++m)
                for (std::int64_t k = 0; k < form.k; ++k)
                    bias.push_back(
                        toInt(reals[static_cast<std::size_t>(shape[1] == 1 ? m : m * form.k + k)]));
        }
        m_model.biases[step.op] = std::move(bias);
        return {};
    }

    QuantizedModel& m_model;
    const Graph& m_graph;
    SeenRanges& m_seen;
    int m_threads;
};

} // namespace

std::int64_t QuantizedModel::weightBytes() const {
    std::int64_t bytes = 0;
    for (const auto& [key, operand] : operands)
        bytes += static_cast<std::int64_t>(operand.values.size());
    return bytes;
}

int exponentFor(double largest) {
    if (!(largest > 0))
        return -7;
    int e = std::ilogb(largest) - 8;
    while (e < 121 && std::ldexp(127.0, e) < largest)
        ++e;
    return std::max(e, -120);
}

std::int8_t quantizeReal(float value, int exponent) {
    std::int8_t result = 0;
    quantizeInto({&value, 1}, exponent, &result, 1);
    return result;
}

std::int8_t requantize(std::int64_t sum, int shift) {
    if (shift <= 0) {
        if (sum == 0)
            return 0;
        if (shift < -8)
            return sum > 0 ? std::int8_t(127) : std::int8_t(-128);
        sum *= std::int64_t(1) << -shift;
    } else if (shift > 40) { // |sum| < 2^32: less than a half
        return 0;
    } else {
        const std::int64_t half = std::int64_t(1) << (shift - 1);
        sum = (sum + half - 1 + ((sum >> shift) & 1)) >> shift;
    }
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(sum, -128, 127));
}

Value toInt8(const Value& reals, int exponent) {
    Fresh<std::int8_t> out(DataType::I8, reals.shape);
    quantizeInto(elements<float>(reals), exponent, out.data.data(), 1);
    return out.value;
}

Value toReal(const Value& int8, int exponent) {
    Fresh<float> out(DataType::F32, int8.shape);
    const float scale = std::ldexp(1.0F, exponent);
    const auto from = elements<std::int8_t>(int8);
    for (std::size_t i = 0; i < from.size(); ++i)
        out.data[i] = static_cast<float>(from[i]) * scale;
    return out.value;
}

Result<QuantizedModel> quantize(std::shared_ptr<const Graph> graph, const QuantizeOptions& options,
                                const TaskContext& task) {
    QuantizedModel model;
    model.graph = std::move(graph);
    const Graph& g = *model.graph;
    model.exponents.resize(g.tensors.size());
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        PIM_TRY(auto forms, matrixForms(g, OpId(static_cast<std::int64_t>(i))));
        model.forms.push_back(std::move(forms));
    }
    if (options.calibration.empty()) {
        PIM_TRY(model.calibration, sampleInputs(g, options.seed));
    } else {
        model.calibration = options.calibration.front();
    }
    SeenRanges seen{std::vector<float>(g.tensors.size()), {}};
    for (std::size_t run = 0; run < std::max<std::size_t>(1, options.calibration.size()); ++run) {
        const std::vector<Value>& inputs = run == 0 ? model.calibration : options.calibration[run];
        PIM_CHECK(checkInputs(g, inputs));
        for (std::size_t i = 0; i < g.inputs.size(); ++i)
            seen.add(g.inputs[i], inputs[i]);
        if (run == 0)
            continue; // below, when all others have been seen
        PIM_CHECK(runReal(
            g, inputs,
            [&](const RealStep& step) {
                seen.add(g, step);
                return Result<void>();
            },
            options.threads, task));
    }
    for (std::size_t i = 0; i < g.inputs.size(); ++i)
        if (const TensorId input = g.inputs[i]; model.calibration[i].dtype == DataType::F32)
            model.exponents[input.index()] = exponentFor(static_cast<double>(seen.tensors[input.index()]));
    Quantizer quantizer(model, seen, options.threads);
    PIM_CHECK(runReal(
        g, model.calibration, [&](const RealStep& step) { return quantizer.observe(step); }, options.threads,
        task));
    return model;
}

SumFinisher::SumFinisher(const QuantizedModel& model, OpId id, int part) {
    const Op& op = model.graph->op(id);
    const MatrixForm& form = model.form(id, part);
    const auto exponent = [&](int i) {
        const auto it = model.operands.find({id, i});
        return it != model.operands.end() ? it->second.exponent
                                          : *model.exponents[op.inputs[static_cast<std::size_t>(i)].index()];
    };
    const bool scores = form.parts == 2 && part == 0;
    const int in =
        form.parts == 2 && part == 1 ? kProbabilityExponent + exponent(2) : exponent(0) + exponent(1);
    m_shift = (scores ? model.scoreExponents.at(id) : *model.exponents[op.outputs[0].index()]) - in;
    if (const auto it = model.biases.find(id); it != model.biases.end() && part == 0) {
        m_bias = &it->second;
        m_perChannel = static_cast<std::int64_t>(m_bias->size()) == form.g * form.k;
    }
}

const Value* constantOf(const QuantizedModel& model, TensorId tensor) {
    const auto it = model.constants.find(tensor);
    return it == model.constants.end() ? nullptr : &it->second;
}

Result<std::vector<Value>> runQuantizedOp(const QuantizedModel& model, OpId id, std::span<const Value> inputs,
                                          int threads) {
    const Graph& graph = *model.graph;
    const Op& op = graph.op(id);
    const bool int8First =
        !inputs.empty() && inputs[0].bytes && op.inputs[0].valid() && model.exponents[op.inputs[0].index()];
    if (int8First && movesOnly(op))
        return runRealOp(graph, id, inputs, threads, DataType::I8);
    if (int8First && op.type == "Relu" && op.domain.empty()) {
        Fresh<std::int8_t> out(DataType::I8, inputs[0].shape);
        const auto from = elements<std::int8_t>(inputs[0]);
        for (std::size_t i = 0; i < from.size(); ++i)
            out.data[i] = std::max<std::int8_t>(from[i], 0);
        return std::vector<Value>{out.value};
    }
    std::vector<Value> reals(inputs.begin(), inputs.end());
    for (std::size_t i = 0; i < reals.size(); ++i)
        if (reals[i].bytes && op.inputs[i].valid() && model.exponents[op.inputs[i].index()])
            reals[i] = toReal(reals[i], *model.exponents[op.inputs[i].index()]);
    PIM_TRY(auto outputs, runRealOp(graph, id, reals, threads));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (outputs[i].bytes && op.outputs[i].valid() && model.exponents[op.outputs[i].index()])
            outputs[i] = toInt8(outputs[i], *model.exponents[op.outputs[i].index()]);
    return outputs;
}

Result<Value> quantizedProbabilities(const QuantizedModel& model, OpId id, const Value& scores,
                                     const Value& mask, int threads) {
    const Op& op = model.graph->op(id);
    Value reals = toReal(scores, model.scoreExponents.at(id));
    Value realMask = mask;
    if (mask.bytes && model.exponents[op.inputs[3].index()])
        realMask = toReal(mask, *model.exponents[op.inputs[3].index()]);
    Fresh<float> work(DataType::F32, scores.shape);
    const auto from = elements<float>(reals);
    std::copy(from.begin(), from.end(), work.data.begin());
    PIM_CHECK(attentionSoftmax(*model.graph, id, work.data, realMask, threads));
    return toInt8(work.value, kProbabilityExponent);
}

} // namespace pim
