// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From one level to the next: every op is copied unless a rule replaces it. What is made for an op comes from it.
#include "core/base/result.h"
#include "core/ir/module.h"

#include <functional>

namespace pim::ir {

class Rewriter {
public:
    /// \returns true if the rule made something else of the op and named its results with set().
    using Rule = std::function<Result<bool>(Rewriter&, const Operation&)>;

    Rewriter(const Module& from, std::string level) : m_from(from), m_made(std::move(level)) {}

    const Module& from() const { return m_from; }
    Builder& to() { return m_to; }
    /// What stands for a value of the old level.
    ValueId operator()(ValueId old) const { return m_values[old.index()]; }
    ValueId operand(const Operation& op, std::size_t n) const { return (*this)(m_from.operand(op, n)); }
    void set(const Operation& op, ValueId made, std::uint32_t n = 0) {
        m_values[Module::result(op, n).index()] = made;
    }
    /// The whole module by \p rule.
    Result<Module> run(const Rule& rule);
    /// For rules: what is inside \p op becomes what is inside \p made, which has as many regions, by \p rule.
    Result<void> inside(const Operation& op, OperationId made, const Rule& rule);

private:
    Result<void> region(const Region& region, OperationId made, std::uint32_t number, const Rule& rule);
    Result<void> operation(OperationId id, const Rule& rule);

    const Module& m_from;
    Module m_made;
    Builder m_to{m_made};
    std::vector<ValueId> m_values = std::vector<ValueId>(m_from.valueCount());
};

} // namespace pim::ir
