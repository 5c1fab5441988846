// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The panels of look-up tables on a trained network and its samples: calibrated, stopped and gone on with, kept with a project;
/// codebooks as pictures.
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/compile/plan_energy.h"
#include "tests/support/workspace.h"
#include "views/common/choice_box.h"
#include "views/common/option_form.h"
#include "views/common/table_view.h"
#include "views/lut/codebooks_view.h"
#include "views/lut/lut_form.h"
#include "views/lut/lut_front.h"
#include "views/lut/lut_view.h"
#include "views/lut/lut_what_if.h"
#include "views/lut/training_plot.h"
#include "views/models/lut_calibration.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <qcustomplot.h>

#include <numeric>

using namespace pim;
using namespace pim::views;

namespace {

const QString kFolder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
const QString kModel = kFolder + QStringLiteral("/vit_digits.onnx");
/// Four of sixteen layers, so that tests take seconds.
const QString kFew = QStringLiteral("blocks.1:off; blocks.2:off; blocks.3:off");

} // namespace

class TestViewsLut : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    QTemporaryDir m_settings;

    struct Fixture {
        Workspace workspace;
        QSignalSpy failures;
        LutView panel;
        CodebooksView codebooks;
        LutCalibration* calibration;
        explicit Fixture(const TestViewsLut& test)
            : workspace(test.m_backends, test.m_catalog), failures(&workspace, &Workspace::failed),
              panel(workspace), codebooks(workspace), calibration(panel.calibration()) {
            panel.resize(1000, 420);
            panel.show();
            codebooks.resize(900, 420);
            codebooks.show();
        }
        void open() {
            workspace.setTarget(QStringLiteral("upmem-20"));
            workspace.openModel(kModel);
        }
        bool isDone() const { return !calibration->isRunning(); }
        const LutOutcome& last() const { return calibration->outcomes().back(); }
    };
#define SETTLE(f)                                                                                            \
    QTRY_VERIFY2_WITH_TIMEOUT(test::settled((f).workspace), qPrintable(test::lastFailure((f).failures)),     \
                              120000)
#define CALIBRATED(f)                                                                                        \
    QTRY_VERIFY_WITH_TIMEOUT((f).isDone(), 120000);                                                          \
    QVERIFY2((f).calibration->problem().isEmpty(), qPrintable((f).calibration->problem()))

    static void type(OptionForm* form, const char* key, const char* value) {
        auto* const edit = qobject_cast<QLineEdit*>(form->inputOf(key));
        QVERIFY(edit);
        edit->setText(QString::fromLatin1(value));
        QTest::keyClick(edit, Qt::Key_Return);
    }
    static void choose(OptionForm* form, const char* key, const char* value) {
        auto* const box = qobject_cast<ChoiceBox*>(form->inputOf(key));
        QVERIFY(box);
        QVERIFY(box->choose(QString::fromLatin1(value)));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("pim-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    }

    void withoutAModelItSaysWhatIsMissing() {
        Fixture f(*this);
        QVERIFY(!f.panel.form()->startButton()->isEnabled());
        QVERIFY2(f.panel.emptyText().contains(QStringLiteral("Open a classifier")),
                 qPrintable(f.panel.emptyText()));
        QVERIFY(f.codebooks.emptyText().contains(QStringLiteral("Calibrate the network")));
        f.workspace.setTarget(QStringLiteral("upmem-20"));
        f.workspace.openModel(test::sampleModel("tiny-gpt"));
        SETTLE(f);
        QVERIFY2(f.panel.form()->message().contains(QStringLiteral("Choose a folder")),
                 qPrintable(f.panel.form()->message()));
        f.calibration->setFolder(QStringLiteral("/nowhere"));
        QVERIFY2(f.panel.form()->message().contains(QStringLiteral("There is no folder /nowhere")),
                 qPrintable(f.panel.form()->message()));
        // Samples of another network: the mistake is told in the panel and to the window.
        f.calibration->setFolder(kFolder);
        QVERIFY(f.panel.form()->startButton()->isEnabled());
        f.panel.form()->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.isDone(), 60000);
        QVERIFY(!f.calibration->problem().isEmpty());
        QVERIFY(f.panel.form()->message().contains(f.calibration->problem()));
        QCOMPARE(f.failures.count(), 1);
    }

    void optionsAreThoseOfTheTable() {
        Fixture f(*this);
        for (const OptionInfo& info : lut::conversionTable().infos())
            QVERIFY2(f.panel.form()->options()->inputOf(info.key), info.key.data());
        type(f.panel.form()->options(), "v", "0");
        QVERIFY(f.panel.form()->options()->problemOf("v").contains(QStringLiteral("1..1024")));
        QVERIFY(f.calibration->options().empty());
        type(f.panel.form()->options(), "v", "8");
        choose(f.panel.form()->options(), "method", "elut");
        QVERIFY(f.panel.form()->options()->inputOf("steps")->isEnabled());
        choose(f.panel.form()->options(), "method", "refit");
        QVERIFY(!f.panel.form()->options()->inputOf("steps")->isEnabled()); // nothing is trained
        QVERIFY(f.calibration->options() == (OptionTexts{{"method", "refit"}, {"v", "8"}}));
        QCOMPARE(f.calibration->conversion()->size.length, std::int64_t(8));
        f.calibration->setRules(QStringLiteral("ffn:w=2"));
        QVERIFY(!f.calibration->conversion());
    }

    void aNetworkIsCalibratedAndItsLayersAreSelected() {
        Fixture f(*this);
        f.open();
        SETTLE(f);
        QCOMPARE(f.calibration->folder(), kFolder); // samples lie beside the model
        f.calibration->setOptions({{"v", "4"}, {"ct", "8"}});
        f.panel.form()->rules()->setText(kFew);
        QTest::keyClick(f.panel.form()->rules(), Qt::Key_Return);
        f.panel.form()->startButton()->click();
        QVERIFY(f.calibration->isRunning());
        QVERIFY(f.panel.form()->stopButton()->isVisible() && f.panel.form()->progress()->isVisible());
        CALIBRATED(f);
        const LutOutcome& outcome = f.last();
        QCOMPARE(outcome.samples, std::int64_t(600));
        QVERIFY(std::abs(outcome.dense - 0.9533) < 0.0001);
        QVERIFY(outcome.converted > 0.3 && outcome.converted < outcome.dense);
        QCOMPARE(outcome.layers.size(), std::size_t(4));
        QCOMPARE(f.panel.layers()->model()->rowCount(), 4);
        QVERIFY2(f.panel.title()->text().contains(QStringLiteral("95.33 %")),
                 qPrintable(f.panel.title()->text()));
        QVERIFY(!f.panel.tabs()->isTabEnabled(1)); // k-means trains nothing

        // A row is the op of the graph, and back.
        f.panel.layers()->setCurrentIndex(f.panel.layers()->model()->index(2, 0));
        const OpId op = f.workspace.selection().op;
        QVERIFY(op.valid());
        QCOMPARE(f.workspace.graph()->op(op).name, outcome.layers[2].name);
        QCOMPARE(f.codebooks.layerBox()->currentIndex(), 2);
        f.workspace.selectOp(f.calibration->opOf(outcome.layers[1].name));
        QCOMPARE(f.panel.layers()->currentIndex().row(), 1);
        QCOMPARE(f.codebooks.layerBox()->currentIndex(), 1);
        f.codebooks.layerBox()->setCurrentIndex(3);
        emit f.codebooks.layerBox()->activated(3);
        QCOMPARE(f.calibration->selectedLayer(), 3);

        // The same as on the command line.
        QCOMPARE(f.calibration->commandLine().join(u' '),
                 QStringLiteral("pimc accuracy %1 --data %2 --lut v=4,ct=8,method=kmeans --lut-layer "
                                "blocks.1:off --lut-layer blocks.2:off --lut-layer blocks.3:off")
                     .arg(kModel, kFolder));
        QTemporaryDir folder;
        QVERIFY(f.calibration->save(folder.path()));
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("layers.json"))));

        // The network itself takes them, and its products again.
        const auto looksUp = [&] {
            const Graph& graph = *f.workspace.graph();
            return std::ranges::count(graph.ops, "LookUp", &Op::type);
        };
        QVERIFY(f.panel.convertButton()->isEnabled() && !f.panel.convertButton()->isChecked());
        QVERIFY(f.panel.convertWith(folder.path()));
        SETTLE(f);
        QTRY_COMPARE(looksUp(), std::ptrdiff_t(4));
        QVERIFY(f.panel.convertButton()->isChecked());
        f.panel.convertButton()->click();
        SETTLE(f);
        QTRY_COMPARE(looksUp(), std::ptrdiff_t(0));
        QVERIFY(!f.panel.convertButton()->isChecked());
        QSignalSpy refused(&f.panel, &LutView::failed);
        QVERIFY(!f.panel.convertWith(QStringLiteral("/proc/no/such/folder")));
        QCOMPARE(refused.size(), 1);
    }

    void aCodebookIsAPicture() {
        Fixture f(*this);
        f.open();
        SETTLE(f);
        f.calibration->setOptions({{"v", "4"}, {"ct", "8"}});
        f.calibration->setRules(kFew + QStringLiteral("; qkv:off; /o/:off; ffn2:off"));
        f.calibration->start();
        CALIBRATED(f);
        const LutOutcome& outcome = f.last();
        const auto& layer = outcome.evaluation->conversion.layers.at(outcome.layers[0].name);
        const auto& use = outcome.evaluation->uses.at(outcome.layers[0].name);
        QVERIFY(f.codebooks.picture());
        const CodebookPicture& picture = *f.codebooks.picture();
        QCOMPARE(picture.centroids.size(), std::size_t(8));
        QCOMPARE(picture.points.size(), std::size_t(400));
        // Every test sample has 16 tokens, and each chose one.
        QCOMPARE(picture.allChosen(), std::int64_t(600 * 16));
        // Points lie where their sub-vectors are, up to what the plane leaves out.
        double off = 0, all = 0;
        for (std::size_t p = 0; p < picture.points.size(); ++p)
            for (std::size_t i = 0; i < 4; ++i) {
                const double value =
                    double(use.rows[p * static_cast<std::size_t>(layer.books.inputLength()) + i]);
                const double shown = picture.plane.mean[i] + picture.points[p][0] * picture.plane.axes[0][i] +
                                     picture.points[p][1] * picture.plane.axes[1][i];
                off += (value - shown) * (value - shown);
                all += (value - picture.plane.mean[i]) * (value - picture.plane.mean[i]);
            }
        QVERIFY(std::abs(off / all - (1 - picture.plane.share(0) - picture.plane.share(1))) < 1e-6);
        QVERIFY2(f.codebooks.plane()->xAxis->label().contains(QStringLiteral("of the variance")),
                 qPrintable(f.codebooks.plane()->xAxis->label()));

        // A click on a bar shows that codebook.
        const QPoint bar(static_cast<int>(f.codebooks.errors()->xAxis->coordToPixel(5)),
                         f.codebooks.errors()->axisRect()->center().y());
        QTest::mouseClick(f.codebooks.errors(), Qt::LeftButton, {}, bar);
        QCOMPARE(f.codebooks.codebook(), 5);
        QVERIFY2(f.codebooks.errorTip(bar).contains(
                     QString::fromStdString(fmt::format("{:.1f} %", 100 * use.codebookError(5)))),
                 qPrintable(f.codebooks.errorTip(bar)));
        // One on a centroid marks it.
        QTRY_VERIFY(f.codebooks.plane()->axisRect()->width() > 100);
        QTest::qWait(0);
        const auto& at = f.codebooks.picture()->centroids[3];
        const QPoint dot(static_cast<int>(std::lround(f.codebooks.plane()->xAxis->coordToPixel(at[0]))),
                         static_cast<int>(std::lround(f.codebooks.plane()->yAxis->coordToPixel(at[1]))));
        QTest::mouseClick(f.codebooks.plane(), Qt::LeftButton, {}, dot);
        QCOMPARE(f.codebooks.centroid(), 3);
        QVERIFY(f.codebooks.planeTip(dot).startsWith(QStringLiteral("centroid 3: (")));
        QVERIFY(f.codebooks.status()->text().startsWith(QStringLiteral("Centroid 3")));
        QTest::keyClick(f.codebooks.uses(), Qt::Key_Right);
        QCOMPARE(f.codebooks.centroid(), 4);
    }

    void aTrainingIsStoppedAndGoesOn() {
        OptionTexts options{{"v", "4"}, {"ct", "8"}, {"method", "elut"}, {"steps", "60"}, {"batch", "16"}};
        double whole = 0;
        std::size_t curve = 0;
        {
            Fixture f(*this);
            f.open();
            SETTLE(f);
            f.calibration->setOptions(options);
            f.calibration->setRules(kFew);
            QVERIFY(!f.calibration->canResume());
            f.calibration->start();
            CALIBRATED(f);
            whole = f.last().meanLogitError;
            curve = f.last().curve.size();
            QCOMPARE(curve, std::size_t(3));
            QCOMPARE(f.last().steps.size(), std::size_t(60));
            QVERIFY(!f.panel.plot()->isEmpty());
            QVERIFY(!f.calibration->canResume()); // done
        }
        Fixture f(*this);
        f.open();
        SETTLE(f);
        f.calibration->setOptions(options);
        f.calibration->setRules(kFew);
        f.calibration->start();
        QTRY_VERIFY_WITH_TIMEOUT(f.calibration->steps().size() >= 25, 120000);
        QCOMPARE(f.panel.tabs()->currentIndex(), 1); // seen while it comes
        QVERIFY(!f.panel.plot()->curve().steps.empty());
        QVERIFY(f.panel.plot()->curve().dense);
        f.panel.form()->stopButton()->click();
        QVERIFY(!f.calibration->isRunning());
        QVERIFY(f.calibration->outcomes().empty());
        QVERIFY(f.calibration->canResume());
        QVERIFY(f.panel.form()->startButton()->text().contains(QStringLiteral("Resume")));
        QVERIFY(f.panel.form()->anewButton()->isVisible());
        f.panel.form()->startButton()->click();
        CALIBRATED(f);
        QCOMPARE(f.last().curve.size(), curve);
        QCOMPARE(f.last().meanLogitError, whole); // to the last bit
        QVERIFY2(!f.last().notes.isEmpty() && f.last().notes.last().contains(QStringLiteral("goes on")),
                 qPrintable(f.last().notes.join(u'\n')));
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void aProjectKeepsFiguresAndCurves() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("lut.pimproj"));
        double accuracy = 0, error = 0;
        {
            Fixture f(*this);
            f.open();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project(), 30000);
            f.calibration->setOptions({{"ct", "4"}, {"method", "elut"}, {"steps", "2"}, {"batch", "8"}});
            f.calibration->setRules(kFew);
            f.calibration->start();
            CALIBRATED(f);
            accuracy = f.last().converted;
            error = f.last().layers[1].error;
            SETTLE(f);
        }
        Fixture f(*this);
        f.workspace.openProject(file);
        SETTLE(f);
        QCOMPARE(f.calibration->folder(), kFolder);
        QCOMPARE(f.calibration->rules(), kFew);
        QCOMPARE(f.calibration->outcomes().size(), std::size_t(1));
        QCOMPARE(f.last().converted, accuracy);
        QCOMPARE(f.last().layers[1].error, error);
        QCOMPARE(f.last().curve.size(), std::size_t(1));
        QVERIFY(!f.panel.plot()->isEmpty());
        QVERIFY(!f.last().evaluation);
        QVERIFY2(f.codebooks.emptyText().contains(QStringLiteral("Calibrate again")),
                 qPrintable(f.codebooks.emptyText()));
        QVERIFY(!f.calibration->save(folder.path()));
        // The folder was used: another window offers it.
        QVERIFY(f.calibration->recentFolders().contains(kFolder));
        f.workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(f.calibration->outcomes().empty(), 60000);
        SETTLE(f);
        QVERIFY(f.calibration->folder().isEmpty());
    }

    void severalSizesMakeAFront() {
        // Those that are as cheap or cheaper and better than all before.
        QVERIFY(lutFront({3, 1, 2, 2, 4}, {0.7, 0.5, 0.6, 0.4, 0.7}) == (std::vector<std::size_t>{1, 2, 0}));
        QVERIFY(lutFront({}, {}).empty());

        Fixture f(*this);
        f.open();
        SETTLE(f);
        f.panel.form()->rules()->setText(kFew);
        QTest::keyClick(f.panel.form()->rules(), Qt::Key_Return);
        const auto message = [&](const char* values) {
            f.panel.form()->several()->setText(QString::fromLatin1(values));
            f.panel.form()->severalButton()->click();
            return f.panel.form()->message();
        };
        QVERIFY(message("v=2,0").contains(QStringLiteral("allowed: 1..1024")));
        QVERIFY(message("w=2,4").contains(QStringLiteral("there is no option")));
        QVERIFY(message("v=2").contains(QStringLiteral("one calibration, not several")));
        QVERIFY(message("seed=1,2,3,4,5,6,7,8;steps=1,2,3,4,5,6,7,8").contains(QStringLiteral("60 at once")));
        QVERIFY(!f.calibration->isRunning());
        // One of the three has more centroids than there are rows: it is told, and the rest goes on.
        f.panel.form()->several()->setText(QStringLiteral("v=4; ct=4,60000,8"));
        f.panel.form()->severalButton()->click();
        QCOMPARE(f.calibration->waiting(), std::size_t(2));
        QTRY_VERIFY_WITH_TIMEOUT(f.isDone() && f.calibration->waiting() == 0, 120000);
        QCOMPARE(f.calibration->outcomes().size(), std::size_t(2));
        QVERIFY(f.calibration->problem().contains(QStringLiteral("60000 centroids")));
        QVERIFY(f.calibration->options().empty()); // what is asked for is as it was

        LutFront* const front = f.panel.front();
        const auto chooseCost = [front](LutFront::Cost cost) {
            front->costBox()->setCurrentIndex(front->costBox()->findData(int(cost)));
            emit front->costBox()->activated(front->costBox()->currentIndex());
        };
        // The network with such tables is planned for the machine, one calibration after the other.
        QVERIFY(front->cost() == LutFront::Cost::Time);
        QTRY_COMPARE_WITH_TIMEOUT(front->dots().size(), std::size_t(2), 60000);
        const auto ns = front->dots()[1].cost;
        GraphOptions converted;
        converted.passOptions["look_up_tables"] = {
            {"v", "4"}, {"ct", "8"}, {"sizes", "blocks.1=off,blocks.2=off,blocks.3=off"}};
        PlanRequest request;
        request.graph = *loadGraph(kModel.toStdString(), converted);
        request.target = f.workspace.target();
        request.options = f.workspace.options();
        const auto plan = compile(m_backends, request);
        QVERIFY(plan);
        const auto simulation = (*m_backends.find("upmem"))->simulate(**plan, {});
        QVERIFY(simulation);
        QCOMPARE(ns, (*simulation)->totalNs);
        chooseCost(LutFront::Cost::Energy);
        QCOMPARE(front->dots().size(), std::size_t(2));
        QCOMPARE(front->dots()[1].cost,
                 energyOf(**plan, simulation->get(), ns).budget.total() / measure::kPicojoule);
        chooseCost(LutFront::Cost::Bytes);
        QCOMPARE(front->dots().size(), std::size_t(2));
        // 16, 16, 16 and 64 codebooks of 4 centroids; 192, 64, 256 and 64 features of 4 bytes.
        QCOMPARE(front->dots()[0].cost, double((16 * (192 + 64 + 256) + 64 * 64) * 4 * 4));
        QCOMPARE(front->dots()[1].cost, 2 * front->dots()[0].cost);
        QVERIFY(front->dots()[0].isOnFront);
        f.panel.tabs()->setCurrentWidget(front);
        QTRY_VERIFY(front->plot()->axisRect()->width() > 100);
        QCOMPARE(f.calibration->shownIndex(), 1);
        front->plot()->replot();
        QTest::mouseClick(front->plot(), Qt::LeftButton, {}, front->pixelOf(front->dots()[0]).toPoint());
        QCOMPARE(f.calibration->shownIndex(), 0);
        QVERIFY2(front->status()->text().contains(QStringLiteral("v=4,ct=4,method=kmeans")),
                 qPrintable(front->status()->text()));
        QTest::keyClick(front->plot(), Qt::Key_Right);
        QCOMPARE(f.calibration->shownIndex(), 1);

        // Half of the tables, before anything is calibrated, then calibrated.
        LutWhatIf* const whatIf = front->whatIf();
        QVERIFY(!whatIf->isTouched() && !whatIf->calibrateButton()->isEnabled());
        QCOMPARE(whatIf->tableBytes(), front->dots()[1].cost);
        whatIf->lengthSlider()->setValue(3);
        QVERIFY(whatIf->isTouched());
        QCOMPARE(whatIf->tableBytes(), front->dots()[1].cost / 2);
        QTRY_VERIFY_WITH_TIMEOUT(whatIf->answer()->text().contains(QStringLiteral("simulated")), 60000);
        QVERIFY2(whatIf->answer()->text().contains(QStringLiteral("KiB of tables")),
                 qPrintable(whatIf->answer()->text()));
        whatIf->lengthSlider()->setValue(2);
        QVERIFY(!whatIf->isTouched());
        // One layer alone: a rule of its own.
        whatIf->layerBox()->setCurrentIndex(1);
        emit whatIf->layerBox()->activated(1);
        whatIf->centroidsSlider()->setValue(3);
        QVERIFY(whatIf->calibrateButton()->isEnabled());
        whatIf->calibrateButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.isDone(), 60000);
        QVERIFY2(f.calibration->problem().isEmpty(), qPrintable(f.calibration->problem()));
        QCOMPARE(f.calibration->outcomes().size(), std::size_t(3));
        const std::vector<LutLayerFigures>& layers = f.last().layers;
        QCOMPARE(layers.size(), std::size_t(4));
        QCOMPARE(layers[0].centroids, std::int64_t(16));
        for (std::size_t i = 1; i < layers.size(); ++i)
            QCOMPARE(layers[i].centroids, std::int64_t(8));
        QCOMPARE(layers[0].length, std::int64_t(4));
    }

    void everythingHasAName() {
        Fixture f(*this);
        for (QWidget* view : std::initializer_list<QWidget*>{&f.panel, &f.codebooks})
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

QTEST_MAIN(TestViewsLut)
#include "tst_views_lut.moc"
