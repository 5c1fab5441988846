// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc bench-kernel`: keys as the columns of the reference files, wrong words refused with the reason.
#include <QTest>
#include <string>

#include "tests/core_dram_hbm_pim/golden.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

namespace {

struct Run {
    int code = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Run pimc(const QString& arguments) {
    QProcess process;
    process.start(PIMC, QStringList{"bench-kernel"} + arguments.split(' ', Qt::SkipEmptyParts));
    process.waitForFinished();
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class TestBenchKernelVerb : public QObject {
    Q_OBJECT
private slots:
    void printsTheColumnsOfTheReference() {
        auto rows = goldenFile("pim_kernels.csv");
        for (GoldenRow& row : rows) {
            if (row["kernel"] != "gemv" || row["out_or_len"] != "4096" || row["in"] != "4096" ||
                row["channels"] != "64" || row["batch"] != "1")
                continue;
            const Run run = pimc("--device hbm-pim --controller pimsimulator-compat --kernel gemv --out 4096 "
                                 "--in 4096 --batch 1 --channels 64 --ranks 2 --baseline --json");
            QCOMPARE(run.code, 0);
            const QJsonObject json = run.json();
            for (const char* column : {"pim_cycles", "nonpim_cycles", "out_tiles", "in_tiles", "tiles",
                                       "result_valid", "pim_act", "pim_pre", "pim_rd", "pim_wr", "pim_ref",
                                       "habpim_rd", "nonpim_act", "nonpim_ref", "pim_cmds", "nonpim_cmds"})
                QCOMPARE(json[QString(column)].toInteger(-1), row[column].toLongLong());
            QVERIFY(std::abs(json["speedup"].toDouble() - row["speedup"].toDouble()) < 1e-3);
            return;
        }
        QFAIL("the row is missing");
    }

    void computesAndWritesTheCommands() {
        QTemporaryDir folder;
        const QString file = folder.filePath("commands.csv");
        const Run run =
            pimc("--device hbm-pim --kernel gemv --out 64 --in 256 --channels 1 --functional --json "
                 "--trace-out " +
                 file);
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()["out_fnv64"].toString(), QString("b2f73c009a602bfb"));
        QFile commands(file);
        QVERIFY(commands.open(QIODevice::ReadOnly));
        QCOMPARE(qint64(goldenRows(commands.readAll()).size()), run.json()["pim_cmds"].toInteger());
    }

    void runsOurOwnKernel() {
        const Run run =
            pimc("--device hbm-pim --kernel gemv --out 300 --in 500 --channels 4 --optimised --functional "
                 "--controller strict --json");
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()["result_valid"].toInt(-1), 1);
        QVERIFY(run.json()["max_abs_err"].toDouble(9) < 0.05);
        const Run theirs =
            pimc("--device hbm-pim --kernel gemv --out 300 --in 500 --channels 4 --layout padded "
                 "--controller strict --json");
        QVERIFY(run.json()["pim_cycles"].toInteger() < theirs.json()["pim_cycles"].toInteger());
    }

    void runsAim() {
        const Run run =
            pimc("--device aim --controller aim-compat --kernel gemv --dataflow is --channels 32 --out 4096 "
                 "--in 4096 --json");
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()["pim_cycles"].toInteger(), qint64(9665));
        const QString shape = "--device aim --kernel gemv --channels 32 --out 4096 --in 4096 --json ";
        const auto figure = [&](const char* options, const char* key) {
            return pimc(shape + options).json()[key].toInteger(-1);
        };
        QCOMPARE(figure("--dataflow is --refresh on", "per_ch_REFab"), qint64(2));
        QCOMPARE(figure("--controller strict --refresh off", "per_ch_REFab"), qint64(0));
        QVERIFY(figure("--controller strict", "per_ch_REFab") >= 2);
        const qint64 ours = figure("--controller strict --refresh off", "pim_cycles");
        QVERIFY(ours > 7500 && ours < 9665);
        QCOMPARE(figure("--controller strict", "per_ch_MAC16"), qint64(2048));
    }

    void refuses_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("reason");
        QTest::newRow("device") << "--device foo --kernel gemv"
                                << "--device";
        QTest::newRow("kernel") << "--device hbm-pim --kernel conv"
                                << "is no kernel of hbm-pim";
        QTest::newRow("kernel of aim") << "--device aim --kernel relu --len 5"
                                       << "is no kernel of aim";
        QTest::newRow("controller") << "--device hbm-pim --controller aim-compat --kernel red --len 5"
                                    << "choose pimsimulator-compat";
        QTest::newRow("optimised") << "--device hbm-pim --kernel add --len 5 --optimised"
                                   << "no other kernel add";
        QTest::newRow("no size") << "--device hbm-pim --kernel gemv --out 5"
                                 << "needs --in";
        QTest::newRow("no length") << "--device hbm-pim --kernel add"
                                   << "needs --len";
        QTest::newRow("size of another kernel") << "--device hbm-pim --kernel add --len 5 --out 5"
                                                << "takes no --out";
        QTest::newRow("timing") << "--device hbm-pim --kernel red --len 4096 --timing tRP=x"
                                << "tRP=x";
        QTest::newRow("too large") << "--device hbm-pim --kernel gemv --out 11008 --in 4096 --channels 1"
                                   << "use more channels";
        QTest::newRow("refresh of hbm-pim") << "--device hbm-pim --kernel red --len 5 --refresh on"
                                            << "takes no --refresh";
        QTest::newRow("dataflow of strict")
            << "--device aim --kernel gemv --out 5 --in 5 --controller strict --dataflow is"
            << "takes no --dataflow";
        QTest::newRow("functional aim") << "--device aim --kernel ewmul --len 5 --functional"
                                        << "takes no --functional";
        QTest::newRow("file") << "--device hbm-pim --kernel red --len 4096 --trace-out /no/such/folder/x"
                              << "cannot create the file";
    }
    void refuses() {
        QFETCH(QString, arguments);
        QFETCH(QString, reason);
        const Run run = pimc(arguments);
        QCOMPARE(run.code, 1);
        QVERIFY2(run.err.contains(reason.toUtf8()), run.err.constData());
        QVERIFY(run.out.isEmpty());
    }

    void saysWhereTheSimulatorIsWrong() {
        const Run wrong = pimc("--device hbm-pim --kernel relu --len 3000 --channels 1 --json");
        QCOMPARE(wrong.code, 0);
        QCOMPARE(wrong.json()["result_valid"].toInt(-1), 0);
        QVERIFY(wrong.err.contains("--layout padded"));
        const Run right = pimc(
            "--device hbm-pim --kernel relu --len 3000 --channels 1 --layout padded --functional --json");
        QCOMPARE(right.json()["result_valid"].toInt(-1), 1);
        QCOMPARE(right.json()["max_abs_err"].toDouble(-1), 0.0);
        QVERIFY(right.err.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestBenchKernelVerb)
#include "tst_core_dram_hbm_pim_verb.moc"
