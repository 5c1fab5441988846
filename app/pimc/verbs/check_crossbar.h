// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `pimc check` on machines of crossbar cores: options, and what it prints.
#include "app/pimc/session.h"
#include "core/crossbar/numeric/check.h"
#include "core/crossbar/plan/plan.h"

namespace CLI {
class App;
}

namespace pim::cli {

void declareCrossbarCheck(CLI::App& verb, CrossbarCheckOptions& options);
/// Runs, prints; Error::InvalidFile where the program does not compute the network.
Result<void> checkCrossbarPlan(Session& session, const std::string& model, const Plan& plan,
                               const CrossbarPlan& crossbar, const CrossbarCheckOptions& options);

} // namespace pim::cli
