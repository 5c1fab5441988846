// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps that many processes compute: plan, run, status, merge.
#include "app/pimc/verbs/campaign.h"

#include "app/pimc/verbs/sweep_arguments.h"
#include "core/base/number_text.h"
#include "core/campaign/chunk_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace pim::cli {
namespace {

using Json = nlohmann::ordered_json;

Result<void> plan(Session& session, const CampaignArguments& options) {
    PIM_TRY(const SweepSetup setup, sweepSetupOf(session, *options.sweep));
    PIM_TRY(const Campaign campaign, planCampaign(setup, options.folder, options.chunkPoints));
    if (session.json)
        return session.print(Json{{"folder", campaign.folder.string()},
                                  {"campaign", campaign.id},
                                  {"model", campaign.modelName},
                                  {"points", campaign.points()},
                                  {"chunks", campaign.chunks()},
                                  {"points_of_a_chunk", campaign.chunkPoints}}
                                 .dump(2) +
                             "\n");
    return session.print(fmt::format("{} points of {} in {} chunks of {}: {}\n", campaign.points(),
                                     campaign.modelName, campaign.chunks(), campaign.chunkPoints,
                                     campaign.folder.string()));
}

/// How often to look whether a chunk that another process had is free.
constexpr std::chrono::milliseconds kPause{200};

struct RunCounts {
    std::int64_t computed = 0, complete = 0, elsewhere = 0, points = 0;
};

/// Once through the chunks. \return those that other processes have.
Result<std::vector<std::int64_t>> runOnce(ChunkRunner& runner, const Campaign& campaign,
                                          const std::vector<std::int64_t>& chunks, RunCounts& counts,
                                          PointWatch& watch, const TaskContext& task) {
    std::vector<std::int64_t> elsewhere;
    for (const std::int64_t chunk : chunks) {
        PIM_TRY(const auto outcome, runner.run(chunk,
                                               [&](const SweepPoint& point) {
                                                   ++counts.points;
                                                   watch.see(point);
                                               },
                                               {task.stop, {}}));
        counts.computed += outcome == ChunkRunner::Outcome::Computed ? 1 : 0;
        counts.complete += outcome == ChunkRunner::Outcome::WasDone ? 1 : 0;
        if (outcome == ChunkRunner::Outcome::Elsewhere)
            elsewhere.push_back(chunk);
        task.report("computing chunks", counts.computed + counts.complete, campaign.chunks());
    }
    return elsewhere;
}

Result<void> run(Session& session, const CampaignArguments& options) {
    PIM_TRY(Campaign campaign, readCampaign(options.folder));
    std::vector<std::int64_t> chunks;
    if (!options.chunks.empty()) {
        PIM_TRY(chunks, parseChunks(options.chunks, campaign.chunks()));
    } else {
        PIM_TRY(chunks, chunksOfShard(options.shard.empty() ? "1/1" : options.shard, campaign.chunks()));
    }
    PIM_CHECK(loadCampaignModels(campaign, session.task()));
    PIM_TRY(ChunkRunner runner, ChunkRunner::open(session.backends(), campaign));
    RunCounts counts;
    PointWatch watch;
    const TaskContext task = watch.task(session.task());
    const auto computeAll = [&]() -> Result<void> {
        PIM_TRY(auto elsewhere, runOnce(runner, campaign, chunks, counts, watch, task));
        // Who has all chunks to do stays until they are done: another process may die with one.
        while (options.chunks.empty() && options.shard.empty() && !elsewhere.empty()) {
            if (task.cancelled())
                return TaskContext::cancelledError("the sweep");
            std::this_thread::sleep_for(kPause);
            PIM_TRY(elsewhere, runOnce(runner, campaign, elsewhere, counts, watch, task));
        }
        counts.elsewhere = std::ssize(elsewhere);
        return {};
    };
    const Result<void> done = computeAll();
    if (!done && done.error().code == ErrorCode::Cancelled)
        session.say(
            fmt::format("stopped: the {} points computed are kept; the same command goes on", counts.points));
    PIM_CHECK(done);
    watch.sayOutside(session, campaign.setup);
    if (session.json)
        return session.print(Json{{"points_computed", counts.points},
                                  {"chunks_computed", counts.computed},
                                  {"chunks_complete_before", counts.complete},
                                  {"chunks_elsewhere", counts.elsewhere}}
                                 .dump(2) +
                             "\n");
    session.say(fmt::format("{} points computed in {} chunks; {} chunks were complete, {} are computed by "
                            "other processes",
                            counts.points, counts.computed, counts.complete, counts.elsewhere));
    return {};
}

std::string statusText(const Campaign& campaign, const CampaignStatus& status) {
    const std::int64_t points = campaign.points(), missing = points - status.points;
    std::string text = fmt::format("{}: {} points of {} in {} chunks of {}\n", campaign.folder.string(),
                                   points, campaign.modelName, campaign.chunks(), campaign.chunkPoints);
    text += fmt::format("complete  {} chunks\nrunning   {} chunks\nopen      {} chunks{}\n",
                        campaign.chunks() - std::ssize(status.open), status.running,
                        std::ssize(status.open) - status.running,
                        missing > 0 ? fmt::format(", {} points", missing) : std::string());
    text += fmt::format("there     {} points in {} files: {} failed, {} left out by conditions\n",
                        status.points, status.files, status.failed, status.leftOut);
    if (status.points > 0)
        text += fmt::format("computed  {} of one core, {} a point{}\n", timeText(status.seconds * 1e9),
                            timeText(status.seconds * 1e9 / static_cast<double>(status.points)),
                            missing > 0
                                ? fmt::format("; about {} are left",
                                              timeText(status.seconds * 1e9 * static_cast<double>(missing) /
                                                       static_cast<double>(status.points)))
                                : std::string());
    if (status.damagedLines > 0)
        text += fmt::format("damaged   {} lines were cut or changed and count for nothing\n",
                            status.damagedLines);
    return text;
}

Result<void> printStatus(Session& session, const CampaignArguments& options) {
    PIM_TRY(const Campaign campaign, readCampaign(options.folder));
    PIM_TRY(const CampaignStatus status, campaignStatus(campaign, session.task()));
    if (!session.json)
        return session.print(statusText(campaign, status));
    return session.print(Json{{"folder", campaign.folder.string()},
                              {"campaign", campaign.id},
                              {"model", campaign.modelName},
                              {"points", campaign.points()},
                              {"chunks", campaign.chunks()},
                              {"points_of_a_chunk", campaign.chunkPoints},
                              {"open_chunks", chunksText(status.open)},
                              {"open", std::ssize(status.open)},
                              {"running", status.running},
                              {"there", status.points},
                              {"failed", status.failed},
                              {"left_out", status.leftOut},
                              {"files", status.files},
                              {"damaged_lines", status.damagedLines},
                              {"core_seconds", status.seconds}}
                             .dump(2) +
                         "\n");
}

Result<void> mergeVerb(Session& session, const CampaignArguments& options) {
    PIM_TRY(Campaign campaign, readCampaign(options.folder));
    if (!options.sweep->project.empty()) {
        PIM_TRY(const std::int64_t id, mergeCampaign(session, options, campaign));
        if (!session.json && !options.sweep->csv)
            return {};
        PIM_TRY(const auto project, Project::open(options.sweep->project, Project::Mode::ReadOnly));
        return printStoredSweep(session, *options.sweep, *project, id);
    }
    std::vector<SweepPoint> points;
    PIM_TRY(const CampaignStatus status, readCampaignPoints(
                                             campaign,
                                             [&](std::span<PointRecord> chunk) -> Result<void> {
                                                 for (const PointRecord& record : chunk) {
                                                     SweepPoint& point = points.emplace_back();
                                                     (void)readRecord(record, point); // its line was read
                                                     point.values =
                                                         sweepValues(campaign.setup.axes, point.index);
                                                 }
                                                 return {};
                                             },
                                             session.task()));
    sayWhatIsMissing(session, campaign, status);
    return printSweep(session, *options.sweep, campaign.setup.axes, points);
}

} // namespace

void sayWhatIsMissing(Session& session, const Campaign& campaign, const CampaignStatus& status) {
    if (status.damagedLines > 0)
        session.say(
            fmt::format("note: {} lines were cut or changed and count for nothing", status.damagedLines));
    if (!status.open.empty())
        session.say(fmt::format("note: {} of {} points are missing, in {} chunks; pimc sweep run {} computes "
                                "them",
                                campaign.points() - status.points, campaign.points(), status.open.size(),
                                campaign.folder.string()));
}

Result<std::int64_t> mergeCampaign(Session& session, const CampaignArguments& options, Campaign& campaign) {
    PIM_CHECK(loadCampaignModels(campaign, session.task()));
    PIM_TRY(const auto project, Project::open(options.sweep->project));
    session.say(project->problems());
    PIM_TRY(const std::int64_t id, project->findOrAddSweep(campaign.setup, options.sweep->name));
    CampaignStatus status;
    PIM_CHECK(project->addSweepPoints(id, [&](const auto& add) -> Result<void> {
        PIM_TRY(status, readCampaignPoints(campaign, add, session.task()));
        return {};
    }));
    sayWhatIsMissing(session, campaign, status);
    session.say(fmt::format("{} points are in {}", status.points, options.sweep->project));
    return id;
}

std::function<std::optional<Result<void>>(Session&)>
declareCampaign(CLI::App& sweep, const std::shared_ptr<SweepArguments>& shared) {
    auto options = std::make_shared<CampaignArguments>();
    options->sweep = shared;
    const auto verb = [&](const char* name, const char* summary) {
        CLI::App* const below = sweep.add_subcommand(name, summary)->group("Subcommands");
        below->fallthrough();
        return below;
    };
    const auto folderOf = [&](CLI::App* below) {
        below->add_option("FOLDER", options->folder, "Of the campaign, as pimc sweep plan made it")
            ->required();
    };
    CLI::App* const planned = verb("plan", "Write what a sweep computes into a folder, for many processes");
    planned->add_option("--to", options->folder, "Folder; made if there is none")
        ->type_name("FOLDER")
        ->required();
    planned
        ->add_option("--chunk", options->chunkPoints,
                     "Points that a process takes at once; 0: a thousandth of them all")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}));
    CLI::App* const ran = verb("run", "Compute what no other process computes; any number may run at once");
    folderOf(ran);
    auto* const chunks = ran->add_option("--chunks", options->chunks, "These only: 0-3,9")->type_name("LIST");
    ran->add_option("--shard", options->shard, "Every N-th chunk, from the K-th on")
        ->type_name("K/N")
        ->excludes(chunks);
    CLI::App* const asked = verb("status", "Say what is there, what runs and what is missing");
    folderOf(asked);
    CLI::App* const merged = verb("merge", "Print all points, or keep them in a project (--project)");
    folderOf(merged);
    CLI::App* const submitted =
        verb("submit", "Have what is missing computed by Slurm, MPI, GNU parallel, or here");
    folderOf(submitted);
    declareSubmit(*submitted, *options);
    sweep.require_subcommand(0, 1);
    using Do = Result<void> (*)(Session&, const CampaignArguments&);
    const std::vector<std::pair<CLI::App*, Do>> verbs{
        {planned, plan}, {ran, run}, {asked, printStatus}, {merged, mergeVerb}, {submitted, submitCampaign}};
    return [verbs, options](Session& session) -> std::optional<Result<void>> {
        for (const auto& [below, action] : verbs)
            if (below->parsed())
                return action(session, *options);
        return std::nullopt;
    };
}

} // namespace pim::cli
