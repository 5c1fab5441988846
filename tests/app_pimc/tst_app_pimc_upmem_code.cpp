// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc dpu-code`: sources that are printed, written and run, and what it refuses.
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

class TestPimcUpmemCode : public QObject {
    Q_OBJECT
private slots:
    void printsBothSources() {
        const Run run = pimc({"dpu-code", "va"});
        COMPARE_CODE(run, 0);
        QVERIFY(run.out.contains("mram_read(DPU_MRAM_HEAP_POINTER + A_OFFSET + base, my_block_a, bytes);"));
        QVERIFY(run.out.contains("DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));"));
        QCOMPARE(pimc({"dpu-code", "VA"}).out, run.out);
    }

    void runsAndComparesWithAPlainLoop() {
        const Run run =
            pimc({"dpu-code", "SEL", "--dpus", "3", "--tasklets", "5", "--size", "5000", "--run", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject result = run.json().object()["run"].toObject();
        QCOMPARE(result["right"].toBool(), true);
        QCOMPARE(result["violations"].toInt(-1), 0);
        QCOMPARE(result["launches"].toInt(), 1);
        QCOMPARE(result["dma_read_bytes"].toInt(), 3 * 1667 * 8);
        QCOMPARE(result["dma_write_bytes"].toInt(), 2500 * 8);
        const Run text = pimc({"dpu-code", "RED", "--size", "999", "--run"});
        COMPARE_CODE(text, 0);
        QVERIFY(text.out.contains("result: right\nviolations: 0\n"));
        const Run rows = pimc({"dpu-code", "SIM-DOT", "--third", "3", "--type", "int16", "--run"});
        COMPARE_CODE(rows, 0);
        QVERIFY(rows.out.contains("result: right\nviolations: 0\n"));
    }

    void leavesWhatItRanInAFolder() {
        const QTemporaryDir folder;
        const QString out = folder.filePath("gemv");
        const Run run = pimc(
            {"dpu-code", "GEMV", "--size", "32", "--second", "20", "--dpus", "2", "--out", out, "--run"});
        COMPARE_CODE(run, 0);
        const QMap<QString, QByteArray> files = contentOf(out);
        for (const char* name : {"GEMV_dpu.c", "GEMV_host.c", "a.bin", "x.bin", "y.bin", "y.expected.bin"})
            QVERIFY2(files.contains(name), name);
        QCOMPARE(files["y.bin"], files["y.expected.bin"]);
        QCOMPARE(files["y.bin"].size(), 32 * 4);
    }

    void refuses() {
        const auto error = [](const QStringList& arguments) {
            return pimc(QStringList{"dpu-code"} + arguments).err;
        };
        QVERIFY(error({"SPMV"}).contains("there are VA, GEMV, RED"));
        QVERIFY(error({"VA", "--tasklets", "25"}).contains("25 tasklets; a DPU has 1 to 24"));
        QVERIFY(error({"GEMV", "--second", "20000", "--size", "8"}).contains("48496 B are free"));
        QVERIFY(error({"VA", "--size", "100000000", "--dpus", "1"}).contains("a DPU has 67108864 B"));
        QVERIFY(error({"TOPK", "--type", "int64"})
                    .contains("no elements of int64 are possible. there are int8, int16, int32"));
        QVERIFY(error({"VA", "--type", "int8"}).contains("leave the type out"));
        QVERIFY(error({"SCAN", "--type", "float"}).contains("is no type of elements"));
        COMPARE_CODE(pimc({"dpu-code", "SPMV"}), 1);
    }
};

QTEST_GUILESS_MAIN(TestPimcUpmemCode)
#include "tst_app_pimc_upmem_code.moc"
