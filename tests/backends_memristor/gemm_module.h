// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Products of any integers as programs, down to calls of the driver, and operands for them.
#include "core/base/split_mix.h"
#include "core/ir/interpret.h"
#include "core/ir/lower/cim_to_memristor.h"
#include "core/ir/lower/cinm_to_cim.h"

#include <string_view>

namespace pim::test {

/// [m][k] x [k][n]; "main" of level cinm.
inline ir::Module gemmOf(ir::Scalar element, const Shape& sizes) {
    using namespace ir;
    Module made("cinm");
    Builder to(made);
    const Type a = Type::tensor({sizes[0], sizes[1]}, element),
               b = Type::tensor({sizes[1], sizes[2]}, element),
               c = Type::tensor({sizes[0], sizes[2]}, element);
    const ValueId first = to.beginFunction("main", {a, b}, {c});
    const ValueId product = to.value("cinm.gemm", {first, ValueId(first.value + 1)}, c);
    to.endFunction({&product, 1});
    return made;
}

inline ir::Module loweredToCalls(const ir::Module& cinm, const ir::TileMapping& mapping,
                                 ir::TileSchedule schedule = ir::TileSchedule::Asap) {
    const ir::Module cim =
        ir::lowerToCim(cinm, [&](ir::OperationId, const ir::GemmShape&) { return mapping; }).value();
    return ir::lowerToMemristor(cim, schedule).value();
}

/// All bits: products wrap.
inline ir::Array randomArray(ir::Scalar element, const Shape& extents, std::uint64_t& random) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(extents[0] * extents[1]));
    for (std::int64_t& value : values)
        value = static_cast<std::int64_t>(nextRandom(random));
    return ir::arrayOf(std::span<const std::int64_t>(values), element, extents);
}

/// 1 to \p most.
inline std::int64_t upTo(std::uint64_t most, std::uint64_t& random) {
    return 1 + static_cast<std::int64_t>(nextRandom(random) % most);
}

inline ir::TileMapping randomMapping(std::uint64_t& random) {
    static constexpr std::string_view kOrders[] = {"mnk", "mkn", "nmk", "nkm", "kmn", "knm"};
    ir::TileMapping mapping;
    mapping.size = upTo(12, random);
    mapping.unroll = static_cast<int>(upTo(4, random));
    mapping.wholeRows = upTo(2, random) == 1;
    mapping.holdLeft = upTo(2, random) == 1;
    const std::string_view order = kOrders[upTo(6, random) - 1];
    std::copy_n(order.begin(), 3, mapping.order.begin());
    return mapping;
}

} // namespace pim::test
