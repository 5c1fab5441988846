// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Asks what to sweep over, compiles the model for all of it, shows what comes out while it comes; a sweep may be paused,
/// gone on with, and found again in its project.
#include "views/sweep/sweep_runner.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace pim::views {

class SweepView;
class Workspace;

class SweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(Workspace& workspace, QWidget* parent = nullptr);

    QLineEdit* over() const { return m_over; }
    QPushButton* runButton() const { return m_run; }
    QPushButton* pauseButton() const { return m_pause; } ///< "Pause" or "Resume".
    QComboBox* keptBox() const { return m_kept; }
    QProgressBar* progress() const { return m_progress; }
    SweepRunner* runner() const { return m_runner; }
    SweepView* view() const { return m_view; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void modelChanged();
    void run();
    void showSoon();
    void showState();
    void showPoints();
    void showKept();
    void openRow(int row);

    Workspace& m_workspace;
    SweepRunner* m_runner;
    QLineEdit* m_over;
    QPushButton* m_run;
    QPushButton* m_pause;
    QComboBox* m_kept;
    QProgressBar* m_progress;
    QToolButton* m_remove;
    SweepView* m_view;
    QWidget* m_second; ///< The row about the sweep there is.
    QTimer m_later;    ///< Until points are shown that came in the meantime.
    QElapsedTimer m_shownAt;
    qint64 m_showMs = 0; ///< How long that took.
    SweepRunner::State m_shownState = SweepRunner::State::Empty;
};

} // namespace pim::views
