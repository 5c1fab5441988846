// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/row_engine.h"

#include <algorithm>

namespace pim {

/// Address of the pixels of \p job in input \p input, all channels side by side; brought together where they are not.
Result<std::uint32_t>
RowEngine::contiguous(const RowJob& job, int input,
                      std::vector<std::pair<std::uint32_t, std::uint32_t>>& temporaries) {
    const TaskShare& task = *m_shares[job.share].task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const PixelMap& in = m_in.layer(l.inputs[std::size_t(input)]).out;
    const int channels = task.channelEnd - task.channelBegin;
    const bool onePixel = in.pixels() == 1 && l.out.pixels() > 1,
               oneChannel = in.channels == 1 && l.out.channels > 1;
    std::vector<const RowFeed*> feeds;
    for (const RowFeed& feed : m_shares[job.share].feeds)
        if (feed.input == input)
            feeds.push_back(&feed);
    const auto from = [&](const RowFeed& feed, int x) {
        return m_lanes[feed.lane].at(onePixel ? 0 : job.y, onePixel ? 0 : x, feed.source.begin);
    };
    const bool sideBySide = job.span.size() == 1 ||
                            (!onePixel && !feeds.empty() && m_lanes[feeds[0]->lane].channels() == channels &&
                             m_lanes[feeds[0]->lane].together(job.span.begin) >= job.span.size());
    if (feeds.size() == 1 && !oneChannel && sideBySide)
        return from(*feeds[0], job.span.begin);
    const auto size = std::uint32_t(job.span.size() * channels);
    PIM_TRY(const std::uint32_t made, m_lanes.take(task.core, size, task.layer));
    temporaries.emplace_back(made, std::max(1u, size));
    for (int x = job.span.begin; x < job.span.end; ++x)
        for (const RowFeed* feed : feeds) {
            const std::uint32_t to =
                made + std::uint32_t((x - job.span.begin) * channels + feed->source.at - task.channelBegin);
            if (oneChannel) // the same value for every channel of a pixel
                for (int c = 0; c < channels; ++c)
                    m_writer.copy({task.core, task.layer, CrossbarStage::Input}, to + std::uint32_t(c),
                                  from(*feed, x), 1);
            else
                m_writer.copy({task.core, task.layer, CrossbarStage::Input}, to, from(*feed, x),
                              std::uint32_t(feed->source.end - feed->source.begin));
        }
    return made;
}

Result<void> RowEngine::vectorRow(const RowJob& job) {
    m_lanes.nextOperation();
    if (!m_in.layer(m_shares[job.share].task->layer).as<WindowWork>())
        PIM_CHECK(bringAll(job));
    const TaskShare& task = *m_shares[job.share].task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const int channels = task.channelEnd - task.channelBegin;
    const auto length = std::uint32_t(job.span.size() * channels);
    const auto element = std::uint32_t((std::int64_t(job.y) * l.out.width + job.span.begin) * l.out.channels +
                                       task.channelBegin);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> temporaries;
    PIM_TRY(const Output output, openOutput(job));
    const std::uint32_t out = output.address;
    const auto operation = [&](VectorOp op, std::uint32_t src1, std::uint32_t src2, std::uint32_t index) {
        CrossbarInstruction& made = m_writer.emit({task.core, task.layer, CrossbarStage::Post},
                                                  CrossbarOpcode::Vec, out, src1, length);
        made.vec = op;
        made.src2 = src2;
        made.index = index;
    };
    if (const auto* work = l.as<ElementWork>()) {
        PIM_TRY(const std::uint32_t first, contiguous(job, 0, temporaries));
        if (work->constant.valid() || l.inputs.size() == 1)
            operation(work->op, first, 0, element);
        for (std::size_t i = 1; i < l.inputs.size(); ++i) {
            PIM_TRY(const std::uint32_t next, contiguous(job, int(i), temporaries));
            operation(work->op, i == 1 ? first : out, next, std::uint32_t(i));
        }
    } else if (const auto* normalise = l.as<NormaliseWork>()) {
        PIM_TRY(const std::uint32_t first, contiguous(job, 0, temporaries));
        operation(vectorOpOf(normalise->kind), first, 0, element);
    } else if (l.as<WindowWork>()) {
        PIM_CHECK(poolRow(job, out));
    } else {
        for (int x = job.span.begin; x < job.span.end; ++x)
            movePixel(job, x, out + std::uint32_t((x - job.span.begin) * channels));
    }
    if (l.activation.op != VectorOp::None)
        operation(l.activation.op, out, 0, element);
    for (const auto& [address, size] : temporaries)
        m_lanes.give(task.core, address, size);
    publish(job, output);
    return {};
}

/// Pools row by row of the input, so that a row may go before the last is here.
Result<void> RowEngine::poolRow(const RowJob& job, std::uint32_t out) {
    const TaskShare& task = *m_shares[job.share].task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const bool average = l.as<WindowWork>()->kind == PoolKind::Average;
    const int channels = task.channelEnd - task.channelBegin, windows = job.span.size();
    // one pixel as accumulators
    const auto wide = std::uint32_t(channels * m_wide);
    const std::uint32_t elements = average ? wide * std::uint32_t(windows + 1) : 0;
    std::uint32_t sums = 0;
    if (average) {
        PIM_TRY(sums, m_lanes.take(task.core, elements, task.layer));
    }
    std::vector<std::uint8_t> begun(std::size_t(windows), 0);
    const InputWindow window = inputWindow(l, l.in, 0, job.y, job.span);
    for (int row = window.rowBegin; row < window.rowEnd; row += window.rowStep) {
        if (row < 0 || row >= l.in.height)
            continue;
        for (const RowFeed& feed : m_shares[job.share].feeds)
            PIM_CHECK(bring(feed, row, window.columns, task.layer));
        for (int i = 0; i < windows; ++i)
            begun[std::size_t(i)] |=
                poolPixel(job, row, job.span.begin + i,
                          average ? sums + wide * std::uint32_t(i) : out + std::uint32_t(i * channels),
                          sums + wide * std::uint32_t(windows), begun[std::size_t(i)] == 0);
        for (const RowFeed& feed : m_shares[job.share].feeds)
            m_lanes.release(feed.lane, row);
        pass(job, row + 1);
    }
    if (!average)
        return {};
    for (int i = 0; i < windows; ++i) {
        CrossbarInstruction& divide = m_writer.emit({task.core, task.layer, CrossbarStage::Post},
                                                    CrossbarOpcode::Vec, out + std::uint32_t(i * channels),
                                                    sums + wide * std::uint32_t(i), std::uint32_t(channels));
        divide.vec = VectorOp::Scale;
        divide.src2 = std::uint32_t(job.y * l.out.width + job.span.begin + i);
        divide.flags = CrossbarInstruction::kWideSource;
    }
    m_lanes.give(task.core, sums, elements);
    return {};
}

/// One place of a pool and one row of its window: the first pixel is copied to \p dst, the others are joined to it.
/// \returns whether the row has a pixel for it.
bool RowEngine::poolPixel(const RowJob& job, int row, int x, std::uint32_t dst, std::uint32_t widened,
                          bool first) {
    const TaskShare& task = *m_shares[job.share].task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const auto& work = *l.as<WindowWork>();
    const bool average = work.kind == PoolKind::Average;
    const auto wide = std::uint32_t(m_wide);
    const InputWindow window = inputWindow(l, l.in, 0, job.y, {x, x + 1});
    bool any = false;
    for (int column = window.columns.begin; column < window.columns.end; column += work.window.dilationX) {
        if (column < 0 || column >= l.in.width)
            continue;
        for (const RowFeed& feed : m_shares[job.share].feeds) {
            const auto at = std::uint32_t(feed.source.at - task.channelBegin),
                       length = std::uint32_t(feed.source.end - feed.source.begin);
            const std::uint32_t from = m_lanes[feed.lane].at(row, column, feed.source.begin);
            if (average) {
                m_writer
                    .emit({task.core, task.layer, CrossbarStage::Post}, CrossbarOpcode::Copy,
                          (first ? dst : widened) + at * wide, from, length)
                    .flags = CrossbarInstruction::kWideResult;
            } else if (first) {
                m_writer.copy({task.core, task.layer, CrossbarStage::Post}, dst + at, from, length);
            } else {
                CrossbarInstruction& joined = m_writer.emit({task.core, task.layer, CrossbarStage::Post},
                                                            CrossbarOpcode::Vec, dst + at, dst + at, length);
                joined.vec = VectorOp::Max;
                joined.src2 = from;
            }
        }
        if (average && !first) {
            CrossbarInstruction& add =
                m_writer.emit({task.core, task.layer, CrossbarStage::Post}, CrossbarOpcode::Vec, dst, dst,
                              std::uint32_t(task.channelEnd - task.channelBegin));
            add.vec = VectorOp::Add;
            add.src2 = widened;
            add.flags = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
        }
        first = false;
        any = true;
    }
    return any;
}

/// One pixel of a view, or of maps joined pixel by pixel.
void RowEngine::movePixel(const RowJob& job, int x, std::uint32_t dst) {
    const TaskShare& task = *m_shares[job.share].task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const auto* view = l.as<ViewWork>();
    const auto& feeds = m_shares[job.share].feeds;
    std::int64_t pixel = std::int64_t(job.y) * l.out.width + x;
    int input = 0;
    if (!view)
        for (; pixel >= m_in.layer(l.inputs[std::size_t(input)]).out.pixels(); ++input)
            pixel -= m_in.layer(l.inputs[std::size_t(input)]).out.pixels();
    const PixelMap& in = m_in.layer(l.inputs[std::size_t(input)]).out;
    for (int c = 0; c < l.out.channels;) {
        const std::int64_t from =
            view ? view->from[std::size_t(pixel * l.out.channels + c)] : pixel * in.channels + c;
        // As many as follow one another in the input, too.
        int count = 1;
        const auto next = [&](int i) {
            return view ? view->from[std::size_t(pixel * l.out.channels + c + i)] : from + i;
        };
        while (
            c + count < l.out.channels &&
            (from < 0 ? next(count) < 0 : next(count) == from + count && (from + count) % in.channels != 0))
            ++count;
        if (from < 0) {
            m_writer.emit({task.core, task.layer, CrossbarStage::Post}, CrossbarOpcode::Write,
                          dst + std::uint32_t(c), 0, std::uint32_t(count));
            c += count;
            continue;
        }
        const auto channel = int(from % in.channels);
        for (const RowFeed& feed : feeds) {
            const int begin = std::max(channel, feed.source.at),
                      end = std::min(channel + count, feed.source.at + feed.source.end - feed.source.begin);
            if (feed.input != input || end <= begin)
                continue;
            const std::int64_t place = from / in.channels;
            m_writer.copy({task.core, task.layer, CrossbarStage::Post},
                          dst + std::uint32_t(c + begin - channel),
                          m_lanes[feed.lane].at(int(place / in.width), int(place % in.width),
                                                feed.source.begin + begin - feed.source.at),
                          std::uint32_t(end - begin));
        }
        c += count;
    }
}

} // namespace pim
