// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/scheduler_scripts.h"

#include "core/base/parse_number.h"
#include "core/campaign/campaign.h"
#include "core/compile/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

/// Before the time of a task is up; enough for a point that is being computed.
constexpr int kWarningSeconds = 60;

std::string runLine(const CampaignJob& job) {
    return fmt::format("{} sweep run {} --quiet --jobs {} --chunks", shellWord(job.program.string()),
                       shellWord(job.folder.string()), job.cores);
}

} // namespace

std::vector<std::string> chunksOfTasks(const std::vector<std::int64_t>& chunks, std::int64_t perTask) {
    std::vector<std::string> tasks;
    for (auto at = chunks.begin(); at != chunks.end();) {
        const auto end = at + std::min<std::int64_t>(perTask, chunks.end() - at);
        tasks.push_back(chunksText({at, end}));
        at = end;
    }
    return tasks;
}

std::int64_t chunksPerTask(double secondsPerChunk, double seconds) {
    if (secondsPerChunk <= 0)
        return 1;
    return static_cast<std::int64_t>(
        std::clamp(std::ceil(seconds / secondsPerChunk), 1.0, static_cast<double>(kMostChunks)));
}

std::optional<std::int64_t> maxArraySize(std::string_view configuration) {
    constexpr std::string_view kKey = "MaxArraySize";
    std::size_t at = configuration.find(kKey);
    if (at == std::string_view::npos)
        return std::nullopt;
    at = configuration.find_first_not_of(" =", at + kKey.size());
    if (at == std::string_view::npos)
        return std::nullopt;
    return parsePositive<std::int64_t>(configuration.substr(at, configuration.find_first_of(" \n", at) - at));
}

std::vector<SlurmArray> slurmArrays(std::int64_t tasks, std::int64_t maxArraySize) {
    std::vector<SlurmArray> arrays;
    for (std::int64_t first = 0; first < tasks; first += maxArraySize)
        arrays.push_back({first, std::min(maxArraySize, tasks - first)});
    return arrays;
}

std::string slurmScript(const CampaignJob& job) {
    return fmt::format(R"(#!/bin/bash
#SBATCH --signal=B:USR1@{}
#SBATCH --cpus-per-task={}
#SBATCH --open-mode=append
chunks=$(sed -n "$((PIM_FIRST_TASK + SLURM_ARRAY_TASK_ID + 1))p" {})
exec {} "$chunks"
)",
                       kWarningSeconds, job.cores, shellWord(job.tasks.string()), runLine(job));
}

std::string slurmFollowUp(const CampaignJob& job, const std::vector<std::string>& words) {
    std::string line = shellWord(job.program.string());
    for (const std::string& word : words)
        line += " " + shellWord(word);
    return fmt::format("#!/bin/bash\n#SBATCH --open-mode=append\nexec {}\n", line);
}

std::string parallelScript(const CampaignJob& job, int processes) {
    return fmt::format("#!/bin/bash\nexec parallel --will-cite --jobs {} --joblog {} {} :::: {}\n", processes,
                       shellWord((job.folder / "parallel.log").string()), shellWord(runLine(job) + " {}"),
                       shellWord(job.tasks.string()));
}

std::string mpiScript(const std::filesystem::path& program, const std::filesystem::path& folder,
                      int processes, int cores, bool oversubscribe) {
    return fmt::format("#!/bin/bash\nexec mpirun -n {}{} {} {} {}\n", processes + 1,
                       oversubscribe ? " --oversubscribe" : "", shellWord(program.string()),
                       shellWord(folder.string()), cores);
}

} // namespace pim
