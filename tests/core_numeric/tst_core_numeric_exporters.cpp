// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Operators of exporters, written out, give the numbers of ONNX Runtime (tests/golden/numeric/exporters).
#include "core/graph/exporter_ops.h"
#include "core/graph/import.h"
#include "core/graph/passes/passes.h"
#include "core/numeric/real_run.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace pim;
using nlohmann::json;

namespace {

const std::string kFolder = PIM_SOURCE_DIR "/tests/golden/numeric/exporters/";

Value valueOf(const json& tensor) {
    const std::string type = tensor["type"];
    const auto shape = tensor["dims"].get<Shape>();
    const DataType dtype = type == "float32" ? DataType::F32
                           : type == "int64" ? DataType::I64
                           : type == "bool"  ? DataType::Bool
                                             : DataType::I32;
    auto bytes = dtype == DataType::F32
                     ? bytesFromReals(tensor["data"].get<std::vector<double>>(), dtype)
                     : bytesFromInts(tensor["data"].get<std::vector<std::int64_t>>(), dtype);
    return {dtype, shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

std::shared_ptr<const Graph> graphOf(const std::string& name, bool plain) {
    const auto model = importModel(kFolder + name + ".onnx");
    GraphOptions options;
    if (plain)
        for (const PassRecord& pass : graphPasses())
            if (pass.name != "fold_constants")
                options.disabledPasses.insert(pass.name);
    return buildGraph(**model, options).value();
}

} // namespace

class TestExporters : public QObject {
    Q_OBJECT

private slots:
    void numbersAreThoseOfOnnxRuntime_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("plain");
        std::ifstream file(kFolder + "onnxruntime.json");
        m_golden = json::parse(file);
        QVERIFY(m_golden.size() >= 25);
        for (const auto& [name, one] : m_golden.items())
            for (const bool plain : {false, true})
                QTest::addRow("%s%s", name.c_str(), plain ? ", no passes" : "")
                    << QString::fromStdString(name) << plain;
    }
    void numbersAreThoseOfOnnxRuntime() {
        QFETCH(QString, name);
        QFETCH(bool, plain);
        const json& golden = m_golden[name.toStdString()];
        const auto graph = graphOf(name.toStdString(), plain);
        for (const Op& op : graph->ops) {
            QVERIFY2(op.domain.empty() || op.domain == "pim", op.type.c_str());
            QVERIFY(!op.sources.empty());
            QVERIFY2(op.sources.front().name.starts_with("it"), op.sources.front().name.c_str());
        }
        std::vector<Value> inputs;
        for (const TensorId id : graph->inputs)
            inputs.push_back(valueOf(golden["inputs"][graph->tensor(id).name]));
        const auto run = runReal(*graph, inputs);
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        QCOMPARE(run->size(), golden["outputs"].size());
        for (std::size_t i = 0; i < run->size(); ++i) {
            const std::string& output = graph->tensor(graph->outputs[i]).name;
            const json& expected = golden["outputs"][output];
            QCOMPARE((*run)[i].shape, expected["dims"].get<Shape>());
            const auto is = realsOf(*(*run)[i].bytes, (*run)[i].dtype);
            const auto wanted = expected["data"].get<std::vector<double>>();
            QCOMPARE(is.size(), wanted.size());
            // Its QLinearSoftmax takes exponentials from a table, and may be one of 255 steps away.
            const double step = name == "qoperator_cnn" && output == "y" ? 1.7e-3 : 0;
            for (std::size_t j = 0; j < is.size(); ++j)
                QVERIFY2(std::abs(is[j] - wanted[j]) < step + 2e-4 * (1 + std::abs(wanted[j])),
                         qPrintable(QString("%1[%2] is %3, not %4")
                                        .arg(QString::fromStdString(output))
                                        .arg(j)
                                        .arg(is[j])
                                        .arg(wanted[j])));
        }
    }

    /// The help names every operator that is written out.
    void helpNamesThemAll() {
        std::ifstream file(PIM_SOURCE_DIR "/resources/help/models.md");
        const std::string page{std::istreambuf_iterator<char>(file), {}};
        QVERIFY(exporterOps().size() >= 12);
        for (const std::string& op : exporterOps()) {
            const std::size_t domain = op.find("::");
            const std::string row =
                "\n| " +
                (domain == std::string::npos ? op : op.substr(0, domain) + " " + op.substr(domain + 2));
            QVERIFY2(
                page.find(row + " |") != std::string::npos ||
                    (domain == std::string::npos && page.find(row + " (opset 23) |") != std::string::npos),
                op.c_str());
        }
    }

    /// Planners see one attention, in which heads that share a key read it once.
    void attentionIsOneOp_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("queries");
        QTest::newRow("four heads over seven keys") << "multi_head" << 4 << 5;
        QTest::newRow("a mask") << "multi_head_bias_mask" << 4 << 5;
        QTest::newRow("packed") << "packed_attention" << 4 << 5;
        QTest::newRow("two heads share a key") << "group_query_decode_rotary" << 2 << 2;
        QTest::newRow("and see what is before") << "group_query_prompt_rotary" << 2 << 10;
        QTest::newRow("opset 23") << "attention_23_causal_groups" << 2 << 10;
        QTest::newRow("keys repeated for two heads") << "repeated_heads_decode" << 2 << 2;
        QTest::newRow("and a mask") << "repeated_heads_prompt" << 2 << 10;
    }
    void attentionIsOneOp() {
        QFETCH(QString, name);
        const auto graph = graphOf(name.toStdString(), false);
        int found = 0;
        for (const Op& op : graph->ops)
            if (op.opClass == OpClass::Attention) {
                ++found;
                QTEST(int(op.intAttribute("heads", 0)), "heads");
                QTEST(int(op.intAttribute("q_len", 0)), "queries");
            }
        QCOMPARE(found, 1);
        QVERIFY(std::ranges::none_of(graph->ops, [](const Op& op) { return op.type == "Expand"; }));
    }

    /// A mask of its own for each head says that heads are apart.
    void headsThatAreSeenApartStayApart() {
        auto model = importModel(kFolder + "repeated_heads_prompt.onnx").value();
        const auto graph = buildGraph(*model, {{}, {"group_heads"}}).value();
        const auto attention = std::ranges::find(graph->ops, OpClass::Attention, &Op::opClass);
        QVERIFY(attention != graph->ops.end());
        Graph apart = *graph;
        const auto mask = attention->inputs.at(3);
        QCOMPARE(apart.tensors[mask.index()].shape.value(), (Shape{1, 1, 5, 11}));
        apart.tensors[mask.index()].shape = Shape{1, 4, 5, 11};
        QCOMPARE(groupHeads(apart), 0);
        Graph together = *graph;
        QCOMPARE(groupHeads(together), 1);
        QVERIFY(together.ops.size() < graph->ops.size());
    }

    /// What ONNX Runtime's quantiser makes of one network in its two formats is the same work.
    void formsOfAQuantisedNetworkAreEqual() {
        const auto ofOperators = graphOf("qoperator_cnn", false),
                   ofPairs = graphOf("qoperator_cnn_qdq", false);
        // 8 x 27 x 144 pixels, 8 x 9 x 36, 8 x 8 x 36, 5 x 16
        constexpr std::int64_t kMacs = 31104 + 2592 + 2304 + 80;
        QCOMPARE(ofOperators->totalWork().macs, kMacs);
        QCOMPARE(ofPairs->totalWork().macs, kMacs);
        for (const auto& graph : {ofOperators, ofPairs})
            for (const Op& op : graph->ops) {
                QVERIFY2(op.work.known, op.name.c_str());
                QVERIFY2(op.opClass != OpClass::Other, op.name.c_str());
                if (op.opClass == OpClass::Conv)
                    QVERIFY(graph->tensor(op.inputs[1]).isConstant());
            }
        const auto found = std::ranges::find(ofOperators->ops, OpClass::Conv, &Op::opClass);
        QVERIFY2(found->sources.front().name.starts_with("it_stem"), found->sources.front().name.c_str());
        QCOMPARE(found->sources.front().index, 1); // behind the QuantizeLinear of the picture
    }

    /// Weights of 4 bits are a constant of the product.
    void weightsInBlocksAreConstant() {
        const auto graph = graphOf("matmul_4bits_zeros", false);
        QCOMPARE(graph->ops.size(), std::size_t(1));
        const Op& product = graph->ops.front();
        QCOMPARE(product.opClass, OpClass::MatMul);
        QVERIFY(graph->tensor(product.inputs[1]).isConstant());
        QCOMPARE(graph->tensor(product.inputs[1]).shape.value(), (Shape{80, 12}));
    }

private:
    json m_golden;
};

QTEST_GUILESS_MAIN(TestExporters)
#include "tst_core_numeric_exporters.moc"
