// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything that can be chosen about a compile beside the user's decisions about the network.
#include "core/cim/options.h"
#include "core/graph/graph.h"
#include "core/tiling/tiling.h"

namespace pim {

struct CompileOptions {
    DataType computeType = DataType::F16; ///< All floating-point tensors are taken in this type, on host and PIM alike.
    bool convAsGemm = true;               ///< Convolution as im2col matrix product, else the direct nest.
    TilingOptions tiling{.everyAllocation = false};
    bool overlapHostTransfer = false;     ///< Host read and PIM write of rearrangement overlap (double buffering).
    bool groupCommands = true;            ///< Prefer group-level commands (padding), as DCC §IV-C II.
    std::uint64_t seed = 0;               ///< For backends with a random search; kept with the run.
    int threads = 0;                      ///< 0: as many as the machine has.
    CimOptions cim;                       ///< For dual-mode chips.
};

/// Canonical JSON of the options; part of a run's provenance.
std::string optionsJson(const CompileOptions& options);
/// Reads it back, so that a stored run can be compiled again. Keys left out keep their default; a key nobody knows is
/// an error, because the run would not be the same.
Result<CompileOptions> optionsFromJson(std::string_view json, std::string_view where);

} // namespace pim
