// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Links lead to project, run, op and draft; a second start hands over to the first; runs are opened and made
/// again in the window; every table can be copied.
#include <QTest>
#include <string>

#include "app/studio/instance.h"
#include "app/studio/link_target.h"
#include "studio_fixture.h"
#include "views/common/table_view.h"
#include "views/runs/run_page.h"
#include "views/runs/runs_view.h"
#include "views/runs/sql_console.h"

#include <QAction>
#include <QHeaderView>
#include <QLocalServer>
#include <QLocalSocket>
#include <QTableView>
#include <QUndoStack>

#include <thread>

using namespace pim;
using namespace pim::studio;
using pim::test::Studio;

namespace {

const QString kModel = QStringLiteral(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");
const std::map<std::string, std::int64_t> kBindings{{"batch", 1}, {"past", 32}};

} // namespace

class TestLinks : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString uniqueName() const {
        return QStringLiteral("pimstudio-test-%1-%2")
            .arg(QCoreApplication::applicationPid())
            .arg(QTest::currentTestFunction());
    }

    /// A project with two runs: attacc as planned, then with the costliest op on the host.
    void saveTwoRuns(Studio& studio, const QString& project) {
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.workspace.openModel(kModel, kBindings);
        SETTLE(studio);
        studio.workspace.saveProject(project);
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() == 1, 60000);
        const OpId op = studio.costliestOnPim();
        QVERIFY(op.valid());
        studio.workspace.applyOverride({studio.workspace.graph()->op(op).name, "placement", "host"});
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() == 2, 60000);
        SETTLE(studio);
    }

private slots:
    void initTestCase() { test::isolateSettings(m_folder); }

    void aSecondStartHandsOver() {
        Instance first(uniqueName());
        QVERIFY(first.listen());
        QSignalSpy asked(&first, &Instance::asked);
        Instance second(uniqueName());
        QVERIFY(!second.listen());
        bool handed = false;
        std::thread other(
            [&] { handed = Instance::handOver(uniqueName(), QStringLiteral("/p/ä b.pimproj")); });
        QTRY_COMPARE(asked.size(), 1);
        other.join();
        QVERIFY(handed);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("/p/ä b.pimproj"));
    }

    void withoutAFirstNothingIsHandedOver() {
        QVERIFY(!Instance::handOver(uniqueName(), QStringLiteral("x")));
    }

    void takesOverWhatACrashedOneLeft() {
        {
            QFile dead(
                QDir::temp().filePath(uniqueName())); // a socket nobody listens at is a file like this one
            QVERIFY(dead.open(QIODevice::WriteOnly));
        }
        Instance next(uniqueName());
        QVERIFY(next.listen());
    }

    void strangersAreIgnored() {
        Instance first(uniqueName());
        QVERIFY(first.listen());
        QSignalSpy asked(&first, &Instance::asked);
        for (const QByteArray& message : {QByteArray("rubbish\n"), QByteArray("{\"open\": 7}\n"),
                                          QByteArray(1 << 20, 'x'), QByteArray("{\"run\": \"rm\"}\n")}) {
            QLocalSocket socket;
            socket.connectToServer(uniqueName());
            QVERIFY(socket.waitForConnected(1000));
            socket.write(message);
            QTRY_VERIFY_WITH_TIMEOUT(socket.state() == QLocalSocket::UnconnectedState, 10000);
        }
        QCOMPARE(asked.size(), 0);
    }

    void relativePathsAreMadeAbsolute() {
        QVERIFY(
            seenFromAnywhere(QStringLiteral("pim:a.pimproj#run/1")).startsWith(QStringLiteral("pim:///")));
        QCOMPARE(seenFromAnywhere(QStringLiteral("sample:resnet50")), QStringLiteral("sample:resnet50"));
        QCOMPARE(seenFromAnywhere(QStringLiteral("pim://#broken")), QStringLiteral("pim://#broken"));
    }

    void aLinkLeadsToRunOpAndDraft() {
        const QString project = m_folder.filePath(QStringLiteral("links.pimproj"));
        QString link;
        std::string op;
        {
            Studio studio;
            saveTwoRuns(studio, project);
            views::Selection selection;
            selection.op = studio.costliestOnPim();
            op = studio.workspace.graph()->op(selection.op).name;
            selection.draft = studio.workspace.plan()->opPlan(selection.op).draft;
            studio.workspace.select(selection);
            link = LinkTarget::linkToSelection(studio.workspace);
            QVERIFY2(link.contains(QStringLiteral("links.pimproj#run/2/op/")) &&
                         link.contains(QStringLiteral("/draft/")),
                     qPrintable(link));
        }
        Studio studio;
        QVERIFY(LinkTarget::linkToSelection(studio.workspace).isEmpty());
        QVERIFY(!LinkTarget::whyNoLink(studio.workspace).isEmpty());
        studio.window.openFile(link);
        SETTLE(studio);
        auto* runs = studio.window.findChild<views::RunsView*>();
        QTRY_COMPARE(runs->runPage()->run(), 2);
        QVERIFY(runs->isVisible());
        QTRY_VERIFY(studio.workspace.selection().draft.has_value());
        QCOMPARE(QString::fromStdString(studio.workspace.graph()->op(studio.workspace.selection().op).name),
                 QString::fromStdString(op));
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
        // In the project that is open already: nothing is loaded again.
        const auto graph = studio.workspace.graph();
        studio.window.openFile(link.left(link.indexOf(QStringLiteral("#"))) + QStringLiteral("#run/1"));
        QTRY_COMPARE(runs->runPage()->run(), 1);
        QVERIFY(studio.workspace.graph() == graph);
        QVERIFY2(runs->runPage()->relation().startsWith(QStringLiteral("≠")),
                 qPrintable(runs->runPage()->relation()));
    }

    void aLinkThatLeadsNowhereSaysSo() {
        Studio studio;
        for (const char* link : {"pim:///no/such/p.pimproj#run/1", "pim:///p.pimproj#run/0", "pim:"}) {
            studio.failures.clear();
            studio.window.openFile(QString::fromLatin1(link));
            QTRY_VERIFY2(!studio.failures.isEmpty(), link);
        }
        const QString project = m_folder.filePath(QStringLiteral("nowhere.pimproj"));
        saveTwoRuns(studio, project);
        for (const char* end : {"#run/77", "#run/1/op/no%20such%20op"}) {
            studio.failures.clear();
            studio.window.openFile(QStringLiteral("pim://%1%2").arg(project, QString::fromLatin1(end)));
            QTRY_VERIFY2(!studio.failures.isEmpty(), end);
        }
    }

    void aRunIsOpenedInOneStepAndMadeAgain() {
        const QString project = m_folder.filePath(QStringLiteral("open.pimproj"));
        Studio studio;
        saveTwoRuns(studio, project);
        const double second = studio.workspace.plan()->total.totalNs();
        studio.workspace.setTarget(QStringLiteral("hbm-pim"));
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() == 3, 60000);
        SETTLE(studio);
        const int steps = studio.workspace.undoStack()->count();
        studio.workspace.openRun(1);
        QTRY_VERIFY_WITH_TIMEOUT(studio.settled() && studio.workspace.target()->id == "attacc", 60000);
        QCOMPARE(studio.workspace.undoStack()->count(), steps + 1);
        QVERIFY(studio.workspace.overrides().empty());
        const double first = studio.workspace.project()->run(1)->totalNs;
        QCOMPARE(studio.workspace.plan()->total.totalNs(), first); // to the last bit
        studio.workspace.undoStack()->undo();
        SETTLE(studio);
        QCOMPARE(QString::fromStdString(studio.workspace.target()->id), QStringLiteral("hbm-pim"));
        studio.workspace.openRun(2);
        QTRY_VERIFY_WITH_TIMEOUT(studio.settled() && studio.workspace.target()->id == "attacc", 60000);
        QCOMPARE(studio.workspace.plan()->total.totalNs(), second);

        auto* runs = studio.window.findChild<views::RunsView*>();
        runs->showRuns({1});
        emit runs->rerunRequested(1);
        QTRY_VERIFY_WITH_TIMEOUT(runs->runPage()->rerunText().contains(QStringLiteral("identical")), 60000);
        runs->showRuns({1, 2, 3});
        QTRY_VERIFY(runs->comparison() && runs->comparison()->runs.size() == 3);
        QVERIFY(!runs->comparison()->sameTarget);

        auto* console = studio.window.findChild<views::SqlConsole*>();
        console->setQuery(QStringLiteral("SELECT total_ns FROM runs WHERE id = 1"));
        console->run();
        QTRY_VERIFY_WITH_TIMEOUT(!console->isRunning(), 20000);
        QCOMPARE(console->table()->model()->index(0, 0).data(Qt::EditRole).toDouble(), first);
        console->setQuery(QStringLiteral(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
        console->run();
        QTRY_VERIFY(!studio.workspace.tasks()->entries().isEmpty());
        console->stop();
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.tasks()->entries().isEmpty(), 5000);
        QVERIFY(console->history().size() == 2);
    }

    /// Every table of the product copies all selected cells as TSV with a header, numbers unrounded.
    void everyTableCopies() {
        Studio studio;
        saveTwoRuns(studio, m_folder.filePath(QStringLiteral("tables.pimproj")));
        studio.workspace.selectOp(studio.costliestOnPim());
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);
        int filled = 0;
        for (QTableView* table : studio.window.findChildren<QTableView*>()) {
            auto* copyable = qobject_cast<views::TableView*>(table);
            QVERIFY2(copyable, qPrintable(table->accessibleName() + u' ' +
                                          QString::fromLatin1(table->metaObject()->className())));
            if (!table->model() || table->model()->rowCount() == 0)
                continue;
            ++filled;
            QAbstractItemModel* model = table->model();
            const int rows = std::min(model->rowCount(), 3);
            table->clearSelection();
            table->selectionModel()->select(
                QItemSelection(model->index(0, 0), model->index(rows - 1, model->columnCount() - 1)),
                QItemSelectionModel::Select);
            const QStringList lines =
                copyable->text(views::TableView::Format::Tsv).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
            QVERIFY2(lines.size() >= rows + 1,
                     qPrintable(table->accessibleName() + QStringLiteral(": ") + lines.join(u'|')));
            const QStringList header = lines.front().split(QLatin1Char('\t'));
            QVERIFY2(!header.front().isEmpty(), qPrintable(table->accessibleName()));
            QCOMPARE(lines.at(1).split(QLatin1Char('\t')).size(), header.size());
            for (int column = 0, at = 0; column < model->columnCount(); ++column) {
                if (table->isColumnHidden(column))
                    continue;
                const QVariant exact = model->index(0, column).data(Qt::EditRole);
                if (exact.typeId() == QMetaType::Double &&
                    table->horizontalHeader()->visualIndex(column) == column)
                    QCOMPARE(lines.at(1).split(QLatin1Char('\t')).at(at).toDouble(), exact.toDouble());
                ++at;
            }
            QVERIFY(copyable->text(views::TableView::Format::Markdown).startsWith(QStringLiteral("| ")));
            QVERIFY(copyable->text(views::TableView::Format::Csv).count(u',') >= header.size() - 1);
        }
        QVERIFY2(filled >= 4, qPrintable(QString::number(filled)));
    }
};

QTEST_MAIN(TestLinks)
#include "tst_app_studio_links.moc"
