// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How many bytes of a product's sums are read: as many as what they are added to has, at most the four there are.
#include "core/ir/dialect.h"

#include <algorithm>
#include <map>

namespace pim::memristor {

/// By the future of the product; one that is not added to anything is read whole and not named here.
inline std::map<ir::ValueId, std::int64_t> resultBytes(const ir::Module& module) {
    std::map<ir::ValueId, std::int64_t> bytes;
    for (const ir::Operation& op : module.operations()) {
        if (op.def->name != "memristor.shift_add")
            continue;
        const ir::ValueInfo& stored = module.value(module.operand(op, 1));
        if (stored.op.valid() && module.operation(stored.op).def->name == "memristor.store_tile")
            bytes[module.operand(module.operation(stored.op), 0)] =
                std::min<std::int64_t>(ir::bytesOf(*module.type(op.firstResult).element()), 4);
    }
    return bytes;
}

} // namespace pim::memristor
