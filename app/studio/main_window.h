// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The window: composes views, panels, menus and tool bars over one Workspace. Decides nothing itself.
#include "app/studio/panels.h"
#include "app/studio/samples.h"

#include <QMainWindow>

class QActionGroup;
class QLabel;
class QStackedWidget;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class HelpWindow;
class MessageBar;
class Settings;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// \p workspace and \p settings outlive the window.
    MainWindow(views::Workspace& workspace, Settings& settings);
    ~MainWindow() override;

    void openFile(const QString& path); ///< A model or a project, by its content's suffix.
    void openSample(const Sample& sample);
    void saveProject(const QString& path);
    /// The `pimc` line that does the same as this window now.
    QString commandLine() const;

    Panels& panels() const { return *m_panels; }
    MessageBar* messageBar() const { return m_messages; }
    /// Do not ask about unsaved decisions when closing; for runs without a person.
    void setUnattended(bool unattended) { m_unattended = unattended; }

protected:
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildPanels();
    void buildToolBars();
    void buildFileMenu();
    void buildEditMenu();
    void buildModelMenu();
    void buildViewMenu();
    void buildHelpMenu();
    QAction* action(QMenu* menu, const QString& text, const QString& iconName, const QKeySequence& shortcut, std::function<void()> run);
    void fillRecentMenu();
    void refresh();
    void askForFile();
    void askForProject();
    void showHelp();
    void showPalette();
    void showLocator();

    views::Workspace& m_workspace;
    Settings& m_settings;
    Panels* m_panels;
    MessageBar* m_messages;
    QToolBar* m_messageHolder = nullptr;
    HelpWindow* m_help = nullptr;
    QActionGroup* m_questions = nullptr;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_hostMenu = nullptr;
    QList<QAction*> m_needModel; ///< Enabled while a model is open.
    QList<QAction*> m_needPlan;
    QLabel* m_status = nullptr;  ///< How big the network is and how long planning took.
    QAction* m_recompute = nullptr;
    QAction* m_cancelTasks = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_open = nullptr;
    QAction* m_save = nullptr;
    QAction* m_dimensions = nullptr;
    QAction* m_palette = nullptr;
    bool m_closing = false;
    bool m_unattended = false;
};

} // namespace pim::studio
