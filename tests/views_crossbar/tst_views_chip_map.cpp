// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The map of the chips: where cores are, array groups dragged and carried, layers decided about; what it
/// asks for.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "backends/crossbar/plan/planner.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "tests/core_graph/onnx_builder.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/crossbar/chip_map_view.h"
#include "views/crossbar/memory_panel.h"
#include "views/crossbar/search_panel.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>

using namespace pim;
using namespace pim::views;

class TestChipMap : public QObject {
    Q_OBJECT

    std::shared_ptr<const Plan> m_plan, m_chips;

    static std::shared_ptr<const Plan> planFor(const char* target) {
        const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/mobilenetv2/mobilenetv2.onnx",
                                     {.bindings = {{"batch", 1}}, .disabledPasses = {}});
        return graph ? planOf(*graph, target) : nullptr;
    }
    static std::shared_ptr<const Plan> planOf(std::shared_ptr<const Graph> graph, const char* target) {
        PlanRequest request{std::move(graph), *TargetCatalog::load().find(target), {}, {}};
        request.options.family["crossbar"]["strategy"] = "constructive";
        const BackendList backends = builtinBackends();
        const auto plan = (*backends.find("crossbar"))->plan(request, nullptr, {});
        return plan ? *plan : nullptr;
    }
    std::unique_ptr<ChipMapView> shown(std::shared_ptr<const Plan> plan) {
        auto view = std::make_unique<ChipMapView>();
        view->resize(1100, 620);
        view->setPlan(std::move(plan));
        view->show();
        view->canvas()->setFocus();
        return view;
    }
    /// A core with array groups in it.
    static int filledCore(const ChipMapView& view, const Plan& plan) {
        const ChipFacts facts = chipFacts(dynamic_cast<const CrossbarPlan&>(*plan.detail));
        Q_UNUSED(view);
        for (std::size_t core = 0; core < facts.cores.size(); ++core)
            if (!facts.cores[core].groups.empty())
                return int(core);
        return -1;
    }

private slots:
    void initTestCase() {
        m_plan = planFor("pimcomp-default");
        QVERIFY(m_plan);
        m_chips = planFor("arch-c");
        QVERIFY(m_chips);
    }

    void nothingToShowSaysWhatToDo() {
        ChipMapView view;
        view.setPlan(nullptr);
        QVERIFY(view.canvas()->grab().size().isValid());
        QVERIFY(!view.canvas()->group());
    }

    void everyCoreIsWhereItIsDrawn() {
        for (const auto& plan : {m_plan, m_chips}) {
            const auto view = shown(plan);
            const auto& chip = dynamic_cast<const CrossbarPlan&>(*plan->detail).chip;
            for (int core = 0; core < chip.cores(); ++core)
                QCOMPARE(view->canvas()->coreAt(view->canvas()->rectOf(core).center()), core);
            QCOMPARE(view->canvas()->coreAt(QPointF(-5, -5)), -1);
        }
    }

    void everyMeasureIsDrawnDifferently() {
        const auto view = shown(m_plan);
        QSet<QByteArray> pictures;
        for (int i = 0; i < int(ChipMeasure::Count_); ++i) {
            view->canvas()->setMeasure(ChipMeasure(i));
            const QImage image = view->canvas()->grab().toImage().convertToFormat(QImage::Format_RGB32);
            pictures.insert(
                QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        }
        QCOMPARE(pictures.size(), int(ChipMeasure::Count_));
    }

    void dragAsksForAMove_data() {
        QTest::addColumn<bool>("legal");
        QTest::newRow("legal") << true;
        QTest::newRow("refused") << false;
    }
    void dragAsksForAMove() {
        QFETCH(bool, legal);
        const auto view = shown(m_plan);
        view->setCheck([&](const QString&, const QString& field, const QString&) {
            return legal || field != QLatin1String("cores") ? QString() : QStringLiteral("no room");
        });
        QSignalSpy asked(view.get(), &ChipMapView::decisionRequested);
        const int from = filledCore(*view, *m_plan),
                  to = dynamic_cast<const CrossbarPlan&>(*m_plan->detail).chip.cores() - 1;
        ChipCanvas* canvas = view->canvas();
        const QPoint start = (canvas->rectOf(from).topLeft() + QPointF(1.5, 1.5)).toPoint();
        QVERIFY(canvas->groupAt(start));
        QTest::mousePress(canvas, Qt::LeftButton, {}, start);
        QMouseEvent move(QEvent::MouseMove, canvas->rectOf(to).center(),
                         canvas->mapToGlobal(canvas->rectOf(to).center()), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(canvas, &move);
        QVERIFY(canvas->isCarrying());
        QVERIFY(!canvas->verdictText().isEmpty());
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, canvas->rectOf(to).center().toPoint());
        QVERIFY(!canvas->isCarrying());
        QCOMPARE(asked.count(), legal ? 1 : 0);
        if (legal) {
            QCOMPARE(asked.front().at(1).toString(), QStringLiteral("cores"));
            QVERIFY(asked.front().at(2).toString().endsWith(QStringLiteral("=%1").arg(to)));
        }
    }

    void keysCarryAnArrayGroup() {
        const auto view = shown(m_plan);
        QSignalSpy asked(view.get(), &ChipMapView::decisionRequested);
        ChipCanvas* canvas = view->canvas();
        canvas->setCore(filledCore(*view, *m_plan));
        QTest::keyClick(canvas, Qt::Key_X, Qt::ControlModifier);
        QVERIFY(canvas->isCarrying());
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!canvas->isCarrying());
        QTest::keyClick(canvas, Qt::Key_X, Qt::ControlModifier);
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().at(1).toString(), QStringLiteral("cores"));
    }

    void layersAreChosenAndDecidedAbout() {
        const auto view = shown(m_plan);
        QSignalSpy selected(view.get(), &ChipMapView::opSelected),
            asked(view.get(), &ChipMapView::decisionRequested);
        const auto& plan = dynamic_cast<const CrossbarPlan&>(*m_plan->detail);
        QCOMPARE(view->table()->model()->rowCount(), int(plan.mapping.layers.size()));
        view->table()->selectRow(2);
        QCOMPARE(selected.count(), 1);
        QCOMPARE(view->canvas()->highlight(), 2);
        QCOMPARE(view->replicasBox()->value(), plan.mapping.layers[2].replicas);
        QVERIFY(!view->verdict()->isVisible());
        view->replicasBox()->setValue(plan.mapping.layers[2].replicas + 1);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.back().at(1).toString(), QStringLiteral("replicas"));
        // What is refused is said, and the box goes back.
        view->setPlan(m_plan);
        view->setCheck(
            [](const QString&, const QString&, const QString&) { return QStringLiteral("no room"); });
        view->replicasBox()->setValue(1000);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(view->replicasBox()->value(), plan.mapping.layers[2].replicas);
        QVERIFY(view->verdict()->isVisible() && view->verdict()->text().contains(QStringLiteral("no room")));
        // An op selected elsewhere is the same layer here.
        view->setSelectedOp(plan.network->layers[plan.mapping.layers[0].partition.layer.index()].ops.front());
        QCOMPARE(view->canvas()->highlight(), 0);
        QVERIFY(!view->resetButton()->isEnabled()); // nothing is decided
        const QModelIndex row = view->table()->currentIndex();
        QCOMPARE(row.row(), 0);
        QVERIFY(view->table()->selectionModel()->isRowSelected(0));
        QVERIFY(view->table()->viewport()->rect().intersects(view->table()->visualRect(row)));
        view->setSelectedOp(OpId());
        QVERIFY(!view->table()->selectionModel()->hasSelection());
        QCOMPARE(selected.count(), 2); // by the table, and of the layer that was selected elsewhere
    }

    /// Arrays of the layer with the largest share work that long; none is beyond a sample's time in high throughput.
    void sharesAreOfTheTimeBetweenSamples() {
        const ChipFacts facts = chipFacts(dynamic_cast<const CrossbarPlan&>(*m_plan->detail));
        double most = 0;
        for (const ChipLayer& layer : facts.layers) {
            QVERIFY(layer.arrayNs > 0);
            most = std::max(most, layer.arrayNs);
        }
        QVERIFY2(most <= facts.sampleNs * 1.001 && most > 0.2 * facts.sampleNs,
                 qPrintable(QString("%1 of %2").arg(most).arg(facts.sampleNs)));
    }

    void transposedConvolutionsSayTheirPhases() {
        QTemporaryDir folder;
        test::OnnxBuilder b;
        b.input("x", {std::int64_t(1), std::int64_t(4), std::int64_t(6), std::int64_t(5)})
            .weight("w", {4, 3, 3, 3})
            .weight("v", {2, 3, 1, 1});
        b.node("ConvTranspose", {"x", "w"}, {"a"}, {{"strides", std::vector<std::int64_t>{2, 3}}}, "up1")
            .node("Conv", {"a", "v"}, {"y"}, {}, "head")
            .output("y");
        const auto graph = loadGraph(b.save(folder.filePath("up.onnx").toStdString()));
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        const auto view = shown(planOf(*graph, "isaac"));
        const QAbstractItemModel& table = *view->table()->model();
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(table.index(0, 0).data().toString(), QStringLiteral("up1"));
        QVERIFY(table.index(0, 2).data().toString().endsWith(QStringLiteral("6 phases")));
        QCOMPARE(table.index(0, 5).data().toString(),
                 QStringLiteral("35")); // 13 x 15 pixels, of a phase 7 x 5
        QVERIFY(!table.index(1, 2).data().toString().contains(QStringLiteral("phases")));
    }

    /// Convolutions in groups, depthwise ones here, are whole windows; others are unfolded in any way.
    void unfoldingsNoScheduleTakesAreGreyed() {
        const auto& plan = dynamic_cast<const CrossbarPlan&>(*m_plan->detail);
        const ChipFacts facts = chipFacts(plan);
        int grouped = 0;
        for (std::size_t entry = 0; entry < facts.layers.size(); ++entry) {
            const ChipLayer& layer = facts.layers[entry];
            const MatrixWork& work =
                *plan.network->layers[plan.mapping.layers[entry].partition.layer.index()].matrix();
            QVERIFY(!layer.refused.contains(layer.unfolding));
            QVERIFY(!layer.refused.contains(Unfolding::WholeWindow));
            QCOMPARE(layer.refused.contains(Unfolding::AllPositions), work.groups > 1);
            if (work.groups > 1)
                QVERIFY(!layer.refused.at(Unfolding::AllPositions).isEmpty());
            grouped += work.groups > 1;
        }
        QVERIFY(grouped > 0 && grouped < int(facts.layers.size()));
    }
    void movesAreAddedToWhatIsPinned() {
        QCOMPARE(movedTo(QString(), {0, 1, 2, 4}, 7), QStringLiteral("1.2=7"));
        QCOMPARE(movedTo(QStringLiteral("0.1=3 1.2=5"), {0, 1, 2, 4}, 7), QStringLiteral("0.1=3 1.2=7"));
    }

    void memoryOverTimeIsOfTheChosenCore() {
        const auto view = shown(m_plan);
        QSignalSpy wanted(view.get(), &ChipMapView::occupancyWanted);
        MemoryPanel* memory = view->memory();
        QCOMPARE(wanted.count(), 0); // nobody looks
        view->tabs()->setCurrentWidget(memory);
        QCOMPARE(wanted.count(), 1);
        const auto& plan = dynamic_cast<const CrossbarPlan&>(*m_plan->detail);
        const auto made = occupancyOfPlan(plan, 300, {});
        QVERIFY(made);
        const auto occupancy = std::make_shared<const MemoryOccupancy>(*made);
        view->setOccupancy(m_chips, occupancy); // of a plan that is gone
        QCOMPARE(memory->overTime()->graphCount(), 0);
        view->setOccupancy(m_plan, occupancy);
        QCOMPARE(memory->overTime()->graphCount(), 2);
        // At first the core that needs most; then the one chosen in the map.
        const auto most = std::ranges::max_element(plan.profile->cores, {}, &CoreProfile::localBytes);
        QCOMPARE(memory->core(), int(most - plan.profile->cores.begin()));
        const int core =
            filledCore(*view, *m_plan) == memory->core() ? memory->core() + 1 : filledCore(*view, *m_plan);
        view->canvas()->setCore(core);
        QCOMPARE(memory->core(), core);
        QVERIFY(memory->title()->text().contains(QString::number(core)));
        const auto drawn = memory->overTime()->graph(0)->data();
        double highest = 0;
        for (const QCPGraphData& point : *drawn)
            highest = std::max(highest, point.value);
        QCOMPARE(highest, double(occupancy->cores[std::size_t(core)].peakBytes));
        QVERIFY(highest > 0 && highest <= double(plan.profile->cores[std::size_t(core)].localBytes));
        QCOMPARE(memory->overTime()->graph(1)->data()->begin()->value, double(plan.chip.localBytes));
        // A click on a bar goes there.
        const int other = core == 0 ? 1 : 0;
        memory->peaks()->replot(); // places are those of what is drawn
        const QPoint at(qRound(memory->peaks()->xAxis->coordToPixel(other)), // bars are a few pixels wide
                        memory->peaks()->axisRect()->center().y());
        QTest::mouseClick(memory->peaks(), Qt::LeftButton, {}, at);
        QCOMPARE(view->canvas()->core(), other);
        QCOMPARE(memory->core(), other);
        const QString csv = exportSource(memory->overTime(), QStringLiteral("memory")).csv();
        QVERIFY2(csv.split(u'\n', Qt::SkipEmptyParts).size() > 300, qPrintable(csv.left(200)));
        // The same plan is not asked for again, another one is.
        view->setPlan(m_plan);
        QCOMPARE(wanted.count(), 1);
        view->setPlan(m_chips);
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(memory->overTime()->graphCount(), 0);
    }

    void searchShowsWhatItMetOnTheWay() {
        auto view = shown(m_plan);
        QVERIFY(view->search()->isEmpty()); // nothing was searched
        QVERIFY(!view->tabs()->isTabVisible(1));
        auto detail = std::make_shared<CrossbarPlan>(dynamic_cast<const CrossbarPlan&>(*m_plan->detail));
        detail->mapping.history = {{1, 3e6}, {8, 2e6}};
        detail->mapping.tradeOffs = {{2e6, 9e6, 4e9, {}}, {2.5e6, 7e6, 5e9, {}}, {4e6, 6e6, 3e9, {}}};
        auto searched = std::make_shared<Plan>(*m_plan);
        searched->detail = detail;
        const auto& offers = detail->mapping.tradeOffs;
        view->setPlan(searched);
        QVERIFY(view->tabs()->isTabVisible(1));
        view->tabs()->setCurrentIndex(1);
        SearchPanel* panel = view->search();
        QCOMPARE(panel->tradeOffs()->graphCount(), int(offers.size()));
        const QString all = panel->title()->text();
        panel->tradeOffs()->replot();
        const QPoint at(qRound(panel->tradeOffs()->xAxis->coordToPixel(offers.back().periodNs)),
                        qRound(panel->tradeOffs()->yAxis->coordToPixel(offers.back().latencyNs)));
        QTest::mouseClick(panel->tradeOffs(), Qt::LeftButton, {}, at);
        QVERIFY(panel->title()->text() != all);
        QVERIFY2(panel->title()->text().contains(QStringLiteral("first after")),
                 qPrintable(panel->title()->text()));
        view->setPlan(nullptr);
        QVERIFY(panel->isEmpty());
    }
    void exportHasEveryCore() {
        const auto view = shown(m_plan);
        const QStringList lines = view->canvas()->exportSource().csv().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + dynamic_cast<const CrossbarPlan&>(*m_plan->detail).chip.cores());
    }
};

QTEST_MAIN(TestChipMap)
#include "tst_views_chip_map.moc"
