// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/plan/planner.h"

#include "backends/crossbar/plan/adapt.h"
#include "backends/crossbar/plan/shared_steps.h"
#include "core/base/memory_size.h"
#include "core/base/number_text.h"
#include "core/base/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

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

/// A program of a huge map is no use to anybody who has to wait until memory is full.
Result<void> checkSize(const CrossbarNetwork& network, const CrossbarChip& chip) {
    // [measured, programs of 8 to 34 million instructions: 4 to 6 an array group and window; 40 to 60 bytes an
    // instruction, and about 64 a row of a share, with all that is kept beside them]
    constexpr double kInstructionsAProduct = 4, kBytesAnInstruction = 50, kBytesARow = 64;
    int arrayRows = 1;
    for (const CoreId core : FirstIds<CoreId>(chip.cores()))
        for (const CrossbarGroup& group : chip.arraysOf(core))
            arrayRows = std::max(arrayRows, group.rows);
    double instructions = 0, rows = 0;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const CrossbarLayer& layer = network.layers[i];
        rows += double(layer.out.height) * double(std::min<std::int64_t>(chip.cores(), layer.out.pixels()));
        if (const MatrixWork* work = layer.matrix())
            instructions +=
                kInstructionsAProduct * double(network.windows(LayerId(std::int64_t(i)))) *
                double((work->inOfGroup() * work->window.kernelX * work->window.kernelY + arrayRows - 1) /
                       arrayRows);
    }
    const double needed = instructions * kBytesAnInstruction + rows * kBytesARow, there = memoryBytes();
    if (needed <= there)
        return {};
    return fail(
        ErrorCode::Unsupported,
        fmt::format("its program would have about {} instructions in {} cores and take about {} of memory, "
                    "there are {}",
                    exactText(std::int64_t(instructions)), chip.cores(), bytesText(needed), bytesText(there)),
        network.name,
        "bind its dimensions to smaller values, cut its input into parts, or use a machine of fewer cores");
}

/// Searched, or made of the mapping that \p request begins with. \p plan: as far as it is known.
Result<CrossbarMapping> mappingFor(const CrossbarPlanRequest& request, const CrossbarPlan& plan,
                                   const TaskContext& task) {
    const CrossbarOptions& options = request.options;
    if (request.base) {
        if (request.wishes.empty())
            return request.base->mapping; // for another schedule
        const CrossbarMapping& before = request.base->mapping;
        PIM_TRY(CrossbarMapping adapted,
                adaptMapping(*request.network, request.chip, before, request.wishes));
        adapted.history = before.history;
        adapted.tradeOffs = before.tradeOffs;
        return adapted;
    }
    if (const CrossbarPlan* const other = request.neighbour;
        other && request.wishes.empty() && shareMapping(*other, plan))
        return other->mapping;
    MappingOptions asked;
    asked.mode = options.mode;
    asked.strategy = options.strategy;
    asked.wishes = request.wishes;
    asked.seed = request.seed;
    asked.evaluations = options.evaluations;
    asked.seconds = options.seconds;
    asked.threads = request.threads;
    asked.referee = options.referee;
    asked.layersAStage = options.layersAStage;
    asked.population = options.population;
    asked.iterations = options.iterations;
    return mapNetwork(*request.network, request.chip, asked, task);
}

/// Makes mapping and schedule of \p plan.
Result<void> mapAndSchedule(CrossbarPlan& plan, const CrossbarPlanRequest& request, const TaskContext& task) {
    const CrossbarOptions& options = request.options;
    Stopwatch watch;
    task.report("placing weights");
    PIM_TRY(plan.mapping, mappingFor(request, plan, task));
    if (options.tilesFromRows != kMappedTiles)
        plan.mapping.tiles.fromRows = options.tilesFromRows;
    plan.mapMs = watch.lap();
    task.report("writing the program");
    if (const CrossbarPlan* const neighbour = request.neighbour;
        neighbour && shareProgram(*neighbour, plan)) {
        plan.schedule = neighbour->schedule;
    } else {
        PIM_TRY(CrossbarSchedule schedule,
                scheduleCrossbar(*request.network, request.chip, plan.mapping,
                                 {.rules = options.referee, .layersAStage = options.layersAStage}, task));
        plan.schedule = std::make_shared<const CrossbarSchedule>(std::move(schedule));
    }
    plan.scheduleMs = watch.lap();
    return {};
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

Result<std::shared_ptr<const CrossbarPlan>> planCrossbar(const CrossbarPlanRequest& request,
                                                         const TaskContext& task) {
    const CrossbarNetwork& network = *request.network;
    const CrossbarOptions& options = request.options;
    auto plan = std::make_shared<CrossbarPlan>();
    plan->chip = request.chip;
    plan->options = options;
    plan->seed = request.seed;
    plan->network = request.network;
    PIM_CHECK(checkSize(network, request.chip));
    if (auto made = mapAndSchedule(*plan, request, task); !made) {
        // A network too large to be searched: any layout that has a program rather than none.
        if (made.error().code != ErrorCode::InvalidTarget || request.base || options.strategy != "search" ||
            plan->mapping.strategy != "constructive")
            return tl::unexpected(std::move(made).error());
        CrossbarOptions searched = options;
        searched.evaluations = 1;
        PIM_CHECK(mapAndSchedule(*plan,
                                 {.network = request.network,
                                  .chip = request.chip,
                                  .options = searched,
                                  .wishes = request.wishes,
                                  .seed = request.seed,
                                  .threads = request.threads},
                                 task));
    }
    Stopwatch watch;
    const CrossbarPlan* const neighbour = request.neighbour;
    task.report("timing the program");
    if (neighbour && shareProfile(*neighbour, *plan)) {
        plan->profile = neighbour->profile;
    } else {
        ProfileOptions asked = profileOptions(*plan);
        asked.isChecked = neighbour && plan->schedule == neighbour->schedule; // when it was timed there
        auto profile = profileCrossbar(plan->schedule->program, plan->chip, asked, task);
        if (!profile)
            return tl::unexpected(
                explained(*plan->schedule, network, plan->chip, std::move(profile).error()));
        plan->profile = std::make_shared<const CrossbarProfile>(std::move(*profile));
    }
    plan->profileMs = watch.lap();
    return std::shared_ptr<const CrossbarPlan>(std::move(plan));
}

} // namespace pim
