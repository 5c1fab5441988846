// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_run.h"

#include <fmt/format.h>

namespace pim {

Result<SweepSetup> loadSweep(const StoredSweep& stored, const TaskContext& task) {
    SweepSetup setup = stored.setup;
    PIM_TRY(setup.model, importModel(stored.info.modelPath, task));
    PIM_TRY(setup.base, buildGraph(*setup.model, setup.graph, {task.stop, {}}));
    if (setup.base->source.structureHash != stored.modelHash)
        return fail(ErrorCode::InvalidModel,
                    fmt::format("the model has changed since the sweep \"{}\" was begun, so its points would "
                                "not be of one network",
                                stored.info.name),
                    stored.info.modelPath, "bring the old model back, or sweep again");
    return setup;
}

Result<void> resumeSweep(Project& project, std::int64_t sweep, const SweepSetup& setup,
                         const BackendList& backends, const std::function<void(const SweepPoint&)>& told,
                         const TaskContext& task) {
    PIM_CHECK(project.claimSweep(sweep));
    SweepSetup known = setup;
    const auto run = [&]() -> Result<void> {
        PIM_TRY(StoredDrafts drafts, project.knownDrafts());
        known.drafts = std::make_shared<DraftTable>(std::move(drafts.drafts));
        // Asked after the claim: nobody adds points from here on.
        PIM_TRY(const StoredSweep stored, project.sweep(sweep));
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

} // namespace pim
