// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The figures that every plan has, however it was found: what each op costs on the host, and the sums over ops.
#include "core/plan/host_model.h"
#include "core/plan/plan.h"

namespace pim {

/// Makes an entry for each op of the graph, on the host, with what it would cost there. Where the op runs in
/// the end, and so OpPlan::cost, is up to the caller.
void priceOnHost(Plan& plan, const HostModel& model, DataType type);

/// For Plan::problems, where an op stays on the host and OpPlan::hostKnown is false.
Diagnostic hostCostUnknown(const Op& op);

/// Plan::total and Plan::hostOnlyNs, in op order.
void addUp(Plan& plan);

} // namespace pim
