// SPDX-License-Identifier: GPL-3.0-or-later
// The row buffer is a queue: what it takes when follows from what it took before. A memory clock of uPIMulator 870d916: the
// scheduler hands on one access (or, for a new row, closing, opening and access), the row buffer takes the first waiting one it
// can. An access keeps the row buffer for tCL and the bus after it for tBL.
#include "backends/upmem/dpu/mram_engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pim::upmem {
namespace {
constexpr std::array<std::string_view, 2> kPresets{"upimulator-compat", "hardware"};
}

std::string_view name(DpuPreset preset) {
    return kPresets[std::size_t(preset)];
}

std::optional<DpuPreset> dpuPresetNamed(std::string_view text) {
    const auto found = std::ranges::find(kPresets, text);
    return found == kPresets.end() ? std::nullopt : std::optional(DpuPreset(found - kPresets.begin()));
}

DpuTiming dpuTiming(DpuPreset preset, double logicMHz) {
    DpuTiming timing;
    timing.preset = preset;
    timing.logicMHz = logicMHz;
    if (preset == DpuPreset::UpimulatorCompat)
        timing.wramBytes = 128 << 10;
    return timing;
}

MramEngine::MramEngine(const DpuTiming& timing)
    : m_timing(timing), m_ratio(timing.memoryMHz / timing.logicMHz) {}

/// Cycle c holds the ticks from here to the same of c + 1.
std::int64_t MramEngine::firstTick(std::int64_t cycle) const {
    return static_cast<std::int64_t>(std::floor(m_ratio * double(cycle - 1))) -
           static_cast<std::int64_t>(std::floor(-m_ratio));
}

std::int64_t MramEngine::cycleOf(std::int64_t tick) const {
    auto cycle = static_cast<std::int64_t>(double(tick) / m_ratio);
    while (firstTick(cycle + 1) <= tick)
        ++cycle;
    while (firstTick(cycle) > tick)
        --cycle;
    return cycle;
}

void MramEngine::add(std::int64_t cycle, int tasklet, std::int64_t address, int bytes, bool isWrite) {
    ++(isWrite ? m_counts.writes : m_counts.reads);
    (isWrite ? m_counts.writeBytes : m_counts.readBytes) += bytes;
    if (m_timing.preset == DpuPreset::Hardware) {
        const double begin = std::max(double(cycle), m_engineFree);
        const double transfer = m_timing.cyclesPerByte * bytes;
        m_engineFree = begin + m_timing.engineCycles + transfer;
        const double end = begin + (isWrite ? m_timing.writeCycles : m_timing.readCycles) + transfer;
        const Done done{tasklet, static_cast<std::int64_t>(std::ceil(end))};
        m_done.insert(std::ranges::upper_bound(m_done, done.at, {}, &Done::at), done);
        return;
    }
    schedule(firstTick(cycle));
    int place = 0;
    if (m_freeDmas.empty()) {
        place = int(m_dmas.size());
        m_dmas.emplace_back();
    } else {
        place = m_freeDmas.back();
        m_freeDmas.pop_back();
    }
    m_dmas[std::size_t(place)] = {tasklet, 0};
    ++m_pending;
    for (std::int64_t at = address, end = address + bytes; at < end;) {
        const std::int64_t row = at / m_timing.rowBytes;
        const std::int64_t stop = std::min(end, (row + 1) * m_timing.rowBytes);
        const int accesses = int((stop - at + m_timing.accessBytes - 1) / m_timing.accessBytes);
        m_segments.push_back({row, accesses, place});
        m_dmas[std::size_t(place)].left += accesses;
        at = stop;
    }
    m_tick = std::max(m_tick, firstTick(cycle)); // it may have been idle
}

/// What the scheduler does before \p untilTick.
void MramEngine::schedule(std::int64_t untilTick) {
    for (; m_tick < untilTick && !m_segments.empty(); ++m_tick) {
        auto chosen = std::ranges::find(m_segments, m_row, &Segment::row); // first ready, else first come
        if (chosen == m_segments.end())
            chosen = m_segments.begin();
        serve(m_tick, *chosen);
        if (--chosen->accesses == 0)
            m_segments.erase(chosen);
    }
    if (m_segments.empty())
        m_tick = std::max(m_tick, untilTick);
}

void MramEngine::serve(std::int64_t tick, Segment& segment) {
    // Commands go to the row buffer one a tick, from the tick after this one on.
    std::int64_t arrives = std::max(m_lastHanded, tick) + 1;
    if (segment.row != m_row) {
        std::int64_t opens = arrives;
        if (m_row >= 0) {
            const std::int64_t closes = std::max({arrives, m_lastAccess + m_timing.tCl + m_timing.tBl + 1,
                                                  m_lastActivation + m_timing.tRas + 1});
            opens = std::max(++arrives, closes + m_timing.tRp + 1);
        }
        ++arrives;
        m_lastActivation = opens;
        ++m_counts.activations;
        m_row = segment.row;
    }
    m_lastHanded = arrives;
    access(arrives, segment.dma);
}

void MramEngine::access(std::int64_t arrives, int dma) {
    m_lastAccess = std::max({arrives, m_lastAccess + m_timing.tCl + 1, m_lastActivation + m_timing.tRcd + 1});
    Dma& served = m_dmas[std::size_t(dma)];
    if (--served.left > 0)
        return;
    m_done.push_back({served.tasklet, m_lastAccess + m_timing.tCl + m_timing.tBl + 1});
    m_freeDmas.push_back(dma);
    --m_pending;
}

int MramEngine::take(std::int64_t cycle) {
    if (m_timing.preset == DpuPreset::Hardware) {
        if (m_done.empty() || m_done.front().at > cycle)
            return -1;
    } else {
        schedule(firstTick(cycle));
        // Through in one cycle, seen by the DMA unit in the next, by the logic in the one after that.
        if (m_done.empty() || cycleOf(m_done.front().at) + 2 > cycle)
            return -1;
    }
    const int tasklet = m_done.front().tasklet;
    m_done.pop_front();
    return tasklet;
}

std::int64_t MramEngine::nextCycle() {
    // Nothing arrives before the next one is through, so the scheduler may run ahead until one is.
    while (m_done.empty() && !m_segments.empty())
        schedule(m_tick + 1);
    if (m_done.empty())
        return std::numeric_limits<std::int64_t>::max();
    return m_timing.preset == DpuPreset::Hardware ? m_done.front().at : cycleOf(m_done.front().at) + 2;
}

} // namespace pim::upmem
