// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Executes a meta-operator flow on real tensors: 8-bit weights written into arrays that have a mode, rows
/// streamed through them, exact 32-bit sums, activations in main memory or in arrays in memory mode. The
/// numbers must be those of runQuantized(), bit for bit; what the flow does wrong on the way is an error with
/// its position. Flow: DualModeFlow + QuantizedModel + inputs -> [DualModeExecution] -> compareWithReference.
#include "backends/dual_mode/flow/flow.h"
#include "core/base/task.h"
#include "core/numeric/quantized_model.h"

#include <optional>

namespace pim {

struct DualModeExecution {
    QuantizedRun
        run; ///< As the reference has it: every tensor when it was complete, sums of every matrix operator.
    std::vector<Value> outputs;             ///< Graph outputs as main memory has them at the end.
    std::int64_t blocks = 0, operators = 0; ///< Executed.
    std::int64_t switches = 0;              ///< Arrays switched.
    std::int64_t tilesWritten = 0;          ///< Weight blocks written into arrays.
    std::int64_t rowsStreamed = 0;          ///< Input vectors times arrays they went through.
};

struct ExecuteOptions {
    bool keepSums = true; ///< 4 bytes for every result of a matrix operator.
    int threads = 0;      ///< 0: as many as the machine has.
};

/// \param flow of model.graph. \param inputs as runQuantized().
/// Errors: InvalidFile with the position in the flow, the array and the bytes, where the flow
///   writes weights into or computes on an array in memory mode, holds bytes in one in compute mode, computes
///   with weights of another piece, puts more into an array than it has room for, reads what was not written
///   or is overwritten, leaves out or repeats a part of a result, or does not fit the graph;
/// Unsupported (a flow too large for this machine), Cancelled, and those of runQuantized().
Result<DualModeExecution> executeFlow(const DualModeFlow& flow, const QuantizedModel& model,
                                      std::span<const Value> inputs, const ExecuteOptions& options = {},
                                      const TaskContext& task = {});

/// Two runs side by side.
struct ReferenceComparison {
    /// Results compared: ops of the graph, attention with its scores and probabilities as one.
    std::int64_t ops = 0;
    std::int64_t elements = 0; ///< Activations and 32-bit sums compared.
    std::int64_t outputs = 0;  ///< Elements of graph outputs.
    /// The first difference in the order of the graph; nothing if all are equal.
    struct Difference {
        OpId op;
        std::string what; ///< "sums", "result \"conv1_out\"", "scores"
        std::int64_t element = 0;
        Shape index; ///< Of that element, where it is one of a tensor of the graph.
        std::int64_t expected = 0, got = 0;
        std::int64_t count = 0; ///< Elements of this result that differ.
        std::string text;       ///< All of it, for a person.
    };
    std::optional<Difference> first;
};
/// \param expected of runQuantized().
ReferenceComparison compareWithReference(const QuantizedModel& model, const QuantizedRun& expected,
                                         const DualModeExecution& got);

} // namespace pim
