// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/contraction.h"

#include "core/ir/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim::ir {

namespace {

bool has(std::string_view letters, char c) {
    return letters.find(c) != std::string_view::npos;
}

/// The letters of \p from for which \p wanted holds, in order.
template <class Wanted>
std::string filtered(std::string_view from, Wanted wanted) {
    std::string kept;
    std::ranges::copy_if(from, std::back_inserter(kept), wanted);
    return kept;
}

ValueId permute(Builder& to, ValueId tensor, std::string_view from, std::string_view order) {
    std::vector<std::int64_t> perms;
    for (const char c : order)
        perms.push_back(static_cast<std::int64_t>(from.find(c)));
    return transpose(to, tensor, perms);
}

/// What the letters stand for.
class Extents {
public:
    Extents(const Module& module, const Contraction& what, ValueId left, ValueId right) {
        note(what.left, module.type(left).extents());
        note(what.right, module.type(right).extents());
    }
    Shape of(std::string_view letters) const {
        Shape extents;
        for (const char c : letters)
            extents.push_back(m_extents[static_cast<std::size_t>(c)]);
        return extents;
    }
    std::int64_t product(std::string_view letters) const {
        const Shape extents = of(letters);
        return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    }

private:
    void note(std::string_view letters, const Shape& extents) {
        for (std::size_t d = 0; d < letters.size(); ++d)
            m_extents[static_cast<std::size_t>(letters[d])] = extents[d];
    }
    std::int64_t m_extents[128] = {};
};

/// [B][M][K] x [B][K][N], one gemm for each b.
ValueId batchedGemm(Builder& to, ValueId left, ValueId right) {
    const Shape a = to.module().type(left).extents(), b = to.module().type(right).extents();
    const Scalar element = *to.module().type(left).element();
    const std::int64_t m = a[1], k = a[2], n = b[2];
    const ValueId empty = to.value("tensor.empty", {}, Type::tensor({a[0], m, n}, element));
    const auto loop = to.beginFor(a[0], 1, {&empty, 1});
    const ValueId one = extractSlice(to, left, {loop.variable, 0, 0}, {1, m, k}, {}, {m, k});
    const ValueId other = extractSlice(to, right, {loop.variable, 0, 0}, {1, k, n}, {}, {k, n});
    const ValueId product = to.value("cinm.gemm", {one, other}, Type::tensor({m, n}, element));
    const ValueId all = insertSlice(to, product, loop.carried, {loop.variable, 0, 0}, {1, m, n});
    return to.endFor(loop, {&all, 1});
}

} // namespace

Result<Contraction> parseContraction(std::string_view equation) {
    std::string text;
    std::ranges::copy_if(equation, std::back_inserter(text), [](char c) { return c != ' '; });
    const auto bad = [&](std::string_view why) {
        return fail(ErrorCode::Unsupported, fmt::format("\"{}\" {}", equation, why));
    };
    const std::size_t comma = text.find(','), arrow = std::min(text.find("->"), text.size());
    if (comma > arrow || text.find(',', comma + 1) != std::string::npos)
        return bad("has not two operands");
    Contraction what{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1),
                     arrow < text.size() ? text.substr(arrow + 2) : std::string()};
    for (std::string letters : {what.left, what.right, what.out}) {
        if (!std::ranges::all_of(letters, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); }))
            return bad("holds more than letters");
        std::ranges::sort(letters);
        if (std::ranges::adjacent_find(letters) != letters.end())
            return bad("has a letter twice in one place");
    }
    if (arrow == text.size()) {
        what.out =
            filtered(what.left + what.right, [&](char c) { return has(what.left, c) != has(what.right, c); });
        std::ranges::sort(what.out);
    }
    for (const char c : what.left + what.right)
        if (!has(what.out, c) && has(what.left, c) != has(what.right, c))
            return bad("sums one operand alone");
    for (const char c : what.out)
        if (!has(what.left, c) && !has(what.right, c))
            return bad("has a letter in the result alone");
    return what;
}

ValueId transpose(Builder& to, ValueId tensor, const std::vector<std::int64_t>& perms) {
    if (std::ranges::is_sorted(perms))
        return tensor;
    const Type type = to.module().type(tensor);
    Shape extents;
    for (const std::int64_t dim : perms)
        extents.push_back(type.extents()[static_cast<std::size_t>(dim)]);
    return to.value("cinm.transpose", {tensor}, Type::tensor(extents, *type.element()),
                    {{"perms", ints(perms)}});
}

ValueId contract(Builder& to, const Contraction& what, ValueId left, ValueId right) {
    const std::string batch =
        filtered(what.left, [&](char c) { return has(what.right, c) && has(what.out, c); });
    const std::string summed =
        filtered(what.left, [&](char c) { return has(what.right, c) && !has(what.out, c); });
    const std::string rows = filtered(what.left, [&](char c) { return !has(what.right, c); });
    const std::string columns = filtered(what.right, [&](char c) { return !has(what.left, c); });
    const Extents extents(to.module(), what, left, right);
    const std::int64_t b = extents.product(batch), m = extents.product(rows), k = extents.product(summed),
                       n = extents.product(columns);
    left = permute(to, left, what.left, batch + rows + summed);
    right = permute(to, right, what.right, batch + summed + columns);
    const Scalar element = *to.module().type(left).element();
    ValueId out;
    if (b > 1) {
        out = batchedGemm(to, reshape(to, left, {b, m, k}), reshape(to, right, {b, k, n}));
    } else if (columns.empty()) {
        const ValueId matrix = reshape(to, left, {m, k});
        out = to.value("cinm.gemv", {matrix, reshape(to, right, {k})}, Type::tensor({m}, element));
    } else {
        const ValueId matrix = reshape(to, left, {m, k});
        out = to.value("cinm.gemm", {matrix, reshape(to, right, {k, n})}, Type::tensor({m, n}, element));
    }
    out = reshape(to, out, extents.of(batch + rows + columns));
    return permute(to, out, batch + rows + columns, what.out);
}

} // namespace pim::ir
