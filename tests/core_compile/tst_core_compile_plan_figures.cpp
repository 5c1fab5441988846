// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Figures that every plan has: prices on the host, sums, and the text of plan and simulation.
#include <QTest>

#include <string>

#include "core/compile/compiler.h"
#include "core/compile/simulation_json.h"
#include "core/plan/plan_totals.h"

using namespace pim;

namespace {

/// An op of name "Foo…" is known to no host; others take a nanosecond more each.
class MadeUpHost final : public HostModel {
public:
    HostCost cost(const Graph& graph, OpId op, const Host&, DataType type) const override {
        if (graph.op(op).type == "Foo" || type != DataType::F32)
            return {.known = false, .ns = 99};
        return {.known = true, .ns = 1.5 + double(op.value)};
    }
};

Plan plan() {
    auto graph = std::make_shared<Graph>();
    for (const char* type : {"MatMul", "Foo", "Relu"}) {
        Op op;
        op.type = type;
        op.name = std::string(type) + "_0";
        graph->ops.push_back(std::move(op));
    }
    auto target = std::make_shared<Target>();
    target->id = "machine";
    Plan plan;
    plan.graph = graph;
    plan.target = target;
    return plan;
}

} // namespace

class TestPlanFigures : public QObject {
    Q_OBJECT

private slots:
    void everyOpHasItsPriceOnTheHost() {
        Plan p = plan();
        priceOnHost(p, MadeUpHost(), DataType::F32);
        QCOMPARE(p.ops.size(), std::size_t(3));
        QCOMPARE(p.ops[2].op, OpId(2));
        QCOMPARE(p.ops[2].hostNs, 3.5);
        QVERIFY(p.ops[2].hostKnown);
        QCOMPARE(p.ops[2].placement, DeviceId::host());
        QVERIFY(!p.ops[1].hostKnown);
        QCOMPARE(p.ops[1].hostNs, 0.0);
        QCOMPARE(p.ops[0].cost.totalNs(), 0.0);
        QCOMPARE(hostCostUnknown(p.graph->ops[1]).message,
                 std::string("Foo runs on the host at unknown cost, counted as 0"));
        QCOMPARE(hostCostUnknown(p.graph->ops[1]).object, std::string("Foo_0"));
    }

    void sumsAreOfTheOpsAlone() {
        Plan p = plan();
        priceOnHost(p, MadeUpHost(), DataType::F32);
        p.ops[0].cost.computeNs = 0.25;
        p.ops[2].cost.hostNs = p.ops[2].hostNs;
        addUp(p);
        addUp(p); // again: nothing is counted twice
        QCOMPARE(p.total.computeNs, 0.25);
        QCOMPARE(p.total.hostNs, 3.5);
        QCOMPARE(p.hostOnlyNs, 5.0);
    }

    void membersStandBeforeThePlan() {
        const Plan p = plan();
        const std::string own = planJson(p);
        QVERIFY(own.starts_with("{\n  \"total_ns\": "));
        QCOMPARE(planJson(p, {{"run", "7"}, {"found", "{\"ops\": 1}"}}),
                 "{\n  \"run\": 7,\n  \"found\": {\"ops\": 1},\n" + own.substr(2));
    }

    void aSimulationIsOneLine() {
        const Plan p = plan();
        Simulation s;
        s.totalNs = 12.5;
        s.predictedNs = 10;
        s.controller = "strict";
        s.device = "D";
        s.commands = 3;
        s.differenceNs = {{"refresh", 2.5}};
        s.summary = "12.5 ns";
        SimulatedOp op;
        op.op = OpId(2);
        op.cost.hostNs = 1;
        op.note = "on the host";
        s.ops.push_back(op);
        op = {};
        op.op = OpId(0);
        op.origin = Origin::Simulated;
        op.timing = std::make_shared<SequenceTiming>();
        op.channels = 4;
        op.energyPj = 8;
        s.ops.push_back(op);
        const std::string json = simulationJson(s, p);
        QVERIFY(json.starts_with(
            "{\"total_ns\":12.5,\"predicted_ns\":10.0,\"controller\":\"strict\",\"device\":\"D\","
            "\"commands\":3,\"difference_ns\":{\"refresh\":2.5},\"waited_ns\":{},"
            "\"energy_pj\":null,\"energy_parts_pj\":{},\"energy_note\":\"\","
            "\"summary\":\"12.5 ns\",\"ops\":[{\"name\":\"Relu_0\",\"origin\":\"predicted\","));
        QVERIFY(json.find(
                    "\"host_read_ns\":0.0,\"host_write_ns\":0.0,\"energy_pj\":null,\"note\":\"on the host\"},"
                    "{\"name\":\"MatMul_0\",\"origin\":\"simulated\",") != std::string::npos);
        QVERIFY(json.ends_with("\"ticks\":0,\"refresh_ticks\":0,\"channels\":4,\"energy_pj\":8.0}]}"));
    }
};

QTEST_APPLESS_MAIN(TestPlanFigures)
#include "tst_core_compile_plan_figures.moc"
