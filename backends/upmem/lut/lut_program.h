// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A LUT layer as a program of UPMEM: one generator for every load and loop order, from which instructions, C and the host's part are
/// made. Flow: LutLayer, LutMapping -> [lutProgram] -> LutProgram; indices, table -> [lutInputs] -> files -> run -> [lutSums] -> sums.
/// What a DPU runs is in lut_code.h.
#include "backends/upmem/host_program.h"
#include "backends/upmem/lut/layer.h"
#include "core/base/task.h"

#include <memory>

namespace pim::upmem {

struct LutProgram {
    std::unique_ptr<TaskletCode> code;
    std::vector<std::int64_t> sizes;
    int tasklets = 16;
    HostProgram host; ///< Inputs "index" and "table", output "sums".
};

/// Errors: as checkLutCode.
Result<LutProgram> lutProgram(const LutLayer& layer, const LutMapping& mapping);

/// What the program reads: indices as places in what is loaded of the table, both in the order of the DPUs.
/// \param indices [rows][codebooks] \param table [codebooks][centroids][features]
/// Errors: Usage for an index that is no centroid, or lengths that do not fit.
Result<HostData> lutInputs(const LutLayer& layer, const LutMapping& mapping,
                           std::span<const std::uint16_t> indices, std::span<const std::int8_t> table);
/// [rows][features] of what the program wrote. \pre \p sums has an element for each.
std::vector<std::int32_t> lutSums(const LutLayer& layer, const LutMapping& mapping,
                                  std::span<const std::byte> sums);

struct LutSimulation {
    double cycles = 0; ///< Of one DPU; all have as much to do.
    bool isWhole =
        false; ///< Every tile was run; else one and two tiles of rows and of features, and counted on from them.
};
/// On the engine, with indices of a fixed seed. Errors: as lutProgram; Cancelled.
Result<LutSimulation> simulateLut(const LutLayer& layer, const LutMapping& mapping,
                                  const TaskContext& task = {});

} // namespace pim::upmem
