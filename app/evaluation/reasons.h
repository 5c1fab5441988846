// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Why a group of bars differs from the paper's, in words with numbers, computed from the breakdown of its kernels.
#include "app/evaluation/figures.h"

namespace pim::evaluation {

/// \p group: of groupMeans(figure). Some sentences; the first says how the times compare.
std::string reasonOf(const Figure& figure, const GroupMeans& group);

/// Code passes that a compiler could be asked for and that would gain nothing, with what bounds them: layout propagation
/// from product to product, a second operand buffer on \p aim. One paragraph each; what it says of AttAcc comes from the
/// products among \p figures.
std::vector<std::string> passesWithoutGain(const std::vector<Figure>& figures, const Target& aim);

} // namespace pim::evaluation
