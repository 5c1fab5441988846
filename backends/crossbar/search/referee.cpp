// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/referee.h"

#include "backends/crossbar/program_time.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/search/strategies.h"
#include "core/base/parallel.h"

namespace pim {

CrossbarMapping placedMapping(const CrossbarLayout& layout, const MappingOptions& options) {
    return layout.mapping(options.mode, options.strategy, busiestFirst(layout, options.mode));
}

Result<TimedProgram> timeProgram(const CrossbarLayoutModel& model, const CrossbarMapping& mapping,
                                 const MappingOptions& options, const TaskContext& task, double mostTwice) {
    const TaskContext quiet{.stop = task.stop, .onProgress = {}}; // several run at once
    // The choice of kAutomaticStages makes dozens of programs, so its layouts compete with a layer a stage.
    const int layersAStage = options.layersAStage == kAutomaticStages ? 1 : options.layersAStage;
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(*model.network, *model.chip, mapping,
                             {.mostTwice = mostTwice, .rules = options.referee, .layersAStage = layersAStage},
                             quiet));
    TimedProgram made;
    made.stages = {.layersAStage = schedule.layersAStage,
                   .waiting = schedule.waiting,
                   .roundNs = mapping.stages.roundNs};
    made.mostTwice = schedule.mostTwice;
    made.instructions = schedule.program.size();
    const auto ns = programNs(schedule.program, *model.chip, options.mode, options.referee,
                              hostMapsOf(*model.network, schedule, options.mode), quiet);
    if (!ns)
        return tl::unexpected(explained(schedule, *model.network, *model.chip, ns.error()));
    made.ns = *ns;
    return made;
}

Result<TimedProgram> timeProgram(const CrossbarLayout& layout, const MappingOptions& options,
                                 const TaskContext& task) {
    return timeProgram(layout.model(), placedMapping(layout, options), options, task);
}

RefereeChoice chooseByProgram(const std::vector<const CrossbarLayout*>& layouts,
                              const MappingOptions& options, const TaskContext& task,
                              const TaskContext* first) {
    std::vector<Result<TimedProgram>> times(layouts.size(), TaskContext::cancelledError("the search"));
    parallelFor(layouts.size(), options.threads, [&](std::size_t i) {
        const TaskContext& own = i == 0 && first ? *first : task;
        if (!own.cancelled())
            times[i] = timeProgram(*layouts[i], options, own);
    });
    RefereeChoice choice;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        if (times[i] && (choice.best < 0 || times[i]->ns < choice.ns))
            choice = {int(i), times[i]->ns, times[i]->instructions};
    }
    return choice;
}

} // namespace pim
