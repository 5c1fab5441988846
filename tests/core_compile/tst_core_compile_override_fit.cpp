// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Decisions on a model that changed: found by name, by the tensor the op makes, by its place among ops
/// alike; else stale.
#include <QTest>
#include <string>

#include "core/compile/override_fit.h"

#include <random>

using namespace pim;

namespace {

struct Layer {
    std::string name, type, output;
    std::int64_t width = 8;
};

/// A chain of ops, each with a weight.
Graph chain(const std::vector<Layer>& layers) {
    Graph graph;
    const auto tensor = [&](const std::string& name, Shape shape) {
        graph.tensors.push_back({});
        graph.tensors.back().name = name;
        graph.tensors.back().shape = std::move(shape);
        return TensorId(std::ssize(graph.tensors) - 1);
    };
    TensorId before = tensor("in", {1, 8});
    for (const Layer& layer : layers) {
        Op op;
        op.name = layer.name;
        op.type = layer.type;
        op.inputs = {before, tensor(layer.output + ".weight", {8, layer.width})};
        before = tensor(layer.output, {1, layer.width});
        op.outputs = {before};
        graph.ops.push_back(std::move(op));
    }
    return graph;
}

MarkedOverrides decided(const Graph& graph, const std::vector<Override>& decisions) {
    MarkedOverrides marked;
    for (const Override& decision : decisions)
        marked.overrides.set(decision);
    marked.marks = marksOf(graph, marked.overrides);
    return marked;
}

const std::vector<Layer> kOld{{"fc0", "MatMul", "a"},
                              {"fc1", "MatMul", "b"},
                              {"act", "Relu", "c"},
                              {"fc2", "MatMul", "d"},
                              {"head", "MatMul", "e", 10}};

} // namespace

class TestOverrideFit : public QObject {
    Q_OBJECT
private slots:
    void sameModelAppliesAll() {
        const Graph graph = chain(kOld);
        const auto marked = decided(
            graph,
            {{"fc1", "placement", "host"}, {"", "dtype", "f16"}, {"fc2", "residency/d.weight", "streamed"}});
        const OverrideFit fit = fitToGraph(graph, marked);
        QCOMPARE(fit.count(Fit::Applied), 3);
        QVERIFY(fit.inForce() == marked.overrides);
        QCOMPARE(marked.marks.size(), std::size_t{2}); // the network needs none
        QCOMPARE(marked.marks.at("fc2").nth, 2);
        QCOMPARE(marked.marks.at("fc2").alike, 3);
    }

    /// They follow their ops like all others, and no plan for one machine is asked to keep to them.
    void devicesOfSystemsAreForTheirSystemAlone() {
        auto layers = kOld;
        const auto marked = decided(
            chain(layers),
            {{"fc1", "device/board", "pcm"}, {"fc1", "placement", "host"}, {"fc2", "device/server", "host"}});
        layers[1].name = "renamed";
        const OverrideFit fit = fitToGraph(chain(layers), marked);
        QCOMPARE(fit.inForce().json(),
                 Overrides::fromJson(R"({"ops":{"renamed":{"placement":"host"}}})", {})->json());
        QCOMPARE(*fit.ofSystem("board").find("renamed", "device/board"), std::string("pcm"));
        QCOMPARE(fit.ofSystem("board").size(), std::size_t{1});
        QCOMPARE(fit.ofSystem("server").size(), std::size_t{1});
        QVERIFY(fit.ofSystem("serv").empty());
        const auto read = Overrides::fromJson(marked.overrides.json(), {});
        QVERIFY(read && *read == marked.overrides);
    }

    void aRenamedOpIsFoundByTheTensorItMakes() {
        const auto marked = decided(chain(kOld), {{"fc1", "placement", "host"}});
        auto layers = kOld;
        layers[1].name = "encoder/fc";
        layers.insert(layers.begin(), {"new", "MatMul", "z"}); // places and counts are of no use
        const OverrideFit fit = fitToGraph(chain(layers), marked);
        QCOMPARE(fit.decisions.at(0).fit, Fit::Moved);
        QCOMPARE(fit.decisions.at(0).inForce.op, std::string("encoder/fc"));
        QCOMPARE(fit.decisions.at(0).decision.op, std::string("fc1"));
        QVERIFY(fit.decisions.at(0).reason.find("encoder/fc") != std::string::npos);
        QVERIFY(fit.find("encoder/fc", "placement") == &fit.decisions.at(0));
        QVERIFY(!fit.find("fc1", "placement"));
    }

    void anExportThatNamesEverythingAnewIsMatchedByPlace() {
        const auto marked = decided(chain(kOld), {{"fc2", "placement", "host"},
                                                  {"head", "draft", "[[1, 1, A]]"},
                                                  {"fc2", "residency/d.weight", "streamed"}});
        std::vector<Layer> layers;
        for (std::size_t i = 0; i < kOld.size(); ++i)
            layers.push_back({kOld[i].type + "_" + std::to_string(i), kOld[i].type, "t" + std::to_string(i),
                              kOld[i].width});
        const OverrideFit fit = fitToGraph(chain(layers), marked);
        QCOMPARE(fit.count(Fit::Moved), 3);
        const Overrides now = fit.inForce();
        QVERIFY(now.find("MatMul_3", "placement"));
        QVERIFY(now.find("MatMul_4", "draft"));
        QVERIFY(now.find("MatMul_3", "residency/t3.weight")); // the operand at the same place
    }

    void whatCannotBeToldApartIsStaleAndSaysSo() {
        const auto marked =
            decided(chain(kOld), {{"fc1", "placement", "host"}, {"act", "placement", "host"}});
        // Two of the three that were alike are left, and the op at the old place is another one.
        const Graph fewer = chain({{"x", "MatMul", "q"}, {"r", "Gelu", "u"}, {"y", "MatMul", "s"}});
        const OverrideFit fit = fitToGraph(fewer, marked);
        QCOMPARE(fit.count(Fit::Stale), 2);
        QVERIFY(fit.inForce().empty());
        QVERIFY2(fit.decisions.at(1).reason.find("2 ops are alike now and 3 were") != std::string::npos,
                 fit.decisions.at(1).reason.c_str());
        QVERIFY2(fit.decisions.at(0).reason.find("nothing in it is a Relu") != std::string::npos,
                 fit.decisions.at(0).reason.c_str());
        // Without a mark the name is all there is.
        const OverrideFit bare = fitToGraph(fewer, {marked.overrides, {}});
        QCOMPARE(bare.count(Fit::Stale), 2);
    }

    void aNameThatAnotherKindOfOpHasNowIsNotEnough() {
        const auto marked = decided(chain(kOld), {{"fc1", "placement", "host"}});
        auto layers = kOld;
        std::swap(layers[1].name, layers[2].name); // "act" makes b now
        const OverrideFit fit = fitToGraph(chain(layers), marked);
        QCOMPARE(fit.decisions.at(0).fit, Fit::Moved);
        QCOMPARE(fit.decisions.at(0).inForce.op, std::string("act"));
    }

    void whatWasDecidedForTheOpItselfGoesFirst() {
        auto marked = decided(chain(kOld), {{"fc1", "placement", "host"}});
        auto layers = kOld;
        layers[1].name = "renamed";
        marked.overrides.set({"renamed", "placement", "pim"});
        const OverrideFit fit = fitToGraph(chain(layers), marked);
        QCOMPARE(*fit.inForce().find("renamed", "placement"), std::string("pim"));
        QCOMPARE(fit.count(Fit::Stale), 1);
        QVERIFY(fit.decisions.at(0).reason.find("already") != std::string::npos);
    }

    void staleOnesComeBackWithTheOldModel() {
        const Graph old = chain(kOld);
        const auto marked = decided(old, {{"fc1", "placement", "host"}});
        QCOMPARE(fitToGraph(chain({{"x", "Gelu", "q"}}), marked).count(Fit::Stale), 1);
        QCOMPARE(fitToGraph(old, marked).count(Fit::Applied), 1);
        // Marks of ops the graph no longer has are kept.
        QVERIFY(marksOf(chain({{"x", "Gelu", "q"}}), marked.overrides, marked.marks) == marked.marks);
    }

    void filesAndPatchesBringBackWhatWasWritten() {
        std::mt19937 random(11);
        const Graph graph = chain(kOld);
        const auto randomSet = [&] {
            std::vector<Override> decisions;
            for (unsigned i = random() % 6; i > 0; --i)
                decisions.push_back({graph.ops[random() % graph.ops.size()].name,
                                     random() % 2 ? "placement" : "residency/a~/b",
                                     std::to_string(random() % 3)});
            return decided(graph, decisions);
        };
        for (int round = 0; round < 200; ++round) {
            const MarkedOverrides before = randomSet(), after = randomSet();
            const auto whole = decisionsFromJson(decisionsJson(after), before);
            QVERIFY2(whole.has_value(), whole ? "" : whole.error().text().c_str());
            QVERIFY(*whole == after);
            const auto patched = decisionsFromJson(decisionsPatch(before, after), before);
            QVERIFY2(patched.has_value(), patched ? "" : patched.error().text().c_str());
            QVERIFY(*patched == after);
            QCOMPARE(decisionsJson(*patched), decisionsJson(after));
        }
    }

    void brokenFilesAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("f:1");
        QTest::newRow("marks are a list") << QByteArray(R"({"marks": []})") << QByteArray("/marks");
        QTest::newRow("mark is a text")
            << QByteArray(R"({"marks": {"a/b": "x"}})") << QByteArray("/marks/a~1b");
        QTest::newRow("mark without type")
            << QByteArray(R"({"marks": {"a": {"shapes": ""}}})") << QByteArray("/marks/a");
        QTest::newRow("nth beyond alike")
            << QByteArray(
                   R"({"marks": {"a": {"type": "T", "shapes": "", "position": 0, "nth": 3, "alike": 3, "inputs": [], "output": ""}}})")
            << QByteArray("/marks/a");
        QTest::newRow("input is no text")
            << QByteArray(
                   R"({"marks": {"a": {"type": "T", "shapes": "", "position": 0, "nth": 0, "alike": 1, "inputs": [1], "output": ""}}})")
            << QByteArray("/marks/a");
        QTest::newRow("patch with a broken mark")
            << QByteArray(R"([{"op": "add", "path": "/marks/a", "value": 1}])") << QByteArray("/marks/a");
        QTest::newRow("unknown key") << QByteArray(R"({"opps": {}})") << QByteArray("/opps");
        QTest::newRow("deep") << QByteArray(QByteArray(100000, '[')) << QByteArray("f");
    }
    void brokenFilesAreRefusedWithTheirPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto read = decisionsFromJson(text.toStdString(), {}, "f");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().code, ErrorCode::IllegalOverride);
        QVERIFY2(read.error().where.find(where.toStdString()) != std::string::npos,
                 read.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestOverrideFit)
#include "tst_core_compile_override_fit.moc"
