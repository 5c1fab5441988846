// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The graph view over a real workspace: one selection, filters, simulated figures, what is kept with the project.
#include <QTest>

#include <string>

#include "../views_common/sample_plan.h"
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "views/graph/graph_view.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

class TestGraphWorkspace : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        GraphView view;
        explicit Fixture(const TestGraphWorkspace& test)
            : workspace(test.m_backends, test.m_catalog), view(workspace) {
            view.resize(1000, 700);
            view.show();
        }
        void openTiny() {
            workspace.setTarget(QStringLiteral("attacc"));
            workspace.openModel(
                QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string()),
                {{"batch", 1}, {"past", 32}});
        }
        bool settled() const {
            return workspace.plan() && !workspace.isStale() && workspace.tasks()->entries().isEmpty() &&
                   view.canvas()->picture() && view.canvas()->picture()->graph == workspace.graph() &&
                   !view.isLayingOut();
        }
    };
#define SETTLE(f) QTRY_VERIFY_WITH_TIMEOUT((f).settled(), 60000)

private slots:
    void initTestCase() {
        test::failOnWarnings();
    }

    void hasTheSelectionOfTheWorkspace() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.selectOp(OpId(5));
        QCOMPARE(f.view.canvas()->selectedOp(), OpId(5));
        f.view.canvas()->setFocus();
        QTest::keyClick(&*f.view.canvas(), Qt::Key_Tab);
        QCOMPARE(f.workspace.selection().op, OpId(6));
        // A block is no op: nothing is selected elsewhere, and the block stays selected here.
        QTest::keyClick(&*f.view.canvas(), Qt::Key_Backspace);
        const std::int32_t block = f.view.canvas()->selectedBlock();
        QVERIFY(block >= 0);
        QVERIFY(!f.workspace.selection().op.valid());
        f.workspace.selectOp(OpId(3));
        QCOMPARE(f.view.canvas()->selectedOp(), OpId(3));
        QCOMPARE(f.view.canvas()->selectedBlock(), -1);
    }

    void marksOpsWithNotesAndTellsThem() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        const std::string op = f.workspace.graph()->op(OpId(5)).name;
        f.view.setAllFolded(false);
        SETTLE(f);
        f.workspace.selectOp(OpId(5));
        GraphCanvas* canvas = f.view.canvas();
        canvas->centreOn(OpId(5));
        const QImage before = canvas->grab().toImage();
        f.workspace.addNote({0, op, {}, 0, 0, "Too wide for <one> bank"});
        QVERIFY(canvas->grab().toImage() != before);
        const auto tip = [&] { return canvas->tipAt(canvas->screenPosition(OpId(5))); };
        QVERIFY2(tip().contains(QStringLiteral("Too wide for &lt;one&gt; bank")), qPrintable(tip()));
        f.view.setAllFolded(true);
        SETTLE(f);
        QVERIFY2(tip().contains(QStringLiteral("Too wide")), qPrintable(tip())); // of what is in it
        f.workspace.undoStack()->undo();
        QVERIFY(!tip().contains(QStringLiteral("Too wide")));
    }

    void limitsAllViewsAndObeysTheirFilters() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.view.search(QStringLiteral("type:MatMul"));
        f.view.findChild<QToolButton*>(QStringLiteral("limitViews"))->click();
        const auto& filters = f.workspace.filters()->filters();
        QCOMPARE(filters.size(), std::size_t{1});
        QCOMPARE(filters[0].text, QStringLiteral("type:MatMul"));
        f.view.search({});
        const QImage limited = f.view.canvas()->grab().toImage();
        f.workspace.filters()->clear();
        QVERIFY(f.view.canvas()->grab().toImage() != limited);
    }

    void showsEnergyAndErrorOnceSimulated() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.view.setOverlay(Overlay::PredictorError);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.simulations()->simulation() && f.settled(), 120000);
        QVERIFY(f.view.canvas()->legend().isDiverging);
        QVERIFY2(f.view.canvas()->legend().high.endsWith(QLatin1Char('%')),
                 qPrintable(f.view.canvas()->legend().low));
        f.view.search(QStringLiteral("error:>-100%"));
        QVERIFY(!f.view.hits().empty());
        for (const OpId op : f.view.hits())
            QCOMPARE(f.workspace.simulations()->simulation()->ops[op.index()].origin, Origin::Simulated);
        f.view.setOverlay(Overlay::Energy);
        QVERIFY2(f.view.canvas()->legend().high.endsWith(QLatin1Char('J')),
                 qPrintable(f.view.canvas()->legend().low));
    }

    void keepsHowItLooksWithTheProject() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.pimproj"));
        QJsonObject left;
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.view.setDirection(LayoutDirection::LeftToRight);
            f.view.setShown(true, true, false);
            f.view.setOverlay(Overlay::BytesMoved);
            f.view.setAllFolded(true);
            SETTLE(f);
            left = f.view.state();
            QCOMPARE(f.workspace.viewState(QStringLiteral("graph")), left);
            f.workspace.saveProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project() && f.settled() && !f.workspace.hasUnsavedChanges(),
                                     60000);
        }
        Fixture again(*this);
        again.workspace.openProject(file);
        SETTLE(again);
        QTRY_COMPARE(again.view.state(), left);
    }
};

QTEST_MAIN(TestGraphWorkspace)
#include "tst_views_graph_workspace.moc"
