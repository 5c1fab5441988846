// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim::ir {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

/// One entry of a list: "T[M,K]", "&i32[*S]?", "any*".
struct Pattern {
    std::string_view text;
    bool optional = false, repeated = false;
};

/// Takes the next entry of \p list, which commas outside brackets separate.
Pattern takePattern(std::string_view& list) {
    std::size_t end = 0;
    for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end)
        depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
    Pattern pattern{trimmed(list.substr(0, end))};
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!pattern.text.empty() && (pattern.text.back() == '?' || pattern.text.back() == '*')) {
        pattern.optional = pattern.text.back() == '?';
        pattern.repeated = !pattern.optional;
        pattern.text.remove_suffix(1);
    }
    return pattern;
}

/// What the letters of a signature have been found to stand for.
class Letters {
public:
    Result<void> match(const Type& type, const Pattern& pattern, const std::string& where);

private:
    Result<void> matchElement(const Type& type, std::string_view pattern, const std::string& where);
    Result<void> matchExtents(const Type& type, std::string_view pattern, const std::string& where);
    tl::unexpected<Error> mismatch(const std::string& where, std::string found, std::string wanted) const {
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} is {}, expected {}", where, std::move(found), std::move(wanted)));
    }

    struct Extent {
        std::int64_t value = -1;
        std::string where;
    };
    std::array<std::optional<Scalar>, 26> m_elements;
    std::array<Extent, 26> m_extents;
    std::optional<Shape> m_shape;
};

Result<void> Letters::matchElement(const Type& type, std::string_view pattern, const std::string& where) {
    const std::optional<Scalar> element = type.element();
    if (!element)
        return mismatch(where, type.text(), "numbers");
    if (pattern.size() > 1) {
        if (name(*element) != pattern)
            return mismatch(where, type.text(), std::string(pattern));
        return {};
    }
    auto& bound = m_elements[static_cast<std::size_t>(pattern[0] - 'A')];
    if (!bound)
        bound = element;
    if (bound != element)
        return mismatch(where, type.text(), "elements of type " + std::string(name(*bound)));
    return {};
}

Result<void> Letters::matchExtents(const Type& type, std::string_view pattern, const std::string& where) {
    const Shape& extents = type.extents();
    if (pattern.starts_with('*')) {
        if (pattern.size() > 1 && !m_shape)
            m_shape = extents;
        if (pattern.size() > 1 && *m_shape != extents)
            return mismatch(where, type.text(), "shape " + shapeText(*m_shape));
        return {};
    }
    const auto wanted = pattern.empty() ? 0 : 1 + std::ranges::count(pattern, ',');
    if (type.rank() != wanted)
        return mismatch(where, type.text(), fmt::format("{} dimensions", wanted));
    for (std::size_t d = 0; d < extents.size(); ++d) {
        Extent& bound = m_extents[static_cast<std::size_t>(pattern[2 * d] - 'A')];
        if (bound.value < 0)
            bound = {extents[d], where};
        if (bound.value != extents[d])
            return fail(ErrorCode::InvalidFile, fmt::format("{} is {} in {} and {} in {}", pattern[2 * d],
                                                            bound.value, bound.where, extents[d], where));
    }
    return {};
}

Result<void> Letters::match(const Type& type, const Pattern& pattern, const std::string& where) {
    std::string_view text = pattern.text;
    if (text == "any")
        return {};
    if (text.starts_with('!')) {
        if (!type.isDialect(text.substr(1)))
            return mismatch(where, type.text(), std::string(text));
        return {};
    }
    const bool memref = text.starts_with('&');
    if (memref)
        text.remove_prefix(1);
    const std::size_t bracket = text.find('[');
    const TypeForm wanted = memref                              ? TypeForm::MemRef
                            : bracket == std::string_view::npos ? TypeForm::Scalar
                                                                : TypeForm::Tensor;
    if (type.form() != wanted)
        return mismatch(where, type.text(),
                        memref                       ? "a memref"
                        : wanted == TypeForm::Tensor ? "a tensor"
                                                     : "a scalar");
    PIM_CHECK(matchElement(type, text.substr(0, bracket), where));
    if (bracket == std::string_view::npos)
        return {};
    return matchExtents(type, text.substr(bracket + 1, text.size() - bracket - 2), where);
}

/// \param kind "operand" or "result".
Result<void> matchList(const Module& module, Letters& letters, std::string_view list,
                       std::span<const ValueId> values, std::string_view kind) {
    std::size_t next = 0;
    std::string_view rest = trimmed(list);
    while (!rest.empty()) {
        const Pattern pattern = takePattern(rest);
        do {
            if (next == values.size()) {
                if (pattern.optional || pattern.repeated)
                    break;
                return fail(ErrorCode::InvalidFile,
                            fmt::format("has {} {}s, expected {}", values.size(), kind, trimmed(list)));
            }
            PIM_CHECK(letters.match(module.type(values[next]), pattern, fmt::format("{} {}", kind, next)));
            ++next;
        } while (pattern.repeated);
    }
    if (next < values.size())
        return fail(ErrorCode::InvalidFile, fmt::format("has {} {}s, expected {}", values.size(), kind,
                                                        next == 0 ? "none" : std::string(trimmed(list))));
    return {};
}

Result<void> matchSignature(const Module& module, const Operation& op) {
    const std::string_view signature = op.def->signature;
    const std::size_t arrow = signature.find("->");
    Letters letters;
    PIM_CHECK(matchList(module, letters, signature.substr(0, arrow), module.operands(op), "operand"));
    std::vector<ValueId> results;
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        results.push_back(Module::result(op, r));
    return matchList(module, letters, signature.substr(arrow + 2), results, "result");
}

Result<void> verifyRegions(const Module& module, const Operation& op) {
    if (op.regionCount != op.def->regions)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("has {} regions, expected {}", op.regionCount, op.def->regions));
    for (std::uint32_t r = 0; r < op.regionCount; ++r) {
        const auto& ops = module.regionOf(op, r).operations;
        if (ops.empty() || !module.operation(ops.back()).def->endsRegion)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("region {} does not end with a yield, return or terminator", r));
    }
    return {};
}

/// Set before, in this region or one around it.
bool isVisible(const Module& module, ValueId value, OperationId user) {
    const ValueInfo& info = module.value(value);
    if (info.op.valid() && info.op >= user)
        return false;
    RegionId region = module.operation(user).parent;
    while (region.valid() && region != info.region)
        region = module.operation(module.region(region).owner).parent;
    return region.valid();
}

Result<void> verifyUses(const Module& module, OperationId id) {
    const Operation& op = module.operation(id);
    for (std::uint32_t n = 0; n < op.operandCount; ++n)
        if (!isVisible(module, module.operand(op, n), id))
            return fail(ErrorCode::InvalidFile, fmt::format("operand {} is not set before it is used", n));
    const bool isFunction = op.def->name == "func.func";
    if (isFunction == op.parent.valid())
        return fail(ErrorCode::InvalidFile,
                    isFunction ? "a function stands inside another op" : "stands outside of a function");
    if (op.def->endsRegion && module.region(op.parent).operations.back() != id)
        return fail(ErrorCode::InvalidFile, "ends its region, but ops follow it");
    return {};
}

Result<void> verifyOp(const Module& module, OperationId id) {
    const Operation& op = module.operation(id);
    PIM_CHECK(verifyUses(module, id));
    PIM_CHECK(matchSignature(module, op));
    PIM_CHECK(verifyRegions(module, op));
    return op.def->verify ? op.def->verify(module, op) : Result<void>();
}

} // namespace

std::string describe(const Module& module, OperationId op) {
    std::string text = fmt::format("{} #{}", module.operation(op).def->name, op.value);
    const auto& names = module.location(module.operation(op)).graphOps;
    return names.empty() ? text : text + " (" + names.front() + (names.size() > 1 ? ", …)" : ")");
}

Result<void> verify(const Module& module, OperationId op) {
    auto verified = verifyOp(module, op);
    if (!verified && verified.error().where.empty())
        verified.error().where = describe(module, op);
    return verified;
}

Result<void> verify(const Module& module) {
    for (std::size_t i = 0; i < module.size(); ++i)
        PIM_CHECK(verify(module, OperationId(static_cast<std::int64_t>(i))));
    return {};
}

} // namespace pim::ir
