// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a window begins: with the file it was given, with work to recover, where it was left, or with the
/// tour.
#include <QString>

#include <cstdint>
#include <map>
#include <string>

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class MainWindow;
class Session;

struct StartOptions {
    QString file; ///< Anything MainWindow::openFile() takes; empty: none was given.
    std::map<std::string, std::int64_t> bindings; ///< For a model.
    QString target;                               ///< As the user gave it; empty: he did not.
    bool isClean = false;                         ///< Neither the last session nor the tour.
    QString crashFolder;    ///< Where crashes of earlier starts are looked for; empty: they are not.
    QString recoveryFolder; ///< Empty: nothing is kept for recovery, and nothing looked for.
};

/// After the window is shown. What is slow comes later, as tasks.
void beginWork(MainWindow& window, views::Workspace& workspace, Session& session,
               const StartOptions& options);

} // namespace pim::studio
