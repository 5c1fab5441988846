// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The tuner of LUT layers: it finds what trying everything finds, has none of the mistakes of the shipped one, and says
/// why something is impossible.
#include "backends/upmem/lut/tuner.h"
#include "tests/support/lut_brute_force.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const TransformerShape kBertBase{64 * 512, 768, 3072, 2, 16, 1024, 16};
const TransformerShape kVitHuge{128 * 264, 1280, 5120, 2, 16, 1024, 11};

std::string reasonOf(const LutLayer& layer, const LutMapping& mapping,
                     LutReading reading = LutReading::Strict) {
    const auto refusal = refusalOf(layer, mapping, reading);
    return refusal ? text(*refusal, layer, mapping) : std::string();
}

LutMapping bertMapping() {
    return {{1024, 72}, {LutLoopOrder::Ncf, LutLoad::Coarse, 64, 8, 128, 8, 128}};
}
const LutLayer kBertQkv{32768, 384, 16, 2304, 1024, 16};

/// A shape with many divisors.
std::int64_t composite(std::mt19937& random, int twos, int others) {
    std::int64_t number = std::int64_t{1} << (random() % static_cast<unsigned>(twos + 1));
    for (int i = 0; i < others; ++i)
        if (random() % 2 == 0)
            number *= std::array{3, 5, 7, 11}[random() % 4];
    return number;
}

LutLayer randomLayer(std::mt19937& random) {
    LutLayer layer;
    layer.dpus = composite(random, 6, 1);
    layer.tasklets = std::array{1, 2, 4, 8, 11, 12, 16, 20, 24}[random() % 9];
    layer.rows = composite(random, 7, 1) * layer.tasklets * 8;
    layer.codebooks = composite(random, 7, 1);
    layer.centroids = std::array{2, 8, 16, 32, 64, 100, 256}[random() % 7];
    layer.features = composite(random, 7, 1) * 8;
    return layer;
}

} // namespace

class TestLut : public QObject {
    Q_OBJECT
private slots:
    void findsWhatTryingAllFinds_data() {
        QTest::addColumn<int>("reading");
        QTest::addColumn<int>("layers");
        QTest::newRow("strict") << int(LutReading::Strict) << 400;
        QTest::newRow("fixed") << int(LutReading::Fixed) << 200;
        QTest::newRow("released") << int(LutReading::Released) << 150;
    }
    void findsWhatTryingAllFinds() {
        QFETCH(int, reading);
        QFETCH(int, layers);
        std::mt19937 random(7);
        int found = 0, loads[3] = {};
        for (int i = 0; i < layers; ++i) {
            const LutLayer layer = randomLayer(random);
            test::BruteForce all{layer, static_cast<LutReading>(reading)};
            all.run();
            const auto tuning = tune(layer, static_cast<LutReading>(reading));
            const QString shape = QStringLiteral("N %1 CB %2 CT %3 F %4 pe %5 T %6")
                                      .arg(layer.rows)
                                      .arg(layer.codebooks)
                                      .arg(layer.centroids)
                                      .arg(layer.features)
                                      .arg(layer.dpus)
                                      .arg(layer.tasklets);
            QVERIFY2(tuning, qPrintable(shape));
            QCOMPARE(tuning->mapping.has_value(), all.best.has_value());
            QCOMPARE(tuning->reason.empty(), all.best.has_value());
            if (!all.best)
                continue;
            QVERIFY2(tuning->times.total() == all.times.total(), qPrintable(shape));
            QVERIFY2(*tuning->mapping == *all.best, qPrintable(shape));
            ++found;
            ++loads[static_cast<int>(all.best->kernel.load)];
        }
        // The sample is worth something only if every load wins now and then.
        QVERIFY(found > layers / 3);
        QVERIFY2(loads[0] > 5 && loads[1] > 5 && loads[2] > 5,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(loads[0]).arg(loads[1]).arg(loads[2])));
    }

    void landscapeHoldsTheOptimum() {
        const LutLayer layer{4096, 48, 16, 768, 64, 16};
        const auto splits = landscape(layer);
        const auto tuning = tune(layer);
        QVERIFY(splits && tuning && tuning->mapping);
        QCOMPARE(int(splits->size()), tuning->splits);
        double least = 1e300;
        for (const LutSplitPoints& split : *splits) {
            QVERIFY(split.points.empty() != split.reason.empty());
            for (const LutPoint& point : split.points) {
                QVERIFY(point.best.has_value() == point.reason.empty());
                if (point.best)
                    least = std::min(least, point.times.total());
            }
            if (split.split == tuning->mapping->split) {
                QVERIFY(split.best >= 0);
                const LutPoint& best = split.points[static_cast<std::size_t>(split.best)];
                QVERIFY(*best.best == tuning->mapping->kernel);
            }
        }
        QCOMPARE(least, tuning->times.total());
    }
    void landscapeSaysWhyNot() {
        const auto splits = landscape({32768, 1536, 16, 3072, 1024, 16});
        QVERIFY(splits);
        const LutSplitPoints& first = splits->front();
        QCOMPARE(
            QString::fromStdString(first.reason),
            "indices, table and output of a DPU (32768 x 3) need 101130240 B of MRAM, which has 67108864 B");
        bool wram = false, piece = false;
        for (const LutSplitPoints& split : *splits)
            for (const LutPoint& point : split.points) {
                wram = wram || point.reason.find("of WRAM") != std::string::npos;
                piece = piece || point.reason.find("an index tile of") != std::string::npos;
            }
        QVERIFY(wram && piece);
    }

    // What is wrong in the shipped tuner and kernel.

    void secondFeedForwardIsAsWideAsTheNetwork() {
        const auto ours = transformerLayers(kBertBase)[3].layer;
        QCOMPARE(ours.codebooks, 1536);
        QCOMPARE(ours.features, 768);
        QCOMPARE(transformerLayers(kBertBase, LutReading::Released)[3].layer.features, 3072);
        QVERIFY(tune(ours)->times.total() * 3 <
                tune(transformerLayers(kBertBase, LutReading::Released)[3].layer)->times.total());
    }
    void loadsThatWereNeverMeasuredDoNotWin() {
        for (const NamedLutLayer& one : transformerLayers(kVitHuge)) {
            const auto released = tune(one.layer, LutReading::Released);
            QCOMPARE(released->times.reduce, 0.0);
            for (const LutReading reading : {LutReading::Strict, LutReading::Fixed}) {
                const auto ours = tune(one.layer, reading);
                QVERIFY(ours->mapping && ours->times.reduce > 0);
                QVERIFY(ours->mapping->kernel.load != LutLoad::Coarse ||
                        coarseReduceCycles(ours->mapping->kernel.loadFeatures,
                                           ours->mapping->kernel.loadCodebooks) > 0);
            }
        }
    }
    void elevenTaskletsGetWholeDmas() {
        for (const NamedLutLayer& one : transformerLayers(kVitHuge)) {
            const auto tuning = tune(one.layer);
            QVERIFY(tuning->mapping);
            const LutKernel& kernel = tuning->mapping->kernel;
            QCOMPARE(kernel.load, LutLoad::Fine); // tables of powers of two never come out even
            QCOMPARE(kernel.rows * kernel.codebooks * kLutIndexBytes % 88, 0);
            QCOMPARE(kernel.rows * kernel.features * kLutOutputBytes % 88, 0);
        }
        LutLayer qkv = transformerLayers(kVitHuge)[0].layer;
        QVERIFY(std::abs(tune(qkv)->times.total() - 2.356) < 0.0005);
        qkv.tasklets = 16;
        QVERIFY(std::abs(tune(qkv)->times.total() - 0.964) < 0.0005);
        const LutMapping shipped{{264, 480}, {LutLoopOrder::Nfc, LutLoad::Coarse, 66, 32, 128, 8, 128}};
        qkv.tasklets = 11;
        QCOMPARE(QString::fromStdString(reasonOf(qkv, shipped)),
                 "a LUT tile of 16384 B is 1489.45 B for each of 11 tasklets; a DMA takes whole multiples of "
                 "8 B, so "
                 "it has to be a multiple of 88 B");
    }
    void longTransfersAreCutIntoDmas_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("address");
        QTest::addColumn<int>("dmas");
        QTest::addColumn<qint64>("last");
        QTest::newRow("one") << qint64(8) << qint64(0) << 1 << qint64(8);
        QTest::newRow("longest") << qint64(2048) << qint64(64) << 1 << qint64(2048);
        QTest::newRow("two") << qint64(2056) << qint64(0) << 2 << qint64(8);
        QTest::newRow("beyond the shipped kernel") << qint64(4104) << qint64(0) << 3 << qint64(8);
        QTest::newRow("none") << qint64(0) << qint64(0) << 0 << qint64(0);
        QTest::newRow("negative") << qint64(-8) << qint64(0) << 0 << qint64(0);
        QTest::newRow("no multiple") << qint64(1489) << qint64(0) << 0 << qint64(0);
        QTest::newRow("between") << qint64(16) << qint64(1492) << 0 << qint64(0);
        QTest::newRow("more than MRAM") << qint64(1LL << 40) << qint64(0) << 0 << qint64(0);
    }
    void longTransfersAreCutIntoDmas() {
        QFETCH(qint64, bytes);
        QFETCH(qint64, address);
        QFETCH(int, dmas);
        const auto lengths = dmaLengths(bytes, address);
        QCOMPARE(lengths.has_value(), dmas > 0);
        if (!lengths)
            return;
        QTEST(qint64(lengths->back()), "last");
        QCOMPARE(int(lengths->size()), dmas);
        std::int64_t sum = 0;
        for (const std::int64_t length : *lengths) {
            QVERIFY(length > 0 && length <= kLongestDma && length % kDmaStep == 0);
            sum += length;
        }
        QCOMPARE(sum, bytes);
    }
    void eachLayerHasItsOwnTiles() {
        const auto layers = transformerLayers(kBertBase);
        QVERIFY(!(*tune(layers[0].layer)->mapping == *tune(layers[1].layer)->mapping));
    }
    /// The shipped host code takes 4 bytes for each byte of the output's staging buffer; here sizes are bytes throughout.
    void memoryIsCountedInBytes() {
        QCOMPARE(mramBytes(kBertQkv, {1024, 72}), 1024 * 384 * 2 + 384 * 16 * 72 + 1024 * 72 * 4);
        QCOMPARE(wramBytes(kBertQkv, bertMapping()), 64 * 128 * 2 + 64 * 8 * 4 + 128 * 8 * 16);
    }

    void refusesWhatCannotBe_data() {
        QTest::addColumn<LutMapping>("mapping");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, auto change, const char* reason) {
            LutMapping mapping = bertMapping();
            change(mapping);
            QTest::newRow(name) << mapping << QString(reason);
        };
        row(
            "nothing", [](LutMapping&) {}, "");
        row(
            "N", [](LutMapping& m) { m.split.rows = 1000; }, "n_stile = 1000 does not divide N = 32768");
        row(
            "F", [](LutMapping& m) { m.split.features = 70; }, "f_stile = 70 does not divide F = 2304");
        row(
            "zero", [](LutMapping& m) { m.split.rows = 0; }, "n_stile = 0 does not divide N = 32768");
        row(
            "DPUs", [](LutMapping& m) { m.split.rows = 512; },
            "N / n_stile x F / f_stile = 64 x 32 = 2048 DPUs, not the 1024 there are");
        row(
            "rows", [](LutMapping& m) { m.kernel.rows = 48; }, "n_mtile = 48 does not divide n_stile = 1024");
        row(
            "features", [](LutMapping& m) { m.kernel.features = 16; },
            "f_mtile = 16 does not divide f_stile = 72");
        row(
            "codebooks", [](LutMapping& m) { m.kernel.codebooks = 5; },
            "cb_mtile = 5 does not divide CB = 384");
        row(
            "tasklets", [](LutMapping& m) { m.kernel.rows = 8; },
            "n_mtile = 8 rows cannot be dealt out evenly to 16 tasklets");
        row(
            "load", [](LutMapping& m) { m.kernel.loadFeatures = 3; },
            "f_load = 3 does not divide f_mtile = 8");
        row(
            "no load", [](LutMapping& m) { m.kernel.loadFeatures = 0; },
            "f_load = 0 does not divide f_mtile = 8");
        row(
            "loaded codebooks", [](LutMapping& m) { m.kernel.loadCodebooks = -1; },
            "cb_load = -1 does not divide cb_mtile = 128");
        row(
            "index",
            [](LutMapping& m) { m.kernel.rows = 32, m.kernel.codebooks = 1, m.kernel.loadCodebooks = 1; },
            "an index tile of 64 B is 4 B for each of 16 tasklets; a DMA takes whole multiples of 8 B, so it "
            "has to "
            "be a multiple of 128 B");
        row(
            "nothing to load", [](LutMapping& m) { m.kernel.loadFeatures = 1, m.kernel.loadCodebooks = 4; },
            "a LUT tile of 64 B is 4 B for each of 16 tasklets; a DMA takes whole multiples of 8 B, so it "
            "has to be "
            "a multiple of 128 B");
        row(
            "WRAM", [](LutMapping& m) { m.kernel.rows = 256; },
            "index, output and LUT buffers need 90112 B of WRAM, buffers may take 48496 B");
        row(
            "all of the table", [](LutMapping& m) { m.kernel.load = LutLoad::Static; },
            "index, output and LUT buffers need 460800 B of WRAM, buffers may take 48496 B");
        row(
            "never measured", [](LutMapping& m) { m.kernel.codebooks = 96, m.kernel.loadCodebooks = 96; },
            "a coarse load of f_load = 8 and cb_load = 96 was never measured, so its time is not known; "
            "measured for "
            "f_load = 8: cb_load 1, 2, 4, 8, 16, 32, 64, 128, 256");
        row(
            "huge", [](LutMapping& m) { m.split.rows = 1LL << 62; },
            "n_stile = 4611686018427387904 does not divide N = 32768");
    }
    void refusesWhatCannotBe() {
        QFETCH(LutMapping, mapping);
        QTEST(QString::fromStdString(reasonOf(kBertQkv, mapping)), "reason");
    }

    void tunerSaysWhyNot_data() {
        QTest::addColumn<LutLayer>("layer");
        QTest::addColumn<QString>("part");
        QTest::newRow("DPUs") << LutLayer{1000, 8, 16, 100, 1024, 16} << "1024 DPUs do not divide the layer";
        QTest::newRow("MRAM") << LutLayer{16, 1 << 20, 16, 1024, 1, 16} << "no split over 1 DPUs fits";
        QTest::newRow("overflow") << LutLayer{2147483647, 2147483647, 65536, 2147483647, 1, 1}
                                  << "needs 9223372036854775807 B of MRAM";
        QTest::newRow("tasklets") << kBertQkv << "";
        QTest::newRow("odd tasklets")
            << LutLayer{32768, 384, 16, 2304, 1024, 11} << "11 tasklets can share evenly";
        QTest::newRow("pieces") << LutLayer{16, 1, 16, 8, 1, 16}
                                << "an index tile of 32 B is 2 B for each of 16 tasklets";
    }
    void tunerSaysWhyNot() {
        QFETCH(LutLayer, layer);
        QFETCH(QString, part);
        const auto tuning = tune(layer);
        QVERIFY(tuning);
        QCOMPARE(tuning->reason.empty(), part.isEmpty());
        QVERIFY2(QString::fromStdString(tuning->reason).contains(part), tuning->reason.c_str());
    }

    void numbersOfALayerAreChecked_data() {
        QTest::addColumn<LutLayer>("layer");
        QTest::addColumn<QString>("message");
        QTest::newRow("zero") << LutLayer{0, 8, 16, 8, 1, 1} << "N = 0 is not between 1 and 2147483647";
        QTest::newRow("negative") << LutLayer{8, 8, 16, -8, 1, 1} << "F = -8 is not between 1 and 2147483647";
        QTest::newRow("huge") << LutLayer{8, 8, 16, 8, 1LL << 40, 1}
                              << "pe = 1099511627776 is not between 1 and 2147483647";
        QTest::newRow("tasklets") << LutLayer{8, 8, 16, 8, 1, 25} << "25 tasklets; a DPU has 24";
        QTest::newRow("centroids") << LutLayer{8, 8, 65537, 8, 1, 1}
                                   << "CT = 65537 centroids; an index of 16 bits names 65536";
        QTest::newRow("few") << LutLayer{2, 8, 16, 16, 1, 1}
                             << "N x F = 32 outputs; the time to fetch fewer than 39 is not known";
    }
    void numbersOfALayerAreChecked() {
        QFETCH(LutLayer, layer);
        QFETCH(QString, message);
        const auto tuning = tune(layer);
        QVERIFY(!tuning && !landscape(layer));
        QCOMPARE(QString::fromStdString(tuning.error().message), message);
    }

    void namesAndNumbersAreRead() {
        QCOMPARE(lutLoopOrderNamed("ncf"), LutLoopOrder::Ncf);
        QCOMPARE(lutLoopOrderNamed("5"), LutLoopOrder::Cfn);
        QVERIFY(!lutLoopOrderNamed("6") && !lutLoopOrderNamed("") && !lutLoopOrderNamed("nc"));
        QCOMPARE(lutLoadNamed("coarse"), LutLoad::Coarse);
        QVERIFY(!lutLoadNamed("3") && !lutLoadNamed("-1"));
        QVERIFY(!lutReadingNamed("0"));
    }
};

QTEST_GUILESS_MAIN(TestLut)
#include "tst_backends_upmem_lut.moc"
