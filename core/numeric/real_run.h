// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs a Graph in float32: the reference a quantised run is calibrated with and compared to.
#include "core/base/task.h"
#include "core/numeric/element_access.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pim {

/// What an observer sees of one op, valid during the call.
struct RealStep {
    OpId op;
    std::span<const Value> inputs; ///< Constants included; bytes null for an input left out.
    std::span<const Value> outputs;
    std::span<const float>
        scores; ///< Attention: [g][queries][keys] before scale, mask and softmax; else empty.
    /// The same as outputs. An observer that computes the op elsewhere puts its values here, of equal types and
    /// shapes; the ops after it get those.
    std::vector<Value>* results = nullptr;
};
using RealObserver = std::function<Result<void>(const RealStep&)>;

/// How constants come into a run.
enum class ConstantUse : std::uint8_t {
    Whole,
    InParts ///< Large weights of products a part at a time, of large tables the rows that are taken, so that
            ///< they need little memory; an observer does not get them.
};

/// Values of the graph outputs, in order. \param inputs one a graph input, in order: F32 where the graph has
/// fractions, else the type of the graph. \param threads 0: as many as the machine has. Errors: Usage (inputs
/// that do not fit), Unsupported (an op nothing here computes, by name), NotFound (weights are absent),
/// Cancelled, and what \p observer returns.
Result<std::vector<Value>> runReal(const Graph& graph, std::span<const Value> inputs,
                                   const RealObserver& observer = {}, int threads = 0,
                                   const TaskContext& task = {}, ConstantUse constants = ConstantUse::Whole);

/// What a product still lacks when its sums are there, in place: the factors of a Gemm, biases. \param in as of the op; bytes
/// null for an input left out. \param sums in the order of the output tensor.
Result<void> finishProduct(const Graph& graph, OpId op, std::span<const Value> in, std::span<float> sums);

/// Do the inputs fit the graph? Error::Usage with the input.
Result<void> checkInputs(const Graph& graph, std::span<const Value> inputs);

/// Inputs for trying a network out: fractions uniform in [-1, 1); indices of tables (token ids) uniform over
/// the table; other whole numbers 1, as masks that hide nothing. The same seed gives the same bytes on every
/// machine.
Result<std::vector<Value>> sampleInputs(const Graph& graph, std::uint64_t seed);

/// Rows of the smallest table that the numbers of \p input choose from; 0: of none.
std::int64_t rowsChosenBy(const Graph& graph, TensorId input);

} // namespace pim
