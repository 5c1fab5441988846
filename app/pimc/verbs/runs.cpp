// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/project/compare_runs.h"
#include "core/project/rerun.h"
#include "core/project/run_filter.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json runJson(const RunInfo& run) {
    return {{"run", run.id},
            {"label", run.label},
            {"variant", run.variant},
            {"model", run.modelName},
            {"model_path", run.modelPath},
            {"model_hash", run.modelHash},
            {"target", run.targetId},
            {"target_hash", run.targetHash},
            {"host", run.host},
            {"bindings", run.bindings},
            {"overrides", ordered_json::parse(run.overridesJson, nullptr, false)},
            {"options", ordered_json::parse(run.optionsJson, nullptr, false)},
            {"seed", run.seed},
            {"tool_version", run.toolVersion},
            {"started_utc", run.startedUtc},
            {"compile_ms", run.compileMs},
            {"origin", name(run.origin)},
            {"total_ns", run.totalNs},
            {"host_only_ns", run.hostOnlyNs},
            {"resident_load_ns", run.residentLoadNs},
            {"note", run.note}};
}

Result<void> list(Session& session, const Project& project, const std::string& filter, bool csv) {
    PIM_TRY(const RunFilter wanted, RunFilter::parse(filter));
    PIM_TRY(const auto all, project.runs());
    const auto best = bestRuns(all);
    const auto runs = wanted.apply(all);
    const auto isBest = [&best](const RunInfo& run) {
        return std::binary_search(best.begin(), best.end(), run.id);
    };
    if (session.json) {
        ordered_json json = ordered_json::array();
        for (const RunInfo& run : runs) {
            json.push_back(runJson(run));
            json.back()["best"] = isBest(run);
        }
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    if (csv) {
        std::string text =
            "run,started_utc,model,target,host,bindings,variant,total_ns,host_only_ns,origin,best,label\n";
        for (const RunInfo& run : runs)
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", run.id, run.startedUtc,
                                csvField(run.modelName), csvField(run.targetId), csvField(run.host),
                                csvField(run.bindings), csvField(run.variant), run.totalNs, run.hostOnlyNs,
                                name(run.origin), isBest(run) ? 1 : 0, csvField(run.label));
        return session.printCsv(text);
    }
    TextTable table({">run", "when", "model", "target", "bindings", "variant", ">total", "\tbest",
                     ">host only", "label"});
    for (const RunInfo& run : runs)
        table.add({std::to_string(run.id), run.startedUtc, run.modelName, run.targetId, run.bindings,
                   run.variant, timeText(run.totalNs), isBest(run) ? "best" : "", timeText(run.hostOnlyNs),
                   run.label});
    return session.print(all.empty()    ? "no runs yet\n"
                         : runs.empty() ? fmt::format("none of {} runs passes the filter\n", all.size())
                                        : table.text());
}

Result<RunsComparison> compareStored(const Project& project, const std::vector<std::int64_t>& ids) {
    std::vector<RunInfo> runs;
    std::vector<std::vector<RunOp>> ops;
    for (const std::int64_t id : ids) {
        PIM_TRY(RunInfo run, project.run(id));
        PIM_TRY(auto opsOfRun, project.runOps(id));
        runs.push_back(std::move(run));
        ops.push_back(std::move(opsOfRun));
    }
    return compareRuns(std::move(runs), ops, 0);
}

std::string comparisonJson(const RunsComparison& c) {
    ordered_json runs = ordered_json::array(), ops = ordered_json::array();
    for (std::size_t run = 0; run < c.runs.size(); ++run) {
        ordered_json json = runJson(c.runs[run]);
        json["parts"] = partsNs(c.totals[run]);
        json["speedup"] = c.speedup(run);
        json["difference_ns"] = c.totals[run].totalNs() - c.totals[c.baseline].totalNs();
        json["differs"] = c.differences[run];
        json["why"] = run == c.baseline ? "" : c.why(run);
        runs.push_back(std::move(json));
    }
    for (const ComparedOp& op : c.ops) {
        ordered_json times = ordered_json::array();
        for (const ComparedOpSide& side : op.sides)
            times.push_back(side.there ? ordered_json(side.cost.totalNs()) : ordered_json());
        const std::size_t far = c.farthest(op);
        ops.push_back({{"name", op.name},
                       {"type", op.type},
                       {"ns", times},
                       {"differs_most_in_run", c.runs[far].id},
                       {"difference_ns", c.deltaNs(op, far)},
                       {"why", c.why(op, far)}});
    }
    return ordered_json{{"baseline", c.runs[c.baseline].id},
                        {"same_model", c.sameModel},
                        {"same_target", c.sameTarget},
                        {"difference_ns", c.totals.back().totalNs() - c.totals.front().totalNs()},
                        {"runs", runs},
                        {"ops", ops}}
               .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

std::string comparisonCsv(const RunsComparison& c) {
    std::string text = "op,type";
    for (const RunInfo& run : c.runs)
        text += fmt::format(",run_{}_ns", run.id);
    text += ",difference_ns,why\n";
    for (const ComparedOp& op : c.ops) {
        text += csvField(op.name) + "," + csvField(op.type);
        for (const ComparedOpSide& side : op.sides)
            text += side.there ? fmt::format(",{}", side.cost.totalNs()) : ",";
        const std::size_t far = c.farthest(op);
        text += fmt::format(",{},{}\n", c.deltaNs(op, far), csvField(c.why(op, far)));
    }
    return text;
}

std::string comparisonText(const RunsComparison& c) {
    std::string text;
    TextTable totals({"run", "model", "target", ">time", "\torigin",
                      fmt::format(">over run {}", c.runs[c.baseline].id), "what differs"});
    std::vector<std::string> headings{"op"};
    for (std::size_t run = 0; run < c.runs.size(); ++run) {
        std::string differs;
        for (const std::string& line : c.differences[run])
            differs += (differs.empty() ? "" : ". ") + line;
        totals.add({runTitle(c.runs[run]), c.runs[run].modelName, c.runs[run].targetId,
                    timeText(c.totals[run].totalNs()), std::string(name(c.runs[run].origin)),
                    c.speedup(run) > 0 ? ratioText(c.speedup(run)) : "?",
                    run == c.baseline ? "the baseline"
                    : differs.empty() ? "nothing that decides the outcome"
                                      : differs});
        headings.push_back(fmt::format(">run {}", c.runs[run].id));
        if (run != c.baseline)
            text += c.why(run) + "\n";
    }
    headings.emplace_back("why");
    TextTable ops(headings);
    for (const ComparedOp& op : c.ops) {
        const std::size_t far = c.farthest(op);
        if (c.deltaNs(op, far) == 0)
            continue;
        std::vector<std::string> cells{op.name};
        for (const ComparedOpSide& side : op.sides)
            cells.push_back(side.there ? timeText(side.cost.totalNs()) : "-");
        cells.push_back(c.why(op, far));
        ops.add(std::move(cells));
    }
    return totals.text() + "\n" + text + "\n" + ops.text();
}

Result<void> compare(Session& session, const Project& project, const std::vector<std::int64_t>& ids,
                     bool csv) {
    PIM_TRY(const RunsComparison c, compareStored(project, ids));
    if (!c.sameModel)
        session.say("warning: the runs are of different models or bindings");
    if (csv && !session.json)
        return session.printCsv(comparisonCsv(c));
    return session.print(session.json ? comparisonJson(c) : comparisonText(c));
}

Result<void> repeat(Session& session, const Project& project, std::int64_t id) {
    PIM_TRY(const Rerun again, rerun(project, id, session.backends(), session.task()));
    if (session.json) {
        ordered_json differences = ordered_json::array();
        for (const RerunDifference& difference : again.differences)
            differences.push_back(
                {{"what", difference.what}, {"stored", difference.stored}, {"now", difference.now}});
        return session.print(ordered_json{{"run", id},
                                          {"identical", again.identical()},
                                          {"numbers", again.numbers},
                                          {"total_ns", again.plan->total.totalNs()},
                                          {"reasons", again.reasons},
                                          {"differences", differences}}
                                 .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
                             "\n");
    }
    TextTable table({"what", ">stored", ">now"});
    for (const RerunDifference& difference : again.differences)
        table.add({difference.what, difference.stored, difference.now});
    return session.print(
        fmt::format("run {}: {}\n{}", id, again.summary(), again.identical() ? "" : table.text()));
}

/// Changes of the history itself.
struct Edit {
    std::optional<std::int64_t> run;
    std::optional<std::string> label, note;
    std::vector<std::int64_t> remove;
    bool any() const { return run || label || note || !remove.empty(); }
};

Result<void> change(Session& session, const std::string& file, const Edit& edit) {
    PIM_TRY(const auto project, Project::open(file));
    if ((edit.label || edit.note) && !edit.run)
        return fail(ErrorCode::Usage, "no run was named", file, "name it with --run");
    if (edit.run && !edit.label && !edit.note)
        return fail(ErrorCode::Usage, fmt::format("nothing to change on run {} was given", *edit.run), file,
                    "give --label or --note");
    if (edit.label)
        PIM_CHECK(project->setRunLabel(*edit.run, *edit.label));
    if (edit.note)
        PIM_CHECK(project->setRunNote(*edit.run, *edit.note));
    for (const std::int64_t id : edit.remove) // all or none
        PIM_CHECK(project->run(id));
    for (const std::int64_t id : edit.remove)
        PIM_CHECK(project->deleteRun(id));
    if (!edit.remove.empty())
        session.say(fmt::format(
            "{} deleted", edit.remove.size() == 1 ? "1 run" : fmt::format("{} runs", edit.remove.size())));
    return {};
}

} // namespace

Action runsVerb(CLI::App& verb, const BackendList&) {
    struct RunsArguments {
        std::string project, filter;
        std::vector<std::int64_t> compare;
        std::optional<std::int64_t> rerun;
        Edit edit;
        bool csv = false;
    };
    auto options = std::make_shared<RunsArguments>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    auto* filter =
        verb.add_option("--filter", options->filter,
                        "Only runs that pass: words, model:, target:, variant:, since:, faster:1ms, is:best")
            ->type_name("TEXT");
    auto* comparison = verb.add_option("--compare", options->compare,
                                       "Two runs or more, op by op; the first is the baseline")
                           ->expected(2, 64)
                           ->type_name("A B ...")
                           ->excludes(filter);
    auto* again =
        verb.add_option("--rerun", options->rerun, "Repeat a run and compare every number; nothing is stored")
            ->type_name("N")
            ->excludes(filter)
            ->excludes(comparison);
    verb.add_option("--run", options->edit.run, "Run that --label and --note are for")
        ->type_name("N")
        ->excludes(comparison)
        ->excludes(again);
    verb.add_option("--label", options->edit.label, "Give the run this label; an empty text removes it")
        ->type_name("TEXT");
    verb.add_option("--note", options->edit.note, "Give the run this note; an empty text removes it")
        ->type_name("TEXT");
    verb.add_option("--delete", options->edit.remove, "Delete runs and all that belongs to them")
        ->type_name("N ...")
        ->excludes(comparison)
        ->excludes(again);
    verb.add_flag("--csv", options->csv, "Print CSV, numbers unrounded");
    verb.footer("Examples:\n"
                "  pimc runs p.pimproj\n"
                "  pimc runs p.pimproj --filter \"target:attacc faster:2ms\"\n"
                "  pimc runs p.pimproj --compare 3 7 9 --csv\n"
                "  pimc runs p.pimproj --rerun 3\n"
                "  pimc runs p.pimproj --run 3 --label \"for the paper\"");
    return [options](Session& session) -> Result<void> {
        if (options->edit.any())
            return change(session, options->project, options->edit);
        PIM_TRY(const auto project, Project::open(options->project, Project::Mode::ReadOnly));
        if (options->rerun)
            return repeat(session, *project, *options->rerun);
        return options->compare.empty() ? list(session, *project, options->filter, options->csv)
                                        : compare(session, *project, options->compare, options->csv);
    };
}

} // namespace pim::cli
