// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Requests of HBM-PIM as text: what is written comes back and takes the clocks of the simulator; hostile files are refused
/// with their line.
#include <QTemporaryDir>
#include <QTest>

#include <string>

#include "core/dram/hbm_pim/hbm_pim_trace.h"
#include "tests/core_dram_hbm_pim/golden.h"

#include <fstream>

using namespace pim;
using namespace pim::test;

namespace {

std::string fileOf(const QTemporaryDir& folder, const std::string& text) {
    const std::string file = folder.filePath("x.trace").toStdString();
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

/// The stream of all channels, request by request.
std::string textOf(const HbmPimStream& stream, int channels) {
    std::string text = hbmPimTraceHead(channels);
    for (const HbmPimBurst& burst : stream.bursts) {
        for (int channel = 0; channel < channels; ++channel)
            appendHbmPimLine(text, burst, burst.data < 0 ? nullptr : &stream.data[std::size_t(burst.data)],
                             channel, channels);
        for (int channel = 0; burst.barrier && channel < channels; ++channel)
            appendHbmPimBarrier(text, channel);
    }
    return text;
}

} // namespace

class TestHbmPimTrace : public QObject {
    Q_OBJECT
private slots:
    void golden_data();
    void golden();
    void places();
    void unequalChannels();
    void hostile_data();
    void hostile();
};

void TestHbmPimTrace::golden_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<qint64>("out");
    QTest::addColumn<qint64>("in");
    QTest::addColumn<int>("channels");
    QTest::addColumn<qint64>("cycles"); // PIMSimulator b464dde, measured: tests/golden/hbmpim/pim_kernels.csv
    QTest::newRow("gemv 128 on 64") << "gemv" << qint64(128) << qint64(128) << 64 << qint64(750);
    QTest::newRow("gemv 512 on 16") << "gemv" << qint64(512) << qint64(512) << 16 << qint64(1867);
    QTest::newRow("gemv 256 on 1") << "gemv" << qint64(256) << qint64(256) << 1 << qint64(3559);
    QTest::newRow("add 128 Ki on 64") << "add" << qint64(131072) << qint64(0) << 64 << qint64(731);
}

void TestHbmPimTrace::golden() {
    QFETCH(QString, kernel);
    QFETCH(qint64, out);
    QFETCH(qint64, in);
    QFETCH(int, channels);
    HbmPimShape shape;
    shape.kind = kernel == "gemv" ? HbmPimKernelKind::Gemv : HbmPimKernelKind::Add;
    (kernel == "gemv" ? shape.out : shape.length) = out;
    shape.in = in;
    shape.channels = channels;
    shape.ranks = hbmPimRanks(channels);
    QVERIFY(checkHbmPimShape(shape).has_value());
    const HbmPimStream stream = hbmPimStream(shape);
    const QTemporaryDir folder;
    const auto trace = readHbmPimTrace(fileOf(folder, textOf(stream, channels)));
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
    QCOMPARE(trace->system, channels);
    for (const HbmPimStream& read : trace->channels) {
        QCOMPARE(read.bursts.size(), stream.bursts.size());
        for (std::size_t i = 0; i < stream.bursts.size(); ++i) {
            const HbmPimBurst &is = read.bursts[i], &was = stream.bursts[i];
            QVERIFY(is.write == was.write && is.barrier == was.barrier && is.bank == was.bank &&
                    is.row == was.row && is.column == was.column && is.pimOn == was.pimOn);
            QVERIFY((is.data < 0) == (was.data < 0));
            if (is.data >= 0)
                QVERIFY(read.data[std::size_t(is.data)] == stream.data[std::size_t(was.data)]);
        }
    }
    const auto run = runHbmPimTrace(*trace);
    QVERIFY(run.has_value());
    QTEST(qint64(run->cost.cycles), "cycles");
    QCOMPARE(run->channels, channels);
    QCOMPARE(run->simulated, 1);
    QVERIFY(run->cost.counts.readSteps > 0);
}

/// By hand from the map Scheme8: 5 bits offset, channel, bank in group, group, column, row.
void TestHbmPimTrace::places() {
    HbmPimBurst burst;
    burst.bank = 0b1101; // group 3, bank 1
    burst.column = 0b10001;
    burst.row = 0x1abc;
    std::string text;
    appendHbmPimLine(text, burst, nullptr, 0b101010, 64);
    const std::uint64_t expected = std::uint64_t(0b101010) << 5 | std::uint64_t(0b01) << 11 |
                                   std::uint64_t(0b11) << 13 | std::uint64_t(0b10001) << 15 |
                                   std::uint64_t(0x1abc) << 20;
    QCOMPARE(QString::fromStdString(text), QString("R 0x%1\n").arg(qulonglong(expected), 9, 16, QChar('0')));
    text.clear();
    appendHbmPimLine(text, burst, nullptr, 0, 1);
    const std::uint64_t single =
        std::uint64_t(0b1101) << 5 | std::uint64_t(0b10001) << 9 | std::uint64_t(0x1abc) << 14;
    QCOMPARE(QString::fromStdString(text), QString("R 0x%1\n").arg(qulonglong(single), 9, 16, QChar('0')));
    QCOMPARE(hbmPimSystem(1), 1);
    QCOMPARE(hbmPimSystem(2), 16);
    QCOMPARE(hbmPimSystem(17), 64);
    QCOMPARE(hbmPimSystem(1000), 64);
}

void TestHbmPimTrace::unequalChannels() {
    const QTemporaryDir folder;
    const auto trace = readHbmPimTrace(fileOf(folder, "# channels 16\nR 0x0\nR 0x20\nR 0x220\nW 0x40\n"));
    QVERIFY(trace.has_value());
    const auto run = runHbmPimTrace(*trace).value();
    QCOMPARE(run.channels, 3);
    QCOMPARE(run.simulated, 3);
    QCOMPARE(run.cost.counts.of(HbmPimCommandKind::Read), 3);
    QCOMPARE(run.cost.counts.of(HbmPimCommandKind::Write), 1);
}

void TestHbmPimTrace::hostile_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << ""
                           << "the file is empty";
    QTest::newRow("no head") << "R 0x0\n"
                             << "x.trace:1: the first line is \"R 0x0\"";
    QTest::newRow("odd channels") << "# channels 17\n"
                                  << "it must be";
    QTest::newRow("huge channels") << "# channels 99999999999999999999\n"
                                   << "it must be";
    QTest::newRow("word") << "# channels 1\nX 0x0\n"
                          << "x.trace:2: unknown request \"X\"";
    QTest::newRow("cut") << "# channels 1\nR 0x0\nW"
                         << "x.trace:3: \"\" is no address";
    QTest::newRow("decimal") << "# channels 1\nR 32\n"
                             << "\"32\" is no address";
    QTest::newRow("overflow") << "# channels 1\nR 0x10000000000000000\n"
                              << "is no address";
    QTest::newRow("rank 1") << "# channels 1\nR 0x10000000\n"
                            << "0x10000000 lies beyond rank 0 of 1 channels";
    QTest::newRow("unaligned") << "# channels 1\nR 0x10\n"
                               << "0x10 is not the start of 32 bytes";
    QTest::newRow("read data") << "# channels 1\nR 0x0 00\n"
                               << "a read carries \"00\"";
    QTest::newRow("short data") << "# channels 1\nW 0x0 00\n"
                                << "data has 2 digits, must have 64";
    QTest::newRow("bad data") << "# channels 1\nW 0x0 " + QString(63, '0') + "g\n"
                              << "no hexadecimal digits";
    QTest::newRow("barrier") << "# channels 16\nB 16\n"
                             << "\"16\" is no channel";
    QTest::newRow("negative") << "# channels 16\nB -1\n"
                              << "\"-1\" is no channel";
    QTest::newRow("long") << "# channels 1\n" + QString(5000, 'R') << "x.trace";
}

void TestHbmPimTrace::hostile() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const auto trace = readHbmPimTrace(fileOf(folder, text.toStdString()));
    QVERIFY(!trace.has_value());
    const std::string told = trace.error().text();
    QVERIFY2(told.find(says.toStdString()) != std::string::npos, told.c_str());
}

QTEST_GUILESS_MAIN(TestHbmPimTrace)
#include "tst_core_dram_hbm_pim_trace.moc"
