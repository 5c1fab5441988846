// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What every family promises (contract.h), on every target the product ships.
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "tests/backends/contract.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pim;

class TestPromises : public QObject {
    Q_OBJECT
    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    std::shared_ptr<const Graph> m_graph;
    QTemporaryDir m_folder;

    static CompileOptions shortSearch() {
        CompileOptions options;
        options.family["crossbar"]["evaluations"] = "16"; // the search it has by default, a shorter one
        return options;
    }

private slots:
    void initTestCase() {
        const auto graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 3}}});
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        m_graph = *graph;
    }
    void areKept_data() {
        QTest::addColumn<QString>("target");
        for (const auto& target : m_catalog.targets())
            QTest::newRow(target->id.c_str()) << QString::fromStdString(target->id);
    }
    void areKept() {
        QFETCH(QString, target);
        const QString broken = test::brokenPromise(m_backends, m_catalog.find(target.toStdString()).value(),
                                                   m_graph, shortSearch());
        QVERIFY2(broken.isEmpty(), qPrintable(broken));
    }

    /// A detector: what its own operator makes has no size, nor has what is made of that.
    void areKeptWhereSizesEnd_data() { areKept_data(); }
    void areKeptWhereSizesEnd() {
        QFETCH(QString, target);
        test::OnnxBuilder b(17);
        b.domain("vendor", 1)
            .input("x", {std::int64_t(1), std::int64_t(8), std::int64_t(16), std::int64_t(16)});
        b.weight("w1", {16, 8, 3, 3}).weight("w2", {4, 16}).weight("w3", {6, 8});
        b.node("Conv", {"x", "w1"}, {"c"}, {{"pads", std::vector<std::int64_t>(4, 1)}}, "conv");
        b.node("Relu", {"c"}, {"r"}, {}, "relu");
        b.node("Detect", {"r"}, {"boxes", "scores"}, {}, "detect", "vendor");
        b.node("GlobalAveragePool", {"r"}, {"p"}, {}, "pool");
        b.node("Flatten", {"p"}, {"f"}, {}, "flat");
        b.node("Gemm", {"f", "w2"}, {"y"}, {{"transB", std::int64_t(1)}}, "head");
        b.node("MatMul", {"boxes", "w3"}, {"m"}, {}, "tail");
        b.node("Add", {"m", "y"}, {"s"}, {}, "sum");
        const auto graph = loadGraph(
            b.output("s").output("y").output("scores").save(m_folder.filePath("detect.onnx").toStdString()));
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        const auto chip = m_catalog.find(target.toStdString()).value();
        const QString broken = test::brokenPromise(m_backends, chip, *graph, shortSearch());
        QVERIFY2(broken.isEmpty(), qPrintable(broken));
        const auto plan = compile(m_backends, {*graph, chip, {}, shortSearch()}).value();
        const bool isWhole = chip->backend == "crossbar" || chip->backend == "dual_mode";
        for (const OpPlan& op : plan->ops) {
            const std::string& name = (*graph)->op(op.op).name;
            const bool isBehind = name == "detect" || name == "tail" || name == "sum";
            QVERIFY2(!isBehind || op.onHost(), name.c_str());
            QVERIFY2(!isWhole || (name != "conv" && name != "head") || !op.onHost(), name.c_str());
        }
        QVERIFY(!isWhole || std::ranges::any_of(plan->problems, [](const Diagnostic& problem) {
            return problem.object == "tail" || problem.object == "sum";
        }));
    }
};

QTEST_GUILESS_MAIN(TestPromises)
#include "tst_backends_promises.moc"
