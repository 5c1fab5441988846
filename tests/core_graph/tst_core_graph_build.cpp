// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, folded values, passes, work and the structure hash.
#include "core/graph/import.h"
#include "core/graph/passes/passes.h"
#include "core/graph/semantics/values.h"
#include "core/graph/weights.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

using Dims = std::vector<std::int64_t>;

std::vector<float> floatsOf(const std::vector<std::byte>& bytes) {
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// LayerNorm as PyTorch writes it: in -> out.
void layerNorm(OnnxBuilder& b, const std::string& in, const std::string& out) {
    b.node("ReduceMean", {in}, {out + "m"}, {{"axes", Dims{-1}}}).node("Sub", {in, out + "m"}, {out + "d"});
    b.node("Pow", {out + "d", "two"}, {out + "p"})
        .node("ReduceMean", {out + "p"}, {out + "v"}, {{"axes", Dims{-1}}});
    b.node("Add", {out + "v", "eps"}, {out + "e"})
        .node("Sqrt", {out + "e"}, {out + "s"})
        .node("Div", {out + "d", out + "s"}, {out + "n"});
    b.node("Mul", {out + "n", "gamma"}, {out + "g"}).node("Add", {out + "g", "beta"}, {out});
}

OnnxBuilder normed(std::int64_t width = 8) {
    OnnxBuilder b;
    b.input("x", {std::int64_t(2), width})
        .scalar("two", 2)
        .scalar("eps", 1e-5F)
        .weight("gamma", {width})
        .weight("beta", {width});
    return b;
}

/// GELU by its approximation: x -> y.
void tanhGelu(OnnxBuilder& b) {
    b.input("x", {std::int64_t(4)})
        .scalar("three", 3)
        .scalar("c", 0.044715F)
        .scalar("k", 0.79788456F)
        .scalar("one", 1)
        .scalar("half", 0.5F);
    b.node("Pow", {"x", "three"}, {"p"})
        .node("Mul", {"p", "c"}, {"pc"})
        .node("Add", {"x", "pc"}, {"u"})
        .node("Mul", {"u", "k"}, {"uk"})
        .node("Tanh", {"uk"}, {"t"});
    b.node("Add", {"t", "one"}, {"s"})
        .node("Mul", {"x", "half"}, {"h"})
        .node("Mul", {"h", "s"}, {"y"})
        .output("y");
}

/// As it is defined: x -> y.
void erfGelu(OnnxBuilder& b) {
    b.input("x", {std::int64_t(4)}).scalar("root2", std::sqrt(2.0F)).scalar("one", 1).scalar("half", 0.5F);
    b.node("Div", {"x", "root2"}, {"a"}).node("Erf", {"a"}, {"e"}).node("Add", {"e", "one"}, {"s"});
    b.node("Mul", {"x", "s"}, {"m"}).node("Mul", {"m", "half"}, {"y"}).output("y");
}

void attention(OnnxBuilder& b, const std::string& mask = {}) {
    for (const char* name : {"q", "k", "v"})
        b.input(name, {std::int64_t(1), std::int64_t(4),
                       name == std::string("q") ? std::int64_t(3) : std::int64_t(9), std::int64_t(16)});
    b.scalar("root", 4);
    b.node("Transpose", {"k"}, {"kt"}, {{"perm", Dims{0, 1, 3, 2}}})
        .node("MatMul", {"q", "kt"}, {"s"})
        .node("Div", {"s", "root"}, {"ss"});
    if (!mask.empty())
        b.node("Add", {"ss", mask}, {"sm"});
    b.node("Softmax", {mask.empty() ? "ss" : "sm"}, {"p"}, {{"axis", std::int64_t(-1)}})
        .node("MatMul", {"p", "v"}, {"y"})
        .output("y");
}

} // namespace

class TestGraphBuild : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    Result<std::shared_ptr<const Graph>> load(const OnnxBuilder& b, const GraphOptions& options = {}) const {
        return loadGraph(b.save(m_dir.path().toStdString() + "/model.onnx"), options);
    }
    std::shared_ptr<const Graph> loaded(const OnnxBuilder& b, const GraphOptions& options = {}) const {
        const auto graph = load(b, options);
        if (!graph)
            qWarning("%s", graph.error().text().c_str());
        return graph ? *graph : nullptr;
    }
    static std::vector<std::string> types(const Graph& graph) {
        std::vector<std::string> list;
        for (const Op& op : graph.ops)
            list.push_back(op.type);
        return list;
    }
    static Shape outShape(const Graph& graph) {
        return graph.tensor(graph.outputs[0]).shape.value_or(Shape{-99});
    }

private slots:
    void computesShapeChains() {
        // reshape(x, [shape(x)[0], -1 of 12 / 3]) the way exporters write `x.view(x.size(0), 3, -1)`
        OnnxBuilder b;
        b.input("x", {"batch", std::int64_t(12)})
            .ints("zero", {0}, true)
            .ints("axis0", {0})
            .ints("three", {3})
            .ints("minus", {-1});
        b.node("Shape", {"x"}, {"s"})
            .node("Gather", {"s", "zero"}, {"n"}, {{"axis", std::int64_t(0)}})
            .node("Unsqueeze", {"n", "axis0"}, {"n1"});
        b.node("Concat", {"n1", "three", "minus"}, {"target"}, {{"axis", std::int64_t(0)}})
            .node("Reshape", {"x", "target"}, {"y"})
            .output("y");
        const auto graph = loaded(b, {{{"batch", 5}}, {}});
        QVERIFY(graph);
        QCOMPARE(outShape(*graph), (Shape{5, 3, 4}));
        QCOMPARE(types(*graph), std::vector<std::string>{"Reshape"});
    }

    void infersShapes_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QList<qlonglong>>("input");
        QTest::addColumn<QList<qlonglong>>("second"); // an integer input, or none
        QTest::addColumn<QString>("attribute");
        QTest::addColumn<QList<qlonglong>>("value");
        QTest::addColumn<QList<qlonglong>>("expected");
        using L = QList<qlonglong>;
        QTest::newRow("pool") << "MaxPool" << L{1, 3, 7, 7} << L{} << "kernel_shape" << L{3, 3}
                              << L{1, 3, 5, 5};
        QTest::newRow("transpose") << "Transpose" << L{2, 3, 4} << L{} << "perm" << L{2, 0, 1} << L{4, 2, 3};
        QTest::newRow("expand") << "Expand" << L{3, 1} << L{2, 1, 6} << "" << L{} << L{2, 3, 6};
        QTest::newRow("tile") << "Tile" << L{3, 2} << L{2, 5} << "" << L{} << L{6, 10};
        QTest::newRow("squeeze") << "Squeeze" << L{1, 3, 1} << L{0} << "" << L{} << L{3, 1};
        QTest::newRow("unsqueeze") << "Unsqueeze" << L{3} << L{0, 2} << "" << L{} << L{1, 3, 1};
        QTest::newRow("pad") << "Pad" << L{2, 3} << L{0, 1, 0, 2} << "" << L{} << L{2, 6};
        QTest::newRow("reduce") << "ReduceSum" << L{2, 3, 4} << L{1} << "" << L{} << L{2, 1, 4};
        QTest::newRow("global pool") << "GlobalAveragePool" << L{2, 3, 4, 5} << L{} << "" << L{}
                                     << L{2, 3, 1, 1};
        QTest::newRow("reshape") << "Reshape" << L{2, 3, 4} << L{0, -1} << "" << L{} << L{2, 12};
        QTest::newRow("by libonnx") << "Det" << L{5, 3, 3} << L{} << "" << L{} << L{5};
    }
    void infersShapes() {
        QFETCH(QString, type);
        QFETCH(QList<qlonglong>, input);
        QFETCH(QList<qlonglong>, second);
        QFETCH(QString, attribute);
        QFETCH(QList<qlonglong>, value);
        QFETCH(QList<qlonglong>, expected);
        OnnxBuilder b;
        b.input("x", std::vector<DimSpec>(input.begin(), input.end()));
        std::vector<std::string> inputs{"x"};
        if (!second.isEmpty()) {
            b.ints("i", Dims(second.begin(), second.end()));
            inputs.emplace_back("i");
        }
        Attributes attributes;
        if (!attribute.isEmpty())
            attributes.emplace_back(attribute.toStdString(), Dims(value.begin(), value.end()));
        b.node(type.toStdString(), inputs, {"y"}, attributes).output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(outShape(*graph), Shape(expected.begin(), expected.end()));
    }

    void bindsAndRebindsDimensions() {
        OnnxBuilder b;
        b.input("x", {"batch", "", std::int64_t(3)})
            .input("mask", {"batch", "batch + past"})
            .input("p", {"past"});
        b.node("Abs", {"x"}, {"y"}).node("Neg", {"mask"}, {"z"}).output("y").output("z");
        const auto model = importModel(b.save(m_dir.path().toStdString() + "/dims.onnx"));
        QVERIFY(model);
        auto graph = buildGraph(**model);
        QVERIFY(graph);
        QCOMPARE((*graph)->bindings.size(), std::size_t(4));
        QCOMPARE((*graph)->bindings[1].symbol, std::string("x.1"));
        QVERIFY((*graph)->bindings[0].assumed);
        QCOMPARE((*graph)->bindings[0].tensors, (std::vector<std::string>{"x", "mask"}));
        QCOMPARE(outShape(**graph), (Shape{1, 1, 3}));
        graph = buildGraph(**model, {{{"batch", 4}, {"x.1", 7}, {"past", 5}}, {}});
        QVERIFY(graph);
        QCOMPARE(outShape(**graph), (Shape{4, 7, 3}));
        QCOMPARE(*(*graph)->tensor((*graph)->outputs[1]).shape, (Shape{4, 9})); // batch + past
        QVERIFY(!(*graph)->bindings[0].assumed);
        QCOMPARE(buildGraph(**model, {{{"seq", 4}}, {}}).error().code, ErrorCode::Usage);
        QCOMPARE(buildGraph(**model, {{{"batch", 0}}, {}}).error().code, ErrorCode::Usage);
        QCOMPARE(buildGraph(**model, {{}, {"no_such_pass"}}).error().code, ErrorCode::Usage);
    }

    void assumesLargerSizesWhereOneIsTooSmall() {
        OnnxBuilder b;
        b.input("x", {"batch", std::int64_t(3), "height", "width"})
            .weight("w", {4, 3, 7, 7})
            .node("Conv", {"x", "w"}, {"y"})
            .output("y");
        auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(outShape(*graph), (Shape{1, 4, 26, 26})); // 32 - 7 + 1
        QVERIFY(graph->bindings[1].assumed && graph->bindings[1].value == 32);
        QCOMPARE(graph->problems.back().severity, Severity::Note);
        graph = loaded(b, {{{"width", 10}}, {}});
        QCOMPARE(outShape(*graph), (Shape{1, 4, 26, 4}));
        const auto refused = load(b, {{{"width", 1}}, {}}); // what the user chose is not touched
        QVERIFY(!refused && refused.error().hint.find("width=1") != std::string::npos);
    }

    void foldsTransposedWeightsAndComputesThem() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(1), std::int64_t(100)})
            .weight("w", {60, 100}, 1)
            .node("Transpose", {"w"}, {"wt"}, {{"perm", Dims{1, 0}}})
            .node("MatMul", {"x", "wt"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"MatMul"});
        const Tensor& weight = graph->tensor(graph->ops[0].inputs[1]);
        QVERIFY(weight.isConstant() && (weight.constant || weight.derived));
        QCOMPARE(*weight.shape, (Shape{100, 60}));
        const auto values = floatsOf(*readConstant(weight));
        QCOMPARE(values[1], 100.0F); // row 0, column 1 of the transposed is w[1][0]
        QCOMPARE(graph->ops[0].work.weightBytes, 100 * 60 * 4);
    }

    /// Whatever the elements are, all their bytes move.
    void movesElementsOfEverySize() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(2), std::int64_t(3)})
            .node("Transpose", {"x"}, {"y"}, {{"perm", Dims{1, 0}}})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        for (const DataType type :
             {DataType::I8, DataType::F16, DataType::F32, DataType::I64, DataType::Complex128}) {
            const auto size = std::size_t(bytesOf(type));
            std::vector<std::byte> bytes(6 * size);
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = std::byte(i);
            const std::vector<Value> in{
                {type, {2, 3}, std::make_shared<const std::vector<std::byte>>(bytes)}};
            const std::vector<Value> out{{type, {3, 2}, nullptr}};
            const auto made = evaluate(graph->ops[0], in, out);
            QVERIFY(made && (*made)[0].size() == bytes.size());
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                const std::size_t element = i / size, from = element % 2 * 3 + element / 2;
                QCOMPARE((*made)[0][i], bytes[from * size + i % size]);
            }
        }
    }

    /// Weights of quantised models are real numbers again: of all with one scale, or with one along an axis.
    void dequantisesConstants_data() {
        QTest::addColumn<QList<float>>("scale");
        QTest::addColumn<int>("axis");
        QTest::addColumn<QList<float>>("expected");
        QTest::newRow("one for all") << QList<float>{0.5F} << 1 << QList<float>{-1.5F, -1, -0.5F, 0, 0.5F, 1};
        QTest::newRow("rows") << QList<float>{0.5F, 2} << 0 << QList<float>{-1.5F, -1, -0.5F, 0, 2, 4};
        QTest::newRow("columns") << QList<float>{1, 2, 3} << -1 << QList<float>{-3, -4, -3, 0, 2, 6};
    }
    void dequantisesConstants() {
        QFETCH(QList<float>, scale);
        QFETCH(int, axis);
        QFETCH(QList<float>, expected);
        constexpr int kInt8 = 3;
        OnnxBuilder b;
        b.input("x", {std::int64_t(2), std::int64_t(3)}, kInt8)
            .floats("scale", {std::int64_t(scale.size())}, {scale.begin(), scale.end()})
            .node("DequantizeLinear", {"x", "scale"}, {"y"}, {{"axis", std::int64_t(axis)}})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        const auto value = [](DataType type, const Shape& shape, std::vector<std::byte> bytes) {
            return Value{type, shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
        };
        const Shape parts{std::int64_t(scale.size())};
        const std::vector<Value> in{
            value(DataType::I8, {2, 3}, bytesFromInts({-2, -1, 0, 1, 2, 3}, DataType::I8)),
            value(DataType::F32, parts, bytesFromReals({scale.begin(), scale.end()}, DataType::F32)),
            value(DataType::I8, parts,
                  bytesFromInts(std::vector<std::int64_t>(std::size_t(scale.size()), 1), DataType::I8))};
        const std::vector<Value> out{{DataType::F32, {2, 3}, nullptr}};
        const auto made = evaluate(graph->ops[0], in, out);
        QVERIFY(made);
        const auto reals = realsOf((*made)[0], DataType::F32);
        QCOMPARE((QList<float>(reals.begin(), reals.end())), expected);
    }

    void foldsBatchNormIntoTheRightValues() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(1), std::int64_t(8), std::int64_t(5), std::int64_t(5)})
            .weight("w", {16, 8, 3, 3})
            .weight("bias", {16}, 1);
        std::vector<float> ones(16, 1), variance(16), mean(16), scale(16);
        for (std::size_t i = 0; i < 16; ++i) {
            variance[i] = 1 + static_cast<float>(i);
            mean[i] = 0.5F * static_cast<float>(i);
            scale[i] = 2 - 0.1F * static_cast<float>(i);
        }
        b.floats("scale", {16}, scale)
            .floats("shift", {16}, ones)
            .floats("mean", {16}, mean)
            .floats("variance", {16}, variance);
        b.node("Conv", {"x", "w", "bias"}, {"c"}, {}, "conv1")
            .node("BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, {"y"},
                  {{"epsilon", 1e-3}}, "bn1")
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 1);
        const Op& conv = graph->ops[0];
        QCOMPARE(conv.name, std::string("conv1"));
        QCOMPARE(conv.sources.size(), std::size_t(2));
        const Tensor& weight = graph->tensor(conv.inputs[1]);
        QVERIFY(weight.derived && weight.data); // marked: the bytes in the file are not the value
        const auto w = floatsOf(*readConstant(weight)),
                   bias = floatsOf(*readConstant(graph->tensor(conv.inputs[2])));
        QCOMPARE(w.size(), std::size_t(16 * 72));
        for (std::size_t c : {0, 7, 15}) {
            const double factor = scale[c] / std::sqrt(variance[c] + 1e-3);
            const double original = 0.01 * static_cast<double>(c * 72 + 5);
            QVERIFY(std::fabs(w[c * 72 + 5] - original * factor) < 1e-4);
            QVERIFY(std::fabs(bias[c] - ((static_cast<double>(c) - mean[c]) * factor + 1)) < 1e-4);
        }
        QCOMPARE(loaded(b, {{}, {"fold_batch_norm"}})->ops.size(), std::size_t(2));
    }

    /// Channels of a transposed convolution lie behind its inputs: [group][input][channel][place].
    void foldsBatchNormIntoTransposedConvolutions() {
        for (const std::int64_t groups : {1, 2, 4}) {
            const std::int64_t in = 8, out = 12, ofGroup = out / groups;
            OnnxBuilder b;
            b.input("x", {std::int64_t(1), in, std::int64_t(5), std::int64_t(5)})
                .weight("w", {in, ofGroup, 3, 2});
            std::vector<float> ones(12, 1), variance(12), scale(12);
            for (std::size_t i = 0; i < 12; ++i) {
                variance[i] = 1 + static_cast<float>(i);
                scale[i] = 2 - 0.1F * static_cast<float>(i);
            }
            b.floats("scale", {12}, scale)
                .floats("shift", {12}, ones)
                .floats("mean", {12}, ones)
                .floats("variance", {12}, variance);
            b.node("ConvTranspose", {"x", "w"}, {"c"}, {{"strides", Dims{2, 2}}, {"group", groups}}, "up")
                .node("BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, {"y"},
                      {{"epsilon", 1e-3}})
                .output("y");
            const auto graph = loaded(b), plain = loaded(b, {{}, {"fold_batch_norm"}});
            QVERIFY(graph && graph->ops.size() == 1 && plain && plain->ops.size() == 2);
            QCOMPARE(graph->ops[0].name, std::string("up"));
            const auto folded = floatsOf(*readConstant(graph->tensor(graph->ops[0].inputs[1]))),
                       original = floatsOf(*readConstant(plain->tensor(plain->ops[0].inputs[1]))),
                       bias = floatsOf(*readConstant(graph->tensor(graph->ops[0].inputs[2])));
            QCOMPARE(folded.size(), original.size());
            QCOMPARE(bias.size(), std::size_t(12));
            for (std::int64_t i = 0; i < in; ++i)
                for (std::int64_t o = 0; o < ofGroup; ++o)
                    for (std::int64_t k = 0; k < 6; ++k) {
                        const auto at = static_cast<std::size_t>((i * ofGroup + o) * 6 + k),
                                   c = static_cast<std::size_t>(i / (in / groups) * ofGroup + o);
                        const double factor = scale[c] / std::sqrt(variance[c] + 1e-3);
                        QVERIFY(std::fabs(folded[at] - original[at] * factor) < 1e-4);
                        QVERIFY(std::fabs(bias[c] - (1 - factor)) < 1e-4);
                    }
        }
    }

    void removesWhatDoesNothing() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(2), std::int64_t(1), std::int64_t(3)})
            .ints("same", {2, 1, 3})
            .scalar("ratio", 0.5F);
        b.node("Identity", {"x"}, {"a"})
            .node("Dropout", {"a", "ratio"}, {"b"})
            .node("Cast", {"b"}, {"c"}, {{"to", std::int64_t(1)}})
            .node("Reshape", {"c", "same"}, {"d"});
        b.node("Transpose", {"d"}, {"e"}, {{"perm", Dims{0, 1, 2}}})
            .node("Abs", {"e"}, {"f"})
            .node("Identity", {"f"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"Abs"});
        QCOMPARE(graph->tensor(graph->outputs[0]).name, std::string("y")); // the output keeps its name
        QCOMPARE(graph->tensor(graph->ops[0].inputs[0]).name, std::string("x"));
    }

    void keepsIdentityBetweenInputAndOutput() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(2)}).node("Identity", {"x"}, {"y"}).output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 1);
    }

    void recognisesLayerNorm() {
        auto b = normed();
        layerNorm(b, "x", "y");
        const auto graph = loaded(b.output("y"));
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"LayerNorm"});
        const Op& op = graph->ops[0];
        QCOMPARE(op.domain, std::string("pim"));
        QCOMPARE(op.opClass, OpClass::Normalize);
        QCOMPARE(op.sources.size(), std::size_t(9));
        QCOMPARE(op.inputs.size(), std::size_t(3));
        QVERIFY(std::fabs(op.floatAttribute("epsilon", 0) - 1e-5) < 1e-9);
    }

    void leavesALayerNormWhoseInsideIsUsed() {
        auto b = normed();
        layerNorm(b, "x", "y");
        const auto graph = loaded(b.output("y").output("yd")); // the centred values leave the graph
        QVERIFY(graph);
        QVERIFY(!types(*graph).empty() && types(*graph).front() == "ReduceMean");
        auto c = normed();
        layerNorm(c, "x", "y");
        c.node("Neg", {"ys"}, {"z"}).output("y").output("z"); // the deviation is used elsewhere
        const auto other = loaded(c);
        QVERIFY(other && types(*other).size() == 10);
    }

    void recognisesRmsNorm() {
        auto b = normed();
        b.scalar("one", 1)
            .node("Mul", {"x", "x"}, {"sq"})
            .node("ReduceMean", {"sq"}, {"v"}, {{"axes", Dims{-1}}})
            .node("Add", {"v", "eps"}, {"e"})
            .node("Sqrt", {"e"}, {"s"});
        b.node("Div", {"one", "s"}, {"r"})
            .node("Mul", {"x", "r"}, {"n"})
            .node("Mul", {"n", "gamma"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"RmsNorm"});
        QCOMPARE(graph->ops[0].inputs.size(), std::size_t(2));
        QCOMPARE(loaded(b, {{}, {"fuse_rms_norm"}})->ops.size(), std::size_t(7));
    }

    void recognisesGelu() {
        for (const int form : {0, 1, 2}) {
            OnnxBuilder b;
            b.input("x", {std::int64_t(4)})
                .scalar("root2", std::sqrt(2.0F))
                .scalar("one", 1)
                .scalar("half", 0.5F);
            b.node("Div", {"x", "root2"}, {"a"}).node("Erf", {"a"}, {"e"}).node("Add", {"e", "one"}, {"s"});
            if (form == 0)
                b.node("Mul", {"x", "s"}, {"m"}).node("Mul", {"m", "half"}, {"y"});
            else if (form == 1)
                b.node("Mul", {"x", "half"}, {"m"}).node("Mul", {"m", "s"}, {"y"});
            else
                b.node("Mul", {"s", "half"}, {"m"}).node("Mul", {"x", "m"}, {"y"});
            const auto graph = loaded(b.output("y"));
            QVERIFY(graph);
            QCOMPARE(types(*graph), std::vector<std::string>{"Gelu"});
            QCOMPARE(graph->ops[0].work.otherOps, 20);
        }
    }

    void recognisesGeluWrittenWithTanh() {
        OnnxBuilder b;
        tanhGelu(b);
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"Gelu"});
        QCOMPARE(graph->ops[0].stringAttribute("approximate", ""), std::string("tanh"));
    }

    void leavesAlmostGelu() {
        OnnxBuilder b; // the constant is not sqrt(2)
        b.input("x", {std::int64_t(4)}).scalar("root2", 1.5F).scalar("one", 1).scalar("half", 0.5F);
        b.node("Div", {"x", "root2"}, {"a"})
            .node("Erf", {"a"}, {"e"})
            .node("Add", {"e", "one"}, {"s"})
            .node("Mul", {"x", "s"}, {"m"})
            .node("Mul", {"m", "half"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 5);
    }

    void recognisesSilu() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)})
            .node("Sigmoid", {"x"}, {"s"})
            .node("Mul", {"x", "s"}, {"y"})
            .output("y");
        QCOMPARE(types(*loaded(b)), std::vector<std::string>{"Silu"});
    }

    void recognisesAttention() {
        OnnxBuilder b;
        attention(b);
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"Attention"});
        const Op& op = graph->ops[0];
        QCOMPARE(op.opClass, OpClass::Attention);
        QCOMPARE(op.intAttribute("heads", 0), 4);
        QCOMPARE(op.intAttribute("head_dim", 0), 16);
        QCOMPARE(op.intAttribute("q_len", 0), 3);
        QCOMPARE(op.intAttribute("kv_len", 0), 9);
        QCOMPARE(op.intAttribute("k_transposed", -1), 0);
        QCOMPARE(op.floatAttribute("scale", 0), 0.25);
        QCOMPARE(op.sources.size(), std::size_t(5));
        QCOMPARE(graph->tensor(op.inputs[1]).name, std::string("k"));
        // scores 4*3*9*16 and context 4*3*9*16
        QCOMPARE(op.work.macs, 2 * 4 * 3 * 9 * 16);
        QCOMPARE(op.work.bytesRead, 4 * (4 * 3 * 16 + 2 * 4 * 9 * 16));
        QCOMPARE(loaded(b, {{}, {"fuse_attention"}})->ops.size(), std::size_t(5));
    }

    void recognisesMaskedAttention() {
        OnnxBuilder b;
        b.input("m", {std::int64_t(1), std::int64_t(1), std::int64_t(3), std::int64_t(9)});
        attention(b, "m");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(types(*graph), std::vector<std::string>{"Attention"});
        QCOMPARE(graph->ops[0].inputs.size(), std::size_t(4));
        QCOMPARE(graph->tensor(graph->ops[0].inputs[3]).name, std::string("m"));
    }

    void leavesAttentionWhoseWeightsAreAnOutput() {
        OnnxBuilder b;
        attention(b);
        const auto graph = loaded(b.output("p"));
        QVERIFY(graph && graph->ops.size() == 5);
    }

    /// Of a mixture the experts that rows take count, and as many of their weights as there can be of them.
    void countsWorkOfExpertsTaken() {
        for (const std::int64_t rows : {1, 3, 50}) {
            OnnxBuilder b(17);
            b.domain("com.microsoft", 1)
                .input("x", {rows, std::int64_t(16)})
                .input("router", {rows, std::int64_t(8)})
                .weight("fc1", {8, 32, 16})
                .weight("b1", {8, 32})
                .weight("fc2", {8, 16, 32})
                .weight("b2", {8, 16})
                .node("MoE", {"x", "router", "fc1", "b1", "fc2", "b2"}, {"y"}, {{"k", std::int64_t(2)}}, "",
                      "com.microsoft")
                .output("y");
            const auto graph = loaded(b);
            QVERIFY(graph);
            const Op& op = graph->ops[0];
            QVERIFY(op.work.known);
            QCOMPARE(graph->tensor(op.outputs[0]).shape.value(), (Shape{rows, 16}));
            QCOMPARE(op.work.macs, rows * 2 * (32 * 16 + 16 * 32));
            const std::int64_t taken = std::min<std::int64_t>(2 * rows, 8);
            QCOMPARE(op.work.weightBytes, taken * 4 * (2 * 32 * 16 + 32 + 16));
        }
        OnnxBuilder packed(17); // of 4 bits, two to a byte
        const std::string none(8 * 32 * 8, '\0');
        packed.domain("com.microsoft", 1)
            .input("x", {std::int64_t(3), std::int64_t(16)})
            .input("router", {std::int64_t(3), std::int64_t(8)})
            .constant("fc1", {8, 32, 8}, 2, none)
            .weight("s1", {8, 32})
            .constant("fc2", {8, 16, 16}, 2, none)
            .weight("s2", {8, 16})
            .node("QMoE", {"x", "router", "fc1", "s1", "", "fc2", "s2"}, {"y"}, {{"k", std::int64_t(1)}}, "",
                  "com.microsoft")
            .output("y");
        const auto graph = loaded(packed);
        QVERIFY(graph);
        QCOMPARE(graph->ops[0].work.macs, 3 * (32 * 16 + 16 * 32));
        QCOMPARE(graph->ops[0].work.weightBytes, 3 * (32 * 8 + 16 * 16 + 4 * (32 + 16)));
    }

    /// Forms that are not written out open, and the host takes them.
    void formsOfExportersThatAreNotKnownOpen() {
        OnnxBuilder b(17);
        b.domain("com.microsoft", 1).input("x", {std::int64_t(2), std::int64_t(32)}).weight("s", {4, 2});
        b.constant("w", {4, 2, 6}, 2, std::string(48, 'a'));
        b.node("MatMulNBits", {"x", "w", "s"}, {"y"},
               {{"K", std::int64_t(32)},
                {"N", std::int64_t(4)},
                {"bits", std::int64_t(3)},
                {"block_size", std::int64_t(16)}},
               "", "com.microsoft");
        const auto graph = loaded(b.output("y"));
        QVERIFY(graph);
        QCOMPARE(graph->ops.size(), std::size_t(1));
        QCOMPARE(graph->ops[0].opClass, OpClass::Other);
        QCOMPARE(
            graph->problems.front().message,
            std::string(
                "the operator com.microsoft::MatMulNBits is not known in this form: it runs on the host at "
                "unknown cost"));
    }

    void countsWork() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(2), std::int64_t(3), std::int64_t(8), std::int64_t(8)})
            .weight("w", {4, 3, 3, 3})
            .weight("bias", {4})
            .node("Conv", {"x", "w", "bias"}, {"y"}, {{"pads", Dims{1, 1, 1, 1}}})
            .output("y");
        const auto work = loaded(b)->ops[0].work;
        QVERIFY(work.known);
        QCOMPARE(work.macs, 2 * 4 * 8 * 8 * 27);
        QCOMPARE(work.otherOps, 2 * 4 * 8 * 8);
        QCOMPARE(work.weightBytes, 4 * (4 * 27 + 4));
        QCOMPARE(work.bytesRead, 4 * (2 * 3 * 64 + 4 * 27 + 4));
        QCOMPARE(work.bytesWritten, 4 * 2 * 4 * 64);
    }

    void readsOnlyTheRowsOfATable() {
        OnnxBuilder b;
        b.input("token", {std::int64_t(1), std::int64_t(2)}, 7)
            .weight("table", {1000, 8})
            .node("Gather", {"table", "token"}, {"y"})
            .output("y");
        const auto work = loaded(b)->ops[0].work;
        QCOMPARE(work.bytesRead, 2 * 8 * 4 + 2 * 8);
    }

    void hashesStructureNotWeights() {
        const auto net = [](float step, std::int64_t width, const std::string& name) {
            OnnxBuilder b;
            b.input("x", {std::int64_t(1), width})
                .weight(name, {width, 4}, step)
                .node("MatMul", {"x", name}, {"y"})
                .output("y");
            return b;
        };
        const auto base = loaded(net(1, 8, "w"))->source.structureHash;
        QCOMPARE(base.size(), std::size_t(64));
        QCOMPARE(loaded(net(2, 8, "other"))->source.structureHash, base);
        QVERIFY(loaded(net(1, 9, "w"))->source.structureHash != base);
    }

    void recordsEveryPass() {
        auto b = normed();
        layerNorm(b, "x", "y");
        const auto graph = loaded(b.output("y"));
        QCOMPARE(graph->passes.size(), graphPasses().size());
        for (std::size_t i = 0; i + 1 < graph->passes.size(); ++i)
            QCOMPARE(graph->passes[i].opsAfter, graph->passes[i + 1].opsBefore);
        QCOMPARE(graph->passes.front().name, std::string("fold_constants"));
        QCOMPARE(graph->passes.back().opsAfter, 1);
        const auto off = loaded(b, {{}, {"fuse_layer_norm"}});
        QVERIFY(!off->passes[3].enabled && off->passes[3].changes == 0);
    }

    void passesObeyTheirOptions() {
        const auto with = [](const char* option) {
            GraphOptions options;
            const auto set = setPassOption(options, option);
            if (!set)
                qWarning("%s", set.error().text().c_str());
            return options;
        };
        OnnxBuilder erf, tanh, masked, plain;
        erfGelu(erf);
        tanhGelu(tanh);
        masked.input("m", {std::int64_t(1), std::int64_t(1), std::int64_t(3), std::int64_t(9)});
        attention(masked, "m");
        attention(plain);
        const auto fused = [&](OnnxBuilder& b, const char* option) {
            return loaded(b, with(option))->ops.size() == 1;
        };
        QVERIFY(fused(erf, "fuse_gelu:form=erf") && !fused(tanh, "fuse_gelu:form=erf"));
        QVERIFY(fused(tanh, "fuse_gelu:form=tanh") && !fused(erf, "fuse_gelu:form=tanh"));
        QVERIFY(fused(tanh, "fuse_gelu:form=any") && fused(erf, "fuse_gelu.form=any"));
        QVERIFY(fused(masked, "fuse_attention:mask=any") && !fused(masked, "fuse_attention:mask=none"));
        QVERIFY(fused(plain, "fuse_attention:mask=none"));

        const auto graph = loaded(tanh, with("fuse_gelu:form=erf"));
        for (const PassRecord& pass : graph->passes)
            QCOMPARE(pass.options, pass.name == "fuse_gelu" ? OptionTexts({{"form", "erf"}}) : OptionTexts());
        QVERIFY(graph->source.structureHash != loaded(tanh)->source.structureHash);
    }

    void optionsAtTheirDefaultAreNotKept() {
        GraphOptions options;
        QVERIFY(setPassOption(options, "fuse_gelu:form=tanh").has_value());
        QVERIFY(setPassOption(options, "fuse_attention:mask=none").has_value());
        QCOMPARE(options.passOptions.size(), std::size_t{2});
        QVERIFY(setPassOption(options, "fuse_gelu:form=any").has_value());
        QCOMPARE(options.passOptions.size(), std::size_t{1});
        QCOMPARE(options.passOptions.at("fuse_attention").at("mask"), std::string("none"));
    }

    void namesWhatIsNoOptionOfAPass_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no value") << "fuse_gelu:form"
                                  << "PASS:KEY=VALUE";
        QTest::newRow("no pass") << "form=erf"
                                 << "PASS:KEY=VALUE";
        QTest::newRow("unknown pass") << "fuse:form=erf"
                                      << "fuse_attention";
        QTest::newRow("pass without options") << "fuse_silu:form=erf"
                                              << "those that have: fuse_gelu, fuse_attention";
        QTest::newRow("unknown option") << "fuse_gelu:shape=erf"
                                        << "there are: form";
        QTest::newRow("unknown value") << "fuse_gelu:form=sin"
                                       << "any|erf|tanh";
    }
    void namesWhatIsNoOptionOfAPass() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        GraphOptions options;
        const auto set = setPassOption(options, text.toStdString());
        QVERIFY(!set.has_value());
        QCOMPARE(set.error().code, ErrorCode::Usage);
        QVERIFY2(QString::fromStdString(set.error().text()).contains(said), set.error().text().c_str());
        QVERIFY(options.passOptions.empty());
        // And where they come from somewhere else than a command line.
        if (const qsizetype colon = text.indexOf(':'), equals = text.indexOf('='); colon > 0 && equals > 0) {
            options.passOptions[text.left(colon).toStdString()]
                               [text.mid(colon + 1, equals - colon - 1).toStdString()] =
                text.mid(equals + 1).toStdString();
            const auto checked = checkPasses(allPasses(), options);
            QVERIFY(!checked.has_value());
            QVERIFY2(QString::fromStdString(checked.error().text()).contains(said),
                     checked.error().text().c_str());
        }
    }

    void aPassMaySayWhyItCannotBeDone() {
        struct Limits {
            int most = 9;
        };
        static const TypedOptionTable<Limits> table({{{"most", "1|9", "ops that it takes"},
                                                      [](const Limits& l) { return std::to_string(l.most); },
                                                      [](Limits& l, std::string_view value) {
                                                          l.most = value == "1" ? 1 : 9;
                                                          return value == "1" || value == "9";
                                                      }}});
        const std::array passes{
            Pass{"first", "Counts.",
                 [](Graph& g, const OptionTexts&) -> Result<int> { return int(g.ops.size()); }},
            Pass{"picky", "Takes few ops.",
                 [](Graph& g, const OptionTexts& texts) -> Result<int> {
                     PIM_TRY(const Limits limits, table.read(texts));
                     if (int(g.ops.size()) > limits.most)
                         return fail(ErrorCode::Unsupported, "there are too many ops", g.ops.back().name);
                     return 0;
                 },
                 []() -> const OptionTable* { return &table; }}};
        Graph graph;
        graph.ops.resize(3);
        graph.ops[2].name = "third";
        GraphOptions options;
        QVERIFY(checkPasses(passes, options).has_value());
        Graph fits = graph;
        QVERIFY(runPasses(fits, passes, options, {}).has_value());
        QCOMPARE(fits.passes.size(), std::size_t{2});
        QCOMPARE(fits.passes[0].changes, 3);

        options.passOptions["picky"]["most"] = "1";
        QVERIFY(checkPasses(passes, options).has_value());
        Graph refused = graph;
        const auto failed = runPasses(refused, passes, options, {});
        QVERIFY(!failed.has_value());
        QCOMPARE(failed.error().code, ErrorCode::Unsupported);
        QCOMPARE(failed.error().text(),
                 std::string("third: the pass \"picky\" cannot be done: there are too many "
                             "ops. leave it out: --no-pass picky"));
        options.disabledPasses.insert("picky");
        Graph without = graph;
        QVERIFY(runPasses(without, passes, options, {}).has_value());
        QVERIFY(!without.passes[1].enabled);
        options.passOptions["first"]["most"] = "1";
        QVERIFY(checkPasses(passes, options).error().message.find("\"first\" has no options") !=
                std::string::npos);
    }

    void linksAreConsistentWithAnyPassSwitchedOff() {
        auto b = normed();
        b.node("Constant", {}, {"unused"}, {{"value_int", std::int64_t(3)}}).node("Identity", {"x"}, {"i"});
        layerNorm(b, "i", "t");
        b.node("Sigmoid", {"t"}, {"s"}).node("Mul", {"t", "s"}, {"y"}).output("y");
        std::vector<std::set<std::string>> choices{{}};
        std::set<std::string> all;
        for (const auto& pass : graphPasses()) {
            choices.push_back({pass.name});
            all.insert(pass.name);
        }
        choices.push_back(all);
        for (const auto& disabled : choices) {
            const auto graph = loaded(b, {{}, disabled});
            QVERIFY(graph);
            for (std::size_t i = 0; i < graph->ops.size(); ++i) {
                const OpId id(static_cast<std::int64_t>(i));
                QVERIFY(!graph->ops[i].sources.empty());
                for (const TensorId t : graph->ops[i].inputs) {
                    const auto& consumers = graph->tensor(t).consumers;
                    QCOMPARE(std::count(consumers.begin(), consumers.end(), id), 1);
                    QVERIFY(graph->tensor(t).producer < id);
                    QVERIFY(graph->tensor(t).producer.valid() || graph->tensor(t).isConstant() ||
                            graph->tensor(t).isInput);
                }
                for (const TensorId t : graph->ops[i].outputs)
                    QVERIFY(graph->tensor(t).producer == id && !graph->tensor(t).isConstant());
            }
        }
    }

    void sampleModelsAreStaticForAnyBinding() {
        const std::filesystem::path samples = std::filesystem::path(PIM_SOURCE_DIR) / "projects";
        int seen = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
            if (entry.path().extension() != ".onnx")
                continue;
            const auto model = importModel(entry.path());
            QVERIFY2(model, entry.path().c_str());
            for (const std::int64_t value : {1, 3, 17}) {
                GraphOptions options;
                const auto assumed = buildGraph(**model);
                QVERIFY2(assumed, entry.path().c_str());
                for (const auto& binding : (*assumed)->bindings)
                    options.bindings[binding.symbol] = value;
                const auto graph = buildGraph(**model, options);
                QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
                for (const Tensor& t : (*graph)->tensors)
                    QVERIFY2(t.shape && isStatic(*t.shape) && t.dtype != DataType::Unknown, t.name.c_str());
                QVERIFY((*graph)->totalWork().known);
            }
            if (entry.path().stem() == "resnet50") // 4.09 G multiply-accumulates (torchvision model table)
                QCOMPARE((*buildGraph(**model))->totalWork().macs / 10'000'000, 408);
            ++seen;
        }
        if (seen == 0)
            QSKIP("no sample models in this tree");
    }
};

QTEST_GUILESS_MAIN(TestGraphBuild)
#include "tst_core_graph_build.moc"
