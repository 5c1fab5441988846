// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the user decides about an op on DPUs, field by field, and the text of it in a draft (Draft::code).
/// Flow: decisions -> [CodeDemands] -> grid_choice.h, tileOf().
#include "backends/upmem/tile.h"
#include "core/kernel/kernel.h"

#include <array>
#include <map>

namespace pim::upmem {

/// "lut": the mapping of look-ups, as lut/choice_text.h has it.
inline constexpr std::array<std::string_view, 8> kCodeFields{"dpus", "tasklets", "order", "vectors",
                                                             "rows", "chunk",    "dma",   "lut"};

struct CodeDemands {
    std::optional<int> dpus, tasklets; ///< With work, exactly as many.
    std::string held; ///< Tensor of the kernel whose rows are kept in WRAM; empty: either operand.
    TileDemands tile;
    std::string
        tileText; ///< Those of them that are about the tile, as they stand in Draft::code: "dma=512, vectors=8".
};

/// \param decisions value by field. ErrorCode::IllegalOverride, its place the field: what cannot be on any DPU, or not in this
/// kernel (value seen, values allowed).
Result<CodeDemands> readDemands(const Kernel& kernel, const std::map<std::string, std::string>& decisions);
/// \param code of a draft.
Result<CodeDemands> readDemands(const Kernel& kernel, std::string_view code);

/// "hold-A": rows of A stay in WRAM while those of the other operand stream past. "reread-A": they come chunk by chunk, anew for
/// each block of sums.
std::string orderText(const Kernel& kernel, int heldAccess, bool readsVectorsAgain);

} // namespace pim::upmem
