// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A timeline in the Trace Event Format that Perfetto and chrome://tracing open. Flow: Timeline -> [writeChromeTrace] -> .json.
/// [Trace Event Format, the Chromium project; complete events "X", metadata "M"]
#include "core/base/result.h"
#include "core/timeline/timeline.h"

#include <filesystem>

namespace pim {

/// Groups of tracks are processes, tracks threads, in their order; spans are complete events with their label as name and their kind
/// as category; bands are the first process. Timestamps are microseconds, as the format has them, down to the picosecond. Tracks that
/// only show the spans of others are left out; those others tell how many show them. Error::Io with the file; what was written stays.
Result<void> writeChromeTrace(const Timeline& timeline, const std::string& title,
                              const std::filesystem::path& file);

} // namespace pim
