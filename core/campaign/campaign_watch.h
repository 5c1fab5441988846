// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Follows a campaign that others compute: each look reads what was added since the last one, and nothing twice. Writes nothing, so the folder may be read-only.
#include "core/campaign/chunk_run.h"
#include "core/campaign/point_file.h"

#include <map>
#include <memory>
#include <optional>

namespace pim {

class CampaignWatch {
public:
    /// Errors: those of readCampaign(), Usage (more points than a sweep may have).
    static Result<CampaignWatch> open(const std::filesystem::path& folder);

    const Campaign& campaign() const { return *m_campaign; } ///< Without its model.
    /// Points that are new, with their values, in the order in which the files have them; those of the first look by chunk. Files are asked for their
    /// size, and only those that have grown are read; chunks that are complete are asked for nothing. A point that two processes computed comes once; whether
    /// both found the same is seen when it is merged. A file that cannot be read, or is of another campaign, is a problem() and hides no other. Error::Cancelled with
    /// what was read kept for the next look.
    Result<std::vector<SweepPoint>> look(const TaskContext& task = {});
    /// As of the last look; lines that are being written are not damaged.
    const CampaignStatus& status() const { return m_status; }
    /// Of the last look, the first: as those of readChunk(); nothing where there was none.
    const std::optional<Error>& problem() const { return m_problem; }
    bool isComplete() const { return m_status.points == m_campaign->points(); }

private:
    struct Chunk {
        std::map<std::filesystem::path, PointFileReader> files;
        std::int64_t missing = 0;
    };
    explicit CampaignWatch(Campaign campaign);
    bool lookAt(std::int64_t number, Chunk& chunk); ///< False: a file has a problem.

    std::unique_ptr<const Campaign> m_campaign; ///< Readers point at it.
    std::map<std::int64_t, Chunk> m_open;       ///< Chunks that lack points, or have a problem.
    std::vector<bool> m_isThere;                ///< By index of the point.
    std::vector<SweepPoint> m_fresh;
    CampaignStatus m_status;
    std::optional<Error> m_problem;
};

} // namespace pim
