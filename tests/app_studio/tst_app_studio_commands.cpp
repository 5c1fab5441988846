// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Everything the window can do: reasons, palette and locator, shortcuts, settings, messages, and that a copied `pimc`
/// line gives the number the window shows, to the last bit.
#include <QTest>

#include <string>

#include "app/studio/command_lines.h"
#include "app/studio/commands.h"
#include "app/studio/finder_sources.h"
#include "app/studio/known_drafts_dialog.h"
#include "app/studio/menus/menus.h"
#include "app/studio/panels/message_log.h"
#include "app/studio/settings_dialog.h"
#include "app/studio/shortcut_editor.h"
#include "core/base/jobs.h"
#include "core/base/paths.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/models/document.h"
#include "views/models/simulation_source.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSpinBox>
#include <QTableWidget>
#include <QThread>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::Studio;

class TestCommands : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static void open(Studio& studio, const char* target = "attacc") {
        studio.workspace.setTarget(QString::fromLatin1(target));
        studio.workspace.openModel(
            QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string()),
            {{"batch", 1}, {"past", 32}});
        SETTLE(studio);
    }

    /// Runs a copied line with the real program, in a folder of its own. \p more is put to the pimc part of the line.
    QJsonObject runLine(const QString& line, const QString& more = QStringLiteral("--json")) {
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        const QString real = QString(line).replace(QRegularExpression(QStringLiteral("(^|\\| )pimc ")),
                                                   QStringLiteral("\\1'" PIMC "' "));
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), real + u' ' + more});
        const bool isDone = shell.waitForFinished(120000);
        m_said = QString::fromUtf8(shell.readAllStandardError());
        return isDone && shell.exitCode() == 0
                   ? QJsonDocument::fromJson(shell.readAllStandardOutput()).object()
                   : QJsonObject();
    }
    QString m_said; ///< By the last line.

    static void walk(const QMenu& menu, QList<QAction*>& actions) {
        for (QAction* action : menu.actions()) {
            if (action->menu())
                walk(*action->menu(), actions);
            else if (!action->isSeparator())
                actions.append(action);
        }
    }

private slots:
    void initTestCase() { pim::test::isolateSettings(m_folder); }

    void everyCommandHasAnIdATitleAndAReason() {
        Studio studio;
        Commands& commands = studio.window.commands();
        commands.refresh();
        QSet<QString> titles;
        static const QRegularExpression goodId(QStringLiteral("^[a-z]+\\.[A-Za-z0-9_.-]+$"));
        for (const QString& id : commands.ids()) {
            QVERIFY2(goodId.match(id).hasMatch(), qPrintable(id));
            QVERIFY2(!titles.contains(commands.title(id)), qPrintable(commands.title(id)));
            titles.insert(commands.title(id));
            const QString reason = commands.whyNot(id);
            QCOMPARE(reason.isEmpty(), commands.action(id)->isEnabled());
            QVERIFY2(reason.isEmpty() || reason.endsWith(u'.'),
                     qPrintable(id + QStringLiteral(": ") + reason));
            for (const QKeySequence& shortcut : commands.shortcuts(id))
                QVERIFY2(commands.conflict(id, shortcut).isEmpty(),
                         qPrintable(id + QStringLiteral(" and ") + commands.conflict(id, shortcut)));
        }
        QCOMPARE(commands.whyNot(QStringLiteral("file.save-project")),
                 QStringLiteral("Open a model or a project first."));
        QCOMPARE(commands.whyNot(QStringLiteral("edit.undo")), QStringLiteral("There is nothing to undo."));
        open(studio);
        QVERIFY(commands.whyNot(QStringLiteral("file.save-project")).isEmpty());
        QCOMPARE(commands.whyNot(QStringLiteral("op.place-host")), QStringLiteral("Select an op first."));
        QVERIFY(!commands.action(QStringLiteral("op.place-host"))->isEnabled());
        studio.workspace.selectOp(studio.costliestOnPim());
        QVERIFY(commands.action(QStringLiteral("op.place-host"))->isEnabled());
    }

    void menusAreMadeOfCommands() {
        Studio studio;
        open(studio);
        QList<QAction*> actions;
        for (const QAction* menu : studio.window.menuBar()->actions())
            walk(*menu->menu(), actions);
        QVERIFY(actions.size() > 60);
        const QSet<QString> listed(studio.window.commands().ids().begin(),
                                   studio.window.commands().ids().end());
        for (const QAction* action : actions)
            // Recent files are data, no commands.
            QVERIFY2(listed.contains(action->objectName()) || action->toolTip().contains(u'/'),
                     qPrintable(action->text()));
    }

    void thePaletteIsFuzzySaysWhyNotAndRemembers() {
        Studio studio;
        Commands& commands = studio.window.commands();
        studio.window.showPalette();
        auto* finder = studio.window.findChild<Finder*>();
        QTest::keyClicks(finder->input(), QStringLiteral("expbun"));
        const FinderItem* first = finder->model()->item(finder->model()->index(0));
        QVERIFY(first);
        QCOMPARE(first->title, QStringLiteral("File › Export Bundle"));
        QVERIFY(first->hint.contains(commands.action(QStringLiteral("file.export-bundle"))
                                         ->shortcut()
                                         .toString(QKeySequence::NativeText)));
        QCOMPARE(first->problem, QStringLiteral("Open a model or a project first."));
        QTest::keyClick(finder->input(), Qt::Key_Return);
        QVERIFY(finder->isVisible()); // what cannot be run is told, not run
        finder->input()->setText(QStringLiteral("theme dark"));
        QTest::keyClick(finder->input(), Qt::Key_Return);
        QCOMPARE(currentTheme(), Theme::Dark);
        QCOMPARE(studio.settings.recentCommands().front(), QStringLiteral("view.theme-dark"));
        QTRY_VERIFY(!studio.window.findChild<Finder*>());
        studio.window.showPalette();
        finder = studio.window.findChild<Finder*>();
        QCOMPARE(finder->model()->item(finder->model()->index(0))->title,
                 QStringLiteral("View › Theme › Dark"));
        QVERIFY(
            finder->model()->item(finder->model()->index(0))->hint.contains(QStringLiteral("used recently")));
        finder->reject();
        studio.settings.setTheme(ThemeChoice::System);
    }

    void theLocatorFindsEveryKindByItsPrefix() {
        Studio studio;
        open(studio);
        const auto plan = studio.workspace.plan();
        const QString opName = QString::fromStdString(plan->graph->op(studio.costliestOnPim()).name);
        studio.workspace.saveProject(m_folder.filePath(QStringLiteral("found.pimproj")));
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() != 0, 60000);
        studio.workspace.selectOp(studio.costliestOnPim());
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);
        const std::vector<std::pair<QString, QString>> cases{
            {QStringLiteral("o ") + opName, opName},
            {QStringLiteral("t ") + QString::fromStdString(plan->graph->tensors.front().name),
             QString::fromStdString(plan->graph->tensors.front().name)},
            {QStringLiteral("d 1"), {}},
            {QStringLiteral("r run"), {}},
            {QStringLiteral("m aim"), {}},
            {QStringLiteral("b "), {}},
            {QStringLiteral("v main"), QStringLiteral("main")},
            {QStringLiteral("f found"), m_folder.filePath(QStringLiteral("found.pimproj"))},
            {QStringLiteral("p timeline"), QStringLiteral("Timeline")},
            {QStringLiteral("s font"), QStringLiteral("Appearance › Font size")},
            {QStringLiteral("h draft"), {}},
        };
        studio.window.showLocator();
        auto* finder = studio.window.findChild<Finder*>();
        const QAbstractItemModelTester tester(finder->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(finder->model()->rowCount(), static_cast<int>(cases.size())); // one line for each kind
        for (const auto& [query, title] : cases) {
            finder->input()->setText(query);
            QTRY_VERIFY(!finder->model()->isSearching());
            QVERIFY2(finder->model()->rowCount() > 0, qPrintable(query));
            if (!title.isEmpty())
                QCOMPARE(finder->model()->item(finder->model()->index(0))->title, title);
        }
        finder->input()->setText(QStringLiteral("o ") + QString::fromStdString(plan->graph->ops.back().name));
        QTRY_VERIFY(!finder->model()->isSearching());
        QTest::keyClick(finder->input(), Qt::Key_Return);
        QCOMPARE(studio.workspace.selection().op,
                 OpId(static_cast<std::int64_t>(plan->graph->ops.size()) - 1));
    }

    void twentyThousandNamesGiveWhatACompleteSearchGives() {
        std::vector<QString> names;
        for (int i = 0; i < 20000; ++i)
            names.push_back(QStringLiteral("/model/layers.%1/self_attn/%2/MatMul")
                                .arg(i / 8)
                                .arg(QStringList{"q_proj", "k_proj", "v_proj", "o_proj"}[i % 4]));
        FinderModel model({{QStringLiteral("o"), QStringLiteral("Ops"), 20000,
                            [&](int i) { return names[static_cast<std::size_t>(i)]; },
                            [&](int i) {
                                return FinderItem{names[static_cast<std::size_t>(i)], {}};
                            }}},
                          nullptr);
        for (const char* typed : {"l", "lay", "layers.12 v", "layers.1234 vproj", "zzz"}) {
            const FuzzyQuery query(QString::fromLatin1(typed));
            std::vector<std::pair<int, int>> all;
            for (int i = 0; i < 20000; ++i)
                if (const int score = query.score(names[static_cast<std::size_t>(i)]); score >= 0)
                    all.emplace_back(-score, i);
            std::sort(all.begin(), all.end());
            model.setQuery(QString::fromLatin1(typed));
            QTRY_VERIFY(!model.isSearching());
            QCOMPARE(model.rowCount(), static_cast<int>(std::min<std::size_t>(all.size(), 200)));
            for (int row = 0; row < model.rowCount(); ++row)
                QCOMPARE(model.item(model.index(row))->title,
                         names[static_cast<std::size_t>(all[static_cast<std::size_t>(row)].second)]);
        }
        QVERIFY(model.note().contains(QStringLiteral("Nothing")));
    }

    void fuzzySearchPrefersStartsOfWords() {
        const auto score = [](const char* query, const char* title) {
            return FuzzyQuery(QString::fromUtf8(query)).score(QString::fromUtf8(title));
        };
        QVERIFY(score("spr", "File › Save Project") > score("spr", "Disappear"));
        QVERIFY(score("EXB", "File › Export Bundle…") >= 0);
        QVERIFY(score("exprep", "File › Export Report…") > score("exprep", "Expand a prepared thing"));
        QCOMPARE(score("xyz", "File › Save Project"), -1);
        QCOMPARE(score("ba", "ab"), -1);
    }

    void shortcutsChangeAtOnceAndConflictsAreTold() {
        {
            Studio studio;
            Commands& commands = studio.window.commands();
            SettingsDialog dialog(studio.settings, commands);
            ShortcutEditor* editor = dialog.shortcuts();
            editor->chooseCommand(QStringLiteral("view.reset-layout"));
            QVERIFY(!editor->assign(QKeySequence(Qt::CTRL | Qt::Key_K)));
            QVERIFY2(editor->problem().contains(QStringLiteral("Go To")), qPrintable(editor->problem()));
            QVERIFY(commands.shortcuts(QStringLiteral("view.reset-layout")).isEmpty());
            // Ctrl+K would never wait for the A
            QVERIFY(!editor->assign(QKeySequence(QStringLiteral("Ctrl+K, A"))));
            QVERIFY(editor->assign(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R)));
            QCOMPARE(commands.action(QStringLiteral("view.reset-layout"))->shortcut(),
                     QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R));
            QVERIFY(commands.action(QStringLiteral("view.reset-layout"))
                        ->toolTip()
                        .contains(QStringLiteral("Alt+R")));
            editor->chooseCommand(QStringLiteral("edit.settings"));
            QVERIFY(!editor->assign(QKeySequence(Qt::CTRL | Qt::Key_K)));
            editor->takeOver();
            QCOMPARE(commands.shortcuts(QStringLiteral("edit.settings")),
                     QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_K)});
            QVERIFY(commands.shortcuts(QStringLiteral("edit.locate")).isEmpty());
        }
        Studio again;
        Commands& commands = again.window.commands();
        QCOMPARE(commands.shortcuts(QStringLiteral("edit.settings")),
                 QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_K)});
        QVERIFY(commands.shortcuts(QStringLiteral("edit.locate")).isEmpty());
        SettingsDialog dialog(again.settings, commands);
        dialog.shortcuts()->chooseCommand(QStringLiteral("edit.locate"));
        dialog.shortcuts()->resetCurrent(); // its keys belong to another now
        QVERIFY(dialog.shortcuts()->problem().contains(QStringLiteral("Settings")));
        dialog.shortcuts()->chooseCommand(QStringLiteral("edit.settings"));
        dialog.shortcuts()->resetCurrent();
        QCOMPARE(commands.shortcuts(QStringLiteral("edit.settings")),
                 commands.defaultShortcuts(QStringLiteral("edit.settings")));
        dialog.showPage(QStringLiteral("Shortcuts"));
        dialog.resetPage();
        for (const QString& id : commands.ids())
            QCOMPARE(commands.shortcuts(id), commands.defaultShortcuts(id));
    }

    void settingsHoldAtOnceAreSearchedAndReset() {
        Studio studio;
        SettingsDialog dialog(studio.settings, studio.window.commands());
        QCOMPARE(dialog.pages(), (QStringList{"General", "Appearance", "Compile defaults", "Simulation",
                                              "Storage", "Shortcuts"}));
        const auto key = [](const char16_t* text) { return QString::fromUtf16(text); };
        auto* size = qobject_cast<QSpinBox*>(dialog.field(key(setting::kFontSize)));
        const QFont before = QApplication::font();
        size->setValue(17);
        QCOMPARE(QApplication::font().pointSize(), 17);
        auto* map = qobject_cast<QComboBox*>(dialog.field(key(setting::kColorMap)));
        const QColor viridis = sequential(0.5);
        map->setCurrentIndex(map->findData(QStringLiteral("cividis")));
        QVERIFY(sequential(0.5) != viridis);
        auto* theme = qobject_cast<QComboBox*>(dialog.field(key(setting::kTheme)));
        theme->setCurrentIndex(theme->findData(QStringLiteral("dark")));
        QCOMPARE(currentTheme(), Theme::Dark);
        QVERIFY(studio.window.commands().action(QStringLiteral("view.theme-dark"))->isChecked());
        auto* type = qobject_cast<QComboBox*>(dialog.field(key(setting::kType)));
        type->setCurrentIndex(type->findData(QStringLiteral("bf16")));
        QCOMPARE(studio.workspace.options().computeType, DataType::BF16); // nothing is open yet
        auto* threads = qobject_cast<QSpinBox*>(dialog.field(key(setting::kJobs)));
        QCOMPARE(threads->accessibleName(), QStringLiteral("Threads that work at once"));
        const int usually = jobs();
        threads->setValue(64);
        QCOMPARE(jobs(), 64);
        threads->setValue(0);
        QCOMPARE(jobs(), usually);
        QFile stored(studio.settings.file());
        QTRY_VERIFY(stored.exists());

        dialog.search()->setText(QStringLiteral("blindness"));
        QCOMPARE(dialog.shownPages(), QStringList{"Appearance"});
        QVERIFY(dialog.row(key(setting::kColorMap))
                    ->isVisibleTo(dialog.row(key(setting::kColorMap))->parentWidget()));
        QVERIFY(!dialog.row(key(setting::kFontSize))
                     ->isVisibleTo(dialog.row(key(setting::kFontSize))->parentWidget()));
        dialog.search()->setText(QStringLiteral("export bundle"));
        QCOMPARE(dialog.shownPages(), QStringList{"Shortcuts"});
        dialog.search()->setText(QStringLiteral("qwertz"));
        QVERIFY(dialog.shownPages().isEmpty());
        dialog.search()->clear();
        QCOMPARE(dialog.shownPages(), dialog.pages());

        dialog.showPage(QStringLiteral("Appearance"));
        dialog.resetPage();
        QCOMPARE(QApplication::font().pointSize(), before.pointSize());
        QCOMPARE(sequential(0.5), viridis);
        QCOMPARE(theme->currentData().toString(), QStringLiteral("system"));
        QCOMPARE(studio.settings.value(setting::kType).toString(), QStringLiteral("bf16")); // another page
        studio.settings.resetPage(QStringLiteral("Compile defaults"));
        QCOMPARE(studio.workspace.options().computeType, DataType::F16);
    }

    void settingsRefuseWhatIsNotAllowed() {
        Settings settings;
        const QString size = QString::fromUtf16(setting::kFontSize);
        settings.setValue(size, 4000);
        QCOMPARE(settings.value(size), settingInfo(size)->usual);
        QSettings().setValue(size, QStringLiteral("big"));
        QCOMPARE(settings.value(size), settingInfo(size)->usual);
        QSettings().setValue(QStringLiteral("theme"), QStringLiteral("pink"));
        QCOMPARE(settings.theme(), ThemeChoice::System);
        QSettings().remove(size);
        QSettings().remove(QStringLiteral("theme"));
    }

    void theHelpPageNamesEverySetting() {
        QFile page(QString::fromStdString((resourceDir() / "help" / "settings.md").string()));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QSet<QString> told, there;
        static const QRegularExpression row(QStringLiteral("^\\| `([A-Za-z/]+)` \\|"),
                                            QRegularExpression::MultilineOption);
        for (auto it = row.globalMatch(QString::fromUtf8(page.readAll())); it.hasNext();)
            told.insert(it.next().captured(1));
        for (const SettingInfo& info : settingInfos())
            there.insert(info.key);
        QCOMPARE(told, there);
    }

    void theHelpPageNamesEveryShortcut() {
        Studio studio;
        QFile page(QString::fromStdString((resourceDir() / "help" / "shortcuts.md").string()));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        for (const QString& id : studio.window.commands().ids())
            for (const QKeySequence& shortcut : studio.window.commands().defaultShortcuts(id))
                QVERIFY2(text.contains(shortcut.toString(QKeySequence::PortableText)),
                         qPrintable(id + u' ' + shortcut.toString(QKeySequence::PortableText)));
    }

    void severalMessagesAreKept() {
        Studio studio;
        emit studio.workspace.failed(QStringLiteral("First failed"), QStringLiteral("because of this"));
        emit studio.workspace.failed(QStringLiteral("Second failed"), QString());
        emit studio.workspace.succeeded(QStringLiteral("Third written"), QStringLiteral("/tmp/third"));
        MessageLog& log = studio.window.messageLog();
        QCOMPARE(log.rowCount(), 3);
        QCOMPARE(log.at(0).text, QStringLiteral("Third written"));
        QCOMPARE(log.unreadErrors(), 2);
        QVERIFY(!QApplication::activeModalWidget());
        MessagesPanel panel(log);
        panel.show();
        QCOMPARE(log.unreadErrors(), 0);
        panel.findChild<QTableView*>()->setCurrentIndex(log.index(2, 0));
        panel.copyDetails();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("First failed\nbecause of this")));
    }

    void copiedLinesGiveTheNumbersOfTheWindow() {
        Studio studio;
        open(studio);
        Commands& commands = studio.window.commands();
        studio.workspace.selectOp(studio.costliestOnPim());
        const auto total = [](const QJsonObject& result) { return result.value(u"total_ns").toDouble(-1); };

        // A line is copied, then the command is run: both end at the same time.
        for (const char* id :
             {"op.place-host", "op.take-back", "model.conv-as-gemm", "model.group-commands",
              "model.overlap-transfer", "model.type.bf16", "target.hbm-pim", "target.attacc"}) {
            const QString line = commands.commandLine(QString::fromLatin1(id));
            QVERIFY2(!line.isEmpty(), id);
            commands.action(QString::fromLatin1(id))->trigger();
            SETTLE(studio);
            const QJsonObject result = runLine(line);
            QVERIFY2(!result.isEmpty(), qPrintable(line + u'\n' + m_said));
            QCOMPARE(total(result), studio.workspace.plan()->total.totalNs());
            QCOMPARE(total(runLine(commands.commandLine(QStringLiteral("edit.copy-command")))),
                     studio.workspace.plan()->total.totalNs());
        }
    }

    void copiedLinesExploreSimulateAndExport() {
        Studio studio;
        open(studio);
        Commands& commands = studio.window.commands();
        studio.workspace.selectOp(studio.costliestOnPim());
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);
        const QJsonObject explored = runLine(commands.commandLine(QStringLiteral("op.drafts")));
        const QJsonArray drafts = explored.value(u"drafts").toArray();
        QVERIFY2(!drafts.isEmpty(), qPrintable(m_said));
        QCOMPARE(drafts.size(), static_cast<qsizetype>(studio.workspace.exploration()->drafts.size()));
        QCOMPARE(drafts.first().toObject().value(u"total_ns").toDouble(),
                 studio.workspace.exploration()->costs.front().totalNs());

        const QString simulate = compileLine(studio.workspace, {QStringLiteral("--simulate")});
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.simulations()->simulation(), 120000);
        QCOMPARE(runLine(simulate).value(u"simulated_ns").toDouble(),
                 studio.workspace.simulations()->simulation()->totalNs);

        // The bundle of the window and that of the line are the same bytes.
        const QString ours = m_folder.filePath(QStringLiteral("ours"));
        studio.workspace.exportBundle(ours);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ours + QStringLiteral("/manifest.json")), 60000);
        QVERIFY2(!runLine(commands.commandLine(QStringLiteral("file.export-bundle"))).isEmpty(),
                 qPrintable(m_said));
        const QString theirs = m_folder.filePath(QStringLiteral("tiny-gpt-bundle"));
        int files = 0;
        for (QDirIterator it(ours, QDir::Files, QDirIterator::Subdirectories); it.hasNext(); ++files) {
            QFile a(it.next()), b(theirs + a.fileName().mid(ours.size()));
            QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
            QCOMPARE(a.readAll(), b.readAll());
        }
        QVERIFY(files > 3);
        QVERIFY2(!runLine(commands.commandLine(QStringLiteral("file.verify-bundle"))).isEmpty(),
                 qPrintable(m_said));
        studio.window.verifyBundle(theirs);
        QTRY_VERIFY_WITH_TIMEOUT(studio.window.messageLog().rowCount() > 0 &&
                                     studio.window.messageLog().at(0).text.contains(QStringLiteral("sound")),
                                 60000);

        QVERIFY2(!runLine(commands.commandLine(QStringLiteral("file.save-project"))).isEmpty(),
                 qPrintable(m_said));
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("tiny-gpt.pimproj"))));
        runLine(commands.commandLine(QStringLiteral("file.export-report")));
        QVERIFY2(QFile::exists(m_folder.filePath(QStringLiteral("tiny-gpt.html"))), qPrintable(m_said));
    }

    /// From the window and by the line that it copies: the same bytes.
    void exportsTheModelWithItsPlacement() {
        Studio studio;
        const Commands& commands = studio.window.commands();
        QVERIFY(!commands.whyNot(QStringLiteral("file.export-model")).isEmpty());
        open(studio);
        runLine(commands.commandLine(QStringLiteral("file.export-model")));
        QFile model(m_folder.filePath(QStringLiteral("tiny-gpt-placed.onnx"))),
            window(m_folder.filePath(QStringLiteral("window.onnx")));
        QVERIFY2(model.open(QIODevice::ReadOnly), qPrintable(m_said));
        exportModel(studio.workspace, window.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(window.exists(), 60000);
        QVERIFY(window.open(QIODevice::ReadOnly));
        QCOMPARE(window.readAll(), model.readAll());
        exportModel(studio.workspace, m_folder.filePath(QStringLiteral("nowhere/window.onnx")));
        QTRY_VERIFY_WITH_TIMEOUT(!studio.failures.isEmpty(), 60000);
        QVERIFY2(studio.lastFailure().contains(QStringLiteral("The model is not exported")),
                 qPrintable(studio.lastFailure()));
    }

    void knownDraftsAreListedAndCleared() {
        Studio studio;
        Commands& commands = studio.window.commands();
        const QString id = QStringLiteral("file.known-drafts");
        QCOMPARE(commands.whyNot(id), QStringLiteral("Open a model or a project first."));
        open(studio);
        QVERIFY(commands.whyNot(id).startsWith(QStringLiteral("Save the project first")));
        const QString file = m_folder.filePath(QStringLiteral("known.pimproj"));
        studio.workspace.saveProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() != 0, 60000);
        SETTLE(studio);
        commands.action(id)->trigger();
        commands.action(id)->trigger(); // the one that is open comes to the front
        QCOMPARE(studio.window.findChildren<KnownDraftsDialog*>().size(), 1);
        auto* dialog = studio.window.findChild<KnownDraftsDialog*>();
        const QAbstractItemModel& rows = *dialog->table()->model();
        const QAbstractItemModelTester tester(dialog->table()->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto stored = studio.workspace.project()->knownDrafts()->drafts;
        QVERIFY(!stored.empty());
        QTRY_COMPARE(rows.rowCount(), static_cast<int>(stored.size()));
        QCOMPARE(runLine(commands.commandLine(id)).value(u"drafts").toArray().size(), rows.rowCount());
        QVERIFY2(dialog->summary().startsWith(QStringLiteral("%1 best drafts, ").arg(stored.size())),
                 qPrintable(dialog->summary()));
        const auto cell = [&rows](int row, const char* header) {
            for (int column = 0; column < rows.columnCount(); ++column)
                if (rows.headerData(column, Qt::Horizontal, Qt::EditRole).toString() == QLatin1String(header))
                    return rows.index(row, column).data(Qt::EditRole);
            return QVariant();
        };
        const auto slowest =
            std::ranges::max(stored, {}, [](const KnownDraft& draft) { return draft.price.totalNs(); });
        QCOMPARE(cell(0, "simulated_ns").toDouble(), slowest.price.totalNs()); // unrounded, the slowest first
        QCOMPARE(cell(0, "draft").toString().toStdString(), slowest.draft);
        QCOMPARE(cell(0, "target").toString(), QStringLiteral("attacc"));
        QCOMPARE(cell(0, "of_this_code").toInt(), 1);
        dialog->table()->sortByColumn(3, Qt::AscendingOrder);
        for (int row = 1; row < rows.rowCount(); ++row)
            QVERIFY(cell(row - 1, "simulated_ns").toDouble() <= cell(row, "simulated_ns").toDouble());

        {
            Studio second; // of the same file: looks at them, does not touch them
            second.workspace.openProject(file);
            SETTLE(second);
            KnownDraftsDialog there(second.workspace);
            QTRY_COMPARE(there.table()->model()->rowCount(), rows.rowCount());
            QVERIFY(!there.clearButton()->isEnabled());
            const auto labels = there.findChildren<QLabel*>();
            QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
                return !label->isHidden() && label->text().contains(QStringLiteral("read-only"));
            }));
        }

        const auto answer = [dialog](bool isYes) {
            dialog->clearButton()->click();
            auto* question = dialog->findChild<QMessageBox*>();
            QVERIFY(question);
            QVERIFY(question->text().contains(QString::number(dialog->table()->model()->rowCount())));
            QVERIFY(question->informativeText().contains(QStringLiteral("cannot be undone")));
            for (QAbstractButton* button : question->buttons())
                if ((question->buttonRole(button) == QMessageBox::DestructiveRole) == isYes)
                    return button->click();
        };
        answer(false);
        QTRY_VERIFY(!dialog->findChild<QMessageBox*>());
        SETTLE(studio);
        QCOMPARE(studio.workspace.project()->knownDrafts()->drafts.size(), stored.size());
        answer(true);
        QTRY_COMPARE(rows.rowCount(), 0);
        QVERIFY(dialog->emptyText().contains(QStringLiteral("No drafts yet")));
        QVERIFY(!dialog->clearButton()->isEnabled());
        QVERIFY(studio.workspace.project()->knownDrafts()->drafts.empty());
        studio.workspace.setTarget(QStringLiteral("hbm-pim"));
        QTRY_VERIFY_WITH_TIMEOUT(rows.rowCount() > 0, 60000); // follows what is found from then on
        QCOMPARE(cell(0, "target").toString(), QStringLiteral("hbm-pim"));
        open(studio); // a model of no project
        QTRY_VERIFY(dialog->emptyText().contains(QStringLiteral("No project")));
    }

    /// Panels cancel what they wait for as they go, one after the other.
    void nothingIsAskedWhileTheWindowIsTakenApart() {
        int asked = 0;
        bool going = false;
        {
            Studio studio;
            studio.window.commands().add(
                {.id = QStringLiteral("test.count"), .text = QStringLiteral("Count"), .whyNot = [&] {
                     asked += going;
                     return QString();
                 }});
            TaskList* const tasks = studio.workspace.tasks();
            const int task = tasks->start(QStringLiteral("Waiting"),
                                          [](const TaskContext& context) -> std::function<void()> {
                                              while (!context.cancelled())
                                                  QThread::msleep(1);
                                              return {};
                                          });
            auto* const panel = new QWidget(&studio.window);
            panel->lower(); // goes first, as do panels behind others
            connect(panel, &QObject::destroyed, this, [&, tasks, task] {
                going = true;
                tasks->cancel(task);
                QVERIFY(tasks->entries().isEmpty());
            });
        }
        QVERIFY(going);
        QCOMPARE(asked, 0);
    }

    void everyCommandThatChangesOrExportsHasALine() {
        Studio studio;
        Commands& commands = studio.window.commands();
        for (const QString& id : commands.ids()) {
            const QString kind = id.section(u'.', 0, 0);
            if (kind == QStringLiteral("target") || kind == QStringLiteral("host") ||
                kind == QStringLiteral("sample") || id.startsWith(QStringLiteral("model.type.")) ||
                id.startsWith(QStringLiteral("file.export")) || id.startsWith(QStringLiteral("file.save")) ||
                id.startsWith(QStringLiteral("op.place")) || id == QStringLiteral("file.known-drafts"))
                QVERIFY2(commands.hasCommandLine(id), qPrintable(id));
        }
        QCOMPARE(shellWord(QStringLiteral("it's $HOME")), QStringLiteral("'it'\\''s $HOME'"));
    }
};

QTEST_MAIN(TestCommands)
#include "tst_app_studio_commands.moc"
