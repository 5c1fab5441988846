// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The profiler: each rule with figures worked out by hand, what must hold for any program, and what is said
/// about wrong ones.
#include <QTest>

#include <string>

#include "backends/crossbar/profile.h"
#include "tests/backends_crossbar/programs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

using namespace pim;
using namespace pim::test;

namespace {

CrossbarProfile profileOf(const CrossbarProgram& p, const CrossbarChip& chip,
                          const ProfileOptions& options = {}) {
    auto result = profileCrossbar(p, chip, options);
    if (!result)
        qWarning("%s", result.error().text().c_str());
    return result.value_or(CrossbarProfile{});
}

double ends(std::vector<std::vector<CrossbarInstruction>> cores, const CrossbarChip& chip = smallChip()) {
    return profileOf(program(std::move(cores)), chip).endNs;
}

std::string errorOf(const CrossbarProgram& p, const CrossbarChip& chip = smallChip()) {
    const auto result = profileCrossbar(p, chip);
    return result ? "no error" : result.error().text();
}

double spent(const CoreProfile& core, CrossbarLimit limit) {
    return core.spentNs[std::size_t(limit)];
}

} // namespace

class TestCrossbarProfile : public QObject {
    Q_OBJECT

private slots:
    void waitsForDataAndUnits() {
        // load 256 B at 20 B/ns, product, 4 passes of the vector unit, store
        QCOMPARE(ends({{load(0, 0, 128), mvm(0, 128, 0), vec(VectorOp::Relu, 256, 128, 0, 128),
                        store(0, 256, 128)}}),
                 12.8 + 800 + 40 + 12.8);
        QCOMPARE(ends({{mvm(0, 128, 0), mvm(1, 256, 0)}}), 1000.0); // issue port
        QCOMPARE(ends({{mvm(0, 128, 0), mvm(0, 256, 0)}}), 1600.0); // one array group
        QCOMPARE(ends({{mvm(0, 128, 0), mvm(1, 128, 0)}}), 1600.0); // both write there
        QCOMPARE(ends({{mvm(0, 128, 0), load(0, 0, 128)}}), 812.8); // it is still read
        QCOMPARE(ends({{copy(0, 128, 100), copy(500, 700, 100)}}),
                 20.0); // one port, 2 x 200 B at 40 B/ns each
        QCOMPARE(ends({{vec(VectorOp::Add, 0, 32, 64, 32), vec(VectorOp::Relu, 96, 128, 0, 32)}}), 20.0);
        QCOMPARE(ends({{vec(VectorOp::Softmax, 0, 32, 0, 32)}}), 30.0); // three passes
        QCOMPARE(ends({{store(0, 0, 128), load(128, 64, 128)}}), 25.6); // the same global memory
        CrossbarChip two = smallChip();
        two.vectorUnits = 2;
        QCOMPARE(ends({{vec(VectorOp::Add, 0, 32, 64, 32), vec(VectorOp::Relu, 96, 128, 0, 32)}}, two), 10.0);
    }

    void normalisationsTakeTheirPasses() {
        QCOMPARE(ends({{vec(VectorOp::LayerNorm, 0, 32, 0, 32)}}), 30.0); // mean, variance, scaling
        QCOMPARE(ends({{vec(VectorOp::RmsNorm, 0, 32, 0, 32)}}), 20.0);   // squares, scaling
    }

    /// Core 0 stores what the host reads, core 1 loads what the host makes of it: behind that, in every run.
    void loadsOfTheHostsMapsWaitForWhatItReads() {
        const CrossbarProgram p = program({{mvm(0, 128, 0), store(0, 128, 128)}, {load(0, 1000, 64)}});
        ProfileOptions options;
        const double alone = profileOf(p, smallChip()).endNs;
        QCOMPARE(alone, 812.8);
        options.hostMaps = {{{1000, 1064}, {{0, 128}}}};
        for (const bool inOrder : {true, false}) {
            CrossbarChip chip = smallChip();
            chip.inOrder = inOrder;
            const CrossbarProfile profile = profileOf(p, chip, options);
            QCOMPARE(profile.endNs, alone + 6.4);
            QCOMPARE(spent(profile.cores[1], CrossbarLimit::Memory), 6.4);
            QCOMPARE(spent(profile.cores[1], CrossbarLimit::Wait), alone);
            options.samples = 2;
            QVERIFY(profileOf(p, chip, options).endNs >= 2 * 800 + 12.8 + 6.4);
            options.samples = 1;
        }
        options.hostMaps = {{{1000, 1064}, {{0, 256}}}};
        const auto stuck = profileCrossbar(p, smallChip(), options);
        QVERIFY(!stuck && stuck.error().text().find("the host") != std::string::npos);
    }

    void countsAccumulatorsTwice() {
        CrossbarInstruction add = vec(VectorOp::Add, 0, 64, 128, 32);
        add.flags = CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult;
        QCOMPARE(ends({{add}}), 20.0);
        CrossbarInstruction wide = load(0, 0, 100);
        wide.flags = add.flags;
        QCOMPARE(ends({{wide}}), 20.0);
    }

    /// A copy that gathers pieces takes as long as one of as many values side by side.
    void copiesPiecesThatLieApart() {
        CrossbarInstruction gathers = copy(0, 500, 96);
        gathers.peer = 3;
        gathers.src2 = 200; // 32 values each at 500, 700, 900
        QCOMPARE(ends({{gathers}}), ends({{copy(0, 500, 96)}}));
        QCOMPARE(ends({{gathers, vec(VectorOp::Relu, 931, 2000, 0, 32)}}), 19.6); // still read, 9.6 ns
        QCOMPARE(ends({{gathers, vec(VectorOp::Relu, 932, 2000, 0, 32)}}), 10.0);
        const std::int64_t elements = smallChip().localBytes / smallChip().activationBytes();
        gathers.src1 = std::uint32_t(elements) - 432;
        QCOMPARE(errorOf(program({{gathers}})), std::string("no error"));
        ++gathers.src1;
        QVERIFY(errorOf(program({{gathers}})).find("touches element") != std::string::npos);
        gathers.src1 = 0;
        gathers.length = 97;
        QVERIFY(errorOf(program({{gathers}})).find("97 values in 3 pieces") != std::string::npos);
    }
    void startsInOrderOrNot() {
        const std::vector<std::vector<CrossbarInstruction>> streams{
            {mvm(0, 128, 0), vec(VectorOp::Relu, 256, 128, 0, 128), load(1000, 0, 1000), mvm(1, 3000, 1000)}};
        CrossbarChip chip = smallChip();
        QCOMPARE(ends(streams, chip), 800.0 + 100 + 800); // the load waits behind the vector operation
        chip.inOrder = false;
        QCOMPARE(ends(streams, chip), 200.0 + 800); // the load is there before the port issues again
    }

    /// Core 0 asks later, though it comes first in any list.
    void givesSharedMemoryInTheOrderOfTime() {
        const CrossbarProfile p =
            profileOf(program({{vec(VectorOp::Relu, 0, 0, 0, 320), store(0, 0, 1000)},
                               {store(2000, 0, 1000)},
                               {vec(VectorOp::Relu, 0, 0, 0, 32), store(4000, 0, 1000)}}),
                      smallChip());
        QCOMPARE(p.cores[1].endNs, 100.0);
        QCOMPARE(p.cores[2].endNs, 200.0);
        QCOMPARE(p.cores[0].endNs, 300.0);
        QCOMPARE(p.servers.size(), std::size_t{1});
        QCOMPARE(p.servers[0].busyNs, 300.0);
        QCOMPARE(p.servers[0].name(), std::string("chip 0 global memory"));
    }

    void synchronousTransfersStopBoth() {
        const auto streams = std::vector<std::vector<CrossbarInstruction>>{
            {send(7, 1, 0, 100), mvm(0, 1000, 500)}, {vec(VectorOp::Relu, 0, 0, 0, 320), recv(7, 0, 0, 100)}};
        const CrossbarProfile p = profileOf(program(streams), smallChip());
        QCOMPARE(p.endNs, 100.0 + 20 + 800); // the product only starts behind the transfer
        QCOMPARE(spent(p.cores[0], CrossbarLimit::Wait), 100.0);
        QCOMPARE(spent(p.cores[0], CrossbarLimit::Network), 20.0);
        QCOMPARE(spent(p.cores[0], CrossbarLimit::Arrays), 800.0);
        QCOMPARE(p.cores[0].limit(), CrossbarLimit::Arrays);
        QCOMPARE(spent(p.cores[1], CrossbarLimit::Vector), 100.0);
        QCOMPARE(spent(p.cores[1], CrossbarLimit::Idle), 800.0);
        QCOMPARE(qint64{p.networkBytes}, qint64{200});
        CrossbarChip chip = smallChip();
        chip.synchronous = false;
        QCOMPARE(ends(streams, chip), 800.0);
    }

    void routesOnAMeshXFirst() {
        CrossbarChip chip = smallChip();
        chip.connection = CrossbarConnection::Mesh;
        chip.hopNs = 3;
        const CrossbarProfile p =
            profileOf(program({{send(0, 3, 0, 100)}, {}, {}, {recv(0, 0, 0, 100)}}), chip);
        QCOMPARE(p.endNs, 2 * 3 + 20.0);
        QCOMPARE(qint64{p.networkByteHops}, qint64{400});
        QCOMPARE(p.servers.size(), std::size_t{2});
        QCOMPARE(p.servers[0].name(), std::string("core 0 to core 1"));
        QCOMPARE(p.servers[1].name(), std::string("core 1 to core 3"));
        // on other links at the same time; on the bus one after the other
        const std::vector<std::vector<CrossbarInstruction>> apart{
            {send(0, 1, 0, 100)}, {recv(0, 0, 0, 100)}, {send(1, 3, 0, 100)}, {recv(1, 2, 0, 100)}};
        QCOMPARE(ends(apart, chip), 23.0);
        QCOMPARE(ends(apart), 40.0);
    }

    void crossesChips() {
        CrossbarChip chip = smallChip();
        chip.chipsX = 3;
        std::vector<std::vector<CrossbarInstruction>> streams(12);
        streams[1] = {send(0, 9, 0, 100)};
        streams[9] = {recv(0, 1, 0, 100)};
        const CrossbarProfile p = profileOf(program(streams), chip);
        QCOMPARE(p.endNs, 40.0); // the slowest on the way: 200 B at 5 B/ns
        QCOMPARE(qint64{p.offChipBytes}, qint64{200});
        QCOMPARE(*p.energy.offChip, 2 * 200 * 4.0);  // two links
        QCOMPARE(*p.energy.network, 2 * 200 * 0.25); // two buses
        chip.connection = CrossbarConnection::SharedMemory;
        const CrossbarProfile shared = profileOf(program(streams), chip);
        QCOMPARE(shared.endNs, 40.0);
        QCOMPARE(*shared.energy.global, 2 * 200 * 2.0);
        QCOMPARE(ends({{send(0, 1, 0, 100)}, {recv(0, 0, 0, 100)}}, chip),
                 20.0); // a store and a load at 20 B/ns
    }

    void drivesArraysTogetherOrAlone() {
        const std::vector<std::vector<CrossbarInstruction>> streams{
            {mvm(0, 1000, 0), mvm(1, 2000, 0), load(0, 0, 128), mvm(2, 3000, 0)}};
        CrossbarChip chip = smallChip();
        QCOMPARE(ends(streams, chip), 1000 + 12.8 + 800); // two reads, then the load
        chip.managedArrays = 0;
        QCOMPARE(ends(streams, chip), 800 + 12.8 + 800); // both in one command
        chip.managedArrays = 2;                          // the third lies under another command
        QCOMPARE(ends({{mvm(0, 1000, 0), copy(5000, 6000, 100), mvm(1, 2000, 0), mvm(2, 3000, 0)}}, chip),
                 1000.0);
        QCOMPARE(ends({{mvm(0, 1000, 0), vec(VectorOp::Relu, 5000, 6000, 0, 32),
                        vec(VectorOp::Relu, 5000, 6000, 0, 32), mvm(1, 2000, 0)}},
                      chip),
                 1600.0); // too late to join
    }

    void followsSamples() {
        const CrossbarProgram p =
            program({{load(0, 0, 1000), send(0, 1, 0, 100)}, {recv(0, 0, 0, 100), mvm(0, 500, 0)}});
        ProfileOptions options;
        QCOMPARE(profileOf(p, smallChip(), options).periodNs, 920.0);
        options.samples = 5;
        const CrossbarProfile five = profileOf(p, smallChip(), options);
        QCOMPARE(five.latencyNs, 920.0);
        // the next transfer needs the place the product reads
        QCOMPARE(five.periodNs, 820.0);
        QCOMPARE(five.endNs, 920.0 + 4 * 820);
        options.samples = 1;
        options.pipelineDepth = 4;
        QCOMPARE(profileOf(p, smallChip(), options).firstBatchNs, 4 * 920.0);
    }

    void addsUpEnergy() {
        const CrossbarProfile p = profileOf(
            program({{load(0, 0, 100), mvm(0, 1000, 0, 100, 256), vec(VectorOp::Add, 0, 0, 100, 50)}}),
            smallChip());
        QCOMPARE(qint64{p.activations}, qint64{2}); // 256 columns take two arrays
        QCOMPARE(*p.energy.arrays, 20.0);
        QCOMPARE(*p.energy.vector, 100.0);
        QCOMPARE(*p.energy.global, 400.0);
        QCOMPARE(*p.energy.local, 0.5 * (200 + 200 + 512 + 300));
        QCOMPARE(*p.energy.network, 0.0);
        QCOMPARE(*p.energy.leakage, p.endNs * (32 * 0.001 + 4 * 0.01 + 0.1));
        QVERIFY(p.energy.total().has_value());
        CrossbarChip unknown = smallChip();
        unknown.energy.networkPjPerByteHop.reset();
        QVERIFY(profileOf(program({{load(0, 0, 100)}}), unknown).energy.total()); // nothing was sent
        unknown.energy.mvmPj.reset();
        QVERIFY(!profileOf(program({{mvm(0, 1000, 0)}}), unknown).energy.total());
    }

    void namesTheCircleOfADeadlock() {
        const std::string text = errorOf(program(
            {{recv(0, 1, 0, 1), send(1, 1, 0, 1)}, {recv(1, 0, 0, 1), send(0, 0, 0, 1)}, {mvm(0, 9, 0)}}));
        QVERIFY2(
            text.find("cores wait for each other forever") != std::string::npos &&
                text.find("core 0 (instruction 0, recv 0, layer 0) waits for core 1") != std::string::npos &&
                text.find("core 1 (instruction 0, recv 1, layer 0) waits for core 0") != std::string::npos &&
                text.find("core 2") == std::string::npos,
            text.c_str());
        // the same is no circle where receiving does not stop a core
        CrossbarChip chip = smallChip();
        chip.synchronous = false;
        QVERIFY(ends({{recv(0, 1, 0, 1), send(1, 1, 5, 1)}, {recv(1, 0, 0, 1), send(0, 0, 5, 1)}}, chip) > 0);
    }

    void refusesWrongPrograms() {
        const auto says = [](const CrossbarProgram& p, const char* part) {
            const std::string text = errorOf(p);
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        };
        says(program({{load(0, 0, 0)}}), "core 0, instruction 0 (load): touches no element");
        says(program({{load(32'700, 0, 100)}}), "touches element 32799 of local memory, which has 32768");
        says(program({{store(600'000, 0, 1)}}), "of global memory, which has 524288");
        says(program({{}, {}, {}, {}, {}}), "the program has 5 cores, small has 4");
        says(program({{send(0, 1, 0, 4)}, {}}), "transfer 0 from core 0 to core 1 is never received");
        says(program({{send(0, 1, 0, 4)}, {recv(0, 0, 0, 5)}}), "has 5 values, the other side says 4");
        says(program({{send(0, 2, 0, 4)}, {recv(0, 0, 0, 4)}, {}}), "the other side says from 0 to 2");
        says(program({{send(0, 9, 0, 4)}}), "the other core is 9, there are 1");
        says(program({{send(0, 0, 0, 4)}}), "sends to itself");
        says(program({{mvm(3, 0, 0)}, {mvm(3, 0, 0)}}), "array group 3 lies in core 0");
        says(program({{vec(VectorOp::None, 0, 0, 0, 4)}}), "names no operation");
        CrossbarProgram groups = program({{load(0, 0, 1)}, {load(0, 0, 1)}});
        groups.groupEnds[1] = {0};
        says(groups, "core 1: the groups do not divide its 1 instructions");
        CrossbarProgram apart = program({{send(0, 1, 0, 4)}, {recv(0, 0, 0, 4)}});
        apart.groupEnds = {{0, 1}, {1, 1}};
        says(apart, "lies in group 0, its other side in group 1");
    }

    /// Whatever the program: time of a core adds up, nobody is faster than the resources, the same again,
    /// tracks are clean.
    void holdsForAnyProgram_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 24; ++kind)
            QTest::newRow(qPrintable(QString::number(kind))) << kind;
    }
    void holdsForAnyProgram() {
        QFETCH(int, kind);
        CrossbarChip chip = smallChip();
        chip.chipsX = 2;
        chip.connection = CrossbarConnection(kind % 3);
        chip.inOrder = (kind / 3) % 2 == 0;
        chip.synchronous = (kind / 6) % 2 == 0;
        chip.managedArrays = kind / 12;
        chip.vectorUnits = 1 + kind % 2;
        const CrossbarProgram p = randomProgram(unsigned(kind), 8, 3, 400);
        ProfileOptions options;
        options.timeline = true;
        const CrossbarProfile one = profileOf(p, chip, options);
        QVERIFY(one.endNs > 0);
        QCOMPARE(qint64{one.instructions}, qint64(p.size()));
        for (const CoreProfile& core : one.cores) {
            QVERIFY(std::abs(std::accumulate(core.spentNs.begin(), core.spentNs.end(), 0.0) - one.endNs) <
                    1e-6 * one.endNs);
            for (const double ns : core.spentNs)
                QVERIFY(ns > -1e-6 * one.endNs);
            QVERIFY(core.vectorNs / chip.vectorUnits <= one.endNs + 1e-6);
            QVERIFY(core.localNs <= one.endNs + 1e-6);
        }
        for (const SharedServer& server : one.servers)
            QVERIFY(server.busyNs <= one.endNs + 1e-6);
        std::set<std::string> names;
        for (const TimelineTrack& track : one.timeline.tracks)
            QVERIFY2(names.insert(track.name).second, track.name.c_str());
        for (std::size_t track = 0; track < one.timeline.tracks.size(); ++track)
            for (std::size_t i = one.timeline.firstSpan[track] + 1; i < one.timeline.firstSpan[track + 1];
                 ++i) {
                const TimelineSpan &a = one.timeline.spans[i - 1], &b = one.timeline.spans[i];
                QVERIFY2(b.startNs >= a.startNs + a.durationNs - 1e-3,
                         one.timeline.tracks[track].name.c_str());
            }
        const CrossbarProfile again = profileOf(p, chip);
        QCOMPARE(again.endNs, one.endNs);
        QCOMPARE(again.cores[3].spentNs, one.cores[3].spentNs);
    }

    /// A core that issues in order is followed as far as it concerns nobody else; that gives every instruction
    /// the times it has from event to event, as all cores go where the host computes a map.
    void coresAreFollowedToTheNanosecond() {
        ProfileOptions byEvents;
        byEvents.hostMaps.push_back({{1u << 30, (1u << 30) + 1}, {}}); // nobody touches it
        for (unsigned seed = 1; seed <= 24; ++seed) {
            CrossbarChip chip = smallChip();
            chip.managedArrays = std::array{1, 0, 2}[seed % 3];
            chip.vectorUnits = seed % 4 == 0 ? 3 : 1;
            chip.mvmIssueNs = seed % 5 == 0 ? 5 : 200; // more than the window holds
            const CrossbarProgram p = randomProgram(seed, 4, 2, 600);
            ProfileOptions followed;
            followed.times = byEvents.times = true;
            followed.samples = byEvents.samples = seed % 2 == 0 ? 3 : 1;
            const CrossbarProfile one = profileOf(p, chip, followed), other = profileOf(p, chip, byEvents);
            QVERIFY(one.endNs > 0);
            QCOMPARE(one.endNs, other.endNs);
            QCOMPARE(one.latencyNs, other.latencyNs);
            QCOMPARE(one.instructions, other.instructions);
            for (std::size_t core = 0; core < 4; ++core) {
                QCOMPARE(one.cores[core].endNs, other.cores[core].endNs);
                QVERIFY(std::abs(spent(one.cores[core], CrossbarLimit::Idle) -
                                 spent(other.cores[core], CrossbarLimit::Idle)) < 1e-6);
                for (std::size_t i = 0; i < one.times[core].size(); ++i) {
                    QCOMPARE(one.times[core][i].startNs, other.times[core][i].startNs);
                    QCOMPARE(one.times[core][i].endNs, other.times[core][i].endNs);
                }
            }
        }
    }

    void cutsTheTimelineAndSaysSo() {
        ProfileOptions options;
        options.timeline = true;
        options.mostSpans = 10;
        const CrossbarProfile p = profileOf(randomProgram(1, 4, 1, 300), smallChip(), options);
        QCOMPARE(p.timeline.spans.size(), std::size_t{10});
        options.mostSpans = 1000;
        const CrossbarProfile all = profileOf(randomProgram(1, 4, 1, 300), smallChip(), options);
        const auto last = std::ranges::max_element(p.timeline.spans, {}, &TimelineSpan::startNs);
        QVERIFY(std::ranges::count_if(all.timeline.spans, [&](const TimelineSpan& span) {
                    return span.startNs < last->startNs;
                }) < 10);
        QVERIFY(all.timeline.spans.size() > 10);
        // The picture ends with the last time that has all spans; how long the run is, it says beside that.
        QCOMPARE(p.timeline.runNs, p.endNs);
        QVERIFY(p.timeline.endNs < p.endNs);
        for (const TimelineSpan& span : p.timeline.spans)
            QVERIFY(span.startNs + span.durationNs <= p.timeline.endNs * (1 + 1e-6));
        QCOMPARE(all.timeline.runNs, 0.0);
        QCOMPARE(all.timeline.endNs, all.endNs);
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        QCOMPARE(profileCrossbar(program({{mvm(0, 128, 0)}}), smallChip(), {}, task).error().code,
                 ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestCrossbarProfile)
#include "tst_backends_crossbar_profile.moc"
