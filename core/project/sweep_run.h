// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps of a project: begun, left at any moment (also by a kill), gone on with. A point is stored before the next one
/// begins, so none is computed twice.
#include "core/compile/search/confirm.h"
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

/// Goes on as the sweep was begun: all that is missing, or its search. Errors: those of resumeSweep() and resumeSearch().
Result<void> resume(Project& project, const StoredSweep& stored, const SweepSetup& setup,
                    const BackendList& backends, const std::function<void(const SweepPoint&)>& told,
                    const TaskContext& task = {});

/// Simulates the front of a stored sweep and a margin as confirmFront() does, by \p objectives, empty: those of its search, or as usual. What was simulated
/// before is not again, and each is stored before the next begins. Errors: as resumeSweep(), and those of confirmFront().
Result<ConfirmedSweep> resumeConfirm(Project& project, std::int64_t sweep, const SweepSetup& setup,
                                     const BackendList& backends, std::vector<std::string> objectives,
                                     double margin, const std::function<void(const SweepPoint&)>& told,
                                     const TaskContext& task = {});

/// What one point is made from, as a run has it. \p setup: prepared, or loadSweep()'s. Errors: those of pointRequest().
Result<RunRecipe> recipeOfPoint(const BackendList& backends, const SweepSetup& setup, std::int64_t index,
                                const TaskContext& task = {});

} // namespace pim
