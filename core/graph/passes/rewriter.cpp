// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/rewriter.h"

#include "core/graph/semantics/op_facts.h"
#include "core/graph/semantics/values.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace pim {

void relink(Graph& graph) {
    std::vector<bool> used(graph.tensors.size(), false);
    const auto mark = [&](const std::vector<TensorId>& ids) {
        for (const TensorId id : ids)
            if (id.valid())
                used[id.index()] = true;
    };
    mark(graph.inputs);
    mark(graph.outputs);
    for (const Op& op : graph.ops) {
        mark(op.inputs);
        mark(op.outputs);
    }
    std::vector<TensorId> renamed(graph.tensors.size());
    std::vector<Tensor> kept;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (used[i]) {
            renamed[i] = TensorId(static_cast<std::int64_t>(kept.size()));
            kept.push_back(std::move(graph.tensors[i]));
            kept.back().consumers.clear();
            kept.back().producer = OpId();
        }
    graph.tensors = std::move(kept);
    const auto rename = [&](std::vector<TensorId>& ids) {
        for (TensorId& id : ids)
            if (id.valid())
                id = renamed[id.index()];
    };
    rename(graph.inputs);
    rename(graph.outputs);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const auto op = OpId(static_cast<std::int64_t>(i));
        rename(graph.ops[i].inputs);
        rename(graph.ops[i].outputs);
        for (const TensorId id : graph.ops[i].inputs)
            if (id.valid()) {
                auto& consumers = graph.tensors[id.index()].consumers;
                if (consumers.empty() || consumers.back() != op)
                    consumers.push_back(op);
            }
        for (const TensorId id : graph.ops[i].outputs)
            if (id.valid())
                graph.tensors[id.index()].producer = op;
    }
}

OpId Rewriter::producerId(TensorId id) const {
    const OpId op = id.valid() ? tensor(id).producer : OpId();
    return op.valid() && isAlive(op) ? op : OpId();
}

const Op* Rewriter::producer(TensorId id, std::string_view type) const {
    const OpId op = producerId(id);
    if (!op.valid())
        return nullptr;
    const Op& found = m_graph.op(op);
    return found.type == type && found.domain.empty() ? &found : nullptr;
}

OpId Rewriter::onlyUser(TensorId id) const {
    if (!id.valid() || tensor(id).isOutput)
        return OpId();
    OpId found;
    for (const OpId user : tensor(id).consumers) {
        if (!isAlive(user) || user == found)
            continue;
        if (found.valid())
            return OpId();
        found = user;
    }
    return found;
}

const Op* Rewriter::onlyUser(TensorId id, std::string_view type) const {
    const OpId op = onlyUser(id);
    return op.valid() && m_graph.op(op).type == type && m_graph.op(op).domain.empty() ? &m_graph.op(op)
                                                                                      : nullptr;
}

bool Rewriter::usedOnlyBy(TensorId id, std::initializer_list<const Op*> ops) const {
    const Tensor& t = tensor(id);
    return !t.isOutput && std::all_of(t.consumers.begin(), t.consumers.end(), [&](OpId user) {
        return !isAlive(user) || std::find(ops.begin(), ops.end(), &m_graph.op(user)) != ops.end();
    });
}

std::optional<double> Rewriter::scalar(TensorId id) const {
    if (!id.valid() || !tensor(id).constant || !tensor(id).shape ||
        elementCount(*tensor(id).shape).value_or(0) != 1)
        return std::nullopt;
    const auto values = realsOf(*tensor(id).constant, tensor(id).dtype);
    return values.size() == 1 ? std::optional(values[0]) : std::nullopt;
}

bool Rewriter::isScalar(TensorId id, double value) const {
    const auto found = scalar(id);
    return found && std::fabs(*found - value) <= 1e-3 * std::fabs(value);
}

const Shape* Rewriter::shape(TensorId id) const {
    return id.valid() && tensor(id).shape && isStatic(*tensor(id).shape) ? &*tensor(id).shape : nullptr;
}

void Rewriter::replaceUses(TensorId from, TensorId to) {
    auto consumers = std::move(m_graph.tensors[from.index()].consumers);
    m_graph.tensors[from.index()].consumers.clear();
    for (const OpId user : consumers) {
        auto& inputs = m_graph.ops[user.index()].inputs;
        std::replace(inputs.begin(), inputs.end(), from, to);
        m_graph.tensors[to.index()].consumers.push_back(user);
    }
}

TensorId Rewriter::addTensor(Tensor tensor) {
    m_graph.tensors.push_back(std::move(tensor));
    return TensorId(static_cast<std::int64_t>(m_graph.tensors.size()) - 1);
}

void Rewriter::fuse(Op fused, const std::vector<const Op*>& parts) {
    // ops lie in one array, in topological order
    const Op* last = *std::max_element(parts.begin(), parts.end());
    const OpId place = idOf(last);
    if (fused.outputs.empty())
        fused.outputs = last->outputs;
    fused.name = last->name;
    std::vector<const Op*> ordered = parts;
    std::sort(ordered.begin(), ordered.end());
    fused.sources.clear();
    for (const Op* part : ordered) {
        fused.sources.insert(fused.sources.end(), part->sources.begin(), part->sources.end());
        remove(idOf(part));
    }
    m_removed[place.index()] = false;
    const OpFact* fact = findOpFact(fused.domain, fused.type);
    fused.opClass = fact ? fact->opClass : OpClass::Other;
    for (const TensorId input : fused.inputs)
        if (input.valid())
            m_graph.tensors[input.index()].consumers.push_back(place);
    for (const TensorId output : fused.outputs)
        if (output.valid())
            m_graph.tensors[output.index()].producer = place;
    m_graph.ops[place.index()] = std::move(fused);
}

void Rewriter::replace(OpId id, std::vector<Op> by) {
    remove(id);
    m_replaced[id] = std::move(by);
}

void Rewriter::commit() {
    std::vector<Op> kept;
    kept.reserve(m_graph.ops.size());
    auto next = m_replaced.begin();
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
        if (next != m_replaced.end() && next->first.index() == i)
            std::ranges::move((next++)->second, std::back_inserter(kept));
        else if (!m_removed[i])
            kept.push_back(std::move(m_graph.ops[i]));
    }
    m_graph.ops = std::move(kept);
    m_removed.assign(m_graph.ops.size(), false);
    m_replaced.clear();
    relink(m_graph);
}

TensorId otherInput(const Op& op, TensorId one) {
    if (op.inputs.size() != 2 || op.inputs[0] == op.inputs[1])
        return TensorId();
    return op.inputs[0] == one ? op.inputs[1] : op.inputs[1] == one ? op.inputs[0] : TensorId();
}

} // namespace pim
