// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Decisions and variants in the tables of a project. Each function is to be called inside a transaction that
/// its caller commits. Used by this folder alone.
#include "core/project/database.h"
#include "core/project/project.h"

namespace pim {

/// Replaces what was stored. Variants that \p state does not have are left alone (another program may have
/// made them) unless they are among \p removed.
Result<void> storeDecisions(const Database& database, const DecisionState& state,
                            const std::vector<std::string>& removed);
/// nullopt: none were ever stored.
Result<std::optional<DecisionState>> loadDecisions(const Database& database);

std::string storedHash(const Target& target); ///< Under which insertTarget() keeps it.
/// The machine in full, once however many runs and states share it.
Result<void> insertTarget(const Database& database, const Target& target);
Result<void> dropUnusedTargets(const Database& database);

Result<std::vector<VariantInfo>> readVariants(const Database& database);
/// \param parent a variant there is; empty: keep the one it has.
Result<void> storeVariant(const Database& database, const std::string& name, const Overrides& overrides,
                          const std::string& parent);

/// A model is where it was, or at the same path seen from a project that moved with it.
std::filesystem::path modelSeenFrom(const std::filesystem::path& project, const std::string& absolute,
                                    const std::string& relative);
/// \p model seen from the folder of \p project.
std::string relativeModel(const std::filesystem::path& project, const std::filesystem::path& model);

} // namespace pim
