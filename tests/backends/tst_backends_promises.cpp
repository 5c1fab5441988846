// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What every family promises (contract.h), on every target the product ships.
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "tests/backends/contract.h"

#include <QTest>

using namespace pim;

class TestPromises : public QObject {
    Q_OBJECT
    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    std::shared_ptr<const Graph> m_graph;

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
        CompileOptions options;
        options.family["crossbar"]["evaluations"] = "16"; // the search it has by default, a shorter one
        const QString broken =
            test::brokenPromise(m_backends, m_catalog.find(target.toStdString()).value(), m_graph, options);
        QVERIFY2(broken.isEmpty(), qPrintable(broken));
    }
};

QTEST_GUILESS_MAIN(TestPromises)
#include "tst_backends_promises.moc"
