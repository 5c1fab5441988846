// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps for Python, computed at once or kept in a project. Flow: Model + axes as text -> [sweep] -> Swept, its points as JSON.
#include "app/python/model.h"
#include "core/compile/sweep.h"

#include <functional>

namespace pim::python {

/// Points of a sweep, all of them or those there are.
struct Swept {
    std::string name; ///< In its project; empty: it is in none.
    std::vector<SweepAxis> axes;
    std::vector<SweepPoint> points; ///< By index.
    std::vector<std::string> objectives;

    std::string json() const; ///< With marks.
};

struct SweepQuestion {
    std::string over, target, host;
    Words options;
    std::string overrides;
    std::vector<std::string> front;
};
/// Ready for sweep(). \param mostPoints as SweepSetup has it; nothing: the usual.
Result<SweepSetup> sweepSetup(const Model& model, const SweepQuestion& question,
                              std::optional<std::int64_t> mostPoints, const TaskContext& task);

void bindSweep(pybind11::module_& module);

} // namespace pim::python
