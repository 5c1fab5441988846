// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The campaign folder a window looks at: its points as they appear, whoever computes them; computed here by a process of pimc where that is
/// asked for, and merged into the project. Looks in the background, since folders over a network may keep one waiting; lives on the UI thread.
#include "core/base/background.h"
#include "core/campaign/campaign_watch.h"
#include "core/project/project.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace pim::views {

class Workspace;

class CampaignWatcher : public QObject {
    Q_OBJECT
public:
    explicit CampaignWatcher(Workspace& workspace, QObject* parent = nullptr);
    ~CampaignWatcher() override; ///< Stops the process softly: what is computed is kept.

    void open(const QString&
                  folder); ///< Closes the one there is. What cannot be read is told by Workspace::failed().
    void close();
    /// Writes the sweep over \p axes of what is open now into a folder, then opens it.
    void plan(std::vector<SweepAxis> axes, const QString& folder);

    bool isOpen() const { return m_shared != nullptr; }
    bool isRead() const { return m_isRead; } ///< The first look is over.
    bool isComplete() const { return m_isRead && m_status.points == m_info.size(); }
    const QString& folder() const { return m_folder; }
    const SweepInfo& info() const { return m_info; }
    const CampaignStatus& status() const { return m_status; }
    const std::vector<SweepPoint>& points() const { return m_points; } ///< In the order they were seen.
    /// What points are computed from, on a worker thread.
    std::function<Result<SweepSetup>(const TaskContext&)> setup() const;
    const QString& problem() const { return m_problem; } ///< Of the last look; empty: none.

    bool isComputing() const { return m_process.state() != QProcess::NotRunning; }
    void compute(); ///< pimc sweep run, with as many threads as this program.
    void pause();   ///< After the points that are finished.
    void setProgram(const QString& pimc) { m_program = pimc; } ///< Instead of the one beside this program.

    bool canMerge() const; ///< All points are there, and a project to keep them in.
    void merge();

signals:
    void changed();                  ///< Points, status, or the process.
    void merged(std::int64_t sweep); ///< Is in the project under this id.

private:
    struct Shared;
    static constexpr int kLooksAtOnce = 4; ///< Folders that were closed may keep theirs waiting.
    void look();
    void take(Result<std::vector<SweepPoint>> fresh, const CampaignStatus& status, qint64 tookMs);

    Workspace& m_workspace;
    QString m_folder;
    std::shared_ptr<Shared> m_shared; ///< Null: nothing is open.
    SweepInfo m_info;
    CampaignStatus m_status;
    std::vector<SweepPoint> m_points;
    QString m_problem;
    QString m_program;
    bool m_isRead = false;
    QTimer m_next;
    QProcess m_process;
    Background m_looks{kLooksAtOnce}; ///< Last: they end before the rest goes.
};

} // namespace pim::views
