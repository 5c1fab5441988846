// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Predicted beside simulated times: rows are what plan and simulator say by themselves, in order; sums are over what could be compared.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/compile/predictions.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"

#include <cmath>

using namespace pim;

class TestPredictions : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    PredictionSetup setup(const std::vector<const char*>& targets) const {
        PredictionSetup made;
        const auto graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 31}}}).value();
        made.models = {{"second", graph}, {"first", graph}};
        for (const char* target : targets)
            made.targets.push_back(m_catalog.find(target).value());
        return made;
    }

private slots:
    void rowsAreWhatPlanAndSimulatorSay() {
        PredictionSetup asked = setup({"hbm-pim", "dynaplasia", "upmem-1"});
        asked.options.family["dual_mode"] = {{"cost", "formula"}};
        const auto rows = comparePredictions(m_backends, asked);
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        QCOMPARE(rows->size(), std::size_t{6});
        const char* const order[] = {"dynaplasia", "hbm-pim", "upmem-1"};
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const PredictionRow& row = (*rows)[i];
            QCOMPARE(row.model, std::string(i < 3 ? "first" : "second"));
            QCOMPARE(row.target, std::string(order[i % 3]));
            QVERIFY2(row.problem.empty(), row.problem.c_str());
            const PredictionRow& other = (*rows)[(i + 3) % 6];
            QCOMPARE(row.simulatedNs, other.simulatedNs);
            double causes = 0;
            for (const auto& [cause, ns] : row.causesNs)
                causes += ns;
            if (!row.causesNs.empty())
                QVERIFY(std::abs(row.predictedNs + causes - row.simulatedNs) <= 1e-6 * row.simulatedNs);
        }
        const auto plan = compile(m_backends, {asked.models[0].graph, asked.targets[1], {}, asked.options});
        const auto simulation = (*m_backends.find("dual_mode"))->simulate(**plan, {});
        QVERIFY(plan && simulation);
        QCOMPARE(rows->front().predictedNs, *(*simulation)->predictedNs);
        QCOMPARE(rows->front().simulatedNs, (*simulation)->totalNs);
        QCOMPARE(rows->front().gain, 0.0); // over a baseline that was predicted as well
    }

    /// Plans that are timed by their flows: nothing is learnt of a formula, and what the planner gains is simulated.
    void gainsAreSimulated() {
        const PredictionSetup asked = setup({"dynaplasia"});
        const auto rows = comparePredictions(m_backends, asked);
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        const auto plan = compile(m_backends, {asked.models[0].graph, asked.targets[0], {}, asked.options});
        QVERIFY(plan);
        const PredictionRow& row = rows->front();
        QVERIFY(row.timedWhilePlanning);
        QCOMPARE(row.ratio(), 1.0);
        QCOMPARE(row.baseline, std::string("all-compute"));
        QVERIFY(row.gain >= 1);
        PlanRequest plain{asked.models[0].graph, asked.targets[0], {}, asked.options};
        plain.overrides.set({"", "strategy", "all-compute"});
        const auto computing = compile(m_backends, plain);
        QVERIFY(computing);
        const auto simulated = (*m_backends.find("dual_mode"))->simulate(**computing, {});
        QVERIFY(simulated);
        QVERIFY(std::abs((*simulated)->totalNs / row.simulatedNs / row.gain - 1) < 1e-9);
        const PredictionSummary sum = summarise(*rows);
        QCOMPARE(sum.gains, rows->size());
        QCOMPARE(sum.leastGain, sum.medianGain);
    }

    void sumsLeaveOutWhatCouldNotBeCompared() {
        std::vector<PredictionRow> rows(5);
        const double predicted[] = {90, 120, 100, 50, 1};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].kind = i == 3 ? "b" : "a";
            rows[i].predictedNs = predicted[i];
            rows[i].simulatedNs = 100;
        }
        rows[2].timedWhilePlanning = true;
        rows[4].problem = "does not fit";
        const PredictionSummary all = summarise(rows), a = summarise(rows, "a"), none = summarise(rows, "c");
        QCOMPARE(all.rows, std::size_t{4});
        QCOMPARE(all.timedWhilePlanning, std::size_t{1});
        QVERIFY(std::abs(all.median - 0.15) < 1e-12 && std::abs(all.worst - 0.5) < 1e-12);
        QCOMPARE(a.rows, std::size_t{3});
        QVERIFY(std::abs(a.median - 0.1) < 1e-12 && std::abs(a.worst - 0.2) < 1e-12);
        QCOMPARE(none.rows, std::size_t{0});
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const auto rows = comparePredictions(m_backends, setup({"dynaplasia"}), task);
        QVERIFY(!rows && rows.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestPredictions)
#include "tst_core_compile_predictions.moc"
