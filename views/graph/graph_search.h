// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The search line of the graph: `conv1 type:Conv shape:64 dtype:f16 on:pim time:>1ms`.
#include "core/compile/plan.h"

#include <QString>

namespace pim::views {

/// Ops that match all words, in graph order. A plain word must occur in the name or be the type; case does
/// not count. Keys: name, type, shape (of an output), dtype, class, on (host, pim), time, macs, bytes, ai;
/// the last four take
/// `>`, `>=`, `<`, `<=` or `=` and a number with an optional unit (ns us ms s, k M G T, B KiB MiB GiB).
/// \p plan may be null: then `on:` and `time:` match nothing.
/// Error::Usage names the word that makes no sense.
Result<std::vector<OpId>> searchGraph(const Graph& graph, const Plan* plan, const QString& query);

} // namespace pim::views
