// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Why a group of bars differs from the paper's, in words with numbers, computed from the breakdown of its kernels.
#include "app/evaluation/figures.h"

namespace pim::evaluation {

/// \p group: of groupMeans(figure). Some sentences; the first says how the times compare.
std::string reasonOf(const Figure& figure, const GroupMeans& group);

} // namespace pim::evaluation
