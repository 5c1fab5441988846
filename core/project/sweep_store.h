// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps in the tables of a project. What writes is to be called inside a transaction that its caller commits. Used by
/// this folder alone.
#include "core/project/database.h"
#include "core/project/project.h"

namespace pim {

Result<std::int64_t> storeSweep(const Database& database, const SweepSetup& setup, const std::string& name);
/// Of the same network, machines, axes, options and decisions, and of this name if it is not empty; 0: there is none.
Result<std::int64_t> findSameSweep(const Database& database, const SweepSetup& setup,
                                   const std::string& name);
/// Error::Usage for a point that is there already with other figures.
Result<void> storeSweepPoints(const Database& database, std::int64_t sweep, const SweepPointSource& produce);
/// A point of its front that was simulated, beside the one that was predicted; Error::Usage as storeSweepPoints().
Result<void> storeConfirmed(const Database& database, std::int64_t sweep, const SweepPoint& point);
Result<std::vector<SweepInfo>> readSweeps(const Database& database); ///< Newest first.
Result<StoredSweep> readSweep(const Database& database, std::int64_t sweep);
Result<void> dropSweep(const Database& database, std::int64_t sweep);
Result<void> storeSweepClaim(const Database& database, std::int64_t sweep);
Result<void> dropSweepClaim(const Database& database, std::int64_t sweep);

} // namespace pim
