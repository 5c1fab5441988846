// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The fastest allocations of stretches of sub-operators, by what they depend on: what the allocation knows of each sub-operator,
/// and which of the others feed it. Repeated layers of a network, its cuts by other caps, and the strategies have most stretches in
/// common. Flow: SegmentPrices -> [SegmentTable] -> allocation.
#include "backends/dual_mode/segmentation.h"

#include <array>
#include <memory>
#include <unordered_map>

namespace pim {

/// Of one chip and one DualModeOptions, but for strategy and borders. Not thread-safe.
class SegmentTable {
public:
    SegmentTable(const DualModeChip& chip, const DualModeOptions& options);

    /// All that an allocation knows of a sub-operator.
    struct Kind {
        int minArrays = 0;
        double computeWork = 0, traffic = 0, weightBytes = 0;
        int edgeCap = 0; ///< Arrays that can take its output and feed another.
        std::optional<int> pinnedCompute, pinnedMemory;
        friend auto operator<=>(const Kind&, const Kind&) = default;
    };
    /// How the arrays of a stretch may be used.
    enum Way : std::uint8_t { WithMemory, ComputeOnly, OneCopy };

    /// A number for sub-operators of that kind that nothing feeds.
    int step(const Kind& kind);
    /// A number for sub-operators like \p step that are also fed by the one \p back before; in ascending order.
    int fedBy(int step, int back);
    /// A number for \p stretch (0: nothing yet) and then a sub-operator like \p step.
    int longer(int stretch, int step);

    /// Of \p stretch, which is \p shorter and one sub-operator more, and which \p problem describes; null where it does not fit.
    const std::shared_ptr<const Allocation>& fastest(int stretch, int shorter, Way way,
                                                     const AllocationProblem& problem);
    /// An allocation problem of the chip, without operators.
    AllocationProblem problem() const { return m_empty; }
    AllocationScratch& scratch() { return m_scratch; }

private:
    struct Allocated {
        bool known = false;
        std::shared_ptr<const Allocation> allocation;
    };
    using Steps = std::unordered_map<std::uint64_t, int>;
    static std::uint64_t pairOf(int a, int b) {
        return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
    }

    AllocationProblem m_empty;
    AllocationScratch m_scratch;
    std::map<Kind, int> m_kinds;
    int m_steps = 0;
    Steps m_fed, m_longer;
    std::vector<std::array<Allocated, 3>> m_allocated; ///< [stretch][way]
};

} // namespace pim
