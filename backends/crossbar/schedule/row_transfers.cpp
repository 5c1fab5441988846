// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/row_transfers.h"

#include <algorithm>
#include <vector>

namespace pim {

/// Columns of \p wanted that no share computes into \p lane itself; a core may have several strips of a map,
/// with others between.
std::vector<ColumnSpan> RowTransfers::notOwn(const RowJob& job, LaneId lane, ColumnSpan wanted) const {
    std::vector<ColumnSpan> spans{wanted};
    for (const ShareId number : m_shares.of(m_shares[job.share].task->layer)) {
        const RowShare& other = m_shares[number];
        const ColumnSpan own = other.outLane == lane ? other.task->rows[std::size_t(job.y)] : ColumnSpan();
        if (own.empty())
            continue;
        std::vector<ColumnSpan> left;
        for (const ColumnSpan span : spans)
            for (const ColumnSpan part : {ColumnSpan{span.begin, std::min(span.end, own.begin)},
                                          ColumnSpan{std::max(span.begin, own.end), span.end}})
                if (!part.empty())
                    left.push_back(part);
        spans = std::move(left);
    }
    return spans;
}

void RowTransfers::sendOn(const RowJob& job, ColumnSpan owned) {
    const RowShare& share = m_shares[job.share];
    const TaskShare& task = *share.task;
    for (const LaneId other : m_lanes.wanting(task.layer, job.y)) {
        const Lane& target = m_lanes[other];
        const ColumnSpan wanted = target.want[std::size_t(job.y)].within(owned);
        const bool channelsMeet =
            std::max(target.channelBegin, task.channelBegin) < std::min(target.channelEnd, task.channelEnd);
        if (other == share.outLane || wanted.empty() || !channelsMeet)
            continue;
        for (const ColumnSpan span : notOwn(job, other, wanted)) {
            m_lanes.hold(share.outLane, job.y);
            m_unsent[job.share.index()].push_back(
                {share.outLane, other, job.y, span, task.channelBegin, task.channelEnd});
        }
    }
}

void RowTransfers::handOn(ShareId number) {
    const RowShare& share = m_shares[number];
    auto& unsent = m_unsent[number.index()];
    const RowJob& last = share.jobs[share.ended - 1];
    const bool inBands = !m_in.lowLatency() || m_in.tasks.rowsAtOnce[share.task->layer.index()] > 1;
    if (share.ended < share.jobs.size()) {
        const RowJob& next = share.jobs[share.ended];
        if (inBands ? next.y < m_in.tasks.handedAfter(*share.task, last.y)
                    : next.y == last.y && share.outLane.valid() &&
                          m_lanes[share.outLane].inOnePiece(last.span, next.span))
            return;
    }
    if (!std::ranges::is_sorted(unsent, {}, &RowTransfer::to))
        std::ranges::stable_sort(unsent, {}, &RowTransfer::to);
    for (const RowTransfer& one : unsent) {
        RowTransfer* const before = m_ready.empty() ? nullptr : &m_ready.back();
        if (before && one.from == before->from && one.to == before->to && one.row == before->row &&
            one.span.begin == before->span.end && m_lanes[one.to].inOnePiece(before->span, one.span)) {
            before->span.end = one.span.end;
            m_lanes.letGo(one.from, one.row);
        } else {
            m_ready.push_back(one);
        }
    }
    unsent.clear();
}

Result<double> RowTransfers::exchange(const RowTransfer& transfer) {
    m_lanes.nextOperation();
    PIM_CHECK(m_lanes.ensure(transfer.from, transfer.row, transfer.span));
    PIM_CHECK(m_lanes.ensure(transfer.to, transfer.row, transfer.span));
    const Lane& from = m_lanes[transfer.from];
    Lane& to = m_lanes[transfer.to];
    const int begin = std::max(transfer.channelBegin, to.channelBegin),
              end = std::min(transfer.channelEnd, to.channelEnd);
    const bool whole = from.channels() == end - begin && to.channels() == end - begin;
    double arrived = 0;
    for (int column = transfer.span.begin; column < transfer.span.end;
         column += whole ? transfer.span.size() : 1) {
        const auto length = std::uint32_t((whole ? transfer.span.size() : 1) * (end - begin));
        const std::uint32_t source = from.at(transfer.row, column, begin),
                            target = to.at(transfer.row, column, begin);
        if (from.core == to.core)
            m_writer.copy({from.core, from.layer, CrossbarStage::Output}, target, source, length);
        else
            arrived = m_writer.send({from.core, from.layer, CrossbarStage::Output}, to.core, source, target,
                                    length, false);
    }
    to.arrive(transfer.row, transfer.span, end - begin);
    m_lanes.letGo(transfer.from, transfer.row);
    return arrived;
}

} // namespace pim
