// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/vector_functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pim {

namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double hardSigmoid(double x, double slope, double offset) {
    return std::clamp(slope * x + offset, 0.0, 1.0);
}

} // namespace

double vectorFunction(VectorOp op, double x, double alpha, double beta) {
    switch (op) {
    case VectorOp::None:
        return x;
    case VectorOp::Relu:
        return std::max(x, 0.0);
    case VectorOp::LeakyRelu:
        return x < 0 ? alpha * x : x;
    case VectorOp::Clip:
        return std::min(std::max(x, alpha), beta);
    case VectorOp::Sigmoid:
        return sigmoid(x);
    case VectorOp::HardSigmoid:
        return hardSigmoid(x, alpha, beta);
    case VectorOp::Tanh:
        return std::tanh(x);
    case VectorOp::Gelu:
        return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case VectorOp::Silu:
        return x * sigmoid(x);
    case VectorOp::HardSwish:
        return x * hardSigmoid(x, 1.0 / 6, 0.5);
    case VectorOp::Exp:
        return std::exp(x);
    case VectorOp::Sqrt:
        return std::sqrt(x);
    case VectorOp::Scale:
        return alpha * x + beta;
    default:
        return 0;
    }
}

double vectorFunction(VectorOp op, double a, double b) {
    switch (op) {
    case VectorOp::Add:
        return a + b;
    case VectorOp::Sub:
        return a - b;
    case VectorOp::Mul:
        return a * b;
    case VectorOp::Div:
        return a / b;
    case VectorOp::Max:
        return std::max(a, b);
    case VectorOp::Min:
        return std::min(a, b);
    case VectorOp::Pow:
        return std::pow(a, b);
    default:
        return 0;
    }
}

bool isBinary(VectorOp op) {
    switch (op) {
    case VectorOp::Add:
    case VectorOp::Sub:
    case VectorOp::Mul:
    case VectorOp::Div:
    case VectorOp::Max:
    case VectorOp::Min:
    case VectorOp::Pow:
        return true;
    default:
        return false;
    }
}

void localResponse(const NormaliseWork& work, std::span<const double> in, std::span<double> out) {
    // onnx/docs/Operators.md, LRN: channels from c - floor((size - 1) / 2) to c + ceil((size - 1) / 2).
    const auto channels = std::ptrdiff_t(in.size()), before = std::ptrdiff_t(work.size - 1) / 2,
               after = std::ptrdiff_t(work.size) / 2;
    for (std::ptrdiff_t c = 0; c < channels; ++c) {
        double squares = 0;
        for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(0, c - before);
             k <= std::min(channels - 1, c + after); ++k)
            squares += in[std::size_t(k)] * in[std::size_t(k)];
        out[std::size_t(c)] =
            in[std::size_t(c)] / std::pow(work.offset + work.alpha / work.size * squares, work.beta);
    }
}

void softmaxOf(std::span<const double> in, std::span<double> out) {
    const double largest = *std::max_element(in.begin(), in.end());
    double sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
        sum += out[i] = std::exp(in[i] - largest);
    for (double& value : out)
        value /= sum;
}

void normalisedOf(std::span<const double> in, double epsilon, bool centred, std::span<double> out) {
    const auto count = double(in.size());
    double mean = 0, squares = 0;
    for (const double x : in)
        mean += centred ? x / count : 0;
    for (const double x : in)
        squares += (x - mean) * (x - mean);
    const double scale = 1 / std::sqrt(squares / count + epsilon);
    for (std::size_t i = 0; i < in.size(); ++i)
        out[i] = (in[i] - mean) * scale;
}

} // namespace pim
