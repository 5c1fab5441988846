// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The executor against the reference, on flows written here; and every way a flow can be wrong.
#include <QTest>

#include <string>

#include "backends/dual_mode/execute/execute.h"
#include "core/numeric/real_run.h"
#include "tests/backends_dual_mode_execute/networks.h"
#include "tests/backends_dual_mode_execute/plain_flow.h"

using namespace pim;

namespace {

struct Prepared {
    QuantizedModel model;
    std::vector<Value> inputs;
    QuantizedRun expected;
};

Result<Prepared> prepare(const std::shared_ptr<const Graph>& graph) {
    Prepared p;
    PIM_TRY(p.inputs, sampleInputs(*graph, 9));
    PIM_TRY(p.model, quantize(graph, {.seed = 4}));
    PIM_TRY(p.expected, runQuantized(p.model, p.inputs));
    return p;
}

/// x [3, 6] times W [6, 4], on a chip of 6 arrays of 6 x 2 cells that hold 12 bytes each.
struct ByHand {
    Prepared prepared;
    DualModeFlow flow;
};

FlowOperator operatorOf(FlowKind kind, const std::vector<int>& arrays) {
    FlowOperator o;
    o.kind = kind;
    o.arrays = arrayList(arrays);
    return o;
}
FlowOperator withPiece(FlowKind kind, const std::vector<int>& arrays, int piece, int copies) {
    FlowOperator o = operatorOf(kind, arrays);
    o.piece = piece;
    o.copies = copies;
    return o;
}
FlowOperator ofTensor(FlowKind kind, int tensor, const ByteRuns& runs, const std::vector<int>& arrays = {}) {
    FlowOperator o = operatorOf(kind, arrays);
    o.tensor = tensor;
    o.runs = runs;
    return o;
}

std::shared_ptr<const Graph> productGraph() {
    auto graph = std::make_shared<Graph>();
    graph->name = "product";
    const auto tensor = [&](const char* name, const Shape& shape) {
        Tensor t;
        t.name = name;
        t.dtype = DataType::F32;
        t.shape = shape;
        graph->tensors.push_back(t);
        return TensorId(static_cast<std::int64_t>(graph->tensors.size()) - 1);
    };
    const TensorId x = tensor("x", {3, 6}), w = tensor("w", {6, 4}), y = tensor("y", {3, 4}),
                   z = tensor("z", {3, 4});
    graph->tensors[x.index()].isInput = true;
    std::vector<double> weights;
    for (int i = 0; i < 24; ++i)
        weights.push_back(0.125 * (i * 7 % 11 - 5));
    graph->tensors[w.index()].constant =
        std::make_shared<const std::vector<std::byte>>(bytesFromReals(weights, DataType::F32));
    graph->tensors[z.index()].isOutput = true;
    graph->inputs = {x};
    graph->outputs = {z};
    Op product, relu;
    product.name = "product";
    product.type = "MatMul";
    product.inputs = {x, w};
    product.outputs = {y};
    relu.name = "relu";
    relu.type = "Relu";
    relu.inputs = {y};
    relu.outputs = {z};
    graph->ops = {product, relu};
    graph->tensors[x.index()].consumers = graph->tensors[w.index()].consumers = {OpId(0)};
    graph->tensors[y.index()].producer = OpId(0);
    graph->tensors[y.index()].consumers = {OpId(1)};
    graph->tensors[z.index()].producer = OpId(1);
    return graph;
}

/// Two blocks: the product into arrays 4 and 5 in memory mode, two copies of its weights on arrays 0 to 3;
/// then ReLU from there to main memory.
Result<ByHand> byHand() {
    ByHand h;
    PIM_TRY(h.prepared, prepare(productGraph()));
    DualModeFlow& f = h.flow;
    f.network = "product";
    f.chip = "toy";
    f.arrays = 6;
    f.rows = 6;
    f.columns = 2;
    f.arrayBytes = 12;
    const auto tensor = [&](const char* name, int id, std::int64_t bytes) {
        FlowTensor t;
        t.name = name;
        t.tensor = TensorId(id);
        t.bytes = bytes;
        t.address = f.mainBytes;
        f.mainBytes += bytes;
        f.tensors.push_back(t);
    };
    tensor("x", 0, 18);
    tensor("y", 2, 12);
    tensor("z", 3, 12);
    FlowOp op;
    op.name = "product";
    op.op = OpId(0);
    op.m = 3;
    op.n = 6;
    op.k = 4;
    op.streamed = 0;
    op.result = 1;
    f.ops = {op};
    f.pieces = {FlowPiece{0, 0, 1, 0, 6, 0, 4, 2, SumRole::Whole}};
    f.inputs = {0};
    f.outputs = {2};
    FlowOperator relu;
    relu.kind = FlowKind::Vector;
    relu.run = std::make_shared<const FlowGraphOp>(
        FlowGraphOp{.op = OpId(1), .name = "relu", .note = "", .reads = {1}, .writes = {2}, .pace = {}});
    f.blocks = {FlowBlock{"product",
                          {operatorOf(FlowKind::SwitchToMemory, {4, 5}),
                           withPiece(FlowKind::WriteWeights, {3, 0, 2, 1}, 0, 2),
                           ofTensor(FlowKind::Hold, 1, {0, 12, 0, 1}, {5, 4}),
                           withPiece(FlowKind::Multiply, {3, 0, 2, 1}, 0, 2)}},
                FlowBlock{"relu",
                          {relu, ofTensor(FlowKind::Release, 1, {0, 12, 0, 1}),
                           operatorOf(FlowKind::SwitchToCompute, {4, 5})}}};
    return h;
}

} // namespace

class TestExecuteFlow : public QObject {
    Q_OBJECT

    static void verifyEqual(const Prepared& p, const DualModeFlow& flow) {
        const auto got = executeFlow(flow, p.model, p.inputs);
        QVERIFY2(got.has_value(), got ? "" : got.error().text().c_str());
        const auto comparison = compareWithReference(p.model, p.expected, *got);
        QVERIFY2(!comparison.first, comparison.first ? comparison.first->text.c_str() : "");
        QCOMPARE(comparison.ops, static_cast<std::int64_t>(p.model.graph->ops.size()));
        QVERIFY(comparison.outputs > 0);
    }

private slots:
    void computesByHand() {
        const auto h = byHand();
        QVERIFY2(h.has_value(), h ? "" : h.error().text().c_str());
        const auto got = executeFlow(h->flow, h->prepared.model, h->prepared.inputs);
        QVERIFY2(got.has_value(), got ? "" : got.error().text().c_str());
        const auto comparison = compareWithReference(h->prepared.model, h->prepared.expected, *got);
        QVERIFY2(!comparison.first, comparison.first ? comparison.first->text.c_str() : "");
        QCOMPARE(comparison.ops, 2);
        QCOMPARE(comparison.outputs, 12);
        QCOMPARE(comparison.elements, 12 + 12 + 12 + 12); // sums, y, z, z in main memory
        QCOMPARE(got->switches, 4);
        QCOMPARE(got->tilesWritten, 4);
        QCOMPARE(got->rowsStreamed, 6);
    }

    /// Each breaks the flow above in one way.
    void refusesWrongFlows_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing switch") << "missing switch"
                                        << "array 5 is in compute mode and cannot hold bytes of \"y\"";
        QTest::newRow("weights into memory") << "weights into memory"
                                             << "array 4 is in memory mode and takes no weights";
        QTest::newRow("compute in memory mode") << "compute in memory mode"
                                                << "array 3 is in memory mode and cannot compute";
        QTest::newRow("swapped arrays") << "swapped arrays"
                                        << "array 0 should have block 0 of piece 0";
        QTest::newRow("no weights") << "no weights"
                                    << "array 3 computes and has no weights";
        QTest::newRow("switched away") << "switched away"
                                       << "array 5 still holds bytes of \"y\"";
        QTest::newRow("switched twice") << "switched twice"
                                        << "array 4 is in memory mode already";
        QTest::newRow("evicted") << "evicted"
                                 << "byte 0 of \"y\" is read and was never written to main memory";
        QTest::newRow("overwritten") << "overwritten"
                                     << "byte 0 of \"y\" is read and was overwritten by \"z\"";
        QTest::newRow("read too early") << "read too early"
                                        << "byte 0 of \"y\" is read and was never written";
        QTest::newRow("held twice") << "held twice"
                                    << "array 5 holds bytes of \"y\" already";
        QTest::newRow("computed twice") << "computed twice"
                                        << "column 0 of instance 0 of \"product\" is computed twice";
        QTest::newRow("half the sums") << "half the sums"
                                       << "3 of 6 rows with sum=whole";
        QTest::newRow("never computed") << "never computed"
                                        << "the flow does not compute";
        QTest::newRow("too small an array") << "too small an array"
                                            << "do not fit into 2 arrays of 5";
        QTest::newRow("other shape") << "other shape"
                                     << "it is m=3 n=6 k=5 g=1";
        QTest::newRow("unlisted read") << "unlisted read"
                                       << "which is not among what it says to read";
    }
    void refusesWrongFlows() {
        QFETCH(QString, what);
        QFETCH(QString, message);
        auto h = byHand();
        QVERIFY(h.has_value());
        DualModeFlow& f = h->flow;
        auto &first = f.blocks[0].operators, &second = f.blocks[1].operators;
        if (what == "missing switch")
            first.erase(first.begin());
        else if (what == "weights into memory")
            first[1].arrays = arrayList({4, 0, 2, 1});
        else if (what == "compute in memory mode")
            first.insert(first.begin() + 3, operatorOf(FlowKind::SwitchToMemory, {3}));
        else if (what == "swapped arrays")
            first[3].arrays = arrayList({0, 3, 2, 1});
        else if (what == "no weights")
            first.erase(first.begin() + 1);
        else if (what == "switched away")
            second.insert(second.begin(), operatorOf(FlowKind::SwitchToCompute, {5}));
        else if (what == "switched twice")
            first.insert(first.begin() + 1, operatorOf(FlowKind::SwitchToMemory, {4}));
        else if (what == "evicted")
            std::swap(second[0], second[1]);
        else if (what == "overwritten") {
            f.tensors[2].address = f.tensors[1].address;
            first.insert(first.end(), ofTensor(FlowKind::Store, 1, {0, 12, 0, 1}));
            second = {ofTensor(FlowKind::Release, 1, {0, 12, 0, 1}), second[0], second[0]};
        } else if (what == "read too early")
            std::swap(f.blocks[0], f.blocks[1]), std::swap(first, second),
                second.insert(second.begin(), first[0]), first = {second[0]}, second.erase(second.begin());
        else if (what == "held twice")
            first.insert(first.begin() + 3, ofTensor(FlowKind::Hold, 1, {0, 2, 0, 1}, {5}));
        else if (what == "computed twice")
            first.push_back(first.back());
        else if (what == "half the sums")
            f.pieces[0].n = 3;
        else if (what == "never computed")
            f.blocks = {};
        else if (what == "too small an array")
            f.arrayBytes = 5;
        else if (what == "other shape")
            f.ops[0].k = 5;
        else if (what == "unlisted read")
            second[0].run = std::make_shared<const FlowGraphOp>(FlowGraphOp{
                .op = OpId(1), .name = "relu", .note = "", .reads = {0}, .writes = {2}, .pace = {}});
        const auto got = executeFlow(f, h->prepared.model, h->prepared.inputs);
        if (what == "never computed") {
            QVERIFY(!got);
            QVERIFY(got.error().message.find("was never written to main memory") != std::string::npos);
            return;
        }
        QVERIFY(!got);
        QCOMPARE(got.error().code, ErrorCode::InvalidFile);
        QVERIFY2(got.error().message.find(message.toStdString()) != std::string::npos,
                 got.error().text().c_str());
        QVERIFY(!got.error().where.empty());
    }

    void transposedConvolutionsAreNotComputed() {
        auto h = byHand();
        QVERIFY(h.has_value());
        auto graph = std::make_shared<Graph>(*h->prepared.model.graph);
        graph->ops[h->flow.ops[0].op.index()].type = "ConvTranspose";
        h->prepared.model.graph = graph;
        const auto got = executeFlow(h->flow, h->prepared.model, h->prepared.inputs);
        QVERIFY(!got);
        QCOMPARE(got.error().code, ErrorCode::Unsupported);
        QVERIFY2(got.error().text().find("transposed") != std::string::npos, got.error().text().c_str());
    }

    /// What passes all checks and still computes something else is found by the comparison.
    void namesTheFirstDifference() {
        auto h = byHand();
        QVERIFY(h.has_value());
        auto got = executeFlow(h->flow, h->prepared.model, h->prepared.inputs);
        QVERIFY(got.has_value());
        auto bytes = std::make_shared<std::vector<std::byte>>(*got->run.values[2].bytes);
        (*bytes)[7] ^= std::byte(1);
        got->run.values[2].bytes = bytes;
        const auto comparison = compareWithReference(h->prepared.model, h->prepared.expected, *got);
        QVERIFY(comparison.first.has_value());
        QCOMPARE(comparison.first->op, OpId(0));
        QCOMPARE(comparison.first->element, 7);
        QCOMPARE(comparison.first->count, 1);
        QVERIFY2(comparison.first->text.find("product: element [1, 3] of result \"y\"") == 0,
                 comparison.first->text.c_str());
    }

    void usesWhatLiesInTheArrays() {
        // The other operand order of a Hold, bytes loaded from main memory, stored again.
        auto h = byHand();
        QVERIFY(h.has_value());
        auto& second = h->flow.blocks[1].operators;
        const ByteRuns odd{1, 2, 4, 3}; // bytes 1, 2, 5, 6, 9, 10
        h->flow.blocks[0].operators.push_back(ofTensor(FlowKind::Store, 1, {0, 12, 0, 1}));
        second = {ofTensor(FlowKind::Release, 1, {0, 12, 0, 1}), ofTensor(FlowKind::Hold, 1, odd, {4, 5}),
                  ofTensor(FlowKind::Load, 1, odd), second[0], ofTensor(FlowKind::Release, 1, odd)};
        verifyEqual(h->prepared, h->flow);
    }

    void passesBufferedTensors() {
        auto h = byHand();
        QVERIFY(h.has_value());
        DualModeFlow& f = h->flow;
        f.tensors[1].buffered = true;
        f.tensors[1].address = 0;
        auto& first = f.blocks[0].operators;
        const FlowOperator relu = f.blocks[1].operators[0];
        first = {first[1], first[3], relu};
        f.blocks.pop_back();
        verifyEqual(h->prepared, f);
        f.blocks.push_back(FlowBlock{"late", {relu}}); // the buffer is empty again
        first.pop_back();
        const auto got = executeFlow(f, h->prepared.model, h->prepared.inputs);
        QVERIFY(!got);
        QVERIFY2(got.error().message.find("was not written in this block") != std::string::npos,
                 got.error().text().c_str());
    }

    void executesPlainFlows_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("arrays");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("vision, roomy") << "vision" << 24 << 48 << 16;
        QTest::newRow("vision, sums cut") << "vision" << 3 << 9 << 5;
        QTest::newRow("vision, one array") << "vision" << 1 << 12 << 7;
        QTest::newRow("encoder") << "encoder" << 16 << 32 << 24;
        QTest::newRow("encoder, sums cut") << "encoder" << 2 << 11 << 9;
        QTest::newRow("gpt prefill") << "tiny-gpt-prefill" << 32 << 64 << 32;
        QTest::newRow("gpt decode") << "tiny-gpt-decode" << 5 << 50 << 30;
        QTest::newRow("vgg8") << "vgg8" << 96 << 320 << 40;
        QTest::newRow("mobilenetv2") << "mobilenetv2" << 96 << 320 << 40;
        QTest::newRow("resnet18") << "resnet18" << 96 << 320 << 40;
    }
    void executesPlainFlows() {
        QFETCH(QString, network);
        QFETCH(int, arrays);
        QFETCH(int, rows);
        QFETCH(int, columns);
        const auto graph = network == "vision"    ? test::smallVision()
                           : network == "encoder" ? test::encoderLayer(9, 32, 4)
                           : network.endsWith("prefill")
                               ? test::zooNetwork(network.toStdString(), {{"seq", 10}})
                               : test::zooNetwork(network.toStdString(),
                                                  network.endsWith("decode")
                                                      ? std::map<std::string, std::int64_t>{{"past", 7}}
                                                      : std::map<std::string, std::int64_t>());
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        const auto p = prepare(*graph);
        QVERIFY2(p.has_value(), p ? "" : p.error().text().c_str());
        if (network == "encoder" || network.startsWith("tiny"))
            QVERIFY(!p->model.scoreExponents.empty()); // attention was recognised
        const DualModeFlow flow = test::plainFlow(p->model, arrays, rows, columns);
        verifyEqual(*p, flow);
    }

    void stopsWhenAsked() {
        const auto h = byHand();
        QVERIFY(h.has_value());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(
            executeFlow(h->flow, h->prepared.model, h->prepared.inputs, {}, TaskContext{stop.get_token(), {}})
                .error()
                .code,
            ErrorCode::Cancelled);
    }

    void refusesFlowsTooLargeForTheMachine() {
        auto h = byHand();
        QVERIFY(h.has_value());
        h->flow.mainBytes = std::int64_t(1) << 39;
        QCOMPARE(executeFlow(h->flow, h->prepared.model, h->prepared.inputs).error().code,
                 ErrorCode::Unsupported);
    }
};

QTEST_GUILESS_MAIN(TestExecuteFlow)
#include "tst_backends_dual_mode_execute_flow.moc"
