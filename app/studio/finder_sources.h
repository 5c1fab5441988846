// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What can be found in the window: its commands, and everything of what is open in it.
#include "app/studio/finder.h"

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class Commands;
class MainWindow;
class Settings;

/// All commands, those used last first.
FinderSource commandSource(Commands& commands, const QStringList& recent);

/// One source for each kind, with its prefix: o ops, t tensors, d drafts of the selected op, r runs, m machines,
/// b hosts beside them, v variants, f recent files, p panels, s settings, h help.
std::vector<FinderSource> locatorSources(MainWindow& window, views::Workspace& workspace, Settings& settings);

} // namespace pim::studio
