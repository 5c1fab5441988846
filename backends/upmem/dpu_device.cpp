// SPDX-License-Identifier: GPL-3.0-or-later
// Ops of an 8-bit network on DPUs: operands as the kernel takes them, results as the network holds them.
#include "backends/upmem/dpu_ops.h"

#include "core/execute/operands.h"
#include "core/numeric/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::upmem {
namespace {

constexpr int kMostShift = 7; ///< 128 * 2^7 and its like add up to less than 2^15.

/// Whole numbers that the kernel's operands are made of: small, so that floats hold them.
pim::Value asFloats(std::span<const std::int8_t> numbers, const Shape& shape) {
    Fresh<float> made(DataType::F32, shape);
    for (std::size_t i = 0; i < made.data.size() && i < numbers.size(); ++i)
        made.data[i] = float(numbers[i]);
    return made.value;
}

Result<KernelNumbers> numbersOf(const DpuOps& ops, const CheckedOp& op, std::span<const pim::Value> inputs) {
    PIM_TRY(const auto operands, kernelOperands(*ops.plan().graph, op.op, op.kernel(), op.sources, inputs));
    KernelNumbers numbers;
    for (const std::vector<float>& operand : operands)
        numbers.emplace_back(operand.begin(), operand.end());
    return numbers;
}

/// Of an operand element by element; nothing for one that is no number with a fraction. A constant that is added gets no finer one
/// than has room beside the other operand: what is lost is less than 2^-8 of that one's last place.
std::optional<int> exponentOf(const QuantizedModel& model, const CheckedOp& op, TensorId tensor,
                              const pim::Value& value) {
    if (model.exponents[tensor.index()])
        return model.exponents[tensor.index()];
    if (value.dtype != DataType::F32)
        return std::nullopt;
    float largest = 0;
    for (const float x : elements<float>(value))
        largest = std::max(largest, std::abs(x));
    const int own = exponentFor(double(largest));
    if (op.arrangement->tile().tile.shape().function == TileShape::Function::Mul)
        return own;
    for (const TensorId input : model.graph->op(op.op).inputs)
        if (const auto other = input.valid() ? model.exponents[input.index()] : std::nullopt)
            return largest > 0 ? std::max(own, *other - kMostShift) : *other;
    return own;
}

} // namespace

Result<std::optional<std::vector<std::int32_t>>> DpuDevice::sums(const MatrixForm& form,
                                                                 std::span<const std::int8_t> input,
                                                                 std::span<const std::int8_t> weights) {
    CheckedOp* const op = form.parts == 1 ? m_ops.find(form.op) : nullptr;
    if (!op || op->kernel().body != BodyKind::Mac)
        return std::optional<std::vector<std::int32_t>>();
    const Graph& graph = *m_model.graph;
    const Op& node = graph.op(form.op);
    std::vector<pim::Value> inputs(node.inputs.size());
    inputs[0] = asFloats(input, *graph.tensor(node.inputs[0]).shape);
    inputs[1] = asFloats(weights, *graph.tensor(node.inputs[1]).shape);
    PIM_TRY(KernelNumbers numbers, numbersOf(m_ops, *op, inputs));
    PIM_TRY(const bool ran, m_ops.run(*op, numbers, m_task));
    if (!ran)
        return std::optional<std::vector<std::int32_t>>();
    return std::optional(std::move(numbers[std::size_t(op->arrangement->resultTensor())]));
}

Result<std::optional<std::vector<pim::Value>>> DpuDevice::results(OpId id,
                                                                  std::span<const pim::Value> inputs) {
    CheckedOp* const op = m_ops.find(id);
    if (!op || op->kernel().body == BodyKind::Mac)
        return std::optional<std::vector<pim::Value>>();
    if (op->kernel().gathers())
        return lookUps(*op, inputs);
    return op->kernel().body == BodyKind::Elementwise ? elementwise(*op, inputs) : reduction(*op, inputs);
}

Result<std::optional<std::vector<pim::Value>>> DpuDevice::elementwise(CheckedOp& op,
                                                                      std::span<const pim::Value> inputs) {
    const Op& node = m_model.graph->op(op.op);
    const auto out = m_model.exponents[node.outputs.front().index()];
    std::vector<pim::Value> whole(inputs.size());
    std::map<TensorId, int> exponents;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].bytes) {
            const auto exponent = exponentOf(m_model, op, node.inputs[i], inputs[i]);
            if (!exponent || !out) {
                op.note = "not run: its operands are no 8-bit numbers";
                return std::optional<std::vector<pim::Value>>();
            }
            exponents[node.inputs[i]] = *exponent;
            const pim::Value eight =
                inputs[i].dtype == DataType::F32 ? toInt8(inputs[i], *exponent) : inputs[i];
            whole[i] = asFloats(elements<std::int8_t>(eight), eight.shape);
        }
    PIM_TRY(KernelNumbers numbers, numbersOf(m_ops, op, whole));
    const TileShape& shape = op.arrangement->tile().tile.shape();
    int least = 1000, most = -1000, sum = 0;
    for (const int operand : upmem::operandsOf(op.kernel(), op.arrangement->tile())) {
        const int exponent =
            exponents.at(op.sources[std::size_t(op.kernel().accesses[std::size_t(operand)].tensor)]);
        least = std::min(least, exponent);
        most = std::max(most, exponent);
        sum += exponent;
    }
    const bool product = shape.function == TileShape::Function::Mul;
    if (!product && most - least > kMostShift) {
        op.note = fmt::format(
            "computed by the host: its operands are {} binary places apart, 16 bits have room for {}",
            most - least, kMostShift);
        return std::optional<std::vector<pim::Value>>();
    }
    if (product && sum < -120) { // the reference, in float32, has no such numbers
        op.note = "computed by the host: its results are below the range of float32";
        return std::optional<std::vector<pim::Value>>();
    }
    for (std::size_t t = 0; !product && t < numbers.size(); ++t)
        if (op.kernel().tensors[t].role == TensorRole::Input)
            for (std::int32_t& number : numbers[t])
                number *= 1 << (exponents.at(op.sources[t]) - least);
    PIM_TRY(const bool ran, m_ops.run(op, numbers, m_task));
    if (!ran)
        return std::optional<std::vector<pim::Value>>();
    Fresh<std::int8_t> made(DataType::I8, *m_model.graph->tensor(node.outputs.front()).shape);
    const auto& result = numbers[std::size_t(op.arrangement->resultTensor())];
    for (std::size_t i = 0; i < made.data.size() && i < result.size(); ++i)
        made.data[i] = requantize(result[i], *out - (product ? sum : least));
    return std::optional(std::vector<pim::Value>{made.value});
}

Result<std::optional<std::vector<pim::Value>>> DpuDevice::reduction(CheckedOp& op,
                                                                    std::span<const pim::Value> inputs) {
    const Op& node = m_model.graph->op(op.op);
    const auto in = m_model.exponents[node.inputs.front().index()],
               out = m_model.exponents[node.outputs.front().index()];
    if (!in || !out || inputs.front().dtype != DataType::I8) {
        op.note = "not run: its operands are no 8-bit numbers";
        return std::optional<std::vector<pim::Value>>();
    }
    std::vector<pim::Value> whole(inputs.begin(), inputs.end());
    whole.front() = asFloats(elements<std::int8_t>(inputs.front()), inputs.front().shape);
    PIM_TRY(KernelNumbers numbers, numbersOf(m_ops, op, whole));
    PIM_TRY(const bool ran, m_ops.run(op, numbers, m_task));
    if (!ran)
        return std::optional<std::vector<pim::Value>>();
    const auto& result = numbers[std::size_t(op.arrangement->resultTensor())];
    const bool mean = node.type == "ReduceMean" || node.type == "GlobalAveragePool";
    const double terms = mean && !result.empty() ? double(inputs.front().count()) / double(result.size()) : 1;
    Fresh<float> reals(DataType::F32, *m_model.graph->tensor(node.outputs.front()).shape);
    for (std::size_t i = 0; i < reals.data.size() && i < result.size(); ++i)
        reals.data[i] = float(std::ldexp(double(result[i]), *in) / terms); // in double, as the reference does
    return std::optional(std::vector<pim::Value>{toInt8(reals.value, *out)});
}

/// Inputs: table, indices, bias, scales.
Result<std::optional<std::vector<pim::Value>>> DpuDevice::lookUps(CheckedOp& op,
                                                                  std::span<const pim::Value> inputs) {
    const Op& node = m_model.graph->op(op.op);
    const auto out = m_model.exponents[node.outputs.front().index()];
    if (!out || inputs[1].dtype != DataType::U16) {
        op.note = "not run: its operands are no 8-bit numbers and indices";
        return std::optional<std::vector<pim::Value>>();
    }
    const bool ownScales = inputs[0].dtype == DataType::I8;
    const auto exponent = ownScales ? std::optional(0) : exponentOf(m_model, op, node.inputs[0], inputs[0]);
    const pim::Value table = ownScales ? inputs[0] : toInt8(inputs[0], *exponent);
    const auto entries = elements<std::int8_t>(table);
    const auto indices = elements<std::uint16_t>(inputs[1]);
    KernelNumbers numbers(op.kernel().tensors.size());
    const auto of = [&](int access) -> std::vector<std::int32_t>& {
        return numbers[std::size_t(op.kernel().accesses[std::size_t(access)].tensor)];
    };
    of(op.arrangement->tile().held).assign(indices.begin(), indices.end());
    of(op.arrangement->tile().streamed).assign(entries.begin(), entries.end());
    PIM_TRY(const bool ran, m_ops.run(op, numbers, m_task));
    if (!ran)
        return std::optional<std::vector<pim::Value>>();
    const auto& sums = numbers[std::size_t(op.arrangement->resultTensor())];
    const auto has = [&](std::size_t i) { return i < inputs.size() && inputs[i].bytes != nullptr; };
    const auto bias = has(2) ? elements<float>(inputs[2]) : std::span<const float>();
    const auto scales = has(3) ? elements<float>(inputs[3]) : std::span<const float>();
    const auto features = std::size_t(table.shape.back());
    Fresh<float> reals(DataType::F32, *m_model.graph->tensor(node.outputs.front()).shape);
    for (std::size_t i = 0; i < reals.data.size() && i < sums.size(); ++i) {
        const float sum = scales.empty()
                              ? float(std::ldexp(double(sums[i]), *exponent)) // as the reference does
                              : float(sums[i]) * scales[scales.size() == 1 ? 0 : i % features];
        reals.data[i] = sum + (bias.empty() ? 0.0F : bias[i % features]);
    }
    return std::optional(std::vector<pim::Value>{toInt8(reals.value, *out)});
}

void roundConstants(QuantizedModel& model, const DpuOps& ops) {
    for (const CheckedOp& op : ops.ops()) {
        if (!op.arrangement)
            continue;
        if (op.kernel().gathers()) {
            const TensorId table = model.graph->op(op.op).inputs.front();
            if (const auto at = model.constants.find(table); at != model.constants.end())
                if (at->second.dtype == DataType::F32)
                    if (const auto exponent = exponentOf(model, op, table, at->second))
                        at->second = toReal(toInt8(at->second, *exponent), *exponent);
            continue;
        }
        if (op.kernel().body != BodyKind::Elementwise)
            continue;
        for (const TensorId input : model.graph->op(op.op).inputs)
            if (const auto at = model.constants.find(input); at != model.constants.end())
                if (const auto exponent = exponentOf(model, op, input, at->second))
                    at->second = toReal(toInt8(at->second, *exponent), *exponent);
    }
}

void compareRuns(DpuOps& ops, const QuantizedRun& run, const QuantizedRun& reference) {
    const auto compare = [](CheckedOp& op, const auto& got, const auto& wanted, const Shape& shape) {
        op.elements = std::ssize(wanted);
        op.different = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (const int is = i < got.size() ? int(got[i]) : 0; is != int(wanted[i]) && op.different++ == 0)
                op.first = fmt::format("element {} is {} instead of {}",
                                       shapeText(indexOf(std::int64_t(i), shape)), is, int(wanted[i]));
    };
    for (CheckedOp& op : ops.ops()) {
        if (!op.ran)
            continue;
        const std::size_t out = ops.plan().graph->op(op.op).outputs.front().index();
        const pim::Value &is = run.values[out], &wanted = reference.values[out];
        if (op.kernel().body == BodyKind::Mac) // sums lie as the results do
            compare(op, run.sums.at({op.op, 0}), reference.sums.at({op.op, 0}), wanted.shape);
        else
            compare(op, elements<std::int8_t>(is), elements<std::int8_t>(wanted), wanted.shape);
    }
}

} // namespace pim::upmem
