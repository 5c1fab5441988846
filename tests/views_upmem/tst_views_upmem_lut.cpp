// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Mappings of look-up tables in the window: maps beside tuner and cost model, reasons for what cannot be, and a trained network's products on
/// machines with and without DPUs.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "backends/upmem/lut/calibration.h"
#include "tests/support/canvas_walk.h"
#include "tests/support/workspace.h"
#include "views/common/empty_state.h"
#include "views/common/table_view.h"
#include "views/models/lut_calibration.h"
#include "views/upmem/lut_map.h"
#include "views/upmem/lut_mappings_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

namespace {

const QString kModel = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits/vit_digits.onnx");
const upmem::LutLayer kLayer{4096, 64, 16, 256, 64, 16};

} // namespace

class TestViewsUpmemLut : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    QTemporaryDir m_settings;

    /// Ops of the graph by a part of their names.
    static OpId opWith(const Workspace& workspace, const char* part) {
        const auto graph = workspace.graph();
        for (std::size_t i = 0; i < graph->ops.size(); ++i)
            if (graph->ops[i].name.find(part) != std::string::npos && graph->ops[i].type == "MatMul")
                return OpId(static_cast<std::int64_t>(i));
        return {};
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }

    void mapsAgreeWithTheTuner() {
        const auto landscape = lutLandscape(kLayer);
        QVERIFY(landscape);
        QVERIFY(landscape->best.mapping);
        QCOMPARE(landscape->usableDpus, kLayer.dpus);
        for (const TileSide side : {TileSide::Rows, TileSide::Features, TileSide::Codebooks}) {
            const LutCells map = splitMap(*landscape, side);
            QCOMPARE(map.columns.size(), std::ssize(landscape->splits));
            const std::ptrdiff_t best = map.best();
            QVERIFY(best >= 0);
            const LutCell& cell = map.cells[std::size_t(best)];
            QCOMPARE(cell.seconds, landscape->best.times.total());
            QVERIFY(mappingOf(*landscape, cell) == landscape->best.mapping);
        }
        // Every mapping shown takes what the cost model says, and is one that can be.
        int possible = 0, refused = 0;
        for (std::ptrdiff_t split = 0; split < std::ssize(landscape->splits); ++split)
            for (const std::int64_t codebooks : codebookTiles(*landscape, split)) {
                const LutCells tiles = tileMap(*landscape, split, codebooks);
                for (const LutCell& cell : tiles.cells) {
                    if (const auto mapping = mappingOf(*landscape, cell)) {
                        ++possible;
                        QCOMPARE(mapping->kernel.codebooks, codebooks);
                        const auto known = upmem::predict(kLayer, *mapping, upmem::LutReading::Strict);
                        QVERIFY(!known.refusal && known.times->total() == cell.seconds);
                    } else if (!cell.reason.isEmpty()) {
                        ++refused;
                    }
                }
            }
        QVERIFY(possible > 0 && refused > 0);
        QCOMPARE(std::int64_t(possible + refused), landscape->points());
        QCOMPARE(std::int64_t(refused), landscape->rejected());
        // The best of all codebooks is the best of each.
        const LutCells all = tileMap(*landscape, 0);
        for (int row = 0; row < all.rows.size(); ++row)
            for (int column = 0; column < all.columns.size(); ++column) {
                double least = HUGE_VAL;
                for (const std::int64_t codebooks : codebookTiles(*landscape, 0))
                    least = std::min(least, tileMap(*landscape, 0, codebooks).at(row, column).seconds);
                QCOMPARE(all.at(row, column).seconds, least);
            }
    }

    void aMapTellsWhyNot() {
        const auto landscape = lutLandscape(kLayer);
        const auto isRefused = [](const LutCell& cell) {
            return !cell.isPossible() && !cell.reason.isEmpty();
        };
        LutCells cells;
        for (std::ptrdiff_t split = 0; split < std::ssize(landscape->splits); ++split)
            for (const std::int64_t codebooks : codebookTiles(*landscape, split))
                if (LutCells some = tileMap(*landscape, split, codebooks);
                    some.best() >= 0 && std::ranges::any_of(some.cells, isRefused))
                    cells = std::move(some);
        const std::ptrdiff_t best = cells.best();
        QVERIFY(best >= 0);
        const auto odd = std::ranges::find_if(cells.cells, isRefused);
        const std::ptrdiff_t refused = odd - cells.cells.begin();
        LutMap map(QStringLiteral("Map"), QStringLiteral("map"));
        map.resize(640, 320);
        map.show();
        map.setCells(cells, best);
        QCOMPARE(pim::test::faultsWithin(map), QStringList());
        const QSignalSpy chosen(&map, &LutMap::chosen);
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.rectOf(refused).center().toPoint());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(map.current(), refused);
        QVERIFY2(map.tip(refused).contains(QStringLiteral("not possible: ")) &&
                     map.tip(refused).contains(cells.cells[std::size_t(refused)].reason),
                 qPrintable(map.tip(refused)));
        QTest::keyClick(&map, Qt::Key_Home);
        QCOMPARE(map.current(), best);
        QVERIFY(map.tip(best).contains(QStringLiteral("the best of all")));
        // What is possible is coloured by its time, what is not is hatched, where there is no tile there is nothing.
        map.setCurrent(-1);
        const QImage image = map.grab().toImage();
        const auto colorsIn = [&](std::ptrdiff_t cell) {
            std::set<QRgb> colors;
            const QRect rect = map.rectOf(cell).toRect().adjusted(3, 3, -4, -4);
            for (int y = rect.top(); y < rect.bottom(); ++y)
                for (int x = rect.left(); x < rect.right(); ++x)
                    colors.insert(image.pixel(x, y));
            return colors;
        };
        QVERIFY(colorsIn(refused).size() >= 2);
        QVERIFY(colorsIn(best) != colorsIn(refused));
        QCOMPARE(map.csv().count(u'\n'), qsizetype(cells.cells.size() + 1));
    }

    void productsOfANetworkAreMapped() {
        Workspace workspace(m_backends, m_catalog);
        LutMappingsView view(workspace);
        view.resize(1200, 420);
        view.show();
        view.setSeen(true);
        QVERIFY2(view.emptyText().contains(QStringLiteral("choose UPMEM modules")),
                 qPrintable(view.emptyText()));
        workspace.setTarget(QStringLiteral("attacc"));
        workspace.openModel(kModel, {{"batch", 64}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        QVERIFY2(view.emptyText().contains(QStringLiteral("has no DPUs")), qPrintable(view.emptyText()));
        QVERIFY(!view.landscape());

        // 16 tokens of 64 samples: 1024 rows, which 2560 DPUs do not divide.
        workspace.setTarget(QStringLiteral("upmem-20"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        workspace.selectOp(opWith(workspace, "blocks.0/ffn1"));
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->layer.features == 256, 60000);
        QCOMPARE(view.landscape()->layer.dpus, std::int64_t(2560));
        QVERIFY(!view.landscape()->best.mapping);
        QVERIFY2(view.emptyText().contains(QStringLiteral("2560 DPUs do not divide the layer")),
                 qPrintable(view.emptyText()));
        const std::int64_t usable = view.landscape()->usableDpus;
        QVERIFY(usable > 0 && usable < 2560);
        auto* const empty = view.findChild<EmptyState*>();
        QVERIFY(empty);
        emit empty->actionTriggered();
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->best.mapping, 60000);
        const upmem::LutLayer layer = view.landscape()->layer;
        QCOMPARE(layer.dpus, usable);
        QCOMPARE(layer.rows, std::int64_t(1024));
        QCOMPARE(layer.codebooks, std::int64_t(64 / 4));
        QCOMPARE(layer.centroids, std::int64_t(16));
        // None between them has a mapping.
        for (upmem::LutLayer more = layer; ++more.dpus < 2560;)
            QVERIFY(!upmem::tune(more)->mapping);
        QVERIFY(view.chosen() == upmem::tune(layer)->mapping); // the best is chosen at first
        QVERIFY2(view.title()->text().contains(QStringLiteral("at best")), qPrintable(view.title()->text()));
        QCOMPARE(view.times()->model()->rowCount(), 13);

        // A click on a sub-LUT shows its tiles; what it takes is told in parts.
        const LutCells& cells = view.splits()->cells();
        std::ptrdiff_t other = -1;
        for (std::ptrdiff_t at = 0; at < std::ssize(cells.cells) && other < 0; ++at)
            if (cells.cells[std::size_t(at)].isPossible() && at != cells.best())
                other = at;
        QVERIFY(other >= 0);
        QTest::mouseClick(view.splits(), Qt::LeftButton, {}, view.splits()->rectOf(other).center().toPoint());
        const auto mapping = view.chosen();
        QVERIFY(mapping && mapping != view.landscape()->best.mapping);
        const auto* const rows = view.times()->model();
        double sum = 0;
        for (int row = 0; row < 7; ++row)
            sum += rows->index(row, 1).data(Qt::EditRole).toDouble();
        QCOMPARE(rows->index(9, 0).data().toString(), QStringLiteral("Total"));
        QVERIFY(std::abs(sum / rows->index(9, 1).data(Qt::EditRole).toDouble() - 1) < 1e-12);
        QVERIFY(rows->index(9, 2).data(Qt::EditRole).toDouble() <= sum);
        view.copyButton()->click();
        const QStringList copied = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(copied[0].count(u','), copied[1].count(u','));
        QVERIFY2(copied[1].startsWith(QStringLiteral("1024,16,16,256,%1,16,%2,%3,")
                                          .arg(usable)
                                          .arg(mapping->split.rows)
                                          .arg(mapping->split.features)),
                 qPrintable(copied[1]));

        // Turned here, or asked for in the calibration.
        view.lengthBox()->setValue(8);
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->layer.codebooks == 8, 60000);
        LutCalibration::of(workspace)->setOptions({{"v", "2"}, {"ct", "32"}});
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->layer.codebooks == 32, 60000);
        QCOMPARE(view.landscape()->layer.centroids, std::int64_t(32));
        workspace.selectOp(opWith(workspace, "blocks.1/ffn2"));
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->layer.codebooks == 128, 60000);
        QCOMPARE(view.opBox()->currentText(),
                 QString::fromStdString(workspace.graph()->op(workspace.selection().op).name));
    }

    /// A mapping that is chosen becomes a decision, and comes back; one that cannot be does not.
    void aMappingIsDecided() {
        Workspace workspace(m_backends, m_catalog);
        LutMappingsView view(workspace);
        view.resize(1200, 420);
        view.show();
        view.setSeen(true);
        workspace.setTarget(QStringLiteral("upmem-1"));
        CompileOptions options;
        options.computeType = DataType::I8;
        workspace.setStartOptions(options);
        workspace.openModel(kModel, {{"batch", 64}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        workspace.selectOp(opWith(workspace, "blocks.0/ffn1"));
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->best.mapping, 60000);
        QVERIFY(!view.useButton()->isEnabled()); // still a product
        QVERIFY2(view.useButton()->toolTip().contains(QStringLiteral("look_up_tables")),
                 qPrintable(view.useButton()->toolTip()));

        workspace.setPassOptions("look_up_tables", {{"v", "2"}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        workspace.applyOverride({"", "placement", "pim"});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        OpId id;
        for (std::size_t i = 0; i < workspace.graph()->ops.size(); ++i)
            if (const Op& op = workspace.graph()->ops[i];
                op.type == "LookUp" && op.name.find("blocks.0/ffn1") != std::string::npos)
                id = OpId(static_cast<std::int64_t>(i));
        QVERIFY(id.valid());
        const std::string name = workspace.graph()->op(id).name;
        workspace.selectOp(id);
        QTRY_VERIFY_WITH_TIMEOUT(view.landscape() && view.landscape()->layer.codebooks == 32, 60000);
        QVERIFY(!view.lengthBox()->isEnabled() && view.lengthBox()->value() == 2);
        QCOMPARE(view.landscape()->layer.rows, std::int64_t(1024));
        const int steps = workspace.undoStack()->index();

        const auto clickOn = [&](bool possible) {
            const LutCells& cells = view.splits()->cells();
            for (std::ptrdiff_t at = 0; at < std::ssize(cells.cells); ++at) {
                const LutCell& cell = cells.cells[std::size_t(at)];
                if (cell.isPossible() != possible || at == cells.best() ||
                    (!possible && cell.reason.isEmpty()))
                    continue;
                const QPoint place = view.splits()->rectOf(at).center().toPoint();
                QTest::mouseClick(view.splits(), Qt::LeftButton, {}, place);
                if (view.useButton()->isEnabled() == possible)
                    return place;
            }
            return QPoint(-1, -1);
        };
        const QPoint refused = clickOn(false);
        QVERIFY(refused.x() >= 0);
        QVERIFY2(view.status()->text().startsWith(QStringLiteral("Not possible: ")),
                 qPrintable(view.status()->text()));
        QTest::mouseDClick(view.splits(), Qt::LeftButton, {}, refused);
        QCOMPARE(workspace.undoStack()->index(), steps);

        const QPoint legal = clickOn(true);
        QVERIFY(legal.x() >= 0);
        const std::string wanted = upmem::text(upmem::LutChoice{*view.chosen(), view.taskletsBox()->value()});
        const double before = workspace.plan()->opPlan(id).cost.computeNs;
        QTest::mouseDClick(view.splits(), Qt::LeftButton, {}, legal);
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        QVERIFY(workspace.overrides().find(name, "lut"));
        QCOMPARE(*workspace.overrides().find(name, "lut"), wanted);
        QVERIFY(workspace.plan()->opPlan(id).cost.computeNs != before);
        QVERIFY2(view.status()->text().endsWith(QStringLiteral("in force")),
                 qPrintable(view.status()->text()));
        QVERIFY(!view.useButton()->isEnabled());
        workspace.undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
        QVERIFY(!workspace.overrides().find(name, "lut"));
        QCOMPARE(workspace.plan()->opPlan(id).cost.computeNs, before);
        QVERIFY(view.useButton()->isEnabled());
        view.useButton()->click();
        QCOMPARE(*workspace.overrides().find(name, "lut"), wanted);
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 120000);
    }

    void everythingHasAName() {
        LutMappingsView mappings;
        for (QWidget* view : std::initializer_list<QWidget*>{&mappings})
            for (QWidget* widget : view->findChildren<QWidget*>())
                if (widget->window() == view && widget->focusPolicy() != Qt::NoFocus &&
                    !widget->objectName().startsWith(QLatin1String("qt_")) &&
                    !qobject_cast<QLabel*>(widget) && !widget->parentWidget()->inherits("QLineEdit") &&
                    !widget->parentWidget()->inherits("QAbstractSpinBox") &&
                    !widget->parentWidget()->inherits("QComboBox"))
                    QVERIFY2(!widget->accessibleName().isEmpty() || !widget->toolTip().isEmpty() ||
                                 widget->parentWidget()->inherits("QAbstractScrollArea") ||
                                 widget->inherits("QTabBar"),
                             qPrintable(QLatin1String(view->metaObject()->className()) + u' ' +
                                        QLatin1String(widget->metaObject()->className())));
    }
};

QTEST_MAIN(TestViewsUpmemLut)
#include "tst_views_upmem_lut.moc"
