// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The node tests of ONNX on PIM units: what comes out of the commands is what ONNX says, within the rounding
/// of the units' type. Weights once streamed, once resident.
#include <QTest>

#include <string>

#include "core/compile/compiler.h"
#include "core/execute/numeric_check.h"
#include "core/execute/operands.h"
#include "core/plan/command_facet.h"
#include "tests/backends/kernels.h"
#include "tests/core_numeric/onnx_vectors.h"

using namespace pim;
using namespace pim::test;

class TestOnnxOnPim : public QObject {
    Q_OBJECT
private slots:
    void agreesWithOnnx_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("least");
        QTest::newRow("attacc") << "attacc" << 15;
        QTest::newRow("hbm-pim") << "hbm-pim" << 15;
        QTest::newRow("hbm-pim-hbm3") << "hbm-pim-hbm3" << 15;
        QTest::newRow("aim") << "aim" << 15;
    }
    void agreesWithOnnx() {
        QFETCH(QString, target);
        QFETCH(int, least);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        std::map<std::string, int> computed;
        int all = 0;
        for (std::size_t i = 0; i < onnxCases().size(); ++i)
            for (const bool resident : {false, true}) {
                const OnnxCase one =
                    onnxCase(i, resident ? std::vector<std::size_t>{1} : std::vector<std::size_t>{});
                if (one.expected[0].dtype != DataType::F32 || (resident && one.inputs.size() < 2))
                    continue;
                const std::string what =
                    onnxCases()[i].at("name").get<std::string>() + (resident ? ", weights resident" : "");
                PlanRequest request{one.graph, machine, {}, {}};
                request.overrides.set({"", "placement", "pim"});
                const auto plan = compile(backends, request);
                QVERIFY2(plan.has_value(), what.c_str());
                const OpPlan& op = (*plan)->ops[0];
                if (op.onHost())
                    continue;
                std::vector<TensorId> sources;
                for (const TensorPlan& tensor : op.tensors)
                    sources.push_back(tensor.tensor);
                const Kernel& kernel = op.space->kernel();
                auto operands = kernelOperands(*one.graph, op.op, kernel, sources, one.inputs);
                QVERIFY2(operands.has_value(), what.c_str());
                const auto tensors = backend->commands()->execute(**plan, op.op, std::move(*operands), 1, {});
                QVERIFY2(tensors.has_value(), tensors ? "" : (what + ": " + tensors.error().text()).c_str());
                const auto result = opResult(*one.graph, op.op, kernel, one.inputs, *tensors);
                QVERIFY2(result.has_value(), what.c_str());
                const NumericDifference difference = differenceOf(
                    elements<float>(*result), elements<float>(one.expected[0]),
                    numericTolerance(kernel, kernel.tensors[0].dtype, backend->commands()->exactTerms()));
                QVERIFY2(difference.ok(), qPrintable(QString("%1: off by %2, allowed is %3")
                                                         .arg(what.c_str())
                                                         .arg(difference.maxRelative)
                                                         .arg(difference.tolerance)));
                ++computed[one.graph->ops[0].type];
                ++all;
            }
        QVERIFY2(all >= least,
                 qPrintable(QString("%1 cases, %2 kinds of ops").arg(all).arg(computed.size())));
        for (const char* type : {"MatMul", "Gemm", "Conv"})
            QVERIFY2(computed[type] > 0, type);
    }
};

QTEST_GUILESS_MAIN(TestOnnxOnPim)
#include "tst_backends_onnx.moc"
