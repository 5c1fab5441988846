// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Dual-mode chips through the compiler's door: parts that add up, baselines that can be opened, decisions, code, simulation,
/// sweeps.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "backends/dual_mode/flow/simulate.h"
#include "backends/dual_mode/plan.h"
#include "core/compile/compiler.h"
#include "core/compile/sweep.h"
#include "core/drafts/dataflow.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/report_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace pim;

namespace {

const char* const kSample = PIM_SOURCE_DIR "/projects/resnet50/resnet50.onnx";

std::shared_ptr<const Graph> resnet() {
    static const auto graph = loadGraph(kSample, {.bindings = {{"batch", 1}}, .disabledPasses = {}});
    return graph ? *graph : nullptr;
}

struct Bench {
    BackendList backends = builtinBackends();
    PlanRequest request{resnet(), *TargetCatalog::load().find("dynaplasia"), {}, {}};

    Result<std::shared_ptr<const Plan>> plan() const { return compile(backends, request); }
    const Backend& backend() const { return **backends.find("dual_mode"); }
};

const DualModePlan& dualModeOf(const Plan& plan) {
    return dynamic_cast<const DualModePlan&>(*plan.detail);
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

} // namespace

class TestDualMode : public QObject {
    Q_OBJECT
private slots:
    void reportsSayWhereTheirFiguresAreFrom_data() {
        QTest::addColumn<QByteArray>("cost");
        QTest::addColumn<QByteArray>("origin");
        QTest::newRow("formula") << QByteArray("formula") << QByteArray("predicted");
        QTest::newRow("flow") << QByteArray("once") << QByteArray("simulated");
    }
    void reportsSayWhereTheirFiguresAreFrom() {
        QFETCH(QByteArray, cost);
        QFETCH(QByteArray, origin);
        Bench bench;
        bench.request.options.family["dual_mode"] = {{"cost", cost.toStdString()}};
        const auto plan = bench.plan();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        int drawings = 0;
        for (const report::Section& section : bench.backend().reportSections()->sections(**plan))
            for (const report::Block& block : section.blocks)
                if (const auto* drawing = std::get_if<report::Drawing>(&block)) {
                    ++drawings;
                    QVERIFY2(drawing->title.ends_with(origin.toStdString()), drawing->title.c_str());
                }
        QVERIFY(drawings > 0);
    }

    void partsOfTheOpsAreTheTimeOfTheSegments() {
        const auto plan = Bench().plan();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const DualModePlan& dualMode = dualModeOf(**plan);
        QVERIFY(near((*plan)->total.totalNs(), dualMode.segmentation.cycles * dualMode.chip.cycleNs));
        int onVectorUnit = 0;
        double rewrite = 0, switching = 0;
        for (const DualModeSegment& segment : dualMode.segmentation.segments) {
            rewrite += segment.rewrite;
            switching += segment.switching;
        }
        QVERIFY(near((*plan)->total.rewriteNs, rewrite * dualMode.chip.cycleNs));
        QVERIFY(near((*plan)->total.modeSwitchNs, switching * dualMode.chip.cycleNs));
        for (const OpPlan& op : (*plan)->ops) {
            QVERIFY(!op.reason.empty());
            const bool matrix = std::any_of(dualMode.workload->ops.begin(), dualMode.workload->ops.end(),
                                            [&](const DualModeOp& each) { return each.op == op.op; });
            QVERIFY(op.cost.totalNs() > 0 || !matrix);
            // of what the chip moves: bytes, while the file has fractions of four
            const double intensity = intensityAs(*(*plan)->graph, (*plan)->graph->op(op.op), DataType::I8);
            QVERIFY2(!matrix || op.reason.ends_with(fmt::format(", AI {:.1f} FLOP/B", intensity)),
                     op.reason.c_str());
            const auto left =
                std::ranges::find(dualMode.workload->left, op.op, &std::pair<OpId, std::string>::first);
            if (!matrix && left != dualMode.workload->left.end() && op.cost.totalNs() > 0) {
                ++onVectorUnit;
                QVERIFY(!left->second.starts_with("host"));
                QCOMPARE(op.cost.totalNs(), op.cost.computeNs);
            }
        }
        QVERIFY(onVectorUnit > 0);
        QVERIFY(planJson(**plan).find("\"dual-mode\"") != std::string::npos);
    }

    void everyBaselineOpensAsAPlan() {
        Bench bench;
        const auto plan = bench.plan();
        QCOMPARE((*plan)->baselines.size(), std::size_t{3});
        for (const Baseline& baseline : (*plan)->baselines) {
            QVERIFY((*plan)->speedupOver(baseline) >= 1);
            bench.request.overrides = {};
            bench.request.overrides.set({"", "strategy", baseline.id});
            const auto opened = bench.plan();
            QVERIFY2(opened.has_value(), baseline.id.c_str());
            QVERIFY2(near((*opened)->total.totalNs(), baseline.totalNs), baseline.id.c_str());
            for (const DualModeSegment& segment : dualModeOf(**opened).segmentation.segments)
                QCOMPARE(segment.memoryArrays(), 0);
        }
    }

    void decisionsAreKeptOrRefusedWithTheReason() {
        Bench bench;
        const auto plan = bench.plan();
        const std::string op = "/layer1.0/conv1/Conv";
        const OpId id = bench.request.graph->findOp(op);
        const auto fields = bench.backend().overrideFields(**plan, id);
        const auto field = std::find_if(fields.begin(), fields.end(), [](const OverrideField& f) {
            return f.field.starts_with("compute arrays/");
        });
        QVERIFY(field != fields.end());
        const auto value = std::find_if(field->values.begin(), field->values.end(), [&](const LegalValue& v) {
            return v.legal && v.value != field->current;
        });
        QVERIFY(value != field->values.end());
        QVERIFY(bench.backend().checkOverride(**plan, {op, field->field, value->value}).has_value());
        bench.request.overrides.set({op, field->field, value->value});
        const auto pinned = bench.plan();
        QVERIFY2(pinned.has_value(), pinned ? "" : pinned.error().text().c_str());
        const auto now = bench.backend().overrideFields(**pinned, id);
        const auto same = std::find_if(now.begin(), now.end(),
                                       [&](const OverrideField& f) { return f.field == field->field; });
        QVERIFY(same != now.end() && same->current == value->value && same->overridden);
        // Overrides survive their text.
        const auto again = Overrides::fromJson(bench.request.overrides.json(), {});
        QVERIFY(again && *again == bench.request.overrides);

        const std::pair<Override, const char*> bad[] = {{{op, field->field, "500"}, "allowed"},
                                                        {{op, "placement", "host"}, "whole network"},
                                                        {{op, "draft", "x"}, ""},
                                                        {{"nothing", "placement", "pim"}, "no op"},
                                                        {{"", "strategy", "best"}, "dual-mode"}};
        for (const auto& [decision, words] : bad) {
            const auto verdict = bench.backend().checkOverride(**plan, decision);
            QVERIFY2(!verdict.has_value(), decision.value.c_str());
            QCOMPARE(verdict.error().code, ErrorCode::IllegalOverride);
            QVERIFY2(verdict.error().text().find(words) != std::string::npos, verdict.error().text().c_str());
            bench.request.overrides = {};
            bench.request.overrides.set(decision);
            QVERIFY(!bench.plan().has_value());
        }
    }

    void codeParsesBackAndTheSimulatorTellsTheDifference() {
        Bench bench;
        bench.request.options.family["dual_mode"] = {{"cost", "formula"}};
        const auto plan = bench.plan();
        const auto files = bench.backend().lower(**plan, OpId(), {});
        QVERIFY2(files.has_value(), files ? "" : files.error().text().c_str());
        QCOMPARE(files->size(), std::size_t{1});
        const auto flow = parseFlow(files->front().text);
        QVERIFY(flow.has_value());
        QCOMPARE(flowText(*flow), files->front().text);
        QCOMPARE(flow->blocks.size(), dualModeOf(**plan).segmentation.segments.size());
        const auto part =
            bench.backend().lower(**plan, bench.request.graph->findOp("/layer1.0/conv1/Conv"), {});
        QVERIFY(part && part->front().text.size() < files->front().text.size());

        const auto run = bench.backend().simulate(**plan, {});
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        QVERIFY(near((*run)->predictedNs.value(), (*plan)->total.totalNs()));
        double difference = 0;
        for (const auto& [cause, ns] : (*run)->differenceNs)
            difference += ns;
        QVERIFY(std::abs((*run)->totalNs - *(*run)->predictedNs - difference) <= 1e-6 * (*run)->totalNs);
        QCOMPARE((*run)->phases.size(), flow->blocks.size());
        QVERIFY(!(*run)->timeline.spans.empty() && near((*run)->timeline.endNs, (*run)->totalNs));
        QVERIFY(!(*run)->summary.empty());
    }

    /// Planning with one bus for everything predicts what the simulator finds better than the published model does.
    void oneBusForAllComesCloserToTheSimulation() {
        Bench bench;
        bench.request.options.family["dual_mode"] = {{"cost", "formula"}};
        const auto off = [&] {
            const auto plan = bench.plan();
            const auto run = bench.backend().simulate(**plan, {});
            return (*run)->totalNs / (*plan)->total.totalNs();
        };
        const double published = off();
        bench.request.options.family["dual_mode"] = {{"cost", "formula"},
                                                     {"rewrite", "bus"},
                                                     {"main-bandwidth", "shared"},
                                                     {"traffic", "activations"}};
        const double bus = off();
        QVERIFY2(bus < published && bus >= 0.99 && bus < 2,
                 qPrintable(QString("%1 %2").arg(published).arg(bus)));
        // A segment cannot be written faster than its weights come.
        const auto plan = bench.plan();
        const DualModePlan& dualMode = dualModeOf(**plan);
        for (const DualModeSegment& segment : dualMode.segmentation.segments) {
            double bytes = 0;
            for (int piece = segment.first; piece <= segment.last; ++piece) {
                const DualModeSubOp& op = dualMode.subOps[static_cast<std::size_t>(piece)];
                bytes += static_cast<double>(op.n * op.k * op.g);
            }
            QVERIFY(segment.rewrite >= bytes / dualMode.chip.mainBytesPerCycle - 1e-9);
        }
    }

    /// Judged by its flow, a plan takes what the simulator says of it, its parts add up, and it is no slower than the best plan by formula
    /// or than any chip that only computes, simulated as well.
    void flowDecides_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"dynaplasia", "dynaplasia-fast", "isscc21-dual", "prime-1024"})
            QTest::newRow(target) << target;
    }
    void flowDecides() {
        QFETCH(QString, target);
        Bench bench;
        bench.request.target = *TargetCatalog::load().find(target.toStdString());
        const auto simulated = [&](const Plan& plan) {
            return (*bench.backend().simulate(plan, {}))->totalNs;
        };
        bench.request.options.family["dual_mode"] = {{"cost", "formula"}};
        const auto byFormula = bench.plan();
        bench.request.overrides.set({"", "strategy", "all-compute"});
        const auto plainByFormula = bench.plan();
        const double formula = simulated(**byFormula), plain = simulated(**plainByFormula);
        bench.request.overrides = {};
        bench.request.options.family.clear();
        const auto plan = bench.plan();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE((*plan)->origin, Origin::Simulated);
        const double total = (*plan)->total.totalNs();
        const auto run = bench.backend().simulate(**plan, {});
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        QVERIFY(near((*run)->totalNs, total));
        QVERIFY(!(*run)->predictedNs && (*run)->differenceNs.empty());
        for (const SimulatedPhase& phase : (*run)->phases)
            QVERIFY(near(phase.predictedNs, phase.simulatedNs) && phase.why.empty());
        QVERIFY2(total <= formula && total <= plain,
                 qPrintable(QString("%1 %2 %3").arg(total).arg(formula).arg(plain)));
        double segments = 0;
        for (const DualModeSegment& segment : dualModeOf(**plan).segmentation.segments)
            segments += segment.cycles() * dualModeOf(**plan).chip.cycleNs;
        QVERIFY(near(segments, total));
        QCOMPARE((*plan)->baselines.size(), std::size_t{3});
        for (const Baseline& baseline : (*plan)->baselines) {
            QVERIFY2((*plan)->speedupOver(baseline) >= 1, baseline.id.c_str());
            bench.request.overrides.set({"", "strategy", baseline.id});
            const auto opened = bench.plan();
            QVERIFY2(opened.has_value(), baseline.id.c_str());
            QVERIFY2(near((*opened)->total.totalNs(), baseline.totalNs), baseline.id.c_str());
            QVERIFY2(near(simulated(**opened), baseline.totalNs), baseline.id.c_str());
        }
    }

    /// The figure of a first look is the simulator's, and it knows what all arrays computing would take; decisions hold.
    void firstLooksAreTimedOnce() {
        const OptionTable& table = *Bench().backend().options();
        OptionTexts quick;
        for (const OptionInfo& info : table.infos())
            if (!info.quick.empty())
                QVERIFY(table.set(quick, info.key, info.quick).has_value());
        QCOMPARE(quick, (OptionTexts{{"cost", "once"}}));
        for (const char* target : {"dynaplasia", "prime"}) {
            Bench bench;
            bench.request.target = *TargetCatalog::load().find(target);
            const double thorough = (*bench.plan())->total.totalNs();
            bench.request.options.family["dual_mode"] = quick;
            const auto plan = bench.plan();
            QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
            QCOMPARE((*plan)->origin, Origin::Simulated);
            const double total = (*plan)->total.totalNs();
            QVERIFY(near((*bench.backend().simulate(**plan, {}))->totalNs, total));
            QVERIFY2(total < 1.25 * thorough, qPrintable(QString("%1 %2").arg(total).arg(thorough)));
            QCOMPARE((*plan)->baselines.size(), std::size_t{1});
            QCOMPARE((*plan)->baselines.front().id, std::string("all-compute"));
            QVERIFY((*plan)->speedupOver((*plan)->baselines.front()) >= 1 - 1e-12); // or the same
            bench.request.overrides.set({"", "strategy", "all-compute"});
            const auto plain = bench.plan();
            QVERIFY2(plain.has_value(), plain ? "" : plain.error().text().c_str());
            QVERIFY(near((*plain)->total.totalNs(), (*plan)->baselines.front().totalNs));
            bench.request.overrides.set({"", "strategy", "occ"});
            const auto alone = bench.plan();
            QVERIFY((*alone)->total.totalNs() > total && (*alone)->baselines.size() == 1);
            bench.request.overrides = {};
            bench.request.overrides.set({"", "cap", "30"});
            const auto capped = bench.plan();
            QVERIFY2(capped.has_value(), capped ? "" : capped.error().text().c_str());
            QCOMPARE(dualModeOf(**capped).cap, 30);
        }
    }

    /// Ops that share a segment are charged for it by how long each takes in the flow, not by what the formulas say.
    void flowSharesOutItsOwnTimes() {
        Bench bench;
        const auto plan = bench.plan();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto flow = emitFlow(*bench.request.graph, dualModeOf(**plan));
        QVERIFY(flow.has_value());
        const auto run = simulateFlow(*flow, dualModeOf(**plan));
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        struct InFlow {
            std::set<int> blocks;
            double ns = 0;
        };
        std::map<OpId, InFlow> ops;
        for (const DualModeOpTime& op : run->ops)
            if (op.piece >= 0) {
                ops[op.op].blocks.insert(op.block);
                ops[op.op].ns += op.endNs - op.startNs;
            }
        std::map<int, double> charged; // by block: ns charged a ns in the flow
        int compared = 0;
        for (const auto& [id, op] : ops) {
            if (op.blocks.size() > 1)
                continue;
            const CostSplit& cost = (*plan)->ops[id.index()].pimCost.value();
            const double rate = (cost.computeNs + cost.inputNs) / op.ns;
            const auto [first, isFirst] = charged.emplace(*op.blocks.begin(), rate);
            QVERIFY2(near(first->second, rate), bench.request.graph->op(id).name.c_str());
            compared += !isFirst;
        }
        QVERIFY2(compared > 10, qPrintable(QString::number(compared)));
    }

    /// A decision on a piece holds, whichever proposal is the fastest.
    void flowKeepsDecisions() {
        Bench bench;
        const auto plan = bench.plan();
        const std::string op = "/layer1.0/conv1/Conv";
        const OpId id = bench.request.graph->findOp(op);
        const auto isCompute = [](const OverrideField& f) { return f.field.starts_with("compute arrays/"); };
        const auto fields = bench.backend().overrideFields(**plan, id);
        const auto field = std::ranges::find_if(fields, isCompute);
        QVERIFY(field != fields.end());
        const auto value = std::ranges::find_if(
            field->values, [&](const LegalValue& v) { return v.legal && v.value != field->current; });
        QVERIFY(value != field->values.end());
        bench.request.overrides.set({op, field->field, value->value});
        const auto pinned = bench.plan();
        QVERIFY2(pinned.has_value(), pinned ? "" : pinned.error().text().c_str());
        const auto now = bench.backend().overrideFields(**pinned, id);
        const auto same = std::ranges::find(now, field->field, &OverrideField::field);
        QVERIFY(same != now.end() && same->current == value->value && same->overridden);
        bench.request.options.family["dual_mode"] = {{"cost", "guess"}};
        QVERIFY(!bench.plan().has_value());
    }

    void targetsWithoutSenseAreRefused() {
        Bench bench;
        Target broken = *bench.request.target;
        broken.levels.back().count = 0;
        QVERIFY(!bench.backend().checkTarget(broken).empty());
        broken = *bench.request.target;
        broken.parameters["bandwidth.internal"].value = 0;
        broken.parameters["bandwidth.array"].value = 0;
        bench.request.target = std::make_shared<const Target>(broken);
        const auto refused = bench.plan();
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::InvalidTarget);
        QVERIFY2(refused.error().message.find("B/cycle") != std::string::npos,
                 refused.error().message.c_str());
    }

    void sweepsOverDimensions() {
        Bench bench;
        const TargetCatalog catalog = TargetCatalog::load();
        SweepSetup setup;
        setup.model = importModel(kSample).value();
        setup.request = bench.request;
        setup.axes = parseSweep("batch=1..4").value();
        QCOMPARE(setup.axes.front().values, (std::vector<std::string>{"1", "2", "4"}));
        QVERIFY(prepareSweep(bench.backends, setup, catalog).has_value());
        std::vector<SweepPoint> points;
        const auto take = [&](SweepPoint point) -> Result<void> {
            points.push_back(std::move(point));
            return {};
        };
        QVERIFY(sweep(bench.backends, setup, {}, take).has_value());
        QCOMPARE(points.size(), std::size_t{3});
        QVERIFY(near(points[0].totalNs, (*bench.plan())->total.totalNs()));
        QVERIFY(points[2].totalNs > 2 * points[0].totalNs);
        for (const SweepPoint& point : points)
            QVERIFY(point.problem.empty() && point.baselines.front().totalNs >= point.totalNs);
        setup.axes = parseSweep("seq=1").value();
        const auto unknown = prepareSweep(bench.backends, setup, catalog);
        QVERIFY(!unknown && unknown.error().text().find("batch") != std::string::npos);
        for (const char* bad : {"", "batch", "batch=", "=1", "batch=1;batch=2", "batch=4..1"})
            QVERIFY2(!parseSweep(bad).has_value(), bad);
        for (const char* bad : {"batch=0", "batch=1,x"}) {
            setup.axes = parseSweep(bad).value();
            QVERIFY2(!prepareSweep(bench.backends, setup, catalog).has_value(), bad);
        }
    }
};

QTEST_GUILESS_MAIN(TestDualMode)
#include "tst_backends_dual_mode.moc"
