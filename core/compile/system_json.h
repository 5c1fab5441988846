// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What planSystem() found, for programs that read on.
#include "core/compile/system_plan.h"

#include <optional>
#include <string>

namespace pim {

/// An object, indented. \param numbers a document of how far the numbers of the plan are off; "null": nothing was run.
std::string systemJson(const SystemPlan& plan, const std::optional<SystemSimulation>& simulation,
                       const std::string& numbers = "null");

} // namespace pim
