// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/seed_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/report/bundle.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct VerifyArguments {
    std::string bundle, model;
    bool numeric = false;
    NumberOptions numbers;
    RunFiles files;
};

/// The model of a bundle, as named, else by the name the bundle knows: here, beside the bundle, among the
/// samples.
Result<std::filesystem::path> modelOf(const VerifyArguments& options, const BundleSource& source) {
    if (!options.model.empty()) {
        PIM_TRY(const ModelArgument argument, findModel(options.model));
        return argument.path;
    }
    const std::filesystem::path name(source.modelFile);
    for (const std::filesystem::path& folder :
         {std::filesystem::path("."), std::filesystem::path(options.bundle) / ".."})
        if (std::filesystem::is_regular_file(folder / name))
            return folder / name;
    if (const auto sample = findModel("sample:" + name.stem().string());
        sample && sample->path.filename() == name)
        return sample->path;
    return fail(ErrorCode::NotFound, "the bundle does not say where its model lies", source.modelFile,
                "name it: --model FILE");
}

Result<NumberReport> checkNumbers(Session& session, const VerifyArguments& options) {
    PIM_TRY(const BundleSource source, readBundleSource(options.bundle));
    PIM_TRY(const Backend* backend, session.backends().find(source.target->backend));
    if (!backend->numbers())
        return fail(ErrorCode::Unsupported,
                    fmt::format("programs for {} cannot be executed on numbers", backend->machines()),
                    source.target->id);
    PIM_TRY(const std::filesystem::path file, modelOf(options, source));
    PIM_TRY(const auto graph, loadGraph(file, source.graphOptions, session.task()));
    PIM_CHECK(checkModelOfBundle(source, *graph));
    NumberOptions numbers = options.numbers;
    PIM_CHECK(options.files.read(session, *graph, numbers));
    const NumberBundle bundle{
        options.bundle, source.target, graph,
        [&] { return planOfBundle(session.backends(), options.bundle, source, graph, session.task()); }};
    PIM_TRY(auto report, backend->numbers()->checkBundle(bundle, numbers, session.task()));
    for (const std::string& note : report.notes)
        session.say("note: " + note);
    return report;
}

Result<void> printReport(Session& session, const VerifyArguments& options, const VerifyReport& report,
                         const std::optional<NumberReport>& numbers) {
    if (session.json) {
        ordered_json problems = ordered_json::array();
        for (const Diagnostic& problem : report.problems)
            problems.push_back(
                {{"object", problem.object}, {"message", problem.message}, {"hint", problem.hint}});
        ordered_json json{{"bundle", options.bundle},
                          {"sound", report.problems.empty()},
                          {"files", report.files},
                          {"programs", report.programs},
                          {"problems", problems}};
        if (numbers)
            json["numeric"] = ordered_json::parse(numbers->json);
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    PIM_CHECK(session.print(fmt::format(
        "{}: {} file{}, {} program{}, {}\n{}", options.bundle, report.files, report.files == 1 ? "" : "s",
        report.programs, report.programs == 1 ? "" : "s", report.problems.empty() ? "sound" : "NOT SOUND",
        numbers ? numbers->text : std::string())));
    for (const Diagnostic& problem : report.problems)
        session.complain(problem.object + ": " + problem.message);
    return {};
}

Result<void> run(Session& session, const VerifyArguments& options) {
    if (!options.numeric && (!options.files.inputs.empty() || !options.files.dump.empty()))
        return fail(ErrorCode::Usage, "nothing is run on numbers",
                    options.files.dump.empty() ? "--input" : "--dump", "give --numeric as well");
    PIM_TRY(const VerifyReport report, verifyBundle(session.backends(), options.bundle, session.task()));
    std::optional<NumberReport> numbers;
    if (options.numeric && report.problems.empty()) {
        PIM_TRY(numbers, checkNumbers(session, options));
    }
    PIM_CHECK(printReport(session, options, report, numbers));
    if (!report.problems.empty())
        return fail(ErrorCode::InvalidFile,
                    report.problems.size() == 1
                        ? std::string("1 problem was found")
                        : fmt::format("{} problems were found", report.problems.size()),
                    options.bundle, "compile again to get a sound bundle");
    if (numbers && numbers->problem)
        return tl::unexpected<Error>(*numbers->problem);
    return {};
}

} // namespace

Action verifyVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<VerifyArguments>();
    verb.add_option("BUNDLE", options->bundle, "Folder that `pimc compile --out` wrote")
        ->required()
        ->type_name("");
    verb.add_flag("--numeric", options->numeric,
                  "Also run the program on numbers and compare with the model: with float32 within a derived "
                  "tolerance, or in fixed point to the last bit, whichever the machine computes in");
    verb.add_option("--model", options->model,
                    "Model of the bundle, if it is neither in this folder nor beside the bundle nor a sample")
        ->type_name("FILE");
    options->files.declare(verb);
    addSeed(verb, "--seed", options->numbers.seed, "Seed of inputs, and of weights where the model has none");
    verb.add_option("--ops", options->numbers.ops, "Only ops on PIM with one of these in their names")
        ->delimiter(',')
        ->type_name("NAME,...");
    verb.add_option("--seconds", options->numbers.secondsAtMost,
                    "Start no op after this many seconds; the rest are listed as not run")
        ->type_name("S");
    verb.add_flag("--op-by-op", options->numbers.opByOp,
                  "Random operands for each op instead of a run of the whole network");
    verb.footer("Examples:\n"
                "  pimc verify bundle --json\n"
                "  pimc verify bundle --numeric --seed 7\n"
                "  pimc verify bundle --numeric --input tokens.npy --dump tensors\n"
                "  pimc verify bundle --numeric --op-by-op --ops attn,fc1 --seconds 60");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
