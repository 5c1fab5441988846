// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Look-ups on HBM-PIM and AiM: numbers bit by bit as those of a plain loop, times as predicted and whatever the indices, and
/// refusals with the numbers that tell why.
#include "backends/dram_pim/lut/run.h"
#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/base/split_mix.h"
#include "core/hardware/catalog.h"
#include "core/numeric/lut/lookup.h"

#include <QTest>

#include <fmt/format.h>

#include <cmath>

using namespace pim;
using namespace pim::dram;

namespace {

std::shared_ptr<const Target> targetNamed(const char* id) {
    return TargetCatalog::load().find(id).value();
}

struct Data {
    lut::Table table;
    std::vector<std::uint16_t> indices;
};
Data dataOf(const LutLayer& layer, std::uint64_t seed) {
    Data data{{layer.codebooks, layer.centroids, layer.features, {}}, {}};
    for (std::int64_t i = 0; i < layer.codebooks * layer.centroids * layer.features; ++i)
        data.table.values.push_back(float(2 * nextFraction(seed) - 1));
    for (std::int64_t i = 0; i < layer.rows * layer.codebooks; ++i)
        data.indices.push_back(std::uint16_t(nextRandom(seed) % std::uint64_t(layer.centroids)));
    return data;
}

/// In the precision of the chip, one element after the other.
float plainSum(const LutLayer& layer, const Data& data, LutChip chip, std::int64_t row,
               std::int64_t feature) {
    HalfBits half = 0;
    float sum = 0;
    for (std::int64_t codebook = 0; codebook < layer.codebooks; ++codebook) {
        const std::int64_t index = data.indices[std::size_t(row * layer.codebooks + codebook)];
        const float entry =
            data.table.values[std::size_t((codebook * layer.centroids + index) * layer.features + feature)];
        half = halfAdd(half, floatToHalf(entry));
        sum += bfloatToFloat(floatToBfloat(entry));
    }
    return chip == LutChip::HbmPim ? halfToFloat(half) : bfloatToFloat(floatToBfloat(sum));
}

LutCode codeFor(const LutLayer& layer, const LutMachine& machine) {
    return lutCode(layer, mapLut(layer, machine).value().mapping, machine);
}

class TestDramPimLut : public QObject {
    Q_OBJECT
private slots:
    void numbersAreThoseOfAPlainLoop_data();
    void numbersAreThoseOfAPlainLoop();
    void timesAreAsPredicted_data();
    void timesAreAsPredicted();
    void indicesDoNotChangeTimes();
    void indicesMayBeSentFirst();
    void theSearchFindsTheQuickest();
    void whatCannotBeIsRefused();
};

void TestDramPimLut::numbersAreThoseOfAPlainLoop_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<LutLayer>("layer");
    QTest::addColumn<int>("accumulators");
    for (const char* target : {"hbm-pim", "hbm-pim-hbm3", "aim-32"}) {
        const auto add = [&](const char* what, const LutLayer& layer, int accumulators = 16) {
            QTest::addRow("%s, %s", target, what) << QString(target) << layer << accumulators;
        };
        add("one of everything", {1, 1, 1, 1});
        add("one codebook", {5, 1, 16, 48});
        add("few codebooks, features with padding", {9, 5, 16, 200});
        add("many rows", {1100, 6, 16, 70});
        add("wide", {3, 7, 8, 9000});
        add("codebooks that do not share a row", {40, 9, 32, 128});
        add("centroids in several rows", {33, 5, 70, 256});
        add("three parts", {70, 4, 150, 64});
        add("one accumulator", {4, 9, 16, 300}, 1);
    }
}

void TestDramPimLut::numbersAreThoseOfAPlainLoop() {
    QFETCH(QString, target);
    QFETCH(LutLayer, layer);
    QFETCH(int, accumulators);
    const LutMachine machine = LutMachine::of(*targetNamed(qPrintable(target)), {accumulators}).value();
    const Data data = dataOf(layer, 7);
    const auto output = runLut(codeFor(layer, machine), data.table.values, data.indices);
    QVERIFY2(output.has_value(),
             output ? "" : (output.error().message + ", " + output.error().where).c_str());
    const auto exact = lut::lookUp(data.table, data.indices, {}).value();
    // Entries are below 1, so sums of k of them below k. FP16: each entry and each sum is rounded by 2^-11 of it at most. BF16:
    // entries by 2^-9, the sum once by as much, sums of binary32 by 2^-24.
    const auto k = double(layer.codebooks);
    const double tolerance = machine.chip == LutChip::HbmPim
                                 ? 0x1p-11 * (k + k * (k + 1) / 2) * (1 + 0x1p-11 * k)
                                 : 0x1p-9 * 2 * k * (1 + 0x1p-9) + 0x1p-24 * k * k;
    for (std::int64_t row = 0; row < layer.rows; ++row)
        for (std::int64_t feature = 0; feature < layer.features; ++feature) {
            const auto at = std::size_t(row * layer.features + feature);
            const float plain = plainSum(layer, data, machine.chip, row, feature);
            if (std::bit_cast<std::uint32_t>((*output)[at]) != std::bit_cast<std::uint32_t>(plain))
                QFAIL(qPrintable(QString("row %1, feature %2: %3, a plain loop gives %4")
                                     .arg(row)
                                     .arg(feature)
                                     .arg(double((*output)[at]))
                                     .arg(double(plain))));
            if (!(std::abs(double((*output)[at]) - double(exact[at])) <= tolerance))
                QFAIL(qPrintable(QString("row %1, feature %2: %3, exactly %4, allowed are %5")
                                     .arg(row)
                                     .arg(feature)
                                     .arg(double((*output)[at]))
                                     .arg(double(exact[at]))
                                     .arg(tolerance)));
        }
}

void TestDramPimLut::timesAreAsPredicted_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<LutLayer>("layer");
    QTest::addColumn<double>("bound");
    for (const char* target : {"hbm-pim", "hbm-pim-hbm3", "aim-32"}) {
        const auto add = [&](const LutLayer& layer, double bound) {
            QTest::addRow("%s, N = %d, CB = %d, CT = %d, F = %d", target, int(layer.rows),
                          int(layer.codebooks), int(layer.centroids), int(layer.features))
                << QString(target) << layer << bound;
        };
        constexpr double kLong = 0.02, kShort = 0.1;
        add({1024, 256, 16, 1024}, kLong);
        add({1024, 256, 16, 4096}, kLong);
        add({128, 1280, 16, 5120}, kLong);
        add({512, 192, 32, 2304}, kLong);
        add({512, 96, 64, 768}, kLong);
        add({1024, 64, 256, 1024}, kLong);
        add({1024, 512, 8, 2048}, kLong);
        add({1, 192, 16, 768}, kShort);
        add({7, 33, 16, 500}, kShort);
        add({64, 4, 16, 4096}, kShort);
    }
}

void TestDramPimLut::timesAreAsPredicted() {
    QFETCH(QString, target);
    QFETCH(LutLayer, layer);
    QFETCH(double, bound);
    const auto chip = targetNamed(qPrintable(target));
    const LutMachine machine = LutMachine::of(*chip).value();
    const LutPlan plan = mapLut(layer, machine).value();
    const auto simulation = simulateLut(lutCode(layer, plan.mapping, machine), *chip);
    QVERIFY2(simulation.has_value(), simulation ? "" : simulation.error().message.c_str());
    const double ratio = plan.ticks.total() / double(simulation->timing.ticks);
    const QString text =
        QString("predicted %1, simulated %2, ratio %3; %4 x %5 channels, tiles %6 x %7, %8 in a row")
            .arg(plan.ticks.total())
            .arg(simulation->timing.ticks)
            .arg(ratio)
            .arg(plan.mapping.rowGroups)
            .arg(plan.mapping.featureGroups)
            .arg(plan.mapping.tileRows)
            .arg(plan.mapping.tileSlices)
            .arg(plan.mapping.codebooksOfRow);
    qInfo("%s", qPrintable(text));
    QVERIFY2(std::abs(ratio - 1) <= bound, qPrintable(text));
}

void TestDramPimLut::indicesDoNotChangeTimes() {
    for (const char* target : {"hbm-pim", "aim-32"})
        for (const std::int64_t centroids : {16, 100}) {
            const auto chip = targetNamed(target);
            const LutLayer layer{200, 11, centroids, 1024};
            const LutMachine machine = LutMachine::of(*chip).value();
            const LutCode code = codeFor(layer, machine);
            std::uint64_t seed = 3;
            std::vector<std::uint16_t> indices(
                std::size_t(code.mapping.rowTiles * code.mapping.tileRows * layer.codebooks));
            for (std::uint16_t& index : indices)
                index = std::uint16_t(nextRandom(seed) % std::uint64_t(centroids));
            LutCode bound = code;
            bound.program = boundProgram(code, indices);
            const auto unbound = simulateLut(code, *chip).value(), exact = simulateLut(bound, *chip).value();
            QCOMPARE(exact.timing.ticks, unbound.timing.ticks);
            QCOMPARE(exact.timing.commands, unbound.timing.commands);
            QVERIFY(programText(bound.program) != programText(code.program));
        }
}

/// 2 bytes for each index and channel, written over the bus; results are the same.
void TestDramPimLut::indicesMayBeSentFirst() {
    for (const char* target : {"hbm-pim", "hbm-pim-hbm3", "aim-32"}) {
        const auto chip = targetNamed(target);
        const LutMachine machine = LutMachine::of(*chip).value(),
                         sends = LutMachine::of(*chip, {16, true}).value();
        const LutLayer layer{1000, 200, 16, 512};
        const LutPlan plan = mapLut(layer, sends).value();
        const auto with = simulateLut(lutCode(layer, plan.mapping, sends), *chip).value();
        LutMapping same = plan.mapping;
        same.indexRows = same.indexColumns = 0;
        const auto without = simulateLut(lutCode(layer, same, machine), *chip).value();
        const double indices = double(with.timing.ticks - without.timing.ticks);
        const std::string text = fmt::format("{}: {} with, {} without, predicted {}", target,
                                             with.timing.ticks, without.timing.ticks, plan.ticks.total());
        // Refreshes fall due at other places: one more or less.
        QVERIFY2(std::abs(plan.ticks.input - indices) < 0.1 * indices + double(machine.refresh) &&
                     indices > 0,
                 text.c_str());
        QVERIFY2(std::abs(plan.ticks.total() / double(with.timing.ticks) - 1) < 0.03, text.c_str());
        const LutLayer small{33, 9, 16, 200};
        const Data data = dataOf(small, 5);
        QVERIFY(runLut(codeFor(small, sends), data.table.values, data.indices).value() ==
                runLut(codeFor(small, machine), data.table.values, data.indices).value());
    }
}

/// Every mapping that was priced is simulated for a small layer: the one taken is within a few percent of the best.
void TestDramPimLut::theSearchFindsTheQuickest() {
    for (const char* target : {"hbm-pim", "aim-32"}) {
        const auto chip = targetNamed(target);
        const LutLayer layer{256, 24, 16, 1536};
        const LutMachine machine = LutMachine::of(*chip).value();
        std::vector<LutMapping> all;
        const LutPlan plan = mapLut(layer, machine, &all).value();
        QCOMPARE(std::int64_t(all.size()), plan.candidates);
        const auto ticks = [&](const LutMapping& mapping) {
            return simulateLut(lutCode(layer, mapping, machine), *chip).value().timing.ticks;
        };
        DramTick best = ticks(plan.mapping);
        const DramTick taken = best;
        for (const LutMapping& mapping : all)
            best = std::min(best, ticks(mapping));
        qInfo("%s: %d mappings, taken %d, best %d", target, int(all.size()), int(taken), int(best));
        QVERIFY(double(taken) <= 1.03 * double(best));
    }
}

void TestDramPimLut::whatCannotBeIsRefused() {
    const auto machine = LutMachine::of(*targetNamed("hbm-pim")).value();
    const auto tooLarge = mapLut({128, 4096, 256, 65536}, machine);
    QVERIFY(!tooLarge);
    QCOMPARE(tooLarge.error().code, ErrorCode::Unsupported);
    QVERIFY(tooLarge.error().message.find("there are 4096") != std::string::npos);
    QVERIFY(!mapLut({0, 1, 1, 1}, machine));
    QVERIFY(!mapLut({1, 1, 65537, 1}, machine));
    for (const char* target : {"attacc", "upmem-pimdl", "puma"}) {
        const auto none = LutMachine::of(*targetNamed(target));
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::Unsupported);
    }
    QVERIFY(!LutMachine::of(*targetNamed("aim-32"), {0}));
    const LutLayer layer{2, 3, 4, 16};
    const LutCode code = codeFor(layer, machine);
    Data data = dataOf(layer, 1);
    data.indices[4] = 4;
    const auto wrong = runLut(code, data.table.values, data.indices);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().message, std::string("index 1 of row 1 is 4"));
    QVERIFY(!runLut(code, {}, data.indices));
}

} // namespace

QTEST_APPLESS_MAIN(TestDramPimLut)
#include "tst_backends_dram_pim_lut.moc"
