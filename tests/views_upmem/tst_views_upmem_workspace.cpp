// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The panels of UPMEM modules over a real plan: what they show is what the engine found, older results are dropped, and where there
/// is nothing they say why.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/common/choice_box.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/decisions/decisions_model.h"
#include "views/inspector/override_editor.h"
#include "views/models/workspace.h"
#include "views/upmem/code_text.h"
#include "views/upmem/code_view.h"
#include "views/upmem/dpu_canvas.h"
#include "views/upmem/dpu_memory_view.h"
#include "views/upmem/dpus_view.h"
#include "views/upmem/roofline_view.h"
#include "views/upmem/tasklets_view.h"

#include <QComboBox>
#include <QLabel>

using namespace pim;
using namespace pim::views;

class TestViewsUpmemWorkspace : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();

    /// tiny-gpt in i8, with \p ops of its products placed on DPUs.
    void open(Workspace& workspace, int ops) {
        CompileOptions options;
        options.computeType = DataType::I8;
        workspace.setStartOptions(options);
        workspace.setTarget(QStringLiteral("upmem-20"));
        workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        Overrides wanted;
        for (const OpPlan& op : workspace.plan()->ops)
            if (op.pimCost && ops-- > 0)
                wanted.set({workspace.graph()->op(op.op).name, "placement", "pim"});
        workspace.replaceOverrides(wanted, QStringLiteral("Place on DPUs"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
    }
    static OpId firstOnDpus(const Workspace& workspace) {
        const auto ops = opsOnDpus(*workspace.plan());
        return ops.empty() ? OpId() : ops.front().first;
    }

private slots:
    void panelsShowWhatTheEngineFound() {
        Workspace workspace(m_backends, TargetCatalog::load());
        DpuMemoryView memory(workspace);
        TaskletsView tasklets(workspace);
        DpuCodeView code(workspace);
        open(workspace, 2);
        const OpId op = firstOnDpus(workspace);
        QVERIFY(op.valid());
        for (OpPanel* panel : std::initializer_list<OpPanel*>{&memory, &tasklets, &code}) {
            panel->setSeen(true);
            QCOMPARE(panel->opBox()->count(), 2);
            QVERIFY(!panel->run()); // nothing is selected
            QVERIFY2(panel->emptyText().contains(QStringLiteral("Select an operator")),
                     qPrintable(panel->emptyText()));
        }
        emit memory.opBox()->activated(0); // selects in the whole window
        QCOMPARE(workspace.selection().op, op);
        QTRY_VERIFY_WITH_TIMEOUT(memory.run() && tasklets.run() && code.run(), 60000);
        QCOMPARE(memory.run(), code.run()); // it was run once

        const auto found = upmem::runOnDpu(*workspace.plan(), op, {});
        QVERIFY(found);
        QCOMPARE(tasklets.run()->run.cycles, (*found)->run.cycles);
        QCOMPARE(tasklets.canvas()->timeline()->tracks.size(), std::size_t((*found)->tasklets));
        std::int64_t taken = 0;
        for (const upmem::MramRegion& region : (*found)->mram)
            taken += region.bytes;
        QCOMPARE(memory.mram()->memory().taken(), taken);
        QCOMPARE(memory.wram()->memory().taken(), (*found)->wramKept + (*found)->program.wramBytes);
        QVERIFY(code.code()->blockCount() > 10);
    }

    /// What the family lets decide stands in the editor and in the list of decisions, and is undone there.
    void decisionsAreTakenInTheEditor() {
        Workspace workspace(m_backends, TargetCatalog::load());
        OverrideEditor editor(workspace);
        DecisionsModel decisions(workspace);
        connect(&workspace, &Workspace::planChanged, &editor, &OverrideEditor::refresh);
        open(workspace, 1);
        const OpId op = workspace.graph()->findOp("/layers.0/mlp/fc1/MatMul");
        QVERIFY(op.valid());
        workspace.selectOp(op);
        editor.refresh();
        for (const char* const field : {"dpus", "tasklets", "order", "vectors", "rows", "chunk", "dma"})
            QVERIFY2(qobject_cast<ChoiceBox*>(editor.widgetFor(field)), field);
        const auto tasklets = [&] {
            return workspace.plan()
                ->opPlan(op)
                .space->summarize(*workspace.plan()->opPlan(op).draft)
                .coresUsed;
        };
        const auto before = tasklets();
        emit qobject_cast<ChoiceBox*>(editor.widgetFor("tasklets"))->chosen(QStringLiteral("3"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace) && tasklets() == 3, 60000);
        const std::string& name = workspace.graph()->op(op).name;
        QVERIFY(workspace.overrides().find(name, "tasklets"));
        bool isListed = false;
        for (int row = 0; row < decisions.rowCount(); ++row)
            isListed =
                isListed || decisions.index(row, DecisionsModel::Field).data().toString() == u"tasklets";
        QVERIFY(isListed);
        workspace.undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace) && tasklets() == before, 60000);
    }

    void dpusAreLoadedAsThePlanSays() {
        Workspace workspace(m_backends, TargetCatalog::load());
        DpusView view(workspace);
        open(workspace, 1);
        const OpId op = firstOnDpus(workspace);
        QVERIFY(op.valid());
        view.setSeen(true);
        QTRY_COMPARE_WITH_TIMEOUT(view.table()->model()->rowCount(), 2560, 30000);
        const upmem::DpuLoad load = upmem::loadOf(*workspace.plan(), OpId());
        QVERIFY(load.busyNs.front() > 0);
        QCOMPARE(view.table()->model()->index(0, 3).data(Qt::EditRole).toDouble(),
                 load.busyNs.front() / load.totalNs);
        workspace.selectOp(op);
        emit view.canvas()->chosen(3);
        QCOMPARE(workspace.selection().group, 3);
        QCOMPARE(view.canvas()->current(), 3);
        workspace.selectOp(OpId());
        QCOMPARE(view.canvas()->current(), 3); // stays
        // Of one op alone its time is more of the whole.
        view.scopeBox()->setCurrentIndex(1);
        QVERIFY(view.title()->text().contains(QStringLiteral("Select an operator")));
        workspace.selectOp(op);
        const upmem::DpuLoad alone = upmem::loadOf(*workspace.plan(), op);
        QTRY_COMPARE_WITH_TIMEOUT(view.table()->model()->index(0, 3).data(Qt::EditRole).toDouble(),
                                  alone.busyNs.front() / alone.totalNs, 30000);
    }

    void everyOpOnDpusIsADot() {
        Workspace workspace(m_backends, TargetCatalog::load());
        RooflineView view(workspace);
        open(workspace, 4);
        view.setSeen(true);
        QTRY_COMPARE_WITH_TIMEOUT(view.dots().size(), std::size_t(4), 60000);
        for (const RooflineDot& dot : view.dots()) {
            const auto run = upmem::runOnDpu(*workspace.plan(), dot.op, {});
            QVERIFY(run);
            QCOMPARE(dot.roofline.cycles, (*run)->roofline.cycles);
            QCOMPARE(dot.roofline.operations, (*run)->roofline.operations);
        }
        emit view.opChosen(view.dots()[1].op);
        QCOMPARE(workspace.selection().op, view.dots()[1].op);
        QCOMPARE(view.shownDot(), 1);
    }

    void otherMachinesHaveNoDpus() {
        Workspace workspace(m_backends, TargetCatalog::load());
        DpusView dpus(workspace);
        TaskletsView tasklets(workspace);
        RooflineView roofline(workspace);
        QVERIFY(dpus.emptyText().contains(QStringLiteral("Open a model")));
        dpus.setSeen(true);
        tasklets.setSeen(true);
        roofline.setSeen(true);
        workspace.setTarget(QStringLiteral("attacc"));
        workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        for (const QString& words : {dpus.emptyText(), tasklets.emptyText(), roofline.emptyText()})
            QVERIFY2(words.contains(QStringLiteral("no DPUs")) && words.contains(QStringLiteral("upmem-20")),
                     qPrintable(words));
        QVERIFY(workspace.tasks()->entries().isEmpty());
    }

    void anOpOnTheHostSaysSo() {
        Workspace workspace(m_backends, TargetCatalog::load());
        DpuCodeView code(workspace);
        code.setSeen(true);
        open(workspace, 1);
        for (const OpPlan& op : workspace.plan()->ops)
            if (op.onHost()) {
                workspace.selectOp(op.op);
                break;
            }
        QVERIFY2(code.emptyText().contains(QStringLiteral("does not run on DPUs")),
                 qPrintable(code.emptyText()));
    }

    void panelsMayGoWhileTheyWait() {
        Workspace workspace(m_backends, TargetCatalog::load());
        {
            TaskletsView tasklets(workspace);
            RooflineView roofline(workspace);
            DpusView dpus(workspace);
            open(workspace, 6);
            workspace.selectOp(firstOnDpus(workspace));
            tasklets.setSeen(true);
            roofline.setSeen(true);
            dpus.setSeen(true);
            QVERIFY(!workspace.tasks()->entries().isEmpty());
        }
        QTRY_VERIFY_WITH_TIMEOUT(workspace.tasks()->entries().isEmpty(), 60000);
    }

    void aCancelledRooflineCanBeRunAgain() {
        Workspace workspace(m_backends, TargetCatalog::load());
        RooflineView view(workspace);
        open(workspace, 3);
        view.setSeen(true);
        const auto entries = workspace.tasks()->entries();
        QCOMPARE(entries.size(), 1);
        workspace.tasks()->cancel(entries.front().id);
        QTRY_VERIFY(view.emptyText().contains(QStringLiteral("cancelled")));
        emit view.actionTriggered();
        QTRY_COMPARE_WITH_TIMEOUT(view.dots().size(), std::size_t(3), 60000);
    }
};

QTEST_MAIN(TestViewsUpmemWorkspace)
#include "tst_views_upmem_workspace.moc"
