// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of a stretch of windows: zeros where nobody begins them, those of other cores, and what ends them.
#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <utility>

namespace pim {
namespace {

bool finishesAtOnce(VectorOp op) {
    return op == VectorOp::None || op == VectorOp::Relu || op == VectorOp::Clip;
}

} // namespace

/// Transposed convolutions: a core may have groups for some phases of a row alone, and phases may have none
/// in any core. Sums nobody in the core begins are zeros from the start, so that all windows of a stretch are
/// handed over and finished alike.
void RowEngine::clearUncovered(const Running& running, std::size_t number) {
    const LayerId position = m_shares[running.job.share].task->layer;
    const CrossbarLayer& l = m_in.layer(position);
    const MatrixWork& work = *l.matrix();
    const RowMember& member = m_shares[running.job.share].members[number];
    const LayerPartition& partition = m_shares[running.job.share].mapping->partition;
    const int base = number == 0 ? 0 : member.outBegin,
              channels = number == 0 ? l.out.channels : member.outEnd - member.outBegin;
    const int wide = m_wide;
    if (number > 0 && !member.worksOn(running.job.y, work.window))
        return; // nothing is handed over
    for (int index = 0; index < running.job.span.size(); ++index) {
        std::vector<bool> covered(std::size_t(channels), false);
        const int phase = work.window.phaseOf(running.job.y, running.job.span.begin + index);
        for (const std::size_t at : member.ofPhase[std::size_t(phase)]) {
            const ArrayGroupShape& group = partition.groups[member.groups[at].index()];
            std::fill_n(covered.begin() + group.blockBegin * work.outOfGroup() + group.columnBegin - base,
                        group.columns, true);
        }
        for (int begin = 0, end = 0; begin < channels; begin = end) {
            for (end = begin + 1; end < channels && covered[std::size_t(end)] == covered[std::size_t(begin)];)
                ++end;
            if (covered[std::size_t(begin)])
                continue;
            const auto to = running.parts[number].sums + std::uint32_t((index * channels + begin) * wide);
            m_writer
                .emit({member.core, position, CrossbarStage::Accumulate}, CrossbarOpcode::Write, to, 0,
                      std::uint32_t(end - begin))
                .flags = CrossbarInstruction::kWideResult;
        }
    }
}

/// Sums of another core come to the one that finishes, as many at once as there is room for.
void RowEngine::gather(Running& running, std::size_t number) {
    const LayerId position = m_shares[running.job.share].task->layer;
    const auto& members = m_shares[running.job.share].members;
    const RowMember& member = members[number];
    const CoreId head = members[0].core;
    const int windows = running.job.span.size(), width = member.outEnd - member.outBegin;
    const int wide = m_wide, room = int(running.receivedElements) / wide;
    const int windowsAtOnce = std::max(1, room / width), channelsAtOnce = std::min(width, room);
    for (int window = 0; window < windows; window += windowsAtOnce)
        for (int channel = 0; channel < width; channel += channelsAtOnce) {
            const int last = std::min(windows, window + windowsAtOnce),
                      end = std::min(width, channel + channelsAtOnce);
            const std::uint32_t from =
                running.parts[number].sums + std::uint32_t((window * width + channel) * wide);
            const auto length = std::uint32_t((last - window) * (end - channel));
            m_writer.send({member.core, position, CrossbarStage::Gather}, head, from, running.received,
                          length, true);
            addReceived(running, number, {window, last}, {member.outBegin + channel, member.outBegin + end});
        }
}

/// Channels that have a sum already are added to, others begin here.
void RowEngine::addReceived(Running& running, std::size_t number, ColumnSpan windows, ColumnSpan received) {
    constexpr std::uint8_t kWide = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
    const TaskShare& task = *m_shares[running.job.share].task;
    const int channels = m_in.layer(task.layer).out.channels, wide = m_wide;
    for (int window = windows.begin; window < windows.end; ++window)
        for (const auto& [stretch, added] : m_shares[running.job.share].members[number].stretches) {
            const ColumnSpan part = stretch.within(received);
            if (part.empty())
                continue;
            const bool all = part.size() == channels; // windows lie side by side in both
            const auto length = std::uint32_t((all ? windows.end - window : 1) * part.size());
            const auto to = running.parts[0].sums + std::uint32_t((window * channels + part.begin) * wide);
            const auto from =
                running.received +
                std::uint32_t(((window - windows.begin) * received.size() + part.begin - received.begin) *
                              wide);
            CrossbarInstruction& made = added ? m_writer.emit({task.core, task.layer, CrossbarStage::Gather},
                                                              CrossbarOpcode::Vec, to, to, length)
                                              : m_writer.emit({task.core, task.layer, CrossbarStage::Gather},
                                                              CrossbarOpcode::Copy, to, from, length);
            if (added) {
                made.vec = VectorOp::Add;
                made.src2 = from;
            }
            made.flags = kWide;
            if (all)
                window = windows.end;
        }
}

Result<void> RowEngine::end(Running& running) {
    if (!running.output) {
        m_lanes.nextOperation();
        PIM_CHECK(openFor(running));
    }
    const RowShare& share = m_shares[running.job.share];
    const PixelWindow& window = m_in.layer(share.task->layer).matrix()->window;
    for (std::size_t m = 0; m < share.members.size(); ++m) {
        const RowMember& member = share.members[m];
        if (running.parts[m].lastPartial > 0)
            m_rings.flush(member.core, running.parts[m].lastPartial - 1);
        if (m > 0 && member.worksOn(running.job.y, window))
            gather(running, m);
    }
    finishWindows(running, running.job.span.size());
    release(running);
    publish(running.job, *running.output);
    return {};
}

/// Bias and activation of the windows before \p end that have not had theirs.
void RowEngine::finishWindows(Running& running, int end) {
    const RowShare& share = m_shares[running.job.share];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const VectorOp function = l.activation.op;
    const LayerId position = share.task->layer;
    const CoreId core = share.task->core;
    const int begin = std::exchange(running.finished, end);
    const auto length = std::uint32_t((end - begin) * l.out.channels),
               before = std::uint32_t(begin * l.out.channels);
    const std::uint32_t out = running.output->address + before;
    CrossbarInstruction& finish =
        m_writer.emit({core, position, CrossbarStage::Bias}, CrossbarOpcode::Vec, out,
                      running.parts[0].sums + before * std::uint32_t(m_wide), length);
    finish.vec = finishesAtOnce(function) && function != VectorOp::None ? function : VectorOp::Scale;
    finish.flags = CrossbarInstruction::kWideSource;
    if (!finishesAtOnce(function))
        m_writer.emit({core, position, CrossbarStage::Post}, CrossbarOpcode::Vec, out, out, length).vec =
            function;
}

} // namespace pim
