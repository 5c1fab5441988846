// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/lut.h"

#include "app/python/kernel.h"
#include "app/python/model.h"
#include "app/python/task.h"
#include "core/graph/zoo/samples.h"
#include "core/lut/network/evaluation.h"

#include <fmt/format.h>

namespace pim::python {
namespace {

namespace py = pybind11;

/// A layer as Python has it.
struct GivenLayer {
    std::string op;
    Floats centroids; ///< [codebooks][centroids][length]
    Floats weights;   ///< [codebooks * length][features]
};

/// An array of float32 with so many dimensions.
Floats floatsOf(const py::array& array, py::ssize_t dimensions, const std::string& who) {
    if (!array.dtype().equal(py::dtype::of<float>()) || array.ndim() != dimensions)
        raise({ErrorCode::Usage,
               fmt::format("an array of {} in {} dimensions is given, float32 in {} are expected",
                           std::string(py::str(array.dtype())), array.ndim(), dimensions),
               who, "convert it with .astype(numpy.float32)"});
    return Floats::ensure(array);
}

std::span<const float> numbersOf(const Floats& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

Floats codebooksOf(const py::array& rows, std::int64_t length, std::int64_t centroids, std::uint64_t seed,
                   const py::object& progress) {
    const Floats given = floatsOf(rows, 2, "rows");
    lut::KMeansOptions options;
    options.length = length;
    options.centroids = centroids;
    options.seed = seed;
    const lut::Codebooks books = run(progress, [&](const TaskContext& task) {
        return lut::trainCodebooks({numbersOf(given), given.shape(1)}, options, task);
    });
    Floats made(std::vector<py::ssize_t>{books.codebooks, books.centroids, books.length});
    std::ranges::copy(books.values, made.mutable_data());
    return made;
}

std::optional<lut::TableScale> scaleOf(const std::string& text) {
    if (text.empty())
        return std::nullopt;
    lut::ConversionOptions options;
    valueOf(lut::conversionTable().set(options, "int8", text));
    return options.int8;
}

/// Layers as `pimc accuracy --out` writes them.
void saveTables(const std::string& folder,
                const std::vector<std::tuple<std::string, py::array, py::array>>& layers,
                const std::string& int8, const py::object& progress) {
    const std::optional<lut::TableScale> scale = scaleOf(int8);
    std::vector<GivenLayer> given;
    for (const auto& [op, centroids, weights] : layers)
        given.push_back({op, floatsOf(centroids, 3, op), floatsOf(weights, 2, op)});
    run(progress, [&](const TaskContext&) -> Result<void> {
        lut::Conversion made;
        for (const auto& [op, centroids, weights] : given) {
            const auto numbers = numbersOf(centroids);
            lut::LutLayer layer{{centroids.shape(0),
                                 centroids.shape(1),
                                 centroids.shape(2),
                                 {numbers.begin(), numbers.end()}},
                                {},
                                {}};
            PIM_TRY(layer.table, lut::makeTable(layer.books, numbersOf(weights), weights.shape(1)));
            if (scale) {
                PIM_TRY(layer.quantized, lut::quantize(layer.table, *scale));
            }
            made.layers.emplace(op, std::move(layer));
        }
        return made.save(folder);
    });
}

py::dict rowOf(const std::string& op, const lut::LutLayer& layer, const lut::LayerUse& use) {
    py::dict row;
    row["op"] = op;
    row["codebooks"] = layer.books.codebooks;
    row["centroids"] = layer.books.centroids;
    row["length"] = layer.books.length;
    row["features"] = layer.table.features;
    row["relative_error"] = use.relativeError();
    row["unused_centroids"] = use.unused();
    return row;
}

/// As `pimc accuracy --lut` does it. \param rules of layers with sizes of their own. \param out folder for tables; empty: none.
py::dict convertNetwork(const std::string& model, const std::string& data, const std::string& how,
                        const std::vector<std::string>& rules, const std::string& out,
                        const std::string& checkpoint, std::int64_t samples, const py::object& progress) {
    const lut::Evaluation found = run(progress, [&](const TaskContext& task) -> Result<lut::Evaluation> {
        lut::EvaluationOptions options;
        PIM_TRY(options.conversion, lut::parseConversion(how));
        for (const std::string& rule : rules)
            PIM_CHECK(lut::addLayerRule(options.conversion, rule));
        options.conversion.checkpoint = checkpoint;
        PIM_TRY(const ModelArgument argument, findModel(model));
        PIM_TRY(const lut::DataSet set, lut::openDataSet(data));
        PIM_TRY(lut::Samples test, lut::readSamples(set, "test"));
        if (samples > 0)
            test = test.first(samples);
        PIM_TRY(const auto classifier, lut::Classifier::open(argument.path, set, test, task));
        PIM_TRY(lut::Evaluation all, lut::evaluate(classifier, set, test, options, task));
        if (!out.empty())
            PIM_CHECK(all.conversion.save(out));
        return all;
    });
    py::dict told;
    told["samples"] = found.samples;
    told["accuracy_dense"] = found.dense;
    told["accuracy"] = found.converted;
    told["mean_abs_logit_error"] = found.meanLogitError;
    told["notes"] = found.conversion.notes;
    py::list layers, curve;
    for (const auto& [op, layer] : found.conversion.layers)
        layers.append(rowOf(op, layer, found.uses.at(op)));
    for (const lut::CalibrationStep& step : found.conversion.curve) {
        py::dict row;
        row["step"] = step.step;
        row["loss"] = step.loss;
        row["agreement"] = step.agreement;
        curve.append(std::move(row));
    }
    told["layers"] = std::move(layers);
    told["curve"] = std::move(curve);
    return told;
}

} // namespace

void bindLut(py::module_& module) {
    module.def("lut_codebooks", &codebooksOf);
    module.def("lut_save", &saveTables);
    module.def("lut_convert", &convertNetwork);
}

} // namespace pim::python
