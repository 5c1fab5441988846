// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/table.h"
#include "app/pimc/verbs/verbs.h"
#include "app/pimc/verbs/verify_crossbar.h"
#include "core/base/number_text.h"
#include "core/execute/numeric_check.h"
#include "core/report/bundle.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct VerifyArguments {
    std::string bundle, model;
    bool numeric = false;
    NumericOptions numbers;
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

/// What running the bundle on numbers told; which of the two depends on the machine.
struct Numbers {
    std::optional<NumericReport> byOp;
    std::optional<CrossbarBundleCheck> crossbar;
};

Result<NumericReport> checkOps(Session& session, const VerifyArguments& options, const BundleSource& source,
                               std::shared_ptr<const Graph> graph) {
    PIM_TRY(const auto plan, planOfBundle(session.backends(), options.bundle, source, graph, session.task()));
    PIM_TRY(const Backend* backend, session.backends().find(plan->target->backend));
    auto report = pim::checkNumbers(*backend, *plan, options.numbers, session.task());
    if (report || report.error().code != ErrorCode::Unsupported || options.numbers.opByOp)
        return report;
    session.say("note: " + report.error().text() + "; its ops are run one by one");
    NumericOptions opByOp = options.numbers;
    opByOp.opByOp = true;
    return pim::checkNumbers(*backend, *plan, opByOp, session.task());
}

Result<Numbers> checkNumbers(Session& session, const VerifyArguments& options) {
    PIM_TRY(const BundleSource source, readBundleSource(options.bundle));
    const bool whole = source.target->backend == "crossbar";
    if (whole &&
        (options.numbers.opByOp || !options.numbers.ops.empty() || options.numbers.secondsAtMost > 0))
        return fail(ErrorCode::Usage,
                    "the program of a crossbar chip runs as a whole: --ops, --seconds and --op-by-op do not "
                    "apply",
                    options.bundle, "leave them out");
    PIM_TRY(const std::filesystem::path file, modelOf(options, source));
    PIM_TRY(const auto graph, loadGraph(file, source.graphOptions, session.task()));
    Numbers numbers;
    if (whole) {
        PIM_TRY(numbers.crossbar,
                checkCrossbarNumbers(session, options.bundle, source, graph, options.numbers.seed));
    } else {
        PIM_TRY(numbers.byOp, checkOps(session, options, source, graph));
    }
    return numbers;
}

ordered_json differenceJson(const NumericDifference& difference) {
    return {{"elements", difference.elements},
            {"wrong", difference.wrong},
            {"max_absolute_error", difference.maxAbsolute},
            {"max_relative_error", difference.maxRelative},
            {"tolerance", difference.tolerance},
            {"relative_rms_error", difference.relativeRms},
            {"rms", difference.rms}};
}

ordered_json numericJson(const NumericReport& report) {
    ordered_json ops = ordered_json::array(), outputs = ordered_json::array();
    for (const NumericOp& op : report.ops) {
        ordered_json entry{{"name", op.name}, {"compared", op.compared}, {"seconds", op.seconds}};
        if (op.compared)
            entry.update({{"ok", op.difference.ok()}, {"difference", differenceJson(op.difference)}});
        else
            entry.update({{"reason", op.note}});
        ops.push_back(std::move(entry));
    }
    for (const auto& [output, difference] : report.outputs)
        outputs.push_back(
            {{"name", output}, {"ok", difference.ok()}, {"difference", differenceJson(difference)}});
    return {{"ok", report.ok()},
            {"way", report.wholeNetwork ? "network" : "op by op"},
            {"numbers", report.how},
            {"ops_on_pim", report.ops.size()},
            {"compared", report.compared()},
            {"same_code", report.alike()},
            {"seconds", report.seconds},
            {"ops", std::move(ops)},
            {"outputs", std::move(outputs)}};
}

/// "none" is no verdict: no op was on PIM, reached in time, or one whose numbers can be compared.
std::string verdictOf(const NumericReport& report) {
    const bool broken =
        std::any_of(report.ops.begin(), report.ops.end(), [](const auto& op) { return op.broken; });
    if (report.ok())
        return "right";
    return report.compared() == 0 && !broken ? "none" : "NOT RIGHT";
}

std::string numericText(const NumericReport& report) {
    std::string text =
        fmt::format("numbers    {}: {} of {} ops on PIM compared with float32{} ({}), {:.1f} s\n",
                    verdictOf(report), report.compared(), report.ops.size(),
                    report.alike() > 0 ? fmt::format(", {} more have the same code", report.alike()) : "",
                    report.how, report.seconds);
    Table table({"op", ">elements", ">wrong", ">max error", ">tolerance", ">rms error", ">time", ""});
    const auto row = [&table](const std::string& what, const NumericDifference& d, double seconds,
                              const std::string& note) {
        table.add({what, exactText(d.elements), exactText(d.wrong), fmt::format("{:.2e}", d.maxRelative),
                   fmt::format("{:.2e}", d.tolerance), fmt::format("{:.2e}", d.relativeRms),
                   seconds > 0 ? fmt::format("{:.2f} s", seconds) : std::string(), note});
    };
    for (const NumericOp& op : report.ops)
        if (op.compared)
            row(op.name, op.difference, op.seconds, op.difference.ok() ? "" : "WRONG");
        else if (!op.sameAs.valid())
            table.add(
                {op.name, "", "", "", "", "", "", (op.broken ? "BROKEN: " : "not compared: ") + op.note});
    for (const auto& [output, difference] : report.outputs)
        row("output " + output, difference, 0, difference.ok() ? "" : "WRONG");
    return text + table.text();
}

Result<void> printReport(Session& session, const VerifyArguments& options, const VerifyReport& report,
                         const Numbers& numbers) {
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
        if (numbers.byOp)
            json["numeric"] = numericJson(*numbers.byOp);
        if (numbers.crossbar)
            json["numeric"] = ordered_json::parse(crossbarNumbersJson(*numbers.crossbar));
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    PIM_CHECK(session.print(fmt::format("{}: {} files, {} programs, {}\n{}", options.bundle, report.files,
                                        report.programs, report.problems.empty() ? "sound" : "NOT SOUND",
                                        numbers.byOp       ? numericText(*numbers.byOp)
                                        : numbers.crossbar ? crossbarNumbersText(*numbers.crossbar)
                                                           : std::string())));
    for (const Diagnostic& problem : report.problems)
        session.complain(problem.object + ": " + problem.message);
    return {};
}

Result<void> run(Session& session, const VerifyArguments& options) {
    PIM_TRY(const VerifyReport report, verifyBundle(options.bundle, session.task()));
    Numbers numbers;
    if (options.numeric && report.problems.empty()) {
        PIM_TRY(numbers, checkNumbers(session, options));
    }
    PIM_CHECK(printReport(session, options, report, numbers));
    if (!report.problems.empty())
        return fail(ErrorCode::InvalidFile, fmt::format("{} problems were found", report.problems.size()),
                    options.bundle, "compile again to get a sound bundle");
    if (numbers.crossbar && !numbers.crossbar->ok())
        return fail(ErrorCode::InvalidFile, crossbarNumbersProblem(*numbers.crossbar), options.bundle,
                    "compile again");
    const std::optional<NumericReport>& byOp = numbers.byOp;
    if (byOp && byOp->ops.empty())
        return fail(ErrorCode::InvalidFile, "no op is on PIM, there is nothing to compare", options.bundle,
                    "place ops on PIM with `pimc compile --override`");
    if (byOp && !byOp->ok())
        return fail(ErrorCode::InvalidFile,
                    byOp->compared() == 0 ? "no op on PIM could be compared"
                                          : "its code does not compute what the model says",
                    options.bundle, "the table says which ops");
    return {};
}

} // namespace

Action verifyVerb(CLI::App& verb) {
    auto options = std::make_shared<VerifyArguments>();
    verb.add_option("BUNDLE", options->bundle, "Folder that `pimc compile --out` wrote")
        ->required()
        ->type_name("");
    verb.add_flag("--numeric", options->numeric,
                  "Also run the code on numbers, command by command, and compare with float32; crossbar "
                  "chips: with fixed point, to the last bit, and the cells with the weights");
    verb.add_option("--model", options->model,
                    "Model of the bundle, if it is not here, beside the bundle or a sample")
        ->type_name("FILE");
    verb.add_option("--seed", options->numbers.seed,
                    "Seed of inputs, and of weights where the model has none")
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--ops", options->numbers.ops, "Only ops on PIM with one of these in their names")
        ->delimiter(',')
        ->type_name("NAME,...");
    verb.add_option("--seconds", options->numbers.secondsAtMost,
                    "Begin no op after that; the others are listed as not run")
        ->type_name("S");
    verb.add_flag("--op-by-op", options->numbers.opByOp,
                  "Random operands for each op instead of a run of the whole network");
    verb.footer("Examples:\n"
                "  pimc verify bundle --json\n"
                "  pimc verify bundle --numeric --seed 7\n"
                "  pimc verify bundle --numeric --op-by-op --ops attn,fc1 --seconds 60");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
