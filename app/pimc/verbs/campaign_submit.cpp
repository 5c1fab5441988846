// SPDX-License-Identifier: GPL-3.0-or-later
// Hands what is missing of a campaign to an engine that runs many processes.
#include "app/pimc/verbs/campaign.h"
#include "app/pimc/verbs/sweep_arguments.h"
#include "core/base/background.h"
#include "core/base/child_process.h"
#include "core/base/file_io.h"
#include "core/base/jobs.h"
#include "core/base/number_text.h"
#include "core/campaign/scheduler_scripts.h"
#include "core/compile/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace pim::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kDays = 365 * 86400.0;    ///< No limit: engines have their own.
constexpr std::chrono::seconds kProbe{20}; ///< Of computing, where nobody knows how long a point takes.
constexpr std::int64_t kUsualMaxArraySize = 1001; ///< slurm.conf(5), 22.05.

fs::path ownProgram() {
    std::error_code unknown;
    const fs::path self = fs::read_symlink("/proc/self/exe", unknown);
    return unknown ? fs::path("pimc") : self;
}

/// One round: what is missing, as an engine takes it.
struct Round {
    CampaignJob job;
    fs::path folder; ///< Of scripts and logs.
    double secondsPerChunk = 0;
};

/// Computes chunks for a while; what that finds is kept as any other point.
Result<double> probe(Session& session, const CampaignArguments& options, Campaign& campaign,
                     const std::vector<std::int64_t>& open) {
    session.say(fmt::format("computing points for up to {} s, to see how long one takes", kProbe.count()));
    campaign.setup.request.options.threads = options.cores;
    PIM_CHECK(loadCampaignModels(campaign, session.task()));
    PIM_TRY(ChunkRunner runner, ChunkRunner::open(session.backends(), campaign));
    double seconds = 0;
    std::int64_t points = 0;
    std::stop_source stop;
    const std::stop_callback cancelled(session.task().stop, [&] { stop.request_stop(); });
    const auto end = std::chrono::steady_clock::now() + kProbe;
    const auto seen = [&](const SweepPoint& point) {
        seconds += point.compileMs / 1e3;
        ++points;
        if (std::chrono::steady_clock::now() > end)
            stop.request_stop();
    };
    // From the middle: the first points are often the smallest machines.
    const Result<ChunkRunner::Outcome> done = runner.run(open[open.size() / 2], seen, {stop.get_token(), {}});
    if (!done && (done.error().code != ErrorCode::Cancelled || session.task().cancelled()))
        return tl::unexpected<Error>(done.error());
    return points == 0 ? 0
                       : seconds / static_cast<double>(points) * static_cast<double>(campaign.chunkPoints) /
                             options.cores;
}

Result<Round> prepareRound(Session& session, const CampaignArguments& options, Campaign& campaign,
                           const CampaignStatus& status, int number, bool groups) {
    Round round;
    round.folder = fs::absolute(campaign.folder) / "jobs";
    std::error_code error;
    fs::create_directories(round.folder, error);
    if (error)
        return fail(ErrorCode::Io, fmt::format("cannot be made: {}", error.message()), round.folder.string());
    if (status.points > 0)
        round.secondsPerChunk = status.seconds / static_cast<double>(status.points) *
                                static_cast<double>(campaign.chunkPoints) / options.cores;
    else if (groups && !options.dryRun) {
        PIM_TRY(round.secondsPerChunk, probe(session, options, campaign, status.open));
    }
    constexpr double kMinute = 60;
    const std::int64_t perTask = groups ? chunksPerTask(round.secondsPerChunk, options.minutes * kMinute) : 1;
    const std::vector<std::string> tasks = chunksOfTasks(status.open, perTask);
    round.job = {ownProgram(), fs::absolute(campaign.folder),
                 round.folder / fmt::format("tasks-{}.txt", number), std::ssize(tasks), options.cores};
    PIM_CHECK(replaceFile(round.job.tasks, fmt::format("{}\n", fmt::join(tasks, "\n"))));
    return round;
}

/// Error::Unsupported, with what it said, where it failed.
Result<std::string> ran(Session& session, const std::string& program,
                        const std::vector<std::string>& arguments, const fs::path& folder) {
    PIM_TRY(const ChildExit exit, runChild({program, arguments, folder, {}, kDays}, session.task()));
    if (!exit.good())
        return fail(ErrorCode::Unsupported,
                    fmt::format("ended with code {}: {}", exit.code,
                                exit.err.substr(0, exit.err.find_last_not_of('\n') + 1)),
                    program);
    return exit.out;
}

std::string firstLineOf(const std::string& text) {
    return text.substr(0, text.find_first_of(";\n"));
}

/// sbatch, or what would be called.
Result<std::string> sbatch(Session& session, const CampaignArguments& options, const Round& round,
                           std::vector<std::string> arguments, const fs::path& script) {
    arguments.insert(arguments.begin(), "--parsable");
    arguments.insert(arguments.end(), options.sbatch.begin(), options.sbatch.end());
    arguments.push_back(script.string());
    if (options.dryRun) {
        std::string line = "sbatch";
        for (const std::string& argument : arguments)
            line += " " + shellWord(argument);
        if (!session.json) // which tells the jobs
            PIM_CHECK(session.print(line + "\n"));
        return std::string("JOB");
    }
    PIM_TRY(const std::string out, ran(session, "sbatch", arguments, round.folder));
    return firstLineOf(out);
}

/// What the follow-up job gives to pimc: this command again, a round later.
std::vector<std::string> nextRound(const CampaignArguments& options, const Campaign& campaign) {
    std::vector<std::string> words{"sweep",
                                   "submit",
                                   fs::absolute(campaign.folder).string(),
                                   "--with",
                                   "slurm",
                                   "--cores",
                                   std::to_string(options.cores),
                                   "--minutes",
                                   fmt::format("{}", options.minutes),
                                   "--rounds",
                                   std::to_string(options.rounds),
                                   "--round",
                                   std::to_string(options.round + 1),
                                   "--at-once",
                                   std::to_string(options.atOnce)};
    for (const std::string& option : options.sbatch)
        words.push_back("--sbatch=" + option);
    if (!options.sweep->project.empty())
        words.insert(words.end(), {"--project", fs::absolute(options.sweep->project).string()});
    if (!options.sweep->name.empty())
        words.insert(words.end(), {"--name", options.sweep->name});
    return words;
}

Result<void> submitToSlurm(Session& session, const CampaignArguments& options, Campaign& campaign,
                           const CampaignStatus& status) {
    PIM_TRY(const Round round, prepareRound(session, options, campaign, status, options.round, true));
    std::int64_t most = kUsualMaxArraySize;
    if (!options.dryRun) {
        PIM_TRY(const std::string configuration, ran(session, "scontrol", {"show", "config"}, round.folder));
        most = maxArraySize(configuration).value_or(most);
    }
    const fs::path script = round.folder / fmt::format("array-{}.sh", options.round),
                   after = round.folder / fmt::format("follow-{}.sh", options.round);
    PIM_CHECK(replaceFile(script, slurmScript(round.job)));
    PIM_CHECK(replaceFile(after, slurmFollowUp(round.job, nextRound(options, campaign))));
    std::vector<std::string> jobs;
    for (const SlurmArray& array : slurmArrays(round.job.taskCount, most)) {
        PIM_TRY(const std::string job,
                sbatch(session, options, round,
                       {fmt::format("--array=0-{}{}", array.count - 1,
                                    options.atOnce > 0 ? fmt::format("%{}", options.atOnce) : std::string()),
                        "--job-name=pim-" + campaign.modelName,
                        fmt::format("--output={}/%A_%a.log", round.folder.string()),
                        fmt::format("--export=ALL,PIM_FIRST_TASK={}", array.first)},
                       script));
        jobs.push_back(job);
    }
    PIM_TRY(const std::string follow,
            sbatch(session, options, round,
                   {fmt::format("--dependency=afterany:{}", fmt::join(jobs, ":")),
                    "--job-name=pim-" + campaign.modelName + "-follow",
                    fmt::format("--output={}/%j-follow.log", round.folder.string())},
                   after));
    if (session.json)
        return session.print(Json{{"jobs", jobs},
                                  {"follow_up", follow},
                                  {"tasks", round.job.taskCount},
                                  {"open_chunks", std::ssize(status.open)},
                                  {"max_array_size", most}}
                                 .dump(2) +
                             "\n");
    session.say(fmt::format(
        "{} chunks in {} tasks of {}{}; when they have ended, job {} {}", status.open.size(),
        round.job.taskCount, jobs.size() == 1 ? "job " : fmt::format("{} jobs, ", jobs.size()),
        fmt::join(jobs, " "), follow,
        options.sweep->project.empty() ? "submits what is missing" : "submits what is missing, or merges"));
    return {};
}

Result<void> runHere(Session& session, const CampaignArguments& options, const Round& round, int processes) {
    const std::vector<std::string> words{"sweep",   "run",    round.job.folder.string(),
                                         "--quiet", "--jobs", std::to_string(options.cores)};
    std::mutex mutex;
    Result<void> first;
    Background waiting(processes); // for processes: they do the work
    for (int p = 0; p < processes; ++p)
        waiting.start([&, p] {
            const fs::path folder = round.folder / fmt::format("worker-{}", p);
            std::error_code error;
            fs::create_directories(folder, error);
            const Result<std::string> done = ran(session, ownProgram().string(), words, folder);
            const std::lock_guard lock(mutex);
            if (!done && first)
                first = tl::unexpected<Error>(done.error());
        });
    waiting.wait();
    return first;
}

Result<void> runRound(Session& session, const CampaignArguments& options, Campaign& campaign,
                      const CampaignStatus& status, int number) {
    PIM_TRY(const Round round, prepareRound(session, options, campaign, status, number, false));
    const int processes = options.processes > 0 ? options.processes : std::max(1, jobs() / options.cores);
    if (options.with == "local") {
        if (options.dryRun)
            return session.print(fmt::format("{} times: {} sweep run {} --jobs {}\n", processes,
                                             shellWord(round.job.program.string()),
                                             shellWord(round.job.folder.string()), options.cores));
        return runHere(session, options, round, processes);
    }
    const fs::path script = round.folder / fmt::format("{}-{}.sh", options.with, number);
    PIM_CHECK(replaceFile(script, options.with == "mpi"
                                      ? mpiScript(ownProgram().parent_path() / "pimc-mpi", round.job.folder,
                                                  processes, options.cores, options.oversubscribe)
                                      : parallelScript(round.job, processes)));
    if (options.dryRun)
        return session.print(fmt::format("bash {}\n", shellWord(script.string())));
    PIM_CHECK(ran(session, "bash", {script.string()}, round.folder));
    return {};
}

} // namespace

Result<void> submitCampaign(Session& session, const CampaignArguments& options) {
    PIM_TRY(Campaign campaign, readCampaign(options.folder));
    PIM_TRY(CampaignStatus status, campaignStatus(campaign, session.task()));
    if (!status.open.empty()) // else each of the jobs would say so, round after round
        PIM_CHECK(requireOwnVersion(campaign));
    std::string lastFailure;
    for (int round = options.round; !status.open.empty(); ++round) {
        if (round > options.rounds)
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} chunks are still missing after {} rounds: {}{}", status.open.size(),
                                    options.rounds, chunksText(status.open), lastFailure),
                        campaign.folder.string(),
                        "see the logs in its folder \"jobs\"; the same command tries again");
        if (options.with == "slurm")
            return submitToSlurm(session, options, campaign, status);
        const Result<void> ended = runRound(session, options, campaign, status, round);
        if (options.dryRun || (!ended && session.task().cancelled()) ||
            (!ended && ended.error().code == ErrorCode::NotFound))
            return ended;
        lastFailure = ended ? std::string() : "; " + ended.error().text();
        PIM_TRY(status, campaignStatus(campaign, session.task()));
    }
    if (options.sweep->project.empty()) {
        session.say(fmt::format("all {} points are there", campaign.points()));
        return {};
    }
    PIM_CHECK(mergeCampaign(session, options, campaign));
    return {};
}

void declareSubmit(CLI::App& submit, CampaignArguments& options) {
    submit.add_option("--with", options.with, "Who runs the processes")
        ->type_name("ENGINE")
        ->required()
        ->check(CLI::IsMember({"slurm", "mpi", "parallel", "local"}));
    constexpr int kMostProcesses = 1'000'000;
    submit
        .add_option("--processes", options.processes,
                    "Processes side by side, but for Slurm; 0: as many as the machine has cores for")
        ->type_name("N")
        ->check(CLI::Range(0, kMostProcesses));
    submit.add_option("--cores", options.cores, "Threads of a process")
        ->type_name("N")
        ->check(CLI::Range(1, kMostJobs))
        ->capture_default_str();
    submit.add_option("--minutes", options.minutes, "Slurm: what a task takes at least")
        ->type_name("MINUTES")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    submit
        .add_option("--sbatch", options.sbatch,
                    "Slurm: an option for sbatch, such as --sbatch=--partition=long; may be repeated")
        ->type_name("OPTION");
    submit
        .add_option("--at-once", options.atOnce, "Slurm: tasks of an array that run at once; 0: all that fit")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    submit.add_flag("--oversubscribe", options.oversubscribe, "MPI: more processes than cores are meant");
    submit.add_option("--rounds", options.rounds, "How often what is missing is submitted again")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    submit.add_option("--round", options.round, "")->group(""); // of follow-up jobs
    submit.add_flag("--dry-run", options.dryRun, "Write the scripts and say what would be called");
}

} // namespace pim::cli
