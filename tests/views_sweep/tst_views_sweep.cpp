// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The sweep panel with a real model and real targets: points while they come, pause and resume, a project that is closed
/// and opened again in between.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/jobs.h"
#include "tests/support/canvas_walk.h"
#include "tests/support/help_picture.h"
#include "tests/support/workspace.h"
#include "views/common/plot.h"
#include "views/common/table_view.h"
#include "views/dual_mode/speed_map_view.h"
#include "views/sweep/campaign_bar.h"
#include "views/sweep/campaign_watcher.h"
#include "views/sweep/effect_page.h"
#include "views/sweep/parallel_plot.h"
#include "views/sweep/progress_page.h"
#include "views/sweep/scatter_matrix.h"
#include "views/sweep/search_bar.h"
#include "views/sweep/sweep_panel.h"
#include "views/sweep/sweep_runner.h"
#include "views/sweep/sweep_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace pim;
using namespace pim::views;

class TestViewsSweep : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    // 63 points, 9 too long
    const QString m_over = QStringLiteral("target=attacc,hbm-pim,dynaplasia;past=1..64;batch=1,2,4");
    // The same with every length between, by one thread: long enough to be met on its way on any machine.
    const QString m_long = QStringLiteral("target=attacc,hbm-pim,dynaplasia;past=1..64+1;batch=1,2,4");
    static constexpr std::size_t kLongPoints = 576;
    struct OneJob {
        OneJob() { setJobs(1); }
        ~OneJob() { setJobs(0); }
        OneJob(const OneJob&) = delete;
        OneJob& operator=(const OneJob&) = delete;
    };

    struct Fixture {
        Workspace workspace;
        QSignalSpy failures;
        SweepPanel panel;
        explicit Fixture(const TestViewsSweep& test)
            : workspace(test.m_backends, test.m_catalog), failures(&workspace, &Workspace::failed),
              panel(workspace) {
            panel.resize(1100, 500);
            panel.show();
        }
        void openTiny() {
            workspace.setTarget(QStringLiteral("attacc"));
            workspace.openModel(test::sampleModel("tiny-gpt"));
        }
        std::size_t points() const { return panel.runner()->points().size(); }
        SweepRunner::State state() const { return panel.runner()->state(); }
    };
#define SETTLE(f)                                                                                            \
    QTRY_VERIFY2_WITH_TIMEOUT(test::settled((f).workspace), qPrintable(test::lastFailure((f).failures)),     \
                              120000)

    static std::vector<double> timesOf(const SweepData& data) {
        std::vector<double> times;
        for (const SweepRow& row : data.rows)
            times.push_back(row.ns);
        return times;
    }

private slots:
    /// Brushes by mouse and keys choose the rows of the table; those of the front, and what has no figures, stay what they are.
    void brushesChooseRows() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("group.count=4..32;past=4,8,64;blocks:=group.count*core.count"));
        QTest::keyClick(f.panel.over(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        SweepView& view = *f.panel.view();
        QCOMPARE(view.data().rows.size(), std::size_t{12});
        QVERIFY(std::any_of(view.data().figures.begin(), view.data().figures.end(),
                            [](const SweepFigure& figure) { return figure.key == "blocks"; }));
        ParallelPlot& plot = *view.parallelPlot();
        PointBrushes& points = view.brushes();
        QCOMPARE(points.rows(), 12);
        plot.resize(600, 300);
        const auto shown = [&] { return view.shownRows(); };
        QCOMPARE(shown().size(), 12);
        // From below 7 to above 17 groups: 8 and 16.
        const auto point = [&](double value) {
            return QPoint(int(plot.axisX(0)), int(plot.valueY(0, value)));
        };
        QTest::mousePress(&plot, Qt::LeftButton, {}, point(7));
        QTest::mouseMove(&plot, point(12));
        QTest::mouseMove(&plot, point(17));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, point(17));
        QVERIFY(points.brush(0).has_value() && points.isBrushed());
        QCOMPARE(shown(), (QList<int>{3, 4, 5, 6, 7, 8}));
        points.setBrush(1, std::pair(8.0, 3.0)); // either way round
        QCOMPARE(shown(), (QList<int>{3, 4, 6, 7}));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, point(12));
        QVERIFY(!points.brush(0));
        QCOMPARE(shown().size(), 8);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!points.isBrushed());
        QCOMPARE(shown().size(), 12);
        QTest::keyClick(&plot, Qt::Key_Up); // the top fifth of the first axis
        QVERIFY(points.brush(0).has_value());
        QCOMPARE(shown(), (QList<int>{9, 10, 11}));
        // Rows without figures have no line: the third of each four is too long.
        int nothing = 0;
        for (const SweepRow& row : view.data().rows)
            nothing += row.error.isEmpty() ? 0 : 1;
        QCOMPARE(nothing, 4);
        QImage image(600, 300, QImage::Format_RGB32);
        QPainter painter(&image);
        plot.paint(painter, {600, 300});
        int ink = 0;
        for (int y = 60; y < 270; ++y)
            ink +=
                image.pixelColor(int((plot.axisX(0) + plot.axisX(1)) / 2), y) != color(Role::Canvas) ? 1 : 0;
        QVERIFY(ink > 3);
    }

    /// Points of many processes come between those that are there: who was selected stays so.
    void theSelectedPointStaysSelected() {
        SweepView view;
        const auto dataOf = [](std::initializer_list<int> turns) {
            SweepData data;
            data.names = QStringList{QStringLiteral("past")};
            data.size = 9;
            for (const int turn : turns) {
                SweepRow row;
                row.values = QStringList{QString::number(turn)};
                row.ns = 10 + turn;
                row.turn = turn;
                data.rows.push_back(row);
            }
            return data;
        };
        view.setData(dataOf({0, 3, 1}));
        auto* table = view.findChild<QTableView*>();
        QVERIFY(table);
        const auto selected = [&] {
            const QModelIndexList rows = table->selectionModel()->selectedRows();
            return rows.size() == 1 ? rows.front().row() : -1;
        };
        table->selectRow(1);
        view.setData(dataOf({0, 3, 1, 4})); // behind
        QCOMPARE(selected(), 1);
        view.setData(dataOf({0, 2, 5, 3, 1, 4})); // between
        QCOMPARE(selected(), 3);
        QCOMPARE(table->model()->rowCount(), 6);
        view.setData(dataOf({0, 2}));
        QCOMPARE(selected(), -1);
    }

    /// The pages over one small sweep: 4 machines, 3 lengths of which one is too long.
    void pagesTellProgressEffectsAndPairs() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("group.count=4..32;past=4,8,64;batch=1;blocks:=group.count*core.count"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        SweepView& view = *f.panel.view();
        QCOMPARE(view.data().names,
                 (QStringList{"group.count", "past"})); // the batch is the same in all rows
        const auto& columns = view.brushes().columns();
        const auto blocks = std::ranges::find(columns, QStringLiteral("blocks"), &PointColumn::name);
        QVERIFY(blocks != columns.end() && blocks->isObjective && !blocks->isAxis);
        view.plots()->setCurrentWidget(view.progressPage());
        const BestSoFar& progress = view.progressPage()->networks().front().progress;
        QCOMPARE(progress.points, std::int64_t{12});
        QCOMPARE(progress.refused, std::int64_t{4});
        QCOMPARE(progress.best.size(), std::size_t{2});
        QCOMPARE(progress.best[1].size(), std::size_t{1}); // the fewest blocks come first
        QCOMPARE(progress.best[0].back().value,
                 *std::ranges::min_element(columns[2].values, [](double a, double b) {
                     return !(std::isnan(a)) && (std::isnan(b) || a < b);
                 }));
        QVERIFY(view.progressPage()->header()->text().startsWith(QStringLiteral("12 points, 4 without")));
        QCOMPARE(view.progressPage()->choice()->count(), 4); // all, two objectives, the volume
        QVERIFY(view.progressPage()->csv().count(u'\n') > 2);

        view.plots()->setCurrentWidget(view.effectPage());
        EffectPage& effects = *view.effectPage();
        effects.figures()->setCurrentText(QStringLiteral("blocks"));
        const auto& shown = effects.plot()->effects();
        QCOMPARE(shown.size(), std::size_t{2});
        QCOMPARE(shown[0].name, QStringLiteral("group.count")); // all that blocks hang on
        QVERIFY(std::abs(shown[0].effect.share - 1) < 1e-9 && shown[1].effect.share < 1e-9);
        QCOMPARE(shown[0].effect.points, std::int64_t{8});
        QCOMPARE(shown[0].values, (QStringList{"4", "8", "16", "32"}));
        QCOMPARE(shown[1].effect.values[2].points, std::int64_t{0});
        const QString said = effects.header()->text();
        QVERIFY2(said.contains(QStringLiteral("n = 8 of 12")) && said.contains(QStringLiteral("4 without")),
                 qPrintable(said));
        QCOMPARE(effects.csv().count(u'\n'), 1 + 4 + 3);
        effects.plot()->resize(500, 200);
        QCOMPARE(effects.plot()->shown(), 0);
        QCOMPARE(pim::test::faultsOf(*effects.plot()), QStringList());
        QCOMPARE(pim::test::itemsOf(*effects.plot(), 9).size(), 2);
        QTest::mouseMove(effects.plot(), effects.plot()->barRect(1).center().toPoint());
        QTRY_COMPARE(effects.plot()->shown(), 1);
        QVERIFY(
            effects.plot()->tipAt(effects.plot()->barRect(0).center()).contains(QStringLiteral("100.0 %")));
        QTest::keyClick(effects.plot(), Qt::Key_Up); // keys take over from the mouse
        QCOMPARE(effects.plot()->shown(), 0);

        view.plots()->setCurrentWidget(view.scatterMatrix());
        ScatterMatrix& matrix = *view.scatterMatrix();
        matrix.resize(600, 400);
        QCOMPARE(matrix.shown(),
                 (std::vector<int>{0, 2, 3})); // two objectives, and what varies to go with them
        QCOMPARE(pim::test::faultsOf(matrix), QStringList());
        QCOMPARE(pim::test::itemsOf(matrix, 99).size(), 12);
        QCOMPARE(pim::test::faultsOf(*view.parallelPlot()), QStringList());
        const QSignalSpy opened(&view, &SweepView::rowActivated);
        const QPoint first = matrix.pointAt(1, 2, 0).toPoint();
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, first);
        QCOMPARE(view.table()->currentIndex().row(), 0);
        QTest::mouseDClick(&matrix, Qt::LeftButton, {}, first);
        QCOMPARE(opened.size(), 1);
        // A rectangle around the two points of the first machine, in the cell of machines and blocks.
        const QPointF corner = matrix.pointAt(0, 2, 0), beside(6, 6);
        QTest::mousePress(&matrix, Qt::LeftButton, {}, (corner - beside / 2).toPoint());
        QTest::mouseMove(&matrix, (corner + beside).toPoint());
        QTest::mouseRelease(&matrix, Qt::LeftButton, {}, (corner + beside).toPoint());
        QCOMPARE(view.shownRows(), (QList<int>{0, 1}));
        QVERIFY(view.brushes().brush(0) && view.brushes().brush(3) && !view.brushes().brush(1));
        QTest::keyClick(&matrix, Qt::Key_Escape);
        QCOMPARE(view.shownRows().size(), 12);
        // From the table back to the pictures, also where it shows only some.
        view.brushes().setBrush(0, std::pair(16.0, 16.0));
        emit view.table()->activated(view.table()->model()->index(1, 0));
        QCOMPARE(opened.back().front().toInt(), view.shownRows()[1]);
    }

    /// Points of one network are no better or worse than those of another.
    void networksHaveCurvesAndFrontsOfTheirOwn() {
        SweepData data;
        data.names = QStringList{QStringLiteral("model"), QStringLiteral("past")};
        data.network = 0;
        data.objectives = {"total_ns", "macs_per_s"};
        data.size = 6;
        const auto add = [&](const char* network, int past, double us, double rate, bool isOnFront) {
            SweepRow row;
            row.values = QStringList{QLatin1String(network), QString::number(past)};
            row.ns = us * 1e3;
            row.macsPerSecond = rate;
            row.turn = std::ssize(data.rows);
            row.isOnFront = isOnFront;
            data.rows.push_back(row);
        };
        add("large", 1, 900, 1e9, false);
        add("large", 2, 800, 2e9, true);
        add("large", 3, 850, 3e9, true);
        add("small", 1, 5, 5e9, true);
        add("small", 2, 7, 4e9, false);
        add("small", 3, 4, 4e9, true);
        SweepView view;
        view.setData(data);
        view.plots()->setCurrentWidget(view.progressPage());
        const auto& networks = view.progressPage()->networks();
        QCOMPARE(networks.size(), std::size_t{2});
        QCOMPARE(networks[0].name, QStringLiteral("large"));
        QCOMPARE(networks[0].progress.best[0], (std::vector<ProgressStep>{{1, 900}, {2, 800}}));
        QCOMPARE(networks[1].progress.best[0], (std::vector<ProgressStep>{{1, 5}, {3, 4}}));
        QCOMPARE(networks[1].progress.volume.back().points, std::int64_t{3});
        const QString said = view.progressPage()->header()->text();
        QVERIFY2(said.startsWith(QStringLiteral("6 points")) && said.contains(QStringLiteral("large")) &&
                     said.contains(QStringLiteral("small")),
                 qPrintable(said));
        QCOMPARE(view.progressPage()->choice()->count(), 4); // all, two objectives, the volume
        QVERIFY(view.progressPage()->csv().contains(QStringLiteral("small: time, µs")));
        view.plots()->setCurrentWidget(view.scatterMatrix());
        const int time = 2, rate = 3; // behind the model and past
        view.scatterMatrix()->setShown({time, rate});
        QCOMPARE(view.scatterMatrix()->front(0, 1), (std::vector<int>{1, 2, 5, 3}));
    }

    /// Where there is no room for two plots or for a legend within the axes, the first plot has all of it.
    void aLowPanelShowsOnePlotWithoutItsLegend() {
        SweepData data;
        data.names = QStringList{QStringLiteral("past"), QStringLiteral("target")};
        data.figures.push_back({"area_mm2", QStringLiteral("Area"), QStringLiteral("area, mm²")});
        for (const char* const target : {"aim", "attacc", "hbm-pim", "upmem-4"})
            for (const char* const past : {"1", "2"}) {
                SweepRow row;
                row.values = QStringList{QLatin1String(past), QLatin1String(target)};
                row.ns = 100;
                row.macsPerSecond = 1e9;
                row.figures = {84.5};
                data.rows.push_back(row);
            }
        data.size = std::ssize(data.rows);
        SweepView view;
        view.setData(data);
        view.plots()->setCurrentIndex(0);
        view.show();
        const auto isShown = [](QCustomPlot* plot) {
            plot->replot();
            return plot->legend->realVisibility();
        };
        for (const auto& [height, isLow] :
             {std::pair(600, false), std::pair(150, true), std::pair(600, false)}) {
            view.resize(900, height);
            QTRY_COMPARE(view.figurePlot()->isVisible(), !isLow);
            QTRY_COMPARE(isShown(view.speedupPlot()), !isLow);
        }
    }

    void networksAreCalledByShortNamesThatDiffer() {
        QCOMPARE(networkNames({"sample:tiny-gpt", "/a/b.onnx", "geomean(sample:tiny-gpt,/a/b.onnx)"}),
                 (QStringList{"tiny-gpt", "b", "geomean(tiny-gpt, b)"}));
        const QStringList same{"/a/m.onnx", "/b/m.onnx"};
        QCOMPARE(networkNames({"/a/m.onnx", "/b/m.onnx"}), same);
    }

    /// Made-up points: fronts by what each figure should be, the same picture by shapes and by pixels.
    void whatDiffersInItsLastDigitsIsOneNumber() {
        SweepData data;
        data.names = {QStringLiteral("banks")};
        for (const double digits : {0.0, 3e-8, -2e-8}) { // of a sum in another order
            SweepRow& row = data.rows.emplace_back();
            row.values = {QString::number(data.rows.size())};
            row.ns = 325'700 + digits;
            row.macsPerSecond = 1e9 * double(data.rows.size());
        }
        data.rows.emplace_back(data.rows.front()).error = QStringLiteral("too large");
        const auto columns = pointColumns(data);
        QCOMPARE(columns.size(), std::size_t(3));
        QCOMPARE(columns[1].values[1], columns[1].values[0]);
        QCOMPARE(columns[1].values[2], columns[1].values[0]);
        QVERIFY(std::isnan(columns[1].values[3]));
        QCOMPARE(columns[2].values[1], 2.0); // others stay as they are
    }

    void pairsHaveFrontsByWhatIsBetter() {
        PointBrushes points;
        const auto column = [](const char* name, std::vector<double> values, PointColumn::Better better) {
            PointColumn made;
            made.name = QLatin1String(name);
            made.values = std::move(values);
            made.better = better;
            made.isAxis = better == PointColumn::Better::Unknown;
            return made;
        };
        points.setPoints({column("axis", {1, 2, 3, 4, 5}, PointColumn::Better::Unknown),
                          column("time", {5, 4, 3, std::nan(""), 4}, PointColumn::Better::Less),
                          column("rate", {9, 1, 2, 8, 3}, PointColumn::Better::More),
                          column("cost", {1, 3, 4, 0, 2}, PointColumn::Better::Less)},
                         {true, false, false, false, false});
        ScatterMatrix matrix(points);
        matrix.resize(400, 400);
        matrix.setShown({0, 1, 2, 3});
        QCOMPARE(matrix.front(0, 1), std::vector<int>{});          // an axis is neither good nor bad
        QCOMPARE(matrix.front(1, 2), (std::vector<int>{2, 4, 0})); // little time, much rate
        QCOMPARE(matrix.front(1, 3), (std::vector<int>{2, 4, 0})); // little of both
        QCOMPARE(matrix.front(2, 3), (std::vector<int>{3, 0}));    // much rate, little cost
        QCOMPARE(matrix.rowAt(matrix.pointAt(0, 2, 3)), 3);
        QCOMPARE(matrix.rowAt(matrix.cell(0, 0).center()), -1);
        points.setBrush(3, std::pair(0.0, 2.0));
        QCOMPARE(points.kept(), 3);
        QCOMPARE(matrix.rowAt(matrix.pointAt(0, 2, 1)), -1); // outside of the brush
        QCOMPARE(points.csv().count(u'\n'), 4);
        // Many points at few places: each place has ink, all the rest of the cell has none.
        PointColumn x = column("x", {}, PointColumn::Better::Unknown), y = x;
        y.name = QStringLiteral("y");
        for (int row = 0; row < 5000; ++row) {
            x.values.push_back(row % 5);
            y.values.push_back(row % 5 * (row % 2));
        }
        points.setPoints({x, y}, std::vector<bool>(5000));
        QImage image(400, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        matrix.paint(painter, {400, 400});
        const auto hasInk = [&](QPointF at) {
            bool any = false;
            for (int dx = -2; dx <= 2; ++dx)
                for (int dy = -2; dy <= 2; ++dy)
                    any = any || image.pixelColor(int(at.x()) + dx, int(at.y()) + dy) != color(Role::Canvas);
            return any;
        };
        for (int row = 0; row < 10; ++row)
            QVERIFY(hasInk(matrix.pointAt(0, 1, row)));
        QVERIFY(!hasInk((matrix.pointAt(0, 1, 3) + matrix.pointAt(0, 1, 1)) / 2 - QPointF(0, 20)));
        QVERIFY(!hasInk(matrix.cell(0, 1).center() - QPointF(60, 60)));
    }

    /// Planned here, computed by a process that is paused and goes on, seen while it runs, merged into the project.
    void aCampaignIsPlannedWatchedComputedAndMerged() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("kept.pimproj")),
                      points = folder.filePath(QStringLiteral("points of all"));
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        CampaignWatcher& campaign = *f.panel.campaign();
        campaign.setProgram(QStringLiteral(PIMC));
        QVERIFY(!f.panel.campaignBar()->isVisible());
        campaign.plan(*parseSweep(m_over.toStdString()), points);
        QTRY_VERIFY2_WITH_TIMEOUT(campaign.isRead(), qPrintable(test::lastFailure(f.failures)), 60000);
        CampaignBar& bar = *f.panel.campaignBar();
        QVERIFY(bar.isVisible() && bar.computeButton()->isVisible() && !bar.mergeButton()->isEnabled());
        QCOMPARE(bar.progress()->text(), QStringLiteral("0 of 63 · nobody computes"));
        bar.computeButton()->click();
        QVERIFY(campaign.isComputing());
        QVERIFY(bar.computeButton()->text().contains(QStringLiteral("Pause")));
        QTRY_VERIFY2_WITH_TIMEOUT(!campaign.points().empty(), qPrintable(test::lastFailure(f.failures)),
                                  60000);
        QTRY_COMPARE_WITH_TIMEOUT(f.panel.view()->data().rows.size(), campaign.points().size(), 10000);
        if (campaign.isComputing())
            bar.computeButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!campaign.isComputing(), 60000);
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures))); // to be paused is none
        bar.computeButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(campaign.isComplete(), qPrintable(test::lastFailure(f.failures)), 120000);
        QCOMPARE(campaign.points().size(), std::size_t{63});
        QTRY_COMPARE_WITH_TIMEOUT(bar.progress()->text(), QStringLiteral("63 points, 9 failed"), 10000);
        QVERIFY(!bar.mergeButton()->isEnabled()); // nowhere to keep them
        QVERIFY(bar.mergeButton()->toolTip().contains(QStringLiteral("Save the project")));
        QTRY_VERIFY_WITH_TIMEOUT(!campaign.isComputing(), 60000);
        f.workspace.saveProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project(), 30000);
        SETTLE(f);
        QVERIFY(bar.mergeButton()->isEnabled());
        bar.mergeButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                  qPrintable(test::lastFailure(f.failures)), 60000);
        QVERIFY(!campaign.isOpen() && !bar.isVisible());
        QCOMPARE(f.points(), std::size_t{63});
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->front().finished, std::int64_t{63});
        // Opened again it is complete at once; closed, the sweep is back.
        campaign.open(points);
        QTRY_VERIFY_WITH_TIMEOUT(campaign.isComplete(), 60000);
        QVERIFY(!bar.computeButton()->isVisible());
        bar.closeButton()->click();
        QVERIFY(!campaign.isOpen());
        QCOMPARE(f.panel.view()->data().rows.size(), std::size_t{63});
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void whatIsNoCampaignIsSaid() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.panel.campaign()->open(folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(!f.failures.isEmpty(), 30000);
        QVERIFY(test::lastFailure(f.failures).contains(QStringLiteral("campaign")));
        QVERIFY(!f.panel.campaign()->isOpen());
    }

    void aMapThatGoesTakesItsWorkWithIt() {
        Workspace workspace(m_backends, m_catalog);
        workspace.setTarget(QStringLiteral("dynaplasia"));
        workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        auto map = std::make_unique<SpeedMapView>(workspace);
        QCOMPARE(workspace.tasks()->entries().size(), 1);
        map.reset();
        // or its result would come to somebody who is not there
        QVERIFY(workspace.tasks()->entries().isEmpty());
    }

    void pointsComeWhileItRunsAndAPauseKeepsThem() {
        const OneJob slow;
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        QVERIFY(f.panel.over()->text().contains(QStringLiteral("past="))); // a proposal of its own
        f.panel.over()->setText(m_long);
        QTest::keyClick(f.panel.over(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 2, 120000);
        QVERIFY(f.state() == SweepRunner::State::Running); // and shown before its end
        QVERIFY(f.panel.view()->data().rows.size() >= 2);
        QVERIFY(std::any_of(f.panel.view()->data().rows.begin(), f.panel.view()->data().rows.end(),
                            [](const SweepRow& row) { return row.isOnFront; }));
        QTest::mouseClick(f.panel.pauseButton(), Qt::LeftButton);
        QVERIFY(f.state() == SweepRunner::State::Paused);
        const std::size_t there = f.points();
        const double first = f.panel.runner()->points().front().compileMs;
        QVERIFY(there < kLongPoints);
        QVERIFY(f.panel.pauseButton()->text().contains(QStringLiteral("Resume")));
        QTest::mouseClick(f.panel.pauseButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        QCOMPARE(f.points(), kLongPoints);
        QCOMPARE(f.panel.runner()->points().front().compileMs, first); // not computed again
        QCOMPARE(f.panel.progress()->value(), int(kLongPoints));
        QVERIFY(f.panel.progress()->text().contains(QStringLiteral("9 failed")));
        QVERIFY(f.panel.view()->title()->text().contains(QStringLiteral("9 failed")));
        // one that fails is a row, not a failure
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
        QCOMPARE(f.panel.view()->table()->model()->rowCount(), int(kLongPoints));
    }

    void aProjectGoesOnWithItAfterARestart() {
        const OneJob slow;
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("sweep.pimproj"));
        std::size_t there = 0;
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project(), 30000);
            SETTLE(f);
            f.panel.over()->setText(m_long);
            f.panel.runButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 4, 120000);
            there = f.points();
            QVERIFY(there < kLongPoints);
        } // closed while it runs
        Fixture f(*this);
        f.workspace.openProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Paused, 120000);
        SETTLE(f);
        QVERIFY(f.points() >= there && f.points() < kLongPoints);
        QCOMPARE(f.panel.keptBox()->count(), 1);
        QVERIFY(f.panel.view()->data().rows.size() == f.points()); // shown with what it has
        const SweepPoint first = f.panel.runner()->points().front();
        f.panel.pauseButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                  qPrintable(test::lastFailure(f.failures)), 120000);
        QCOMPARE(f.points(), kLongPoints);
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->front().finished, std::int64_t{kLongPoints});
        QCOMPARE(f.workspace.project()->sweep(f.panel.runner()->id())->points.front().compileMs,
                 first.compileMs);
        // Enter on a row opens it.
        emit f.panel.view()->rowActivated(4);
        QTRY_VERIFY((f.workspace.graphOptions().bindings ==
                     std::map<std::string, std::int64_t>{{"batch", 2}, {"past", 2}}));
        SETTLE(f);
        f.panel.runner()->remove();
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project()->sweeps()->empty(), 30000);
        QVERIFY(f.state() == SweepRunner::State::Empty);
        SETTLE(f);
    }

    /// In a project without a name as in one with: all of it goes along, and the sweep goes on.
    void aSweepThatRunsGoesAlongWhenItsProjectIsSaved() {
        const OneJob slow;
        QTemporaryDir folder;
        Fixture f(*this);
        f.workspace.keepRecovery(folder.filePath(QStringLiteral("recovery")));
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(m_long);
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 4 && f.panel.runner()->id() > 0, 120000);
        const double first = f.panel.runner()->points().front().compileMs;
        f.workspace.saveProject(folder.filePath(QStringLiteral("named.pimproj")));
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.savedProject(), 30000);
        QVERIFY(f.points() >= 4);
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete && f.panel.runner()->id() > 0,
                                  qPrintable(test::lastFailure(f.failures)), 120000);
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->size(), std::size_t{1});
        const auto stored = f.workspace.project()->sweep(f.panel.runner()->id());
        QCOMPARE(stored->points.size(), kLongPoints);
        QCOMPARE(stored->points.front().compileMs, first); // not computed again
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void whatWasSweptBeforeSavingIsSavedToo() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(QStringLiteral("past=1,2,64"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 60000);
        QCOMPARE(f.panel.runner()->id(), std::int64_t{0});
        f.workspace.saveProject(folder.filePath(QStringLiteral("late.pimproj")));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.runner()->id() > 0, 60000);
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->front().finished, std::int64_t{3});
        QCOMPARE(f.workspace.project()->sweeps()->front().failed, std::int64_t{1});
    }

    /// Arrays of a chip: points that are too large are left out and are no failures, the front is by time and area.
    void figuresOfTheMachineVary() {
        Fixture f(*this);
        f.workspace.setTarget(QStringLiteral("dynaplasia"));
        f.workspace.openModel(test::sampleModel("tiny-gpt"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("array.count=24..96+24;area.chip=area.chip*array.count/96;area_mm2<=16"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
        const SweepData& data = f.panel.view()->data();
        QCOMPARE(data.names, (QStringList{"array.count"}));
        QCOMPARE(data.rows.size(), std::size_t{4});
        QVERIFY(data.rows[3].isLeftOut && !data.rows[2].isLeftOut);
        QVERIFY(data.against >= 0 && data.figures[std::size_t(data.against)].key == "area_mm2");
        QVERIFY(f.panel.view()->title()->text().contains(QStringLiteral("1 left out by conditions")));
        QVERIFY(!f.panel.view()->title()->text().contains(QStringLiteral("failed")));
    }

    /// What a person says it costs is what the front is by, beside time.
    void aCostOfOnesOwnMakesTheFront() {
        Fixture f(*this);
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        f.workspace.openModel(test::sampleModel("tiny-gpt"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("group.count=4..64+4;timing.nCCDL=2..6+1;host.memoryBandwidth=400..2000+400;"
                           "cost:=device.count*group.count*(4+24/timing.nCCDL)+host.memoryBandwidth/2"));
        f.panel.runButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                  qPrintable(test::lastFailure(f.failures)), 120000);
        const SweepData& data = f.panel.view()->data();
        QCOMPARE(data.rows.size(), std::size_t{400});
        const auto cost = std::ranges::find(data.figures, std::string("cost"), &SweepFigure::key);
        QVERIFY(cost != data.figures.end());
        const auto onFront = std::ranges::count(data.rows, true, &SweepRow::isOnFront);
        QVERIFY2(onFront >= 3 && onFront < 100, qPrintable(QString::number(onFront)));
        QTabWidget& pages = *f.panel.view()->findChild<QTabWidget*>();
        for (const auto& [page, name] :
             {std::pair("All axes", "sweep-axes"), std::pair("Pairs", "sweep-pairs")}) {
            for (int at = 0; at < pages.count(); ++at)
                if (pages.tabText(at) == QLatin1String(page))
                    pages.setCurrentIndex(at);
            test::helpPicture(f.panel, {1500, 700}, name);
        }
    }

    /// A point of any axes is opened with all of them, whatever model is open.
    void pointsLeadToTheirPlans() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("model=sample:tiny-gpt,sample:mobilenetv2,sum(sample:tiny-gpt,sample:mobilenetv2);"
                           "group.count=8,16;conv=gemm,direct;batch=1,2"));
        f.panel.runButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                  qPrintable(test::lastFailure(f.failures)), 120000);
        const SweepData& data = f.panel.view()->data();
        QCOMPARE(data.names, (QStringList{"model", "group.count", "conv", "batch"}));
        QCOMPARE(data.rows.size(), std::size_t{24});
        for (const int row : {13, 3}) { // mobilenetv2, then tiny-gpt again
            emit f.panel.view()->rowActivated(row);
            const SweepPoint& point = f.panel.runner()->points().at(std::size_t(row));
            QCOMPARE(point.index, std::int64_t{row});
            QTRY_VERIFY2_WITH_TIMEOUT(
                f.workspace.plan() && !f.workspace.isStale() &&
                    f.workspace.modelPath().contains(row == 13 ? "mobilenetv2" : "tiny-gpt"),
                qPrintable(test::lastFailure(f.failures)), 60000);
            SETTLE(f);
            QCOMPARE(f.workspace.plan()->total.totalNs(), point.totalNs);
            QCOMPARE(f.workspace.options().convAsGemm, point.values[2] == "gemm");
            QCOMPARE(f.state(), SweepRunner::State::Complete); // the sweep stays
        }
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
        emit f.panel.view()->rowActivated(20);
        QTRY_VERIFY_WITH_TIMEOUT(!f.failures.isEmpty(), 60000);
        QVERIFY2(test::lastFailure(f.failures).contains(QStringLiteral("2 networks together")),
                 qPrintable(test::lastFailure(f.failures)));
    }

    /// Paused, found again in the project in the order it was computed, gone on with, its front simulated and found again.
    void aSearchIsStartedConfirmedAndFoundAgain() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("search.pimproj"));
        std::vector<std::int64_t> order;
        const auto orderOf = [](const Fixture& f) {
            std::vector<std::int64_t> indices;
            for (const SweepPoint& point : f.panel.runner()->points())
                indices.push_back(point.index);
            return indices;
        };
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project(), 30000);
            SETTLE(f);
            f.panel.over()->setText(
                QStringLiteral("past=8..64;group.count=10..40;timing.nCCDL=1..8+1;timing.nRCDRD=8..24+4"));
            QVERIFY(!f.panel.searchBar()->isVisible());
            f.panel.searches()->click();
            QVERIFY(f.panel.searchBar()->isVisible());
            f.panel.searchBar()->evaluations()->setValue(60);
            f.panel.searchBar()->objectives()->setText(QStringLiteral("total_ns, macs_per_s"));
            f.panel.runButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 12, 120000);
            f.panel.pauseButton()->click();
            QVERIFY(f.state() == SweepRunner::State::Paused);
            f.panel.pauseButton()->click();
            QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                      qPrintable(test::lastFailure(f.failures)), 120000);
            QCOMPARE(f.points(), std::size_t{60});
            QVERIFY2(f.panel.progress()->text().contains(QStringLiteral("60 points of a search")),
                     qPrintable(f.panel.progress()->text()));
            QVERIFY(
                (f.panel.view()->data().objectives == std::vector<std::string>{"total_ns", "macs_per_s"}));
            order = orderOf(f);
            SETTLE(f);
        }
        QVERIFY(!std::ranges::is_sorted(order));
        std::vector<bool> front;
        {
            Fixture f(*this);
            f.workspace.openProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
            SETTLE(f);
            QCOMPARE(orderOf(f), order);
            const auto predicted = timesOf(f.panel.view()->data());
            f.panel.margin()->setValue(2);
            f.panel.confirmButton()->click();
            QVERIFY(f.panel.runner()->isConfirming());
            QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                      qPrintable(test::lastFailure(f.failures)), 120000);
            QVERIFY(f.panel.runner()->simulated() > 0 && f.panel.runner()->simulated() < 60);
            const SweepData& data = f.panel.view()->data();
            QCOMPARE(orderOf(f), order);
            QVERIFY(timesOf(data) == predicted);
            QCOMPARE(data.objectives.front(), std::string("simulated_ns"));
            for (const SweepRow& row : data.rows)
                front.push_back(row.isOnFront);
            QVERIFY(std::ranges::count(front, true) > 0);
            SETTLE(f);
        }
        Fixture f(*this);
        f.workspace.openProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        SETTLE(f);
        std::vector<bool> again;
        for (const SweepRow& row : f.panel.view()->data().rows)
            again.push_back(row.isOnFront);
        QCOMPARE(again, front);
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void whatCannotBeSweptIsSaid() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(QStringLiteral("length=1,2"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.failures.isEmpty(), 60000);
        QVERIFY2(test::lastFailure(f.failures).contains(QStringLiteral("batch, past")),
                 qPrintable(test::lastFailure(f.failures)));
        QVERIFY(f.state() == SweepRunner::State::Empty);
        f.panel.over()->setText(QStringLiteral("past=8..4"));
        f.panel.runButton()->click();
        QVERIFY(f.state() == SweepRunner::State::Empty);
    }
};

QTEST_MAIN(TestViewsSweep)
#include "tst_views_sweep.moc"
