// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/campaign_watch.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace pim {

CampaignWatch::CampaignWatch(Campaign campaign)
    : m_campaign(std::make_unique<const Campaign>(std::move(campaign))),
      m_isThere(static_cast<std::size_t>(m_campaign->points())) {
    for (std::int64_t chunk = 0; chunk < m_campaign->chunks(); ++chunk) {
        const auto [first, behind] = m_campaign->indicesOf(chunk);
        m_open[chunk].missing = behind - first;
        m_status.open.push_back(chunk);
    }
}

Result<CampaignWatch> CampaignWatch::open(const std::filesystem::path& folder) {
    PIM_TRY(Campaign campaign, readCampaign(folder));
    if (const std::int64_t most = SweepSetup().mostPoints; campaign.points() > most)
        return fail(ErrorCode::Usage,
                    fmt::format("has {} points; at most {} are watched", campaign.points(), most),
                    folder.string(), "ask pimc sweep status how far it is");
    return CampaignWatch(std::move(campaign));
}

bool CampaignWatch::lookAt(std::int64_t number, Chunk& chunk) {
    bool isFine = true;
    for (const std::filesystem::path& file : pointFiles(*m_campaign, number)) {
        const auto [found, isNew] = chunk.files.try_emplace(file, *m_campaign, number, file);
        m_status.files += isNew ? 1 : 0;
        ChunkPoints read;
        if (const Result<void> done = found->second.readOn(read); !done) {
            isFine = false;
            if (!m_problem)
                m_problem = done.error();
        }
        m_status.damagedLines += read.damaged;
        for (const PointRecord& point : read.points) {
            if (m_isThere[static_cast<std::size_t>(point.index)])
                continue;
            m_isThere[static_cast<std::size_t>(point.index)] = true;
            --chunk.missing;
            ++m_status.points;
            m_status.leftOut += point.isLeftOut() ? 1 : 0;
            m_status.failed += point.problem.empty() || point.isLeftOut() ? 0 : 1;
            m_status.seconds += point.compileMs / 1e3;
            SweepPoint& fresh = m_fresh.emplace_back();
            (void)readRecord(point, fresh); // its line was read
            fresh.values = sweepValues(m_campaign->setup.axes, point.index);
        }
    }
    return isFine;
}

Result<std::vector<SweepPoint>> CampaignWatch::look(const TaskContext& task) {
    m_problem.reset();
    // One listing tells which chunks were begun: most of a thousand folders are not there yet.
    std::set<std::int64_t> begun;
    std::error_code error; // no folder, no points
    for (const auto& entry : std::filesystem::directory_iterator(m_campaign->folder / "points", error))
        if (const auto number = parseNumber<std::int64_t>(entry.path().filename().string()))
            begun.insert(*number);
    for (auto at = m_open.begin(); at != m_open.end();) {
        if (task.cancelled())
            return TaskContext::cancelledError("reading the points");
        const bool isFine = !begun.contains(at->first) || lookAt(at->first, at->second);
        at = at->second.missing == 0 && isFine ? m_open.erase(at) : std::next(at);
    }
    m_status.open.clear();
    for (const auto& [number, chunk] : m_open)
        if (chunk.missing > 0)
            m_status.open.push_back(number);
    m_status.running = 0;
    if (const Result<ChunkClaims> claims = ChunkClaims::look(m_campaign->folder))
        m_status.running = claims->taken(0, m_campaign->chunks());
    return std::exchange(m_fresh, {});
}

} // namespace pim
