// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/segment_table.h"

namespace pim {

SegmentTable::SegmentTable(const DualModeChip& chip, const DualModeOptions& options) : m_allocated(1) {
    m_empty.arrays = chip.arrays;
    m_empty.arrayBytesPerCycle = chip.arrayBytesPerCycle;
    m_empty.mainBytesPerCycle = chip.mainBytesPerCycle;
    m_empty.duplication = options.duplication;
    m_empty.mainBandwidth = options.mainBandwidth;
}

int SegmentTable::step(const Kind& kind) {
    const auto [known, added] = m_kinds.try_emplace(kind, m_steps);
    m_steps += added ? 1 : 0;
    return known->second;
}

int SegmentTable::fedBy(int step, int back) {
    const auto [known, added] = m_fed.try_emplace(pairOf(step, back), m_steps);
    m_steps += added ? 1 : 0;
    return known->second;
}

int SegmentTable::longer(int stretch, int step) {
    const auto [known, added] =
        m_longer.try_emplace(pairOf(stretch, step), static_cast<int>(m_allocated.size()));
    if (added)
        m_allocated.emplace_back();
    return known->second;
}

const std::shared_ptr<const Allocation>& SegmentTable::fastest(int stretch, int shorter, Way way,
                                                               const AllocationProblem& problem) {
    Allocated& found = m_allocated[static_cast<std::size_t>(stretch)][way];
    if (!found.known) {
        found.known = true;
        // An operator more takes arrays and bandwidth from the others and gives them none.
        const auto& before = m_allocated[static_cast<std::size_t>(shorter)][way].allocation;
        if (auto made = fastestAllocation(problem, before ? before->latency : 0, m_scratch))
            found.allocation = std::make_shared<const Allocation>(*std::move(made));
    }
    return found.allocation;
}

} // namespace pim
