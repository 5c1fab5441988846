// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of a sweep as a table that one INSERT … SELECT reads: a statement for each of a million points costs twice as much. Used by this folder
/// alone.
#include "core/compile/point_record.h"
#include "core/project/database.h"

#include <span>

namespace pim {

/// What the table "new_points" of a connection shows, as long as this lives.
class PointRows {
public:
    std::span<const PointRecord> points;
    std::span<const std::int64_t> names; ///< One a point.
    std::int64_t first = 0;              ///< Row of the sweep's point 0.

    /// Makes the table. Its columns are those of sweep_rows. Error::Database.
    Result<void> attach(const Database& database);
    PointRows() = default;
    PointRows(const PointRows&) = delete;
    PointRows& operator=(const PointRows&) = delete;
    ~PointRows(); ///< Takes the table away.

private:
    const Database* m_database = nullptr;
};

} // namespace pim
