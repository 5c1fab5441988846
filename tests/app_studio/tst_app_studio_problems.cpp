// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// When something goes wrong at a user's desk: the log in window and file, the report of a problem, and what a program that was killed leaves
/// for its next start.
#include "app/studio/crash_bar.h"
#include "app/studio/panels/log_model.h"
#include "app/studio/panels/log_panel.h"
#include "app/studio/panels/problems_panel.h"
#include "app/studio/problem_dialog.h"
#include "app/studio/session.h"
#include "app/studio/start.h"
#include "studio_fixture.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QStyle>
#include <QTreeWidget>

#include <csignal>

using namespace pim;
using namespace pim::studio;
using namespace pim::test;

namespace {

template <class Widget>
Widget* named(const QWidget& parent, const QString& accessibleName) {
    for (auto* widget : parent.findChildren<Widget*>())
        if (widget->accessibleName() == accessibleName)
            return widget;
    return nullptr;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The desktop program, with a home of its own.
struct StartedStudio {
    QTemporaryDir home;
    QProcess process;
    StartedStudio() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("HOME", home.path());
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "QT_LOGGING_RULES"})
            environment.remove(QString::fromLatin1(name));
        process.setProcessEnvironment(environment);
    }
    QString file(const char* name) const { return home.filePath(QString::fromLatin1(name)); }
    bool run(const QStringList& arguments) {
        process.start(QStringLiteral(PIM_STUDIO), arguments);
        return process.waitForFinished(60'000);
    }
};

} // namespace

class TestProblems : public QObject {
    Q_OBJECT
    QTemporaryDir m_settings;

private slots:
    void initTestCase() { isolateSettings(m_settings); }

    /// However wide the panel is, no line of a problem is cut.
    void problemsShowAllTheirLines() {
        Studio studio;
        for (const Sample& each : findSamples())
            if (each.id == QLatin1String("resnet50"))
                studio.workspace.openModel(each.modelPath, each.bindings, QStringLiteral("attacc"));
        QTRY_VERIFY(studio.workspace.plan());
        SETTLE(studio);
        ProblemsPanel panel(studio.workspace);
        QVERIFY(panel.count() > 0);
        auto* const tree = panel.findChild<QTreeWidget*>();
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const int margin = tree->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, tree) + 1;
        for (int width = 180; width < 700; width += 7) {
            panel.resize(width, 500);
            QCoreApplication::processEvents();
            for (int i = 0; i < tree->topLevelItemCount(); ++i) {
                const QTreeWidgetItem* item = tree->topLevelItem(i);
                const QRect rect = tree->visualItemRect(item);
                const int icon = tree->iconSize().isValid()
                                     ? tree->iconSize().width()
                                     : tree->style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, tree);
                const QRect room(0, 0, rect.width() - icon - 4 * margin, 10'000);
                const int needed =
                    tree->fontMetrics().boundingRect(room, Qt::TextWordWrap, item->text(0)).height();
                QVERIFY2(rect.height() >= needed, qPrintable(QStringLiteral("%1 wide: %2 high, needs %3")
                                                                 .arg(width)
                                                                 .arg(rect.height())
                                                                 .arg(needed)));
            }
        }
    }

    void theLogIsReadByLevelRoomAndWord() {
        Studio studio;
        auto* const panel = studio.window.findChild<LogPanel*>();
        QVERIFY(panel);
        for (int i = 0; i < 20; ++i)
            Log::get().write(LogLevel::Info, "here", "line " + std::to_string(i));
        Log::get().write(LogLevel::Error, "there", "it broke");
        Log::get().write(LogLevel::Debug, "there", "a detail");
        auto* const table = panel->findChild<QAbstractItemView*>();
        QTRY_VERIFY(panel->lines().contains("it broke"));
        QVERIFY(panel->lines().contains("info    here: line 19") && !panel->lines().contains("a detail"));
        named<QComboBox>(*panel, "Level")->setCurrentText("Errors");
        QCOMPARE(panel->lines().count('\n'), 1);
        named<QComboBox>(*panel, "Level")->setCurrentText("Debug");
        auto* const room = named<QComboBox>(*panel, "Room");
        QVERIFY(room->findText("there") > 0);
        room->setCurrentText("there");
        QCOMPARE(panel->lines().count('\n'), 2);
        room->setCurrentText("here");
        named<QLineEdit>(*panel, "Search in the log")->setText("LINE 1");
        QCOMPARE(panel->lines().count('\n'), 11);
        table->selectionModel()->select(table->model()->index(3, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        panel->copy();
        QVERIFY(QGuiApplication::clipboard()->text().trimmed().endsWith("here: line 12"));
        auto* const model = studio.window.findChild<LogModel*>();
        model->clear();
        QCOMPARE(model->rowCount(), 0);
        QVERIFY(panel->lines().isEmpty());
    }

    void theListOfTheLogIsBounded() {
        Studio studio;
        auto* const model = studio.window.findChild<LogModel*>();
        const int many = 3 * static_cast<int>(LogModel::kMost);
        for (int i = 0; i < many; ++i)
            Log::get().write(LogLevel::Info, "many", std::to_string(i));
        QTRY_COMPARE(
            QString::fromStdString(model->rowCount() > 0 ? model->at(model->rowCount() - 1).text : ""),
            QString::number(many - 1));
        QCOMPARE(model->rowCount(), static_cast<int>(LogModel::kMost));
        auto* const table = studio.window.findChild<LogPanel*>()->findChild<QAbstractItemView*>();
        studio.window.showLog(); // without a model too
        QVERIFY(table->isVisible());
        QTRY_VERIFY(table->indexAt(QPoint(5, table->viewport()->height() - 5)).row() ==
                        table->model()->rowCount() - 1 ||
                    table->visualRect(table->model()->index(table->model()->rowCount() - 1, 0)).bottom() <=
                        table->viewport()->height());
    }

    void aReportHoldsWhatIsTicked() {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty())
            QSKIP("python3 unpacks the archive");
        const QTemporaryDir home;
        const QByteArray before = qgetenv("HOME");
        qputenv("HOME", home.path().toUtf8());
        Studio studio;
        Log::get().write(LogLevel::Info, "here",
                         "opened " + home.filePath("secret/place.onnx").toStdString());
        studio.workspace.openModel(sampleModel("tiny-gpt"));
        SETTLE(studio);
        QDir(home.path()).mkdir("crashes");
        QFile crash(home.filePath("crashes/pimc-1.txt"));
        QVERIFY(crash.open(QIODevice::WriteOnly));
        crash.write("program: pimc 1.0\nsignal: SIGSEGV\nseconds: 1700000000\n\nstack:\n");
        crash.close();
        const QString model = "model-without-weights.onnx";
        ProblemDialog dialog(studio.workspace, studio.settings, home.filePath("crashes"), crash.fileName());
        const QStringList usual{"versions.txt", "log.txt", "settings.ini", "crash-pimc-1.txt"};
        QCOMPARE(dialog.chosen(), usual);
        auto* const list = named<QListWidget>(dialog, "Files of the report");
        auto* const preview = named<QPlainTextEdit>(dialog, "Content of the file");
        list->setCurrentRow(1);
        QVERIFY2(preview->toPlainText().contains("opened ~/secret/place.onnx"),
                 qPrintable(preview->toPlainText()));
        QVERIFY(!preview->toPlainText().contains(home.path()));
        list->setCurrentRow(0);
        QVERIFY(preview->toPlainText().contains("SQLite"));
        QVERIFY(dialog.choose("settings.ini", false) && dialog.choose(model, true));
        QVERIFY(!dialog.choose("weights", true));
        named<QPlainTextEdit>(dialog, "What happened")->setPlainText("It stopped.");
        const QString file = home.filePath("report.zip");
        QVERIFY(dialog.save(file));
        QProcess unpack;
        unpack.start(python, {"-m", "zipfile", "-e", file, home.path()});
        QVERIFY(unpack.waitForFinished(60'000));
        const QDir folder(home.filePath("report"));
        QStringList files = folder.entryList(QDir::Files, QDir::Name);
        QCOMPARE(files,
                 QStringList({"crash-pimc-1.txt", "description.txt", "log.txt", model, "versions.txt"}));
        QCOMPARE(contentOf(folder.filePath("description.txt")), QByteArray("It stopped.\n"));
        const auto graph = loadGraph(folder.filePath(model).toStdString());
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        QCOMPARE((*graph)->ops.size(), studio.workspace.graph()->ops.size());
        const auto nowhere = dialog.save("/no/such/folder/report.zip");
        QVERIFY(!nowhere && nowhere.error().code == ErrorCode::Io);
        qputenv("HOME", before);
    }

    void aKilledProgramIsOfferedAtTheNextStart() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers report crashes themselves");
#endif
        StartedStudio program;
        const QString log = program.file("studio.log");
        program.process.start(QStringLiteral(PIM_STUDIO),
                              {"--new", "--new-instance", "--log-file", log, "sample:tiny-gpt"});
        QTRY_VERIFY2_WITH_TIMEOUT(contentOf(log).contains("is done after"), contentOf(log).constData(),
                                  60'000);
        QCOMPARE(::kill(static_cast<pid_t>(program.process.processId()), SIGSEGV), 0);
        QVERIFY(program.process.waitForFinished(60'000));
        QCOMPARE(program.process.exitStatus(), QProcess::CrashExit);
        const QDir folder(program.file(".local/state/pimstudio/crashes"));
        QCOMPARE(folder.entryList(QDir::Files).size(), 1);

        Studio studio;
        Session session(studio.window, studio.workspace);
        beginWork(studio.window, studio.workspace, session, {.isClean = true, .crashFolder = folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<CrashBar*>(), 30'000);
        QPointer<CrashBar> bar = studio.window.findChild<CrashBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->rows(), 1);
        const QByteArray report = contentOf(folder.filePath(folder.entryList(QDir::Files).front()));
        QVERIFY2(report.contains("#") && report.contains("main") && report.contains("tasks: "),
                 report.constData());
        const auto click = [&](const QString& beginning) {
            for (auto* button : bar->findChildren<QPushButton*>())
                if (button->text().startsWith(beginning))
                    return button->click();
        };
        click("Show");
        QPointer<QDialog> text = studio.window.findChild<QDialog*>("TextDialog");
        QVERIFY(text && text->isVisible() && !text->isModal());
        QVERIFY(text->findChild<QPlainTextEdit*>()->toPlainText().contains("pimstudio"));
        text->close();
        qputenv("XDG_STATE_HOME", program.file(".local/state").toUtf8());
        click("Report");
        auto* const dialog = studio.window.findChild<ProblemDialog*>();
        QVERIFY(dialog && dialog->chosen().last().startsWith("crash-pimstudio-"));
        dialog->close();
        qunsetenv("XDG_STATE_HOME");
        click("Delete");
        QTRY_VERIFY(!bar);
        QVERIFY(folder.entryList(QDir::Files).isEmpty());
    }

    void oneLogForCoreAndQt() {
        StartedStudio program;
        const QString log = program.file("studio.log");
        program.process.start(QStringLiteral(PIM_STUDIO),
                              {"--new", "--new-instance", "--log-file", log, "sample:tiny-gpt"});
        for (const char* const said :
             {" info    pimstudio ", " info    graph: ", " info    project: ", " debug   tasks: Planning "})
            QTRY_VERIFY2_WITH_TIMEOUT(contentOf(log).contains(said), said, 60'000);
        program.process.terminate();
        QVERIFY(program.process.waitForFinished(60'000));
        QVERIFY(!program.process.readAllStandardError().contains("tasks: "));
    }

    void aLogThatCannotBeWrittenStopsNobody() {
        for (const QString& file :
             {QStringLiteral("/dev/full"), QStringLiteral("/no/such/folder/studio.log")}) {
            if (file == "/dev/full" && !QFile::exists(file))
                continue;
            StartedStudio program;
            QVERIFY(program.run({"--new", "--new-instance", "--until-usable", "--log-file", file}));
            const QByteArray err = program.process.readAllStandardError();
            QCOMPARE(program.process.exitCode(), 0);
            QVERIFY2(err.contains(file.toUtf8() +
                                  (file == "/dev/full" ? ": cannot be written" : ": cannot be opened")),
                     err.constData());
        }
        StartedStudio program;
        QVERIFY(program.run({"--log-level", "loud"}));
        QCOMPARE(program.process.exitCode(), 1);
        QVERIFY(program.process.readAllStandardError().contains("error, warning, info and debug"));
    }
};

QTEST_MAIN(TestProblems)
#include "tst_app_studio_problems.moc"
