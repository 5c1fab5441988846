// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is known about one op, as rich text with units.
#include "core/plan/plan.h"

#include <QString>

#include <functional>

namespace pim::views {

/// How much of a long name is shown: a name in, what fits of it out.
using NameFit = std::function<QString(const QString& name, bool large)>;

QString headText(const Op& op, const NameFit& fit);
/// Placement, its reason, cost split and the alternative. \p stale: the figures are being recomputed.
/// The whole network: its time in parts, against its baselines. For when no op is selected.
QString networkHeadText(const Plan& plan);
QString networkText(const Plan& plan, bool stale);
/// \p limit: what sets its simulated time; may be empty.
QString decisionText(const Plan& plan, OpId op, bool stale, const QString& limit = {});
/// Work, tensors, attributes, origin in the file. \p plan may be null. Names of tensors and nodes that do not fit are links
/// to "name:" and the whole of it, for a tip.
QString factsText(const Graph& graph, const Plan* plan, OpId op, const NameFit& fit);

} // namespace pim::views
