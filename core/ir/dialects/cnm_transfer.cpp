// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialect.h"
#include "core/ir/dialects/cnm_ops.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir::cnm {

namespace {

std::int64_t product(const Shape& extents, std::size_t count) {
    std::int64_t all = 1;
    for (std::size_t d = 0; d < count; ++d)
        all *= extents[d];
    return all;
}

/// Whether the dimensions from \p first on occur in sums and multiples alone.
bool isLinear(const AffineExpr& expr, int first) {
    switch (expr.kind()) {
    case AffineKind::Constant:
    case AffineKind::Dim:
        return true;
    case AffineKind::Add:
    case AffineKind::Mul:
        return isLinear(expr.left(), first) && isLinear(expr.right(), first);
    default:
        return expr.highestDim() < first;
    }
}

/// Next index in row-major order; false behind the last.
bool next(std::int64_t* index, const Shape& extents, std::size_t rank) {
    for (std::size_t d = rank; d-- > 0;) {
        if (++index[d] < extents[d])
            return true;
        index[d] = 0;
    }
    return false;
}

/// Row-major place of an index; -1 outside.
std::int64_t placeOf(std::span<const std::int64_t> index, const Shape& extents) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        if (index[d] < 0 || index[d] >= extents[d])
            return -1;
        place = place * extents[d] + index[d];
    }
    return place;
}

/// Calls visit(element of the buffers, element of the tensor or -1) for all copies.
class Transfer {
public:
    Transfer(const Buffers& buffers, const AffineMap& map, const std::vector<std::int64_t>& offsets,
             const Shape& tensor)
        : m_buffers(buffers), m_map(map), m_tensor(tensor), m_units(copyRank(buffers.type)),
          m_dims(static_cast<std::size_t>(map.dims)) {
        std::ranges::copy(offsets, m_dims.end() - std::ssize(offsets));
        m_linear = std::ranges::all_of(
            map.results, [&](const AffineExpr& r) { return isLinear(r, static_cast<int>(m_units)); });
        m_index.resize(map.results.size());
    }

    template <class Visit>
    void run(const Visit& visit) {
        std::int64_t first = 0;
        do {
            if (m_linear)
                linear(first, visit);
            else
                any(first, visit);
            first += m_buffers.pitch;
        } while (next(m_dims.data(), m_buffers.type.body().on, m_units));
    }

private:
    template <class Visit>
    void any(std::int64_t first, const Visit& visit) {
        const Shape& extents = m_buffers.type.extents();
        std::int64_t* const position = m_dims.data() + m_units;
        std::int64_t element = first;
        do {
            for (std::size_t r = 0; r < m_index.size(); ++r)
                m_index[r] = m_map.results[r].at(m_dims);
            visit(element++, placeOf(m_index, m_tensor));
        } while (next(position, extents, extents.size()));
    }

    /// Steps of each result for each position are found once for a copy; then indices are counted on.
    template <class Visit>
    void linear(std::int64_t first, const Visit& visit) {
        const Shape& extents = m_buffers.type.extents();
        const std::size_t rank = extents.size(), results = m_index.size();
        std::int64_t* const position = m_dims.data() + m_units;
        for (std::size_t r = 0; r < results; ++r)
            m_index[r] = m_map.results[r].at(m_dims);
        std::vector<std::int64_t> steps(rank * results);
        for (std::size_t d = 0; d < rank; ++d) {
            position[d] = 1;
            for (std::size_t r = 0; r < results; ++r)
                steps[d * results + r] = m_map.results[r].at(m_dims) - m_index[r];
            position[d] = 0;
        }
        const std::int64_t count = product(extents, rank);
        for (std::int64_t i = 0; i < count; ++i) {
            visit(first + i, placeOf(m_index, m_tensor));
            for (std::size_t d = rank; d-- > 0;) {
                const bool more = ++position[d] < extents[d];
                const std::int64_t factor = more ? 1 : 1 - extents[d];
                for (std::size_t r = 0; r < results; ++r)
                    m_index[r] += factor * steps[d * results + r];
                if (more)
                    break;
                position[d] = 0;
            }
        }
    }

    const Buffers& m_buffers;
    const AffineMap& m_map;
    const Shape& m_tensor;
    std::size_t m_units;
    std::vector<std::int64_t> m_dims, m_index;
    bool m_linear = false;
};

Result<void> verifyTransfer(const Module& module, const Operation& op, std::size_t buffer,
                            std::size_t tensor) {
    const Type& type = module.type(module.operand(op, buffer));
    const Type& whole = module.type(module.operand(op, tensor));
    if (type.element() != whole.element())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("moves between {} and {}", whole.text(), type.text()));
    for (std::size_t n = 2; n < op.operandCount; ++n)
        if (!module.type(module.operand(op, n)).isScalar(Scalar::Index))
            return fail(ErrorCode::InvalidFile, fmt::format("operand {} is no index", n));
    const AffineMap* map = mapOf(op, "map");
    const std::size_t dims = copyRank(type) + type.extents().size() + op.operandCount - 2;
    if (!map || static_cast<std::size_t>(map->dims) != dims || map->results.size() != whole.extents().size())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("'map' is no affine map of {} dimensions ({} of the units, {} of the "
                                "buffer, {} offsets) to {}",
                                dims, copyRank(type), type.rank(), op.operandCount - 2, whole.rank()));
    return {};
}

} // namespace

std::int64_t unitsOf(const Shape& workgroup) {
    return product(workgroup, workgroup.size());
}

std::size_t copyRank(const Type& buffer) {
    return buffer.body().on.size() - static_cast<std::size_t>(buffer.body().space);
}

std::int64_t copiesOf(const Type& buffer) {
    return product(buffer.body().on, copyRank(buffer));
}

std::shared_ptr<Buffers> makeBuffers(const Type& type, std::int64_t pitch) {
    auto made = std::make_shared<Buffers>();
    made->type = type;
    made->pitch = pitch > 0 ? pitch : type.count();
    made->array = Array::make(*type.element(), {copiesOf(type) * made->pitch});
    return made;
}

Result<void> verifyScatter(const Module& module, const Operation& op) {
    PIM_CHECK(verifyTransfer(module, op, 1, 0));
    const Scalar element = *module.type(module.operand(op, 0)).element();
    const Attribute* padding = findAttribute(op, "padding");
    const auto* whole = padding ? std::get_if<IntegerAttribute>(&padding->value) : nullptr;
    const auto* fraction = padding ? std::get_if<FloatAttribute>(&padding->value) : nullptr;
    if (padding && !(whole && whole->type == element) && !(fraction && fraction->type == element))
        return fail(ErrorCode::InvalidFile, fmt::format("'padding' is no {}", name(element)));
    return {};
}

Result<void> verifyGather(const Module& module, const Operation& op) {
    PIM_CHECK(verifyTransfer(module, op, 0, 1));
    if (module.type(op.firstResult) != module.type(module.operand(op, 1)))
        return fail(ErrorCode::InvalidFile, "its result has not the type of the tensor it goes into");
    return {};
}

Result<void> runScatter(Interpreter& at, const Operation& op) {
    const Array from = at.array(op, 0).compact();
    auto& buffers = at.object<Buffers>(op, 1);
    const auto size = static_cast<std::size_t>(bytesOf(from.element));
    std::byte padding[8] = {};
    if (const Attribute* given = findAttribute(op, "padding")) {
        if (const auto* whole = std::get_if<IntegerAttribute>(&given->value))
            storeInt(padding, from.element, whole->value);
        else
            storeReal(padding, from.element, std::get<FloatAttribute>(given->value).value);
    }
    Array& to = buffers.array;
    Transfer transfer(buffers, *mapOf(op, "map"), at.indices(op, 2, op.operandCount - 2), from.extents);
    transfer.run([&](std::int64_t element, std::int64_t place) {
        std::memcpy(to.bytesAt(element), place < 0 ? padding : from.bytesAt(place), size);
    });
    return {};
}

Result<void> runGather(Interpreter& at, const Operation& op) {
    Array to = at.take(op, 1);
    auto& buffers = at.object<Buffers>(op, 0);
    const auto size = static_cast<std::size_t>(bytesOf(to.element));
    Transfer transfer(buffers, *mapOf(op, "map"), at.indices(op, 2, op.operandCount - 2), to.extents);
    transfer.run([&](std::int64_t element, std::int64_t place) {
        if (place >= 0)
            std::memcpy(to.bytesAt(place), buffers.array.bytesAt(element), size);
    });
    at.set(op, std::move(to));
    return {};
}

} // namespace pim::ir::cnm
