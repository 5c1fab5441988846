// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/sweep_search.h"

#include "app/pimc/verbs/seed_option.h"
#include "app/pimc/verbs/sweep_arguments.h"
#include "app/pimc/verbs/sweep_output.h"
#include "core/base/file_text.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/override_fit.h"
#include "core/compile/search/confirm.h"
#include "core/compile/sweep_json.h"
#include "core/project/sweep_list.h"
#include "core/project/sweep_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {

Result<void> printSweep(Session& session, const SweepArguments& options, const std::vector<SweepAxis>& axes,
                        const std::vector<SweepPoint>& points) {
    const std::vector<SweepAxis> varied = variedAxes(axes);
    const SweepMarks marks = markSweep(varied, points, options.front);
    for (const std::string& objective : options.front)
        if (!points.empty() && std::ranges::none_of(points, [&](const SweepPoint& p) {
                return p.figure(objective).has_value();
            }))
            session.say(
                fmt::format("note: no point has a figure \"{}\", so none is on the front", objective));
    if (options.csv && !session.json)
        return session.printCsv(sweepCsv(varied, points, marks));
    return session.print(session.json ? sweepJson(varied, points, marks) : sweepTable(varied, points, marks));
}

TaskContext PointWatch::task(TaskContext inner) {
    TaskContext told = inner;
    told.onProgress = [this, inner = std::move(inner)](std::string_view stage, std::int64_t done,
                                                       std::int64_t total) {
        inner.report(m_quickestNs > 0 ? fmt::format("{}, quickest {}", stage, timeText(m_quickestNs))
                                      : std::string(stage),
                     done, total);
    };
    return told;
}

void PointWatch::see(const SweepPoint& point) {
    if (point.problem.empty() && (m_quickestNs <= 0 || point.totalNs < m_quickestNs))
        m_quickestNs = point.totalNs;
    if (!point.outside.empty() && m_outside++ == 0)
        m_firstOutside = point.outside;
}

void PointWatch::sayOutside(Session& session, const SweepSetup& setup) const {
    if (m_outside > 0)
        session.say(fmt::format(
            "warning: {} outside what predictor {} has learned ({}). train one that covers them: pimc "
            "predictor train --model MODEL",
            m_outside == 1 ? "1 point lies" : fmt::format("{} points lie", m_outside),
            setup.request.options.predictorVersion, m_firstOutside));
}

namespace {

constexpr std::string_view kUsage =
    "pimc sweep MODEL --over 'seq=32..2048', or --over 'model=A,B;seq=32,64', "
    "or --project FILE with --resume, --show or --list";

} // namespace

Result<SweepSetup> sweepSetupOf(Session& session, const SweepArguments& options) {
    if (options.over.empty() && !options.model.model.empty())
        return fail(ErrorCode::Usage, "there is nothing to sweep over", {}, std::string(kUsage));
    SweepSetup setup;
    if (!options.over.empty()) {
        PIM_TRY(setup.axes, parseSweep(options.over));
    }
    const bool modelsAreSwept = hasAxis(setup.axes, kModelAxis);
    ModelArgument argument;
    if (modelsAreSwept && !options.model.model.empty())
        session.say(fmt::format("note: the models are those of model=…; {} is none unless it is among them",
                                options.model.model));
    else if (!modelsAreSwept && options.model.model.empty())
        return fail(ErrorCode::Usage, "no model was given", {}, std::string(kUsage));
    else if (!modelsAreSwept) {
        PIM_TRY(argument, findModel(options.model.model));
        PIM_TRY(setup.model, importModel(argument.path, session.task()));
    }
    if (!hasAxis(setup.axes, "target") || !options.target.target.empty()) {
        PIM_TRY(setup.request.target, options.target.find(session, argument.target));
    }
    PIM_TRY(setup.request.options, options.target.compileOptions(session.backends()));
    if (!options.search.empty() && options.searching.method != SearchMethod::Exhaustive)
        setup.mostPoints = kMostSearched;
    if (!options.overrides.empty()) {
        PIM_TRY(const std::string text, inputText(options.overrides, session.task()));
        PIM_TRY(const Overrides all, Overrides::fromJson(text, {}, options.overrides));
        setup.request.overrides = decisionsForOneMachine(all);
    }
    PIM_TRY(setup.graph, options.model.graphOptions(argument));
    PIM_CHECK(
        prepareSweep(session.backends(), setup, session.catalog(), options.target.host, session.task()));
    PIM_CHECK(options.predictor.apply(session, targetsOf(setup), setup.request.options));
    return setup;
}

Result<void> printStoredSweep(Session& session, const SweepArguments& options, const Project& project,
                              std::int64_t id) {
    PIM_TRY(const StoredSweep stored, project.sweep(id));
    if (!stored.info.isComplete())
        session.say(fmt::format("note: \"{}\" has {} of {} points; --resume continues it", stored.info.name,
                                stored.info.finished, stored.info.wanted()));
    SweepArguments shown = options;
    if (shown.front.empty())
        shown.front = stored.shownObjectives();
    return printSweep(session, shown, stored.info.axes, stored.shownPoints());
}

namespace {

Result<void> printConfirmed(Session& session, SweepArguments options, const std::vector<SweepAxis>& axes,
                            ConfirmedSweep confirmed) {
    session.say(fmt::format(
        "{} of {} points simulated; they took {} longer than predicted{}", confirmed.confirmed,
        confirmed.points.size(), confirmed.slowest > 0 ? "up to " + percentText(confirmed.slowest) : "no",
        confirmed.slowest > *options.confirm
            ? ", which is more than the margin: the front may lack points; give --confirm more"
            : ""));
    options.front = std::move(confirmed.objectives);
    return printSweep(session, options, axes, confirmed.points);
}

/// Points by the figures that were asked for, those near the front simulated if that was asked for too.
Result<void> finish(Session& session, SweepArguments options, const SweepSetup& setup,
                    std::vector<SweepPoint> points) {
    if (!options.confirm)
        return printSweep(session, options, setup.axes, points);
    if (options.front.empty())
        options.front = markSweep(variedAxes(setup.axes), points).objectives;
    PIM_TRY(ConfirmedSweep confirmed, confirmFront(session.backends(), setup, std::move(points),
                                                   options.front, *options.confirm, {}, session.task()));
    return printConfirmed(session, options, setup.axes, std::move(confirmed));
}

/// The same for a sweep that a project keeps.
Result<void> confirmStored(Session& session, const SweepArguments& options, Project& project, std::int64_t id,
                           const SweepSetup& setup) {
    PIM_TRY(ConfirmedSweep confirmed, resumeConfirm(
                                          project, id, setup, session.backends(), options.front,
                                          *options.confirm, [](const SweepPoint&) {}, session.task()));
    return printConfirmed(session, options, setup.axes, std::move(confirmed));
}

Result<void> runUnstored(Session& session, const SweepArguments& options, const SweepSetup& setup) {
    std::vector<SweepPoint> points;
    PointWatch watch;
    PIM_CHECK(sweep(
        session.backends(), setup, {},
        [&](SweepPoint point) -> Result<void> {
            watch.see(point);
            points.push_back(std::move(point));
            return {};
        },
        watch.task(session.task())));
    watch.sayOutside(session, setup);
    return finish(session, options, setup, std::move(points));
}

void sayFound(Session& session, const SweepSetup& setup, const SweepSearch& found) {
    const auto refused =
        std::ranges::count_if(found.points, [](const SweepPoint& point) { return !point.problem.empty(); });
    session.say(fmt::format("{} of {} points computed, {} of them refused", found.points.size(),
                            sweepSize(setup.axes), refused));
}

Result<void> runSearch(Session& session, SweepArguments options, const SweepSetup& setup) {
    PointWatch watch;
    PIM_TRY(SweepSearch found, searchSweep(
                                   session.backends(), setup, options.searching, options.front,
                                   [&](const SweepPoint& point) -> Result<void> {
                                       watch.see(point);
                                       return {};
                                   },
                                   watch.task(session.task())));
    sayFound(session, setup, found);
    watch.sayOutside(session, setup);
    options.front = std::move(found.objectives);
    return finish(session, std::move(options), setup, std::move(found.points));
}

Result<void> runStoredSearch(Session& session, SweepArguments options, const SweepSetup& setup) {
    PIM_TRY(const auto project, Project::open(options.project));
    session.say(project->problems());
    PIM_TRY(const std::int64_t id, project->findOrAddSweep(setup, options.name));
    PointWatch watch;
    std::int64_t added = 0;
    auto found = resumeSearch(
        *project, id, setup, session.backends(), options.searching, options.front,
        [&](const SweepPoint& point) {
            watch.see(point);
            ++added;
        },
        watch.task(session.task()));
    if (!found && found.error().code == ErrorCode::Cancelled)
        session.say(fmt::format("paused: {} points were added to {}; the same command goes on", added,
                                options.project));
    PIM_CHECK(found);
    session.say(fmt::format("{} points were in {}, {} were added", std::ssize(found->points) - added,
                            options.project, added));
    sayFound(session, setup, *found);
    watch.sayOutside(session, setup);
    options.front = std::move(found->objectives);
    return options.confirm ? confirmStored(session, options, *project, id, setup)
                           : printSweep(session, options, setup.axes, found->points);
}

Result<void> runStored(Session& session, const SweepArguments& options, Project& project, std::int64_t id,
                       const SweepSetup& setup) {
    PIM_TRY(const StoredSweep known, project.sweep(id));
    if (!known.info.isComplete()) {
        PointWatch watch;
        const auto done = pim::resume(
            project, known, setup, session.backends(), [&](const SweepPoint& point) { watch.see(point); },
            watch.task(session.task()));
        if (!done && done.error().code == ErrorCode::Cancelled) {
            PIM_TRY(const StoredSweep stored, project.sweep(id));
            session.say(fmt::format("paused: {} of {} points are stored; continue with: pimc sweep --project "
                                    "'{}' --resume '{}'",
                                    stored.info.finished, stored.info.wanted(), options.project,
                                    stored.info.name));
        }
        PIM_CHECK(done);
        watch.sayOutside(session, setup);
    }
    return options.confirm ? confirmStored(session, options, project, id, setup)
                           : printStoredSweep(session, options, project, id);
}

Result<void> begin(Session& session, const SweepArguments& options) {
    PIM_TRY(const SweepSetup setup, sweepSetupOf(session, options));
    if (!options.search.empty())
        return options.project.empty() ? runSearch(session, options, setup)
                                       : runStoredSearch(session, options, setup);
    if (options.project.empty())
        return runUnstored(session, options, setup);
    PIM_TRY(const auto project, Project::open(options.project));
    session.say(project->problems());
    PIM_TRY(const std::int64_t id, project->addSweep(setup, options.name));
    PIM_TRY(const StoredSweep stored, project->sweep(id));
    session.say(fmt::format("sweep \"{}\": {} points", stored.info.name, stored.info.size()));
    return runStored(session, options, *project, id, setup);
}

Result<void> resume(Session& session, const SweepArguments& options) {
    PIM_TRY(const auto project, Project::open(options.project));
    PIM_TRY(const std::int64_t id, project->findSweep(*options.resume));
    PIM_TRY(const StoredSweep stored, project->sweep(id));
    session.say(fmt::format("sweep \"{}\": {} of {} points are there, {} to compute", stored.info.name,
                            stored.info.finished, stored.info.wanted(),
                            stored.info.wanted() - stored.info.finished));
    if (stored.info.isComplete() && !options.confirm)
        return printStoredSweep(session, options, *project, id);
    PIM_TRY(SweepSetup setup, loadSweep(stored, session.task()));
    return runStored(session, options, *project, id, setup);
}

Result<void> list(Session& session, const SweepArguments& options) {
    PIM_TRY(const auto project, Project::open(options.project, Project::Mode::ReadOnly));
    PIM_TRY(const auto sweeps, project->sweeps());
    if (session.json)
        return session.print(sweepsJson(sweeps));
    TextTable table({"name", "when", "model", "target", ">finished", ">of", ">failed", "search", "over"});
    for (const SweepInfo& sweep : sweeps)
        table.add(
            {sweep.name, sweep.startedUtc, sweep.modelName, sweep.targetId, std::to_string(sweep.finished),
             std::to_string(sweep.wanted()), std::to_string(sweep.failed),
             sweep.search ? std::string(name(sweep.search->options.method)) : "", sweepText(sweep.axes)});
    return session.print(sweeps.empty() ? "no sweeps yet\n" : table.text());
}

Result<void> run(Session& session, const SweepArguments& options) {
    if (options.list)
        return list(session, options);
    if (options.resume)
        return resume(session, options);
    if (options.show) {
        PIM_TRY(const auto project, Project::open(options.project, Project::Mode::ReadOnly));
        PIM_TRY(const std::int64_t id, project->findSweep(*options.show));
        return printStoredSweep(session, options, *project, id);
    }
    if (options.remove) {
        PIM_TRY(const auto project, Project::open(options.project));
        PIM_TRY(const std::int64_t id, project->findSweep(*options.remove));
        return project->deleteSweep(id);
    }
    return begin(session, options);
}

} // namespace

Action sweepVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<SweepArguments>();
    options->model.declare(verb);
    verb.get_option("MODEL")->required(false); // a stored sweep knows its model
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    std::string names =
        "target=ID,ID,…; model=FILE,sample:NAME,…, or several networks as one point: model=geomean(A,B), "
        "sum(A,B), worst(A,B); figures of the target, such as group.count=8..64 (pimc targets NAME lists "
        "them), "
        "which may be formulas over others: core.bank.capacity=64MiB/core.count; FIELD:OP=VALUE,…, "
        "and draft:OP=RANK,… (1 is the cheapest)";
    for (const auto& [option, values] : sweepOptionNames(backends))
        names += fmt::format("\n  {}={}", option, values);
    verb.add_option("--over", options->over,
                    "What varies: seq=32,64 or seq=32..2048 (doubling) for open dimensions; 1..64*4, 8..64+8 "
                    "and 1..1000/7 "
                    "multiply, add, and give 7 values the same factor apart; separate several with "
                    ";. Conditions leave points out: area_mm2<=300. In addition to dimensions: " +
                        names)
        ->type_name("NAME=VALUE,…");
    verb.add_option("--override", options->overrides, "Your decisions: a JSON document; - is stdin")
        ->type_name("FILE");
    verb.add_option("--front", options->front,
                    "What the Pareto front is by: total_ns, macs_per_s or other columns; usually time and "
                    "work per second, "
                    "or time, area and energy where the machine varies")
        ->type_name("FIGURE,…")
        ->delimiter(',');
    verb.add_flag("--csv", options->csv, "Comma-separated values, times in ns");
    auto* project = verb.add_option("--project", options->project,
                                    "Keep the sweep in this project, point by point; made if there is none")
                        ->type_name("FILE");
    verb.add_option("--name", options->name, "Name of the sweep; \"sweep 1\" and so on if not given")
        ->type_name("TEXT")
        ->needs(project);
    auto* search =
        verb.add_option("--search", options->search,
                        "Compute only the points that a search for the front asks for; nsga2 is NSGA-II, "
                        "and the neighbours of what it found")
            ->type_name("METHOD")
            ->check(CLI::IsMember({"exhaustive", "random", "nsga2"}));
    verb.add_option("--evaluations", options->searching.evaluations, "Points a search computes at most")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
        ->capture_default_str()
        ->needs(search);
    addSeed(verb, "--search-seed", options->searching.seed, "Another seed, another search")->needs(search);
    auto* confirm = verb.add_option_function<double>(
                            "--confirm", [options](double percent) { options->confirm = percent / 100; },
                            "Simulate the points on the front, and those that would be on it if they were "
                            "this much faster than "
                            "predicted, in percent; the front is then by simulated_ns")
                        ->type_name("PERCENT")
                        ->check(CLI::Range(0.0, 90.0));
    auto* resume =
        verb.add_option("--resume", options->resume,
                        "Resume an unfinished sweep or search of the project; the newest if not named")
            ->type_name("[NAME]")
            ->expected(0, 1);
    auto* show =
        verb.add_option("--show", options->show, "Print the stored points of a sweep, without computing")
            ->type_name("[NAME]")
            ->expected(0, 1);
    auto* remove =
        verb.add_option("--delete", options->remove, "Delete a sweep from the project")->type_name("NAME");
    auto* list = verb.add_flag("--list", options->list, "List the sweeps of the project");
    CLI::Option* const stored[] = {resume, show, remove, list};
    for (CLI::Option* option : stored) {
        option->needs(project)->excludes("--over")->excludes("MODEL")->excludes(search);
        if (option != resume)
            option->excludes(confirm);
        for (CLI::Option* other : stored)
            if (other != option)
                option->excludes(other);
    }
    verb.footer(
        "A combination that fails is a row with a problem; the rest goes on. Ctrl-C pauses a sweep that is "
        "kept in a project.\n\n"
        "Examples:\n"
        "  pimc sweep sample:bert-base --target dynaplasia --over 'seq=32..2048'\n"
        "  pimc sweep sample:gpt3-13b-decode --over 'target=attacc,hbm-pim;past=128..2048;batch=1,4' --csv > "
        "sweep.csv\n"
        "  pimc sweep sample:gpt3-13b-decode --target attacc --over 'past=128..2048' --project p.pimproj\n"
        "  pimc sweep --project p.pimproj --resume\n"
        "  pimc sweep --over "
        "'model=geomean(sample:bert-base,sample:resnet50);target=aim,hbm-pim,attacc;power_w<=90'\n"
        "  pimc sweep plan sample:bert-base --target hbm-pim --over 'group.count=4..64;timing.nCCDL=2..8+1' "
        "--to "
        "points\n"
        "  pimc sweep submit points --with slurm --project p.pimproj\n"
        "  pimc sweep sample:tiny-gpt --target hbm-pim --over "
        "'group.count=4..64;timing.nCCDL=2,4;simulate=on'\n"
        "  pimc sweep sample:resnet50 --target dynaplasia --over 'array.count=24..192+24;area_mm2<=100'\n"
        "  pimc sweep sample:tiny-gpt --target hbm-pim --over 'group.count=1..64+1;timing.nCCDL=1..8+1;"
        "timing.nRCDRD=8..48+1' --search nsga2 --evaluations 1000 --confirm 5");
    const auto campaign = declareCampaign(verb, options);
    return [options, resume, show, campaign](Session& session) {
        if (auto done = campaign(session))
            return *std::move(done);
        options->searching.method = searchMethod(options->search).value_or(SearchMethod::Exhaustive);
        // Given without a name, either is left empty.
        if (resume->count() > 0 && !options->resume)
            options->resume.emplace();
        if (show->count() > 0 && !options->show)
            options->show.emplace();
        return run(session, *options);
    };
}

} // namespace pim::cli
