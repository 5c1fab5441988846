// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A window without a window that decides on and on until it is killed: opens a model (no project) or a
/// project, and says how many notes are safe, as read back from the file by another connection.
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "views/models/recovery.h"
#include "views/models/workspace.h"

#include <QCoreApplication>
#include <QDir>
#include <QTimer>

#include <cstdio>

using namespace pim;
using namespace pim::views;

namespace {

/// Notes in the newest project file of a folder; -1: none can be read.
long long safeNotes(const QString& folder) {
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.pimproj")}, QDir::Files))
        if (const auto project =
                Project::open(QDir(folder).filePath(name).toStdString(), Project::Mode::ReadOnly))
            if (const auto state = (*project)->decisions(); state && *state)
                return std::ssize((*state)->notes);
    return -1;
}

} // namespace

/// Arguments: folder, and "recovery" or the path of a project to work in.
int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    if (argc != 3)
        return 1;
    const BackendList backends = builtinBackends();
    Workspace workspace(backends, TargetCatalog::load());
    const QString folder = QString::fromLocal8Bit(argv[1]), where = QString::fromLocal8Bit(argv[2]);
    const bool isRecovery = where == QStringLiteral("recovery");
    if (isRecovery) {
        workspace.keepRecovery(folder, std::chrono::milliseconds(50));
        workspace.setTarget(QStringLiteral("attacc"));
        workspace.openModel(QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string()),
                            {{"batch", 1}, {"past", 32}});
    } else {
        workspace.openProject(where);
    }
    QTimer decide, tell;
    bool isDecided = false;
    QObject::connect(&decide, &QTimer::timeout, [&] {
        if (!workspace.plan() || workspace.isStale())
            return;
        if (!std::exchange(isDecided, true))
            workspace.applyOverride({workspace.graph()->ops.back().name, "placement", "host"});
        workspace.addNote({0, workspace.graph()->ops.front().name, "", 0, 0, "written just before the end"});
    });
    QObject::connect(&tell, &QTimer::timeout, [&] {
        if (!isDecided)
            return;
        std::printf("%lld\n", safeNotes(folder));
        std::fflush(stdout);
    });
    decide.start(15);
    tell.start(40);
    return QCoreApplication::exec();
}
