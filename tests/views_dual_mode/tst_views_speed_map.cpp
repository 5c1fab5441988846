// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The heatmap over compute and memory arrays and the lines of a sweep: pixels, words, ticks, figures.
#include <QTest>
#include <string>

#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/dual_mode/speed_map_view.h"
#include "views/sweep/sweep_view.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>

#include <qcustomplot.h>

#include <cmath>

using namespace pim;
using namespace pim::views;

namespace {

/// max(a / c, b / (1 + m)), inverted and scaled to its best: the shape of the real thing.
SpeedGrid sampleGrid(int arrays) {
    SpeedGrid made;
    made.width = arrays;
    made.height = arrays;
    made.firstX = 1;
    made.firstY = 0;
    made.xName = QStringLiteral("compute arrays");
    made.yName = QStringLiteral("memory arrays");
    made.valueName = QStringLiteral("of the best speed");
    made.what = QStringLiteral("sample on dynaplasia");
    made.values.assign(static_cast<std::size_t>(arrays * arrays), std::nanf(""));
    double best = 0;
    const auto speed = [](int c, int m) { return 1 / std::max(40.0 / c, 30.0 / (8 + 2 * m)); };
    for (int c = 1; c <= arrays; ++c)
        for (int m = 0; c + m <= arrays; ++m)
            if (speed(c, m) > best) {
                best = speed(c, m);
                made.bestX = c;
                made.bestY = m;
            }
    for (int c = 1; c <= arrays; ++c)
        for (int m = 0; c + m <= arrays; ++m)
            made.values[static_cast<std::size_t>(m * arrays + c - 1)] =
                static_cast<float>(speed(c, m) / best);
    return made;
}

SweepData sampleSweep() {
    SweepData made;
    made.what = QStringLiteral("BERT on dynaplasia");
    made.baseline = QStringLiteral("all arrays compute (CIM-MLC-like)");
    made.names = QStringList{QStringLiteral("sequence length"), QStringLiteral("batch")};
    made.figures = {
        {"memory_share", QStringLiteral("Memory share"), QStringLiteral("memory arrays, %"), true}};
    for (const int batch : {1, 4, 16})
        for (int length = 32; length <= 2048; length *= 2) {
            SweepRow row;
            row.values = {QString::number(length), QString::number(batch)};
            row.ns = 1e6 * length * batch;
            row.baselineNs = row.ns * (1 + 0.6 / std::log2(length) * (1 + 1.0 / batch));
            row.macsPerSecond = 1e9 * std::sqrt(double(length));
            row.figures = {0.4 / std::log2(length)};
            row.isBest = length == 2048 && batch == 16;
            row.isOnFront = batch == 1;
            made.rows.push_back(row);
        }
    return made;
}

} // namespace

class TestViewsSpeedMap : public QObject {
    Q_OBJECT
private slots:
    void init() { applyTheme(Theme::Light); }

    void cellsHaveTheColourOfTheirSpeed() {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            SpeedMapView view;
            view.resize(700, 500);
            const SpeedGrid grid = sampleGrid(96);
            view.setGrid(grid);
            view.show();
            view.plot()->replot();
            const QImage image = view.plot()->grab().toImage();
            const auto at = [&](int c, int m) {
                return image.pixelColor(static_cast<int>(view.plot()->xAxis->coordToPixel(c)),
                                        static_cast<int>(view.plot()->yAxis->coordToPixel(m)));
            };
            for (const auto& [c, m] : {std::pair(10, 5), std::pair(30, 30), std::pair(70, 4)}) {
                const QColor wanted = sequential(grid.at(c, m)), got = at(c, m);
                QVERIFY2(std::abs(wanted.red() - got.red()) + std::abs(wanted.green() - got.green()) +
                                 std::abs(wanted.blue() - got.blue()) <
                             24,
                         qPrintable(wanted.name() + QLatin1Char(' ') + got.name()));
            }
            // More arrays than there are: nothing, not a slow mix.
            QCOMPARE(at(88, 45), view.plot()->palette().color(QPalette::Base));
        }
    }

    void wordsTellTheBestMixAndWhatIsUnderThePointer() {
        SpeedMapView view;
        view.resize(700, 500);
        const SpeedGrid grid = sampleGrid(96);
        view.setGrid(grid, {{40, 20, 0.7, QStringLiteral("segment 1")},
                            {60, 10, 0.3, QStringLiteral("segment 2")},
                            {60, 10, 0.0, QStringLiteral("segment 3")}});
        view.show();
        view.plot()->replot();
        QVERIFY(view.title()->text().contains(QString::number(grid.bestX)) &&
                view.title()->text().contains(QStringLiteral("compute arrays")));
        const auto words = [&](double c, double m) {
            return view.describe({view.plot()->xAxis->coordToPixel(c), view.plot()->yAxis->coordToPixel(m)});
        };
        QVERIFY2(words(20, 60).startsWith(QStringLiteral("20 compute arrays, 60 memory arrays: ")) &&
                     words(20, 60).contains(QLatin1Char('%')),
                 qPrintable(words(20, 60)));
        QVERIFY(words(90, 60).contains(QStringLiteral("more than there are")));
        QVERIFY2(words(60.3, 10.2).contains(QStringLiteral("segment 2, segment 3")) &&
                     words(60.3, 10.2).contains(QStringLiteral("30.0 % of the time")),
                 qPrintable(words(60.3, 10.2)));
        QTest::mouseMove(
            view.plot(),
            QPointF(view.plot()->xAxis->coordToPixel(20), view.plot()->yAxis->coordToPixel(60)).toPoint());
        QTRY_VERIFY(view.hover()->text().startsWith(QStringLiteral("20 compute arrays")));
    }

    void aGridWithoutCellsShowsWhatIsMissing() {
        SpeedMapView view;
        view.show();
        SpeedGrid broken = sampleGrid(8);
        broken.values.pop_back(); // sizes do not agree
        view.setGrid(broken);
        QVERIFY(!view.plot()->isVisible());
        view.setGrid(sampleGrid(8));
        QVERIFY(view.plot()->isVisible());
        QVERIFY(std::isnan(view.grid().at(0, 0)) && std::isnan(view.grid().at(9, 0)) &&
                std::isfinite(view.grid().at(8, 0)));
    }

    void aSweepIsALineForEachBatch() {
        SweepView view;
        view.resize(900, 600);
        view.setData(sampleSweep());
        view.show();
        QCOMPARE(view.speedupPlot()->graphCount(), 3);
        QCOMPARE(view.speedupPlot()->graph(1)->name(), QStringLiteral("batch 4"));
        QCOMPARE(view.speedupPlot()->graph(1)->dataCount(), 7);
        QCOMPARE(view.speedupPlot()->xAxis->scaleType(), QCPAxis::stLogarithmic);
        QVERIFY(view.speedupPlot()->yAxis->range().lower == 0); // lines are not made steep by a cut axis
        QVERIFY(view.title()->text().contains(QStringLiteral("CIM-MLC")) &&
                view.title()->text().contains(QStringLiteral("21")));
        QAbstractItemModelTester tester(view.table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QString csv = view.table()->text(TableView::Format::Csv, false);
        QVERIFY2(csv.startsWith(QStringLiteral(
                     "sequence_length,batch,total_ns,baseline_ns,speedup,macs_per_s,marks,memory_share")),
                 qPrintable(csv.left(120)));
        QVERIFY(csv.contains(QStringLiteral("32,4,1.28e+08,")));
        QCOMPARE(view.figurePlot()->yAxis->label(), QStringLiteral("memory arrays, %"));
        QCOMPARE(view.figurePlot()->graph(0)->data()->at(0)->value, 8.0); // 0.4 / log2 of 32
        SweepData other = sampleSweep();
        other.figures.clear();
        view.setData(other);
        QVERIFY(!view.figurePlot()->isVisibleTo(&view));
        view.setData(sampleSweep());
        QSignalSpy activated(&view, &SweepView::rowActivated);
        emit view.table()->activated(view.table()->model()->index(3, 0));
        QCOMPARE(activated.front().front().toInt(), 3);
    }

    void aFailedRowIsToldNotDrawn() {
        SweepData data = sampleSweep();
        data.rows[2].error = QStringLiteral("needs 120 of 96 arrays");
        SweepView view;
        view.setData(data);
        QCOMPARE(view.speedupPlot()->graph(0)->dataCount(), 6);
        QVERIFY(view.title()->text().contains(QStringLiteral("1 failed")));
        QCOMPARE(view.table()->model()->index(2, 6).data().toString(), QStringLiteral("failed"));
        QCOMPARE(view.table()->model()->index(2, 2).data().toString(), QStringLiteral("–"));
        QCOMPARE(view.table()->model()->index(2, 2).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("needs 120 of 96 arrays"));
    }

    void oneDimensionOrOneRowIsEnough() {
        SweepData data;
        data.names = QStringList{QStringLiteral("batch")};
        data.rows.resize(1);
        data.rows[0].values = QStringList{QStringLiteral("4")};
        data.rows[0].ns = 100;
        data.rows[0].baselineNs = 150;
        SweepView view;
        view.show();
        view.setData(data);
        QCOMPARE(view.speedupPlot()->graphCount(), 1);
        view.setData({});
        QVERIFY(!view.table()->isVisible());
    }

    void moreRowsKeepTheSelection() {
        SweepData all = sampleSweep(), some = all;
        some.rows.resize(3);
        SweepView view;
        view.show();
        view.setData(some);
        view.table()->selectRow(1);
        all.rows[1].isBest = true;
        view.setData(all);
        QCOMPARE(view.table()->model()->rowCount(), 21);
        QCOMPARE(view.table()->currentIndex().row(), 1);
        QVERIFY(view.table()->model()->index(1, 6).data().toString().contains(QStringLiteral("best")));
        view.findChild<QTabWidget*>()->setCurrentWidget(
            view.frontPlot()); // pages are filled when they are looked at
        QCOMPARE(view.frontPlot()->graphCount(), 2);
        QCOMPARE(view.frontPlot()->graph(0)->dataCount(), 21);
        QCOMPARE(view.frontPlot()->graph(1)->dataCount(), 7);
    }

    void wordsHaveTicksToo() {
        SweepData data;
        data.names = QStringList{QStringLiteral("target")};
        for (const char* target : {"attacc", "hbm-pim"}) {
            SweepRow& row = data.rows.emplace_back();
            row.values = QStringList{QString::fromLatin1(target)};
            row.ns = 100;
            row.baselineNs = 200;
        }
        SweepView view;
        view.show();
        view.setData(data);
        QCOMPARE(view.speedupPlot()->graph(0)->dataCount(), 2);
        QCOMPARE(view.speedupPlot()->graph(0)->lineStyle(), QCPGraph::lsNone); // nothing lies between
        const auto ticks =
            qSharedPointerCast<QCPAxisTickerText>(view.speedupPlot()->xAxis->ticker())->ticks();
        QCOMPARE(ticks.value(1), QStringLiteral("hbm-pim"));
        QVERIFY(!view.figurePlot()->isVisible()); // no arrays that may be memory
    }

    void picturesAtTwoSizesInTwoThemes() {
        const QString wanted = qEnvironmentVariable("PIM_TEST_PICTURES");
        QTemporaryDir own;
        const QDir folder(wanted.isEmpty() ? own.path() : wanted);
        for (const Theme theme : {Theme::Light, Theme::Dark})
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
                applyTheme(theme);
                const QString name =
                    QStringLiteral("%1-%2.png")
                        .arg(theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                        .arg(size.width());
                const auto save = [&](QWidget& view, const QString& what) {
                    QCoreApplication::processEvents();
                    QVERIFY(view.grab().toImage().save(folder.filePath(what + name)));
                };
                SpeedMapView map;
                map.resize(size);
                map.setGrid(sampleGrid(96), {{60, 30, 0.5, QStringLiteral("segment 1")},
                                             {84, 0, 0.2, QStringLiteral("segment 2")},
                                             {40, 12, 0.05, QStringLiteral("segment 3")}});
                map.show();
                save(map, QStringLiteral("speed_map-"));
                SweepView sweep;
                sweep.resize(size);
                sweep.setData(sampleSweep());
                sweep.show();
                save(sweep, QStringLiteral("sweep-"));
            }
    }
};

QTEST_MAIN(TestViewsSpeedMap)
#include "tst_views_speed_map.moc"
