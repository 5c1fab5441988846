// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What calls of the module share: its handles on networks and plans, and the machines there are.
#include "core/compile/override_fit.h"
#include "core/graph/import.h"
#include "core/plan/backend.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pim::python {

using Words = std::vector<std::pair<std::string, std::string>>; ///< Names and values, in their order.

/// A network, what it was made from, and the machine that its sample names.
struct Model {
    std::shared_ptr<const Graph> graph;
    std::filesystem::path path;
    GraphOptions options;
    std::string target;
};

/// A plan, and what it was asked with.
struct Compiled {
    FittedPlan fitted;
    CompileOptions options;
    const Plan& plan() const { return *fitted.plan; }
    const Backend& backend() const;
};

const BackendList& backends();
/// \p wanted, else the machine of the sample. Error::Usage without either.
Result<std::shared_ptr<const Target>> targetOf(const Model& model, const std::string& wanted,
                                               const std::string& host);
/// Options by name, on top of those of a compile; "predictor" is left to rankDrafts(). \param backend whose options are meant by a name alone;
/// empty: nobody's.
Result<CompileOptions> compileOptions(const Words& words, std::string_view backend);
/// rankDraftsBy() the word "predictor", by default as a compile does unasked. Error::Usage for one that is there and cannot be asked.
Result<void> rankDrafts(const Words& words, std::span<const std::shared_ptr<const Target>> targets,
                        CompileOptions& options);

} // namespace pim::python
