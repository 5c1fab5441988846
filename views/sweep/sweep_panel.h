// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Asks what to sweep over, compiles the model for all of it, shows what comes out while it comes; a sweep may be paused,
/// gone on with, and found again in its project. Or shows the folder of a campaign, whoever computes it.
#include "views/sweep/sweep_runner.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace pim::views {

class CampaignBar;
class CampaignWatcher;
class SearchBar;
class SweepView;
class Workspace;

class SweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(Workspace& workspace, QWidget* parent = nullptr);

    QLineEdit* over() const { return m_over; }
    QPushButton* runButton() const { return m_run; }
    QCheckBox* searches() const { return m_searches; } ///< Shows the bar below.
    SearchBar* searchBar() const { return m_search; }
    QPushButton* pauseButton() const { return m_pause; } ///< "Pause" or "Resume".
    QPushButton* confirmButton() const { return m_confirm; }
    QDoubleSpinBox* margin() const { return m_margin; } ///< Per cent.
    QComboBox* keptBox() const { return m_kept; }
    QProgressBar* progress() const { return m_progress; }
    SweepRunner* runner() const { return m_runner; }
    SweepView* view() const { return m_view; }
    CampaignWatcher* campaign() const { return m_campaign; }
    CampaignBar* campaignBar() const { return m_campaignBar; }
    QToolButton* campaignButton() const { return m_campaigns; } ///< Its menu opens and plans.

protected:
    void showEvent(QShowEvent* event) override;

private:
    void modelChanged();
    void run();
    void showSoon();
    void showState();
    void showPoints();
    void showKept();
    void showSearch();
    void openRow(int row);
    void openCampaign();
    void planCampaign();
    std::optional<std::vector<SweepAxis>> axesTyped(); ///< Nothing: it is told why.
    const SweepInfo& info() const; ///< Of the campaign, if one is open, else of the sweep.
    const std::vector<SweepPoint>& points() const;
    std::vector<std::string> objectives() const; ///< Of the front; empty: as usual.
    void showSweepState();

    Workspace& m_workspace;
    SweepRunner* m_runner;
    CampaignWatcher* m_campaign;
    QLineEdit* m_over;
    QCheckBox* m_searches;
    QPushButton* m_run;
    QToolButton* m_campaigns;
    SearchBar* m_search;
    QPushButton* m_pause;
    QPushButton* m_confirm;
    QDoubleSpinBox* m_margin;
    QComboBox* m_kept;
    QProgressBar* m_progress;
    QToolButton* m_remove;
    SweepView* m_view;
    QWidget* m_second; ///< The row about the sweep there is.
    CampaignBar* m_campaignBar;
    QTimer m_later; ///< Until points are shown that came in the meantime.
    QElapsedTimer m_shownAt;
    qint64 m_showMs = 0; ///< How long that took.
    std::pair<SweepRunner::State, bool>
        m_shown{}; ///< State of the sweep, and whether a campaign is open instead.
};

} // namespace pim::views
