// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `pimc verify --numeric` of a bundle for crossbar chips: its program on numbers, its cells against the
/// weights of the model.
#include "app/pimc/session.h"
#include "core/crossbar/bundle/bundle_check.h"
#include "core/report/bundle.h"

namespace pim::cli {

/// \param graph the model of the bundle. Errors: Usage if it is another model.
Result<CrossbarBundleCheck> checkCrossbarNumbers(Session& session, const std::string& bundle,
                                                 const BundleSource& source,
                                                 std::shared_ptr<const Graph> graph, std::uint64_t seed);
std::string crossbarNumbersJson(const CrossbarBundleCheck& check);
std::string crossbarNumbersText(const CrossbarBundleCheck& check);
/// What is wrong, in one line; empty: nothing.
std::string crossbarNumbersProblem(const CrossbarBundleCheck& check);

} // namespace pim::cli
