// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a target file says about a dual-mode chip, and what is said about files that make no sense.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/dual_mode/chip.h"
#include "core/hardware/catalog.h"
#include "tests/backends_dual_mode/golden.h"

using namespace pim;

namespace {

const TargetCatalog& catalog() {
    static const TargetCatalog all = TargetCatalog::load();
    return all;
}

Target shipped(const char* id) {
    return **catalog().find(id);
}

} // namespace

class TestDualModeChip : public QObject {
    Q_OBJECT

private slots:
    void readsTheReferenceConstants() {
        const auto chip = dualModeChip(shipped("dynaplasia"));
        QVERIFY2(chip, chip ? "" : chip.error().text().c_str());
        const DualModeChip expected = test::referenceDualModeChip();
        QCOMPARE(chip->arrays, expected.arrays);
        QCOMPARE(chip->rows, expected.rows);
        QCOMPARE(chip->columns, expected.columns);
        QCOMPARE(qint64{chip->arrayBytes}, qint64{expected.arrayBytes});
        QCOMPARE(chip->cycleNs, expected.cycleNs);
        QCOMPARE(chip->cyclesPerMvm, expected.cyclesPerMvm);
        QCOMPARE(chip->arrayBytesPerCycle, expected.arrayBytesPerCycle);
        QCOMPARE(chip->mainBytesPerCycle, expected.mainBytesPerCycle);
        QCOMPARE(chip->writeCyclesPerArray, expected.writeCyclesPerArray);
        QCOMPARE(chip->writeBackBytesPerCycle, expected.writeBackBytesPerCycle);
        QCOMPARE(chip->toMemoryCycles, expected.toMemoryCycles);
        QCOMPARE(chip->toComputeCycles, expected.toComputeCycles);
        QCOMPARE(chip->vectorLanes, expected.vectorLanes);
        QCOMPARE(qint64{chip->bufferBytes}, qint64{80 * 1024});
        QVERIFY(chip->switchMethod.find("GIA") != std::string::npos);
        QVERIFY(chip->macPj && !chip->switchPj); // published, not published
        QVERIFY(checkDualModeChip(*chip));
    }

    void readsEveryShippedChip_data() {
        QTest::addColumn<int>("arrays");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("dynaplasia") << 96 << 320 << 40;
        QTest::newRow("dynaplasia-ref-a") << 96 << 320 << 40;
        QTest::newRow("dynaplasia-ref-b") << 96 << 320 << 40;
        QTest::newRow("dynaplasia-fast") << 96 << 320 << 40;
        QTest::newRow("dynaplasia-slow") << 96 << 320 << 40;
        QTest::newRow("dynaplasia-fig1b") << 96 << 320 << 40;
        QTest::newRow("prime") << 512 << 256 << 128;
        QTest::newRow("prime-1024") << 1024 << 256 << 128;
        QTest::newRow("isscc21-dual") << 16 << 1152 << 32;
    }
    void readsEveryShippedChip() {
        QFETCH(int, arrays);
        QFETCH(int, rows);
        QFETCH(int, columns);
        const Target target = shipped(QTest::currentDataTag());
        const auto chip = dualModeChip(target);
        QVERIFY2(chip, chip ? "" : chip.error().text().c_str());
        QCOMPARE(chip->arrays, arrays);
        QCOMPARE(chip->rows, rows);
        QCOMPARE(chip->columns, columns);
        QVERIFY(!chip->switchMethod.empty());
        QCOMPARE(chip->vectorLanes, double(target.level("chip")->unitFor("add")->lanes));
        for (const auto& [name, quantity] : target.parameters)
            QVERIFY2(quantity.source.size() > 10, name.c_str());
    }

    void coversAllTargetsOfTheFamily() {
        int found = 0;
        for (const auto& target : catalog().targets())
            if (target->family == "dual-mode") {
                QVERIFY(dualModeChipProblems(*target).empty());
                ++found;
            }
        QCOMPARE(found, 9);
    }

    void saysAllProblemsAtOnce() {
        Target bad = shipped("dynaplasia");
        bad.levels[1].count = 0;
        bad.parameters["array.rows"].value = 0;
        bad.parameters.erase("timing.mvm");
        bad.parameters["bandwidth.writeBack"].value = 0;
        const auto chip = dualModeChip(bad);
        QVERIFY(!chip);
        QCOMPARE(chip.error().code, ErrorCode::InvalidTarget);
        QCOMPARE(dualModeChipProblems(bad).size(), std::size_t{4});
        for (const char* part :
             {"0 arrays", "array.rows is 0", "timing.mvm is missing", "bandwidth.writeBack is 0"})
            QVERIFY2(chip.error().message.find(part) != std::string::npos, chip.error().message.c_str());
    }

    void refusesImpossibleChips_data() {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* parameter, double value, const char* unit,
                            const char* message) {
            QTest::newRow(name) << parameter << value << unit << message;
        };
        row("no bandwidth", "bandwidth.internal", 0, "B/cycle", "never get its data");
        row("no clock", "timing.tCK", 0, "ns", "must be more than 0");
        row("half a row", "array.rows", 0.5, "count", "must be a whole number");
        row("endless rows", "array.rows", 1e300, "count", "must be a whole number");
        row("weight wider than the array", "precision.weight", 64, "bit", "cells of 1 bits side by side");
        row("cells of nothing", "cell.bits", 0, "bit", "must be more than 0");
        row("more memory than cells", "array.bitLines", 100, "count", "hold 4000 B");
        row("negative time", "timing.write", -1, "cycles", "must not be negative");
        row("not a number", "timing.write", std::nan(""), "cycles", "must not be negative");
        row("bytes as time", "timing.write", 3, "B", "is in B, cycles is needed");
        row("bandwidth without the clock", "bandwidth.array", 4, "GB/s", "is in GB/s, B/cycle is needed");
    }
    void refusesImpossibleChips() {
        QFETCH(QString, parameter);
        QFETCH(double, value);
        QFETCH(QString, unit);
        QFETCH(QString, message);
        Target bad = shipped("dynaplasia");
        if (parameter == "precision.weight")
            bad.parameters["array.bitLines"].value = 40;
        bad.parameters[parameter.toStdString()] = {value, unit.toStdString(), "test"};
        const auto chip = dualModeChip(bad);
        QVERIFY(!chip);
        QVERIFY2(chip.error().message.find(message.toStdString()) != std::string::npos,
                 chip.error().message.c_str());
    }

    void takesTimesInNanoseconds() {
        Target target = shipped("dynaplasia");
        target.parameters["timing.write"] = {0.4, "us", "test"};
        QCOMPARE(dualModeChip(target)->writeCyclesPerArray, 100.0);
        target.parameters["bandwidth.external"] = {64, "b/cycle", "test"};
        QCOMPARE(dualModeChip(target)->mainBytesPerCycle, 40.0);
    }

    void refusesOtherMachines() {
        const auto chip = dualModeChip(shipped("aim"));
        QVERIFY(!chip);
        QVERIFY(chip.error().message.find(
                    "needs the levels chip, array in this order, here: device, group, core") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestDualModeChip)
#include "tst_backends_dual_mode_chip.moc"
