// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The SQL console: answers, mistakes shown where they are, stop, more rows, history.
#include <QTest>
#include <string>

#include "../views_common/sample_plan.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/runs/sql_console.h"
#include "views/runs/sql_editor.h"
#include "views/runs/sql_model.h"
#include "views/runs/sql_plot.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QCompleter>
#include <QFileInfo>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QTreeWidget>

#include <cmath>

using namespace pim;
using namespace pim::views;

namespace {

QueryResult answerOf(int rows) {
    QueryResult result;
    result.columns = {{"run", ""}, {"total_ns", "ns"}, {"note", ""}};
    for (int i = 0; i < rows; ++i)
        result.rows.push_back({QueryValue(std::int64_t(rows - i)), QueryValue(0.1 + i),
                               i ? QueryValue(std::string("a\tb")) : QueryValue()});
    return result;
}

/// A project that answers when it is told to.
struct Fake {
    struct Asked {
        QString sql;
        std::size_t maxRows;
        std::function<void(SqlAnswer)> deliver;
    };
    std::vector<Asked> asked;
    int stopped = 0;

    SqlConsole::Ask ask() {
        return [this](const QString& sql, std::size_t maxRows,
                      std::function<void(SqlAnswer)> deliver) -> std::function<void()> {
            asked.push_back({sql, maxRows, std::move(deliver)});
            return [this] { ++stopped; };
        };
    }
};

std::vector<SchemaTable> schema() {
    return {{"v_runs", true, {{"run", "INTEGER", ""}, {"total_ms", "REAL", "ms"}}},
            {"runs", false, {{"id", "INTEGER", ""}}}};
}

} // namespace

class TestSql : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::failOnWarnings(); }

    void theModelKeepsItsPromises() {
        SqlModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setResult(answerOf(3));
        model.setResult({});
        model.setResult(answerOf(1));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("total_ns [ns]"));
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("NULL"));
        QCOMPARE(model.index(0, 1).data(Qt::EditRole).toDouble(), 0.1);
    }

    void showsTheAnswerAndCopiesItUnrounded() {
        Fake project;
        SqlConsole console;
        console.resize(900, 600);
        console.show();
        console.setProject(true, schema(), project.ask());
        QCOMPARE(console.schemaTree()->topLevelItemCount(), 2);
        QCOMPARE(console.schemaTree()->topLevelItem(0)->child(1)->text(2), QStringLiteral("ms"));
        console.setQuery(QStringLiteral("SELECT 1"));
        console.run();
        QVERIFY(console.isRunning());
        project.asked.back().deliver({answerOf(3), {}});
        QVERIFY(!console.isRunning());
        QVERIFY2(console.status().contains(QStringLiteral("3 rows")), qPrintable(console.status()));
        QCOMPARE(console.table()->text(TableView::Format::Csv, false).split(QLatin1Char('\n')).at(1),
                 QStringLiteral("3,0.1,"));
        console.table()->selectAll();
        QVERIFY(console.table()
                    ->text(TableView::Format::Tsv)
                    .startsWith(QStringLiteral("run\ttotal_ns\tnote\n3\t0.1\t")));
    }

    void marksWhereTheMistakeIs() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, {}, project.ask());
        console.setQuery(QStringLiteral("SELECT 'µ', lable FROM runs"));
        console.run();
        const std::size_t bytes = QStringLiteral("SELECT 'µ', ").toUtf8().size();
        project.asked.back().deliver(
            {fail(ErrorCode::Usage, "no such column: lable", "line 1, column 13"), bytes});
        QVERIFY(console.status().contains(QStringLiteral("line 1, column 13")));
        auto* editor = console.findChild<QPlainTextEdit*>();
        QCOMPARE(editor->extraSelections().size(), 1);
        QCOMPARE(editor->extraSelections().front().cursor.selectedText(), QStringLiteral("lable"));
        editor->insertPlainText(QStringLiteral("x"));
        QVERIFY(editor->extraSelections().isEmpty()); // the mark was of the old text
    }

    void whatWasStoppedStaysStopped() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, {}, project.ask());
        console.setQuery(QStringLiteral("SELECT 1"));
        console.run();
        console.stop();
        QCOMPARE(project.stopped, 1);
        QVERIFY(!console.isRunning());
        project.asked.back().deliver({answerOf(2), {}}); // too late
        QCOMPARE(console.table()->model()->rowCount(), 0);
        console.run(); // a new question while one runs takes its place
        console.run();
        QCOMPARE(project.stopped, 2);
        project.asked[1].deliver({answerOf(2), {}});
        QVERIFY(console.isRunning());
        project.asked[2].deliver({answerOf(1), {}});
        QCOMPARE(console.table()->model()->rowCount(), 1);
    }

    void moreRowsAsksAgainForMore() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, {}, project.ask());
        console.setQuery(QStringLiteral("SELECT * FROM run_ops"));
        console.showMore();
        QVERIFY(project.asked.empty()); // nothing to have more of
        console.run();
        QueryResult some = answerOf(2);
        some.more = true;
        some.stoppedBy = "the first 2 rows";
        project.asked.back().deliver({some, {}});
        QVERIFY(console.status().contains(QStringLiteral("the first 2 rows")));
        console.setQuery(QStringLiteral("half typed"));
        console.showMore();
        QCOMPARE(project.asked.back().sql, QStringLiteral("SELECT * FROM run_ops"));
        QCOMPARE(project.asked.back().maxRows, 10 * ProjectQuery::kRows);
    }

    void remembersQuestionsNewestFirst() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, {}, project.ask());
        QSignalSpy changed(&console, &SqlConsole::historyChanged);
        for (const char* sql : {"SELECT 1", "SELECT 2", "SELECT 2", " SELECT 1 "}) {
            console.setQuery(QString::fromLatin1(sql));
            console.run();
        }
        QCOMPARE(console.history(), QStringList({QStringLiteral("SELECT 1"), QStringLiteral("SELECT 2")}));
        QCOMPARE(changed.size(), 3);
    }

    void runsByKeyboard() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, schema(), project.ask());
        QVERIFY(QTest::qWaitForWindowActive(&console));
        console.schemaTree()->setCurrentItem(console.schemaTree()->topLevelItem(0));
        emit console.schemaTree()->itemActivated(console.schemaTree()->topLevelItem(0), 0);
        QCOMPARE(console.query(), QStringLiteral("SELECT * FROM v_runs"));
        QTest::keyClick(console.findChild<QPlainTextEdit*>(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(project.asked.size(), 1u);
    }

    void wordsAreCompletedWhileTheyAreTyped() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, schema(), project.ask());
        SqlEditor& editor = *console.editor();
        QVERIFY(QTest::qWaitForWindowActive(&console));
        editor.setFocus();
        const auto list = [&] { return editor.completer()->popup(); };
        QTest::keyClicks(&editor, QStringLiteral("s"));
        QVERIFY(!list()->isVisible()); // one letter says nothing yet
        QTest::keyClicks(&editor, QStringLiteral("el"));
        QVERIFY(list()->isVisible());
        QTest::keyClick(list(), Qt::Key_Return);
        QCOMPARE(console.query(), QStringLiteral("SELECT"));
        QTest::keyClicks(&editor, QStringLiteral(" v_runs."));
        QVERIFY(list()->isVisible()); // its columns, before any letter
        QCOMPARE(editor.complete(false), (QStringList{"run", "total_ms"}));
        QTest::keyClicks(&editor, QStringLiteral("to"));
        QTest::keyClick(list(), Qt::Key_Tab);
        QCOMPARE(console.query(), QStringLiteral("SELECT v_runs.total_ms"));
        QTest::keyClicks(&editor, QStringLiteral(" from v_runs"));
        QVERIFY(!list()->isVisible()); // a whole word: Enter is a new line
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("where run > 'se"));
        QVERIFY(!list()->isVisible() && editor.complete(true).isEmpty()); // text of one's own
        QTest::keyClicks(&editor, QStringLiteral("' and no"));
        QVERIFY(list()->isVisible());
        QTest::keyClick(list(), Qt::Key_Return, Qt::ControlModifier); // runs what stands there
        QCOMPARE(project.asked.size(), 1u);
        QVERIFY(project.asked.back().sql.endsWith(QStringLiteral("' and no")));
        QTest::keyClick(&editor, Qt::Key_Space);
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(list()->isVisible()); // whoever asks gets all
        QTest::keyClick(list(), Qt::Key_Escape);
        QVERIFY(!list()->isVisible());
    }

    void wordsHaveTheirColours() {
        SqlConsole console;
        console.show();
        console.setProject(true, schema(), Fake().ask());
        console.setQuery(QStringLiteral("select total_ms, 12, 'from' from v_runs -- from"));
        const auto colourAt = [&](const QString& word, int nth) {
            const QTextBlock line = console.editor()->document()->firstBlock();
            qsizetype at = -1;
            for (int i = 0; i < nth; ++i)
                at = line.text().indexOf(word, at + 1);
            for (const auto& range : line.layout()->formats())
                if (range.start <= at && at < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        QSet<QRgb> all; // a word, a name, a number, text and a remark
        for (const auto& [word, nth] : {std::pair("select", 1), std::pair("total_ms", 1), std::pair("12", 1),
                                        std::pair("from", 1), std::pair("from", 3)}) {
            QVERIFY2(colourAt(QLatin1String(word), nth).isValid(), word);
            all.insert(colourAt(QLatin1String(word), nth).rgb());
        }
        QCOMPARE(all.size(), 5);
        QCOMPARE(colourAt(QStringLiteral("from"), 2), colourAt(QStringLiteral("select"), 1));
    }

    void queriesAreKeptUnderNames() {
        Fake project;
        SqlConsole console;
        console.show();
        console.setProject(true, schema(), project.ask());
        QSignalSpy changed(&console, &SqlConsole::savedChanged);
        console.saveAs(QStringLiteral("nothing to save"));
        console.setQuery(QStringLiteral("SELECT 1 "));
        console.saveAs(QStringLiteral("  "));
        QCOMPARE(changed.size(), 0);
        console.saveAs(QStringLiteral(" slow & fast "));
        console.setQuery(QStringLiteral("SELECT 2"));
        console.saveAs(QStringLiteral("slow & fast"));
        QCOMPARE(changed.size(), 2);
        QCOMPARE(console.saved(), (SqlConsole::Saved{{"slow & fast", "SELECT 2"}}));
        QPushButton* button = nullptr;
        for (QPushButton* each : console.findChildren<QPushButton*>())
            if (each->text() == QStringLiteral("Saved"))
                button = each;
        QVERIFY(button);
        console.setQuery({});
        emit button->menu()->aboutToShow();
        QCOMPARE(button->menu()->actions().front()->text(), QStringLiteral("slow && fast"));
        button->menu()->actions().front()->trigger();
        QCOMPARE(project.asked.back().sql, QStringLiteral("SELECT 2"));
        console.removeSaved(QStringLiteral("slow & fast"));
        QVERIFY(console.saved().empty());
        QCOMPARE(changed.size(), 3);
    }

    void saysWhatToDoWithoutAProject() {
        SqlConsole console;
        console.show();
        QVERIFY(!console.table()->isVisible());
        QSignalSpy wanted(&console, &SqlConsole::saveRequested);
        for (QPushButton* button : console.findChildren<QPushButton*>())
            if (button->isVisible())
                button->click();
        QCOMPARE(wanted.size(), 1);
    }

    void theAnswerIsDrawn() {
        Fake project;
        SqlConsole console;
        console.setProject(true, schema(), project.ask());
        SqlPlot& plot = *console.plot();
        QVERIFY(plot.message().contains("Run a query"));
        console.setQuery("SELECT 1");
        console.run();
        QueryResult result;
        result.columns = {{"machine", ""}, {"total_ns", "ns"}, {"bytes", "B"}};
        const char* const names[] = {"aim", "attacc", "aim"};
        for (int i = 0; i < 3; ++i)
            result.rows.push_back({QueryValue(std::string(names[i])), QueryValue(100.0 * (i + 1)),
                                   i == 1 ? QueryValue() : QueryValue(std::int64_t(i))});
        project.asked[0].deliver({result, {}});
        QCOMPARE(plot.x(), QStringLiteral("machine"));
        QVERIFY(plot.kind() == SqlPlot::Kind::Bars);
        plot.choose("machine", {"total_ns", "bytes", "machine", "none"}, SqlPlot::Kind::Bars);
        QCOMPARE(plot.ys(), QStringList({"total_ns", "bytes"})); // text and what is not there cannot be drawn
        QCOMPARE(plot.plot()->plottableCount(), 2);
        QVERIFY2(plot.message().contains("1 of 3 rows") && plot.message().contains("different units"),
                 qPrintable(plot.message()));
        QCOMPARE(plot.plot()->plottable(0)->interface1D()->dataCount(), 3);
        QCOMPARE(plot.plot()->plottable(1)->interface1D()->dataCount(), 2);
        QCOMPARE(plot.plot()->plottable(0)->interface1D()->dataMainKey(2), 1.0); // attacc, the second name
        QCOMPARE(plot.plot()->xAxis->label(), QStringLiteral("machine"));
        plot.choose("total_ns", {"bytes"}, SqlPlot::Kind::Line);
        QCOMPARE(plot.plot()->xAxis->label(), QStringLiteral("total_ns [ns]"));
        QCOMPARE(plot.plot()->yAxis->label(), QStringLiteral("bytes [B]"));
        QVERIFY(plot.plot()->xAxis->range().contains(100) && plot.plot()->xAxis->range().contains(300));
        console.run(); // columns of the same names stay chosen
        project.asked[1].deliver({result, {}});
        QCOMPARE(plot.x(), QStringLiteral("total_ns"));
        plot.choose({}, {"total_ns"}, SqlPlot::Kind::Points);
        QCOMPARE(plot.plot()->xAxis->label(), QStringLiteral("row"));
        QCOMPARE(plot.plot()->plottable(0)->interface1D()->dataMainKey(0), 1.0);
        QVERIFY(plot.message().isEmpty());
    }

    void whatCannotBeDrawnSaysWhy_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("said");
        QTest::newRow("no rows") << 0 << "has no rows";
        QTest::newRow("text") << 1 << "CAST(column AS REAL)";
        QTest::newRow("empty") << 2 << "are empty";
        QTest::newRow("numbers and text") << 3 << "CAST(column AS REAL)";
    }
    void whatCannotBeDrawnSaysWhy() {
        QFETCH(int, kind);
        QFETCH(QString, said);
        QueryResult result;
        result.columns = {{"a", ""}};
        if (kind == 1 || kind == 3)
            result.rows.push_back({QueryValue(std::string("12"))});
        if (kind == 2)
            result.rows.push_back({QueryValue()});
        if (kind == 3)
            result.rows.push_back({QueryValue(1.0)});
        SqlPlot plot;
        plot.setResult(result);
        QVERIFY2(plot.message().contains(said), qPrintable(plot.message()));
    }

    void figuresThatAreNoneAreLeftOut() {
        QueryResult result;
        result.columns = {{"x", ""}, {"y_ns", "ns"}};
        const double values[] = {1, HUGE_VAL, std::nan(""), -4, 1e300};
        for (int i = 0; i < 5; ++i)
            result.rows.push_back({QueryValue(std::int64_t(i)), QueryValue(values[i])});
        SqlPlot plot;
        plot.resize(500, 300);
        plot.setResult(result);
        QVERIFY2(plot.message().contains("2 of 5 rows"), qPrintable(plot.message()));
        for (const auto kind : {SqlPlot::Kind::Line, SqlPlot::Kind::Points, SqlPlot::Kind::Bars}) {
            plot.choose("x", {"y_ns"}, kind);
            plot.grab();
            QCOMPARE(plot.plot()->plottable(0)->interface1D()->dataCount(), 3);
        }
    }

    /// Whether or not a legend stands above them.
    void theAxesHaveAllTheWidth() {
        SqlPlot plot;
        plot.resize(600, 400);
        const QueryResult result = answerOf(5);
        plot.setResult(result);
        for (const QStringList& ys :
             {QStringList{"total_ns"}, QStringList{"total_ns", "run"}, QStringList{"total_ns"}}) {
            plot.choose({}, ys, SqlPlot::Kind::Bars);
            plot.grab();
            plot.plot()->replot();
            QVERIFY2(plot.plot()->axisRect()->width() > 400,
                     qPrintable(QString::number(plot.plot()->axisRect()->width())));
        }
    }

    void thePlotIsExported() {
        const QTemporaryDir folder;
        SqlPlot plot;
        plot.resize(500, 300);
        const QueryResult result = answerOf(5);
        plot.setResult(result);
        plot.grab(); // gives it its size
        for (const char* const ending : {"svg", "pdf", "png"}) {
            const QString file = folder.filePath(QStringLiteral("query.%1").arg(QLatin1String(ending)));
            const auto done = exportTo(exportSource(plot.plot(), "query"), file);
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
            QVERIFY(QFileInfo(file).size() > 1000);
        }
    }
};

QTEST_MAIN(TestSql)
#include "tst_views_sql.moc"
