// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How fast a DPU is: its pipeline, and how its DMA engine reaches the 64 MB beside it.
#include <cstdint>
#include <optional>
#include <string_view>

namespace pim::upmem {

enum class DpuPreset : std::uint8_t {
    /// As uPIMulator 870d916 has it, its memory clock mended (2400 / 350 memory clocks in a cycle instead of 6): a row buffer
    /// of 1 KB behind an FR-FCFS scheduler, 8 bytes at a time.
    UpimulatorCompat,
    /// As measured on the chips: a DMA takes 77 + B/2 cycles to read and 61 + B/2 to write [PrIM,
    /// arXiv:2105.03814], and keeps the engine for 35 + B/2 of them. 35: 16 tasklets that read 8 bytes each at random reach 72.58 MB/s at
    /// 350 MHz [the same], 38.6 cycles a DMA.
    Hardware
};
std::string_view name(DpuPreset preset);
std::optional<DpuPreset> dpuPresetNamed(std::string_view text);

struct DpuTiming {
    DpuPreset preset = DpuPreset::Hardware;
    double logicMHz = 350;
    std::int64_t wramBytes = 64 << 10; ///< uPIMulator has twice as much.
    int pipelineStages = 14;
    int revolverCycles = 11; ///< From one instruction of a tasklet to its next, at least.

    // UpimulatorCompat, in clocks of the memory. [uPIMulator 870d916, default parameters]
    double memoryMHz = 2400;
    int rowBytes = 1024, accessBytes = 8;
    int tRcd = 32, tRas = 78, tRp = 32, tCl = 32, tBl = 8;

    // Hardware, in cycles of the DPU.
    double readCycles = 77, writeCycles = 61, cyclesPerByte = 0.5, engineCycles = 35;

    double cycleNs() const { return 1000 / logicMHz; }
};
DpuTiming dpuTiming(DpuPreset preset, double logicMHz = 350);

} // namespace pim::upmem
