// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// An op of a plan as a program of its own for UPMEM: C for the DPUs, C for the host. The host's files are what lies in MRAM, DPU by
/// DPU (layout of tile.h); rearranging tensors into them is the caller's (arrange.h). Flow: Plan + op -> [opProgram] -> bundle,
/// `pimc verify --numeric`.
#include "backends/upmem/host_program.h"
#include "backends/upmem/kernel_tile.h"
#include "core/plan/plan.h"

namespace pim::upmem {

struct OpProgram {
    std::string name;   ///< Of the files: letters, digits and _.
    std::string origin; ///< The op, for people: "MatMul /layers.0/mlp/fc1 on 2560 DPUs".
    KernelTile tile;
    HostProgram host;
};

/// ErrorCode::Unsupported: the op is on the host, or its type has no instructions.
Result<OpProgram> opProgram(const Plan& plan, OpId op);
/// The same for a kernel and a draft of it, on \p dpus of the DPUs that the draft uses.
OpProgram opProgram(const Kernel& kernel, const DraftSummary& draft, KernelTile tile, int dpus);

} // namespace pim::upmem
