// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a target file says about a machine of crossbar cores, and what is said about files that make no
/// sense.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/crossbar/chip.h"
#include "core/hardware/catalog.h"

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

class TestCrossbarChip : public QObject {
    Q_OBJECT

private slots:
    /// Sizes and capacities of PIMCOMP Table V in its three readings, MiB of weights.
    void readsEveryShippedMachine_data() {
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("chips");
        QTest::addColumn<int>("arrays");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("physical");
        QTest::addColumn<double>("mib");
        QTest::newRow("isaac") << 168 << 1 << 96 << 128 << 128 << 8 << 504.0;
        QTest::newRow("isaac-12") << 168 << 1 << 12 << 128 << 128 << 8 << 63.0;
        QTest::newRow("isaac-p") << 168 << 1 << 96 << 128 << 16 << 1 << 63.0;
        QTest::newRow("puma") << 138 << 1 << 128 << 128 << 128 << 8 << 552.0;
        QTest::newRow("puma-16") << 138 << 1 << 16 << 128 << 128 << 8 << 69.0;
        QTest::newRow("puma-p") << 138 << 1 << 128 << 128 << 16 << 1 << 69.0;
        QTest::newRow("arch-c") << 64 << 16 << 8 << 512 << 1024 << 8 << 512.0;
        QTest::newRow("arch-c-1") << 64 << 16 << 1 << 512 << 1024 << 8 << 64.0;
        QTest::newRow("arch-c-p") << 64 << 16 << 8 << 512 << 128 << 1 << 64.0;
        QTest::newRow("pimcomp-default") << 144 << 1 << 64 << 128 << 128 << 8 << 288.0;
        QTest::newRow("pcm-64") << 512 << 8 << 1 << 256 << 256 << 1 << 32.0;
        QTest::newRow("sram-digital") << 64 << 1 << 48 << 256 << 32 << 1 << 24.0;
    }
    void readsEveryShippedMachine() {
        const auto chip = crossbarChip(shipped(QTest::currentDataTag()));
        QVERIFY2(chip, chip ? "" : chip.error().text().c_str());
        QTEST(chip->cores(), "cores");
        QTEST(chip->chips(), "chips");
        const CrossbarGroup size = chip->arraysOf(CoreId(chip->cores() - 1)).at(0);
        QTEST(size.count, "arrays");
        QTEST(size.rows, "rows");
        QTEST(size.columns, "columns");
        QTEST(chip->physicalPerLogical, "physical");
        QFETCH(double, mib);
        QCOMPARE(double(chip->weights()) * chip->weightBits / 8 / 1024 / 1024, mib);
        QVERIFY(chip->vectorOps[std::size_t(VectorOp::Add)] && chip->vectorOps[std::size_t(VectorOp::Scale)]);
    }

    void coversEveryShippedMachine() {
        int machines = 0;
        for (const auto& target : catalog().targets())
            if (target->family == "crossbar") {
                ++machines;
                QVERIFY2(crossbarChipProblems(*target).empty(), target->id.c_str());
            }
        QCOMPARE(machines, 12);
    }

    void readsEveryParameterOfTheTemplate() {
        const CrossbarChip peer = *crossbarChip(shipped("pimcomp-default"));
        QCOMPARE(peer.connection, CrossbarConnection::Bus);
        QCOMPARE(peer.connectionBytesPerNs, 25.6);
        QCOMPARE(peer.offChipBytesPerNs, 6.4);
        QCOMPARE(peer.globalBytesPerNs, 64.0);
        QCOMPARE(peer.localBytesPerNs, 25.6);
        QCOMPARE(peer.vectorBytes, 64.0);
        QCOMPARE(peer.vectorNs, 10.0);
        QCOMPARE(peer.mvmNs, 4000.0);
        QCOMPARE(peer.mvmIssueNs, 200.0);
        QVERIFY(peer.synchronous && peer.inOrder && !peer.differential);
        QCOMPARE(peer.managedArrays, 1);
        QCOMPARE(*peer.energy.arrayLeakageMw, 5.152);
        const CrossbarChip pcm = *crossbarChip(shipped("pcm-64"));
        QCOMPARE(pcm.connection, CrossbarConnection::Mesh);
        QVERIFY(!pcm.synchronous && !pcm.inOrder && pcm.differential);
        QCOMPARE(pcm.slices(), 2);
        QCOMPARE(pcm.adcBits, 8);
        QCOMPARE(pcm.vectorUnits, 2);
        const CrossbarChip sram = *crossbarChip(shipped("sram-digital"));
        QCOMPARE(sram.connection, CrossbarConnection::SharedMemory);
        QCOMPARE(sram.managedArrays, 4);
        QVERIFY(!sram.vectorOps[std::size_t(VectorOp::Softmax)]);
        QVERIFY(!sram.energy.arrayLeakageMw);
    }

    /// Cores of one chip may have arrays of several sizes, and not all the same.
    void readsMixedSizes() {
        Target target = shipped("arch-c");
        const auto count = [&](const char* name, double value) {
            target.parameters[name] = {value, "count", "test"};
        };
        count("array.lastCore", 1);
        count("size.small.rows", 128);
        count("size.small.bitLines", 64);
        count("size.small.count", 20);
        count("size.small.firstCore", 1);
        const auto chip = crossbarChip(target);
        QVERIFY2(chip, chip ? "" : chip.error().text().c_str());
        QCOMPARE(chip->groups.size(), std::size_t{3});
        for (int first = 0; first < 64; first += 4) {
            QCOMPARE(chip->arraysOf(CoreId(first)).size(), std::size_t{1});
            QCOMPARE(chip->arraysOf(CoreId(first)).at(0).rows, 512);
            QCOMPARE(chip->arraysOf(CoreId(first + 1)).size(), std::size_t{2});
            QCOMPARE(chip->arraysOf(CoreId(first + 3)).at(0).columns, 64);
            QCOMPARE(chip->arraysOf(CoreId(first + 3)).at(0).count, 20);
        }
        QCOMPARE(qint64{chip->logicalArrays()}, qint64{16} * (2 * 8 + 3 * 20));
    }

    void namesEveryProblemAtOnce() {
        Target target = shipped("isaac");
        target.parameters.erase("timing.mvm");
        target.parameters["cell.bits"].value = 32;
        target.parameters["core.x"].value = 11;
        target.facts["connection.type"].text = "mehs";
        target.levels[1].memories.clear();
        const auto chip = crossbarChip(target);
        QVERIFY(!chip);
        QCOMPARE(chip.error().code, ErrorCode::InvalidTarget);
        for (const char* part : {"timing.mvm is missing", "wider than a weight of 16 bits", "11 x 14 = 154",
                                 "must be one of bus, mesh, shared memory", "there is no memory \"local\""})
            QVERIFY2(chip.error().message.find(part) != std::string::npos, chip.error().message.c_str());
        QCOMPARE(crossbarChipProblems(target).size(), std::size_t{5});
    }

    /// A slip in a name would otherwise leave its figure at what is assumed without it.
    void warnsOfFiguresThatNothingReads() {
        Target target = shipped("isaac");
        target.parameters["vector.unit"] = {2, "count", "test"};
        target.parameters.erase("vector.units");
        target.facts["colour"] = {"blue", "test"};
        QVERIFY(crossbarChip(target));
        const Diagnostics problems = crossbarChipProblems(target);
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems[0].severity, Severity::Warning);
        QCOMPARE(problems[0].object, std::string("vector.unit"));
        QCOMPARE(problems[0].hint, std::string("did you mean \"vector.units\"?"));
        QCOMPARE(problems[1].object, std::string("facts.colour"));
    }

    void refusesOtherKindsOfMachines() {
        const auto chip = crossbarChip(shipped("attacc"));
        QVERIFY2(chip.error().message.ends_with(
                     "needs the levels chip, core, array in this order, here: device, group, core"),
                 chip.error().message.c_str());
    }

    void refusesWhatCannotBe_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("no bandwidth") << "bandwidth.connection" << 0.0 << "must be more than 0";
        QTest::newRow("no rows") << "array.rows" << 0.0 << "whole number from 1";
        QTest::newRow("columns") << "array.bitLines" << 7.0 << "take 8 side by side";
        QTest::newRow("too many") << "core.x" << 99'999.0 << "more than 100000 cores";
        QTest::newRow("input") << "precision.dac" << 20.0 << "wider than an activation";
        QTest::newRow("nan") << "timing.mvm" << std::nan("") << "must not be negative";
        QTest::newRow("last core") << "array.lastCore" << 168.0 << "whole number from 0 to 167";
    }
    void refusesWhatCannotBe() {
        QFETCH(QString, name);
        QFETCH(double, value);
        QFETCH(QString, message);
        Target target = shipped("isaac-p");
        Quantity& quantity = target.parameters[name.toStdString()];
        quantity.value = value;
        if (quantity.unit.empty())
            quantity.unit = "count";
        const auto chip = crossbarChip(target);
        QVERIFY(!chip);
        QVERIFY2(chip.error().message.find(message.toStdString()) != std::string::npos,
                 chip.error().message.c_str());
    }

    void namesVectorOperationsBothWays() {
        for (std::size_t i = 0; i < std::size_t(VectorOp::Count_); ++i)
            QCOMPARE(vectorOpNamed(name(VectorOp(i))), std::optional(VectorOp(i)));
        QVERIFY(!vectorOpNamed("adddd"));
    }
};

QTEST_APPLESS_MAIN(TestCrossbarChip)
#include "tst_backends_crossbar_chip.moc"
