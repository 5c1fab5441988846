// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/start.h"

#include "app/studio/crash_bar.h"
#include "app/studio/main_window.h"
#include "app/studio/open_request.h"
#include "app/studio/recovery_bar.h"
#include "app/studio/session.h"
#include "app/studio/studio_tour.h"
#include "views/models/workspace.h"

#include <QPointer>

namespace pim::studio {
namespace {

void open(MainWindow& window, views::Workspace& workspace, const StartOptions& options) {
    const OpenRequest request = judgeFile(options.file, true);
    if (request.kind == OpenRequest::Kind::Model)
        workspace.openModel(request.what, options.bindings);
    else
        window.openFile(options.file);
}

void offerCrashes(MainWindow& window, views::Workspace& workspace, const QString& folder) {
    workspace.tasks()->start(
        MainWindow::tr("Looking for crashes of earlier starts"),
        [window = QPointer(&window), folder](const TaskContext&) -> std::function<void()> {
            const auto reports = crashReports(folder.toStdString());
            return [window, folder, reports] {
                if (!window || reports.empty())
                    return;
                CrashBar* const bar = showCrashes(*window, reports);
                QObject::connect(bar, &CrashBar::failed, window, &MainWindow::showError);
                QObject::connect(bar, &CrashBar::reportRequested, window, &MainWindow::reportProblem);
            };
        });
}

void goOn(MainWindow& window, Session& session, const StartOptions& options) {
    if (options.isClean)
        return;
    if (!options.target.isEmpty()) // another machine was asked for: not where it was left
        return;
    if (Session::isWanted() && session.restore())
        return;
    if (!isTourSeen())
        window.showTour();
}

} // namespace

void beginWork(MainWindow& window, views::Workspace& workspace, Session& session,
               const StartOptions& options) {
    if (!options.crashFolder.isEmpty())
        offerCrashes(window, workspace, options.crashFolder);
    const bool canRecover = !options.recoveryFolder.isEmpty();
    if (canRecover)
        workspace.keepRecovery(options.recoveryFolder);
    if (!options.file.isEmpty())
        open(window, workspace, options);
    else if (!canRecover)
        goOn(window, session, options);
    if (!canRecover)
        return;
    workspace.tasks()->start(MainWindow::tr("Looking for unsaved work"),
                             [window = QPointer(&window), &workspace, session = QPointer(&session),
                              options](const TaskContext&) -> std::function<void()> {
                                 const QList<views::RecoverableSession> sessions =
                                     views::recoverableSessions(options.recoveryFolder);
                                 return [window, &workspace, session, options, sessions] {
                                     if (!window || !session)
                                         return; // closed meanwhile
                                     if (!sessions.isEmpty())
                                         showRecovery(*window, workspace, options.recoveryFolder, sessions);
                                     else if (options.file.isEmpty() && !workspace.graph())
                                         goOn(*window, *session, options);
                                 };
                             });
}

} // namespace pim::studio
