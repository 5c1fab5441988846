// SPDX-License-Identifier: GPL-3.0-or-later
// Results of rows, on their way into lanes and to who reads them; what is read no more goes.
#include "backends/crossbar/schedule/row_engine.h"

#include <algorithm>

namespace pim {

/// Room for the results of a job: in the lane others in the core read, or for as long as it runs.
Result<RowEngine::Output> RowEngine::openOutput(const RowJob& job) {
    const RowShare& share = m_shares[job.share];
    const TaskShare& task = *share.task;
    Output output;
    if (!share.outLane.valid()) {
        PIM_TRY(output.temporary,
                m_lanes.take(task.core,
                             std::uint32_t(job.span.size() * (task.channelEnd - task.channelBegin)),
                             task.layer));
        output.address = output.temporary;
        return output;
    }
    PIM_CHECK(m_lanes.ensure(share.outLane, job.y, job.span));
    m_lanes.hold(share.outLane, job.y);
    output.address = m_lanes[share.outLane].at(job.y, job.span.begin, task.channelBegin);
    return output;
}

void RowEngine::closeOutput(const RowJob& job, const Output& output) {
    const RowShare& share = m_shares[job.share];
    const TaskShare& task = *share.task;
    if (share.outLane.valid())
        m_lanes.letGo(share.outLane, job.y);
    else
        m_lanes.give(task.core, output.temporary,
                     std::uint32_t(job.span.size() * (task.channelEnd - task.channelBegin)));
}

void RowEngine::publish(const RowJob& job, const Output& output) {
    const RowShare& share = m_shares[job.share];
    const TaskShare& task = *share.task;
    const int channels = task.channelEnd - task.channelBegin;
    const ColumnSpan owned = job.span.within(task.owned[std::size_t(job.y)]);
    if (!owned.empty()) {
        const std::uint32_t address =
            output.address + std::uint32_t((owned.begin - job.span.begin) * channels);
        m_traffic.publish(task, job.y, owned, address);
    }
    if (share.outLane.valid()) {
        m_lanes[share.outLane].arrive(job.y, job.span, channels);
        if (m_in.lowLatency() || m_tasks.handedOn[task.layer.index()])
            m_transfers.sendOn(job, owned);
    }
    closeOutput(job, output);
    advance(job);
    m_transfers.handOn(job.share);
}

/// The job is done: what none of the next ones of the share reads may go.
void RowEngine::advance(const RowJob& job) {
    RowShare& share = m_shares[job.share];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const std::size_t at = ++share.ended;
    if (m_in.lowLatency() && at == share.jobs.size())
        m_host.shareEnded(share.task->layer, m_writer.clocks().front(share.task->core));
    for (std::size_t i = 0; i < share.readers.size(); ++i) {
        const auto [input, kernelRow] = share.readerRows[i];
        const PixelMap& in = m_in.layer(l.inputs[std::size_t(input)]).out;
        if (at == share.jobs.size()) {
            m_lanes.advance(share.readers[i], in.height, in.height, 0);
            continue;
        }
        const RowJob& next = share.jobs[at];
        if (const auto* view = l.as<ViewWork>()) { // its rows need not come in their order
            const int low = view->rows[std::size_t(next.y)].later;
            m_lanes.advance(share.readers[i], low, low, 0);
            continue;
        }
        const InputWindow window = inputWindow(l, in, std::size_t(input), next.y, next.span);
        if (const auto& pieces = share.pieces) {
            m_lanes.advance(share.readers[i], pieces->firstRow(next.y), pieces->firstRow(next.y + 1),
                            window.columns.begin);
            continue;
        }
        const int below = inputWindow(l, in, std::size_t(input), next.y + 1, next.span).rowBegin;
        m_lanes.advance(share.readers[i], window.rowBegin + kernelRow, below + kernelRow,
                        window.columns.begin);
    }
}

/// The job that runs has read its first \p rows rows of the input; what the next ones do not read either may go.
void RowEngine::pass(const RowJob& job, int rows) {
    RowShare& share = m_shares[job.share];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const bool last = share.ended + 1 == share.jobs.size();
    for (std::size_t i = 0; i < share.readers.size(); ++i) {
        const int input = share.readerRows[i].first;
        const PixelMap& in = m_in.layer(l.inputs[std::size_t(input)]).out;
        const RowJob& next = last ? job : share.jobs[share.ended + 1];
        const int low =
            last ? rows : std::min(rows, inputWindow(l, in, std::size_t(input), next.y, next.span).rowBegin);
        m_lanes.advance(share.readers[i], low, low, 0);
    }
}

} // namespace pim
