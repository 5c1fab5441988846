// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Traces of aim_simulator: clocks measured with it, counts, and files that are wrong.
#include <QTemporaryDir>
#include <QTest>

#include <string>

#include "core/dram/aim/aim_trace.h"

#include <fstream>

using namespace pim;

namespace {

Result<AimTraceRun> runOf(const std::string& text) {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("x.trace").toStdString();
    std::ofstream(file, std::ios::binary) << text;
    return runAimTrace(file);
}

/// A square GEMV on 32 channels as it was run on the simulator (tests/golden/hbmpim/aim_gemv.csv).
std::string gemvTrace(std::int64_t size, AimDataflow dataflow) {
    constexpr std::int64_t kOutputs = 16 * 32, kInputs = 1024;
    const std::int64_t tiles = (size + kOutputs - 1) / kOutputs, chunks = (size + kInputs - 1) / kInputs;
    const std::string mask = "0xffffffff";
    const auto bursts = [&](std::int64_t chunk) {
        return std::to_string(std::min(kInputs, size - chunk * kInputs) / 16);
    };
    const auto load = [&](std::int64_t chunk) { return "AiM WR_GB " + bursts(chunk) + " 0 " + mask + "\n"; };
    const auto multiply = [&](std::int64_t tile, std::int64_t chunk) {
        return "AiM MAC_ABK " + bursts(chunk) + " " + mask + " " + std::to_string(tile * chunks + chunk) +
               "\n";
    };
    const std::string bias = "AiM WR_BIAS 4 " + mask + "\n", sums = "AiM RD_MAC 8 " + mask + "\n";
    std::string text = "W CFR 0 1\n";
    if (dataflow == AimDataflow::OutputStationary)
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            text += bias;
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
                text += load(chunk) + multiply(tile, chunk);
            text += sums;
        }
    else
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            text += load(chunk);
            for (std::int64_t tile = 0; tile < tiles; ++tile)
                text += bias + multiply(tile, chunk) + sums;
        }
    return text + "AiM EOC\n";
}

} // namespace

class TestAimTrace : public QObject {
    Q_OBJECT
private slots:
    void golden_data();
    void golden();
    void untimed();
    void hostile_data();
    void hostile();
};

void TestAimTrace::golden_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("isInput");
    QTest::addColumn<int>("cycles"); // aim_simulator 0f28a07, measured
    QTest::newRow("512 os") << 512 << false << 287;
    QTest::newRow("1024 os") << 1024 << false << 829;
    QTest::newRow("1024 is") << 1024 << true << 701;
    QTest::newRow("2048 os") << 2048 << false << 3281;
    QTest::newRow("2048 is") << 2048 << true << 2545;
    QTest::newRow("4096 os") << 4096 << false << 13057;
    QTest::newRow("4096 is") << 4096 << true << 9665;
}

void TestAimTrace::golden() {
    QFETCH(int, size);
    QFETCH(bool, isInput);
    const auto run =
        runOf(gemvTrace(size, isInput ? AimDataflow::InputStationary : AimDataflow::OutputStationary));
    QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
    QVERIFY2(run->cost.has_value(), run->untimed.c_str());
    QTEST(int(run->cost->cycles), "cycles");
    QCOMPARE(run->channels, 32);
    QCOMPARE(run->commands.at("AiM EOC"), 1);
    QCOMPARE(run->cost->of(AimCommandKind::Mac16), size / 16 * ((size + 511) / 512));
}

void TestAimTrace::untimed() {
    const auto function = runOf("# comment\n\nAiM ISR_WR_BIAS 4 0x1\nAiM AF 0x1\nAiM EOC\n");
    QVERIFY(function.has_value() && !function->cost.has_value());
    QCOMPARE(QString::fromStdString(function->untimed), QString("AiM AF in line 4"));
    QCOMPARE(function->commands.at("AiM WR_BIAS"), 1);
    const auto apart = runOf("AiM WR_BIAS 4 0x1\nAiM WR_BIAS 4 0x2\nAiM EOC\n");
    QVERIFY(apart.has_value() && !apart->cost.has_value());
    QCOMPARE(apart->channels, 2);
}

void TestAimTrace::hostile_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << ""
                           << "ends without AiM EOC";
    QTest::newRow("cut") << "W CFR 0 1\nAiM WR_BIAS 4 0x1\n"
                         << "ends without AiM EOC";
    QTest::newRow("after") << "AiM EOC\nAiM EOC\n"
                           << "x.trace:2: there is an instruction after AiM EOC";
    QTest::newRow("word") << "AiM JUMP 1\n"
                          << "x.trace:1: unknown instruction \"AiM JUMP\"";
    QTest::newRow("one word") << "AiM\n"
                              << "unknown instruction";
    QTest::newRow("fields") << "AiM WR_GB 64 0\n"
                            << "AiM WR_GB has 2 fields, must have 3";
    QTest::newRow("huge") << "AiM WR_GB 99999999999999999999 0 0x1\n"
                          << "opsize is \"99999999999999999999\", must be 1 to 64";
    QTest::newRow("size") << "AiM MAC_ABK 65 0x1 0\n"
                          << "opsize is \"65\", must be 1 to 64";
    QTest::newRow("row") << "AiM MAC_ABK 64 0x1 16384\n"
                         << "row is \"16384\", must be 0 to 16383";
    QTest::newRow("mask") << "AiM MAC_ABK 64 0x0 0\n"
                          << "channel mask is \"0x0\"";
    QTest::newRow("negative") << "W MEM -1 0 0\n"
                              << "channel is \"-1\", must be 0 to 31";
    QTest::newRow("commas") << "AiM,WR_BIAS,4,0x1\n"
                            << "unknown instruction";
    QTest::newRow("garbage") << QString(3000, 'x') << "x.trace";
}

void TestAimTrace::hostile() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto run = runOf(text.toStdString());
    QVERIFY(!run.has_value());
    const std::string told = run.error().text();
    QVERIFY2(told.find(says.toStdString()) != std::string::npos, told.c_str());
}

QTEST_GUILESS_MAIN(TestAimTrace)
#include "tst_core_dram_hbm_pim_aim_trace.moc"
