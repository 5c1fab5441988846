// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long a LUT layer takes on DPUs. Constants are those its authors fitted on 2 Xeon 4210, 8 modules, 1024 DPUs at 350 MHz
/// and 16 tasklets. [PIM-DL, ASPLOS 2024, section 5.2; artifact leesou/PIM-DL-ASPLOS 87aee67, auto tuner]
#include "backends/upmem/lut/layer.h"

#include <span>

namespace pim::upmem {

/// Seconds.
struct LutTimes {
    double sendIndex = 0, sendTable = 0, fetchOutput = 0; ///< Host, all copies.
    double reduce = 0, loadIndex = 0, moveOutput = 0,
           loadTable = 0; ///< One DPU; fine loads are within reduce.

    double transfers() const { return sendIndex + sendTable + fetchOutput; }
    double kernel() const { return reduce + loadIndex + moveOutput + loadTable; }
    double total() const { return kernel() + transfers(); }
};

constexpr double kLutClockHz = 350e6;

/// A coarse load and the cycles of adding up what it brought, by one of 16 tasklets, for one row.
struct CoarseReduce {
    std::int64_t features = 0, codebooks = 0;
    double cycles = 0;
};
/// All that were measured: features ascending, then codebooks.
std::span<const CoarseReduce> coarseReduces();
/// 0 if it was never measured.
double coarseReduceCycles(std::int64_t loadFeatures, std::int64_t loadCodebooks);
/// "16, 32, 64" for a message.
std::string measuredCodebooksText(std::int64_t loadFeatures);

/// Of one row and codebook.
double fineReduceCycles(std::int64_t loadFeatures);
double staticReduceCycles(std::int64_t tileFeatures, std::int64_t rowsPerDpu);

/// MRAM to WRAM and back, cycles for so many bytes of each tasklet.
double readCycles(double bytes);
double writeCycles(double bytes);
double resetCycles(double bytes); ///< The first output tile; coarse loads pay it for writing, too.
double staticTableCycles(double bytes);
double coarseTableCycles(double bytes);

/// Sending and fetching alone; the rest stays 0.
LutTimes transferTimes(const LutLayer& layer, const LutSplit& split);
/// All of it. A coarse load that was never measured adds up in no time, as the shipped tuner has it.
/// \pre the split is legal, every tile is at least 1 and at most what it tiles.
LutTimes lutTimes(const LutLayer& layer, const LutMapping& mapping);
/// For a search: \p transfers is what transferTimes gives for the split.
LutTimes lutTimes(const LutLayer& layer, const LutMapping& mapping, const LutTimes& transfers);

/// What is known of a mapping that somebody made.
struct LutPrediction {
    std::optional<LutRefusal> refusal;
    std::optional<LutTimes>
        times; ///< What the model says, also of a refused one as far as it says something.
};
LutPrediction predict(const LutLayer& layer, const LutMapping& mapping, LutReading reading);

} // namespace pim::upmem
