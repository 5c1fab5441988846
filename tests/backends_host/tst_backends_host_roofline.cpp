// SPDX-License-Identifier: GPL-3.0-or-later
// The host model against layer times of the AttAcc simulator, and its behaviour on ops of a graph.
#include <string> // before all others: moc 6.4 trips over <compare> if it is the first standard header it meets

#include "backends/host/roofline.h"
#include "backends/host/roofline_host.h"
#include "core/hardware/catalog.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <cmath>
#include <random>

using namespace pim;

namespace {

Host hostNamed(std::string_view id) {
    for (const auto& host : TargetCatalog::load().hosts())
        if (host->id == id)
            return *host;
    return {};
}

/// One op with inputs of these shapes.
Graph graphOf(std::string type, OpClass opClass, const std::vector<Shape>& inputs, const Shape& output,
              std::map<std::string, Attribute> attributes = {}) {
    Graph graph;
    Op op;
    op.name = op.type = std::move(type);
    op.opClass = opClass;
    op.attributes = std::move(attributes);
    const auto add = [&graph](const Shape& shape) {
        Tensor tensor;
        tensor.name = "t" + std::to_string(graph.tensors.size());
        tensor.dtype = DataType::F32;
        tensor.shape = shape;
        graph.tensors.push_back(tensor);
        return TensorId(static_cast<std::int64_t>(graph.tensors.size()) - 1);
    };
    for (const Shape& shape : inputs)
        op.inputs.push_back(add(shape));
    op.outputs.push_back(add(output));
    graph.ops.push_back(op);
    return graph;
}

double timeOf(const Host& host, const Graph& graph, DataType type = DataType::F16) {
    const HostCost cost = RooflineHost().cost(graph, OpId(0), host, type);
    return cost.known ? cost.ns : -1;
}

} // namespace

class TestRoofline : public QObject {
    Q_OBJECT

private slots:
    void matchesTheReferenceLayers_data() {
        QTest::addColumn<QStringList>("row");
        QFile file(QStringLiteral(PIM_SOURCE_DIR "/tests/golden/attacc/xpu_a100a_layers.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 77); // and a header
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QStringList row = lines[i].split(',');
            const QString name = QString("%1 %2 %3x%4x%5 x%6 on %7")
                                     .arg(i)
                                     .arg(row[2], row[4], row[5], row[6], row[7], row[1]);
            QTest::newRow(name.toUtf8().constData()) << row;
        }
    }
    void matchesTheReferenceLayers() {
        QFETCH(QStringList, row);
        static const Host host = hostNamed("a100a");
        const QString type = row[3];
        const double m = row[4].toDouble(), k = row[6].toDouble(), count = row[7].toDouble();
        // LLaMA's 8/3 * 6656 is written with one decimal in the file.
        const double n = row[5] == "17749.3" ? 8.0 / 3 * 6656 : row[5].toDouble();
        const double elements = m * n * count, bytes = elements * 2;
        double ns = 0;
        if (type == "FC" || type == "MATMUL") {
            const GemmCost cost = gemmCost(host, {m, n, k, count, type == "FC"}, DataType::F16);
            ns = cost.ns;
            const auto tile = [](double a, double b) {
                return QString("%1x%2").arg(a, 0, 'g', 6).arg(b, 0, 'g', 6);
            };
            QCOMPARE(tile(cost.l1TileM, cost.l1TileN), row[12]);
            QCOMPARE(tile(cost.l2TileM, cost.l2TileN), row[13]);
            QVERIFY(std::abs(cost.memoryBytes / row[14].toDouble() - 1) < 1e-3);
            QVERIFY(std::abs(cost.computeNs / 1e3 / row[10].toDouble() - 1) < 1e-3);
            QVERIFY(std::abs(cost.memoryNs / 1e3 / row[11].toDouble() - 1) < 1e-3);
        } else if (type == "SOFTMAX") {
            ns = softmaxCost(host, elements, count, DataType::F16).ns;
        } else if (type == "ACT") {
            ns =
                activationCost(host, row[2] == "glu" ? 3 * bytes : 2 * bytes, 9 * elements, DataType::F16).ns;
        } else if (type == "NORM") {
            ns = normCost(host, 3 * bytes, 5 * elements, DataType::F16).ns;
        } else if (type == "G2G") {
            ns = allReduceNs(host, row[1].toInt(), bytes);
        } else if (type == "X2G") {
            ns = linkNs(host, bytes);
        }
        const double wanted = row[8].toDouble() * 1e3;
        QVERIFY2(std::abs(ns - wanted) <= 1e-3 * wanted,
                 qPrintable(QString("%1 ns, reference %2 ns").arg(ns).arg(wanted)));
    }

    void pricesAMatrixProductInMicroseconds() {
        const Host host = hostNamed("a100a");
        std::mt19937 random(1);
        double sum = 0;
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 2000; ++i)
            sum += gemmCost(host,
                            {double(random() % 20000 + 1), double(random() % 20000 + 1),
                             double(random() % 8192 + 1)},
                            DataType::F16)
                       .ns;
        const double each = double(timer.nsecsElapsed()) / 2000;
        qInfo("%.2f us a product", each / 1e3);
        QVERIFY(sum > 0);
        QVERIFY(each < 200'000); // 20 us in a release build; room for sanitizers
    }

    void staysQuickAndFiniteOnHugeProducts() {
        for (const char* const id : {"a100", "xeon-8380"}) {
            const Host host = hostNamed(id);
            for (const double size : {1e6, 1e9, 1e12}) {
                const double ns = gemmCost(host, {size, size, size}, DataType::F16).ns;
                QVERIFY(std::isfinite(ns));
                QVERIFY(ns >= 2 * size * size * size / (host.peakFlopsPerNs.at(DataType::F16)));
            }
        }
    }

    void isNeverFasterThanPeakNorThanMovingTheTensorsOnce() {
        std::mt19937 random(2);
        for (const char* const id : {"a100", "a100a", "h100", "xeon-8380"}) {
            const Host host = hostNamed(id);
            for (int i = 0; i < 300; ++i) {
                const double m = random() % 3000 + 1, n = random() % 3000 + 1, k = random() % 3000 + 1;
                const GemmCost cost = gemmCost(host, {m, n, k}, DataType::F16);
                QVERIFY(cost.ns >= 2 * m * n * k / host.peakFlopsPerNs.at(DataType::F16));
                QVERIFY(cost.ns >= 2 * (m * n + m * k + k * n) / host.memoryBytesPerNs);
                QVERIFY(cost.utilisation > 0 && cost.utilisation <= 1);
                const double l1 = ((cost.l1TileM + cost.l1TileN) * 32 + cost.l1TileM * cost.l1TileN) * 2;
                QVERIFY(l1 <= double(host.l1BytesPerCore));
                const double l2 = ((cost.l2TileM + cost.l2TileN) * k / 64 + cost.l2TileM * cost.l2TileN) * 2;
                QVERIFY(l2 <= double(host.l2Bytes) * (1 + 1e-9));
            }
        }
    }

    void takesTheShapesOfAnOp() {
        const Host host = hostNamed("a100a");
        const auto product = [&](double m, double n, double k) {
            return gemmCost(host, {m, n, k}, DataType::F16).ns;
        };
        const OpClass matMul = OpClass::MatMul;
        QCOMPARE(timeOf(host, graphOf("MatMul", matMul, {{1, 5120}, {5120, 15360}}, {1, 15360})),
                 product(1, 15360, 5120));
        // A batch over shared weights is one tall product.
        QCOMPARE(timeOf(host, graphOf("MatMul", matMul, {{4, 8, 512}, {512, 256}}, {4, 8, 256})),
                 product(32, 256, 512));
        QCOMPARE(timeOf(host, graphOf("Gemm", matMul, {{32, 512}, {256, 512}}, {32, 256},
                                      {{"transB", std::int64_t{1}}})),
                 product(32, 256, 512));
        QCOMPARE(timeOf(host, graphOf("Gemm", matMul, {{512, 32}, {512, 256}}, {32, 256},
                                      {{"transA", std::int64_t{1}}})),
                 product(32, 256, 512));
        QCOMPARE(timeOf(host, graphOf("MatMul", matMul, {{512}, {512, 256}}, {256})), product(1, 256, 512));
        // Heads are dealt to cores as wholes.
        QCOMPARE(
            timeOf(host, graphOf("MatMul", matMul, {{1, 40, 1, 128}, {1, 40, 128, 512}}, {1, 40, 1, 512})),
            gemmCost(host, {1, 512, 128, 40, false}, DataType::F16).ns);
        // im2col: 56*56 positions, 64 filters of 64*3*3.
        QCOMPARE(
            timeOf(host, graphOf("Conv", OpClass::Conv, {{1, 64, 56, 56}, {64, 64, 3, 3}}, {1, 64, 56, 56})),
            gemmCost(host, {3136, 64, 576, 1, true, 64.0 * 3136 * 2}, DataType::F16).ns);
        QCOMPARE(timeOf(host, graphOf("Conv", OpClass::Conv, {{1, 32, 8, 8}, {32, 1, 3, 3}}, {1, 32, 8, 8},
                                      {{"group", std::int64_t{32}}})),
                 gemmCost(host, {64, 1, 9, 32, true, 64.0 * 2}, DataType::F16).ns);
    }

    /// Memory delivers the packed numbers, which are unpacked on the way to the cores.
    void readsPackedWeightsAsTheyLie() {
        const Host host = hostNamed("a100a");
        Graph packed = graphOf("MatMul", OpClass::MatMul, {{1, 5120}, {5120, 15360}}, {1, 15360});
        const HostCost whole = RooflineHost().cost(packed, OpId(0), host, DataType::F16);
        packed.tensors[1].packedBits = 4.5;
        const HostCost cost = RooflineHost().cost(packed, OpId(0), host, DataType::F16);
        QCOMPARE(cost.operations, whole.operations);
        QCOMPARE(cost.computeNs, whole.computeNs);
        QCOMPARE(whole.memoryBytes - cost.memoryBytes, 5120.0 * 15360 * (16 - 4.5) / 8);
        QVERIFY(cost.ns < 0.35 * whole.ns);
        // Numbers of more bits than the host computes in are as before.
        packed.tensors[1].packedBits = 32;
        QCOMPARE(RooflineHost().cost(packed, OpId(0), host, DataType::F16).ns, whole.ns);
    }

    void sumsScoresSoftmaxAndContextOfAttention() {
        const Host host = hostNamed("a100a");
        const double parts =
            timeOf(host, graphOf("MatMul", OpClass::MatMul, {{1, 40, 1, 128}, {1, 40, 128, 512}},
                                 {1, 40, 1, 512})) +
            timeOf(host, graphOf("Softmax", OpClass::Softmax, {{1, 40, 1, 512}}, {1, 40, 1, 512})) +
            timeOf(host,
                   graphOf("MatMul", OpClass::MatMul, {{1, 40, 1, 512}, {1, 40, 512, 128}}, {1, 40, 1, 128}));
        const Graph fused = graphOf("Attention", OpClass::Attention,
                                    {{1, 40, 1, 128}, {1, 40, 512, 128}, {1, 40, 512, 128}}, {1, 40, 1, 128});
        QCOMPARE(timeOf(host, fused), parts);
    }

    void chargesBytesOnlyWhereTheyMove() {
        const Host host = hostNamed("a100a");
        const Shape image{1, 64, 56, 56};
        const double tensorBytes = 64 * 56 * 56 * 2;
        const double perNs = 3352 * 0.85;
        QCOMPARE(timeOf(host, graphOf("Reshape", OpClass::Movement, {image, {2}}, {64, 3136})), 0.0);
        QCOMPARE(timeOf(host, graphOf("Flatten", OpClass::Movement, {image}, {1, 200704})), 0.0);
        QCOMPARE(timeOf(host, graphOf("Transpose", OpClass::Movement, {image}, {1, 56, 56, 64})),
                 2 * tensorBytes / perNs);
        QCOMPARE(timeOf(host, graphOf("Relu", OpClass::Elementwise, {image}, image)),
                 2 * tensorBytes / perNs);
        QCOMPARE(timeOf(host, graphOf("Add", OpClass::Elementwise, {image, image}, image)),
                 3 * tensorBytes / perNs);
        // A row of a table of 50000 words.
        QCOMPARE(timeOf(host, graphOf("Gather", OpClass::Movement, {{50000, 768}, {1}}, {1, 768})),
                 2 * 768 * 2 / perNs);
        QVERIFY(timeOf(host, graphOf("Gelu", OpClass::Elementwise, {image}, image)) > 8290);
        QVERIFY(timeOf(host, graphOf("LayerNorm", OpClass::Normalize, {image}, image)) > 6870);
        // Twice the bytes in f32.
        QCOMPARE(timeOf(host, graphOf("Relu", OpClass::Elementwise, {image}, image), DataType::F32),
                 4 * tensorBytes / perNs);
    }

    void keepsIntegersAndIgnoresCastsBetweenFloats() {
        const Host host = hostNamed("a100a");
        Graph cast = graphOf("Cast", OpClass::Elementwise, {{1024}}, {1024});
        cast.tensors[1].dtype = DataType::F16;
        QCOMPARE(timeOf(host, cast), 0.0);
        cast.tensors[1].dtype = DataType::I64;
        QCOMPARE(timeOf(host, cast), 1024 * (2 + 8) / (3352 * 0.85));
        Graph quantised = graphOf("MatMulInteger", OpClass::MatMul, {{64, 512}, {512, 512}}, {64, 512});
        for (Tensor& tensor : quantised.tensors)
            tensor.dtype = DataType::I8;
        QCOMPARE(timeOf(host, quantised), gemmCost(host, {64, 512, 512}, DataType::I8).ns);
    }

    void saysWhereItDoesNotKnow() {
        const Host host = hostNamed("a100a");
        const RooflineHost model;
        QVERIFY(
            !model.cost(graphOf("Mystery", OpClass::Other, {{4}}, {4}), OpId(0), host, DataType::F16).known);
        Graph open = graphOf("Relu", OpClass::Elementwise, {{-1, 4}}, {-1, 4});
        QVERIFY(!model.cost(open, OpId(0), host, DataType::F16).known);
        open.tensors[1].shape.reset();
        QVERIFY(!model.cost(open, OpId(0), host, DataType::F16).known);
        QCOMPARE(timeOf(host, graphOf("MatMul", OpClass::MatMul, {{0, 16}, {16, 4}}, {0, 4})), 0.0);
        QCOMPARE(timeOf(host, graphOf("Relu", OpClass::Elementwise, {{}}, {})) >= 0, true);
    }

    void worksForTheProcessorToo() {
        const Host cpu = hostNamed("xeon-8380");
        const Host gpu = hostNamed("a100");
        const Graph large = graphOf("MatMul", OpClass::MatMul, {{1024, 4096}, {4096, 4096}}, {1024, 4096});
        QVERIFY(timeOf(cpu, large) > 20 * timeOf(gpu, large));
        QVERIFY(timeOf(cpu, large) < 200 * timeOf(gpu, large));
        // Small work has less overhead there.
        const Graph small = graphOf("Gelu", OpClass::Elementwise, {{768}}, {768});
        QVERIFY(timeOf(cpu, small) < timeOf(gpu, small));
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "tst_backends_host_roofline.moc"
