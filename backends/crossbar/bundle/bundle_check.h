// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Does what lies in a bundle for a crossbar chip compute the network? Its program runs with its mapping on
/// numbers; its cells are compared with the weights of the model. Nothing is decided again.
/// Flow: bundle + CrossbarNetwork -> [checkCrossbarBundle] -> `pimc verify --numeric`.
#include "backends/crossbar/numeric/check.h"

#include <filesystem>

namespace pim {

struct CrossbarBundleCheck {
    CrossbarMode mode = CrossbarMode::HighThroughput;
    CrossbarCheck program;
    std::int64_t cells = 0;     ///< Weights whose cells were compared; 0 where the bundle has none.
    std::string wrongCell;      ///< The first that is not what the model says; empty: all are.
    std::string missingWeights; ///< Why the bundle has no cells.
    bool ok() const { return program.equal() && wrongCell.empty(); }
};

/// \param folder of the bundle. Errors: InvalidFile where a file of it is not sound; those of
/// checkCrossbar().
Result<CrossbarBundleCheck> checkCrossbarBundle(const std::filesystem::path& folder,
                                                const CrossbarNetwork& network, const CrossbarChip& chip,
                                                const CrossbarCheckOptions& options = {},
                                                const TaskContext& task = {});

} // namespace pim
