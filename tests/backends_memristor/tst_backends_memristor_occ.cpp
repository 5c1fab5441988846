// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/memristor/occ.h"
#include "tests/support/golden_csv.h"

#include <cmath>

using namespace pim::memristor;

class TestOcc : public QObject {
    Q_OBJECT
private slots:
    /// Words and time of every published row of a program whose products are known.
    void meetsThePublishedCounters() {
        const auto rows = pim::test::goldenRows("cinm/occ_gem5_stats.csv");
        QVERIFY(!rows.empty());
        int met = 0;
        for (const auto& row : rows) {
            const QString config = row["config"];
            const qsizetype dash = config.indexOf('-');
            const auto mapping = occConfiguration(config.mid(dash + 1).toStdString());
            const auto benchmark =
                std::ranges::find(occBenchmarks(), config.left(dash).toStdString(), &OccBenchmark::name);
            if (!mapping || benchmark == occBenchmarks().end() || !benchmark->exact)
                continue;
            TileCounts counts;
            for (const GemmShape& gemm : benchmark->gemms)
                counts += countsOf(gemm, *mapping);
            QCOMPARE(counts.wordsWritten, row["cim_writes_words"].toLongLong());
            QCOMPARE(counts.wordsRead, row["cim_reads_words"].toLongLong());
            QVERIFY(std::abs(costOf(counts).ns * 1e-9 / row["cim_runtime_s"].toDouble() - 1) < 1e-9);
            ++met;
        }
        QCOMPARE(met, 65);
    }

    void writesAreExplained() {
        const auto formula = [](const char* order, bool wholeRows, bool holdLeft) {
            TileMapping mapping;
            std::copy_n(order, 3, mapping.order.begin());
            mapping.wholeRows = wholeRows;
            mapping.holdLeft = holdLeft;
            return QString::fromStdString(writesFormula({256, 128, 192}, mapping));
        };
        QCOMPARE(formula("mnk", false, false), QString("⌈m/64⌉ ⌈k/64⌉ ⌈n/64⌉ = 4 × 2 × 3 = 24 tile writes"));
        QCOMPARE(formula("knm", false, false), QString("⌈k/64⌉ ⌈n/64⌉ = 2 × 3 = 6 tile writes"));
        QCOMPARE(formula("mnk", true, false), QString("⌈k/64⌉ ⌈n/64⌉ = 2 × 3 = 6 tile writes"));
        QCOMPARE(formula("knm", false, true), QString("⌈k/64⌉ ⌈m/64⌉ = 2 × 4 = 8 tile writes"));
    }

    /// Convolutions as im2col: within 5 %. Of conv2d the sheet has one run under all names but "cim" (the host's instructions
    /// are the same, too): that of min-writes.
    void meetsConvolutionsNearly() {
        int met = 0;
        for (const auto& row : pim::test::goldenRows("cinm/occ_gem5_stats.csv")) {
            const QString config = row["config"];
            const qsizetype dash = config.indexOf('-');
            const auto benchmark =
                std::ranges::find(occBenchmarks(), config.left(dash).toStdString(), &OccBenchmark::name);
            if (benchmark == occBenchmarks().end() || benchmark->exact || config.endsWith("-arm"))
                continue;
            std::string name = config.mid(dash + 1).toStdString();
            if (benchmark->name == "conv2d" && name != "cim")
                name = "cim-min-writes";
            const TileCounts counts = countsOf(benchmark->gemms.front(), *occConfiguration(name));
            const auto off = [](std::int64_t found, const QString& published) {
                return std::abs(static_cast<double>(found) / published.toDouble() - 1);
            };
            QVERIFY2(off(counts.wordsWritten, row["cim_writes_words"]) < 0.05, qPrintable(config));
            QVERIFY2(off(counts.wordsRead, row["cim_reads_words"]) < 0.05, qPrintable(config));
            ++met;
        }
        QCOMPARE(met, 15);
    }

    void minWritesWritesEachTileOnce() {
        for (const GemmShape& shape :
             {GemmShape{1024, 1024, 1024}, GemmShape{100, 130, 65}, GemmShape{1, 7, 300}}) {
            const auto ceil = [](std::int64_t extent) { return (extent + 63) / 64; };
            QCOMPARE(countsOf(shape, *occConfiguration("cim-min-writes")).tileWrites,
                     ceil(shape.k) * ceil(shape.n));
            QCOMPARE(countsOf(shape, *occConfiguration("cim-tiled")).tileWrites,
                     ceil(shape.m) * ceil(shape.k) * ceil(shape.n));
        }
        QCOMPARE(countsOf({1024, 1024, 1024}, *occConfiguration("cim-tiled")).tileWrites, std::int64_t{4096});
    }

    /// Nothing that the search could have chosen is better, and writes reach the bound.
    void searchFindsTheBest() {
        for (const GemmShape& shape : {GemmShape{1024, 1024, 1024}, GemmShape{100, 130, 65},
                                       GemmShape{4, 700, 300}, GemmShape{300, 64, 9}}) {
            const TileChoice writes = searchMapping(shape, 64, 4, TileGoal::Writes);
            QCOMPARE(writes.counts.tileWrites, leastTileWrites(shape, 64));
            const TileChoice time = searchMapping(shape, 64, 4, TileGoal::Time);
            QVERIFY(time.cost.ns <= writes.cost.ns);
            for (const char* order : {"mnk", "mkn", "nmk", "nkm", "kmn", "knm"})
                for (const bool left : {false, true}) {
                    TileMapping mapping;
                    std::copy_n(order, 3, mapping.order.begin());
                    mapping.holdLeft = left;
                    QVERIFY(time.cost.ns <= costOf(countsOf(shape, mapping)).ns);
                }
        }
    }

    /// What is wished holds, whatever the rest is; each wish costs time, or none.
    void wishesNarrowTheSearch() {
        const GemmShape shape{300, 512, 200};
        const auto searched = [&](const char* order, const char* rows, int unroll) {
            const auto wish = tileWish(order, rows, unroll);
            return searchMapping(shape, 64, 4, TileGoal::Time, *wish);
        };
        const TileChoice free = searched("search", "search", 0);
        const TileChoice usual = searched("mnk", "box", 1);
        TileMapping mapping;
        QCOMPARE(usual.mapping, mapping);
        QCOMPARE(usual.tried, 1);
        QCOMPARE(free.tried, 2 * 2 * 6 * 3); // 8 pieces of k: 4, 2 and 1 tiles at a time
        QVERIFY(free.cost.ns < usual.cost.ns);
        const TileChoice whole = searched("search", "whole", 3);
        QVERIFY(whole.mapping.wholeRows);
        QCOMPARE(whole.mapping.unroll, 2); // the most up to 3 that divides 8 pieces
        QVERIFY(free.cost.ns <= whole.cost.ns);
        QVERIFY(!searched("knm", "search", 0).mapping.holdLeft);
        for (const auto& [order, rows, unroll, word] :
             {std::tuple{"kn", "box", 0, "order"}, {"knm", "some", 0, "rows"}, {"knm", "box", -1, "tiles"}}) {
            const auto wish = tileWish(order, rows, unroll);
            QVERIFY(!wish && wish.error().code == pim::ErrorCode::Usage);
            QVERIFY2(wish.error().message.find(word) != std::string::npos, wish.error().message.c_str());
        }
    }

    void wearIsCountedInYears() {
        TileCounts counts;
        QVERIFY(!costOf(counts).lifetimeYears);
        counts.matrixBytes = 131072;
        counts.wordsWritten = 400'000; // a second
        const TileCost cost = costOf(counts);
        QCOMPARE(cost.ns, 1e9);
        // Every byte once a second: 32 million seconds.
        QVERIFY(std::abs(*cost.lifetimeYears - 32e6 / (365.25 * 24 * 3600)) < 1e-9);
        // 200 pJ a word, 2.1 nJ a cycle.
        QCOMPARE(cost.pj, 200.0 * 400'000 + 2100.0 * 1e9);
    }
};

QTEST_GUILESS_MAIN(TestOcc)
#include "tst_backends_memristor_occ.moc"
