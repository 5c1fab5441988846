// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The driver the IDE and the command line share: request -> Plan -> programs.
#include "core/plan/backend.h"

namespace pim {

/// Finds the backend of the target, checks the target, plans. The one entry point of IDE and CLI.
Result<std::shared_ptr<const Plan>> compile(const BackendList& backends, const PlanRequest& request,
                                            PlanCache* cache = nullptr, const TaskContext& task = {});

/// Error::Usage for a pass that the backend does not have; lists those it has.
Result<void> checkCodePasses(const Backend& backend, const CodePasses& passes);

/// Keys and their values, which are JSON already.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

/// JSON of a plan as printed by `pimc compile --json` and stored in bundles:
/// {"total_ns", "host_only_ns", "ops": [{"name","type","placement","draft","input_ns","compute_ns","output_ns",
/// "host_ns","reason"}…]} and more keys, among them "devices", "parts" and "transfers" of a plan over several machines; numbers
/// unrounded, key order fixed.
/// \param before members that stand before these, each on a line of its own.
std::string planJson(const Plan& plan, const JsonMembers& before = {});

} // namespace pim
