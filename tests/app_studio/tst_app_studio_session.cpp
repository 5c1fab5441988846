// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Start and end of the program and what stands around the panels: sessions, recovery, layouts, tasks, tour,
/// help.
#include <QTest>
#include <string>

#include "app/studio/commands.h"
#include "app/studio/help_library.h"
#include "app/studio/help_window.h"
#include "app/studio/layouts.h"
#include "app/studio/layouts_dialog.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/task_model.h"
#include "app/studio/panels/tasks_panel.h"
#include "app/studio/recovery_bar.h"
#include "app/studio/session.h"
#include "app/studio/start.h"
#include "app/studio/studio_tour.h"
#include "app/studio/task_bar.h"
#include "app/studio/welcome_page.h"
#include "core/base/paths.h"
#include "tests/app_studio/studio_fixture.h"
#include "tests/app_studio/ui_watchdog.h"
#include "views/common/table_view.h"
#include "views/runs/sql_console.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QJsonObject>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUndoStack>
#include <QVersionNumber>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::Studio;

namespace {

/// A task that counts to a hundred, slowly, until it is told to stop.
struct Counting {
    std::atomic<bool> isRunning = false, isDelivered = false;

    int start(TaskList& tasks, std::int64_t total) {
        return tasks.start(QStringLiteral("Counting"),
                           [this, total](const TaskContext& task) -> std::function<void()> {
                               isRunning = true;
                               for (int i = 1; i <= 10'000 && !task.stop.stop_requested(); ++i) {
                                   task.onProgress("sheep", std::min(i, 34), total);
                                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                               }
                               isRunning = false;
                               return [this] { isDelivered = true; };
                           });
    }
};

} // namespace

class TestSession : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<pim::test::UiWatchdog> m_watchdog;

    static QString tinyModel() {
        return QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string());
    }
    /// Keys that are shortcuts only work in the window in front.
    static void activate(QWidget& window) {
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    static void open(Studio& studio) {
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.workspace.openModel(tinyModel(), {{"batch", 1}, {"past", 48}});
        SETTLE(studio);
    }
    /// The newest task whose name contains this, or -1: other work of the document that is open may begin and
    /// end whenever it likes, and then stands in other rows.
    static int rowOf(const TaskModel& model, const QString& name) {
        const auto& rows = model.rows();
        const auto at = std::find_if(rows.begin(), rows.end(), [&](const TaskModel::Row& row) {
            return row.entry.name.contains(name);
        });
        return at == rows.end() ? -1 : static_cast<int>(at - rows.begin());
    }
    static QString cell(const TaskModel& model, const QString& name, int column) {
        return model.index(rowOf(model, name), column).data().toString();
    }

private slots:
    void initTestCase() {
        pim::test::isolateSettings(m_folder);
        m_watchdog = std::make_unique<pim::test::UiWatchdog>();
    }
    void init() { QSettings().clear(); }
    void cleanupTestCase() {
        qInfo("longest stretch the UI thread was busy: %.0f ms", m_watchdog->longestMs());
    }

    // Sessions

    void aModelComesBackAsItWasLeft() {
        std::string opName;
        {
            Studio studio;
            Session session(studio.window, studio.workspace);
            open(studio);
            studio.window.panels().show(Question::WhatIf);
            const OpId op = studio.costliestOnPim();
            opName = studio.workspace.graph()->op(op).name;
            studio.workspace.selectOp(op);
            studio.workspace.setViewState(
                QStringLiteral("some-view"),
                QJsonObject{{QStringLiteral("zoom"), 2.5}, {QStringLiteral("top"), 140}});
            studio.window.panels().dock(QStringLiteral("history"))->close();
            QVERIFY(studio.window.close());
            session.save();
        }
        Studio studio;
        Session session(studio.window, studio.workspace);
        QVERIFY(session.restore());
        SETTLE(studio);
        QCOMPARE(studio.workspace.modelPath(), tinyModel());
        QCOMPARE(studio.workspace.target()->id, std::string("attacc"));
        QCOMPARE(studio.workspace.graphOptions().bindings.at("past"), std::int64_t(48));
        QCOMPARE(studio.window.panels().question(), Question::WhatIf);
        QVERIFY(studio.window.panels().dock(QStringLiteral("history"))->isHidden());
        QVERIFY(studio.workspace.selection().op.valid());
        QCOMPARE(studio.workspace.graph()->op(studio.workspace.selection().op).name, opName);
        QCOMPARE(studio.workspace.viewState(QStringLiteral("some-view"))[u"zoom"].toDouble(), 2.5);
        QVERIFY(!studio.workspace.undoStack()->canUndo()); // coming back is no decision
    }

    void aProjectComesBackToo() {
        const QString file = m_folder.filePath(QStringLiteral("back.pimproj"));
        std::string opName;
        {
            Studio studio;
            Session session(studio.window, studio.workspace);
            open(studio);
            studio.window.saveProject(file);
            QTRY_VERIFY(studio.workspace.lastRun() > 0);
            studio.window.panels().show(Question::WhyThisDraft);
            opName = studio.workspace.graph()->op(studio.costliestOnPim()).name;
            studio.workspace.selectOp(studio.costliestOnPim());
            session.save();
        }
        Studio studio;
        Session session(studio.window, studio.workspace);
        QVERIFY(session.restore());
        SETTLE(studio);
        QVERIFY(studio.workspace.project());
        QCOMPARE(QString::fromStdString(studio.workspace.project()->file().string()), file);
        QCOMPARE(studio.window.panels().question(), Question::WhyThisDraft);
        QVERIFY(studio.workspace.selection().op.valid());
        QCOMPARE(studio.workspace.graph()->op(studio.workspace.selection().op).name, opName);
    }

    void whatIsGoneIsToldAndACleanStartIsClean() {
        const QString copy = m_folder.filePath(QStringLiteral("moved.onnx"));
        QVERIFY(QFile::copy(tinyModel(), copy));
        {
            Studio studio;
            Session session(studio.window, studio.workspace);
            studio.workspace.setTarget(QStringLiteral("attacc"));
            studio.workspace.openModel(copy);
            SETTLE(studio);
            session.save();
        }
        setTourSeen(true);
        {
            Studio studio;
            Session session(studio.window, studio.workspace);
            beginWork(studio.window, studio.workspace, session, {.isClean = true});
            QTest::qWait(50);
            QVERIFY(!studio.workspace.graph());
            QVERIFY(Session::isThere()); // only not taken up
        }
        QVERIFY(QFile::remove(copy));
        Studio studio;
        Session session(studio.window, studio.workspace);
        beginWork(studio.window, studio.workspace, session, {});
        QVERIFY(studio.window.messageBar()->text().contains(QStringLiteral("moved.onnx")));
        QVERIFY(!QApplication::activeModalWidget());
        Session::setWanted(false);
        QVERIFY(!Session::isWanted());
    }

    void queriesWithNamesComeBackWithTheProject() {
        const QString file = m_folder.filePath(QStringLiteral("queries.pimproj"));
        {
            Studio studio;
            open(studio);
            studio.workspace.saveProject(file);
            QTRY_VERIFY(studio.workspace.savedProject());
            auto* console = studio.window.findChild<SqlConsole*>();
            console->setQuery(QStringLiteral("SELECT count(*) FROM runs"));
            console->saveAs(QStringLiteral("how many"));
            SETTLE(studio);
        }
        Studio studio;
        studio.workspace.openProject(file);
        SETTLE(studio);
        auto* console = studio.window.findChild<SqlConsole*>();
        QCOMPARE(console->saved(), (SqlConsole::Saved{{"how many", "SELECT count(*) FROM runs"}}));
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
    }

    void closingWhileLoadingEndsClean() {
        Studio studio;
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.workspace.openModel(
            QString::fromStdString((samplesDir() / "gpt3-13b-decode" / "gpt3-13b-decode.onnx").string()));
        QVERIFY(!studio.workspace.tasks()->entries().isEmpty());
        QVERIFY(studio.window.close());
        QVERIFY(studio.failures.isEmpty());
    }

    void closingAsksBeforeItStopsLongWork() {
        Studio studio;
        studio.window.setUnattended(false);
        Counting counting;
        counting.start(*studio.workspace.tasks(), 100);
        const auto question = [&] { return studio.window.findChild<QMessageBox*>(); };
        const auto entries = [&] { return studio.workspace.tasks()->entries(); };
        QTRY_VERIFY_WITH_TIMEOUT(entries().isEmpty() || entries().front().seconds >= 3.1, 20000);
        QVERIFY(!studio.window.close()); // it would have ended soon, had it begun just now
        QTRY_VERIFY(question() && question()->isVisible());
        QVERIFY(question()->informativeText().contains(QStringLiteral("Counting")));
        question()->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!question());
        QVERIFY(studio.window.isVisible() && counting.isRunning);
        QVERIFY(!studio.window.close());
        QTRY_VERIFY(question() && question()->isVisible());
        question()->button(QMessageBox::Close)->click();
        QTRY_VERIFY(!studio.window.isVisible());
    }

    // Recovery

    void workLeftForAnotherModelIsOffered() {
        Studio studio;
        studio.workspace.keepRecovery(m_folder.filePath(QStringLiteral("left for another")));
        open(studio);
        studio.workspace.addNote({0, "", "", 0, 0, "something"});
        open(studio);
        QTRY_VERIFY(studio.window.findChild<RecoveryBar*>());
        auto* bar = studio.window.findChild<RecoveryBar*>();
        QCOMPARE(bar->rows(), 1);
        auto* recover = bar->findChildren<QPushButton*>().front();
        QVERIFY2(recover->accessibleName().contains(QStringLiteral("1 note, 1 run")),
                 qPrintable(recover->accessibleName()));
        recover->click();
        QTRY_COMPARE(studio.workspace.notes().size(), std::size_t{1});
        SETTLE(studio);
        QTRY_VERIFY(!studio.window.findChild<RecoveryBar*>());
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
    }

    void workThatACrashLeftIsOfferedAndComesBack() {
        const QString living = m_folder.filePath(QStringLiteral("living")),
                      left = m_folder.filePath(QStringLiteral("left"));
        std::string decisions;
        {
            Studio studio;
            studio.workspace.keepRecovery(living, std::chrono::milliseconds(20));
            open(studio);
            studio.workspace.applyOverride(
                {studio.workspace.graph()->op(studio.costliestOnPim()).name, "placement", "host"});
            SETTLE(studio);
            decisions = studio.workspace.overrides().json();
            // What a process that is killed now leaves: its files, without anybody who holds the lock.
            QVERIFY(QDir().mkpath(left));
            const auto isComplete = [&] {
                for (const QString& name : QDir(living).entryList(QDir::Files))
                    if (!name.endsWith(QStringLiteral(".lock"))) {
                        QFile::remove(left + u'/' + name);
                        QFile::copy(living + u'/' + name, left + u'/' + name);
                    }
                const auto sessions = recoverableSessions(left);
                return sessions.size() == 1 && sessions.front().decisions == 1;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isComplete(), 20000);
        }
        QVERIFY(recoverableSessions(living).isEmpty()); // a clean end leaves nothing
        Studio studio;
        Session session(studio.window, studio.workspace);
        beginWork(studio.window, studio.workspace, session, {.recoveryFolder = left});
        QTRY_VERIFY(studio.window.findChild<RecoveryBar*>());
        auto* bar = studio.window.findChild<RecoveryBar*>();
        QCOMPARE(bar->rows(), 1);
        const auto buttons = bar->findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 2);
        QVERIFY2(buttons.front()->accessibleName().contains(QStringLiteral("tiny-gpt.onnx on attacc")),
                 qPrintable(buttons.front()->accessibleName()));
        QVERIFY(buttons.front()->accessibleName().contains(QStringLiteral("1 decision")));
        buttons.front()->click();
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
        QCOMPARE(studio.workspace.overrides().json(), decisions);
        QVERIFY(studio.workspace.hasUnsavedChanges());
        QTRY_VERIFY(!studio.window.findChild<RecoveryBar*>());
    }

    // Layouts

    void layoutsAreSavedChosenRenamedAndDeleted() {
        {
            Studio studio;
            open(studio);
            Panels& panels = studio.window.panels();
            panels.show(Question::WhyThisDraft);
            panels.dock(QStringLiteral("tiles"))->close();
            QCOMPARE(studio.window.layouts().save(QStringLiteral("  Two panels ")), QString());
            QVERIFY(!studio.window.layouts().save(QStringLiteral("  ")).isEmpty());
            QVERIFY(studio.window.close());
        }
        Studio studio;
        open(studio);
        Panels& panels = studio.window.panels();
        Layouts& layouts = studio.window.layouts();
        QCOMPARE(layouts.names(), QStringList{QStringLiteral("Two panels")});
        panels.reset();
        QCOMPARE(layouts.names().size(), 1); // a reset forgets no named layout
        panels.show(Question::WhyThisDraft);
        QVERIFY(!panels.dock(QStringLiteral("tiles"))->isHidden());
        panels.show(Question::WhereTimeGoes);
        QCOMPARE(layouts.apply(QStringLiteral("Two panels")), QString());
        QCOMPARE(panels.question(), Question::WhyThisDraft);
        QVERIFY(panels.dock(QStringLiteral("tiles"))->isHidden());
        QVERIFY(layouts.apply(QStringLiteral("Nobody")).contains(QStringLiteral("Nobody")));

        LayoutsDialog dialog(layouts);
        activate(dialog);
        dialog.nameField()->setText(QStringLiteral("Everything"));
        QTest::keyClick(dialog.nameField(), Qt::Key_Return);
        QCOMPARE(layouts.names(), (QStringList{QStringLiteral("Everything"), QStringLiteral("Two panels")}));
        QTRY_COMPARE(dialog.list()->count(), 2);
        dialog.list()->item(1)->setText(QStringLiteral("Everything")); // taken
        QCOMPARE(layouts.names().size(), 2);
        QTRY_COMPARE(dialog.list()->item(1)->text(), QStringLiteral("Two panels"));
        dialog.list()->item(1)->setText(QStringLiteral("Drafts only"));
        QCOMPARE(layouts.names(), (QStringList{QStringLiteral("Drafts only"), QStringLiteral("Everything")}));
        dialog.list()->setCurrentRow(0);
        dialog.list()->setFocus();
        QTest::keyClick(dialog.list(), Qt::Key_Delete);
        QCOMPARE(layouts.names(), QStringList{QStringLiteral("Everything")});
    }

    void panelsFloatOnlyWhereTheyCanComeBack() {
        QVERIFY(Panels::canFloat(QStringLiteral("xcb")));
        const bool isMended = QLibraryInfo::version() >= QVersionNumber(6, 5, 4);
        QCOMPARE(Panels::canFloat(QStringLiteral("wayland")), isMended);
        QCOMPARE(Panels::canFloat(QStringLiteral("wayland-egl")), isMended);
        Studio studio;
        open(studio);
        QDockWidget* graph = studio.window.panels().dock(QStringLiteral("graph"));
        graph->setFloating(true);
        studio.window.commands().action(QStringLiteral("view.dock-all"))->trigger();
        QVERIFY(!graph->isFloating());
        QVERIFY(!graph->isHidden());
        studio.window.panels().setLocked(true);
        QVERIFY(!(graph->features() & QDockWidget::DockWidgetFloatable));
        studio.window.panels().setLocked(false);
    }

    /// Also those that the arrangement in force leaves out.
    void everyPanelCanBeShown() {
        Studio studio;
        open(studio);
        for (int question = 0; question < kQuestions; ++question) {
            studio.window.panels().show(static_cast<Question>(question));
            for (const auto& [id, dock] : studio.window.panels().docks()) {
                studio.window.showPanel(id);
                QTRY_VERIFY2(!dock->visibleRegion().isEmpty(), qPrintable(id));
                QVERIFY2(studio.window.dockWidgetArea(dock) != Qt::NoDockWidgetArea, qPrintable(id));
            }
        }
    }

    // Tasks

    void aTaskIsListedWithItsProgressAndStaysCancelled() {
        Studio studio;
        open(studio);
        auto* panel = studio.window.findChild<TasksPanel*>();
        QVERIFY(panel);
        const auto sheepCell = [&](int column) {
            return cell(panel->model(), QStringLiteral("Counting"), column);
        };
        Counting sheep;
        sheep.start(*studio.workspace.tasks(), 120);
        QTRY_COMPARE(sheepCell(TaskModel::Progress), QStringLiteral("34 of 120"));
        QCOMPARE(sheepCell(TaskModel::State), QStringLiteral("Running: sheep"));
        QVERIFY(sheepCell(TaskModel::Elapsed).endsWith(u's'));

        // The list does not care which panels are shown.
        studio.window.panels().show(Question::WhatIf);
        studio.window.panels().show(Question::WhereTimeGoes);
        studio.window.showPanel(QStringLiteral("tasks"));
        QCOMPARE(sheepCell(TaskModel::State), QStringLiteral("Running: sheep"));
        activate(studio.window);
        panel->table()->selectRow(rowOf(panel->model(), QStringLiteral("Counting")));
        panel->table()->setFocus();
        QTest::keyClick(panel->table(), Qt::Key_Delete);
        QCOMPARE(sheepCell(TaskModel::State), QStringLiteral("Cancelled")); // at once, whatever the work does
        QTRY_VERIFY(!sheep.isRunning);
        QTest::qWait(300);
        QVERIFY(!sheep.isDelivered);
        QCOMPARE(sheepCell(TaskModel::State), QStringLiteral("Cancelled"));

        // Without a known end it counts; all can be cancelled together.
        Counting open;
        open.start(*studio.workspace.tasks(), 0);
        QTRY_COMPARE(sheepCell(TaskModel::Progress), QStringLiteral("34 done"));
        studio.workspace.cancelTasks();
        QCOMPARE(sheepCell(TaskModel::State), QStringLiteral("Cancelled"));
        QTRY_VERIFY(!open.isRunning);
        panel->model().clearEnded();
        QCOMPARE(rowOf(panel->model(), QStringLiteral("Counting")), -1);
        QCOMPARE(panel->model().rowCount(), panel->model().running());
    }

    void aTaskThatFailsSaysWhy() {
        Studio studio;
        open(studio);
        auto* panel = studio.window.findChild<TasksPanel*>();
        panel->model().clearEnded();
        const QString path = m_folder.filePath(QStringLiteral("letter.onnx"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Dear Sir or Madam");
        file.close();
        studio.window.openFile(path);
        const auto state = [&] {
            return cell(panel->model(), QStringLiteral("letter.onnx"), TaskModel::State);
        };
        QTRY_VERIFY2(state().startsWith(QStringLiteral("Failed: ")), qPrintable(state()));
        QVERIFY2(state().contains(QStringLiteral("letter.onnx")), qPrintable(state()));
    }

    // The tour

    void theTourGoesThroughTheRealWindow() {
        Studio studio;
        Session session(studio.window, studio.workspace);
        QVERIFY(!isTourSeen());
        beginWork(studio.window, studio.workspace, session, {});
        auto* tour = studio.window.findChild<Tour*>();
        QVERIFY(tour);
        QCOMPARE(tour->steps(), 5);
        QVERIFY(!studio.workspace.graph());
        QSignalSpy ended(tour, &Tour::ended);
        QStringList titles;
        for (int step = 0; step < 5; ++step) {
            QTRY_COMPARE(tour->step(), step);
            QTRY_VERIFY2(tour->lit() && tour->lit()->isVisible(), qPrintable(QString::number(step)));
            QVERIFY(!tour->spot().isEmpty());
            QVERIFY(studio.window.rect().contains(tour->card()->geometry()));
            QVERIFY(!tour->card()->accessibleDescription().isEmpty());
            titles.append(tour->card()->accessibleName());
            if (step == 1)
                SETTLE(studio); // it opened the sample
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : tour, Qt::Key_Right);
        }
        QCOMPARE(QSet<QString>(titles.begin(), titles.end()).size(), 5);
        QCOMPARE(ended.size(), 1);
        QVERIFY(ended.front().front().toBool());
        QVERIFY(isTourSeen());
        QVERIFY(studio.workspace.graph());
    }

    void theTourIsNotShownTwiceButIsInTheHelpMenu() {
        setTourSeen(true);
        Studio studio;
        Session session(studio.window, studio.workspace);
        beginWork(studio.window, studio.workspace, session, {});
        QVERIFY(!studio.window.findChild<Tour*>());
        studio.window.commands().action(QStringLiteral("help.tour"))->trigger();
        QPointer<Tour> tour = studio.window.findChild<Tour*>();
        QVERIFY(tour);
        QTest::keyClick(tour, Qt::Key_Right);
        QTRY_COMPARE(tour->step(), 1);
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->step(), 0);
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(!tour);
    }

    // Welcome

    void theWelcomePageHasMachinesRecentsAndNews() {
        Studio studio;
        auto* page = studio.window.findChild<WelcomePage*>();
        QCOMPARE(page->machines()->count(), static_cast<int>(studio.workspace.catalog().targets().size()));
        for (int i = 0; i < page->machines()->count(); ++i)
            QVERIFY(!page->machines()->item(i)->toolTip().isEmpty());
        page->machines()->setCurrentRow(2);
        QCOMPARE(QString::fromStdString(studio.workspace.target()->id),
                 page->machines()->item(2)->data(Qt::UserRole).toString());
        studio.workspace.setTarget(QStringLiteral("aim"));
        QCOMPARE(page->machines()->selectedItems().size(), 1);
        QCOMPARE(page->machines()->selectedItems().front()->data(Qt::UserRole).toString(),
                 QStringLiteral("aim"));

        studio.settings.addRecentFile(tinyModel());
        studio.settings.addRecentFile(m_folder.filePath(QStringLiteral("gone.onnx")));
        QVERIFY(page->recentFiles()->item(0)->text().contains(QStringLiteral("missing")));
        page->recentFiles()->setCurrentRow(0);
        activate(studio.window);
        page->recentFiles()->setFocus();
        QTest::keyClick(page->recentFiles(), Qt::Key_Delete);
        QCOMPARE(studio.settings.recentFiles(), QStringList{tinyModel()});
        QTest::mouseClick(page->recentFiles()->viewport(), Qt::LeftButton, {},
                          page->recentFiles()->visualItemRect(page->recentFiles()->item(0)).center());
        SETTLE(studio);
        QVERIFY(!page->isVisible());
    }

    // Help

    void everyConceptIsExplainedWithAPicture() {
        const QString text = helpText(QStringLiteral("concepts"));
        QVERIFY(!text.isEmpty());
        for (const char* concept_ :
             {"Bank", "Pseudo-channel", "Core", "Placement", "Kernel", "Draft", "Dimension set", "Data tile",
              "Compute tile", "Pareto front", "Rearrangement", "Mode switch", "Residency", "Group command",
              "Refresh", "Predicted and simulated", "Decision", "Dual-mode array", "Segment"})
            QVERIFY2(text.contains(QStringLiteral("\n## %1\n").arg(QString::fromLatin1(concept_))), concept_);
        QVERIFY(text.count(QStringLiteral("](images/")) >= 15);
    }

    void linksAndPicturesOfEveryPageHold() {
        static const QRegularExpression link(QStringLiteral("(!?)\\[[^\\]]*\\]\\(([^)\\s]+)\\)")),
            heading(QStringLiteral("^#+ (.*)$"), QRegularExpression::MultilineOption);
        std::map<QString, QSet<QString>> anchors;
        for (const QString& page : helpPages())
            for (auto it = heading.globalMatch(helpText(page)); it.hasNext();)
                anchors[page].insert(headingAnchor(it.next().captured(1)));
        for (const QString& page : helpPages())
            for (auto it = link.globalMatch(helpText(page)); it.hasNext();) {
                const QRegularExpressionMatch match = it.next();
                const QString to = match.captured(2), where = page + QStringLiteral(": ") + to;
                if (!match.captured(1).isEmpty()) {
                    for (const Theme theme : {Theme::Light, Theme::Dark})
                        QVERIFY2(!helpPicture(to, theme, 700, 2).isNull(), qPrintable(where));
                    continue;
                }
                if (to.contains(QStringLiteral("://")) || to.startsWith(QStringLiteral("mailto:")))
                    continue;
                const QString topic = linkedTopic(page, QUrl(to));
                const QString target = topic.section(u'#', 0, 0), anchor = topic.section(u'#', 1);
                QVERIFY2(anchors.contains(target), qPrintable(where));
                QVERIFY2(anchor.isEmpty() || anchors[target].contains(anchor), qPrintable(where));
            }
    }

    void notebooksArePagesOfTheHelp() {
        const QString page = QStringLiteral("notebooks/dram_pim"), text = helpText(page);
        QVERIFY(helpPages().contains(page));
        QVERIFY(!helpTitle(page).isEmpty());
        QVERIFY2(text.startsWith(QStringLiteral("# ") + helpTitle(page) + u'\n'), qPrintable(text.left(200)));
        QVERIFY(text.contains(QStringLiteral("\n```python\nimport pandas\nimport pimstudio\n")));
        QCOMPARE(text.count(QStringLiteral("```")) % 2, 0);
        HelpWindow help;
        help.showPage(page);
        auto* browser = help.findChild<QTextBrowser*>();
        QVERIFY(browser->toPlainText().contains(QStringLiteral("plan.simulate()")));
        emit browser->anchorClicked(QUrl(QStringLiteral("../simulation.md#what-limits-a-run")));
        QCOMPARE(help.topic(), QStringLiteral("simulation#what-limits-a-run"));
        help.showPage(QStringLiteral("notebooks"));
        emit browser->anchorClicked(QUrl(QStringLiteral("notebooks/study.ipynb")));
        QCOMPARE(help.topic(), QStringLiteral("notebooks/study"));
        emit browser->anchorClicked(QUrl(QStringLiteral("#the-answer")));
        QCOMPARE(help.topic(), QStringLiteral("notebooks/study#the-answer"));
        emit browser->anchorClicked(QUrl(QStringLiteral("../images/bank.svg"))); // leads to no page
        QCOMPARE(help.topic(), QStringLiteral("notebooks/study#the-answer"));
    }

    void picturesFollowTheTheme() {
        const QImage light = helpPicture(QStringLiteral("images/bank.svg"), Theme::Light, 700, 1),
                     dark = helpPicture(QStringLiteral("images/bank.svg"), Theme::Dark, 700, 1);
        QVERIFY(QColor(light.pixel(2, 2)).lightness() > 200);
        QVERIFY(QColor(dark.pixel(2, 2)).lightness() < 60);
        QVERIFY(helpPicture(QStringLiteral("images/bank.svg"), Theme::Light, 300, 2).width() <= 600);
    }

    void theHelpIsSearchedAndGoesBackAndForward() {
        HelpWindow help;
        help.showPage(QStringLiteral("drafts"));
        QCOMPARE(help.page(), QStringLiteral("drafts"));
        QVERIFY(!help.canGoBack());
        help.showPage(QStringLiteral("concepts#data-tile"));
        QCOMPARE(help.topic(), QStringLiteral("concepts#data-tile"));
        auto* text = help.findChild<QTextBrowser*>();
        QCOMPARE(text->textCursor().block().text(), QStringLiteral("Data tile"));
        help.goBack();
        QCOMPARE(help.page(), QStringLiteral("drafts"));
        QVERIFY(help.canGoForward());
        help.goForward();
        QCOMPARE(help.topic(), QStringLiteral("concepts#data-tile"));

        QTest::keyClicks(help.searchField(), QStringLiteral("refresh"));
        QVERIFY(help.results()->isVisible());
        QCOMPARE(help.results()->item(0)->data(Qt::UserRole).toString(),
                 QStringLiteral("concepts#refresh")); // the words are in the heading
        QTest::keyClick(help.searchField(), Qt::Key_Return);
        QCOMPARE(help.topic(), QStringLiteral("concepts#refresh"));
        help.searchField()->setText(QStringLiteral("xyzzy plugh"));
        QVERIFY(help.results()->item(0)->text().contains(QStringLiteral("xyzzy")));
        activate(help);
        QTest::keyClick(&help, Qt::Key_Escape);
        QVERIFY(help.searchField()->text().isEmpty());
        help.showPage(QStringLiteral("no-such-page"));
        QCOMPARE(help.page(), helpPages().front());
        emit text->anchorClicked(QUrl(QStringLiteral("placement.md#the-reason")));
        QCOMPARE(help.topic(), QStringLiteral("placement#the-reason"));
    }

    void everyPanelHasAPageAndFieldsTheirOwn() {
        Studio studio;
        open(studio);
        for (const auto& [id, dock] : studio.window.panels().docks())
            QVERIFY2(helpPages().contains(helpTopic(dock->widget()).section(u'#', 0, 0)), qPrintable(id));
        QWidget* drafts = studio.window.panels().dock(QStringLiteral("drafts"))->widget();
        QCOMPARE(helpTopic(drafts), QStringLiteral("drafts"));
        QLineEdit field(drafts);
        field.setProperty(kHelpTopicProperty, QStringLiteral("concepts#pareto-front"));
        QCOMPARE(helpTopic(&field), QStringLiteral("concepts#pareto-front"));
        QCOMPARE(helpTopic(nullptr), QStringLiteral("overview"));
        // The fields of the selected op, each at its concept.
        studio.workspace.selectOp(studio.costliestOnPim());
        static const QRegularExpression name(QStringLiteral("^override/"));
        QTRY_VERIFY(studio.window.findChildren<QWidget*>(name).size() >= 2);
        for (const QWidget* each : studio.window.findChildren<QWidget*>(name)) {
            const QString topic = helpTopic(each);
            QVERIFY2(topic.startsWith(QStringLiteral("concepts#")) &&
                         helpText(QStringLiteral("concepts")).contains(u'\n'),
                     qPrintable(topic));
        }
        QCOMPARE(helpTopic(studio.window.findChild<QWidget*>(QStringLiteral("override/draft"))),
                 QStringLiteral("concepts#draft"));
    }
};

QTEST_MAIN(TestSession)
#include "tst_app_studio_session.moc"
