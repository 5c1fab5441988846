// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a stored sweep is searched, in which order its points came, and what of it was simulated. What writes is to be called inside a transaction that
/// its caller commits. Used by this folder alone.
#include "core/project/database.h"
#include "core/project/project.h"

namespace pim {

Result<void> storeSearch(const Database& database, std::int64_t sweep, const StoredSearch& search);
/// Nothing where all points are computed.
Result<std::optional<StoredSearch>> readSearch(const Database& database, std::int64_t sweep);
/// Of a sweep that is searched: its next turns are those of \p points.
Result<void> storeTurns(const Database& database, std::int64_t sweep, std::span<const PointRecord> points);
/// Indices of points, in their order.
Result<std::vector<std::int64_t>> readTurns(const Database& database, std::int64_t sweep);
/// Without its points.
Result<void> storeConfirmation(const Database& database, std::int64_t sweep,
                               const StoredConfirmation& confirmation);
Result<std::optional<StoredConfirmation>> readConfirmation(const Database& database, std::int64_t sweep);

} // namespace pim
