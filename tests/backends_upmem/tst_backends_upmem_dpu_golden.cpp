// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The engine against uPIMulator: kernels within a few per cent, loops of one instruction almost to the cycle. All kernels
/// compute real values, which runReference() compares.
#include "backends/upmem/dpu/reference_programs.h"
#include "tests/support/golden_csv.h"

#include <QTest>

#include <cmath>

using namespace pim;
using namespace pim::upmem;

namespace {

std::vector<pim::test::GoldenRow> rowsOf(const char* name) {
    return pim::test::goldenRows(QStringLiteral("upmem/") + name);
}

} // namespace

class TestDpuGolden : public QObject {
    Q_OBJECT
private slots:
    void kernelsTakeTheCyclesOfTheSimulator() {
        const auto rows = rowsOf("upimulator_kernels_freqfix.csv");
        QVERIFY(rows.size() >= 48);
        double errors = 0, errorsOfFew = 0;
        int few = 0;
        for (const auto& row : rows) {
            const ReferenceCase one{row["kernel"].toStdString(), row["param"].toLongLong(),
                                    row["tasklets"].toInt(), row["dma_block_bytes"].toInt()};
            const auto run = runReference(one, dpuTiming(DpuPreset::UpimulatorCompat), {});
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            const double error = std::abs(double(run->cycles) / row["logic_cycle"].toDouble() - 1);
            QVERIFY2(error < 0.1,
                     qPrintable(QStringLiteral("%1 of %2 on %3 tasklets: %4 instead of %5 cycles")
                                    .arg(row["kernel"], row["param"], row["tasklets"])
                                    .arg(run->cycles)
                                    .arg(row["logic_cycle"])));
            errors += error;
            if (one.tasklets <= 4) {
                errorsOfFew += error;
                ++few;
            }
            // The same bytes in DMAs of the same size, to the byte. GEMV of uPIMulator reads one vector block more.
            if (one.kernel != "GEMV") {
                QCOMPARE(run->mram.readBytes, row["read_bytes"].toLongLong());
                QCOMPARE(run->mram.writeBytes, row["write_bytes"].toLongLong());
            }
            QCOMPARE(run->issued + run->waitedDma + run->waitedElse + run->heldUp, run->cycles);
        }
        qInfo("mean error %.2f %%, up to 4 tasklets %.2f %%", 100 * errors / double(rows.size()),
              100 * errorsOfFew / few);
        QVERIFY(errors / double(rows.size()) < 0.02);
        QVERIFY(errorsOfFew / few < 0.005);
    }

    void loopsOfOneInstructionTakeTheCyclesOfTheSimulator() {
        int compared = 0;
        for (const char* file : {"upimulator_micro_freqfix.csv", "upimulator_micro.csv"})
            for (const auto& row : rowsOf(file)) {
                if (row["test"].startsWith("dma") && QString(file) == "upimulator_micro.csv")
                    continue;
                const MicroCase one{row["test"].toStdString(), row["arg"].toStdString(),
                                    row["tasklets"].toInt()};
                const auto result = runMicro(one, dpuTiming(DpuPreset::UpimulatorCompat), {});
                QVERIFY2(result, result ? "" : result.error().text().c_str());
                const double wanted = row["cycles_per_iter_all_tasklets"].toDouble();
                QVERIFY2(std::abs(result->cyclesPerTurn / wanted - 1) < 0.013,
                         qPrintable(row["test"] + ' ' + row["arg"] + ' ' +
                                    QString::number(result->cyclesPerTurn)));
                QCOMPARE(result->instructionsPerTurn, row["instr_per_iter_all_tasklets"].toDouble());
                QCOMPARE(result->conflictsPerTurn, row["rf_hazard_cycles_per_iter"].toDouble());
                ++compared;
            }
        QCOMPARE(compared, 65);
    }
};

QTEST_APPLESS_MAIN(TestDpuGolden)
#include "tst_backends_upmem_dpu_golden.moc"
