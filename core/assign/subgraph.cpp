// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/subgraph.h"

#include "core/base/hash.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Copies ops one by one, giving ids as they come.
class Cut {
public:
    Cut(const Graph& whole, std::vector<OpId> ops)
        : m_whole(whole), m_opOf(whole.ops.size()), m_tensorOf(whole.tensors.size()) {
        m_cut.ops = std::move(ops);
    }

    Subgraph make() {
        takeTensors();
        for (const OpId id : m_cut.ops)
            takeOp(m_whole.op(id));
        for (std::size_t i = 0; i < m_graph->tensors.size(); ++i)
            connect(TensorId(static_cast<std::int64_t>(i)));
        takeFacts();
        m_cut.graph = std::move(m_graph);
        return std::move(m_cut);
    }

private:
    /// In the order of the whole, so that equal cuts are equal graphs.
    void takeTensors() {
        std::vector<bool> used(m_whole.tensors.size());
        for (std::size_t i = 0; i < m_cut.ops.size(); ++i) {
            m_opOf[m_cut.ops[i].index()] = OpId(static_cast<std::int64_t>(i));
            const Op& op = m_whole.op(m_cut.ops[i]);
            for (const auto* ids : {&op.inputs, &op.outputs})
                for (const TensorId id : *ids)
                    if (id.valid())
                        used[id.index()] = true;
        }
        for (std::size_t i = 0; i < used.size(); ++i)
            if (used[i]) {
                m_tensorOf[i] = TensorId(static_cast<std::int64_t>(m_cut.tensors.size()));
                m_cut.tensors.emplace_back(static_cast<std::int64_t>(i));
                m_graph->tensors.push_back(m_whole.tensors[i]);
            }
    }
    void takeOp(const Op& op) {
        Op& taken = m_graph->ops.emplace_back(op);
        for (auto* ids : {&taken.inputs, &taken.outputs})
            for (TensorId& id : *ids)
                id = id.valid() ? m_tensorOf[id.index()] : id;
    }
    void connect(TensorId id) {
        Tensor& tensor = m_graph->tensors[id.index()];
        const bool madeElsewhere = tensor.producer.valid() && !m_opOf[tensor.producer.index()].valid();
        const auto isElsewhere = [&](OpId op) { return !m_opOf[op.index()].valid(); };
        tensor.isInput = tensor.isInput || madeElsewhere;
        const std::size_t readers = tensor.consumers.size();
        std::erase_if(tensor.consumers, isElsewhere);
        const bool madeHere = tensor.producer.valid() && !madeElsewhere;
        tensor.isOutput = madeHere && (tensor.isOutput || tensor.consumers.size() < readers);
        tensor.producer = madeHere ? m_opOf[tensor.producer.index()] : OpId();
        for (OpId& op : tensor.consumers)
            op = m_opOf[op.index()];
        if (tensor.isInput)
            m_graph->inputs.push_back(id);
        if (tensor.isOutput)
            m_graph->outputs.push_back(id);
    }
    void takeFacts() {
        m_graph->name = m_whole.name;
        m_graph->bindings = m_whole.bindings;
        m_graph->passes = m_whole.passes;
        m_graph->source = m_whole.source;
        Sha256 hash;
        hash.add(m_whole.source.structureHash);
        for (const Op& op : m_graph->ops)
            hash.add(op.name + '\n');
        m_graph->source.structureHash = hash.hex();
        for (const Diagnostic& problem : m_whole.problems)
            if (m_graph->findOp(problem.object).valid())
                m_graph->problems.push_back(problem);
    }

    const Graph& m_whole;
    std::vector<OpId> m_opOf;         ///< By op of the whole; invalid: elsewhere.
    std::vector<TensorId> m_tensorOf; ///< Likewise.
    std::shared_ptr<Graph> m_graph = std::make_shared<Graph>();
    Subgraph m_cut;
};

} // namespace

Result<Subgraph> subgraphOf(const Graph& graph, std::span<const OpId> ops) {
    if (ops.empty())
        return fail(ErrorCode::Usage, "a part of a network has at least one op", graph.name);
    std::vector<OpId> sorted(ops.begin(), ops.end());
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (!sorted.front().valid() || sorted.back().index() >= graph.ops.size())
        return fail(ErrorCode::Usage,
                    fmt::format("a part of the network names op {}, which it does not have; it has {}",
                                sorted.front().valid() ? sorted.back().value : sorted.front().value,
                                graph.ops.size()),
                    graph.name);
    return Cut(graph, std::move(sorted)).make();
}

} // namespace pim
