// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Clocks and commands of GDDR6-AiM kernels equal those of the public aim_simulator.
#include <QTest>
#include <string>

#include "core/dram/aim/aim_kernel.h"
#include "tests/core_dram_hbm_pim/golden.h"

#include <map>

using namespace pim;
using namespace pim::test;

class TestAimKernel : public QObject {
    Q_OBJECT
private slots:
    void kernelsTakeTheReferenceCycles_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("gemv") << "aim_gemv.csv";
        QTest::newRow("element-wise product") << "aim_ewmul.csv";
    }
    void kernelsTakeTheReferenceCycles() {
        QFETCH(QString, file);
        auto rows = goldenFile(file);
        QVERIFY(rows.size() > 10);
        for (GoldenRow& row : rows) {
            AimShape shape;
            shape.kind = row["kernel"] == "gemv" ? AimKernelKind::Gemv : AimKernelKind::Ewmul;
            shape.dataflow =
                row["dataflow"] == "is" ? AimDataflow::InputStationary : AimDataflow::OutputStationary;
            shape.channels = row["channels"].toInt();
            shape.out = row["out"].toLongLong();
            shape.in = row["in"].toLongLong();
            shape.batch = row.count("batch") ? row["batch"].toLongLong() : 1;
            shape.length = row["length"].toLongLong();
            const auto run = runAimKernel(shape);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            const QByteArray what =
                (row["dataflow"] + " " + row["out"] + "x" + row["in"] + row["length"]).toUtf8();
            QVERIFY2(run->cycles == row["cycles"].toLongLong(), what.constData());
            for (int kind = 0; kind < 8; ++kind) {
                const std::string column = "per_ch_" + std::string(name(static_cast<AimCommandKind>(kind)));
                if (row.count(column))
                    QVERIFY2(run->perChannel[static_cast<std::size_t>(kind)] == row[column].toLongLong(),
                             (what + " " + column.c_str()).constData());
            }
        }
    }

    void refreshGoesOutBetweenRows() {
        AimShape shape;
        shape.out = shape.in = 4096;
        AimTiming timing;
        const auto without = runAimKernel(shape, timing);
        timing.refresh = true;
        std::vector<AimCommand> log;
        const auto with = runAimKernel(shape, timing, &log);
        QVERIFY(without && with);
        const std::int64_t refreshes = with->of(AimCommandKind::RefAb);
        QCOMPARE(without->of(AimCommandKind::RefAb), 0);
        QCOMPARE(refreshes, with->cycles / timing.nREFI);
        QVERIFY(with->cycles >= without->cycles + refreshes * timing.nRFC);
        QVERIFY(with->cycles <= without->cycles + refreshes * (timing.nRFC + timing.nRP + timing.nRTP));
        QCOMPARE(with->of(AimCommandKind::Mac16), without->of(AimCommandKind::Mac16));
        std::int32_t open = -1;
        std::int64_t closed = 0, refreshed = 0;
        for (const AimCommand& command : log) {
            if (command.kind == AimCommandKind::Act16) {
                open = command.row;
                QVERIFY(refreshed == 0 || command.cycle >= refreshed + timing.nRFC);
            } else if (command.kind == AimCommandKind::PreA) {
                open = -1;
                closed = command.cycle;
            } else if (command.kind == AimCommandKind::RefAb) {
                QCOMPARE(open, -1);
                QVERIFY(command.cycle >= closed + timing.nRP);
                QVERIFY(command.cycle - refreshed < timing.nREFI + 300);
                refreshed = command.cycle;
            }
        }
    }

    /// The log keeps the rules it was made with.
    void logKeepsTheRules() {
        AimShape shape;
        shape.out = 2000;
        shape.in = 1100;
        shape.channels = 4;
        const AimTiming timing;
        for (const auto dataflow : {AimDataflow::OutputStationary, AimDataflow::InputStationary}) {
            shape.dataflow = dataflow;
            std::vector<AimCommand> log;
            const auto run = runAimKernel(shape, timing, &log);
            QVERIFY(run);
            std::map<AimCommandKind, std::int64_t> last;
            std::int64_t before = 0;
            std::int32_t open = -1;
            for (const AimCommand& command : log) {
                QVERIFY(command.cycle > before);
                before = command.cycle;
                using Kind = AimCommandKind;
                if (command.kind == Kind::Act16) {
                    QCOMPARE(open, -1);
                    open = command.row;
                    if (last.count(Kind::Act16)) {
                        QVERIFY(command.cycle - last[Kind::Act16] >= timing.nRC);
                        QVERIFY(command.cycle - last[Kind::PreA] >= timing.nRP);
                    }
                }
                if (command.kind == Kind::PreA) {
                    QVERIFY(command.cycle - last[Kind::Act16] >= timing.nRAS);
                    QVERIFY(command.cycle - last[Kind::Mac16] >= timing.nRTP);
                    open = -1;
                }
                if (command.kind == Kind::Mac16) {
                    QCOMPARE(command.row, open);
                    QVERIFY(command.cycle - last[Kind::Act16] >= timing.nRCDMAC);
                    QVERIFY(last[Kind::Mac16] == 0 || command.cycle - last[Kind::Mac16] >= timing.nCCD);
                }
                last[command.kind] = command.cycle;
            }
            QVERIFY(run->cycles > before);
        }
    }

    void refusesWhatCannotRun() {
        const auto refused = [](AimShape shape, const char* reason) {
            const auto run = runAimKernel(shape);
            return !run && run.error().code == ErrorCode::Usage &&
                   run.error().text().find(reason) != std::string::npos;
        };
        AimShape shape;
        QVERIFY(refused(shape, "0 outputs"));
        shape.out = shape.in = 1024;
        QVERIFY(runAimKernel(shape));
        shape.channels = 33;
        QVERIFY(refused(shape, "33 channels"));
        shape.channels = 1;
        shape.batch = 0;
        QVERIFY(refused(shape, "batch 0"));
        shape.batch = 1;
        shape.out = shape.in = std::int64_t(1) << 30;
        QVERIFY(refused(shape, "16384 rows"));
        shape.kind = AimKernelKind::Ewmul;
        QVERIFY(refused(shape, "0 elements"));
        shape.length = std::int64_t(1) << 40;
        QVERIFY(refused(shape, "16384 rows"));
    }
};

QTEST_GUILESS_MAIN(TestAimKernel)
#include "tst_core_dram_hbm_pim_aim.moc"
