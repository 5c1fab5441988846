// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Learned predictors in a project, by their digest, so that runs, decisions and sweeps that use one are complete without its file.
/// Each function is to be called inside a transaction that its caller commits. Used by this folder alone.
#include "core/plan/options.h"
#include "core/project/database.h"

namespace pim {

/// The one that \p options ask; nothing to do where they ask none.
Result<void> storePredictor(const Database& database, const CompileOptions& options);
/// Gives \p options the one they name. They stay without it where it is not there or damaged, which whoever compiles with them
/// finds out (restorePredictor() in core/predict/shipped.h).
Result<void> loadPredictor(const Database& database, CompileOptions& options);
/// Forgets those that nothing names any more.
Result<void> dropUnusedPredictors(const Database& database);

} // namespace pim
