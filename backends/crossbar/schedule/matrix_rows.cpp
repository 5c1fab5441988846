// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pim {
namespace {

bool finishesAtOnce(VectorOp op) {
    return op == VectorOp::None || op == VectorOp::Relu || op == VectorOp::Clip;
}

} // namespace

std::vector<RowEngine::Part> RowEngine::partsOf(const RowJob& job) const {
    const int outChannels = layer(m_shares[job.share.index()].task->layer).out.channels;
    std::vector<Part> parts;
    for (const Member& member : m_members[job.share.index()]) {
        const int channels = parts.empty() ? outChannels : member.outEnd - member.outBegin;
        parts.push_back({.sumElements = std::uint32_t(job.span.size() * channels *
                                                      m_result.program.accumulatorElements)});
    }
    return parts;
}

RowEngine::Running RowEngine::plan(const RowJob& job) const {
    Running running;
    running.job = job;
    running.parts = partsOf(job);
    for (std::size_t m = 1; m < running.parts.size(); ++m)
        running.receivedElements = std::max(running.receivedElements, running.parts[m].sumElements);
    if (const auto& pieces = m_pieces[job.share.index()])
        running.pieces = pieces->of(job.y, job.span);
    const std::uint32_t most =
        std::max(m_lanes.memory(CoreId(0)).capacity() / std::uint32_t(m_options.memoryShare),
                 std::uint32_t(m_result.program.accumulatorElements));
    running.receivedElements = std::min(running.receivedElements, most);
    return running;
}

Result<void> RowEngine::begin(Running& running, bool sumsFirst) {
    Pieces* const kept = lowLatency() ? nullptr : &running.kept;
    if (!sumsFirst)
        PIM_CHECK(bringAll(running.job, kept));
    const auto& members = m_members[running.job.share.index()];
    const LayerId position = m_shares[running.job.share.index()].task->layer;
    for (const Member& member : members)
        if (sumsFirst)
            m_lanes.clear(member.core);
    const auto take = [&](CoreId core, std::uint32_t elements) -> Result<std::uint32_t> {
        PIM_TRY(const std::uint32_t address, m_lanes.take(core, elements, position));
        running.taken.push_back({core, address, elements});
        return address;
    };
    const bool byPieces = m_pieces[running.job.share.index()].has_value();
    for (std::size_t m = 0; m < members.size(); ++m) {
        PIM_CHECK(takeRings(members[m].core, position));
        if (!byPieces) {
            PIM_TRY(running.parts[m].sums, take(members[m].core, running.parts[m].sumElements));
        }
    }
    if (byPieces) {
        PIM_CHECK(openSums(running));
    }
    if (members.size() > 1) {
        PIM_TRY(running.received, take(members[0].core, running.receivedElements));
    }
    if (sumsFirst)
        PIM_CHECK(bringAll(running.job, kept));
    if (byPieces)
        takeSums(running);
    if (layer(position).matrix()->window.phases() > 1)
        for (std::size_t m = 0; m < members.size(); ++m)
            clearUncovered(running, m);
    return {};
}

/// Transposed convolutions: a core may have groups for some phases of a row alone, and phases may have none
/// in any core. Sums nobody in the core begins are zeros from the start, so that all windows of a stretch are
/// handed over and finished alike.
void RowEngine::clearUncovered(const Running& running, std::size_t number) {
    const LayerId position = m_shares[running.job.share.index()].task->layer;
    const CrossbarLayer& l = layer(position);
    const MatrixWork& work = *l.matrix();
    const Member& member = m_members[running.job.share.index()][number];
    const LayerPartition& partition = m_shares[running.job.share.index()].mapping->partition;
    const int base = number == 0 ? 0 : member.outBegin,
              channels = number == 0 ? l.out.channels : member.outEnd - member.outBegin;
    const int wide = m_result.program.accumulatorElements;
    if (number > 0 && !worksOnRow(member, position, running.job.y))
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
            emit(member.core, CrossbarOpcode::Write, CrossbarStage::Accumulate, position, to, 0,
                 std::uint32_t(end - begin))
                .flags = CrossbarInstruction::kWideResult;
        }
    }
}

bool RowEngine::worksOnRow(const Member& member, LayerId position, int y) const {
    const PixelWindow& w = layer(position).matrix()->window;
    for (int x = 0; x < w.spreadX; ++x)
        if (!member.ofPhase[std::size_t(w.phaseOf(y, x))].empty())
            return true;
    return false;
}

Result<void> RowEngine::openFor(Running& running) {
    PIM_TRY(running.output, openOutput(running.job));
    if (const LaneId lane = m_shares[running.job.share.index()].outLane; lane.valid())
        for (int x = running.job.span.begin; x < running.job.span.end; x += m_lanes[lane].together(x))
            keep({lane, running.job.y, m_lanes[lane].pieceOf(x)}, &running.kept);
    return {};
}

void RowEngine::release(Running& running) {
    for (const Running::Taken& taken : running.taken)
        m_lanes.give(taken.core, taken.address, taken.elements);
    running.taken.clear();
    for (const Lanes::PieceName& name : running.kept)
        m_lanes.keepNoLonger(name);
    running.kept.clear();
}

Result<void> RowEngine::windowAgain(Running& running, int index) {
    m_lanes.nextOperation();
    const int x = running.job.span.begin + index;
    int before = index; // windows whose products are all issued
    if (!m_pieces[running.job.share.index()]) {
        PIM_CHECK(bringAll({running.job.share, running.job.y, {x, x + 1}}));
    } else if (running.pieces.empty()) {
        return {};
    } else {
        const InputPiece& piece = running.pieces[std::size_t(index)];
        before = piece.window - running.job.span.begin;
        PIM_CHECK(bringPiece(running.job.share, piece));
    }
    // Where products hide vector work, the last window hides what is left to do for those before.
    const bool hides =
        m_clocks.drains() && before > 0 && index + 1 == steps(running.job) && running.parts.size() == 1;
    if (hides) {
        PIM_CHECK(openFor(running));
        if (running.parts[0].lastPartial > 0)
            flushSums(m_members[running.job.share.index()][0].core, running.parts[0].lastPartial - 1);
        finishWindows(running, before);
    }
    window(running, index);
    return {};
}

void RowEngine::window(Running& running, int index) {
    const int turns = this->turns(running.job.share);
    for (int turn = 0; turn < turns; ++turn)
        this->turn(running, index, turn);
}

std::size_t RowEngine::takers(ShareId share) const {
    const TaskShare& task = *m_shares[share.index()].task;
    const MatrixWork* work = layer(task.layer).matrix();
    return std::max<std::size_t>(1, task.replicas.size()) * std::size_t(work ? work->window.spreadX : 1);
}

void RowEngine::turn(Running& running, int number) {
    const int turns = this->turns(running.job.share), index = number / turns;
    turn(running, index, number - index * turns);
}

void RowEngine::turn(Running& running, int index, int turn) {
    Share& share = m_shares[running.job.share.index()];
    const auto& members = m_members[running.job.share.index()];
    const int turns = share.turns;
    const PixelWindow& window = layer(share.task->layer).matrix()->window;
    const bool byPieces = m_pieces[running.job.share.index()].has_value();
    if (byPieces && index >= std::ssize(running.pieces))
        return; // all of the job has been read before
    const auto phase = std::size_t(
        byPieces || window.phases() == 1 ? 0 : window.phaseOf(running.job.y, running.job.span.begin + index));
    // Phases of neighbouring pixels have groups of their own: a replica takes one pixel of each before it is
    // the next one's turn.
    const ReplicaId replica =
        share.task->replicas[window.spreadX == 1 ? share.taker : share.taker / std::size_t(window.spreadX)];
    for (std::size_t member = 0; member < members.size(); ++member) {
        const std::vector<std::size_t>& groups = members[member].ofPhase[phase];
        // Members with fewer groups have a product in some turns only.
        const auto groupOf = [&](int at) {
            return std::ssize(groups) == turns ? at : int(at * std::ssize(groups) / turns);
        };
        const int group = groupOf(turn);
        if (groups.empty() || (turn > 0 && group == groupOf(turn - 1)))
            continue;
        if (byPieces)
            pieceProduct(running, member, groups[std::size_t(group)], running.pieces[std::size_t(index)],
                         replica);
        else
            product(running, member, groups[std::size_t(group)], index, replica);
    }
    if (turn + 1 == turns && ++share.taker == takers(running.job.share))
        share.taker = 0;
}

void RowEngine::product(Running& running, std::size_t number, std::size_t at, int index, ReplicaId replica) {
    const Share& share = m_shares[running.job.share.index()];
    const LayerId position = share.task->layer;
    const CrossbarLayer& l = layer(position);
    const Member& member = m_members[running.job.share.index()][number];
    Part& part = running.parts[number];
    const PixelWindow& all = l.matrix()->window;
    const int base = number == 0 ? 0 : member.outBegin;
    const int channels = number == 0 ? l.out.channels : member.outEnd - member.outBegin;
    const GroupPlace& place = member.places[at];
    const ArrayGroupShape& group = place.shape;
    const std::uint32_t sum = part.sums + std::uint32_t(index * channels + place.out - base) *
                                              std::uint32_t(m_result.program.accumulatorElements);
    const PixelWindow& w = place.window;
    const std::uint32_t vector =
        vectorFor(member, position, place, running.job.y / all.spreadY * w.strideY - w.padTop,
                  (running.job.span.begin + index) / all.spreadX * w.strideX - w.padLeft);
    std::uint32_t dst = sum;
    if (!member.first[at]) {
        Rings& rings = m_rings[member.core.index()];
        dst = takePartial(member.core, std::uint32_t(group.columns * m_result.program.accumulatorElements));
        Rings::Partial& pending = rings.pending.emplace_back(); // in place, see emit()
        pending.from = dst;
        pending.to = sum;
        pending.length = std::uint32_t(group.columns);
        pending.layer = position;
        pending.number = rings.nextPartial - 1;
        part.lastPartial = rings.nextPartial;
    }
    CrossbarInstruction& mvm = emit(member.core, CrossbarOpcode::Mvm, CrossbarStage::Main, position, dst,
                                    vector, std::uint32_t(group.rows));
    mvm.src2 = std::uint32_t(group.columns);
    mvm.index = std::uint32_t(share.mapping->number(replica, member.groups[at]).index());
    mvm.flags = CrossbarInstruction::kWideResult;
}

/// Where the rows of a group lie for the window, or piece of the input, that begins at row \p top and column
/// \p left: in the lane itself where they are side by side there, else they are brought together.
std::uint32_t RowEngine::vectorFor(const Member& member, LayerId position, const GroupPlace& place, int top,
                                   int left) {
    const CrossbarLayer& l = layer(position);
    const ArrayGroupShape& group = place.shape;
    const PixelWindow& w = place.window;
    const int base = place.base, width = place.width;
    Rings& rings = m_rings[member.core.index()];
    std::uint32_t vector = kNoRow; // taken when the first piece is brought
    const auto placeOf = [&](int row) {
        if (vector == kNoRow)
            vector = rings.vectors.take(std::uint32_t(group.rows));
        return vector + std::uint32_t(row - group.rowBegin);
    };
    const bool oneFeed = member.feeds.size() == 1;
    const Lane* only = oneFeed ? &m_lanes[member.feeds[0].lane] : nullptr;
    const bool sideBySide = only && only->channels() == width && w.dilationX == 1;
    const int end = group.rowBegin + group.rows, first = group.rowBegin / width; // place of the kernel
    int ky = first / w.kernelX, kx = first % w.kernelX, channel = group.rowBegin % width;
    for (int row = group.rowBegin, stop = row, places = 1; row < end; row = stop, channel = 0, kx += places) {
        if (kx >= w.kernelX) {
            kx = 0;
            ++ky;
        }
        const int y = top + ky * w.dilationY, column = left + kx * w.dilationX;
        const int rowOfKernel = (ky + 1) * w.kernelX * width;
        if (y < 0 || y >= l.in.height) { // above or below the map
            places = w.kernelX;
            stop = std::min(end, rowOfKernel);
            emit(member.core, CrossbarOpcode::Write, CrossbarStage::Input, position, placeOf(row), 0,
                 std::uint32_t(stop - row));
            continue;
        }
        if (sideBySide) {
            places = only->together(column);
            stop = std::min({end, rowOfKernel, row - channel + places * width});
            const std::uint32_t from = only->at(
                y, column, member.feeds[0].source.begin + base + channel - member.feeds[0].source.at);
            if (row == group.rowBegin && stop == end)
                return from;
            copy(member.core, CrossbarStage::Input, position, placeOf(row), from, std::uint32_t(stop - row));
            continue;
        }
        if (only && channel == 0) { // places of the kernel side by side in a row
            places = std::min(
                {w.kernelX - kx, (end - row) / width, (only->together(column) - 1) / w.dilationX + 1});
            if (places > 1) {
                stop = row + places * width;
                CrossbarInstruction& gathered =
                    emit(member.core, CrossbarOpcode::Copy, CrossbarStage::Input, position, placeOf(row),
                         only->at(y, column, member.feeds[0].source.begin + base - member.feeds[0].source.at),
                         std::uint32_t(places * width));
                gathered.peer = std::uint32_t(places);
                gathered.src2 = std::uint32_t(only->channels() * w.dilationX);
                continue;
            }
        }
        places = 1;
        stop = std::min(end, row - channel + width);
        for (const Feed& feed : member.feeds) { // channels [base + channel, base + channel + stop - row)
            const int begin = std::max(base + channel, feed.source.at),
                      last = std::min(base + channel + stop - row,
                                      feed.source.at + feed.source.end - feed.source.begin);
            if (last <= begin)
                continue;
            const std::uint32_t from =
                m_lanes[feed.lane].at(y, column, feed.source.begin + begin - feed.source.at);
            if (last - begin == group.rows)
                return from;
            copy(member.core, CrossbarStage::Input, position, placeOf(row + begin - base - channel), from,
                 std::uint32_t(last - begin));
        }
    }
    return vector;
}

/// Adds partial sums up, the oldest first, to number \p upTo: the youngest products are still under way.
void RowEngine::flushSums(CoreId core, std::uint64_t upTo) {
    auto& pending = m_rings[core.index()].pending;
    for (; !pending.empty() && pending.front().number <= upTo; pending.pop_front()) {
        const Rings::Partial& sum = pending.front();
        CrossbarInstruction& add =
            emit(core, CrossbarOpcode::Vec, CrossbarStage::Accumulate, sum.layer, sum.to, sum.to, sum.length);
        add.vec = VectorOp::Add;
        add.src2 = sum.from;
        add.flags = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
    }
}

/// For sums of other cores: which channels have one when theirs come.
void RowEngine::findStretches(ShareId share) {
    auto& members = m_members[share.index()];
    if (members.size() < 2)
        return;
    const TaskShare& task = *m_shares[share.index()].task;
    const MatrixWork& work = *layer(task.layer).matrix();
    // see clearUncovered(), openSums()
    const bool cleared = work.window.phases() > 1 || m_pieces[share.index()];
    std::vector<bool> covered(std::size_t(layer(task.layer).out.channels), cleared);
    for (Member& member : members) {
        for (int begin = member.outBegin, end = begin; begin < member.outEnd; begin = end) {
            while (end < member.outEnd && covered[std::size_t(end)] == covered[std::size_t(begin)])
                ++end;
            member.stretches.push_back({{begin, end}, covered[std::size_t(begin)]});
        }
        for (const GroupPlace& place : member.places) {
            const auto [begin, end] = outputChannels(work, place.shape);
            std::fill(covered.begin() + begin, covered.begin() + end, true);
        }
    }
}

/// Sums of another core come to the one that finishes, as many at once as there is room for.
void RowEngine::gather(Running& running, std::size_t number) {
    const LayerId position = m_shares[running.job.share.index()].task->layer;
    const auto& members = m_members[running.job.share.index()];
    const Member& member = members[number];
    const CoreId head = members[0].core;
    const int windows = running.job.span.size(), width = member.outEnd - member.outBegin;
    const int wide = m_result.program.accumulatorElements, room = int(running.receivedElements) / wide;
    const int windowsAtOnce = std::max(1, room / width), channelsAtOnce = std::min(width, room);
    for (int window = 0; window < windows; window += windowsAtOnce)
        for (int channel = 0; channel < width; channel += channelsAtOnce) {
            const int last = std::min(windows, window + windowsAtOnce),
                      end = std::min(width, channel + channelsAtOnce);
            const std::uint32_t from =
                running.parts[number].sums + std::uint32_t((window * width + channel) * wide);
            const auto length = std::uint32_t((last - window) * (end - channel));
            sendAcross(member.core, head, position, CrossbarStage::Gather, from, running.received, length,
                       true);
            addReceived(running, number, {window, last}, {member.outBegin + channel, member.outBegin + end});
        }
}

/// Channels that have a sum already are added to, others begin here.
void RowEngine::addReceived(Running& running, std::size_t number, ColumnSpan windows, ColumnSpan received) {
    constexpr std::uint8_t kWide = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
    const TaskShare& task = *m_shares[running.job.share.index()].task;
    const int channels = layer(task.layer).out.channels, wide = m_result.program.accumulatorElements;
    for (int window = windows.begin; window < windows.end; ++window)
        for (const auto& [stretch, added] : m_members[running.job.share.index()][number].stretches) {
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
            CrossbarInstruction& made = added ? emit(task.core, CrossbarOpcode::Vec, CrossbarStage::Gather,
                                                     task.layer, to, to, length)
                                              : emit(task.core, CrossbarOpcode::Copy, CrossbarStage::Gather,
                                                     task.layer, to, from, length);
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
    const LayerId layer = m_shares[running.job.share.index()].task->layer;
    const auto& members = m_members[running.job.share.index()];
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (running.parts[m].lastPartial > 0)
            flushSums(members[m].core, running.parts[m].lastPartial - 1);
        if (m > 0 && worksOnRow(members[m], layer, running.job.y))
            gather(running, m);
    }
    finishWindows(running, running.job.span.size());
    release(running);
    publish(running.job, *running.output);
    return {};
}

/// Bias and activation of the windows before \p end that have not had theirs.
void RowEngine::finishWindows(Running& running, int end) {
    const Share& share = m_shares[running.job.share.index()];
    const CrossbarLayer& l = layer(share.task->layer);
    const VectorOp function = l.activation.op;
    const LayerId position = share.task->layer;
    const CoreId core = share.task->core;
    const int begin = std::exchange(running.finished, end);
    const auto length = std::uint32_t((end - begin) * l.out.channels),
               before = std::uint32_t(begin * l.out.channels);
    const std::uint32_t out = running.output->address + before;
    CrossbarInstruction& finish =
        emit(core, CrossbarOpcode::Vec, CrossbarStage::Bias, position, out,
             running.parts[0].sums + before * std::uint32_t(m_result.program.accumulatorElements), length);
    finish.vec = finishesAtOnce(function) && function != VectorOp::None ? function : VectorOp::Scale;
    finish.flags = CrossbarInstruction::kWideSource;
    if (!finishesAtOnce(function))
        emit(core, CrossbarOpcode::Vec, CrossbarStage::Post, position, out, out, length).vec = function;
}

} // namespace pim
