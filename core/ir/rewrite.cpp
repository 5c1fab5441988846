// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/rewrite.h"

#include "core/ir/verify.h"

namespace pim::ir {

Result<void> Rewriter::region(const Region& region, OperationId made, std::uint32_t number,
                              const Rule& rule) {
    std::vector<Type> types;
    for (std::uint32_t a = 0; a < region.argumentCount; ++a)
        types.push_back(m_from.type(Module::argument(region, a)));
    const ValueId first = m_to.enter(made, number, types);
    for (std::uint32_t a = 0; a < region.argumentCount; ++a)
        m_values[Module::argument(region, a).index()] = ValueId(first.value + static_cast<std::int32_t>(a));
    for (const OperationId inner : region.operations)
        PIM_CHECK(operation(inner, rule));
    m_to.leave();
    return {};
}

Result<void> Rewriter::operation(OperationId id, const Rule& rule) {
    const Operation& op = m_from.operation(id);
    m_to.setParent(m_from, id);
    auto replaced = rule(*this, op);
    if (!replaced) {
        if (replaced.error().where.empty())
            replaced.error().where = describe(m_from, id);
        return tl::unexpected<Error>(std::move(replaced).error());
    }
    if (*replaced)
        return {};
    std::vector<ValueId> operands;
    for (const ValueId operand : m_from.operands(op))
        operands.push_back((*this)(operand));
    std::vector<Type> results;
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        results.push_back(m_from.type(Module::result(op, r)));
    const OperationId made = m_to.create(*op.def, operands, results, op.attributes, op.regionCount);
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        set(op, m_to.result(made, r), r);
    return inside(op, made, rule);
}

Result<void> Rewriter::inside(const Operation& op, OperationId made, const Rule& rule) {
    for (std::uint32_t r = 0; r < op.regionCount; ++r)
        PIM_CHECK(region(m_from.regionOf(op, r), made, r, rule));
    return {};
}

Result<Module> Rewriter::run(const Rule& rule) {
    for (const OperationId function : m_from.functions())
        PIM_CHECK(operation(function, rule));
    return std::move(m_made);
}

} // namespace pim::ir
