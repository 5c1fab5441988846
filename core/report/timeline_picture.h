// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the units of a machine did when, on paper: a row a track, its colour what it does most of the time there, its height how much of
/// the time. Flow: Simulation -> Timeline -> [timelinePicture] -> Drawing -> html_writer.h.
#include "core/base/result.h"
#include "core/plan/document.h"
#include "core/timeline/timeline.h"

namespace pim::report {

/// \param most rows, at least 1: where there are more tracks, groups that have a track standing for the others show that one, and of the
/// other groups as many as there is room for; how many are left out is said. O(spans).
/// Errors: Unsupported where nothing was recorded.
Result<Drawing> timelinePicture(const Timeline& timeline, std::size_t most);

} // namespace pim::report
