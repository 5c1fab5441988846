// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The sweeps and searches of a project for programs that read on. Flow: Project::sweeps() -> [sweepsJson] -> text.
#include "core/project/project.h"

#include <span>
#include <string>

namespace pim {

/// An array with an object for each, indented; "search" is null where all points are computed.
std::string sweepsJson(std::span<const SweepInfo> sweeps);

} // namespace pim
