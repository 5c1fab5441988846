// SPDX-License-Identifier: GPL-3.0-or-later
// The compiler's own programs, both pipelines, against the reference.
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/check.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "tests/backends_crossbar_numeric/op_networks.h"
#include "tests/backends_crossbar_numeric/plain_program.h"

#include <QTemporaryDir>

#include <map>
#include <optional>
#include <set>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

namespace {

Result<CrossbarCheck> compileAndCheck(std::shared_ptr<const Graph> graph, const CrossbarChip& chip,
                                      CrossbarMode mode, const CrossbarCheckOptions& options = {},
                                      int layersAStage = 1) {
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(std::move(graph), chip));
    MappingOptions mappingOptions;
    mappingOptions.mode = mode;
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, mappingOptions));
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(network, chip, mapping, {.layersAStage = layersAStage}));
    return checkCrossbar(
        {schedule.program, network, mapping, chip, schedule.mapAddress, schedule.stage, schedule.copies},
        options);
}

struct Compiled {
    CrossbarNetwork network;
    CrossbarSchedule schedule;

    /// Elements that instructions of a kind move.
    std::int64_t moved(CrossbarOpcode opcode, std::optional<CrossbarStage> stage = {}) const {
        std::int64_t elements = 0;
        for (const auto& core : schedule.program.cores)
            for (const CrossbarInstruction& i : core)
                if (i.opcode == opcode && (!stage || i.stage == *stage))
                    elements += i.length;
        return elements;
    }
};
Result<Compiled> compiled(Result<std::shared_ptr<const Graph>> read, const CrossbarChip& chip,
                          const ScheduleOptions& options, CrossbarMode mode = CrossbarMode::HighThroughput) {
    PIM_TRY(std::shared_ptr<const Graph> graph, std::move(read));
    PIM_TRY(CrossbarNetwork network, crossbarNetwork(std::move(graph), chip));
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, {.mode = mode}));
    PIM_TRY(CrossbarSchedule schedule, scheduleCrossbar(network, chip, mapping, options));
    return Compiled{std::move(network), std::move(schedule)};
}

Result<Compiled> compiled(const std::string& name, const CrossbarChip& chip, const ScheduleOptions& options,
                          CrossbarMode mode = CrossbarMode::HighThroughput) {
    return compiled(test::opNetwork(name), chip, options, mode);
}

/// Where results of products wait until they are added to others.
struct WaitingResults {
    std::set<std::uint32_t> addresses, groups; ///< In a core; array groups they are of.
};
std::vector<WaitingResults> waitingResults(const CrossbarProgram& program) {
    std::vector<WaitingResults> all;
    for (const auto& core : program.cores) {
        WaitingResults& here = all.emplace_back();
        std::map<std::uint32_t, std::uint32_t> last; // address -> array group
        for (const CrossbarInstruction& i : core) {
            if (i.opcode == CrossbarOpcode::Mvm)
                last[i.dst] = i.index;
            if (i.opcode != CrossbarOpcode::Vec || i.stage != CrossbarStage::Accumulate)
                continue;
            here.addresses.insert(i.src2);
            here.groups.insert(last.at(i.src2));
        }
    }
    return all;
}

QString textOf(const CrossbarCheck& check) {
    return check.equal() ? QString()
                         : QString::fromStdString(check.comparison.first->text + "; " + check.firstWrong);
}

} // namespace

class TestCrossbarScheduleRun : public QObject {
    Q_OBJECT
private slots:
    void programsOfEveryOpAreRight_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<bool>("lowLatency");
        QTest::addColumn<int>("bits");
        for (const std::string& name : test::opNetworkNames())
            for (const bool lowLatency : {false, true})
                for (const int bits : {16, 8})
                    QTest::addRow("%s %s %d", name.c_str(), lowLatency ? "ll" : "ht", bits)
                        << QString::fromStdString(name) << lowLatency << bits;
    }
    void programsOfEveryOpAreRight() {
        QFETCH(QString, network);
        QFETCH(bool, lowLatency);
        QFETCH(int, bits);
        const auto graph = test::opNetwork(network.toStdString());
        QVERIFY_RESULT(graph);
        CrossbarChip chip = test::smallChip(5, 24, 16, 8);
        chip.weightBits = chip.activationBits = bits;
        const auto mode = lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput;
        const auto check = compileAndCheck(*graph, chip, mode);
        QVERIFY_RESULT(check);
        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
        QVERIFY(check->products > 0 || network == "normalisations");
        const auto real = compileAndCheck(*graph, chip, mode, {.real = true});
        QVERIFY_RESULT(real);
        QVERIFY2(real->equal(), qPrintable(textOf(*real)));
    }

    void samplesInFlightAreRight_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("layersAStage");
        for (const std::string& name : test::opNetworkNames())
            for (const int layers : {1, 2, 3, 100, kAutomaticStages})
                QTest::addRow("%s %d", name.c_str(), layers) << QString::fromStdString(name) << layers;
    }
    void samplesInFlightAreRight() {
        QFETCH(QString, network);
        QFETCH(int, layersAStage);
        const auto graph = test::opNetwork(network.toStdString());
        QVERIFY_RESULT(graph);
        const CrossbarChip chip = test::smallChip(5, 24, 16, 8);
        const auto check = compileAndCheck(*graph, chip, CrossbarMode::HighThroughput,
                                           {.samples = 4, .inFlight = true}, layersAStage);
        QVERIFY_RESULT(check);
        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
    }

    /// In one core nothing but the image has to come from global memory, and nothing but the result goes
    /// there; what lies there for several rounds moves on round by round.
    void rowsStayInTheirCoreForLaterRounds() {
        const CrossbarChip chip = test::smallChip(1, 256, 16, 8);
        const auto with = compiled("shortcuts", chip, {}),
                   without = compiled("shortcuts", chip, {.keep = false});
        QVERIFY_RESULT(with);
        QVERIFY_RESULT(without);
        QVERIFY(with->schedule.stages() > 4);
        const auto image = with->network.layers.front().out.elements();
        const auto result = with->network.layers.back().out.elements();
        QCOMPARE(qint64{with->moved(CrossbarOpcode::Load)}, qint64{image});
        QCOMPARE(qint64{with->moved(CrossbarOpcode::Store)}, qint64{result});
        QVERIFY(without->moved(CrossbarOpcode::Load) > 10 * image);
        std::uint32_t behind = 0;
        for (const CrossbarInstruction& i : with->schedule.program.cores.front())
            if (i.opcode == CrossbarOpcode::Copy)
                behind = std::max(behind, i.index);
        QVERIFY2(behind >= 3, qPrintable(QString::number(behind)));
    }

    /// An eighth of a small memory has room for some rows only: those that save most for their room.
    void rowsStayWhereThereIsRoom() {
        CrossbarChip chip = test::smallChip(1, 256, 16, 8);
        std::int64_t before = 0;
        for (const std::int64_t bytes : {1 << 20, 1 << 16, 1 << 15, 1 << 14, 1 << 13}) {
            chip.localBytes = bytes;
            const auto made = compiled("shortcuts", chip, {});
            QVERIFY_RESULT(made);
            const std::int64_t loaded = made->moved(CrossbarOpcode::Load);
            QVERIFY2(loaded >= before,
                     qPrintable(QString("%1 bytes: %2 < %3").arg(bytes).arg(loaded).arg(before)));
            before = loaded;
        }
        QVERIFY(before > 0);
    }

    /// However long a product takes, an array group computes one at a time. Where the referee says that they
    /// hide vector work, nothing waits.
    void fewResultsWait_data() {
        QTest::addColumn<bool>("lowLatency");
        QTest::newRow("ht") << false;
        QTest::newRow("ll") << true;
    }
    void fewResultsWait() {
        QFETCH(bool, lowLatency);
        const auto mode = lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput;
        CrossbarChip chip = test::smallChip(3, 96, 16, 8);
        chip.mvmNs = 200 * chip.mvmIssueNs;
        const auto own = compiled("shortcuts", chip, {}, mode);
        const auto hidden = compiled("shortcuts", chip, {.rules = CrossbarReferee::PimcompNominal}, mode);
        QVERIFY_RESULT(own);
        QVERIFY_RESULT(hidden);
        std::size_t most = 0;
        for (const WaitingResults& core : waitingResults(own->schedule.program)) {
            QVERIFY2(core.addresses.size() <= core.groups.size() + 1,
                     qPrintable(QString("%1 > %2").arg(core.addresses.size()).arg(core.groups.size() + 1)));
            most = std::max(most, core.addresses.size());
        }
        QVERIFY(most > 1);
        for (const WaitingResults& core : waitingResults(hidden->schedule.program))
            QVERIFY(core.addresses.size() <= 1);
    }

    /// In high throughput products come at the pace of the round: where it is long, few are under way. Where
    /// there is room more may be.
    void fewerResultsWaitInLongRounds() {
        CrossbarChip chip = test::smallChip(1, 512, 16, 8);
        chip.mvmNs = 20 * chip.mvmIssueNs;
        const auto deepest = [&](double globalBytesPerNs, std::int64_t localBytes) -> std::size_t {
            chip.globalBytesPerNs = globalBytesPerNs;
            chip.localBytes = localBytes;
            const auto made = compiled("shortcuts", chip, {});
            return made ? waitingResults(made->schedule.program).front().addresses.size() : 0;
        };
        const std::size_t quick = deepest(1, 1 << 13), slow = deepest(1e-3, 1 << 13); // waits for memory
        QVERIFY2(slow >= 3 && slow < quick, qPrintable(QString("%1 of %2").arg(slow).arg(quick)));
        QCOMPARE(deepest(1e-3, 1 << 20), deepest(1, 1 << 20));
    }

    /// Channels of neighbouring places of the kernel, side by side or dilated, come in one copy: layers in
    /// groups have fewer copies than places.
    void placesOfARowComeAtOnce() {
        const auto made = compiled("convolutions", test::smallChip(5, 24, 16, 8), {});
        QVERIFY_RESULT(made);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> gathered; // layer, distance -> copies
        for (const auto& core : made->schedule.program.cores)
            for (const CrossbarInstruction& i : core)
                if (i.pieces() > 1)
                    ++gathered[{i.layer, i.src2}];
        std::set<std::uint32_t> layers;
        for (const auto& [key, copies] : gathered)
            layers.insert(key.first);
        QCOMPARE(layers.size(), std::size_t{2}); // depthwise, and dilated in three groups
    }

    /// What products under way need takes no room from the job that needs most: a dense layer finds room
    /// for its sums side by side and all it reads.
    void theLargestJobFindsRoom_data() {
        QTest::addColumn<bool>("lowLatency");
        QTest::newRow("ht") << false;
        QTest::newRow("ll") << true;
    }
    void theLargestJobFindsRoom() {
        QFETCH(bool, lowLatency);
        const auto graph = test::wideDenseNetwork();
        QVERIFY_RESULT(graph);
        CrossbarChip chip = test::smallChip(1, 64, 256, 64);
        chip.mvmNs = 200 * chip.mvmIssueNs;
        chip.localBytes = chip.activationBytes() * std::int64_t(2900); // it takes 2128
        const auto check = compileAndCheck(
            *graph, chip, lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput);
        QVERIFY_RESULT(check);
        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
    }

    /// However large the array groups of a dense layer beside it, results of a convolution wait for each other no
    /// more than in a core of its own: they share the room of one large result.
    void smallResultsShareTheRoomOfLargeOnes_data() { theLargestJobFindsRoom_data(); }
    void smallResultsShareTheRoomOfLargeOnes() {
        QFETCH(bool, lowLatency);
        CrossbarChip chip = test::smallChip(1, 64, 256, 64);
        chip.groups = {{CrossbarGroup{16, 200, 512}}};
        chip.mvmNs = 3 * chip.mvmIssueNs;
        chip.localBytes = chip.activationBytes() * std::int64_t(3600);
        const auto made = compiled(test::wideDenseNetwork(), chip, {},
                                   lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput);
        QVERIFY_RESULT(made);
        std::map<std::uint32_t, std::set<std::uint32_t>> waiting; // layer -> addresses
        for (const CrossbarInstruction& i : made->schedule.program.cores.front())
            if (i.opcode == CrossbarOpcode::Vec && i.stage == CrossbarStage::Accumulate)
                waiting[i.layer].insert(i.src2);
        QCOMPARE(waiting.size(), std::size_t{2});
        const std::size_t small = waiting.begin()->second.size(), large = waiting.rbegin()->second.size();
        QVERIFY2(large == 1 && small >= 3, qPrintable(QString("%1, %2").arg(small).arg(large)));
    }

    /// Cores of a replica give their sums to the one that finishes over the connection, in the same round.
    void sumsOfAReplicaCrossAtOnce() {
        const auto made = compiled("convolutions", test::smallChip(40, 3, 16, 8), {});
        QVERIFY_RESULT(made);
        QVERIFY(made->moved(CrossbarOpcode::Send, CrossbarStage::Gather) > 0);
        QCOMPARE(qint64{made->moved(CrossbarOpcode::Load, CrossbarStage::Gather)}, qint64{0});
        QCOMPARE(qint64{made->moved(CrossbarOpcode::Store, CrossbarStage::Gather)}, qint64{0});
    }
};

QTEST_MAIN(TestCrossbarScheduleRun)
#include "tst_backends_crossbar_numeric_schedule.moc"
