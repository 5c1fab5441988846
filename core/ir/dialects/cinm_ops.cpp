// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cinm_ops.h"

#include "core/ir/dialects/element_ops.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace pim::ir::cinm {

namespace {

/// "cinm.add" -> add; merges and folds name it in an attribute.
ElementOp elementOpOf(const Operation& op) {
    const std::string_view name = textOr(op, "op", op.def->name.substr(op.def->name.find('.') + 1));
    return elementOpFromName(name).value_or(ElementOp::Add);
}

const Type& resultType(Interpreter& at, const Operation& op) {
    return at.module().type(op.firstResult);
}

/// One element of integers, each on its own.
template <class Function>
void mapIntegers(Interpreter& at, const Operation& op, Function function) {
    Array array = at.take(op, 0);
    for (std::int64_t i = 0; i < array.count(); ++i)
        storeInt(array.bytesAt(i), array.element,
                 function(loadInt(array.bytesAt(i), array.element), array.element));
    at.set(op, std::move(array));
}

template <class T>
const T* elementsOf(const Array& array) {
    return reinterpret_cast<const T*>(array.bytes->data());
}

/// Sums in Sum, rows of the result one at a time so that both operands are read in order.
template <class T, class Sum>
Array multiply(const Array& a, const Array& b, const Array* plus) {
    const std::int64_t m = a.extents[0], k = a.extents[1];
    const std::int64_t n = b.extents.size() == 1 ? 1 : b.extents[1];
    Array out = Array::make(a.element, b.extents.size() == 1 ? Shape{m} : Shape{m, n});
    std::vector<Sum> row(static_cast<std::size_t>(n));
    const T *left = elementsOf<T>(a), *right = elementsOf<T>(b);
    for (std::int64_t r = 0; r < m; ++r) {
        for (std::int64_t c = 0; c < n; ++c)
            row[static_cast<std::size_t>(c)] =
                plus ? static_cast<Sum>(elementsOf<T>(*plus)[r * n + c]) : Sum{};
        for (std::int64_t i = 0; i < k; ++i) {
            const auto factor = static_cast<Sum>(left[r * k + i]);
            for (std::int64_t c = 0; c < n; ++c)
                row[static_cast<std::size_t>(c)] += factor * static_cast<Sum>(right[i * n + c]);
        }
        auto* to = reinterpret_cast<T*>(out.bytes->data()) + r * n;
        for (std::int64_t c = 0; c < n; ++c)
            to[c] = static_cast<T>(row[static_cast<std::size_t>(c)]);
    }
    return out;
}

/// As double, for the types that have no arithmetic of their own here.
Array widened(const Array& array) {
    return arrayOf(std::span<const double>(realsOf(array)), Scalar::F64, array.extents);
}

/// Indices of the k largest by \p better, in order; of equals the first comes first.
template <class Better>
std::vector<std::int64_t> best(std::int64_t n, std::int64_t k, Better better) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::int64_t a, std::int64_t b) {
        return better(a, b) || (a < b && !better(b, a));
    });
    order.resize(static_cast<std::size_t>(k));
    return order;
}

/// Sets both results of topk and simSearch: elements of \p scores, and where they stand.
void setBest(Interpreter& at, const Operation& op, const Array& scores,
             const std::vector<std::int64_t>& order) {
    Array values = Array::make(scores.element, {static_cast<std::int64_t>(order.size())});
    const auto size = static_cast<std::size_t>(bytesOf(scores.element));
    for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(values.bytesAt(static_cast<std::int64_t>(i)), scores.bytesAt(order[i]), size);
    at.set(op, std::move(values), 0);
    at.set(
        op,
        arrayOf(std::span<const std::int64_t>(order), Scalar::I32, {static_cast<std::int64_t>(order.size())}),
        1);
}

/// Every element of the operand folded into an element of the result; \p place says which.
template <class Place>
Result<Array> fold(const Array& in, const Shape& extents, ElementOp kind, Place place) {
    Array out = Array::make(in.element, extents);
    const bool real = isFloat(in.element);
    std::vector<double> sums(static_cast<std::size_t>(real ? out.count() : 0), neutralReal(kind));
    for (std::int64_t i = 0; !real && i < out.count(); ++i)
        storeInt(out.bytesAt(i), out.element, neutralInt(kind, out.element));
    for (std::int64_t i = 0; i < in.count(); ++i) {
        const std::int64_t to = place(i);
        if (real) {
            double& sum = sums[static_cast<std::size_t>(to)];
            sum = apply(kind, sum, loadReal(in.bytesAt(i), in.element));
        } else {
            PIM_TRY(const std::int64_t value, apply(kind, loadInt(out.bytesAt(to), out.element),
                                                    loadInt(in.bytesAt(i), in.element), out.element));
            storeInt(out.bytesAt(to), out.element, value);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        storeReal(out.bytesAt(static_cast<std::int64_t>(i)), out.element, sums[i]);
    return out;
}

double similarity(std::string_view metric, std::span<const double> a, std::span<const double> b) {
    double dot = 0, squares = 0, ownSquares = 0, distance = 0;
    for (std::size_t d = 0; d < a.size(); ++d) {
        dot += a[d] * b[d];
        squares += b[d] * b[d];
        ownSquares += a[d] * a[d];
        distance += (a[d] - b[d]) * (a[d] - b[d]);
    }
    if (metric == "l2")
        return distance;
    const double norm = std::sqrt(squares * ownSquares);
    return metric == "cos" ? (norm > 0 ? dot / norm : 0) : dot;
}

} // namespace

Array product(const Array& a, const Array& b, const Array* plus) {
    switch (a.element) {
    case Scalar::I8:
        return multiply<std::int8_t, std::uint64_t>(a, b, plus);
    case Scalar::I16:
        return multiply<std::int16_t, std::uint64_t>(a, b, plus);
    case Scalar::I32:
        return multiply<std::int32_t, std::uint64_t>(a, b, plus);
    case Scalar::I64:
    case Scalar::Index:
        return multiply<std::uint64_t, std::uint64_t>(a, b, plus);
    case Scalar::I1:
        return multiply<std::uint8_t, std::uint64_t>(a, b, plus);
    case Scalar::F32:
        return multiply<float, double>(a, b, plus);
    case Scalar::F64:
        return multiply<double, double>(a, b, plus);
    default:
        break;
    }
    const Array wide = plus ? widened(*plus) : Array();
    const Array sums = multiply<double, double>(widened(a), widened(b), plus ? &wide : nullptr);
    return arrayOf(std::span<const double>(realsOf(sums)), a.element, sums.extents);
}

Result<void> runGemm(Interpreter& at, const Operation& op) {
    const Array a = at.array(op, 0).compact(), b = at.array(op, 1).compact();
    const Array plus = op.operandCount > 2 ? at.array(op, 2).compact() : Array();
    at.set(op, product(a, b, op.operandCount > 2 ? &plus : nullptr));
    return {};
}

Result<void> runBinary(Interpreter& at, const Operation& op) {
    const ElementOp kind = elementOpOf(op);
    Array left = at.take(op, 0);
    const bool scalar = at.module().type(at.module().operand(op, 1)).isScalar();
    const Array right = scalar ? Array() : at.array(op, 1).compact();
    const Cell& same = at.operand(op, 1);
    for (std::int64_t i = 0; i < left.count(); ++i) {
        std::byte* to = left.bytesAt(i);
        if (isFloat(left.element)) {
            const double b = scalar ? same.f : loadReal(right.bytesAt(i), right.element);
            storeReal(to, left.element, apply(kind, loadReal(to, left.element), b));
            continue;
        }
        const std::int64_t b = scalar ? same.i : loadInt(right.bytesAt(i), right.element);
        PIM_TRY(const std::int64_t value, apply(kind, loadInt(to, left.element), b, left.element));
        storeInt(to, left.element, value);
    }
    at.set(op, std::move(left));
    return {};
}

Result<void> runNot(Interpreter& at, const Operation& op) {
    mapIntegers(at, op, [](std::int64_t value, Scalar) { return ~value; });
    return {};
}

Result<void> runPopCount(Interpreter& at, const Operation& op) {
    mapIntegers(at, op, [](std::int64_t value, Scalar type) -> std::int64_t {
        const auto bits = static_cast<std::uint64_t>(value);
        const int width = static_cast<int>(bytesOf(type)) * 8;
        return std::popcount(width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1));
    });
    return {};
}

Result<void> runTranspose(Interpreter& at, const Operation& op) {
    const Array& in = at.array(op, 0);
    const auto perms = intsOf(op, "perms");
    Array turned = in;
    for (std::size_t d = 0; d < perms.size(); ++d) {
        turned.extents[d] = in.extents[static_cast<std::size_t>(perms[d])];
        turned.strides[d] = in.strides[static_cast<std::size_t>(perms[d])];
    }
    at.set(op, turned.compact());
    return {};
}

Result<void> runHistogram(Interpreter& at, const Operation& op) {
    const Array in = at.array(op, 0).compact();
    const std::int64_t bins = resultType(at, op).count();
    const std::int64_t depth = integerOr(op, "depth", 0);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    for (std::int64_t i = 0; i < in.count(); ++i) {
        const std::int64_t value = loadInt(in.bytesAt(i), in.element);
        const std::int64_t bin = depth > 0 ? (value * bins) >> depth : value;
        if (bin < 0 || bin >= bins)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("element {} is {}, beyond the {} bins", i, value, bins));
        ++counts[static_cast<std::size_t>(bin)];
    }
    at.set(op, arrayOf(std::span<const std::int64_t>(counts), Scalar::I32, {bins}));
    return {};
}

Result<void> runMajority(Interpreter& at, const Operation& op) {
    const Array in = at.array(op, 0).compact();
    const std::int64_t rows = in.extents[0], columns = in.extents[1];
    const int width = in.element == Scalar::I1 ? 1 : static_cast<int>(bytesOf(in.element)) * 8;
    std::vector<std::int64_t> out(static_cast<std::size_t>(columns));
    for (std::int64_t c = 0; c < columns; ++c)
        for (int bit = 0; bit < width; ++bit) {
            std::int64_t set = 0;
            for (std::int64_t r = 0; r < rows; ++r)
                set += loadInt(in.bytesAt(r * columns + c), in.element) >> bit & 1;
            if (2 * set > rows)
                out[static_cast<std::size_t>(c)] |= static_cast<std::int64_t>(std::uint64_t{1} << bit);
        }
    at.set(op, arrayOf(std::span<const std::int64_t>(out), in.element, {columns}));
    return {};
}

Result<void> runTopK(Interpreter& at, const Operation& op) {
    const Array in = at.array(op, 0).compact();
    const std::int64_t k = resultType(at, op).count();
    const auto larger = [&](std::int64_t a, std::int64_t b) {
        return isFloat(in.element) ? loadReal(in.bytesAt(a), in.element) > loadReal(in.bytesAt(b), in.element)
                                   : loadInt(in.bytesAt(a), in.element) > loadInt(in.bytesAt(b), in.element);
    };
    setBest(at, op, in, best(in.count(), k, larger));
    return {};
}

Result<void> runSimSearch(Interpreter& at, const Operation& op) {
    const std::vector<double> table = realsOf(at.array(op, 0)), query = realsOf(at.array(op, 1));
    const Scalar element = at.array(op, 0).element;
    const auto rows = static_cast<std::int64_t>(table.size() / query.size());
    const std::string_view metric = textOr(op, "metric", {});
    std::vector<double> scores;
    for (std::int64_t r = 0; r < rows; ++r)
        scores.push_back(
            similarity(metric, query,
                       std::span(table).subspan(static_cast<std::size_t>(r) * query.size(), query.size())));
    const double sign = metric == "l2" ? -1 : 1;
    const auto larger = [&](std::int64_t a, std::int64_t b) {
        return sign * scores[static_cast<std::size_t>(a)] > sign * scores[static_cast<std::size_t>(b)];
    };
    setBest(at, op, arrayOf(std::span<const double>(scores), element, {rows}),
            best(rows, resultType(at, op).count(), larger));
    return {};
}

Result<void> runReduce(Interpreter& at, const Operation& op) {
    const Array in = at.array(op, 0).compact();
    const auto dimensions = intsOf(op, "dimensions");
    // Steps of the result for each dimension of the operand; 0 for those that are folded.
    Shape steps(in.extents.size(), 0);
    std::int64_t step = 1;
    for (std::size_t d = in.extents.size(); d-- > 0;)
        if (!dimensions.empty() &&
            std::ranges::find(dimensions, static_cast<std::int64_t>(d)) == dimensions.end()) {
            steps[d] = step;
            step *= in.extents[d];
        }
    const auto place = [&](std::int64_t i) {
        std::int64_t to = 0;
        for (std::size_t d = in.extents.size(); d-- > 0; i /= in.extents[d])
            to += i % in.extents[d] * steps[d];
        return to;
    };
    PIM_TRY(Array out, fold(in, resultType(at, op).extents(), elementOpOf(op), place));
    at.set(op, std::move(out));
    return {};
}

Result<void> runScan(Interpreter& at, const Operation& op) {
    Array array = at.take(op, 0);
    const ElementOp kind = elementOpOf(op);
    const std::int64_t stride = array.strides[static_cast<std::size_t>(integerOr(op, "dimension", 0))];
    const std::int64_t extent = array.extents[static_cast<std::size_t>(integerOr(op, "dimension", 0))];
    for (std::int64_t i = 0; i < array.count(); ++i) {
        if (i / stride % extent == 0)
            continue;
        std::byte *to = array.bytesAt(i), *before = array.bytesAt(i - stride);
        if (isFloat(array.element)) {
            storeReal(to, array.element,
                      apply(kind, loadReal(before, array.element), loadReal(to, array.element)));
            continue;
        }
        PIM_TRY(const std::int64_t value,
                apply(kind, loadInt(before, array.element), loadInt(to, array.element), array.element));
        storeInt(to, array.element, value);
    }
    at.set(op, std::move(array));
    return {};
}

} // namespace pim::ir::cinm
