// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a shape rule sees of one op, and where it puts its answer.
#include "core/graph/graph.h"

namespace pim {

/// More dimensions than any operator has a use for; a damaged file may claim millions.
constexpr std::size_t kMaxRank = 64;

__extension__ typedef __int128
    Wide; ///< For sums and products of extents and attributes before they are checked.

class OpContext {
public:
    OpContext(const Graph& graph, const Op& op, std::int64_t opset);

    const Op& op;
    const std::int64_t opset;

    std::size_t inputs() const { return op.inputs.size(); }
    std::size_t outputs() const { return op.outputs.size(); }
    bool has(std::size_t input) const { return tensor(input) != nullptr; }
    const Tensor* tensor(std::size_t input) const; ///< Null if left out.
    const Shape* shape(std::size_t input) const;   ///< Null if left out or not static.
    DataType dtype(std::size_t input) const;
    /// Elements of a constant integer (or bool) input; nullopt if its value is not known.
    std::optional<std::vector<std::int64_t>> ints(std::size_t input) const;
    std::optional<std::vector<double>> reals(std::size_t input) const;
    /// Integer list that is an attribute in old operator sets and an input in new ones. Outer nullopt: given
    /// but not constant; inner nullopt: not given at all.
    std::optional<std::optional<std::vector<std::int64_t>>> intsFrom(std::string_view attribute,
                                                                     std::size_t input) const;

    /// Shape and type of an output. Error where an extent is negative or the tensor is impossibly large.
    Result<void> set(std::size_t output, DataType type, Shape shape);
    void setType(std::size_t output, DataType type);
    const std::optional<Shape>& outShape(std::size_t output) const { return m_shapes[output]; }
    DataType outType(std::size_t output) const { return m_types[output]; }

    /// Negative axes count from the end. Error if outside [-rank, rank - 1].
    Result<std::size_t> axis(std::int64_t value, std::size_t rank) const;
    Result<std::vector<bool>> axisMask(const std::vector<std::int64_t>& axes, std::size_t rank) const;
    Result<Shape> broadcast(const Shape& a, const Shape& b) const;
    Result<std::int64_t> extent(Wide value) const; ///< Error unless 0 <= value < 2^50.
    tl::unexpected<Error> bad(std::string message, std::string hint = {}) const;

private:
    const Graph& m_graph;
    std::vector<std::optional<Shape>> m_shapes;
    std::vector<DataType> m_types;
};

} // namespace pim
