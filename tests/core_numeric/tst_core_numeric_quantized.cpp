// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The 8-bit scheme: its rules one by one, by hand, then whole networks against float32.
#include <QTest>

#include <string>

#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/numeric/quantized_model.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/core_numeric/single_op.h"

#include <QTemporaryDir>

#include <cmath>
#include <limits>

using namespace pim;

namespace {

Value realValue(const Shape& shape, const std::vector<double>& numbers) {
    return Value{DataType::F32, shape,
                 std::make_shared<const std::vector<std::byte>>(bytesFromReals(numbers, DataType::F32))};
}

std::vector<int> int8sOf(const Value& value) {
    const auto numbers = elements<std::int8_t>(value);
    return {numbers.begin(), numbers.end()};
}

/// sqrt(sum of squared differences / sum of squares)
double relativeError(const Value& reals, const Value& int8, int exponent) {
    const Value back = toReal(int8, exponent);
    const auto a = elements<float>(reals), b = elements<float>(back);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        size += std::pow(static_cast<double>(a[i]), 2);
    }
    return std::sqrt(difference / size);
}

} // namespace

class TestQuantized : public QObject {
    Q_OBJECT
private slots:
    void choosesTheSmallestExponent() {
        QCOMPARE(exponentFor(127), 0);
        QCOMPARE(exponentFor(127.001), 1);
        QCOMPARE(exponentFor(1), -6); // 1 / 2^-7 = 128 does not fit
        QCOMPARE(exponentFor(127.0 / 128), -7);
        QCOMPARE(exponentFor(0), -7);
        QCOMPARE(exponentFor(3.4e38), 121);
    }

    void roundsTiesToEven() {
        const std::vector<std::pair<double, int>> cases{
            {0.5, 0},        {1.5, 2},     {2.5, 2},     {-0.5, 0},      {-1.5, -2},
            {0.49999997, 0}, {126.5, 126}, {127.5, 127}, {-128.4, -128}, {-1e30, -128}};
        for (const auto& [value, expected] : cases)
            QCOMPARE(int(quantizeReal(static_cast<float>(value), 0)), expected);
        QCOMPARE(int(quantizeReal(std::nanf(""), 0)), 0);
        QCOMPARE(int(quantizeReal(3.0F, -2)), 12);
        QCOMPARE(int(quantizeReal(std::numeric_limits<float>::infinity(), 3)), 127);
    }

    void requantizesWithTiesToEven() {
        QCOMPARE(int(requantize(2, 2)), 0);   // 0.5
        QCOMPARE(int(requantize(6, 2)), 2);   // 1.5
        QCOMPARE(int(requantize(10, 2)), 2);  // 2.5
        QCOMPARE(int(requantize(-2, 2)), 0);  // -0.5
        QCOMPARE(int(requantize(-6, 2)), -2); // -1.5
        QCOMPARE(int(requantize(-7, 2)), -2);
        QCOMPARE(int(requantize(7, 0)), 7);
        QCOMPARE(int(requantize(200, 0)), 127);
        QCOMPARE(int(requantize(-200, 0)), -128);
        QCOMPARE(int(requantize(3, -4)), 48);
        QCOMPARE(int(requantize(-3, -60)), -128);
        QCOMPARE(int(requantize(0, -60)), 0);
        QCOMPARE(int(requantize(2147483647, 60)), 0);
        for (std::int64_t sum = -3000; sum < 3000; ++sum) // the same rule as for reals
            for (int shift = 1; shift < 9; ++shift)
                QCOMPARE(requantize(sum, shift), quantizeReal(static_cast<float>(sum), shift));
    }

    /// One Gemm by hand: x = (0.5, -1), W = ((1, 0.25), (-0.5, 0.125)), b = (0.1, -1), y = x W + b.
    void computesAGemmByHand() {
        Op op;
        op.type = "Gemm";
        const auto x = realValue({1, 2}, {0.5, -1});
        const auto graph =
            test::singleOp(op, {x, realValue({2, 2}, {1, 0.25, -0.5, 0.125}), realValue({2}, {0.1, -1})},
                           {Value{DataType::F32, {1, 2}, nullptr}}, {1, 2});
        const auto model = quantize(graph, {.calibration = {{x}}});
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const TensorId out = graph->outputs[0];
        QCOMPARE(*model->exponents[0], -6); // max 1
        QCOMPARE(model->operands.at({OpId(0), 1}).exponent, -6);
        QCOMPARE(model->biases.at(OpId(0)), (std::vector<std::int32_t>{410, -4096})); // 0.1 * 2^12 = 409.6
        QCOMPARE(*model->exponents[out.index()], -6);                                 // y = (1.1, -1)
        const auto run = runQuantized(*model, std::vector{x});
        QVERIFY(run.has_value());
        QCOMPARE(int8sOf(run->values[0]), (std::vector<int>{32, -64}));
        // 32 * 64 + 64 * 32 = 4096; 32 * 16 - 64 * 8 = 0
        QCOMPARE(run->sums.at({OpId(0), 0}), (std::vector<std::int32_t>{4096, 0}));
        // (4096 + 410) / 64 = 70.4; -4096 / 64 = -64
        QCOMPARE(int8sOf(run->values[out.index()]), (std::vector<int>{70, -64}));
    }

    void foldsAlphaAndBeta() {
        Op op;
        op.type = "Gemm";
        op.attributes = {{"alpha", 0.5}, {"beta", 2.0}, {"transB", std::int64_t(1)}};
        const auto x = realValue({2, 2}, {0.5, -1, 0.25, 1});
        const auto graph = test::singleOp(
            op, {x, realValue({3, 2}, {1, 0.25, -0.5, 0.125, 0.75, -1}), realValue({2, 1}, {0.125, -0.25})},
            {Value{DataType::F32, {2, 3}, nullptr}}, {1, 2});
        const auto model = quantize(graph, {.calibration = {{x}}});
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const auto run = runQuantized(*model, std::vector{x});
        const auto real = runReal(*graph, std::vector{x});
        QVERIFY(run.has_value() && real.has_value());
        const auto out = graph->outputs[0];
        QVERIFY(relativeError((*real)[0], run->values[out.index()], *model->exponents[out.index()]) < 0.01);
    }

    /// 8 bits have no NaN and no infinity: nothing is put in their place.
    void refusesWeightsThatAreNotFinite_data() {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("bias");
        QTest::addColumn<QString>("says");
        QTest::newRow("weight") << std::numeric_limits<double>::quiet_NaN() << 0.5 << "element [1, 0] is nan";
        QTest::newRow("bias") << 1.0 << std::numeric_limits<double>::infinity() << "element [1] is inf";
    }
    void refusesWeightsThatAreNotFinite() {
        QFETCH(double, weight);
        QFETCH(double, bias);
        QFETCH(QString, says);
        Op op;
        op.type = "Gemm";
        const auto x = realValue({1, 2}, {0.5, -1});
        const auto graph =
            test::singleOp(op, {x, realValue({2, 2}, {1, 0.25, weight, 0.125}), realValue({2}, {0.5, bias})},
                           {Value{DataType::F32, {1, 2}, nullptr}}, {1, 2});
        const auto model = quantize(graph, {.calibration = {{x}}});
        QVERIFY(!model.has_value());
        QVERIFY2(QString::fromStdString(model.error().text()).contains(says), model.error().text().c_str());
    }

    void keepsChoosingOperatorsExact() {
        Op op;
        op.type = "Relu";
        const auto x = realValue({4}, {-1, 0.3, 0.004, 0});
        const auto graph = test::singleOp(op, {x}, {Value{DataType::F32, {4}, nullptr}});
        const auto model = quantize(graph, {.calibration = {{x}}});
        QVERIFY(model.has_value());
        QCOMPARE(model->exponents[0], model->exponents[graph->outputs[0].index()]);
        const auto run = runQuantized(*model, std::vector{x});
        QCOMPARE(int8sOf(run->values[0]), (std::vector<int>{-64, 19, 0, 0}));
        QCOMPARE(int8sOf(run->values[graph->outputs[0].index()]), (std::vector<int>{0, 19, 0, 0}));
    }

    void refusesSumsThatCouldOverflow() {
        Op op;
        op.type = "MatMul";
        const std::int64_t n = 70000;
        const auto x = realValue({1, n}, std::vector<double>(static_cast<std::size_t>(n), 1));
        const auto graph =
            test::singleOp(op, {x, realValue({n, 1}, std::vector<double>(static_cast<std::size_t>(n), 1))},
                           {Value{DataType::F32, {1, 1}, nullptr}}, {1});
        const auto model = quantize(graph, {.calibration = {{x}}});
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::Unsupported);
        QVERIFY(model.error().message.find("70000") != std::string::npos);
    }

    /// Ends of a range: what a network computes in 8 bit is close to what it computes in float32.
    void staysCloseToFloat_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<double>("limit");
        QTest::newRow("resnet18") << "resnet18" << 0.06;
        QTest::newRow("mobilenetv2") << "mobilenetv2" << 0.25;
        QTest::newRow("vgg8") << "vgg8" << 0.06;
        QTest::newRow("tiny-gpt-decode") << "tiny-gpt-decode" << 0.12;
        QTest::newRow("tiny-gpt-prefill") << "tiny-gpt-prefill" << 0.12;
    }
    void staysCloseToFloat() {
        QFETCH(QString, network);
        QFETCH(double, limit);
        const QTemporaryDir folder;
        const std::string file = folder.filePath("model.onnx").toStdString();
        QVERIFY(writeZooModel(network.toStdString(), file).has_value());
        const auto graph = loadGraph(
            file,
            {.bindings = network.endsWith("prefill")  ? std::map<std::string, std::int64_t>{{"seq", 12}}
                         : network.endsWith("decode") ? std::map<std::string, std::int64_t>{{"past", 11}}
                                                      : std::map<std::string, std::int64_t>()});
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        const auto inputs = sampleInputs(**graph, 5);
        QVERIFY(inputs.has_value());
        const auto real = runReal(**graph, *inputs);
        QVERIFY2(real.has_value(), real ? "" : real.error().text().c_str());
        const auto model = quantize(*graph, {.calibration = {*inputs}});
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const auto run = runQuantized(*model, *inputs);
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        const TensorId out = (*graph)->outputs[0];
        const double error =
            relativeError((*real)[0], run->values[out.index()], *model->exponents[out.index()]);
        QVERIFY2(error < limit, qPrintable(QString("relative error %1").arg(error)));
        // One thread or many: the same bytes.
        const auto again = runQuantized(*model, *inputs, {.keepSums = false, .threads = 1});
        QVERIFY(again.has_value());
        QCOMPARE(*again->values[out.index()].bytes, *run->values[out.index()].bytes);
    }

    void countsWeights() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("model.onnx").toStdString();
        QVERIFY(writeZooModel("tiny-gpt-decode", file).has_value());
        const auto graph = loadGraph(file);
        const auto model = quantize(*graph);
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        // Two layers of 128 x (384 + 128 + 512) + 512 x 128, and the output layer 256 x 128.
        QCOMPARE(model->weightBytes(), std::int64_t(2 * (128 * (384 + 128 + 512) + 512 * 128) + 256 * 128));
    }

    void saysWhichWeightsAreAbsent() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("model.onnx").toStdString();
        QVERIFY(writeZooModel("tiny-gpt-decode", file, {.weights = false}).has_value());
        const auto graph = loadGraph(file);
        QVERIFY(graph.has_value());
        const auto model = quantize(*graph);
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::NotFound);
    }
};

QTEST_GUILESS_MAIN(TestQuantized)
#include "tst_core_numeric_quantized.moc"
