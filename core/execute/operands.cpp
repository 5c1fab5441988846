// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execute/operands.h"

#include "core/numeric/matrix_form.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

std::string where(const Op& op) {
    return fmt::format("{} \"{}\"", op.type, op.name);
}

/// A window of one element that meets every element once: the kernel takes the input as it lies.
/// [core/kernel/from_op.cpp]
bool isPointwise(const MatrixForm::Window& window) {
    return window.kernelHeight * window.kernelWidth == 1 && window.strideY * window.strideX == 1 &&
           window.top == 0 && window.left == 0 && window.outHeight == window.height &&
           window.outWidth == window.width;
}

/// Input of a convolution by matrix product: all windows, [image][group][pixel][element of the window].
Result<std::vector<float>> windowMatrix(const Graph& graph, OpId op, std::span<const float> input) {
    PIM_TRY(const auto forms, matrixForms(graph, op));
    const MatrixForm& form = forms.front();
    if (isPointwise(form.window))
        return std::vector<float>(input.begin(), input.end());
    const std::int64_t pixels = form.window.outHeight * form.window.outWidth, images = form.m / pixels;
    std::vector<float> matrix(static_cast<std::size_t>(form.g * form.m * form.n));
    for (std::int64_t image = 0; image < images; ++image)
        for (std::int64_t group = 0; group < form.g; ++group)
            gatherInput(form, input.data(), {group, image * pixels, pixels, 0, form.n},
                        matrix.data() + (image * form.g + group) * pixels * form.n, form.n);
    return matrix;
}

/// A mask that adds the same to all keys of a query changes no probability.
Result<void> checkMask(const Op& op, std::span<const Value> inputs) {
    if (inputs.size() < 4 || !inputs[3].bytes)
        return {};
    const Value& mask = inputs[3];
    if (mask.dtype != DataType::F32 || op.stringAttribute("mask", "add") != "add")
        return fail(ErrorCode::Unsupported, "its mask selects scores, the softmax units of PIM see all keys",
                    where(op));
    const auto values = elements<float>(mask);
    const auto keys = static_cast<std::size_t>(mask.shape.empty() ? 1 : mask.shape.back());
    for (std::size_t row = 0; keys > 0 && row + keys <= values.size(); row += keys)
        if (std::any_of(values.begin() + static_cast<std::ptrdiff_t>(row),
                        values.begin() + static_cast<std::ptrdiff_t>(row + keys),
                        [&](float value) { return value != values[row]; }))
            return fail(ErrorCode::Unsupported,
                        "its mask hides some keys, the softmax units of PIM see all of them", where(op));
    return {};
}

Result<std::vector<float>> operandOf(const Graph& graph, OpId id, const Kernel& kernel,
                                     const KernelTensor& tensor, std::size_t input, const Value& value) {
    const Op& op = graph.op(id);
    if (value.dtype != DataType::F32)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its operand {} holds {}, PIM units take fractions", input, name(value.dtype)),
            where(op));
    const auto numbers = elements<float>(value);
    PIM_TRY(const std::int64_t wanted, elementCount(tensor.shape));
    std::vector<float> operand(numbers.begin(), numbers.end());
    if (op.opClass == OpClass::Conv && kernel.name == "conv_gemm" && input == 0) {
        PIM_TRY(operand, windowMatrix(graph, id, numbers));
    }
    if (op.opClass == OpClass::Attention && input == 0)
        for (float& query : operand)
            query *= static_cast<float>(op.floatAttribute("scale", 1));
    if (static_cast<std::int64_t>(operand.size()) != wanted)
        return fail(ErrorCode::Unsupported,
                    fmt::format("its operand {} has {} elements, the kernel's {} has {}", input,
                                operand.size(), tensor.name, wanted),
                    where(op));
    return operand;
}

} // namespace

Result<std::vector<std::vector<float>>> kernelOperands(const Graph& graph, OpId id, const Kernel& kernel,
                                                       std::span<const TensorId> sources,
                                                       std::span<const Value> inputs) {
    const Op& op = graph.op(id);
    if (op.opClass == OpClass::Attention)
        PIM_CHECK(checkMask(op, inputs));
    std::vector<std::vector<float>> tensors(kernel.tensors.size());
    std::vector<bool> taken(op.inputs.size(), false);
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        if (kernel.tensors[t].role == TensorRole::Output)
            continue;
        std::size_t input = 0;
        while (input < op.inputs.size() && (taken[input] || op.inputs[input] != sources[t]))
            ++input;
        if (input == op.inputs.size() || input >= inputs.size() || !inputs[input].bytes)
            return fail(ErrorCode::Unsupported,
                        fmt::format("nothing stands for the kernel's operand {}", kernel.tensors[t].name),
                        where(op));
        taken[input] = true;
        PIM_TRY(tensors[t], operandOf(graph, id, kernel, kernel.tensors[t], input, inputs[input]));
    }
    return tensors;
}

Result<Value> opResult(const Graph& graph, OpId id, const Kernel& kernel, std::span<const Value> inputs,
                       const std::vector<std::vector<float>>& tensors) {
    const Op& op = graph.op(id);
    const Tensor& out = graph.tensor(op.outputs.front());
    const auto result =
        std::find_if(kernel.tensors.begin(), kernel.tensors.end(),
                     [](const KernelTensor& tensor) { return tensor.role != TensorRole::Input; });
    if (result == kernel.tensors.end() || !out.shape)
        return fail(ErrorCode::Unsupported, "its kernel has no result", where(op));
    const auto& numbers = tensors[static_cast<std::size_t>(result - kernel.tensors.begin())];
    Fresh<float> fresh(DataType::F32, *out.shape);
    if (fresh.data.size() != numbers.size())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its result has {} elements, the kernel's {}", fresh.data.size(), numbers.size()),
            where(op));
    std::copy(numbers.begin(), numbers.end(), fresh.data.begin());
    if (op.opClass == OpClass::MatMul || op.opClass == OpClass::Conv)
        PIM_CHECK(finishProduct(graph, id, inputs, fresh.data));
    if (op.type == "ReduceMean" || op.type == "GlobalAveragePool") {
        const auto terms = static_cast<float>(inputs.front().count()) / static_cast<float>(fresh.data.size());
        for (float& value : fresh.data)
            value /= terms;
    } else if (op.type == "ReduceL2") {
        for (float& value : fresh.data)
            value = std::sqrt(value);
    }
    return fresh.value;
}

} // namespace pim
