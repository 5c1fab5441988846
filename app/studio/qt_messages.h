// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What Qt and our views say (qCInfo, qWarning, …) goes to the log of the process. The category tells the room: "pim.tasks" is the room
/// tasks, "qt.svg" stays qt.svg; QT_LOGGING_RULES chooses among them as for every Qt program.

namespace pim::studio {

/// Once, before the application is made.
void routeQtMessages();

} // namespace pim::studio
