// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the worker of a sweep computes: all points, those a search asks for, or the simulation of the front; in a project or not. Flow: SweepRunner -> SweepJob ->
/// [compute] -> points as they come.
#include "core/project/sweep_run.h"

#include <memory>
#include <optional>
#include <vector>

namespace pim::views {

struct SweepJob {
    SweepSetup setup; ///< Prepared.
    SweepInfo info;
    std::unique_ptr<Project> project; ///< Null: kept nowhere yet.
    std::int64_t id = 0;
    std::vector<SweepPoint> predicted;              ///< Those there are, in any order.
    std::optional<StoredConfirmation> confirmation; ///< Its points are in any order.
    bool confirms = false;                          ///< Instead of computing points, simulates the front.
};

/// \p told: of each point. \return what the front is by; empty: as usual. Errors: those of resume() and resumeConfirm().
Result<std::vector<std::string>> compute(const BackendList& backends, const SweepJob& job,
                                         const std::function<void(const SweepPoint&)>& told,
                                         const TaskContext& task);

} // namespace pim::views
