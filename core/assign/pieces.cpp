// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/pieces.h"

#include "core/base/hash.h"
#include "core/graph/graph_builder.h"
#include "core/graph/passes/rewriter.h"
#include "core/graph/semantics/op_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

namespace pim {
namespace {

/// Where the output features are in the operands and the result of an op.
struct FeatureAxes {
    std::size_t weights = 0, result = 0;
};

std::optional<FeatureAxes> featureAxes(const Graph& graph, const Op& op) {
    if (!op.domain.empty() || op.inputs.size() < 2 || op.outputs.size() != 1)
        return std::nullopt;
    const Tensor& weights = graph.tensor(op.inputs[1]);
    const Tensor& result = graph.tensor(op.outputs[0]);
    if (!weights.isConstant() || !weights.shape || !isStatic(*weights.shape) || !result.shape ||
        !isStatic(*result.shape))
        return std::nullopt;
    if (op.type == "MatMul" && weights.shape->size() == 2 && result.shape->size() >= 2)
        return FeatureAxes{1, result.shape->size() - 1};
    if (op.type == "Gemm" && weights.shape->size() == 2)
        return FeatureAxes{op.intAttribute("transB", 0) != 0 ? 0U : 1U, 1};
    if (op.type == "Conv" && weights.shape->size() > 2 && op.intAttribute("group", 1) == 1)
        return FeatureAxes{0, 1};
    return std::nullopt;
}

Tensor integers(std::string name, std::int64_t value) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = DataType::I64;
    tensor.shape = Shape{1};
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    tensor.constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return tensor;
}

/// Elements [begin, end) of one axis of a constant.
Tensor sliceOf(const Tensor& whole, std::size_t axis, std::int64_t begin, std::int64_t end,
               const std::string& name) {
    Op slice;
    slice.name = name;
    slice.type = "Slice";
    slice.opClass = OpClass::Movement;
    Shape shape = *whole.shape;
    shape[axis] = end - begin;
    return derivedTensor(name, slice,
                         {whole, integers(name + "_begin", begin), integers(name + "_end", end),
                          integers(name + "_axis", static_cast<std::int64_t>(axis))},
                         0, {{whole.dtype, shape}});
}

class Divider {
public:
    explicit Divider(const Graph& whole) : m_whole(whole), m_made(std::make_shared<Graph>(whole)) {
        m_made->ops.clear();
        for (const Op& op : whole.ops)
            m_names.insert(op.name);
        for (const Tensor& tensor : whole.tensors)
            m_names.insert(tensor.name);
        m_hash.add(whole.source.structureHash);
    }

    void keep(OpId id) { take(m_whole.op(id), id); }

    void divide(OpId id, const std::vector<std::int64_t>& features, FeatureAxes axes) {
        const Op& op = m_whole.op(id);
        Op joins;
        joins.name = op.name;
        joins.type = "Concat";
        joins.opClass = OpClass::Movement;
        joins.attributes["axis"] = static_cast<std::int64_t>(axes.result);
        joins.outputs = op.outputs;
        joins.sources = op.sources;
        m_hash.add(op.name + '\n');
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < features.size(); begin += features[i++]) {
            m_hash.add(std::to_string(features[i]) + '\n');
            joins.inputs.push_back(
                addPiece(id, fmt::format("{}@{}", op.name, i + 1), axes, begin, begin + features[i]));
        }
        joins.work = workOf(*m_made, joins);
        take(std::move(joins), id);
    }

    DividedGraph make() {
        m_made->source.structureHash = m_hash.hex();
        relink(*m_made);
        return {std::move(m_made), std::move(m_wholes)};
    }

private:
    void take(Op op, OpId whole) {
        m_made->ops.push_back(std::move(op));
        m_wholes.push_back(whole);
    }
    std::string unused(std::string name) {
        while (!m_names.insert(name).second)
            name += '@';
        return name;
    }
    TensorId add(Tensor tensor) {
        m_made->tensors.push_back(std::move(tensor));
        return TensorId(static_cast<std::int64_t>(m_made->tensors.size()) - 1);
    }

    /// \returns its result.
    TensorId addPiece(OpId id, const std::string& name, FeatureAxes axes, std::int64_t begin,
                      std::int64_t end) {
        Op piece = m_whole.op(id);
        const Tensor& weights = m_whole.tensor(piece.inputs[1]);
        const std::int64_t features = (*weights.shape)[axes.weights];
        const Tensor& whole = m_whole.tensor(piece.outputs[0]);
        piece.name = unused(name);
        piece.inputs[1] =
            add(sliceOf(weights, axes.weights, begin, end, unused(piece.name + "_" + weights.name)));
        if (piece.inputs.size() > 2 && piece.inputs[2].valid()) {
            const Tensor& bias = m_whole.tensor(piece.inputs[2]);
            if (bias.shape->size() > 0 && bias.shape->back() == features)
                piece.inputs[2] = add(
                    sliceOf(bias, bias.shape->size() - 1, begin, end, unused(piece.name + "_" + bias.name)));
        }
        Tensor result;
        result.name = unused(piece.name + "_" + whole.name);
        result.dtype = whole.dtype;
        result.shape = whole.shape;
        (*result.shape)[axes.result] = end - begin;
        const TensorId made = add(std::move(result));
        piece.outputs = {made};
        piece.work = workOf(*m_made, piece);
        take(std::move(piece), id);
        return made;
    }

    const Graph& m_whole;
    std::shared_ptr<Graph> m_made;
    std::vector<OpId> m_wholes;
    std::set<std::string> m_names;
    Sha256 m_hash;
};

} // namespace

std::int64_t featuresOf(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    const auto axes = featureAxes(graph, op);
    if (!axes)
        return 0;
    // A bias is divided as well: it has to be a constant.
    if (op.inputs.size() > 2 && op.inputs[2].valid())
        if (const Tensor& bias = graph.tensor(op.inputs[2]); !bias.isConstant() || !bias.shape)
            return 0;
    return (*graph.tensor(op.inputs[1]).shape)[axes->weights];
}

Result<DividedGraph> divided(const Graph& graph, const std::vector<OpPieces>& pieces) {
    std::vector<const OpPieces*> of(graph.ops.size());
    for (const OpPieces& one : pieces) {
        if (!one.op.valid() || one.op.index() >= graph.ops.size())
            return fail(ErrorCode::Usage, fmt::format("there is no op {} to divide", one.op.value),
                        graph.name);
        const std::int64_t features = featuresOf(graph, one.op);
        const auto bad = [&](std::string message) {
            return fail(ErrorCode::Usage, std::move(message), graph.op(one.op).name);
        };
        if (features == 0)
            return bad(
                "it cannot be divided: only MatMul, Gemm and Conv in one group with constant weights can");
        if (of[one.op.index()])
            return bad("it is divided twice");
        if (one.features.size() < 2 || std::ranges::any_of(one.features, [](auto n) { return n <= 0; }) ||
            std::accumulate(one.features.begin(), one.features.end(), std::int64_t{0}) != features)
            return bad(fmt::format("pieces of {} features are not its {}", fmt::join(one.features, " + "),
                                   features));
        of[one.op.index()] = &one;
    }
    Divider divider(graph);
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const auto id = OpId(static_cast<std::int64_t>(i));
        if (of[i])
            divider.divide(id, of[i]->features, *featureAxes(graph, graph.op(id)));
        else
            divider.keep(id);
    }
    return divider.make();
}

} // namespace pim
