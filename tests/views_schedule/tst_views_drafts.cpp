// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts, their comparison and their tiles over a real compile: rejected ones and why, axes and front, A, B
// and the difference, predictions confirmed by simulation.
#include <QTest> // first: moc of Qt 6.4 cannot read <compare> before a standard header
#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/draft_facet.h"
#include "core/predict/shipped.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/drafts/draft_compare.h"
#include "views/drafts/draft_scatter.h"
#include "views/drafts/drafts_view.h"
#include "views/models/draft_board.h"
#include "views/models/workspace.h"
#include "views/tiles/heatmap.h"
#include "views/tiles/tiles_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include <qcustomplot.h>

#include <cmath>
#include <numeric>

using namespace pim;
using namespace pim::views;

class TestDrafts : public QObject {
    Q_OBJECT
    const Exploration& exploration() const { return *m_workspace->exploration(); }
    void selectDraft(const Draft& draft) const {
        Selection selection = m_workspace->selection();
        selection.draft = draft;
        m_workspace->select(selection);
    }
    const OpPlan& plan() const { return m_workspace->plan()->opPlan(m_op); }
    /// A kept draft that is not in force.
    const Draft& another() const {
        return exploration().drafts[exploration().drafts[0] == *plan().draft ? 1 : 0];
    }
    bool explored() const {
        return m_workspace->exploration() && m_workspace->exploration()->op == m_workspace->selection().op;
    }

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        const auto file = m_folder.filePath("tiny.onnx");
        QVERIFY(writeZooModel("tiny-gpt", file.toStdString()));
        m_backends = builtinBackends();
        m_workspace = std::make_unique<Workspace>(m_backends, TargetCatalog::load());
        m_workspace->setTarget("attacc");
        m_workspace->openModel(file);
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->plan() && !m_workspace->isStale(), 60000);
        for (const OpPlan& op : m_workspace->plan()->ops)
            if (op.draft && op.draftsKept > 1 &&
                (!m_op.valid() || op.draftsKept > m_workspace->plan()->opPlan(m_op).draftsKept)) {
                m_otherOp = m_op;
                m_op = op.op;
            } else if (op.draft && op.draftsKept > 1) {
                m_otherOp = op.op;
            }
        QVERIFY(m_op.valid() && m_otherOp.valid());
    }
    void init() {
        m_workspace->selectOp(m_op);
        QTRY_VERIFY_WITH_TIMEOUT(explored(), 60000);
        DraftBoard::of(*m_workspace).keepA(std::nullopt);
        selectDraft(*plan().draft);
    }

    void rejectedDraftsStayVisibleGreyedWithWhatTheyLack() {
        DraftsView view(*m_workspace);
        view.resize(900, 500);
        view.show();
        QVERIFY(view.rejectedBox()->isChecked());
        DraftsModel& model = *view.model();
        QVERIFY(!exploration().rejected.empty());
        QCOMPARE(model.rowCount(), int(exploration().drafts.size() + exploration().rejected.size()));
        // Behind the kept ones, whatever it is sorted by.
        for (const int column : {model.column(DraftsModel::Total), model.column(DraftsModel::Cores), 0})
            for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                model.sort(column, order);
                for (int row = 0; row < model.rowCount(); ++row)
                    QCOMPARE(model.isRejected(row), row >= model.keptCount());
            }
        for (int row = model.keptCount(); row < model.rowCount(); ++row) {
            QCOMPARE(model.index(row, 0).data(Qt::ForegroundRole).value<QColor>(), color(Role::Muted));
            QVERIFY(!model.index(row, model.column(DraftsModel::Verdict)).data().toString().isEmpty());
            const bool lacks =
                model.ruleAt(row) == PruneRule::Capacity || model.ruleAt(row) == PruneRule::SimdMultiple;
            QCOMPARE(!model.index(row, model.column(DraftsModel::Needed)).data().toString().isEmpty(), lacks);
            QCOMPARE(!model.index(row, model.column(DraftsModel::Available)).data().toString().isEmpty(),
                     lacks);
        }
        view.rejectedBox()->setChecked(false);
        QCOMPARE(model.rowCount(), model.keptCount());
        QCOMPARE(m_workspace->viewState("drafts")["rejected"].toBool(true), false); // kept with the project
        view.rejectedBox()->setChecked(true);
    }

    void capacityIsToldWithBothAmounts() {
        // No draft of this network is too large for a bank; the words are those of core/compile.
        bool any = false;
        for (const auto& rejected : exploration().rejected)
            if (const auto lack = shortfall(*exploration().space, rejected.draft, rejected.rule)) {
                any = true;
                QVERIFY(!lack->needed.empty() && !lack->available.empty());
            }
        Q_UNUSED(any);
        TilingResources small = exploration().space->resources();
        small.coreBytes = 64;
        const auto space = TilingSpace::create(exploration().space->kernel(), small);
        QVERIFY(space);
        const auto lack = shortfall(**space, exploration().drafts.back(), PruneRule::Capacity);
        QVERIFY(lack);
        QCOMPARE(lack->available, std::string("64 B per core"));
    }

    void aRejectedDraftIsExplainedByATask() {
        DraftsView view(*m_workspace);
        view.resize(900, 500);
        view.show();
        const Draft rejected = exploration().rejected.front().draft;
        QSignalSpy tasks(m_workspace->tasks(), &TaskList::changed);
        selectDraft(rejected);
        QVERIFY(!tasks.isEmpty()); // begun, not done at once
        QVERIFY(view.why()->text().contains(QStringLiteral("Looking up")));
        QTRY_VERIFY(view.why()->text().contains(QStringLiteral("Rejected")));
        const auto reason = explain(*exploration().space, m_workspace->options().tiling, rejected);
        QVERIFY(reason && view.why()->text().contains(QString::fromStdString(reason->text)));
    }

    void scatterFrontIsWhatNoDraftBeats() {
        DraftScatter scatter(DraftBoard::of(*m_workspace));
        scatter.resize(500, 400);
        scatter.show();
        scatter.setExploration(m_workspace->exploration());
        QTRY_VERIFY(DraftBoard::of(*m_workspace).shapes());
        for (const DraftAxis x : {DraftAxis::Compute, DraftAxis::Total, DraftAxis::Cores})
            for (const DraftAxis y : {DraftAxis::Rearrangement, DraftAxis::Memory, DraftAxis::MovedBytes}) {
                scatter.setAxes(x, y);
                const auto& front = scatter.front();
                QVERIFY(!front.empty());
                const auto at = [&](std::size_t i) {
                    const auto one = [&](DraftAxis axis) {
                        const auto shapes = DraftBoard::of(*m_workspace).shapes();
                        return isTime(axis)                ? timeOn(axis, exploration().costs[i])
                               : axis == DraftAxis::Cores  ? shapes->coresUsed[i]
                               : axis == DraftAxis::Memory ? shapes->bytesPerCore[i]
                                                           : shapes->movedBytes[i];
                    };
                    return std::pair(one(x), one(y));
                };
                for (std::size_t i = 0; i < exploration().drafts.size(); ++i) {
                    bool beaten = false;
                    for (const std::size_t f : front) {
                        const auto [fx, fy] = at(f);
                        const auto [ix, iy] = at(i);
                        QVERIFY(!(ix < fx && iy < fy)); // nothing is better in both than one of the front
                        beaten = beaten || (fx <= ix && fy <= iy);
                    }
                    QVERIFY(beaten);
                }
            }
    }

    void clickAndKeysOnTheFrontSelectEverywhere() {
        DraftsView view(*m_workspace);
        view.resize(1100, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        DraftScatter& scatter = *view.scatter();
        scatter.plot()->replot();
        const std::size_t last = scatter.front().back();
        QTest::mouseClick(scatter.plot(), Qt::LeftButton, {}, scatter.pixelOf(last).toPoint());
        QVERIFY(m_workspace->selection().draft);
        // Dots of equal figures lie on each other: what counts is where, not which.
        const auto position = std::find(exploration().drafts.begin(), exploration().drafts.end(),
                                        *m_workspace->selection().draft) -
                              exploration().drafts.begin();
        QCOMPARE(scatter.pixelOf(std::size_t(position)).toPoint(), scatter.pixelOf(last).toPoint());
        QCOMPARE(view.table()->currentIndex().row(), view.model()->rowOf(*m_workspace->selection().draft));
        selectDraft(exploration().drafts[scatter.front().front()]);
        if (scatter.front().size() > 1) {
            QTest::keyClick(scatter.plot(), Qt::Key_Right);
            QCOMPARE(*m_workspace->selection().draft, exploration().drafts[scatter.front()[1]]);
            QTest::keyClick(scatter.plot(), Qt::Key_Left);
        }
        QCOMPARE(*m_workspace->selection().draft, exploration().drafts[scatter.front().front()]);
    }

    void predictedFiguresDoNotLookSimulated() {
        DraftsView view(*m_workspace);
        DraftsModel& model = *view.model();
        const QModelIndex total = model.index(0, model.column(DraftsModel::Total));
        QVERIFY(total.data().toString().startsWith(QStringLiteral("≈ ")));
        QVERIFY(total.data(Qt::FontRole).value<QFont>().italic());
        QVERIFY(
            !model.index(0, model.column(DraftsModel::Simulated)).data(Qt::FontRole).value<QFont>().italic());
        QVERIFY(view.legend()->text().contains(QStringLiteral("≈")));
    }

    void predictedFiguresTellTheirKnownError() {
        DraftsView view(*m_workspace);
        const auto known = knownError(exploration(), m_workspace->options());
        QVERIFY(known && m_workspace->knownError());
        QCOMPARE(m_workspace->knownError()->meanOfPrice, known->meanOfPrice);
        const QString share = QString::fromStdString(offText(known->meanOfPrice));
        QVERIFY(share.startsWith(QStringLiteral("±")));
        QVERIFY2(view.legend()->text().contains(QStringLiteral("error ") + share),
                 qPrintable(view.legend()->text()));
        // A machine for which nobody trained a predictor.
        Workspace other(m_backends, TargetCatalog::load());
        other.setTarget("aim");
        other.openModel(m_workspace->modelPath());
        QTRY_VERIFY_WITH_TIMEOUT(other.plan() && !other.isStale(), 60000);
        DraftsView empty(other);
        other.selectOp(m_op);
        QTRY_VERIFY_WITH_TIMEOUT(other.exploration(), 60000);
        QVERIFY(!other.knownError());
        QVERIFY2(empty.legend()->text().contains(QStringLiteral("none known")),
                 qPrintable(empty.legend()->text()));
    }

    void oneClickSimulatesAndTellsTheError() {
        DraftsView view(*m_workspace);
        view.resize(900, 500);
        view.show();
        DraftBoard& board = DraftBoard::of(*m_workspace);
        const Draft wanted = exploration().drafts[2];
        selectDraft(wanted);
        QVERIFY(!board.simulated(2));
        QTest::mouseClick(view.simulateButton(), Qt::LeftButton, {},
                          QPoint(8, view.simulateButton()->height() / 2));
        QVERIFY(board.isSimulating());
        QTRY_VERIFY_WITH_TIMEOUT(!board.isSimulating(), 60000);
        const SimulatedDraft* simulated = board.simulated(2);
        QVERIFY2(simulated && simulated->problem.empty(), simulated ? simulated->problem.c_str() : "");
        const int row = view.model()->rowOf(wanted);
        DraftsModel& model = *view.model();
        QCOMPARE(model.index(row, model.column(DraftsModel::Simulated)).data(Qt::EditRole).toDouble(),
                 simulated->cost.totalNs());
        QCOMPARE(model.index(row, model.column(DraftsModel::Error)).data(Qt::EditRole).toDouble(),
                 simulated->cost.totalNs() / exploration().costs[2].totalNs() - 1);
        QVERIFY(board.knownError());
        QVERIFY(view.legend()->text().contains(
            QString::fromStdString(errorText(*board.knownError(), "ops and drafts"))));
        // Another op and back: it is still known.
        m_workspace->selectOp(m_otherOp);
        QTRY_VERIFY_WITH_TIMEOUT(explored(), 60000);
        QVERIFY(!board.simulated(2) || exploration().op != m_op);
        m_workspace->selectOp(m_op);
        QTRY_VERIFY_WITH_TIMEOUT(explored(), 60000);
        QVERIFY(board.simulated(2));
    }

    void simulatesTheBestAndCanBeCancelled() {
        DraftsView view(*m_workspace);
        view.show();
        DraftBoard& board = DraftBoard::of(*m_workspace);
        view.simulateBest(3);
        QTRY_VERIFY_WITH_TIMEOUT(!board.isSimulating(), 60000);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(board.simulated(i));
        view.simulateFront();
        board.cancelSimulation();
        QVERIFY(!board.isSimulating());
    }

    void comparesTwoDrafts() {
        CompareView view(*m_workspace);
        view.resize(900, 400);
        view.show();
        QVERIFY(!view.isComparing()); // A and B are the same
        const Draft b = exploration().drafts.back();
        selectDraft(b);
        QVERIFY(view.isComparing());
        QVERIFY2(view.badge()->text().contains(QStringLiteral("same op and target")),
                 qPrintable(view.badge()->text()));
        const auto costA = DraftBoard::of(*m_workspace).a()->predicted,
                   costB = DraftBoard::of(*m_workspace).b()->predicted;
        QVERIFY(costA && costB);
        bool total = false;
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const FactDelta& delta = view.model()->at(row);
            if (delta.info->key == "total_ns") {
                total = true;
                QCOMPARE(view.model()->index(row, DraftDeltaModel::Delta).data(Qt::EditRole).toDouble(),
                         costB->totalNs() - costA->totalNs());
                QCOMPARE(view.model()->index(row, DraftDeltaModel::Relative).data(Qt::EditRole).toDouble(),
                         (costB->totalNs() - costA->totalNs()) / costA->totalNs());
            }
        }
        QVERIFY(total);
        QVERIFY2(view.words().contains(QStringLiteral("B is")) ||
                     view.words().contains(QStringLiteral("same")),
                 qPrintable(view.words()));
        QVERIFY(view.words().contains(QStringLiteral("predicted")));
    }

    void differencesSortBySize() {
        CompareView view(*m_workspace);
        view.show();
        selectDraft(exploration().drafts.back());
        QAbstractItemModelTester tester(view.model());
        view.table()->sortByColumn(DraftDeltaModel::Relative, Qt::DescendingOrder);
        double before = HUGE_VAL;
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QVariant value = view.model()->index(row, DraftDeltaModel::Relative).data(Qt::EditRole);
            const double size = value.isValid() ? std::abs(value.toDouble()) : -1;
            QVERIFY(size <= before);
            before = size;
        }
        view.table()->sortByColumn(DraftDeltaModel::Delta, Qt::DescendingOrder);
        before = HUGE_VAL;
        for (int row = 0;
             row < view.model()->rowCount() && view.model()->at(row).info->unit == FactUnit::Time; ++row) {
            QVERIFY(std::abs(view.model()->at(row).delta()) <= before);
            before = std::abs(view.model()->at(row).delta());
        }
        QVERIFY(before < HUGE_VAL);
        QVERIFY(view.table()
                    ->text(TableView::Format::Csv, false)
                    .startsWith(QStringLiteral("fact,a,b,delta,relative_delta")));
    }

    void refusesDraftsOfDifferentWork() {
        CompareView view(*m_workspace);
        TilesView tiles(*m_workspace);
        tiles.setMode(TilesView::Mode::Delta);
        DraftBoard& board = DraftBoard::of(*m_workspace);
        board.keepA(board.inForce());
        m_workspace->selectOp(m_otherOp);
        QTRY_VERIFY_WITH_TIMEOUT(explored(), 60000);
        if (m_workspace->plan()->opPlan(m_otherOp).space->kernel().text() == plan().space->kernel().text())
            QSKIP("the two ops are the same kernel");
        QVERIFY(!view.isComparing());
        QVERIFY2(view.badge()->text().contains(QStringLiteral("not the same work")),
                 qPrintable(view.badge()->text()));
        QVERIFY2(tiles.refusal().contains(QStringLiteral("A cuts")), qPrintable(tiles.refusal()));
        tiles.setMode(TilesView::Mode::A); // A alone can be looked at all the time
        QTRY_VERIFY(tiles.refusal().isEmpty());
        tiles.setMode(TilesView::Mode::B);
    }

    void rulesOfTheUserSpeak() {
        CompareView view(*m_workspace);
        AdviceRules rules;
        rules.rules =
            adviceFromJson(
                QString(
                    "{'format': 'pim-rules', 'version': 1, 'rules': [{'id': 'x', 'help': 'drafts',"
                    " 'when': [{'fact': 'total_ns', 'above': 0}], 'text': 'Banks of {core_bytes} each'}]}")
                    .replace('\'', '"')
                    .toStdString(),
                "test")
                .value();
        view.setRules(rules);
        selectDraft(another());
        const double bytes = double(exploration().space->resources().coreBytes);
        const QString said =
            QStringLiteral("Banks of %1 each").arg(QString::fromStdString(factText(FactUnit::Bytes, bytes)));
        QVERIFY2(view.words().contains(said), qPrintable(view.words()));
    }

    void tilesSayPlaceBytesRowsAndWork() {
        TilesView view(*m_workspace);
        view.resize(1000, 500);
        view.show();
        QTRY_VERIFY(view.refusal().isEmpty());
        const CoreTile tile = exploration().space->tile(*plan().draft, 0, 0);
        QVERIFY(tile.iterations > 0);
        const QString text = view.describe(0, 0);
        for (const char* word :
             {"HBM3 stack 0", "pseudo-channel 0", "bank 0", "MACs", "iterations", "Holds", " row"})
            QVERIFY2(text.contains(QLatin1String(word)), qPrintable(text));
        QVERIFY(view.describe(100000, 0).isEmpty());
    }

    void mapsShowTheNumbersOfEveryCore() {
        TilesView view(*m_workspace);
        view.resize(1000, 500);
        view.show();
        view.setMode(TilesView::Mode::B);
        selectDraft(another());
        const TilingSpace& space = *exploration().space;
        const auto bytesOf = [](const CoreTile& tile) {
            return double(std::accumulate(tile.tensorBytes.begin(), tile.tensorBytes.end(), std::int64_t(0)));
        };
        QTRY_COMPARE(view.dataMap()->value(0, 0), bytesOf(space.tile(another(), 0, 0)));
        for (int group = 0; group < space.resources().groups; group += 7)
            for (int core = 0; core < space.resources().coresPerGroup; core += 5) {
                const CoreTile tile = space.tile(another(), group, core);
                if (tile.iterations == 0) {
                    QVERIFY(std::isnan(view.dataMap()->value(group, core)));
                    continue;
                }
                QCOMPARE(view.dataMap()->value(group, core), bytesOf(tile));
                QCOMPARE(view.computeMap()->value(group, core),
                         double(tile.iterations * space.kernel().macsPerIteration));
            }
        QCOMPARE(view.dataMap()->scale(), Heatmap::Scale::Sequential);
    }

    void theDifferenceIsCentredOnNothing() {
        TilesView view(*m_workspace);
        view.resize(1000, 500);
        view.show();
        const TilingSpace& space = *exploration().space;
        // One whose first core works on something else than that of the draft in force.
        const auto work = [&](const Draft& draft) { return space.tile(draft, 0, 0).iterations; };
        const auto other = std::find_if(exploration().drafts.begin(), exploration().drafts.end(),
                                        [&](const Draft& d) { return work(d) != work(*plan().draft); });
        QVERIFY(other != exploration().drafts.end());
        selectDraft(*other);
        view.setMode(TilesView::Mode::Delta);
        QTRY_COMPARE(view.computeMap()->scale(), Heatmap::Scale::Diverging);
        QTRY_COMPARE(view.computeMap()->value(0, 0),
                     double((work(*other) - work(*plan().draft)) * space.kernel().macsPerIteration));
        const auto [low, high] = view.computeMap()->range();
        QCOMPARE(low, -high);
        QVERIFY(high >= std::abs(view.computeMap()->value(0, 0)));
        QVERIFY2(view.describe(0, 0).contains(QStringLiteral("A ")) &&
                     view.describe(0, 0).contains(QStringLiteral("B ")),
                 qPrintable(view.describe(0, 0)));
        view.setMode(TilesView::Mode::B);
        QCOMPARE(m_workspace->viewState("tiles")["mode"].toInt(), int(TilesView::Mode::B));
    }

    void aClickOnATileSelectsItsCore() {
        TilesView view(*m_workspace);
        view.resize(1000, 500);
        view.show();
        QTRY_VERIFY(view.refusal().isEmpty());
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.dataMap()->plot()->replot();
        QTest::mouseClick(view.dataMap()->plot(), Qt::LeftButton, {}, view.dataMap()->pixelOf(3, 7));
        QCOMPARE(m_workspace->selection().group, 3);
        QCOMPARE(m_workspace->selection().core, 7);
        QVERIFY(m_workspace->selection().op == m_op);
        view.computeMap()->plot()->setFocus();
        QTest::keyClick(view.computeMap()->plot(), Qt::Key_Down);
        QTest::keyClick(view.computeMap()->plot(), Qt::Key_Right);
        QTest::keyClick(view.computeMap()->plot(), Qt::Key_Return);
        QCOMPARE(m_workspace->selection().group, 4);
        QCOMPARE(m_workspace->selection().core, 8);
    }

    void plotsExport() {
        TilesView tiles(*m_workspace);
        DraftsView drafts(*m_workspace);
        tiles.resize(900, 400);
        drafts.resize(900, 400);
        tiles.show();
        drafts.show();
        QTRY_VERIFY(tiles.refusal().isEmpty());
        for (QCustomPlot* plot :
             {tiles.dataMap()->plot(), tiles.computeMap()->plot(), drafts.scatter()->plot()})
            for (const char* suffix : {"svg", "csv", "png", "pdf"}) {
                const auto done = exportTo(exportSource(plot, "plot"),
                                           m_folder.filePath(QStringLiteral("p.") + QLatin1String(suffix)));
                QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
                QCOMPARE(plot->contextMenuPolicy(), Qt::CustomContextMenu);
            }
    }

    void looksRight_data() {
        QTest::addColumn<int>("theme");
        QTest::addColumn<QSize>("size");
        for (const int theme : {int(Theme::Light), int(Theme::Dark)}) {
            QTest::addRow("%s-small", theme == int(Theme::Light) ? "light" : "dark")
                << theme << QSize(512, 330);
            QTest::addRow("%s-large", theme == int(Theme::Light) ? "light" : "dark")
                << theme << QSize(1000, 560);
        }
    }
    /// Pictures to look at go to $PIM_SHOTS.
    void looksRight() {
        QFETCH(int, theme);
        QFETCH(QSize, size);
        applyTheme(Theme(theme));
        selectDraft(exploration().drafts.back());
        DraftsView drafts(*m_workspace);
        CompareView compare(*m_workspace);
        TilesView tiles(*m_workspace), delta(*m_workspace);
        delta.setObjectName("TilesDelta");
        const QString folder = qEnvironmentVariable("PIM_SHOTS", m_folder.path());
        for (QWidget* view : std::initializer_list<QWidget*>{&drafts, &compare, &tiles, &delta}) {
            view->resize(size);
            view->show();
            if (view == &delta)
                delta.setMode(TilesView::Mode::Delta);
            QTest::qWait(150);
            QCOMPARE(view->size(), size); // nothing needs more room than it gets
            QVERIFY(view->grab().save(
                QStringLiteral("%1/%2-%3.png").arg(folder, view->objectName(), QTest::currentDataTag())));
            view->hide();
        }
        delta.setMode(TilesView::Mode::B);
        applyTheme(Theme::Light);
    }

    void cleanupTestCase() { m_workspace.reset(); }

private:
    QTemporaryDir m_folder;
    BackendList m_backends;
    std::unique_ptr<Workspace> m_workspace;
    OpId m_op, m_otherOp;
};

QTEST_MAIN(TestDrafts)
#include "tst_views_drafts.moc"
