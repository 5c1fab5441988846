// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How much of a project file its best drafts take; the drafts themselves: Project::knownDrafts().
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace pim {

/// Bytes of all pages that hold the table and its index, as SQLite's dbstat table counts them: what is
/// forgotten leaves the file as long as it was, for what comes next. Errors: Io, Database; Usage where
/// SQLite was built without dbstat [sqlite.org/dbstat.html].
Result<std::int64_t> knownDraftsBytes(const std::filesystem::path& project);

} // namespace pim
