// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/referee.h"

#include "core/base/parallel.h"
#include "core/crossbar/profile.h"
#include "core/crossbar/schedule/schedule.h"
#include "core/crossbar/search/strategies.h"

#include <chrono>

namespace pim {

std::optional<double> refereeNs(const CrossbarLayout& layout, const MappingOptions& options,
                                const TaskContext& task) {
    const CrossbarLayoutModel& model = layout.model();
    const CrossbarMapping mapping =
        layout.mapping(options.mode, options.strategy, busiestFirst(layout, options.mode));
    const TaskContext quiet{.stop = task.stop, .onProgress = {}}; // several run at once
    const auto schedule = scheduleCrossbar(*model.network, *model.chip, mapping, {}, quiet);
    if (!schedule)
        return std::nullopt;
    const auto profile =
        profileCrossbar(schedule->program, *model.chip, {.pipelineDepth = schedule->stages()}, quiet);
    if (!profile)
        return std::nullopt;
    return options.mode == CrossbarMode::HighThroughput ? profile->periodNs : profile->latencyNs;
}

RefereeChoice chooseByProgram(const std::vector<const CrossbarLayout*>& layouts, double seconds,
                              const MappingOptions& options, const TaskContext& task) {
    const auto begin = std::chrono::steady_clock::now();
    const auto over = [&] {
        return task.cancelled() ||
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > seconds;
    };
    std::vector<std::optional<double>> times(layouts.size());
    std::vector<char> tried(layouts.size(), 0);
    parallelFor(layouts.size(), std::max(1, options.threads), [&](std::size_t i) {
        if (i > 0 && over())
            return;
        times[i] = refereeNs(*layouts[i], options, task);
        tried[i] = 1;
    });
    RefereeChoice choice;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        choice.tried += tried[i];
        if (times[i] && (choice.best < 0 || *times[i] < choice.ns)) {
            choice.best = int(i);
            choice.ns = *times[i];
        }
    }
    return choice;
}

} // namespace pim
