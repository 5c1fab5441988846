// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The window: composes views, panels, menus and tool bars over one Workspace. Decides nothing itself.
#include "app/studio/panels.h"
#include "app/studio/samples.h"

#include <QMainWindow>

#include <functional>
#include <vector>

class QDockWidget;
class QLabel;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class Commands;
class HelpWindow;
class Layouts;
class LogModel;
class MessageBar;
class MessageLog;
class Settings;
class SettingsDialog;
struct OpenRequest;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// \p workspace and \p settings outlive the window.
    MainWindow(views::Workspace& workspace, Settings& settings);
    ~MainWindow() override;

    void openFile(const QString& path); ///< A model or a project, by its content's suffix.
    /// Handed over by another start; comes to the front. May be empty.
    void openFromElsewhere(const QString& what);
    void openSample(const Sample& sample);
    void saveProject(const QString& path);
    void askForFile();
    void askForProject();
    void showHelp();                          ///< Of the panel one is in.
    void showHelpTopic(const QString& topic); ///< As in help_library.h.
    void showTour();
    void useLayout(const QString& name);
    void showLayouts(); ///< To save, choose, rename and delete.
    void showPalette();
    void showLocator();
    void showPanel(const QString& id);          ///< Brings it to the front and gives it the focus.
    void togglePanel(const QString& id);        ///< Hides it if it is in front.
    void verifyBundle(const QString& folder);   ///< As a task; a message tells what was found.
    void showRun(std::int64_t id);              ///< Of the open project, beside the newest one.
    void showSettings(const QString& key = {}); ///< Empty: the first page.
    void showShortcuts();
    void copyCommand(const QString& line);
    void showLog(); ///< Of the program; the panel may be there without a model.
    /// A dialog; \p crash, a file of crashFolder(), is ticked in it.
    void reportProblem(const QString& crash = {});
    /// In the bar and in the list of messages.
    void showError(const QString& message, const QString& details);
    void showNote(const QString& message, const QString& path);

    Panels& panels() const { return *m_panels; }
    Layouts& layouts() const { return *m_layouts; }
    Commands& commands() const { return *m_commands; }
    MessageBar* messageBar() const { return m_messages; }
    MessageLog& messageLog() const { return *m_log; }
    /// Do not ask about unsaved decisions when closing; for runs without a person.
    void setUnattended(bool unattended) { m_unattended = unattended; }

signals:
    void linkChosen(const QString& link); ///< pim://…

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void openDropped(const QList<OpenRequest>& files);
    void offerUnsaved(const QString& folder);
    /// A panel of a family that a note at a stretch of time leads to.
    struct StretchPanel {
        QString id;
        QWidget* widget;
        std::function<void(QWidget&, const QString&, double, double)> show;
    };
    // main_window_panels.cpp
    void buildPanels();
    QDockWidget* addPanel(const char* id, const QString& title, QWidget* content);
    void addNetworkPanels();
    void addDraftPanels();
    void addRunPanels();
    void addLutPanels();
    void addPlanPanels();
    void addDecisionPanels();
    void addReports();
    std::vector<StretchPanel> addFamilyPanels();
    void addTimeAndNotes(const std::vector<StretchPanel>& others);
    void showNoteAt(qint64 id);

    void buildMenus();
    void buildToolBars();
    void buildStatusBar();
    void followWorkspace();
    void followSettings();
    SettingsDialog* openSettings();
    QString projectPath(const QString& name) const; ///< Where dialogs begin.
    void refresh();

    views::Workspace& m_workspace;
    Settings& m_settings;
    Commands* m_commands;
    Panels* m_panels;
    Layouts* m_layouts;
    MessageBar* m_messages;
    MessageLog* m_log;
    LogModel* m_lines; ///< Of the log of the process.
    QToolBar* m_messageHolder = nullptr;
    HelpWindow* m_help = nullptr;
    QLabel* m_status = nullptr; ///< How big the network is and how long planning took.
    bool mayClose();
    bool m_closing = false;
    bool m_unattended = false;
};

} // namespace pim::studio
