// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/real_run.h"

#include "core/base/split_mix.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/real_ops.h"
#include "core/numeric/table_rows.h"
#include "core/numeric/whole_product.h"

#include <fmt/format.h>

namespace pim {

namespace {

/// Adds C of a Gemm or the bias of a Conv.
Result<void> addBias(const Op& op, const MatrixForm& form, const Value& bias, std::span<float> out,
                     float factor) {
    const auto values = elements<float>(bias);
    const auto where = fmt::format("{} \"{}\"", op.type, op.name);
    if (form.isConv()) {
        if (static_cast<std::int64_t>(values.size()) != form.g * form.k)
            return fail(
                ErrorCode::InvalidModel,
                fmt::format("its bias has {} elements, it has {} channels", values.size(), form.g * form.k),
                where);
        const auto pixels = static_cast<std::size_t>(form.window.outHeight * form.window.outWidth);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += values[i / pixels % values.size()];
        return {};
    }
    if (bias.shape.size() > 2)
        return fail(ErrorCode::Unsupported, fmt::format("its bias has shape {}", shapeText(bias.shape)),
                    where);
    const auto steps = numeric::stepsTo(bias.shape, {form.m, form.k});
    for (std::int64_t m = 0; m < form.m; ++m)
        for (std::int64_t k = 0; k < form.k; ++k) {
            const auto from = static_cast<std::size_t>(m * steps[0] + k * steps[1]);
            if (from >= values.size())
                return fail(ErrorCode::InvalidModel,
                            fmt::format("its bias has shape {}", shapeText(bias.shape)), where);
            out[static_cast<std::size_t>(m * form.k + k)] += factor * values[from];
        }
    return {};
}

/// Factors and bias.
Result<void> finish(const Op& op, const MatrixForm& form, std::span<const Value> in, std::span<float> sums) {
    const bool isGemm = op.type == "Gemm";
    const auto alpha = static_cast<float>(isGemm ? op.floatAttribute("alpha", 1) : 1);
    if (alpha != 1)
        for (float& sum : sums)
            sum *= alpha;
    if (in.size() > 2 && in[2].bytes)
        return addBias(op, form, in[2], sums, static_cast<float>(isGemm ? op.floatAttribute("beta", 1) : 1));
    return {};
}

struct MatrixResult {
    Value value;
    std::vector<float> scores;
};

using Forms = Result<std::vector<MatrixForm>>;

/// Products that runRealOp() computes: of whole numbers, and with windows in space.
bool isPlainOp(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    return isWholeProduct(graph, id) ||
           (op.domain.empty() && op.type == "Conv" && graph.tensor(op.inputs[0]).shape &&
            graph.tensor(op.inputs[0]).shape->size() == 5);
}

/// Of weights that are read a part at a time, when InParts is asked for.
constexpr std::int64_t kPartElements = 2 << 20;

/// Are all the weights of a column of the result side by side in a constant, and is that large?
bool comesInParts(const Graph& graph, const std::vector<MatrixForm>& forms, TensorId operand) {
    if (forms.size() != 1 || forms[0].isConv() || forms[0].g != 1 || operand != forms[0].weights)
        return false;
    const MatrixForm& form = forms[0];
    const std::vector<TensorId>& operands = graph.op(form.op).inputs;
    const Tensor& tensor = graph.tensor(operand);
    return operands[0] != operand && operands[1] == operand && tensor.isConstant() &&
           isRealType(tensor.dtype) && form.n * form.k >= kLargeConstant && form.weightBase[0] == 0 &&
           form.weightStep == 1 && form.weightColumn == form.n;
}

/// Columns are computed independently, so the sums are those of multiplyReal() at once.
Result<std::vector<float>> multiplyInParts(const MatrixForm& form, std::span<const float> input,
                                           const Tensor& tensor, int threads, const TaskContext& task) {
    PIM_TRY(const RealConstant constant, RealConstant::open(tensor));
    std::vector<float> sums(static_cast<std::size_t>(form.outputs()));
    const std::int64_t step = std::max<std::int64_t>(1, kPartElements / form.n);
    std::vector<float> weights;
    for (std::int64_t first = 0; first < form.k; first += step) {
        MatrixForm part = form;
        part.k = std::min(step, form.k - first);
        weights.resize(static_cast<std::size_t>(part.k * form.n));
        PIM_CHECK(constant.read(first * form.n, weights));
        PIM_TRY(const auto columns, multiplyReal(part, input, weights, threads, task));
        for (std::int64_t row = 0; row < form.m; ++row)
            std::copy_n(columns.begin() + row * part.k, part.k, sums.begin() + row * form.k + first);
    }
    return sums;
}

Result<MatrixResult> runMatrixOp(const Graph& graph, const std::vector<MatrixForm>& forms,
                                 std::span<const Value> in, int threads, const TaskContext& task) {
    const Op& op = graph.op(forms[0].op);
    const bool inParts = !in[1].bytes && comesInParts(graph, forms, op.inputs[1]);
    for (std::size_t i = 0; i < (forms.size() == 2 ? 3U : inParts ? 1U : 2U); ++i)
        if (in[i].dtype != DataType::F32)
            return fail(
                ErrorCode::Unsupported,
                fmt::format("its operand {} is {}; only fractions can be multiplied", i, name(in[i].dtype)),
                fmt::format("{} \"{}\"", op.type, op.name));
    MatrixResult result;
    std::vector<float> sums;
    if (inParts) {
        PIM_TRY(sums,
                multiplyInParts(forms[0], elements<float>(in[0]), graph.tensor(op.inputs[1]), threads, task));
    } else {
        PIM_TRY(sums, multiplyReal(forms[0], elements<float>(in[0]), elements<float>(in[1]), threads, task));
    }
    if (forms.size() == 2) {
        result.scores = sums;
        PIM_CHECK(attentionSoftmax(graph, forms[0].op, sums, in.size() > 3 ? in[3] : Value(), threads));
        PIM_TRY(auto context, multiplyReal(forms[1], sums, elements<float>(in[2]), threads, task));
        sums = std::move(context);
    } else {
        PIM_CHECK(finish(op, forms[0], in, sums));
    }
    const Tensor& out = graph.tensor(op.outputs[0]);
    Fresh<float> fresh(DataType::F32, *out.shape);
    if (fresh.data.size() != sums.size())
        return fail(ErrorCode::InvalidModel,
                    fmt::format("its result has {} elements, its shape {} says {}", sums.size(),
                                shapeText(*out.shape), fresh.data.size()),
                    fmt::format("{} \"{}\"", op.type, op.name));
    std::copy(sums.begin(), sums.end(), fresh.data.begin());
    result.value = std::move(fresh.value);
    return result;
}

} // namespace

Result<void> finishProduct(const Graph& graph, OpId op, std::span<const Value> in, std::span<float> sums) {
    PIM_TRY(const auto forms, matrixForms(graph, op));
    if (forms.size() != 1)
        return fail(ErrorCode::Unsupported, "it is no matrix product", graph.op(op).name);
    return finish(graph.op(op), forms[0], in, sums);
}

Result<void> checkInputs(const Graph& graph, std::span<const Value> inputs) {
    if (inputs.size() != graph.inputs.size())
        return fail(
            ErrorCode::Usage,
            fmt::format("{} inputs were given, the network has {}", inputs.size(), graph.inputs.size()),
            graph.name);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& tensor = graph.tensor(graph.inputs[i]);
        const auto where = fmt::format("input \"{}\"", tensor.name);
        if (!tensor.shape || !isStatic(*tensor.shape))
            return fail(ErrorCode::Unsupported, "its shape is not known", where,
                        "bind the dynamic dimensions");
        const DataType type = isRealType(tensor.dtype) ? DataType::F32 : tensor.dtype;
        if (inputs[i].dtype != type || inputs[i].shape != *tensor.shape || !inputs[i].bytes ||
            static_cast<std::int64_t>(inputs[i].bytes->size()) != inputs[i].count() * bytesOf(type))
            return fail(ErrorCode::Usage,
                        fmt::format("{} {} was given, {} {} is wanted", name(inputs[i].dtype),
                                    shapeText(inputs[i].shape), name(type), shapeText(*tensor.shape)),
                        where);
    }
    return {};
}

Result<std::vector<Value>> runReal(const Graph& graph, std::span<const Value> inputs,
                                   const RealObserver& observer, int threads, const TaskContext& task,
                                   ConstantUse constants) {
    PIM_CHECK(checkInputs(graph, inputs));
    std::vector<Value> values(graph.tensors.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[graph.inputs[i].index()] = inputs[i];
    std::vector<std::size_t> usersLeft(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        usersLeft[i] = graph.tensors[i].consumers.size();
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (task.cancelled())
            return TaskContext::cancelledError("the reference run");
        task.report("running in float32", static_cast<std::int64_t>(i),
                    static_cast<std::int64_t>(graph.ops.size()));
        const OpId id(static_cast<std::int64_t>(i));
        const Op& op = graph.ops[i];
        PIM_TRY(const auto forms, isPlainOp(graph, id) ? Forms() : matrixForms(graph, id));
        const bool inParts = constants == ConstantUse::InParts, rows = inParts && takesTableRows(graph, id);
        std::vector<Value> in;
        for (const TensorId tensor : op.inputs) {
            if (!tensor.valid() || (inParts && comesInParts(graph, forms, tensor)) ||
                (rows && tensor == op.inputs[0])) {
                in.emplace_back();
            } else if (graph.tensor(tensor).isConstant()) {
                PIM_TRY(auto value, constantValue(graph.tensor(tensor)));
                in.push_back(std::move(value));
            } else {
                in.push_back(values[tensor.index()]);
            }
        }
        std::vector<Value> out;
        std::vector<float> scores;
        if (rows) {
            PIM_TRY(auto taken, tableRows(graph, id, in[1]));
            out.push_back(std::move(taken));
        } else if (forms.empty()) {
            PIM_TRY(out, runRealOp(graph, id, in, threads));
        } else {
            PIM_TRY(auto result, runMatrixOp(graph, forms, in, threads, task));
            out.push_back(std::move(result.value));
            scores = std::move(result.scores);
        }
        if (observer)
            PIM_CHECK(observer(RealStep{id, in, out, scores, &out}));
        for (std::size_t k = 0; k < op.outputs.size(); ++k)
            if (op.outputs[k].valid() && k < out.size())
                values[op.outputs[k].index()] = std::move(out[k]);
        for (std::size_t k = 0; k < op.inputs.size(); ++k) {
            const TensorId tensor = op.inputs[k];
            const bool again =
                std::find(op.inputs.begin(), op.inputs.begin() + static_cast<std::ptrdiff_t>(k), tensor) !=
                op.inputs.begin() + static_cast<std::ptrdiff_t>(k);
            if (tensor.valid() && !again && --usersLeft[tensor.index()] == 0 &&
                !graph.tensor(tensor).isOutput)
                values[tensor.index()] = Value();
        }
    }
    std::vector<Value> outputs;
    for (const TensorId id : graph.outputs) {
        if (graph.tensor(id).isConstant()) {
            PIM_TRY(auto value, constantValue(graph.tensor(id)));
            outputs.push_back(std::move(value));
        } else {
            outputs.push_back(values[id.index()]);
        }
    }
    return outputs;
}

std::int64_t rowsChosenBy(const Graph& graph, TensorId input) {
    std::int64_t rows = 0;
    for (const OpId user : graph.tensor(input).consumers) {
        const Op& op = graph.op(user);
        if (op.type != "Gather" || op.inputs.size() < 2 || op.inputs[1] != input ||
            !graph.tensor(op.inputs[0]).shape)
            continue;
        const Shape& table = *graph.tensor(op.inputs[0]).shape;
        const std::size_t axis = numeric::axisIndex(op.intAttribute("axis", 0), table.size());
        if (axis < table.size())
            rows = rows == 0 ? table[axis] : std::min(rows, table[axis]);
    }
    return rows;
}

Result<std::vector<Value>> sampleInputs(const Graph& graph, std::uint64_t seed) {
    std::vector<Value> inputs;
    for (const TensorId id : graph.inputs) {
        const Tensor& tensor = graph.tensor(id);
        if (!tensor.shape || !isStatic(*tensor.shape) || bytesOf(tensor.dtype) == 0)
            return fail(ErrorCode::Unsupported, "its shape or type is not known",
                        fmt::format("input \"{}\"", tensor.name), "bind the dynamic dimensions");
        PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
        std::uint64_t state = seed * 0x100000001b3ULL + static_cast<std::uint64_t>(id.value);
        if (isRealType(tensor.dtype)) {
            Fresh<float> value(DataType::F32, *tensor.shape);
            for (float& v : value.data)
                v = static_cast<float>(static_cast<std::int64_t>(nextRandom(state) >> 40) - (1LL << 23)) /
                    static_cast<float>(1 << 23);
            inputs.push_back(value.value);
            continue;
        }
        const std::int64_t limit = rowsChosenBy(graph, id);
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(count), 1);
        if (limit > 0)
            for (auto& number : numbers)
                number = static_cast<std::int64_t>(nextRandom(state) % static_cast<std::uint64_t>(limit));
        inputs.push_back(
            Value{tensor.dtype, *tensor.shape,
                  std::make_shared<const std::vector<std::byte>>(bytesFromInts(numbers, tensor.dtype))});
    }
    return inputs;
}

} // namespace pim
