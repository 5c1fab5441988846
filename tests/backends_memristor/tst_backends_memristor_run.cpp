// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Calls of the driver in time: totals are those of the model, parts add up, tiles do one thing at a time.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/memristor/tile_run.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/parse.h"
#include "tests/backends_memristor/gemm_module.h"

#include <cmath>

using namespace pim::ir;
using namespace pim::memristor;
using namespace pim::test;
using pim::Shape;

namespace {

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

QString overlaps(const pim::Timeline& timeline) {
    for (std::size_t t = 0; t < timeline.tracks.size(); ++t)
        for (std::size_t i = timeline.firstSpan[t]; i + 1 < timeline.firstSpan[t + 1]; ++i) {
            const auto &a = timeline.spans[i], &b = timeline.spans[i + 1];
            if (a.startNs + a.durationNs > b.startNs * (1 + 1e-6) + 1e-3)
                return QString("track %1: %2 + %3 > %4")
                    .arg(t)
                    .arg(a.startNs)
                    .arg(a.durationNs)
                    .arg(b.startNs);
        }
    return {};
}

} // namespace

class TestTileRun : public QObject {
    Q_OBJECT
private slots:
    void totalsAreThoseOfTheModel() {
        std::uint64_t random = 21;
        for (int i = 0; i < 300; ++i) {
            const bool wide = i % 2 == 1;
            const Shape sizes{upTo(50, random), upTo(50, random), upTo(50, random)};
            const TileMapping mapping = randomMapping(random);
            const Module program = loweredToCalls(gemmOf(wide ? Scalar::I32 : Scalar::I8, sizes), mapping);
            OccDevice device;
            device.hostWordNs = 0;
            const auto run = runTiles(program, "main", device);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            TileCounts counts =
                countsOf(paddedShape({sizes[0], sizes[1], sizes[2]}, mapping), mapping, wide ? 4 : 1);
            QCOMPARE(run->counts.tileWrites, counts.tileWrites);
            QCOMPARE(run->counts.products, counts.products);
            QCOMPARE(run->counts.merges, counts.products);
            QCOMPARE(run->counts.wordsWritten, counts.wordsWritten);
            QCOMPARE(run->counts.wordsRead, counts.wordsRead);
            QCOMPARE(run->counts.matrixBytes, counts.matrixBytes);
            // One port and a host that takes no time: the time of the counters.
            QVERIFY2(near(run->ns, costOf(counts, device).ns), qPrintable(QString::number(run->ns)));
        }
    }

    void publishedCountersComeOutOfTheProgram() {
        TileMapping mapping; // OCC's 1mm: 128 x 128 x 128, tiled
        const auto run = runTiles(loweredToCalls(gemmOf(Scalar::I8, {128, 128, 128}), mapping), "main");
        QVERIFY(run);
        QCOMPARE(run->counts.wordsWritten, std::int64_t{16512});
        QCOMPARE(run->counts.wordsRead, std::int64_t{8192});
        mapping.order = {'k', 'n', 'm'};
        const auto fewer = runTiles(loweredToCalls(gemmOf(Scalar::I8, {128, 128, 128}), mapping), "main");
        QVERIFY(fewer);
        QCOMPARE(fewer->counts.wordsWritten, std::int64_t{12352});
        QCOMPARE(fewer->counts.tileWrites, std::int64_t{4});
    }

    void partsAddUp() {
        std::uint64_t random = 5;
        for (int i = 0; i < 200; ++i) {
            const Shape sizes{upTo(40, random), upTo(40, random), upTo(40, random)};
            const auto schedule = i % 2 ? TileSchedule::Asap : TileSchedule::Alap;
            TileRunOptions options;
            options.sharedPort = i % 3 == 0;
            options.drawLate = i % 5 == 0;
            options.mostSpans = 10'000'000;
            const auto run =
                runTiles(loweredToCalls(gemmOf(Scalar::I32, sizes), randomMapping(random), schedule), "main",
                         {}, options);
            QVERIFY(run);
            QVERIFY(near(run->mergeNs + run->waitNs, run->ns));
            double busy = 0;
            for (const TileTime& tile : run->tiles) {
                QVERIFY(near(tile.writeNs + tile.rowsNs + tile.resultsNs + tile.idleNs, run->ns));
                QVERIFY(tile.idleNs > -1e-6);
                busy += tile.writeNs + tile.rowsNs + tile.resultsNs;
            }
            QVERIFY(near(busy, run->cost.ns));
            QCOMPARE(overlaps(run->timeline), QString());
            QVERIFY(near(run->timeline.endNs, run->ns));
            double drawn = 0;
            for (const auto& span : run->timeline.spans)
                drawn += span.durationNs;
            QVERIFY(std::abs(drawn - busy - run->mergeNs) < 1e-5 * drawn);
        }
    }

    void tilesWorkAtTheSameTime() {
        TileMapping one, four;
        one.size = four.size = 16;
        four.unroll = 4;
        TileRunOptions own;
        own.sharedPort = false;
        const auto ns = [&](const TileMapping& mapping, TileSchedule schedule,
                            const TileRunOptions& options) {
            const Module program = loweredToCalls(gemmOf(Scalar::I8, {64, 64, 64}), mapping, schedule);
            return runTiles(program, "main", {}, options)->ns;
        };
        const double alone = ns(one, TileSchedule::Asap, own), together = ns(four, TileSchedule::Asap, own);
        QVERIFY2(alone / together > 3.5, qPrintable(QString::number(alone / together)));
        QVERIFY(ns(four, TileSchedule::Asap, own) <= ns(four, TileSchedule::Alap, own));
        // Words of one port follow one another, however many tiles there are; merges alone overlap.
        QVERIFY(ns(four, TileSchedule::Asap, {}) > 0.9 * ns(one, TileSchedule::Asap, {}));
    }

    void lateIsLaterAndNotLonger() { // tiles of high digits have fewer products
        TileMapping mapping;
        mapping.size = 16;
        mapping.unroll = 3;
        const Module program = loweredToCalls(gemmOf(Scalar::I32, {20, 90, 33}), mapping, TileSchedule::Alap);
        TileRunOptions soon;
        soon.sharedPort = false;
        TileRunOptions late = soon;
        late.drawLate = true;
        const auto a = runTiles(program, "main", {}, soon), b = runTiles(program, "main", {}, late);
        QVERIFY(a && b);
        QCOMPARE(a->ns, b->ns);
        QCOMPARE(a->timeline.spans.size(), b->timeline.spans.size());
        bool moved = false;
        for (std::size_t i = 0; i < a->timeline.spans.size(); ++i) {
            QVERIFY(b->timeline.spans[i].startNs >= a->timeline.spans[i].startNs);
            moved |= b->timeline.spans[i].startNs > a->timeline.spans[i].startNs;
        }
        QVERIFY(moved);
    }

    void longRunsAreDrawnInPart() {
        TileRunOptions options;
        options.mostSpans = 100;
        const auto run = runTiles(loweredToCalls(gemmOf(Scalar::I8, {64, 64, 64}), {8}), "main", {}, options);
        QVERIFY(run);
        QCOMPARE(run->timeline.spans.size(), std::size_t{100});
        QCOMPARE(run->timeline.runNs, run->ns);
        QVERIFY(run->timeline.endNs < run->ns);
    }

    void allBenchmarksRun() {
        for (const Benchmark& benchmark : benchmarks()) {
            const auto run = runTiles(loweredToCalls(build(benchmark, benchmark.small), {}), "main");
            QVERIFY2(run, qPrintable(QString::fromUtf8(benchmark.name.data()) +
                                     (run ? "" : run.error().text().c_str())));
        }
    }

    void saysWhatItCannotDo() {
        const Module program = loweredToCalls(gemmOf(Scalar::I8, {64, 64, 64}), {8});
        TileRunOptions few;
        few.mostCalls = 10;
        const auto many = runTiles(program, "main", {}, few);
        QVERIFY(!many && many.error().message == "more than 10 calls");
        QVERIFY(!runTiles(program, "other"));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = runTiles(loweredToCalls(gemmOf(Scalar::I8, {256, 256, 256}), {4}), "main", {},
                                        {}, {.stop = stop.get_token()});
        QVERIFY(!cancelled && cancelled.error().code == pim::ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestTileRun)
#include "tst_backends_memristor_run.moc"
