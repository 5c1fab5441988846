// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A million spans at 1600 x 1000, drawn offscreen: time to prepare and time of a frame. Ceiling 16.7 ms (60
/// frames a second).
#include "../views_timeline/sample_timeline.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTest>

#include <cmath>
#include <ctime>

using namespace pim;
using namespace pim::views;

class BenchTimeline : public QObject {
    Q_OBJECT
    static double percentile(std::vector<double> values, double share) {
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
    /// Time of the processor, which other programs on the machine do not add to.
    static double busyMs() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
    static double ms(const QElapsedTimer& timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e6; }
    struct Frames {
        std::vector<double> wall, busy;
    };
    static void check(const QString& what, const Frames& frames) {
        qInfo("%s: processor median %.2f ms, p95 %.2f ms; on the clock median %.2f ms, p95 %.2f ms over %zu "
              "frames",
              qPrintable(what), percentile(frames.busy, 0.5), percentile(frames.busy, 0.95),
              percentile(frames.wall, 0.5), percentile(frames.wall, 0.95), frames.wall.size());
#ifdef NDEBUG
        QVERIFY2(percentile(frames.busy, 0.95) <= 16.7, "slower than 60 frames a second");
#endif
    }

private slots:
    void paints_data() {
        QTest::addColumn<int>("arrays");
        QTest::addColumn<int>("segments");
        QTest::addColumn<int>("bursts");
        QTest::addRow("96 arrays, 300 segments") << 96 << 300 << 36;
        QTest::addRow("96 arrays, 5000 segments") << 96 << 5600 << 1;
        QTest::addRow("1024 arrays, 100 segments") << 1024 << 100 << 9;
    }
    void paints() {
        QFETCH(int, arrays);
        QFETCH(int, segments);
        QFETCH(int, bursts);
        const auto timeline = test::sampleTimeline(arrays, segments, bursts);
        QVERIFY2(timeline->spans.size() >= 950'000, qPrintable(QString::number(timeline->spans.size())));
        double before = busyMs();
        const auto levels = std::make_shared<const TimelineLevels>(*timeline);
        const double levelsMs = busyMs() - before;
        TimelineCanvas canvas;
        canvas.resize(1600, 1000);
        before = busyMs();
        canvas.setTimeline(timeline, levels);
        qInfo("%zu spans on %zu tracks: levels %.1f ms on a worker thread, %.1f MB; ready to draw after %.1f "
              "ms more",
              timeline->spans.size(), timeline->tracks.size(), levelsMs,
              static_cast<double>(levels->bytes()) / 1e6, busyMs() - before);
#ifdef NDEBUG
        QVERIFY(levelsMs < 500);
#endif
        QImage frame(canvas.size(), QImage::Format_ARGB32_Premultiplied);
        const auto draw = [&](Frames& frames) {
            QElapsedTimer one;
            one.start();
            const double begin = busyMs();
            canvas.render(&frame);
            frames.busy.push_back(busyMs() - begin);
            frames.wall.push_back(ms(one));
        };
        const double end = timeline->endNs;
        canvas.render(&frame); // the strip of the whole run is drawn once

        Frames full, zoom, held, selected;
        for (int i = 0; i < 60; ++i) { // every frame a window of its own, all but the whole
            canvas.setWindow(0, end * (1 - 0.0005 * (i + 1)));
            draw(full);
        }
        check(QStringLiteral("  full view"), full);
        for (const double share : {0.2, 0.02, 0.002, 0.0001}) {
            Frames pan;
            for (int i = 0; i < 120; ++i) {
                const double from = end * (0.3 + 0.2 * std::sin(i * 0.05));
                canvas.setWindow(from, from + end * share);
                draw(pan);
            }
            check(QStringLiteral("  pan at 1/%1").arg(1 / share), pan);
        }
        canvas.fit();
        for (int i = 0; i < 160; ++i) {
            canvas.zoomAt(end * 0.4, i % 80 < 40 ? 1.25 : 0.8);
            draw(zoom);
        }
        check(QStringLiteral("  zoom in and out, 7500 times"), zoom);
        canvas.fit();
        canvas.setPinned(5, true);
        canvas.moveLane(2, false);
        canvas.setFlags({{1, end * 0.2, end * 0.3, QStringLiteral("a note")},
                         {2, end * 0.5, end * 0.5, QStringLiteral("b")}});
        canvas.render(&frame);
        Frames arranged;
        for (int i = 0; i < 60; ++i) {
            canvas.setWindow(0, end * (1 - 0.0005 * (i + 1)));
            draw(arranged);
        }
        check(QStringLiteral("  full view, lanes pinned and moved, notes"), arranged);
        std::vector<bool> half(timeline->labels.size());
        for (std::size_t op = 0; op < half.size(); op += 2)
            half[op] = true;
        before = busyMs();
        const auto part = partOf(*timeline, half);
        qInfo("  half of the ops to stand out: %.1f ms on a worker thread", busyMs() - before);
        canvas.setBrightPart(part);
        Frames filtered;
        for (int i = 0; i < 60; ++i) {
            canvas.setWindow(0, end * (1 - 0.0005 * (i + 1)));
            draw(filtered);
        }
        check(QStringLiteral("  full view, half of the ops dimmed"), filtered);
        canvas.setBrightPart(nullptr);
        before = busyMs();
        const auto limits = std::make_shared<const Limits>(limitsOf(*timeline));
        const auto chain = partOf(*timeline, limits->path);
        qInfo("  critical path of %td pieces: %.1f ms on a worker thread", std::ssize(limits->path),
              busyMs() - before);
        canvas.setPath({limits, &limits->path}, chain);
        Frames walked;
        for (int i = 0; i < 60; ++i) {
            canvas.setWindow(0, end * (1 - 0.0005 * (i + 1)));
            draw(walked);
        }
        check(QStringLiteral("  full view, critical path"), walked);
        canvas.setPath(nullptr, nullptr);
        canvas.setSelectedOp(5);
        for (int i = 0; i < 60; ++i) {
            canvas.setWindow(0, end * (1 - 0.0005 * (i + 1)));
            draw(selected);
        }
        check(QStringLiteral("  full view, one op selected"), selected);
        for (int i = 0; i < 60; ++i) {
            canvas.setCurrentSpan(timeline->firstSpan[1] + static_cast<std::size_t>(i), false);
            draw(held);
        }
        check(QStringLiteral("  pointer moves, window stays"), held);
    }
};

QTEST_MAIN(BenchTimeline)
#include "bench_timeline.moc"
