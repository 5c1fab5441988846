// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps of a project: begun, left at any moment (also by a kill), gone on with. A point is stored before the next one
/// begins, so none is computed twice.
#include "core/compile/search/sweep_search.h"
#include "core/project/project.h"

namespace pim {

/// Reads the models again, so that the sweep can go on. Errors: those of importModel(), InvalidModel if one is another
/// model now, Cancelled.
Result<SweepSetup> loadSweep(const StoredSweep& stored, const TaskContext& task = {});

/// Computes what is missing of a stored sweep. \p setup of loadSweep(), or what the sweep was added with. \p told: of each
/// point once it is stored. Best drafts that the project knows are taken, those that are found are kept in it. Errors: Usage while another process computes it, Database, Cancelled.
Result<void> resumeSweep(Project& project, std::int64_t sweep, const SweepSetup& setup,
                         const BackendList& backends, const std::function<void(const SweepPoint&)>& told,
                         const TaskContext& task = {});

/// Searches a stored sweep for its front: as searchSweep(), but points that are there are not computed, and new ones are stored before the search
/// goes on. The same search again goes on where it was left; one with other options uses the points that are there. Errors: as resumeSweep(), and those of searchSweep().
Result<SweepSearch> resumeSearch(Project& project, std::int64_t sweep, const SweepSetup& setup,
                                 const BackendList& backends, const SearchOptions& options,
                                 std::vector<std::string> objectives,
                                 const std::function<void(const SweepPoint&)>& told,
                                 const TaskContext& task = {});

} // namespace pim
