// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Schedules of dot products: they do all the work, load what they need and trade loads against partial results.
#include "backends/dram_pim/dot_products.h"

#include <QTest>

#include <random>

using namespace pim::dram;

class TestDots : public QObject {
    Q_OBJECT
private slots:
    void doAllTheWork() {
        std::mt19937 random(3);
        const auto upTo = [&random](std::int64_t n) {
            return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
        };
        for (int round = 0; round < 2000; ++round) {
            DotProducts work;
            work.batches = upTo(4);
            work.bankVectors = upTo(40);
            work.bufferVectors = upTo(9);
            work.bursts = upTo(300);
            work.bufferTensor = round % 7 == 0 ? -1 : 0;
            if (work.bufferTensor < 0)
                work.bufferVectors = 1;
            const DotUnit unit{upTo(80), upTo(16), 32};
            const DotNest nest = nestOf(work, unit, {1, 40, 3});
            QVERIFY(nest.macs() >= work.macs());
            QVERIFY2(nest.macs() <= 2 * work.macs() + nest.passes * 32 * unit.accumulators, "little padding");
            QVERIFY(nest.loads <= unit.bufferBursts);
            QVERIFY(nest.allLoads() >= nest.firstLoads);
            QVERIFY(work.bufferTensor < 0 ||
                    nest.firstLoads >= work.batches * work.bufferVectors * work.bursts);
            QVERIFY(nest.allResults() >= work.results());
            QVERIFY2(work.bufferTensor < 0 || nest.passes == nest.batches * nest.revisits * nest.parts,
                     "every pass has its rows");
        }
    }

    void passOverTheBankOnceForAllVectorsThatFit() {
        DotProducts work{1, 100, 8, 128, 8, 0, 1};
        const DotNest nest = nestOf(work, {64, 16, 32}, {1, 40, 1});
        QCOMPARE(nest.passes, std::int64_t{1});
        // 100 * 8 bursts, each used eight times while its row is open
        QCOMPARE(nest.rows(), std::int64_t{25});
        QCOMPARE(nest.macs(), work.macs());
        // a single accumulator: vector by vector
        const DotNest one = nestOf(work, {64, 1, 32}, {1, 40, 1});
        QCOMPARE(one.rows(), std::int64_t{8 * 25});
    }

    void keepInputsOrOutputsWhicheverIsCheaper() {
        const DotProducts work{1, 8, 1, 4096, 256, 0, 1}; // four pieces
        const DotNest cheapResults = nestOf(work, {64, 1, 64}, {2, 98, 1});
        QCOMPARE(cheapResults.resultParts, std::int64_t{4});
        QCOMPARE(cheapResults.allLoads(), std::int64_t{256});
        const DotNest dearResults = nestOf(work, {64, 1, 64}, {2, 98, 1000});
        QCOMPARE(dearResults.resultParts, std::int64_t{1});
        QCOMPARE(dearResults.allLoads(), std::int64_t{8 * 256});
        QCOMPARE(dearResults.allResults(), std::int64_t{8});
    }
};

QTEST_APPLESS_MAIN(TestDots)
#include "tst_backends_dots.moc"
