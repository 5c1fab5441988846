// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What ranks drafts in a window: chosen once for a project and undone, trained in a task, kept in the project, shown beside the
/// formula.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/file_io.h"
#include "core/predict/shipped.h"
#include "tests/support/workspace.h"
#include "views/common/table_view.h"
#include "views/drafts/drafts_view.h"
#include "views/models/draft_ranking.h"
#include "views/models/predictor_training.h"
#include "views/models/workspace.h"
#include "views/predictor/gain_plot.h"
#include "views/predictor/learning_plot.h"
#include "views/predictor/predictor_form.h"
#include "views/predictor/predictor_view.h"

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

using By = DraftRanking::By;

class TestPredictor : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        QSignalSpy failures;
        explicit Fixture(const TestPredictor& test)
            : workspace(test.m_backends, test.m_catalog), failures(&workspace, &Workspace::failed) {}
        void openTiny(const char* target) {
            workspace.setTarget(QString::fromLatin1(target));
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        }
        DraftRanking& ranking() { return DraftRanking::of(workspace); }
        OpId opWithDrafts() const {
            for (const OpPlan& op : workspace.plan()->ops)
                if (op.draft && op.draftsKept > 3)
                    return op.op;
            return {};
        }
    };
#define SETTLE(f)                                                                                            \
    QTRY_VERIFY2_WITH_TIMEOUT(test::settled((f).workspace), qPrintable(test::lastFailure((f).failures)),     \
                              120000)

    /// Of the ops of the open network, with few drafts and trees.
    static void askForLittle(PredictorTraining& training) {
        TrainingRequest little;
        little.ofModel = true;
        little.rounds = 4;
        little.seed = 3;
        training.setRequest(little);
    }

private slots:
    void oneSettingAProjectThatIsUndone() {
        Fixture f(*this);
        f.openTiny("attacc");
        SETTLE(f);
        QVERIFY(f.ranking().choice().by == By::Automatic && !f.ranking().inForce());
        QVERIFY2(f.ranking().statement().contains("nowhere better"), qPrintable(f.ranking().statement()));
        const std::string before = f.workspace.decisionsText();
        QSignalSpy changed(&f.ranking(), &DraftRanking::changed);
        f.ranking().choose(By::Shipped);
        QVERIFY(f.ranking().inForce() && changed.size() == 1);
        QVERIFY2(f.ranking().statement().contains("shipped"), qPrintable(f.ranking().statement()));
        SETTLE(f);
        QVERIFY(f.workspace.decisionsText() != before);
        f.workspace.undoStack()->undo();
        QCOMPARE(f.workspace.decisionsText(), before);
        QVERIFY(!f.ranking().inForce());
        f.workspace.undoStack()->redo();
        QVERIFY(f.ranking().inForce());
        // Another machine has no shipped predictor; the choice stays, and counts again on the way back.
        f.workspace.setTarget("aim");
        QVERIFY(f.ranking().choice().by == By::Shipped && !f.ranking().inForce());
        QVERIFY2(f.ranking().statement().contains("no predictor is shipped"),
                 qPrintable(f.ranking().statement()));
        f.workspace.setTarget("attacc");
        QVERIFY(f.ranking().inForce());
        // Options change, the choice does not; of other code it has learned nothing.
        CompileOptions options = f.workspace.options();
        options.passes.leftOut = {"group-commands"};
        f.workspace.setOptions(options);
        QVERIFY(f.ranking().choice().by == By::Shipped && !f.ranking().inForce());
        SETTLE(f);
    }

    /// Unasked, kernels are ranked by what was measured to rank them better, and a project stays so on every machine.
    void whatRanksBetterRanksUnasked() {
        QTemporaryDir folder;
        const QString file = folder.filePath("ranked.pimproj"), other = folder.filePath("formula.pimproj");
        const auto save = [](Fixture& f, const QString& as) {
            f.workspace.saveProject(as);
            QTRY_VERIFY(f.workspace.savedProject());
            QTRY_VERIFY_WITH_TIMEOUT(!f.workspace.hasUnsavedChanges(), 30000);
        };
        {
            Fixture f(*this);
            f.openTiny("hbm-pim-hbm3");
            SETTLE(f);
            QVERIFY(f.ranking().inForce() && f.ranking().inForce()->model().withinSizes);
            QCOMPARE(f.workspace.options().predictorVersion, std::string(f.ranking().inForce()->version()));
            QVERIFY2(f.ranking().statement().contains("relu") && !f.ranking().statement().contains("gemv"),
                     qPrintable(f.ranking().statement()));
            save(f, file);
        }
        {
            Fixture f(*this);
            f.openTiny("hbm-pim-hbm3");
            SETTLE(f);
            f.ranking().choose(By::Formula);
            QVERIFY(!f.ranking().inForce() && f.workspace.options().predictorVersion.empty());
            SETTLE(f);
            save(f, other);
        }
        Fixture f(*this);
        f.workspace.openProject(file);
        SETTLE(f);
        QVERIFY(f.ranking().choice().by == By::Automatic && f.ranking().inForce());
        f.workspace.setTarget("attacc");
        QVERIFY(f.ranking().choice().by == By::Automatic && !f.ranking().inForce());
        SETTLE(f);
        Fixture kept(*this);
        kept.workspace.openProject(other);
        SETTLE(kept);
        QVERIFY(kept.ranking().choice().by == By::Formula && !kept.ranking().inForce());
    }

    void theLearnedTimeStandsBesideTheFormula() {
        Fixture f(*this);
        f.openTiny("attacc");
        SETTLE(f);
        DraftsView view(f.workspace);
        DraftsModel& model = *view.model();
        f.workspace.selectOp(f.opWithDrafts());
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.exploration(), 60000);
        QCOMPARE(model.index(0, model.column(DraftsModel::Learned)).data().toString(), QStringLiteral("–"));
        f.ranking().choose(By::Shipped);
        SETTLE(f);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.exploration() && !f.workspace.exploration()->predictedNs.empty(),
                                 60000);
        const Exploration& exploration = *f.workspace.exploration();
        QCOMPARE(model.index(1, model.column(DraftsModel::Learned)).data(Qt::EditRole).toDouble(),
                 exploration.predictedNs[1]);
        model.sort(model.column(DraftsModel::Learned), Qt::AscendingOrder);
        const auto least =
            std::ranges::min_element(exploration.predictedNs) - exploration.predictedNs.begin();
        QCOMPARE(exploration.predictedNs[model.positionAt(0)], exploration.predictedNs[std::size_t(least)]);
        Selection selection = f.workspace.selection();
        selection.draft = exploration.drafts[std::size_t(least)];
        f.workspace.select(selection);
        QVERIFY2(view.why()->text().contains("learned") && view.why()->text().contains("place 1 of"),
                 qPrintable(view.why()->text()));
    }

    void trainsInATaskAndIsKeptInTheProject() {
        QTemporaryDir folder;
        const QString file = folder.filePath("ranked.pimproj");
        std::string version;
        {
            Fixture f(*this);
            f.openTiny("aim");
            SETTLE(f);
            PredictorView view(f.workspace);
            view.resize(900, 500);
            view.show();
            PredictorTraining& training = PredictorTraining::of(f.workspace);
            askForLittle(training);
            QVERIFY(view.form()->ofModel()->isChecked() && !view.form()->kind("gemv")->isChecked());
            QCOMPARE(view.form()->rounds()->value(), 4);
            QVERIFY(training.commandLine().join(u' ').contains("predictor train --target aim --model"));
            QVERIFY(!view.useButton()->isEnabled());
            QTest::mouseClick(view.form()->trainButton(), Qt::LeftButton);
            QVERIFY(training.isRunning());
            QSignalSpy stepped(&training, &PredictorTraining::stepped);
            QTRY_VERIFY_WITH_TIMEOUT(!training.isRunning(), 120000);
            QVERIFY2(training.problem().isEmpty(), qPrintable(training.problem()));
            const auto learned = training.shown();
            QVERIFY(learned && training.isTrainedHere());
            QVERIFY(stepped.size() > 4); // round by round
            QCOMPARE(view.curve()->curve().trained.size(), std::size_t(5));
            QCOMPARE(view.figures()->model()->rowCount(), int(learned->model().forms.size()));
            QVERIFY2(view.title()->text().contains("trained here"), qPrintable(view.title()->text()));
            QVERIFY(view.saveTo(folder.filePath("mine.predictor")));
            QFile written(folder.filePath("mine.predictor"));
            QVERIFY(written.open(QIODevice::ReadOnly));
            QCOMPARE(written.readAll().toStdString(), learned->bytes());
            QTest::mouseClick(view.useButton(), Qt::LeftButton);
            QVERIFY(f.ranking().choice().by == By::Own && f.ranking().inForce() == learned);
            QVERIFY(!view.useButton()->isEnabled());
            SETTLE(f);
            version = learned->version();
            f.workspace.saveProject(file);
            QTRY_VERIFY(f.workspace.savedProject());
            QTRY_VERIFY_WITH_TIMEOUT(!f.workspace.hasUnsavedChanges(), 30000);
            f.ranking().choose(By::Formula);
            QVERIFY(f.ranking().whyNotOwn().isEmpty()); // it can be taken up again
            f.workspace.undoStack()->undo();
            SETTLE(f);
            // The same seed, the same predictor.
            training.start();
            QTRY_VERIFY_WITH_TIMEOUT(!training.isRunning(), 120000);
            QCOMPARE(training.shown()->digest(), learned->digest());
        }
        QVERIFY(QFile::remove(folder.filePath("mine.predictor")));
        Fixture f(*this);
        f.workspace.openProject(file);
        SETTLE(f);
        QVERIFY(f.ranking().choice().by == By::Own && f.ranking().inForce());
        QCOMPARE(std::string(f.ranking().inForce()->version()), version);
        // On another machine it is of no use, and says so; it is not lost.
        f.workspace.setTarget("attacc");
        QVERIFY(!f.ranking().inForce());
        QVERIFY2(f.ranking().whyNotOwn().contains("it was trained for aim, not for attacc"),
                 qPrintable(f.ranking().whyNotOwn()));
        f.workspace.undoStack()->undo();
        QVERIFY(f.ranking().inForce());
        SETTLE(f);
    }

    void aDamagedPredictorOfAProjectIsTold() {
        QTemporaryDir folder;
        const QString file = folder.filePath("ranked.pimproj");
        {
            Fixture f(*this);
            f.openTiny("aim");
            SETTLE(f);
            PredictorTraining& training = PredictorTraining::of(f.workspace);
            askForLittle(training);
            training.start();
            QTRY_VERIFY_WITH_TIMEOUT(!training.isRunning(), 120000);
            training.use();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY(f.workspace.savedProject());
            QTRY_VERIFY_WITH_TIMEOUT(!f.workspace.hasUnsavedChanges(), 30000);
            Project& project = *f.workspace.savedProject();
            const std::string key = "predictor/" + training.shown()->digest();
            QVERIFY(project.value(key));
            QVERIFY(project.setValue(key, "no predictor"));
        }
        Fixture f(*this);
        f.workspace.openProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.plan() && !f.workspace.isStale(), 120000);
        QVERIFY(f.ranking().choice().by == By::Own && !f.ranking().inForce());
        QVERIFY2(test::lastFailure(f.failures).contains("cannot be read"),
                 qPrintable(test::lastFailure(f.failures)));
    }

    void filesThatDoNotFitChangeNothing() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.openTiny("aim");
        SETTLE(f);
        const std::string before = f.workspace.decisionsText();
        const auto refused = [&](const QString& file) {
            f.failures.clear();
            f.ranking().useFile(file);
            return QTest::qWaitFor([&] { return !f.failures.isEmpty(); }, 30000)
                       ? test::lastFailure(f.failures)
                       : QString();
        };
        const auto other =
            QString::fromStdString(shippedPredictorFile(*m_catalog.find("attacc").value()).string());
        QVERIFY2(refused(other).contains("it was trained for attacc, not for aim"),
                 qPrintable(refused(other)));
        QVERIFY(replaceFile(folder.filePath("cut.predictor").toStdString(), "{\"format\":\"pim predictor\""));
        QVERIFY2(refused(folder.filePath("cut.predictor")).contains("it does not begin like one"),
                 qPrintable(refused(folder.filePath("cut.predictor"))));
        QVERIFY(!refused(folder.filePath("none.predictor")).isEmpty());
        QCOMPARE(f.workspace.decisionsText(), before);
    }

    void trainingCanBeStoppedAndSaysWhatIsMissing() {
        Fixture f(*this);
        f.openTiny("aim");
        SETTLE(f);
        PredictorView view(f.workspace);
        PredictorTraining& training = PredictorTraining::of(f.workspace);
        TrainingRequest request;
        request.shapes = "gemv:12";
        training.setRequest(request);
        QVERIFY(!view.form()->trainButton()->isEnabled());
        QVERIFY2(training.whyNot().contains("gemv:12"), qPrintable(training.whyNot()));
        QVERIFY(training.commandLine().isEmpty());
        request.shapes = "gemv:32x512, gemv:64x512, gemv:96x512, gemv:128x1024";
        training.setRequest(request);
        QVERIFY2(training.whyNot().isEmpty(), qPrintable(training.whyNot()));
        training.start();
        QVERIFY(training.isRunning());
        training.stop();
        QVERIFY(!training.isRunning() && !training.isTrainedHere() && training.problem().isEmpty());
        f.workspace.setTarget("dynaplasia");
        QVERIFY2(training.whyNot().contains("no drafts"), qPrintable(training.whyNot()));
        SETTLE(f);
    }

    void theShippedOneIsShownWhereNoneIsTrained() {
        Fixture f(*this);
        f.openTiny("hbm-pim-hbm3");
        SETTLE(f);
        PredictorView view(f.workspace);
        view.resize(900, 500);
        QVERIFY2(view.title()->text().contains("shipped"), qPrintable(view.title()->text()));
        QVERIFY(view.figures()->model()->rowCount() >= 3);
        QVERIFY(!view.curve()->curve().trained.empty());
        QVERIFY(!view.gains()->gains().empty());
        double sum = 0;
        for (const FeatureGain& gain : view.gains()->gains())
            sum += gain.share;
        QVERIFY(sum > 0 && sum <= 1.000001);
    }
};

QTEST_MAIN(TestPredictor)
#include "tst_views_predictor.moc"
