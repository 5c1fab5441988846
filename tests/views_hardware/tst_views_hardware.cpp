// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The hardware view over real targets and a real compile: every part shown from the target alone, one selection, what
/// memory holds and what colours say.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/crossbar/plan/plan.h"
#include "backends/dual_mode/plan.h"
#include "core/drafts/core_memory.h"
#include "tests/views_hardware/hardware_fixture.h"
#include "views/common/palette.h"
#include "views/crossbar/crossbar_figures.h"
#include "views/dual_mode/dual_mode_figures.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_view.h"
#include "views/hardware/hardware_tree.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::views::test;

class TestHardware : public HardwareTest {
    Q_OBJECT
private slots:
    void treeAndPictureShowEveryPartOfEveryTarget_data() {
        QTest::addColumn<QString>("target");
        for (const auto& target : TargetCatalog::load().targets())
            QTest::newRow(target->id.c_str()) << QString::fromStdString(target->id);
    }
    void treeAndPictureShowEveryPartOfEveryTarget() {
        QFETCH(QString, target);
        const auto found = *m_catalog->find(target.toStdString());
        HardwareTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTarget(found);
        Floorplan plan;
        plan.resize(1600, 1000);
        plan.setTarget(found);
        QCOMPARE(model.rowCount(), 2); // host and machine
        QCOMPARE(model.spotOfIndex(model.index(0, 0)), kHost);
        QVERIFY(plan.rectOf(kHost).isValid());
        std::int64_t instances = 1;
        for (std::size_t level = 0; level < found->levels.size(); ++level) {
            instances *= found->levels[level].count;
            QRectF before;
            for (std::int64_t i = 0; i < instances; i += std::max<std::int64_t>(1, instances / 97)) {
                const HardwareSpot spot = spotOf(*found, level, i);
                const QModelIndex index = model.indexOfSpot(spot);
                QCOMPARE(model.spotOfIndex(index), spot);
                QCOMPARE(model.indexOfSpot(model.spotOfIndex(model.index(index.row(), 0, index.parent()))),
                         index);
                QVERIFY(index.data().toString().contains(QString::fromStdString(found->levels[level].name)));
                QVERIFY(!index.data(Qt::ToolTipRole).toString().isEmpty());
                const QRectF rect = plan.rectOf(spot);
                QVERIFY(rect.isValid() && !rect.intersects(before));
                QVERIFY(QRectF(plan.rect()).contains(rect));
                if (rect.width() >= 4 && rect.height() >= 4) {
                    const HardwareSpot hit = plan.spotAt(rect.center());
                    QVERIFY2(hit.path.size() > level &&
                                 std::equal(spot.path.begin(), spot.path.end(), hit.path.begin()),
                             qPrintable(spotName(*found, spot)));
                }
                before = rect;
                QVERIFY(plan.describe(spot).startsWith(spotName(*found, spot)));
            }
        }
        QCOMPARE(coresOf(*found, machine()).count, instances);
    }

    void treePictureAndOtherViewsShareOneSelection() {
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op);
        // In the tree.
        const HardwareSpot group = machine({2, 5});
        m_view->tree()->setCurrentIndex(m_view->tree()->hardware()->indexOfSpot(group));
        QCOMPARE(m_workspace->selection().group, 2 * 16 + 5);
        QCOMPARE(m_workspace->selection().core, -1);
        QCOMPARE(m_view->floorplan()->highlight(), group);
        QVERIFY2(m_view->statusText().contains("pseudo-channel 5") && m_view->statusText().contains("free"),
                 qPrintable(m_view->statusText()));
        // In the picture.
        const HardwareSpot core = machine({1, 3, 17});
        QTest::mouseClick(m_view->floorplan(), Qt::LeftButton, {},
                          m_view->floorplan()->rectOf(core).center().toPoint());
        const HardwareSpot hit = m_view->floorplan()->highlight();
        QVERIFY(hit.path.size() >= 2 && hit.path[0] == 1 && hit.path[1] == 3);
        QCOMPARE(m_view->tree()->currentSpot(), hit);
        QCOMPARE(m_workspace->selection().group, 16 + 3);
        QVERIFY(m_workspace->selection().op == op);
        // In another view.
        Selection elsewhere = m_workspace->selection();
        elsewhere.group = 79;
        elsewhere.core = 63;
        m_workspace->select(elsewhere);
        QCOMPARE(m_view->floorplan()->highlight(), machine({4, 15, 63}));
        QCOMPARE(m_view->tree()->currentSpot(), machine({4, 15, 63}));
        // A device is nobody else's business, and stays chosen here.
        m_view->tree()->setCurrentIndex(m_view->tree()->hardware()->indexOfSpot(machine({3})));
        QCOMPARE(m_workspace->selection().group, -1);
        QCOMPARE(m_view->floorplan()->highlight(), machine({3}));
    }

    void switchingTargetKeepsModelZoomAndHistory() {
        GraphView graph(*m_workspace);
        graph.resize(800, 600);
        graph.show();
        const auto model = m_workspace->graph();
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op);
        m_workspace->applyOverride({model->op(op).name, "placement", "host"});
        SETTLE();
        auto* canvas = graph.findChild<GraphCanvas*>();
        QVERIFY(canvas);
        QTRY_VERIFY_WITH_TIMEOUT(canvas->picture(), 60000); // it is fitted when it comes
        canvas->zoomAt(QPointF(300, 200), 1.37);
        const double zoom = canvas->viewport().zoom;
        const QPointF offset = canvas->viewport().offset;
        int steps = m_workspace->undoStack()->count();
        for (const char* target : {"hbm-pim", "aim-32", "dynaplasia", "prime-1024", "attacc"}) {
            m_workspace->setTarget(target);
            SETTLE();
            QCOMPARE(m_workspace->graph(), model);
            QVERIFY(m_workspace->selection().op == op);
            QCOMPARE(canvas->viewport().zoom, zoom);
            QCOMPARE(canvas->viewport().offset, offset);
            QCOMPARE(m_workspace->undoStack()->count(), ++steps);
            QCOMPARE(m_view->tree()->hardware()->target(), m_workspace->target().get());
            QVERIFY(m_view->colorBox()->count() >= 4);
        }
        for (int i = 0; i < 5; ++i)
            m_workspace->undoStack()->undo();
        SETTLE();
        QCOMPARE(m_workspace->target()->id, std::string("attacc"));
        QVERIFY(m_workspace->overrides().find(model->op(op).name, "placement"));
        m_workspace->undoStack()->undo();
        QVERIFY(m_workspace->overrides().empty());
    }

    void barsAddUpAndFollowThePlan() {
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->applyOverride({m_workspace->graph()->op(op).name, "placement", "pim"});
        SETTLE();
        const auto plan = m_workspace->plan();
        const MachineUse use(m_workspace->family(), *plan, op);
        const MemoryUse core = use.of({0, 1}), all = use.of(coresOf(*plan->target, machine()));
        QCOMPARE(core.capacity, plan->coreBytes);
        QCOMPARE(core.others + core.ofOp, coreFill(*plan).bytes());
        QCOMPARE(core.ofOp, plan->opPlan(op).keptCoreBytes + plan->opPlan(op).passingCoreBytes);
        QCOMPARE(core.others + core.ofOp + core.free(), core.capacity);
        const std::int64_t cores = 5 * 16 * 64;
        QCOMPARE(all, (MemoryUse{core.capacity * cores, core.others * cores, core.ofOp * cores}));
        QCOMPARE(MachineUse::with(m_workspace->family(), *plan, op, DeviceId::host()).of({0, 1}).ofOp, 0);
        m_workspace->selectOp(op);
        const QModelIndex bank = m_view->tree()->hardware()->indexOfSpot(machine({0, 0, 0}));
        QVERIFY2(bank.siblingAtColumn(HardwareTreeModel::Free).data().toString().contains("iB"),
                 qPrintable(bank.siblingAtColumn(HardwareTreeModel::Free).data().toString()));
        QVERIFY(bank.siblingAtColumn(HardwareTreeModel::Used)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("by this op"));
        QVERIFY(
            bank.siblingAtColumn(HardwareTreeModel::Used).data(HardwareTreeModel::kUseRole).toPointF().y() >
            0);
    }

    void coloursTellWhatTheTilesAre() {
        const auto plan = m_workspace->plan();
        int looked = 0;
        for (const OpPlan& op : plan->ops) {
            if (!op.space || !op.draft || ++looked > 6)
                continue;
            const CoreFigures work =
                coreFigures(m_workspace->family(), *plan, op.op, &*op.draft, ColorBy::ComputeTile);
            const CoreFigures data =
                coreFigures(m_workspace->family(), *plan, op.op, &*op.draft, ColorBy::DataTile);
            const TilingResources& there = op.space->resources();
            QCOMPARE(std::ssize(work.values), std::ptrdiff_t(there.groups) * there.coresPerGroup);
            QCOMPARE(work.values.size(), data.values.size());
            double most = 0;
            for (std::size_t i = 0; i < work.values.size(); ++i) {
                const CoreTile tile =
                    op.space->tile(*op.draft, int(i) / there.coresPerGroup, int(i) % there.coresPerGroup);
                QCOMPARE(work.values[i], tile.iterations > 0 ? double(tile.iterations) : -1.0);
                double bytes = 0;
                for (const std::int64_t part : tile.tensorBytes)
                    bytes += double(part);
                QCOMPARE(data.values[i], tile.iterations > 0 ? bytes : -1.0);
                most = std::max(most, work.values[i]);
            }
            QCOMPARE(work.most, most);
            QVERIFY(work.text(most).endsWith("iterations") && data.text(1024) == "1.000 KiB");
        }
        QVERIFY(looked > 0);
        m_workspace->applyOverride({m_workspace->graph()->op(opWithDraft(*plan)).name, "placement", "pim"});
        SETTLE();
        const CoreFigures busy =
            coreFigures(m_workspace->family(), *m_workspace->plan(), OpId(), nullptr, ColorBy::BusyTime);
        double computeNs = 0;
        for (const OpPlan& op : m_workspace->plan()->ops)
            computeNs += op.onHost() ? 0 : op.cost.computeNs;
        QVERIFY(computeNs > 0);
        QVERIFY2(busy.most <= computeNs * (1 + 1e-9) && busy.most > 0,
                 "no core works longer than the plan computes");
        // Only what the filters let pass.
        std::vector<bool> counted(m_workspace->plan()->ops.size(), false);
        QVERIFY(coreFigures(m_workspace->family(), *m_workspace->plan(), OpId(), nullptr, ColorBy::BusyTime,
                            counted)
                    .values.empty());
        counted[opWithDraft(*plan).index()] = true;
        const CoreFigures one = coreFigures(m_workspace->family(), *m_workspace->plan(), OpId(), nullptr,
                                            ColorBy::BusyTime, counted);
        QVERIFY(std::abs(one.most - m_workspace->plan()->opPlan(opWithDraft(*plan)).cost.computeNs) <=
                1e-9 * one.most);
        // Chosen in the box, and kept with the project.
        const int at = m_view->colorBox()->findData(ColorBy::BusyTime);
        m_view->colorBox()->setCurrentIndex(at);
        emit m_view->colorBox()->activated(at);
        const auto shown = [this] {
            return m_view->tree()
                ->hardware()
                ->headerData(HardwareTreeModel::Figure, Qt::Horizontal, Qt::DisplayRole)
                .toString();
        };
        QTRY_COMPARE(shown(), QStringLiteral("Busy time"));
        QCOMPARE(m_workspace->viewState("hardware").value("color").toInt(), ColorBy::BusyTime);
        HardwareView again(*m_workspace);
        QCOMPARE(again.colorBox()->currentData().toInt(), ColorBy::BusyTime);
    }

    void dualModeChipsShowTheirArrays() {
        m_workspace->setTarget("dynaplasia");
        SETTLE();
        const auto plan = m_workspace->plan();
        const auto& dualMode = dynamic_cast<const DualModePlan&>(*plan->detail);
        const OpId op = dualMode.workload->ops.front().op;
        m_workspace->selectOp(op);
        const CoreFigures modes =
            coreFigures(m_workspace->family(), *plan, op, nullptr, DualModeFigure::ArrayModes);
        QCOMPARE(std::ssize(modes.values), 96);
        QVERIFY(std::count(modes.values.begin(), modes.values.end(), 1.0) > 0);
        const MachineUse use(m_workspace->family(), *plan, op);
        const MemoryUse chip = use.of(coresOf(*plan->target, machine()));
        QCOMPARE(chip.capacity, 96 * dualMode.chip.arrayBytes);
        QCOMPARE(chip.ofOp, dualMode.chip.arrayBytes *
                                (96 - std::count(modes.values.begin(), modes.values.end(), -1.0)));
        const CoreFigures compute = coreFigures(m_workspace->family(), *plan, op, nullptr,
                                                DualModeFigure::ComputeMode),
                          memory = coreFigures(m_workspace->family(), *plan, op, nullptr,
                                               DualModeFigure::MemoryMode),
                          busy = coreFigures(m_workspace->family(), *plan, op, nullptr,
                                             DualModeFigure::BusyTime);
        for (std::size_t a = 0; a < 96; ++a)
            QVERIFY(std::abs(std::max(0.0, compute.values[a]) + std::max(0.0, memory.values[a]) -
                             std::max(0.0, busy.values[a])) <= 1e-6 * busy.most);
        QVERIFY(m_view->editor()->isHidden());
        const DropVerdict onHost = m_view->verdict(kMimeOp, opName(*m_workspace, op), kHost);
        QVERIFY2(!onHost.legal && onHost.text.contains("by itself"), qPrintable(onHost.text));
        QVERIFY(m_view->verdict(kMimeOp, opName(*m_workspace, op), machine()).legal);
        Selection array = m_workspace->selection();
        array.group = 0;
        array.core = 41;
        m_workspace->select(array);
        QCOMPARE(m_view->floorplan()->highlight(), machine({0, 41}));
    }

    /// Arrays of crossbar cores are counted one by one, and what has no weights says so.
    void crossbarCoresShowTheirArrays() {
        m_workspace->setTarget("arch-c");
        SETTLE();
        const auto plan = m_workspace->plan();
        const auto& crossbar = dynamic_cast<const CrossbarPlan&>(*plan->detail);
        const LayerMapping& first = crossbar.mapping.layers.front();
        const OpId op = crossbar.network->layers[first.partition.layer.index()].ops.front();
        QCOMPARE(colorChoices(m_workspace->family()).size(), std::size_t{2});
        const CoreFigures arrays =
            coreFigures(m_workspace->family(), *plan, op, nullptr, CrossbarFigure::ArraysOfOp);
        QCOMPARE(std::ssize(arrays.values), std::ptrdiff_t(crossbar.arrays()));
        QCOMPARE(std::count(arrays.values.begin(), arrays.values.end(), 1.0),
                 std::ptrdiff_t(first.replicas * first.partition.crossbars()));
        const CoreFigures times =
            coreFigures(m_workspace->family(), *plan, op, nullptr, CrossbarFigure::ComputeTime);
        QCOMPARE(std::ssize(times.values) - std::count(times.values.begin(), times.values.end(), -1.0),
                 std::ptrdiff_t(crossbar.usedArrays()));
        const MemoryUse all =
            MachineUse(m_workspace->family(), *plan, op).of(coresOf(*plan->target, machine()));
        QCOMPARE(all.capacity / crossbar.arrays() * crossbar.usedArrays(), all.others + all.ofOp);
        const auto vector = std::ranges::find_if(plan->ops, [](const OpPlan& one) {
            return !one.onHost() && one.reason.starts_with("vector units");
        });
        QVERIFY(vector != plan->ops.end());
        const CoreFigures none =
            coreFigures(m_workspace->family(), *plan, vector->op, nullptr, CrossbarFigure::ArraysOfOp);
        QVERIFY(none.values.empty());
        QVERIFY2(none.note.contains("weights"), qPrintable(none.note));
    }

    /// What is offered is that of the machine, though two kinds of it begin alike.
    void colorsFollowTheFamily() {
        const auto offered = [this] {
            QStringList names;
            for (int i = 0; i < m_view->colorBox()->count(); ++i)
                names.append(m_view->colorBox()->itemText(i));
            return names;
        };
        m_workspace->setTarget("dynaplasia");
        SETTLE();
        QTRY_COMPARE(offered().size(), 4);
        m_workspace->setTarget("arch-c");
        SETTLE();
        QTRY_COMPARE(offered(), QStringList({"Arrays of the op", "Time computing"}));
    }

    void exportsThePictureAndItsFigures() {
        const ExportSource source = m_view->floorplan()->exportSource();
        const QString csv = source.csv();
        QCOMPARE(csv.count('\n'), 1 + 5 * 16 * 64);
        QVERIFY(csv.section('\n', 0, 0).contains("(B)"));
        for (const char* ending : {"svg", "png", "pdf"}) {
            const QString file = m_folder.filePath(QStringLiteral("floorplan.%1").arg(QLatin1String(ending)));
            QVERIFY(exportTo(source, file).has_value());
            QVERIFY(QFileInfo(file).size() > 1000);
        }
        QFile svg(m_folder.filePath("floorplan.svg"));
        QVERIFY(svg.open(QFile::ReadOnly));
        QVERIFY(svg.readAll().contains("HBM3 stack 0"));
    }

    void nothingIsCutAtAnySize_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("theme");
        for (const char* target : {"attacc", "hbm-pim", "aim", "dynaplasia", "prime-1024"})
            for (const QSize size : {QSize(400, 420), QSize(620, 640), QSize(900, 520)})
                for (const Theme theme : {Theme::Light, Theme::Dark})
                    QTest::addRow("%s-%dx%d-%s", target, size.width(), size.height(),
                                  theme == Theme::Light ? "light" : "dark")
                        << QString(target) << size << int(theme);
    }
    void nothingIsCutAtAnySize() {
        QFETCH(QString, target);
        QFETCH(QSize, size);
        QFETCH(int, theme);
        applyTheme(Theme(theme));
        m_workspace->setTarget(target);
        SETTLE();
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op.valid() ? op : OpId(2));
        m_view->resize(size);
        QTest::qWait(30);
        QCOMPARE(m_view->size(), size); // no part of it asks for more
        for (const QWidget* widget : m_view->findChildren<QWidget*>())
            if (widget->isVisible() && (qobject_cast<const QComboBox*>(widget) ||
                                        qobject_cast<const Floorplan*>(widget) || widget == m_view->editor()))
                QVERIFY2(
                    m_view->rect().contains(QRect(widget->mapTo(m_view.get(), QPoint()), widget->size())),
                    qPrintable(widget->objectName() + widget->accessibleName()));
        QVERIFY(m_view->floorplan()->width() >= 240 && m_view->floorplan()->height() >= 150);
        if (const QString folder = qEnvironmentVariable("PIM_SHOTS"); !folder.isEmpty()) {
            if (size.width() == 620)
                m_view->floorplan()->hover(kMimeOp, opName(*m_workspace, m_workspace->selection().op), kHost);
            QVERIFY(m_view->grab().save(
                QStringLiteral("%1/hardware-%2.png").arg(folder, QLatin1String(QTest::currentDataTag()))));
        }
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestHardware)
#include "tst_views_hardware.moc"
