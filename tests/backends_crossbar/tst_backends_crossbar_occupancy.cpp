// SPDX-License-Identifier: GPL-3.0-or-later
// How full local memories are over time: by hand, and element by element on random programs.
#include <QTest>
#include <string>

#include "backends/crossbar/occupancy.h"
#include "backends/crossbar/operands.h"
#include "tests/backends_crossbar/programs.h"

#include <algorithm>
#include <map>

using namespace pim;

namespace {

struct Timed {
    CrossbarProfile profile;
    MemoryOccupancy occupancy;
};

Result<Timed> timed(const CrossbarProgram& program, const CrossbarChip& chip, int steps) {
    Timed made;
    PIM_TRY(made.profile, profileCrossbar(program, chip, {.times = true}));
    PIM_TRY(made.occupancy, memoryOccupancy(program, chip, made.profile, steps));
    return made;
}

/// Bytes in use at \p ns, one element after the other and by its definition alone.
std::int64_t inUseAt(const CrossbarProgram& program, std::size_t core, const CrossbarProfile& profile,
                     const CrossbarChip& chip, double ns) {
    struct Life {
        double begin = 0, end = -1;
    };
    std::map<std::uint64_t, Life> now;
    std::int64_t elements = 0;
    const auto count = [&](const Life& life) { elements += life.begin <= ns && ns < life.end; };
    for (std::size_t i = 0; i < program.cores[core].size(); ++i) {
        const Operands operands = operandsOf(program.cores[core][i], program.accumulatorElements);
        const InstructionTime& time = profile.times[core][i];
        for (const ElementRange& range : operands.reads)
            for (std::uint64_t at = range.begin; at < range.end && at < kGlobalBase; ++at)
                now[at].end = std::max(now[at].end, time.endNs);
        for (std::uint64_t at = operands.write.begin; at < operands.write.end && at < kGlobalBase; ++at) {
            if (const auto old = now.find(at); old != now.end())
                count(old->second);
            now[at] = {time.startNs, time.endNs};
        }
    }
    for (const auto& [at, life] : now)
        count(life);
    return elements * chip.activationBytes();
}

} // namespace

class TestCrossbarOccupancy : public QObject {
    Q_OBJECT
private slots:
    void valuesLiveUntilTheyAreReadLast() {
        const CrossbarChip chip = test::smallChip();
        // 64 elements come in, are copied, and both are added; the sum leaves.
        const CrossbarProgram program =
            test::program({{test::load(0, 0, 64), test::copy(64, 0, 64),
                            test::vec(VectorOp::Add, 128, 0, 64, 64), test::store(0, 128, 64)},
                           {},
                           {},
                           {}});
        const auto made = timed(program, chip, 1000);
        QVERIFY(made);
        const CoreOccupancy& core = made->occupancy.cores[0];
        QCOMPARE(core.peakBytes, std::int64_t(3 * 64 * 2)); // both operands and the sum
        QCOMPARE(made->occupancy.capacityBytes, chip.localBytes);
        QVERIFY(made->occupancy.cores[1].mostBytes.empty());
        const auto at = [&](double ns) { return core.mostBytes[std::size_t(ns / made->occupancy.stepNs)]; };
        const auto& times = made->profile.times[0];
        QCOMPARE(at(times[0].startNs), std::int64_t(128));
        QCOMPARE(at((times[1].startNs + times[1].endNs) / 2), std::int64_t(256));
        QCOMPARE(at((times[2].startNs + times[2].endNs) / 2), std::int64_t(384));
        QCOMPARE(at((times[3].startNs + times[3].endNs) / 2), std::int64_t(128));
        QCOMPARE(made->profile.cores[0].movedBytes, std::int64_t(256));
    }

    void whatIsOfTheRoundBeforeIsThereFromTheBeginning() {
        const CrossbarProgram program =
            test::program({{test::copy(200, 300, 10), test::store(0, 0, 32)}, {}, {}, {}});
        const auto made = timed(program, test::smallChip(), 100);
        QVERIFY(made);
        QCOMPARE(made->occupancy.cores[0].mostBytes.front(), std::int64_t((10 + 10 + 32) * 2));
    }

    void agreesElementByElement_data() {
        QTest::addColumn<bool>("inOrder");
        QTest::newRow("in order") << true;
        QTest::newRow("out of order") << false;
    }
    void agreesElementByElement() {
        QFETCH(bool, inOrder);
        CrossbarChip chip = test::smallChip();
        chip.inOrder = inOrder;
        constexpr int kSteps = 97;
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const CrossbarProgram program = test::randomProgram(seed, 4, 2, 25);
            const auto made = timed(program, chip, kSteps);
            QVERIFY(made);
            for (std::size_t core = 0; core < program.cores.size(); ++core) {
                const CoreOccupancy& of = made->occupancy.cores[core];
                std::int64_t most = 0;
                // What is in use changes where instructions start and end.
                for (const InstructionTime& time : made->profile.times[core])
                    for (const double ns : {time.startNs, time.endNs}) {
                        const std::int64_t now = inUseAt(program, core, made->profile, chip, ns);
                        most = std::max(most, now);
                        const auto step =
                            std::min<std::size_t>(kSteps - 1, std::size_t(ns / made->occupancy.stepNs));
                        QVERIFY2(now <= of.mostBytes[step],
                                 qPrintable(QString("seed %1, core %2, %3 ns: %4 > %5")
                                                .arg(seed)
                                                .arg(core)
                                                .arg(ns)
                                                .arg(now)
                                                .arg(of.mostBytes[step])));
                    }
                QCOMPARE(of.peakBytes, std::max(most, inUseAt(program, core, made->profile, chip, 0)));
                QCOMPARE(*std::max_element(of.mostBytes.begin(), of.mostBytes.end()), of.peakBytes);
                QVERIFY(of.peakBytes <= made->profile.cores[core].localBytes);
            }
        }
    }
};

QTEST_MAIN(TestCrossbarOccupancy)
#include "tst_backends_crossbar_occupancy.moc"
