// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/referee.h"

#include "core/base/parallel.h"
#include "core/crossbar/compat.h"
#include "core/crossbar/profile.h"
#include "core/crossbar/schedule/schedule.h"
#include "core/crossbar/search/strategies.h"

namespace pim {

CrossbarMapping placedMapping(const CrossbarLayout& layout, const MappingOptions& options) {
    return layout.mapping(options.mode, options.strategy, busiestFirst(layout, options.mode));
}

Result<double> refereeNs(const CrossbarLayout& layout, const MappingOptions& options,
                         const TaskContext& task) {
    const CrossbarLayoutModel& model = layout.model();
    const TaskContext quiet{.stop = task.stop, .onProgress = {}}; // several run at once
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(*model.network, *model.chip, placedMapping(layout, options),
                             {.rules = options.referee}, quiet));
    if (options.referee != CrossbarReferee::Profiler) {
        PIM_TRY(const CompatStream stream, compatStream(schedule.program));
        CompatHardware hardware = compatHardware(*model.chip);
        hardware.mvmNs = chipOfReferee(*model.chip, options.referee).mvmNs;
        PIM_TRY(const CompatResult result, evaluateCompat(stream, hardware, quiet));
        return result.periodNs;
    }
    ProfileOptions asked;
    asked.hostMaps = hostMapsOf(*model.network, schedule, options.mode);
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(schedule.program, *model.chip, asked, quiet));
    return options.mode == CrossbarMode::HighThroughput ? profile.periodNs : profile.latencyNs;
}

RefereeChoice chooseByProgram(const std::vector<const CrossbarLayout*>& layouts,
                              const MappingOptions& options, const TaskContext& task,
                              const TaskContext* first) {
    std::vector<Result<double>> times(layouts.size(), TaskContext::cancelledError("the search"));
    parallelFor(layouts.size(), std::max(1, options.threads), [&](std::size_t i) {
        const TaskContext& own = i == 0 && first ? *first : task;
        if (!own.cancelled())
            times[i] = refereeNs(*layouts[i], options, own);
    });
    RefereeChoice choice;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        choice.tried += times[i] || times[i].error().code != ErrorCode::Cancelled;
        if (times[i] && (choice.best < 0 || *times[i] < choice.ns)) {
            choice.best = int(i);
            choice.ns = *times[i];
        }
    }
    return choice;
}

} // namespace pim
