// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/database.h"

#include "core/base/file_io.h"
#include "core/base/log.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

namespace pim {
namespace {

constexpr int kBusyTimeoutMs = 5000;

/// What SQLite finds worth a line. A call that failed says so itself; this tells what was before it.
void hearSqlite() {
    static std::once_flag once;
    std::call_once(once, [] { // refused where somebody else of the process uses SQLite already
        sqlite3_config(
            SQLITE_CONFIG_LOG,
            +[](void*, int code, const char* text) {
                Log::get().write(LogLevel::Info, "project", fmt::format("SQLite ({}): {}", code, text));
            },
            nullptr);
    });
}

/// SQLite URI of a path: the characters with a meaning in a URI are escaped. [sqlite.org/uri.html]
std::string uriOf(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : file.string()) {
        if (c == '?' || c == '#' || c == '%')
            uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
        else
            uri += c;
    }
    return uri;
}

} // namespace

Statement::Statement(Statement&& other) noexcept
    : m_database(other.m_database), m_statement(std::exchange(other.m_statement, nullptr)),
      m_bindStatus(other.m_bindStatus) {}

Statement::~Statement() {
    sqlite3_finalize(m_statement);
}

void Statement::reset() {
    sqlite3_reset(m_statement);
    sqlite3_clear_bindings(m_statement);
    m_bindStatus = SQLITE_OK;
}

Result<bool> Statement::step() {
    const int status = m_bindStatus != SQLITE_OK ? m_bindStatus : sqlite3_step(m_statement);
    if (status == SQLITE_ROW)
        return true;
    // Reset at once: a statement left open would hold its transaction.
    Error error;
    if (status != SQLITE_DONE)
        error = m_database->lastError(status);
    sqlite3_reset(m_statement);
    if (status != SQLITE_DONE)
        return tl::unexpected<Error>(std::move(error));
    return false;
}

Result<void> Statement::run() {
    PIM_CHECK(step());
    return {};
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(m_statement, column);
}

std::optional<double> Statement::realOrNull(int column) const {
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL ? std::nullopt
                                                                   : std::optional(real(column));
}

std::string Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)))
                : std::string();
}

void Statement::bindOne(int at, std::int64_t value) {
    m_bindStatus |= sqlite3_bind_int64(m_statement, at, value);
}
void Statement::bindOne(int at, double value) {
    m_bindStatus |= sqlite3_bind_double(m_statement, at, value);
}
void Statement::bindOne(int at, std::nullptr_t) {
    m_bindStatus |= sqlite3_bind_null(m_statement, at);
}

void Statement::bindOne(int at, const std::optional<double>& value) {
    if (value)
        bindOne(at, *value);
    else
        bindOne(at, nullptr);
}

void Statement::bindOne(int at, const std::optional<std::int64_t>& value) {
    if (value)
        bindOne(at, *value);
    else
        bindOne(at, nullptr);
}

void Statement::bindOne(int at, std::string_view value) {
    // A null pointer would bind NULL, not the empty text.
    m_bindStatus |= sqlite3_bind_text64(m_statement, at, value.data() ? value.data() : "", value.size(),
                                        SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bindOne(int at, std::span<const std::byte> value) {
    m_bindStatus |=
        sqlite3_bind_blob64(m_statement, at, value.data() ? static_cast<const void*>(value.data()) : "",
                            value.size(), SQLITE_STATIC);
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Mode mode) {
    std::unique_ptr<Database> database(new Database(file));
    const std::string uri = uriOf(file) + (mode == Mode::Immutable ? "?immutable=1" : "");
    // A connection that may not write at all cannot tidy up either: it would leave an empty log beside the project.
    const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (mode == Mode::ReadWrite  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                       : mode == Mode::ReadOnly ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READONLY);
    hearSqlite();
    const int status = sqlite3_open_v2(uri.c_str(), &database->m_handle, flags, nullptr);
    if (status != SQLITE_OK)
        return tl::unexpected<Error>(database->lastError(status));
    sqlite3_busy_timeout(database->m_handle, kBusyTimeoutMs);
    // A project file may come from anywhere: nothing stored in it may run code or damage it.
    sqlite3_db_config(database->m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database->m_handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    PIM_CHECK(database->run(mode == Mode::ReadWrite ? "PRAGMA foreign_keys = ON" : "PRAGMA query_only = ON"));
    return database;
}

Result<std::unique_ptr<Database>> Database::openForReading(const std::filesystem::path& file) {
    PIM_TRY(auto database, open(file, Mode::ReadOnly));
    const auto readable = database->integer("SELECT count(*) FROM sqlite_schema");
    if (readable)
        return database;
    // Changes that wait in a write-ahead log would be missed, and half a change would be seen that a journal takes
    // back: then the failure is the truth.
    std::error_code error;
    const auto isWaiting = [&](const char* suffix) {
        const std::filesystem::path log = file.string() + suffix;
        return std::filesystem::exists(log, error) && std::filesystem::file_size(log, error) > 0;
    };
    if (readable.error().code != ErrorCode::Io || isWaiting("-wal") || isWaiting("-journal"))
        return tl::unexpected<Error>(readable.error());
    return open(file, Mode::Immutable);
}

Database::~Database() {
    sqlite3_close_v2(m_handle);
}

bool Database::readOnly() const {
    return sqlite3_db_readonly(m_handle, "main") != 0;
}
std::int64_t Database::lastRowId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

void Database::writeBehind() const {
    // SQLite locks other files than its log, so that closing it here frees nothing.
    const int log = openHandle(m_file.string() + "-wal", O_RDONLY | O_CLOEXEC);
    if (log < 0)
        return;
    (void)::sync_file_range(log, 0, 0, SYNC_FILE_RANGE_WRITE);
    ::close(log);
}

WithoutLog::WithoutLog(const Database& database) : m_database(database) {
    sqlite3_busy_timeout(database.handle(), 0);
    (void)database.text("PRAGMA journal_mode = DELETE"); // refused while others have it open
    sqlite3_busy_timeout(database.handle(), kBusyTimeoutMs);
}

WithoutLog::~WithoutLog() {
    (void)m_database.text("PRAGMA journal_mode = WAL"); // else the next to open the project does it
}

Result<Statement> Database::prepare(std::string_view sql) const {
    sqlite3_stmt* statement = nullptr;
    const int status =
        sqlite3_prepare_v3(m_handle, sql.data(), static_cast<int>(sql.size()), 0, &statement, nullptr);
    if (status != SQLITE_OK)
        return tl::unexpected<Error>(lastError(status));
    return Statement(*this, statement);
}

Result<void> Database::run(const std::string& sql) const {
    const int status = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr);
    if (status != SQLITE_OK)
        return tl::unexpected<Error>(lastError(status));
    return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
    PIM_TRY(Statement statement, prepare(sql));
    PIM_TRY(const bool row, statement.step());
    if (!row)
        return fail(ErrorCode::Database, fmt::format("no answer to \"{}\"", sql), m_file.string());
    return statement.integer(0);
}

Result<std::string> Database::text(std::string_view sql) const {
    PIM_TRY(Statement statement, prepare(sql));
    PIM_TRY(const bool row, statement.step());
    if (!row)
        return fail(ErrorCode::Database, fmt::format("no answer to \"{}\"", sql), m_file.string());
    return statement.text(0);
}

Error Database::lastError(int status) const {
    const auto error = [this](ErrorCode code, std::string message, std::string hint) {
        return Error{code, std::move(message), m_file.string(), std::move(hint)};
    };
    const int systemError = m_handle ? sqlite3_system_errno(m_handle) : 0;
    std::string why = systemError != 0 ? std::strerror(systemError) : sqlite3_errstr(status);
    switch (status & 0xff) {
    case SQLITE_NOTADB:
        return error(ErrorCode::Database, "not a PIM Studio project: the file is no SQLite database",
                     "choose a .pimproj file");
    case SQLITE_CORRUPT:
        return error(ErrorCode::Database,
                     fmt::format("the project file is damaged ({})", sqlite3_errmsg(m_handle)),
                     "restore a copy, or try `sqlite3 FILE .recover`");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error(ErrorCode::Database,
                     fmt::format("locked: another program has been writing to it for more than {} s",
                                 kBusyTimeoutMs / 1000),
                     "close the other program or try again");
    case SQLITE_FULL:
        return error(ErrorCode::Io, "the disk is full; nothing of this change was stored",
                     "free some space and try again");
    case SQLITE_READONLY:
        return error(ErrorCode::Io, "the project is read-only", "copy it to a folder you may write to");
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        // What SQLite tried last was to read it, which says nothing about a file that it could not make.
        if (std::error_code unknown; !std::filesystem::exists(m_file, unknown))
            if (const auto folder = std::filesystem::absolute(m_file, unknown).parent_path();
                ::access(folder.c_str(), W_OK) != 0)
                why = std::strerror(errno);
        return error(ErrorCode::Io, fmt::format("cannot open the project: {}", why),
                     "check that the folder exists and that you may write to it");
    case SQLITE_IOERR:
        return error(
            ErrorCode::Io,
            fmt::format("cannot read or write the project: {}; nothing of this change was stored", why),
            "check the disk and the limits on file size");
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
        return error(ErrorCode::Database,
                     fmt::format("too much data for one record: {}", sqlite3_errstr(status)),
                     "keep fewer explorations with the run");
    default:
        return error(ErrorCode::Database,
                     fmt::format("{} (SQLite error {})", m_handle ? sqlite3_errmsg(m_handle) : why, status),
                     {});
    }
}

Result<Transaction> Transaction::begin(const Database& database) {
    // IMMEDIATE takes the write lock now: a transaction that only finds out later cannot wait for the other
    // writer.
    PIM_CHECK(database.run("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::~Transaction() {
    if (m_database)
        (void)m_database->run("ROLLBACK");
}

Result<void> Transaction::commit() {
    PIM_CHECK(m_database->run("COMMIT"));
    m_database = nullptr;
    return {};
}

} // namespace pim
