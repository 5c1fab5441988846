// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What no code of a draft can avoid on DRAM with processing units, for KernelPricer::boundNs: different bytes that cross
/// the bus of the fullest group, however well they are broadcast, and refreshes. Flow: kernel -> [UnavoidableTraffic];
/// draft summary -> bursts.
#include "backends/dram_pim/machine.h"
#include "core/plan/plan.h"

namespace pim::dram {

class UnavoidableTraffic {
public:
    UnavoidableTraffic(const TilingSpace& space, const std::vector<Residency>& residency,
                       std::int64_t burstBytes);

    /// Sizes of a summary are exact, and one group has all the largest ones, where every index is one loop as it is.
    /// Elsewhere nothing is known of bytes.
    bool isExact() const { return m_exact; }
    /// Bursts that hold the different elements the fullest group needs of a tensor (of a resident one too). 0 where
    /// sizes are not exact.
    double groupBursts(const DraftSummary& draft, int tensor) const { return bursts(draft, tensor, true); }
    /// The same of the core with the largest tile.
    double tileBursts(const DraftSummary& draft, int tensor) const { return bursts(draft, tensor, false); }
    /// Of streamed inputs, and of outputs.
    double inputBursts(const DraftSummary& draft) const;
    double outputBursts(const DraftSummary& draft) const;
    bool isStreamed(int tensor) const;

private:
    double bursts(const DraftSummary& draft, int tensor, bool ofGroup) const;

    const TilingSpace& m_space;
    std::vector<Residency> m_residency;
    std::int64_t m_burstBytes;
    bool m_exact = true;
};

/// Cycles of a channel that nothing but a refresh interrupts, with the refreshes that fall due meanwhile: one an interval, of
/// which four at most are put off, fall behind the end or are lost to rounding.
class UnavoidableRefresh {
public:
    UnavoidableRefresh(const Cycles& cycles, bool refreshes);
    double with(double work) const;

private:
    double m_refresh = 0, m_interval = 0; ///< Cycles; 0: nothing is refreshed.
};

} // namespace pim::dram
