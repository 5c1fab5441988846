// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of matrix layers, window by window.
#include "backends/crossbar/schedule/running.h"

#include <algorithm>

namespace pim {

std::vector<RowEngine::Part> RowEngine::partsOf(const RowJob& job) const {
    const int outChannels = m_in.layer(m_shares[job.share].task->layer).out.channels;
    std::vector<Part> parts;
    for (const RowMember& member : m_shares[job.share].members) {
        const int channels = parts.empty() ? outChannels : member.outEnd - member.outBegin;
        parts.push_back({.sumElements = std::uint32_t(job.span.size() * channels * m_wide)});
    }
    return parts;
}

RowEngine::Running RowEngine::plan(const RowJob& job) const {
    Running running;
    running.job = job;
    running.parts = partsOf(job);
    for (std::size_t m = 1; m < running.parts.size(); ++m)
        running.receivedElements = std::max(running.receivedElements, running.parts[m].sumElements);
    if (const auto& pieces = m_shares[job.share].pieces)
        running.pieces = pieces->of(job.y, job.span);
    const std::uint32_t most =
        std::max(m_lanes.memory(CoreId(0)).capacity() / std::uint32_t(m_in.options.memoryShare),
                 std::uint32_t(m_wide));
    running.receivedElements = std::min(running.receivedElements, most);
    return running;
}

Result<void> RowEngine::begin(Running& running, bool sumsFirst) {
    Pieces* const kept = m_in.lowLatency() ? nullptr : &running.kept;
    if (!sumsFirst)
        PIM_CHECK(bringAll(running.job, kept));
    const auto& members = m_shares[running.job.share].members;
    const LayerId position = m_shares[running.job.share].task->layer;
    for (const RowMember& member : members)
        if (sumsFirst)
            m_lanes.clear(member.core);
    const auto take = [&](CoreId core, std::uint32_t elements) -> Result<std::uint32_t> {
        PIM_TRY(const std::uint32_t address, m_lanes.take(core, elements, position));
        running.taken.push_back({core, address, elements});
        return address;
    };
    const bool byPieces = m_shares[running.job.share].pieces.has_value();
    for (std::size_t m = 0; m < members.size(); ++m) {
        PIM_CHECK(m_rings.take(members[m].core, position));
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
    if (m_in.layer(position).matrix()->window.phases() > 1)
        for (std::size_t m = 0; m < members.size(); ++m)
            clearUncovered(running, m);
    return {};
}

Result<void> RowEngine::openFor(Running& running) {
    PIM_TRY(running.output, openOutput(running.job));
    if (const LaneId lane = m_shares[running.job.share].outLane; lane.valid())
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
    const RowShare& share = m_shares[running.job.share];
    const int x = running.job.span.begin + index;
    int before = index; // windows whose products are all issued
    if (!share.pieces) {
        PIM_CHECK(bringAll({running.job.share, running.job.y, {x, x + 1}}));
    } else if (running.pieces.empty()) {
        return {};
    } else {
        const InputPiece& piece = running.pieces[std::size_t(index)];
        before = piece.window - running.job.span.begin;
        PIM_CHECK(bringPiece(running.job.share, piece));
    }
    // Where products hide vector work, the last window hides what is left to do for those before.
    const bool hides = m_writer.clocks().drains() && before > 0 && index + 1 == share.steps(running.job) &&
                       running.parts.size() == 1;
    if (hides) {
        PIM_CHECK(openFor(running));
        if (running.parts[0].lastPartial > 0)
            m_rings.flush(share.members[0].core, running.parts[0].lastPartial - 1);
        finishWindows(running, before);
    }
    window(running, index);
    return {};
}

void RowEngine::window(Running& running, int index) {
    const int turns = m_shares.turns(running.job.share);
    for (int turn = 0; turn < turns; ++turn)
        this->turn(running, index, turn);
}

void RowEngine::turn(Running& running, int number) {
    const int turns = m_shares.turns(running.job.share), index = number / turns;
    turn(running, index, number - index * turns);
}

void RowEngine::turn(Running& running, int index, int turn) {
    RowShare& share = m_shares[running.job.share];
    const auto& members = m_shares[running.job.share].members;
    const int turns = share.turns;
    const PixelWindow& window = m_in.layer(share.task->layer).matrix()->window;
    const bool byPieces = m_shares[running.job.share].pieces.has_value();
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
    if (turn + 1 == turns && ++share.taker == m_shares.takers(running.job.share))
        share.taker = 0;
}

void RowEngine::product(Running& running, std::size_t number, std::size_t at, int index, ReplicaId replica) {
    const RowShare& share = m_shares[running.job.share];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const RowMember& member = share.members[number];
    Part& part = running.parts[number];
    const PixelWindow& all = l.matrix()->window;
    const int base = number == 0 ? 0 : member.outBegin;
    const int channels = number == 0 ? l.out.channels : member.outEnd - member.outBegin;
    const GroupPlace& place = member.places[at];
    const std::uint32_t sum =
        part.sums + std::uint32_t(index * channels + place.out - base) * std::uint32_t(m_wide);
    const PixelWindow& w = place.window;
    const std::uint32_t vector =
        vectorFor(member, share.task->layer, place, running.job.y / all.spreadY * w.strideY - w.padTop,
                  (running.job.span.begin + index) / all.spreadX * w.strideX - w.padLeft);
    std::uint32_t dst = sum;
    if (!member.first[at]) {
        const auto columns = std::uint32_t(place.shape.columns);
        dst = m_rings.takePartial(member.core, columns * std::uint32_t(m_wide));
        m_rings.addLater(member.core, {dst, sum, columns, share.task->layer});
        part.lastPartial = m_rings.taken(member.core);
    }
    issue(share, member, at, replica, dst, vector);
}

void RowEngine::issue(const RowShare& share, const RowMember& member, std::size_t at, ReplicaId replica,
                      std::uint32_t dst, std::uint32_t vector) {
    const ArrayGroupShape& group = member.places[at].shape;
    CrossbarInstruction& mvm = m_writer.emit({member.core, share.task->layer, CrossbarStage::Main},
                                             CrossbarOpcode::Mvm, dst, vector, std::uint32_t(group.rows));
    mvm.src2 = std::uint32_t(group.columns);
    mvm.index = std::uint32_t(share.mapping->number(replica, member.groups[at]).index());
    mvm.flags = CrossbarInstruction::kWideResult;
}

} // namespace pim
