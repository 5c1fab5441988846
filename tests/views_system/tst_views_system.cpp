// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Several machines in one plan, with a real model: found, placed by hand, taken back, stopped.
#include <QTest>

#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/graph/zoo/zoo.h"
#include "tests/support/workspace.h"
#include "views/common/choice_box.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/system/system_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

class TestViewsSystem : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        SystemView panel;
        explicit Fixture(const TestViewsSystem& test)
            : workspace(test.m_backends, test.m_catalog),
              panel(workspace, std::make_shared<const RooflineHost>()) {
            panel.resize(1100, 700);
            panel.show();
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 16}});
        }
        QString cell(int row, int column) const {
            return panel.ops()->model()->index(row, column).data().toString();
        }
        /// First row of an op with weights that is not on the host.
        int rowOnPim() const {
            for (int row = 0; row < panel.ops()->model()->rowCount(); ++row)
                if (cell(row, 2) != "host")
                    return row;
            return -1;
        }
    };
#define OPENED(f) QTRY_VERIFY_WITH_TIMEOUT(test::settled((f).workspace), 60000)
#define PLANNED(f) QTRY_VERIFY_WITH_TIMEOUT(!(f).panel.isPlanning(), 120000)

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
    }

    void theNetworkIsSpread() {
        Fixture f(*this);
        QVERIFY(!f.panel.planButton()->isEnabled());
        OPENED(f);
        QVERIFY(f.panel.system()->choose("gpu-hbm-crossbar"));
        f.panel.planButton()->click();
        PLANNED(f);
        QVERIFY2(f.panel.plan(), qPrintable(f.panel.summary()->text()));
        const SystemPlan& plan = *f.panel.plan();
        QVERIFY(f.panel.summary()->text().contains("simulated"));
        QVERIFY2(f.panel.limits()->text().startsWith(QStringLiteral("The time is set by ")),
                 qPrintable(f.panel.limits()->text()));
        QCOMPARE(f.panel.usage()->model()->rowCount(), int(plan.busyNs.size() + plan.linkBusyNs.size()));
        QCOMPARE(f.panel.alternatives()->model()->rowCount(), int(plan.alternatives.size()));
        int withTime = 0;
        for (std::size_t op = 0; op < plan.problem.ops.size(); ++op)
            withTime += plan.problem.ops[op].ns[std::size_t(plan.assignment.device[op])] > 0 ? 1 : 0;
        QCOMPARE(f.panel.ops()->model()->rowCount(), withTime);
        QCOMPARE(f.panel.arguments().join(' '), QString("--system gpu-hbm-crossbar"));
        // A row selects its op everywhere, and the other way round.
        f.panel.ops()->selectRow(2);
        const OpId op = f.workspace.selection().op;
        QVERIFY(op.valid());
        QCOMPARE(QString::fromStdString(f.workspace.graph()->op(op).name), f.cell(2, 0));
        f.panel.ops()->selectRow(0);
        f.workspace.selectOp(op);
        QCOMPARE(f.panel.ops()->currentIndex().row(), 2);
    }

    void anOperatorIsPlacedByHandAndTakenBack() {
        Fixture f(*this);
        OPENED(f);
        QVERIFY(f.panel.system()->choose("cinm-server"));
        f.panel.planButton()->click();
        PLANNED(f);
        const double free = f.panel.plan()->assignment.ns;
        const int row = f.rowOnPim();
        QVERIFY(row >= 0);
        f.panel.ops()->selectRow(row);
        const QString op = f.cell(row, 0);
        QVERIFY(f.panel.place()->choose("host"));
        QVERIFY(f.panel.isPlanning());
        PLANNED(f);
        QVERIFY(f.panel.plan()->assignment.ns >= free);
        QCOMPARE(f.cell(f.panel.ops()->currentIndex().row(), 0), op); // stays the current one
        QCOMPARE(f.cell(f.panel.ops()->currentIndex().row(), 2), QString("host"));
        QVERIFY(f.panel.summary()->text().contains("1 placed by hand"));
        QVERIFY(f.panel.arguments().contains(op + "=host"));
        f.panel.takeBackButton()->click();
        PLANNED(f);
        QCOMPARE(f.panel.plan()->assignment.ns, free);
        QVERIFY(!f.panel.takeBackButton()->isEnabled());
    }

    /// Each piece has a row; it stands for its operator in the rest of the window, and whoever places it places all of that.
    void piecesBelongToTheirOperator() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("squeezenet.onnx").toStdString());
        ZooOptions options;
        options.weights = false;
        QVERIFY(writeZooModel("squeezenet", file, options));
        Fixture f(*this);
        OPENED(f);
        f.workspace.openModel(QString::fromStdString(file.string()), {});
        OPENED(f);
        QVERIFY(f.panel.system()->choose("edge-board"));
        f.panel.simulates()->setChecked(false);
        f.panel.planButton()->click();
        PLANNED(f);
        QVERIFY2(f.panel.plan() && !f.panel.plan()->pieces.empty(), qPrintable(f.panel.summary()->text()));
        QVERIFY(f.panel.summary()->text().contains("in pieces"));
        const OpId whole = f.panel.plan()->pieces.front().op;
        const QString name = QString::fromStdString(f.workspace.graph()->op(whole).name);
        const auto rowOf = [&](const QString& op) {
            int row = f.panel.ops()->model()->rowCount() - 1;
            while (row >= 0 && f.cell(row, 0) != op)
                --row;
            return row;
        };
        const int first = rowOf(name + "@1");
        QVERIFY(first >= 0 && rowOf(name + "@2") >= 0);
        f.panel.ops()->selectRow(first);
        QCOMPARE(f.workspace.selection().op, whole);
        QCOMPARE(f.panel.ops()->currentIndex().row(), first);
        f.workspace.selectOp(OpId(0));
        f.workspace.selectOp(whole);
        QVERIFY(f.cell(f.panel.ops()->currentIndex().row(), 0).startsWith(name));
        QVERIFY(f.panel.place()->choose("host"));
        PLANNED(f);
        QVERIFY(f.panel.plan()->pieces.empty() || f.panel.plan()->pieces.front().op != whole);
        QCOMPARE(f.cell(rowOf(name), 2), QString("host"));
        QVERIFY(f.panel.arguments().contains(name + "=host"));
    }

    /// Placements are decisions: undone and done again, other in another variant, and found by the command line.
    void placementsAreDecisions() {
        Fixture f(*this);
        OPENED(f);
        QVERIFY(f.panel.system()->choose("cinm-server"));
        f.panel.simulates()->setChecked(false);
        f.panel.planButton()->click();
        PLANNED(f);
        const double free = f.panel.plan()->assignment.ns;
        f.panel.ops()->selectRow(f.rowOnPim());
        const std::string op = f.cell(f.panel.ops()->currentIndex().row(), 0).toStdString();
        QVERIFY(f.panel.place()->choose("host"));
        PLANNED(f);
        QCOMPARE(*f.workspace.overrides().find(op, "device/cinm-server"), std::string("host"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(f.workspace), 60000);
        QVERIFY(f.workspace.plan()->overrides.empty()); // the plan for one machine knows nothing of it
        QCOMPARE(f.workspace.fit().count(Fit::Stale), 0);
        const double placed = f.panel.plan()->assignment.ns;
        f.workspace.undoStack()->undo();
        PLANNED(f);
        QCOMPARE(f.panel.plan()->assignment.ns, free);
        QCOMPARE(f.panel.place()->value(), QString("where the search puts it"));
        f.workspace.undoStack()->redo();
        PLANNED(f);
        QCOMPARE(f.panel.plan()->assignment.ns, placed);
        f.workspace.branchVariant("other");
        f.panel.takeBackButton()->click();
        PLANNED(f);
        QCOMPARE(f.panel.plan()->assignment.ns, free);
        f.workspace.switchVariant("main");
        PLANNED(f);
        QCOMPARE(f.panel.plan()->assignment.ns, placed);
        // Another system has devices of its own.
        QVERIFY(f.panel.system()->choose("edge-board"));
        PLANNED(f);
        QVERIFY(!f.panel.summary()->text().contains("placed by hand"));
    }

    void operatorsAreDroppedOntoDevices() {
        Fixture f(*this);
        OPENED(f);
        QVERIFY(f.panel.system()->choose("cinm-server"));
        f.panel.simulates()->setChecked(false);
        f.panel.planButton()->click();
        PLANNED(f);
        const std::string op = f.cell(f.rowOnPim(), 0).toStdString();
        TimelineCanvas& timeline = *f.panel.timeline();
        QMimeData carried;
        carried.setData("application/x-pim-op", QByteArray::fromStdString(op));
        const auto drop = [&](const QPointF& place) {
            QDragEnterEvent enter(place.toPoint(), Qt::MoveAction, &carried, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&timeline, &enter);
            QDropEvent event(place, Qt::MoveAction, &carried, Qt::LeftButton, Qt::NoModifier);
            event.setAccepted(false);
            QApplication::sendEvent(&timeline, &event);
            return event.isAccepted();
        };
        const QRectF host = timeline.trackRect(0);
        QVERIFY(!drop({host.center().x(), timeline.height() - 1.0})); // below all tracks
        QVERIFY(f.workspace.overrides().empty());
        QVERIFY(drop(host.center()));
        QCOMPARE(*f.workspace.overrides().find(op, "device/cinm-server"), std::string("host"));
        PLANNED(f);
        QVERIFY(f.panel.summary()->text().contains("1 placed by hand"));
    }

    void itCanBeStopped() {
        Fixture f(*this);
        OPENED(f);
        f.panel.planButton()->click();
        QVERIFY(f.panel.isPlanning());
        f.panel.planButton()->click();
        QVERIFY(!f.panel.isPlanning());
        QTest::qWait(300);
        QVERIFY(!f.panel.plan()); // an answer that comes too late is not taken
        f.panel.simulates()->setChecked(false);
        f.panel.planButton()->click();
        PLANNED(f);
        QVERIFY(f.panel.plan());
        QVERIFY(!f.panel.summary()->text().contains("simulated"));
    }
};

QTEST_MAIN(TestViewsSystem)
#include "tst_views_system.moc"
