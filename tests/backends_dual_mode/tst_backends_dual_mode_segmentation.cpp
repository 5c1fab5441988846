// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Segmentation equals reference totals and exhaustive search, its parts are its total, repeated layers are
/// priced once, decisions are kept, and what we add to the paper never costs anything.
#include <QTest>
#include <string>

#include "backends/dual_mode/segment_prices.h"
#include "backends/dual_mode/shared_arrays.h"
#include "tests/backends_dual_mode/allocation_cases.h"

#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

const nlohmann::json& goldenFile() {
    static const nlohmann::json file = goldenDualMode("dp_golden.json");
    return file;
}

void addGoldenCases() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, one] : goldenFile().at("cases").items())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

/// Cheapest way to run sub-operators from \p first on, by trying every segmentation and every allocation
/// offered.
double exhaustive(const SegmentationProblem& problem, SegmentPrices& prices, const BorderSide& before,
                  int first) {
    const int count = static_cast<int>(problem.subOps.size());
    if (first == count)
        return 0;
    double best = std::numeric_limits<double>::infinity();
    for (int last = first; last < count && last - first < problem.options.maxSegmentOps; ++last) {
        prices.start(first);
        bool fits = true;
        for (int at = first; at <= last && fits; ++at)
            fits = prices.grow();
        if (!fits)
            break;
        for (const SegmentChoice& choice : prices.choices())
            for (int held = 0; held <= choice.idle; ++held) {
                const int memory = choice.memory + held;
                const double here =
                    borderCost(before, choice.compute, memory, problem.chip).cycles() + choice.inside();
                if (here >= best)
                    continue;
                const BorderSide side{choice.compute, memory, prices.liveBytes(first, last)};
                best = std::min(best, here + exhaustive(problem, prices, side, last + 1));
            }
    }
    return best;
}

/// The total, priced again from the counts alone; negative where a rule is broken.
double priceAgain(const SegmentationProblem& problem, const Segmentation& plan) {
    const DualModeChip& chip = problem.chip;
    int computeBefore = chip.arrays, memoryBefore = 0, next = 0;
    double liveBefore = 0, total = 0;
    for (const DualModeSegment& segment : plan.segments) {
        if (segment.first != next || segment.last < segment.first)
            return -1;
        AllocationProblem model;
        model.arrayBytesPerCycle = chip.arrayBytesPerCycle;
        model.mainBytesPerCycle = chip.mainBytesPerCycle;
        double intra = 0, live = 0;
        int most = 0;
        std::vector<int> used(segment.memory.size(), 0);
        for (int at = segment.first; at <= segment.last; ++at) {
            const DualModeSubOp& op = problem.subOps[static_cast<std::size_t>(at)];
            const auto i = static_cast<std::size_t>(at - segment.first);
            if (segment.compute[i] < op.minArrays || segment.compute[i] % op.minArrays != 0 ||
                segment.memory[i] < 0)
                return -2;
            intra = std::max(intra, operatorLatency({op.minArrays, op.computeWork, op.traffic},
                                                    segment.compute[i], segment.memory[i], model));
            most = std::max(most, segment.compute[i]);
            bool read = false, readLater = false;
            for (std::size_t later = 0; later < problem.subOps.size(); ++later) {
                const auto& from =
                    (*problem.predecessors)[static_cast<std::size_t>(problem.subOps[later].op)];
                if (std::find(from.begin(), from.end(), op.op) == from.end())
                    continue;
                read = true;
                readLater = readLater || static_cast<int>(later) > segment.last;
            }
            if (readLater || !read)
                live += op.outBytes;
        }
        for (const SharedArrays& both : segment.shared) {
            const auto from = static_cast<std::size_t>(both.from - segment.first);
            const auto to = static_cast<std::size_t>(both.to - segment.first);
            used[from] += both.arrays;
            used[to] += both.arrays;
            if (both.arrays * 12800 > problem.subOps[static_cast<std::size_t>(both.from)].outBytes)
                return -3;
        }
        for (std::size_t i = 0; i < used.size(); ++i)
            if (used[i] > segment.memory[i])
                return -4;
        const int compute = segment.computeArrays(), memory = segment.memoryArrays();
        if (compute + memory > chip.arrays)
            return -5;
        const double lost = std::max(0, memoryBefore - memory) * 12800.0;
        total += intra + most * 32.0 + std::min(liveBefore, lost) / 32 +
                 std::max(0, compute - (96 - memoryBefore)) + std::max(0, memory - (96 - computeBefore));
        computeBefore = compute;
        memoryBefore = memory;
        liveBefore = live;
        next = segment.last + 1;
    }
    return next == static_cast<int>(problem.subOps.size()) ? total : -6;
}

bool near(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance * std::abs(b);
}

} // namespace

#define VERIFY_PLAN(plan) QVERIFY2((plan).has_value(), (plan) ? "" : (plan).error().text().c_str())

class TestDualModeSegmentation : public QObject {
    Q_OBJECT

private slots:
    void reachesTheReferenceTotals_data() { addGoldenCases(); }

    void reachesTheReferenceTotals() {
        QFETCH(QString, name);
        const auto& one = goldenFile().at("cases").at(name.toStdString());
        SegmentationProblem problem = goldenSegmentation(goldenFile(), name.toStdString());
        const Result<Segmentation> dual = segmentNetwork(problem);
        VERIFY_PLAN(dual);
        QVERIFY(near(dual->cycles, one.at("total"), 1e-8));
        QVERIFY(near(dual->cycles, priceAgain(problem, *dual), 1e-12));
        problem.options.strategy = DualModeStrategy::AllCompute;
        const Result<Segmentation> fixed = segmentNetwork(problem);
        VERIFY_PLAN(fixed);
        QVERIFY(near(fixed->cycles, one.at("total_all_compute"), 1e-8));
        QVERIFY(near(fixed->cycles, priceAgain(problem, *fixed), 1e-12));
    }

    void additionsNeverCost_data() { addGoldenCases(); }

    void additionsNeverCost() {
        QFETCH(QString, name);
        SegmentationProblem problem = goldenSegmentation(goldenFile(), name.toStdString());
        const auto cycles = [&](bool keepAllCompute, bool jointBorders, DualModeStrategy strategy) {
            problem.options.keepAllCompute = keepAllCompute;
            problem.options.jointBorders = jointBorders;
            problem.options.strategy = strategy;
            const Result<Segmentation> plan = segmentNetwork(problem);
            return plan && near(priceAgain(problem, *plan), plan->cycles, 1e-12) ? plan->cycles : -1e300;
        };
        const double paper = cycles(false, false, DualModeStrategy::DualMode);
        const double kept = cycles(true, false, DualModeStrategy::DualMode);
        const double joint = cycles(true, true, DualModeStrategy::DualMode);
        const double fixed = cycles(true, true, DualModeStrategy::AllCompute);
        const double puma = cycles(true, true, DualModeStrategy::Puma);
        const double occ = cycles(true, true, DualModeStrategy::Occ);
        QVERIFY(joint > 0);
        QVERIFY(kept <= paper * (1 + 1e-12));
        QVERIFY(joint <= kept * (1 + 1e-12));
        QVERIFY(joint <= fixed * (1 + 1e-12));
        QVERIFY(fixed <= puma * (1 + 1e-12));
        QVERIFY(puma > 0 && fixed <= occ * (1 + 1e-12));
    }

    /// CMSwitch Fig. 15a.
    void cutsVgg16AsThePaperDoes() {
        const SegmentationProblem problem = goldenSegmentation(goldenFile(), "vgg16_conv.b1.cap96");
        const Result<Segmentation> plan = segmentNetwork(problem);
        VERIFY_PLAN(plan);
        QCOMPARE(plan->segments.at(0).last, 3);
        QCOMPARE(plan->segments.at(1).last, 5);
        for (std::size_t i = 2; i < plan->segments.size(); ++i)
            QCOMPARE(plan->segments[i].first, plan->segments[i].last);
        QCOMPARE(plan->segments[0].memoryArrays(), 4);
        QCOMPARE(plan->segments[0].toMemory, 4);
    }

    void equalsExhaustiveSearch_data() {
        QTest::addColumn<bool>("keep");
        QTest::addColumn<bool>("joint");
        QTest::addColumn<int>("rewrite");
        QTest::addColumn<int>("duplication");
        QTest::addColumn<int>("main");
        for (int bits = 0; bits < 32; ++bits) {
            const auto bit = [bits](int at) { return bits >> at & 1; };
            QTest::addRow("keep %d joint %d rewrite %d duplication %d main %d", bit(0), bit(1), bit(2),
                          bit(3), bit(4))
                << bool(bit(0)) << bool(bit(1)) << bit(2) << bit(3) << bit(4);
        }
    }

    void equalsExhaustiveSearch() {
        QFETCH(bool, keep);
        QFETCH(bool, joint);
        QFETCH(int, rewrite);
        QFETCH(int, duplication);
        QFETCH(int, main);
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            // Fewer operators where many allocations are offered: all combinations are tried.
            SegmentationProblem problem = joint ? randomNetwork(seed, 4, 6) : randomNetwork(seed, 11, 60, 8);
            if (joint)
                problem.chip.arrays = 12;
            problem.options.keepAllCompute = keep;
            problem.options.jointBorders = joint;
            problem.options.rewrite = static_cast<RewriteRule>(rewrite);
            problem.options.duplication = static_cast<DuplicationRule>(duplication);
            problem.options.mainBandwidth = static_cast<MainBandwidthRule>(main);
            problem.chip.writeCyclesPerArray = seed % 3 == 0 ? 320 : 32;
            problem.chip.toMemoryCycles = seed % 2 == 0 ? 100 : 1;
            const Result<Segmentation> plan = segmentNetwork(problem);
            VERIFY_PLAN(plan);
            SegmentTable table(problem.chip, problem.options);
            const SegmentOps seen(problem, table);
            SegmentPrices prices(problem, seen, table);
            const double best = exhaustive(problem, prices, {problem.chip.arrays, 0, 0}, 0);
            QVERIFY2(
                near(plan->cycles, best, 1e-12),
                qPrintable(QStringLiteral("seed %1: %2, best %3").arg(seed).arg(plan->cycles).arg(best)));
        }
    }

    /// Leaving out allocations that cannot matter must not matter.
    void leavesOutOnlyAllocationsThatCannotMatter() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SegmentationProblem problem = randomNetwork(seed, 4, 40, 6);
            problem.chip.writeCyclesPerArray = 320;
            // Every slower allocation of every segment, none left out.
            const Result<Segmentation> plan = segmentNetwork(problem);
            VERIFY_PLAN(plan);
            const double best = exhaustiveOverCounts(problem, {problem.chip.arrays, 0, 0}, 0);
            QVERIFY(plan->cycles <= best * (1 + 1e-12));
        }
    }

    /// Against all allocations there are, whatever latency they have.
    void findsTheBestOfAllAllocations() {
        double worstPaper = 1;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            SegmentationProblem problem = randomNetwork(seed, 3, 4);
            problem.chip.arrays = 9;
            problem.chip.writeCyclesPerArray = seed % 2 == 0 ? 320 : 32;
            problem.chip.toMemoryCycles = problem.chip.toComputeCycles = seed % 3 == 0 ? 100 : 1;
            const double best = bestOfAll(problem, {problem.chip.arrays, 0, 0}, 0);
            const Result<Segmentation> plan = segmentNetwork(problem);
            VERIFY_PLAN(plan);
            QVERIFY2(
                near(plan->cycles, best, 1e-9),
                qPrintable(QStringLiteral("seed %1: %2, best %3").arg(seed).arg(plan->cycles).arg(best)));
            problem.options.keepAllCompute = problem.options.jointBorders = false;
            const Result<Segmentation> paper = segmentNetwork(problem);
            VERIFY_PLAN(paper);
            worstPaper = std::max(worstPaper, paper->cycles / best);
        }
        // One allocation a segment, as in the paper, misses it.
        QVERIFY2(worstPaper > 1.05, qPrintable(QString::number(worstPaper)));
    }

    void pricesRepeatedLayersOnce() {
        SegmentationProblem layer = goldenSegmentation(goldenFile(), "llama2-7b.layer.prefill.s64.b1.cap48");
        layer.options = {};
        const SegmentationProblem network = repeatedLayers(layer, 32);
        QCOMPARE(network.subOps.size(), std::size_t(13824));
        const Result<Segmentation> one = segmentNetwork(layer);
        VERIFY_PLAN(one);
        const Result<Segmentation> all = segmentNetwork(network);
        VERIFY_PLAN(all);
        QVERIFY(all->segmentsPriced > 31 * one->segmentsPriced);
        QVERIFY2(all->segmentsSolved < 2 * one->segmentsSolved + 50,
                 qPrintable(QString::number(all->segmentsSolved)));
        // Layer after layer costs what one costs, and the border between two.
        QVERIFY(all->cycles < 32.02 * one->cycles);
    }

    void keepsDecisions() {
        SegmentationProblem problem = goldenSegmentation(goldenFile(), "vgg16_conv.b1.cap96");
        problem.options = {};
        problem.pins.borders = {2};
        problem.pins.joints = {5, 7};
        problem.pins.compute = {{0, 6}};
        problem.pins.memory = {{1, 3}};
        for (const DualModeStrategy strategy :
             {DualModeStrategy::DualMode, DualModeStrategy::AllCompute, DualModeStrategy::Puma}) {
            problem.options.strategy = strategy;
            if (strategy != DualModeStrategy::DualMode)
                problem.pins.memory = {{1, 0}};
            if (problem.subOps[6].minArrays + problem.subOps[7].minArrays > 96)
                problem.pins.joints.erase(7);
            const Result<Segmentation> plan = segmentNetwork(problem);
            VERIFY_PLAN(plan);
            std::set<int> starts;
            for (const DualModeSegment& segment : plan->segments)
                starts.insert(segment.first);
            QVERIFY(starts.count(2) == 1);
            QVERIFY(starts.count(5) == 0);
            QCOMPARE(plan->segments[0].compute[0], 6);
            const DualModeSegment& second = plan->segments[plan->segments[0].last >= 1 ? 0 : 1];
            QCOMPARE(second.memory[static_cast<std::size_t>(1 - second.first)], problem.pins.memory.at(1));
        }
    }

    void decisionsCostWhatTheyCost() {
        SegmentationProblem problem = goldenSegmentation(goldenFile(), "resnet18.b1.cap96");
        problem.options = {};
        const Result<Segmentation> best = segmentNetwork(problem);
        VERIFY_PLAN(best);
        // What was chosen, decided by hand, gives the same total.
        SegmentationProblem fixed = problem;
        for (const DualModeSegment& segment : best->segments) {
            fixed.pins.borders.insert(segment.first);
            for (int at = segment.first; at <= segment.last; ++at) {
                if (at > segment.first)
                    fixed.pins.joints.insert(at);
                fixed.pins.compute[at] = segment.compute[static_cast<std::size_t>(at - segment.first)];
                fixed.pins.memory[at] = segment.memory[static_cast<std::size_t>(at - segment.first)];
            }
        }
        const Result<Segmentation> again = segmentNetwork(fixed);
        VERIFY_PLAN(again);
        QVERIFY(near(again->cycles, best->cycles, 1e-12));
        // Any other border is no better.
        for (int at = 1; at < static_cast<int>(problem.subOps.size()); ++at) {
            SegmentationProblem moved = problem;
            moved.pins.borders = {at};
            const Result<Segmentation> plan = segmentNetwork(moved);
            VERIFY_PLAN(plan);
            QVERIFY(plan->cycles >= best->cycles * (1 - 1e-12));
        }
    }

    void saysWhyThereIsNone_data() {
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* said) { QTest::newRow(name) << said; };
        row("no arrays", "the chip has 0 arrays");
        row("no write-back", "0 bytes per cycle of write-back");
        row("too large", "sub-operator 4 (operator 4, piece 1 of 1): the operator needs at least 97 compute "
                         "arrays; the chip has 96");
        row("joined too large", "sub-operators 6 to 7");
        row("too many joined", "24");
        row("border and joint", "before sub-operator 3 a border is set and forbidden");
        row("no such pin", "sub-operator 99");
        row("no such border", "border is set before sub-operator 24; there are 24");
        row("joint at the start", "sub-operator 0 is joined");
        row("joint of single operators", "one operator at a time");
        row("memory where all compute", "all arrays compute");
        row("pin too small", "the weights need 4");
        row("no order", "does not come before it");
        row("strange piece", "piece of operator 77");
        row("endless", "more cycles than a number can hold");
        row("segments of nothing", "at most 0 operators per segment");
    }

    void saysWhyThereIsNone() {
        QFETCH(QString, said);
        const QByteArray name = QTest::currentDataTag();
        SegmentationProblem problem = goldenSegmentation(goldenFile(), "vgg16_conv.b1.cap96");
        problem.options = {};
        if (name == "no arrays")
            problem.chip.arrays = 0;
        else if (name == "no write-back")
            problem.chip.writeBackBytesPerCycle = 0;
        else if (name == "too large")
            problem.subOps[4].minArrays = 97;
        else if (name == "joined too large")
            problem.pins.joints = {7};
        else if (name == "too many joined") {
            problem = randomNetwork(1, 40, 1);
            for (int at = 5; at < 36; ++at)
                problem.pins.joints.insert(at);
        } else if (name == "border and joint") {
            problem.pins.joints = {3};
            problem.pins.borders = {3};
        } else if (name == "no such pin")
            problem.pins.memory = {{99, 1}};
        else if (name == "no such border")
            problem.pins.borders = {24};
        else if (name == "joint at the start")
            problem.pins.joints = {0};
        else if (name == "joint of single operators") {
            problem.options.strategy = DualModeStrategy::Occ;
            problem.pins.joints = {1};
        } else if (name == "memory where all compute") {
            problem.options.strategy = DualModeStrategy::AllCompute;
            problem.pins.memory = {{2, 5}};
        } else if (name == "pin too small")
            problem.pins.compute = {{1, 2}};
        else if (name == "no order") {
            auto lists = *problem.predecessors;
            lists[3] = {3};
            problem.predecessors = std::make_shared<const std::vector<std::vector<int>>>(std::move(lists));
        } else if (name == "endless") {
            problem.chip.mainBytesPerCycle = 1e-200;
            problem.chip.arrayBytesPerCycle = 0;
            problem.subOps[9].traffic = 1e200;
        } else if (name == "strange piece")
            problem.subOps[5].op = 77;
        else
            problem.options.maxSegmentOps = 0;
        for (const bool puma : {false, true}) {
            if (puma && (name == "too large" || name.startsWith("joined") || name == "too many joined" ||
                         name == "endless"))
                problem.options.strategy = DualModeStrategy::Puma;
            const Result<Segmentation> plan = segmentNetwork(problem);
            QVERIFY(!plan);
            QVERIFY2(QString::fromStdString(plan.error().text()).contains(said), plan.error().text().c_str());
        }
    }

    void stopsWhenAsked() {
        std::stop_source source;
        source.request_stop();
        const Result<Segmentation> plan =
            segmentNetwork(randomNetwork(1, 50, 8), TaskContext{source.get_token(), {}});
        QVERIFY(!plan && plan.error().code == ErrorCode::Cancelled);
    }

    void emptyNetworkHasNoSegments() {
        SegmentationProblem problem;
        problem.chip = referenceDualModeChip();
        const Result<Segmentation> plan = segmentNetwork(problem);
        VERIFY_PLAN(plan);
        QVERIFY(plan->segments.empty() && plan->cycles == 0);
    }

private:
    static double bestOfAll(const SegmentationProblem& problem, const BorderSide& before, int first) {
        const int count = static_cast<int>(problem.subOps.size()), arrays = problem.chip.arrays;
        if (first == count)
            return 0;
        SegmentTable table(problem.chip, problem.options);
        const SegmentOps seen(problem, table);
        const SegmentPrices prices(problem, seen, table);
        double best = std::numeric_limits<double>::infinity();
        for (int last = first; last < count; ++last) {
            AllocationProblem model;
            model.arrayBytesPerCycle = problem.chip.arrayBytesPerCycle;
            model.mainBytesPerCycle = problem.chip.mainBytesPerCycle;
            for (int at = first; at <= last; ++at) {
                const DualModeSubOp& op = problem.subOps[static_cast<std::size_t>(at)];
                model.ops.push_back({op.minArrays, op.computeWork, op.traffic});
                for (const int from : (*problem.predecessors)[static_cast<std::size_t>(at)])
                    if (from >= first)
                        model.edges.push_back(
                            {from - first, at - first,
                             static_cast<int>(problem.subOps[static_cast<std::size_t>(from)].outBytes /
                                              12800)});
            }
            // {compute, memory, most compute of one} -> smallest latency
            std::map<std::tuple<int, int, int>, double> fastest;
            const std::size_t ops = model.ops.size();
            std::vector<int> compute(ops), memory(ops), shared;
            const std::function<void(std::size_t, int, double, int)> choose = [&](std::size_t i, int left,
                                                                                  double latency, int most) {
                if (i == ops) {
                    const int all = std::accumulate(memory.begin(), memory.end(), 0) -
                                    shareArrays(memory, model.edges, -1, shared);
                    if (all > left)
                        return;
                    double& kept = fastest.try_emplace({arrays - left, all, most}, latency).first->second;
                    kept = std::min(kept, latency);
                    return;
                }
                const AllocationOp& op = model.ops[i];
                for (int c = op.minArrays; c <= left; c += op.minArrays)
                    for (int m = 0; m <= arrays; ++m) {
                        memory[i] = m;
                        choose(i + 1, left - c, std::max(latency, operatorLatency(op, c, m, model)),
                               std::max(most, c));
                    }
            };
            choose(0, arrays, 0, 0);
            const double live = prices.liveBytes(first, last);
            for (const auto& [key, latency] : fastest) {
                const auto& [c, m, most] = key;
                const double here = latency + most * problem.chip.writeCyclesPerArray +
                                    borderCost(before, c, m, problem.chip).cycles();
                if (here < best)
                    best = std::min(best, here + bestOfAll(problem, {c, m, live}, last + 1));
            }
        }
        return best;
    }

    /// As exhaustive(), over all allocations that slowerAllocations() knows, with and without memory.
    static double exhaustiveOverCounts(const SegmentationProblem& problem, const BorderSide& before,
                                       int first) {
        const int count = static_cast<int>(problem.subOps.size());
        if (first == count)
            return 0;
        SegmentTable table(problem.chip, problem.options);
        const SegmentOps seen(problem, table);
        SegmentPrices prices(problem, seen, table);
        double best = std::numeric_limits<double>::infinity();
        for (int last = first; last < count; ++last) {
            AllocationProblem model;
            model.arrays = problem.chip.arrays;
            model.arrayBytesPerCycle = problem.chip.arrayBytesPerCycle;
            model.mainBytesPerCycle = problem.chip.mainBytesPerCycle;
            for (int at = first; at <= last; ++at) {
                const DualModeSubOp& op = problem.subOps[static_cast<std::size_t>(at)];
                model.ops.push_back({op.minArrays, op.computeWork, op.traffic});
                for (const int from : (*problem.predecessors)[static_cast<std::size_t>(at)])
                    if (from >= first)
                        model.edges.push_back(
                            {from - first, at - first,
                             static_cast<int>(problem.subOps[static_cast<std::size_t>(from)].outBytes /
                                              12800)});
            }
            for (const bool memory : {true, false}) {
                model.memoryArrays = memory;
                const Result<Allocation> fastest = allocate(model);
                if (!fastest)
                    continue;
                AllocationScratch scratch;
                std::vector<Allocation> all =
                    slowerAllocations(model, *fastest, fastest->latency + 50000, 40, scratch);
                all.push_back(*fastest);
                for (const Allocation& one : all) {
                    const int compute = std::accumulate(one.compute.begin(), one.compute.end(), 0);
                    const int used = one.arraysUsed() - compute;
                    const double inside =
                        one.latency + *std::max_element(one.compute.begin(), one.compute.end()) *
                                          problem.chip.writeCyclesPerArray;
                    const double here = borderCost(before, compute, used, problem.chip).cycles() + inside;
                    if (here < best)
                        best =
                            std::min(best, here + exhaustiveOverCounts(
                                                      problem, {compute, used, prices.liveBytes(first, last)},
                                                      last + 1));
                }
            }
        }
        return best;
    }
};

QTEST_APPLESS_MAIN(TestDualModeSegmentation)
#include "tst_backends_dual_mode_segmentation.moc"
