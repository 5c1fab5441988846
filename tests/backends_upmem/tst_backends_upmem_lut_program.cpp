// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// LUT layers as programs: every load and loop order gives the sums of core/lut, on the engine and as C without violations, and moves
/// what the mapping says.
#include "backends/upmem/c_run.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/lut/lut_program.h"
#include "backends/upmem/lut/tuner.h"
#include "backends/upmem/tasklet/c_code.h"
#include "core/numeric/lut/lookup.h"
#include "tests/support/upmem_traffic.h"

#include <QTest>

#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

struct Numbers {
    std::vector<std::uint16_t> indices;
    lut::QuantizedTable table;
    std::vector<std::int32_t> sums;
};

Numbers numbersFor(const LutLayer& layer) {
    std::mt19937_64 random(7);
    Numbers made{{}, {layer.codebooks, layer.centroids, layer.features, {}, {1.F}}, {}};
    for (std::int64_t i = 0; i < layer.rows * layer.codebooks; ++i)
        made.indices.push_back(std::uint16_t(random() % std::uint64_t(layer.centroids)));
    for (std::int64_t i = 0; i < layer.codebooks * layer.centroids * layer.features; ++i)
        made.table.values.push_back(std::int8_t(int(random() % 255) - 127));
    made.sums = lut::accumulate(made.table, made.indices).value();
    return made;
}

LutMapping mappingOf(LutLoad load, LutLoopOrder order) {
    LutMapping mapping{{32, 48}, {order, load, 16, 24, 8, 0, 0}};
    if (load != LutLoad::Static)
        mapping.kernel.loadFeatures = load == LutLoad::Fine ? 24 : 8;
    if (load == LutLoad::Coarse)
        mapping.kernel.loadCodebooks = 4;
    return mapping;
}

struct Ran {
    LutProgram made;
    HostData inputs;
    HostRun run;
};
Result<Ran> ranOnEngine(const LutLayer& layer, const LutMapping& mapping, const Numbers& numbers) {
    PIM_TRY(LutProgram made, lutProgram(layer, mapping));
    PIM_TRY(HostData inputs, lutInputs(layer, mapping, numbers.indices, numbers.table.values));
    PIM_TRY(HostRun run, runOnEngine({made.host, *made.code, made.sizes, made.tasklets}, inputs, kChip));
    return Ran{std::move(made), std::move(inputs), std::move(run)};
}

} // namespace

class TestLutProgram : public QObject {
    Q_OBJECT
private slots:
    void addsUpTheRightEntries_data() {
        QTest::addColumn<int>("load");
        QTest::addColumn<int>("order");
        QTest::addColumn<int>("loadFeatures");
        QTest::addColumn<bool>("alsoInC"); // compiling takes most of the time
        for (int load = 0; load < 3; ++load)
            for (int order = 0; order < 6; ++order)
                QTest::addRow("%s %s", name(LutLoad(load)).data(), name(LutLoopOrder(order)).data())
                    << load << order << 0 << (order == 1 || order == 2 || order == 5);
        QTest::addRow("fine, 8 at a time") << 1 << 1 << 8 << true;
    }
    void addsUpTheRightEntries() {
        QFETCH(int, load);
        QFETCH(int, order);
        QFETCH(int, loadFeatures);
        QFETCH(bool, alsoInC);
        const LutLayer layer{64, 16, 16, 96, 4, 4};
        LutMapping mapping = mappingOf(LutLoad(load), LutLoopOrder(order));
        if (loadFeatures > 0)
            mapping.kernel.loadFeatures = loadFeatures;
        const Numbers numbers = numbersFor(layer);
        const auto ran = ranOnEngine(layer, mapping, numbers);
        OK(ran);
        const HostRun* const engine = &ran->run;
        const LutProgram* const made = &ran->made;
        QVERIFY(lutSums(layer, mapping, engine->outputs.at("sums")) == numbers.sums);
        QCOMPARE(engine->toBytes, std::int64_t(numbers.indices.size()) * 2 * 2 +
                                      std::int64_t(numbers.table.values.size()) * 2);
        if (!alsoInC)
            return;
        const auto dpu = cCode(*made->code, made->sizes, made->tasklets);
        OK(dpu);
        auto host = hostCode(made->host, *made->code, made->sizes, made->tasklets);
        OK(host);
        CFiles files;
        for (const auto& [name, content] : ran->inputs)
            files[hostFileName(name)] = content;
        const auto c = compileAndRun({"LUT", *host, dpu->text, made->tasklets, made->host.dpus, {}}, files,
                                     {hostFileName("sums")});
        OK(c);
        OK(problemOf("LUT", *c));
        QVERIFY(lutSums(layer, mapping, c->outputs.at(hostFileName("sums"))) == numbers.sums);
        QCOMPARE(test::differencesOf(c->traffic, *engine), QString());
    }

    /// Loads of the cost model [PIM-DL, section 5.2], but a first tile of codebooks is not read.
    void movesWhatTheMappingSays_data() {
        QTest::addColumn<int>("load");
        QTest::addColumn<int>("order");
        QTest::addColumn<qint64>("read");
        QTest::addColumn<qint64>("written");
        // Of a DPU: 32 rows, 48 features, 16 codebooks; tiles 2 x 2 x 2.
        const qint64 indices = 32 * 16 * 2, table = 16 * 16 * 48, sums = 32 * 48 * 4;
        QTest::newRow("static nfc") << 0 << 0 << indices * 2 + table << sums;
        QTest::newRow("static ncf") << 0 << 1 << indices + table + sums << sums * 2;
        QTest::newRow("static fcn") << 0 << 3 << indices * 2 + table + sums << sums * 2;
        QTest::newRow("coarse nfc") << 2 << 0 << indices * 2 + table * 2 << sums;
        QTest::newRow("coarse cfn") << 2 << 5 << indices * 2 + table * 2 + sums << sums * 2;
        QTest::newRow("fine nfc") << 1 << 0 << indices * 2 + qint64(32 * 16 * 48) << sums;
    }
    void movesWhatTheMappingSays() {
        QFETCH(int, load);
        QFETCH(int, order);
        QFETCH(qint64, read);
        QFETCH(qint64, written);
        const LutLayer layer{32, 16, 16, 48, 1, 4};
        const LutMapping mapping = mappingOf(LutLoad(load), LutLoopOrder(order));
        const auto ran = ranOnEngine(layer, mapping, numbersFor(layer));
        OK(ran);
        QCOMPARE(qint64(ran->run.readBytes), read);
        QCOMPARE(qint64(ran->run.writeBytes), written);
    }

    /// Counted on from few tiles, a layer takes what running all of it takes.
    void countsOnFromFewTiles_data() {
        QTest::addColumn<int>("load");
        QTest::addColumn<int>("order");
        QTest::addColumn<qint64>("features"); // of a DPU; 24: one tile
        for (int load = 0; load < 3; ++load)
            for (const int order : {0, 1})
                for (const int features : {24, 96})
                    QTest::addRow("%s %s, %d features", name(LutLoad(load)).data(),
                                  name(LutLoopOrder(order)).data(), features)
                        << load << order << qint64(features);
    }
    void countsOnFromFewTiles() {
        QFETCH(int, load);
        QFETCH(int, order);
        QFETCH(qint64, features);
        const LutLayer layer{96, 16, 16, features, 1, 4};
        LutMapping mapping = mappingOf(LutLoad(load), LutLoopOrder(order));
        mapping.split = {96, features};
        const auto counted = simulateLut(layer, mapping);
        OK(counted);
        QVERIFY(!counted->isWhole);
        const auto ran = ranOnEngine(layer, mapping, numbersFor(layer));
        OK(ran);
        const double ratio = counted->cycles / double(ran->run.cycles);
        QVERIFY2(ratio > 0.98 && ratio < 1.02, qPrintable(QString::number(ratio)));
    }

    void refusesWhatCannotBe() {
        const LutLayer layer{64, 16, 16, 96, 4, 4};
        const auto text = [&](const std::function<void(LutMapping&)>& change) {
            LutMapping mapping = mappingOf(LutLoad::Fine, LutLoopOrder::Nfc);
            change(mapping);
            const auto made = lutProgram(layer, mapping);
            return QString::fromStdString(made ? std::string() : made.error().text());
        };
        QCOMPARE(text([](LutMapping&) {}), QString());
        QVERIFY(text([](LutMapping& m) {
                    m.kernel.rows = 2;
                }).contains("2 rows cannot be dealt out evenly to 4"));
        QVERIFY(!text([](LutMapping& m) { m.kernel.loadFeatures = 12; }).isEmpty()); // no multiple of 8 bytes
        const LutLayer wide{64, 4, 4'000, 96, 1, 4};
        const auto far = lutProgram(wide, {{64, 96}, {LutLoopOrder::Nfc, LutLoad::Fine, 16, 24, 4, 24, 0}});
        QVERIFY(!far && far.error().text().find("at most 16 features") != std::string::npos);
        const LutMapping mapping = mappingOf(LutLoad::Fine, LutLoopOrder::Nfc);
        Numbers numbers = numbersFor(layer);
        numbers.indices[5] = 16;
        const auto beyond = lutInputs(layer, mapping, numbers.indices, numbers.table.values);
        QVERIFY(!beyond && beyond.error().text().find("there are 16 centroids") != std::string::npos);
        numbers.indices.pop_back();
        QVERIFY(!lutInputs(layer, mapping, numbers.indices, numbers.table.values));
    }
};

QTEST_APPLESS_MAIN(TestLutProgram)
#include "tst_backends_upmem_lut_program.moc"
