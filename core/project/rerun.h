// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A stored run made again from what it says it was made from, and whether every number is the same to the
/// last bit.
#include "core/project/project.h"

namespace pim {

class BackendList;

/// A number or a decision that is not as stored.
struct RerunDifference {
    std::string what; ///< "total time", "op fc1, compute"
    std::string stored, now;
};

struct Rerun {
    std::shared_ptr<const Plan> plan;
    std::int64_t numbers = 0;                 ///< How many were compared.
    std::vector<RerunDifference> differences; ///< Of the run first, then in op order.
    std::vector<std::string>
        reasons; ///< What could be the cause; one sentence each; empty if nothing differs.

    bool identical() const { return differences.empty(); }
    /// "identical: 812 numbers are the same to the last bit", or how many differ and why.
    std::string summary() const;
};

/// Reads model and recipe, compiles, compares. Nothing is stored. A model that has changed is compiled all
/// the same and named as the reason.
Result<Rerun> rerun(const Project& project, std::int64_t run, const BackendList& backends,
                    const TaskContext& task = {});

} // namespace pim
