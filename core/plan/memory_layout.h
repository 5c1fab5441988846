// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which rows of the PIM banks the ops of a plan use. Flow: Plan -> Backend::layout -> [MemoryLayout] ->
/// bundle, layout viewer, loader. Where a single element lies, OpPlaces says (op_places.h).
///
/// An op's code addresses rows 0 … rows-1; its region says where row 0 is, the same in every bank of every
/// channel, so that commands for all banks find it at one address [DCC §IV-C II]. Ops whose code and resident
/// tensors are equal share a region; ops that keep nothing share the rows behind all that is kept, because
/// they run one after the other.
#include "core/plan/plan.h"

namespace pim {

struct LayoutRegion {
    std::vector<OpId> ops;     ///< Ascending.
    std::int64_t firstRow = 0; ///< In every bank.
    std::int64_t rows = 0;
    bool kept = false; ///< Something in it stays from one run of the network to the next.
};

struct MemoryLayout {
    std::int64_t rowBytes = 0, accessBytes = 0;
    std::int64_t banksOfChannel = 0, channels = 0;
    std::int64_t rowsOfBank = 0;       ///< 0: unknown.
    std::vector<LayoutRegion> regions; ///< In order of their first ops.
    std::int64_t rowsUsed = 0;         ///< Of every bank.
    /// Null if the op is in none.
    const LayoutRegion* regionOf(OpId op) const;
    bool fits() const { return rowsOfBank == 0 || rowsUsed <= rowsOfBank; }
};

/// Canonical JSON, as stored in bundles: sizes, then one entry a region with its ops and the tensors it
/// keeps.
std::string layoutJson(const MemoryLayout& layout, const Plan& plan);

} // namespace pim
