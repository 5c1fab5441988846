// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/numbers.h"

#include "backends/dual_mode/execute/execute.h"
#include "backends/dual_mode/plan.h"
#include "core/base/number_text.h"
#include "core/execute/numeric_check.h"
#include "core/execute/numeric_network.h"
#include "core/execute/sample_weights.h"
#include "core/numeric/real_run.h"
#include "core/numeric/tensor_dump.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pim {
namespace {

/// Outputs of a run in 8 bit, fractions as F32.
std::vector<Value> realOutputs(const QuantizedModel& model, std::vector<Value> held) {
    for (std::size_t i = 0; i < held.size(); ++i)
        if (const auto exponent = model.exponents[model.graph->outputs[i].index()])
            held[i] = toReal(held[i], *exponent);
    return held;
}

struct Outcome {
    ReferenceComparison comparison;
    DualModeExecution execution;
    std::string inputs;        ///< What they were, in words.
    double error = 0;          ///< Of 8 bit against float32.
    OutputDifferences outputs; ///< Likewise, each output.
};

std::string jsonText(const NumberOptions& options, const Plan& plan, const Outcome& outcome) {
    nlohmann::ordered_json difference;
    if (const auto& first = outcome.comparison.first)
        difference = {{"op", first->op.valid() ? plan.graph->op(first->op).name : std::string()},
                      {"what", first->what},
                      {"element", first->element},
                      {"index", first->index},
                      {"expected", first->expected},
                      {"got", first->got},
                      {"different", first->count}};
    const nlohmann::ordered_json json{
        {"model", options.model},
        {"target", plan.target->id},
        {"inputs", outcome.inputs},
        {"equal", !outcome.comparison.first},
        {"ops", outcome.comparison.ops},
        {"outputs", outcome.comparison.outputs},
        {"numbers", outcome.comparison.elements},
        {"difference", difference},
        {"int8_error", outcome.error},
        {"output_errors", nlohmann::ordered_json::parse(outputsJson(outcome.outputs))},
        {"flow",
         {{"blocks", outcome.execution.blocks},
          {"operators", outcome.execution.operators},
          {"switches", outcome.execution.switches},
          {"tiles_written", outcome.execution.tilesWritten},
          {"rows_streamed", outcome.execution.rowsStreamed}}}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string plainText(const NumberOptions& options, const Plan& plan, const Outcome& outcome) {
    const ReferenceComparison& c = outcome.comparison;
    const auto count = [](std::int64_t number) { return exactText(number); };
    const auto plural = [](auto number) { return number == 1 ? "" : "s"; };
    return fmt::format(
        "{} on {}: {} op{}, {} output{}, {}\n"
        "inputs     {}\n"
        "compared   {} numbers: 32-bit sums, activations, outputs in main memory\n"
        "executed   {} operator{} in {} block{}: {} arrays switched, {} times weights written into an array\n"
        "8 bit      outputs are {} off float32\n{}",
        options.model, plan.target->id, c.ops, plural(c.ops), count(c.outputs), plural(c.outputs),
        c.first ? "NOT EQUAL: " + c.first->text : "all equal", outcome.inputs, count(c.elements),
        count(outcome.execution.operators), plural(outcome.execution.operators),
        count(outcome.execution.blocks), plural(outcome.execution.blocks), count(outcome.execution.switches),
        count(outcome.execution.tilesWritten), percentText(outcome.error), outputsTable(outcome.outputs));
}

/// A flow on 8-bit numbers, executed anew for every input.
class DualModeNetwork final : public NumericNetwork {
public:
    DualModeNetwork(DualModeFlow flow, QuantizedModel model, int threads)
        : m_flow(std::move(flow)), m_model(std::move(model)), m_threads(threads) {}

    Result<std::vector<Value>> run(std::span<const Value> inputs, const TaskContext& task) override {
        PIM_TRY(DualModeExecution done,
                executeFlow(m_flow, m_model, inputs, {.keepSums = false, .threads = m_threads}, task));
        return realOutputs(m_model, std::move(done.outputs));
    }
    std::string numbers() const override { return "8 bit with exact sums, by its flow"; }

private:
    DualModeFlow m_flow;
    QuantizedModel m_model;
    int m_threads;
};

/// The flow that is given, else the plan's.
Result<DualModeFlow> flowOf(const Plan& plan, const DualModePlan& detail, const NumberOptions& options) {
    return options.program.empty() ? emitFlow(*plan.graph, detail)
                                   : parseFlow(options.program, options.programFile);
}

} // namespace

Result<std::unique_ptr<NumericNetwork>>
DualModeNumberFacet::prepare(const Plan& plan, const NumberOptions& options, const TaskContext& task) const {
    PIM_TRY(const auto graph, withSampleWeights(plan.graph, options.seed));
    const auto* const detail = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!detail)
        return networkOfOps(graph, {}, "float32, all of it on the host", options.threads);
    PIM_TRY(DualModeFlow flow, flowOf(plan, *detail, options));
    PIM_TRY(QuantizedModel model,
            quantize(graph, {options.calibration, options.seed, options.threads}, task));
    return std::make_unique<DualModeNetwork>(std::move(flow), std::move(model), options.threads);
}

Result<NumberReport> DualModeNumberFacet::checkPlan(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const {
    if (options.opByOp || !options.ops.empty() || options.secondsAtMost > 0)
        return fail(
            ErrorCode::Usage,
            "the flow of a dual-mode chip runs as a whole: --ops, --seconds and --op-by-op do not apply",
            plan.target->id, "leave them out");
    const auto* const detail = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!detail)
        return fail(ErrorCode::Unsupported,
                    "all of the network runs on the host: there is no flow to execute", plan.graph->name);
    PIM_TRY(const DualModeFlow flow, flowOf(plan, *detail, options));
    PIM_TRY(const auto graph, withSampleWeights(plan.graph, options.seed));
    PIM_TRY(const auto inputs, runInputs(*graph, options.inputs, options.seed));
    PIM_TRY(const QuantizedModel model, quantize(graph, {.calibration = {inputs}}, task));
    PIM_TRY(TensorDump dump, TensorDump::open(options.dump, *graph));
    PIM_CHECK(dump.inputs(inputs, options.inputs));
    PIM_TRY(const auto real, runReal(*graph, inputs, dump.references(), options.threads, task));
    PIM_TRY(const QuantizedRun expected, runQuantized(model, inputs, {}, task));
    Outcome outcome;
    PIM_TRY(outcome.execution, executeFlow(flow, model, inputs, {.threads = options.threads}, task));
    PIM_CHECK(
        dumpRun(dump, model, outcome.execution.run, expected, [](OpId) { return std::string("flow"); }));
    outcome.inputs = numbersText(graph == plan.graph, *graph, options.inputs);
    outcome.comparison = compareWithReference(model, expected, outcome.execution);
    const auto made = realOutputs(model, outcome.execution.outputs);
    outcome.error = relativeErrorOf(made, real);
    outcome.outputs = outputDifferences(*graph, made, real);
    NumberReport report{plainText(options, plan, outcome), jsonText(options, plan, outcome), {}, {}};
    if (const auto& first = outcome.comparison.first)
        report.problem = Error{options.program.empty() ? ErrorCode::Internal : ErrorCode::InvalidFile,
                               "the program does not compute the network: " + first->text,
                               options.program.empty() ? options.model : options.programFile,
                               {}};
    return report;
}

} // namespace pim
