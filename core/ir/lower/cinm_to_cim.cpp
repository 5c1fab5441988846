// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/lower/cinm_to_cim.h"

#include "core/ir/contraction.h"
#include "core/ir/dialect.h"
#include "core/ir/slices.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace {

std::int64_t roundUp(std::int64_t value, std::int64_t step) {
    return (value + step - 1) / step * step;
}

/// One product on tiles. Extents that pieces do not divide are filled up with zeros, which add nothing.
class TiledGemm {
public:
    TiledGemm(Builder& to, const TileMapping& mapping, const GemmShape& shape, Scalar element)
        : m_to(to), m_mapping(mapping), m_element(element), m_shape(shape) {
        m_rows = mapping.wholeRows ? shape.m : std::min(shape.m, mapping.size);
        m_inner = std::min(shape.k, mapping.size);
        m_columns = std::min(shape.n, mapping.size);
        // As many as divide the pieces: no tile is written with zeros alone.
        const std::int64_t pieces = (shape.k + m_inner - 1) / m_inner;
        m_unroll = std::clamp<std::int64_t>(mapping.unroll, 1, std::min<std::int64_t>(mapping.tiles, pieces));
        while (pieces % m_unroll != 0)
            --m_unroll;
        m_padded = {roundUp(shape.m, m_rows), roundUp(shape.k, m_inner * m_unroll),
                    roundUp(shape.n, m_columns)};
    }

    /// [m][k] x [k][n], \p plus (if valid) added.
    ValueId make(ValueId a, ValueId b, ValueId plus) {
        m_a = padded(a, {m_padded.m, m_padded.k});
        m_b = padded(b, {m_padded.k, m_padded.n});
        const ValueId start = plus.valid()
                                  ? padded(plus, {m_padded.m, m_padded.n})
                                  : m_to.constant(Type::tensor({m_padded.m, m_padded.n}, m_element), 0);
        m_device = m_to.value("cim.acquire", {}, Type::dialect("cim.device"),
                              {{"size", integer(m_mapping.size)}, {"tiles", integer(m_mapping.tiles)}});
        const ValueId out = loops(0, start);
        m_to.perform("cim.release", {m_device});
        if (m_padded == m_shape)
            return out;
        return extractSlice(m_to, out, {0, 0}, {m_shape.m, m_shape.n});
    }

private:
    ValueId padded(ValueId value, const Shape& extents) {
        const Shape own = m_to.module().type(value).extents();
        return own == extents ? value
                              : insertSlice(m_to, value, m_to.constant(Type::tensor(extents, m_element), 0),
                                            {0, 0}, own);
    }
    std::int64_t step(char dimension) const {
        return dimension == 'm' ? m_rows : dimension == 'n' ? m_columns : m_inner * m_unroll;
    }
    std::int64_t extent(char dimension) const {
        return dimension == 'm' ? m_padded.m : dimension == 'n' ? m_padded.n : m_padded.k;
    }
    ValueId& variable(char dimension) { return m_variables[dimension == 'm' ? 0 : dimension == 'n' ? 1 : 2]; }
    /// Where piece \p u of the loop over k begins.
    Offset inner(std::int64_t u) {
        if (u == 0)
            return variable('k');
        return m_to.value("arith.addi", {variable('k'), m_to.constantIndex(u * m_inner)}, Type::index());
    }
    /// Tiles are written in the innermost loop whose variable their contents depend on.
    bool writesAt(std::size_t depth) const {
        const auto last =
            std::find_if(m_mapping.order.rbegin(), m_mapping.order.rend(), [](char c) { return c != 'm'; });
        return depth == static_cast<std::size_t>(m_mapping.order.rend() - last);
    }

    void write() {
        for (std::int64_t u = 0; u < m_unroll; ++u) {
            const ValueId piece = extractSlice(m_to, m_b, {inner(u), variable('n')}, {m_inner, m_columns});
            m_to.perform("cim.write", {m_device, piece}, {{"tile", integer(u)}});
        }
    }

    /// All pieces are started before the first is waited for; their sums are merged in order.
    ValueId execute(ValueId sums) {
        const Type future = Type::dialect("cim.future", {m_rows, m_columns}, m_element);
        const Type piece = Type::tensor({m_rows, m_columns}, m_element);
        std::vector<ValueId> futures;
        for (std::int64_t u = 0; u < m_unroll; ++u) {
            const ValueId rows = extractSlice(m_to, m_a, {variable('m'), inner(u)}, {m_rows, m_inner});
            futures.push_back(m_to.value("cim.execute", {m_device, rows}, future, {{"tile", integer(u)}}));
        }
        if (m_unroll > 1)
            m_to.perform("cim.barrier", {m_device});
        ValueId merged = extractSlice(m_to, sums, {variable('m'), variable('n')}, {m_rows, m_columns});
        for (const ValueId pending : futures) {
            const ValueId partial = m_to.value("cim.read", {pending}, piece);
            merged = m_to.value("cinm.mergePartial", {merged, partial}, piece,
                                {{"dir", text("horizontal")}, {"op", text("add")}});
        }
        return insertSlice(m_to, merged, sums, {variable('m'), variable('n')}, {m_rows, m_columns});
    }

    ValueId loops(std::size_t depth, ValueId sums) {
        if (writesAt(depth))
            write();
        if (depth == m_mapping.order.size())
            return execute(sums);
        const char dimension = m_mapping.order[depth];
        const auto loop = m_to.beginFor(extent(dimension), step(dimension), {&sums, 1});
        variable(dimension) = loop.variable;
        const ValueId inside = loops(depth + 1, loop.carried);
        return m_to.endFor(loop, {&inside, 1});
    }

    Builder& m_to;
    const TileMapping& m_mapping;
    Scalar m_element;
    GemmShape m_shape, m_padded;
    std::int64_t m_rows = 1, m_inner = 1, m_columns = 1, m_unroll = 1;
    ValueId m_a, m_b, m_device;
    std::array<ValueId, 3> m_variables;
};

} // namespace

std::string text(const TileMapping& mapping) {
    return fmt::format(
        "order {}{}{}, {}, {} operand held{}", mapping.order[0], mapping.order[1], mapping.order[2],
        mapping.wholeRows ? "whole rows" : "boxes", mapping.holdLeft ? "left" : "right",
        mapping.unroll > 1 ? fmt::format(", {} tiles at a time", mapping.unroll) : std::string());
}

Rewriter::Rule toCim(TileMappingOf mappingOf) {
    return [mappingOf = std::move(mappingOf)](Rewriter& at, const Operation& op) -> Result<bool> {
        const bool vector = op.def->name == "cinm.gemv";
        if (!vector && op.def->name != "cinm.gemm")
            return false;
        const Type a = at.from().type(at.from().operand(op, 0)), out = at.from().type(op.firstResult);
        const Scalar element = *a.element();
        const GemmShape shape{a.extents()[0], a.extents()[1], vector ? 1 : out.extents()[1]};
        const auto mapping = isFloat(element) ? std::nullopt : mappingOf(at.from().idOf(op), shape);
        if (!mapping)
            return false;
        Builder& to = at.to();
        ValueId left = at.operand(op, 0), right = reshape(to, at.operand(op, 1), {shape.k, shape.n});
        ValueId plus = op.operandCount > 2 ? at.operand(op, 2) : ValueId();
        ValueId made;
        if (mapping->holdLeft) {
            const GemmShape turned{shape.n, shape.k, shape.m};
            plus = plus.valid() ? transpose(to, plus, {1, 0}) : plus;
            right = transpose(to, right, {1, 0});
            left = transpose(to, left, {1, 0});
            made = transpose(to, TiledGemm(to, *mapping, turned, element).make(right, left, plus), {1, 0});
        } else {
            made = TiledGemm(to, *mapping, shape, element).make(left, right, plus);
        }
        at.set(op, reshape(to, made, out.extents()));
        return true;
    };
}

Result<Module> lowerToCim(const Module& cinm, TileMappingOf mappingOf) {
    return Rewriter(cinm, "cim").run(toCim(std::move(mappingOf)));
}

} // namespace pim::ir
