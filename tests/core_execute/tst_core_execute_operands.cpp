// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A kernel and what the host does around it are the op: on the node tests of ONNX, and where those do not
/// reach, beside the float32 run of the network.
#include <QTest>

#include <string>

#include "core/dram_pim/kernel_reference.h"
#include "core/execute/operands.h"
#include "core/execute/sample_weights.h"
#include "core/kernel/from_op.h"
#include "core/numeric/real_run.h"
#include "tests/core_numeric/onnx_vectors.h"

#include <cmath>

using namespace pim;

namespace {

/// The op by kernel and host. Absent where it has no kernel, or none that \p why says it cannot compute.
std::optional<Value> byKernel(const Graph& graph, const std::vector<Value>& inputs, bool convAsGemm,
                              std::string* why = nullptr) {
    const auto kernel = kernelFromOp(graph, OpId(0), {DataType::F16, convAsGemm});
    if (!kernel)
        return std::nullopt;
    std::vector<TensorId> sources;
    for (const KernelTensor& tensor : kernel->tensors)
        sources.push_back(tensor.source);
    const auto operands = kernelOperands(graph, OpId(0), *kernel, sources, inputs);
    if (!operands) {
        if (why)
            *why = operands.error().message;
        return std::nullopt;
    }
    std::vector<std::vector<double>> exact;
    for (std::size_t t = 0; t < operands->size(); ++t) {
        exact.emplace_back((*operands)[t].begin(), (*operands)[t].end());
        exact.back().resize(static_cast<std::size_t>(elementCount(kernel->tensors[t].shape).value()));
    }
    const auto done = runKernel(*kernel, std::move(exact));
    if (!done)
        return std::nullopt; // a function PIM units do not have
    std::vector<std::vector<float>> tensors;
    for (const auto& tensor : *done)
        tensors.emplace_back(tensor.begin(), tensor.end());
    const auto result = opResult(graph, OpId(0), *kernel, inputs, tensors);
    if (!result)
        qWarning("%s", result.error().text().c_str());
    return result ? std::optional(*result) : std::nullopt;
}

bool isNear(const Value& got, const Value& expected) {
    const auto a = elements<float>(got), b = elements<float>(expected);
    for (std::size_t i = 0; i < b.size(); ++i)
        if (!(std::abs(double(a[i]) - b[i]) <= 1e-4 * std::max(1.0, std::abs(double(b[i])))))
            return false;
    return a.size() == b.size();
}

Value numbers(const Shape& shape, std::uint64_t seed) {
    Fresh<float> value(DataType::F32, shape);
    const auto sample = sampleNumbers(value.data.size(), 1, seed);
    std::copy(sample.begin(), sample.end(), value.data.begin());
    return value.value;
}

Op opOf(const char* type, std::map<std::string, Attribute> attributes) {
    Op op;
    op.type = type;
    op.domain = op.type == "Attention" ? "pim" : ""; // made by a pass, not by ONNX
    op.opClass = findOpFact(op.domain, op.type)->opClass;
    for (auto& [key, value] : attributes)
        op.attributes[key] = value;
    return op;
}

} // namespace

class TestOperands : public QObject {
    Q_OBJECT
private slots:
    void agreeWithOnnx() {
        std::map<std::string, int> computed;
        for (std::size_t i = 0; i < test::onnxCases().size(); ++i) {
            const test::OnnxCase one = test::onnxCase(i);
            if (one.expected[0].dtype != DataType::F32)
                continue;
            const std::string caseName = test::onnxCases()[i].at("name").get<std::string>();
            for (const bool convAsGemm : {true, false})
                if (const auto result = byKernel(*one.graph, one.inputs, convAsGemm)) {
                    QVERIFY2(isNear(*result, one.expected[0]), caseName.c_str());
                    ++computed[one.graph->ops[0].type];
                }
        }
        for (const char* type : {"Gemm", "Conv", "MatMul", "Add", "Mul", "Relu", "ReduceSum", "ReduceMean",
                                 "ReduceMax", "ReduceL2", "GlobalAveragePool"})
            QVERIFY2(computed[type] > 0, type);
        QCOMPARE(computed["Gemm"], 20); // all ten, bias and factors in them, in both forms of convolution
    }

    void unfoldConvolutionsOfEveryForm_data() {
        QTest::addColumn<std::vector<std::int64_t>>("shape"); // n, c, h, w, o, kh, kw, stride, pad, group
        const auto row = [](const char* what, std::vector<std::int64_t> shape) {
            QTest::newRow(what) << shape;
        };
        row("plain", {2, 3, 5, 6, 4, 3, 3, 1, 0, 1});
        row("padded", {1, 3, 5, 5, 4, 3, 3, 1, 1, 1});
        row("strided", {1, 2, 7, 7, 3, 3, 3, 2, 1, 1});
        row("windows side by side",
            {1, 2, 6, 6, 3, 3, 3, 3, 0, 1}); // as many elements as the input, in another order
        row("grouped", {2, 4, 5, 5, 6, 3, 3, 1, 1, 2});
        row("depthwise", {1, 4, 5, 5, 4, 3, 3, 1, 1, 4});
        row("pointwise", {2, 5, 3, 4, 6, 1, 1, 1, 0, 1});
        row("pointwise, strided", {1, 5, 4, 4, 6, 1, 1, 2, 0, 1});
        row("pointwise, padded", {1, 2, 3, 3, 3, 1, 1, 1, 1, 1});
    }
    void unfoldConvolutionsOfEveryForm() {
        QFETCH(std::vector<std::int64_t>, shape);
        const std::int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3], o = shape[4],
                           kh = shape[5], kw = shape[6], stride = shape[7], pad = shape[8], group = shape[9];
        const Shape out{n, o, (h + 2 * pad - kh) / stride + 1, (w + 2 * pad - kw) / stride + 1};
        const Op op = opOf("Conv", {{"strides", std::vector<std::int64_t>{stride, stride}},
                                    {"pads", std::vector<std::int64_t>{pad, pad, pad, pad}},
                                    {"group", group}});
        const std::vector<Value> inputs{numbers({n, c, h, w}, 1), numbers({o, c / group, kh, kw}, 2),
                                        numbers({o}, 3)};
        const auto graph = test::singleOp(op, inputs, {Value{DataType::F32, out, nullptr}});
        const auto expected = runReal(*graph, inputs);
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().text().c_str());
        for (const bool convAsGemm : {true, false}) {
            const auto result = byKernel(*graph, inputs, convAsGemm);
            QVERIFY(result.has_value());
            QVERIFY2(isNear(*result, expected->front()), convAsGemm ? "as matrix product" : "direct");
        }
    }

    void scaleQueriesAndRefuseMasksThatHideKeys() {
        constexpr std::int64_t kHeads = 2, kQueries = 3, kKeys = 7, kFeatures = 4;
        const Op op = opOf("Attention", {{"scale", 0.5}, {"kv_len", kKeys}});
        const std::vector<Value> inputs{numbers({kHeads, kQueries, kFeatures}, 1),
                                        numbers({kHeads, kKeys, kFeatures}, 2),
                                        numbers({kHeads, kKeys, kFeatures}, 3)};
        const Value out{DataType::F32, {kHeads, kQueries, kFeatures}, nullptr};
        const auto graph = test::singleOp(op, inputs, {out});
        const auto expected = runReal(*graph, inputs);
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().text().c_str());
        const auto result = byKernel(*graph, inputs, true);
        QVERIFY(result && isNear(*result, expected->front()));

        // Of one query (several are not for PIM units): adding the same to all keys changes nothing.
        Fresh<float> mask(DataType::F32, {1, kKeys});
        std::fill(mask.data.begin(), mask.data.end(), 2.5F);
        std::vector<Value> masked{numbers({kHeads, 1, kFeatures}, 1), inputs[1], inputs[2], mask.value};
        const Value one{DataType::F32, {kHeads, 1, kFeatures}, nullptr};
        const auto single = test::singleOp(op, masked, {one});
        QVERIFY(isNear(byKernel(*single, masked, true).value(), runReal(*single, masked)->front()));
        mask.data[5] = -1e9F;
        std::string why;
        QVERIFY(!byKernel(*single, masked, true, &why));
        QVERIFY2(why.find("mask hides") != std::string::npos, why.c_str());
    }

    void refuseOperandsThatAreNoFractions() {
        const std::vector<Value> inputs{
            numbers({4}, 1), Value{DataType::I64, {4}, std::make_shared<const std::vector<std::byte>>(32)}};
        const auto graph = test::singleOp(opOf("Add", {}), inputs, {Value{DataType::F32, {4}, nullptr}});
        std::string why;
        QVERIFY(!byKernel(*graph, inputs, true, &why));
        QVERIFY2(why.find("i64") != std::string::npos, why.c_str());
    }
};

QTEST_GUILESS_MAIN(TestOperands)
#include "tst_core_execute_operands.moc"
