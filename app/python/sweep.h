// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sweeps for Python, computed at once or kept in a project. Flow: Model + axes as text -> [sweep] -> Swept, its points as JSON.
#include "app/python/model.h"
#include "core/compile/search/search.h"
#include "core/compile/sweep.h"

#include <functional>
#include <optional>

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
    std::optional<SearchOptions> search;
    std::optional<double> margin; ///< Of predicted times, 0.1: a tenth; nothing: the front is not simulated.
};
/// As Python gives it. \param method of the search; empty: none. \param confirm in percent, or None. Raises UsageError.
SweepQuestion sweepQuestion(std::string over, std::string target, std::string host, Words options,
                            std::string overrides, std::vector<std::string> front, const std::string& method,
                            std::int64_t evaluations, std::uint64_t seed, std::optional<double> confirm);
/// A share. Error::Usage for a percentage that is none.
Result<std::optional<double>> marginFrom(std::optional<double> percent);
/// Ready for sweep().
Result<SweepSetup> sweepSetup(const Model& model, const SweepQuestion& question, const TaskContext& task);

void bindSweep(pybind11::module_& module);

} // namespace pim::python
