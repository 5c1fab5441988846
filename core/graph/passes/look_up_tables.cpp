// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/look_up_tables.h"

#include "core/base/number_text.h"
#include "core/graph/passes/codebook_files.h"
#include "core/graph/passes/rewriter.h"
#include "core/graph/semantics/op_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pim {
namespace {

constexpr std::int64_t kLongest = 4096, kMostCentroids = 65536; // an index has 16 bits

bool readNumber(std::string_view text, std::int64_t least, std::int64_t most, std::int64_t& number) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
}

/// A product with constant weights [inputs, features], or transposed, or [features, channels, kernel].
struct Product {
    std::size_t op = 0;
    std::int64_t inputs = 0, features = 0;
    bool isConv = false;
};

bool isPlainGemm(const Graph& graph, const Op& op) {
    if (op.intAttribute("transA", 0) != 0 || op.floatAttribute("alpha", 1) != 1 ||
        op.floatAttribute("beta", 1) != 1)
        return false;
    if (op.inputs.size() < 3 || !op.inputs[2].valid())
        return true;
    const auto& bias = graph.tensor(op.inputs[2]).shape;
    return bias && bias->size() == 1;
}

bool isPlainConv(const Graph& graph, const Op& op) {
    const auto& weights = graph.tensor(op.inputs[1]).shape;
    const auto& result = graph.tensor(op.outputs.front()).shape;
    return weights && weights->size() == 4 && result && result->size() == 4 &&
           op.intAttribute("group", 1) == 1;
}

std::optional<Product> productOf(const Graph& graph, std::size_t at) {
    const Op& op = graph.ops[at];
    const bool gemm = op.type == "Gemm", conv = op.type == "Conv";
    if (!op.domain.empty() || (op.type != "MatMul" && !gemm && !conv) || op.inputs.size() < 2 ||
        (gemm && !isPlainGemm(graph, op)) || (conv && !isPlainConv(graph, op)))
        return std::nullopt;
    const Tensor &x = graph.tensor(op.inputs[0]), &weights = graph.tensor(op.inputs[1]),
                 &result = graph.tensor(op.outputs.front());
    if (x.isConstant() || !weights.isConstant() || !weights.shape || !isStatic(*weights.shape) || !x.shape ||
        x.shape->empty() || result.dtype != DataType::F32 || x.dtype != DataType::F32)
        return std::nullopt;
    if (conv) {
        const Shape& w = *weights.shape;
        return Product{at, w[1] * w[2] * w[3], w[0], true};
    }
    if (weights.shape->size() != 2)
        return std::nullopt;
    const bool transposed = op.intAttribute("transB", 0) != 0;
    return Product{at, (*weights.shape)[transposed ? 1 : 0], (*weights.shape)[transposed ? 0 : 1]};
}

std::vector<std::string_view> partsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        if (end > from)
            parts.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

/// What LookUpOptions::sizes says of layers with a text in their names.
struct SizeRule {
    std::string_view part;
    std::int64_t length = 0, centroids = 0; ///< 0: stays a product.
};

/// Nothing for a text that is none.
std::optional<std::vector<SizeRule>> sizeRules(std::string_view text) {
    std::vector<SizeRule> rules;
    for (const std::string_view entry : partsOf(text)) {
        const std::size_t equals = entry.rfind('=');
        if (equals == std::string_view::npos || equals == 0)
            return std::nullopt;
        SizeRule rule{entry.substr(0, equals)};
        const std::string_view size = entry.substr(equals + 1);
        const std::size_t slash = size.find('/');
        if (size != "off" && (slash == std::string_view::npos ||
                              !readNumber(size.substr(0, slash), 1, kLongest, rule.length) ||
                              !readNumber(size.substr(slash + 1), 1, kMostCentroids, rule.centroids)))
            return std::nullopt;
        rules.push_back(rule);
    }
    return rules;
}

/// Codebooks of a layer, and where their numbers are.
struct Layer {
    Product product;
    LayerFiles files; ///< Sizes, and data that is absent unless they come from a folder.
};

Result<std::vector<Product>> chosenProducts(const Graph& graph, const std::string& layers) {
    std::vector<Product> all;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (const auto product = productOf(graph, i))
            all.push_back(*product);
    if (layers == "all")
        return all;
    if (layers == "inner")
        return all.size() <= 2 ? std::vector<Product>() : std::vector(all.begin() + 1, all.end() - 1);
    std::vector<Product> chosen;
    const auto parts = partsOf(layers);
    for (const std::string_view part : parts)
        if (std::ranges::none_of(all, [&](const Product& product) {
                return graph.ops[product.op].name.find(part) != std::string::npos;
            }))
            return fail(ErrorCode::NotFound,
                        fmt::format("no product with constant weights has \"{}\" in its name", part),
                        "layers", "`pimc inspect MODEL` lists names; several are separated by commas");
    std::ranges::copy_if(all, std::back_inserter(chosen), [&](const Product& product) {
        return std::ranges::any_of(parts, [&](std::string_view part) {
            return graph.ops[product.op].name.find(part) != std::string::npos;
        });
    });
    return chosen;
}

/// Without numbers: as large as the options say.
Layer sized(const Graph& graph, const Product& product, const LookUpOptions& options) {
    const std::int64_t codebooks = (product.inputs + options.length - 1) / options.length;
    Layer layer{product, {}};
    layer.files.op = graph.ops[product.op].name;
    layer.files.codebooks = codebooks;
    layer.files.centroids = options.centroids;
    layer.files.length = options.length;
    layer.files.features = product.features;
    for (InitializerRef* data : {&layer.files.centroidData, &layer.files.tableData}) {
        data->file = graph.source.path;
        data->present = false;
    }
    return layer;
}

Result<std::vector<Layer>> sizedLayers(const Graph& graph, const std::vector<Product>& products,
                                       const LookUpOptions& options) {
    const auto rules = sizeRules(options.sizes).value_or(std::vector<SizeRule>());
    const auto concerns = [&](const SizeRule& rule, const Product& product) {
        return graph.ops[product.op].name.find(rule.part) != std::string::npos;
    };
    for (const SizeRule& rule : rules)
        if (std::ranges::none_of(products, [&](const Product& product) { return concerns(rule, product); }))
            return fail(ErrorCode::NotFound,
                        fmt::format("no layer that becomes look-ups has \"{}\" in its name", rule.part),
                        "sizes",
                        "`pimc inspect MODEL` lists names; the option `layers` says which become look-ups");
    std::vector<Layer> layers;
    for (const Product& product : products) {
        LookUpOptions size = options;
        for (const SizeRule& rule : rules)
            if (concerns(rule, product)) {
                size.length = rule.length;
                size.centroids = rule.centroids;
            }
        if (size.length > 0)
            layers.push_back(sized(graph, product, size));
    }
    return layers;
}

Result<std::vector<Layer>> layersOf(const Graph& graph, const LookUpOptions& options) {
    std::vector<Layer> layers;
    if (options.from.empty()) {
        PIM_TRY(const auto products, chosenProducts(graph, options.layers));
        return sizedLayers(graph, products, options);
    }
    PIM_TRY(const auto saved, readLayerFiles(options.from));
    for (const LayerFiles& files : saved) {
        const OpId id = graph.findOp(files.op);
        const auto product = id.valid() ? productOf(graph, id.index()) : std::nullopt;
        if (!product)
            return fail(ErrorCode::NotFound,
                        fmt::format("\"{}\" is no product with constant weights of this network{}", files.op,
                                    id.valid() ? fmt::format(", but a {}", graph.op(id).type) : ""),
                        options.from, "take the folder that was written for this model");
        if (product->features != files.features || files.codebooks * files.length < product->inputs ||
            (files.codebooks - 1) * files.length >= product->inputs)
            return fail(
                ErrorCode::Usage,
                fmt::format("tables of \"{}\" are for {} sub-vectors of {} and {} features, the product "
                            "has {} inputs and {} features",
                            files.op, files.codebooks, files.length, files.features, product->inputs,
                            product->features),
                options.from, "take the folder that was written for this model");
        layers.push_back({*product, files});
    }
    std::ranges::sort(layers, {}, [](const Layer& layer) { return layer.product.op; });
    return layers;
}

TensorId added(Graph& graph, std::string name, DataType type, Shape shape,
               std::optional<InitializerRef> data = {}) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = type;
    tensor.shape = std::move(shape);
    tensor.data = std::move(data);
    graph.tensors.push_back(std::move(tensor));
    return TensorId(std::ssize(graph.tensors) - 1);
}

/// \param domain as Op::domain.
Op opOf(std::string domain, std::string type, const Op& origin, std::string name) {
    Op op;
    op.type = std::move(type);
    op.domain = std::move(domain);
    op.name = std::move(name);
    op.opClass = findOpFact(op.domain, op.type)->opClass;
    op.sources = origin.sources;
    return op;
}

/// The windows of a convolution as rows.
Op unrolled(Graph& graph, const Op& conv, std::int64_t inputs) {
    Op op = opOf("pim", "Unroll", conv, conv.name + "/windows");
    const Shape &weights = *graph.tensor(conv.inputs[1]).shape,
                &result = *graph.tensor(conv.outputs.front()).shape;
    op.attributes = conv.attributes;
    op.attributes["kernel_shape"] = std::vector(weights.begin() + 2, weights.end());
    op.inputs = {conv.inputs[0]};
    op.outputs = {added(graph, op.name, DataType::F32, {result[0], result[2], result[3], inputs})};
    return op;
}

/// Sums [images, rows, columns, features] to where the convolution has them.
Op channelsFirst(const Op& conv, TensorId sums) {
    Op op = opOf({}, "Transpose", conv, conv.name);
    op.attributes = {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}};
    op.inputs = {sums};
    op.outputs = conv.outputs;
    return op;
}

std::vector<Op> converted(Graph& graph, const Layer& layer) {
    const Op product = graph.ops[layer.product.op];
    const LayerFiles& files = layer.files;
    std::vector<Op> ops;
    if (layer.product.isConv)
        ops.push_back(unrolled(graph, product, layer.product.inputs));
    const TensorId rows = layer.product.isConv ? ops.front().outputs.front() : product.inputs[0];
    Op closest = opOf("pim", "ClosestCentroids", product, product.name + "/closest");
    Shape indexShape = *graph.tensor(rows).shape;
    indexShape.back() = files.codebooks;
    closest.inputs = {rows, added(graph, product.name + "/centroids", DataType::F32,
                                  {files.codebooks, files.centroids, files.length}, files.centroidData)};
    closest.outputs = {added(graph, product.name + "/indices", DataType::U16, indexShape)};
    Op sums = opOf("pim", "LookUp", product, layer.product.isConv ? product.name + "/sums" : product.name);
    const bool whole = files.scaleData.has_value();
    sums.inputs = {added(graph, product.name + "/table", whole ? DataType::I8 : DataType::F32,
                         {files.codebooks, files.centroids, files.features}, files.tableData),
                   closest.outputs.front()};
    const TensorId bias = product.inputs.size() > 2 ? product.inputs[2] : TensorId();
    if (bias.valid() || whole)
        sums.inputs.push_back(bias);
    if (whole)
        sums.inputs.push_back(
            added(graph, product.name + "/scales", DataType::F32, {files.scales}, files.scaleData));
    sums.outputs = product.outputs;
    if (layer.product.isConv) {
        indexShape.back() = files.features;
        sums.outputs = {added(graph, product.name + "/sums", DataType::F32, indexShape)};
    }
    const TensorId result = sums.outputs.front();
    ops.push_back(std::move(closest));
    ops.push_back(std::move(sums));
    if (layer.product.isConv)
        ops.push_back(channelsFirst(product, result));
    return ops;
}

} // namespace

const TypedOptionTable<LookUpOptions>& lookUpOptions() {
    static const TypedOptionTable<LookUpOptions> table(
        {{{"v", "off|1..4096", "numbers of a sub-vector; off: products stay products"},
          [](const LookUpOptions& o) { return o.length == 0 ? "off" : std::to_string(o.length); },
          [](LookUpOptions& o, std::string_view text) {
              if (text == "off") {
                  o.length = 0;
                  return true;
              }
              return readNumber(text, 1, kLongest, o.length);
          }},
         {{"ct", "1..65536", "centroids of a codebook"},
          [](const LookUpOptions& o) { return std::to_string(o.centroids); },
          [](LookUpOptions& o, std::string_view text) {
              return readNumber(text, 1, kMostCentroids, o.centroids);
          }},
         {{"layers", "inner|all|NAME,NAME",
           "all products with constant weights but the first and the last, all, or those with these parts in "
           "their names"},
          [](const LookUpOptions& o) { return o.layers; },
          [](LookUpOptions& o, std::string_view text) {
              o.layers = text;
              return !partsOf(text).empty();
          }},
         {{"sizes", "NAME=V/CT,NAME=off",
           "for layers with these parts in their names; the last that fits decides"},
          [](const LookUpOptions& o) { return o.sizes; },
          [](LookUpOptions& o, std::string_view text) {
              o.sizes = text;
              return sizeRules(text).has_value();
          }},
         {{"from", "FOLDER",
           "calibrated layers that `pimc accuracy --out FOLDER` wrote, converted as they are there"},
          [](const LookUpOptions& o) { return o.from; },
          [](LookUpOptions& o, std::string_view text) {
              o.from = text;
              return true;
          }}});
    return table;
}

Result<int> lookUpTables(Graph& graph, const LookUpOptions& options) {
    if (options.length == 0 && options.from.empty())
        return 0;
    PIM_TRY(const auto layers, layersOf(graph, options));
    Rewriter rewriter(graph);
    for (const Layer& layer : layers)
        rewriter.replace(OpId(static_cast<std::int64_t>(layer.product.op)), converted(graph, layer));
    rewriter.commit();
    return int(layers.size());
}

} // namespace pim
