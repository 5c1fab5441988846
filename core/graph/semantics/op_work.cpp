// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/op_facts.h"

#include "core/graph/semantics/einsum.h"

#include <algorithm>
#include <limits>

namespace pim {

namespace {

constexpr std::int64_t kTooMany = std::numeric_limits<std::int64_t>::max() / 4;

/// Counts far beyond any machine are cut at 2^61 instead of overflowing.
std::int64_t limited(Wide value) {
    return value > kTooMany ? kTooMany : static_cast<std::int64_t>(value);
}

class Counter {
public:
    Counter(const Graph& graph, const Op& op) : m_graph(graph), m_op(op) {}

    OpWork run();

private:
    const Tensor* input(std::size_t i) const {
        return i < m_op.inputs.size() && m_op.inputs[i].valid() ? &m_graph.tensor(m_op.inputs[i]) : nullptr;
    }
    const Tensor* output(std::size_t i = 0) const {
        return i < m_op.outputs.size() && m_op.outputs[i].valid() ? &m_graph.tensor(m_op.outputs[i])
                                                                  : nullptr;
    }
    static Wide extent(const Tensor* t, std::size_t fromEnd) {
        return t && t->shape && t->shape->size() >= fromEnd ? Wide((*t->shape)[t->shape->size() - fromEnd])
                                                            : Wide(0);
    }
    static Wide count(const Tensor* t) { return t && t->shape ? elementCount(*t->shape).value_or(0) : 0; }

    Wide macs() const;
    /// Of a mixture of experts: how many of them are taken in one run at most, and how many there are.
    struct Experts {
        Wide rows = 0, taken = 0, all = 0;
    };
    std::optional<Experts> experts() const;
    /// First, second and third matrices stand between their scales and biases.
    bool isExpertWeight(std::size_t operand) const {
        const Tensor* const w = input(operand);
        const bool quantized = m_op.type == "QMoE";
        return w && w->shape && w->shape->size() == 3 &&
               (quantized ? operand == 2 || operand == 5 || operand == 8
                          : operand == 2 || operand == 4 || operand == 6);
    }
    Wide otherOps(const OpFact& fact) const;
    bool countBytes(OpWork& work) const;

    const Graph& m_graph;
    const Op& m_op;
};

/// Each row of the router takes k. [MoE and QMoE in docs/ContribOperators.md of ONNX Runtime 1.20]
std::optional<Counter::Experts> Counter::experts() const {
    const Tensor* router = input(1);
    if (m_op.domain != "com.microsoft" || (m_op.type != "MoE" && m_op.type != "QMoE") || !router ||
        !router->shape || router->shape->size() != 2 || router->shape->back() < 1)
        return std::nullopt;
    const Wide rows = router->shape->front(), all = router->shape->back(),
               each = std::clamp<std::int64_t>(m_op.intAttribute("k", 1), 0, router->shape->back());
    return Experts{rows * each, std::min(rows * each, all), all};
}

Wide Counter::macs() const {
    const std::string& type = m_op.type;
    if (const auto mixture = experts()) {
        // Every row is multiplied with all weights of the experts it takes: matrices of three dimensions, [expert, .., ..].
        Wide weights = 0;
        const std::int64_t inByte =
            type == "QMoE" ? 8 / std::clamp<std::int64_t>(m_op.intAttribute("expert_weight_bits", 4), 1, 8)
                           : 1;
        for (std::size_t i = 2; i < m_op.inputs.size(); ++i)
            if (const Tensor* w = input(i); isExpertWeight(i))
                weights += count(w) * (w->dtype == DataType::U8 || w->dtype == DataType::I8 ? inByte : 1);
        return limited(mixture->rows * (weights / mixture->all));
    }
    const Wide out = count(output());
    if (type == "MatMul" || type == "MatMulInteger" || type == "QLinearMatMul")
        return out * extent(input(0), 1);
    if (type == "Gemm")
        return out * extent(input(0), m_op.intAttribute("transA", 0) != 0 ? 2 : 1);
    if (type == "Conv" || type == "ConvInteger" || type == "QLinearConv") {
        // Every output element takes one filter: all of the weight but its first extent.
        const Tensor* weight = input(type == "QLinearConv" ? 3 : 1);
        const Wide filters =
            weight && weight->shape && !weight->shape->empty() ? Wide((*weight->shape)[0]) : Wide(0);
        return filters > 0 ? out * (count(weight) / filters) : Wide(0);
    }
    if (type == "ConvTranspose") {
        const Tensor* weight = input(1);
        const Wide filters =
            weight && weight->shape && !weight->shape->empty() ? Wide((*weight->shape)[0]) : Wide(0);
        return filters > 0 ? count(input(0)) * (count(weight) / filters) : Wide(0);
    }
    if (type == "LSTM" || type == "GRU" || type == "RNN") {
        // Each of seq * batch steps multiplies with all of W and R.
        const Tensor* x = input(0);
        return x && x->shape && x->shape->size() == 3
                   ? Wide((*x->shape)[0]) * (*x->shape)[1] * (count(input(1)) + count(input(2)))
                   : Wide(0);
    }
    if (type == "Einsum") {
        // Loop over every index of the equation: the product of all distinct extents.
        std::vector<Shape> shapes;
        for (std::size_t i = 0; i < m_op.inputs.size(); ++i)
            shapes.push_back(input(i) && input(i)->shape ? *input(i)->shape : Shape());
        const auto indices = EinsumIndices::of(m_op.stringAttribute("equation", ""), shapes);
        Wide product = indices ? 1 : 0;
        if (indices)
            for (const auto& [index, extent] : indices->extents)
                product = limited(product * extent);
        return product;
    }
    if (m_op.opClass == OpClass::Attention) {
        const Tensor *q = input(0), *v = input(2);
        const Wide scores = count(q) * m_op.intAttribute("kv_len", 0); // q x k^T
        const Wide rows = extent(q, 1) > 0 ? count(q) / extent(q, 1) : Wide(0);
        return scores + rows * m_op.intAttribute("kv_len", 0) * extent(v, 1); // p x v
    }
    return 0;
}

Wide Counter::otherOps(const OpFact& fact) const {
    const Wide each = fact.opsPerElement;
    switch (fact.opClass) {
    case OpClass::Reduction:
        // A difference, its square and the sum for every input and centroid [PIM-DL, ASPLOS 2024, section 3.3]; an addition for
        // every codebook of every output.
        if (fact.key == "pim::ClosestCentroids")
            return Wide(3) * count(input(0)) * extent(input(1), 2);
        if (fact.key == "pim::LookUp")
            return count(output()) * extent(input(0), 3);
        return each * count(input(0));
    case OpClass::Pool: {
        Wide window = 1;
        for (const std::int64_t extent : m_op.intsAttribute("kernel_shape", {}))
            window = limited(window * extent);
        return each * window * count(output());
    }
    case OpClass::Conv:
        return input(2) ? count(output()) : Wide(0); // bias
    case OpClass::MatMul:
        return m_op.type == "Gemm" && !input(2) ? Wide(0) : each * count(output());
    case OpClass::Attention: {
        const auto* shape = input(0) && input(0)->shape ? &*input(0)->shape : nullptr;
        const Wide rows =
            shape && !shape->empty() && shape->back() > 0 ? count(input(0)) / shape->back() : Wide(0);
        // softmax on every score, one more for the scale and one for the mask
        const Wide perScore = each + (m_op.attribute("scale") ? 1 : 0) + (input(3) ? 1 : 0);
        return perScore * rows * m_op.intAttribute("kv_len", 0);
    }
    case OpClass::Elementwise: {
        // Max, Min, Sum, Mean of n operands do n - 1 steps.
        const bool variadic =
            fact.key == "Max" || fact.key == "Min" || fact.key == "Sum" || fact.key == "Mean";
        const auto steps = variadic && m_op.inputs.size() > 1 ? m_op.inputs.size() - 1 : 1;
        return each * static_cast<std::int64_t>(steps) * count(output());
    }
    default:
        return each * count(output());
    }
}

/// False where a size is unknown.
bool Counter::countBytes(OpWork& work) const {
    static constexpr std::string_view kViews[]{"Reshape",  "Flatten", "Squeeze", "Unsqueeze",
                                               "Identity", "Shape",   "Size",    "Dropout"};
    static constexpr std::string_view kPartial[]{"Gather", "GatherElements", "GatherND", "Slice", "Split"};
    const auto isOneOf = [&](const auto& list) {
        return std::find(std::begin(list), std::end(list), m_op.type) != std::end(list);
    };
    for (const TensorId id : m_op.outputs) {
        if (!id.valid())
            continue;
        const auto bytes = m_graph.tensor(id).bytes();
        if (!bytes)
            return false;
        work.bytesWritten = limited(Wide(work.bytesWritten) + *bytes);
    }
    const Tensor* data = input(0);
    const bool view = m_op.domain.empty() &&
                      (isOneOf(kViews) ||
                       (m_op.type == "Transpose" && data && data->shape && keepsOrder(m_op, *data->shape)));
    const bool partial = m_op.domain.empty() && isOneOf(kPartial);
    for (std::size_t i = 0; i < m_op.inputs.size(); ++i) {
        const Tensor* t = input(i);
        const auto first = m_op.inputs.begin();
        if (!t || std::find(first, first + static_cast<std::ptrdiff_t>(i), m_op.inputs[i]) !=
                      first + static_cast<std::ptrdiff_t>(i))
            continue; // each tensor once
        if (i > 0 && m_op.opClass == OpClass::Movement && m_op.type != "Concat" && t->isConstant() &&
            t->dtype == DataType::I64)
            continue; // a target shape, starts, axes: known before the run
        auto bytes = t->bytes();
        if (!bytes)
            return false;
        bytes = t->bytesAtRest(*bytes);
        if (const auto mixture = experts(); mixture && i >= 2)
            bytes = static_cast<std::int64_t>(Wide(*bytes) * mixture->taken / mixture->all);
        if (partial && i == 0) // only what is picked is read: one row of an embedding table, not the table
            bytes = std::min(*bytes, work.bytesWritten);
        work.bytesRead = limited(Wide(work.bytesRead) + *bytes);
        if (t->isConstant())
            work.weightBytes = limited(Wide(work.weightBytes) + *bytes);
    }
    if (view) // the same bytes under another shape: nothing moves
        work.bytesRead = work.bytesWritten = work.weightBytes = 0;
    return true;
}

OpWork Counter::run() {
    OpWork work;
    const OpFact* fact = findOpFact(m_op.domain, m_op.type);
    if (!fact || (!fact->shapes && fact->opClass != OpClass::Movement) || !countBytes(work))
        return {};
    work.known = true;
    work.macs = limited(macs());
    work.otherOps = limited(otherOps(*fact));
    return work;
}

} // namespace

std::optional<double> sameScale(const Op& resize, const Shape& shape,
                                const std::vector<std::int64_t>& sizes) {
    const std::string policy = resize.stringAttribute("keep_aspect_ratio_policy", "stretch");
    const auto axes = resize.intsAttribute("axes", {});
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::optional<double> scale;
    for (std::size_t i = 0; policy != "stretch" && i < sizes.size(); ++i) {
        std::int64_t axis = i < axes.size() ? axes[i] : static_cast<std::int64_t>(i);
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank || shape[static_cast<std::size_t>(axis)] < 1)
            return std::nullopt;
        const double one =
            static_cast<double>(sizes[i]) / static_cast<double>(shape[static_cast<std::size_t>(axis)]);
        scale = !scale ? one : policy == "not_larger" ? std::min(*scale, one) : std::max(*scale, one);
    }
    return scale;
}

bool keepsOrder(const Op& transpose, const Shape& shape) {
    const auto order = transpose.intsAttribute("perm", {});
    if (order.size() != shape.size()) // reversed
        return std::count_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent != 1; }) < 2;
    std::int64_t previous = -1;
    for (const std::int64_t axis : order)
        if (shape[static_cast<std::size_t>(axis)] != 1) {
            if (axis < previous)
                return false;
            previous = axis;
        }
    return true;
}

OpWork workOf(const Graph& graph, const Op& op) {
    return Counter(graph, op).run();
}

} // namespace pim
