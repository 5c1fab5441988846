// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_crossbar_numeric/op_networks.h"

#include "core/graph/import.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace pim::test {

namespace {

using Ints = std::vector<std::int64_t>;

/// Writes nodes one after the other; each reads the last unless told otherwise.
class Writer {
public:
    Writer() { m_b.input("image", {std::int64_t(1), std::int64_t(6), std::int64_t(9), std::int64_t(8)}); }

    std::string node(const std::string& type, const std::vector<std::string>& inputs,
                     const Attributes& attributes = {}) {
        const std::string out = "t" + std::to_string(m_count++);
        m_b.node(type, inputs, {out}, attributes);
        return last = out;
    }
    std::string weights(const Ints& dims, double spread, double middle = 0) {
        const std::string name = "w" + std::to_string(m_count++);
        std::int64_t count = 1;
        for (const std::int64_t d : dims)
            count *= d;
        std::vector<float> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(float(middle + (double(m_random() % 20001) / 10000 - 1) * spread));
        m_b.floats(name, dims, values);
        return name;
    }
    std::string conv(const std::string& from, std::int64_t in, std::int64_t out, std::int64_t ky,
                     std::int64_t kx, const Attributes& attributes = {}, std::int64_t groups = 1) {
        Attributes all = attributes;
        all.emplace_back("group", groups);
        return node(
            "Conv",
            {from,
             weights({out, in / groups, ky, kx}, std::sqrt(3.0 * double(groups) / double(in * ky * kx))),
             weights({out}, 0.2)},
            all);
    }
    OnnxBuilder& builder() { return m_b; }
    std::string last = "image";

private:
    OnnxBuilder m_b{17};
    std::mt19937 m_random{5};
    int m_count = 0;
};

void convolutions(Writer& w) {
    w.conv("image", 6, 12, 3, 2, {{"strides", Ints{2, 1}}, {"pads", Ints{1, 0, 2, 1}}});
    w.node("Relu", {w.last});
    w.conv(w.last, 12, 12, 3, 3, {{"pads", Ints{1, 1, 1, 1}}}, 12);
    w.conv(w.last, 12, 18, 3, 3, {{"pads", Ints{2, 2, 2, 2}}, {"dilations", Ints{2, 2}}}, 3);
    w.node("LeakyRelu", {w.last}, {{"alpha", 0.1}});
    w.conv(w.last, 18, 20, 1, 1);
}

/// Phases of one, two and three axes, kernels smaller than strides, dilations, groups; one is pooled at once.
void transposed(Writer& w) {
    w.conv("image", 6, 8, 3, 3, {{"strides", Ints{2, 2}}}); // 4 x 3
    w.node("ConvTranspose", {w.last, w.weights({8, 1, 2, 3}, 0.6), w.weights({8}, 0.2)},
           {{"strides", Ints{2, 3}},
            {"dilations", Ints{3, 2}},
            {"pads", Ints{1, 0, 2, 1}},
            {"group", std::int64_t(8)}}); // 7 x 10
    w.node("ConvTranspose", {w.last, w.weights({8, 6, 3, 3}, 0.4), w.weights({12}, 0.2)},
           {{"strides", Ints{2, 2}},
            {"pads", Ints{1, 1, 1, 1}},
            {"output_padding", Ints{1, 1}},
            {"group", std::int64_t(2)}}); // 14 x 20
    w.node("LeakyRelu", {w.last}, {{"alpha", 0.1}});
    w.node("MaxPool", {w.last}, {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}}); // 6 x 9
    w.node("ConvTranspose", {w.last, w.weights({12, 5, 1, 2}, 0.4), w.weights({5}, 0.2)},
           {{"strides", Ints{3, 2}}, {"output_shape", Ints{17, 18}}});
    w.node("ConvTranspose", {w.last, w.weights({5, 4, 3, 3}, 0.4)}, {{"pads", Ints{1, 1, 1, 1}}});
}

void dense(Writer& w) {
    w.conv("image", 6, 5, 3, 3);
    w.node("Sigmoid", {w.last});
    w.node("Flatten", {w.last});
    w.node("Gemm", {w.last, w.weights({7, 210}, 0.1), w.weights({7}, 0.5)},
           {{"transB", std::int64_t(1)}, {"alpha", 0.5}, {"beta", 2.0}});
    w.node("Tanh", {w.last});
    w.node("MatMul", {w.last, w.weights({7, 4}, 0.5)});
    w.node("Softmax", {w.last}, {{"axis", std::int64_t(-1)}});
}

void pools(Writer& w) {
    const std::string a =
        w.node("MaxPool", {"image"},
               {{"kernel_shape", Ints{3, 2}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 0, 1, 0}}});
    const std::string b =
        w.node("AveragePool", {"image"},
               {{"kernel_shape", Ints{3, 2}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 0, 1, 0}}});
    const std::string c = w.node("AveragePool", {"image"},
                                 {{"kernel_shape", Ints{3, 2}},
                                  {"strides", Ints{2, 2}},
                                  {"pads", Ints{1, 0, 1, 0}},
                                  {"count_include_pad", std::int64_t(1)}});
    w.node("Concat", {a, b, c}, {{"axis", std::int64_t(1)}});
    w.conv(w.last, 18, 8, 1, 1);
    w.node("GlobalAveragePool", {w.last});
}

void elements(Writer& w) {
    const std::string a = w.conv("image", 6, 6, 3, 3, {{"pads", Ints{1, 1, 1, 1}}});
    const std::string sum = w.node("Relu", {w.node("Add", {a, "image"})});
    const std::string gate = w.node("Sigmoid", {w.conv(w.node("GlobalAveragePool", {sum}), 6, 6, 1, 1)});
    const std::string scaled = w.node("Mul", {sum, gate});
    const std::string shifted = w.node("Sub", {scaled, w.weights({6, 1, 1}, 0.5)});
    const std::string least = w.node("Min", {shifted, a});
    const std::string full = w.node("Add", {least, w.weights({1, 6, 9, 8}, 0.5)});
    w.node("Sum", {full, a, sum});
    for (int times = 0; times < 3; ++times) // the same function in a row
        w.node("HardSwish", {w.last});
}

void normalisations(Writer& w) {
    w.node("LRN", {"image"}, {{"alpha", 0.3}, {"beta", 0.75}, {"bias", 1.0}, {"size", std::int64_t(5)}});
    w.node("BatchNormalization", {w.last, w.weights({6}, 0.3, 1), w.weights({6}, 0.3), w.weights({6}, 0.2),
                                  w.weights({6}, 0.2, 0.8)});
    w.node("Clip", {w.last, w.weights({}, 0, -0.4), w.weights({}, 0, 0.6)});
    w.node("Softmax", {w.last}, {{"axis", std::int64_t(1)}});
}

/// Pixels as tokens with their channels last.
void tokens(Writer& w) {
    w.builder().ints("rows", {0, 6, -1});
    w.node("Transpose", {w.node("Reshape", {"image", "rows"})}, {{"perm", Ints{0, 2, 1}}});
    w.node("LayerNormalization", {w.last, w.weights({6}, 0.3, 1), w.weights({6}, 0.3)}, {{"epsilon", 1e-3}});
    const std::string a = w.node("MatMul", {w.last, w.weights({6, 9}, 0.6)});
    w.node("SimplifiedLayerNormalization", {a, w.weights({9}, 0.3, 1)}, {{"epsilon", 1e-3}});
    w.node("Add", {w.node("Tanh", {w.last}), a});
    w.node("LayerNormalization", {w.last, w.weights({9}, 0.3, 1)});
}

void views(Writer& w) {
    const std::string a = w.conv("image", 6, 8, 1, 1);
    w.builder().ints("apart", {1, 2, 4, 9, 8}).ints("together", {1, 8, 9, 8});
    w.node("Reshape", {a, "apart"});
    w.node("Transpose", {w.last}, {{"perm", Ints{0, 2, 1, 3, 4}}});
    w.node("Reshape", {w.last, "together"}); // a channel shuffle
    w.conv(w.last, 8, 4, 3, 3, {}, 2);
}

/// Maps that are read again one, two and three stages later.
void shortcuts(Writer& w) {
    std::string from = w.conv("image", 6, 8, 1, 1);
    for (int block = 0; block < 3; ++block) {
        std::string inside = from;
        for (int layer = 0; layer <= block; ++layer)
            inside = w.conv(inside, 8, 8, 3, 3, {{"pads", Ints{1, 1, 1, 1}}});
        from = w.node("Add", {w.conv(inside, 8, 8, 1, 1), from});
    }
    w.node("MaxPool", {from}, {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}});
    w.node("Add", {w.last, from});
}

const std::map<std::string, std::function<void(Writer&)>>& networks() {
    static const std::map<std::string, std::function<void(Writer&)>> all{{"convolutions", convolutions},
                                                                         {"dense", dense},
                                                                         {"pools", pools},
                                                                         {"elements", elements},
                                                                         {"normalisations", normalisations},
                                                                         {"shortcuts", shortcuts},
                                                                         {"tokens", tokens},
                                                                         {"transposed", transposed},
                                                                         {"views", views}};
    return all;
}

/// A dense layer that reads a map of many rows at once.
void wideDense(Writer& w) {
    w.conv("image", 6, 24, 3, 3, {{"pads", Ints{1, 1, 1, 1}}});
    w.node("Relu", {w.last});
    w.node("Flatten", {w.last});
    w.node("Gemm", {w.last, w.weights({200, 1728}, 0.05)}, {{"transB", std::int64_t(1)}});
}

Result<std::shared_ptr<const Graph>> graphOf(const std::string& name,
                                             const std::function<void(Writer&)>& write) {
    static const QTemporaryDir folder; // weights are read from there when asked for
    Writer writer;
    write(writer);
    writer.builder().output(writer.last);
    const auto file = folder.filePath(QString::fromStdString(name + ".onnx")).toStdString();
    return loadGraph(writer.builder().save(file));
}

} // namespace

std::vector<std::string> opNetworkNames() {
    std::vector<std::string> names;
    for (const auto& [name, write] : networks())
        names.push_back(name);
    return names;
}

Result<std::shared_ptr<const Graph>> opNetwork(const std::string& name) {
    return graphOf(name, networks().at(name));
}

Result<std::shared_ptr<const Graph>> wideDenseNetwork() {
    return graphOf("wide", wideDense);
}

} // namespace pim::test
