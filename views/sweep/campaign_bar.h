// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The row about the campaign folder that is open: how far it is, who computes, and what can be done with it.
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace pim::views {

class CampaignWatcher;

class CampaignBar : public QWidget {
    Q_OBJECT
public:
    /// \p watcher outlives it.
    explicit CampaignBar(CampaignWatcher& watcher, QWidget* parent = nullptr);

    QLabel* folder() const { return m_folder; }
    QProgressBar* progress() const { return m_progress; }
    QPushButton* computeButton() const { return m_compute; } ///< "Compute Here" or "Pause".
    QPushButton* mergeButton() const { return m_merge; }
    QToolButton* closeButton() const { return m_close; }
    void showState();

private:
    CampaignWatcher& m_watcher;
    QLabel* m_folder;
    QProgressBar* m_progress;
    QPushButton* m_compute;
    QPushButton* m_merge;
    QToolButton* m_close;
};

} // namespace pim::views
