// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/rings.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {

ProductRings::ProductRings(const ScheduleInput& in, const RowShares& shares, Lanes& lanes,
                           ProgramWriter& writer, double roundBoundNs)
    : m_in(in), m_shares(shares), m_lanes(lanes), m_writer(writer), m_roundBoundNs(roundBoundNs),
      m_cores(std::size_t(in.chip.cores())) {
    for (const ShareId share : shares.ids())
        countProducts(shares[share], share);
    for (const LaneId lane : FirstIds<LaneId>(lanes.size()))
        at(lanes[lane].core).rows += lanes[lane].window;
}

void ProductRings::needForJob(CoreId core, std::int64_t elements) {
    at(core).job = std::max(at(core).job, elements);
}

void ProductRings::countSizes(const RowMember& member) {
    Core& core = at(member.core);
    for (const GroupPlace& place : member.places) {
        core.vectorSize = std::max(core.vectorSize, std::uint32_t(place.shape.rows));
        core.partialSize =
            std::max(core.partialSize, std::uint32_t(place.shape.columns * m_in.chip.accumulatorElements()));
    }
}

/// Deeper rings than products can be under way take the room of rows, which then come from global memory again, and
/// results pile up that are added all at once.
void ProductRings::countProducts(const RowShare& share, ShareId number) {
    for (const RowMember& member : share.members)
        countSizes(member);
    if (!share.matrix)
        return;
    const TaskShare& task = *share.task;
    const auto& placed = m_in.tasks.times[task.layer.index()];
    double windows = 0, part = placed.empty() ? 1 : 0; // of the round in which they are computed
    for (std::size_t y = 0; y < task.rows.size(); ++y) {
        windows += task.rows[y].size();
        if (!placed.empty()) {
            const RowTime& row = placed[m_shares.indexOf(number)][y];
            part += row.end - row.begin;
        }
    }
    if (part <= 0)
        return;
    windows /= m_in.layer(task.layer).matrix()->window.spreadX * task.rowPhases; // a product is of one phase
    for (const RowMember& member : share.members) {
        Core& core = at(member.core);
        const auto count = [&](Use& use, std::int64_t groups) {
            use.groups += groups * std::ssize(task.replicas);
            use.products += windows * double(groups) / part;
        };
        count(core.all, std::ssize(member.groups));
        core.products += windows * double(member.groups.size());
        // Of products that give sums of several windows all results are added to others.
        count(core.adding,
              share.pieces ? std::ssize(member.groups) : std::ranges::count(member.first, false));
    }
}

/// What is issued while one computes. No more than the core has array groups, which compute one product each, and the
/// one that comes next. HT, where rows and rings together find no room in half of the memory: nor than the products
/// of the shortest round are under way on average, and some, as they do not come evenly. [measured by the profiler,
/// five networks on six chips, products of 4000 ns, a stage for every layer: 10 % slower with all that is issued, 3 %
/// with as many as the core has array groups; 2 or 4 instead of 3 by 0.2 %. ViT on ISAAC, whose tokens take little
/// room, is a sixth slower where pace alone counts]
std::int64_t ProductRings::mostUnderWay(const Core& core, const Use& use) const {
    constexpr double kUneven = 3, kRoom = 0.5;
    const double issued = std::ceil(m_in.chip.mvmNs / m_in.chip.mvmIssueNs) + 1;
    const double most = std::min(issued, double(use.groups + 1));
    if (m_in.lowLatency())
        return std::int64_t(most);
    const double paced = std::ceil(use.products * m_in.chip.mvmNs / m_roundBoundNs) + kUneven;
    const double room = kRoom * double(m_lanes.memory(CoreId(0)).capacity()) - double(core.rows);
    return std::int64_t(std::min(most, std::max(paced, room / double(core.vectorSize + core.partialSize))));
}

Result<void> ProductRings::take(CoreId core, LayerId layer) {
    constexpr double kInstructionsAProduct = 3; // mostly fewer; what is not used takes addresses alone
    Core& rings = at(core);
    if (rings.vectors.elements > 0)
        return {};
    const std::int64_t room = m_lanes.memory(core).capacity() /
                              (std::int64_t(m_in.options.ringShare) * memoryShares(m_in.options, core).ring);
    const auto slots = [&](std::uint32_t size, std::int64_t most) {
        return std::uint32_t(std::clamp<std::int64_t>(room / size, 1, most));
    };
    std::uint32_t vectorSlots = slots(rings.vectorSize, mostUnderWay(rings, rings.all));
    // Where products hide vector work, results are added up at once, before the next product.
    rings.mostPartials = m_writer.clocks().drains() ? 1 : mostUnderWay(rings, rings.adding);
    std::uint32_t partialSlots = slots(rings.partialSize, rings.mostPartials);
    // No job that finds no room. Gaps are left over. [measured: with 0.85 in HT samples are 0.7 % longer, 21 cases]
    constexpr double kUsable = 0.9;
    const double taken = double(rings.vectorSize) * vectorSlots + double(rings.partialSize) * partialSlots,
                 free = double(m_lanes.memory(core).capacity()) * kUsable - double(rings.job);
    for (std::uint32_t* const count : {&vectorSlots, &partialSlots})
        *count = std::uint32_t(std::clamp(*count * free / taken, 1.0, double(*count)));
    m_writer.program().cores[core.index()].reserve(std::size_t(kInstructionsAProduct * rings.products));
    for (auto [ring, elements] : {std::pair(&rings.vectors, rings.vectorSize * vectorSlots),
                                  std::pair(&rings.partials, rings.partialSize * partialSlots)}) {
        PIM_TRY(ring->begin, m_lanes.take(core, elements, layer));
        ring->elements = elements;
    }
    return {};
}

std::uint32_t ProductRings::takePartial(CoreId core, std::uint32_t elements) {
    Core& rings = at(core);
    Ring& ring = rings.partials;
    const auto& pending = rings.pending;
    const auto flushWhile = [&](auto inTheWay) {
        while (!pending.empty() && inTheWay(pending.front()))
            flush(core, pending.front().number);
    };
    if (ring.wraps(elements)) // what lies in the rest of the ring is older than what lies in front of it
        flushWhile([from = ring.begin + ring.next](const Partial& oldest) { return oldest.from >= from; });
    const std::uint32_t to = ring.take(elements);
    flushWhile([&](const Partial& oldest) {
        return std::int64_t(rings.nextPartial - oldest.number) >= rings.mostPartials ||
               (oldest.from >= to && oldest.from < to + elements);
    });
    ++rings.nextPartial;
    return to;
}

void ProductRings::addLater(CoreId core, const Waiting& part) {
    Partial& waiting = at(core).pending.emplace_back(); // in place, see ProgramWriter::emit()
    waiting.from = part.from;
    waiting.to = part.to;
    waiting.length = part.length;
    waiting.layer = part.layer;
    waiting.number = at(core).nextPartial - 1;
}

void ProductRings::flush(CoreId core, std::uint64_t upTo) {
    auto& pending = at(core).pending;
    for (; !pending.empty() && pending.front().number <= upTo; pending.pop_front()) {
        const Partial& sum = pending.front();
        CrossbarInstruction& add = m_writer.emit({core, sum.layer, CrossbarStage::Accumulate},
                                                 CrossbarOpcode::Vec, sum.to, sum.to, sum.length);
        add.vec = VectorOp::Add;
        add.src2 = sum.from;
        add.flags = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
    }
}

} // namespace pim
