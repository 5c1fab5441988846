// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/plan/planner.h"

#include "core/base/stopwatch.h"
#include "core/crossbar/plan/adapt.h"

namespace pim {
namespace {

ProfileOptions profileOptions(const CrossbarPlan& plan) {
    ProfileOptions options;
    options.pipelineDepth = plan.schedule->stages();
    options.hostMaps = hostMapsOf(*plan.network, *plan.schedule, plan.mapping.mode);
    for (const LayerMapping& layer : plan.mapping.layers)
        for (int replica = 0; replica < layer.replicas; ++replica)
            for (const ArrayGroupShape& group : layer.partition.groups)
                options.arraysOfGroup.push_back(std::uint32_t(group.crossbars));
    for (const CrossbarLayer& layer : plan.network->layers) {
        options.layerNames.push_back(layer.name);
        options.layerOps.push_back(layer.ops.empty() ? -1 : int(layer.ops.front().index()));
    }
    return options;
}

} // namespace

Result<CrossbarProfile> profilePlan(const CrossbarPlan& plan, bool timeline, const TaskContext& task) {
    ProfileOptions options = profileOptions(plan);
    options.timeline = timeline;
    return profileCrossbar(plan.schedule->program, plan.chip, options, task);
}

Result<MemoryOccupancy> occupancyOfPlan(const CrossbarPlan& plan, int steps, const TaskContext& task) {
    ProfileOptions options = profileOptions(plan);
    options.times = true;
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(plan.schedule->program, plan.chip, options, task));
    return memoryOccupancy(plan.schedule->program, plan.chip, profile, steps, task);
}

Result<std::shared_ptr<const CrossbarPlan>>
planCrossbar(std::shared_ptr<const CrossbarNetwork> network, const CrossbarChip& chip,
             const CrossbarOptions& options, const std::vector<LayerWish>& wishes, const CrossbarPlan* base,
             unsigned seed, int threads, const TaskContext& task) {
    auto plan = std::make_shared<CrossbarPlan>();
    plan->chip = chip;
    plan->options = options;
    plan->network = network;
    Stopwatch watch;
    task.report("placing weights");
    if (base && wishes.empty()) { // another schedule of the same mapping
        plan->mapping = base->mapping;
    } else if (base) {
        PIM_TRY(plan->mapping, adaptMapping(*network, chip, base->mapping, wishes));
        plan->mapping.history = base->mapping.history;
        plan->mapping.tradeOffs = base->mapping.tradeOffs;
    } else {
        MappingOptions asked;
        asked.mode = options.mode;
        asked.strategy = options.strategy;
        asked.wishes = wishes;
        asked.seed = seed;
        asked.seconds = options.seconds;
        asked.threads = threads;
        asked.referee = options.referee;
        asked.layersAStage = options.layersAStage;
        asked.population = options.population;
        asked.iterations = options.iterations;
        PIM_TRY(plan->mapping, mapNetwork(*network, chip, asked, task));
    }
    if (options.tilesFromRows != kMappedTiles)
        plan->mapping.tiles.fromRows = options.tilesFromRows;
    plan->mapMs = watch.lap();
    task.report("writing the program");
    PIM_TRY(CrossbarSchedule schedule,
            scheduleCrossbar(*network, chip, plan->mapping,
                             {.rules = options.referee, .layersAStage = options.layersAStage}, task));
    plan->schedule = std::make_shared<const CrossbarSchedule>(std::move(schedule));
    plan->scheduleMs = watch.lap();
    task.report("timing the program");
    PIM_TRY(CrossbarProfile profile, profilePlan(*plan, false, task));
    plan->profile = std::make_shared<const CrossbarProfile>(std::move(profile));
    plan->profileMs = watch.lap();
    return std::shared_ptr<const CrossbarPlan>(std::move(plan));
}

} // namespace pim
