// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who is first where: a network on many machines for sizes of its open dimensions, and the sizes at which another machine takes over.
/// Flow: model + sizes + machines -> [winners] -> a cell for each combination, crossings along the first dimension.
#include "core/compile/sweep.h"
#include "core/compile/which.h"

namespace pim {

struct WinnerSetup {
    std::shared_ptr<const ImportedModel> model;
    GraphOptions graph;
    WhichSetup machines;         ///< Its graph is not used.
    std::vector<SweepAxis> axes; ///< One or two open dimensions, sizes ascending.
    WhichBy by = WhichBy::Request;
};

struct WinnerCell {
    std::vector<std::int64_t> sizes; ///< One an axis.
    std::string machine, second;     ///< The first and the next; empty: there is none.
    double ns = 0, secondNs = 0;
    std::string problem; ///< Not empty: the network cannot have these sizes.
};

/// Between two cells beside each other along the first axis.
struct Crossing {
    std::int64_t other = 0; ///< Size of the second axis, if there is one.
    std::string before, after;
    std::int64_t at =
        0; ///< The least size at which `after` is before `before`, found by bisection: it takes them to cross once.
};

struct WinnerMap {
    std::vector<WinnerCell> cells; ///< The last axis is the fastest.
    std::vector<Crossing> crossings;
};

/// Called with each cell as it is finished, in their order.
using WinnerCellDone = std::function<void(const WinnerCell&)>;
/// Errors: Usage (no or more than two axes, sizes that are no numbers or do not ascend, more than 1000 combinations), those of which().
Result<WinnerMap> winners(const BackendList& backends, const HostModel& hostModel, const WinnerSetup& setup,
                          const WinnerCellDone& done = {}, const TaskContext& task = {});

} // namespace pim
