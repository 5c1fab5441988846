// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/execute.h"
#include "core/numeric/real_run.h"
#include "tests/backends_crossbar_numeric/op_networks.h"
#include "tests/backends_crossbar_numeric/plain_program.h"

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

namespace {

struct Prepared {
    CrossbarNetwork network;
    CrossbarChip chip;
    CrossbarNumbers numbers;
    test::PlainProgram plain;
    std::vector<Value> inputs;
    CrossbarMaps expected;
    CrossbarJob job() const {
        return {plain.program, network, plain.mapping, chip, numbers, plain.mapAddress, {}};
    }
};

Result<Prepared> prepare(const std::string& name, const test::PlainOptions& options = {},
                         NumbersOptions numbers = {}) {
    Prepared made;
    made.chip = test::smallChip();
    made.chip.weightBits = numbers.weightBits;
    made.chip.activationBits = numbers.activationBits;
    PIM_TRY(const auto graph, test::opNetwork(name));
    PIM_TRY(made.network, crossbarNetwork(graph, made.chip));
    PIM_TRY(made.numbers, quantiseNetwork(made.network, numbers));
    PIM_TRY(made.plain, test::plainProgram(made.network, made.chip, options));
    made.plain.program.accumulatorElements = numbers.accumulatorBits / (made.chip.activationBytes() * 8);
    PIM_TRY(made.inputs, sampleInputs(*graph, 9)); // others than those of calibration
    if (!numbers.real) {
        PIM_TRY(made.expected, referenceMaps(made.network, made.numbers, made.inputs));
    }
    return made;
}

std::vector<std::vector<float>> realsOf(const Prepared& made, const CrossbarMaps& maps) {
    std::vector<std::vector<float>> reals;
    for (std::size_t i = 0; i < maps.size(); ++i)
        reals.push_back(made.numbers.reals(LayerId(i), maps[i]));
    return reals;
}

} // namespace

class TestCrossbarRun : public QObject {
    Q_OBJECT
private slots:
    void programsComputeTheReference_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("unfolding");
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("fused");
        for (const std::string& name : test::opNetworkNames())
            for (const Unfolding unfolding :
                 {Unfolding::WholeWindow, Unfolding::RowByRow, Unfolding::InputByPosition})
                for (const int bits : {8, 16})
                    QTest::addRow("%s %s %d", name.c_str(), std::string(pim::name(unfolding)).c_str(), bits)
                        << QString::fromStdString(name) << int(unfolding) << bits << (bits == 8);
    }
    void programsComputeTheReference() {
        QFETCH(QString, network);
        QFETCH(int, unfolding);
        QFETCH(int, bits);
        QFETCH(bool, fused);
        const auto made = prepare(network.toStdString(), {Unfolding(unfolding), 2, fused},
                                  {.weightBits = bits, .activationBits = bits});
        QVERIFY_RESULT(made);
        for (const CrossbarLayer& layer : made->network.layers)
            QVERIFY2(!layer.as<HostWork>(), layer.name.c_str());
        const auto run = executeProgram(made->job(), made->inputs);
        QVERIFY_RESULT(run);
        const CrossbarComparison comparison = compareMaps(made->network, made->expected, *run);
        QVERIFY2(!comparison.first, comparison.first ? comparison.first->text.c_str() : "");
        QCOMPARE(comparison.maps, int(made->network.layers.size()) - 1);
    }

    void referenceIsCloseToFloat32_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("bits");
        QTest::addColumn<double>("most");
        for (const std::string& name : test::opNetworkNames()) {
            QTest::addRow("%s 16", name.c_str()) << QString::fromStdString(name) << 16 << 4e-4;
            QTest::addRow("%s 8", name.c_str()) << QString::fromStdString(name) << 8 << 0.06;
        }
    }
    void referenceIsCloseToFloat32() {
        QFETCH(QString, network);
        QFETCH(int, bits);
        QFETCH(double, most);
        const auto made = prepare(network.toStdString(), {}, {.weightBits = bits, .activationBits = bits});
        QVERIFY_RESULT(made);
        const auto reals = realMaps(made->network, made->inputs);
        QVERIFY_RESULT(reals);
        const double error =
            outputAccuracy(made->network, reals->maps, realsOf(*made, made->expected)).relativeError;
        QVERIFY2(error < most, qPrintable(QString::number(error)));
        QVERIFY(error > 0); // something was rounded
    }

    void realNumbersAreThoseOfTheGraph_data() {
        QTest::addColumn<QString>("network");
        for (const std::string& name : test::opNetworkNames())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }
    void realNumbersAreThoseOfTheGraph() {
        QFETCH(QString, network);
        const auto made = prepare(network.toStdString(), {}, {.real = true});
        QVERIFY_RESULT(made);
        const auto run = executeProgram(made->job(), made->inputs);
        QVERIFY_RESULT(run);
        const auto reals = realMaps(made->network, made->inputs);
        QVERIFY_RESULT(reals);
        for (std::size_t i = 0; i < reals->maps.size(); ++i) {
            QCOMPARE(run->realMaps[i].size(), reals->maps[i].size());
            for (std::size_t k = 0; k < reals->maps[i].size(); ++k)
                QVERIFY2(std::abs(run->realMaps[i][k] - double(reals->maps[i][k])) <
                             1e-5 * (1 + std::abs(double(reals->maps[i][k]))),
                         qPrintable(QString("%1, element %2: %3, %4")
                                        .arg(made->network.layers[i].name.c_str())
                                        .arg(k)
                                        .arg(run->realMaps[i][k])
                                        .arg(double(reals->maps[i][k]))));
        }
    }

    void bitsOfInputsAndCellsGiveTheSameSums_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("cell");
        QTest::addColumn<bool>("differential");
        QTest::addColumn<int>("dac");
        for (const int bits : {8, 16})
            for (const int cell : {1, 2, 4})
                for (const bool differential : {false, true})
                    for (const int dac : {1, 2})
                        QTest::addRow("%d bits, cells of %d, dac %d%s", bits, cell, dac,
                                      differential ? ", differential" : "")
                            << bits << cell << differential << dac;
    }
    void bitsOfInputsAndCellsGiveTheSameSums() {
        QFETCH(int, bits);
        QFETCH(int, cell);
        QFETCH(bool, differential);
        QFETCH(int, dac);
        auto made = prepare("convolutions", {}, {.weightBits = bits, .activationBits = bits});
        QVERIFY_RESULT(made);
        made->chip.cellBits = cell;
        made->chip.differential = differential;
        made->chip.dacBits = dac;
        const auto run = executeProgram(made->job(), made->inputs, {.bitByBit = true});
        QVERIFY_RESULT(run);
        QVERIFY(run->maps == made->expected);
        // One bit less in the converters clips sums, and it shows.
        const int enough = exactAdcBits(cellCode(made->chip, bits), 16, dac);
        const auto clipped =
            executeProgram(made->job(), made->inputs, {.device = {.adcBits = std::max(1, enough - 3)}});
        QVERIFY_RESULT(clipped);
        QVERIFY(clipped->maps != made->expected);
        const auto exact = executeProgram(made->job(), made->inputs, {.device = {.adcBits = enough}});
        QVERIFY_RESULT(exact);
        QVERIFY(exact->maps == made->expected);
    }

    void devicesAreDeterministicAndWorseWithMoreVariation() {
        const auto made = prepare("convolutions");
        QVERIFY_RESULT(made);
        const auto reference = realsOf(*made, made->expected);
        double before = 0;
        for (const double variation : {0.01, 0.05, 0.2}) {
            const CrossbarRunOptions options{.device = {.variation = variation, .seed = 3}};
            const auto run = executeProgram(made->job(), made->inputs, options),
                       again = executeProgram(made->job(), made->inputs, options);
            QVERIFY_RESULT(run);
            QVERIFY(run->maps == again->maps);
            const double error =
                outputAccuracy(made->network, reference, realsOf(*made, run->maps)).relativeError;
            QVERIFY2(error > before, qPrintable(QString::number(error)));
            before = error;
        }
        const auto other =
            executeProgram(made->job(), made->inputs, {.device = {.variation = 0.05, .seed = 4}});
        const auto one =
            executeProgram(made->job(), made->inputs, {.device = {.variation = 0.05, .seed = 3}});
        QVERIFY(other->maps != one->maps);
        const auto stuck =
            executeProgram(made->job(), made->inputs, {.device = {.stuckOff = 0.01, .stuckOn = 0.01}});
        QVERIFY_RESULT(stuck);
        QVERIFY(stuck->maps != made->expected);
        // Cells that do not vary come through converters as they are, folded or bit by bit.
        const auto converted = executeProgram(made->job(), made->inputs,
                                              {.device = {.adcBits = 20, .stuckOff = 0.01, .stuckOn = 0.01}});
        QVERIFY_RESULT(converted);
        QVERIFY(outputAccuracy(made->network, realsOf(*made, stuck->maps), realsOf(*made, converted->maps))
                    .relativeError < 1e-3);
    }

    void wrongInstructionsAreNamed_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* what, const char* message) {
            QTest::addRow("%s", what) << what << message;
        };
        row("forgotten load", "nobody wrote");
        row("wrong group", "array group 0");
        row("wrong length", "columns");
        row("missing send", "wait for each other");
        row("narrow sums", "others lie there");
        row("far away", "the core has");
        row("wrong pixel", "should be");
    }
    void wrongInstructionsAreNamed() {
        QFETCH(QString, what);
        QFETCH(QString, message);
        auto made = prepare("convolutions");
        QVERIFY_RESULT(made);
        const auto change = [&](CrossbarOpcode opcode, const auto& how) {
            for (auto& core : made->plain.program.cores)
                for (std::size_t i = core.size() / 2; i < core.size(); ++i)
                    if (core[i].opcode == opcode) {
                        how(core, i);
                        return;
                    }
        };
        using Core = std::vector<CrossbarInstruction>;
        const auto drop = [](Core& core, std::size_t i) { core.erase(core.begin() + std::ptrdiff_t(i)); };
        if (what == "forgotten load")
            change(CrossbarOpcode::Mvm, [](Core& core, std::size_t i) { core[i].src1 = 500000; });
        else if (what == "wrong group")
            change(CrossbarOpcode::Mvm,
                   [](Core& core, std::size_t i) { core[i].index = core[i].index == 0 ? 1 : 0; });
        else if (what == "wrong length")
            change(CrossbarOpcode::Mvm, [](Core& core, std::size_t i) { --core[i].length; });
        else if (what == "missing send")
            change(CrossbarOpcode::Send, drop);
        else if (what == "narrow sums")
            change(CrossbarOpcode::Copy,
                   [](Core& core, std::size_t i) { core[i].flags = CrossbarInstruction::kWideResult; });
        else if (what == "far away")
            change(CrossbarOpcode::Load, [](Core& core, std::size_t i) { core[i].dst = 1 << 30; });
        else
            change(CrossbarOpcode::Load, [](Core& core, std::size_t i) { ++core[i].src1; });
        const auto run = executeProgram(made->job(), made->inputs, {.expected = &made->expected});
        QVERIFY(!run);
        const QString text = QString::fromStdString(run.error().text());
        QVERIFY2(text.contains(message) && text.contains("instruction") && text.contains("core"),
                 qPrintable(text));
    }

    void differencesNameLayerPixelAndChannel() {
        const auto made = prepare("convolutions");
        QVERIFY_RESULT(made);
        CrossbarRun run;
        run.maps = made->expected;
        const auto layer = made->network.matrixLayers[1].index();
        const int channels = made->network.layers[layer].out.channels;
        run.maps[layer][std::size_t(3 * channels + 4)] += 1;
        const CrossbarComparison comparison = compareMaps(made->network, made->expected, run);
        QVERIFY(comparison.first.has_value());
        QCOMPARE(comparison.first->layer, LayerId(layer));
        QCOMPARE(comparison.first->pixel, 3);
        QCOMPARE(comparison.first->channel, 4);
        QCOMPARE(comparison.first->count, 1);
    }
};

QTEST_MAIN(TestCrossbarRun)
#include "tst_backends_crossbar_numeric_run.moc"
