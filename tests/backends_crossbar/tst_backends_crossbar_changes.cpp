// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <string>

#include "backends/crossbar/schedule/step_queue.h"
#include "backends/crossbar/search/layout_changes.h"
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/strategies.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <QTemporaryDir>

#include <numeric>
#include <set>

using namespace pim;

namespace {

using Kind = LayoutChange::Kind;

CrossbarChip chipOf(const std::string& target) {
    static const TargetCatalog catalog = TargetCatalog::load();
    return crossbarChip(**catalog.find(target)).value();
}

CrossbarNetwork networkOf(const std::string& name, const CrossbarChip& chip) {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("model.onnx").toStdString();
    [[maybe_unused]] const auto written = writeZooModel(name, file, {.weights = false});
    return crossbarNetwork(*loadGraph(file, {.bindings = {{"batch", 1}}}), chip).value();
}

std::set<CoreId> coresOf(const CrossbarLayout& layout, MatrixId entry) {
    const auto& cores = layout.cores(entry);
    return {cores.begin(), cores.end()};
}

MatrixId entryNamed(const CrossbarLayoutModel& model, const std::string& name) {
    for (const MatrixId entry : model.allEntries())
        if (model.network->at(model.layers[entry.index()].layer).name == name)
            return entry;
    return {};
}

/// Cores whose times a test sets.
struct FixedClocks {
    struct Step {
        int name = 0, layer = 0;
        bool begins = true;
        std::vector<int> cores;
        bool works() const { return begins; }
        bool drains() const { return !begins; }
    };
    std::vector<double> fronts, draineds;
    double front(CoreId core) const { return fronts[core.index()]; }
    double drained(CoreId core) const { return draineds[core.index()]; }
    StepWait waitOf(const Step& step) const {
        StepWait wait;
        for (const int core : step.cores)
            wait.atCore(CoreId(core), step.begins ? front(CoreId(core)) : drained(CoreId(core)));
        return wait;
    }
};

} // namespace

class TestCoreCrossbarChanges : public QObject {
    Q_OBJECT
private slots:
    void everyChangeStaysWithinTheArraysAndWhatTheUserDecided() {
        const CrossbarChip chip = chipOf("pimcomp-default");
        const CrossbarNetwork network = networkOf("resnet18", chip);
        const std::vector<LayerWish> wishes{{"/layer3.1/conv1/Conv", {}, 3, {}}};
        CrossbarLayoutModel model =
            crossbarLayoutModel(network, chip, partitionNetwork(network, chip, {}).value(), wishes).value();
        model.referee = CrossbarReferee::PimcompCompat;
        const MatrixId wished = entryNamed(model, wishes.front().layer);
        QVERIFY(wished.valid());
        CrossbarLayout once(model);
        packOnce(once);
        std::set<Kind> seen;
        std::set<int> kinds;
        for (const CrossbarLayout& base :
             blockLayouts(balancedLayout(once), CrossbarMode::LowLatency).layouts) {
            if (!kinds.insert(base.tiles().fromRows).second)
                continue;
            LayoutChanges changes(model);
            changes.setBase(base, pipelineTimes(base));
            std::set<decltype(LayoutChange().key())> keys;
            for (const LayoutChange& change : changes.all()) {
                QVERIFY(keys.insert(change.key()).second); // nothing is tried twice
                for (int attempt = 0; attempt < 4; ++attempt) {
                    const auto made = changes.made(change, attempt); // asserts that there is room
                    if (!made)
                        continue;
                    seen.insert(change.kind);
                    QVERIFY(checkMapping(made->mapping(CrossbarMode::LowLatency, {}), network, chip));
                    QCOMPARE(made->cores(wished), base.cores(wished));
                    for (const MatrixId entry : model.allEntries()) {
                        QVERIFY(made->replicas(entry) >= 1 &&
                                made->replicas(entry) <= model.layers[entry.index()].maxReplicas);
                        if (base.isTiled(entry))
                            QCOMPARE(coresOf(*made, entry), coresOf(base, entry));
                    }
                }
            }
        }
        QVERIFY(kinds.size() > 1); // with tiles and without
        QCOMPARE(seen.size(), std::size_t(Kind::Count));
    }
    /// Two layers side by side in cores 0 to 3.
    void layersOfACoreStayTogetherUntilOneGoesApart() {
        const CrossbarChip chip = chipOf("pimcomp-default");
        const CrossbarNetwork network = networkOf("vgg8", chip);
        const CrossbarLayoutModel model =
            crossbarLayoutModel(network, chip, partitionNetwork(network, chip, {}).value()).value();
        CrossbarLayout base(model);
        const MatrixId first(0), second(1);
        for (const MatrixId entry : {first, second})
            for (const CoreId core : FirstIds<CoreId>(4))
                base.addWhole(entry, core);
        std::vector<CoreId> others = FirstIds<CoreId>(110).list();
        others.erase(others.begin(), others.begin() + 10);
        for (const MatrixId entry : model.allEntries()) {
            if (entry <= second)
                continue;
            const std::vector<CoreId> cores = bestFit(base, entry, others);
            QVERIFY(!cores.empty());
            base.add(entry, cores);
        }
        LayoutChanges changes(model);
        changes.setBase(base, pipelineTimes(base));
        const auto wider = changes.made({Kind::MoreCores, 0, 0, 0}, 0);
        QVERIFY(wider);
        QCOMPARE(coresOf(*wider, first).size(), std::size_t(6)); // 1.5 times as many
        QCOMPARE(coresOf(*wider, second), coresOf(*wider, first));
        QCOMPARE(wider->replicas(second), 6);
        const auto fuller = changes.made({Kind::MoreReplicas, 0, 0, 0}, 0);
        QVERIFY(fuller);
        QCOMPARE(coresOf(*fuller, first), (std::set{CoreId(0), CoreId(1), CoreId(2), CoreId(3)}));
        QCOMPARE(fuller->replicas(first), 8); // as many in each core
        const auto apart = changes.made({Kind::Apart, 1, 0, 0}, 0);
        QVERIFY(apart);
        QCOMPARE(apart->cores(first), base.cores(first));
        QCOMPARE(coresOf(*apart, second).size(), std::size_t(4));
        QVERIFY(coresOf(*apart, second) != coresOf(*apart, first)); // others have less to do
        changes.setBase(*apart, pipelineTimes(*apart));
        const auto joined = changes.made({Kind::Join, 1, 0, 0}, 0);
        QVERIFY(joined);
        QCOMPARE(coresOf(*joined, second), coresOf(*joined, first));
    }
    /// Products of a core can begin later than it is drained: what it hands on does not wait for that.
    void stepsComeInTheOrderOfWhatTheyWaitFor() {
        FixedClocks clocks{{10, 5, 7}, {4, 6, 20}};
        StepQueue<FixedClocks::Step, FixedClocks> queue(clocks, 3);
        queue.push({0, 3, true, {0}});     // 10
        queue.push({1, 1, true, {1}});     // 5
        queue.push({2, 2, false, {0, 1}}); // 6
        queue.push({3, 0, false, {0}});    // 4
        queue.push({4, 0, true, {0, 2}});  // 10, the same core: the later layer goes first
        queue.push({5, 0, false, {2, 1}}); // 20
        std::vector<int> order;
        for (FixedClocks::Step step; queue.next(step);)
            order.push_back(step.name);
        QCOMPARE(order, (std::vector<int>{3, 1, 2, 0, 4, 5}));
    }
};

QTEST_GUILESS_MAIN(TestCoreCrossbarChanges)
#include "tst_backends_crossbar_changes.moc"
