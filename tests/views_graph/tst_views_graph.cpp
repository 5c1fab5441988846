// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Graph view: layout off the UI thread, selection by mouse and keyboard, search, overlays, export, drag.
#include "../views_common/sample_plan.h"
#include "tests/support/two_devices.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/graph/graph_side.h"
#include "views/graph/graph_view.h"
#include "views/models/filter_stack.h"

#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace pim;
using namespace pim::views;

namespace {

class DragProbe : public GraphCanvas {
public:
    OpId dragged;
    void startDrag(OpId op) override { dragged = op; }
};

} // namespace

class TestGraphView : public QObject {
    Q_OBJECT

    /// A shown view with the graph laid out.
    std::unique_ptr<GraphView> ready(std::shared_ptr<const Graph> graph, bool planned = true) {
        auto view = std::make_unique<GraphView>();
        view->resize(900, 700);
        view->show();
        view->setGraph(graph);
        if (planned)
            view->setPlan(test::samplePlan(graph));
        if (!QTest::qWaitFor([&] { return view->canvas()->picture() != nullptr; }))
            return nullptr;
        return view;
    }

private slots:
    void initTestCase() { test::failOnWarnings(); }

    void saysWhatToDoWithoutAModel() {
        GraphView view;
        view.resize(400, 300);
        view.show();
        QVERIFY(!view.canvas()->isVisible());
        const auto graph = test::sampleGraph(2);
        view.setGraph(graph);
        QTRY_VERIFY(view.canvas()->isVisible());
        view.setGraph(nullptr);
        QVERIFY(!view.canvas()->isVisible());
    }

    void closesWhileLayingOut() {
        for (int i = 0; i < 3; ++i) {
            GraphView view;
            view.setGraph(test::sampleGraph(400));
            view.setDirection(LayoutDirection::LeftToRight);
        }
    }

    void drawsEveryOpAndEveryEdge() {
        const auto graph = test::sampleGraph(5);
        const auto view = ready(graph);
        const GraphPicture& picture = *view->canvas()->picture();
        QCOMPARE(picture.nodes.size(), graph->ops.size() + 2); // one input, one output
        QCOMPARE(picture.edges.size(), 5u * 5 + 4);            // five a block; input, fc, mystery, output
    }

    void selectsWithTheMouse() {
        const auto graph = test::sampleGraph(3);
        const auto view = ready(graph);
        QSignalSpy selected(view.get(), &GraphView::opSelected);
        view->canvas()->zoomToFit();
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {},
                          view->canvas()->screenPosition(OpId(2)).toPoint());
        QCOMPARE(view->canvas()->selectedOp(), OpId(2));
        QCOMPARE(selected.size(), 1);
        QVERIFY(view->canvas()->accessibleDescription().contains(QStringLiteral("relu")));
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, QPoint(4, 4));
        QVERIFY(!view->canvas()->selectedOp().valid());
    }

    void selectionFromOutsideEmitsNothing() {
        const auto view = ready(test::sampleGraph(30));
        QSignalSpy selected(view.get(), &GraphView::opSelected);
        view->setSelectedOp(OpId(100));
        QCOMPARE(view->canvas()->selectedOp(), OpId(100));
        QVERIFY(view->canvas()->rect().contains(view->canvas()->screenPosition(OpId(100)).toPoint()));
        QCOMPARE(selected.size(), 0);
    }

    void arrowsFollowEdgesTabFollowsTheOrder() {
        const auto view = ready(test::sampleGraph(2));
        GraphCanvas* canvas = view->canvas();
        canvas->setFocus();
        view->setSelectedOp(OpId(0));
        QTest::keyClick(canvas, Qt::Key_Down); // stem -> conv1 of the first block
        QCOMPARE(canvas->selectedOp(), OpId(1));
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(canvas->selectedOp(), OpId(4)); // Add
        QTest::keyClick(canvas, Qt::Key_Up);
        QCOMPARE(canvas->selectedOp(), OpId(3));
        QTest::keyClick(canvas, Qt::Key_Tab);
        QCOMPARE(canvas->selectedOp(), OpId(4));
        QTest::keyClick(canvas, Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(canvas->selectedOp(), OpId(3));
        QSignalSpy inspect(view.get(), &GraphView::inspectRequested);
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(inspect.size(), 1);
        QTest::keyClick(canvas, Qt::Key_End);
        QTest::keyClick(canvas, Qt::Key_Tab); // behind the last op Tab leaves
        QVERIFY(!canvas->hasFocus());
    }

    void zoomsAtTheCursor() {
        const auto view = ready(test::sampleGraph(40));
        GraphCanvas* canvas = view->canvas();
        canvas->setViewport(1, canvas->viewport().offset);
        const QPointF at(300, 200);
        const QPointF world = canvas->viewport().toWorld(at);
        QWheelEvent wheel(at, canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas, &wheel);
        QVERIFY(canvas->viewport().zoom > 1.1);
        QVERIFY((canvas->viewport().toWorld(at) - world).manhattanLength() < 1e-6);
        QTest::keyClick(canvas, Qt::Key_F);
        QVERIFY(QRectF(canvas->rect())
                    .adjusted(-1, -1, 1, 1)
                    .contains(canvas->viewport().toScreen(canvas->picture()->bounds)));
        const double fitted = canvas->viewport().zoom;
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->viewport().zoom > fitted);
        QTest::keyClick(canvas, Qt::Key_Minus);
        QVERIFY(std::abs(canvas->viewport().zoom - fitted) < 1e-9);
    }

    void neverLosesTheGraphOutOfSight() {
        const auto view = ready(test::sampleGraph(3));
        view->canvas()->setViewport(1, QPointF(-1e6, 1e6));
        QVERIFY(view->canvas()->viewport().visible().intersects(view->canvas()->picture()->bounds));
    }

    void dragsAnOpByItsName() {
        const auto graph = test::sampleGraph(2);
        const auto picture = buildPicture(graph, LayoutDirection::TopToBottom);
        DragProbe canvas;
        canvas.resize(600, 600);
        canvas.setPicture(*picture);
        canvas.setLooks(overlayLooks(**picture, {graph, nullptr, nullptr, {}}, Overlay::Type, true));
        canvas.zoomToFit();
        const QPoint at = canvas.screenPosition(OpId(1)).toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, at);
        QTest::mouseMove(&canvas, at + QPoint(40, 40));
        QCOMPARE(canvas.dragged, OpId(1));
        const std::unique_ptr<QMimeData> data(GraphCanvas::mimeData(*graph, OpId(1)));
        QCOMPARE(data->data(QStringLiteral("application/x-pim-op")), QByteArray("/layer0/conv1/Conv"));
    }

    void saysBesideTheFieldWhatIsAllowed_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("says");
        QTest::newRow("key") << "colour:red"
                             << "placement";
        QTest::newRow("no number") << "cost:fast"
                                   << "cost:>1ms";
        QTest::newRow("a unit of another quantity") << "cost:>1KiB"
                                                    << "us, ms";
        QTest::newRow("energy in time") << "energy:>1ms"
                                        << "pJ";
        QTest::newRow("type of element") << "dtype:g7"
                                         << "f16";
        QTest::newRow("place") << "on:moon"
                               << "on:host";
        QTest::newRow("shape") << "shape:big"
                               << "shape:64x56";
    }
    void saysBesideTheFieldWhatIsAllowed() {
        QFETCH(QString, query);
        QFETCH(QString, says);
        const auto view = ready(test::sampleGraph(2));
        view->search(query);
        QVERIFY2(view->searchMessage().contains(says), qPrintable(view->searchMessage()));
        QVERIFY(view->hits().empty() && view->countText().isEmpty());
        view->search(QStringLiteral("type:Conv"));
        QVERIFY(view->searchMessage().isEmpty());
        QCOMPARE(view->countText(), QStringLiteral("5 found"));
    }

    void listsWhatWasFoundForCopying() {
        const auto view = ready(test::sampleGraph(3));
        view->setSideVisible(true);
        view->side()->showHits();
        view->search(QStringLiteral("type:Relu"));
        TableView* table = view->side()->hitsView();
        QCOMPARE(table->model()->rowCount(), 3);
        const QString text = table->text(TableView::Format::Tsv);
        QVERIFY2(
            text.startsWith(QStringLiteral("Op\tType\tShape\tOn\tlatency (ns)\n/layer0/relu/Relu\tRelu\t")),
            qPrintable(text));
        QCOMPARE(text.count(QLatin1Char('\n')), 4);
        table->setCurrentIndex(table->model()->index(1, 0));
        QCOMPARE(view->canvas()->selectedOp(), OpId(6));
    }

    void limitsTheViewsToWhatWasFound() {
        const auto graph = test::sampleGraph(3);
        const auto view = ready(graph);
        QList<OpFilter> filters;
        connect(view.get(), &GraphView::limitRequested, this,
                [&](const OpFilter& filter) { filters << filter; });
        auto* limit = view->findChild<QToolButton*>(QStringLiteral("limitViews"));
        QVERIFY(limit && !limit->isEnabled());
        view->search(QStringLiteral("type:Relu"));
        QVERIFY(limit->isEnabled());
        limit->click();
        QCOMPARE(filters.size(), 1);
        QCOMPARE(filters[0].text, QStringLiteral("type:Relu"));
        QCOMPARE(std::count(filters[0].ops.begin(), filters[0].ops.end(), true), 3);
        // What does not pass is dimmed.
        view->search({});
        const QImage before = view->canvas()->grab().toImage();
        view->setPassing(filters[0].ops);
        const QImage dimmed = view->canvas()->grab().toImage();
        QVERIFY(dimmed != before);
        view->setPassing({});
        QCOMPARE(view->canvas()->grab().toImage(), before);
    }

    void walksThroughWhatWasFound() {
        const auto view = ready(test::sampleGraph(10));
        view->search(QStringLiteral("type:Relu"));
        QCOMPARE(view->hits().size(), 10u);
        view->searchLine()->setFocus();
        QTest::keyClick(view->searchLine(), Qt::Key_F3);
        QCOMPARE(view->canvas()->selectedOp(), OpId(2));
        QTest::keyClick(view->searchLine(), Qt::Key_F3);
        QCOMPARE(view->canvas()->selectedOp(), OpId(6));
        QTest::keyClick(view->searchLine(), Qt::Key_F3, Qt::ShiftModifier);
        QTest::keyClick(view->searchLine(), Qt::Key_F3, Qt::ShiftModifier); // wraps around
        QCOMPARE(view->canvas()->selectedOp(), OpId(38));
    }

    void everyOverlayHasALegendWithUnits() {
        const auto graph = test::sampleGraph(3);
        const auto picture = *buildPicture(graph, LayoutDirection::TopToBottom);
        const OverlaySource all{graph, test::samplePlan(graph), test::sampleSimulation(*graph), {}};
        static const char* const kUnits[] = {"", "", "s", "J", "B", "%", "%", "MAC", "FLOP/B"};
        for (int i = 0; i < kOverlays; ++i) {
            const auto overlay = static_cast<Overlay>(i);
            for (const bool log : {false, true}) {
                const OverlayLooks looks = overlayLooks(*picture, all, overlay, log);
                QCOMPARE(looks.nodes.size(), picture->nodes.size());
                QVERIFY(!looks.legend.title.isEmpty());
                if (isFigure(overlay))
                    QVERIFY2(looks.legend.high.endsWith(QLatin1String(kUnits[i])) &&
                                 looks.legend.low.endsWith(QLatin1String(kUnits[i])),
                             qPrintable(looks.legend.low + looks.legend.high));
                else
                    QVERIFY(!looks.legend.entries.empty());
                for (std::size_t n = 0; n < graph->ops.size(); ++n)
                    QVERIFY(looks.nodes[n].fill.isValid());
            }
        }
        const Legend time = overlayLooks(*picture, all, Overlay::TotalTime, true).legend;
        QVERIFY2(time.title.contains(QStringLiteral("predicted")) &&
                     time.title.contains(QStringLiteral("log")),
                 qPrintable(time.title));
        // Without a plan, or with one of another graph, nothing is invented.
        const auto other = test::samplePlan(test::sampleGraph(3));
        for (const NodeLook& look :
             overlayLooks(*picture, {graph, other, nullptr, {}}, Overlay::TotalTime, true).nodes)
            QVERIFY(look.value.isEmpty() && !look.placed);
    }

    void everyMachineHasAColourAndItsName_data() {
        QTest::addColumn<int>("theme");
        QTest::addRow("light") << int(Theme::Light);
        QTest::addRow("dark") << int(Theme::Dark);
    }
    void everyMachineHasAColourAndItsName() {
        QFETCH(int, theme);
        const Theme before = currentTheme();
        applyTheme(static_cast<Theme>(theme));
        const auto plan = test::twoDevicePlan();
        const auto picture = *buildPicture(plan->graph, LayoutDirection::TopToBottom);
        const OverlayLooks looks =
            overlayLooks(*picture, {plan->graph, plan, nullptr, {}}, Overlay::Placement, true);
        const QColor host = color(Role::OnHost);
        const QColor wanted[] = {deviceColor(0), deviceColor(0), host, deviceColor(0),
                                 deviceColor(1), deviceColor(1), host, deviceColor(1)};
        for (std::size_t i = 0; i < std::size(wanted); ++i) {
            const NodeLook& look = looks.nodes[i];
            QCOMPARE(look.fill, wanted[i]);
            QCOMPARE(look.tag, look.onPim ? QString::fromStdString(plan->devices[i / 4].name) : QString());
        }
        QVERIFY(deviceColor(0) != deviceColor(1));
        QStringList entries;
        for (const Legend::Entry& entry : looks.legend.entries)
            entries << entry.text;
        QCOMPARE(entries, QStringList({"aim", "hbm-pim", "host a100", "host, cost unknown"}));
        QCOMPARE(looks.legend.entries[1].color, deviceColor(1));
        QVERIFY(looks.legend.entries[1].onPim && !looks.legend.entries[2].onPim);
        applyTheme(before);
    }

    void aBlockOverMachinesIsToldAsSuch() {
        const auto plan = test::twoDevicePlan();
        const auto ops = [](int from, int to) {
            std::vector<OpId> ids;
            for (int i = from; i < to; ++i)
                ids.emplace_back(i);
            return ids;
        };
        QCOMPARE(placeText(*plan, ops(0, 4)), QStringLiteral("aim"));
        QCOMPARE(placeText(*plan, ops(4, 8)), QStringLiteral("hbm-pim"));
        QCOMPARE(placeText(*plan, ops(0, 8)), QStringLiteral("PIM"));
        QCOMPARE(placeText(*plan, DeviceId::host()), QStringLiteral("host"));
        QCOMPARE(placeText(*plan->parts[1].plan, ops(0, 4)), QStringLiteral("PIM")); // it has one machine
    }

    void tipsNameTheMachine() {
        const auto plan = test::twoDevicePlan();
        const auto view = ready(plan->graph, false);
        view->setPlan(plan);
        view->canvas()->zoomToFit();
        const auto tip = [&](int op) {
            return view->canvas()->tipAt(view->canvas()->screenPosition(OpId(op)));
        };
        QTRY_VERIFY2(tip(5).contains(QStringLiteral("hbm-pim")), qPrintable(tip(5)));
        QVERIFY(tip(0).contains(QStringLiteral("aim")) && tip(2).contains(QStringLiteral("host")));
    }

    void showsWhatTheSimulationFound() {
        const auto graph = test::sampleGraph(3);
        const auto picture = *buildPicture(graph, LayoutDirection::TopToBottom);
        const OverlaySource all{graph, test::samplePlan(graph), test::sampleSimulation(*graph), {}};
        const OverlayLooks energy = overlayLooks(*picture, all, Overlay::Energy, false);
        QCOMPARE(energy.nodes[3].value, QStringLiteral("30.00 nJ"));
        const OverlayLooks error = overlayLooks(*picture, all, Overlay::PredictorError, false);
        QCOMPARE(error.nodes[3].value, QStringLiteral("-20.0 %")); // 4 predicted, 5 simulated
        QVERIFY(error.legend.isDiverging);
        QCOMPARE(error.legend.middle, QStringLiteral("0.0 %"));
        // Op 1 was not simulated: hatched, and the reason is the simulator's own.
        QVERIFY(error.nodes[1].hatched && error.nodes[1].value.isEmpty());
        QVERIFY(error.legend.note.contains(QStringLiteral("without a value")));
        QCOMPARE(whyUnknown(all, Overlay::PredictorError, OpId(1)),
                 QStringLiteral("no command of it is known"));
        QVERIFY(whyUnknown({graph, test::samplePlan(graph), nullptr, QStringLiteral("not for this machine")},
                           Overlay::Energy, OpId(3))
                    .contains(QStringLiteral("not for this machine")));
        QImage shots[2];
        for (const bool hatched : {false, true}) {
            OverlayLooks looks = error;
            looks.nodes[1].hatched = hatched;
            GraphCanvas canvas;
            canvas.resize(600, 600);
            canvas.setPicture(picture);
            canvas.setLooks(looks);
            shots[hatched] = canvas.grab().toImage();
        }
        QVERIFY(shots[0] != shots[1]);
    }

    void aLinearScaleDiffersFromALogarithmicOne() {
        const auto graph = test::sampleGraph(3);
        const auto picture = *buildPicture(graph, LayoutDirection::TopToBottom);
        const OverlaySource all{graph, test::samplePlan(graph), nullptr, {}};
        const auto fills = [&](bool log) {
            QStringList names;
            for (const NodeLook& look : overlayLooks(*picture, all, Overlay::TotalTime, log).nodes)
                names << look.fill.name();
            return names;
        };
        QVERIFY(fills(true) != fills(false));
    }

    void placementShowsWithoutColour() {
        const auto graph = test::sampleGraph(1);
        const auto picture = *buildPicture(graph, LayoutDirection::TopToBottom);
        OverlayLooks looks = overlayLooks(*picture, {graph, nullptr, nullptr, {}}, Overlay::Type, true);
        QImage shots[2];
        for (const bool onPim : {false, true}) {
            looks.nodes[1].placed = true;
            looks.nodes[1].onPim = onPim; // same fill either way
            GraphCanvas canvas;
            canvas.resize(500, 500);
            canvas.setPicture(picture);
            canvas.setLooks(looks);
            shots[onPim] = canvas.grab().toImage();
        }
        QVERIFY(shots[0] != shots[1]);
    }

    void tellsAboutNodesAndEdges() {
        const auto graph = test::sampleGraph(2);
        const auto view = ready(graph);
        GraphCanvas* canvas = view->canvas();
        canvas->zoomToFit();
        const QString node = canvas->tipAt(canvas->screenPosition(OpId(3)));
        QVERIFY2(node.contains(QStringLiteral("conv2")) && node.contains(QStringLiteral("MAC")) &&
                     node.contains(QStringLiteral("predicted")),
                 qPrintable(node));
        const QPointF between = (canvas->screenPosition(OpId(1)) + canvas->screenPosition(OpId(2))) / 2;
        const QString edge = canvas->tipAt(between);
        QVERIFY2(edge.contains(QStringLiteral("/layer0/conv1/Conv_out")) &&
                     edge.contains(QStringLiteral("KiB")),
                 qPrintable(edge));
    }

    void exportsTextAsText() {
        const auto view = ready(test::sampleGraph(4));
        QTemporaryDir dir;
        const ExportSource source = view->exportSource();
        for (const char* suffix : {"svg", "png", "pdf", "csv"})
            QVERIFY2(exportTo(source, dir.filePath(QStringLiteral("g.") + QLatin1String(suffix))).has_value(),
                     suffix);
        QFile svg(dir.filePath(QStringLiteral("g.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("<text") && text.contains("/layer3/conv1/Conv"));
        QFile csv(dir.filePath(QStringLiteral("g.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), static_cast<qsizetype>(4 * 4 + 3 + 1));
    }

    void turnsRoundAndKeepsTheSelection() {
        const auto view = ready(test::sampleGraph(6));
        view->setSelectedOp(OpId(7));
        view->setDirection(LayoutDirection::LeftToRight);
        QTRY_COMPARE(view->canvas()->picture()->direction(), LayoutDirection::LeftToRight);
        QCOMPARE(view->canvas()->selectedOp(), OpId(7));
        QVERIFY(view->canvas()->rect().contains(view->canvas()->screenPosition(OpId(7)).toPoint()));
        QTest::keyClick(view->canvas(), Qt::Key_Right);
        QVERIFY(view->canvas()->selectedOp().value > 7);
    }

    void namesEveryWidgetForScreenReaders() {
        GraphView view;
        for (const QWidget* widget : view.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus &&
                !widget->objectName().startsWith(QStringLiteral("qt_")) &&
                widget->parentWidget()->metaObject()->className() != QByteArray("QLineEdit"))
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
};

QTEST_MAIN(TestGraphView)
#include "tst_views_graph.moc"
