// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Repeated parts of networks: found by structure in the samples and in seeded networks, named, nested,
/// deterministic.
#include <QTest>

#include <string>

#include "core/graph/blocks.h"
#include "core/graph/import.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace pim;

namespace {

/// Graphs by hand: ops with activations and a constant each, in the order they are added.
class Network {
public:
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();

    Network() {
        Tensor input;
        input.name = "x";
        input.isInput = true;
        input.shape = Shape{1, 64};
        graph->tensors.push_back(input);
        graph->inputs = {TensorId(0)};
    }
    /// \returns the output.
    TensorId op(const std::string& type, const std::vector<TensorId>& inputs, const std::string& name,
                const Shape& shape = {1, 64}) {
        Op made;
        made.type = type;
        made.name = name;
        made.inputs = inputs;
        const OpId id(static_cast<std::int64_t>(graph->ops.size()));
        Tensor output;
        output.name = name + "_out";
        output.shape = shape;
        output.producer = id;
        for (const TensorId input : inputs)
            graph->tensors[input.index()].consumers.push_back(id);
        made.outputs = {TensorId(static_cast<std::int64_t>(graph->tensors.size()))};
        graph->tensors.push_back(output);
        graph->ops.push_back(made);
        return made.outputs.front();
    }
    /// LN, three products, attention, product, add; LN, product, gelu, product, add.
    TensorId layer(TensorId x, const std::string& at, TensorId mask = {}) {
        const TensorId normed = op("LayerNorm", {x}, at + "ln1");
        std::vector<TensorId> parts{op("MatMul", {normed}, at + "q"), op("MatMul", {normed}, at + "k"),
                                    op("MatMul", {normed}, at + "v")};
        if (mask.valid())
            parts.push_back(mask);
        const TensorId attended = op("MatMul", {op("Attention", parts, at + "attention")}, at + "o");
        const TensorId middle = op("Add", {attended, x}, at + "add1");
        const TensorId wide =
            op("Gelu", {op("MatMul", {op("LayerNorm", {middle}, at + "ln2")}, at + "up")}, at + "gelu");
        return op("Add", {op("MatMul", {wide}, at + "down"), middle}, at + "add2");
    }
};
constexpr int kLayerOps = 12;

std::shared_ptr<const Graph> transformer(int layers, const std::string& scope, bool masked = false) {
    Network network;
    const TensorId mask = masked ? network.op("Sub", {TensorId(0)}, "mask") : TensorId();
    TensorId x = network.op("Gather", {TensorId(0)}, "embed");
    for (int i = 0; i < layers; ++i)
        x = network.layer(x, scope.empty() ? "op" + std::to_string(i) + "_" : scope + std::to_string(i) + "/",
                          mask);
    network.op("LayerNorm", {x}, "ln_f");
    return network.graph;
}

std::vector<const Block*> childrenOf(const BlockTree& tree, std::int32_t parent) {
    std::vector<const Block*> result;
    for (const Block& block : tree.blocks)
        if (block.parent == parent)
            result.push_back(&block);
    return result;
}

/// The largest number of parts of one structure.
std::size_t mostOfAKind(const BlockTree& tree, std::int32_t leastOps = 1) {
    std::map<std::int32_t, std::size_t> count;
    std::size_t most = 0;
    for (const Block& block : tree.blocks)
        if (!block.isRow && block.count >= leastOps)
            most = std::max(most, ++count[block.pattern]);
    return most;
}

/// The promises of blocks.h.
void checkTree(const Graph& graph, const BlockTree& tree) {
    std::vector<bool> seen(graph.ops.size());
    std::vector<std::size_t> place(graph.ops.size());
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
        QVERIFY(!seen[tree.order[i].index()]);
        seen[tree.order[i].index()] = true;
        place[tree.order[i].index()] = i;
    }
    QCOMPARE(tree.order.size(), graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        for (const OpId producer : graph.predecessors(OpId(static_cast<std::int64_t>(i))))
            QVERIFY(place[producer.index()] < place[i]); // so that no folded block lies on a cycle
    std::map<std::int32_t, std::int32_t> endOfSibling;
    std::set<std::pair<std::int32_t, std::string>> names;
    for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
        const Block& block = tree.blocks[i];
        QVERIFY(block.parent < static_cast<std::int32_t>(i));
        QVERIFY(block.first >= endOfSibling[block.parent]);
        endOfSibling[block.parent] = block.end();
        QVERIFY(block.count >= kLeastBlockOps);
        QVERIFY(!block.name.empty());
        if (block.parent >= 0) {
            const Block& parent = tree.blocks[static_cast<std::size_t>(block.parent)];
            QVERIFY(block.first >= parent.first && block.end() <= parent.end());
            QVERIFY(parent.isRow ? !block.isRow : true);
        }
        if (!block.isRow)
            QVERIFY2(names.insert({block.parent, block.name}).second, block.name.c_str());
        else
            QVERIFY(childrenOf(tree, static_cast<std::int32_t>(i)).size() >= 2);
    }
    for (std::size_t op = 0; op < graph.ops.size(); ++op)
        if (tree.inner[op] >= 0) {
            const Block& block = tree.blocks[static_cast<std::size_t>(tree.inner[op])];
            const auto at = static_cast<std::int32_t>(place[op]);
            QVERIFY(at >= block.first && at < block.end());
        }
}

std::shared_ptr<const Graph> sample(const char* name) {
    auto graph = loadGraph(std::string(PIM_SOURCE_DIR "/projects/") + name + "/" + name + ".onnx");
    if (!graph)
        qFatal("%s", graph.error().text().c_str());
    return *graph;
}

} // namespace

class TestBlocks : public QObject {
    Q_OBJECT
private slots:
    void findsTheLayersOfATransformer_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<QString>("scope");
        QTest::addColumn<bool>("masked");
        QTest::newRow("2 named") << 2 << "/layers." << false;
        QTest::newRow("12 named") << 12 << "/layers." << false;
        QTest::newRow("12 without names") << 12 << "" << false;
        QTest::newRow("12 with a mask all read") << 12 << "/layers." << true;
        QTest::newRow("96 without names, masked") << 96 << "" << true;
    }
    void findsTheLayersOfATransformer() {
        QFETCH(int, layers);
        QFETCH(QString, scope);
        QFETCH(bool, masked);
        const auto graph = transformer(layers, scope.toStdString(), masked);
        const BlockTree tree = findBlocks(*graph);
        checkTree(*graph, tree);
        const auto top = childrenOf(tree, -1);
        QCOMPARE(top.size(), 1u);
        QVERIFY(top.front()->isRow);
        QCOMPARE(top.front()->count, layers * kLayerOps);
        const auto parts = childrenOf(tree, 0);
        QCOMPARE(parts.size(), static_cast<std::size_t>(layers));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            // Cut before the layer norm that begins a layer, not somewhere in it.
            QCOMPARE(graph->op(tree.order[static_cast<std::size_t>(parts[i]->first)]).type,
                     std::string("LayerNorm"));
            QCOMPARE(parts[i]->pattern, parts.front()->pattern);
            if (!scope.isEmpty())
                QCOMPARE(parts[i]->name, "layers." + std::to_string(i));
        }
        if (!scope.isEmpty())
            QCOMPARE(top.front()->name, std::to_string(layers) + " × layers");
    }

    void dividesALayerAtItsInnerResidual() {
        const auto graph = transformer(4, "/layers.");
        const BlockTree tree = findBlocks(*graph);
        const auto layer = childrenOf(tree, 0).front();
        const auto inside = childrenOf(tree, static_cast<std::int32_t>(layer - tree.blocks.data()));
        QCOMPARE(inside.size(), 2u);
        QCOMPARE(inside[0]->count, 7);
        QCOMPARE(inside[1]->count, 5);
    }

    void readsStructureNotNames() {
        const auto graph = transformer(6, "/layers.");
        auto renamed = std::make_shared<Graph>(*graph);
        std::mt19937 random(7);
        for (Op& op : renamed->ops)
            op.name = std::to_string(random());
        const BlockTree a = findBlocks(*graph), b = findBlocks(*renamed);
        QCOMPARE(a.blocks.size(), b.blocks.size());
        for (std::size_t i = 0; i < a.blocks.size(); ++i) {
            QCOMPARE(a.blocks[i].first, b.blocks[i].first);
            QCOMPARE(a.blocks[i].count, b.blocks[i].count);
        }
    }

    /// Same letters in a row, but the inner edges differ: not the same block.
    void doesNotTakeOtherEdgesForTheSame() {
        Network network;
        TensorId x = network.op("Gather", {TensorId(0)}, "embed");
        for (int i = 0; i < 6; ++i) {
            const std::string at = "b" + std::to_string(i) + "_";
            const TensorId a = network.op("MatMul", {x}, at + "a"), b = network.op("Relu", {a}, at + "b");
            const TensorId c = network.op("MatMul", {b}, at + "c");
            x = network.op("Add", {c, i == 3 ? a : x}, at + "d");
        }
        const BlockTree tree = findBlocks(*network.graph);
        checkTree(*network.graph, tree);
        std::set<std::int32_t> patterns;
        for (const Block& block : tree.blocks)
            if (!block.isRow && block.first <= 1 + 3 * 4 && block.end() > 1 + 3 * 4)
                patterns.insert(block.pattern);
        for (const Block& block : tree.blocks)
            if (!block.isRow && block.first == 1)
                QVERIFY(!patterns.contains(block.pattern));
    }

    /// Depth first finds what a breadth-first exporter has interleaved: two towers, written in turn.
    void findsBlocksThatTheFileInterleaves() {
        Network network;
        TensorId left = network.op("Gather", {TensorId(0)}, "left"),
                 right = network.op("Slice", {TensorId(0)}, "right");
        std::mt19937 random(3);
        struct Tower {
            TensorId x, middle;
            int step = 0;
        } towers[2] = {{left, {}, 0}, {right, {}, 0}};
        const auto step = [&](Tower& tower, const std::string& at) {
            static const char* const kTypes[] = {"LayerNorm", "MatMul", "Gelu", "MatMul", "Add"};
            const int k = tower.step++ % 5;
            const TensorId out = network.op(kTypes[k],
                                            k == 0   ? std::vector{tower.x}
                                            : k == 4 ? std::vector{tower.middle, tower.x}
                                                     : std::vector{tower.middle},
                                            at + std::to_string(tower.step));
            if (k == 4)
                tower.x = out;
            tower.middle = out;
        };
        while (towers[0].step < 40 || towers[1].step < 40) {
            const unsigned side = random() % 2;
            if (towers[side].step < 40)
                step(towers[side], side ? "r" : "l");
        }
        network.op("Concat", {towers[0].x, towers[1].x}, "join");
        const BlockTree tree = findBlocks(*network.graph);
        checkTree(*network.graph, tree);
        QCOMPARE(mostOfAKind(tree), 16u);
    }

    void leavesAChainAlone() {
        Network network;
        TensorId x(0);
        for (int i = 0; i < 60; ++i)
            x = network.op(i % 2 ? "Relu" : "Conv", {x}, "op" + std::to_string(i));
        QVERIFY(findBlocks(*network.graph).blocks.empty());
        QVERIFY(findBlocks(Graph()).blocks.empty());
    }

    void findsTheBlocksOfTheSamples_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("parts");    ///< Of the commonest structure, at least as long as
        QTest::addColumn<int>("leastOps"); ///< this.
        QTest::newRow("BERT-base") << "bert-base" << 12 << 20;
        QTest::newRow("GPT-3 13B") << "gpt3-13b-decode" << 40 << 20;
        QTest::newRow("tiny GPT") << "tiny-gpt" << 2 << 20;
        QTest::newRow("ResNet-50") << "resnet50" << 12 << 6;
        QTest::newRow("MobileNetV2") << "mobilenetv2" << 9 << 6;
    }
    void findsTheBlocksOfTheSamples() {
        QFETCH(QString, name);
        QFETCH(int, parts);
        QFETCH(int, leastOps);
        const auto graph = sample(qPrintable(name));
        const BlockTree tree = findBlocks(*graph);
        checkTree(*graph, tree);
        QCOMPARE(static_cast<int>(mostOfAKind(tree, leastOps)), parts);
    }

    /// Random networks, whatever they are: the promises hold and the same bytes come out twice.
    void keepsItsPromises_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 60; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void keepsItsPromises() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        Network network;
        std::vector<TensorId> made{TensorId(0)};
        static const char* const kTypes[] = {"Conv", "Relu", "Add", "MatMul"};
        const unsigned types = 1 + random() % 4, reach = 1 + random() % 6;
        for (int i = 0; i < 120; ++i) {
            std::vector<TensorId> inputs;
            for (unsigned k = 0, n = 1 + random() % 2; k < n; ++k)
                inputs.push_back(
                    made[made.size() - 1 - random() % std::min<std::size_t>(reach, made.size())]);
            made.push_back(network.op(kTypes[random() % types], inputs, "n" + std::to_string(i)));
        }
        const BlockTree tree = findBlocks(*network.graph), again = findBlocks(*network.graph);
        checkTree(*network.graph, tree);
        QVERIFY(tree.order == again.order && tree.inner == again.inner);
        QCOMPARE(tree.blocks.size(), again.blocks.size());
        for (std::size_t i = 0; i < tree.blocks.size(); ++i)
            QCOMPARE(tree.blocks[i].name, again.blocks[i].name);
    }
};

QTEST_APPLESS_MAIN(TestBlocks)
#include "tst_core_graph_blocks.moc"
