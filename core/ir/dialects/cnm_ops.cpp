// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cnm_ops.h"

#include "core/ir/dialect.h"
#include "core/ir/dialects/element_ops.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace pim::ir::cnm {

namespace {

/// Row-major elements of a memref as numbers.
class Elements {
public:
    explicit Elements(Array& array) : m_array(array) {}
    std::int64_t count() const { return m_array.count(); }
    bool isReal() const { return isFloat(m_array.element); }
    Scalar type() const { return m_array.element; }
    std::int64_t whole(std::int64_t i) const { return loadInt(at(i), type()); }
    double real(std::int64_t i) const { return loadReal(at(i), type()); }
    void set(std::int64_t i, std::int64_t value) { storeInt(at(i), type(), value); }
    void set(std::int64_t i, double value) { storeReal(at(i), type(), value); }
    void copy(std::int64_t to, const Elements& from, std::int64_t i) {
        std::memcpy(at(to), from.at(i), static_cast<std::size_t>(bytesOf(type())));
    }

private:
    std::byte* at(std::int64_t i) const { return m_array.bytesAt(m_array.offset + i); }
    Array& m_array;
};

Elements elements(Interpreter& at, const Operation& op, std::size_t n) {
    return Elements(at.array(op, n));
}

ElementOp kindOf(const Operation& op) {
    return *elementOpFromName(textOr(op, "op", {}));
}

/// to = to op what.
Result<void> join(ElementOp kind, Elements& out, std::int64_t to, const Elements& in, std::int64_t from) {
    if (out.isReal()) {
        out.set(to, apply(kind, out.real(to), in.real(from)));
        return {};
    }
    PIM_TRY(const std::int64_t value, apply(kind, out.whole(to), in.whole(from), out.type()));
    out.set(to, value);
    return {};
}

} // namespace

Result<void> runContract(Interpreter& at, const Operation& op) {
    const Elements a = elements(at, op, 0), b = elements(at, op, 1);
    Elements c = elements(at, op, 2);
    const std::int64_t k = at.array(op, 0).extents[1], m = at.array(op, 2).extents[0],
                       n = at.array(op, 2).extents[1];
    const std::int64_t firstA = at.index(op, 3), firstB = at.index(op, 4);
    if (firstA < 0 || firstA + m > at.array(op, 0).extents[0] || firstB < 0 ||
        firstB + n > at.array(op, 1).extents[0])
        return fail(ErrorCode::InvalidFile,
                    fmt::format("takes {} rows from {} on and {} from {} on, beyond {} and {}", m, firstA, n,
                                firstB, at.array(op, 0).extents[0], at.array(op, 1).extents[0]));
    const bool fresh = findAttribute(op, "fresh"), distance = textOr(op, "metric", "dot") == "l2";
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const std::int64_t rowA = (firstA + i) * k, rowB = (firstB + j) * k, to = i * n + j;
            if (c.isReal()) {
                double sum = fresh ? 0 : c.real(to);
                for (std::int64_t l = 0; l < k; ++l) {
                    const double x = a.real(rowA + l), y = b.real(rowB + l);
                    sum += distance ? (x - y) * (x - y) : x * y;
                }
                c.set(to, sum);
                continue;
            }
            auto sum = static_cast<std::uint64_t>(fresh ? 0 : c.whole(to));
            for (std::int64_t l = 0; l < k; ++l) {
                const auto x = static_cast<std::uint64_t>(a.whole(rowA + l)),
                           y = static_cast<std::uint64_t>(b.whole(rowB + l));
                sum += distance ? (x - y) * (x - y) : x * y;
            }
            c.set(to, static_cast<std::int64_t>(sum));
        }
    return {};
}

Result<void> runMap(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements out = elements(at, op, op.operandCount - 1);
    const std::string_view name = textOr(op, "op", {});
    if (op.operandCount == 2) {
        const int width = static_cast<int>(bytesOf(in.type())) * 8;
        for (std::int64_t i = 0; i < out.count(); ++i) {
            if (name == "copy")
                out.copy(i, in, i);
            else if (name == "not")
                out.set(i, ~in.whole(i));
            else
                out.set(i, std::int64_t{std::popcount(static_cast<std::uint64_t>(in.whole(i)) &
                                                      (~std::uint64_t{0} >> (64 - width)))});
        }
        return {};
    }
    const ElementOp kind = kindOf(op);
    const bool scalar = at.module().type(at.module().operand(op, 1)).isScalar();
    Array same = Array::make(in.type(), {1});
    Elements one(same);
    if (scalar && in.isReal())
        one.set(0, at.operand(op, 1).f);
    else if (scalar)
        one.set(0, at.operand(op, 1).i);
    const Elements other = scalar ? one : elements(at, op, 1);
    for (std::int64_t i = 0; i < out.count(); ++i) {
        out.copy(i, in, i);
        PIM_CHECK(join(kind, out, i, other, scalar ? 0 : i));
    }
    return {};
}

Result<void> runFold(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements out = elements(at, op, 1);
    const std::int64_t rows = out.count(), length = in.count() / rows;
    const ElementOp kind = kindOf(op);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (out.isReal()) { // rounded once, as cinm.reduce does
            double sum = neutralReal(kind);
            for (std::int64_t i = 0; i < length; ++i)
                sum = apply(kind, sum, in.real(r * length + i));
            out.set(r, sum);
            continue;
        }
        out.set(r, neutralInt(kind, out.type()));
        for (std::int64_t i = 0; i < length; ++i)
            PIM_CHECK(join(kind, out, r, in, r * length + i));
    }
    return {};
}

Result<void> runScan(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements out = elements(at, op, 1), totals = elements(at, op, 2);
    const std::int64_t rows = totals.count(), length = in.count() / rows;
    for (std::int64_t i = 0; i < in.count(); ++i) {
        if (i % length == 0) {
            out.copy(i, in, i);
            continue;
        }
        const std::int64_t before = i - 1;
        if (out.isReal()) {
            out.set(i, apply(kindOf(op), out.real(before), in.real(i)));
        } else {
            PIM_TRY(const std::int64_t value, apply(kindOf(op), out.whole(before), in.whole(i), out.type()));
            out.set(i, value);
        }
    }
    for (std::int64_t r = 0; r < rows; ++r)
        totals.copy(r, out, (r + 1) * length - 1);
    return {};
}

Result<void> runHistogram(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements out = elements(at, op, 1);
    const std::int64_t bins = out.count(), depth = integerOr(op, "depth", 0);
    for (std::int64_t b = 0; b < bins; ++b)
        out.set(b, std::int64_t{0});
    for (std::int64_t i = 0; i < in.count(); ++i) {
        const std::int64_t value = in.whole(i), bin = depth > 0 ? (value * bins) >> depth : value;
        if (bin < 0 || bin >= bins)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("element {} is {}, beyond the {} bins", i, value, bins));
        out.set(bin, out.whole(bin) + 1);
    }
    return {};
}

Result<void> runTopK(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements values = elements(at, op, 1), places = elements(at, op, 2);
    std::vector<std::int64_t> order(static_cast<std::size_t>(in.count()));
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int64_t>(i);
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        return in.isReal() ? in.real(a) > in.real(b) : in.whole(a) > in.whole(b);
    });
    for (std::int64_t i = 0; i < values.count(); ++i) {
        values.copy(i, in, order[static_cast<std::size_t>(i)]);
        places.set(i, order[static_cast<std::size_t>(i)]);
    }
    return {};
}

Result<void> runMajority(Interpreter& at, const Operation& op) {
    const Elements in = elements(at, op, 0);
    Elements out = elements(at, op, 1);
    const std::int64_t columns = out.count(), rows = in.count() / columns,
                       votes = integerOr(op, "rows", rows);
    const int width = in.type() == Scalar::I1 ? 1 : static_cast<int>(bytesOf(in.type())) * 8;
    for (std::int64_t c = 0; c < columns; ++c) {
        std::uint64_t bits = 0;
        for (int bit = 0; bit < width; ++bit) {
            std::int64_t set = 0;
            for (std::int64_t r = 0; r < rows; ++r)
                set += in.whole(c * rows + r) >> bit & 1;
            bits |= std::uint64_t{2 * set > votes} << bit;
        }
        out.set(c, static_cast<std::int64_t>(bits));
    }
    return {};
}

} // namespace pim::ir::cnm
