// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When a DMA between WRAM and MRAM is through. Event by event: what the memory does between two DMAs costs nothing.
#include "backends/upmem/dpu/timing.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace pim::upmem {

struct MramCounts {
    std::int64_t reads = 0, writes = 0; ///< DMAs.
    std::int64_t readBytes = 0, writeBytes = 0;
    std::int64_t activations = 0; ///< Rows opened; 0 where rows are not modelled.
};

class MramEngine {
public:
    explicit MramEngine(const DpuTiming& timing);

    /// A DMA that reaches the engine in \p cycle; cycles never go back.
    void add(std::int64_t cycle, int tasklet, std::int64_t address, int bytes, bool isWrite);
    /// Of the DMAs that are through when the logic of \p cycle looks, takes the one that was first; -1: there is none.
    int take(std::int64_t cycle);
    /// The cycle in which take() gives the next one; no DMA under way: the greatest number.
    std::int64_t nextCycle();
    bool isIdle() const { return m_segments.empty() && m_done.empty() && m_pending == 0; }
    const MramCounts& counts() const { return m_counts; }

private:
    /// The part of a DMA in one row, access by access.
    struct Segment {
        std::int64_t row = 0;
        int accesses = 0;
        int dma = 0; ///< Place in m_dmas.
    };
    struct Dma {
        int tasklet = 0;
        int left = 0; ///< Accesses that are not served yet.
    };
    struct Done {
        int tasklet;
        std::int64_t at; ///< Compat: tick of the memory; hardware: cycle.
    };

    std::int64_t firstTick(std::int64_t cycle) const;
    std::int64_t cycleOf(std::int64_t tick) const;
    void schedule(std::int64_t untilTick);
    void serve(std::int64_t tick, Segment& segment);
    void access(std::int64_t arrives, int dma);

    DpuTiming m_timing;
    double m_ratio;
    MramCounts m_counts;
    std::deque<Segment> m_segments; ///< Not yet handed to the row buffer, first come first.
    std::vector<Dma> m_dmas;
    std::vector<int> m_freeDmas;
    std::deque<Done> m_done; ///< By time.
    int m_pending = 0;       ///< DMAs not yet in m_done.
    std::int64_t m_tick = 0; ///< Next of the scheduler.
    std::int64_t m_row = -1; ///< That the scheduler has asked for last.
    std::int64_t m_lastHanded = -1;
    std::int64_t m_lastActivation = -1'000'000,
                 m_lastAccess = -1'000'000; ///< Ticks at which the row buffer took them.
    double m_engineFree = 0;
};

} // namespace pim::upmem
