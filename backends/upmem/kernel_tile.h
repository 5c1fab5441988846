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
    /// Elements of a map of two operands of int8 are int16: a product of two, or a sum at a common exponent, has no room in 8 bits.
    Tile tile;
    /// Of a product, access whose rows are the vectors kept in WRAM (position in Kernel::accesses); of look-ups, that of the indices.
    int held = -1;
    int streamed = -1; ///< And the one whose rows stream past them, or are looked up; -1: neither.
};

/// ErrorCode::Unsupported with the reason, as a sentence goes on after "it" or "the kernel".
Result<void> canRun(const Kernel& kernel);

/// \param draft its DraftSummary::code says what the user decided (code_demands.h). Of the two operands of a product that one is
/// kept in WRAM that takes fewer cycles.
Result<KernelTile> tileOf(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing);

/// The layer of a kernel that looks up, on one DPU with one tasklet. \pre canRun, Kernel::gathers
LutLayer lutLayerOf(const Kernel& kernel);
/// \p draft with rows and features shared out as \p choice wants; its mapping is one of the layer's.
Draft draftOf(const TilingSpace& space, const LutChoice& choice, Draft draft);

/// What a loop of the kernel counts in its tile.
enum class LoopPart : std::uint8_t { Batch, Vector, Output, Sum };
LoopPart loopPart(const Kernel& kernel, const KernelTile& tile, int loop);

/// Accesses of the operands, in the order of the arrays of the tile: x and w of a product, operands of a map, rows.
std::vector<int> operandsOf(const Kernel& kernel, const KernelTile& tile);

/// Operand \p tensor on its way to the DPUs, as it lies there: padded, in the order of its tile, as often as tasklets have their own
/// copy. One piece for all DPUs if all need the same, else one for each.
HostTransfer inputTransfer(const Kernel& kernel, const DraftSummary& draft, const KernelTile& tile,
                           int tensor);
/// Results on their way back, padded, partial ones of tasklets of a DPU added up there.
HostTransfer outputTransfer(const DraftSummary& draft, const KernelTile& tile);

} // namespace pim::upmem
