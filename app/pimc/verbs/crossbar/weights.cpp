// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a machine of crossbar cores is loaded with: the cells of its crossbars, and its program in primitives
/// of the hardware.
#include "app/pimc/verbs/crossbar/verbs.h"
#include "app/pimc/verbs/model_options.h"
#include "backends/crossbar/numeric/primitives.h"
#include "backends/crossbar/numeric/weight_image.h"
#include "backends/crossbar/plan/plan.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/base/file_io.h"
#include "core/base/number_text.h"
#include "core/compile/compiler.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct WeightsArguments {
    ModelOptions model;
    TargetOptions target;
    std::string out, primitives;
};

Result<std::int64_t> writePrimitives(Session& session, const WeightsArguments& options,
                                     const CrossbarPlan& crossbar) {
    PIM_TRY(const PrimitiveSet* set, primitiveSet(options.primitives));
    const std::filesystem::path file = std::filesystem::path(options.out) / (options.primitives + ".txt");
    PIM_TRY(OutputFile out, OutputFile::create(file));
    const CrossbarProgram& program = crossbar.schedule->program;
    for (std::size_t core = 0; core < program.cores.size(); ++core) {
        PIM_TRY(const std::string text, translateCore(program, crossbar.chip, *set, CoreId(core)));
        if (session.task().cancelled())
            return TaskContext::cancelledError("translating the program");
        PIM_CHECK(out.write(text));
    }
    PIM_CHECK(out.finish());
    return out.size();
}

Result<void> run(Session& session, const WeightsArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    const auto crossbar = std::dynamic_pointer_cast<const CrossbarPlan>(plan->detail);
    if (!crossbar)
        return fail(ErrorCode::Unsupported,
                    fmt::format("\"{}\" holds no weights in crossbars", plan->target->id),
                    options.model.model, "name a crossbar machine: --target isaac");
    std::error_code problem;
    std::filesystem::create_directories(options.out, problem);
    if (problem)
        return fail(ErrorCode::Io, problem.message(), options.out);
    NumbersOptions numbersOfChip = numbersOptions(crossbar->chip);
    numbersOfChip.weights = false; // read as they are written
    PIM_TRY(const CrossbarNumbers numbers,
            quantiseNetwork(*crossbar->network, numbersOfChip, session.task()));
    PIM_TRY(const CrossbarWeightImage image,
            writeWeightImage(*crossbar->network, crossbar->chip, crossbar->mapping, numbers, options.out,
                             session.task()));
    std::int64_t primitiveBytes = 0;
    if (!options.primitives.empty()) {
        PIM_TRY(primitiveBytes, writePrimitives(session, options, *crossbar));
    }
    if (session.json) {
        const nlohmann::ordered_json json{{"model", options.model.model},
                                          {"target", plan->target->id},
                                          {"folder", options.out},
                                          {"bytes", image.bytes},
                                          {"pieces", image.pieces.size()},
                                          {"array_groups", image.places.size()},
                                          {"weight_error", numbers.weightError},
                                          {"primitives", options.primitives},
                                          {"primitive_bytes", primitiveBytes}};
        return session.print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                             "\n");
    }
    return session.print(fmt::format(
        "{}: {} of cells for {} array groups, {} different; weights are {} off float32\n{}", options.out,
        bytesText(double(image.bytes)), exactText(std::int64_t(image.places.size())),
        exactText(std::int64_t(image.pieces.size())), percentText(numbers.weightError),
        options.primitives.empty()
            ? std::string()
            : fmt::format("{}: {} of text\n", options.primitives, bytesText(double(primitiveBytes)))));
}

} // namespace

Action weightsVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<WeightsArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    verb.add_option("--out", options->out, "Folder for weights.bin and weights.json")
        ->required()
        ->type_name("FOLDER");
    verb.add_option("--primitives", options->primitives,
                    "Also the program in primitives of this hardware: pimcomp-isa")
        ->type_name("NAME");
    verb.footer("Quantises the weights of a network and writes what is programmed into each crossbar of each "
                "core.\n\n"
                "Examples:\n"
                "  pimc crossbar-weights sample:resnet50 --target isaac --out weights\n"
                "  pimc crossbar-weights resnet18.onnx --target isaac --mode ll --out weights --primitives "
                "pimcomp-isa --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
