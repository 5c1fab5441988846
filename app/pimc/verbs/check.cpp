// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Does the compiled program compute the network? Executes it on real numbers, beside a reference that knows
/// nothing of the chip.
#include "app/pimc/verbs/check_crossbar.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/compile/compiler.h"
#include "core/dual_mode/execute/execute.h"
#include "core/dual_mode/plan.h"
#include "core/numeric/real_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pim::cli {
namespace {

struct CheckArguments {
    ModelOptions model;
    TargetOptions target;
    std::string flow;
    std::uint64_t inputSeed = 1;
    CrossbarCheckOptions crossbar;
};

/// How far 8 bit is from float32: sqrt(sum of squared differences / sum of squares) over all real outputs.
double relativeError(const QuantizedModel& model, const std::vector<Value>& real,
                     const std::vector<Value>& held) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < real.size() && i < held.size(); ++i) {
        const auto exponent = model.exponents[model.graph->outputs[i].index()];
        if (!exponent)
            continue;
        const Value back = toReal(held[i], *exponent);
        const auto a = elements<float>(real[i]), b = elements<float>(back);
        for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
            const double d = static_cast<double>(a[k]) - static_cast<double>(b[k]);
            difference += d * d;
            size += static_cast<double>(a[k]) * static_cast<double>(a[k]);
        }
    }
    return size > 0 ? std::sqrt(difference / size) : 0;
}

struct Outcome {
    RunComparison comparison;
    DualModeExecution execution;
    double error = 0; ///< Of 8 bit against float32.
};

std::string jsonText(const CheckArguments& options, const Plan& plan, const Outcome& outcome) {
    nlohmann::ordered_json difference;
    if (const auto& first = outcome.comparison.first)
        difference = {{"op", first->op.valid() ? plan.graph->op(first->op).name : std::string()},
                      {"what", first->what},
                      {"element", first->element},
                      {"expected", first->expected},
                      {"got", first->got},
                      {"different", first->count}};
    const nlohmann::ordered_json json{{"model", options.model.model},
                                      {"target", plan.target->id},
                                      {"equal", !outcome.comparison.first},
                                      {"ops", outcome.comparison.ops},
                                      {"outputs", outcome.comparison.outputs},
                                      {"numbers", outcome.comparison.elements},
                                      {"difference", difference},
                                      {"int8_error", outcome.error},
                                      {"flow",
                                       {{"blocks", outcome.execution.blocks},
                                        {"operators", outcome.execution.operators},
                                        {"switches", outcome.execution.switches},
                                        {"tiles_written", outcome.execution.tilesWritten},
                                        {"rows_streamed", outcome.execution.rowsStreamed}}}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string plainText(const CheckArguments& options, const Plan& plan, const Outcome& outcome) {
    const RunComparison& c = outcome.comparison;
    const auto count = [](std::int64_t number) { return exactText(number); };
    return fmt::format(
        "{} on {}: {} ops, {} outputs, {}\n"
        "compared   {} numbers: 32-bit sums, activations, outputs in main memory\n"
        "executed   {} operators in {} blocks: {} arrays switched, {} times weights written into an array\n"
        "8 bit      outputs are {} off float32\n",
        options.model.model, plan.target->id, c.ops, count(c.outputs),
        c.first ? "NOT EQUAL: " + c.first->text : "all equal", count(c.elements),
        count(outcome.execution.operators), count(outcome.execution.blocks),
        count(outcome.execution.switches), count(outcome.execution.tilesWritten), percentText(outcome.error));
}

Result<void> run(Session& session, const CheckArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions());
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    if (const auto crossbar = std::dynamic_pointer_cast<const CrossbarPlan>(plan->detail)) {
        CrossbarCheckOptions check = options.crossbar;
        check.seed = options.inputSeed;
        return checkCrossbarPlan(session, options.model.model, *plan, *crossbar, check);
    }
    const auto dualMode = std::dynamic_pointer_cast<const DualModePlan>(plan->detail);
    if (!dualMode)
        return fail(ErrorCode::Unsupported,
                    fmt::format("programs for \"{}\" cannot be executed on numbers", plan->target->backend),
                    plan->target->id,
                    "name a dual-mode or crossbar chip: --target dynaplasia, --target isaac");
    DualModeFlow flow;
    if (options.flow.empty()) {
        PIM_TRY(flow, emitFlow(*plan->graph, *dualMode));
    } else {
        PIM_TRY(const std::string text, readText(options.flow));
        PIM_TRY(flow, parseFlow(text, options.flow));
    }
    PIM_TRY(const QuantizedModel model, quantize(plan->graph, {.seed = options.inputSeed}, session.task()));
    PIM_TRY(const auto real, runReal(*plan->graph, model.calibration, {}, 0, session.task()));
    PIM_TRY(const QuantizedRun expected, runQuantized(model, model.calibration, {}, session.task()));
    Outcome outcome;
    PIM_TRY(outcome.execution, executeFlow(flow, model, model.calibration, {}, session.task()));
    outcome.comparison = compareRuns(model, expected, outcome.execution);
    outcome.error = relativeError(model, real, outcome.execution.outputs);
    PIM_CHECK(
        session.print(session.json ? jsonText(options, *plan, outcome) : plainText(options, *plan, outcome)));
    if (outcome.comparison.first)
        return fail(ErrorCode::InvalidFile,
                    "the program does not compute the network: " + outcome.comparison.first->text,
                    options.flow.empty() ? options.model.model : options.flow);
    return {};
}

} // namespace

Action checkVerb(CLI::App& verb) {
    auto options = std::make_shared<CheckArguments>();
    options->model.declare(verb);
    options->target.declare(verb);
    verb.add_option("--flow", options->flow,
                    "Execute this flow instead of the one that would be compiled; - is stdin")
        ->type_name("FILE");
    verb.add_option("--input-seed", options->inputSeed, "Chooses the random inputs")
        ->capture_default_str()
        ->type_name("N");
    declareCrossbarCheck(verb, options->crossbar);
    verb.footer("Compiles a network, executes the program on random inputs with its real weights in 8 bit, "
                "and compares\n"
                "every sum, activation and output with a reference bit for bit. Exit code 1 if anything "
                "differs, or if\n"
                "the program reads what is not there or computes on an array that is memory.\n\n"
                "Examples:\n"
                "  pimc zoo resnet18 && pimc check resnet18.onnx --target dynaplasia\n"
                "  pimc check sample:tiny-gpt --target dynaplasia --bind past=7 --json\n"
                "  pimc check resnet18.onnx --target isaac --mode ll --variation 0.02 --samples 4\n"
                "  pimc check resnet18.onnx --target dynaplasia --flow bundle/network.flow");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
