// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is there before a model is open: recent files, samples, the machines to compile for, what is new, the tour.
#include "app/studio/samples.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class Settings;

class WelcomePage : public QWidget {
    Q_OBJECT
public:
    WelcomePage(Settings& settings, views::Workspace& workspace, QWidget* parent = nullptr);

    QListWidget* recentFiles() const { return m_recent; }
    QListWidget* machines() const { return m_machines; }

signals:
    void openRequested();
    void fileChosen(const QString& path);
    void sampleChosen(const pim::studio::Sample& sample);
    void tourRequested();
    void helpRequested(const QString& topic);

private:
    QWidget* buildStart();
    QWidget* buildSamples();
    QWidget* buildMachines();
    QWidget* buildNews();
    void fillRecent();
    void showRecentMenu(const QPoint& at);
    void removeRecent(const QListWidgetItem* item);
    void markTarget();

    Settings& m_settings;
    views::Workspace& m_workspace;
    QListWidget* m_recent;
    QToolButton* m_removeMissing;
    QListWidget* m_machines;
};

} // namespace pim::studio
