// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A heatmap of 2048 x 2048 cores as the Tiles panel draws it, offscreen: values handed over until the first
/// paint, and a paint after each step of the wheel. Ceilings 60 ms and 5 ms.
#include <QTest> // first: moc of Qt 6.4 cannot read <compare> before a standard header
#include <string>

#include "views/tiles/heatmap.h"

#include <QElapsedTimer>
#include <QImage>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace pim::views;

class BenchHeatmap : public QObject {
    Q_OBJECT
    static constexpr int kCells = 2048;
    static double percentile(std::vector<double> values, double share) {
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
    /// Time of the processor, which other programs on the machine do not add to.
    static double busyMs() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

    static std::vector<double> values(double phase, bool signs) {
        std::vector<double> made(static_cast<std::size_t>(kCells) * kCells);
        for (int group = 0; group < kCells; ++group)
            for (int core = 0; core < kCells; ++core) {
                const double wave = std::sin(group * 0.01 + phase) * std::cos(core * 0.013);
                // A strip of cores without work, as most drafts leave one.
                made[static_cast<std::size_t>(group) * kCells + static_cast<std::size_t>(core)] =
                    group > kCells - 40 ? kNoCell : (signs ? wave : 4096 + 4000 * wave);
            }
        return made;
    }

    struct Times {
        std::vector<double> wall, busy;
    };
    template <class Work>
    static void take(Times& times, Work work) {
        QElapsedTimer one;
        one.start();
        const double before = busyMs();
        work();
        times.busy.push_back(busyMs() - before);
        times.wall.push_back(static_cast<double>(one.nsecsElapsed()) / 1e6);
    }
    static void check(const char* what, const Times& times, double ceilingMs) {
        qInfo("%s: processor median %.2f ms, p95 %.2f ms; on the clock median %.2f ms, p95 %.2f ms over %zu",
              what, percentile(times.busy, 0.5), percentile(times.busy, 0.95), percentile(times.wall, 0.5),
              percentile(times.wall, 0.95), times.wall.size());
#ifdef NDEBUG
        // the median: what one step of the wheel takes
        QVERIFY2(percentile(times.busy, 0.5) <= ceilingMs, what);
#else
        Q_UNUSED(ceilingMs);
#endif
    }

private slots:
    void paints_data() {
        QTest::addColumn<bool>("difference");
        QTest::newRow("one draft") << false;
        QTest::newRow("difference of two") << true;
    }
    void paints() {
        QFETCH(bool, difference);
        Heatmap map(QStringLiteral("bench"), QStringLiteral("bench"));
        map.resize(900, 700);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QImage frame(map.size(), QImage::Format_ARGB32_Premultiplied);
        // setValues() asks for a replot in the next turn of the event loop; here it is done at once.
        const auto paint = [&] {
            map.plot()->replot(QCustomPlot::rpImmediateRefresh);
            map.render(&frame);
        };
        Times first, zoom;
        for (int i = 0; i < 20; ++i) {
            const auto cells = values(i, difference);
            take(first, [&] {
                map.setValues(kCells, kCells, cells, QStringLiteral("bytes"),
                              difference ? Heatmap::Scale::Diverging : Heatmap::Scale::Sequential);
                paint();
            });
        }
        check("  first paint", first, 60);
        for (int i = 0; i < 120; ++i) {
            const double factor = i % 60 < 30 ? 0.85 : 1 / 0.85;
            take(zoom, [&] {
                map.plot()->xAxis->scaleRange(factor, 700);
                map.plot()->yAxis->scaleRange(factor, 900);
                paint();
            });
        }
        check("  zoomed", zoom, 5);
        QVERIFY(frame.pixelColor(frame.width() / 3, frame.height() / 3).isValid());
    }
};

QTEST_MAIN(BenchHeatmap)
#include "bench_heatmap.moc"
