// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Collects what the units of a chip did into a Timeline. Internal to backends/dual_mode/flow.
#include "core/timeline/timeline.h"

#include <vector>

namespace pim {

enum FlowSpanKind : std::uint16_t {
    kSpanCompute,
    kSpanMemoryIn,
    kSpanMemoryOut,
    kSpanToMemory,
    kSpanToCompute,
    kSpanRewrite,
    kSpanIdle,
    kSpanTransfer,
    kSpanVector,
};

/// Cycles.
struct FlowSpan {
    double start = 0, end = 0;
    std::uint16_t kind = 0;
    std::uint32_t label = 0;
};

class TimelineLog {
public:
    /// \param most Spans that are drawn; beyond it neighbours are joined until half of it is left.
    TimelineLog(int arrays, double cycleNs, std::size_t most = 8'000'000);

    std::uint32_t addLabel(std::string text, int op);
    /// Blocks beyond what a span can name carry no band.
    void beginBlock(std::string name, double cycle);
    void endBlock(double cycle);

    void add(int track, const FlowSpan& span);
    /// Spans of one unit, sorted and apart, on all \p tracks. More than \p most are drawn as that many
    /// stretches, each with the right share of every kind: an array that waits for bytes thousands of times
    /// is a grey to look at anyway.
    void add(const std::vector<int>& tracks, const std::vector<FlowSpan>& spans, std::size_t most);

    int busTrack() const { return m_arrays; }
    int vectorTrack() const { return m_arrays + 1; }
    Timeline finish(double cycles);
    /// Shorter spans are joined within stretches of so long; 0: none have been.
    double stretchNs() const { return m_stretchNs; }

private:
    void thin();
    void join();

    int m_arrays;
    double m_cycleNs;
    std::size_t m_most;
    Timeline m_timeline;
    double m_stretchNs = 0;
};

} // namespace pim
