// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// SQLite with owners and Results: a connection, a prepared statement, a transaction. Used by this folder
/// alone.
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace pim {

class Database;

/// A prepared statement. Bind all, step through the rows, bind again for the next use. Errors met while
/// binding are kept and returned by the next step(), so that calls can be chained.
class Statement {
public:
    Statement(Statement&& other) noexcept;
    ~Statement();

    /// Binds one value each to ?1, ?2, …; strings and blobs must live until step().
    template <class... Values>
    Statement& bind(const Values&... values) {
        reset();
        int at = 0;
        (bindOne(++at, values), ...);
        return *this;
    }
    /// \returns true where there is a row to read.
    Result<bool> step();
    /// For a statement without rows.
    Result<void> run();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::optional<double> realOrNull(int column) const;
    std::string text(int column) const;

private:
    friend class Database;
    Statement(const Database& database, sqlite3_stmt* statement)
        : m_database(&database), m_statement(statement) {}
    void reset();
    void bindOne(int at, std::int64_t value);
    void bindOne(int at, int value) { bindOne(at, static_cast<std::int64_t>(value)); }
    void bindOne(int at, bool value) { bindOne(at, static_cast<std::int64_t>(value)); }
    void bindOne(int at, double value);
    void bindOne(int at, std::string_view value);
    void bindOne(int at, const std::string& value) { bindOne(at, std::string_view(value)); }
    void bindOne(int at, const char* value) { bindOne(at, std::string_view(value)); }
    void bindOne(int at, std::span<const std::byte> value);
    void bindOne(int at, std::nullptr_t); ///< NULL
    /// NULL where there is none.
    void bindOne(int at, const std::optional<double>& value);
    void bindOne(int at, const std::optional<std::int64_t>& value);

    const Database* m_database;
    sqlite3_stmt* m_statement = nullptr;
    int m_bindStatus = 0;
};

/// One connection; waits up to 5 s for another writer.
class Database {
public:
    enum class Mode { ReadWrite, ReadOnly, Immutable };
    /// ReadWrite creates the file if absent. ReadOnly refuses every statement that writes, but removes the helper files when it is the
    /// last to close. Immutable reads a file nobody can change (read-only medium).
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Mode mode);
    /// A file in write-ahead mode needs a helper file beside it; where nothing may be written (read-only medium) it
    /// is read as it is, which is right because nobody else can write there either.
    static Result<std::unique_ptr<Database>> openForReading(const std::filesystem::path& file);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::filesystem::path& file() const { return m_file; }
    bool readOnly() const; ///< Also where ReadWrite was asked for and the system refused.

    Result<Statement> prepare(std::string_view sql) const;
    /// Runs all statements of a text.
    Result<void> run(const std::string& sql) const;
    /// First column of the first row; Error::Database if there is none.
    Result<std::int64_t> integer(std::string_view sql) const;
    Result<std::string> text(std::string_view sql) const;
    std::int64_t lastRowId() const;
    /// Has the disk begin with what a long transaction wrote so far, so that its end need not wait for all of it. Changes nothing else.
    void writeBehind() const;
    sqlite3* handle() const { return m_handle; } ///< For what only one caller needs.

    /// What SQLite complained about last, in words with a way out.
    Error lastError(int status) const;

private:
    explicit Database(std::filesystem::path file) : m_file(std::move(file)) {}
    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
};

/// While it lives a long transaction that appends writes its pages once, into the file, instead of twice, by way of the write-ahead log: others
/// can read only before and after it. Does nothing where somebody else has the file open. A killed process loses the transaction, as ever.
class WithoutLog {
public:
    explicit WithoutLog(const Database& database);
    ~WithoutLog();
    WithoutLog(const WithoutLog&) = delete;
    WithoutLog& operator=(const WithoutLog&) = delete;

private:
    const Database& m_database;
};

/// Calls \p use, which returns a Result<void>, for every row.
template <class Use>
Result<void> forEachRow(Statement& rows, Use use) {
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return {};
        PIM_CHECK(use(rows));
    }
}

template <class Use>
Result<void> forEachRow(const Database& database, std::string_view sql, Use use) {
    PIM_TRY(Statement rows, database.prepare(sql));
    return forEachRow(rows, use);
}

/// Write transaction; rolled back unless committed.
class Transaction {
public:
    static Result<Transaction> begin(const Database& database);
    Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
    ~Transaction();
    Result<void> commit();

private:
    explicit Transaction(const Database& database) : m_database(&database) {}
    const Database* m_database;
};

} // namespace pim
