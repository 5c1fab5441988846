// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Device files, the rules of the engine one by one, the controller against stepping through every tick,
/// traces.
#include <QTest>

#include <string>

#include "core/dram/replay.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace pim;
namespace fs = std::filesystem;

namespace {

const fs::path kDevices = fs::path(PIM_SOURCE_DIR) / "resources/devices";

std::string deviceText(const std::string& name) {
    std::ifstream file(kDevices / (name + ".json"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

DramDevice device(const std::string& name) {
    return loadDramDevice(kDevices, name).value();
}

/// Requests in memory.
class List final : public IDramSource {
public:
    explicit List(std::vector<DramRequest> requests) : m_requests(std::move(requests)) {}
    Result<std::size_t> read(std::span<DramRequest> into) override {
        std::size_t n = 0;
        while (n < into.size() && m_next < m_requests.size())
            into[n++] = m_requests[m_next++];
        return n;
    }

private:
    std::vector<DramRequest> m_requests;
    std::size_t m_next = 0;
};

/// Bursts within few rows of some banks, reads and writes: hits, conflicts, forwards and coalescing all
/// occur.
std::vector<DramRequest> mixed(const DramDevice& memory, int count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<DramRequest> requests;
    const std::uint64_t size = DramAddressMap(memory).size();
    std::uint64_t base = 0;
    for (int i = 0; i < count; ++i) {
        if (random() % 8 == 0)
            base = random() % 24 * (size / 24);
        const std::uint64_t offset = random() % 6 == 0 ? random() % size : random() % 64 * 64;
        requests.push_back(
            {(base + offset) % size / std::uint64_t(memory.accessBytes) * std::uint64_t(memory.accessBytes),
             random() % 3 == 0});
    }
    return requests;
}

/// The slow way: every tick is visited.
DramStatistics everyTick(const DramDevice& memory, const DramControllerConfig& config,
                         const std::vector<DramRequest>& requests) {
    DramController controller = DramController::create(memory, config).value();
    std::size_t next = 0;
    while (next < requests.size() || !controller.idle() ||
           controller.now() < controller.statistics().drained) {
        if (next < requests.size() && controller.accepts(requests[next]))
            controller.offer(requests[next++]);
        controller.advance(controller.now() + 1);
    }
    return controller.statistics();
}

class Recorder final : public IDramObserver {
public:
    struct Command {
        DramTick tick;
        int command, bank;
    };
    void onCommand(DramTick tick, int command, int bank, std::int64_t, std::int64_t) override {
        commands.push_back({tick, command, bank});
    }
    std::vector<Command> commands;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos)
        throw std::logic_error("the device file has no " + from);
    return text.replace(at, from.size(), to);
}

} // namespace

class TestDram : public QObject {
    Q_OBJECT

private slots:
    void everyDeviceFileIsWhole();
    void wrongDeviceFilesAreRefused_data();
    void wrongDeviceFilesAreRefused();
    void unknownDeviceNamesTheKnown();
    void timesAreComputedFromTheTimesGiven();
    void pairsOfBanksAreAddressedByParity();
    void addressesGoRoundTheBanks();
    void windowCountsTheFourthLast();
    void siblingsWaitAndTheNodeDoesNot();
    void allBankCommandsAskAndCloseAll();
    void repeatedCommandsReachOneBankOfEachGroup();
    void jumpingEqualsSteppingThroughEveryTick_data();
    void jumpingEqualsSteppingThroughEveryTick();
    void rowsNobodyWantsAreClosed();
    void strictReadsFindTheWritesBeforeThem();
    void commandsKeepEveryConstraint_data();
    void commandsKeepEveryConstraint();
    void readsAreForwardedAndWritesCoalesced();
    void fcfsServesInOrder();
    void perBankRefreshGoesRound();
    void controllersSayWhatADeviceLacks();
    void tracesAreRead();
    void wrongTracesAreRefusedWithTheirLine_data();
    void wrongTracesAreRefusedWithTheirLine();
    void cancellingStopsIt();
};

void TestDram::everyDeviceFileIsWhole() {
    const std::vector<std::string> names = dramDeviceNames(kDevices);
    QVERIFY(names.size() >= 13);
    for (const std::string& name : names) {
        const Result<DramDevice> memory = loadDramDevice(kDevices, name);
        QVERIFY2(memory, memory ? "" : memory.error().text().c_str());
        QCOMPARE(memory->name, name);
        QVERIFY(memory->source.size() > 20);
        if (memory->command("PREpb") >= 0) // see plainMemories()
            QVERIFY(DramController::create(*memory, {}));
    }
}

void TestDram::wrongDeviceFilesAreRefused_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* from, const char* to, const char* says) {
        QTest::newRow(name) << from << to << says;
    };
    row("not JSON", "{", "[[", "no device file");
    row("missing", "\"tick_ps\": 833,", "", "$: \"tick_ps\" is missing");
    row("negative", "\"tick_ps\": 833", "\"tick_ps\": -1",
        "$.tick_ps: is -1, has to be a whole number from 1");
    row("fraction", "\"tick_ps\": 833", "\"tick_ps\": 8.5", "$.tick_ps: is 8.5");
    row("unknown key", "\"tick_ps\"", "\"tick\": 1, \"tick_ps\"", "unknown key \"tick\"");
    row("protocol", "one-bus", "omnibus", "unknown protocol \"omnibus\"");
    row("access", "\"access_bytes\": 64", "\"access_bytes\": 48", "no power of two");
    row("level", "\"level\": \"Rank\", \"bits\"", "\"level\": \"Rang\", \"bits\"", "no level \"Rang\"");
    row("bits", "\"Bank\", \"bits\": 2", "\"Bank\", \"bits\": 3", "3 bits address more than the 4 there are");
    row("twice", "\"name\": \"PREpb\"", "\"name\": \"ACT\"", "command \"ACT\" is given twice");
    row("command", "\"before\": [\"RD\", \"RDA\"]", "\"before\": [\"RD\", \"RDX\"]", "no command \"RDX\"");
    row("row effect", "\"opens\"", "\"open\"", "unknown word \"open\"");
    row("window", "\"window\": 4", "\"window\": 0", "window: is 0");
    row("unknown time", "\"tick_ps\": 833", "\"tick_ps\": \"nCL + nXX\"",
        "$.tick_ps: \"nCL + nXX\" names the unknown \"nXX\"");
    row("no sum", "\"tick_ps\": 833", "\"tick_ps\": \"nCL +\"", "$.tick_ps: \"nCL +\" cannot be evaluated");
    row("negative sum", "\"tick_ps\": 833", "\"tick_ps\": \"0 - nCL\"", "$.tick_ps: \"0 - nCL\" is -");
    row("energy", "\"name\": \"RD\",", "\"name\": \"RD\", \"energy\": \"3 **\",",
        ".energy: \"3 **\" cannot be evaluated");
    row("banks", "\"name\": \"Bank\", \"count\": 4", "\"name\": \"Bank\", \"count\": 65536",
        "more than 4096 banks");
}

void TestDram::wrongDeviceFilesAreRefused() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, says);
    const std::string text = replaced(deviceText("DDR4"), from.toStdString(), to.toStdString());
    const Result<DramDevice> read = parseDramDevice(text, "x.json");
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::InvalidTarget);
    QVERIFY2(read.error().text().find(says.toStdString()) != std::string::npos, read.error().text().c_str());
    QVERIFY(read.error().where.find("x.json") == 0);
}

void TestDram::unknownDeviceNamesTheKnown() {
    const Result<DramDevice> none = loadDramDevice(kDevices, "DDR9");
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::NotFound);
    QVERIFY(none.error().text().find("DDR4_2R") != std::string::npos);
    QCOMPARE(loadDramDevice("/nowhere", "DDR4").error().code, ErrorCode::NotFound);
}

void TestDram::timesAreComputedFromTheTimesGiven() {
    std::string text = replaced(deviceText("DDR4"), "\"name\": \"RD\",",
                                "\"name\": \"RD\", \"data_ticks\": \"nCL + nBL + 1\",");
    text = replaced(text, "\"constraints\": [",
                    "\"constraints\": [{\"level\": \"Bank\", \"before\": [\"ACT\"], \"after\": [\"RD\"], "
                    "\"ticks\": \"nRCD + 2*nCL\"},");
    const DramDevice plain = parseDramDevice(text, "x").value();
    QCOMPARE(plain.constraints[0].ticks, plain.time("nRCD") + 2 * plain.time("nCL"));
    QCOMPARE(plain.constraints[0].text, std::string("nRCD + 2*nCL"));
    QCOMPARE(plain.commands[std::size_t(plain.command("RD"))].dataTicks,
             plain.time("nCL") + plain.time("nBL") + 1);
    QCOMPARE(plain.commands[std::size_t(plain.command("WR"))].dataTicks,
             plain.time("nCWL") + plain.time("nBL"));
    const DramDevice other = parseDramDevice(text, "x", {{"nCL", 100}, {"nNobodyKnows", 1}}).value();
    QCOMPARE(other.constraints[0].ticks, plain.time("nRCD") + 200);
    QCOMPARE(other.time("nCL"), DramTick(100));
    QCOMPARE(other.time("nNobodyKnows"), DramTick(0));
}

void TestDram::pairsOfBanksAreAddressedByParity() {
    DramDevice memory = device("DDR4"); // 4 groups of 4 banks
    memory.levels.insert(memory.levels.begin() + memory.bankLevel, {"Block", 2});
    memory.levels[std::size_t(++memory.bankLevel)].count = 2;
    ++memory.rowLevel;
    memory.constraints.clear();
    DramCommand odd;
    odd.name = "ACT_HALF";
    odd.level = memory.bankLevel;
    odd.repeatedOver = memory.level("Block");
    odd.row = DramRowEffect::Opens;
    memory.commands.push_back(odd);
    DramEngine engine(memory);
    engine.issue(memory.command("ACT_HALF"), 1, 7, 0);
    for (int bank = 0; bank < memory.bankCount(); ++bank)
        QCOMPARE(engine.openRow(bank), bank % 2 == 1 ? std::int64_t(7) : kDramNoRow);
}

void TestDram::addressesGoRoundTheBanks() {
    // DDR4, 1 rank: 6 bits within the access, 7 column, 2 bank group, 2 bank, 16 row
    const DramAddressMap map(device("DDR4"));
    QCOMPARE(map.size(), std::uint64_t(1) << 33);
    const DramPlace place = map.place((std::uint64_t(5) << 17) | (3u << 15) | (2u << 13) | (9u << 6) | 7u);
    QCOMPARE(place.row, std::int64_t(5));
    QCOMPARE(place.column, std::int64_t(9));
    QCOMPARE(place.bank, 2 * 4 + 3); // bank 3 of group 2
}

void TestDram::windowCountsTheFourthLast() {
    const DramDevice memory = device("DDR4");
    DramEngine engine(memory);
    const int act = memory.command("ACT");
    const DramTick faw = memory.time("nFAW");
    for (int i = 0; i < 4; ++i)
        engine.issue(act, i * 4, 1, 100 + i); // closer than allowed: the engine does not judge
    QCOMPARE(engine.earliest(act, 15), std::max<DramTick>(100 + faw, 103 + memory.time("nRRDL")));
    QCOMPARE(engine.openRow(8), std::int64_t(1));
    QCOMPARE(engine.openRow(9), kDramNoRow);
}

void TestDram::siblingsWaitAndTheNodeDoesNot() {
    const DramDevice memory = device("DDR4_2R");
    DramEngine engine(memory);
    const int wr = memory.command("WR"), rd = memory.command("RD");
    engine.issue(wr, 0, 0, 1000);
    DramTick sibling = 0, same = 0;
    for (const DramConstraint& row : memory.constraints)
        if (row.before.front() == wr && row.after.front() == rd &&
            memory.levels[std::size_t(row.level)].name == "Rank")
            (row.siblings ? sibling : same) = row.ticks;
    QVERIFY(sibling > 0 && same > sibling);
    QCOMPARE(engine.earliest(rd, 16), 1000 + sibling); // the other rank
    QCOMPARE(engine.earliest(rd, 4), 1000 + same);     // this rank, another bank group
}

void TestDram::allBankCommandsAskAndCloseAll() {
    const DramDevice memory = device("HBM2");
    DramEngine engine(memory);
    const int act = memory.command("ACT"), precharge = memory.command("PREab"), ref = memory.command("REFab");
    engine.issue(act, 3, 7, 10);
    engine.issue(act, 20, 8, 12); // the other pseudo-channel
    QVERIFY(engine.anyOpen(engine.banksOf(precharge, 0)));
    const DramTick ready = engine.earliestAll(precharge, 0);
    QVERIFY(ready > 10);
    QCOMPARE(engine.earliestAll(precharge, 16), ready + 2);
    engine.issue(precharge, 0, -1, ready);
    QCOMPARE(engine.openRow(3), kDramNoRow);
    QCOMPARE(engine.openRow(20), std::int64_t(8));
    QVERIFY(engine.earliestAll(ref, 0) >= ready + memory.time("nRP"));
}

void TestDram::repeatedCommandsReachOneBankOfEachGroup() {
    std::string text = deviceText("HBM2");
    text = replaced(
        text, "{\"name\": \"PREpb\"",
        "{\"name\": \"ACTSB\", \"at\": \"Bank\", \"repeated_over\": \"BankGroup\", \"row\": \"opens\"},\n"
        "{\"name\": \"PREpb\"");
    text = replaced(text, "\"constraints\": [",
                    "\"constraints\": [{\"level\": \"Bank\", \"before\": [\"ACTSB\"], \"after\": [\"RD\"], "
                    "\"ticks\": 50},");
    const Result<DramDevice> memory = parseDramDevice(text, "with a PIM command");
    QVERIFY2(memory, memory ? "" : memory.error().text().c_str());
    DramEngine engine(*memory);
    engine.issue(memory->command("ACTSB"), 6, 9, 100); // bank 2 of group 1
    for (int bank = 0; bank < engine.bankCount(); ++bank) {
        QCOMPARE(engine.openRow(bank), bank % 4 == 2 ? std::int64_t(9) : kDramNoRow);
        QCOMPARE(engine.earliest(memory->command("RD"), bank), bank % 4 == 2 ? DramTick(150) : DramTick(0));
    }
}

/// Memories with processing units have other commands, which plain controllers do not drive.
std::vector<std::string> plainMemories() {
    std::vector<std::string> names = dramDeviceNames(kDevices);
    std::erase_if(names, [](const std::string& name) { return device(name).command("PREpb") < 0; });
    return names;
}

void TestDram::jumpingEqualsSteppingThroughEveryTick_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("scheduler");
    QTest::addColumn<int>("refresh");
    QTest::addColumn<QString>("pagePolicy"); // empty: not strict
    for (const std::string& name : plainMemories())
        for (const char* policy : {"open", "closed", "timeout"})
            QTest::newRow((name + " strict " + policy).c_str())
                << QString::fromStdString(name) << int(DramScheduler::FrFcfsRowHit)
                << int(DramRefresh::AllBank) << policy;
    for (const std::string& name : plainMemories())
        for (const DramScheduler scheduler :
             {DramScheduler::FrFcfs, DramScheduler::FrFcfsRowHit, DramScheduler::Fcfs})
            for (const DramRefresh refresh : {DramRefresh::Off, DramRefresh::AllBank, DramRefresh::PerBank})
                if (refresh != DramRefresh::PerBank || device(name).time("nREFIpb") > 0)
                    QTest::newRow(
                        (name + " " + std::to_string(int(scheduler)) + std::to_string(int(refresh))).c_str())
                        << QString::fromStdString(name) << int(scheduler) << int(refresh) << QString();
}

void TestDram::jumpingEqualsSteppingThroughEveryTick() {
    QFETCH(QString, name);
    QFETCH(int, scheduler);
    QFETCH(int, refresh);
    QFETCH(QString, pagePolicy);
    const DramDevice memory = device(name.toStdString());
    DramControllerConfig config;
    if (!pagePolicy.isEmpty()) {
        config = dramControllerNamed("strict").value();
        config.pagePolicy = dramPagePolicyNamed(pagePolicy.toStdString()).value();
    }
    config.scheduler = DramScheduler(scheduler);
    config.refresh = DramRefresh(refresh);
    const std::vector<DramRequest> requests = mixed(memory, 1500, 7);
    List list(requests);
    const Result<DramStatistics> jumped = replayDram(memory, config, list);
    QVERIFY2(jumped, jumped ? "" : jumped.error().text().c_str());
    const DramStatistics stepped = everyTick(memory, config, requests);
    QCOMPARE(jumped->drained, stepped.drained);
    QCOMPARE(jumped->allSent, stepped.allSent);
    QCOMPARE(jumped->commands, stepped.commands);
    QCOMPARE(jumped->hits, stepped.hits);
    QCOMPARE(jumped->conflicts, stepped.conflicts);
    QCOMPARE(jumped->readLatencySum, stepped.readLatencySum);
    QCOMPARE(jumped->reads + jumped->writes + jumped->forwarded + jumped->coalesced, jumped->requests);
    QCOMPARE(jumped->hits + jumped->misses + jumped->conflicts, jumped->reads + jumped->writes);
}

void TestDram::rowsNobodyWantsAreClosed() {
    // Two rows of one bank in turn, other banks long enough in between that all queues forget the bank.
    const DramDevice memory = device("DDR4");
    std::vector<DramRequest> requests;
    for (int i = 0; i < 40; ++i) {
        requests.push_back({std::uint64_t(i % 2) << 17, false});
        for (int k = 0; k < 200; ++k)
            requests.push_back(
                {(1u << 13) + std::uint64_t(k % 128) * 64, false}); // the same row of another bank
    }
    const auto run = [&](const char* policy, DramTick timeout) {
        DramControllerConfig config;
        config.refresh = DramRefresh::Off;
        config.pagePolicy = dramPagePolicyNamed(policy).value();
        config.pageTimeout = timeout;
        List list(requests);
        return replayDram(memory, config, list).value();
    };
    const DramStatistics open = run("open", 0), closed = run("closed", 0), late = run("timeout", 100),
                         never = run("timeout", 1'000'000);
    QCOMPARE(open.conflicts, std::int64_t(39));
    QCOMPARE(closed.conflicts, std::int64_t(0));
    QCOMPARE(closed.misses, std::int64_t(41)); // the busy row is always wanted
    QCOMPARE(late.conflicts, std::int64_t(0));
    QCOMPARE(never.conflicts, std::int64_t(39));

    // A row that was closed in time saves the precharge.
    const auto latencyAfterAPause = [&](const char* policy) {
        DramControllerConfig config;
        config.pagePolicy = dramPagePolicyNamed(policy).value();
        DramController controller = DramController::create(memory, config).value();
        controller.offer({0, false});
        while (controller.now() < 300)
            controller.advance(controller.now() + 1);
        controller.offer({1u << 17, false});
        while (!controller.idle())
            controller.advance(controller.now() + 1);
        return controller.statistics().readLatencyMax;
    };
    QCOMPARE(latencyAfterAPause("open") - latencyAfterAPause("closed"), memory.time("nRP"));
    QCOMPARE(latencyAfterAPause("timeout"), latencyAfterAPause("closed"));
}

void TestDram::strictReadsFindTheWritesBeforeThem() {
    // The read comes when the row is open for the write and the write has not gone out.
    const DramDevice memory = device("DDR4");
    const auto run = [&](const char* name) {
        DramController controller = DramController::create(memory, dramControllerNamed(name).value()).value();
        controller.offer({0x40, true});
        for (int tick = 1; tick <= 5; ++tick)
            controller.advance(tick);
        controller.offer({0x44, false}); // other bytes of the same access
        while (!controller.idle() || controller.now() < controller.statistics().drained)
            controller.advance(controller.now() + 1);
        return controller.statistics();
    };
    QCOMPARE(run("ramulator-2.1").forwarded, std::int64_t(0));
    QCOMPARE(run("strict").forwarded, std::int64_t(1));
    QCOMPARE(run("strict").writes, std::int64_t(1));
}

void TestDram::commandsKeepEveryConstraint_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("controller");
    for (const std::string& name : plainMemories())
        for (const char* controller : {"ramulator-2.1", "strict"})
            QTest::newRow((name + " " + controller).c_str()) << QString::fromStdString(name) << controller;
}

/// Every pair of commands against every row of the table, read anew: nothing of the engine's folding is used.
void TestDram::commandsKeepEveryConstraint() {
    QFETCH(QString, name);
    QFETCH(QString, controller);
    const DramDevice memory = device(name.toStdString());
    List list(mixed(memory, 1200, 11));
    Recorder recorder;
    QVERIFY(replayDram(memory, dramControllerNamed(controller.toStdString()).value(), list,
                       DramInjection::OneATick, {}, &recorder));
    const auto nodesOf = [&](int command, int bank, int level) {
        const int scope = memory.commands[std::size_t(command)].level;
        const int under = memory.banksUnder(level), reach = memory.banksUnder(scope);
        const int first = bank / reach * reach;
        return std::pair(first / under, (first + reach - 1) / under);
    };
    const auto has = [](const std::vector<int>& commands, int command) {
        return std::find(commands.begin(), commands.end(), command) != commands.end();
    };
    std::int64_t checked = 0;
    const auto& all = recorder.commands;
    for (const DramConstraint& row : memory.constraints)
        for (std::size_t later = 0; later < all.size(); ++later) {
            if (!has(row.after, all[later].command))
                continue;
            const auto [low, high] = nodesOf(all[later].command, all[later].bank, row.level);
            for (int node = low; node <= high; ++node) {
                int found = 0;
                for (std::size_t k = later; k-- > 0 && all[later].tick - all[k].tick < row.ticks;) {
                    if (!has(row.before, all[k].command))
                        continue;
                    const auto [from, to] = nodesOf(all[k].command, all[k].bank, row.level);
                    const int around = row.level > 0 ? memory.levels[std::size_t(row.level)].count : 1;
                    const bool inside = from <= node && node <= to;
                    const bool beside = !inside && from == to && from / around == node / around;
                    if (row.siblings ? beside : inside)
                        ++found;
                    QVERIFY2(found < row.window, "a command came too early");
                }
                ++checked;
            }
        }
    QVERIFY(checked > 1000);
}

void TestDram::readsAreForwardedAndWritesCoalesced() {
    // The conflict of the first write keeps the second in the queue.
    List list({{0, true}, {1u << 20, true}, {1u << 20, true}, {1u << 20, false}});
    const Result<DramStatistics> seen = replayDram(device("DDR4"), {}, list);
    QVERIFY(seen);
    QCOMPARE(seen->coalesced, std::int64_t(1));
    QCOMPARE(seen->forwarded, std::int64_t(1));
    QCOMPARE(seen->writes, std::int64_t(2));
    QCOMPARE(seen->reads, std::int64_t(0));
}

void TestDram::fcfsServesInOrder() {
    const DramDevice memory = device("DDR4");
    std::vector<DramRequest> requests;
    for (int i = 0; i < 200; ++i)
        requests.push_back({std::uint64_t(i % 3) << 18 | std::uint64_t(i % 128 * 64), false});
    DramControllerConfig config;
    config.refresh = DramRefresh::Off;
    List first(requests), second(requests);
    const DramTick ready = replayDram(memory, config, first)->drained;
    config.scheduler = DramScheduler::Fcfs;
    const Result<DramStatistics> inOrder = replayDram(memory, config, second);
    QVERIFY(inOrder->drained > ready);
    QCOMPARE(inOrder->conflicts, std::int64_t(199)); // three rows of one bank in turn
}

void TestDram::perBankRefreshGoesRound() {
    const DramDevice memory = device("HBM2");
    DramControllerConfig config;
    config.refresh = DramRefresh::PerBank;
    List list(mixed(memory, 3000, 3));
    Recorder recorder;
    const Result<DramStatistics> seen =
        replayDram(memory, config, list, DramInjection::OneATick, {}, &recorder);
    QVERIFY(seen);
    int next = 0;
    for (const Recorder::Command& one : recorder.commands)
        if (one.command == memory.command("REFpb"))
            QCOMPARE(one.bank, next++ % memory.bankCount());
    QVERIFY(next > 3);
    QVERIFY(std::abs(next - seen->drained / memory.time("nREFIpb")) <= 2);
}

void TestDram::controllersSayWhatADeviceLacks() {
    DramControllerConfig config;
    config.refresh = DramRefresh::PerBank;
    const auto none = DramController::create(device("DDR4"), config);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::Unsupported);
    QVERIFY(none.error().text().find("REFpb") != std::string::npos);
    config.refresh = DramRefresh::Off;
    config.readQueue = 0;
    QCOMPARE(DramController::create(device("DDR4"), config).error().code, ErrorCode::Usage);
    QCOMPARE(dramControllerNamed("fast").error().code, ErrorCode::Usage);
    QCOMPARE(dramSchedulerNamed("LIFO").error().code, ErrorCode::Usage);
    QCOMPARE(dramRefreshNamed("never").error().code, ErrorCode::Usage);
}

void TestDram::tracesAreRead() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("t").toStdString();
    std::ofstream(file) << "# comment\n\nLD 0x40\r\nST 128\n  \nLD 0X1c0";
    const auto trace = DramTraceFile::open(file, 4096);
    QVERIFY(trace);
    std::vector<DramRequest> requests(8);
    const Result<std::size_t> count = (*trace)->read(requests);
    QVERIFY2(count, count ? "" : count.error().text().c_str());
    QCOMPARE(*count, std::size_t(3));
    QCOMPARE(requests[0].address, std::uint64_t(0x40));
    QVERIFY(!requests[0].write && requests[1].write);
    QCOMPARE(requests[1].address, std::uint64_t(128));
    QCOMPARE(requests[2].address, std::uint64_t(0x1c0));
    QCOMPARE((*trace)->read(requests).value(), std::size_t(0));
}

void TestDram::wrongTracesAreRefusedWithTheirLine_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("word") << QByteArray("LD 0x40\nRD 0x40\n") << 2 << "unknown request \"RD\"";
    QTest::newRow("no address") << QByteArray("LD\n") << 1 << "the address is missing";
    QTest::newRow("no number") << QByteArray("LD 0x40\nST 0xzz\n") << 2 << "\"0xzz\" is no address";
    QTest::newRow("more behind it") << QByteArray("LD 0x40 7\n") << 1 << "is no address";
    QTest::newRow("negative") << QByteArray("LD -64\n") << 1 << "\"-64\" is no address";
    QTest::newRow("outside") << QByteArray("LD 0x0\nLD 0x1000\n") << 2
                             << "outside the device, whose last is 0xfff";
    QTest::newRow("too big") << QByteArray("LD 0x10000000000000000\n") << 1 << "more than 64 bits";
    QTest::newRow("long") << QByteArray("LD 0x40\n") + QByteArray(100000, 'x') << 2 << "longer than 256";
    QTest::newRow("binary") << QByteArray("\x01\x02\xff\x00\n", 5) << 1 << "unknown request \"????\"";
    QTest::newRow("cut gzip") << QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xf3", 11) << 1
                              << "ends too early";
}

void TestDram::wrongTracesAreRefusedWithTheirLine() {
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const std::string file = folder.filePath("t").toStdString();
    std::ofstream(file, std::ios::binary).write(text.constData(), text.size());
    const auto trace = DramTraceFile::open(file, 4096);
    QVERIFY(trace);
    const Result<DramStatistics> seen = replayDram(device("DDR4"), {}, **trace);
    QVERIFY(!seen);
    QCOMPARE(seen.error().code, ErrorCode::InvalidFile);
    QCOMPARE(seen.error().where, file + ":" + std::to_string(line));
    QVERIFY2(seen.error().text().find(says.toStdString()) != std::string::npos, seen.error().text().c_str());
    QCOMPARE(DramTraceFile::open(file + "x", 1).error().code, ErrorCode::Io);
}

void TestDram::cancellingStopsIt() {
    std::stop_source stop;
    stop.request_stop();
    TaskContext task;
    task.stop = stop.get_token();
    List list({{0, false}});
    QCOMPARE(replayDram(device("DDR4"), {}, list, DramInjection::OneATick, task).error().code,
             ErrorCode::Cancelled);
}

QTEST_APPLESS_MAIN(TestDram)
#include "tst_core_dram.moc"
