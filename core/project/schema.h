// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tables of the project file and the way from every older version to the newest. Times are nanoseconds,
/// sizes bytes; the views (v_…) answer the common questions with units in the column names.
#include "core/project/database.h"

#include <span>

namespace pim {

/// "PIMS": what `file` and SQLite know the format by.
inline constexpr std::int64_t kApplicationId = 0x50494d53;

/// Takes a file from version \ref to - 1 to \ref to. Never edited once released: a change is a new migration.
struct Migration {
    int to;
    const char* sql;
};

std::span<const Migration> projectMigrations();

/// Brings the file to the newest version in one transaction: all of it happens or nothing does.
Result<void> migrate(const Database& database, std::span<const Migration> migrations);

} // namespace pim
