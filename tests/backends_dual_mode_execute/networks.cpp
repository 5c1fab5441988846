// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_dual_mode_execute/networks.h"

#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <cmath>
#include <random>

namespace pim::test {

namespace {

/// Files are read when weights are asked for: the folder stays until the program ends.
std::string fileFor(const std::string& name) {
    static const QTemporaryDir folder;
    return folder.filePath(QString::fromStdString(name + ".onnx")).toStdString();
}

std::vector<float> randomFloats(std::mt19937& random, std::int64_t count, double spread) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>((static_cast<double>(random() % 20001) / 10000 - 1) * spread));
    return values;
}

using Ints = std::vector<std::int64_t>;

} // namespace

Result<std::shared_ptr<const Graph>> smallVision() {
    OnnxBuilder b;
    std::mt19937 random(11);
    const auto weight = [&](const std::string& name, const Ints& dims, std::int64_t fanIn) {
        std::int64_t count = 1;
        for (const std::int64_t d : dims)
            count *= d;
        b.floats(name, dims, randomFloats(random, count, std::sqrt(3.0 / static_cast<double>(fanIn))));
    };
    b.input("image", {std::int64_t(2), std::int64_t(3), std::int64_t(19), std::int64_t(17)});
    weight("w1", {20, 3, 3, 5}, 45);
    weight("b1", {20}, 3);
    b.node("Conv", {"image", "w1", "b1"}, {"c1"}, {{"strides", Ints{2, 1}}, {"pads", Ints{1, 0, 2, 3}}});
    b.node("Relu", {"c1"}, {"r1"});
    weight("w2", {20, 1, 3, 3}, 9); // one channel a group
    b.node("Conv", {"r1", "w2"}, {"c2"}, {{"group", std::int64_t(20)}, {"pads", Ints{1, 1, 1, 1}}});
    weight("w3", {40, 5, 3, 3}, 45);
    b.node("Conv", {"c2", "w3"}, {"c3"},
           {{"group", std::int64_t(4)}, {"pads", Ints{2, 2, 2, 2}}, {"dilations", Ints{2, 2}}});
    weight("w4", {40, 20, 1, 1}, 20);
    b.node("Conv", {"r1", "w4"}, {"c4"});
    b.node("Add", {"c3", "c4"}, {"sum"});
    b.node("Relu", {"sum"}, {"r2"});
    b.node("MaxPool", {"r2"}, {"p"}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    b.node("GlobalAveragePool", {"p"}, {"g"});
    b.node("Flatten", {"g"}, {"f"});
    weight("wf", {10, 40}, 40);
    weight("bf", {10}, 3);
    b.node("Gemm", {"f", "wf", "bf"}, {"scores"}, {{"transB", std::int64_t(1)}});
    b.output("scores");
    return loadGraph(b.save(fileFor("small_vision")));
}

Result<std::shared_ptr<const Graph>> encoderLayer(std::int64_t tokens, std::int64_t hidden,
                                                  std::int64_t heads) {
    OnnxBuilder b;
    std::mt19937 random(5);
    const std::int64_t width = hidden / heads;
    int counter = 0;
    const auto node = [&](const std::string& type, const std::vector<std::string>& in,
                          const Attributes& attributes = {}) {
        const std::string out = "t" + std::to_string(counter++);
        b.node(type, in, {out}, attributes);
        return out;
    };
    const auto linear = [&](const std::string& x, std::int64_t in, std::int64_t out) {
        const std::string name = "w" + std::to_string(counter);
        b.floats(name, {in, out}, randomFloats(random, in * out, std::sqrt(3.0 / static_cast<double>(in))));
        b.floats(name + "b", {out}, randomFloats(random, out, 0.1));
        return node("Add", {node("MatMul", {x, name}), name + "b"});
    };
    const auto norm = [&](const std::string& x) {
        const std::string centred = node("Sub", {x, node("ReduceMean", {x}, {{"axes", Ints{-1}}})});
        const std::string square = node("Pow", {centred, "two"});
        const std::string deviation =
            node("Sqrt", {node("Add", {node("ReduceMean", {square}, {{"axes", Ints{-1}}}), "epsilon"})});
        const std::string name = "n" + std::to_string(counter);
        b.floats(name, {hidden}, std::vector<float>(static_cast<std::size_t>(hidden), 1.0F));
        b.floats(name + "b", {hidden}, randomFloats(random, hidden, 0.1));
        return node("Add", {node("Mul", {node("Div", {centred, deviation}), name}), name + "b"});
    };
    b.scalar("two", 2)
        .scalar("epsilon", 1e-5F)
        .scalar("one", 1)
        .scalar("half", 0.5F)
        .scalar("root", std::sqrt(2.0F));
    b.scalar("scale", std::sqrt(static_cast<float>(width))).scalar("closed", -10000);
    b.ints("apart", {0, 0, heads, width}).ints("together", {0, 0, hidden}).ints("axes", {1, 2});
    b.input("x", {std::int64_t(2), tokens, hidden});
    b.input("visible", {std::int64_t(2), tokens}, 7); // int64
    const std::string numbers =
        node("Cast", {node("Unsqueeze", {"visible", "axes"})}, {{"to", std::int64_t(1)}});
    const std::string mask = node("Mul", {node("Sub", {"one", numbers}), "closed"});
    std::vector<std::string> qkv;
    for (int i = 0; i < 3; ++i)
        qkv.push_back(node("Transpose", {node("Reshape", {linear("x", hidden, hidden), "apart"})},
                           {{"perm", Ints{0, 2, 1, 3}}}));
    const std::string turned = node("Transpose", {qkv[1]}, {{"perm", Ints{0, 1, 3, 2}}});
    const std::string scores = node("Add", {node("Div", {node("MatMul", {qkv[0], turned}), "scale"}), mask});
    const std::string context =
        node("MatMul", {node("Softmax", {scores}, {{"axis", std::int64_t(-1)}}), qkv[2]});
    const std::string joined =
        node("Reshape", {node("Transpose", {context}, {{"perm", Ints{0, 2, 1, 3}}}), "together"});
    const std::string first = norm(node("Add", {linear(joined, hidden, hidden), "x"}));
    const std::string wide = linear(first, hidden, 4 * hidden);
    const std::string erf = node("Erf", {node("Div", {wide, "root"})});
    const std::string gelu = node("Mul", {node("Mul", {wide, node("Add", {erf, "one"})}), "half"});
    b.output(norm(node("Add", {linear(gelu, 4 * hidden, hidden), first})));
    return loadGraph(b.save(fileFor("encoder_layer")));
}

Result<std::shared_ptr<const Graph>> zooNetwork(const std::string& name,
                                                const std::map<std::string, std::int64_t>& bindings) {
    const std::string file = fileFor(name);
    PIM_CHECK(writeZooModel(name, file));
    return loadGraph(file, {.bindings = bindings});
}

} // namespace pim::test
