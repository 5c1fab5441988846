// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The search line of the graph: `conv1 type:Conv shape:64x* attr:kernel_shape=3 placement:pim cost:>1ms`.
#include "views/graph/graph_overlay.h"

namespace pim::views {

/// Ops that match all words, in graph order. A plain word must occur in the name or be the type; case does not count,
/// `*` and `?` stand for letters, `"…"` keeps blanks, a `-` before a key turns it round. Keys:
/// - name, type, class, block (a repeated part), dtype, shape (of an output: extents next to one another, `*` for any),
///   attr (`attr:strides`, `attr:kernel_shape=3x3`), placement or on (host, pim);
/// - cost or time, energy, moved, bytes, rearranged, error, macs, ai: `>`, `>=`, `<`, `<=` or `=` and a number with an
///   optional unit (ns us ms s, pJ nJ uJ mJ J, k M G T, B KiB MiB GiB, %).
/// What is not known in \p source matches no key but a turned one. Error::Usage says what is allowed.
Result<std::vector<OpId>> searchGraph(const OverlaySource& source, const BlockTree* blocks, const QString& query);

} // namespace pim::views
