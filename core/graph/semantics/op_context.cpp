// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/op_context.h"

#include "core/graph/semantics/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

namespace {
constexpr std::int64_t kMaxTensorBytes = std::int64_t(1)
                                         << 50; ///< As for initializers: larger than any memory.
constexpr std::size_t kLongestMessage = 400;
} // namespace

OpContext::OpContext(const Graph& graph, const Op& anOp, std::int64_t anOpset)
    : op(anOp), opset(anOpset), m_graph(graph), m_shapes(anOp.outputs.size()),
      m_types(anOp.outputs.size(), DataType::Unknown) {}

const Tensor* OpContext::tensor(std::size_t input) const {
    return input < op.inputs.size() && op.inputs[input].valid() ? &m_graph.tensor(op.inputs[input]) : nullptr;
}

const Shape* OpContext::shape(std::size_t input) const {
    const Tensor* t = tensor(input);
    return t && t->shape && isStatic(*t->shape) ? &*t->shape : nullptr;
}

DataType OpContext::dtype(std::size_t input) const {
    const Tensor* t = tensor(input);
    return t ? t->dtype : DataType::Unknown;
}

std::optional<std::vector<std::int64_t>> OpContext::ints(std::size_t input) const {
    const Tensor* t = tensor(input);
    return t && t->constant ? std::optional(intsOf(*t->constant, t->dtype)) : std::nullopt;
}

std::optional<std::vector<double>> OpContext::reals(std::size_t input) const {
    const Tensor* t = tensor(input);
    return t && t->constant ? std::optional(realsOf(*t->constant, t->dtype)) : std::nullopt;
}

std::optional<std::optional<std::vector<std::int64_t>>> OpContext::intsFrom(std::string_view attribute,
                                                                            std::size_t input) const {
    if (has(input)) {
        auto values = ints(input);
        return values ? std::optional(std::optional(std::move(*values))) : std::nullopt;
    }
    if (const Attribute* value = op.attribute(attribute)) {
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(value))
            return std::optional(std::optional(*list));
        if (const auto* one = std::get_if<std::int64_t>(value))
            return std::optional(std::optional(std::vector{*one}));
    }
    return std::optional(std::optional<std::vector<std::int64_t>>());
}

Result<void> OpContext::set(std::size_t output, DataType type, Shape shape) {
    if (output >= m_shapes.size())
        return {};
    if (shape.size() > kMaxRank)
        return bad(fmt::format("its output would have {} dimensions, at most {} are possible", shape.size(),
                               kMaxRank));
    const auto count = elementCount(shape);
    if (!count || *count > kMaxTensorBytes / std::max<std::int64_t>(bytesOf(type), 1))
        return bad(fmt::format("its output would have the shape {} (at most 2^50 bytes are possible)",
                               shapeText(shape)));
    m_types[output] = type;
    m_shapes[output] = std::move(shape);
    return {};
}

void OpContext::setType(std::size_t output, DataType type) {
    if (output < m_types.size())
        m_types[output] = type;
}

Result<std::size_t> OpContext::axis(std::int64_t value, std::size_t rank) const {
    const auto r = static_cast<std::int64_t>(rank);
    if (value < -r || value >= r)
        return bad(fmt::format("its axis {} is outside [-{}, {}]", value, r, r - 1));
    return static_cast<std::size_t>(value < 0 ? value + r : value);
}

Result<std::vector<bool>> OpContext::axisMask(const std::vector<std::int64_t>& axes, std::size_t rank) const {
    std::vector<bool> mask(rank, false);
    for (const std::int64_t a : axes) {
        PIM_TRY(const std::size_t index, axis(a, rank));
        mask[index] = true;
    }
    return mask;
}

Result<Shape> OpContext::broadcast(const Shape& a, const Shape& b) const {
    const std::size_t rank = std::max(a.size(), b.size());
    Shape result(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
        const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
        if (x != y && x != 1 && y != 1)
            return bad(fmt::format("its operands of shape {} and {} do not fit each other", shapeText(a),
                                   shapeText(b)),
                       "bind the dynamic dimensions to values that belong together");
        result[i] = x == 1 ? y : x;
    }
    return result;
}

Result<std::int64_t> OpContext::extent(Wide value) const {
    if (value < 0 || value > kMaxTensorBytes)
        return bad(value < 0 ? "an extent of its output is negative"
                             : "an extent of its output is above 2^50",
                   "bind the dynamic dimensions to values that belong together");
    return static_cast<std::int64_t>(value);
}

tl::unexpected<Error> OpContext::bad(std::string message, std::string hint) const {
    if (message.size() > kLongestMessage) // a list in it may be as long as a damaged file says
        message.replace(kLongestMessage, std::string::npos, " …");
    return fail(ErrorCode::InvalidModel, std::move(message),
                fmt::format("node \"{}\" ({})", op.name, op.type), std::move(hint));
}

} // namespace pim
