// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Run history: filter, any number compared, baseline, provenance, edits in place.
#include <QTest>
#include <string>

#include "../views_common/sample_plan.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/runs/comparison_page.h"
#include "views/runs/run_page.h"
#include "views/runs/runs_view.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSignalSpy>

using namespace pim;
using namespace pim::views;

namespace {

RunInfo info(std::int64_t id, double totalNs) {
    RunInfo run;
    run.id = id;
    run.modelName = "resnet50";
    run.modelHash = "m";
    run.targetId = "attacc";
    run.targetHash = "t";
    run.host = "a100";
    run.bindings = "batch=1";
    run.overridesJson = Overrides().json();
    run.variant = "main";
    run.startedUtc = "2024-05-01T10:00:00Z";
    run.toolVersion = "0.1.0";
    run.totalNs = totalNs;
    run.hostOnlyNs = 3e6;
    run.compileMs = 120;
    return run;
}

std::vector<RunOp> ops(double factor) {
    std::vector<RunOp> result;
    for (int i = 0; i < 6; ++i) {
        RunOp op;
        op.name = "op" + std::to_string(i);
        op.type = "Conv";
        op.placement = i % 2 ? "pim" : "host";
        if (i % 2)
            op.cost = {100.0 * i, 200.0 * i * factor, 50.0 * i, 5, 3, 0};
        else
            op.cost.hostNs = 400.0 * i;
        result.push_back(op);
    }
    return result;
}

RunsView::LoadOps loader() {
    return [](const std::vector<std::int64_t>& runs, const auto& deliver) {
        RunsView::Ops all;
        for (const std::int64_t run : runs) {
            if (run == 99)
                return deliver(fail(ErrorCode::Database, "the file is damaged"));
            all.push_back(ops(static_cast<double>(run)));
        }
        deliver(all);
    };
}

QPushButton* button(QWidget& view, const QString& text) {
    for (QPushButton* each : view.findChildren<QPushButton*>())
        if (each->text() == text && each->isVisible())
            return each;
    return nullptr;
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::failOnWarnings(); }

    void modelsKeepTheirPromises() {
        RunsModel runs;
        QAbstractItemModelTester a(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        FilteredRuns filtered(runs);
        QAbstractItemModelTester c(&filtered, QAbstractItemModelTester::FailureReportingMode::QtTest);
        runs.setRuns({info(2, 5e5), info(1, 1e6)});
        filtered.setFilter(*RunFilter::parse("faster:600us"));
        QCOMPARE(filtered.rowCount(), 1);
        DeltaModel deltas;
        QAbstractItemModelTester b(&deltas, QAbstractItemModelTester::FailureReportingMode::QtTest);
        deltas.setComparison(compareRuns({info(1, 1), info(2, 1)}, {ops(1), ops(2)}, 0));
        deltas.setComparison(compareRuns({info(1, 1), info(2, 1), info(3, 1)}, {ops(1), ops(2), {}}, 1));
        deltas.setComparison({});
    }

    void saysOverWhichHostTheSpeedUpIs() {
        RunsModel model;
        model.setRuns({info(1, 1e6)});
        QCOMPARE(model.index(0, RunsModel::Speedup).data().toString(), QStringLiteral("3.00× over a100"));
    }

    void marksTheBest() {
        RunsModel model;
        model.setRuns({info(2, 5e5), info(1, 1e6)});
        QCOMPARE(model.index(0, RunsModel::Best).data().toString(), QStringLiteral("★"));
        QCOMPARE(model.index(1, RunsModel::Best).data().toString(), QString());
        QVERIFY(model.index(0, RunsModel::Best)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("attacc")));
    }

    void filtersAndSaysWhatItDoesNotUnderstand() {
        RunsView view;
        view.show();
        view.setRuns({info(3, 3e6), info(2, 2e6), info(1, 1e6)}, loader());
        view.setFilterText(QStringLiteral("faster:2.5ms"));
        QCOMPARE(view.runsTable()->model()->rowCount(), 2);
        view.setFilterText(QStringLiteral("faster:2.5ms size:4"));
        QCOMPARE(view.runsTable()->model()->rowCount(), 2); // half typed changes nothing
        QVERIFY(view.filterProblem().contains(QStringLiteral("size")));
        view.setFilterText({});
        QCOMPARE(view.runsTable()->model()->rowCount(), 3);
        QVERIFY(view.filterProblem().isEmpty());
    }

    void showingAHiddenRunClearsTheFilter() {
        RunsView view;
        view.show();
        view.setRuns({info(2, 2e6), info(1, 1e6)}, loader());
        view.setFilterText(QStringLiteral("run:1"));
        view.showRuns({2});
        QCOMPARE(view.runPage()->run(), 2);
        QCOMPARE(view.runsTable()->model()->rowCount(), 2);
    }

    void oneRunShowsWhatItWasMadeFrom() {
        RunsView view;
        view.resize(900, 600);
        view.show();
        RunInfo plan = info(0, 1e6);
        view.setPlanInForce(plan);
        RunInfo run = info(4, 1e6);
        run.seed = 77;
        view.setRuns({run}, loader());
        view.showRuns({4});
        QVERIFY(view.runPage()->isVisible());
        const QString facts = view.runPage()->facts()->text(TableView::Format::Tsv, false);
        for (const char* wanted : {"0.1.0", "77", "batch=1", "a100", "2024-05-01T10:00:00Z"})
            QVERIFY2(facts.contains(QString::fromLatin1(wanted)), qPrintable(facts));
        QVERIFY2(view.runPage()->relation().startsWith(QStringLiteral("✓")),
                 qPrintable(view.runPage()->relation()));
        plan.targetId = "hbm-pim";
        plan.targetHash = "other";
        view.setPlanInForce(plan);
        QVERIFY2(view.runPage()->relation().contains(QStringLiteral("attacc → hbm-pim")),
                 qPrintable(view.runPage()->relation()));
        QSignalSpy opened(&view, &RunsView::openRequested);
        button(view, QStringLiteral("Open This Run"))->click();
        QCOMPARE(opened.front().front().toLongLong(), 4);
    }

    void tellsTheOutcomeOfARerun() {
        RunPage page;
        page.show();
        page.setRun(info(1, 1), false, {});
        QVERIFY(page.rerunText().isEmpty());
        Rerun same;
        same.numbers = 812;
        page.setRerun(same);
        QVERIFY(page.rerunText().contains(QStringLiteral("identical")));
        QVERIFY(page.differences()->isHidden());
        Rerun other = same;
        other.differences = {{"total time", "1 ns", "2 ns"}};
        other.reasons = {"the model m.onnx has changed since the run was made"};
        page.setRerun(other);
        QVERIFY(page.rerunText().contains(QStringLiteral("has changed")));
        QVERIFY(page.differences()
                    ->text(TableView::Format::Csv, false)
                    .contains(QStringLiteral("total time,1 ns,2 ns")));
    }

    void comparesTheRunsSelected() {
        RunsView view;
        view.resize(900, 600);
        view.show();
        view.setRuns({info(3, 3), info(2, 2), info(1, 1)}, loader());
        QVERIFY(!view.comparison());
        view.compare(3, 1);
        QVERIFY(view.comparison());
        QCOMPARE(view.comparison()->runs[view.comparison()->baseline].id, 1); // the older one
        QVERIFY(view.badge().contains(QStringLiteral("same model and target")));
        const auto& bars = view.bars()->sections().front().bars;
        QCOMPARE(bars[1].cost.totalNs() - bars[0].cost.totalNs(),
                 view.comparison()->totals[1].totalNs() - view.comparison()->totals[0].totalNs());
        QSignalSpy chosen(&view, &RunsView::opChosen);
        view.deltaTable()->selectRow(0);
        QCOMPARE(chosen.front().front().toString(), QStringLiteral("op5"));
        // A run more keeps the comparison.
        view.setRuns({info(4, 4), info(3, 3), info(2, 2), info(1, 1)}, loader());
        QVERIFY(view.comparison() && view.comparison()->runs[1].id == 3);
        view.runsTable()->selectAll();
        QCOMPARE(view.comparison()->runs.size(), 4u);
        QCOMPARE(view.bars()->sections().front().bars.size(), 4u);
    }

    void theBaselineCanBeChosen() {
        RunsView view;
        view.show();
        view.setRuns({info(3, 3), info(2, 2), info(1, 1)}, loader());
        view.showRuns({1, 2, 3});
        const double first = view.comparison()->totals[0].totalNs();
        QCOMPARE(view.comparison()->speedup(2), first / view.comparison()->totals[2].totalNs());
        view.comparisonPage()->setBaseline(3);
        QCOMPARE(view.comparison()->baseline, std::size_t(2));
        QCOMPARE(view.comparison()->speedup(0), view.comparison()->totals[2].totalNs() / first);
        const QString csv = view.deltaTable()->text(TableView::Format::Csv, false);
        QVERIFY2(csv.startsWith(QStringLiteral("name,type,placement,run_1_ns,run_2_ns,run_3_ns,delta_ns")),
                 qPrintable(csv));
    }

    void sortsBySizeOfTheDifference() {
        RunsView view;
        view.show();
        view.setRuns({info(2, 2), info(1, 1)}, loader());
        view.compare(1, 2);
        double before = 1e300;
        for (const QString& line : view.deltaTable()
                                       ->text(TableView::Format::Csv, false)
                                       .split(QLatin1Char('\n'), Qt::SkipEmptyParts)
                                       .mid(1)) {
            const double delta = std::abs(line.split(QLatin1Char(',')).at(5).toDouble());
            QVERIFY(delta <= before);
            before = delta;
        }
    }

    void saysWhenARunCannotBeRead() {
        RunsView view;
        view.show();
        view.setRuns({info(99, 1), info(1, 1)}, loader());
        QSignalSpy failed(&view, &RunsView::failed);
        view.compare(1, 99);
        QVERIFY(!view.comparison());
        QVERIFY(failed.size() >= 1 && failed.back().front().toString().contains(QStringLiteral("damaged")));
    }

    void aLateAnswerIsDropped() {
        RunsView view;
        view.show();
        std::vector<std::function<void(Result<RunsView::Ops>)>> waiting;
        view.setRuns({info(3, 3), info(2, 2), info(1, 1)},
                     [&](const std::vector<std::int64_t>&, auto deliver) { waiting.push_back(deliver); });
        view.compare(1, 2);
        view.showRuns({3});
        waiting.front()(RunsView::Ops{ops(1), ops(2)});
        QVERIFY(!view.comparison());
        QVERIFY(view.runPage()->isVisible());
        view.compare(1, 2); // known by now
        QCOMPARE(waiting.size(), 1u);
        QVERIFY(view.comparison());
    }

    void deletesOnlyWhatWasConfirmed() {
        RunsView view;
        view.show();
        view.setRuns({info(3, 3), info(2, 2), info(1, 1)}, loader());
        QSignalSpy confirmed(&view, &RunsView::deleteConfirmed);
        view.showRuns({1, 3});
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.runsTable()->setFocus();
        QTest::keyClick(view.runsTable(), Qt::Key_Delete);
        QVERIFY(view.question().contains(QStringLiteral("run 1; run 3")));
        button(view, QStringLiteral("Keep"))->click();
        QVERIFY(view.question().isEmpty());
        QCOMPARE(confirmed.size(), 0);
        view.askToDelete();
        view.showRuns({2}); // the question was of other runs
        QVERIFY(view.question().isEmpty());
        view.showRuns({1, 3});
        view.askToDelete();
        button(view, QStringLiteral("Delete"))->click();
        QCOMPARE(confirmed.size(), 1);
        QVERIFY(confirmed.front().front().value<std::vector<std::int64_t>>() ==
                (std::vector<std::int64_t>{1, 3}));
        view.setReadOnly(true);
        view.askToDelete();
        QVERIFY(view.question().isEmpty());
    }

    void labelsAreTypedInPlaceAndComeBack() {
        RunsView view;
        view.show();
        view.setRuns({info(2, 2), info(1, 1)}, loader());
        QSignalSpy typed(&view, &RunsView::labelTyped);
        QAbstractItemModel* model = view.runsTable()->model();
        QVERIFY(
            model->setData(model->index(0, RunsModel::Label), QStringLiteral("for the paper"), Qt::EditRole));
        QCOMPARE(typed.front().at(0).toLongLong(), 2);
        QCOMPARE(typed.front().at(1).toString(), QStringLiteral("for the paper"));
        bool undone = false;
        view.offerUndo(QStringLiteral("The label was changed."), [&undone] { undone = true; });
        button(view, QStringLiteral("Undo"))->click();
        QVERIFY(undone && view.question().isEmpty());
        view.setReadOnly(true);
        QVERIFY(!model->setData(model->index(0, RunsModel::Label), QStringLiteral("x"), Qt::EditRole));
        QVERIFY(!model->setData(model->index(0, RunsModel::Target), QStringLiteral("x"), Qt::EditRole));
    }

    void saysWhatToDoWithoutRuns() {
        RunsView view;
        view.show();
        QVERIFY(!view.runsTable()->isVisible());
        view.setRuns({}, loader(), true);
        QVERIFY(!view.runsTable()->isVisible());
        view.setRuns({info(1, 1)}, loader());
        QVERIFY(view.runsTable()->isVisible());
    }
};

QTEST_MAIN(TestRuns)
#include "tst_views_runs.moc"
