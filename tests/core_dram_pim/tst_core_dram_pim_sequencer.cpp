// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Times of small programs by hand; of random ones against a sequencer that unrolls everything and uses
/// DramEngine; repeats skipped against repeats walked.
#include <QTest>

#include <string>

#include "small_device.h"

#include "core/dram/engine.h"
#include "core/dram_pim/flat_program.h"

#include <numeric>
#include <set>

using namespace pim;
using namespace pim_test;

namespace {

class Collect final : public ISequenceObserver {
public:
    bool onCommand(const SequencedCommand& command) override {
        commands.push_back(command);
        return true;
    }
    std::vector<SequencedCommand> commands;
};

/// Says the error instead of the time.
SequenceTiming timed(const DramDevice& device, const Program& program, const SequencerOptions& options = {},
                     ISequenceObserver* observer = nullptr) {
    const auto timing = timeProgram(device, program, options, {}, observer);
    if (!timing)
        qWarning("%s", timing.error().text().c_str());
    return timing ? *timing : SequenceTiming{};
}

constexpr SequencerOptions kNoRefresh{false, 1, true};

bool says(const Result<SequenceTiming>& seen, const char* what) {
    if (seen)
        return false;
    const bool found = seen.error().text().find(what) != std::string::npos;
    if (!found)
        qWarning("%s", seen.error().text().c_str());
    return found;
}

/// The same controller, simple and slow: unrolled, tick after tick from DramEngine, rows remembered by bank.
class Unrolled {
public:
    Unrolled(const DramDevice& device, bool refresh, int postponed)
        : m_device(device), m_engine(device), m_refresh(refresh), m_postponed(postponed),
          m_due(device.time("nREFI")) {}

    void run(const Program& program) {
        for (const Phase& phase : program.phases) {
            m_begin = end;
            m_last = m_begin - 1;
            DramTick data = m_begin;
            m_data = m_begin;
            const FlatPhase flat = flatten(program, phase).value();
            walkFlat(flat, [&](const FlatNode& node, std::span<const std::int64_t> operands) {
                const Opcode& opcode = program.opcodes[std::size_t(node.opcode)];
                std::int64_t bank = 0, row = -1;
                for (std::size_t i = 0; i < operands.size(); ++i) {
                    bank = opcode.operands[i] == "bank" ? operands[i] : bank;
                    row = opcode.operands[i] == "row" ? operands[i] : row;
                }
                command(m_device.command(opcode.name), int(bank), row);
                return true;
            });
            data = std::max({m_begin, m_data, m_last + 1, m_rowFree, m_columnFree});
            end = data;
        }
    }

    std::vector<std::pair<DramTick, int>> issued;
    DramTick end = 0;

private:
    DramTick when(int command, int bank) {
        const DramCommand& row = m_device.commands[std::size_t(command)];
        DramTick tick = std::max(m_last, m_begin);
        const bool one = m_device.protocol == "one-bus";
        if (row.bus != DramBus::None && (one || row.bus != DramBus::Column))
            tick = std::max(tick, m_rowFree);
        if (row.bus != DramBus::None && (one || row.bus != DramBus::Row))
            tick = std::max(tick, m_columnFree);
        if (row.waitsForData)
            tick = std::max(tick, m_data);
        return std::max(tick, m_engine.earliestAll(command, bank));
    }
    void put(int command, int bank, std::int64_t row, DramTick tick) {
        const DramCommand& what = m_device.commands[std::size_t(command)];
        issued.emplace_back(tick, command);
        m_engine.issue(command, bank, row, tick);
        m_last = tick;
        const bool one = m_device.protocol == "one-bus";
        if (what.bus != DramBus::None && (one || what.bus != DramBus::Column))
            m_rowFree = tick + what.ticks;
        if (what.bus != DramBus::None && (one || what.bus != DramBus::Row))
            m_columnFree = tick + what.ticks;
        m_data = std::max(m_data, tick + what.dataTicks);
        if (what.row == DramRowEffect::Opens)
            m_openedBy[command] = {bank, row};
    }
    bool anyOpen() const { return m_engine.anyOpen({0, 1, m_engine.bankCount()}); }
    void refreshAll() {
        const int ref = m_device.command("REFab");
        for (const int bank : {0, 8})
            put(ref, bank, -1, std::max(m_due, when(ref, bank)));
        m_due += m_device.time("nREFI");
    }
    void command(int command, int bank, std::int64_t row) {
        while (m_refresh && when(command, bank) >= m_due) {
            const DramTick would = when(command, bank);
            if (!anyOpen()) {
                refreshAll();
                continue;
            }
            if (m_device.commands[std::size_t(command)].row == DramRowEffect::Closes ||
                would < m_due + m_postponed * m_device.time("nREFI"))
                break;
            std::vector<std::int64_t> rows;
            for (int b = 0; b < m_engine.bankCount(); ++b)
                rows.push_back(m_engine.openRow(b));
            put(m_device.command("PREA"), 0, -1, when(m_device.command("PREA"), 0));
            while (m_due <= would)
                refreshAll();
            // What random programs open: all banks, half of them, or some one by one.
            const auto open =
                std::count_if(rows.begin(), rows.end(), [](std::int64_t r) { return r != kDramNoRow; });
            const bool half = open == 8 && (rows[0] == kDramNoRow) != (rows[1] == kDramNoRow) &&
                              rows[2] == rows[0] && rows[14] == rows[0] && m_lastOpener == kActh;
            for (int b = 0; b < int(rows.size()); ++b) {
                if (rows[std::size_t(b)] == kDramNoRow || m_engine.openRow(b) != kDramNoRow)
                    continue;
                const int again = half ? kActh : open == 16 && m_lastOpener == kActab ? kActab : kAct;
                put(again, b, rows[std::size_t(b)], when(again, b));
            }
        }
        put(command, bank, row, when(command, bank));
        if (m_device.commands[std::size_t(command)].row == DramRowEffect::Opens)
            m_lastOpener = command;
    }

    const DramDevice& m_device;
    DramEngine m_engine;
    bool m_refresh;
    int m_postponed;
    DramTick m_due, m_begin = 0, m_last = -1, m_rowFree = 0, m_columnFree = 0, m_data = 0;
    std::map<int, std::pair<int, std::int64_t>> m_openedBy;
    int m_lastOpener = -1;
};

void compareTimings(const SequenceTiming& a, const SequenceTiming& b) {
    QCOMPARE(a.ticks, b.ticks);
    QCOMPARE(a.commands, b.commands);
    QCOMPARE(a.phaseCommands, b.phaseCommands);
    QCOMPARE(a.reasons, b.reasons);
    QCOMPARE(a.waited, b.waited);
    QCOMPARE(a.refreshTicks, b.refreshTicks);
    QCOMPARE(a.phases.size(), b.phases.size());
    for (std::size_t i = 0; i < a.phases.size(); ++i) {
        QCOMPARE(a.phases[i].begin, b.phases[i].begin);
        QCOMPARE(a.phases[i].end, b.phases[i].end);
    }
}

/// ACTAB, MACs, PREA for each of \p rows rows.
Program rowsOfMacs(std::int64_t rows, std::int64_t macs) {
    return programOf(
        {repeated(rows, {item(kActab, {0}, {{1}}), repeated(macs, {item(kMacab, {0, 0}, {{1, 0}, {0, 1}})}),
                         item(kPrea)})});
}

} // namespace

class TestSequencer : public QObject {
    Q_OBJECT
private slots:
    void oneRowByHand() {
        const DramDevice device = smallDevice();
        const SequenceTiming seen = timed(device, rowsOfMacs(1, 32), kNoRefresh);
        // ACTAB at 0, MACs from 58 every 6 ticks to 244, PREA at 252; the last data 7 after the last MAC.
        QCOMPARE(seen.ticks, DramTick(253));
        QCOMPARE(seen.commands[kMacab], std::int64_t(32));
        const SequenceTiming two = timed(device, rowsOfMacs(2, 32), kNoRefresh);
        QCOMPARE(two.ticks, DramTick(252 + 19 + 253));
        const SequenceTiming four = timed(device, rowsOfMacs(1, 1), kNoRefresh);
        QCOMPARE(four.ticks, DramTick(58 + 8 + 1));
    }

    void aRowAndAColumnCommandShareATick() {
        const Program program = programOf({item(kWrgb, {0}), item(kPre, {3}), item(kWrgb, {8})});
        Collect two, one;
        timed(smallDevice(), program, kNoRefresh, &two);
        QCOMPARE(two.commands[1].tick, DramTick(0));
        QCOMPARE(two.commands[2].tick, DramTick(1));
        timed(smallDevice("one-bus"), program, kNoRefresh, &one);
        QCOMPARE(one.commands[1].tick, DramTick(1));
        QCOMPARE(one.commands[2].tick, DramTick(2));
    }

    void whatIsNoCommandTakesNoBus() {
        Collect seen;
        const SequenceTiming timing =
            timed(smallDevice(),
                  programOf({item(kSfm), item(kWrgb, {0}), item(kSfm), item(kHost), item(kWrgb, {0})}),
                  kNoRefresh, &seen);
        QCOMPARE(seen.commands[1].tick, DramTick(0));
        QCOMPARE(seen.commands[2].tick, DramTick(50));  // nSFM after the first
        QCOMPARE(seen.commands[3].tick, DramTick(100)); // its data
        QCOMPARE(seen.commands[4].tick, DramTick(100));
        QCOMPARE(timing.ticks, DramTick(101));
        QCOMPARE(timing.reasons[std::size_t(seen.commands[3].reason)], std::string("data"));
        QCOMPARE(timing.reasons[std::size_t(seen.commands[2].reason)], std::string("SFM -> SFM 50 (nSFM)"));
    }

    void phasesFollowOneAnother() {
        Program program = emptyProgram();
        program.phases = {
            {"load", {{"groups", {item(kSfm)}}}},
            {"input", {{"groups", {item(kAct, {0, 5}), item(kRd, {0, 5, 0}), item(kPre, {0})}}}},
            {"empty", {}},
            {"compute", {{"groups", {item(kWrgb, {0})}}}}};
        const SequenceTiming seen = timed(smallDevice(), program, kNoRefresh);
        QCOMPARE(seen.phases.size(), std::size_t(3));
        QCOMPARE(seen.phases[0].end, DramTick(46)); // PRE at nRAS; data at 19 + 21
        QCOMPARE(seen.phases[1].end, DramTick(46));
        QCOMPARE(seen.phases[2].begin, DramTick(46));
        QCOMPARE(seen.ticks, DramTick(47));
        QCOMPARE(seen.phaseCommands[0][kRd], std::int64_t(1));
        QCOMPARE(seen.phaseCommands[2][kRd], std::int64_t(0));
        QCOMPARE(timeProgram(smallDevice(), program, kNoRefresh, {"load"})->ticks, DramTick(50));
        QVERIFY(says(timeProgram(smallDevice(), program, {}, {"lod"}), "there is no phase \"lod\""));
    }

    void refreshWaitsForTheRowToEnd() {
        Collect seen;
        const SequenceTiming timing = timed(smallDevice(), rowsOfMacs(40, 32), {}, &seen);
        const DramDevice device = smallDevice();
        QCOMPARE(timing.commands[std::size_t(device.command("REFab"))], std::int64_t(4));
        // Rows take 271 ticks: that of 4878 is closed at 5130 (due 5070), refreshed from 5149 and, 11 later,
        // 5160.
        std::vector<DramTick> refreshes;
        for (const SequencedCommand& command : seen.commands)
            if (command.command == device.command("REFab"))
                refreshes.push_back(command.tick);
        QCOMPARE(refreshes[0], DramTick(5149));
        QCOMPARE(refreshes[1], DramTick(5160));
        const auto next = std::find_if(seen.commands.begin(), seen.commands.end(),
                                       [](const SequencedCommand& c) { return c.tick > 5160; });
        QCOMPARE(next->tick, DramTick(5160 + 456));
        QCOMPARE(next->reason, 2);
        QCOMPARE(timing.reasons[2], std::string("refresh"));
        QCOMPARE(timing.refreshTicks, timing.ticks - timed(device, rowsOfMacs(40, 32), kNoRefresh).ticks);
    }

    void refreshClosesRowsThatStayOpenTooLong() {
        // 2000 MACs of one row take 12000 ticks.
        const Program program =
            programOf({item(kActab, {7}), repeated(2000, {item(kMacab, {7, 0})}), item(kPrea)});
        const DramDevice device = smallDevice();
        Collect seen;
        const SequenceTiming timing = timed(device, program, {}, &seen);
        QCOMPARE(timing.commands[kActab], std::int64_t(2));
        QCOMPARE(timing.commands[kPrea], std::int64_t(2));
        QCOMPARE(timing.commands[std::size_t(device.command("REFab"))],
                 std::int64_t(4)); // two owed, two pseudo-channels
        const auto closed = std::find_if(seen.commands.begin(), seen.commands.end(),
                                         [](const SequencedCommand& c) { return c.command == kPrea; });
        QVERIFY(closed->tick >= 10140 && closed->tick < 10160);
        const auto again = std::find_if(closed, seen.commands.end(),
                                        [](const SequencedCommand& c) { return c.command == kActab; });
        QCOMPARE(again->row, std::int64_t(7));
        QCOMPARE(timed(device, program, {true, 0, true}).commands[kActab], std::int64_t(3));
        compareTimings(timed(device, program), timed(device, program, {true, 1, false}));
    }

    void waitsAddUpToTheIdleTicks() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const DramDevice device = smallDevice(seed % 2 ? "two-bus" : "one-bus");
            Collect seen;
            const SequenceTiming timing =
                timed(device, RandomProgram(seed, 60).make(), {seed % 3 != 0, 1, true}, &seen);
            std::set<DramTick> busy;
            for (const SequencedCommand& command : seen.commands)
                busy.insert(command.tick);
            QCOMPARE(std::accumulate(timing.waited.begin(), timing.waited.end(), DramTick(0)),
                     timing.ticks - DramTick(busy.size()));
        }
    }

    void sameAsUnrolled_data() {
        QTest::addColumn<int>("refresh");
        QTest::addColumn<QString>("protocol");
        for (const QString protocol : {"two-bus", "one-bus"})
            for (const int refresh : {-1, 0, 1})
                QTest::newRow(qPrintable(QString("%1, %2").arg(protocol).arg(refresh)))
                    << refresh << protocol;
    }
    void sameAsUnrolled() {
        QFETCH(int, refresh);
        QFETCH(QString, protocol);
        // Refreshes so often that many find rows open.
        const DramDevice device =
            smallDevice(protocol.toUtf8().constData(), {{"nREFI", refresh < 0 ? 5070 : 700}, {"nRFC", 100}});
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = RandomProgram(seed, 12).make();
            Unrolled slow(device, refresh >= 0, std::max(refresh, 0));
            slow.run(program);
            Collect seen;
            const SequencerOptions options{refresh >= 0, std::max(refresh, 0), true};
            const SequenceTiming timing = timed(device, program, options, &seen);
            QCOMPARE(timing.ticks, slow.end);
            QCOMPARE(seen.commands.size(), slow.issued.size());
            for (std::size_t i = 0; i < seen.commands.size(); ++i) {
                QCOMPARE(seen.commands[i].tick, slow.issued[i].first);
                QCOMPARE(seen.commands[i].command, slow.issued[i].second);
            }
            compareTimings(timing, timed(device, program, options));
        }
    }

    void skippingRepeatsChangesNothing() {
        std::int64_t walked = 0, all = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            const DramDevice device = smallDevice(seed % 2 ? "two-bus" : "one-bus",
                                                  {{"nREFI", seed % 5 ? 5070 : 900}, {"nRFC", 300}});
            const Program program = RandomProgram(seed, 150).make();
            for (const bool refresh : {true, false}) {
                const SequenceTiming fast = timed(device, program, {refresh, int(seed % 3), true});
                const SequenceTiming slow = timed(device, program, {refresh, int(seed % 3), false});
                compareTimings(fast, slow);
                walked += fast.walked;
                all += slow.walked;
            }
        }
        QVERIFY2(walked * 3 < all, qPrintable(QString("%1 of %2 walked").arg(walked).arg(all)));
    }

    void longLoopsAreNotWalked() {
        const DramDevice device = smallDevice();
        const Program deep = programOf({repeated(1'000'000'000, {repeated(1000, {item(kWrgb, {0})})})});
        const SequenceTiming seen = timed(device, deep, kNoRefresh);
        QCOMPARE(seen.ticks, DramTick(2'000'000'000'000 - 1));
        QVERIFY(seen.walked < 10'000);
        const SequenceTiming rows = timed(device, rowsOfMacs(4096, 32));
        QCOMPARE(rows.commands[kMacab], std::int64_t(4096 * 32));
        QVERIFY2(rows.walked * 5 < 4096 * 34, qPrintable(QString::number(rows.walked)));
        compareTimings(rows, timed(device, rowsOfMacs(4096, 32), {true, 1, false}));
    }

    void whatCannotBeIsRefused() {
        const DramDevice device = smallDevice();
        const auto time = [&](std::vector<ProgramItem> items) {
            return timeProgram(device, programOf(std::move(items)));
        };
        QVERIFY(says(time({item(kMacab, {3, 0})}),
                     "test, phase \"compute\": MACAB row=3 col=0: bank 0 has no row open"));
        QVERIFY(says(time({item(kActab, {2}), item(kMacab, {3, 0})}), "bank 0 has row 2 open"));
        QVERIFY(
            says(time({item(kActab, {2}), item(kPre, {5}), item(kMacab, {2, 0})}), "bank 5 has no row open"));
        QVERIFY(says(time({item(kAct, {2, 1}), item(kActab, {1})}),
                     "bank 2 has row 1 open, which has to be closed first"));
        QVERIFY(says(time({item(kAct, {16, 1})}), "there are 16 banks"));
        QVERIFY(says(time({item(kAct, {0, 4096})}), "there are 4096 rows"));
        QVERIFY(says(time({item(kAct, {0, -1})}), "there are 4096 rows"));
        QVERIFY(says(
            time({repeated(33, {item(kAct, {0, 1}), item(kRd, {0, 1, 0}, {{0, 0, 1}}), item(kPre, {0})})}),
            "go from 0 to 32; there are 32 accesses"));
        // Wrong from the third turn on, from the second, in the last alone.
        QVERIFY(
            says(time({repeated(9, {item(kActab, {0}, {{1}}), item(kMacab, {0, 0}, {{2, 0}}), item(kPrea)})}),
                 "turn 1: bank 0 has row 1 open"));
        QVERIFY(says(time({item(kActab, {0}), repeated(9, {item(kMacab, {0, 0}, {{1, 0}})})}),
                     "turn 1: bank 0 has row 0 open"));
        QVERIFY(
            says(time({repeated(9, {item(kActab, {0}, {{1}}), item(kPrea)}), item(kActab, {1}),
                       repeated(100, {item(kPrea), item(kActab, {1}, {{1}}), item(kMacab, {1, 0}, {{1, 0}})}),
                       item(kMacab, {99, 0})}),
                 "bank 0 has row 100 open"));
        Program unknown = programOf({item(kWrgb, {0})});
        unknown.opcodes[kWrgb].name = "WRXX";
        QVERIFY(says(timeProgram(device, unknown), "WRXX is no command of device small"));
        Program refresh = programOf({item(kWrgb, {0})});
        refresh.opcodes[kWrgb].name = "REFab";
        QVERIFY(says(timeProgram(device, refresh), "which the controller does"));
        Program nowhere = programOf({item(kPrea)});
        nowhere.opcodes[kPrea].name = "WRGB";
        QVERIFY(says(timeProgram(device, nowhere), "no operand \"bank\""));
        QVERIFY(says(timeProgram(smallDevice("half-clock"), programOf({})), "half-clock"));
        QVERIFY(says(timeProgram(smallDevice("two-bus", {{"nRFC", 6000}}), rowsOfMacs(100, 4)),
                     "a refresh takes longer than the interval of 5070"));
        QVERIFY(says(timeProgram(smallDevice("two-bus", {{"nREFI", 0}}), rowsOfMacs(1, 4)),
                     "switch refresh off"));
    }

    void rowsCarriedRoundALoopAreAllowed() {
        // Each turn closes what the turn before opened; the access comes first.
        const Program program = programOf(
            {item(kActab, {10}),
             repeated(500, {item(kMacab, {10, 0}, {{2, 0}}), item(kPrea), item(kActab, {12}, {{2}})}),
             item(kMacab, {1010, 0}), item(kPrea)});
        const SequenceTiming seen = timed(smallDevice(), program);
        QCOMPARE(seen.commands[kActab], std::int64_t(501));
    }

    void cancellingStopsIt() {
        std::stop_source source;
        source.request_stop();
        const Program program = programOf({repeated(1'000'000, {item(kWrgb, {0})})});
        const auto seen =
            timeProgram(smallDevice(), program, {false, 1, false}, {}, nullptr, {source.get_token(), {}});
        QVERIFY(!seen);
        QCOMPARE(seen.error().code, ErrorCode::Cancelled);
        QCOMPARE(timeProgram(smallDevice(), program, kNoRefresh, {}, nullptr, {source.get_token(), {}})
                     .error()
                     .code,
                 ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestSequencer)
#include "tst_core_dram_pim_sequencer.moc"
