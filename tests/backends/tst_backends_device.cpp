// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The memory device of a target has the times of the target.
#include <QTest>

#include <string>

#include "backends/dram_pim/device_of_target.h"

using namespace pim;

namespace {

Target target() {
    Target made;
    made.id = "mine";
    made.facts["memory.device"] = {"HBM3", "test"};
    return made;
}

} // namespace

class TestDeviceOfTarget : public QObject {
    Q_OBJECT
private slots:
    void timesOfTheTargetReplaceThoseOfTheFile() {
        Target mine = target();
        const DramDevice shipped = deviceOf(mine).value();
        QCOMPARE(shipped.ticksPerClock, 2);
        mine.parameters["timing.nCL"] = {33, "cycles", "test"};
        mine.parameters["timing.nRP"] = {10.2, "ns", "test"};
        mine.parameters["timing.tCK"] = {0.8, "ns", "test"};
        mine.parameters["policy.nCCDR"] = {1, "switch", "test"};
        mine.parameters["timing.nOther"] = {5, "cycles", "test"};
        const DramDevice own = deviceOf(mine).value();
        QCOMPARE(own.time("nCL"), DramTick(66));
        QCOMPARE(own.time("nRP"), DramTick(26)); // 12.75 clocks, rounded up
        QCOMPARE(own.time("nCCDR"), DramTick(1));
        QCOMPARE(own.time("nOther"), DramTick(0));
        QCOMPARE(own.time("nRAS"), shipped.time("nRAS"));
        QCOMPARE(own.tickPs, 400);
    }

    void nonsenseIsRefused() {
        Target mine = target();
        mine.parameters["timing.nCL"] = {1.3, "cycles", "test"};
        QCOMPARE(deviceOf(mine).error().code, ErrorCode::InvalidTarget);
        mine.parameters["timing.nCL"] = {-2, "cycles", "test"};
        QCOMPARE(deviceOf(mine).error().code, ErrorCode::InvalidTarget);
        mine.facts["memory.device"].text = "DDR9";
        QCOMPARE(deviceOf(mine).error().code, ErrorCode::NotFound);
        mine.facts.clear();
        QCOMPARE(deviceOf(mine).error().code, ErrorCode::InvalidTarget);
    }

    void energyIsAbsentWhereAFigureIs() {
        Target mine = target();
        DramDevice device = deviceOf(mine).value();
        const int read = device.command("RD");
        QVERIFY(!commandEnergyPj(device, read, mine));
        device.commands[std::size_t(read)].energy = "energy.cell*32 + 2*energy.mac";
        mine.parameters["energy.cell"] = {0.5, "pJ/b", "test"};
        QVERIFY(!commandEnergyPj(device, read, mine));
        mine.parameters["energy.mac"] = {0.25, "pJ", "test"};
        QCOMPARE(commandEnergyPj(device, read, mine).value_or(-1), 128.5);
    }
};

QTEST_GUILESS_MAIN(TestDeviceOfTarget)
#include "tst_backends_device.moc"
