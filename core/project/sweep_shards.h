// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps that many processes compute, on one machine or on many with a common folder. Each has every N-th point and appends what is finished to
/// a file of its own; nobody writes into a database, which files over a network would lose. Flow: SweepSetup + SweepShard -> [runShard] ->
/// FOLDER/shard-K-of-N.jsonl -> [readShards] -> Project::addSweepPoints.
///
/// A file has one line of JSON for all that decides the points (code version of the program, model, machines, axes, options, decisions, sizes,
/// passes), then one a point. Each line begins with the first 16 digits of its SHA-256, so that a line that was cut by a kill or a full disk is
/// known, passed over, and computed again. \p setup is a prepared one in all of these.
#include "core/compile/sweep.h"

#include <filesystem>

namespace pim {

/// The points at number - 1, number - 1 + count, …
struct SweepShard {
    std::int64_t number = 1; ///< 1 to count.
    std::int64_t count = 1;
};
/// "3/8". Error::Usage.
Result<SweepShard> parseShard(std::string_view text);

/// Computes what the file of the shard does not have yet. \p folder is made. \p told: of each point once it is written. Errors: Usage (the file
/// is of another sweep, or another process writes it), Io (with what is kept), Cancelled.
Result<void> runShard(const BackendList& backends, const SweepSetup& setup, const SweepShard& shard,
                      const std::filesystem::path& folder,
                      const std::function<void(const SweepPoint&)>& told = {}, const TaskContext& task = {});

struct ShardFiles {
    std::vector<SweepPoint> points; ///< By index, each once.
    std::int64_t files = 0;
    std::int64_t damaged = 0; ///< Lines that were cut or changed.
    double seconds = 0;       ///< Of computing, all points together.
};
/// All that the files of a folder have. Errors: NotFound (no file), Usage (a file of another sweep or another version of the program; a point
/// that two files have with different figures), Io.
Result<ShardFiles> readShards(const SweepSetup& setup, const std::filesystem::path& folder);

} // namespace pim
