// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "app/pimc/verbs/verbs.h"
#include "core/compile/compiler.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct ReportArguments {
    std::string project;
    std::optional<std::int64_t> run;
    std::vector<std::string> out;
};

/// A stored run holds figures, not drafts in full: the plan is made again from what the run says it was made
/// from.
Result<std::shared_ptr<const Plan>> replay(Session& session, const RunRecipe& recipe) {
    PIM_TRY(auto graph, loadGraph(recipe.modelPath, recipe.graph, session.task()));
    if (graph->source.structureHash != recipe.modelHash)
        return fail(ErrorCode::InvalidModel, "the model has changed since the run was made",
                    recipe.modelPath.string(), "compile it again, or put the old file back");
    return compile(session.backends(), {graph, recipe.target, recipe.overrides, recipe.options}, nullptr,
                   session.task());
}

Result<void> run(Session& session, const ReportArguments& options) {
    PIM_TRY(const auto project, Project::open(options.project, Project::Mode::ReadOnly));
    ReportInput input;
    PIM_TRY(input.runs, project->runs());
    if (input.runs.empty())
        return fail(ErrorCode::NotFound, "the project has no runs", options.project,
                    "`pimc compile --project` makes one");
    input.runId = options.run.value_or(input.runs.front().id);
    PIM_TRY(const RunInfo info, project->run(input.runId));
    PIM_TRY(const RunRecipe recipe, project->recipe(input.runId));
    PIM_CHECK(recipe.requireOneMachine());
    PIM_TRY(input.plan, replay(session, recipe));
    PIM_TRY(input.backend, session.backends().find(input.plan->target->backend));
    if (input.plan->total.totalNs() != info.totalNs)
        session.say(
            fmt::format("warning: run {} was stored with {} ns by version {}; this version finds {} ns",
                        info.id, info.totalNs, info.toolVersion, input.plan->total.totalNs()));
    input.projectFile = options.project;
    input.bindings = info.bindings;
    input.options = recipe.options;
    PIM_TRY(auto decisions, project->decisions());
    if (decisions)
        input.notes = std::move(decisions->notes);
    for (const std::string& file : options.out) {
        const std::string extension = std::filesystem::path(file).extension().string();
        PIM_CHECK(extension == ".pdf" ? writePdfReport(input, file) : writeHtmlReport(input, file));
    }
    if (session.json)
        return session.print(nlohmann::ordered_json{{"run", input.runId}, {"files", options.out}}.dump(2) +
                             "\n");
    for (const std::string& file : options.out)
        PIM_CHECK(session.print(file + "\n"));
    return {};
}

} // namespace

Action reportVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<ReportArguments>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    verb.add_option("--run", options->run, "Run to report; the newest if not given")->type_name("N");
    verb.add_option("-o,--out", options->out, "File to write, HTML or PDF by its ending; may be repeated")
        ->required()
        ->type_name("FILE")
        ->check([](const std::string& file) {
            const std::string extension = std::filesystem::path(file).extension().string();
            const bool known = extension == ".html" || extension == ".htm" || extension == ".pdf";
            return known ? std::string() : file + " ends neither in .html nor in .pdf";
        });
    verb.footer("Examples:\n"
                "  pimc report p.pimproj -o newest.html\n"
                "  pimc report p.pimproj --run 3 -o run3.html -o run3.pdf\n"
                "A report straight from a compile: pimc compile MODEL --report FILE.html");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
