// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Commands with their times: how banks and buses were used.
#include <QTest>

#include <string>

#include "small_device.h"

#include "core/dram_pim/command_trace.h"

#include <numeric>

using namespace pim;
using namespace pim_test;

namespace {

CommandTrace traced(const Program& program, const SequencerOptions& options = {false, 1, true}) {
    return traceProgram(smallDevice(), program, "an op", options).value();
}

} // namespace

class TestCommandTrace : public QObject {
    Q_OBJECT
private slots:
    void banksTellHitsMissesAndConflicts() {
        const CommandTrace trace =
            traced(programOf({item(kAct, {3, 5}), repeated(4, {item(kRd, {3, 5, 0})}), item(kPre, {3}),
                              item(kAct, {3, 6}), item(kRd, {3, 6, 0}), item(kRd, {3, 6, 1}), item(kPrea),
                              item(kActab, {1}), item(kMacab, {1, 0}), item(kMacab, {1, 1})}));
        QCOMPARE(trace.op, std::string("an op"));
        QVERIFY(!trace.truncated);
        const std::vector<BankUse> uses = bankUse(trace);
        QCOMPARE(uses.size(), std::size_t(16));
        QCOMPARE(uses[3].activations, std::int64_t(3));
        QCOMPARE(uses[3].hits, std::int64_t(3 + 1 + 1));
        QCOMPARE(uses[3].misses, std::int64_t(1));
        QCOMPARE(uses[3].conflicts, std::int64_t(2));
        QCOMPARE(uses[0].misses, std::int64_t(1));
        QCOMPARE(uses[0].hits, std::int64_t(1));
        const auto tickOf = [&](std::size_t i) { return trace.commands[i].tick; };
        QCOMPARE(uses[3].open,
                 tickOf(5) - tickOf(0) + tickOf(9) - tickOf(6) + trace.timing.ticks - tickOf(10));
        QCOMPARE(uses[0].open, trace.timing.ticks - tickOf(10));
    }

    void afterARefreshABankIsClosed() {
        const Program program = programOf(
            {repeated(100, {item(kActab, {1}), repeated(20, {item(kMacab, {1, 0})}), item(kPrea)})});
        const CommandTrace trace = traced(program, {});
        const auto refreshes = trace.timing.commands[std::size_t(trace.device.command("REFab"))] / 2;
        QVERIFY(refreshes > 2);
        const BankUse use = bankUse(trace)[0];
        QCOMPARE(use.misses, 1 + refreshes);
        QCOMPARE(use.conflicts, 100 - 1 - refreshes);
        QCOMPARE(use.hits, std::int64_t(100 * 19));
    }

    void busesTellTheirShare() {
        Program program = programOf(
            {repeated(100, {item(kWrgb, {0})})}); // every second tick, in one of two pseudo-channels
        program.opcodes[kWrgb].operands.push_back("tensor");
        program.phases[0].streams[0].items[0].body[0].command.operands.push_back(0);
        const CommandTrace trace = traced(program);
        QCOMPARE(trace.timing.ticks, DramTick(199));
        const BusUse one = busUse(trace, 1);
        QCOMPARE(one.column[0], 100.0 / 199);
        QCOMPARE(one.row[0], 0.0);
        QCOMPARE(one.data[0], 0.5); // two ticks each
        const BusUse many = busUse(trace, 1000);
        QCOMPARE(std::accumulate(many.column.begin(), many.column.end(), 0.0), 100.0);
        for (const double share : many.column)
            QVERIFY(share >= 0 && share <= 1);
        const BusUse none = busUse(traced(programOf({})), 3);
        QCOMPARE(none.column, std::vector<double>(3, 0));
    }

    void linesSayWhatWasWaitedFor() {
        const std::string csv =
            commandTraceCsv(traced(programOf({item(kActab, {9}), item(kMacab, {9, 4}), item(kPrea)})));
        QCOMPARE(csv, std::string("tick,command,bank,row,column,waited,reason\n"
                                  "0,ACTAB,0,9,-1,0,\n"
                                  "58,MACAB,0,9,4,58,ACTAB -> MACAB 58 (nRCD + nFAW)\n"
                                  "66,PREA,0,-1,-1,8,MACAB -> PREA 8 (nRTP)\n"));
    }

    void longRunsAreCutShortAndTimedWhole() {
        const Program program = programOf({repeated(1'000'000'000, {item(kWrgb, {0})})});
        const CommandTrace trace = traced(program);
        QVERIFY(trace.truncated);
        QCOMPARE(trace.commands.size(), CommandTrace::kMost);
        QCOMPARE(trace.timing.ticks, DramTick(1'999'999'999));
        QVERIFY(busUse(trace, 10).column[9] > 0.49);
    }
};

QTEST_GUILESS_MAIN(TestCommandTrace)
#include "tst_core_dram_pim_trace.moc"
