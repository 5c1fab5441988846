// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Breakdown view: sums, selection, filter, export.
#include "../views_common/sample_plan.h"
#include "views/breakdown/breakdown_model.h"
#include "views/breakdown/breakdown_view.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace pim;
using namespace pim::views;

class TestBreakdown : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::failOnWarnings(); }

    void modelKeepsItsPromises() {
        BreakdownModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPlan(test::samplePlan(test::sampleGraph(3)));
        model.setPlan(test::samplePlan(test::sampleGraph(5)));
        model.setPlan(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    /// The parts of every row add up to its total, the totals to the header, unrounded.
    void partsAddUpToTheHeader() {
        const auto plan = test::samplePlan(test::sampleGraph(12));
        BreakdownModel model;
        model.setPlan(plan);
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            double parts = 0;
            for (const int column :
                 {BreakdownModel::Input, BreakdownModel::Compute, BreakdownModel::Output,
                  BreakdownModel::ModeSwitch, BreakdownModel::Rewrite, BreakdownModel::Host})
                parts += model.index(row, column).data(Qt::EditRole).toDouble();
            const QVariant total = model.index(row, BreakdownModel::Total).data(Qt::EditRole);
            if (total.isValid())
                QCOMPARE(parts, total.toDouble());
            sum += parts;
        }
        QVERIFY(std::abs(sum - plan->total.totalNs()) < 1e-9 * sum);
        BreakdownView view;
        view.setPlan(plan);
        QVERIFY(view.title()->toolTip().contains(exactNumber(plan->total.totalNs())));
        QVERIFY(view.title()->text().contains(QStringLiteral("predicted")));
        QVERIFY(view.title()->text().contains(QStringLiteral("a100")));
        const auto& network = view.bars()->sections().front();
        QCOMPARE(network.bars[0].cost.totalNs(), plan->total.totalNs());
        QCOMPARE(network.bars[1].cost.totalNs(), plan->hostOnlyNs);
    }

    void unknownCostIsNotAZero() {
        const auto graph = test::sampleGraph(1);
        BreakdownModel model;
        model.setPlan(test::samplePlan(graph));
        const QModelIndex last = model.index(model.rowCount() - 1, BreakdownModel::Total);
        QCOMPARE(last.data().toString(), QStringLiteral("unknown"));
        QVERIFY(!last.data(Qt::EditRole).isValid());
    }

    void showsTheMostExpensiveOpsFirst() {
        BreakdownView view;
        view.resize(800, 500);
        view.show();
        view.setPlan(test::samplePlan(test::sampleGraph(20)));
        view.count()->setValue(7);
        const auto& bars = view.bars()->sections().back().bars;
        QCOMPARE(bars.size(), 7u);
        for (std::size_t i = 1; i < bars.size(); ++i)
            QVERIFY(bars[i - 1].cost.totalNs() >= bars[i].cost.totalNs());
    }

    void barsAndTableShareTheSelection() {
        BreakdownView view;
        view.resize(900, 600);
        view.show();
        const auto graph = test::sampleGraph(8);
        view.setPlan(test::samplePlan(graph));
        QSignalSpy selected(&view, &BreakdownView::opSelected);
        const int id = view.bars()->sections().back().bars[1].id;
        QTest::mouseClick(view.bars()->viewport(), Qt::LeftButton, {}, view.bars()->barPosition(id));
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected.front().front().value<OpId>(), OpId(id));
        view.setShowsTable(true);
        QCOMPARE(view.table()->currentIndex().siblingAtColumn(BreakdownModel::Name).data().toString(),
                 QString::fromStdString(graph->ops[static_cast<std::size_t>(id)].name));
        QTest::keyClick(view.table(), Qt::Key_Down);
        QCOMPARE(selected.size(), 2);
        view.setSelectedOp(OpId(3));
        QCOMPARE(selected.size(), 2); // from outside: not said back
        QCOMPARE(view.table()->currentIndex().siblingAtColumn(0).data().toString(),
                 QStringLiteral("/layer0/conv2/Conv"));
    }

    void filtersAndSortsTheTable() {
        BreakdownView view;
        view.setPlan(test::samplePlan(test::sampleGraph(6)));
        view.setShowsTable(true);
        view.filterLine()->setText(QStringLiteral("relu"));
        QCOMPARE(view.table()->model()->rowCount(), 6);
        view.table()->sortByColumn(BreakdownModel::Total, Qt::AscendingOrder);
        double before = -1;
        for (int row = 0; row < 6; ++row) {
            const double total =
                view.table()->model()->index(row, BreakdownModel::Total).data(Qt::EditRole).toDouble();
            QVERIFY(total >= before);
            before = total;
        }
        QVERIFY(view.table()
                    ->text(TableView::Format::Csv, false)
                    .startsWith(QStringLiteral("name,type,placement,total_ns")));
    }

    void newFiguresKeepTheSelection() {
        BreakdownView view;
        const auto graph = test::sampleGraph(4);
        view.setPlan(test::samplePlan(graph));
        view.setSelectedOp(OpId(3));
        view.setShowsTable(true);
        view.setPlan(test::samplePlan(graph, 4));
        QCOMPARE(view.table()->currentIndex().siblingAtColumn(0).data().toString(),
                 QStringLiteral("/layer0/conv2/Conv"));
    }

    void exportsBarsAndFigures() {
        BreakdownView view;
        view.resize(700, 500);
        view.setPlan(test::samplePlan(test::sampleGraph(3)));
        QTemporaryDir dir;
        for (const char* suffix : {"svg", "png", "pdf", "csv"})
            QVERIFY2(exportTo(view.exportSource(), dir.filePath(QStringLiteral("b.") + QLatin1String(suffix)))
                         .has_value(),
                     suffix);
        QFile svg(dir.filePath(QStringLiteral("b.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("<text"));
    }

    void saysWhatToDoWithoutAPlan() {
        BreakdownView view;
        view.show();
        QVERIFY(!view.bars()->isVisible());
        view.setPlan(test::samplePlan(test::sampleGraph(1)));
        QVERIFY(view.bars()->isVisible());
        view.setPlan(nullptr);
        QVERIFY(!view.bars()->isVisible());
    }
};

QTEST_MAIN(TestBreakdown)
#include "tst_views_breakdown.moc"
