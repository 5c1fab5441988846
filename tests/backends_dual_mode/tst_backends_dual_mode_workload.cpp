// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Matrix operators of networks, and how they are cut to the size of a chip.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/dual_mode/workload.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "tests/backends_dual_mode/golden.h"

#include <fmt/format.h>

#include <QTemporaryDir>

#include <random>
#include <set>

using namespace pim;
using nlohmann::json;

namespace {

/// Graphs by hand: tensors by name, constants in capital letters.
class HandGraph {
public:
    TensorId tensor(const std::string& name, Shape shape) {
        for (std::size_t i = 0; i < m_graph.tensors.size(); ++i)
            if (m_graph.tensors[i].name == name)
                return TensorId(static_cast<std::int64_t>(i));
        Tensor made;
        made.name = name;
        made.dtype = DataType::F32;
        made.shape = std::move(shape);
        if (std::isupper(static_cast<unsigned char>(name[0])))
            made.data = InitializerRef{};
        m_graph.tensors.push_back(made);
        return TensorId(static_cast<std::int64_t>(m_graph.tensors.size()) - 1);
    }
    Op& op(const std::string& type, OpClass opClass, std::vector<TensorId> inputs, TensorId output) {
        Op made;
        made.name = fmt::format("{}_{}", type, m_graph.ops.size());
        made.type = type;
        made.opClass = opClass;
        made.inputs = std::move(inputs);
        made.outputs = {output};
        made.work.known = true;
        m_graph.tensors[output.index()].producer = OpId(static_cast<std::int64_t>(m_graph.ops.size()));
        m_graph.ops.push_back(std::move(made));
        return m_graph.ops.back();
    }
    const Graph& graph() const { return m_graph; }
    Tensor& at(TensorId id) { return m_graph.tensors[id.index()]; }

private:
    Graph m_graph;
};

QByteArray extents(const DualModeOp& op) {
    return QByteArray::fromStdString(fmt::format("M{} N{} K{} G{}", op.m, op.n, op.k, op.g));
}

Result<DualModeWorkload> convolution(Shape in, Shape weights, Shape out, std::int64_t groups,
                                     const char* type = "Conv") {
    HandGraph h;
    const auto output = h.tensor("out", std::move(out));
    h.op(type, OpClass::Conv, {h.tensor("in", std::move(in)), h.tensor("W", std::move(weights))}, output)
        .attributes["group"] = groups;
    return dualModeWorkload(h.graph());
}

/// \p first and \p second: shapes; constant where the name is a capital letter.
Result<DualModeWorkload> product(const std::string& firstName, Shape first, const std::string& secondName,
                                 Shape second, Shape out, const char* type = "MatMul",
                                 bool transposeA = false, bool transposeB = false) {
    HandGraph h;
    const auto output = h.tensor("out", std::move(out));
    Op& op = h.op(type, OpClass::MatMul,
                  {h.tensor(firstName, std::move(first)), h.tensor(secondName, std::move(second))}, output);
    op.attributes["transA"] = std::int64_t(transposeA);
    op.attributes["transB"] = std::int64_t(transposeB);
    return dualModeWorkload(h.graph());
}

/// All operators each one can be reached from, through any number of steps.
std::vector<std::set<int>> ancestors(const DualModeWorkload& workload) {
    std::vector<std::set<int>> all(workload.ops.size());
    for (std::size_t i = 0; i < workload.ops.size(); ++i)
        for (const int p : workload.ops[i].predecessors) {
            all[i].insert(p);
            all[i].insert(all[static_cast<std::size_t>(p)].begin(), all[static_cast<std::size_t>(p)].end());
        }
    return all;
}

std::string signature(const DualModeOp& op) {
    return fmt::format("{} {} {} {} {} {} {} {}", op.m, op.n, op.k, op.g, op.inBytes, op.outBytes,
                       op.weightBytes, op.producedWeights);
}

} // namespace

class TestDualModeWorkload : public QObject {
    Q_OBJECT

    json m_golden, m_cases;
    QTemporaryDir m_folder;

    std::shared_ptr<const Graph> zooGraph(const std::string& model, const ZooOptions& extents) {
        ZooOptions options = extents;
        options.weights = false;
        const std::filesystem::path file =
            std::filesystem::path(m_folder.path().toStdString()) / "model.onnx";
        const auto written = writeZooModel(model, file, options);
        if (!written)
            qFatal("%s", written.error().text().c_str());
        return loadGraph(file).value();
    }

private slots:
    void initTestCase() {
        m_golden = test::goldenDualMode("workloads.json");
        m_cases = test::goldenDualMode("dp_golden.json");
    }

    void countsTheSameMacsBytesAndArraysAsTheReference() {
        const DualModeChip chip = test::referenceDualModeChip();
        int compared = 0;
        for (const auto& [name, rows] : m_golden.at("workloads").items()) {
            const DualModeWorkload workload = test::goldenWorkload(m_golden, name);
            for (std::size_t i = 0; i < workload.ops.size(); ++i) {
                const DualModeOp& op = workload.ops[i];
                const std::string where = name + " " + op.name;
                QVERIFY2(op.macs() == rows[i].at("macs").get<std::int64_t>(), where.c_str());
                QVERIFY2(minimumArrays(op, chip) == rows[i].at("min_arrays_320x40").get<int>(),
                         where.c_str());
                ++compared;
            }
        }
        QCOMPARE(m_golden.at("workloads").size(), std::size_t{34});
        QVERIFY(compared > 300);
    }

    /// [op, W, M, N, K, G, compute work, traffic, output bytes] of every piece.
    void cutsAsTheReference_data() {
        QTest::addColumn<QString>("name");
        for (const auto& [name, value] : m_cases.at("cases").items())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void cutsAsTheReference() {
        QFETCH(QString, name);
        const auto split = name.lastIndexOf(".cap");
        const DualModeWorkload workload = test::goldenWorkload(m_golden, name.left(split).toStdString());
        const json& expected = m_cases.at("cases").at(name.toStdString()).at("subops");
        const auto pieces = splitOperators(workload, test::referenceDualModeChip(), DualModeOptions{},
                                           name.mid(split + 4).toInt());
        QVERIFY(pieces.has_value());
        QCOMPARE(pieces->size(), expected.size());
        for (std::size_t i = 0; i < pieces->size(); ++i) {
            const DualModeSubOp& s = (*pieces)[i];
            const json row = {s.op, s.minArrays, s.m, s.n, s.k, s.g, s.computeWork, s.traffic, s.outBytes};
            for (std::size_t column = 0; column < row.size(); ++column)
                QVERIFY2(row[column].get<double>() == expected[i][column].get<double>(),
                         fmt::format("piece {}: {} expected {}", i, row.dump(), expected[i].dump()).c_str());
        }
    }

    /// Random operators, chips and caps: every weight is in exactly one piece, no piece is too large.
    void everyWeightIsInExactlyOnePiece() {
        std::mt19937 random(11);
        const auto pick = [&](int low, int high) {
            return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
        };
        int cutRows = 0, cutInstances = 0;
        for (int round = 0; round < 3000; ++round) {
            DualModeChip chip = test::referenceDualModeChip();
            chip.arrays = pick(1, 40);
            chip.rows = pick(1, 12);
            chip.columns = pick(1, 9);
            DualModeOp op;
            op.name = "op";
            op.m = pick(1, 100);
            op.n = pick(1, 60);
            op.k = pick(1, 60);
            op.g = pick(0, 2) == 0 ? pick(2, 14) : 1;
            op.depthwise = op.g > 1 && pick(0, 1) == 0;
            if (op.depthwise && pick(0, 1) == 0)
                op.k = 1;
            const int cap = pick(1, chip.arrays);
            DualModeWorkload workload;
            workload.ops = {op};
            const auto pieces = splitOperators(workload, chip, DualModeOptions{}, cap);
            QVERIFY2(pieces.has_value(), pieces ? "" : pieces.error().text().c_str());
            std::vector<int> held(static_cast<std::size_t>(op.g * op.n * op.k));
            double arrays = 0;
            for (std::size_t i = 0; i < pieces->size(); ++i) {
                const DualModeSubOp& s = (*pieces)[i];
                QCOMPARE(s.piece, static_cast<int>(i));
                QCOMPARE(s.pieces, static_cast<int>(pieces->size()));
                QVERIFY(s.minArrays >= 1 && s.minArrays <= cap);
                DualModeOp whole = op; // the arrays of a piece are those of an operator of its size
                whole.n = s.n;
                whole.k = s.k;
                whole.g = s.g;
                if (instancesPerArray(op, chip) == 1)
                    whole.depthwise = false;
                if (s.g > 1 || instancesPerArray(op, chip) == 1)
                    QCOMPARE(s.minArrays, minimumArrays(whole, chip));
                QCOMPARE(s.computeWork, s.minArrays * static_cast<double>(op.m) * chip.cyclesPerMvm);
                arrays += s.minArrays;
                for (auto g = s.gBegin; g < s.gBegin + s.g; ++g)
                    for (auto n = s.nBegin; n < s.nBegin + s.n; ++n)
                        for (auto k = s.kBegin; k < s.kBegin + s.k; ++k)
                            ++held.at(static_cast<std::size_t>((g * op.n + n) * op.k + k));
                cutRows += s.n < op.n;
                cutInstances += s.g < op.g && s.g > 1;
                QCOMPARE(s.outBytes,
                         static_cast<double>(op.m * s.k * s.g) * (s.n < op.n ? kDualModePartialSumBytes : 1));
            }
            QVERIFY(std::ranges::all_of(held, [](int times) { return times == 1; }));
            QVERIFY(arrays >= minimumArrays(op, chip));
        }
        QVERIFY(cutRows > 100 && cutInstances > 100);
    }

    void refusesWhatCannotBeCut() {
        DualModeWorkload workload;
        DualModeOp op;
        op.name = "huge";
        op.m = 1;
        op.n = op.k = 1'000'000;
        workload.ops = {op};
        const DualModeChip chip = test::referenceDualModeChip();
        const auto tooMany = splitOperators(workload, chip, DualModeOptions{}, 1);
        QCOMPARE(tooMany.error().code, ErrorCode::Unsupported);
        QCOMPARE(tooMany.error().where, std::string("huge"));
        workload.ops[0].n = workload.ops[0].k = 10'000;
        const auto pieces = splitOperators(workload, chip, DualModeOptions{}, 96);
        QVERIFY(pieces.has_value());
        QVERIFY(splitOperators(workload, chip, DualModeOptions{}, 96, std::ssize(*pieces)).has_value());
        const auto oneTooMany =
            splitOperators(workload, chip, DualModeOptions{}, 96, std::ssize(*pieces) - 1);
        QCOMPARE(oneTooMany.error().code, ErrorCode::Unsupported);
        for (const int cap : {0, -3, 97})
            QCOMPARE(splitOperators(workload, chip, DualModeOptions{}, cap).error().code,
                     ErrorCode::InvalidTarget);
        workload.ops[0].n = 0;
        QCOMPARE(splitOperators(workload, chip, DualModeOptions{}, 96).error().code, ErrorCode::InvalidModel);
        workload.ops[0].n = workload.ops[0].g = std::int64_t{1} << 40;
        QCOMPARE(minimumArrays(workload.ops[0], chip), std::numeric_limits<int>::max());
        QCOMPARE(splitOperators(workload, chip, DualModeOptions{}, 96).error().code, ErrorCode::Unsupported);
    }

    void countsTrafficByEveryRule() {
        QCOMPARE(dualModeTraffic(2, 3, 5, 7, TrafficRule::All), (6.0 + 15 + 10) * 7);
        QCOMPARE(dualModeTraffic(2, 3, 5, 7, TrafficRule::Activations), (6.0 + 10) * 7);
        QCOMPARE(dualModeTraffic(2, 3, 5, 7, TrafficRule::Inputs), 6.0 * 7);
    }

    void readsConvolutions_data() {
        QTest::addColumn<QByteArray>("shapes"); // input; weights; output; groups
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* shapes, const char* expected) {
            QTest::newRow(name) << QByteArray(shapes) << QByteArray(expected);
        };
        row("plain", "[[1,3,224,224],[64,3,3,3],[1,64,224,224],1]", "M50176 N27 K64 G1");
        row("stride and batch", "[[4,3,224,224],[64,3,7,7],[4,64,112,112],1]", "M50176 N147 K64 G1");
        row("depthwise", "[[1,32,112,112],[32,1,3,3],[1,32,112,112],32]", "M12544 N9 K1 G32");
        row("depth multiplier", "[[1,32,10,10],[64,1,3,3],[1,64,10,10],32]", "M100 N9 K2 G32");
        row("groups", "[[1,64,14,14],[128,16,3,3],[1,128,14,14],4]", "M196 N144 K32 G4");
        row("one dimension", "[[2,8,100],[16,8,5],[2,16,96],1]", "M192 N40 K16 G1");
        row("three dimensions", "[[1,4,8,16,16],[8,4,3,3,3],[1,8,6,14,14],1]", "M1176 N108 K8 G1");
        row("dilation shows in the output", "[[1,4,20,20],[8,4,3,3],[1,8,16,16],1]", "M256 N36 K8 G1");
    }
    void readsConvolutions() {
        QFETCH(QByteArray, shapes);
        QFETCH(QByteArray, expected);
        const json s = json::parse(shapes.toStdString());
        const auto workload =
            convolution(s[0].get<Shape>(), s[1].get<Shape>(), s[2].get<Shape>(), s[3].get<int>());
        QVERIFY2(workload, workload ? "" : workload.error().text().c_str());
        QCOMPARE(workload->ops.size(), std::size_t{1});
        const DualModeOp& op = workload->ops[0];
        QCOMPARE(extents(op), expected);
        QCOMPARE(op.inBytes, elementCount(s[0].get<Shape>()).value());
        QCOMPARE(op.outBytes, elementCount(s[2].get<Shape>()).value());
        QCOMPARE(op.weightBytes, elementCount(s[1].get<Shape>()).value());
        QVERIFY(!op.producedWeights);
        QCOMPARE(op.depthwise, s[3].get<int>() > 1);
    }

    void readsTransposedConvolutions() {
        const auto workload = convolution({1, 16, 7, 7}, {16, 8, 4, 4}, {1, 8, 14, 14}, 1, "ConvTranspose");
        QCOMPARE(extents(workload->ops.at(0)), QByteArray("M49 N16 K128 G1"));
        QCOMPARE(workload->ops[0].macs(), std::int64_t{16 * 7 * 7 * 8 * 16});
    }

    void readsProducts_data() {
        QTest::addColumn<QByteArray>("names");  // two letters, capitals are constants
        QTest::addColumn<QByteArray>("shapes"); // first; second; out; transposed first; second
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<bool>("produced");
        const auto row = [](const char* name, const char* names, const char* shapes, const char* expected,
                            bool produced) {
            QTest::newRow(name) << QByteArray(names) << QByteArray(shapes) << QByteArray(expected)
                                << produced;
        };
        row("linear layer", "xW", "[[2,64,32],[32,48],[2,64,48],0,0]", "M128 N32 K48 G1", false);
        row("constant first", "Wx", "[[48,32],[32,64],[48,64],0,0]", "M64 N32 K48 G1", false);
        row("constant first in a batch", "Wx", "[[48,32],[5,32,64],[5,48,64],0,0]", "M320 N32 K48 G1", false);
        row("both produced", "xy", "[[2,4,16,32],[2,4,32,48],[2,4,16,48],0,0]", "M16 N32 K48 G8", true);
        row("second shared by the batch", "xy", "[[2,4,16,32],[32,48],[2,4,16,48],0,0]", "M128 N32 K48 G1",
            true);
        row("second spread over heads", "xy", "[[2,4,16,32],[2,1,32,48],[2,4,16,48],0,0]", "M64 N32 K48 G2",
            true);
        row("first spread over the batch", "xy", "[[16,32],[6,32,48],[6,16,48],0,0]", "M16 N32 K48 G6", true);
        row("vector first", "xW", "[[32],[32,48],[48],0,0]", "M1 N32 K48 G1", false);
        row("vector second", "xW", "[[7,32],[32],[7],0,0]", "M7 N32 K1 G1", false);
        row("gemm", "xW", "[[7,32],[32,48],[7,48],0,0]", "M7 N32 K48 G1", false);
        row("gemm with both transposed", "xW", "[[32,7],[48,32],[7,48],1,1]", "M7 N32 K48 G1", false);
        row("gemm with constant first", "Wx", "[[32,48],[32,7],[48,7],1,0]", "M7 N32 K48 G1", false);
    }
    void readsProducts() {
        QFETCH(QByteArray, names);
        QFETCH(QByteArray, shapes);
        QFETCH(QByteArray, expected);
        QFETCH(bool, produced);
        const json s = json::parse(shapes.toStdString());
        const bool gemm = QByteArray(QTest::currentDataTag()).startsWith("gemm");
        const auto workload =
            product(std::string(1, names[0]), s[0].get<Shape>(), std::string(1, names[1]), s[1].get<Shape>(),
                    s[2].get<Shape>(), gemm ? "Gemm" : "MatMul", s[3] == 1, s[4] == 1);
        QVERIFY2(workload, workload ? "" : workload.error().text().c_str());
        const DualModeOp& op = workload->ops.at(0);
        QCOMPARE(extents(op), expected);
        QCOMPARE(op.producedWeights, produced);
        const int weights = names[0] == 'W' ? 0 : 1;
        QCOMPARE(op.weightBytes, elementCount(s[static_cast<std::size_t>(weights)].get<Shape>()).value());
        QCOMPARE(op.inBytes, elementCount(s[static_cast<std::size_t>(1 - weights)].get<Shape>()).value());
        QCOMPARE(op.outBytes, elementCount(s[2].get<Shape>()).value());
    }

    void readsAttentionAsTwoProducts() {
        HandGraph h;
        const auto q = h.tensor("q", {2, 8, 10, 64}), k = h.tensor("k", {2, 8, 30, 64}),
                   v = h.tensor("v", {2, 8, 30, 48});
        const auto x = h.tensor("x", {2, 8, 10, 64});
        h.op("MatMul", OpClass::MatMul, {x, h.tensor("W", {64, 64})}, q);
        h.op("Attention", OpClass::Attention, {q, k, v}, h.tensor("out", {2, 8, 10, 48})).domain = "pim";
        h.op("Relu", OpClass::Elementwise, {h.tensor("out", {})}, h.tensor("r", {2, 8, 10, 48}));
        h.op("MatMul", OpClass::MatMul, {h.tensor("r", {}), h.tensor("V", {48, 5})},
             h.tensor("end", {2, 8, 10, 5}));
        const auto workload = dualModeWorkload(h.graph());
        QVERIFY2(workload, workload ? "" : workload.error().text().c_str());
        QCOMPARE(workload->ops.size(), std::size_t{4});
        const DualModeOp &scores = workload->ops[1], &context = workload->ops[2];
        QCOMPARE(extents(scores), QByteArray("M10 N64 K30 G16"));
        QCOMPARE(extents(context), QByteArray("M10 N30 K48 G16"));
        QCOMPARE(scores.part, 0);
        QCOMPARE(context.part, 1);
        QCOMPARE(scores.op, context.op);
        QVERIFY(scores.producedWeights && context.producedWeights);
        QCOMPARE(scores.predecessors, std::vector<int>{0});
        QCOMPARE(context.predecessors, std::vector<int>{1});
        QCOMPARE(workload->ops[3].predecessors, std::vector<int>{2}); // through the Relu
        QCOMPARE(scores.outBytes, context.inBytes);
        QCOMPARE(workload->left.size(), std::size_t{1});
        QCOMPARE(workload->left[0].second, std::string("vector unit"));
    }

    void groupsQueriesThatShareKeys() {
        HandGraph h;
        h.op("Attention", OpClass::Attention,
             {h.tensor("q", {1, 32, 10, 64}), h.tensor("k", {1, 8, 30, 64}), h.tensor("v", {1, 8, 30, 64})},
             h.tensor("out", {1, 32, 10, 64}))
            .domain = "pim";
        const auto workload = dualModeWorkload(h.graph());
        QVERIFY2(workload, workload ? "" : workload.error().text().c_str());
        QCOMPARE(extents(workload->ops[0]), QByteArray("M40 N64 K30 G8"));
        QCOMPARE(extents(workload->ops[1]), QByteArray("M40 N30 K64 G8"));
    }

    void saysWhereTheOthersRun() {
        HandGraph h;
        h.op("Softmax", OpClass::Softmax, {h.tensor("a", {4})}, h.tensor("b", {4}));
        h.op("LSTM", OpClass::Other, {h.tensor("b", {})}, h.tensor("c", {4}));
        h.op("Reshape", OpClass::Movement, {h.tensor("c", {})}, h.tensor("d", {4})).work.known = false;
        h.op("LookUp", OpClass::Reduction, {h.tensor("d", {4})}, h.tensor("e", {4}));
        const auto workload = dualModeWorkload(h.graph());
        QVERIFY(workload->ops.empty());
        QCOMPARE(workload->left.size(), std::size_t{4});
        QVERIFY(workload->left[3].second.starts_with("host: rows of tables"));
        QCOMPARE(workload->left[0].second, std::string("vector unit"));
        QVERIFY(workload->left[1].second.starts_with("host: LSTM"));
        QVERIFY(workload->left[2].second.starts_with("host: the sizes"));
    }

    void leavesWhatHasNoSizeAndWhatFollows() {
        HandGraph h;
        h.op("Conv", OpClass::Conv, {h.tensor("a", {1, -1, 8, 8}), h.tensor("W", {4, 3, 3, 3})},
             h.tensor("b", {1, 4, 6, 6}));
        h.op("Relu", OpClass::Elementwise, {h.tensor("b", {})}, h.tensor("c", {1, 4, 6, 6}));
        h.op("Conv", OpClass::Conv, {h.tensor("d", {1, 3, 8, 8}), h.tensor("W", {})},
             h.tensor("e", {1, 4, 6, 6}));
        const auto workload = dualModeWorkload(h.graph());
        QVERIFY2(workload.has_value(), workload ? "" : workload.error().text().c_str());
        QCOMPARE(workload->ops.size(), std::size_t{1});
        QCOMPARE(workload->left.size(), std::size_t{2});
        for (const auto& [op, where] : workload->left)
            QCOMPARE(where, std::string("host: the sizes of what it takes or makes are not known"));
    }

    void refusesWrongShapes() {
        QVERIFY(!convolution({1, 3, 8, 8}, {4, 3, 3, 3}, {1, 4, 6, 6}, 0));
        QVERIFY(!convolution({1, 3, 8, 8}, {4, 3, 3, 3}, {1, 4, 6, 6}, 2));
        QVERIFY(!convolution({1, 3, 8, 8}, {4, 3, 3}, {1, 4, 6, 6}, 1));
        QVERIFY(!convolution({1, 3, 8, 8}, {4, 3, 3, 3}, {0, 4, 6, 6}, 1));
        QVERIFY(!product("x", {2, 3}, "W", {4, 5}, {2, 5}));
        QVERIFY(!product("x", {0, 3}, "W", {3, 5}, {0, 5}));
        QVERIFY(!product("x", {}, "W", {3, 5}, {5}));
        QVERIFY(!product("x", {1 << 30, 1 << 30}, "W", {1 << 30, 5}, {1 << 30, 5}));
    }

    /// Our own files of the networks give the operators of the reference.
    void readsTheNetworksOfTheZoo_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("seq");
        QTest::addColumn<int>("layers");
        QTest::newRow("vgg16") << "vgg16"
                               << "vgg16_fc.b1" << 1 << 0 << 1;
        QTest::newRow("resnet18") << "resnet18"
                                  << "resnet18.b1" << 1 << 0 << 1;
        QTest::newRow("resnet18 batch 4") << "resnet18"
                                          << "resnet18.b4" << 4 << 0 << 1;
        QTest::newRow("mobilenetv2") << "mobilenetv2"
                                     << "mobilenetv2.b1" << 1 << 0 << 1;
        QTest::newRow("mobilenetv2 batch 16") << "mobilenetv2"
                                              << "mobilenetv2.b16" << 16 << 0 << 1;
        QTest::newRow("bert-large") << "bert-large"
                                    << "bert-large.layer.prefill.s64.b4" << 4 << 64 << 24;
        QTest::newRow("opt-6.7b") << "opt-6.7b-prefill"
                                  << "opt-6.7b.layer.prefill.s64.b1" << 1 << 64 << 32;
        QTest::newRow("opt-13b") << "opt-13b-prefill"
                                 << "opt-13b.layer.prefill.s64.b4" << 4 << 64 << 40;
        QTest::newRow("llama2-7b") << "llama2-7b-prefill"
                                   << "llama2-7b.layer.prefill.s64.b1" << 1 << 64 << 32;
        QTest::newRow("llama2-7b decode") << "llama2-7b-decode"
                                          << "llama2-7b.layer.decode.kv96.b4" << 4 << -95 << 32;
    }
    void readsTheNetworksOfTheZoo() {
        QFETCH(QString, model);
        QFETCH(QString, reference);
        QFETCH(int, batch);
        QFETCH(int, seq);
        QFETCH(int, layers);
        ZooOptions options;
        options.batch = batch;
        if (seq > 0)
            options.seq = seq;
        if (seq < 0)
            options.past = -seq;
        const auto graph = zooGraph(model.toStdString(), options);
        const auto workload = dualModeWorkload(*graph);
        QVERIFY2(workload, workload ? "" : workload.error().text().c_str());
        std::int64_t matrixOps = 0;
        std::set<std::int64_t> covered;
        for (const DualModeOp& op : workload->ops)
            covered.insert(op.op.index());
        for (const auto& [id, where] : workload->left)
            QVERIFY2(covered.insert(static_cast<std::int64_t>(id.index())).second, "in both lists");
        QCOMPARE(covered.size(), graph->ops.size());
        std::int64_t macs = 0;
        for (const DualModeOp& op : workload->ops) {
            macs += op.macs();
            ++matrixOps;
            for (const int p : op.predecessors)
                QVERIFY(p >= 0 && p < matrixOps - 1);
        }
        QCOMPARE(macs, graph->totalWork().macs);

        const DualModeWorkload expected = test::goldenWorkload(m_golden, reference.toStdString());
        std::map<std::string, std::int64_t> left;
        for (const DualModeOp& op : workload->ops)
            ++left[signature(op)];
        std::map<std::string, std::int64_t> wanted;
        for (const DualModeOp& op : expected.ops)
            wanted[signature(op)] += layers;
        std::int64_t extra = 0; // pooler, output layer: not part of a layer
        for (const auto& [what, count] : left) {
            if (!wanted.contains(what))
                extra += count;
            else
                QVERIFY2(count == wanted[what],
                         fmt::format("{}: {} times, {} expected", what, count, wanted[what]).c_str());
        }
        for (const auto& [what, count] : wanted)
            QVERIFY2(left.contains(what), what.c_str());
        QVERIFY2(extra <= (layers > 1 ? 3 : 0), fmt::format("{} operators too many", extra).c_str());
        if (layers > 1 || workload->ops.size() != expected.ops.size())
            return;
        // The reference leaves out short-cuts that carry no product, so ours may know more predecessors.
        // Counts of ancestors do not depend on the order of parallel branches.
        std::multiset<std::pair<std::string, std::size_t>> ours, theirs;
        const auto a = ancestors(*workload), b = ancestors(expected);
        for (std::size_t i = 0; i < a.size(); ++i) {
            ours.emplace(signature(workload->ops[i]), a[i].size());
            theirs.emplace(signature(expected.ops[i]), b[i].size());
        }
        std::size_t same = 0;
        for (const auto& one : ours)
            same += theirs.contains(one) ? 1 : 0;
        QVERIFY2(model == "resnet18" || same == ours.size(),
                 fmt::format("{} of {} agree", same, ours.size()).c_str());
        QVERIFY(same >= 2);
    }
};

QTEST_APPLESS_MAIN(TestDualModeWorkload)
#include "tst_backends_dual_mode_workload.moc"
