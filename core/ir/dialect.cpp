// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialect.h"

#include "core/ir/dialects/dialects.h"

#include <array>
#include <unordered_map>

namespace pim::ir {

std::span<const Dialect* const> dialects() {
    static const std::array kAll{&hostDialect(),  &cinmDialect(),      &cnmDialect(),   &cimDialect(),
                                 &upmemDialect(), &memristorDialect(), &funcDialect(),  &scfDialect(),
                                 &arithDialect(), &tensorDialect(),    &memrefDialect()};
    return kAll;
}

const OpDef* findOp(std::string_view name) {
    static const auto kOps = [] {
        std::unordered_map<std::string_view, const OpDef*> ops;
        for (const Dialect* dialect : dialects())
            for (const OpDef& op : dialect->ops)
                ops.emplace(op.name, &op);
        return ops;
    }();
    const auto found = kOps.find(name);
    return found == kOps.end() ? nullptr : found->second;
}

} // namespace pim::ir
