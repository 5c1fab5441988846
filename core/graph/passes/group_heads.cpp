// SPDX-License-Identifier: GPL-3.0-or-later
// Heads that share keys and values (grouped-query attention, Ainslie et al. 2023, arXiv:2305.13245 §2.2). Exporters repeat both for every
// head, and a cache would be copied as often in each step; here the queries of all heads of a group become queries of one head:
// q [B, G * s, S, D] -> [B, G, s * S, D] with k, v [B, G, T, D], which is the same numbers in the same order.
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"
#include "core/graph/semantics/op_facts.h"
#include "core/graph/semantics/values.h"

#include <array>
#include <initializer_list>
#include <map>

namespace pim {
namespace {

/// [B, G * shared, ..] that comes of \ref from [B, G, ..] by Unsqueeze, Expand or Tile, and Reshape.
struct Repeat {
    TensorId from;
    std::int64_t shared = 1;
    std::array<const Op*, 3> ops{}; ///< The last first.
};

const Op* producerAmong(const Rewriter& rewriter, TensorId id,
                        std::initializer_list<std::string_view> types) {
    for (const std::string_view type : types)
        if (const Op* op = rewriter.producer(id, type))
            return op;
    return nullptr;
}

std::optional<Repeat> repeatOf(const Rewriter& rewriter, TensorId at) {
    const Op* const joined = rewriter.producer(at, "Reshape");
    const Op* const repeated =
        joined ? producerAmong(rewriter, joined->inputs[0], {"Expand", "Tile"}) : nullptr;
    const Op* const apart =
        repeated ? producerAmong(rewriter, repeated->inputs[0], {"Unsqueeze", "Reshape"}) : nullptr;
    const Shape* const from = apart ? rewriter.shape(apart->inputs[0]) : nullptr;
    const Shape* const many = from ? rewriter.shape(repeated->outputs[0]) : nullptr;
    if (!many || from->size() != 4 || many->size() != 5 || !rewriter.shape(at) ||
        !rewriter.shape(apart->outputs[0]))
        return std::nullopt;
    const std::int64_t batch = (*from)[0], groups = (*from)[1], rows = (*from)[2], columns = (*from)[3],
                       shared = (*many)[2];
    if (shared < 2 || *rewriter.shape(apart->outputs[0]) != Shape{batch, groups, 1, rows, columns} ||
        *many != Shape{batch, groups, shared, rows, columns} ||
        *rewriter.shape(at) != Shape{batch, groups * shared, rows, columns})
        return std::nullopt;
    return Repeat{apart->inputs[0], shared, {joined, repeated, apart}};
}

/// Is \p mask the same for all heads, with a row for each of \p queries or one for all?
bool isSharedMask(const Rewriter& rewriter, TensorId mask, std::int64_t queries) {
    const Shape* const shape = rewriter.shape(mask);
    if (!shape)
        return false;
    const auto fromEnd = [&](std::size_t i) { return i <= shape->size() ? (*shape)[shape->size() - i] : 1; };
    return fromEnd(3) == 1 && (fromEnd(2) == 1 || fromEnd(2) == queries);
}

class HeadGrouping {
public:
    explicit HeadGrouping(Graph& graph) : m_rewriter(graph) {}

    int run() {
        std::vector<Repeat> repeats;
        int changes = 0;
        for (std::size_t i = 0; i < m_rewriter.size(); ++i) {
            const Op& op = m_rewriter.graph().ops[i];
            if (op.type != "Attention" || op.domain != "pim")
                continue;
            const auto key = repeatOf(m_rewriter, op.inputs[1]), value = repeatOf(m_rewriter, op.inputs[2]);
            const Shape* const heads = m_rewriter.shape(op.outputs[0]);
            if (!key || !value || key->shared != value->shared || !heads || heads->size() != 4 ||
                (op.inputs.size() > 3 && !isSharedMask(m_rewriter, op.inputs[3], (*heads)[2])))
                continue;
            group(OpId(static_cast<std::int64_t>(i)), *key, *value);
            repeats.push_back(*key);
            repeats.push_back(*value);
            ++changes;
        }
        for (const Repeat& repeat : repeats)
            for (const Op* op : repeat.ops)
                if (m_rewriter.usedOnlyBy(op->outputs[0], {}))
                    m_rewriter.remove(m_rewriter.idOf(op));
        m_rewriter.commit();
        return changes;
    }

private:
    void group(OpId id, const Repeat& key, const Repeat& value) {
        Op attention = m_rewriter.graph().op(id);
        const Shape heads = *m_rewriter.shape(attention.outputs[0]); // [B, G * s, S, Dv]
        const std::int64_t groups = heads[1] / key.shared, rows = heads[2] * key.shared;
        const TensorId result = attention.outputs[0];
        std::vector<Op> ops;
        const Shape queries{heads[0], groups, rows, attention.intAttribute("head_dim", 0)};
        ops.push_back(reshaped(attention, "/queries", attention.inputs[0], queries));
        attention.inputs[0] = ops.back().outputs[0];
        attention.inputs[1] = key.from;
        attention.inputs[2] = value.from;
        if (attention.inputs.size() > 3)
            attention.inputs[3] = maskOfGroup(attention, heads[2], key.shared, ops);
        attention.attributes["heads"] = groups;
        attention.attributes["q_len"] = rows;
        attention.outputs[0] =
            added(attention.name + "/groups", typeOf(result), {heads[0], groups, rows, heads[3]});
        Op apart = reshaped(attention, "/heads", attention.outputs[0], heads);
        apart.outputs[0] = result;
        ops.push_back(std::move(attention));
        ops.push_back(std::move(apart));
        m_rewriter.replace(id, std::move(ops));
    }

    /// One row of it for each query of a group, which are the same for each of its \p shared heads.
    TensorId maskOfGroup(const Op& attention, std::int64_t queries, std::int64_t shared,
                         std::vector<Op>& ops) {
        const TensorId mask = attention.inputs[3];
        Shape shape = *m_rewriter.shape(mask);
        if (queries == 1 || shape.size() < 2 || shape[shape.size() - 2] == 1)
            return mask; // is broadcast
        const auto [found, isNew] = m_masks.try_emplace({mask, shared});
        if (isNew) {
            std::vector<std::int64_t> times(shape.size(), 1);
            times[shape.size() - 2] = shared;
            shape[shape.size() - 2] *= shared;
            Op tile = opLike(attention, "Tile", "/mask");
            tile.inputs = {mask, integers(tile.name + "/repeats", times)};
            tile.outputs = {added(tile.name, typeOf(mask), shape)};
            found->second = tile.outputs[0];
            ops.push_back(std::move(tile));
        }
        return found->second;
    }

    static Op opLike(const Op& attention, std::string type, std::string_view suffix) {
        Op op;
        op.type = std::move(type);
        op.name = attention.name + std::string(suffix);
        op.opClass = findOpFact({}, op.type)->opClass;
        op.sources = attention.sources;
        return op;
    }
    Op reshaped(const Op& attention, std::string_view suffix, TensorId from, const Shape& to) {
        Op op = opLike(attention, "Reshape", suffix);
        op.inputs = {from, integers(op.name + "/shape", to)};
        op.outputs = {added(op.name, typeOf(from), to)};
        return op;
    }
    DataType typeOf(TensorId id) const { return m_rewriter.tensor(id).dtype; }
    TensorId added(const std::string& name, DataType type, const Shape& shape) {
        Tensor tensor;
        tensor.name = name;
        tensor.dtype = type;
        tensor.shape = shape;
        return m_rewriter.addTensor(std::move(tensor));
    }
    TensorId integers(const std::string& name, const std::vector<std::int64_t>& values) {
        Tensor tensor;
        tensor.name = name;
        tensor.dtype = DataType::I64;
        tensor.shape = Shape{std::ssize(values)};
        tensor.constant =
            std::make_shared<const std::vector<std::byte>>(bytesFromInts(values, DataType::I64));
        return m_rewriter.addTensor(std::move(tensor));
    }

    Rewriter m_rewriter;
    std::map<std::pair<TensorId, std::int64_t>, TensorId> m_masks; ///< By the mask and how many heads share.
};

} // namespace

int groupHeads(Graph& graph) {
    return HeadGrouping(graph).run();
}

} // namespace pim
