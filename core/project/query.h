// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Questions to a project file in SQL, for a person or a script: reads only, can be stopped at any moment,
/// takes bounded memory whatever is asked. Over a connection of its own, so that it may run on any thread.
#include "core/base/task.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace pim {

/// A value as SQLite has it; a blob is told by its size alone.
struct QueryBlob {
    std::int64_t bytes = 0;
    friend bool operator==(const QueryBlob&, const QueryBlob&) = default;
};
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string, QueryBlob>;

struct QueryColumn {
    std::string name;
    std::string unit; ///< "ns", "B", …; empty: none or not known.
};

struct QueryResult {
    std::vector<QueryColumn> columns;
    std::vector<std::vector<QueryValue>> rows;
    bool more = false;     ///< There are further rows that were not read.
    std::string stoppedBy; ///< Why reading ended before all rows, in words; empty: it did not.
    double milliseconds = 0;
};

struct SchemaColumn {
    std::string name, type, unit;
};
struct SchemaTable {
    std::string name;
    bool isView = false;
    std::vector<SchemaColumn> columns;
};

/// A question worth asking, ready to run.
struct QueryExample {
    std::string_view title, sql;
};
std::span<const QueryExample> queryExamples();

/// Unit of a column from the end of its name: "total_ns" -> "ns", "bytes" -> "B", "share_percent" -> "%".
std::string unitOfColumn(std::string_view name);
/// For a person and for CSV: numbers unrounded, NULL as an empty text, a blob as its size.
std::string queryText(const QueryValue& value);

class ProjectQuery {
public:
    static constexpr std::size_t kRows = 1000;                   ///< Read at once unless asked for more.
    static constexpr std::size_t kBytes = std::size_t(64) << 20; ///< Of texts and numbers in one answer.

    /// Errors as Project::open for reading.
    static Result<ProjectQuery> open(const std::filesystem::path& file);
    ProjectQuery(ProjectQuery&&) noexcept;
    ~ProjectQuery();

    /// One SELECT, WITH, VALUES, EXPLAIN or reading PRAGMA. \param maxRows 0: no limit but that of memory.
    /// Errors: Usage (wrong SQL, with "line 2, column 5" as Error::where; anything that is not reading),
    /// Cancelled, Database.
    Result<QueryResult> run(const std::string& sql, std::size_t maxRows = kRows,
                            const TaskContext& task = {});
    /// Where in the text of the last run() that failed the mistake is, in bytes; absent if SQLite cannot say.
    std::optional<std::size_t> errorOffset() const;

    /// Tables and views, each with its columns in order.
    Result<std::vector<SchemaTable>> schema() const;

private:
    struct Impl;
    explicit ProjectQuery(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace pim
