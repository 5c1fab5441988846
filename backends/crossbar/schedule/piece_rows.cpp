// SPDX-License-Identifier: GPL-3.0-or-later
// Layers whose products give sums of several windows: pieces of the input are multiplied as the first window
// that reads them is computed, and what they give for windows below and beside waits there, in sums that are
// zeros from the start.
#include "backends/crossbar/schedule/running.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pim {

/// Room for the sums of all windows the pieces of a job are for. What was taken stays where it is if there is
/// none for the rest.
Result<void> RowEngine::openSums(const Running& running) {
    const RowShare& share = m_shares[running.job.share];
    const InputPieces& pieces = *share.pieces;
    std::set<std::size_t> reached{share.jobOf(running.job.y, running.job.span.begin)};
    for (const InputPiece& piece : running.pieces)
        for (int slice = 0; slice < pieces.slices(); ++slice)
            if (const auto window = pieces.window(piece, slice))
                reached.insert(share.jobOf(window->y, window->x));
    for (const std::size_t job : reached) {
        std::vector<Part>& parts = m_early[running.job.share.index()][job];
        if (parts.empty())
            parts = partsOf(share.jobs[job]);
        for (std::size_t m = 0; m < parts.size(); ++m) {
            if (parts[m].sums != kNoRow)
                continue;
            const CoreId core = share.members[m].core;
            PIM_TRY(parts[m].sums, m_lanes.take(core, parts[m].sumElements, share.task->layer));
            m_writer
                .emit({core, share.task->layer, CrossbarStage::Accumulate}, CrossbarOpcode::Write,
                      parts[m].sums, 0, parts[m].sumElements / std::uint32_t(m_wide))
                .flags = CrossbarInstruction::kWideResult;
        }
    }
    return {};
}

/// The sums of the job's own windows are its own from now on.
void RowEngine::takeSums(Running& running) {
    const RowShare& share = m_shares[running.job.share];
    auto& early = m_early[running.job.share.index()];
    const auto at = early.find(share.jobOf(running.job.y, running.job.span.begin));
    running.parts = std::move(at->second);
    early.erase(at);
    for (std::size_t m = 0; m < running.parts.size(); ++m)
        running.taken.push_back({share.members[m].core, running.parts[m].sums, running.parts[m].sumElements});
}

/// An error for want of room: what of it waits for rows to come.
Error RowEngine::explained(Error error) const {
    const CoreId core = m_lanes.full().first;
    std::map<LayerId, std::uint64_t> held; // elements
    for (const ShareId number : m_shares.ids())
        for (const auto& [job, parts] : m_early[number.index()])
            for (std::size_t m = 0; core.valid() && m < parts.size(); ++m)
                if (parts[m].sums != kNoRow && m_shares[number].members[m].core == core)
                    held[m_shares[number].task->layer] += parts[m].sumElements;
    const auto most = std::ranges::max_element(held, {}, [](const auto& one) { return one.second; });
    if (most != held.end())
        error.hint += fmt::format(
            "; sums \"{}\" holds for windows of rows to come take {} of them: unfolded ik2,o,1 it holds none",
            m_in.layer(most->first).name, most->second * std::uint64_t(m_in.chip.activationBytes()));
    return error;
}

Result<void> RowEngine::bringPiece(ShareId share, const InputPiece& piece) {
    const ColumnSpan columns = m_shares[share].pieces->columns(piece);
    for (const RowMember& member : m_shares[share].members)
        for (const RowFeed& feed : member.feeds)
            PIM_CHECK(bring(feed, piece.row, columns, m_shares[share].task->layer));
    return {};
}

/// A group that has no place of the kernel for any window of the share has no product.
void RowEngine::pieceProduct(Running& running, std::size_t number, std::size_t at, const InputPiece& piece,
                             ReplicaId replica) {
    const RowShare& share = m_shares[running.job.share];
    const RowMember& member = share.members[number];
    const ArrayGroupShape& group = member.places[at].shape;
    const LayerId layer = share.task->layer;
    const int outs = m_in.layer(layer).out.channels;
    const int base = number == 0 ? 0 : member.outBegin,
              channels = number == 0 ? outs : member.outEnd - member.outBegin;
    struct Slice {
        int column = 0, columns = 0; ///< Of the group.
        Part* part = nullptr;
        std::uint32_t to = 0;
    };
    std::vector<Slice> slices;
    const std::size_t own = share.jobOf(running.job.y, running.job.span.begin);
    for (int column = group.columnBegin, end = 0; column < group.columnBegin + group.columns; column = end) {
        const int slice = column / outs;
        end = std::min((slice + 1) * outs, group.columnBegin + group.columns);
        const auto window = share.pieces->window(piece, slice);
        if (!window)
            continue;
        const std::size_t job = share.jobOf(window->y, window->x);
        Part& part = job == own ? running.parts[number] : m_early[running.job.share.index()].at(job)[number];
        const int index = window->x - share.jobs[job].span.begin;
        slices.push_back({column - group.columnBegin, end - column, &part,
                          part.sums + std::uint32_t((index * channels + column % outs - base) * m_wide)});
    }
    if (slices.empty())
        return;
    const std::uint32_t vector = vectorFor(member, layer, member.places[at], piece.row, piece.column),
                        dst = m_rings.takePartial(member.core, std::uint32_t(group.columns * m_wide));
    for (const Slice& slice : slices) {
        m_rings.addLater(member.core, {dst + std::uint32_t(slice.column * m_wide), slice.to,
                                       std::uint32_t(slice.columns), layer});
        slice.part->lastPartial = m_rings.taken(member.core);
    }
    issue(share, member, at, replica, dst, vector);
}

} // namespace pim
