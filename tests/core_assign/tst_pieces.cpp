// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Ops in pieces: the same network, to the bit, and work, weights and shapes that add up to those of the whole.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/assign/pieces.h"
#include "core/base/paths.h"
#include "core/execute/sample_weights.h"
#include "core/graph/import.h"
#include "core/numeric/real_run.h"

#include <QTemporaryDir>

using namespace pim;

namespace {

std::shared_ptr<const Graph> sample(const char* name, GraphOptions options = {}) {
    const auto file = samplesDir() / name / (std::string(name) + ".onnx");
    return withSampleWeights(loadGraph(file, options).value(), 5).value();
}

std::shared_ptr<const Graph> tinyGpt() {
    return sample("tiny-gpt", {.bindings = {{"past", 31}}});
}

/// Every op that can be: a third and the rest.
std::vector<OpPieces> allPieces(const Graph& graph) {
    std::vector<OpPieces> pieces;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const auto op = OpId(static_cast<std::int64_t>(i));
        if (const std::int64_t features = featuresOf(graph, op); features > 2)
            pieces.push_back({op, {features / 3, features - features / 3}});
    }
    return pieces;
}

OpId firstDivisible(const Graph& graph) {
    return allPieces(graph).front().op;
}

} // namespace

class TestPieces : public QObject {
    Q_OBJECT
private slots:
    void theSameNetwork_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("atLeast");
        QTest::newRow("products") << "tiny-gpt" << 8;
        QTest::newRow("convolutions, norms folded into them") << "mobilenetv2" << 30;
    }
    void theSameNetwork() {
        QFETCH(QString, model);
        QFETCH(int, atLeast);
        const auto whole = model == "tiny-gpt" ? tinyGpt() : sample(model.toUtf8().constData());
        const auto pieces = allPieces(*whole);
        QVERIFY2(static_cast<int>(pieces.size()) >= atLeast, qPrintable(QString::number(pieces.size())));
        const auto cut = divided(*whole, pieces);
        QVERIFY2(cut, cut ? "" : cut.error().text().c_str());
        const Graph& graph = *cut->graph;
        QCOMPARE(graph.ops.size(), whole->ops.size() + 2 * pieces.size());
        QVERIFY(graph.source.structureHash != whole->source.structureHash);
        QCOMPARE(graph.totalWork().macs, whole->totalWork().macs);
        QCOMPARE(graph.inputs.size(), whole->inputs.size());
        for (std::size_t i = 0; i < whole->outputs.size(); ++i) {
            QCOMPARE(graph.tensor(graph.outputs[i]).name, whole->tensor(whole->outputs[i]).name);
            QVERIFY(graph.tensor(graph.outputs[i]).shape == whole->tensor(whole->outputs[i]).shape);
        }
        QCOMPARE(cut->wholes.size(), graph.ops.size());
        QVERIFY(std::ranges::is_sorted(cut->wholes));
        for (const OpPieces& one : pieces)
            QVERIFY(graph.findOp(whole->op(one.op).name).valid() &&
                    graph.findOp(whole->op(one.op).name + "@2").valid());

        const auto inputs = sampleInputs(*whole, 3).value();
        const auto expected = runReal(*whole, inputs), made = runReal(graph, inputs);
        QVERIFY2(expected && made, made ? "" : made.error().text().c_str());
        for (std::size_t i = 0; i < expected->size(); ++i)
            QVERIFY(*(*expected)[i].bytes == *(*made)[i].bytes);
    }

    void whatCannotBeDividedIsSaid() {
        const auto graph = tinyGpt();
        const OpId op = firstDivisible(*graph);
        const std::int64_t features = featuresOf(*graph, op);
        const auto refusal = [&](const std::vector<OpPieces>& pieces) {
            const auto cut = divided(*graph, pieces);
            return cut ? std::string() : cut.error().text();
        };
        QVERIFY(refusal({{op, {features}}}).find("pieces of") != std::string::npos);
        QVERIFY(refusal({{op, {features, 1}}}).find(std::to_string(features)) != std::string::npos);
        QVERIFY(refusal({{op, {0, features}}}).find("pieces of 0") != std::string::npos);
        QVERIFY(refusal({{op, {1, features - 1}}, {op, {1, features - 1}}}).find("twice") !=
                std::string::npos);
        QVERIFY(refusal({{OpId(12345), {1, 1}}}).find("12345") != std::string::npos);
        const auto other = std::ranges::find_if(
            graph->ops, [](const Op& one) { return one.opClass == OpClass::Elementwise; });
        QVERIFY(refusal({{OpId(other - graph->ops.begin()), {1, 1}}}).find("cannot be divided") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestPieces)
#include "tst_pieces.moc"
