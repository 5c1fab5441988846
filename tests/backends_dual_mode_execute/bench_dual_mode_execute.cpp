// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How long the references and the executor take on networks of full size, with ceilings for a machine of two
/// cores.
#include <QTest>

#include <string>

#include "backends/dual_mode/execute/execute.h"
#include "backends/dual_mode/planner.h"
#include "core/numeric/real_run.h"
#include "tests/backends_dual_mode_execute/dynaplasia_chip.h"
#include "tests/backends_dual_mode_execute/networks.h"

#include <QElapsedTimer>

using namespace pim;

class BenchDualModeExecute : public QObject {
    Q_OBJECT
private slots:
    void network_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<double>("referenceSeconds");
        QTest::newRow("resnet18") << "resnet18" << 1.0;
        QTest::newRow("vgg16") << "vgg16" << 5.0;
        QTest::newRow("resnet50") << "resnet50" << 3.0;
    }
    void network() {
        QFETCH(QString, network);
        QFETCH(double, referenceSeconds);
        const auto graph = test::zooNetwork(network.toStdString());
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        QElapsedTimer timer;
        const auto lap = [&] {
            const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
            timer.restart();
            return seconds;
        };
        timer.start();
        const auto model = quantize(*graph);
        const double quantizing = lap();
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const auto expected = runQuantized(*model, model->calibration);
        const double reference = lap();
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().text().c_str());
        const auto plan = planDualMode(*dualModeWorkload(**graph), test::chipOf(96), {});
        const double planning = lap();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto flow = emitFlow(**graph, **plan);
        const double emitting = lap();
        QVERIFY2(flow.has_value(), flow ? "" : flow.error().text().c_str());
        const auto got = executeFlow(*flow, *model, model->calibration);
        const double executing = lap();
        QVERIFY2(got.has_value(), got ? "" : got.error().text().c_str());
        const auto comparison = compareWithReference(*model, *expected, *got);
        QVERIFY2(!comparison.first, comparison.first ? comparison.first->text.c_str() : "");
        qInfo("float32 run and quantising %.2f s, int8 reference %.2f s, plan %.2f s, flow %.2f s (%.1f kB), "
              "executed %.2f s, "
              "compared %.2f s: %lld numbers equal",
              quantizing, reference, planning, emitting, static_cast<double>(flowText(*flow).size()) / 1000,
              executing, lap(), static_cast<long long>(comparison.elements));
        QVERIFY2(reference <= referenceSeconds, "the reference is too slow");
    }
};

QTEST_GUILESS_MAIN(BenchDualModeExecute)
#include "bench_dual_mode_execute.moc"
