// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/conversion.h"

#include "core/lut/network/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace pim::lut {
namespace {

bool isCalled(const Graph& graph, const Op& op, const LayerName& wanted) {
    if (!wanted.node.empty())
        return op.name == wanted.node || std::ranges::any_of(op.sources, [&](const NodeRef& source) {
                   return source.name == wanted.node;
               });
    return std::ranges::any_of(op.inputs, [&](TensorId input) {
        return input.valid() && graph.tensor(input).name == wanted.weight;
    });
}

Result<std::vector<OpId>> namedLayers(const Graph& graph, const DataSet& set) {
    std::vector<OpId> layers;
    for (const LayerName& wanted : *set.convert) {
        std::int64_t found = -1;
        for (std::size_t i = 0; i < graph.ops.size() && found < 0; ++i)
            if (isCalled(graph, graph.ops[i], wanted))
                found = static_cast<std::int64_t>(i);
        if (found < 0)
            return fail(
                ErrorCode::NotFound,
                fmt::format("no op is called \"{}\"", wanted.node.empty() ? wanted.weight : wanted.node),
                (set.folder / "model.json").string(), "name nodes as the ONNX file does");
        layers.emplace_back(found);
    }
    std::ranges::sort(layers, {}, &OpId::value);
    const auto twice = std::ranges::unique(layers);
    layers.erase(twice.begin(), twice.end());
    return layers;
}

std::vector<OpId> usualLayers(const Graph& graph) {
    std::vector<OpId> layers;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (const OpId id(static_cast<std::int64_t>(i)); ProductLayer::of(graph, id, 1))
            layers.push_back(id);
    if (layers.size() <= 2)
        return {};
    return {layers.begin() + 1, layers.end() - 1};
}

/// One run of a layer.
struct LayerRun {
    std::span<const float> rows; ///< [rows, inputs filled up]
    std::span<const std::uint16_t> indices;
    std::span<const float> dense, output;
};

void watchChoices(const Codebooks& books, const LayerRun& run, LayerUse& use) {
    use.chosen.resize(static_cast<std::size_t>(books.codebooks * books.centroids));
    use.squaredDistance.resize(static_cast<std::size_t>(books.codebooks));
    use.squaredInput.resize(static_cast<std::size_t>(books.codebooks));
    for (std::int64_t i = 0; i < std::ssize(run.indices); ++i) {
        const std::int64_t book = i % books.codebooks, index = run.indices[static_cast<std::size_t>(i)];
        ++use.chosen[static_cast<std::size_t>(book * books.centroids + index)];
        const float* const part = run.rows.data() + i * books.length;
        const auto centroid = books.centroid(book, index);
        double distance = 0, size = 0;
        for (std::size_t v = 0; v < centroid.size(); ++v) {
            const double off = double(part[v]) - double(centroid[v]);
            distance += off * off;
            size += double(part[v]) * double(part[v]);
        }
        use.squaredDistance[static_cast<std::size_t>(book)] += distance;
        use.squaredInput[static_cast<std::size_t>(book)] += size;
    }
}

void watch(const Codebooks& books, const LayerRun& run, std::int64_t rows, LayerUse& use) {
    if (use.chosen.empty()) {
        const std::int64_t all = std::ssize(run.rows) / books.inputLength(), kept = std::min(all, rows);
        for (std::int64_t i = 0; i < kept; ++i) {
            const auto row =
                run.rows.subspan(static_cast<std::size_t>(keptRow(i, kept, all) * books.inputLength()),
                                 static_cast<std::size_t>(books.inputLength()));
            use.rows.insert(use.rows.end(), row.begin(), row.end());
        }
    }
    watchChoices(books, run, use);
    for (std::size_t i = 0; i < run.dense.size(); ++i) {
        const double dense = double(run.dense[i]), off = double(run.output[i]) - dense;
        use.squaredDense += dense * dense;
        use.squaredError += off * off;
    }
}

} // namespace

Result<std::vector<OpId>> layersToConvert(const Graph& graph, const DataSet& set,
                                          const ConversionOptions& options) {
    std::vector<OpId> all = usualLayers(graph);
    if (set.convert) {
        PIM_TRY(all, namedLayers(graph, set));
    }
    for (const LayerRule& rule : options.rules)
        if (std::ranges::none_of(
                all, [&](OpId id) { return graph.op(id).name.find(rule.part) != std::string::npos; }))
            return fail(ErrorCode::NotFound,
                        fmt::format("no layer that can be converted has \"{}\" in its name", rule.part),
                        "--lut-layer", "`pimc inspect MODEL` lists names");
    std::vector<OpId> layers;
    for (const OpId id : all) {
        const auto size = options.sizeOf(graph.op(id).name);
        if (!size)
            continue;
        PIM_CHECK(ProductLayer::of(graph, id, size->length));
        layers.push_back(id);
    }
    if (layers.empty())
        return fail(ErrorCode::Unsupported, "there is no layer to convert", graph.name,
                    "the first and the last product stay dense unless model.json names layers");
    return layers;
}

Result<std::vector<float>> LutLayer::sums(std::span<const float> rows, int threads) const {
    PIM_TRY(const auto indices, closestCentroids({rows, books.inputLength()}, books, threads));
    return sumsOf(indices, threads);
}

Result<std::vector<float>> LutLayer::sumsOf(std::span<const std::uint16_t> indices, int threads) const {
    if (!quantized)
        return lookUp(table, indices, {}, threads);
    PIM_TRY(const auto whole, accumulate(*quantized, indices, threads));
    return dequantize(*quantized, whole, {});
}

double LayerUse::relativeError() const {
    return squaredDense > 0 ? std::sqrt(squaredError / squaredDense) : 0;
}

std::int64_t LayerUse::unused() const {
    return std::ranges::count(chosen, 0);
}

double LayerUse::codebookError(std::int64_t codebook) const {
    const auto at = static_cast<std::size_t>(codebook);
    return squaredInput[at] > 0 ? std::sqrt(squaredDistance[at] / squaredInput[at]) : 0;
}

Classifier::Observer Conversion::observer(int threads, LayerUses* uses, std::int64_t kept) const {
    return [this, threads, uses, kept](const Graph& graph, const RealStep& step) -> Result<void> {
        const auto found = layers.find(graph.op(step.op).name);
        if (found == layers.end())
            return {};
        const auto& [name, layer] = *found;
        PIM_TRY(const ProductLayer product, ProductLayer::of(graph, step.op, layer.books.length));
        const std::vector<float> rows = product.inputRows(step.inputs[product.inputOperand()]);
        PIM_TRY(const auto indices, closestCentroids({rows, product.padded()}, layer.books, threads));
        PIM_TRY(const auto sums, layer.sumsOf(indices, threads));
        PIM_TRY(const Value output, product.finished(graph, step.inputs, sums));
        if (uses)
            watch(layer.books, {rows, indices, elements<float>(step.outputs[0]), elements<float>(output)},
                  kept, (*uses)[name]);
        (*step.results)[0] = output;
        return {};
    };
}

Result<Conversion> convert(const Classifier& classifier, const DataSet& set, const Samples& calibration,
                           const ConversionOptions& options, const TaskContext& task,
                           const StepWatch& watch) {
    const std::clock_t begin = std::clock();
    Conversion made;
    made.options = options;
    const std::int64_t batch = classifier.hasOpenBatch() ? calibration.count() : classifier.fixedBatch();
    if (!classifier.hasOpenBatch() && options.method != LutMethod::KMeans)
        return fail(ErrorCode::Unsupported,
                    fmt::format("method {} runs all samples together, the network takes {}",
                                name(options.method), batch),
                    calibration.file,
                    "export the network with an open batch dimension, or take method=kmeans");
    PIM_TRY(const auto graph, classifier.graph(batch, task));
    PIM_TRY(const auto layers, layersToConvert(*graph, set, options));
    for (const OpId id : layers) {
        const Op& op = graph->op(id);
        const std::int64_t length = options.sizeOf(op.name)->length;
        PIM_TRY(const auto product, ProductLayer::of(*graph, id, length));
        if (product.padded() != product.inputs())
            made.notes.push_back(
                fmt::format("{}: {} inputs are filled up with zeros to {}, sub-vectors have {}", op.name,
                            product.inputs(), product.padded(), length));
    }
    Calibration run(classifier, calibration, layers, made);
    if (options.method == LutMethod::KMeans) {
        PIM_CHECK(run.fromUnconverted(task));
    } else {
        PIM_CHECK(run.layerByLayer(task));
        if (options.method == LutMethod::Elut)
            PIM_CHECK(run.train(task, watch));
    }
    made.calibrationCpuSeconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    return made;
}

} // namespace pim::lut
