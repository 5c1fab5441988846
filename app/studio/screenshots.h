// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The main job without a person: waits for the plan, selects the most expensive op on PIM, takes another draft for it,
/// compares the two runs, and saves pictures of the window and of every panel, in two sizes, light and dark.
#include "app/studio/panels.h"
#include "views/common/palette.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QSize>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

#include <optional>

class QDockWidget;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class MainWindow;

class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow& window, views::Workspace& workspace, QString folder);
    void start();
    const QStringList& written() const { return m_written; }

signals:
    void finished(bool ok, const QString& message);

private:
    struct Shot {
        QSize size;
        views::Theme theme;
        std::optional<Question> question; ///< Absent: the first page.
    };
    void step();
    bool isQuiet() const; ///< Nothing is running and every view has what it shows.
    void selectCostliest();
    void decide(); ///< Another draft, or another choice about the op.
    void compareRuns();
    void prepare(const Shot& shot);
    bool take(const Shot& shot); ///< False: a panel behind others was raised and gets what it shows first.
    void save(QWidget* widget, const QString& name);
    void finish(const QString& problem);

    MainWindow& m_window;
    views::Workspace& m_workspace;
    QString m_folder;
    QTemporaryDir m_projectFolder; ///< Runs are compared as well, so there must be a project.
    QTimer m_timer;
    QElapsedTimer m_clock;
    int m_stepsBefore = 0; ///< Decisions there were before ours.
    QList<Shot> m_shots;
    int m_stage = 0;
    bool m_prepared = false;
    const QDockWidget* m_raised = nullptr;
    QString m_failure;
    QStringList m_written;
    QSet<QString> m_known; ///< Panels pictured in one size and theme at least.
};

} // namespace pim::studio
