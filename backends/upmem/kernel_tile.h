// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one draft of a kernel gives a DPU: the tile of its tasklets, and what crosses the link to the host.
/// Flow: kernel + draft -> [KernelTile] -> price, program, simulation.
#include "backends/upmem/host_link.h"
#include "backends/upmem/tile.h"
#include "core/tiling/tiling.h"

namespace pim::upmem {

struct KernelTile {
    Tile tile;
    int held =
        -1; ///< Of a product, access whose rows are the vectors kept in WRAM (position in Kernel::accesses).
    int streamed = -1; ///< And the one whose rows stream past them; -1: not a product.
};

/// ErrorCode::Unsupported with the reason, as a sentence goes on after "it" or "the kernel".
Result<void> canRun(const Kernel& kernel);

/// \param draft of \p space. Of the two operands of a product that one is kept in WRAM that takes fewer cycles.
Result<KernelTile> tileOf(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing);

/// Operand \p tensor on its way to the DPUs: one piece for all of them if all need the same, else one for each.
HostTransfer inputTransfer(const Kernel& kernel, const DraftSummary& draft, int tensor);
/// Results on their way back, partial ones of tasklets of a DPU added up there.
HostTransfer outputTransfer(const Kernel& kernel, const DraftSummary& draft, int tensor);

} // namespace pim::upmem
