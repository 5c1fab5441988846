// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The operators that are no matrix product, in float32: the one implementation every executor calls, so that
/// their results are equal bit for bit. Semantics: onnx/docs/Operators.md; elementary functions are those of
/// the C library.
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/numeric/element_access.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace pim {

/// Real inputs are F32, results too; everything else keeps its type. Input i is absent where its bytes are
/// null. Error::Unsupported names an op, type or attribute nothing here can compute. \param realType what
/// holds real results: I8 for operators that only move elements, whose inputs are I8 then as well.
Result<std::vector<Value>> runRealOp(const Graph& graph, OpId op, std::span<const Value> inputs, int threads,
                                     DataType realType = DataType::F32);

/// Probabilities of attention: softmax(scale * scores + mask), in place. \param scores [g][queries][keys] of
/// part 0. \param mask bytes null if the op has none; F32.
Result<void> attentionSoftmax(const Graph& graph, OpId op, std::span<float> scores, const Value& mask,
                              int threads);

namespace numeric {

/// softmax of the last axis in place, rows of \p length.
void softmaxRows(std::span<float> values, std::int64_t length, int threads);

/// What one op is asked for.
struct RealCall {
    const Op& op;
    std::span<const Value> in;
    std::vector<Value> out; ///< Type and shape, no bytes.
    std::int64_t opset = 17;
    int threads = 1;
    DataType type = DataType::F32; ///< Of output 0 in the graph: what real numbers are rounded to.

    bool has(std::size_t i) const { return i < in.size() && in[i].bytes != nullptr; }
    bool real(std::size_t i) const { return has(i) && in[i].dtype == DataType::F32; }
    std::span<const float> reals(std::size_t i) const { return elements<float>(in[i]); }
    std::vector<std::int64_t> ints(std::size_t i) const {
        return has(i) ? intsOf(*in[i].bytes, in[i].dtype) : std::vector<std::int64_t>();
    }
};
using RealAnswer = std::optional<std::vector<Value>>; ///< nullopt: not one of ours, or not in this form.

RealAnswer runElementwise(const RealCall& call);
RealAnswer runReduction(const RealCall& call);
RealAnswer runNormalization(const RealCall& call);
RealAnswer runWindow(const RealCall& call);
RealAnswer runMovement(const RealCall& call);
RealAnswer runLookUp(const RealCall& call);
RealAnswer runSelection(const RealCall& call);
RealAnswer runEinsum(const RealCall& call);
RealAnswer runRecurrent(const RealCall& call);

inline float sigmoid(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}
inline float softplus(float x) { // log(1 + e^x) without overflow
    return std::max(x, 0.0F) + std::log1p(std::exp(-std::fabs(x)));
}
inline RealAnswer single(Value value) {
    std::vector<Value> list;
    list.push_back(std::move(value));
    return list;
}
inline std::size_t axisIndex(std::int64_t axis, std::size_t rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}
/// Extents in front of, at and behind an axis.
struct AxisSplit {
    std::int64_t outer = 1, extent = 1, inner = 1;
};
AxisSplit splitAt(const Shape& shape, std::size_t axis);
/// Steps through \p from while walking \p to, to which it broadcasts.
std::vector<std::int64_t> stepsTo(const Shape& from, const Shape& to);
/// Calls \p visit(element of \p to, element of \p from, which broadcasts to it) for all of \p to, in order.
template <class Visit>
void forBroadcast(const Shape& from, const Shape& to, const Visit& visit) {
    const std::vector<std::int64_t> steps = stepsTo(from, to);
    std::vector<std::int64_t> at(to.size(), 0);
    const std::int64_t count = elementCount(to).value_or(0);
    std::int64_t source = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(static_cast<std::size_t>(i), static_cast<std::size_t>(source));
        for (std::size_t d = to.size(); d-- > 0;) {
            source += steps[d];
            if (++at[d] < to[d])
                break;
            source -= steps[d] * to[d];
            at[d] = 0;
        }
    }
}

} // namespace numeric
} // namespace pim
