// SPDX-License-Identifier: GPL-3.0-or-later
// The breakdown over real compiles: on every kind of machine the parts add up to what the header says;
// filters and simulations of the workspace are obeyed.
#include <QTest> // first: moc of Qt 6.4 cannot read <compare> before a standard header
#include <string>

#include "backends/builtin.h"
#include "core/base/number_text.h"
#include "core/compile/compare.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/roofline.h"
#include "views/breakdown/breakdown_model.h"
#include "views/breakdown/breakdown_view.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QLabel>
#include <QTemporaryDir>

using namespace pim;
using namespace pim::views;

class TestBreakdownTargets : public QObject {
    Q_OBJECT
    void open(const QString& target) {
        m_workspace = std::make_unique<Workspace>(m_backends, TargetCatalog::load());
        m_workspace->setTarget(target);
        m_workspace->openModel(m_folder.filePath("tiny.onnx"));
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->plan() && !m_workspace->isStale(), 120000);
    }

private slots:
    void initTestCase() {
        QVERIFY(writeZooModel("tiny-gpt", m_folder.filePath("tiny.onnx").toStdString()));
        m_backends = builtinBackends();
    }

    void partsAddUpToTheHeader_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "aim", "hbm-pim", "hbm-pim-hbm3", "dynaplasia", "prime"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void partsAddUpToTheHeader() {
        QFETCH(QString, target);
        open(target);
        BreakdownView view(*m_workspace);
        const Plan& plan = *m_workspace->plan();
        BreakdownModel model;
        model.setPlan(m_workspace->plan());
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            for (const int column :
                 {BreakdownModel::Input, BreakdownModel::Compute, BreakdownModel::Output,
                  BreakdownModel::ModeSwitch, BreakdownModel::Rewrite, BreakdownModel::Host})
                sum += model.index(row, column).data(Qt::EditRole).toDouble();
        // To the last digit shown, and far beyond it.
        const QString shown = QString::fromStdString(timeText(plan.total.totalNs()));
        QCOMPARE(QString::fromStdString(timeText(sum)), shown);
        QVERIFY(std::abs(sum - plan.total.totalNs()) <= 1e-9 * plan.total.totalNs());
        QVERIFY2(view.title()->text().contains(shown), qPrintable(view.title()->text()));
        double parts = 0;
        const StackedBar& bar = view.bars()->sections().front().bars.front();
        for (const CostPart& part : costParts())
            parts += bar.cost.*part.ns;
        QCOMPARE(QString::fromStdString(timeText(parts)), shown);
        const bool isPredicted = plan.origin == Origin::Predicted; // else times are marked as no estimate
        QCOMPARE(bar.predicted, isPredicted);
        QCOMPARE(view.title()->text().contains(QStringLiteral("<i>≈")), isPredicted);
        m_workspace.reset();
    }

    void filtersOfTheWorkspaceAreObeyed() {
        open("attacc");
        BreakdownView view(*m_workspace);
        view.resize(900, 500);
        view.show();
        const Graph& graph = *m_workspace->graph();
        std::vector<bool> passes(graph.ops.size());
        int wanted = 0;
        CostSplit cost;
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (graph.ops[i].type == "MatMul" || graph.ops[i].type == "Gemm") {
                passes[i] = true;
                cost += m_workspace->plan()->ops[i].cost;
                ++wanted;
            }
        QVERIFY(wanted > 0 && wanted < int(graph.ops.size()));
        m_workspace->filters()->push({QStringLiteral("products"), passes});
        QCOMPARE(view.table()->model()->rowCount(), wanted);
        for (const StackedBar& bar : view.bars()->sections().back().bars)
            QVERIFY(passes[static_cast<std::size_t>(bar.id)]);
        const auto& network = view.bars()->sections().front().bars;
        QCOMPARE(network.back().label, QStringLiteral("ops that pass the filters"));
        QCOMPARE(network.back().cost.totalNs(), cost.totalNs());
        m_workspace->filters()->clear();
        QCOMPARE(view.table()->model()->rowCount(), int(graph.ops.size()));
    }

    void simulatedStandsBesidePredictedWithTheError() {
        if (!m_workspace)
            open("attacc");
        BreakdownView view(*m_workspace);
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->simulations()->simulation(), 120000);
        const Simulation& simulation = *m_workspace->simulations()->simulation();
        const auto error = predictionError(simulatedPairs(simulation));
        QVERIFY(error && error->count > 0);
        QVERIFY2(view.facts()->text().contains(QString::fromStdString(errorText(*error, "ops"))),
                 qPrintable(view.facts()->text()));
        // What was simulated leads, the prediction stands beside it with its ratio.
        const QString title = view.title()->text();
        QVERIFY2(title.startsWith(QStringLiteral("<b>%1</b> simulated")
                                      .arg(QString::fromStdString(timeText(simulation.totalNs)))) &&
                     title.contains(QString::fromStdString(
                         ratioText(simulation.totalNs / m_workspace->plan()->total.totalNs()))),
                 qPrintable(title));
        const auto& bars = view.bars()->sections().front().bars;
        const auto bar = std::find_if(bars.begin(), bars.end(), [](const StackedBar& b) {
            return b.label == QStringLiteral("simulated");
        });
        QVERIFY(bar != bars.end() && !bar->predicted);
        QVERIFY(std::abs(bar->cost.totalNs() - simulation.totalNs) <= 1e-9 * simulation.totalNs);
        const QAbstractItemModel& table = *view.table()->model();
        int simulated = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const QVariant ns = table.index(row, BreakdownModel::Simulated).data(Qt::EditRole);
            simulated += ns.isValid();
            QCOMPARE(ns.isValid(), table.index(row, BreakdownModel::Error).data(Qt::EditRole).isValid());
            const QModelIndex total = table.index(row, BreakdownModel::Total);
            QVERIFY(total.data(Qt::FontRole).value<QFont>().italic());
        }
        QCOMPARE(std::size_t(simulated), error->count);

        // And of the op that is selected, what sets its time.
        const OpId op = m_workspace->simulations()->roofline()->ops.front().op;
        m_workspace->selectOp(op);
        QVERIFY2(view.facts()->text().contains(m_workspace->simulations()->sentenceOf(op).toHtmlEscaped()),
                 qPrintable(view.facts()->text()));
        m_workspace->selectOp({});
        QVERIFY(!view.facts()->text().contains(m_workspace->simulations()->sentenceOf(op).toHtmlEscaped()));
    }

    void aKeptPlanIsComparedInWords() {
        if (!m_workspace)
            open("attacc");
        BreakdownView view(*m_workspace);
        view.keepPlan(true);
        const auto kept = m_workspace->plan();
        OpId op;
        for (const OpPlan& planned : kept->ops)
            if (!planned.onHost() && planned.hostKnown)
                op = planned.op;
        QVERIFY(op.valid());
        m_workspace->applyOverride({m_workspace->graph()->op(op).name, "placement", "host"});
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isStale() && m_workspace->plan() != kept, 60000);
        const auto& bars = view.bars()->sections().front().bars;
        QCOMPARE(bars[0].cost.totalNs(), kept->total.totalNs());
        QCOMPARE(bars[1].cost.totalNs(), m_workspace->plan()->total.totalNs());
        QVERIFY2(view.facts()->text().contains(QStringLiteral("same model and target")),
                 qPrintable(view.facts()->text()));
        QVERIFY2(view.facts()->text().contains(QStringLiteral("than the kept plan")),
                 qPrintable(view.facts()->text()));
        m_workspace->setTarget("aim");
        QTRY_VERIFY_WITH_TIMEOUT(!m_workspace->isStale() && m_workspace->plan()->target->id == "aim", 60000);
        QVERIFY2(view.facts()->text().contains(QStringLiteral("other target: attacc → aim")),
                 qPrintable(view.facts()->text()));
        view.keepPlan(false);
        QVERIFY(!view.facts()->text().contains(QStringLiteral("kept plan")));
    }

    void looksRight_data() {
        QTest::addColumn<int>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light-small") << int(Theme::Light) << QSize(880, 270);
        QTest::newRow("dark-large") << int(Theme::Dark) << QSize(1340, 480);
    }
    /// Pictures to look at go to $PIM_SHOTS.
    void looksRight() {
        QFETCH(int, theme);
        QFETCH(QSize, size);
        applyTheme(Theme(theme));
        if (!m_workspace)
            open("attacc");
        BreakdownView view(*m_workspace);
        view.resize(size);
        view.show();
        const QString folder = qEnvironmentVariable("PIM_SHOTS", m_folder.path());
        for (const bool table : {false, true}) {
            view.setShowsTable(table);
            QTest::qWait(50);
            QCOMPARE(view.size(), size);
            QVERIFY(view.grab().save(QStringLiteral("%1/Breakdown-%2-%3.png")
                                         .arg(folder, table ? "table" : "bars", QTest::currentDataTag())));
        }
        applyTheme(Theme::Light);
    }

    void cleanupTestCase() { m_workspace.reset(); }

private:
    QTemporaryDir m_folder;
    BackendList m_backends;
    std::unique_ptr<Workspace> m_workspace;
};

QTEST_MAIN(TestBreakdownTargets)
#include "tst_views_breakdown_targets.moc"
