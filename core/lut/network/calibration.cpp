// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/calibration.h"

#include "core/lut/network/refit.h"
#include "core/lut/network/training.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::lut {
namespace {

/// Rows of a layer gathered over several runs, thinned out by keptRow().
struct KeptRows {
    std::int64_t seen = 0, all = 0; ///< All: of all runs.
    std::int64_t next = 0;          ///< Number of the first row not kept yet.
    std::vector<float> values;

    /// Rows [seen, seen + count) of \p length.
    void add(std::span<const float> rows, std::int64_t length, std::int64_t most) {
        const std::int64_t count = std::ssize(rows) / length, kept = std::min(all, most);
        for (; next < kept && keptRow(next, kept, all) < seen + count; ++next) {
            const auto row =
                rows.subspan(static_cast<std::size_t>((keptRow(next, kept, all) - seen) * length),
                             static_cast<std::size_t>(length));
            values.insert(values.end(), row.begin(), row.end());
        }
        seen += count;
    }
};

tl::unexpected<Error> tooFewRows(const Op& op, std::int64_t rows, std::int64_t centroids) {
    return fail(ErrorCode::Usage,
                fmt::format("{} centroids from {} rows of calibration inputs", centroids, rows), op.name,
                "take fewer centroids or more samples");
}

/// Of the terms that depend on the sums alone: what a Gemm multiplies them by.
double factorOf(const Op& op) {
    return op.type == "Gemm" ? op.floatAttribute("alpha", 1) : 1;
}

} // namespace

Result<void> finishTable(LutLayer& layer, const ConversionOptions& options) {
    if (options.int8) {
        PIM_TRY(layer.quantized, quantize(layer.table, *options.int8));
    }
    return {};
}

bool Calibration::isConverted(OpId op) const {
    return std::ranges::find(m_layers, op) != m_layers.end();
}

Result<LutLayer> Calibration::layerFrom(const Graph& graph, const ProductLayer& product,
                                        std::span<const float> rows, const TaskContext& task) const {
    const Op& op = graph.op(product.op());
    const LutSize size = m_made.options.sizeOf(op.name).value_or(LutSize());
    if (std::ssize(rows) / product.padded() < size.centroids)
        return tooFewRows(op, std::ssize(rows) / product.padded(), size.centroids);
    KMeansOptions training;
    training.centroids = size.centroids;
    training.length = size.length;
    training.seed = m_made.options.seed * 0x100000001b3ULL + static_cast<std::uint64_t>(product.op().value);
    training.threads = m_made.options.threads;
    LutLayer layer;
    auto books = trainCodebooks({rows, product.padded()}, training, task);
    if (!books) {
        books.error().where = op.name;
        return tl::unexpected<Error>(books.error());
    }
    layer.books = std::move(*books);
    PIM_TRY(const auto weights, product.weights(graph));
    PIM_TRY(layer.table, makeTable(layer.books, weights, product.features(), training.threads));
    return layer;
}

Result<void> Calibration::fromUnconverted(const TaskContext& task) {
    const std::int64_t count = m_samples.count();
    const std::int64_t step = m_classifier.hasOpenBatch() ? std::min<std::int64_t>(count, kSamplesTogether)
                                                          : m_classifier.fixedBatch();
    const std::int64_t most = KMeansOptions().mostRows;
    std::map<std::int64_t, KeptRows> kept;
    for (std::int64_t first = 0; first < count; first += step) {
        task.report("running the calibration samples", first, count);
        const std::int64_t samples = std::min(step, count - first);
        const auto see = [&](const Graph& graph, const RealStep& at) -> Result<void> {
            if (!isConverted(at.op))
                return {};
            const LutSize size = m_made.options.sizeOf(graph.op(at.op).name).value_or(LutSize());
            PIM_TRY(const auto product, ProductLayer::of(graph, at.op, size.length));
            KeptRows& rows = kept[at.op.value];
            const std::int64_t each = product.rows() / (m_classifier.hasOpenBatch() ? samples : step);
            rows.all = each * count;
            const std::vector<float> found = product.inputRows(at.inputs[product.inputOperand()]);
            rows.add(std::span(found).first(static_cast<std::size_t>(each * samples * product.padded())),
                     product.padded(), most);
            return {};
        };
        PIM_CHECK(m_classifier.run(m_samples, first, samples, see, m_made.options.threads, {task.stop, {}}));
    }
    PIM_TRY(const auto graph, m_classifier.graph(step, task));
    for (const OpId id : m_layers) {
        task.report("training codebooks", &id - m_layers.data(), std::ssize(m_layers));
        const std::string& name = graph->op(id).name;
        PIM_TRY(const auto product,
                ProductLayer::of(*graph, id, m_made.options.sizeOf(name).value_or(LutSize()).length));
        PIM_TRY(auto layer, layerFrom(*graph, product, kept[id.value].values, task));
        PIM_CHECK(finishTable(layer, m_made.options));
        m_made.layers.emplace(name, std::move(layer));
    }
    return {};
}

Result<void> Calibration::layerByLayer(const TaskContext& task) {
    const int threads = m_made.options.threads;
    auto& wanted = m_teacher.layers;
    const auto keep = [&](const Graph&, const RealStep& at) -> Result<void> {
        if (isConverted(at.op))
            wanted[at.op.value] = at.outputs[0];
        return {};
    };
    task.report("running the calibration samples");
    PIM_TRY(const Value logits, m_classifier.run(m_samples, 0, m_samples.count(), keep, threads, task));
    m_teacher.logits.assign(elements<float>(logits).begin(), elements<float>(logits).end());
    const auto convert = [&](const Graph& graph, const RealStep& at) -> Result<void> {
        if (!isConverted(at.op))
            return {};
        const Op& op = graph.op(at.op);
        task.report("fitting layers", std::ssize(m_made.layers), std::ssize(m_layers));
        PIM_TRY(const auto product,
                ProductLayer::of(graph, at.op, m_made.options.sizeOf(op.name).value_or(LutSize()).length));
        const std::vector<float> rows = product.inputRows(at.inputs[product.inputOperand()]);
        PIM_TRY(auto layer, layerFrom(graph, product, rows, task));
        PIM_TRY(const auto indices, closestCentroids({rows, product.padded()}, layer.books, threads));
        PIM_TRY(const auto sums, lookUp(layer.table, indices, {}, threads));
        PIM_TRY(const Value before, product.finished(graph, at.inputs, sums));
        const auto target = elements<float>(wanted[at.op.value]), found = elements<float>(before);
        std::vector<float> missing(found.size());
        const double factor = factorOf(op);
        for (std::size_t i = 0; i < missing.size(); ++i)
            missing[i] = static_cast<float>((double(target[i]) - double(found[i])) / factor);
        RefitOptions fitting;
        fitting.threads = threads;
        PIM_CHECK(refit(layer.table, indices, product.fromOutput(missing), fitting, task));
        PIM_CHECK(finishTable(layer, m_made.options));
        PIM_TRY(const auto final, layer.sums(rows, threads));
        PIM_TRY((*at.results)[0], product.finished(graph, at.inputs, final));
        m_made.layers.emplace(op.name, std::move(layer));
        return {};
    };
    PIM_CHECK(m_classifier.run(m_samples, 0, m_samples.count(), convert, threads, task));
    return {};
}

Result<void> Calibration::train(const TaskContext& task, const StepWatch& watch) {
    return Training(m_classifier, m_samples, m_layers, m_teacher, m_made).run(task, watch);
}

} // namespace pim::lut
