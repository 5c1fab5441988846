// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/exporter_ops.h"

#include "core/graph/exporter_attention.h"
#include "core/graph/exporter_quantized.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace pim {
namespace {

using file::RawFunction;
using Written = std::optional<RawFunction>;

/// Order of axes for a Transpose.
std::vector<std::int64_t> lastTwoExchanged(std::size_t rank) {
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < rank; ++i)
        order.push_back(static_cast<std::int64_t>(i));
    if (rank >= 2)
        std::swap(order[rank - 1], order[rank - 2]);
    return order;
}

Written fusedMatMul(FunctionWriter w) {
    if (w.integer("transBatchA", 0) != 0 || w.integer("transBatchB", 0) != 0)
        return std::nullopt;
    const auto side = [&](std::size_t input, std::string_view attribute) -> ValueName {
        if (w.integer(attribute, 0) == 0)
            return w.input(input);
        return w.rank(input) < 2 ? ValueName() : w.transpose(w.input(input), lastTwoExchanged(w.rank(input)));
    };
    const ValueName a = side(0, "transA"), b = side(1, "transB");
    if (a.empty() || b.empty())
        return std::nullopt;
    w.setOutput(0, w.scaled(w.op("MatMul", {a, b}), w.real("alpha", 1), w.dtype(0)));
    return w.take();
}

/// Weights [N, blocks, bytes of a block], scales [N, blocks], zeros of as many bits or as scales; of each row of the product which block's
/// scale it has.
Written matMulOfBlocks(FunctionWriter w) {
    constexpr std::int64_t kLargestBlock = 1 << 16;
    const std::int64_t k = w.integer("K", 0), n = w.integer("N", 0), bits = w.integer("bits", 4),
                       block = w.integer("block_size", 0);
    if (k < 1 || n < 1 || (bits != 2 && bits != 4 && bits != 8) || block < 16 || block > kLargestBlock)
        return std::nullopt;
    std::vector<ValueName> inputs{w.input(1), w.input(2), w.input(3), w.input(4)};
    while (inputs.back().empty())
        inputs.pop_back();
    ValueName weights = w.op("Unpacked", std::move(inputs),
                             {{"K", k}, {"N", n}, {"bits", bits}, {"block_size", block}}, "pim");
    if (w.dtype(2) != w.dtype(0) && w.dtype(0) != DataType::Unknown)
        weights = w.op("Cast", {weights}, {{"to", file::onnxFromDataType(w.dtype(0))}});
    ValueName product = w.op("MatMul", {w.input(0), weights});
    if (w.has(5))
        product = w.op("Add", {product, w.input(5)});
    w.setOutput(0, product);
    return w.take();
}

/// Sum, norm: [x, skip, gamma, beta, bias], or without beta where only the root mean square counts.
Written skipNorm(FunctionWriter w, bool simplified) {
    const std::size_t bias = simplified ? 3 : 4;
    ValueName sum = w.op("Add", {w.input(0), w.input(1)});
    if (w.has(bias))
        sum = w.op("Add", {sum, w.input(bias)});
    const double epsilon = w.real("epsilon", 1e-12);
    const Attributes attributes{{"axis", std::int64_t(-1)}, {"epsilon", epsilon}};
    if (simplified) {
        w.setOutput(0, w.op("SimplifiedLayerNormalization", {sum, w.input(2)}, attributes));
    } else {
        std::vector<ValueName> inputs{sum, w.input(2)};
        if (w.has(3))
            inputs.push_back(w.input(3));
        w.setOutput(0, w.op("LayerNormalization", std::move(inputs), attributes));
    }
    w.setOutput(3, sum);
    return w.take();
}

Written embedNorm(FunctionWriter w) {
    const Shape* ids = w.shape(0);
    if (!ids || ids->size() != 2)
        return std::nullopt;
    ValueName sum = w.op("Gather", {w.input(2), w.input(0)}); // words
    const ValueName places =
        w.has(8) ? w.op("Gather", {w.input(3), w.input(8)}) : w.slice(w.input(3), 0, ids->back(), 0);
    sum = w.op("Add", {sum, places});
    if (w.has(1) && w.has(4))
        sum = w.op("Add", {sum, w.op("Gather", {w.input(4), w.input(1)})});
    std::vector<ValueName> inputs{sum, w.input(5)};
    if (w.has(6))
        inputs.push_back(w.input(6));
    w.setOutput(0, w.op("LayerNormalization", std::move(inputs),
                        {{"axis", std::int64_t(-1)}, {"epsilon", w.real("epsilon", 1e-12)}}));
    if (w.has(7) && w.wants(1))
        w.setOutput(1, w.op("ReduceSum", {w.input(7), w.ints({1})}, {{"keepdims", std::int64_t(0)}}));
    w.setOutput(2, sum);
    return w.take();
}

/// Convolution, [sum,] activation: what ONNX Runtime makes of three nodes.
Written fusedConv(FunctionWriter w) {
    Attributes attributes = w.attributesBut({"activation", "activation_params"});
    std::vector<ValueName> inputs{w.input(0), w.input(1)};
    if (w.has(2))
        inputs.push_back(w.input(2));
    ValueName result = w.op("Conv", std::move(inputs), std::move(attributes));
    if (w.has(3))
        result = w.op("Add", {result, w.input(3)});
    const std::string activation = w.text("activation", "");
    const auto* given = w.node().attribute("activation_params");
    const auto* values = given && given->value ? std::get_if<std::vector<double>>(&*given->value) : nullptr;
    const auto parameter = [&](std::size_t i, double standard) {
        return values && i < values->size() ? (*values)[i] : standard;
    };
    if (activation == "Relu" || activation == "Tanh" || activation == "Sigmoid")
        result = w.op(activation, {result});
    else if (activation == "LeakyRelu")
        result = w.op(activation, {result}, {{"alpha", parameter(0, 0.01)}});
    else if (activation == "HardSigmoid")
        result = w.op(activation, {result}, {{"alpha", parameter(0, 0.2)}, {"beta", parameter(1, 0.5)}});
    else if (activation == "Clip" && values && values->size() == 2)
        result = w.op(activation,
                      {result, w.scalar((*values)[0], w.dtype(0)), w.scalar((*values)[1], w.dtype(0))});
    else if (!activation.empty())
        return std::nullopt;
    w.setOutput(0, result);
    return w.take();
}

using Writer = Written (*)(FunctionWriter);
const std::map<std::string_view, Writer>& writers() {
    static const std::map<std::string_view, Writer> all = [] {
        std::map<std::string_view, Writer> table{
            {"Attention", attentionOfOpset23},
            {"RotaryEmbedding", rotaryOfOpset23},
            {"com.microsoft::Attention", packedAttention},
            {"com.microsoft::EmbedLayerNormalization", embedNorm},
            {"com.microsoft::FusedConv", fusedConv},
            {"com.microsoft::FusedMatMul", fusedMatMul},
            {"com.microsoft::GroupQueryAttention", groupQueryAttention},
            {"com.microsoft::MatMulNBits", matMulOfBlocks},
            {"com.microsoft::MultiHeadAttention", multiHeadAttention},
            {"com.microsoft::RotaryEmbedding", rotaryOfMicrosoft},
            {"com.microsoft::SkipLayerNormalization",
             [](FunctionWriter w) { return skipNorm(std::move(w), false); }},
            {"com.microsoft::SkipSimplifiedLayerNormalization",
             [](FunctionWriter w) { return skipNorm(std::move(w), true); }},
        };
        table.insert(quantizedWriters().begin(), quantizedWriters().end());
        return table;
    }();
    return all;
}

} // namespace

Written writtenOut(const file::RawNode& node, std::span<const Tensor* const> inputs) {
    if (inputs.empty() || !inputs[0] || inputs[0]->dtype == DataType::Unknown ||
        std::ranges::any_of(node.attributes, [](const auto& each) { return !each.refName.empty(); }))
        return std::nullopt; // attributes of a function around it are not looked up here
    const auto found = writers().find(node.domain.empty() ? node.type : node.domain + "::" + node.type);
    return found == writers().end() ? std::nullopt : found->second(FunctionWriter(node, inputs));
}

std::vector<std::string> exporterOps() {
    std::vector<std::string> all;
    for (const auto& [name, writer] : writers())
        all.emplace_back(name);
    return all;
}

} // namespace pim
