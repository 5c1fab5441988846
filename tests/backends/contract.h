// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every family of hardware promises, tried on one of its targets with a real network: the same for all, and for the
/// one that only tests have (tests/backends_toy).
#include "core/graph/graph.h"
#include "core/plan/backend.h"

#include <QString>

namespace pim::test {

/// Compiles \p graph for \p target twice, asks for every decision, lowers, simulates, runs on numbers, writes and verifies a
/// bundle. \returns the first promise that is not kept, in words; empty: all are.
QString brokenPromise(const BackendList& backends, const std::shared_ptr<const Target>& target,
                      const std::shared_ptr<const Graph>& graph, const CompileOptions& chosen = {});

} // namespace pim::test
