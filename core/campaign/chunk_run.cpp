// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/chunk_run.h"

#include "core/base/background.h"
#include "core/base/parallel.h"
#include "core/campaign/point_file.h"
#include "core/plan/code_version.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pim {
namespace {

void count(const ChunkPoints& chunk, CampaignStatus& status) {
    status.points += std::ssize(chunk.points);
    status.files += chunk.files;
    status.damagedLines += chunk.damaged;
    for (const PointRecord& point : chunk.points) {
        status.leftOut += point.isLeftOut() ? 1 : 0;
        status.failed += point.problem.empty() || point.isLeftOut() ? 0 : 1;
        status.seconds += point.compileMs / 1e3;
    }
}

} // namespace

ChunkRunner::ChunkRunner(const BackendList& backends, const Campaign& campaign, ChunkClaims claims)
    : m_campaign(&campaign), m_claims(std::move(claims)),
      m_engine(std::make_unique<SweepEngine>(backends, campaign.setup)) {}

Result<void> requireOwnVersion(const Campaign& campaign) {
    if (campaign.code == codeVersion())
        return {};
    return fail(ErrorCode::Usage, "was planned by another version of the program", campaign.folder.string(),
                "use that version for all of it, or plan again in another folder: points of two versions "
                "cannot be compared");
}

Result<ChunkRunner> ChunkRunner::open(const BackendList& backends, const Campaign& campaign) {
    PIM_ASSERT(campaign.setup.base, "a campaign is computed with its model");
    PIM_CHECK(requireOwnVersion(campaign));
    PIM_TRY(ChunkClaims claims, ChunkClaims::open(campaign.folder));
    return ChunkRunner(backends, campaign, std::move(claims));
}

Result<ChunkRunner::Outcome> ChunkRunner::run(std::int64_t chunk,
                                              const std::function<void(const SweepPoint&)>& told,
                                              const TaskContext& task) {
    if (!m_claims.take(chunk))
        return Outcome::Elsewhere;
    Result<Outcome> outcome = compute(chunk, told, task);
    m_claims.give(chunk);
    return outcome;
}

Result<ChunkRunner::Outcome> ChunkRunner::compute(std::int64_t chunk,
                                                  const std::function<void(const SweepPoint&)>& told,
                                                  const TaskContext& task) {
    PIM_TRY(const ChunkPoints there, readChunk(*m_campaign, chunk));
    std::vector<std::int64_t> missing;
    const auto [first, behind] = m_campaign->indicesOf(chunk);
    auto known = there.points.begin();
    for (std::int64_t index = first; index < behind; ++index) {
        if (known != there.points.end() && known->index == index)
            ++known;
        else
            missing.push_back(index);
    }
    if (missing.empty())
        return Outcome::WasDone;
    PointWriter writer(*m_campaign, chunk);
    PIM_CHECK(m_engine->compute(
        missing,
        [&](const SweepPoint& point) -> Result<void> {
            PIM_CHECK(writer.write(point));
            if (told)
                told(point);
            return {};
        },
        task));
    return Outcome::Computed;
}

Result<CampaignStatus> campaignStatus(const Campaign& campaign, const TaskContext& task) {
    return readCampaignPoints(
        campaign, [](std::span<PointRecord>) { return Result<void>(); }, task);
}

Result<CampaignStatus> readCampaignPoints(const Campaign& campaign,
                                          const std::function<Result<void>(std::span<PointRecord>)>& visit,
                                          const TaskContext& task) {
    CampaignStatus status;
    const std::int64_t chunks = campaign.chunks();
    const auto ahead = static_cast<std::int64_t>(jobs()) * 4;
    using Batch = std::vector<std::optional<Result<ChunkPoints>>>;
    Batch read;
    const auto readFrom = [&](std::int64_t first) {
        read = Batch(static_cast<std::size_t>(std::clamp<std::int64_t>(chunks - first, 0, ahead)));
        parallelFor(read.size(), 0, [&](std::size_t i) {
            read[i] = readChunk(campaign, first + static_cast<std::int64_t>(i));
        });
    };
    Background reading;
    reading.start([&] { readFrom(0); });
    for (std::int64_t first = 0; first < chunks; first += ahead) {
        if (task.cancelled())
            return TaskContext::cancelledError("reading the points");
        reading.wait();
        Batch batch = std::exchange(read, {});
        reading.start([&, next = first + ahead] { readFrom(next); });
        for (std::size_t i = 0; i < batch.size(); ++i) {
            PIM_TRY(ChunkPoints chunk, std::move(*batch[i]));
            count(chunk, status);
            const std::int64_t number = first + static_cast<std::int64_t>(i);
            const auto [index, behind] = campaign.indicesOf(number);
            if (std::ssize(chunk.points) < behind - index)
                status.open.push_back(number);
            PIM_CHECK(visit(chunk.points));
        }
        task.report("reading points", std::min(first + ahead, chunks), chunks);
    }
    if (const Result<ChunkClaims> claims = ChunkClaims::look(campaign.folder))
        status.running =
            std::ranges::count_if(status.open, [&](std::int64_t chunk) { return claims->isTaken(chunk); });
    return status;
}

} // namespace pim
