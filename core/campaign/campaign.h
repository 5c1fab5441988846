// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A sweep as a file: models, machines, axes, options, decisions and sizes, so that a process on any machine computes the same points. They are
/// cut into chunks of consecutive indices, the unit that processes take.
#include "core/compile/sweep.h"

#include <filesystem>
#include <string>
#include <utility>

namespace pim {

struct Campaign {
    std::filesystem::path folder;
    std::string id;                  ///< SHA-256 of the plan: points say which campaign they are of.
    std::string code;                ///< codeVersion() of the program that planned.
    std::string modelName;           ///< networksText()
    std::filesystem::path modelPath; ///< Of the first.
    std::string modelHash;
    SweepSetup setup; ///< Its models and bases only after loadCampaignModels().
    std::int64_t chunkPoints = 1;

    std::int64_t points() const { return sweepSize(setup.axes); }
    std::int64_t chunks() const { return (points() + chunkPoints - 1) / chunkPoints; }
    /// First index, and the one behind the last.
    std::pair<std::int64_t, std::int64_t> indicesOf(std::int64_t chunk) const;
    std::filesystem::path folderOf(std::int64_t chunk) const; ///< Where the files of a chunk are.
};

constexpr std::int64_t kMostChunks = 100'000; ///< Each is a folder.

/// Writes FOLDER/campaign.json, and the predictors that rank drafts beside it; the folder is made. The same plan may be there already. \p setup:
/// prepared, of a model that is a file.
/// \param chunkPoints 0: a thousandth of the points, so that a chunk is small beside the whole and the files are few. Errors: Usage (another
/// campaign is there, too many chunks), Io.
Result<Campaign> planCampaign(const SweepSetup& setup, const std::filesystem::path& folder,
                              std::int64_t chunkPoints = 0);
/// Reads it back, with its predictors, without the models. Errors: NotFound, InvalidFile, Io.
Result<Campaign> readCampaign(const std::filesystem::path& folder);
/// Reads the models: from then on points can be computed. Errors: those of importModel(), InvalidModel if one is another now, Cancelled.
Result<void> loadCampaignModels(Campaign& campaign, const TaskContext& task = {});

/// "0-3,9": chunks by number, ascending, each once. Error::Usage, with the numbers allowed.
Result<std::vector<std::int64_t>> parseChunks(std::string_view text, std::int64_t count);
/// "3/8": every eighth chunk, from the third on. Error::Usage.
Result<std::vector<std::int64_t>> chunksOfShard(std::string_view text, std::int64_t count);
std::string chunksText(const std::vector<std::int64_t>& chunks); ///< What parseChunks() reads.

} // namespace pim
