// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_job.h"

#include <algorithm>
#include <map>
#include <set>

namespace pim::views {
namespace {

std::vector<SweepPoint> byIndex(std::vector<SweepPoint> points) {
    std::ranges::sort(points, {}, &SweepPoint::index);
    return points;
}

Result<std::vector<std::string>> confirm(const BackendList& backends, const SweepJob& job,
                                         const std::function<void(const SweepPoint&)>& told,
                                         const TaskContext& task) {
    const StoredConfirmation& wanted = *job.confirmation;
    if (job.project) {
        PIM_TRY(ConfirmedSweep confirmed, resumeConfirm(*job.project, job.id, job.setup, backends,
                                                        wanted.objectives, wanted.margin, told, task));
        return std::move(confirmed.objectives);
    }
    PIM_TRY(ConfirmedSweep confirmed,
            confirmFront(
                backends, job.setup, byIndex(job.predicted), wanted.objectives, wanted.margin,
                [&](const SweepPoint& point) -> Result<void> {
                    told(point);
                    return {};
                },
                task, byIndex(wanted.points)));
    return std::move(confirmed.objectives);
}

} // namespace

Result<std::vector<std::string>> compute(const BackendList& backends, const SweepJob& job,
                                         const std::function<void(const SweepPoint&)>& told,
                                         const TaskContext& task) {
    if (job.confirms)
        return confirm(backends, job, told, task);
    const auto computed = [&](const SweepPoint& point) -> Result<void> {
        told(point);
        return {};
    };
    if (const auto& search = job.info.search) {
        SweepSearch found;
        if (job.project) {
            PIM_TRY(found, resumeSearch(*job.project, job.id, job.setup, backends, search->options,
                                        search->objectives, told, task));
        } else {
            std::map<std::int64_t, SweepPoint> known;
            for (const SweepPoint& point : job.predicted)
                known.emplace(point.index, point);
            PIM_TRY(found, searchSweep(backends, job.setup, search->options, search->objectives, computed,
                                       task, std::move(known)));
        }
        return std::move(found.objectives);
    }
    if (job.project) {
        PIM_CHECK(resumeSweep(*job.project, job.id, job.setup, backends, told, task));
    } else {
        std::set<std::int64_t> finished;
        for (const SweepPoint& point : job.predicted)
            finished.insert(point.index);
        PIM_CHECK(sweep(backends, job.setup, finished, computed, task));
    }
    return std::vector<std::string>();
}

} // namespace pim::views
