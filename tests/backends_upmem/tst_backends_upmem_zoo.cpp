// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every network of the zoo on UPMEM modules: each op is on DPUs, or the plan says in a sentence why not.
#include "backends/host/roofline_host.h"
#include "backends/upmem/upmem.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pim;

class TestUpmemZoo : public QObject {
    Q_OBJECT
    BackendList m_backends;
    QTemporaryDir m_folder;

    /// Several words that begin with a letter, and no unfinished number, list or bracket.
    static bool isSentence(const std::string& text) {
        const auto words = std::ranges::count(text, ' ') + 1;
        return words >= 3 && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
               text.back() != ' ' && text.back() != ':' && text.back() != ',' &&
               text.find("  ") == std::string::npos &&
               std::ranges::count(text, '(') == std::ranges::count(text, ')');
    }

private slots:
    void initTestCase() {
        m_backends.add(std::make_unique<UpmemBackend>(std::make_shared<const RooflineHost>()));
    }

    void everyOpRunsOrSaysWhy_data() {
        QTest::addColumn<QString>("model");
        for (const ZooModel& model : zooModels())
            QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
    }
    void everyOpRunsOrSaysWhy() {
        QFETCH(QString, model);
        const std::filesystem::path file = m_folder.filePath(model + ".onnx").toStdString();
        const auto written = writeZooModel(model.toStdString(), file, {.weights = false});
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        const auto graph = loadGraph(file);
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        PlanRequest request{*graph, *TargetCatalog::load().find("upmem-20"), {}, {}};
        request.options.computeType = DataType::I8;
        const auto plan = compile(m_backends, request);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        for (const OpPlan& op : (*plan)->ops) {
            const std::string& name = (*graph)->op(op.op).name;
            QVERIFY2(isSentence(op.reason), (name + ": \"" + op.reason + "\"").c_str());
            QVERIFY2(op.pimCost || isSentence(op.pimVerdict), (name + ": \"" + op.pimVerdict + "\"").c_str());
            QVERIFY2(!op.onHost() || op.pimCost || op.reason.find(op.pimVerdict) != std::string::npos ||
                         op.reason.find("host: ") == 0,
                     (name + ": \"" + op.reason + "\"").c_str());
        }
    }

    /// Keys and values of a decode step lie in MRAM from token to token: a step brings in the new ones alone; what else grows
    /// with their number are the weights of the attention.
    void cachesStayInMram() {
        const std::filesystem::path file = m_folder.filePath("decode.onnx").toStdString();
        const auto written = writeZooModel("stories15m-decode", file, {.weights = false});
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        const auto inputNs = [&](std::int64_t past, const char* residency) {
            GraphOptions unfused;
            unfused.disabledPasses = {"fuse_attention"};
            unfused.bindings = {{"batch", 32}, {"past", past}};
            const auto graph = loadGraph(file, unfused);
            PlanRequest request{graph.value(), TargetCatalog::load().find("upmem-1").value(), {}, {}};
            request.options.computeType = DataType::I8;
            double ns = 0;
            int caches = 0;
            for (const Op& op : (*graph)->ops)
                for (const TensorId input : op.inputs)
                    if (op.opClass == OpClass::MatMul && input.valid() && (*graph)->tensor(input).isOutput) {
                        request.overrides.set({op.name, "placement", "pim"});
                        request.overrides.set(
                            {op.name, "residency/" + (*graph)->tensor(input).name, residency});
                        ++caches;
                    }
            const auto plan = compile(m_backends, request).value();
            for (const OpPlan& op : plan->ops)
                for (const TensorPlan& tensor : op.tensors)
                    if (!op.onHost() && tensor.tensor.valid() && (*graph)->tensor(tensor.tensor).isOutput)
                        ns += op.pimCost->inputNs;
            return caches > 0 ? ns : std::nan("");
        };
        const double few = inputNs(15, "resident"), many = inputNs(255, "resident");
        const double fewStreamed = inputNs(15, "streamed"), manyStreamed = inputNs(255, "streamed");
        QVERIFY2(few > 0 && manyStreamed > many && manyStreamed - fewStreamed > 4 * (many - few),
                 qPrintable(QString("%1 to %2 ns, streamed %3 to %4 ns")
                                .arg(few)
                                .arg(many)
                                .arg(fewStreamed)
                                .arg(manyStreamed)));
    }
};

QTEST_GUILESS_MAIN(TestUpmemZoo)
#include "tst_backends_upmem_zoo.moc"
