// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Scripts with which the engines that people have run a campaign: Slurm (job arrays, 22.05), GNU parallel (20220922), Open MPI (4.1). Text alone:
/// nothing is written or started here. All names of files are quoted for a POSIX shell.
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// What a job of an array, or of a list, computes: chunks as parseChunks() reads them, one line each.
std::vector<std::string> chunksOfTasks(const std::vector<std::int64_t>& chunks, std::int64_t chunksPerTask);
/// Chunks that take a task at least \p seconds where one chunk takes \p secondsPerChunk; 1 if that is not known (0).
std::int64_t chunksPerTask(double secondsPerChunk, double seconds);

struct CampaignJob {
    std::filesystem::path program; ///< pimc
    std::filesystem::path folder;  ///< Of the campaign.
    std::filesystem::path tasks;   ///< File with a line a task.
    std::int64_t taskCount = 0;
    int cores = 1; ///< Threads a task has.
};

/// "MaxArraySize = 1001" of `scontrol show config`: an index is less than that. Nothing where it does not say.
std::optional<std::int64_t> maxArraySize(std::string_view configuration);

/// One submission: an array of tasks whose first is line \ref first of the file, counted from 0.
struct SlurmArray {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
/// As few arrays as hold all tasks.
std::vector<SlurmArray> slurmArrays(std::int64_t tasks, std::int64_t maxArraySize);

/// The script of all arrays. The program takes the place of the shell, so that the signal Slurm sends a minute before the time is up reaches it;
/// PIM_FIRST_TASK is SlurmArray::first.
std::string slurmScript(const CampaignJob& job);
/// Runs when all tasks have ended, however: what \p words (after "pimc") do about what is missing.
std::string slurmFollowUp(const CampaignJob& job, const std::vector<std::string>& words);
/// \param processes that work side by side.
std::string parallelScript(const CampaignJob& job, int processes);
/// One rank hands out chunks, \p processes compute them. \param program pimc-mpi. \param oversubscribe more ranks than cores are meant.
std::string mpiScript(const std::filesystem::path& program, const std::filesystem::path& folder,
                      int processes, int cores, bool oversubscribe);

} // namespace pim
