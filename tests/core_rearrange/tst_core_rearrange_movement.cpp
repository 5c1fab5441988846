// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Transfer times against traffic run on the AttAcc simulator c600051 (Ramulator 2.0 b7c7027), and the effect of
/// broadcast, padding, blocks and index strategies.
#include "core/hardware/catalog.h"
#include "core/rearrange/movement.h"

#include <QTest>

#include <cmath>

using namespace pim;

namespace {

MovementMachine attacc(std::int64_t groups = 80) {
    static const TargetCatalog catalog = TargetCatalog::load();
    const auto target = catalog.find("attacc");
    if (!target)
        qFatal("%s", target.error().text().c_str());
    MovementMachine machine = movementMachine(**target);
    machine.groups = groups;
    return machine;
}

/// One tensor: \p cores of a channel, \p tile elements each.
DraftSummary summaryOf(std::int64_t cores, std::int64_t tile, std::int64_t coresPerCopy = 1) {
    DraftSummary draft;
    draft.coresUsed = cores;
    TensorShare share;
    share.tileElements = tile;
    share.contiguousElements = tile;
    share.coresPerCopy = coresPerCopy;
    share.groupElements = cores / coresPerCopy * tile;
    draft.tensors = {share};
    return draft;
}

} // namespace

class TestMovement : public QObject {
    Q_OBJECT
private slots:
    void comesCloseToSimulatedTraffic_data() {
        QTest::addColumn<qlonglong>("cores");
        QTest::addColumn<qlonglong>("burstsPerCore");
        QTest::addColumn<double>("cycles");
        // 8000 accesses of 32 B over 16 channels, refresh on, PIM address map.
        QTest::newRow("all banks of all channels") << 64LL << 8LL << 584.0;
        QTest::newRow("one bank a channel") << 1LL << 500LL << 2961.0;
        QTest::newRow("one bank of one channel") << 1LL << 8000LL << 52386.0;
    }
    void comesCloseToSimulatedTraffic() {
        QFETCH(qlonglong, cores);
        QFETCH(qlonglong, burstsPerCore);
        QFETCH(double, cycles);
        const Movement movement = writeTiles(attacc(), summaryOf(cores, burstsPerCore * 16), 0, 2);
        const double found = movement.ns / 0.769;
        QVERIFY2(std::abs(found - cycles) < 0.12 * cycles,
                 qPrintable(QString("%1 cycles instead of %2").arg(found).arg(cycles)));
    }

    void oneBroadcastServesAllCoresWithTheSameTile() {
        MovementMachine machine = attacc();
        const DraftSummary draft = summaryOf(64, 1024, 16);
        const Movement broadcast = writeTiles(machine, draft, 0, 2);
        QCOMPARE(broadcast.tiles, std::int64_t{4});
        QCOMPARE(broadcast.busBursts, std::int64_t{4 * 64});
        machine.broadcast = false;
        QCOMPARE(writeTiles(machine, draft, 0, 2).busBursts, std::int64_t{64 * 64});
    }

    void shortRunsCostWholeBursts() {
        const MovementMachine machine = attacc();
        DraftSummary exact = summaryOf(64, 256);
        exact.tensors[0].contiguousElements = 1; // every second element, kept as it is
        QCOMPARE(writeTiles(machine, exact, 0, 2).coreBursts, std::int64_t{256});
        const DraftSummary expanded = summaryOf(64, 511); // the same with the elements between
        QCOMPARE(writeTiles(machine, expanded, 0, 2).coreBursts, std::int64_t{32});
        DraftSummary ragged = summaryOf(64, 100);
        ragged.tensors[0].contiguousElements = 40; // 80 B: three bursts; the last run of 20: two
        QCOMPARE(writeTiles(machine, ragged, 0, 2).coreBursts, std::int64_t{2 * 3 + 2});
    }

    void paddingIsMovedOnlyForGroupCommands() {
        DraftSummary draft = summaryOf(64, 1024);
        draft.uniform = false;
        draft.tensors[0].groupElements = 60'000; // instead of 65536
        const MovementMachine machine = attacc();
        QCOMPARE(writeTiles(machine, draft, 0, 2, true).busBursts, std::int64_t{4096});
        QCOMPARE(writeTiles(machine, draft, 0, 2, false).busBursts, std::int64_t{3750});
    }

    void blocksHaveTheSizeOfThePaper() {
        const MovementMachine machine = attacc();
        QCOMPARE(machine.hostOnChipBytes, std::int64_t{108} * 192 * 1024);
        const std::int64_t block = machine.hostOnChipBytes / 80; // B = on-chip memory / N
        const std::int64_t tile = 3 * block / 64;                // elements of 2 B: six blocks a channel
        const Movement movement = writeTiles(machine, summaryOf(64, tile), 0, 2);
        QCOMPARE(movement.blocks, (movement.bytes(machine) + block - 1) / block);
        QCOMPARE(movement.blocks, std::int64_t{7}); // tiles end in half-filled bursts
    }

    void resultsOfGroupsAreMergedByTheHost() {
        const MovementMachine machine = attacc();
        DraftSummary draft = summaryOf(64, 64);
        const double final = readTiles(machine, draft, 0, 2).ns;
        draft.tensors[0].partialGroups = 8;
        draft.groupsUsed = 8;
        const double partial = readTiles(machine, draft, 0, 2).ns;
        QVERIFY(partial > final);
        QCOMPARE(partial - final, 64.0 * 64 * 7 / machine.hostAddsPerNs); // seven additions an element
    }

    void mergingInTheGroupSavesTheBus() {
        const MovementMachine machine = attacc();
        DraftSummary draft = summaryOf(64, 1024);
        draft.tensors[0].groupElements = 1024;
        draft.tensors[0].partialCores = 64;
        QVERIFY(readMerged(machine, draft, 0, 2).ns * 20 < readTiles(machine, draft, 0, 2).ns);
    }

    void nothingTakesNoTime() {
        DraftSummary none = summaryOf(1, 0);
        QCOMPARE(writeTiles(attacc(), none, 0, 2).ns, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestMovement)
#include "tst_core_rearrange_movement.moc"
