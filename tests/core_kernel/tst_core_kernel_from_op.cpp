// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/kernel/from_op.h"

#include <cstring>

using namespace pim;

namespace {

/// One op over tensors of given shapes; the last shape is the output, \p constants are weights.
struct OneOp {
    Graph graph;

    OneOp(const char* type, OpClass opClass, const std::vector<Shape>& shapes,
          std::map<std::string, Attribute> attributes = {}, const std::vector<std::size_t>& constants = {}) {
        Op op;
        op.name = "op";
        op.type = type;
        op.opClass = opClass;
        op.attributes = std::move(attributes);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            Tensor tensor;
            tensor.name = "t" + std::to_string(i);
            tensor.dtype = DataType::F32;
            tensor.shape = shapes[i];
            if (std::find(constants.begin(), constants.end(), i) != constants.end())
                tensor.data = InitializerRef{};
            (i + 1 < shapes.size() ? op.inputs : op.outputs).emplace_back(static_cast<std::int64_t>(i));
            graph.tensors.push_back(std::move(tensor));
        }
        graph.ops.push_back(std::move(op));
    }

    QString statement(const KernelOptions& options = {}) const {
        const auto kernel = kernelFromOp(graph, OpId(0), options);
        if (!kernel)
            return QString::fromStdString("error: " + kernel.error().message);
        QString text = QString::fromStdString(kernel->statement) + " |";
        for (const auto& loop : kernel->loops)
            text += QString(" %1=%2").arg(QString::fromStdString(loop.name)).arg(loop.extent);
        return text;
    }
};

} // namespace

class TestFromOp : public QObject {
    Q_OBJECT
private slots:
    void buildsNests_data() {
        QTest::addColumn<QString>("built");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const OneOp& op, const char* expected,
                            const KernelOptions& options = {}) {
            QTest::newRow(name) << op.statement(options) << expected;
        };
        using enum OpClass;
        const KernelOptions direct{.convAsGemm = false};
        row("gemv", {"MatMul", MatMul, {{1, 64}, {64, 32}, {1, 32}}}, "Y[n] += X[k] * W[k][n] | n=32 k=64");
        row("gemv of vectors", {"MatMul", MatMul, {{64}, {64, 32}, {32}}},
            "Y[n] += X[k] * W[k][n] | n=32 k=64");
        row("gemm", {"MatMul", MatMul, {{7, 64}, {64, 32}, {7, 32}}},
            "Y[m][n] += X[m][k] * W[k][n] | m=7 n=32 k=64");
        row("transposed", {"Gemm", MatMul, {{64, 7}, {32, 64}, {7, 32}}, {{"transA", 1L}, {"transB", 1L}}},
            "Y[m][n] += X[k][m] * W[n][k] | m=7 n=32 k=64");
        row("bias stays outside", {"Gemm", MatMul, {{7, 64}, {64, 32}, {32}, {7, 32}}},
            "Y[m][n] += X[m][k] * W[k][n] | m=7 n=32 k=64");
        row("batch over one weight is more rows",
            {"MatMul", MatMul, {{2, 3, 7, 64}, {64, 32}, {2, 3, 7, 32}}},
            "Y[m][n] += X[m][k] * W[k][n] | m=42 n=32 k=64");
        row("equal batches are one", {"MatMul", MatMul, {{2, 3, 7, 64}, {2, 3, 64, 32}, {2, 3, 7, 32}}},
            "Y[b][m][n] += X[b][m][k] * W[b][k][n] | b=6 m=7 n=32 k=64");
        row("mixed broadcast", {"MatMul", MatMul, {{2, 1, 7, 64}, {1, 3, 64, 32}, {2, 3, 7, 32}}},
            "Y[b0][b1][m][n] += X[b0][m][k] * W[b1][k][n] | b0=2 b1=3 m=7 n=32 k=64");
        row("matrix times vector", {"MatMul", MatMul, {{7, 64}, {64}, {7}}},
            "Y[m] += X[m][k] * W[k] | m=7 k=64");

        const OneOp conv("Conv", Conv, {{1, 3, 9, 9}, {4, 3, 3, 3}, {1, 4, 5, 5}},
                         {{"strides", Shape{2, 2}}, {"pads", Shape{1, 1, 1, 1}}}, {1});
        row("im2col", conv, "Y[o][p] += X[p][k] * W[o][k] | o=4 p=25 k=27");
        row("direct", conv, "Y[o][h][w] += X[c][h*2+r-1][w*2+s-1] * W[o][c][r][s] | o=4 h=5 w=5 c=3 r=3 s=3",
            direct);
        const OneOp batch("Conv", Conv, {{2, 3, 9, 9}, {4, 3, 3, 3}, {2, 4, 5, 5}},
                          {{"dilations", Shape{2, 2}}});
        row("batch and dilation", batch,
            "Y[n][o][h][w] += X[n][c][h+r*2][w+s*2] * W[o][c][r][s] | n=2 o=4 h=5 w=5 c=3 r=3 s=3", direct);
        row("batched im2col", batch, "Y[n][o][p] += X[n][p][k] * W[o][k] | n=2 o=4 p=25 k=27");
        row("pointwise", {"Conv", Conv, {{1, 8, 5, 5}, {4, 8, 1, 1}, {1, 4, 5, 5}}},
            "Y[o][p] += X[k][p] * W[o][k] | o=4 p=25 k=8");
        row("pointwise direct", {"Conv", Conv, {{1, 8, 5, 5}, {4, 8, 1, 1}, {1, 4, 5, 5}}},
            "Y[o][h][w] += X[c][h][w] * W[o][c] | o=4 h=5 w=5 c=8", direct);
        const OneOp depthwise("Conv", Conv, {{1, 8, 5, 5}, {8, 1, 3, 3}, {1, 8, 5, 5}},
                              {{"group", 8L}, {"auto_pad", std::string("SAME_UPPER")}});
        row("depthwise", depthwise, "Y[g][h][w] += X[g][h+r-1][w+s-1] * W[g][r][s] | g=8 h=5 w=5 r=3 s=3",
            direct);
        row("depthwise im2col", depthwise, "Y[g][p] += X[g][p][k] * W[g][k] | g=8 p=25 k=9");
        row("grouped", {"Conv", Conv, {{1, 8, 5, 5}, {6, 4, 3, 3}, {1, 6, 3, 3}}, {{"group", 2L}}},
            "Y[g][o][h][w] += X[g][c][h+r][w+s] * W[g][o][c][r][s] | g=2 o=3 h=3 w=3 c=4 r=3 s=3", direct);
        row("one axis", {"Conv", Conv, {{1, 8, 50}, {6, 8, 3}, {1, 6, 48}}},
            "Y[o][w] += X[c][w+s] * W[o][c][s] | o=6 w=48 c=8 s=3", direct);
        row("image of one row",
            {"Conv", Conv, {{1, 8, 1, 1}, {6, 8, 3, 3}, {1, 6, 1, 1}}, {{"pads", Shape{1, 1, 1, 1}}}},
            "Y[o] += X[c][r-1][s-1] * W[o][c][r][s] | o=6 c=8 r=3 s=3", direct);

        row("add", {"Add", Elementwise, {{2, 3, 4}, {2, 3, 4}, {2, 3, 4}}},
            "Y[i0] = X0[i0] + X1[i0] | i0=24");
        row("add of itself", {"Mul", Elementwise, {{2, 3}, {1}, {2, 3}}}, "Y[i0] = X0[i0] * X1[0] | i0=6");
        row("broadcast bias", {"Add", Elementwise, {{2, 3, 4}, {4}, {2, 3, 4}}},
            "Y[i0][i1] = X0[i0][i1] + X1[i1] | i0=6 i1=4");
        row("broadcast middle", {"Mul", Elementwise, {{2, 3, 4}, {1, 3, 1}, {2, 3, 4}}},
            "Y[i0][i1][i2] = X0[i0][i1][i2] * X1[i1] | i0=2 i1=3 i2=4");
        row("relu", {"Relu", Elementwise, {{2, 3, 4}, {2, 3, 4}}}, "Y[i0] = relu(X0[i0]) | i0=24");

        row("global pool", {"GlobalAveragePool", Reduction, {{1, 8, 5, 5}, {1, 8, 1, 1}}},
            "Y[i0] += X[i0][k2] | i0=8 k2=25");
        row("reduce last",
            {"ReduceMax", Reduction, {{4, 5, 6}, {4, 5}}, {{"axes", Shape{-1}}, {"keepdims", 0L}}},
            "Y[i0] = max(Y[i0], X[i0][k2]) | i0=20 k2=6");
        row("reduce all", {"ReduceSum", Reduction, {{4, 5}, {}}}, "Y[0] += X[k0] | k0=20");

        row("attention",
            {"Attention", Attention, {{1, 12, 1, 64}, {1, 12, 100, 64}, {1, 12, 100, 64}, {1, 12, 1, 64}}},
            "O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d] | h=12 l=100 d=64");
        row("transposed keys",
            {"Attention",
             Attention,
             {{12, 5, 64}, {12, 64, 64}, {12, 64, 64}, {12, 5, 64}},
             {{"k_transposed", 1L}}},
            "O[h][m][d] += softmax(Q[h][m][d] * K[h][d][l]) * V[h][l][d] | h=12 m=5 l=64 d=64");
        row("masked attention of one query",
            {"Attention", Attention, {{12, 1, 64}, {12, 100, 64}, {12, 100, 64}, {1, 100}, {12, 1, 64}}},
            "O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d] | h=12 l=100 d=64");
        row("masked attention of several",
            {"Attention", Attention, {{12, 8, 64}, {12, 100, 64}, {12, 100, 64}, {8, 100}, {12, 8, 64}}},
            "error: Attention masks keys of 8 queries, and the softmax of the nest sees every key");
        row("shared keys", {"Attention", Attention, {{8, 5, 64}, {2, 100, 64}, {2, 100, 64}, {8, 5, 64}}},
            "O[h][m][d] += softmax(Q[h][m][d] * K[h][l][d]) * V[h][l][d] | h=2 m=20 l=100 d=64");

        row("softmax", {"Softmax", Softmax, {{4, 5}, {4, 5}}},
            "error: Softmax needs the sum of a whole row before any result; PIM units run softmax only "
            "inside attention");
        row("unknown", {"Resize", Other, {{4, 5}, {4, 5}}},
            "error: Resize has no loop nest that PIM units can run");
        row("one element", {"Relu", Elementwise, {{1, 1}, {1, 1}}},
            "error: a single element has no loop to spread over PIM cores");
        row("bad shapes", {"MatMul", MatMul, {{4, 5}, {6, 7}, {4, 7}}},
            "error: MatMul has operands [4, 5] and [6, 7] that do not fit");
        row("empty", {"Relu", Elementwise, {{0, 5}, {0, 5}}}, "error: Relu has an empty tensor (t0 [0, 5])");
        row("unknown shape", {"Relu", Elementwise, {{-1, 5}, {-1, 5}}},
            "error: Relu has a tensor of unknown shape (t0)");
        row("zero stride", {"Conv", Conv, {{1, 8, 5}, {6, 8, 3}, {1, 6, 3}}, {{"strides", Shape{0}}}},
            "error: Conv has a stride or dilation below 1");
    }
    void buildsNests() {
        QFETCH(QString, built);
        QFETCH(QString, expected);
        QCOMPARE(built, expected);
    }

    void countsExpandedBytesOfIm2col() {
        const OneOp conv("Conv", OpClass::Conv, {{1, 64, 56, 56}, {64, 64, 3, 3}, {1, 64, 56, 56}},
                         {{"pads", Shape{1, 1, 1, 1}}}, {1});
        const auto kernel = kernelFromOp(conv.graph, OpId(0));
        QVERIFY(kernel);
        QCOMPARE(kernel->tensors[0].shape, (Shape{3136, 576}));
        QCOMPARE(kernel->iterations(), 64LL * 3136 * 576);
        QVERIFY(!kernel->tensors[0].constant);
        QVERIFY(kernel->tensors[1].constant);
        QCOMPARE(kernel->tensors[1].source, TensorId(1));
        QCOMPARE(kernel->tensors[0].dtype, DataType::F16);
    }

    /// The same work from different ops has the same text, which is the key of the plan cache.
    void buildsLookups_data() {
        QTest::addColumn<QString>("built");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::vector<Shape>& shapes, std::int64_t axis,
                            const char* expected, DataType indices = DataType::I64) {
            OneOp op("Gather", OpClass::Movement, shapes, {{"axis", axis}}, {0});
            op.graph.tensors[1].dtype = indices;
            const auto kernel = gatherKernel(op.graph, OpId(0));
            QTest::newRow(name) << (kernel ? QString::fromStdString(kernel->text())
                                           : QString::fromStdString("error: " + kernel.error().message))
                                << expected;
        };
        row("embedding", {{100, 8}, {2, 3}, {2, 3, 8}}, 0,
            "def gather(I[6]: i64, T[100][8]: const f16, Y[6][8]: f16):\n    for l in range(6):\n        for "
            "d in "
            "range(8):\n            Y[l][d] = T[I[l]][d]\n");
        row("in the middle", {{4, 9, 5, 2}, {3}, {4, 3, 5, 2}}, 1,
            "def gather(I[3]: i64, T[4][9][10]: const f16, Y[4][3][10]: f16):\n    for b in range(4):\n      "
            "  for l "
            "in range(3):\n            for d in range(10):\n                Y[b][l][d] = T[b][I[l]][d]\n");
        row("one of them, from the end", {{4, 9}, {}, {4}}, -1,
            "def gather(I[1]: i32, T[4][9]: const f16, Y[4]: f16):\n    for b in range(4):\n        Y[b] = "
            "T[b][I[0]]\n",
            DataType::I32);
        row("no such axis", {{4, 9}, {2}, {4, 2}}, 2, "error: Gather names axis 2 of a tensor with 2 axes");
        row("indices of fractions", {{4, 9}, {2}, {2, 9}}, 0,
            "error: Gather has indices of f32; i32 or i64 are looked up", DataType::F32);
    }
    void buildsLookups() {
        QFETCH(QString, built);
        QFETCH(QString, expected);
        QCOMPARE(built, expected);
    }

    /// No unit of DRAM-PIM looks anything up: plans stay as they are.
    void leavesGatherToTheHost() {
        const OneOp op("Gather", OpClass::Movement, {{100, 8}, {2}, {2, 8}}, {{"axis", std::int64_t(0)}});
        QCOMPARE(op.statement(), QString("error: Gather moves bytes and computes nothing"));
        const OneOp other("MatMul", OpClass::MatMul, {{4, 8}, {8, 2}, {4, 2}});
        QVERIFY(!gatherKernel(other.graph, OpId(0)));
    }

    void textDoesNotDependOnTheOp() {
        const OneOp matmul("MatMul", OpClass::MatMul, {{1, 64}, {64, 32}, {1, 32}}, {}, {1});
        const OneOp gemm("Gemm", OpClass::MatMul, {{1, 64}, {64, 32}, {32}, {1, 32}}, {}, {1});
        QCOMPARE(kernelFromOp(matmul.graph, OpId(0))->text(), kernelFromOp(gemm.graph, OpId(0))->text());
        const OneOp streamed("MatMul", OpClass::MatMul, {{1, 64}, {64, 32}, {1, 32}});
        QVERIFY(kernelFromOp(matmul.graph, OpId(0))->text() != kernelFromOp(streamed.graph, OpId(0))->text());
    }

    void flagsTheCacheOfKeysAndValues() {
        // past [12, 99, 64] and this step's key [12, 1, 64] are joined, then attended to.
        OneOp one("Attention", OpClass::Attention, {{12, 1, 64}, {12, 100, 64}, {12, 100, 64}, {12, 1, 64}});
        Graph& graph = one.graph;
        const auto add = [&](Shape shape, bool isInput) {
            Tensor tensor;
            tensor.name = "extra" + std::to_string(graph.tensors.size());
            tensor.dtype = DataType::F16;
            tensor.shape = std::move(shape);
            tensor.isInput = isInput;
            graph.tensors.push_back(std::move(tensor));
            return TensorId(static_cast<std::int64_t>(graph.tensors.size()) - 1);
        };
        Op concat;
        concat.type = "Concat";
        concat.opClass = OpClass::Movement;
        concat.inputs = {add({12, 99, 64}, true), add({12, 1, 64}, false)};
        concat.outputs = {TensorId(1)};
        graph.ops.push_back(concat);
        graph.tensors[1].producer = OpId(1);
        const auto kernel = kernelFromOp(graph, OpId(0));
        QVERIFY(kernel);
        QCOMPARE(kernel->body, BodyKind::Attention);
        QCOMPARE(kernel->macsPerIteration, 2);
        QVERIFY(!kernel->tensors[0].cache);
        QVERIFY(kernel->tensors[1].cache);
        QVERIFY(!kernel->tensors[2].cache);
    }

    void readsReductionAxesFromAConstantInput() {
        OneOp one("ReduceSum", OpClass::Reduction, {{4, 5, 6}, {1}, {5, 6}}, {{"keepdims", 0L}});
        const std::int64_t axis = 0;
        std::vector<std::byte> bytes(sizeof axis);
        std::memcpy(bytes.data(), &axis, sizeof axis);
        one.graph.tensors[1].dtype = DataType::I64;
        one.graph.tensors[1].constant = std::make_shared<const std::vector<std::byte>>(bytes);
        QCOMPARE(one.statement(), QString("Y[i1] += X[k0][i1] | k0=4 i1=30"));
        one.graph.tensors[1].constant = nullptr;
        QVERIFY(one.statement().contains("axes that are not known"));
    }
};

QTEST_GUILESS_MAIN(TestFromOp)
#include "tst_core_kernel_from_op.moc"
