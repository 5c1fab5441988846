// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Host or PIM for every op of a network at once, the movement of operands included.
#include "core/drafts/dataflow.h"
#include "core/plan/plan.h"

#include <optional>

namespace pim {

/// What placement needs to know of one op.
struct OpPrice {
    double hostNs = 0;
    std::optional<double> pimNs;    ///< Host memory not counted; absent: PIM cannot run it.
    std::optional<DeviceId> pinned; ///< Decided already.
    struct Read {
        TensorId tensor;
        double ns = 0; ///< From host memory, if it lies there.
    };
    std::vector<Read> reads; ///< Streamed operands.
    double writeNs = 0;      ///< The result to host memory, if anybody there needs it.
};

/// Minimises the sum of: the time of every op where it is placed; for each streamed operand of an op on PIM that does not
/// come from PIM, its read; for each result made on PIM that an op on the host or the user needs, one write. Exact
/// (minimum cut). Ties go to the host.
std::vector<DeviceId> placeOps(const Dataflow& flow, const std::vector<OpPrice>& prices);

/// Does anybody outside PIM need the result? \p value must be made by an op.
bool neededOnHost(const FlowValue& value, const std::vector<DeviceId>& placement);

} // namespace pim
