// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A product with constant weights as look-ups see it: rows of its input, a matrix of weights, rows of sums. Convolutions are unrolled
/// (im2col): a row is an output pixel.
/// Flow: op + values of a run -> rows -> codebooks.h, lookup.h -> sums -> output of the op.
#include "core/graph/graph.h"
#include "core/numeric/element_access.h"
#include "core/numeric/matrix_form.h"

#include <span>
#include <vector>

namespace pim::lut {

class ProductLayer {
public:
    /// \param length of a sub-vector; rows that it does not divide are filled up with zeros.
    /// Errors: Unsupported for an op that is no product with constant weights of fractions, or one of several groups.
    static Result<ProductLayer> of(const Graph& graph, OpId op, std::int64_t length);

    OpId op() const { return m_form.op; }
    std::int64_t rows() const { return m_form.m; }
    std::int64_t inputs() const { return m_form.n; }     ///< Of a row, as the network has them.
    std::int64_t padded() const { return m_padded; }     ///< The next multiple of the length.
    std::int64_t features() const { return m_form.k; }   ///< Of a row of the output.
    std::size_t inputOperand() const { return m_input; } ///< Which input of the op the rows come from.

    /// [rows, padded]. \param input whole operand.
    std::vector<float> inputRows(const Value& input) const;
    /// Adds gradients of rows [rows, padded] to those of the operand.
    void addToInput(std::span<const float> rowGradients, std::span<float> operandGradients) const;
    /// [padded, features]. Errors: those of reading the constant.
    Result<std::vector<float>> weights(const Graph& graph) const;
    /// Rows [rows, features] in the order of the output tensor, and back.
    std::vector<float> toOutput(std::span<const float> sums) const;
    std::vector<float> fromOutput(std::span<const float> output) const;
    /// Value of the op: \p sums with factors and bias. \param in all operands.
    Result<Value> finished(const Graph& graph, std::span<const Value> in, std::span<const float> sums) const;

private:
    MatrixForm m_form;
    std::int64_t m_padded = 0;
    std::size_t m_input = 0;
};

} // namespace pim::lut
