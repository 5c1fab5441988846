// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The pipeline of real models: counts and times of every stage, what each changed, passes switched off and
/// on.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/graph/passes/pass_edits.h"
#include "tests/support/workspace.h"
#include "views/common/choice_box.h"
#include "views/common/option_form.h"
#include "views/common/table_view.h"
#include "views/crossbar/crossbar_panels.h"
#include "views/dual_mode/dual_mode_panels.h"
#include "views/models/workspace.h"
#include "views/pipeline/pipeline_view.h"
#include "views/pipeline/stage_models.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

using namespace pim;
using namespace pim::views;

namespace {

std::filesystem::path sampleFile(const char* name) {
    return samplesDir() / name / (std::string(name) + ".onnx");
}

} // namespace

class TestViewsPipeline : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    FamilyList m_families;

    static QStringList stageNames(const PipelineView& view) {
        QStringList names;
        const QAbstractItemModel* model = view.stages()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            names.append(model->index(row, StageModel::Stage).data().toString());
        return names;
    }

private slots:
    void initTestCase() {
        m_families.add(crossbarPanels());
        m_families.add(dualModePanels());
    }

    void editsAddUpToThePass_data() {
        QTest::addColumn<QByteArray>("sample");
        for (const char* sample : {"resnet50", "tiny-gpt", "bert-base", "mobilenetv2"})
            QTest::newRow(sample) << QByteArray(sample);
    }
    void editsAddUpToThePass() {
        QFETCH(QByteArray, sample);
        const auto model = importModel(sampleFile(sample.constData()));
        QVERIFY(model);
        const auto graph = buildGraph(**model);
        QVERIFY(graph);
        int rewrites = 0;
        for (const PassRecord& pass : (*graph)->passes) {
            const auto edits = passEdits(**model, {}, pass.name);
            QVERIFY(edits);
            int gone = 0, come = 0;
            for (const PassEdit& edit : *edits) {
                QVERIFY(!edit.before.empty() || !edit.after.empty());
                gone += int(edit.before.size());
                come += int(edit.after.size());
            }
            QCOMPARE(pass.opsBefore - gone + come, pass.opsAfter);
            QCOMPARE(edits->empty(), pass.changes == 0);
            rewrites += pass.changes;
        }
        QVERIFY(rewrites > 0);
    }

    void aPassThatIsOffEditsNothing() {
        const auto model = importModel(sampleFile("tiny-gpt"));
        QVERIFY(model);
        const auto edits = passEdits(**model, {{}, {"fuse_attention"}}, "fuse_attention");
        QVERIFY(edits && edits->empty());
        const auto unknown = passEdits(**model, {}, "no_such_pass");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, ErrorCode::Usage);
    }

    void stagesOfAPlan() {
        Workspace workspace(m_backends, TargetCatalog::load());
        PipelineView view(workspace);
        new QAbstractItemModelTester(view.stages()->model(),
                                     QAbstractItemModelTester::FailureReportingMode::QtTest, &view);
        new QAbstractItemModelTester(view.changes()->model(),
                                     QAbstractItemModelTester::FailureReportingMode::QtTest, &view);
        QCOMPARE(view.stages()->model()->rowCount(), 0);
        view.resize(1100, 420);
        view.show();
        view.setSeen(true);
        workspace.setTarget(QStringLiteral("attacc"));
        workspace.openModel(QString::fromStdString(sampleFile("tiny-gpt").string()),
                            {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        const QStringList names = stageNames(view);
        for (const char* name : {"Fuse attention", "Kernels", "Search", "Placement", "Code"})
            QVERIFY2(names.contains(QString::fromLatin1(name)), qPrintable(names.join(u',')));

        view.showStage(QStringLiteral("fuse_attention"));
        QTRY_VERIFY(view.changes()->model()->rowCount() > 0);
        const auto* changes = static_cast<const ChangeModel*>(view.changes()->model());
        bool becameAttention = false;
        for (int row = 0; row < changes->rowCount(); ++row)
            becameAttention |= changes->change(row).after.contains(QStringLiteral(" = Attention("));
        QVERIFY(becameAttention);

        // A row leads to its op, and the selected op to its row.
        view.showStage(QStringLiteral("placement"));
        QTRY_VERIFY(changes->rowCount() > 0 && view.summary().contains(QStringLiteral("looked at")));
        view.changes()->setCurrentIndex(changes->index(changes->rowCount() - 1, 0));
        QCOMPARE(workspace.selection().op, changes->change(changes->rowCount() - 1).op);
        workspace.selectOp(changes->change(0).op);
        QCOMPARE(view.changes()->currentIndex().row(), 0);

        view.showStage(QStringLiteral("code"));
        QTRY_VERIFY_WITH_TIMEOUT(view.summary().contains(QStringLiteral("program")), 30000);
        const int code = int(stageNames(view).indexOf(QStringLiteral("Code")));
        QVERIFY(view.stages()->model()->index(code, StageModel::Changes).data().toInt() > 0);
        QVERIFY(view.stages()->model()->index(code, StageModel::Time).data(Qt::EditRole).toDouble() > 0);
    }

    void passesAreSwitchedAndIdleOnesHidden() {
        Workspace workspace(m_backends, TargetCatalog::load());
        PipelineView view(workspace);
        view.setSeen(true);
        workspace.openModel(QString::fromStdString(sampleFile("tiny-gpt").string()));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        auto* stages = view.stages()->model();
        const int ops = int(workspace.graph()->ops.size());
        const int row = int(stageNames(view).indexOf(QStringLiteral("Fuse attention")));
        QVERIFY(stages->setData(stages->index(row, 0), Qt::Unchecked, Qt::CheckStateRole));
        QTRY_VERIFY_WITH_TIMEOUT(workspace.graphOptions().disabledPasses.contains("fuse_attention") &&
                                     test::settled(workspace),
                                 60000);
        QVERIFY(int(workspace.graph()->ops.size()) > ops);
        QCOMPARE(stages->index(row, StageModel::After).data().toString(), QStringLiteral("off"));

        const int all = stages->rowCount();
        const auto boxes = view.findChildren<QCheckBox*>();
        const auto hide = std::find_if(boxes.begin(), boxes.end(), [](const QCheckBox* box) {
            return box->text().startsWith(QStringLiteral("Hide"));
        });
        QVERIFY(hide != boxes.end());
        (*hide)->click();
        QVERIFY(stages->rowCount() < all);
        for (int left = 0; left < stages->rowCount(); ++left) {
            const PipelineStage& stage = static_cast<StageModel*>(stages)->stage(left);
            QVERIFY(stage.changes != 0 || !stage.enabled);
        }
        QVERIFY(workspace.viewState(QStringLiteral("pipeline")).value(QStringLiteral("hideIdle")).toBool());
    }

    void anOptionOfAPassIsChosenAndTakenBack() {
        Workspace workspace(m_backends, TargetCatalog::load());
        PipelineView view(workspace);
        view.setSeen(true);
        workspace.openModel(QString::fromStdString(sampleFile("tiny-gpt").string()));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        const std::size_t ops = workspace.graph()->ops.size();
        view.showStage(QStringLiteral("fuse_silu"));
        QVERIFY(view.options()->isHidden()); // it has none
        view.showStage(QStringLiteral("fuse_gelu"));
        QVERIFY(!view.options()->isHidden());
        const auto box = [&] { return qobject_cast<ChoiceBox*>(view.options()->inputOf("form")); };
        QVERIFY(box());
        QCOMPARE(box()->value(), QStringLiteral("any"));
        QVERIFY(!view.options()->resetOf("form")->isEnabled());
        QVERIFY(!box()->choose(QStringLiteral("some")));

        const auto settledWith = [&](const std::map<std::string, OptionTexts, std::less<>>& wanted) {
            return workspace.graphOptions().passOptions == wanted && test::settled(workspace);
        };
        const std::map<std::string, OptionTexts, std::less<>> onlyTanh{{"fuse_gelu", {{"form", "tanh"}}}};
        QVERIFY(box()->choose(QStringLiteral("tanh")));
        QTRY_VERIFY_WITH_TIMEOUT(settledWith(onlyTanh), 60000);
        QVERIFY(workspace.graph()->ops.size() > ops); // its GELUs are written with erf
        QCOMPARE(box()->value(), QStringLiteral("tanh"));
        QVERIFY(view.options()->resetOf("form")->isEnabled());

        workspace.undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(settledWith({}), 60000);
        QCOMPARE(workspace.graph()->ops.size(), ops);
        QCOMPARE(box()->value(), QStringLiteral("any"));
        workspace.undoStack()->redo();
        QTRY_VERIFY_WITH_TIMEOUT(settledWith(onlyTanh), 60000);
        QCOMPARE(box()->value(), QStringLiteral("tanh"));
        view.options()->resetOf("form")->click();
        QTRY_VERIFY_WITH_TIMEOUT(settledWith({}), 60000);
        QCOMPARE(box()->value(), QStringLiteral("any"));
        QCOMPARE(workspace.graph()->ops.size(), ops);
    }

    void whatIsNotAllowedChangesNothing() {
        Workspace workspace(m_backends, TargetCatalog::load());
        workspace.openModel(QString::fromStdString(sampleFile("tiny-gpt").string()));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        const QSignalSpy failures(&workspace, &Workspace::failed);
        const int steps = workspace.undoStack()->count();
        workspace.setPassOptions("fuse_gelu", {{"form", "round"}});
        QVERIFY(test::lastFailure(failures).contains(QStringLiteral("any|erf|tanh")));
        QVERIFY(workspace.graphOptions().passOptions.empty());
        QCOMPARE(workspace.undoStack()->count(), steps);
    }

    /// A value that has to be typed: what is wrong with it stands below it until it is right.
    void aTypedValueIsJudgedInPlace() {
        struct Options {
            int times = 4;
        };
        const TypedOptionTable<Options> table({{{"times", "1..9", "how often"},
                                                [](const Options& o) { return std::to_string(o.times); },
                                                [](Options& o, std::string_view value) {
                                                    o.times = value.size() == 1 ? value[0] - '0' : 0;
                                                    return o.times >= 1 && o.times <= 9;
                                                }}});
        OptionForm options;
        const QSignalSpy chosen(&options, &OptionForm::chosen);
        options.setTable(QStringLiteral("Unroll"), &table, {});
        const auto type = [&](const char* value) {
            auto* const edit = qobject_cast<QLineEdit*>(options.inputOf("times"));
            QVERIFY(edit);
            edit->setText(QString::fromLatin1(value));
            QTest::keyClick(edit, Qt::Key_Return);
        };
        QCOMPARE(qobject_cast<QLineEdit*>(options.inputOf("times"))->text(), QStringLiteral("4"));
        type("40");
        QVERIFY2(options.problemOf("times").contains(QStringLiteral("allowed: 1..9")),
                 qPrintable(options.problemOf("times")));
        QCOMPARE(chosen.count(), 0);
        options.resetOf("times")->click();
        QCOMPARE(options.problemOf("times"), QString());
        QCOMPARE(qobject_cast<QLineEdit*>(options.inputOf("times"))->text(), QStringLiteral("4"));
        type("7");
        QCOMPARE(chosen.count(), 1);
        QVERIFY(chosen.last().at(0).value<OptionTexts>() == (OptionTexts{{"times", "7"}}));
        // It was refused: what is in force is shown again.
        options.setTable(QStringLiteral("Unroll"), &table, {});
        QCOMPARE(qobject_cast<QLineEdit*>(options.inputOf("times"))->text(), QStringLiteral("4"));
    }

    void aDualModeChipHasSegments() {
        Workspace workspace(m_backends, TargetCatalog::load(), m_families);
        PipelineView view(workspace);
        view.setSeen(true);
        workspace.setTarget(QStringLiteral("dynaplasia"));
        workspace.openModel(QString::fromStdString(sampleFile("mobilenetv2").string()));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        view.showStage(QStringLiteral("segments"));
        const auto* changes = static_cast<const ChangeModel*>(view.changes()->model());
        QTRY_VERIFY(changes->rowCount() > 0);
        bool inSegment = false;
        for (int row = 0; row < changes->rowCount(); ++row)
            inSegment |= changes->change(row).after.startsWith(QStringLiteral("segment "));
        QVERIFY(inSegment);
    }

    /// Planning is told in sentences, whatever the machine.
    void everyStageHasASentence_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "dynaplasia", "arch-c"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void everyStageHasASentence() {
        QFETCH(QString, target);
        Workspace workspace(m_backends, TargetCatalog::load(), m_families);
        workspace.setTarget(target);
        workspace.openModel(QString::fromStdString(sampleFile("tiny-gpt").string()),
                            {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        const auto stages =
            pipelineStages(workspace.graph().get(), workspace.plan().get(), workspace.family(), nullptr);
        QVERIFY(stages.size() > workspace.graph()->passes.size() + 2);
        for (const PipelineStage& stage : stages)
            QVERIFY2(!stage.summary.isEmpty(), stage.id.c_str());
    }
};

QTEST_MAIN(TestViewsPipeline)
#include "tst_views_pipeline.moc"
