// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Crossbar chips through the compiler's door: parts that add up, decisions that change what they say and
/// nothing else, code that parses back, simulation.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "backends/crossbar/plan/decisions.h"
#include "backends/crossbar/plan/plan.h"
#include "core/compile/compiler.h"
#include "core/compile/simulation_json.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/hardware/target_figures.h"
#include "core/report/simulation_content.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace pim;

namespace {

const char* const kSample = PIM_SOURCE_DIR "/projects/mobilenetv2/mobilenetv2.onnx";

std::shared_ptr<const Graph> sampleGraph() {
    static const auto graph = loadGraph(kSample, {.bindings = {{"batch", 1}}, .disabledPasses = {}});
    return graph ? *graph : nullptr;
}

struct Bench {
    BackendList backends = builtinBackends();
    PlanCache cache;
    PlanRequest request{sampleGraph(), *TargetCatalog::load().find("pimcomp-default"), {}, {}};

    Bench() { request.options.family["crossbar"]["strategy"] = "constructive"; }
    Result<std::shared_ptr<const Plan>> plan() { return backend().plan(request, &cache, {}); }
    const Backend& backend() const { return **backends.find("crossbar"); }
};

const CrossbarPlan& crossbarOf(const Plan& plan) {
    return dynamic_cast<const CrossbarPlan&>(*plan.detail);
}
bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

#define PLAN(name, bench)                                                                                    \
    const auto name = (bench).plan();                                                                        \
    QVERIFY2(name.has_value(), name ? "" : name.error().text().c_str())

} // namespace

class TestCrossbarBackend : public QObject {
    Q_OBJECT
private slots:
    void everyOpIsPlacedAndPartsAddUp_data() {
        QTest::addColumn<bool>("lowLatency");
        QTest::newRow("ht") << false;
        QTest::newRow("ll") << true;
    }
    void everyOpIsPlacedAndPartsAddUp() {
        QFETCH(bool, lowLatency);
        Bench bench;
        bench.request.options.family["crossbar"]["mode"] = lowLatency ? "ll" : "ht";
        PLAN(plan, bench);
        const CrossbarPlan& crossbar = crossbarOf(**plan);
        double host = 0;
        for (const OpPlan& op : (*plan)->ops) {
            QVERIFY(!op.reason.empty());
            host += op.cost.hostNs;
        }
        QVERIFY(near((*plan)->total.totalNs() - host, crossbar.sampleNs()));
        // In flight, the first sample takes all stages.
        QCOMPARE((*plan)->firstSampleNs().has_value(), !lowLatency);
        if (!lowLatency)
            QVERIFY(near(*(*plan)->firstSampleNs(), crossbar.sampleNs() * crossbar.schedule->stages()));
        QVERIFY((*plan)->residentBytes > 0);
        QVERIFY(crossbar.usedArrays() > 0 && crossbar.usedArrays() <= crossbar.arrays());
        QVERIFY(checkMapping(crossbar.mapping, *crossbar.network, crossbar.chip).has_value());
        // The same request gives the same plan.
        Bench again;
        again.request.options = bench.request.options;
        PLAN(second, again);
        QCOMPARE((*second)->detail->json(), crossbar.json());
    }

    /// What was kept for a machine that is gone is not taken for the next one at the same address.
    void machinesOfASweepAreToldApart() {
        Bench bench;
        const std::shared_ptr<const Target> first = bench.request.target;
        std::weak_ptr<const Target> kept;
        {
            auto slower =
                std::make_shared<const Target>(changedTarget(*first, {{"timing.mvm", "4000"}}).value());
            kept = slower;
            bench.request.target = std::move(slower);
            PLAN(plan, bench);
            bench.request.target = first;
        }
        QVERIFY(!kept.expired());
        for (int mvm = 1000; mvm <= 6000; mvm += 1000) {
            bench.request.target = std::make_shared<const Target>(
                changedTarget(*first, {{"timing.mvm", std::to_string(mvm)}}).value());
            PLAN(plan, bench);
            Bench alone;
            alone.request.target = bench.request.target;
            PLAN(expected, alone);
            QCOMPARE(crossbarOf(**plan).sampleNs(), crossbarOf(**expected).sampleNs());
        }
    }

    void neighboursShareWhatComesOutTheSame_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("figure");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("sharesProgram");
        QTest::addColumn<bool>("sharesProfile");
        const auto row = [](const char* mode, const char* figure, const char* value, bool program,
                            bool profile) {
            QTest::addRow("%s %s", mode, figure) << mode << figure << value << program << profile;
        };
        row("ht", "precision.adc", "6", true, true);
        row("ht", "core.local.bandwidth", "12", true, false);
        row("ht", "bandwidth.connection", "12", true, false);
        row("ht", "timing.vector", "11", false, false); // the mapping weighs it
        row("ht", "timing.mvm", "1500", false, false);
        row("ht", "timing.mvmIssue", "150", false, false);
        row("ht", "chip.global.bandwidth", "32", false, false);
        row("ht", "core.local.capacity", "131072", false, false);
        row("ht", "array.count", "48", false, false);
        row("ll", "precision.adc", "6", true, true);
        row("ll", "core.local.bandwidth", "12", false, false);
        row("ll", "timing.mvm", "1500", false, false);
    }
    /// A machine beside a known one: no step is made twice, and none is taken that would come out otherwise.
    void neighboursShareWhatComesOutTheSame() {
        QFETCH(QString, mode);
        QFETCH(QString, figure);
        QFETCH(QString, value);
        QFETCH(bool, sharesProgram);
        QFETCH(bool, sharesProfile);
        Bench bench, alone;
        bench.request.options.family["crossbar"]["mode"] = mode.toStdString();
        alone.request.options = bench.request.options;
        PLAN(before, bench);
        auto changed = changedTarget(*bench.request.target, {{figure.toStdString(), value.toStdString()}});
        QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
        bench.request.target = alone.request.target = std::make_shared<const Target>(std::move(*changed));
        PLAN(after, bench);
        PLAN(expected, alone);
        const CrossbarPlan &first = crossbarOf(**before), &second = crossbarOf(**after),
                           &made = crossbarOf(**expected);
        QCOMPARE(second.schedule == first.schedule, sharesProgram);
        QCOMPARE(second.profile == first.profile, sharesProfile);
        QCOMPARE(second.json(), made.json());
        QVERIFY(second.schedule->program.cores == made.schedule->program.cores);
        QVERIFY(second.chip == made.chip);
        QCOMPARE((*after)->total.totalNs(), (*expected)->total.totalNs());
    }

    void replicasAreDecidedAndNothingElseMoves() {
        Bench bench;
        PLAN(before, bench);
        const CrossbarPlan& free = crossbarOf(**before);
        const auto largest = std::ranges::max_element(free.mapping.layers, {}, &LayerMapping::replicas);
        QVERIFY(largest->replicas > 2);
        const CrossbarLayer& layer = free.network->layers[largest->partition.layer.index()];
        const std::string name = sampleGraph()->op(layer.ops.front()).name;
        bench.request.overrides.set({name, "replicas", "1"});
        PLAN(after, bench);
        const CrossbarPlan& decided = crossbarOf(**after);
        for (std::size_t entry = 0; entry < free.mapping.layers.size(); ++entry)
            if (&free.mapping.layers[entry] == &*largest)
                QCOMPARE(decided.mapping.layers[entry].replicas, 1);
            else
                QVERIFY(decided.mapping.layers[entry].cores == free.mapping.layers[entry].cores);
        bench.request.overrides = {};
        PLAN(back, bench);
        QCOMPARE((*back)->detail->json(), free.json());
    }

    void anArrayGroupIsMoved() {
        Bench bench;
        PLAN(before, bench);
        const CrossbarPlan& free = crossbarOf(**before);
        const LayerMapping& layer = free.mapping.layers.front();
        const std::string name =
            sampleGraph()->op(free.network->layers[layer.partition.layer.index()].ops.front()).name;
        // To the first core that says yes.
        CoreId to;
        for (const CoreId core : FirstIds<CoreId>(free.chip.cores()))
            if (!to.valid() && core != layer.core(ReplicaId(0), GroupId(0)) &&
                bench.backend().checkOverride(**before,
                                              {name, "cores", coresText({{0, core}}, layer.groups())}))
                to = core;
        QVERIFY(to.valid());
        bench.request.overrides.set({name, "cores", coresText({{0, to}}, layer.groups())});
        PLAN(after, bench);
        const auto& cores = crossbarOf(**after).mapping.layers.front().cores;
        QVERIFY(std::ranges::find(cores, to) != cores.end());
        QVERIFY(checkMapping(crossbarOf(**after).mapping, *free.network, free.chip).has_value());
    }

    /// Another schedule of the same mapping; undone, the plan is what it was.
    void layersShareAStage() {
        Bench bench;
        PLAN(before, bench);
        const CrossbarPlan& free = crossbarOf(**before);
        int stages = free.schedule->stages();
        for (const char* layers : {"2", "4"}) {
            bench.request.overrides.set({"", "stage-layers", layers});
            PLAN(after, bench);
            const CrossbarPlan& grouped = crossbarOf(**after);
            QVERIFY(grouped.schedule->stages() < stages);
            stages = grouped.schedule->stages();
            QVERIFY(near(grouped.profile->firstBatchNs, stages * grouped.profile->periodNs));
            QVERIFY(grouped.profile->firstBatchNs < free.profile->firstBatchNs);
            for (std::size_t i = 0; i < free.mapping.layers.size(); ++i)
                QVERIFY(grouped.mapping.layers[i].cores == free.mapping.layers[i].cores);
            const auto fields = bench.backend().overrideFields(**after, OpId());
            const auto field = std::ranges::find(fields, "stage-layers", &OverrideField::field);
            QVERIFY(field != fields.end() && field->overridden && field->current == layers);
        }
        bench.request.overrides = {};
        PLAN(back, bench);
        QCOMPARE((*back)->detail->json(), free.json());
    }

    /// Likewise, of low latency.
    void mapsAreDealtOutInTiles() {
        Bench bench;
        bench.request.options.family["crossbar"]["mode"] = "ll";
        PLAN(before, bench);
        const CrossbarPlan& free = crossbarOf(**before);
        for (const char* rows : {"1000", "none", "2"}) {
            bench.request.overrides.set({"", "tiles", rows});
            PLAN(after, bench);
            const CrossbarPlan& tiled = crossbarOf(**after);
            QCOMPARE(tiled.mapping.tiles.fromRows, QByteArray(rows).toInt());
            for (std::size_t i = 0; i < free.mapping.layers.size(); ++i)
                QVERIFY(tiled.mapping.layers[i].cores == free.mapping.layers[i].cores);
            const bool strips = QByteArray(rows) != "2"; // no map has 1000 rows
            QCOMPARE(tiled.profile->periodNs == free.profile->periodNs,
                     strips == (free.mapping.tiles.fromRows == 0));
            const auto fields = bench.backend().overrideFields(**after, OpId());
            const auto field = std::ranges::find(fields, "tiles", &OverrideField::field);
            QVERIFY(field != fields.end() && field->overridden && field->current == rows);
        }
        bench.request.overrides = {};
        PLAN(back, bench);
        QCOMPARE((*back)->detail->json(), free.json());
        const auto fields = bench.backend().overrideFields(**back, OpId());
        const auto field = std::ranges::find(fields, "tiles", &OverrideField::field);
        QVERIFY(field != fields.end() && field->current == "mapped");
    }

    /// What a search found is in the mapping: decisions neither lose it nor search again.
    void decisionsKeepTheStagesOfTheSearch() {
        Bench bench;
        bench.request.target = *TargetCatalog::load().find("isaac-12");
        bench.request.options.family["crossbar"]["strategy"] = "search";
        bench.request.options.family["crossbar"]["evaluations"] = "8";
        PLAN(before, bench);
        const CrossbarPlan& free = crossbarOf(**before);
        const auto fields = bench.backend().overrideFields(**before, OpId());
        const auto field = std::ranges::find(fields, "stage-layers", &OverrideField::field);
        QVERIFY(field != fields.end() && field->current == "mapped" &&
                field->values.front().value == "mapped");
        QVERIFY(field->values.front().reason.find(std::to_string(free.mapping.stages.layersAStage)) !=
                std::string::npos);
        // More decisions than the cache keeps plans: all of them are schedules of the same mapping.
        for (const char* layers : {"1", "2", "3", "4", "8", "1"}) {
            bench.request.overrides.set({"", "stage-layers", layers});
            PLAN(after, bench);
            const CrossbarPlan& decided = crossbarOf(**after);
            QVERIFY(decided.schedule->layersAStage <= std::stoi(layers));
            QVERIFY(decided.mapping.stages == free.mapping.stages);
            QVERIFY(decided.mapping.history == free.mapping.history); // with the curve of that search
        }
        bench.request.overrides = {};
        PLAN(back, bench);
        QCOMPARE((*back)->detail->json(), free.json());
        const CrossbarLayer& layer = free.network->layers[free.network->matrixLayers.front().index()];
        bench.request.overrides.set({sampleGraph()->op(layer.ops.front()).name, "replicas", "1"});
        PLAN(wished, bench);
        QCOMPARE(crossbarOf(**wished).mapping.layers.front().replicas, 1);
        QVERIFY(crossbarOf(**wished).mapping.stages.waiting == free.mapping.stages.waiting);
        QVERIFY(crossbarOf(**wished).mapping.history == free.mapping.history);
    }

    void illegalDecisionsAreRefused_data() {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* op, const char* field, const char* value,
                            const char* says) {
            QTest::newRow(name) << QByteArray(op) << QByteArray(field) << QByteArray(value)
                                << QByteArray(says);
        };
        row("no replicas", "first", "replicas", "0", "one replica or more");
        row("too many", "first", "replicas", "100000000", "windows");
        row("no number", "first", "replicas", "many", "one replica or more");
        row("unfolding", "first", "unfolding", "sideways", "no such unfolding");
        row("groups", "second", "unfolding", "i,ok2,1", "convolutions in groups");
        row("words", "first", "cores", "here", "not understood");
        row("core", "first", "cores", "0.0=100000", "cores are 0 to");
        row("replica", "first", "cores", "99999.0=1", "no replica");
        row("field", "first", "colour", "red", "replicas, unfolding and cores");
        row("placement", "first", "placement", "host", "whole network");
        row("mode", "", "mode", "fast", "allowed: ht, ll");
        row("strategy", "", "strategy", "luck", "no such strategy");
        row("layers per stage", "", "stage-layers", "none", "mapped, auto, or 1 to 1000");
        row("tiles", "", "tiles", "0", "mapped, none, or of maps of 1 to");
    }
    void illegalDecisionsAreRefused() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, says);
        Bench bench;
        PLAN(plan, bench);
        const CrossbarPlan& free = crossbarOf(**plan);
        const CrossbarLayer& layer =
            free.network
                ->layers[free.network->matrixLayers[op == "second"].index()]; // the second is depthwise
        const std::string name = op.isEmpty() ? std::string() : sampleGraph()->op(layer.ops.front()).name;
        const Override decision{name, field.toStdString(), value.toStdString()};
        const auto checked = bench.backend().checkOverride(**plan, decision);
        QVERIFY(!checked.has_value());
        QVERIFY2(checked.error().text().find(says.toStdString()) != std::string::npos,
                 checked.error().text().c_str());
        bench.request.overrides.set(decision);
        const auto refused = bench.plan();
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::IllegalOverride);
    }

    /// An ordinary convolution is unfolded in any of the five ways, in both pipelines.
    void anyUnfoldingIsDecided() {
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
            Bench bench;
            bench.request.options.family["crossbar"]["mode"] = name(mode);
            PLAN(before, bench);
            const CrossbarPlan& free = crossbarOf(**before);
            const LayerId layer = free.network->matrixLayers.front();
            const MatrixWork& work = *free.network->layers[layer.index()].matrix();
            const OpId op = free.network->layers[layer.index()].ops.front();
            for (int i = 0; i <= int(Unfolding::WholeWindow); ++i) {
                const Override decision{sampleGraph()->op(op).name, "unfolding",
                                        std::string(name(Unfolding(i)))};
                const auto legal = bench.backend().checkOverride(**before, decision);
                QVERIFY2(legal, legal ? "" : legal.error().text().c_str());
                bench.request.overrides.set(decision);
                PLAN(after, bench);
                const LayerMapping &was = free.mapping.layers.front(),
                                   &is = crossbarOf(**after).mapping.layers.front();
                QCOMPARE(is.partition.unfolding, Unfolding(i));
                // It keeps its arrays: they hold as many replicas as fit into them, core by core.
                const int had = was.replicas * was.partition.crossbars(), one = is.partition.crossbars();
                const int cores = int(std::set(was.cores.begin(), was.cores.end()).size());
                const int left = had - is.replicas * one;
                QVERIFY2(left >= 0 && left <= cores * (one - 1),
                         qPrintable(QString("%1 of %2, had %3").arg(is.replicas).arg(one).arg(had)));
                const std::string& reason = (*after)->ops[op.index()].reason;
                QVERIFY2((reason.find("products each") != std::string::npos) ==
                             spansWindows(work, Unfolding(i)),
                         reason.c_str());
                QVERIFY2(reason.ends_with(decision.value), reason.c_str());
            }
        }
    }

    void fieldsSayWhatIsAllowed() {
        Bench bench;
        PLAN(plan, bench);
        const CrossbarPlan& free = crossbarOf(**plan);
        const OpId op = free.network->layers[free.network->matrixLayers.front().index()].ops.front();
        const auto fields = bench.backend().overrideFields(**plan, op);
        QCOMPARE(fields.size(), std::size_t{3});
        for (const OverrideField& field : fields)
            for (const LegalValue& value : field.values)
                QVERIFY(value.legal || !value.reason.empty());
        QVERIFY(bench.backend().overrideFields(**plan, OpId()).size() == 3);
        bench.request.options.family["crossbar"]["mode"] = "ll"; // it has no stages
        PLAN(lowLatency, bench);
        QVERIFY(bench.backend().overrideFields(**lowLatency, OpId()).back().field == "tiles");
    }

    void codeParsesBack() {
        Bench bench;
        PLAN(plan, bench);
        const auto files = bench.backend().lower(**plan, OpId(), {});
        QVERIFY2(files.has_value(), files ? "" : files.error().text().c_str());
        QCOMPARE(files->size(), std::size_t{1});
        const auto back = parseCrossbarText(files->front().text);
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QVERIFY(back->cores == crossbarOf(**plan).schedule->program.cores);
        const OpId op = crossbarOf(**plan)
                            .network->layers[crossbarOf(**plan).network->matrixLayers.front().index()]
                            .ops.front();
        const auto part = bench.backend().lower(**plan, op, {});
        QVERIFY(part.has_value() && part->front().text.size() < files->front().text.size());
    }

    void simulationIsWhatThePlanSays() {
        Bench bench;
        PLAN(plan, bench);
        const auto run = bench.backend().simulate(**plan, {});
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        QVERIFY(near((*run)->totalNs, crossbarOf(**plan).sampleNs()));
        QVERIFY(!(*run)->timeline.spans.empty());
        double energy = 0;
        for (const auto& [part, pj] : (*run)->energyParts)
            energy += pj;
        if ((*run)->energyPj)
            QVERIFY(near(energy, *(*run)->energyPj));
        // The plan's own time is of the same profiler: that is no prediction to be compared with it.
        QVERIFY(!(*run)->predictedNs);
        QVERIFY(simulationJson(**run, **plan).find("\"predicted_ns\":null") != std::string::npos);
        for (const report::Block& block : report::simulationSection(run->get()).blocks)
            if (const auto* table = std::get_if<report::Table>(&block))
                QVERIFY2(table->caption.find("prediction") == std::string::npos, table->caption.c_str());
    }
};

QTEST_APPLESS_MAIN(TestCrossbarBackend)
#include "tst_backends_crossbar.moc"
