// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who makes and who uses the values that flow between ops, seen through ops that move nothing.
#include "core/graph/graph.h"

namespace pim {

/// A value: one tensor and its views (Reshape and the like), which share the bytes.
struct FlowValue {
    TensorId tensor;             ///< The one with bytes of its own.
    OpId producer;               ///< Invalid for graph inputs and constants.
    std::vector<OpId> consumers; ///< Ops that are no views, in op order, each once.
    bool isGraphOutput = false;
};

class Dataflow {
public:
    explicit Dataflow(const Graph& graph);

    /// The op hands on its first input unchanged: Reshape, Squeeze, …, and a Transpose that moves only axes of one.
    bool isView(OpId op) const { return m_isView[op.index()]; }
    const FlowValue& value(TensorId tensor) const { return m_values[m_valueOf[tensor.index()]]; }
    const std::vector<FlowValue>& values() const { return m_values; }

private:
    std::vector<bool> m_isView;
    std::vector<std::size_t> m_valueOf;
    std::vector<FlowValue> m_values;
};

/// Bytes of a tensor with all floating-point elements taken in \p type; 0 where the shape is unknown.
std::int64_t bytesAs(const Tensor& tensor, DataType type);
/// Arithmetic intensity of \p op in [FLOP/B], its fractions in \p type; 0: no byte is known.
double intensityAs(const Graph& graph, const Op& op, DataType type);
/// A Concat that adds the tokens of this run to a key or value cache of the network: an input of the graph in, an output of
/// the graph out. Whoever keeps the cache appends in place, so only the new part moves.
bool appendsToCache(const Graph& graph, OpId op);
/// The part of a cache tensor (K or V) that this run adds: what is no graph input, seen through movement ops.
std::int64_t appendedBytes(const Graph& graph, TensorId cache, DataType type);

} // namespace pim
