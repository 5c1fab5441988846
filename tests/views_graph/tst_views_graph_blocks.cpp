// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Folding of repeated blocks, breadcrumbs, minimap, what boxes show, and the tree beside the canvas.
#include <QTest>

#include <string>

#include "../views_common/sample_plan.h"
#include "views/graph/breadcrumbs.h"
#include "views/graph/graph_side.h"
#include "views/graph/graph_view.h"

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

using namespace pim;
using namespace pim::views;

namespace {

constexpr int kBlocks = 30; // sampleGraph() of so many has 123 ops: enough to be folded at first

std::shared_ptr<const BlockTree> blocksOf(const Graph& graph) {
    return std::make_shared<const BlockTree>(findBlocks(graph));
}

std::vector<const PictureNode*> groupsIn(const GraphPicture& picture) {
    std::vector<const PictureNode*> groups;
    for (const PictureNode& node : picture.nodes)
        if (node.kind == PictureNode::Kind::Group)
            groups.push_back(&node);
    return groups;
}

} // namespace

class TestGraphBlocks : public QObject {
    Q_OBJECT

    /// A shown view with the graph laid out.
    std::unique_ptr<GraphView> ready(std::shared_ptr<const Graph> graph, bool planned = true) {
        auto view = std::make_unique<GraphView>();
        view->resize(900, 700);
        view->show();
        view->setGraph(graph);
        if (planned)
            view->setPlan(test::samplePlan(graph));
        return QTest::qWaitFor([&] { return view->canvas()->picture() != nullptr; }) ? std::move(view)
                                                                                     : nullptr;
    }
    /// Another layout is there.
    static bool laidOut(GraphView& view, const GraphPicture* before) {
        return QTest::qWaitFor([&] { return view.canvas()->picture() != before && !view.isLayingOut(); });
    }

private slots:
    void initTestCase() { test::failOnWarnings(); }

    void foldsRepeatedBlocksAtFirst() {
        const auto graph = test::sampleGraph(kBlocks);
        const auto view = ready(graph);
        const GraphPicture& picture = *view->canvas()->picture();
        const auto groups = groupsIn(picture);
        QCOMPARE(groups.size(), std::size_t{kBlocks});
        QCOMPARE(groups[3]->type, QStringLiteral("layer3"));
        QVERIFY2(groups[3]->name.startsWith(QStringLiteral("4 ops: 2 Conv")), qPrintable(groups[3]->name));
        QCOMPARE(picture.choosable, kBlocks + 3); // stem, fc and mystery besides
        QCOMPARE(picture.frames.size(), 1u);      // the row of all of them
        QVERIFY(picture.frames[0].text.startsWith(QStringLiteral("30 × layer")));
        // Both edges into a block and the one around it are one each.
        QCOMPARE(picture.edges.size(), std::size_t{kBlocks + 4});
        // A small graph is shown as it is.
        const auto small = ready(test::sampleGraph(5));
        QVERIFY(groupsIn(*small->canvas()->picture()).empty());
    }

    void aFoldedBlockShowsTheSumOfItsOps() {
        const auto graph = test::sampleGraph(kBlocks);
        const auto plan = test::samplePlan(graph);
        const auto blocks = blocksOf(*graph);
        PictureOptions options;
        options.folded = foldedAtFirst(*graph, *blocks);
        const auto picture = *buildPicture(graph, blocks, options);
        const PictureNode& node = *groupsIn(*picture)[2];
        const std::vector<OpId> ops = picture->opsOf(node);
        QCOMPARE(ops.size(), 4u);
        double ns = 0, rearranged = 0;
        for (const OpId op : ops) {
            ns += plan->opPlan(op).cost.totalNs();
            rearranged += plan->opPlan(op).cost.inputNs + plan->opPlan(op).cost.outputNs;
        }
        const OverlaySource source{graph, plan, nullptr, {}};
        QCOMPARE(overlayValue(source, Overlay::TotalTime, ops).value(), ns);
        QCOMPARE(overlayValue(source, Overlay::RearrangementShare, ops).value(), rearranged / ns);
        const auto index = static_cast<std::size_t>(&node - picture->nodes.data());
        const NodeLook look = overlayLooks(*picture, source, Overlay::TotalTime, true).nodes[index];
        QCOMPARE(look.value, overlayValueText(Overlay::TotalTime, ns));
        QVERIFY2(look.tag.endsWith(QStringLiteral("/4 PIM")), qPrintable(look.tag));
    }

    void unfoldingKeepsItsPlaceOnTheScreen_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"double click", "sign", "plus", "enter"})
            QTest::newRow(way) << way;
    }
    void unfoldingKeepsItsPlaceOnTheScreen() {
        QFETCH(QString, way);
        const auto view = ready(test::sampleGraph(kBlocks));
        GraphCanvas* canvas = view->canvas();
        const std::int32_t block = groupsIn(*canvas->picture())[10]->block;
        canvas->setViewport(0.9, {});
        canvas->setSelectedBlock(block); // scrolls there
        canvas->setFocus();
        const QRectF before = canvas->screenRect(block);
        QVERIFY(QRectF(canvas->rect()).contains(before));
        const GraphPicture* folded = canvas->picture();
        if (way == QLatin1String("double click"))
            QTest::mouseDClick(canvas, Qt::LeftButton, {}, before.center().toPoint());
        else if (way == QLatin1String("sign"))
            QTest::mouseClick(canvas, Qt::LeftButton, {},
                              GraphPainter::foldSign(before, 0.9).center().toPoint());
        else
            QTest::keyClick(canvas, way == QLatin1String("plus") ? Qt::Key_Plus : Qt::Key_Return);
        QVERIFY(laidOut(*view, folded));
        QVERIFY(canvas->picture()->frameOf(block));
        QCOMPARE(groupsIn(*canvas->picture()).size(), std::size_t{kBlocks - 1});
        const QRectF opened = canvas->screenRect(block);
        QVERIFY((opened.topLeft() - before.topLeft()).manhattanLength() < 1);
        QVERIFY(opened.height() > 2 * before.height());
        QCOMPARE(canvas->selectedBlock(), block);
        // And back, by the sign in its label or by the key, from an op inside.
        const GraphPicture* unfolded = canvas->picture();
        if (way == QLatin1String("sign")) {
            QTest::mouseClick(canvas, Qt::LeftButton, {}, (opened.topLeft() + QPointF(8, 8)).toPoint());
        } else {
            const Block& found = canvas->picture()->blocks->blocks[static_cast<std::size_t>(block)];
            view->setSelectedOp(canvas->picture()->blocks->order[static_cast<std::size_t>(found.first)]);
            QTest::keyClick(canvas, Qt::Key_Minus);
        }
        QVERIFY(laidOut(*view, unfolded));
        QVERIFY((canvas->screenRect(block).topLeft() - before.topLeft()).manhattanLength() < 1);
        QCOMPARE(canvas->selectedBlock(), block);
    }

    void foldsAndUnfoldsAll() {
        const auto graph = test::sampleGraph(kBlocks);
        const auto view = ready(graph);
        const GraphPicture* before = view->canvas()->picture();
        view->setAllFolded(false);
        QVERIFY(laidOut(*view, before));
        QCOMPARE(view->canvas()->picture()->choosable, static_cast<std::int32_t>(graph->ops.size()));
        before = view->canvas()->picture();
        view->setAllFolded(true);
        QVERIFY(laidOut(*view, before));
        QCOMPARE(view->canvas()->picture()->choosable, 4); // stem, the row, fc, mystery
    }

    /// Stepping through a list elsewhere must not turn the picture over; going to a hit of the search does unfold.
    void marksTheBlockOfAHiddenOpAndUnfoldsForASearch() {
        const auto view = ready(test::sampleGraph(kBlocks));
        GraphCanvas* canvas = view->canvas();
        const GraphPicture* before = canvas->picture();
        const OpId hidden(50);
        view->setSelectedOp(hidden);
        QCOMPARE(canvas->picture(), before);
        QCOMPARE(canvas->selectedOp(), hidden);
        QVERIFY(before->isFolded(hidden));
        QVERIFY(canvas->rect().contains(canvas->screenPosition(hidden).toPoint()));
        QVERIFY2(canvas->accessibleDescription().contains(QStringLiteral("folded block")),
                 qPrintable(canvas->accessibleDescription()));
        view->search(QStringLiteral("layer20/conv1"));
        view->showHit(1);
        QVERIFY(laidOut(*view, before));
        QVERIFY(!canvas->picture()->isFolded(view->hits().front()));
        QVERIFY(canvas->rect().contains(canvas->screenPosition(view->hits().front()).toPoint()));
    }

    void breadcrumbsSayWhereOneIsAndLeadUp() {
        const auto view = ready(test::sampleGraph(kBlocks));
        view->setSelectedOp(OpId(1));
        QCOMPARE(view->breadcrumbs()->steps(),
                 QStringList({QStringLiteral("sample"), QStringLiteral("30 × layer"),
                              QStringLiteral("layer0"), QStringLiteral("Conv")}));
        QSignalSpy selected(view.get(), &GraphView::opSelected);
        const auto steps = view->breadcrumbs()->findChildren<QToolButton*>();
        QVERIFY(!steps.last()->isEnabled()); // one is there
        for (QToolButton* step : steps)
            if (step->text() == QStringLiteral("30 × layer"))
                step->click();
        QCOMPARE(view->canvas()->selectedBlock(), 0);
        QVERIFY(!view->canvas()->selectedOp().valid());
        QCOMPARE(selected.size(), 1);
        QCOMPARE(view->breadcrumbs()->steps(),
                 QStringList({QStringLiteral("sample"), QStringLiteral("30 × layer")}));
        // All of it is in sight.
        QVERIFY(
            QRectF(view->canvas()->rect()).adjusted(-1, -1, 1, 1).contains(view->canvas()->screenRect(0)));
        QTest::keyClick(view->canvas(), Qt::Key_Backspace); // further up: nothing selected
        QCOMPARE(view->canvas()->selectedBlock(), -1);
    }

    void theMinimapMovesThePicture() {
        const auto view = ready(test::sampleGraph(kBlocks));
        GraphCanvas* canvas = view->canvas();
        canvas->setViewport(1, {});
        const auto centreOfView = [&] {
            return canvas->viewport().toWorld(QRectF(canvas->rect()).center()).y();
        };
        const QRectF bounds = canvas->picture()->bounds;
        const QPoint corner(canvas->width() - 16, canvas->height() - 16); // the lower end of the map
        QTest::mousePress(canvas, Qt::LeftButton, {}, corner);
        QVERIFY(centreOfView() > bounds.top() + 0.8 * bounds.height());
        QTest::mouseMove(canvas, corner - QPoint(0, 100));
        const double middle = centreOfView();
        QVERIFY(middle < bounds.top() + 0.8 * bounds.height());
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, corner - QPoint(0, 100));
        QTest::mouseMove(canvas, corner);
        QCOMPARE(centreOfView(), middle);
    }

    void keysFollowEdgesThroughBlocksAndGoInAndOut() {
        const auto view = ready(test::sampleGraph(kBlocks));
        GraphCanvas* canvas = view->canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(canvas->selectedOp(), OpId(0));
        QTest::keyClick(canvas, Qt::Key_Down);
        const std::int32_t first = canvas->selectedBlock();
        QVERIFY(first > 0);
        QTest::keyClick(canvas, Qt::Key_Tab);
        QVERIFY(canvas->selectedBlock() > first);
        QTest::keyClick(canvas, Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(canvas->selectedBlock(), first);
        QTest::keyClick(canvas, Qt::Key_Up);
        QCOMPARE(canvas->selectedOp(), OpId(0));
        QTest::keyClick(canvas, Qt::Key_Down);
        const GraphPicture* before = canvas->picture();
        QTest::keyClick(canvas, Qt::Key_Right); // nothing beside it: into it, as in a tree
        QVERIFY(laidOut(*view, before));
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(canvas->selectedOp(), OpId(1));
        QTest::keyClick(canvas, Qt::Key_Backspace);
        QCOMPARE(canvas->selectedBlock(), first);
        QTest::keyClick(canvas, Qt::Key_Backspace);
        QCOMPARE(canvas->selectedBlock(), 0); // the row
    }

    void boxesShowWhatIsAskedFor() {
        auto graph = std::const_pointer_cast<Graph>(test::sampleGraph(2));
        Tensor weights;
        weights.name = "stem/weight";
        weights.dtype = DataType::F16;
        weights.shape = Shape{64, 3, 7, 7};
        weights.constant = std::make_shared<const std::vector<std::byte>>();
        graph->tensors.push_back(weights);
        graph->ops[0].inputs.push_back(TensorId(static_cast<std::int64_t>(graph->tensors.size() - 1)));
        graph->ops[0].attributes["kernel_shape"] = std::vector<std::int64_t>{7, 7};
        const auto build = [&](bool names, bool attributes, bool initialisers) {
            PictureOptions options;
            options.names = names;
            options.attributes = attributes;
            options.initialisers = initialisers;
            return (*buildPicture(graph, blocksOf(*graph), options))->nodes[0];
        };
        const PictureNode plain = build(true, false, false), all = build(true, true, true),
                          bare = build(false, false, false);
        QVERIFY(plain.lines.isEmpty() && bare.name.isEmpty() && plain.name == QStringLiteral("stem"));
        QCOMPARE(all.lines, QStringList({QStringLiteral("kernel_shape=[7, 7]"),
                                         QStringLiteral("weight  f16 [64, 3, 7, 7]")}));
        QVERIFY(all.rect.height() > plain.rect.height() && bare.rect.height() < plain.rect.height());
    }

    void takesUpHowItWasLeft() {
        const auto graph = test::sampleGraph(kBlocks);
        const auto view = ready(graph);
        QSignalSpy changes(view.get(), &GraphView::stateChanged);
        const GraphPicture* before = view->canvas()->picture();
        view->setDirection(LayoutDirection::LeftToRight);
        view->setShown(false, true, true);
        view->setOverlay(Overlay::BytesMoved);
        view->setFolded(groupsIn(*before)[4]->block, false);
        view->setSideVisible(true);
        QVERIFY(changes.size() >= 5);
        QVERIFY(laidOut(*view, before));
        const QJsonObject state = view->state();
        QCOMPARE(state.value(QStringLiteral("folded")).toArray().size(), kBlocks - 1);

        GraphView other; // the state comes first, as when a project is opened
        other.resize(900, 700);
        other.show();
        QSignalSpy echoes(&other, &GraphView::stateChanged);
        other.setState(state);
        other.setGraph(graph);
        QTRY_VERIFY(other.canvas()->picture());
        QCOMPARE(echoes.size(), 0);
        QCOMPARE(other.options(), view->options());
        QCOMPARE(other.canvas()->picture()->options, view->canvas()->picture()->options);
        QCOMPARE(other.overlay(), Overlay::BytesMoved);
        QVERIFY(other.side()->isVisible());
        QCOMPARE(other.state(), state);

        const auto third = ready(graph); // and when it comes last
        third->setState(state);
        QTRY_COMPARE(third->canvas()->picture()->options, view->canvas()->picture()->options);
    }

    // --- tree

    void theTreeKeepsTheRulesOfItemModels() {
        GraphTreeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto graph = test::sampleGraph(kBlocks);
        const auto blocks = blocksOf(*graph);
        model.setGraph(graph, blocks);
        model.setFigures({graph, test::samplePlan(graph), nullptr, {}}, Overlay::TotalTime);
        for (std::size_t i = 0; i < graph->ops.size(); ++i) {
            const QModelIndex index = model.indexOf(OpId(static_cast<std::int64_t>(i)));
            QCOMPARE(model.op(index).index(), i);
            QCOMPARE(model.index(index.row(), 0, index.parent()), index);
            QCOMPARE(model.block(index.parent()), blocks->inner[i]);
        }
        for (std::size_t b = 0; b < blocks->blocks.size(); ++b) {
            const QModelIndex index = model.indexOfBlock(static_cast<std::int32_t>(b));
            QCOMPARE(model.block(index), static_cast<int>(b));
            QCOMPARE(model.block(index.parent()), blocks->blocks[b].parent);
        }
        const QModelIndex add = model.indexOf(OpId(4)); // Add reads two tensors and writes one
        QCOMPARE(model.rowCount(add), 3);
        QCOMPARE(model.index(2, GraphTreeModel::Kind, add).data().toString(), QStringLiteral("output"));
        QCOMPARE(model.op(model.index(2, 0, add)), OpId(4));
        model.setPassing(std::vector<bool>(graph->ops.size()));
        QVERIFY(add.data(Qt::ForegroundRole).isValid());
        model.setGraph(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void theTreeHasTheSameSelection() {
        const auto view = ready(test::sampleGraph(kBlocks));
        view->setSideVisible(true);
        QTreeView* tree = view->side()->treeView();
        const GraphTreeModel* model = view->side()->treeModel();
        view->setSelectedOp(OpId(7));
        QCOMPARE(model->op(tree->currentIndex()), OpId(7));
        QSignalSpy selected(view.get(), &GraphView::opSelected),
            inspect(view.get(), &GraphView::inspectRequested);
        tree->setCurrentIndex(model->indexOf(OpId(20)));
        QCOMPARE(selected.size(), 1);
        QCOMPARE(view->canvas()->selectedOp(), OpId(20));
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Return);
        QCOMPARE(inspect.size(), 1);
        QTest::keyClick(tree, Qt::Key_Left); // to the block it is in
        QTest::keyClick(tree, Qt::Key_Left);
        const std::int32_t block = model->block(tree->currentIndex());
        QVERIFY(block >= 0);
        QCOMPARE(view->canvas()->selectedBlock(), block);
        QTest::keyClick(view->canvas(), Qt::Key_Down);
        QCOMPARE(model->block(tree->currentIndex()), view->canvas()->selectedBlock());
        QVERIFY(view->canvas()->selectedBlock() != block);
    }

    void pictureIsTheSameEachTime() {
        const auto graph = test::sampleGraph(kBlocks);
        const auto blocks = blocksOf(*graph);
        PictureOptions options;
        options.folded = foldedAtFirst(*graph, *blocks);
        const auto a = *buildPicture(graph, blocks, options), b = *buildPicture(graph, blocks, options);
        QVERIFY(a->layout.points == b->layout.points && a->layout.nodes == b->layout.nodes);
    }
};

QTEST_MAIN(TestGraphBlocks)
#include "tst_views_graph_blocks.moc"
