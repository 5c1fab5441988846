// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps in the tables of a project. What writes is to be called inside a transaction that its caller commits. Used by
/// this folder alone.
#include "core/project/database.h"
#include "core/project/project.h"

#include <span>

namespace pim {

Result<std::int64_t> storeSweep(const Database& database, const SweepSetup& setup, const std::string& name);
Result<void> storeSweepPoint(const Database& database, std::int64_t sweep, const SweepPoint& point);
/// Those that are there already stay as they are.
Result<void> storeSweepPoints(const Database& database, std::int64_t sweep,
                              std::span<const SweepPoint> points);
Result<std::vector<SweepInfo>> readSweeps(const Database& database); ///< Newest first.
Result<StoredSweep> readSweep(const Database& database, std::int64_t sweep);
Result<void> dropSweep(const Database& database, std::int64_t sweep);
Result<void> storeSweepClaim(const Database& database, std::int64_t sweep);
Result<void> dropSweepClaim(const Database& database, std::int64_t sweep);

} // namespace pim
