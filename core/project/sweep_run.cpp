// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_run.h"

#include "core/compile/sweep_networks.h"
#include "core/predict/shipped.h"

#include <fmt/format.h>

namespace pim {
namespace {

/// Nobody else computes the sweep meanwhile; drafts the project knows are used, new ones are kept. \p work is given what is stored.
Result<void> compute(Project& project, std::int64_t sweep, const SweepSetup& setup,
                     const std::function<Result<void>(const SweepSetup&, StoredSweep)>& work) {
    PIM_CHECK(project.claimSweep(sweep));
    SweepSetup known = setup;
    const auto run = [&]() -> Result<void> {
        PIM_TRY(StoredDrafts drafts, project.knownDrafts());
        known.drafts = std::make_shared<DraftTable>(std::move(drafts.drafts));
        // Asked after the claim: nobody adds points from here on.
        PIM_TRY(StoredSweep stored, project.sweep(sweep));
        return work(known, std::move(stored));
    };
    Result<void> done = run();
    if (known.drafts) { // those of a sweep that was left too
        const Result<void> kept = project.storeKnownDrafts(known.drafts->found());
        if (done)
            done = kept;
    }
    const Result<void> released = project.releaseSweep(sweep); // a claim that stays goes with the process
    return done ? released : done;
}

} // namespace

Result<SweepSetup> loadSweep(const StoredSweep& stored, const TaskContext& task) {
    SweepSetup setup = stored.setup;
    PIM_CHECK(loadNetworks(setup, stored.info.modelPath, stored.modelHash,
                           fmt::format("the sweep \"{}\" was begun", stored.info.name), task));
    PIM_CHECK(restorePredictor(setup.request.options, targetsOf(setup)));
    return setup;
}

Result<void> resumeSweep(Project& project, std::int64_t sweep, const SweepSetup& setup,
                         const BackendList& backends, const std::function<void(const SweepPoint&)>& told,
                         const TaskContext& task) {
    if (const std::int64_t size = sweepSize(setup.axes); size > setup.mostPoints)
        return fail(
            ErrorCode::Usage,
            fmt::format(
                "it has {} combinations, of which a search computed some; {} are the most that are all "
                "computed",
                size, setup.mostPoints),
            "the sweep", "go on with the search by which it began");
    return compute(project, sweep, setup,
                   [&](const SweepSetup& known, const StoredSweep& stored) -> Result<void> {
                       std::set<std::int64_t> finished;
                       for (const SweepPoint& point : stored.points)
                           finished.insert(point.index);
                       return pim::sweep(
                           backends, known, finished,
                           [&](const SweepPoint& point) -> Result<void> {
                               PIM_CHECK(project.recordSweepPoint(sweep, point));
                               told(point);
                               return {};
                           },
                           task);
                   });
}

Result<SweepSearch> resumeSearch(Project& project, std::int64_t sweep, const SweepSetup& setup,
                                 const BackendList& backends, const SearchOptions& options,
                                 std::vector<std::string> objectives,
                                 const std::function<void(const SweepPoint&)>& told,
                                 const TaskContext& task) {
    SweepSearch found;
    StoredSearch search{options, objectives, false};
    PIM_CHECK(
        compute(project, sweep, setup, [&](const SweepSetup& known, StoredSweep stored) -> Result<void> {
            PIM_CHECK(project.setSearch(sweep, search));
            std::map<std::int64_t, SweepPoint> points;
            for (SweepPoint& point : stored.points)
                points.emplace(point.index, std::move(point));
            PIM_TRY(found, searchSweep(
                               backends, known, options, std::move(objectives),
                               [&](const SweepPoint& point) -> Result<void> {
                                   PIM_CHECK(project.recordSweepPoint(sweep, point));
                                   told(point);
                                   return {};
                               },
                               task, std::move(points)));
            search.isFinished = true;
            return project.setSearch(sweep, search);
        }));
    return found;
}

Result<void> resume(Project& project, const StoredSweep& stored, const SweepSetup& setup,
                    const BackendList& backends, const std::function<void(const SweepPoint&)>& told,
                    const TaskContext& task) {
    const auto& search = stored.info.search;
    if (!search)
        return resumeSweep(project, stored.info.id, setup, backends, told, task);
    PIM_CHECK(resumeSearch(project, stored.info.id, setup, backends, search->options, search->objectives,
                           told, task));
    return {};
}

Result<ConfirmedSweep> resumeConfirm(Project& project, std::int64_t sweep, const SweepSetup& setup,
                                     const BackendList& backends, std::vector<std::string> objectives,
                                     double margin, const std::function<void(const SweepPoint&)>& told,
                                     const TaskContext& task) {
    ConfirmedSweep confirmed;
    PIM_CHECK(
        compute(project, sweep, setup, [&](const SweepSetup& known, StoredSweep stored) -> Result<void> {
            if (objectives.empty() && stored.info.search)
                objectives = stored.info.search->objectives;
            if (objectives.empty())
                objectives = markSweep(known.axes, stored.points).objectives;
            std::vector<SweepPoint> simulated;
            if (stored.confirmation)
                simulated = std::move(stored.confirmation->points);
            PIM_CHECK(project.setConfirmation(sweep, {margin, objectives, {}}));
            PIM_TRY(confirmed, confirmFront(
                                   backends, known, std::move(stored.points), objectives, margin,
                                   [&](const SweepPoint& point) -> Result<void> {
                                       PIM_CHECK(project.recordConfirmed(sweep, point));
                                       told(point);
                                       return {};
                                   },
                                   task, simulated));
            return {};
        }));
    return confirmed;
}

Result<RunRecipe> recipeOfPoint(const BackendList& backends, const SweepSetup& setup, std::int64_t index,
                                const TaskContext& task) {
    PIM_TRY(PointRequest request, pointRequest(backends, setup, index, task));
    const ModelSource& source = request.plan.graph->source;
    return RunRecipe{source.path,
                     source.structureHash,
                     std::move(request.graph),
                     request.plan.target,
                     std::move(request.plan.overrides),
                     std::move(request.plan.options),
                     {}};
}

std::vector<SweepPoint> StoredSweep::shownPoints() const {
    return confirmation ? withConfirmed(points, confirmation->points) : points;
}

std::vector<std::string> StoredSweep::shownObjectives() const {
    return confirmation  ? confirmedObjectives(confirmation->objectives)
           : info.search ? info.search->objectives
                         : std::vector<std::string>();
}

} // namespace pim
