// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Run history: what is comparable, deltas, sums, selection of two.
#include "../views_common/sample_plan.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/runs/runs_view.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

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

std::function<Result<std::vector<RunOp>>(std::int64_t)> loader() {
    return [](std::int64_t id) -> Result<std::vector<RunOp>> {
        if (id == 99)
            return fail(ErrorCode::Database, "the file is damaged");
        return ops(static_cast<double>(id));
    };
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::failOnWarnings(); }

    void modelsKeepTheirPromises() {
        RunsModel runs;
        QAbstractItemModelTester a(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        runs.setRuns({info(2, 5e5), info(1, 1e6)});
        DeltaModel deltas;
        QAbstractItemModelTester b(&deltas, QAbstractItemModelTester::FailureReportingMode::QtTest);
        deltas.setOps(compareRuns(info(1, 1), ops(1), info(2, 1), ops(2)).ops);
        deltas.setOps({});
    }

    void saysOverWhichHostTheSpeedUpIs() {
        RunsModel model;
        model.setRuns({info(1, 1e6)});
        QCOMPARE(model.index(0, RunsModel::Speedup).data().toString(), QStringLiteral("3.00× over a100"));
    }

    void sortsOpsBySizeOfTheDifference() {
        const RunComparison c = compareRuns(info(1, 1), ops(1), info(2, 1), ops(2));
        QVERIFY(c.sameModelAndTarget);
        QVERIFY(c.differences.isEmpty());
        for (std::size_t i = 1; i < c.ops.size(); ++i)
            QVERIFY(std::abs(c.ops[i - 1].deltaNs()) >= std::abs(c.ops[i].deltaNs()));
        QCOMPARE(c.ops.front().name, QStringLiteral("op5"));
        double sum = 0;
        for (const OpDelta& op : c.ops)
            sum += op.deltaNs();
        QCOMPARE(sum, c.totalB.totalNs() - c.totalA.totalNs());
    }

    void namesWhatDiffers() {
        RunInfo a = info(1, 1), b = info(2, 1);
        b.targetId = "hbm-pim";
        b.targetHash = "other";
        b.bindings = "batch=4";
        Overrides overrides;
        overrides.set({"op1", "placement", "host"});
        b.overridesJson = overrides.json();
        const RunComparison c = compareRuns(a, ops(1), b, ops(1));
        QVERIFY(!c.sameModelAndTarget);
        const QString all = c.differences.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(QStringLiteral("attacc → hbm-pim")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("batch=1 → batch=4")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("op1 placement: compiler's choice → host")), qPrintable(all));
        QCOMPARE(overrideCount(b), 1);
    }

    void listsOpsThatAreInOneRunOnly() {
        std::vector<RunOp> fewer = ops(1);
        fewer.pop_back();
        const RunComparison c = compareRuns(info(1, 1), fewer, info(2, 1), ops(1));
        QCOMPARE(c.ops.size(), 6u);
        QCOMPARE(c.ops.front().name, QStringLiteral("op5"));
        QVERIFY(c.ops.front().placementA.isEmpty());
        DeltaModel model;
        model.setOps(c.ops);
        QCOMPARE(model.index(0, DeltaModel::Placement).data().toString(), QStringLiteral("only in B"));
    }

    void comparesTheTwoRunsSelected() {
        RunsView view;
        view.resize(900, 600);
        view.show();
        view.setRuns({info(3, 3), info(2, 2), info(1, 1)}, loader());
        QVERIFY(!view.comparison());
        view.compare(3, 1);
        QVERIFY(view.comparison());
        QCOMPARE(view.comparison()->a.id, 1); // the older one
        QVERIFY(view.badge().contains(QStringLiteral("same model and target")));
        const auto& bars = view.bars()->sections().front().bars;
        QCOMPARE(bars[1].cost.totalNs() - bars[0].cost.totalNs(),
                 view.comparison()->totalB.totalNs() - view.comparison()->totalA.totalNs());
        QSignalSpy chosen(&view, &RunsView::opChosen);
        view.deltaTable()->selectRow(0);
        QCOMPARE(chosen.front().front().toString(), QStringLiteral("op5"));
        // A run more keeps the comparison.
        view.setRuns({info(4, 4), info(3, 3), info(2, 2), info(1, 1)}, loader());
        QVERIFY(view.comparison() && view.comparison()->b.id == 3);
        view.runsTable()->selectAll();
        QVERIFY(!view.comparison());
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
