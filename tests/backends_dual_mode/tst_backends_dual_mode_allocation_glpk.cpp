// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Our allocation against GLPK on random problems.
#include <QTest>
#include <string>

#include "tests/backends_dual_mode/allocation_cases.h"
#include "tests/backends_dual_mode/glpk_allocation.h"

#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

int sum(const std::vector<int>& values) {
    return std::accumulate(values.begin(), values.end(), 0);
}

} // namespace

class TestDualModeAllocationGlpk : public QObject {
    Q_OBJECT

private slots:
    void equalsGlpk_data() {
        QTest::addColumn<int>("arrays");
        QTest::addColumn<int>("ops");
        QTest::addColumn<int>("rounds");
        QTest::newRow("small chips") << 16 << 6 << 2500;
        QTest::newRow("large chips") << 96 << 6 << 2300;
        QTest::newRow("long segments") << 96 << 12 << 200;
    }

    void equalsGlpk() {
        QFETCH(int, arrays);
        QFETCH(int, ops);
        QFETCH(int, rounds);
        Dice dice(static_cast<std::uint64_t>(arrays + ops));
        int withMemory = 0, withSharing = 0;
        for (int round = 0; round < rounds; ++round) {
            const AllocationProblem problem = randomAllocation(dice, arrays, ops);
            const Result<Allocation> ours = allocate(problem);
            QVERIFY2(ours.has_value(), ours ? "" : ours.error().text().c_str());
            const double theirs = glpkLatency(problem);
            QVERIFY(theirs > 0);
            QVERIFY2(std::abs(ours->latency - theirs) <= 1e-9 * theirs,
                     qPrintable(QStringLiteral("round %1: %2 against %3 of GLPK")
                                    .arg(round)
                                    .arg(ours->latency, 0, 'g', 17)
                                    .arg(theirs, 0, 'g', 17)));
            withMemory += sum(ours->memory) > 0 ? 1 : 0;
            withSharing += sum(ours->shared) > 0 ? 1 : 0;
        }
        // Most instances have to weigh copies against memory.
        QVERIFY2(withMemory > rounds / 2, qPrintable(QString::number(withMemory)));
        QVERIFY2(withSharing > rounds / 8, qPrintable(QString::number(withSharing)));
    }
};

QTEST_APPLESS_MAIN(TestDualModeAllocationGlpk)
#include "tst_backends_dual_mode_allocation_glpk.moc"
