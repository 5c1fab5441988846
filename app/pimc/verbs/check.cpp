// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Does the compiled program compute the network? Executes it on real numbers, beside a reference that knows
/// nothing of the machine.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/compile/compiler.h"
#include "core/plan/number_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {
namespace {

struct CheckArguments {
    ModelOptions model;
    TargetOptions target;
    NumberOptions numbers;
    std::vector<std::pair<std::string, std::string>> own; ///< Choices that some families have.
};

Result<void> run(Session& session, const CheckArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(const Backend* backend, session.backends().find(request.target->backend));
    const NumberFacet* const facet = backend->numbers();
    if (!facet)
        return fail(ErrorCode::Unsupported,
                    fmt::format("programs for {} cannot be executed on numbers", backend->machines()),
                    request.target->id);
    NumberOptions numbers = options.numbers;
    numbers.model = options.model.model;
    for (const auto& [key, value] : options.own) {
        if (!facet->choices())
            return fail(ErrorCode::Usage, fmt::format("{} have no such choice", backend->machines()),
                        "--" + key, "leave it out");
        if (auto set = facet->choices()->set(numbers.own, key, value); !set) {
            set.error().where = "--" + key;
            return set;
        }
    }
    if (!numbers.programFile.empty()) {
        PIM_TRY(numbers.program, readText(numbers.programFile));
    }
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    PIM_TRY(const NumberReport report, facet->checkPlan(*plan, numbers, session.task()));
    for (const std::string& note : report.notes)
        session.say("note: " + note);
    PIM_CHECK(session.print(session.json ? report.json : report.text));
    if (report.problem)
        return tl::unexpected<Error>(*report.problem);
    return {};
}

/// Every choice of a family as an option of its own: --samples 4, --real.
void declareChoices(CLI::App& verb, const Backend& backend, CheckArguments& options) {
    const OptionTable* const table = backend.numbers() ? backend.numbers()->choices() : nullptr;
    for (const OptionInfo& info : table ? table->infos() : std::vector<OptionInfo>()) {
        const auto put = [&options, key = std::string(info.key)](const std::string& value) {
            options.own.emplace_back(key, value);
        };
        CLI::Option* option =
            info.values == "on|off"
                ? verb.add_flag_callback(
                      fmt::format("--{}", info.key), [put] { put("on"); }, std::string(info.meaning))
                : verb.add_option_function<std::string>(fmt::format("--{}", info.key), put,
                                                        std::string(info.meaning))
                      ->type_name(std::string(info.values));
        option->group(fmt::format("For {}", backend.machines()));
    }
}

} // namespace

Action checkVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<CheckArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    verb.add_option("--program,--flow", options->numbers.programFile,
                    "Execute this program text instead of the one that would be compiled; - is stdin")
        ->type_name("FILE");
    verb.add_option("--input-seed", options->numbers.seed, "Chooses the random inputs")
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--ops", options->numbers.ops, "Only ops on PIM with one of these in their names")
        ->delimiter(',')
        ->type_name("NAME,...");
    verb.add_flag("--op-by-op", options->numbers.opByOp,
                  "Random operands for each op instead of a run of the whole network");
    for (const auto& backend : backends.all())
        declareChoices(verb, *backend, *options);
    verb.footer(
        "Compiles a network, executes the program on random inputs with its real weights, and compares with "
        "a reference:\n"
        "bit for bit where the machine computes in fixed point, else with float32 within a derived "
        "tolerance.\n"
        "Exit code 2 if a compiled program does not compute the network, 1 if a program that was given does "
        "not, reads\n"
        "what is not there or computes on an array that is memory.\n\n"
        "Examples:\n"
        "  pimc zoo resnet18 && pimc check resnet18.onnx --target dynaplasia\n"
        "  pimc check sample:tiny-gpt --target dynaplasia --bind past=7 --json\n"
        "  pimc check resnet18.onnx --target isaac --mode ll --variation 0.02 --samples 4\n"
        "  pimc check resnet18.onnx --target dynaplasia --flow bundle/network.flow");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
