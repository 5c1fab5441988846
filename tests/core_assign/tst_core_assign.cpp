// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A network cut into parts for two machines, and the plan of the whole.
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "tests/support/two_devices.h"

#include <QTest>

using namespace pim;
using namespace pim::test;

namespace {

std::vector<OpId> ids(std::initializer_list<int> values) {
    return {values.begin(), values.end()};
}

} // namespace

class TestAssign : public QObject {
    Q_OBJECT

    /// What is said of parts that make no plan.
    static std::string refusal(JoinRequest request) {
        const auto plan = joinParts(std::move(request));
        return plan ? std::string() : plan.error().message;
    }

private slots:
    void deviceNamesAreReadBack() {
        QVERIFY(DeviceId().onHost() && !DeviceId::first().onHost());
        for (const DeviceId device : {DeviceId::host(), DeviceId::first(), DeviceId(1), DeviceId(11)})
            QVERIFY(deviceFromName(name(device)) == device);
        QCOMPARE(name(DeviceId::first()), std::string("pim"));
        QCOMPARE(name(DeviceId(1)), std::string("pim2"));
        QVERIFY(deviceFromName("pim1") == DeviceId::first());
        for (const char* none : {"", "pim0", "pim-1", "pimx", "gpu", "pim2 "})
            QVERIFY2(!deviceFromName(none), none);
    }

    void cutsAPartThatIsANetworkOfItsOwn() {
        const auto whole = twoDeviceGraph();
        const auto cut = subgraphOf(*whole, ids({3, 1, 2, 3}));
        QVERIFY(cut.has_value());
        QVERIFY(cut->ops == ids({1, 2, 3}));
        const Graph& part = *cut->graph;
        QCOMPARE(part.ops.size(), std::size_t{3});
        QCOMPARE(part.inputs.size(), std::size_t{1});
        QCOMPARE(part.tensor(part.inputs[0]).name, std::string("fc0_out"));
        QVERIFY(!part.tensor(part.inputs[0]).producer.valid());
        QVERIFY(part.tensor(part.inputs[0]).consumers ==
                ids({0})); // not the last op of the whole, which reads it too
        QCOMPARE(part.outputs.size(), std::size_t{1});
        QCOMPARE(part.tensor(part.outputs[0]).name, std::string("fc3_out"));
        QVERIFY(part.tensor(part.outputs[0]).producer == OpId(2));
        for (std::size_t i = 0; i < cut->ops.size(); ++i) {
            QCOMPARE(part.ops[i].name, whole->op(cut->ops[i]).name);
            for (std::size_t k = 0; k < part.ops[i].inputs.size(); ++k)
                QVERIFY(cut->tensors[part.ops[i].inputs[k].index()] == whole->op(cut->ops[i]).inputs[k]);
        }
        QVERIFY(part.predecessors(OpId(1)) == ids({0}));
        QVERIFY(part.source.structureHash != whole->source.structureHash);
        QVERIFY(part.source.structureHash != subgraphOf(*whole, ids({1, 2}))->graph->source.structureHash);
    }

    void theWholeIsAPartOfItself() {
        const auto whole = twoDeviceGraph();
        const auto cut = subgraphOf(*whole, ids({0, 1, 2, 3, 4, 5, 6, 7}));
        QVERIFY(cut.has_value());
        QVERIFY(cut->graph->inputs == whole->inputs && cut->graph->outputs == whole->outputs);
        for (std::size_t t = 0; t < whole->tensors.size(); ++t)
            QVERIFY(cut->graph->tensors[t].consumers == whole->tensors[t].consumers &&
                    cut->graph->tensors[t].producer == whole->tensors[t].producer);
    }

    void noOpAndAnUnknownOpMakeNoPart() {
        const auto whole = twoDeviceGraph();
        QCOMPARE(subgraphOf(*whole, {}).error().code, ErrorCode::Usage);
        for (const int wrong : {-1, kTwoDeviceOps})
            QVERIFY2(subgraphOf(*whole, ids({0, wrong})).error().message.find(std::to_string(wrong)) !=
                         std::string::npos,
                     "names the op");
    }

    void backendsPlanAPartLikeAnyNetwork() {
        const auto whole = twoDeviceGraph();
        const BackendList backends = builtinBackends();
        JoinRequest request{
            whole, {{"aim", knownTarget("aim")}, {"hbm-pim", knownTarget("hbm-pim")}}, {}, {}};
        for (std::size_t d = 0; d < 2; ++d) {
            const auto ops = d == 0 ? ids({0, 1, 2, 3}) : ids({4, 5, 6, 7});
            Subgraph cut = *subgraphOf(*whole, ops);
            const auto plan = compile(backends, {cut.graph, request.devices[d].target, {}, {}});
            QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
            request.parts.push_back({DeviceId(d), cut.ops, cut.tensors, *plan});
        }
        const auto joined = joinParts(request);
        QVERIFY2(joined.has_value(), joined ? "" : joined.error().text().c_str());
        double partsNs = 0;
        for (const PlanPart& part : joined->parts)
            partsNs += part.plan->total.totalNs();
        QVERIFY(partsNs > 0 && std::abs(joined->total.totalNs() - partsNs) < 1e-6 * partsNs);
    }

    void listsWhatCrossesBetweenMachinesOnce() {
        const auto plan = twoDevicePlan();
        QCOMPARE(plan->transfers.size(), std::size_t{2});
        for (const auto& [at, tensor] : {std::pair{0, "fc0_out"}, {1, "fc3_out"}}) {
            const Transfer& transfer = plan->transfers[static_cast<std::size_t>(at)];
            QCOMPARE(plan->graph->tensor(transfer.tensor).name, std::string(tensor));
            QVERIFY(transfer.from == DeviceId(0) && transfer.to == DeviceId(1));
            QCOMPARE(transfer.bytes, std::int64_t{512});
            QCOMPARE(transfer.ns, 256.0);
        }
    }

    void joinedOpsAreThoseOfTheParts() {
        const auto plan = twoDevicePlan();
        const std::string where[] = {"pim", "pim", "host", "pim", "pim2", "pim2", "host", "pim2"};
        double opsNs = 0, partsNs = 0;
        for (std::size_t i = 0; i < plan->ops.size(); ++i) {
            const OpPlan& op = plan->ops[i];
            QCOMPARE(op.op, OpId(static_cast<std::int64_t>(i)));
            QCOMPARE(name(op.placement), where[i]);
            QCOMPARE(op.tensors[0].tensor, plan->graph->ops[i].inputs[1]);
            opsNs += op.cost.totalNs();
        }
        QCOMPARE(plan->ops[5].takesFrom, OpId(4));
        // each transfer is waited for by the first op that reads it there
        QCOMPARE(plan->ops[4].cost.inputNs, 356.0);
        QCOMPARE(plan->ops[7].cost.inputNs, 356.0);
        QCOMPARE(plan->ops[5].cost.inputNs, 100.0);
        for (const PlanPart& part : plan->parts)
            partsNs += part.plan->total.totalNs();
        QCOMPARE(plan->total.totalNs(), opsNs);
        QCOMPARE(plan->total.totalNs(), partsNs + 512);
        QCOMPARE(plan->residentBytes, std::int64_t{8 * 131072});
        QCOMPARE(plan->stages.size(), std::size_t{1});
        QCOMPARE(plan->stages[0].items, std::int64_t{8});
        QCOMPARE(plan->overrides.size(), std::size_t{2});
        QCOMPARE(*plan->overrides.find("fc0", "placement"), std::string("pim"));
        QCOMPARE(*plan->overrides.find("fc4", "placement"), std::string("pim2")); // "pim" to its part
        QCOMPARE(plan->target->id, std::string("aim"));
        QCOMPARE(deviceName(*plan, plan->ops[4].placement), std::string("hbm-pim"));
        QCOMPARE(deviceName(*plan, plan->ops[2].placement), std::string("host"));
        QCOMPARE(deviceName(*plan->parts[1].plan, DeviceId::first()), std::string("PIM"));
    }

    void jsonTellsDevicesPartsAndTransfers() {
        const std::string json = planJson(*twoDevicePlan(), {});
        for (const char* wanted :
             {"\"devices\"", "\"hbm-pim\"", "\"parts\"", "\"transfers\"", "\"pim2\"", "\"fc3_out\""})
            QVERIFY2(json.find(wanted) != std::string::npos, wanted);
        QVERIFY(planJson(*twoDevicePlan()->parts[0].plan, {}).find("\"devices\"") == std::string::npos);
    }

    void partsThatDoNotFitAreRefused() {
        const auto graph = twoDeviceGraph();
        const auto with = [&](auto change) {
            JoinRequest request = twoDevices(graph);
            change(request);
            return refusal(std::move(request));
        };
        const auto says = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QCOMPARE(with([](JoinRequest&) {}), std::string());
        QVERIFY(says(with([](JoinRequest& r) { r.parts.pop_back(); }), "\"fc4\" is in none"));
        QVERIFY(says(with([](JoinRequest& r) { r.parts.push_back(r.parts[0]); }), "\"fc0\" is in two"));
        QVERIFY(says(with([](JoinRequest& r) { std::swap(r.parts[0], r.parts[1]); }), "in a later one"));
        QVERIFY(says(with([](JoinRequest& r) { r.devices[1].name = "aim"; }), "two machines are called"));
        QVERIFY(says(with([](JoinRequest& r) { r.parts[1].device = DeviceId(2); }), "machine 3 of 2"));
        QVERIFY(says(with([](JoinRequest& r) { r.parts[1].device = DeviceId(0); }), "planned for hbm-pim"));
        QVERIFY(says(with([](JoinRequest& r) { r.parts[1].device = DeviceId::host(); }),
                     "is to run on the host"));
        QVERIFY(says(with([](JoinRequest& r) {
                         auto plan = std::make_shared<Plan>(*r.parts[1].plan);
                         auto target = std::make_shared<Target>(*plan->target);
                         target->host.id = "xeon";
                         plan->target = target;
                         r.parts[1].plan = plan;
                     }),
                     "hosts are a100 and xeon"));
        QVERIFY(says(with([](JoinRequest& r) { r.transfers[0].to = DeviceId::host(); }),
                     "where nothing reads it"));
        QVERIFY(says(refusal({graph, {}, {}, {}}), "no machine"));
    }
};

QTEST_GUILESS_MAIN(TestAssign)
#include "tst_core_assign.moc"
