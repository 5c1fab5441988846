// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Plans over several machines on numbers: what one machine makes is what the next one reads, and all together compute the network.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/base/paths.h"
#include "core/compile/system_plan.h"
#include "core/execute/parts_network.h"
#include "core/graph/import.h"
#include "core/lut/network/inference.h"
#include "core/numeric/real_run.h"

#include <nlohmann/json.hpp>

#include <set>

using namespace pim;

class TestParts : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    const RooflineHost m_host;

    Result<SystemPlan> planned(const char* system, std::shared_ptr<const Graph> graph,
                               const Overrides& placed = {}) {
        SystemSetup setup;
        PIM_TRY(setup.system, findSystem(system, m_catalog));
        setup.graph = std::move(graph);
        setup.options.verifyDrafts = 0;
        setup.simulates = false;
        setup.overrides = placed;
        return planSystem(m_backends, m_host, setup);
    }
    static std::shared_ptr<const Graph> tinyGpt() {
        return loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 31}}}).value();
    }
    /// Products in turn on the devices.
    static Overrides inTurn(const Graph& graph, const std::string& system,
                            const std::vector<std::string>& devices) {
        Overrides placed;
        std::size_t next = 0;
        for (const Op& op : graph.ops)
            if (op.work.weightBytes > 0 && op.opClass == OpClass::MatMul)
                placed.set({op.name, std::string(kDeviceField) + system, devices[next++ % devices.size()]});
        return placed;
    }

private slots:
    void bordersAreCrossed_data() {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<double>("most");
        QTest::newRow("GPU, memory and crossbars")
            << "gpu-hbm-crossbar" << QStringList{"hbm-pim", "crossbar", "host"} << 0.01;
        QTest::newRow("dual-mode and crossbars")
            << "edge-board" << QStringList{"dual-mode", "crossbar"} << 0.1;
        QTest::newRow("DPUs and memristors") << "cinm-server" << QStringList{"upmem", "pcm"} << 0.1;
    }
    void bordersAreCrossed() {
        QFETCH(QString, system);
        QFETCH(QStringList, devices);
        QFETCH(double, most);
        const auto graph = tinyGpt();
        std::vector<std::string> names;
        for (const QString& device : devices)
            names.push_back(device.toStdString());
        const auto plan =
            planned(system.toUtf8().constData(), graph, inTurn(*graph, system.toStdString(), names));
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto report = checkParts(m_backends, *plan->plan, {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY2(!report->problem, report->problem ? report->problem->text().c_str() : "");
        const auto json = nlohmann::json::parse(report->json);
        std::set<std::string> seen;
        bool rounds = false;
        for (const auto& part : json["parts"]) {
            seen.insert(part["device"].get<std::string>());
            rounds = rounds || part["adds"].get<double>() > 0;
        }
        for (const std::string& name : names)
            QVERIFY2(seen.contains(name), (name + "\n" + report->text).c_str());
        QVERIFY2(rounds, report->text.c_str()); // float32 everywhere would not be what machines compute
        QVERIFY2(json["relative_error"].get<double>() < most, report->text.c_str());
        const auto again = checkParts(m_backends, *plan->plan, {.threads = 1});
        QVERIFY(again);
        QCOMPARE(again->json, report->json);
    }

    void classifiesDigitsOnThreeMachines() {
        const auto folder = std::filesystem::path(PIM_SOURCE_DIR) / "tests/golden/lut/vit_digits";
        const auto set = lut::openDataSet(folder).value();
        const auto test = lut::readSamples(set, "test").value().first(40);
        const auto calibration = lut::readSamples(set, "calib", false).value();
        const auto graph = loadGraph(folder / "vit_digits.onnx", {.bindings = {{"batch", 1}}}).value();
        const auto plan =
            planned("cinm-server", graph, inTurn(*graph, "cinm-server", {"upmem", "pcm", "host"}));
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        NumberOptions options;
        options.calibration = lut::inputsOf(*graph, set, calibration, 16).value();
        const auto network = networkOfParts(m_backends, *plan->plan, options);
        QVERIFY2(network, network ? "" : network.error().text().c_str());
        const auto logits =
            lut::logitsOf([&](std::span<const Value> inputs,
                              const TaskContext& task) { return (*network)->run(inputs, task); },
                          *graph, set, test);
        QVERIFY2(logits, logits ? "" : logits.error().text().c_str());
        QVERIFY2(logits->accuracy(test.labels) >= 0.9,
                 qPrintable(QString::number(logits->accuracy(test.labels))));
        QVERIFY2((*network)->numbers().find("pcm: ") != std::string::npos, (*network)->numbers().c_str());
    }

    /// A part that reads something else than it was cut with is found.
    void aWrongBorderIsFound() {
        const auto graph = tinyGpt();
        const auto made =
            planned("gpu-hbm-crossbar", graph, inTurn(*graph, "gpu-hbm-crossbar", {"hbm-pim", "crossbar"}));
        QVERIFY(made);
        Plan plan = *made->plan;
        bool changed = false;
        for (PlanPart& part : plan.parts) {
            const auto& inputs = part.plan->graph->inputs;
            for (std::size_t a = 0; a < inputs.size() && !changed; ++a)
                for (std::size_t b = a + 1; b < inputs.size() && !changed; ++b)
                    if (part.plan->graph->tensor(inputs[a]).shape ==
                            part.plan->graph->tensor(inputs[b]).shape &&
                        part.plan->graph->tensor(inputs[a]).dtype ==
                            part.plan->graph->tensor(inputs[b]).dtype) {
                        std::swap(part.tensors[inputs[a].index()], part.tensors[inputs[b].index()]);
                        changed = true;
                    }
        }
        QVERIFY(changed);
        const auto report = checkParts(m_backends, plan, {});
        QVERIFY(report ? report->problem.has_value() : report.error().code == ErrorCode::Internal);
    }

    void onePlanIsNoParts() {
        Plan plan;
        plan.graph = tinyGpt();
        const auto report = checkParts(m_backends, plan, {});
        QVERIFY(!report && report.error().code == ErrorCode::Usage);
    }
};

QTEST_GUILESS_MAIN(TestParts)
#include "tst_core_execute_parts.moc"
