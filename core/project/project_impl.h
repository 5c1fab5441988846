// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What stands behind Project. Used by this folder alone.
#include "core/project/database.h"
#include "core/project/project.h"

namespace pim {

struct Project::Impl {
    std::unique_ptr<Database> database;
    Diagnostics problems;
    bool readOnly = false;

    /// A transaction, or why nothing may be written.
    Result<Transaction> beginChange() const {
        if (readOnly)
            return fail(ErrorCode::Database,
                        "the project is open read-only" +
                            (problems.empty() ? std::string() : ": " + problems.front().message),
                        database->file().string(), "copy it to a folder you may write to");
        return Transaction::begin(*database);
    }
    Result<void> change(std::string_view sql, const auto&... values) const {
        PIM_TRY(Transaction transaction, beginChange());
        PIM_TRY(Statement statement, database->prepare(sql));
        PIM_CHECK(statement.bind(values...).run());
        return transaction.commit();
    }
    Result<void> inTransaction(auto store, const auto&... values) const {
        PIM_TRY(Transaction transaction, beginChange());
        PIM_CHECK(store(*database, values...));
        return transaction.commit();
    }
    Result<void> requireRun(std::int64_t id) const;
};

/// For questions alone. Errors as Project::open for reading.
Result<std::unique_ptr<Database>> openProjectForReading(const std::filesystem::path& file);

} // namespace pim
