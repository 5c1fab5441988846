// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Elements of 4 bits, two to a byte, and FLOAT8: what files hold, what they weigh, and what is said of wrong ones.
#include "core/graph/file/onnx_model.h"
#include "core/graph/import.h"
#include "core/graph/semantics/values.h"
#include "core/graph/weights.h"
#include "tests/core_graph/onnx_builder.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace pim;
using namespace pim::test;

namespace {

int onnxTypeOf(DataType type) {
    return static_cast<int>(file::onnxFromDataType(type));
}

/// y = DequantizeLinear(w, scale[, zero])
OnnxBuilder scaled(DataType type, const std::vector<std::int64_t>& dims, const std::string& stored,
                   const Attributes& attributes = {}, std::int64_t opset = 21) {
    OnnxBuilder b(opset);
    b.constant("w", dims, onnxTypeOf(type), stored)
        .scalar("scale", 0.5F)
        .node("DequantizeLinear", {"w", "scale"}, {"y"}, attributes)
        .output("y");
    return b;
}

} // namespace

class TestNarrowTypes : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    std::filesystem::path file(const char* name) const { return m_dir.path().toStdString() + "/" + name; }
    Result<std::shared_ptr<const Graph>> opened(const std::string& bytes) const {
        writeFile(file("model.onnx"), bytes);
        GraphOptions options;
        for (const PassRecord& pass : graphPasses())
            options.disabledPasses.insert(pass.name);
        return loadGraph(file("model.onnx"), options);
    }
    std::string messageOf(const OnnxBuilder& b) const {
        const auto graph = opened(b.bytes());
        return graph ? "it opened" : graph.error().text();
    }
    static const Tensor& tensorOf(const Graph& graph, const std::string& name) {
        return *std::ranges::find(graph.tensors, name, &Tensor::name);
    }

private slots:
    void elementsLieTwoToAByte_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<std::vector<double>>("values");
        // 0x21 0x43 0x8f: low halves first
        QTest::newRow("u4") << int(DataType::U4) << std::vector<double>{1, 2, 3, 4, 15};
        QTest::newRow("i4") << int(DataType::I4) << std::vector<double>{1, 2, 3, 4, -1};
        QTest::newRow("f4e2m1") << int(DataType::F4E2M1) << std::vector<double>{0.5, 1, 1.5, 2, -6};
    }
    void elementsLieTwoToAByte() {
        QFETCH(int, type);
        QFETCH(std::vector<double>, values);
        const auto dtype = static_cast<DataType>(type);
        const std::string stored = "\x21\x43\x8f"; // the last half is of no element
        onnx::ModelProto typed;
        QVERIFY(typed.ParseFromString(scaled(dtype, {5}, stored).bytes()));
        auto* weights = typed.mutable_graph()->mutable_initializer(0);
        QCOMPARE(weights->name(), std::string("w"));
        weights->clear_raw_data();
        for (const char pair : stored)
            weights->add_int32_data(static_cast<unsigned char>(pair));
        onnx::ModelProto beside = typed;
        auto* external = beside.mutable_graph()->mutable_initializer(0);
        external->clear_int32_data();
        external->set_data_location(onnx::TensorProto::EXTERNAL);
        auto* entry = external->add_external_data();
        entry->set_key("location");
        entry->set_value("weights.bin");
        writeFile(file("weights.bin"), stored);
        for (const std::string& model :
             {scaled(dtype, {5}, stored).bytes(), typed.SerializeAsString(), beside.SerializeAsString()}) {
            const auto graph = opened(model);
            QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
            const Tensor& w = tensorOf(**graph, "w");
            QCOMPARE(w.dtype, dtype);
            QCOMPARE(w.bytes().value_or(0), 3);
            QCOMPARE((*graph)->source.weightBytes, 3 + 4);
            QCOMPARE((*graph)->ops.front().work.weightBytes, 3 + 4);
            const auto bytes = readConstant(w);
            QVERIFY2(bytes.has_value(), bytes ? "" : bytes.error().text().c_str());
            QCOMPARE(realsOf(*bytes, dtype), values);
        }
    }

    /// Larger than what is kept while a model opens.
    void largeWeightsAreReadWhenAsked() {
        std::string stored;
        for (int i = 0; i < 200'000; ++i)
            stored += static_cast<char>(i * 7);
        const auto graph = opened(scaled(DataType::I4, {500, 800}, stored).bytes());
        QVERIFY(graph.has_value());
        const Tensor& w = tensorOf(**graph, "w");
        QVERIFY(!w.constant);
        QVERIFY(!canReadPart(w));
        QCOMPARE(w.bytes().value_or(0), 200'000);
        const auto bytes = readConstant(w);
        QVERIFY(bytes.has_value());
        const auto numbers = intsOf(*bytes, DataType::I4);
        QCOMPARE(numbers.size(), std::size_t(400'000));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const int pair = static_cast<unsigned char>(stored[i / 2]), half = i % 2 ? pair / 16 : pair % 16;
            QCOMPARE(numbers[i], half < 8 ? half : half - 16);
        }
    }

    /// Scales and zero points included, they are of a sixteenth of the bytes.
    void largeWeightsOfTwoBitsFold() {
        OnnxBuilder b(17);
        b.domain("com.microsoft", 1).input("x", {std::int64_t(1), std::int64_t(1024)}).weight("s", {256, 16});
        b.constant("w", {256, 16, 16}, onnxTypeOf(DataType::U8),
                   std::string(std::size_t(256 * 16 * 16), '\x1b'));
        b.node("MatMulNBits", {"x", "w", "s"}, {"y"},
               {{"K", std::int64_t(1024)},
                {"N", std::int64_t(256)},
                {"bits", std::int64_t(2)},
                {"block_size", std::int64_t(64)}},
               "", "com.microsoft");
        const auto graph = loadGraph(b.output("y").save(file("two.onnx")));
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        QCOMPARE((*graph)->ops.size(), std::size_t(1));
        QCOMPARE((*graph)->ops.front().work.macs, 1024 * 256);
        const Tensor& weights = (*graph)->tensor((*graph)->ops.front().inputs[1]);
        QVERIFY(weights.isConstant());
        constexpr std::int64_t kPacked = 256 * 16 * 16 + 256 * 16 * 4; // numbers, scales
        QCOMPARE(weights.bytes().value_or(0), 256 * 1024 * 4);
        QCOMPARE(weights.packedBits, 8.0 * kPacked / (256 * 1024));
        QCOMPARE((*graph)->ops.front().work.weightBytes, kPacked);
        QCOMPARE((*graph)->ops.front().work.bytesRead, kPacked + 1024 * 4);
    }

    /// However they are turned before they are used; where real numbers were folded in, nothing is packed any more.
    void integersWithScalesAreReadAsTheyLie() {
        for (const bool isScaled : {false, true}) {
            OnnxBuilder b(17);
            b.input("x", {std::int64_t(1), std::int64_t(300)}).scalar("s", 0.5F);
            b.constant("w", {200, 300}, onnxTypeOf(DataType::I8), std::string(60'000, '\x03'));
            b.node("DequantizeLinear", {"w", "s"}, {"real"});
            b.node("Transpose", {"real"}, {"turned"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
            b.floats("f", {200}, std::vector<float>(200, 1.5F));
            if (isScaled)
                b.node("Mul", {"turned", "f"}, {"taken"});
            b.node("MatMul", {"x", isScaled ? "taken" : "turned"}, {"y"});
            const auto graph = loadGraph(b.output("y").save(file("turned.onnx")));
            QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
            const auto product = std::ranges::find((*graph)->ops, "MatMul", &Op::type);
            QVERIFY(product != (*graph)->ops.end());
            QCOMPARE(product->work.weightBytes, isScaled ? 240'000 : 60'000 + 4);
        }
    }

    void smallFloatsWeighAByte() {
        const auto graph = opened(scaled(DataType::F8E4M3, {3}, "\x38\x7e\xb8", {}, 19).bytes());
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        const Tensor& w = tensorOf(**graph, "w");
        QCOMPARE(name(w.dtype), std::string_view("f8e4m3"));
        QCOMPARE(w.bytes().value_or(0), 3);
        QCOMPARE(realsOf(*readConstant(w), w.dtype), (std::vector<double>{1, 448, -1}));
        QCOMPARE((*graph)->ops.front().opClass, OpClass::Elementwise);
    }

    void wrongOnesAreRefused_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("one byte too few")
            << QString::fromStdString(messageOf(scaled(DataType::I4, {5}, "ab")))
            << "initializer \"w\": its shape [5] of i4 needs 3 bytes, the file has 2";
        QTest::newRow("one element a byte")
            << QString::fromStdString(messageOf(scaled(DataType::U4, {6}, "abcdef")))
            << "its shape [6] of u4 needs 3 bytes, the file has 6";
        OnnxBuilder zero(21);
        zero.constant("w", {4}, onnxTypeOf(DataType::I4), "ab").scalar("s", 1).constant("z", {}, 3, "a");
        zero.node("DequantizeLinear", {"w", "s", "z"}, {"y"}).output("y");
        QTest::newRow("zero point of another type")
            << QString::fromStdString(messageOf(zero))
            << "its zero point is i8, its numbers are i4: both have to be of one type";
        OnnxBuilder lines(21);
        lines.constant("w", {2, 4}, onnxTypeOf(DataType::I4), "abcd").floats("s", {3}, {1, 2, 3});
        lines.node("DequantizeLinear", {"w", "s"}, {"y"}, {{"axis", std::int64_t(0)}}).output("y");
        QTest::newRow("scales of another axis") << QString::fromStdString(messageOf(lines))
                                                << "its scale has the shape [3], data of [2, 4] need [2]";
        OnnxBuilder blocks(21);
        blocks.constant("w", {2, 5}, onnxTypeOf(DataType::U4), "abcde").floats("s", {2, 2}, {1, 2, 3, 4});
        blocks
            .node("DequantizeLinear", {"w", "s"}, {"y"},
                  {{"axis", std::int64_t(1)}, {"block_size", std::int64_t(2)}})
            .output("y");
        QTest::newRow("too few blocks") << QString::fromStdString(messageOf(blocks))
                                        << "its scale has the shape [2, 2], data of [2, 5] need [2, 3]";
        OnnxBuilder negative(21);
        negative.constant("w", {2}, onnxTypeOf(DataType::U4), "a").floats("s", {1}, {1});
        negative.node("DequantizeLinear", {"w", "s"}, {"y"}, {{"block_size", std::int64_t(-2)}}).output("y");
        QTest::newRow("negative blocks")
            << QString::fromStdString(messageOf(negative)) << "its blocks have -2 elements";
        OnnxBuilder zeros(21);
        zeros.constant("w", {4}, onnxTypeOf(DataType::U4), "ab").floats("s", {4}, {1, 2, 3, 4});
        zeros.constant("z", {2}, onnxTypeOf(DataType::U4), "a");
        zeros.node("DequantizeLinear", {"w", "s", "z"}, {"y"}, {{"axis", std::int64_t(0)}}).output("y");
        QTest::newRow("too few zero points")
            << QString::fromStdString(messageOf(zeros)) << "its zero point has the shape [2], its scale [4]";
        OnnxBuilder axis(21);
        axis.input("x", {std::int64_t(4)}).floats("s", {2}, {1, 2});
        axis.node("QuantizeLinear", {"x", "s"}, {"y"}, {{"axis", std::int64_t(3)}}).output("y");
        QTest::newRow("an axis that is not there")
            << QString::fromStdString(messageOf(axis)) << "need one number: they have no axis 3";
    }
    void wrongOnesAreRefused() {
        QFETCH(QString, said);
        QFETCH(QString, wanted);
        QVERIFY2(said.contains(wanted), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(TestNarrowTypes)
#include "tst_core_graph_narrow.moc"
