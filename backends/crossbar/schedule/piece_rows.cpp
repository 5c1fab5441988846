// SPDX-License-Identifier: GPL-3.0-or-later
// Layers whose products give sums of several windows: pieces of the input are multiplied as the first window
// that reads them is computed, and what they give for windows below and beside waits there, in sums that are
// zeros from the start.
#include "backends/crossbar/schedule/running.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace pim {

/// Input row before which a job and those after it multiply nothing.
int RowEngine::firstRowOf(const RowJob& job) const {
    const auto& pieces = m_pieces[job.share.index()];
    return pieces ? pieces->firstRow(job.y) : std::numeric_limits<int>::min();
}

int RowEngine::steps(const RowJob& job) const {
    const auto& pieces = m_pieces[job.share.index()];
    return pieces ? std::max(1, int(pieces->of(job.y, job.span).size())) : job.span.size();
}

/// The job of a share that computes window (y, x).
std::size_t RowEngine::jobOf(ShareId share, int y, int x) const {
    const auto& jobs = m_shares[share.index()].jobs;
    const auto isBefore = [](const RowJob& job, const std::pair<int, int>& at) {
        return job.y < at.first || (job.y == at.first && job.span.end <= at.second);
    };
    return std::size_t(std::lower_bound(jobs.begin(), jobs.end(), std::pair(y, x), isBefore) - jobs.begin());
}

/// Room for the sums of all windows the pieces of a job are for. What was taken stays where it is if there is
/// none for the rest.
Result<void> RowEngine::openSums(const Running& running) {
    const ShareId number = running.job.share;
    const InputPieces& pieces = *m_pieces[number.index()];
    std::set<std::size_t> reached{jobOf(number, running.job.y, running.job.span.begin)};
    for (const InputPiece& piece : running.pieces)
        for (int slice = 0; slice < pieces.slices(); ++slice)
            if (const auto window = pieces.window(piece, slice))
                reached.insert(jobOf(number, window->y, window->x));
    const auto& members = m_members[number.index()];
    const Share& share = m_shares[number.index()];
    for (const std::size_t job : reached) {
        std::vector<Part>& parts = m_early[number.index()][job];
        if (parts.empty())
            parts = partsOf(share.jobs[job]);
        for (std::size_t m = 0; m < parts.size(); ++m) {
            if (parts[m].sums != kNoRow)
                continue;
            const CoreId core = members[m].core;
            PIM_TRY(parts[m].sums, m_lanes.take(core, parts[m].sumElements, share.task->layer));
            emit(core, CrossbarOpcode::Write, CrossbarStage::Accumulate, share.task->layer, parts[m].sums, 0,
                 parts[m].sumElements / std::uint32_t(m_result.program.accumulatorElements))
                .flags = CrossbarInstruction::kWideResult;
        }
    }
    return {};
}

/// The sums of the job's own windows are its own from now on.
void RowEngine::takeSums(Running& running) {
    auto& early = m_early[running.job.share.index()];
    const auto at = early.find(jobOf(running.job.share, running.job.y, running.job.span.begin));
    running.parts = std::move(at->second);
    early.erase(at);
    for (std::size_t m = 0; m < running.parts.size(); ++m)
        running.taken.push_back({m_members[running.job.share.index()][m].core, running.parts[m].sums,
                                 running.parts[m].sumElements});
}

/// An error for want of room: what of it waits for rows to come.
Error RowEngine::explained(Error error) const {
    const auto [core, layer] = m_lanes.full();
    std::map<LayerId, std::uint64_t> held; // elements
    for (std::size_t number = 0; core.valid() && number < m_early.size(); ++number)
        for (const auto& [job, parts] : m_early[number])
            for (std::size_t m = 0; m < parts.size(); ++m)
                if (parts[m].sums != kNoRow && m_members[number][m].core == core)
                    held[m_shares[number].task->layer] += parts[m].sumElements;
    const auto most = std::ranges::max_element(held, {}, [](const auto& one) { return one.second; });
    if (most != held.end())
        error.hint += fmt::format(
            "; sums \"{}\" holds for windows of rows to come take {} of them: unfolded ik2,o,1 it holds none",
            this->layer(most->first).name, most->second * std::uint64_t(m_chip.activationBytes()));
    return error;
}

Result<void> RowEngine::bringPiece(ShareId share, const InputPiece& piece) {
    const ColumnSpan columns = m_pieces[share.index()]->columns(piece);
    for (const Member& member : m_members[share.index()])
        for (const Feed& feed : member.feeds)
            PIM_CHECK(bring(feed, piece.row, columns, m_shares[share.index()].task->layer));
    return {};
}

/// A group that has no place of the kernel for any window of the share has no product.
void RowEngine::pieceProduct(Running& running, std::size_t number, std::size_t at, const InputPiece& piece,
                             ReplicaId replica) {
    const ShareId share = running.job.share;
    const LayerId position = m_shares[share.index()].task->layer;
    const LayerMapping& mapping = *m_shares[share.index()].mapping;
    const Member& member = m_members[share.index()][number];
    const InputPieces& pieces = *m_pieces[share.index()];
    const ArrayGroupShape& group = mapping.partition.groups[member.groups[at].index()];
    const int outs = layer(position).out.channels, wide = m_result.program.accumulatorElements;
    const int base = number == 0 ? 0 : member.outBegin,
              channels = number == 0 ? outs : member.outEnd - member.outBegin;
    struct Slice {
        int column = 0, columns = 0; ///< Of the group.
        Part* part = nullptr;
        std::uint32_t to = 0;
    };
    std::vector<Slice> slices;
    const std::size_t own = jobOf(share, running.job.y, running.job.span.begin);
    for (int column = group.columnBegin, end = 0; column < group.columnBegin + group.columns; column = end) {
        const int slice = column / outs;
        end = std::min((slice + 1) * outs, group.columnBegin + group.columns);
        const auto window = pieces.window(piece, slice);
        if (!window)
            continue;
        const std::size_t job = jobOf(share, window->y, window->x);
        Part& part = job == own ? running.parts[number] : m_early[share.index()].at(job)[number];
        const int index = window->x - m_shares[share.index()].jobs[job].span.begin;
        slices.push_back({column - group.columnBegin, end - column, &part,
                          part.sums + std::uint32_t((index * channels + column % outs - base) * wide)});
    }
    if (slices.empty())
        return;
    Rings& rings = m_rings[member.core.index()];
    const std::uint32_t vector = vectorFor(member, position, member.places[at], piece.row, piece.column),
                        dst = takePartial(member.core, std::uint32_t(group.columns * wide));
    for (const Slice& slice : slices) {
        rings.pending.push_back({dst + std::uint32_t(slice.column * wide), slice.to,
                                 std::uint32_t(slice.columns), position, rings.nextPartial - 1});
        slice.part->lastPartial = rings.nextPartial;
    }
    CrossbarInstruction& mvm = emit(member.core, CrossbarOpcode::Mvm, CrossbarStage::Main, position, dst,
                                    vector, std::uint32_t(group.rows));
    mvm.src2 = std::uint32_t(group.columns);
    mvm.index = std::uint32_t(mapping.number(replica, member.groups[at]).index());
    mvm.flags = CrossbarInstruction::kWideResult;
}

} // namespace pim
