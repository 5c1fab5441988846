// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a draft of a kernel takes on UPMEM: by count, by the engine, and at least. Flow: drafts -> [pricer] -> order ->
/// [measurer] -> the choice.
#include "backends/upmem/upmem.h"
#include "core/drafts/draft_choice.h"

namespace pim::upmem {

std::unique_ptr<KernelPricer> draftPricer(const TilingSpace& space, const Target& target,
                                          const std::vector<Residency>& residency);

/// Compute by the engine, transfers as predicted. \param target outlives it.
std::unique_ptr<DraftMeasurer> draftMeasurer(const Target& target);

} // namespace pim::upmem
