// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Does the compiled program compute the network? Executes it on real numbers, beside a reference that knows
/// nothing of the machine.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/override_option.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/seed_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {
namespace {

struct CheckArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    OverrideOption decisions;
    NumberOptions numbers;
    NumberChoices own;
    RunFiles files;
};

Result<void> run(Session& session, const CheckArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(const Backend* backend, session.backends().find(request.target->backend));
    PIM_TRY(const NumberFacet* const facet, numbersOf(*backend, request.target->id));
    NumberOptions numbers = options.numbers;
    numbers.model = options.model.model;
    PIM_TRY(numbers.own, options.own.read(*backend));
    if (!numbers.programFile.empty()) {
        PIM_TRY(numbers.program, inputText(numbers.programFile, session.task()));
    }
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_CHECK(options.files.read(session, *request.graph, numbers));
    PIM_TRY(const auto plan, options.decisions.plan(session, request));
    PIM_TRY(const NumberReport report, facet->checkPlan(*plan, numbers, session.task()));
    for (const std::string& note : report.notes)
        session.say("note: " + note);
    PIM_CHECK(session.print(session.json ? report.json : report.text));
    if (report.problem)
        return tl::unexpected<Error>(*report.problem);
    return {};
}

} // namespace

Action checkVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<CheckArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    options->decisions.declare(verb);
    verb.add_option("--program,--flow", options->numbers.programFile,
                    "Execute this program text instead of the one that would be compiled; - is stdin")
        ->type_name("FILE");
    options->files.declare(verb);
    addSeed(verb, "--input-seed", options->numbers.seed, "Chooses the random inputs");
    verb.add_option("--ops", options->numbers.ops, "Only ops on PIM with one of these in their names")
        ->delimiter(',')
        ->type_name("NAME,...");
    verb.add_flag("--op-by-op", options->numbers.opByOp,
                  "Random operands for each op instead of a run of the whole network");
    options->own.declare(verb, backends);
    verb.footer(
        "Compiles a network, executes the program on random inputs or yours with its real weights, and "
        "compares with a reference:\n"
        "bit for bit where the machine computes in fixed point, else with float32 within a derived "
        "tolerance.\n"
        "Exit code 2 if a compiled program does not compute the network, 1 if a program that was given does "
        "not, reads\n"
        "what is not there or computes on an array that is memory.\n\n"
        "Examples:\n"
        "  pimc zoo resnet18 && pimc check resnet18.onnx --target dynaplasia\n"
        "  pimc check sample:tiny-gpt --target dynaplasia --bind past=7 --json\n"
        "  pimc check resnet18.onnx --target isaac --mode ll --variation 0.02 --samples 4\n"
        "  pimc check resnet18.onnx --target aim --input cat.npy --dump tensors\n"
        "  pimc check resnet18.onnx --target dynaplasia --flow bundle/network.flow");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
