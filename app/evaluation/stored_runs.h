// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The kernels of Fig. 6 and 7 as runs of a project: for each machine a network of all its kernels, one op each, compiled
/// with the published mapping and with ours, so that the two can be opened and compared in the window.
///
/// Ops of a graph that behave alike along several axes are one loop nest over all of them, so vectors of a batch are one
/// long vector there.
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <filesystem>

namespace pim::evaluation {

/// Writes the networks beside \p project, which is made if there is none. \returns the runs, in the order of storing.
/// Errors: Io, Database, and those of a compile.
Result<std::vector<std::int64_t>> storeRuns(const BackendList& backends, const TargetCatalog& catalog,
                                            int verified, const std::filesystem::path& project,
                                            const TaskContext& task);

} // namespace pim::evaluation
