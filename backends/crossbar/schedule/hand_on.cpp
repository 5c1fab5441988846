// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that cores hand on to each other within a run of the program.
#include "backends/crossbar/schedule/row_engine.h"

#include <algorithm>
#include <vector>

namespace pim {

/// Columns of \p wanted that no share computes into \p lane itself; a core may have several strips of a map,
/// with others between.
std::vector<ColumnSpan> RowEngine::notOwn(const RowJob& job, LaneId lane, ColumnSpan wanted) const {
    std::vector<ColumnSpan> spans{wanted};
    for (const ShareId number : m_sharesOf[m_shares[job.share.index()].task->layer.index()]) {
        const Share& other = m_shares[number.index()];
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

/// To all cores that read columns \p owned of the result, but for what they compute themselves.
void RowEngine::sendOn(const RowJob& job, ColumnSpan owned) {
    const Share& share = m_shares[job.share.index()];
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

/// Results that are handed on together are there, those of a band of rows or, in LL, of a piece: core after core
/// gets its part, so that two cores meet once.
void RowEngine::handOn(ShareId number) {
    const Share& share = m_shares[number.index()];
    auto& unsent = m_unsent[number.index()];
    const RowJob& last = share.jobs[share.ended - 1];
    const bool inBands = !lowLatency() || m_tasks.rowsAtOnce[share.task->layer.index()] > 1;
    if (share.ended < share.jobs.size()) {
        const RowJob& next = share.jobs[share.ended];
        if (inBands ? next.y < m_tasks.handedAfter(*share.task, last.y)
                    : next.y == last.y && share.outLane.valid() &&
                          m_lanes[share.outLane].inOnePiece(last.span, next.span))
            return;
    }
    if (!std::ranges::is_sorted(unsent, {}, &Transfer::to))
        std::ranges::stable_sort(unsent, {}, &Transfer::to);
    for (const Transfer& one : unsent) {
        Transfer* const before = m_transfers.empty() ? nullptr : &m_transfers.back();
        if (before && one.from == before->from && one.to == before->to && one.row == before->row &&
            one.span.begin == before->span.end && m_lanes[one.to].inOnePiece(before->span, one.span)) {
            before->span.end = one.span.end;
            m_lanes.letGo(one.from, one.row);
        } else {
            m_transfers.push_back(one);
        }
    }
    unsent.clear();
}

Result<double> RowEngine::exchange(const Transfer& transfer) {
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
            copy(from.core, CrossbarStage::Output, from.layer, target, source, length);
        else
            arrived = sendAcross(from.core, to.core, from.layer, CrossbarStage::Output, source, target,
                                 length, false);
    }
    to.arrive(transfer.row, transfer.span, end - begin);
    m_lanes.letGo(transfer.from, transfer.row);
    return arrived;
}

double RowEngine::timeOf(const RowJob& job, double done) const {
    const TaskShare& task = *m_shares[job.share.index()].task;
    const RowTime& row = m_tasks.times[task.layer.index()][indexOf(job.share)][std::size_t(job.y)];
    const ColumnSpan whole = task.rows[std::size_t(job.y)];
    return row.begin +
           (row.end - row.begin) * (job.span.begin - whole.begin + done * job.span.size()) / whole.size();
}

} // namespace pim
