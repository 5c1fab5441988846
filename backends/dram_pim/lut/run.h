// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Look-ups on HBM-PIM and AiM, timed command by command on the target's device and run on numbers.
/// Flow: LutCode -> [simulateLut] -> ticks; LutCode + table + indices -> [runLut] -> output.
#include "backends/dram_pim/lut/code.h"
#include "core/dram_pim/sequencer.h"

namespace pim::dram {

struct LutSimulation {
    SequenceTiming
        timing; ///< Of a channel; all run at the same time. The phase "load" is left out: the table stays.
    double seconds() const { return timing.ns(timing.ticks) / 1e9; }
};
/// Under the controller `strict` (core/dram_pim/sequencer.h), refreshes as the target says. Errors: as deviceOf and timeProgram.
Result<LutSimulation> simulateLut(const LutCode& code, const Target& target, const TaskContext& task = {});

/// Runs the code of every channel. Arithmetic: HBM-PIM adds in FP16, each sum rounded, codebooks in ascending order, from +0. AiM's
/// sums are binary32 that begin with +0 and are rounded to BF16 when they are sent (backends/aim/channel.h says why); entries are
/// BF16. \param table [codebooks][centroids][features], rounded to the type of the chip. \param indices [rows][codebooks].
/// \returns output [rows][features]. Errors: Usage for sizes that do not fit or an index that is no centroid; InvalidFile, which
/// would be a fault of the code, where the hardware could not do a command; Cancelled.
Result<std::vector<float>> runLut(const LutCode& code, std::span<const float> table,
                                  std::span<const std::uint16_t> indices, int threads = 0,
                                  const TaskContext& task = {});

} // namespace pim::dram
