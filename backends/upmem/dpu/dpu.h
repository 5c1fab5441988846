// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One DPU: its memories, and an engine that runs a program in them cycle by cycle and on numbers. Stretches in which nothing can
/// happen are skipped. Flow: DpuProgram, data -> [Dpu::run] -> DpuRun, data.
#include "backends/upmem/dpu/isa.h"
#include "backends/upmem/dpu/mram_engine.h"
#include "core/base/task.h"

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

namespace pim::upmem {

/// What the time of one tasklet went into, cycles; adds up to DpuRun::cycles.
struct TaskletTime {
    std::int64_t issued = 0;   ///< One cycle for each instruction.
    std::int64_t revolver = 0; ///< Within 11 cycles of its last instruction.
    std::int64_t ready = 0;    ///< Could have issued: another tasklet did, or the pipeline was held up.
    std::int64_t dma = 0;
    std::int64_t asleep = 0; ///< Stopped until another tasklet wakes it, not begun, or ended.
};

/// A stretch in which a tasklet did one thing, for pictures.
struct TaskletSpan {
    enum class Kind : std::uint8_t { Running, Dma, Asleep };
    std::int64_t begin = 0, end = 0; ///< Cycles, [begin, end).
    int tasklet = 0;
    Kind kind = Kind::Running;
    std::int64_t bytes = 0; ///< Of a DMA.
};

struct DpuRun {
    std::int64_t cycles = 0;
    std::int64_t instructions = 0;
    // Every cycle is one of these four. Names in brackets: uPIMulator's.
    std::int64_t issued = 0;     ///< [breakdown_run]
    std::int64_t waitedDma = 0;  ///< No tasklet could issue, one waits for a DMA. [breakdown_dma]
    std::int64_t waitedElse = 0; ///< No tasklet could issue: revolver, or asleep. [breakdown_etc]
    std::int64_t heldUp = 0;     ///< The pipeline took none: register bank conflicts. [backpressure]
    std::int64_t conflicts = 0;  ///< Cycles that reading two registers of one bank costs. [cycle_rule]
    MramCounts mram;
    std::vector<TaskletTime> tasklets;
    std::vector<std::int64_t> issuedAt; ///< By instruction of the program, how often it was issued.
    std::vector<TaskletSpan> spans;     ///< Only if asked for.

    double ipc() const { return cycles > 0 ? double(instructions) / double(cycles) : 0; }
};

struct DpuRunOptions {
    std::int64_t mostCycles = 100'000'000'000; ///< Beyond it a program is taken for one that never ends.
    bool logsSpans = false;
};

class Dpu {
public:
    explicit Dpu(DpuTiming timing);

    std::span<std::uint8_t> wram() { return m_wram; }
    std::span<std::uint8_t> mram() { return {m_mram.get(), std::size_t(kMramBytes)}; }
    template <class T>
    void write(std::int64_t mramAddress, std::span<const T> values) {
        PIM_ASSERT(mramAddress >= 0 &&
                       mramAddress + std::ssize(values) * std::int64_t(sizeof(T)) <= kMramBytes,
                   "data has room in MRAM");
        std::memcpy(m_mram.get() + mramAddress, values.data(), values.size_bytes());
    }
    template <class T>
    std::vector<T> read(std::int64_t mramAddress, std::size_t count) const {
        std::vector<T> values(count);
        std::memcpy(values.data(), m_mram.get() + mramAddress, count * sizeof(T));
        return values;
    }

    /// All tasklets begin at instruction 0; tasklet 0 runs, the others sleep until resumed.
    /// ErrorCode::InvalidKernel for a program that cannot be, more tasklets than 24, an access outside a memory or across its
    /// alignment, tasklets that wait for each other forever, or a run beyond the limit: each with tasklet and instruction.
    Result<DpuRun> run(const DpuProgram& program, int tasklets, const DpuRunOptions& options,
                       const TaskContext& task);

private:
    struct FreeBytes {
        void operator()(std::uint8_t* bytes) const { std::free(bytes); }
    };
    DpuTiming m_timing;
    std::vector<std::uint8_t> m_wram;
    std::unique_ptr<std::uint8_t[], FreeBytes> m_mram; ///< Pages come when they are first touched.
};

} // namespace pim::upmem
