// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every pass edits a graph with: questions about the neighbourhood of an op, removal and replacement.
/// Ids stay valid until commit().
#include "core/graph/graph.h"

#include <initializer_list>
#include <map>

namespace pim {

/// Sets Tensor::producer and ::consumers from the ops, and drops tensors nothing refers to.
void relink(Graph& graph);

class Rewriter {
public:
    explicit Rewriter(Graph& graph) : m_graph(graph), m_removed(graph.ops.size(), false) {}

    Graph& graph() { return m_graph; }
    std::size_t size() const { return m_removed.size(); }
    bool isAlive(OpId id) const { return !m_removed[id.index()]; }

    const Tensor& tensor(TensorId id) const { return m_graph.tensors[id.index()]; }
    /// Op that makes the tensor, if it is of this ONNX type and alive; else null.
    const Op* producer(TensorId id, std::string_view type) const;
    OpId producerId(TensorId id) const;
    /// The one op that uses the tensor; invalid if there are none or several or it is a graph output.
    OpId onlyUser(TensorId id) const;
    const Op* onlyUser(TensorId id, std::string_view type) const;
    /// Is every use of the tensor in one of these ops, and is it no graph output?
    bool usedOnlyBy(TensorId id, std::initializer_list<const Op*> ops) const;
    std::optional<double> scalar(TensorId id) const; ///< Value of a constant with one element.
    bool isScalar(TensorId id, double value) const;  ///< Within the rounding of a half.
    const Shape* shape(TensorId id) const;           ///< Null if not static.
    OpId idOf(const Op* op) const { return OpId(op - m_graph.ops.data()); }

    void replaceUses(TensorId from, TensorId to);
    void remove(OpId id) { m_removed[id.index()] = true; }
    /// \p by stand where \p id did, in this order, once all is committed.
    void replace(OpId id, std::vector<Op> by);
    TensorId addTensor(Tensor tensor);
    /// Puts \p fused where the last of \p parts stands; their sources become its sources. Its outputs are
    /// those the last part had unless set.
    void fuse(Op fused, const std::vector<const Op*>& parts);
    void commit(); ///< Removes the ops removed, brings what replaces others; ids change.

private:
    Graph& m_graph;
    std::vector<bool> m_removed;
    std::map<OpId, std::vector<Op>> m_replaced; ///< These are removed as well.
};

/// The operand of a two-input op that is not \p one; invalid if neither or both are.
TensorId otherInput(const Op& op, TensorId one);

} // namespace pim
