// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A matrix operator as array hardware sees it: for each of g instances, out[m][k] = sum over n of in[m][n] *
/// weights[n][k]. Knows where every element of the three lies in the tensors of the graph; convolutions are
/// unrolled element by element (im2col) and never as a whole.
///   Conv       m = image, row, column of the output; n = input channel of the group, kernel row, kernel
///   column;
///              k = output channel of the group; instances are groups
///   Gemm       m, n, k as in its definition
///   MatMul     weights without batch: m = all rows of the left operand, one instance; else one instance a
///   batch entry Attention  two products, an instance a head: part 0 scores (q times k^T), part 1 context
///   (softmax(scores) times v)
#include "core/graph/graph.h"

#include <vector>

namespace pim {

struct MatrixForm {
    OpId op;
    int part = 0;
    int parts = 1;
    TensorId input; ///< Streamed operand; invalid for part 1 of attention: what the softmax gives, [g][m][n].
    TensorId weights; ///< The operand held in arrays.
    std::int64_t m = 0, n = 0, k = 0, g = 1;

    /// Sliding window of a convolution; kernel 0 x 0 for a plain product.
    struct Window {
        std::int64_t channels = 0, height = 0, width = 0; ///< Of the input, all groups.
        std::int64_t groupChannels = 0;
        std::int64_t kernelHeight = 0, kernelWidth = 0, strideY = 1, strideX = 1, dilationY = 1,
                     dilationX = 1;
        std::int64_t top = 0, left = 0; ///< Padding; may be negative.
        std::int64_t outHeight = 0, outWidth = 0;
    } window;
    // Plain products: element = base[instance] + row/column * step.
    std::vector<std::int64_t> inputBase;
    std::int64_t inputRow = 0, inputStep = 0;
    // All: weights[n][k] of an instance.
    std::vector<std::int64_t> weightBase;
    std::int64_t weightStep = 0, weightColumn = 0;

    bool isConv() const { return window.kernelHeight > 0; }
    std::int64_t outputs() const { return g * m * k; }
    /// Position of out[row][column] of an instance in the output tensor (scores: [g][m][k]).
    std::int64_t outIndex(std::int64_t instance, std::int64_t row, std::int64_t column) const {
        if (!isConv())
            return (instance * m + row) * k + column;
        const std::int64_t pixels = window.outHeight * window.outWidth;
        return ((row / pixels * g + instance) * k + column) * pixels + row % pixels;
    }
    std::int64_t outColumnStep() const { return isConv() ? window.outHeight * window.outWidth : 1; }
};

/// None for an op that is no matrix product, two for attention. Errors: Unsupported where a shape is unknown
/// or the op has a form nothing here computes (three spatial dimensions, …), with the op.
Result<std::vector<MatrixForm>> matrixForms(const Graph& graph, OpId op);
/// The same with MatMulInteger and ConvInteger as MatMul and Conv, for those who know of zero points.
Result<std::vector<MatrixForm>> wholeForms(const Graph& graph, OpId op);

/// Lines [begin, begin + lines) of an operand, rows of the input or columns of the weights, and of each the elements n in [nBegin,
/// nBegin + n).
struct OperandBlock {
    std::int64_t instance = 0;
    std::int64_t begin = 0, lines = 0;
    std::int64_t nBegin = 0, n = 0;
};

/// in[row][n] of a block to out[row * stride + n]; padding is 0. From and To: int8 and int16 (widened for the kernels), float, or int64.
template <class From, class To>
void gatherInput(const MatrixForm& form, const From* input, const OperandBlock& block, To* out,
                 std::int64_t stride);

/// weights[n][k] of a block of columns k to out[column * stride + n].
template <class From, class To>
void gatherWeights(const MatrixForm& form, const From* weights, const OperandBlock& block, To* out,
                   std::int64_t stride);

} // namespace pim
