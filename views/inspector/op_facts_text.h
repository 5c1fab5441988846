// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is known about one op, as rich text with units.
#include "core/compile/plan.h"

#include <QString>

namespace pim::views {

QString headText(const Op& op);
/// Placement, its reason, cost split and the alternative. \p stale: the figures are being recomputed.
/// The whole network: its time in parts, against its baselines. For when no op is selected.
QString networkHeadText(const Plan& plan);
QString networkText(const Plan& plan, bool stale);
QString decisionText(const Plan& plan, OpId op, bool stale);
/// Work, tensors, attributes, origin in the file. \p plan may be null.
QString factsText(const Graph& graph, const Plan* plan, OpId op);

} // namespace pim::views
