// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Two stored runs set against each other: totals, parts, every op, and what makes them comparable or not.
#include "core/project/project.h"

#include <QStringList>

namespace pim::views {

struct OpDelta {
    QString name, type;
    QString placementA, placementB; ///< Empty: the op is not in that run.
    CostSplit a, b;
    double deltaNs() const { return b.totalNs() - a.totalNs(); }
};

struct RunComparison {
    RunInfo a, b;
    CostSplit totalA, totalB; ///< Sums over ops, in op order.
    std::vector<OpDelta> ops; ///< Largest |delta| first, ties in op order.
    bool sameModelAndTarget = false;
    QStringList differences; ///< One sentence each; empty: same in all that decides the outcome.
};

RunComparison compareRuns(const RunInfo& a, const std::vector<RunOp>& opsA, const RunInfo& b,
                          const std::vector<RunOp>& opsB);

/// Number of decisions of the user in a run; -1 if they cannot be read.
int overrideCount(const RunInfo& run);

} // namespace pim::views
