// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <string>

#include "backends/crossbar/compat.h"
#include "backends/crossbar/option_text.h"
#include "backends/crossbar/profile.h"
#include "backends/crossbar/program_time.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/schedule/step_queue.h"
#include "backends/crossbar/search/baselines.h"
#include "backends/crossbar/search/layout_cost.h"
#include "backends/crossbar/search/referee.h"
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/search_random.h"
#include "backends/crossbar/search/spread_layout.h"
#include "backends/crossbar/search/strategies.h"
#include "backends/crossbar/search/trade_offs.h"
#include "core/graph/import.h"
#include "core/graph/zoo/graph_writer.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <limits>
#include <map>
#include <set>

using namespace pim;

namespace {

const CrossbarChip& chipOf(const std::string& target) {
    static const TargetCatalog catalog = TargetCatalog::load();
    static std::map<std::string, CrossbarChip> chips;
    if (!chips.contains(target))
        chips[target] = crossbarChip(**catalog.find(target)).value();
    return chips[target];
}

/// With numbers of as many bits as \p target has.
const CrossbarNetwork& networkOf(const std::string& name, const std::string& target = "pimcomp-default") {
    static std::map<std::pair<std::string, std::string>, CrossbarNetwork> networks;
    const auto [at, isNew] = networks.try_emplace({name, target});
    if (isNew) {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("model.onnx").toStdString();
        [[maybe_unused]] const auto written = writeZooModel(name, file, {.weights = false});
        at->second = crossbarNetwork(*loadGraph(file, {.bindings = {{"batch", 1}}}), chipOf(target)).value();
    }
    return at->second;
}

/// One small product and so many operators that follow each other.
CrossbarNetwork chainOf(int operators, const CrossbarChip& chip) {
    zoo::GraphWriter g("chain", "a chain", DataType::F32);
    const std::string first =
        g.node("MatMul", {g.input("x", DataType::F32, {1, 16}), g.weight("w", {16, 16}, {})});
    std::string x = first;
    for (int i = 0; i < operators; ++i)
        x = g.node(i % 2 == 0 ? "Add" : "Mul", {x, first});
    g.output(x, "y", {1, 16});
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("chain.onnx").toStdString();
    [[maybe_unused]] const auto written = g.write(file, {.weights = zoo::GraphWriter::Weights::Absent}, {});
    return crossbarNetwork(*loadGraph(file), chip).value();
}

/// By the profiler.
double programNs(const CrossbarChip& chip, const CrossbarSchedule& schedule, CrossbarMode mode) {
    const CrossbarProfile profile = profileCrossbar(schedule.program, chip).value();
    return mode == CrossbarMode::LowLatency ? profile.latencyNs : profile.periodNs;
}

CrossbarLayoutModel modelOf(const CrossbarNetwork& network, const CrossbarChip& chip) {
    return crossbarLayoutModel(network, chip, partitionNetwork(network, chip, {}).value()).value();
}

void compare(const CrossbarCost& a, const CrossbarCost& b) {
    QCOMPARE(a.periodNs, b.periodNs);
    QCOMPARE(a.issueNs, b.issueNs);
    QCOMPARE(a.vectorNs, b.vectorNs);
    QCOMPARE(a.loadBytes, b.loadBytes);
    QCOMPARE(a.storeBytes, b.storeBytes);
    QCOMPARE(a.networkBytes, b.networkBytes);
    QCOMPARE(a.offChipBytes, b.offChipBytes);
}

double programNs(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping) {
    const auto schedule = scheduleCrossbar(network, chip, mapping);
    // A program that does not fit the local memories is worse than any other.
    return schedule ? profileCrossbar(schedule->program, chip).value().periodNs
                    : std::numeric_limits<double>::infinity();
}

} // namespace

class TestCoreCrossbarSearch : public QObject {
    Q_OBJECT

private slots:
    void costStepByStepIsTheCostFromNothing_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("throughput");
        for (const char* target : {"pimcomp-default", "arch-c"})
            for (const bool throughput : {true, false})
                QTest::addRow("%s %s", target, throughput ? "ht" : "ll") << QString(target) << throughput;
    }
    void costStepByStepIsTheCostFromNothing() {
        QFETCH(QString, target);
        QFETCH(bool, throughput);
        const CrossbarMode mode = throughput ? CrossbarMode::HighThroughput : CrossbarMode::LowLatency;
        const CrossbarLayoutModel model = modelOf(networkOf("resnet18"), chipOf(target.toStdString()));
        CrossbarLayout layout(model);
        QVERIFY(!packOnce(layout).valid());
        CrossbarLayoutCost cost(layout, mode);
        SearchRandom random(7);
        for (int step = 0; step < 200; ++step) {
            const MatrixId entry(random.below(int(model.layers.size())));
            const bool removes = layout.replicas(entry) > 1 && random.below(3) == 0;
            if (removes) {
                layout.remove(entry, ReplicaId(random.below(layout.replicas(entry))));
            } else {
                const std::vector<CoreId> cores = bestFit(layout, entry);
                if (cores.empty())
                    continue;
                layout.add(entry, cores);
            }
            cost.update(entry);
            if (step % 20 == 0)
                compare(cost.cost(), CrossbarLayoutCost(layout, mode).cost());
        }
        compare(cost.cost(), CrossbarLayoutCost(layout, mode).cost());
    }

    void everyStrategyStaysWithinTheArrays_data() {
        QTest::addColumn<QString>("strategy");
        for (const std::string& strategy : mappingStrategies())
            QTest::newRow(strategy.c_str()) << QString::fromStdString(strategy);
    }
    void everyStrategyStaysWithinTheArrays() {
        QFETCH(QString, strategy);
        const CrossbarNetwork& network = networkOf("vgg8");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        const auto mapping = mapNetwork(
            network, chip,
            {.strategy = strategy.toStdString(), .evaluations = 8, .population = 10, .iterations = 3});
        QVERIFY2(mapping, mapping ? "" : mapping.error().text().c_str());
        QVERIFY(checkMapping(*mapping, network, chip));
        QCOMPARE(mapping->strategy, strategy.toStdString());
    }

    void whateverFitsOnceIsMapped_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("target");
        // The other program refuses the first two and never ends on the third.
        QTest::newRow("62 %") << "resnet34"
                              << "isaac-12";
        QTest::newRow("76 %") << "resnet50"
                              << "isaac-12";
        QTest::newRow("71 %") << "resnet50"
                              << "puma-16";
        QTest::newRow("92 %") << "vgg16"
                              << "pimcomp-default";
    }
    void whateverFitsOnceIsMapped() {
        QFETCH(QString, network);
        QFETCH(QString, target);
        const CrossbarChip& chip = chipOf(target.toStdString());
        const auto mapping = mapNetwork(networkOf(network.toStdString()), chip, {.strategy = "constructive"});
        QVERIFY2(mapping, mapping ? "" : mapping.error().text().c_str());
        QVERIFY(checkMapping(*mapping, networkOf(network.toStdString()), chip));
    }
    void whatDoesNotFitIsSaidWithTheLayers() {
        const auto mapping =
            mapNetwork(networkOf("resnet34"), chipOf("arch-c-1"), {.strategy = "constructive"});
        QVERIFY(!mapping);
        QCOMPARE(mapping.error().code, ErrorCode::InvalidTarget);
    }

    void annealingIsDeterministicAndNeverWorseThanItsStart() {
        const CrossbarLayoutModel model = modelOf(networkOf("resnet18"), chipOf("arch-c"));
        CrossbarLayout once(model);
        packOnce(once);
        const MappingOptions options{.seed = 3};
        const auto start = CrossbarLayoutCost(once, options.mode).objective();
        const LayoutSearchResult a = searchLayout({once}, options, 500, {}),
                                 b = searchLayout({once}, options, 500, {});
        const double after = CrossbarLayoutCost(a.best, options.mode).objective();
        QVERIFY2(after < start, qPrintable(QString("%1 after, %2 before").arg(after).arg(start)));
        QCOMPARE(CrossbarLayoutCost(b.best, options.mode).objective(), after);
        for (const MatrixId entry : model.allEntries())
            QCOMPARE(a.best.cores(entry), b.best.cores(entry));
        for (std::size_t i = 1; i < a.history.size(); ++i)
            QVERIFY(a.history[i].ns < a.history[i - 1].ns &&
                    a.history[i].evaluations >= a.history[i - 1].evaluations);
        std::vector<const CrossbarLayout*> met{&once, &a.best};
        for (const CrossbarLayout& other : a.others)
            met.push_back(&other);
        const std::vector<MappingTradeOff> tradeOffs = tradeOffsOf(met, options, {});
        QVERIFY(!tradeOffs.empty());
        for (std::size_t i = 1; i < tradeOffs.size(); ++i) // shorter periods must cost something
            QVERIFY(tradeOffs[i].latencyNs < tradeOffs[i - 1].latencyNs ||
                    tradeOffs[i].energyPj < tradeOffs[i - 1].energyPj);
    }
    /// What is as much work as the automatic budget is laid out without a search, unless one is asked for.
    void largeNetworksAreNotSearched() {
        const CrossbarChip& chip = chipOf("isaac");
        const auto searched = [&](const CrossbarNetwork& network, CrossbarMode mode, int evaluations) {
            const CrossbarMapping mapping =
                mapNetwork(network, chip, {.mode = mode, .strategy = "search", .evaluations = evaluations})
                    .value();
            return !mapping.history.empty() && mapping.strategy == "search";
        };
        const CrossbarNetwork small = chainOf(500, chip), large = chainOf(12'500, chip);
        QVERIFY(small.layers.size() > 400 && large.layers.size() > 12'000);
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
            QVERIFY(searched(small, mode, kAutomaticEvaluations));
            QVERIFY(!searched(large, mode, kAutomaticEvaluations));
        }
        QVERIFY(searched(large, CrossbarMode::HighThroughput, 1));
        QCOMPARE(mapNetwork(large, chip, {.strategy = "search"}).value().strategy,
                 std::string("constructive"));
    }

    void mapsThatGlobalMemoryHasNoRoomForAreNamed() {
        CrossbarChip chip = chipOf("isaac");
        chip.globalBytes = 10'000;
        const auto model = modelOf(networkOf("vgg8", "isaac"), chip);
        CrossbarLayout once(model);
        QVERIFY(!packOnce(once).valid());
        const auto made = timeProgram(once, {}, {});
        QVERIFY(!made);
        QVERIFY2(
            QString::fromStdString(made.error().message)
                .contains(QRegularExpression("its maps take .* of global memory, the chip has 9.766 KiB")),
            made.error().text().c_str());
    }

    /// A budget in evaluations: whatever the machine and however many threads, the same mapping.
    void theSameSearchFindsTheSame_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("mode");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("target");
        const int ht = int(CrossbarMode::HighThroughput), ll = int(CrossbarMode::LowLatency);
        QTest::newRow("throughput") << "search" << ht << "squeezenet"
                                    << "isaac-12";
        QTest::newRow("latency") << "search" << ll << "vgg8"
                                 << "pimcomp-default";
        QTest::newRow("genetic") << "genetic" << ht << "vgg8"
                                 << "pimcomp-default";
    }
    void theSameSearchFindsTheSame() {
        QFETCH(QString, strategy);
        QFETCH(int, mode);
        QFETCH(QString, model);
        QFETCH(QString, target);
        const CrossbarNetwork& network = networkOf(model.toStdString());
        const CrossbarChip& chip = chipOf(target.toStdString());
        MappingOptions options{.mode = CrossbarMode(mode),
                               .strategy = strategy.toStdString(),
                               .evaluations = 12,
                               .population = 20,
                               .iterations = 5};
        options.threads = 1;
        const CrossbarMapping once = mapNetwork(network, chip, options).value();
        QVERIFY(once.history.size() >= 2); // or there was nothing to find
        for (const int threads : {2, 64}) {
            options.threads = threads;
            const CrossbarMapping again = mapNetwork(network, chip, options).value();
            QVERIFY(again.history == once.history);
            QVERIFY(again.stages == once.stages && again.tiles == once.tiles);
            for (std::size_t entry = 0; entry < once.layers.size(); ++entry) {
                QCOMPARE(again.layers[entry].replicas, once.layers[entry].replicas);
                QVERIFY(again.layers[entry].cores == once.layers[entry].cores);
            }
            QCOMPARE(again.tradeOffs.size(), once.tradeOffs.size());
        }
    }
    void largerBudgetsFindNoWorse() {
        const CrossbarNetwork& network = networkOf("vgg8");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        double before = std::numeric_limits<double>::infinity();
        for (const int evaluations : {2, 20}) {
            const auto found =
                mapNetwork(network, chip, {.strategy = "search", .evaluations = evaluations}).value();
            QVERIFY(found.history.back().evaluations <= std::max(2, evaluations));
            QVERIFY(found.history.back().ns <= before);
            before = found.history.back().ns;
        }
    }
    /// Where products take long and arrays are left over other layouts gain most, so a small budget goes to them, not to stages.
    void smallBudgetsGoToLayouts() {
        CrossbarChip chip = chipOf("isaac");
        chip.mvmNs = 800; // as PIMCOMP-NN computes
        const auto nsAfter = [&](int evaluations) {
            return mapNetwork(networkOf("squeezenet", "isaac"), chip,
                              {.strategy = "search", .evaluations = evaluations})
                .value()
                .history.back()
                .ns;
        };
        const double starts = nsAfter(1), layouts = nsAfter(4);
        QVERIFY2(layouts < 0.9 * starts, qPrintable(QString("%1 and %2").arg(layouts).arg(starts)));
    }
    void searchIsNotWorseThanItsStartWhenTimed() {
        const CrossbarNetwork& network = networkOf("resnet18");
        const CrossbarChip& chip = chipOf("arch-c");
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
            const auto start = mapNetwork(network, chip, {.mode = mode, .strategy = "constructive"}).value();
            const auto found =
                mapNetwork(network, chip, {.mode = mode, .strategy = "search", .evaluations = 12}).value();
            const double foundNs = programNs(network, chip, found), startNs = programNs(network, chip, start);
            QVERIFY2(foundNs <= startNs,
                     qPrintable(QString("%1 found, %2 at the start").arg(foundNs).arg(startNs)));
        }
    }
    /// Where global memory is the limit, rows that are handed on make the round shorter; the mapping says which, and
    /// the program the schedule makes of it is the one that was timed.
    void searchDecidesWhichLayersShareAStage_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("referee");
        QTest::newRow("as PIMCOMP measures") << "squeezenet"
                                             << "isaac-12" << int(CrossbarReferee::PimcompCompat);
    }
    void searchDecidesWhichLayersShareAStage() {
        QFETCH(QString, model);
        QFETCH(QString, target);
        QFETCH(int, referee);
        const CrossbarNetwork& network = networkOf(model.toStdString());
        const CrossbarChip& chip = chipOf(target.toStdString());
        const MappingOptions options{
            .strategy = "search", .evaluations = 40, .referee = CrossbarReferee(referee)};
        const auto found = mapNetwork(network, chip, options);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(found->stages.layersAStage > 1, !found->stages.waiting.empty());
        const auto nsOf = [&](const CrossbarMapping& mapping, int layersAStage) {
            const auto schedule = scheduleCrossbar(network, chip, mapping,
                                                   {.rules = options.referee, .layersAStage = layersAStage})
                                      .value();
            return programNs(schedule.program, chip, options.mode, options.referee, {}, {}).value();
        };
        const double mapped = nsOf(*found, kMappedStages), single = nsOf(*found, 1);
        QVERIFY2(mapped <= single, qPrintable(QString("%1 and %2").arg(mapped).arg(single)));
        QCOMPARE(mapped, found->history.back().ns);
        const MappingOptions fixed{
            .strategy = "search", .evaluations = 4, .referee = CrossbarReferee(referee), .layersAStage = 1};
        QCOMPARE(mapNetwork(network, chip, fixed).value().stages.layersAStage, 1);
    }
    /// By the rules of PIMCOMP-NN transfers drain their cores: programs made for that are faster there.
    void programsAreMadeForTheirReferee_data() {
        QTest::addColumn<int>("referee");
        QTest::addColumn<double>("mvmNs");
        QTest::newRow("as measured") << int(CrossbarReferee::PimcompCompat) << 800.0;
        QTest::newRow("nominal") << int(CrossbarReferee::PimcompNominal) << chipOf("pimcomp-default").mvmNs;
    }
    void programsAreMadeForTheirReferee() {
        QFETCH(int, referee);
        QFETCH(double, mvmNs);
        const CrossbarNetwork& network = networkOf("resnet18");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        const auto rules = CrossbarReferee(referee);
        const auto mapping =
            mapNetwork(network, chip, {.mode = CrossbarMode::LowLatency, .referee = rules}).value();
        CompatHardware hardware = compatHardware(chip);
        hardware.mvmNs = mvmNs;
        const auto nsOf = [&](CrossbarReferee clocks) {
            const auto schedule = scheduleCrossbar(network, chip, mapping, {.rules = clocks}).value();
            return compatPeriod(schedule.program, hardware).value().periodNs;
        };
        const double own = nsOf(CrossbarReferee::Profiler), its = nsOf(rules),
                     estimate = estimateCost(network, chip, mapping, rules).periodNs;
        QVERIFY2(its < 0.9 * own, qPrintable(QString("%1 for it, %2 for our profiler").arg(its).arg(own)));
        QVERIFY2(std::abs(estimate - its) < 0.15 * its,
                 qPrintable(QString("%1 estimated, %2").arg(estimate).arg(its)));
    }
    /// Where layers are multiplied piece by piece of their input, estimates count the products there are,
    /// halos of strips included.
    void estimatesKnowProductsOfSeveralWindows_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("unfolding");
        QTest::addColumn<bool>("once");
        for (const char* name : {"vgg8", "resnet18"})
            for (const Unfolding unfolding : {Unfolding::AllPositions, Unfolding::RowAcrossWindows})
                for (const bool once : {true, false})
                    QTest::addRow("%s, %s, %s", name, std::string(pim::name(unfolding)).c_str(),
                                  once ? "once" : "replicas")
                        << QString(name) << int(unfolding) << once;
    }
    void estimatesKnowProductsOfSeveralWindows() {
        QFETCH(QString, name);
        QFETCH(int, unfolding);
        QFETCH(bool, once);
        const CrossbarNetwork& network = networkOf(name.toStdString());
        const CrossbarChip& chip = chipOf("pimcomp-default");
        MappingOptions options;
        for (const LayerId layer : network.matrixLayers)
            options.wishes.push_back({network.layers[layer.index()].name,
                                      Unfolding(unfolding),
                                      once ? std::optional(1) : std::nullopt,
                                      {}});
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
            options.mode = mode;
            const auto mapping = mapNetwork(network, chip, options);
            QVERIFY2(mapping, mapping ? "" : mapping.error().text().c_str());
            const auto schedule = scheduleCrossbar(network, chip, *mapping);
            QVERIFY2(schedule, schedule ? "" : schedule.error().text().c_str());
            std::int64_t most = 0;
            for (const auto& core : schedule->program.cores)
                most = std::max<std::int64_t>(
                    most, std::ranges::count(core, CrossbarOpcode::Mvm, &CrossbarInstruction::opcode));
            const CrossbarCost cost = estimateCost(network, chip, *mapping);
            const double estimated = cost.issueNs / chip.mvmIssueNs;
            const QString seen =
                QString("%1 products of %2, %3 ns estimated").arg(estimated).arg(most).arg(cost.periodNs);
            // Strips of replicas have columns in part; where they are narrow, theirs are whole ones.
            if (once)
                QCOMPARE(estimated, double(most));
            QVERIFY2(estimated > 0.6 * double(most) && estimated < 1.5 * double(most), qPrintable(seen));
            if (mode == CrossbarMode::HighThroughput && once) {
                const double ns = programNs(chip, *schedule, mode);
                QVERIFY2(std::abs(cost.periodNs - ns) < 0.02 * ns, qPrintable(seen));
            }
        }
    }
    void spreadingIsNeverWorseAndStaysWithinTheArrays() {
        for (const char* target : {"pimcomp-default", "arch-c"}) {
            const CrossbarLayoutModel model = modelOf(networkOf("resnet18"), chipOf(target));
            CrossbarLayout once(model);
            packOnce(once);
            LayoutSpreader spreader(once), other(once);
            spreader.run(40);
            other.run(20);
            other.run(20);
            const CrossbarLayout &spread = spreader.best(), &again = other.best();
            QCOMPARE(spreader.ns(), layoutNs(spread, CrossbarMode::LowLatency));
            const auto ns = [](const CrossbarLayout& layout) {
                return layoutNs(layout, CrossbarMode::LowLatency);
            };
            QVERIFY2(ns(spread) < 0.9 * ns(once), target); // every layer once is far from the best
            QVERIFY(checkMapping(spread.mapping(CrossbarMode::LowLatency, {}), networkOf("resnet18"),
                                 chipOf(target)));
            for (const MatrixId entry : model.allEntries())
                QCOMPARE(again.cores(entry), spread.cores(entry));
        }
    }
    /// Many small layers on large maps, in cores that have room for all of them: tiles hand on little.
    void largeMapsComeInTilesWhereThatIsFaster() {
        const CrossbarNetwork& network = networkOf("squeezenet");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        const auto rules = CrossbarReferee::PimcompCompat;
        const auto nsOf = [&](const CrossbarMapping& mapping) {
            const auto schedule = scheduleCrossbar(network, chip, mapping, {.rules = rules}).value();
            return programNs(schedule.program, chip, mapping.mode, rules, {}, {}).value();
        };
        const auto tiled =
            mapNetwork(network, chip, {.mode = CrossbarMode::LowLatency, .referee = rules}).value();
        QVERIFY(tiled.tiles != MappedTiles());
        CrossbarLayoutModel model = modelOf(network, chip);
        model.referee = rules;
        CrossbarLayout once(model);
        packOnce(once);
        const std::vector<CrossbarLayout> layouts = blockLayouts(once, CrossbarMode::LowLatency).layouts;
        const auto strips = std::ranges::find(layouts, MappedTiles(), &CrossbarLayout::tiles);
        QVERIFY(strips != layouts.end());
        const double striped = nsOf(strips->mapping(CrossbarMode::LowLatency, {})), its = nsOf(tiled);
        QVERIFY2(its < 0.95 * striped,
                 qPrintable(QString("%1 in tiles, %2 in strips").arg(its).arg(striped)));
    }
    /// All pixels once, and what a pool or a kernel of one reads lies in its core, but for a border.
    /// Longer products ask for more replicas than there are arrays, few arrays do so too: periods are lengthened until
    /// there are enough.
    void scarceArraysAreLaidOutInBlocksToo_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<double>("mvmNs");
        QTest::newRow("long products") << "isaac" << 16000.0;
        QTest::newRow("few arrays") << "puma-16" << 4000.0;
    }
    void scarceArraysAreLaidOutInBlocksToo() {
        QFETCH(QString, target);
        QFETCH(double, mvmNs);
        CrossbarChip chip = chipOf(target.toStdString());
        chip.mvmNs = mvmNs;
        const CrossbarNetwork& network = networkOf("squeezenet");
        const CrossbarLayoutModel model = modelOf(network, chip);
        CrossbarLayout once(model);
        QVERIFY(!packOnce(once).valid());
        const auto blocks =
            mapNetwork(network, chip, {.mode = CrossbarMode::LowLatency, .strategy = "constructive"}).value();
        const double baseNs =
            programNs(network, chip, balancedLayout(once).mapping(CrossbarMode::LowLatency, "constructive"));
        QVERIFY(programNs(network, chip, blocks) < 0.7 * baseNs);
    }

    void tilesAreTheSamePartOfAllMaps() {
        const CrossbarNetwork& network = networkOf("squeezenet");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        const MappingOptions options{.mode = CrossbarMode::LowLatency,
                                     .referee = CrossbarReferee::PimcompCompat};
        const auto mapping = mapNetwork(network, chip, options).value();
        QVERIFY(mapping.tiles.fromRows > 0);
        const CrossbarTasks tasks = dealOutTasks(network, chip, mapping, false);
        int tiled = 0;
        for (std::size_t i = 0; i < network.layers.size(); ++i) {
            if (!tasks.tiled[i])
                continue;
            ++tiled;
            const PixelMap& out = network.layers[i].out;
            QCOMPARE(tasks.rowsAtOnce[i], out.height);
            for (int y = 0; y < out.height; ++y) {
                std::vector<int> owners(std::size_t(out.width), 0);
                for (const TaskShare& share : tasks.shares[i])
                    for (int x = share.rows[std::size_t(y)].begin; x < share.rows[std::size_t(y)].end; ++x)
                        ++owners[std::size_t(x)];
                QVERIFY(std::ranges::all_of(owners, [](int count) { return count == 1; }));
            }
            const MatrixWork* work = network.layers[i].matrix();
            const auto& sources = tasks.sources[network.layers[i].inputs[0].index()];
            if (!work || work->window.kernel() > 1 || !tasks.tiled[sources[0].layer.index()])
                continue;
            for (const TaskShare& share : tasks.shares[i]) {
                const auto& before = tasks.shares[sources[0].layer.index()];
                const auto same = std::ranges::find(before, share.core, &TaskShare::core);
                QVERIFY(same != before.end());
                for (std::size_t y = 0; y < share.rows.size(); ++y)
                    QVERIFY(share.rows[y].empty() || (share.rows[y].begin == same->rows[y].begin &&
                                                      share.rows[y].end == same->rows[y].end));
            }
        }
        QVERIFY(tiled >= 8);
    }
    void poolsOfTheWholeMapAreDealtOut() {
        const CrossbarNetwork& network = networkOf("squeezenet");
        const CrossbarChip& chip = chipOf("pimcomp-default");
        const auto mapping = mapNetwork(network, chip, {.mode = CrossbarMode::LowLatency}).value();
        const CrossbarTasks tasks = dealOutTasks(network, chip, mapping, false);
        const auto pool = std::ranges::find_if(network.layers, [](const CrossbarLayer& layer) {
            return layer.as<WindowWork>() && layer.out.pixels() == 1;
        });
        QVERIFY(pool != network.layers.end());
        const auto& shares = tasks.shares[std::size_t(pool - network.layers.begin())];
        // All cores that have the map, 16 where these are fewer, and no more than one for 32 channels.
        std::set<CoreId> having;
        for (const PixelSource& source : tasks.sources[pool->inputs[0].index()])
            for (const TaskShare& share : tasks.shares[source.layer.index()])
                having.insert(share.core);
        QCOMPARE(shares.size(),
                 std::min(std::max<std::size_t>(16, having.size()), std::size_t(pool->out.channels / 32)));
        std::set<CoreId> cores;
        int channel = 0;
        for (const TaskShare& share : shares) {
            QCOMPARE(share.channelBegin, channel);
            channel = share.channelEnd;
            cores.insert(share.core);
        }
        QCOMPARE(channel, pool->out.channels);
        QCOMPARE(cores.size(), shares.size());
    }
    void cancelledSpreadingGivesItsStart() {
        std::stop_source stop;
        stop.request_stop();
        const CrossbarLayoutModel model = modelOf(networkOf("vgg8"), chipOf("arch-c"));
        CrossbarLayout once(model);
        packOnce(once);
        LayoutSpreader spreader(once);
        spreader.run(40, {.stop = stop.get_token(), .onProgress = {}});
        const CrossbarLayout& spread = spreader.best();
        for (const MatrixId entry : model.allEntries())
            QCOMPARE(spread.cores(entry), once.cores(entry));
    }
    void estimatesAreFollowedUpToTheirLimit() {
        const CrossbarLayoutModel model = modelOf(networkOf("vgg8"), chipOf("arch-c"));
        CrossbarLayout once(model);
        packOnce(once);
        const double whole = layoutNs(once, CrossbarMode::LowLatency);
        QCOMPARE(layoutNs(once, CrossbarMode::LowLatency, whole), whole);
        QCOMPARE(layoutNs(once, CrossbarMode::LowLatency, 0.5 * whole),
                 std::numeric_limits<double>::infinity());
    }
    void theFirstInTimeHasTheLeastTime() {
        constexpr int kCores = 11;
        FirstInTime first(kCores);
        std::vector<double> times(kCores, FirstInTime::kNever);
        QCOMPARE(first.ns(), FirstInTime::kNever);
        SearchRandom random(7);
        for (int i = 0; i < 2000; ++i) {
            const int core = random.below(kCores);
            times[std::size_t(core)] = random.below(4) == 0 ? FirstInTime::kNever : random.below(20);
            first.set(core, times[std::size_t(core)]);
            const auto least = std::ranges::min_element(times);
            QCOMPARE(first.ns(), *least);
            if (*least < FirstInTime::kNever)
                QCOMPARE(first.number(), int(least - times.begin()));
        }
    }
    void cancelledSearchGivesItsBest() {
        std::stop_source stop;
        stop.request_stop();
        const CrossbarLayoutModel model = modelOf(networkOf("vgg8"), chipOf("arch-c"));
        CrossbarLayout once(model);
        packOnce(once);
        const LayoutSearchResult result =
            searchLayout({once}, {}, 1'000'000, {.stop = stop.get_token(), .onProgress = {}});
        QCOMPARE(result.steps, 0);
        QCOMPARE(result.best.cores(MatrixId(0)), once.cores(MatrixId(0)));
    }

    void wishesAreKept() {
        const CrossbarNetwork& network = networkOf("vgg8");
        const std::string name = network.layers[network.matrixLayers[1].index()].name;
        const LayerWish wish{.layer = name, .unfolding = {}, .replicas = 3, .cores = {{0, CoreId(17)}}};
        for (const char* strategy : {"constructive", "search"}) {
            const auto mapping = mapNetwork(network, chipOf("pimcomp-default"),
                                            {.strategy = strategy, .wishes = {wish}, .evaluations = 6});
            QVERIFY2(mapping, mapping ? "" : mapping.error().text().c_str());
            QCOMPARE(mapping->layers[1].replicas, 3);
            QCOMPARE(mapping->layers[1].cores[0].value, 17);
        }
        const LayerWish impossible{
            .layer = name, .unfolding = {}, .replicas = {}, .cores = {{0, CoreId(1000)}}};
        const auto refused = mapNetwork(network, chipOf("pimcomp-default"),
                                        {.strategy = "constructive", .wishes = {impossible}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::IllegalOverride);
    }

    void baselinesAreWhatTheyClaim() {
        const CrossbarLayoutModel model = modelOf(networkOf("resnet18"), chipOf("pimcomp-default"));
        CrossbarLayout once(model);
        packOnce(once);
        const CrossbarLayout polyhedral = polyhedralLayout(once);
        std::map<CoreId, std::pair<MatrixId, ReplicaId>> owner;
        for (const MatrixId entry : model.allEntries())
            for (const ReplicaId replica : FirstIds<ReplicaId>(polyhedral.replicas(entry)))
                for (const CoreId core : polyhedral.replica(entry, replica)) {
                    const std::pair mine{entry, replica};
                    const auto first = owner.emplace(core, mine).first->second;
                    QCOMPARE(first, mine);
                }
        const CrossbarLayout consecutive = consecutiveLayout(once);
        for (const MatrixId entry : model.allEntries())
            QCOMPARE(consecutive.replicas(entry), 1);
        const auto balance = peerLayout(model, PeerReplication::Balance);
        QVERIFY(balance);
        QVERIFY(balance->replicas(MatrixId(0)) > 10); // the first convolution has most windows
        QCOMPARE(balance->replicas(MatrixId(std::ssize(model.layers) - 1)), 1);
    }
    void refereesHaveNames() {
        for (const char* name : {"profiler", "pimcomp-compat", "pimcomp-nominal"}) {
            CrossbarOptions options;
            QVERIFY(crossbarOptionTable().set(options, "referee", name));
            const auto texts = crossbarOptionTable().write(options);
            const auto found = texts.find("referee"); // what is as ever is not said
            QCOMPARE(found == texts.end() ? std::string("profiler") : found->second, std::string(name));
        }
        CrossbarOptions options;
        QVERIFY(!crossbarOptionTable().set(options, "referee", "pimcomp"));
    }
    void unknownStrategyNamesThoseThereAre() {
        const auto mapping = mapNetwork(networkOf("vgg8"), chipOf("pimcomp-default"), {.strategy = "magic"});
        QVERIFY(!mapping);
        QCOMPARE(mapping.error().code, ErrorCode::NotFound);
        QVERIFY(mapping.error().hint.find("constructive") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCoreCrossbarSearch)
#include "tst_backends_crossbar_search.moc"
