// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Computes chunks of a campaign, says what is there, and reads it all back in order.
#include "core/campaign/campaign.h"
#include "core/campaign/chunk_claims.h"
#include "core/compile/point_record.h"

#include <functional>
#include <span>

namespace pim {

/// Error::Usage where another version of the program planned it: points of two versions cannot be compared.
Result<void> requireOwnVersion(const Campaign& campaign);

/// One a process; graphs and searches that chunks have in common are made once.
class ChunkRunner {
public:
    /// \p campaign: with its model; outlives this, as \p backends does. Errors: those of requireOwnVersion(), Io.
    static Result<ChunkRunner> open(const BackendList& backends, const Campaign& campaign);

    enum class Outcome {
        Computed,
        WasDone,
        Elsewhere ///< Another process computes it.
    };
    /// Computes what no file of the chunk has yet; each point is in a file when the next is begun. \p told: of each; may be null. Errors:
    /// Usage (readChunk()), Io (with what is kept), Cancelled.
    Result<Outcome> run(std::int64_t chunk, const std::function<void(const SweepPoint&)>& told = {},
                        const TaskContext& task = {});

private:
    ChunkRunner(const BackendList& backends, const Campaign& campaign, ChunkClaims claims);
    Result<Outcome> compute(std::int64_t chunk, const std::function<void(const SweepPoint&)>& told,
                            const TaskContext& task);

    const Campaign* m_campaign;
    ChunkClaims m_claims;
    std::unique_ptr<SweepEngine> m_engine;
};

struct CampaignStatus {
    std::vector<std::int64_t> open; ///< Chunks that lack points.
    std::int64_t running = 0;       ///< Of these, claimed by a process.
    std::int64_t points = 0;        ///< That are there.
    std::int64_t failed = 0;        ///< Of these; those that a condition left out are none.
    std::int64_t leftOut = 0;
    std::int64_t files = 0, damagedLines = 0;
    double seconds = 0; ///< Of computing, all points together.
};
/// What is there right now. Errors: those of readChunk().
Result<CampaignStatus> campaignStatus(const Campaign& campaign, const TaskContext& task = {});

/// All points there are, by index, each once, chunk by chunk; memory is that of a few chunks. \p visit is called from this thread, while
/// others read ahead; an error of it ends the reading. Errors: those of readChunk() and \p visit, Cancelled.
Result<CampaignStatus> readCampaignPoints(const Campaign& campaign,
                                          const std::function<Result<void>(std::span<PointRecord>)>& visit,
                                          const TaskContext& task = {});

} // namespace pim
