// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/inference.h"

#include "core/numeric/quantized_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pim::lut {
namespace {

/// Extents other than 1.
Shape withoutOnes(const Shape& shape, std::size_t from) {
    Shape kept;
    for (std::size_t i = from; i < shape.size(); ++i)
        if (shape[i] != 1)
            kept.push_back(shape[i]);
    return kept;
}

/// The same elements in the same order: equal up to extents of 1, or flat on one side.
bool fits(const Shape& samples, const Shape& input) {
    const Shape a = withoutOnes(samples, 1), b = withoutOnes(input, 1);
    if (a == b)
        return true;
    const auto elements = [](const Shape& shape) {
        std::int64_t product = 1;
        for (const std::int64_t extent : shape)
            product *= extent;
        return product;
    };
    return (a.size() <= 1 || b.size() <= 1) && elements(a) == elements(b);
}

tl::unexpected<Error> otherShape(const Samples& samples, const Tensor& input) {
    Shape shown = *input.shape;
    if (!shown.empty())
        shown.front() = -1;
    return fail(ErrorCode::Usage,
                fmt::format("samples of shape {} do not fit input \"{}\" of shape {}",
                            shapeText(samples.x.shape), input.name, shapeText(shown)),
                samples.file, "the first dimension counts samples");
}

/// Adds the first \p count rows of an output.
Result<void> addLogits(const Value& out, std::int64_t count, const Samples& samples, Logits& logits) {
    const std::int64_t classes = out.count() / out.shape.front();
    if (withoutOnes(out.shape, 1).size() > 1)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its output has shape {}; logits are [samples, classes]", shapeText(out.shape)));
    const auto found = elements<float>(out).first(static_cast<std::size_t>(count * classes));
    const auto odd = std::ranges::find_if(found, [](float value) { return !std::isfinite(value); });
    if (odd != found.end())
        return fail(ErrorCode::InvalidModel,
                    fmt::format("logit {} of sample {} is {}", (odd - found.begin()) % classes,
                                logits.samples + (odd - found.begin()) / classes, *odd),
                    samples.file);
    logits.classes = classes;
    logits.samples += count;
    logits.values.insert(logits.values.end(), found.begin(), found.end());
    return {};
}

Result<void> checkLabels(const Samples& samples, const Logits& logits) {
    for (std::size_t i = 0; i < samples.labels.size(); ++i)
        if (samples.labels[i] >= logits.classes)
            return fail(ErrorCode::Usage,
                        fmt::format("sample {} has label {}, the network tells {} classes apart", i,
                                    samples.labels[i], logits.classes),
                        samples.file, "labels count from 0");
    return {};
}

} // namespace

Result<Classifier> Classifier::open(const std::filesystem::path& model, const DataSet& set,
                                    const Samples& like, const TaskContext& task, bool fused) {
    Classifier made;
    made.m_set = set;
    if (!fused)
        made.m_options.disabledPasses = {"fuse_attention"};
    PIM_TRY(made.m_model, importModel(model, task));
    PIM_CHECK(made.bind(like, task));
    return made;
}

Result<void> Classifier::bind(const Samples& like, const TaskContext& task) {
    PIM_TRY(const auto first, buildGraph(*m_model, m_options, task));
    m_problems = first->problems;
    if (first->inputs.size() != 1)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the network has {} inputs, samples are for one", first->inputs.size()),
                    first->source.path.string());
    const Tensor& input = first->tensor(first->inputs[0]);
    const std::string where = fmt::format("input \"{}\"", input.name);
    if (!input.shape || input.shape->empty())
        return fail(ErrorCode::Unsupported, "its shape is not known", where);
    if (!m_set.odd.empty()) {
        if (isRealType(input.dtype))
            return fail(ErrorCode::Unsupported, m_set.odd, (m_set.folder / "model.json").string(),
                        "write it as \"float32(x) / 255\"");
        m_problems.push_back({Severity::Note, "model.json", m_set.odd, "whole numbers go in as they are"});
    }
    // Which axis a symbol is: the one that moves with it.
    const Shape& before = *input.shape;
    for (const DimBinding& binding : first->bindings) {
        GraphOptions options = m_options;
        options.bindings[binding.symbol] = binding.value + 1;
        const auto probe = buildGraph(*m_model, options, task);
        if (!probe) // such as two symbols that have to be equal: said where the network is built
            continue;
        const Shape after = (*probe)->tensor((*probe)->inputs[0]).shape.value_or(Shape());
        for (std::size_t axis = 0; axis < std::min(before.size(), after.size()); ++axis) {
            if (after[axis] == before[axis])
                continue;
            if (axis == 0)
                m_batchSymbol = binding.symbol;
            else if (like.x.shape.size() == before.size())
                m_options.bindings[binding.symbol] = like.x.shape[axis];
        }
    }
    m_fixedBatch = before.front();
    PIM_TRY(const auto bound, graph(m_fixedBatch, task));
    const Tensor& final = bound->tensor(bound->inputs[0]);
    if (!final.shape || !fits(like.x.shape, *final.shape))
        return otherShape(like, final.shape ? final : input);
    return {};
}

Result<std::shared_ptr<const Graph>> Classifier::graph(std::int64_t batch, const TaskContext& task) const {
    constexpr std::size_t kMostKept = 8;
    if (const auto known = m_graphs.find(batch); known != m_graphs.end())
        return known->second;
    GraphOptions options = m_options;
    if (hasOpenBatch())
        options.bindings[m_batchSymbol] = batch;
    PIM_TRY(auto made, buildGraph(*m_model, options, task));
    if (m_graphs.size() == kMostKept)
        m_graphs.clear();
    return m_graphs[batch] = made;
}

Result<Value> inputOf(const DataSet& set, const Graph& graph, const Samples& samples, std::int64_t first,
                      std::int64_t count) {
    if (graph.inputs.size() != 1)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the network has {} inputs, samples are for one", graph.inputs.size()),
                    graph.source.path.string());
    const Tensor& input = graph.tensor(graph.inputs[0]);
    const Shape& shape = *input.shape;
    if (!fits(samples.x.shape, shape))
        return otherShape(samples, input);
    const std::int64_t each = samples.x.count() / samples.count(), width = bytesOf(samples.x.dtype);
    const std::vector<double> stored =
        realsOf(std::span(*samples.x.bytes)
                    .subspan(std::size_t(first * each * width), std::size_t(count * each * width)),
                samples.x.dtype);
    const bool real = isRealType(input.dtype);
    std::vector<double> values(std::size_t(shape.front() * each));
    for (std::size_t i = 0; i < values.size(); ++i) // a fixed batch is filled up with its last sample
        values[i] = set.preprocess(
            stored[i < stored.size() ? i : stored.size() - std::size_t(each) + i % std::size_t(each)], real);
    if (real)
        return Value{DataType::F32, shape,
                     std::make_shared<const std::vector<std::byte>>(bytesFromReals(values, DataType::F32))};
    return Value{input.dtype, shape,
                 std::make_shared<const std::vector<std::byte>>(
                     bytesFromInts(std::vector<std::int64_t>(values.begin(), values.end()), input.dtype))};
}

Result<Value> Classifier::run(const Samples& samples, std::int64_t first, std::int64_t count,
                              const Observer& observer, int threads, const TaskContext& task) const {
    PIM_TRY(const auto network, graph(count, task));
    PIM_TRY(const Value input, inputOf(m_set, *network, samples, first, count));
    RealObserver watching;
    if (observer)
        watching = [&](const RealStep& step) { return observer(*network, step); };
    PIM_TRY(auto outputs, runReal(*network, std::span(&input, 1), watching, threads, task));
    if (outputs.empty() || outputs[0].shape.empty() || outputs[0].shape.front() != input.shape.front() ||
        outputs[0].dtype != DataType::F32)
        return fail(ErrorCode::Unsupported,
                    fmt::format("its output has shape {}; logits are [samples, classes]",
                                outputs.empty() ? "[]" : shapeText(outputs[0].shape)),
                    network->source.path.string());
    return std::move(outputs[0]);
}

std::int64_t Logits::answer(std::int64_t sample) const {
    const auto row = values.begin() + sample * classes;
    return std::max_element(row, row + classes) - row;
}

double Logits::accuracy(const std::vector<std::int64_t>& labels) const {
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < samples; ++i)
        right += answer(i) == labels[std::size_t(i)] ? 1 : 0;
    return samples > 0 ? double(right) / double(samples) : 0;
}

Result<Logits> logitsOf(const Classifier& classifier, const Samples& samples,
                        const Classifier::Observer& observer, int threads, const TaskContext& task) {
    const std::int64_t step = classifier.hasOpenBatch() ? kSamplesTogether : classifier.fixedBatch();
    Logits logits;
    for (std::int64_t first = 0; first < samples.count(); first += step) {
        task.report("running the samples", first, samples.count());
        const std::int64_t count = std::min(step, samples.count() - first);
        // which op of one piece it is at says less than which piece
        PIM_TRY(const Value out, classifier.run(samples, first, count, observer, threads, {task.stop, {}}));
        PIM_CHECK(addLogits(out, count, samples, logits));
    }
    PIM_CHECK(checkLabels(samples, logits));
    return logits;
}

Result<std::vector<std::vector<Value>>> inputsOf(const Graph& graph, const DataSet& set,
                                                 const Samples& samples, std::int64_t most) {
    std::vector<std::vector<Value>> inputs;
    const Tensor& input = graph.tensor(graph.inputs.at(0));
    const std::int64_t batch =
        input.shape && !input.shape->empty() ? std::max<std::int64_t>(1, input.shape->front()) : 1;
    most = std::min(most, samples.count());
    for (std::int64_t first = 0; first < most; first += batch) {
        PIM_TRY(Value value, inputOf(set, graph, samples, first, std::min(batch, most - first)));
        inputs.push_back({std::move(value)});
    }
    return inputs;
}

Result<Logits> logitsOf(const NetworkRun& run, const Graph& graph, const DataSet& set, const Samples& samples,
                        const TaskContext& task) {
    PIM_TRY(const auto inputs, inputsOf(graph, set, samples, samples.count()));
    Logits logits;
    for (const std::vector<Value>& input : inputs) {
        task.report("running the samples on the machine", logits.samples, samples.count());
        PIM_TRY(const auto outputs, run(input, {task.stop, {}}));
        if (outputs.empty() || outputs[0].shape.empty() || outputs[0].dtype != DataType::F32 ||
            outputs[0].shape.front() != input.front().shape.front())
            return fail(ErrorCode::Unsupported,
                        fmt::format("its output has shape {}; logits are [samples, classes]",
                                    outputs.empty() ? "[]" : shapeText(outputs[0].shape)),
                        graph.source.path.string());
        PIM_CHECK(addLogits(outputs[0], std::min(outputs[0].shape.front(), samples.count() - logits.samples),
                            samples, logits));
    }
    PIM_CHECK(checkLabels(samples, logits));
    return logits;
}

Result<Logits> quantizedLogitsOf(const Classifier& classifier, const Samples& samples,
                                 const Samples& calibration, int threads, const TaskContext& task) {
    constexpr std::int64_t kMostSamples = 512;
    const std::int64_t batch =
        classifier.hasOpenBatch() ? std::min(kMostSamples, calibration.count()) : classifier.fixedBatch();
    PIM_TRY(const auto graph, classifier.graph(batch, task));
    QuantizeOptions options;
    options.threads = threads;
    PIM_TRY(const Value seen,
            inputOf(classifier.dataSet(), *graph, calibration, 0, std::min(batch, calibration.count())));
    options.calibration = {{seen}};
    PIM_TRY(const QuantizedModel model, quantize(graph, options, task));
    QuantizedRunOptions running;
    running.keepSums = false;
    running.threads = threads;
    const TensorId output = graph->outputs[0];
    Logits logits;
    for (std::int64_t first = 0; first < samples.count(); first += batch) {
        task.report("running the samples in 8 bit", first, samples.count());
        const std::int64_t count = std::min(batch, samples.count() - first);
        PIM_TRY(const Value input, inputOf(classifier.dataSet(), *graph, samples, first, count));
        PIM_TRY(const QuantizedRun run, runQuantized(model, std::span(&input, 1), running, task));
        const Value& held = run.values[output.index()];
        const auto exponent = model.exponents[output.index()];
        PIM_CHECK(addLogits(exponent ? toReal(held, *exponent) : held, count, samples, logits));
    }
    PIM_CHECK(checkLabels(samples, logits));
    return logits;
}

} // namespace pim::lut
