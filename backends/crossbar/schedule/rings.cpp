// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <cmath>

namespace pim {

/// Deeper rings than products can be under way take the room of rows, which then come from global memory
/// again, and results pile up that are added all at once.
void RowEngine::countProducts(ShareId number) {
    const Share& share = m_shares[number.index()];
    if (!share.matrix)
        return;
    const TaskShare& task = *share.task;
    const auto& placed = m_tasks.times[task.layer.index()];
    double windows = 0, part = placed.empty() ? 1 : 0; // of the round in which they are computed
    for (std::size_t y = 0; y < task.rows.size(); ++y) {
        windows += task.rows[y].size();
        if (!placed.empty()) {
            const RowTime& row = placed[indexOf(number)][y];
            part += row.end - row.begin;
        }
    }
    if (part <= 0)
        return;
    windows /= layer(task.layer).matrix()->window.spreadX * task.rowPhases; // a product is of one phase
    for (const Member& member : m_members[number.index()]) {
        Rings& rings = m_rings[member.core.index()];
        const auto count = [&](Rings::Use& use, std::int64_t groups) {
            use.groups += groups * std::ssize(task.replicas);
            use.products += windows * double(groups) / part;
        };
        count(rings.all, std::ssize(member.groups));
        rings.products += windows * double(member.groups.size());
        // Of products that give sums of several windows all results are added to others.
        count(rings.adding,
              m_pieces[number.index()] ? std::ssize(member.groups) : std::ranges::count(member.first, false));
    }
}

/// What a job in the middle of the map, where nothing it reads is padding, takes in each of its cores at once.
void RowEngine::countElements(ShareId number) {
    const Share& share = m_shares[number.index()];
    if (!share.matrix || share.jobs.empty())
        return;
    const RowJob& job = share.jobs[share.jobs.size() / 2];
    const Running running = plan(job);
    const auto& members = m_members[number.index()];
    for (std::size_t m = 0; m < members.size(); ++m) {
        std::int64_t elements = std::int64_t(running.elements(m));
        for (const Feed& feed : members[m].feeds) {
            const Lane& lane = m_lanes[feed.lane];
            const InputWindow window = windowOf(layer(share.task->layer), layer(feed.source.layer).out,
                                                feed.input, job.y, job.span, &members[m]);
            elements += std::int64_t(window.rowEnd - window.rowBegin + window.rowStep - 1) / window.rowStep *
                        window.columns.size() * lane.channels();
        }
        Rings& rings = m_rings[members[m].core.index()];
        rings.job = std::max(rings.job, elements);
    }
}

/// What is issued while one computes. No more than the core has array groups, which compute one product each,
/// and the one that comes next. HT, where rows and rings together find no room in half of the memory: nor
/// than the products of the shortest round are under way on average, and some, as they do not come evenly.
/// [measured by the profiler, five networks on six chips, products of 4000 ns, a stage for every layer: 10 %
/// slower with all that is issued, 3 % with as many as the core has array groups; 2 or 4 instead of 3 by 0.2
/// %. ViT on ISAAC, whose tokens take little room, is a sixth slower where pace alone counts]
std::int64_t RowEngine::mostUnderWay(const Rings& rings, const Rings::Use& use) {
    constexpr double kUneven = 3, kRoom = 0.5;
    const double issued = std::ceil(m_chip.mvmNs / m_chip.mvmIssueNs) + 1;
    const double most = std::min(issued, double(use.groups + 1));
    if (lowLatency())
        return std::int64_t(most);
    const double paced = std::ceil(use.products * m_chip.mvmNs / roundBoundNs()) + kUneven;
    const double room = kRoom * double(m_lanes.memory(CoreId(0)).capacity()) - double(rings.rows);
    return std::int64_t(std::min(most, std::max(paced, room / double(rings.vectorSize + rings.partialSize))));
}

Result<void> RowEngine::takeRings(CoreId core, LayerId layer) {
    constexpr double kInstructionsAProduct = 3; // mostly fewer; what is not used takes addresses alone
    Rings& rings = m_rings[core.index()];
    if (rings.vectors.elements > 0)
        return {};
    const std::int64_t room =
        m_lanes.memory(core).capacity() / (std::int64_t(m_options.ringShare) * memoryShares(core).ring);
    const auto slots = [&](std::uint32_t size, std::int64_t most) {
        return std::uint32_t(std::clamp<std::int64_t>(room / size, 1, most));
    };
    std::uint32_t vectorSlots = slots(rings.vectorSize, mostUnderWay(rings, rings.all));
    // Where products hide vector work, results are added up at once, before the next product.
    rings.mostPartials = m_clocks.drains() ? 1 : mostUnderWay(rings, rings.adding);
    std::uint32_t partialSlots = slots(rings.partialSize, rings.mostPartials);
    // No job that finds no room. Gaps are left over. [measured: with 0.85 in HT samples are 0.7 % longer, 21 cases]
    constexpr double kUsable = 0.9;
    const double taken = double(rings.vectorSize) * vectorSlots + double(rings.partialSize) * partialSlots,
                 free = double(m_lanes.memory(core).capacity()) * kUsable - double(rings.job);
    for (std::uint32_t* const count : {&vectorSlots, &partialSlots})
        *count = std::uint32_t(std::clamp(*count * free / taken, 1.0, double(*count)));
    m_result.program.cores[core.index()].reserve(std::size_t(kInstructionsAProduct * rings.products));
    for (auto [ring, elements] : {std::pair(&rings.vectors, rings.vectorSize * vectorSlots),
                                  std::pair(&rings.partials, rings.partialSize * partialSlots)}) {
        PIM_TRY(ring->begin, m_lanes.take(core, elements, layer));
        ring->elements = elements;
    }
    return {};
}

/// Room for a result that is added to sums later: what lay there is added up before, and the oldest where as many
/// wait as may. Large and small array groups of a core share the ring: small results do not take the room of large ones.
std::uint32_t RowEngine::takePartial(CoreId core, std::uint32_t elements) {
    Rings& rings = m_rings[core.index()];
    Ring& ring = rings.partials;
    const auto& pending = rings.pending;
    const auto flushWhile = [&](auto inTheWay) {
        while (!pending.empty() && inTheWay(pending.front()))
            flushSums(core, pending.front().number);
    };
    if (ring.wraps(elements)) // what lies in the rest of the ring is older than what lies in front of it
        flushWhile(
            [from = ring.begin + ring.next](const Rings::Partial& oldest) { return oldest.from >= from; });
    const std::uint32_t to = ring.take(elements);
    flushWhile([&](const Rings::Partial& oldest) {
        return std::int64_t(rings.nextPartial - oldest.number) >= rings.mostPartials ||
               (oldest.from >= to && oldest.from < to + elements);
    });
    ++rings.nextPartial;
    return to;
}

} // namespace pim
