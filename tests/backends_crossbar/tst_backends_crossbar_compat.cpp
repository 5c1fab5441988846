// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The rules of PIMCOMP-NN: whole streams to the nanosecond, each rule alone with figures worked out by hand,
/// and files that are wrong.
#include <QTemporaryDir>
#include <QTest>

#include <string>

#include "backends/crossbar/busy_time.h"
#include "backends/crossbar/compat.h"
#include "core/hardware/catalog.h"

#include <QFile>

#include <filesystem>
#include <fstream>
#include <random>

using namespace pim;

namespace {

const QString kGolden = PIM_SOURCE_DIR "/tests/golden/crossbar/";
const QString kShared = PIM_SHARED_DIR "/golden/pimcomp/";

/// Rows of a CSV file, header left out.
QList<QStringList> rows(const QString& file) {
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly))
        return {};
    QList<QStringList> result;
    for (const QByteArray& line : in.readAll().trimmed().split('\n').mid(1))
        result << QString::fromUtf8(line).split(',');
    return result;
}

/// "group,core,op,stage,elements,ag or transfer" a line, in short.
CompatStream stream(const QStringList& lines) {
    QTemporaryDir folder;
    const QString file = folder.filePath("s.csv");
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return {};
    out.write("group,core,op,stage,elements,in_elements,out_elements,ag,comm\n");
    for (const QString& line : lines) {
        const QStringList f = line.split(' ');
        const QString id = f.value(5);
        if (f[2] == "MVMUL")
            out.write(QString("%1,%2,%3,%4,,%5,%5,%6,\n").arg(f[0], f[1], f[2], f[3], f[4], id).toUtf8());
        else
            out.write(QString("%1,%2,%3,%4,%5,,,,%6\n").arg(f[0], f[1], f[2], f[3], f[4], id).toUtf8());
    }
    out.close();
    auto read = readCompatStream(file.toStdString());
    if (!read)
        qWarning("%s", read.error().text().c_str());
    return read.value_or(CompatStream{});
}

double period(const QStringList& lines, CompatHardware hardware = {}) {
    const auto result = evaluateCompat(stream(lines), hardware);
    return result ? result->periodNs : -1;
}

Error errorOf(const QByteArray& text) {
    QTemporaryDir folder;
    const QString file = folder.filePath("s.csv");
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return {};
    out.write(text);
    out.close();
    const auto read = readCompatStream(file.toStdString());
    return read ? Error{ErrorCode::Internal, "was read", {}, {}} : read.error();
}

const QByteArray kHeader = "group,core,op,stage,elements,in_elements,out_elements,ag,comm\n";

} // namespace

class TestCrossbarCompat : public QObject {
    Q_OBJECT

private slots:
    void givesTheGoldenPeriods_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("mvmNs");
        QTest::addColumn<double>("periodNs");
        for (const QString& folder : {kGolden, kShared})
            for (const QStringList& row : rows(folder + "streams.csv"))
                QTest::newRow(qPrintable(QFileInfo(folder).path().section('/', -1) + ' ' + row[0]))
                    << folder + row[0] << row[5].toDouble() << row[6].toDouble();
        for (const QStringList& row : rows(kGolden + "streams_4000.csv"))
            QTest::newRow(qPrintable("4000 ns " + row[0])) << kGolden + row[0] << 4000.0 << row[1].toDouble();
    }
    void givesTheGoldenPeriods() {
        QFETCH(QString, file);
        QFETCH(double, mvmNs);
        QFETCH(double, periodNs);
        const auto chip = crossbarChip(**TargetCatalog::load().find(compatTarget("D")));
        QVERIFY(chip);
        CompatHardware hardware = compatHardware(*chip);
        QCOMPARE(hardware.mvmNs, 800.0);
        hardware.mvmNs = mvmNs;
        const auto read = readCompatStream(file.toStdString());
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        const auto result = evaluateCompat(*read, hardware);
        QVERIFY2(result, result ? "" : result.error().text().c_str());
        QCOMPARE(result->periodNs, periodNs);
    }

    void countsWhatTheOtherCounts() {
        for (const QStringList& row : rows(kGolden + "streams_4000.csv")) {
            CompatHardware hardware;
            hardware.mvmNs = 4000;
            const auto result = evaluateCompat(*readCompatStream((kGolden + row[0]).toStdString()), hardware);
            QCOMPARE(result->criticalCore, row[2].toInt());
            QVERIFY(std::abs(result->memoryBoundNs - row[3].toDouble()) < 1);
            QVERIFY(std::abs(result->busBoundNs - row[4].toDouble()) < 1);
            QVERIFY(std::abs(result->issueBoundNs - row[5].toDouble()) < 1);
            QCOMPARE(qint64{result->loadBytes}, row[6].toLongLong());
            QCOMPARE(qint64{result->storeBytes}, row[7].toLongLong());
            QCOMPARE(qint64{result->coreBytes}, row[8].toLongLong());
        }
    }

    /// Worked out by hand from the rules.
    void appliesEachRule_data() {
        QTest::addColumn<QStringList>("lines");
        QTest::addColumn<double>("ns");
        const auto row = [](const char* name, const QStringList& lines, double ns) {
            QTest::newRow(name) << lines << ns;
        };
        row("vector of 33 elements takes two passes", {"0 0 VRELU MAIN 33"}, 20);
        row("first product adds to the clock", {"0 0 MVMUL MAIN 128 0"}, 800);
        row("loads before it count too", {"0 0 LD INPUT 128", "0 0 MVMUL MAIN 128 0"}, 4 + 800);
        row("two groups issue 200 ns apart", {"0 0 MVMUL MAIN 128 0", "0 0 MVMUL MAIN 128 1"}, 200 + 800);
        // a group whose last product began at 0 is taken for one that never ran
        row("the same group at 0 does not wait", {"0 0 MVMUL MAIN 128 0", "0 0 MVMUL MAIN 128 0"}, 1000);
        row("the same group waits for its product",
            {"0 0 LD INPUT 128", "0 0 MVMUL MAIN 128 0", "0 0 MVMUL MAIN 128 0"}, 4 + 800 + 800);
        row("vector work between products is free",
            {"0 0 MVMUL MAIN 128 0", "0 0 VVADD MAIN-A 3200", "0 0 MVMUL MAIN 128 1"}, 1000);
        row("vector work after them is not", {"0 0 MVMUL MAIN 128 0", "0 0 VVADD MAIN-A 3200"}, 800 + 1000);
        row("moves before a product delay later ones",
            {"0 0 MVMUL MAIN 128 0", "0 0 LMV MAIN 3200", "0 0 MVMUL MAIN 128 1"}, 500 + 800);
        row("and nothing else", {"0 0 LMV MAIN 3200", "0 0 VRELU MAIN 32"}, 10);
        row("moves elsewhere take the clock", {"0 0 LMV POST 3200", "0 0 LLDI POST 3200"}, 500 + 250);
        row("a load sets the clock to its end", {"0 0 LD INPUT 3200", "0 0 VRELU MAIN 32"}, 100 + 10);
        row("stores follow the clock", {"0 0 VRELU MAIN 32", "0 0 ST OUTPUT 3200"}, 110);
        row("memory is shared, later cores fill holes",
            {"0 0 VRELU MAIN 32", "0 0 ST OUTPUT 3200", "0 1 ST OUTPUT 320"}, 10 + 100);
        row("and go on behind", {"0 0 VRELU MAIN 32", "0 0 ST OUTPUT 3200", "0 1 ST OUTPUT 352"}, 111);
        row("a transfer waits for both sides",
            {"0 0 SEND MAIN 128 0", "0 1 VRELU MAIN 320", "0 1 RECV MAIN 128 0"}, 100 + 10);
        row("transfers of one chip share the bus",
            {"0 0 SEND MAIN 128 0", "0 1 RECV MAIN 128 0", "0 2 SEND MAIN 128 1", "0 3 RECV MAIN 128 1"}, 20);
        row("a product after a transfer starts after it",
            {"0 0 MVMUL MAIN 128 0", "0 0 SEND MAIN 128 0", "0 0 LMV MAIN 128", "0 0 MVMUL MAIN 128 1",
             "0 1 RECV MAIN 128 0"},
            800 + 20 + 800);
        row("gathered sums move the time of the transfer",
            {"0 0 MVMUL MAIN 128 0", "0 0 RECV MAIN 128 0", "0 0 VVADD MAIN-C 320", "0 0 MVMUL MAIN 128 1",
             "0 1 SEND MAIN 128 0"},
            800 + 100 + 800);
        row("a group starts where the last one ended",
            {"0 0 MVMUL MAIN 128 0", "1 0 MVMUL MAIN 128 0", "1 0 MVMUL MAIN 128 1"}, 800 + 200 + 800);
        row("what is not counted there is free",
            {"0 0 VVMUL POST 3200", "0 0 VER POST 3200", "0 0 VRSL POST 9"}, 0);
        row("tanh, sigmoid and max are", {"0 0 VTANH POST 32", "0 0 VSIGMOID POST 32", "0 0 VVMAX POST 32"},
            30);
        row("chips have memories of their own", {"0 0 ST OUTPUT 3200", "0 144 ST OUTPUT 3200"}, 100);
        row("between chips the link comes on top, cut to whole ns",
            {"0 143 SEND MAIN 100 0", "0 144 RECV MAIN 100 0"}, double(int(8 + 200 / 6.4)));
    }
    void appliesEachRule() {
        QFETCH(QStringList, lines);
        QTEST(period(lines), "ns");
    }

    /// The order of visits: 0 stops at 1's transfer, 1 at 2's; then 2 meets 1, 1 goes on to meet 0.
    void resumesThePartnerFirst() {
        const QStringList lines{"0 0 RECV MAIN 1280 0", "0 0 ST OUTPUT 3200", "0 1 RECV MAIN 1280 1",
                                "0 1 SEND MAIN 1280 0", "0 1 ST OUTPUT 3200", "0 2 SEND MAIN 1280 1",
                                "0 2 ST OUTPUT 3200"};
        const auto result = evaluateCompat(stream(lines), {});
        QVERIFY(result);
        QCOMPARE(result->cores[1].clockNs,
                 200.0 + 200); // third at the memory: the core it met and the first one stored before
        QCOMPARE(result->cores[0].clockNs, 200.0 + 100);
        QCOMPARE(result->cores[2].clockNs, 200.0);
    }

    void splitsOnOtherChips() {
        CompatHardware four;
        four.coresPerChip = 4;
        const QStringList lines{"0 0 ST OUTPUT 3200", "0 4 ST OUTPUT 3200", "0 5 ST OUTPUT 3200"};
        QCOMPARE(period(lines, four), 200.0);
        QCOMPARE(period(lines), 300.0);
    }

    void namesCoresThatWaitForEver() {
        const auto result = evaluateCompat(
            stream({"0 0 SEND MAIN 1 0", "0 0 RECV MAIN 1 1", "0 1 SEND MAIN 1 1", "0 1 RECV MAIN 1 0"}), {});
        QVERIFY(!result);
        QVERIFY2(result.error().message.find("group 0: core 0 in transfer 0, core 1 in transfer 1") !=
                     std::string::npos,
                 result.error().message.c_str());
    }

    void refusesWrongFiles_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& lines, const char* says) {
            QTest::newRow(name) << kHeader + lines << QString(says);
        };
        QTest::newRow("empty") << QByteArray() << QString("the file is empty");
        QTest::newRow("no header") << QByteArray("0,0,LD,INPUT,1,,,,\n")
                                   << QString("the first line is \"0,0,LD");
        QTest::newRow("binary") << QByteArray("\x00\x01\x02\xff", 4) << QString("the first line is \"????\"");
        row("nothing", "", "has no instruction");
        row("columns", "0,0,LD,INPUT,1\n", "s.csv:2: has 5 columns, must have 9");
        row("opcode", "0,0,LMW,MAIN,1,,,,\n", "unknown instruction \"LMW\"");
        row("number", "0,0,LD,INPUT,-1,,,,\n", "column \"elements\" is \"-1\", must be a whole number");
        row("missing", "0,0,LD,INPUT,,,,,\n", "column \"elements\" is \"\"");
        row("large", "0,0,LD,INPUT,99999999999999999999999,,,,\n", "must be below");
        row("core", "0,4000000000,LD,INPUT,1,,,,\n", "column \"core\" is 4000000000, must be below 1000000");
        row("group back", "1,0,LD,INPUT,1,,,,\n0,0,LD,INPUT,1,,,,\n", "s.csv:3: group 0 comes after group 1");
        row("no array group", "0,0,MVMUL,MAIN,,1,1,,\n", "column \"ag\" is \"\"");
        row("no transfer", "0,0,SEND,MAIN,1,,,,\n", "column \"comm\" is \"\"");
        row("one side", "0,0,SEND,MAIN,1,,,,7\n",
            "transfer 7 in group 0: core 0 sends, and no core receives");
        row("two groups", "0,0,SEND,MAIN,1,,,,7\n1,1,RECV,MAIN,1,,,,7\n",
            "core 0 sends, and no core receives");
        row("twice", "0,0,SEND,MAIN,1,,,,7\n0,1,SEND,MAIN,1,,,,7\n", "core 1 sends it again");
        row("itself", "0,0,SEND,MAIN,1,,,,7\n0,0,RECV,MAIN,1,,,,7\n", "core 0 is on both sides");
        row("sizes", "0,0,SEND,MAIN,1,,,,7\n0,1,RECV,MAIN,2,,,,7\n", "one side has 1 elements, the other 2");
        row("long", QByteArray(5000, 'x'), "the line is longer than 1000 characters");
    }
    void refusesWrongFiles() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const Error error = errorOf(text);
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
        QVERIFY(error.where.find("s.csv") != std::string::npos);
    }

    void survivesDamagedFiles() {
        QFile in(kGolden + "alexnet.batch.stream.csv.gz");
        QVERIFY(in.open(QIODevice::ReadOnly));
        QByteArray bytes = in.readAll();
        QVERIFY(errorOf(bytes.left(bytes.size() / 2)).message.find("ends too early") != std::string::npos);
        bytes[bytes.size() / 3] = char(~bytes[bytes.size() / 3]);
        QVERIFY(errorOf(bytes).code == ErrorCode::InvalidFile);
        QCOMPARE(readCompatStream("/nowhere/x.csv").error().code, ErrorCode::Io);
    }

    /// Intervals against one flag a nanosecond, as the original keeps them.
    void takesTimeAsFlagsDo() {
        std::mt19937 random(7);
        for (int round = 0; round < 50; ++round) {
            BusyTime busy;
            std::vector<bool> flags(20'000);
            for (int i = 0; i < 300; ++i) {
                const std::int64_t from = random() % 3000, count = random() % 20;
                std::int64_t at = from, left = count;
                for (; left > 0; ++at)
                    if (!flags[std::size_t(at)]) {
                        flags[std::size_t(at)] = true;
                        --left;
                    }
                QCOMPARE(qint64{busy.take(from, count)}, qint64{at - from});
            }
            std::size_t intervals = 0;
            for (std::size_t i = 0; i < flags.size(); ++i)
                intervals += flags[i] && (i == 0 || !flags[i - 1]);
            QCOMPARE(busy.intervals(), intervals);
        }
    }

    void takesOurProgramsInItsTerms() {
        CrossbarProgram program;
        const auto make = [](CrossbarOpcode opcode, CrossbarStage stage, std::uint32_t length,
                             std::uint32_t index = 0) {
            CrossbarInstruction i;
            i.opcode = opcode;
            i.stage = stage;
            i.length = length;
            i.index = index;
            return i;
        };
        program.cores = {{make(CrossbarOpcode::Load, CrossbarStage::Input, 128),
                          make(CrossbarOpcode::Mvm, CrossbarStage::Main, 128, 0),
                          make(CrossbarOpcode::Copy, CrossbarStage::Main, 3200),
                          make(CrossbarOpcode::Mvm, CrossbarStage::Main, 128, 1),
                          make(CrossbarOpcode::Vec, CrossbarStage::Accumulate, 128),
                          make(CrossbarOpcode::Send, CrossbarStage::Output, 128, 5)},
                         {make(CrossbarOpcode::Recv, CrossbarStage::Main, 128, 5),
                          make(CrossbarOpcode::Vec, CrossbarStage::Gather, 128),
                          make(CrossbarOpcode::Copy, CrossbarStage::Post, 128),
                          make(CrossbarOpcode::Store, CrossbarStage::Output, 128)}};
        program.groupEnds = {{6}, {4}};
        const auto result = compatPeriod(program, {});
        QVERIFY2(result, result ? "" : result.error().text().c_str());
        QCOMPARE(result->periodNs, 4.0 + 500 + 800 + 40 + 10 + 40 + 20 + 4);
        QCOMPARE(qint64{result->counts[std::size_t(CompatOp::GatherAdd)]}, qint64{1});
        program.groupEnds = {{5, 6}, {4, 4}};
        QVERIFY(compatPeriod(program, {}).error().message.find("core 1 receives, and no core sends") !=
                std::string::npos);
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const std::string file = (kGolden + "alexnet.batch.stream.csv.gz").toStdString();
        QCOMPARE(readCompatStream(file, task).error().code, ErrorCode::Cancelled);
        QCOMPARE(evaluateCompat(*readCompatStream(file), {}, task).error().code, ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestCrossbarCompat)
#include "tst_backends_crossbar_compat.moc"
