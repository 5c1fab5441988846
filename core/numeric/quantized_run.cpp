// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/matrix_product.h"
#include "core/numeric/quantized_model.h"
#include "core/numeric/real_run.h"

#include "core/base/parallel.h"

#include <fmt/format.h>

namespace pim {

namespace {

/// All elements of a product, from its sums.
void finishAll(const QuantizedModel& model, const MatrixForm& form, std::span<const std::int32_t> sums,
               std::span<std::int8_t> out, int threads) {
    const SumFinisher finish(model, form.op, form.part);
    // Runs of neighbouring elements that share a channel (convolutions) or follow one another in it.
    const std::int64_t run = form.isConv() ? form.window.outHeight * form.window.outWidth : form.k;
    const std::int64_t channels = form.g * form.k;
    parallelFor(static_cast<std::size_t>(form.outputs() / run), threads, [&](std::size_t i) {
        const std::int64_t first = static_cast<std::int64_t>(i) * run;
        for (std::int64_t j = 0; j < run; ++j) {
            const std::int64_t at = first + j;
            const std::int64_t channel =
                form.isConv() ? static_cast<std::int64_t>(i) % channels : at / (form.m * form.k) * form.k + j;
            out[static_cast<std::size_t>(at)] = finish(at, channel, sums[static_cast<std::size_t>(at)]);
        }
    });
}

Result<std::vector<Value>> resultsOf(const QuantizedModel& model, OpId op, std::span<const Value> inputs,
                                     const QuantizedRunOptions& options) {
    if (options.device) {
        PIM_TRY(auto results, options.device->results(op, inputs));
        if (results)
            return std::move(*results);
    }
    return runQuantizedOp(model, op, inputs, options.threads);
}

Result<std::vector<std::int32_t>> sumsOf(const MatrixForm& form, std::span<const std::int8_t> input,
                                         std::span<const std::int8_t> weights,
                                         const QuantizedRunOptions& options, const TaskContext& task) {
    if (options.device) {
        PIM_TRY(auto sums, options.device->sums(form, input, weights));
        if (sums)
            return std::move(*sums);
    }
    return multiplyExact(form, input, weights, options.threads, task);
}

} // namespace

Result<std::vector<Value>> heldInputs(const QuantizedModel& model, std::span<const Value> inputs) {
    PIM_CHECK(checkInputs(*model.graph, inputs));
    std::vector<Value> held(inputs.begin(), inputs.end());
    for (std::size_t i = 0; i < held.size(); ++i)
        if (const auto exponent = model.exponents[model.graph->inputs[i].index()])
            held[i] = toInt8(held[i], *exponent);
    return held;
}

Result<QuantizedRun> runQuantized(const QuantizedModel& model, std::span<const Value> inputs,
                                  const QuantizedRunOptions& options, const TaskContext& task) {
    const Graph& graph = *model.graph;
    QuantizedRun run;
    run.values.resize(graph.tensors.size());
    PIM_TRY(const auto held, heldInputs(model, inputs));
    for (std::size_t i = 0; i < held.size(); ++i)
        run.values[graph.inputs[i].index()] = held[i];
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (task.cancelled())
            return TaskContext::cancelledError("the reference run");
        task.report("running in int8", static_cast<std::int64_t>(i),
                    static_cast<std::int64_t>(graph.ops.size()));
        const OpId id(static_cast<std::int64_t>(i));
        const Op& op = graph.ops[i];
        const auto valueOf = [&](TensorId tensor) -> Value {
            if (!tensor.valid())
                return {};
            const Value* constant = constantOf(model, tensor);
            return constant ? *constant : run.values[tensor.index()];
        };
        const auto& forms = model.forms[i];
        if (forms.empty()) {
            std::vector<Value> in;
            for (const TensorId tensor : op.inputs)
                in.push_back(valueOf(tensor));
            PIM_TRY(auto out, resultsOf(model, id, in, options));
            for (std::size_t k = 0; k < op.outputs.size(); ++k)
                if (op.outputs[k].valid())
                    run.values[op.outputs[k].index()] = std::move(out[k]);
            continue;
        }
        const auto operand = [&](std::size_t index) -> std::span<const std::int8_t> {
            const auto it = model.operands.find({id, static_cast<int>(index)});
            return it != model.operands.end() ? std::span<const std::int8_t>(it->second.values)
                                              : elements<std::int8_t>(run.values[op.inputs[index].index()]);
        };
        for (const MatrixForm& form : forms) {
            const bool context = form.part == 1;
            PIM_TRY(auto sums,
                    sumsOf(form, context ? elements<std::int8_t>(run.probabilities[id]) : operand(0),
                           operand(context ? 2 : 1), options, task));
            const bool scores = form.parts == 2 && !context;
            Fresh<std::int8_t> out(DataType::I8, scores ? Shape{form.g, form.m, form.k}
                                                        : *graph.tensor(op.outputs[0]).shape);
            finishAll(model, form, sums, out.data, options.threads);
            if (scores) {
                run.scores[id] = out.value;
                PIM_TRY(run.probabilities[id],
                        quantizedProbabilities(model, id, out.value,
                                               op.inputs.size() > 3 ? valueOf(op.inputs[3]) : Value(),
                                               options.threads));
            } else {
                run.values[op.outputs[0].index()] = out.value;
            }
            if (options.keepSums)
                run.sums[{id, form.part}] = std::move(sums);
        }
    }
    return run;
}

} // namespace pim
