// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/dpu_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

constexpr std::int64_t kMostOfFloat = std::int64_t(1) << 23, kMostFactor = (1 << 15) - 1;

/// The greatest |q| of an operand.
std::int64_t greatestOperand(const CheckedOp& op) {
    const TileShape& shape = op.arrangement->tile().tile.shape();
    const std::int64_t most = shape.type == DataType::I8    ? 127
                              : shape.type == DataType::I16 ? 32767
                                                            : std::numeric_limits<std::int32_t>::max();
    std::int64_t terms = 1;
    for (int loop = 0; loop < std::ssize(op.kernel().loops); ++loop)
        if (op.kernel().isReductionLoop(loop))
            terms *= op.kernel().loops[std::size_t(loop)].extent;
    const std::int64_t ofSum = std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(terms, 1);
    const auto root = [](std::int64_t value) { return std::int64_t(std::sqrt(double(value))); };
    std::int64_t greatest = most;
    if (shape.form == Form::Product)
        greatest = std::min(root(ofSum), kMostFactor);
    else if (shape.form == Form::LookUp)
        greatest = most;
    else if (shape.form == Form::Sum)
        greatest = shape.function == Function::Max || shape.function == Function::Min ? most : ofSum;
    else if (shape.function == Function::Add || shape.function == Function::Sub)
        greatest = most / 2;
    else if (shape.function == Function::Mul)
        greatest = root(most);
    return std::clamp<std::int64_t>(std::min(greatest, most), 1, kMostOfFloat);
}

int exponentOf(double largest, std::int64_t greatest) {
    if (!(largest > 0))
        return 0;
    int exponent = std::ilogb(largest / double(greatest));
    while (std::ldexp(double(greatest), exponent) < largest)
        ++exponent;
    return exponent;
}

double largestOf(const std::vector<float>& values) {
    double largest = 0;
    for (const float value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(double(value)));
    return largest;
}

std::vector<std::int32_t> rounded(const std::vector<float>& values, int exponent, std::int64_t greatest) {
    std::vector<std::int32_t> whole;
    whole.reserve(values.size());
    for (const float value : values) {
        const double q = std::nearbyint(std::ldexp(double(value), -exponent));
        whole.push_back(q != q ? 0 : std::int32_t(std::clamp(q, -double(greatest), double(greatest))));
    }
    return whole;
}

} // namespace

Result<std::optional<std::vector<std::vector<float>>>>
runFixedPoint(DpuOps& ops, CheckedOp& op, std::vector<std::vector<float>> operands, const TaskContext& task) {
    if (op.arrangement->tile().tile.lookUps()) {
        op.note = "not run: look-ups are in i8, the rest of the network in another type";
        return std::optional<std::vector<std::vector<float>>>();
    }
    const std::int64_t greatest = greatestOperand(op);
    const TileShape& shape = op.arrangement->tile().tile.shape();
    const bool product =
        shape.form == Form::Product || (shape.form == Form::Map && shape.function == Function::Mul);
    double largest = 0;
    for (const std::vector<float>& operand : operands)
        largest = std::max(largest, largestOf(operand));
    KernelNumbers numbers(operands.size());
    std::vector<int> exponents(operands.size(), exponentOf(largest, greatest));
    for (std::size_t t = 0; t < operands.size(); ++t) {
        if (product) // factors may have exponents of their own, terms may not
            exponents[t] = exponentOf(largestOf(operands[t]), greatest);
        numbers[t] = rounded(operands[t], exponents[t], greatest);
    }
    int exponent = 0;
    for (const int operand : upmem::operandsOf(op.kernel(), op.arrangement->tile())) {
        const int one = exponents[std::size_t(op.kernel().accesses[std::size_t(operand)].tensor)];
        exponent = product ? exponent + one : one;
    }
    PIM_TRY(const bool ran, ops.run(op, numbers, task));
    if (!ran)
        return std::optional<std::vector<std::vector<float>>>();
    const auto result = std::size_t(op.arrangement->resultTensor());
    operands[result].clear();
    for (const std::int32_t sum : numbers[result])
        operands[result].push_back(float(std::ldexp(double(sum), exponent)));
    return std::optional(std::move(operands));
}

KernelNumbers randomOperands(const CheckedOp& op, std::uint64_t seed) {
    std::mt19937_64 random(seed * 0x100000001b3ULL + std::uint64_t(op.op.value));
    const auto greatest = std::uint64_t(greatestOperand(op));
    KernelNumbers numbers(op.kernel().tensors.size());
    for (std::size_t t = 0; t < numbers.size(); ++t)
        if (op.kernel().tensors[t].role == TensorRole::Input) {
            numbers[t].resize(std::size_t(elementCount(op.kernel().tensors[t].shape).value_or(0)));
            if (op.kernel().tensors[t].dtype == DataType::U16) { // indices of centroids
                for (std::int32_t& number : numbers[t])
                    number =
                        std::int32_t(random() % std::uint64_t(op.arrangement->tile().tile.shape().centroids));
                continue;
            }
            for (std::int32_t& number : numbers[t])
                number = std::int32_t(std::int64_t(random() % (2 * greatest + 1)) - std::int64_t(greatest));
        }
    return numbers;
}

} // namespace pim::upmem
