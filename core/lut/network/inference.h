// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A classifier on many samples at once: open dimensions of its input are bound to what the samples have, its batch to as many as
/// are run together.
/// Flow: model file + Samples -> Classifier -> logits.
#include "core/graph/import.h"
#include "core/lut/network/data_set.h"
#include "core/numeric/real_run.h"

#include <functional>
#include <map>

namespace pim::lut {

/// Samples run together when nothing needs all of them: enough to fill matrix products, few enough for the caches.
constexpr std::int64_t kSamplesTogether = 64;

/// Input for samples [first, first + count) of a graph for as many or more, which are filled up with the last sample. Error::Usage for
/// samples of another shape.
Result<Value> inputOf(const DataSet& set, const Graph& graph, const Samples& samples, std::int64_t first,
                      std::int64_t count);

/// One thread at a time.
class Classifier {
public:
    /// Errors: those of importModel() and buildGraph(); Usage for samples of another shape than the input; Unsupported for networks
    /// with several inputs, open dimensions that no sample says, or preprocessing that is not understood.
    /// \param fused attention is one op, as machines get it; else masks that select are computed, and gradients known, op by op.
    static Result<Classifier> open(const std::filesystem::path& model, const DataSet& set,
                                   const Samples& like, const TaskContext& task = {}, bool fused = false);

    /// Any number of samples can run together; else always fixedBatch().
    bool hasOpenBatch() const { return !m_batchSymbol.empty(); }
    std::int64_t fixedBatch() const { return m_fixedBatch; }
    const Diagnostics& problems() const { return m_problems; }
    const DataSet& dataSet() const { return m_set; }
    /// The network for \p batch samples.
    Result<std::shared_ptr<const Graph>> graph(std::int64_t batch, const TaskContext& task = {}) const;

    /// Sees the steps of a run over samples [first, first + count).
    using Observer = std::function<Result<void>(const Graph& graph, const RealStep& step)>;
    /// First output of the network for samples [first, first + count), run together. Shape [count, ...].
    Result<Value> run(const Samples& samples, std::int64_t first, std::int64_t count,
                      const Observer& observer = {}, int threads = 0, const TaskContext& task = {}) const;

    /// Values of the open dimensions that samples say, without the batch.
    const std::map<std::string, std::int64_t>& bindings() const { return m_options.bindings; }

private:
    Result<void> bind(const Samples& like, const TaskContext& task);

    std::shared_ptr<const ImportedModel> m_model;
    /// Of the batches asked for last: a run, a tape and their layers need the same one again and again.
    mutable std::map<std::int64_t, std::shared_ptr<const Graph>> m_graphs;
    DataSet m_set;
    GraphOptions m_options;
    std::string m_batchSymbol; ///< Empty: fixed.
    std::int64_t m_fixedBatch = 1;
    Diagnostics m_problems;
};

struct Logits {
    std::int64_t samples = 0, classes = 0;
    std::vector<float> values; ///< [samples][classes]

    /// Class of the largest logit, the first of equal ones.
    std::int64_t answer(std::int64_t sample) const;
    /// Share of samples whose answer is their label.
    double accuracy(const std::vector<std::int64_t>& labels) const;
};

/// Of all samples, in pieces that need little memory. Errors: those of run(); Unsupported where the output is not [samples, classes];
/// InvalidModel for logits that are not finite; Usage for labels beyond the classes.
Result<Logits> logitsOf(const Classifier& classifier, const Samples& samples,
                        const Classifier::Observer& observer = {}, int threads = 0,
                        const TaskContext& task = {});

/// What computes a network: outputs in the order of the graph, fractions as F32.
using NetworkRun =
    std::function<Result<std::vector<Value>>(std::span<const Value> inputs, const TaskContext& task)>;
/// First output of \p graph as \p run computes it, for as many samples at a time as its batch has. Errors: those of logitsOf() and of
/// \p run; Unsupported for a network with several inputs.
Result<Logits> logitsOf(const NetworkRun& run, const Graph& graph, const DataSet& set, const Samples& samples,
                        const TaskContext& task = {});
/// Inputs of \p graph from the first samples, up to \p most of them.
Result<std::vector<std::vector<Value>>> inputsOf(const Graph& graph, const DataSet& set,
                                                 const Samples& samples, std::int64_t most);

/// The same in 8 bit with exact sums, as dual-mode chips and DPUs compute the network (core/numeric/quantized_model.h); ranges are those of
/// up to 512 calibration samples. Errors: those of logitsOf() and quantize().
Result<Logits> quantizedLogitsOf(const Classifier& classifier, const Samples& samples,
                                 const Samples& calibration, int threads = 0, const TaskContext& task = {});

} // namespace pim::lut
