// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a pseudo-channel of an HBM-PIM machine does for one draft, and how long it takes: the predicted
/// price. The plan is the one that code is made from, the clocks come from the distances that the device has.
/// Flow: kernel + draft -> [ChannelModel] -> price.
#include "backends/dram_pim/lower_bound.h"
#include "backends/hbm_pim/code_streams.h"
#include "core/rearrange/movement.h"

namespace pim::hbm {

/// Clocks of the phases of code_streams.h.
struct PhaseTicks {
    double input = 0, modeOn = 0, compute = 0, modeOff = 0, output = 0;
    double total() const { return input + modeOn + compute + modeOff + output; }
};
/// No refresh. \param cores blocks of a group that work.
PhaseTicks phaseTicks(const CodePlan& plan, const MapFunction& function, int cores);

/// With the refreshes that fall due, which go out when no row is open: between rows that the host accesses,
/// between sweeps.
PhaseTicks withRefresh(const PhaseTicks& ticks, const CodePlan& plan, int cores);

/// The faster one of the forms that fit; the first of them if none does.
CodePlan planOf(const DotTask& task, const Machine& machine);

struct ChannelWork {
    CodePlan plan;
    PhaseTicks ticks;   ///< With refresh, if the target refreshes.
    double mergeNs = 0; ///< Additions of the host that make results of partial ones.
};

class ChannelModel {
public:
    /// \p target has to be one that Machine::of takes.
    ChannelModel(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 const CodePasses& passes = {});
    ChannelWork of(const DraftSummary& draft) const;
    /// Clocks that no code of the draft goes below: changes of modes, sweeps, rows of results, and what crosses the bus.
    double boundTicks(const DraftSummary& draft, const dram::UnavoidableTraffic& traffic) const;

private:
    DotTask dotTaskOf(const DraftSummary& draft) const;
    CodePlan planOf(const DraftSummary& draft) const;
    double mergeNs(const CodePlan& plan, const DraftSummary& draft) const;

    const TilingSpace& m_space;
    Machine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    MapFunction m_function;
    MapTask m_map;
    int m_output = -1;
    double m_hostAddsPerNs = 0;
    bool m_refreshes = false;
};

} // namespace pim::hbm
