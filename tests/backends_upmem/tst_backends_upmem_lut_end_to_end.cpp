// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Blocks of encoders as look-ups: sums against PIM-DL's golden rows, what the host does by hand, factors of the host from what was
/// measured, how times move with sub-vectors, centroids, batches and widths.
#include "backends/upmem/lut/calibration.h"
#include "backends/upmem/lut/end_to_end.h"
#include "core/hardware/catalog.h"
#include "tests/support/golden_csv.h"

#include <QTest>

#include <cmath>

using namespace pim;
using namespace pim::upmem;
using pim::test::GoldenRow;

namespace {

struct Network {
    const char* name;
    Encoder encoder;
};
constexpr Network kNetworks[] = {{"bert-base", {64, 512, 768, 3072, 12}},
                                 {"bert-large", {64, 512, 1024, 4096, 16}},
                                 {"vit-huge", {128, 264, 1280, 5120, 16}}};

Host hostNamed(const char* id) {
    for (const auto& host : TargetCatalog::load().hosts())
        if (host->id == id)
            return *host;
    return {};
}

const Host& server() {
    static const Host host = hostNamed("xeon-4210-2");
    return host;
}

bool close(double one, double other, double relative = 1e-12) {
    return std::abs(one - other) <= relative * std::abs(other);
}

double measured(const std::vector<GoldenRow>& rows, const char* quantity, const char* model, const char* x) {
    for (const GoldenRow& row : rows)
        if (row["quantity"] == quantity && row["model"] == model && row["x"] == x)
            return row["value"].toDouble();
    return 0;
}

std::vector<GoldenRow> reference() {
    return pim::test::goldenRows("upmem/pimdl_measured_ref.csv");
}

} // namespace

class TestLutEndToEnd : public QObject {
    Q_OBJECT
private slots:
    void serversAreThoseOfThePaper() {
        QCOMPARE(server().cores, 20);
        QCOMPARE(server().memoryBytesPerNs, 4 * 8 * 2.4);
        QCOMPARE(server().peakFlopsPerNs.at(DataType::F32), 20 * 2.2 * 32);
        const Host processor = hostNamed("xeon-5218-2");
        QCOMPARE(processor.cores, 32);
        QCOMPARE(processor.peakFlopsPerNs.at(DataType::I8), 32 * 2.3 * 128);
    }

    void lookUpsAreTheSumsOfTheGoldenRows() {
        const auto rows = pim::test::goldenRows("upmem/pimdl_tuner_golden.csv");
        int compared = 0;
        for (const Network& network : kNetworks)
            for (const std::int64_t subVector : {2, 4}) {
                double golden = 0;
                for (const GoldenRow& row : rows)
                    if (row["variant"] == "strict" && row["model"] == network.name &&
                        row["V"].toLongLong() == subVector)
                        golden += row["t_total_s"].toDouble();
                QVERIFY(golden > 0);
                const auto block = lutBlock(network.encoder, {subVector}, server());
                QVERIFY(block);
                QVERIFY2(close(block->lookUp(), golden, 1e-6), network.name);
                ++compared;
            }
        QCOMPARE(compared, 6);
    }

    void partsAddUp() {
        const auto block = lutBlock(kNetworks[0].encoder, {}, server());
        QVERIFY(block);
        double search = 0, transfers = 0, kernels = 0;
        for (const LutBlockLayer& layer : block->layers) {
            QVERIFY(layer.search > 0);
            search += layer.search;
            transfers += layer.tuning.times.transfers();
            kernels += layer.tuning.times.kernel();
        }
        QVERIFY(close(block->search(), search));
        QVERIFY(close(block->transfers(), transfers));
        QVERIFY(close(block->lookUp(), transfers + kernels));
        QVERIFY(block->attention > 0 && block->elementWise > 0);
        QVERIFY(close(block->total(), search + transfers + kernels + block->attention + block->elementWise));
    }

    /// Operations, bytes and rates by hand.
    void hostWorkIsWhatTheFormulasSay() {
        const Encoder encoder{2, 64, 256, 1024, 4};
        const LutSetting setting{4, 16, 64, 16};
        const auto block = lutBlock(encoder, setting, server());
        QVERIFY2(block, block ? "" : block.error().text().c_str());
        const double flopPerSecond = 0.8 * 20 * 2.2e9 * 32, bytesPerSecond = 0.8 * 76.8e9;
        for (const LutBlockLayer& layer : block->layers) {
            const double inputs = 128 * (layer.name == "FFN2" ? 1024 : 256);
            QVERIFY(close(layer.searchFlop, 3 * inputs * 16));
            QVERIFY(close(layer.search, std::max(3 * inputs * 16 / flopPerSecond,
                                                 (4 * inputs + 2 * inputs / 4) / bytesPerSecond)));
        }
        // Residuals 2 x 12 B, normalisations 2 x 8 B, sums 9 x 8 B an element of [N, H]; GELU 8 B of [N, 4H].
        const double hidden = 128 * 256;
        QVERIFY(close(block->elementWise, (24 + 16 + 72 + 32) * hidden / bytesPerSecond));
        const auto floats = productBlock(encoder, server(), DataType::F32);
        const auto bytes = productBlock(encoder, server(), DataType::I8);
        QVERIFY(floats && bytes);
        QVERIFY(close(floats->elementWise, (24 + 16 + 32) * hidden / bytesPerSecond));
        QCOMPARE(bytes->elementWise, block->elementWise);
        QCOMPARE(floats->attention, block->attention);
        QVERIFY(bytes->linear < floats->linear);
        QVERIFY(floats->linear >= 2 * encoder.linearMacs() / flopPerSecond);
        const auto onDpus = productBlock(encoder, server(), 1.5);
        QVERIFY(onDpus && close(onDpus->total(), 1.5 + block->other()));
    }

    void hostCalibrationIsWhatTheMeasurementsGive() {
        const auto rows = reference();
        std::vector<HostMeasurement> measurements;
        for (const Network& network : kNetworks) {
            const auto block = lutBlock(network.encoder, {}, server());
            QVERIFY(block);
            const double latency = measured(rows, "fig10_latency_s_per_layer", network.name, "pimdl-v4-ct16");
            HostMeasurement& one = measurements.emplace_back();
            for (const LutBlockLayer& layer : block->layers)
                one.searchFlop += layer.searchFlop;
            one.searchSeconds = latency * measured(rows, "fig11a_fraction_v4ct16", network.name, "CCS");
            one.other = block->other();
            one.otherSeconds = latency * measured(rows, "fig11a_fraction_v4ct16", network.name, "other");
        }
        const auto fitted = fitHost(measurements);
        QVERIFY(fitted);
        QVERIFY2(std::abs(fitted->searchFlopPerSecond - kMeasuredHost.searchFlopPerSecond) < 5e6 &&
                     std::abs(fitted->other - kMeasuredHost.other) < 5e-3,
                 qPrintable(QStringLiteral("%1 %2")
                                .arg(fitted->searchFlopPerSecond, 0, 'g', 8)
                                .arg(fitted->other, 0, 'g', 8)));
        for (const HostMeasurement& one : measurements) {
            QVERIFY(std::abs(one.searchFlop / fitted->searchFlopPerSecond / one.searchSeconds - 1) < 0.07);
            QVERIFY(std::abs(one.other * fitted->other / one.otherSeconds - 1) < 0.25);
        }
        QVERIFY(!fitHost({}));
        QVERIFY(!fitHost(std::vector{HostMeasurement{1, 1, 0, 1}}));
        const auto exact = fitHost(std::vector{HostMeasurement{8, 2, 3, 6}});
        QVERIFY(exact && close(exact->searchFlopPerSecond, 4) && close(exact->other, 2));
    }

    void calibrationTouchesEveryPart() {
        const auto block = lutBlock(kNetworks[2].encoder, {}, server());
        QVERIFY(block);
        const LutBlock fitted = calibrated(*block, {10e9, 3});
        double lookUp = 0;
        for (std::size_t i = 0; i < fitted.layers.size(); ++i) {
            QVERIFY(close(fitted.layers[i].search, block->layers[i].searchFlop / 10e9));
            lookUp += calibrated(block->layers[i].tuning.times, 16).total();
        }
        QVERIFY(close(fitted.lookUp(), lookUp));
        QVERIFY(close(fitted.other(), 3 * block->other()));
    }

    /// Of points that calibration has not seen: V = 8 to 32, CT other than 16.
    void sensitivityIsWithinAFifthOfTheMeasurements() {
        const auto rows = reference();
        int compared = 0;
        for (const Network& network : kNetworks)
            for (const GoldenRow& row : rows) {
                const bool lengths = row["quantity"] == "fig12a_V_latency_s_per_layer";
                const bool centroids = row["quantity"] == "fig12b_CT_latency_s_per_layer";
                if (row["model"] != network.name || !(lengths || centroids))
                    continue;
                Encoder encoder = network.encoder;
                encoder.batch = 64;
                encoder.sequence = 512;
                LutSetting setting;
                (lengths ? setting.subVector : setting.centroids) = row["x"].toLongLong();
                const auto block = lutBlock(encoder, setting, server());
                QVERIFY(block);
                const double off = calibrated(*block).total() / row["value"].toDouble() - 1;
                QVERIFY2(std::abs(off) < 0.2, qPrintable(row["model"] + ' ' + row["x"]));
                ++compared;
            }
        QCOMPARE(compared, 30);
    }

    void timesMoveAsTheyMust() {
        const auto total = [](const Encoder& encoder, const LutSetting& setting) {
            const auto block = lutBlock(encoder, setting, server());
            return block ? block->total() : std::nan("");
        };
        const Encoder encoder = kNetworks[1].encoder;
        double before = total(encoder, {2});
        for (const std::int64_t subVector : {4, 8, 16, 32}) {
            const double now = total(encoder, {subVector});
            QVERIFY2(now < before, qPrintable(QString::number(subVector)));
            before = now;
        }
        before = total(encoder, {4, 8});
        for (const std::int64_t centroids : {16, 32, 64, 128}) {
            const double now = total(encoder, {4, centroids});
            QVERIFY2(now > before, qPrintable(QString::number(centroids)));
            before = now;
        }
        before = total({8, 512, 1024, 4096, 16}, {});
        for (const std::int64_t batch : {16, 32, 64, 128}) {
            const double now = total({batch, 512, 1024, 4096, 16}, {});
            QVERIFY2(now > before && now < 2 * before, qPrintable(QString::number(batch)));
            before = now;
        }
        before = total({64, 512, 1024, 4096, 16}, {});
        for (const std::int64_t hidden : {2048, 4096}) {
            const double now = total({64, 512, hidden, 4 * hidden, 16}, {});
            QVERIFY2(now > 2 * before && now < 4 * before, qPrintable(QString::number(hidden)));
            before = now;
        }
    }

    void operationsAreThoseOfFigure3() {
        const double product = 2.0 * 1024 * 1024 * 1024;
        const LutOperations shortest = lutOperations(1024, 1024, 1024, 2, 16);
        const LutOperations longest = lutOperations(1024, 1024, 1024, 16, 16);
        QVERIFY(std::abs(product / shortest.all - 3.66) < 0.005);
        QVERIFY(std::abs(product / longest.all - 18.29) < 0.005);
        QVERIFY(std::abs(shortest.products / shortest.all - 0.029) < 5e-4);
        QVERIFY(std::abs(longest.products / longest.all - 0.143) < 5e-4);
    }

    void meansAreGeometric() {
        QCOMPARE(geometricMean({}), 0.0);
        QVERIFY(close(geometricMean(std::vector{2.0, 8.0}), 4));
        QVERIFY(close(geometricMean(std::vector{1.0, 10.0, 100.0}), 10));
    }

    void impossibleEncodersAreRefused() {
        const Encoder good = kNetworks[0].encoder;
        Encoder bad = good;
        bad.heads = 7;
        QVERIFY(lutBlock(bad, {}, server()).error().message.find("7 heads") != std::string::npos);
        bad = good;
        bad.batch = 0;
        QVERIFY(!productBlock(bad, server(), DataType::F32));
        QVERIFY(!productBlock(bad, server(), 1.0));
        QCOMPARE(lutBlock(good, {5}, server()).error().code, ErrorCode::Usage);
        QCOMPARE(lutBlock(good, {0}, server()).error().code, ErrorCode::Usage);
        const auto none = lutBlock(good, {4, 16, 1021, 16}, server()); // a prime number of DPUs
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::Unsupported);
        QVERIFY(none.error().text().find("1021") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestLutEndToEnd)
#include "tst_backends_upmem_lut_end_to_end.moc"
