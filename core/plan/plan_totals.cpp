// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

namespace pim {

void priceOnHost(Plan& plan, const HostModel& model, DataType type) {
    plan.ops.resize(plan.graph->ops.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        OpPlan& op = plan.ops[i];
        op.op = OpId(static_cast<std::int64_t>(i));
        const HostCost host = model.cost(*plan.graph, op.op, plan.target->host, type);
        op.hostKnown = host.known;
        op.hostNs = host.known ? host.ns : 0;
    }
}

Diagnostic hostCostUnknown(const Op& op) {
    return {Severity::Note,
            op.name,
            fmt::format("{} runs on the host at unknown cost, counted as 0", op.type),
            {}};
}

void addUp(Plan& plan) {
    plan.total = {};
    plan.hostOnlyNs = 0;
    for (const OpPlan& op : plan.ops) {
        plan.total += op.cost;
        plan.hostOnlyNs += op.hostNs;
    }
}

} // namespace pim
