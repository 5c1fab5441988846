// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan over several machines as tables. Flow: SystemPlan -> rows of figures -> FiguresModel.
#include "core/compile/system_plan.h"
#include "views/common/figures_model.h"

namespace pim::views {

/// Positions in the graph of the ops that take time, in the order in which they start.
std::vector<int> systemOps(const SystemPlan& plan);
std::vector<FigureColumn> systemOpColumns();
/// One row an op of systemOps().
std::vector<std::vector<Figure>> systemOpRows(const SystemPlan& plan, const std::vector<int>& ops);

/// What else was tried, and why some were not possible.
std::vector<FigureColumn> alternativeColumns();
std::vector<std::vector<Figure>> alternativeRows(const SystemPlan& plan);

/// Devices and then links: how busy they are.
std::vector<FigureColumn> usageColumns();
std::vector<std::vector<Figure>> usageRows(const SystemPlan& plan);

/// Id of a device of the problem: "host" for the first.
QString systemDevice(const System& system, int device);

} // namespace pim::views
