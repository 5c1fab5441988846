// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Timing of flows: small ones against numbers worked out by hand, networks against what must hold for every
/// run.
#include <QElapsedTimer>
#include <QTest>

#include "backends/dual_mode/flow/block_run.h"
#include "backends/dual_mode/flow/simulate.h"
#include "backends/dual_mode/flow/timeline_log.h"
#include "tests/backends_dual_mode_flow/plans.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace pim;

namespace {

/// 4 arrays of 8 x 8, 10 cycles per product, D_cim 1, D_main 4, weights 5 cycles per array, switches 2.
DualModeChip tinyChip() {
    DualModeChip chip;
    chip.name = "tiny";
    chip.arrays = 4;
    chip.rows = chip.columns = 8;
    chip.arrayBytes = 64;
    chip.cycleNs = 1;
    chip.cyclesPerMvm = 10;
    chip.arrayBytesPerCycle = 1;
    chip.mainBytesPerCycle = 4;
    chip.writeCyclesPerArray = 5;
    chip.writeBackBytesPerCycle = 4;
    chip.toMemoryCycles = chip.toComputeCycles = 2;
    chip.vectorLanes = 2;
    return chip;
}

/// x [m][n] times weights [n][k], with the header around the operators given.
DualModeFlow product(int m, int n, int k, const std::string& operators) {
    const auto number = [](int value) { return std::to_string(value); };
    const std::string text =
        "cim-flow 1\nnetwork(network=\"product\", chip=\"tiny\", arrays=4, rows=8, columns=8, "
        "array_bytes=64, main_bytes=16384, "
        "inputs=[0], outputs=[1])\n"
        "tensor 0 (name=\"x\", bytes=" +
        number(m * n) +
        ")\n"
        "tensor 1 (name=\"y\", bytes=" +
        number(m * k) +
        ", at=8192)\n"
        "op 0 (name=\"product\", m=" +
        number(m) + ", n=" + number(n) + ", k=" + number(k) + ", streamed=0, result=1, pace=1/" + number(m) +
        ")\n"
        "piece 0 (g=0+1, n=0+" +
        number(n) + ", k=0+" + number(k) + ", blocks=" + number((n + 7) / 8 * ((k + 7) / 8)) +
        ")\n"
        "parallel \"all\" {\n" +
        operators + "}\n";
    auto flow = parseFlow(text);
    if (!flow)
        qFatal("%s", flow.error().text().c_str());
    return *flow;
}

Result<DualModeSimulation> timed(const DualModeFlow& flow, const DualModeChip& chip = tinyChip()) {
    return simulateFlow(flow, chip);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    if (at == std::string::npos)
        qFatal("the text has no %s", what.c_str());
    return text.replace(at, what.size(), with);
}

/// No unit does two things at once.
std::string overlaps(const Timeline& timeline) {
    for (std::size_t track = 0; track < timeline.tracks.size(); ++track)
        for (std::size_t i = timeline.firstSpan[track]; i + 1 < timeline.firstSpan[track + 1]; ++i)
            if (timeline.spans[i].startNs + timeline.spans[i].durationNs >
                timeline.spans[i + 1].startNs + 1e-6)
                return timeline.tracks[track].name + " at " + std::to_string(timeline.spans[i + 1].startNs) +
                       ": " + timeline.kinds[timeline.spans[i].kind].name + " until " +
                       std::to_string(timeline.spans[i].startNs + timeline.spans[i].durationNs) + " and " +
                       timeline.kinds[timeline.spans[i + 1].kind].name;
    return {};
}

/// Arrays compute and are written in compute mode, move data in memory mode, and do nothing while they switch
/// (overlaps()).
std::string modeMistake(const Timeline& timeline, int arrays) {
    for (std::size_t track = 0; track < std::size_t(arrays); ++track) {
        bool memory = false;
        for (std::size_t i = timeline.firstSpan[track]; i < timeline.firstSpan[track + 1]; ++i) {
            const std::string& kind = timeline.kinds[timeline.spans[i].kind].name;
            const std::string where = timeline.tracks[track].name + " at " +
                                      std::to_string(timeline.spans[i].startNs) + ": " + kind;
            if (kind == "switch to memory" || kind == "switch to compute") {
                if (memory == (kind == "switch to memory"))
                    return where;
                memory = !memory;
            } else if (memory != (kind == "memory in" || kind == "memory out")) {
                return where;
            }
        }
    }
    return {};
}

double busy(const Timeline& timeline, std::size_t track, const std::string& kind) {
    double sum = 0;
    for (std::size_t i = timeline.firstSpan[track]; i < timeline.firstSpan[track + 1]; ++i)
        if (timeline.kinds[timeline.spans[i].kind].name == kind)
            sum += timeline.spans[i].durationNs;
    return sum;
}

const char* const kPlain = "  CM.write(piece=0, arrays=[0])\n  CM.mvm(piece=0, arrays=[0])\n";

} // namespace

class TestFlowSimulate : public QObject {
    Q_OBJECT
private slots:
    /// What is drawn of a run of many blocks has the busy times of all of it, of each track, kind and stretch of time.
    void aLongRunIsDrawnInStretches() {
        constexpr std::size_t kMost = 4000;
        constexpr int kBlocks = 3000, kArrays = 3;
        TimelineLog all(kArrays, 2, std::size_t(-1)), few(kArrays, 2, kMost);
        std::mt19937 random(5);
        const auto dice = [&](int most) { return static_cast<double>(random() % unsigned(most)); };
        double now = 0;
        for (int block = 0; block < kBlocks; ++block) {
            std::vector<std::pair<int, FlowSpan>> spans;
            double last = now;
            for (int array = 0; array < kArrays; ++array)
                for (double at = now + dice(4); at < now + 12;) {
                    // Hardly ever a long one, which stays as it is.
                    const double cycles = 1 + dice(5) + (random() % 500 == 0 ? 2000 : 0);
                    spans.push_back(
                        {array,
                         {at, at + cycles, std::uint16_t(random() % 2 ? kSpanCompute : kSpanRewrite),
                          std::uint32_t(block)}});
                    at += cycles + dice(3);
                    last = std::max(last, at);
                }
            std::ranges::shuffle(spans, random);
            for (TimelineLog* log : {&all, &few}) {
                log->beginBlock("b", now);
                for (const auto& [array, span] : spans)
                    log->add(array, span);
                log->endBlock(last);
            }
            now = last;
        }
        const Timeline exact = all.finish(now), drawn = few.finish(now);
        QCOMPARE(all.stretchNs(), 0.0);
        QVERIFY(few.stretchNs() > 0);
        QVERIFY(exact.spans.size() > 3 * kMost);
        QVERIFY2(drawn.spans.size() < kMost, qPrintable(QString::number(drawn.spans.size())));
        QVERIFY(drawn.spans.size() > kMost / 8); // as fine as there is room for
        for (std::size_t i = 1; i < drawn.spans.size(); ++i) {
            const TimelineSpan &a = drawn.spans[i - 1], &b = drawn.spans[i];
            QVERIFY(a.track < b.track || a.startNs + a.durationNs <= b.startNs + 1e-6);
        }
        const auto longOnes = [](const Timeline& timeline) {
            return std::ranges::count_if(timeline.spans,
                                         [](const TimelineSpan& s) { return s.durationNs > 4000; });
        };
        QVERIFY(longOnes(exact) > 0);
        QCOMPARE(longOnes(drawn), longOnes(exact));
        const auto compare = [&](double from, double to, double share) {
            const auto a = busyNs(exact, from, to), b = busyNs(drawn, from, to);
            for (std::size_t track = 0; track < a.size(); ++track)
                for (std::size_t kind = 0; kind < a[track].size(); ++kind)
                    if (std::abs(a[track][kind] - b[track][kind]) > share * (to - from))
                        return QStringLiteral("track %1 kind %2: %3 for %4")
                            .arg(track)
                            .arg(kind)
                            .arg(b[track][kind])
                            .arg(a[track][kind]);
            return QString();
        };
        QCOMPARE(compare(0, 2 * now, 1e-6), QString());
        for (int tenth = 0; tenth < 10; ++tenth) // a stretch may begin in one and end in the next
            QCOMPARE(compare(0.2 * now * tenth, 0.2 * now * (tenth + 1), 0.03), QString());
    }

    void timesNetworks_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("cap");
        for (const int cap : {96, 40})
            for (const char* name : {"resnet18", "vgg16", "mobilenetv2", "bert-base"})
                QTest::addRow("%s %d", name, cap) << name << cap;
    }
    void timesNetworks() {
        QFETCH(QString, name);
        QFETCH(int, cap);
        ZooOptions options;
        options.batch = 1;
        if (name.startsWith("bert"))
            options.seq = 64;
        const auto graph = testing::zooGraph(name.toStdString(), options);
        const auto plan = testing::planOf(*graph, testing::dynaplasia(), cap);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto flow = emitFlow(*graph, *plan);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        QElapsedTimer timer;
        timer.start();
        const auto simulation = simulateFlow(*flow, *plan);
        QVERIFY2(simulation, simulation ? "" : simulation.error().text().c_str());
        const auto ms = timer.elapsed();
        const DualModeGap& gap = simulation->gap;
        const double base = simulation->analyticCycles;
        const auto share = [&](double cycles) { return 100 * cycles / base; };
        qInfo("%s cap %d: analytic %.0f, simulated %.0f (%+.1f %%: write-back %+.1f, switch %+.2f, rewrite "
              "%+.1f, transfer %+.1f, "
              "fill %+.1f, vector %+.1f, bus %+.1f); %d spans, %lld events, %lld ms",
              qPrintable(name), cap, base, simulation->cycles, share(simulation->cycles - base),
              share(gap.writeBack), share(gap.switching), share(gap.rewrite), share(gap.transfer),
              share(gap.fill), share(gap.vector), share(gap.bus), int(simulation->timeline.spans.size()),
              (long long)simulation->events, (long long)ms);
        const std::string overlap = overlaps(simulation->timeline);
        QVERIFY2(overlap.empty(), overlap.c_str());
        QVERIFY(std::abs(gap.total() - (simulation->cycles - base)) < 1e-6 * simulation->cycles);
        const std::string mistake = modeMistake(simulation->timeline, flow->arrays);
        QVERIFY2(mistake.empty(), mistake.c_str());
        // Blocks follow one another, and none is faster than its products.
        double end = 0, switches = 0;
        for (std::size_t b = 0; b < simulation->blocks.size(); ++b) {
            const DualModeBlockSimulation& block = simulation->blocks[b];
            const DualModeSegment& segment = plan->segmentation.segments[b];
            QVERIFY(std::abs(block.startNs - end) < 1e-3);
            end = block.endNs;
            QVERIFY(std::abs(block.simulated.cycles() * plan->chip.cycleNs - (block.endNs - block.startNs)) <
                    1e-3);
            for (int i = segment.first; i <= segment.last; ++i)
                QVERIFY(block.simulated.intra >= plan->subOps[std::size_t(i)].computeWork /
                                                         segment.compute[std::size_t(i - segment.first)] -
                                                     1e-6);
            switches += double(plan->placement[b].toMemory.size() + plan->placement[b].toCompute.size());
        }
        QVERIFY(std::abs(end - simulation->ns) < 1e-3);
        QCOMPARE(double(simulation->switches), switches);
        double macs = 0;
        for (const DualModeOp& op : plan->workload->ops)
            macs += double(op.macs());
        QCOMPARE(simulation->macs, macs);
        // Only the energy of a product is published: the rest is absent, not zero.
        const DualModeEnergy& energy = simulation->energy;
        QVERIFY(energy.mac && energy.total && !energy.complete && !energy.main && !energy.rewrite);
        QVERIFY(std::abs(*energy.mac - simulation->macs * *testing::dynaplasia().macPj) < 1e-9 * *energy.mac);
        QCOMPARE(*energy.total, *energy.mac);
        // The same again is the same again.
        const auto again = simulateFlow(*flow, *plan);
        QCOMPARE(again->cycles, simulation->cycles);
        QCOMPARE(again->timeline.spans.size(), simulation->timeline.spans.size());
    }

    /// Whatever was simulated before, blocks take what they take by themselves: their share of a table that several flows have is
    /// told from each other by all that matters.
    void tablesOfBlocksChangeNothing() {
        FlowBlockTable blocks;
        for (int round = 0; round < 2; ++round) // the second one finds all of them
            for (const std::string& name : {std::string("resnet18"), std::string("bert-base")})
                for (const int cap : {96, 40})
                    for (const double bandwidth : {1.0, 0.5}) {
                        ZooOptions options;
                        options.batch = 1;
                        if (name == "bert-base")
                            options.seq = 64;
                        const auto graph = testing::zooGraph(name, options);
                        DualModeChip chip = testing::dynaplasia();
                        chip.mainBytesPerCycle *= bandwidth;
                        const auto plan = testing::planOf(*graph, chip, cap);
                        const auto flow = emitFlow(*graph, *plan, 1);
                        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
                        DualModeSimulationOptions how; // with a timeline all blocks run by themselves
                        const auto alone = simulateFlow(*flow, chip, how);
                        how.timeline = false;
                        how.blocks = &blocks;
                        const auto shared = simulateFlow(*flow, chip, how);
                        QVERIFY(alone && shared);
                        QCOMPARE(shared->cycles, alone->cycles);
                        QCOMPARE(shared->events, alone->events);
                        QCOMPARE(shared->ops.size(), alone->ops.size());
                        for (std::size_t i = 0; i < alone->ops.size(); ++i) {
                            QCOMPARE(shared->ops[i].startNs, alone->ops[i].startNs);
                            QCOMPARE(shared->ops[i].endNs, alone->ops[i].endNs);
                            QCOMPARE(shared->ops[i].busyNs, alone->ops[i].busyNs);
                        }
                    }
    }

    /// What the paper claims by its model holds in the simulation as well: arrays as memory make networks
    /// faster. And the model that shares the bandwidth of main memory is the one the simulation agrees with
    /// on a chip without memory arrays.
    void comparesStrategies_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"resnet18", "vgg16", "mobilenetv2"})
            QTest::newRow(name) << name;
    }
    void comparesStrategies() {
        QFETCH(QString, name);
        ZooOptions zoo;
        zoo.batch = 1;
        const auto graph = testing::zooGraph(name.toStdString(), zoo);
        const auto run = [&](DualModeStrategy strategy, MainBandwidthRule rule) {
            DualModeOptions options;
            options.strategy = strategy;
            options.mainBandwidth = rule;
            const auto plan = testing::planOf(*graph, testing::dynaplasia(), 96, options);
            const auto flow = emitFlow(*graph, *plan);
            return *simulateFlow(*flow, *plan);
        };
        for (const MainBandwidthRule rule : {MainBandwidthRule::Each, MainBandwidthRule::Shared}) {
            const DualModeSimulation dual = run(DualModeStrategy::DualMode, rule),
                                     plain = run(DualModeStrategy::AllCompute, rule);
            QVERIFY2(dual.cycles < plain.cycles,
                     qPrintable(QString("%1 and %2").arg(dual.cycles).arg(plain.cycles)));
            QVERIFY(dual.mainBytes < plain.mainBytes && dual.arrayBytes > plain.arrayBytes);
            QCOMPARE(plain.arrayBytes, 0.0);
            QCOMPARE(plain.switches, std::int64_t(0));
            if (rule == MainBandwidthRule::Shared) {
                const double off = plain.cycles / plain.analyticCycles - 1;
                QVERIFY2(std::abs(off) < 0.2, qPrintable(QString::number(off)));
            }
        }
    }

    /// 64 bytes of weights over 4 bytes per cycle: 16. First row in 2, four rows of 10, last row out 2.
    void timesOneProduct() {
        const auto done = timed(product(4, 8, 8, kPlain));
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QCOMPARE(done->blocks[0].simulated.rewrite, 16.0);
        QCOMPARE(done->blocks[0].simulated.intra, 44.0);
        QCOMPARE(done->ns, 60.0);
        QCOMPARE(busy(done->timeline, 0, "compute"), 40.0);
        QCOMPARE(busy(done->timeline, 0, "rewrite weights"), 5.0);
        QCOMPARE(busy(done->timeline, 4, "transfer"), 32.0); // weights 16, rows in 8, rows out 8
        QCOMPARE(done->mainBytes, 128.0);
        QCOMPARE(done->macs, 256.0);
        QCOMPARE(done->ops[0].busyNs, 40.0);
    }

    /// The second copy is written after the first: 21. Two rows in 4, two steps of 10, two rows out 4.
    void sharesRowsAmongCopies() {
        const auto done = timed(product(
            4, 8, 8,
            "  CM.write(piece=0, copies=2, arrays=[0-1])\n  CM.mvm(piece=0, copies=2, arrays=[0-1])\n"));
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QCOMPARE(done->blocks[0].simulated.rewrite, 21.0);
        QCOMPARE(done->blocks[0].simulated.intra, 28.0);
        QCOMPARE(done->arraysWritten, std::int64_t(2));
    }

    /// Bound by the bus: 8 bytes in and 8 out take 4 cycles per row, a product 1. What is left is filling:
    /// nothing comes out while the first rows come in.
    void isBoundByTheBus() {
        DualModeChip chip = tinyChip();
        chip.cyclesPerMvm = 1;
        const auto done = timed(product(400, 8, 8, kPlain), chip);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QVERIFY(done->blocks[0].simulated.intra >= 1600);
        QVERIFY(done->blocks[0].simulated.intra <= 1600 * 1.05);
    }

    /// Results collected by an array: 1 byte a cycle instead of 4, and the way to main memory afterwards.
    void collectsInMemoryArrays() {
        const auto done = timed(product(
            4, 8, 8,
            std::string("  CM.switch(TOM, [3])\n  MEM.hold(tensor=1, bytes=0+8/8x4, arrays=[3])\n") + kPlain +
                "  MEM.store(tensor=1, bytes=0+8/8x4)\n  MEM.release(tensor=1, bytes=0+8/8x4)\n"));
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QCOMPARE(done->blocks[0].simulated.switching, 2.0);
        QCOMPARE(done->blocks[0].simulated.rewrite, 16.0);
        // In 2, rows 40, last row out 8; then 32 bytes out of the array, the last of them on the bus.
        QCOMPARE(done->blocks[0].simulated.intra, 2 + 40 + 8 + 32 + 0.25);
        QCOMPARE(busy(done->timeline, 3, "switch to memory"), 2.0);
        QCOMPARE(busy(done->timeline, 3, "memory out"), 32.0);
        QCOMPARE(busy(done->timeline, 3, "memory in"), 32.0);
        QCOMPARE(done->switches, std::int64_t(1));
        QCOMPARE(done->arrayBytes, 64.0);
    }

    /// The second product follows one row behind the first.
    void fillsAPipeline() {
        std::string text = flowText(product(4, 8, 8, kPlain));
        text = replaced(text, "outputs=[1]", "outputs=[2]");
        text = replaced(text, "op 0", "tensor 2 (name=\"z\", bytes=32, at=12288)\nop 0");
        text =
            replaced(text, "piece 0",
                     "op 1 (name=\"second\", m=4, n=8, k=8, g=1, streamed=1, result=2, pace=1/4)\npiece 0");
        text = replaced(text, "parallel", "piece 1 (op=1, g=0+1, n=0+8, k=0+8, blocks=1)\nparallel");
        text = replaced(text, "  CM.mvm", "  CM.write(piece=1, arrays=[1])\n  CM.mvm");
        text = replaced(text, "}", "  CM.mvm(piece=1, arrays=[1])\n}");
        const auto flow = parseFlow(text);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        const auto done = timed(*flow);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        // Both writes are over at 32. The first product could start at 16: row in 2 (behind the weights of
        // the other), … the second one runs its last row when the first is done.
        const double first = done->ops[0].endNs, second = done->ops[1].endNs;
        QVERIFY(second - first >= 14 && second - first <= 18);
        QVERIFY(done->ops[1].startNs >= done->ops[0].startNs + 14);
        // Everything at once instead of row by row: four rows of 10 behind.
        const auto whole = parseFlow(replaced(text, "result=2, pace=1/4", "result=2, pace=1/1"));
        const auto late = timed(*whole);
        QVERIFY2(late, late ? "" : late.error().text().c_str());
        QVERIFY(late->ops[1].startNs >= late->ops[0].endNs);
        QVERIFY(late->ns - done->ns >= 28);
    }

    /// Weights that lie there already are not written again; what a later block reads was written by an
    /// earlier one.
    void writesWeightsOnce() {
        std::string text = flowText(product(4, 8, 8, kPlain));
        text += replaced(text.substr(text.find("parallel")), "\"all\"", "\"again\"");
        const auto flow = parseFlow(text);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        const auto done = timed(*flow);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QCOMPARE(done->blocks[0].simulated.rewrite, 16.0);
        QCOMPARE(done->blocks[1].simulated.rewrite, 0.0);
        QCOMPARE(done->blocks[1].simulated.intra, 44.0);
        QCOMPARE(done->blocks[1].startNs, done->blocks[0].endNs);
        QCOMPARE(done->arraysWritten, std::int64_t(1));
        QCOMPARE(done->cycles, 104.0);
    }

    /// Digital work of 2 elements per cycle behind a product, its input handed on through the buffer: 32
    /// elements, 16 cycles in all, hidden behind the products but for the last row.
    void chargesTheVectorUnit() {
        std::string text = flowText(product(4, 8, 8, kPlain));
        text = replaced(text, "}", "  VU.run(graph=1, name=\"relu\", reads=[1], writes=[2], work=32)\n}");
        text = replaced(text, "outputs=[1]", "outputs=[2]");
        text = replaced(text, "at=8192", "buffered=1");
        text = replaced(text, "op 0", "tensor 2 (name=\"z\", bytes=32, at=12288)\nop 0");
        const auto flow = parseFlow(text);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        const auto done = timed(*flow);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        // Weights 16, row in 2, rows 40; the last 8 elements in 4, the last of them out in a quarter.
        QCOMPARE(done->ns, 16 + 2 + 40 + 4 + 0.25);
        QCOMPARE(busy(done->timeline, 5, "vector"), 16.0);
        QCOMPARE(done->ops[1].busyNs, 16.0);
        QCOMPARE(done->ops[0].mainBytes, 32.0);
        QCOMPARE(done->ops[1].mainBytes, 32.0);
        QCOMPARE(done->mainBytes, 128.0);
        DualModeChip chip = tinyChip();
        chip.vectorLanes = 0.5; // 16 cycles per row: slower than the array
        const auto slow = timed(*flow, chip);
        // The last row of x takes the bus from 38 on; two elements wait for it to go out, which holds up the
        // third by a quarter.
        QCOMPARE(slow->ns, 16 + 2 + 10 + 64 + 0.25 + 0.25);
    }

    /// A chip of one operator bound by its arrays: the model and the simulation differ by the first and the
    /// last row alone.
    void agreesWithTheModelUpToFill() {
        DualModePlan plan;
        plan.chip = tinyChip();
        DualModeSegment segment;
        segment.compute = {1};
        segment.memory = {0};
        segment.intra = 4000; // 400 rows of 10
        segment.rewrite = 5;
        plan.segmentation.segments = {segment};
        const auto done = simulateFlow(product(400, 8, 8, kPlain), plan);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        QCOMPARE(done->blocks[0].simulated.intra, 4004.0);
        QCOMPARE(done->gap.transfer, 4.0);
        QCOMPARE(done->gap.fill, 0.0);
        QCOMPARE(done->gap.bus, 0.0);
        QCOMPARE(done->gap.rewrite, 11.0);
        QCOMPARE(done->analyticCycles, 4005.0);
    }

    void pricesEnergyWhereFiguresAre() {
        DualModeChip chip = tinyChip();
        chip.macPj = 2;
        const auto some = timed(product(4, 8, 8, kPlain), chip);
        QCOMPARE(*some->energy.mac, 512.0);
        QVERIFY(!some->energy.main && !some->energy.complete);
        QCOMPARE(*some->energy.total, 512.0);
        chip.arrayBytePj = chip.switchPj = 1;
        chip.mainBytePj = 10;
        chip.writeArrayPj = 100;
        const auto all = timed(product(4, 8, 8, kPlain), chip);
        QVERIFY(all->energy.complete);
        QCOMPARE(*all->energy.total, 512.0 + 1280 + 100);
    }

    void refusesWhatTheMachineCannotDo_data() {
        QTest::addColumn<QString>("operators");
        QTest::addColumn<QString>("message");
        QTest::newRow("no weights") << "  CM.mvm(piece=0, arrays=[0])\n"
                                    << "does not have block 0 of the weights";
        QTest::newRow("other array") << "  CM.write(piece=0, arrays=[1])\n  CM.mvm(piece=0, arrays=[0])\n"
                                     << "does not have block";
        QTest::newRow("memory mode") << "  CM.switch(TOM, [0])\n  CM.write(piece=0, arrays=[0])\n"
                                     << "array 0 is in memory mode";
        QTest::newRow("twice") << "  CM.switch(TOC, [0])\n"
                               << "array 0 is in compute mode already";
        QTest::newRow("hold in compute mode") << "  MEM.hold(tensor=1, bytes=0+8, arrays=[0])\n"
                                              << "is in compute mode and cannot hold";
        QTest::newRow("two holds") << "  CM.switch(TOM, [0])\n  MEM.hold(tensor=1, bytes=0+8, arrays=[0])\n  "
                                      "MEM.hold(tensor=0, bytes=0+8, arrays=[0])\n"
                                   << "already";
        QTest::newRow("switch with data")
            << "  CM.switch(TOM, [0])\n  MEM.hold(tensor=1, bytes=0+8, arrays=[0])\n  CM.switch(TOC, [0])\n"
            << "still holds";
        QTest::newRow("late switch")
            << "  CM.write(piece=0, arrays=[0])\n  CM.mvm(piece=0, arrays=[0])\n  CM.switch(TOM, [1])\n"
            << "at the start of a block";
        QTest::newRow("not held") << "  MEM.store(tensor=1, bytes=0+8)\n"
                                  << "no arrays hold";
        QTest::newRow("store too early") << "  CM.switch(TOM, [0])\n  MEM.hold(tensor=1, bytes=0+8, "
                                            "arrays=[0])\n  MEM.store(tensor=1, bytes=0+8)\n"
                                         << "is not there yet";
        QTest::newRow("read too early") << "  VU.run(name=\"relu\", reads=[1], writes=[1])\n"
                                        << "is not there yet";
    }
    void refusesWhatTheMachineCannotDo() {
        QFETCH(QString, operators);
        QFETCH(QString, message);
        const auto done = timed(product(4, 8, 8, operators.toStdString()));
        QVERIFY(!done);
        QCOMPARE(done.error().code, ErrorCode::InvalidFile);
        QVERIFY2(done.error().text().find(message.toStdString()) != std::string::npos,
                 done.error().text().c_str());
        QVERIFY2(done.error().text().find("block 0 (all), operator") != std::string::npos,
                 done.error().text().c_str());
    }

    void refusesAnotherChip() {
        DualModeChip chip = tinyChip();
        chip.arrays = 3;
        QCOMPARE(timed(product(4, 8, 8, kPlain), chip).error().code, ErrorCode::InvalidTarget);
        chip = tinyChip();
        chip.mainBytesPerCycle = 0;
        QCOMPARE(timed(product(4, 8, 8, kPlain), chip).error().code, ErrorCode::InvalidTarget);
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const auto done = simulateFlow(product(4, 8, 8, kPlain), tinyChip(), {}, nullptr, task);
        QCOMPARE(done.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestFlowSimulate)
#include "tst_backends_dual_mode_flow_simulate.moc"
