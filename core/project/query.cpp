// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/query.h"

#include "core/base/utf8.h"
#include "core/project/project_impl.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace pim {
namespace {

/// Steps of SQLite's machine between two looks at the stop token and at the memory in use: about a
/// microsecond.
constexpr int kStepsBetweenLooks = 200;
constexpr std::int64_t kWorkingBytes = std::int64_t(512) << 20; ///< Sorting and grouping may take this much.
constexpr int kColumns = 256;
constexpr int kLongestValue = 16 << 20; ///< A text or blob may not be made larger than this.
constexpr int kLongestSql = 1 << 20;

/// PRAGMAs that only tell something. [sqlite.org/pragma.html]
constexpr std::array<std::string_view, 13> kReadingPragmas{
    "table_info",  "table_xinfo",      "table_list",     "index_list", "index_info",
    "index_xinfo", "foreign_key_list", "user_version",   "page_count", "freelist_count",
    "page_size",   "database_list",    "compile_options"};
/// Of these an argument would set the value.
constexpr std::array<std::string_view, 2> kPragmasWithoutArgument{"user_version", "page_size"};

bool isOneOf(std::span<const std::string_view> list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// What a refused action would have done, for the message.
std::string actionText(int action, const char* first) {
    const std::string object = first ? fmt::format(" ({})", first) : std::string();
    switch (action) {
    case SQLITE_INSERT:
        return "INSERT" + object;
    case SQLITE_UPDATE:
        return "UPDATE" + object;
    case SQLITE_DELETE:
        return "DELETE" + object;
    case SQLITE_ATTACH:
        return "ATTACH";
    case SQLITE_DETACH:
        return "DETACH";
    case SQLITE_PRAGMA:
        return "this PRAGMA" + object;
    case SQLITE_FUNCTION:
        return "this function";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        return "a transaction";
    default:
        return "a change of the file";
    }
}

/// What watches over the statement that runs.
struct Guard {
    std::string refused; ///< What the last statement was not allowed to do.
    const TaskContext* task = nullptr;
    std::int64_t memoryBefore = 0;
    bool isTooLarge = false;
};

int look(void* context) {
    auto& guard = *static_cast<Guard*>(context);
    guard.isTooLarge = sqlite3_memory_used() - guard.memoryBefore > kWorkingBytes;
    return guard.isTooLarge || guard.task->cancelled() ? 1 : 0;
}

int authorize(void* context, int action, const char* first, const char* second, const char*, const char*) {
    auto& guard = *static_cast<Guard*>(context);
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION: {
        // Loading code is off for this connection anyway; nobody should have to know that to trust it.
        const std::string_view function = second ? second : "";
        if (function != "load_extension" && function != "fts3_tokenizer")
            return SQLITE_OK;
        guard.refused = fmt::format("{}()", function);
        return SQLITE_DENY;
    }
    case SQLITE_UPDATE: // SQLite asks this of itself when a PRAGMA is used as a table; a statement that would do it
                        // is refused by the defensive mode of the connection.
        if (first && std::string_view(first) == "sqlite_master")
            return SQLITE_OK;
        break;
    case SQLITE_PRAGMA: {
        const std::string_view pragma = first ? first : "";
        if (isOneOf(kReadingPragmas, pragma) && !(second && isOneOf(kPragmasWithoutArgument, pragma)))
            return SQLITE_OK;
        break;
    }
    default:
        break;
    }
    guard.refused = actionText(action, first);
    return SQLITE_DENY;
}

std::string lineAndColumn(std::string_view sql, std::size_t offset) {
    const std::string_view before = sql.substr(0, offset);
    return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1,
                       codePoints(before.substr(before.rfind('\n') + 1)) + 1);
}

QueryValue valueAt(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
        return std::string(text ? text : "",
                           static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
    case SQLITE_BLOB:
        return QueryBlob{sqlite3_column_bytes(statement, column)};
    default:
        return std::monostate{};
    }
}

std::size_t sizeOf(const QueryValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return sizeof(QueryValue) + (text ? text->capacity() : 0);
}

struct StatementCloser {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using OpenStatement = std::unique_ptr<sqlite3_stmt, StatementCloser>;

} // namespace

struct ProjectQuery::Impl {
    std::unique_ptr<Database> database;
    Guard guard;
    std::optional<std::size_t> errorOffset;

    sqlite3* handle() const { return database->handle(); }

    tl::unexpected<Error> failure(const std::string& sql, int status, const TaskContext& task) {
        if (!task.cancelled() && guard.isTooLarge)
            return fail(ErrorCode::Usage,
                        fmt::format("sorting or grouping needs more than {} MiB", kWorkingBytes >> 20), {},
                        "ask for less with WHERE or LIMIT");
        if (task.cancelled() || status == SQLITE_INTERRUPT)
            return TaskContext::cancelledError("the query");
        if (status == SQLITE_AUTH || !guard.refused.empty()) // functions are refused as an ordinary error
            return fail(ErrorCode::Usage,
                        fmt::format("only reading is allowed here: {} was refused",
                                    guard.refused.empty() ? "a change" : guard.refused),
                        {}, "ask with SELECT; change the project with the program itself");
        if (status == SQLITE_TOOBIG)
            return fail(ErrorCode::Usage,
                        fmt::format("a value or the query is too long: at most {} MiB", kLongestValue >> 20));
        if (status == SQLITE_ERROR) {
            const int offset = sqlite3_error_offset(handle());
            if (offset >= 0)
                errorOffset = static_cast<std::size_t>(offset);
            return fail(
                ErrorCode::Usage, sqlite3_errmsg(handle()),
                errorOffset ? lineAndColumn(sql, *errorOffset) : std::string(),
                "`pimc sql PROJECT --schema` lists tables and columns, as the window does beside the query");
        }
        return tl::unexpected<Error>(database->lastError(status));
    }

    Result<OpenStatement> prepare(const std::string& sql, const TaskContext& task) {
        sqlite3_stmt* raw = nullptr;
        const char* tail = nullptr;
        int status = sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &raw, &tail);
        OpenStatement statement(raw);
        if (status != SQLITE_OK)
            return failure(sql, status, task);
        if (!statement)
            return fail(ErrorCode::Usage, "there is nothing to run", {}, "write a SELECT");
        const auto used = static_cast<std::size_t>(tail - sql.data());
        const std::string rest = sql.substr(used);
        status = sqlite3_prepare_v2(handle(), rest.data(), static_cast<int>(rest.size()), &raw, nullptr);
        const OpenStatement second(raw);
        if (status != SQLITE_OK || second) {
            errorOffset = used + std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
            return fail(ErrorCode::Usage, "there is more than one statement",
                        lineAndColumn(sql, *errorOffset), "run one at a time");
        }
        // The last line of defence, should the list above ever miss something.
        if (!sqlite3_stmt_readonly(statement.get()))
            return fail(ErrorCode::Usage, "only reading is allowed here", {}, "ask with SELECT");
        return statement;
    }
};

ProjectQuery::ProjectQuery(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ProjectQuery::ProjectQuery(ProjectQuery&&) noexcept = default;
ProjectQuery::~ProjectQuery() = default;

Result<ProjectQuery> ProjectQuery::open(const std::filesystem::path& file) {
    auto impl = std::make_unique<Impl>();
    PIM_TRY(impl->database, openProjectForReading(file));
    PIM_CHECK(impl->database->run(
        "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON"));
    sqlite3* const handle = impl->handle();
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, kLongestSql);
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, kColumns);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_set_authorizer(handle, authorize, &impl->guard);
    return ProjectQuery(std::move(impl));
}

Result<QueryResult> ProjectQuery::run(const std::string& sql, std::size_t maxRows, const TaskContext& task) {
    Impl& impl = *m_impl;
    impl.guard.refused.clear();
    impl.errorOffset.reset();
    const auto started = std::chrono::steady_clock::now();
    // Both ways to stop: the interrupt reaches SQLite wherever it is, but is forgotten if no statement runs
    // yet.
    const std::stop_callback interrupt(task.stop, [handle = impl.handle()] { sqlite3_interrupt(handle); });
    impl.guard.task = &task;
    impl.guard.memoryBefore = sqlite3_memory_used();
    impl.guard.isTooLarge = false;
    sqlite3_progress_handler(impl.handle(), kStepsBetweenLooks, look, &impl.guard);
    struct NoHandler {
        sqlite3* handle;
        ~NoHandler() { sqlite3_progress_handler(handle, 0, nullptr, nullptr); }
    } const noHandler{impl.handle()};

    PIM_TRY(const OpenStatement statement, impl.prepare(sql, task));
    QueryResult result;
    const int columns = sqlite3_column_count(statement.get());
    for (int column = 0; column < columns; ++column) {
        const char* name = sqlite3_column_name(statement.get(), column);
        result.columns.push_back({name ? name : "", unitOfColumn(name ? name : "")});
    }
    std::size_t bytes = 0;
    for (;;) {
        const int status = sqlite3_step(statement.get());
        if (status == SQLITE_DONE)
            break;
        if (status != SQLITE_ROW)
            return impl.failure(sql, status, task);
        if ((maxRows > 0 && result.rows.size() == maxRows) || bytes > kBytes) {
            result.more = true;
            result.stoppedBy = bytes > kBytes ? fmt::format("stopped at {} rows: the answer fills {} MiB",
                                                            result.rows.size(), kBytes >> 20)
                                              : fmt::format("the first {} rows", result.rows.size());
            break;
        }
        std::vector<QueryValue>& row = result.rows.emplace_back();
        row.reserve(static_cast<std::size_t>(columns));
        for (int column = 0; column < columns; ++column) {
            row.push_back(valueAt(statement.get(), column));
            bytes += sizeOf(row.back());
        }
        if (result.rows.size() % 1024 == 0)
            task.report("reading rows", static_cast<std::int64_t>(result.rows.size()));
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    result.milliseconds = took.count();
    return result;
}

std::optional<std::size_t> ProjectQuery::errorOffset() const {
    return m_impl->errorOffset;
}

Result<std::vector<SchemaTable>> ProjectQuery::schema() const {
    PIM_TRY(Statement rows,
            m_impl->database->prepare("SELECT s.name, s.type = 'view', c.name, c.type FROM sqlite_schema s, "
                                      "pragma_table_xinfo(s.name) c "
                                      "WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite_%' "
                                      "ORDER BY s.type = 'table', s.name, c.cid"));
    std::vector<SchemaTable> tables;
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return tables;
        if (tables.empty() || tables.back().name != rows.text(0))
            tables.push_back({rows.text(0), rows.integer(1) != 0, {}});
        tables.back().columns.push_back({rows.text(2), rows.text(3), unitOfColumn(rows.text(2))});
    }
}

std::string unitOfColumn(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
        {"ns", "ns"}, {"us", "µs"}, {"ms", "ms"},   {"s", "s"},       {"pj", "pJ"},    {"nj", "nJ"},
        {"uj", "µJ"}, {"mj", "mJ"}, {"bytes", "B"}, {"percent", "%"}, {"macs", "MAC"},
    };
    const std::size_t underscore = name.rfind('_');
    const std::string_view end = underscore == std::string_view::npos ? name : name.substr(underscore + 1);
    for (const auto& [suffix, unit] : kUnits) {
        // A column that is called just "s" or "ms" says nothing about a unit; "bytes" and "macs" do.
        const bool isWord = suffix.size() > 3;
        if (end == suffix && (underscore != std::string_view::npos || isWord))
            return std::string(unit);
    }
    return {};
}

std::string queryText(const QueryValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return fmt::format("{}", *integer);
    if (const auto* real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    if (const auto* blob = std::get_if<QueryBlob>(&value))
        return fmt::format("blob of {} B", blob->bytes);
    return {};
}

std::span<const QueryExample> queryExamples() {
    static constexpr QueryExample kExamples[] = {
        {"All runs, newest first", "SELECT * FROM v_runs"},
        {"The fastest run of every model and target",
         "SELECT model, target, min(total_ms) AS total_ms, run, label\nFROM v_runs GROUP BY model, target "
         "ORDER BY model, total_ms"},
        {"Where the time goes, run by run", "SELECT * FROM v_time"},
        {"The slowest ops of the newest run",
         "SELECT op, type, placement, total_us, host_only_us, share_percent, reason\nFROM v_slowest_ops "
         "WHERE run = (SELECT max(id) FROM runs)"},
        {"What share of the newest run is rearrangement",
         "SELECT name AS op, placement, total_ns,\n       round(100 * (input_ns + output_ns) / "
         "nullif(total_ns, 0), 2) AS rearrangement_percent\n"
         "FROM run_ops WHERE run_id = (SELECT max(id) FROM runs) AND placement = 'pim'\nORDER BY "
         "rearrangement_percent DESC"},
        {"Ops whose placement is not the same in all runs",
         "SELECT name AS op, group_concat(DISTINCT placement) AS placements, count(*) AS runs\nFROM run_ops "
         "GROUP BY name HAVING count(DISTINCT placement) > 1"},
        {"How far each op is from its best run",
         "SELECT o.run_id AS run, o.name AS op, o.total_ns, b.best_ns, o.total_ns - b.best_ns AS "
         "over_best_ns\nFROM run_ops o\n"
         "JOIN (SELECT r.model_hash, p.name, min(p.total_ns) AS best_ns FROM run_ops p JOIN runs r ON r.id = "
         "p.run_id\n"
         "      GROUP BY r.model_hash, p.name) b ON b.name = o.name\nJOIN runs r ON r.id = o.run_id AND "
         "r.model_hash = b.model_hash\n"
         "WHERE o.run_id = (SELECT max(id) FROM runs) ORDER BY over_best_ns DESC"},
        {"The largest tensors that stay in memory",
         "SELECT name AS tensor, max(bytes) AS bytes, max(load_ns) AS load_ns\nFROM run_tensors WHERE "
         "residency = 'resident' GROUP BY name ORDER BY bytes DESC"},
        {"The best drafts of every op that was explored", "SELECT * FROM v_best_drafts WHERE rank <= 3"},
        {"The best drafts that the project knows from simulation", "SELECT * FROM v_known_drafts"},
        {"Decisions in force, by variant", "SELECT * FROM v_overrides"},
        {"Time spent compiling", "SELECT name AS stage, count(*) AS runs, round(avg(time_ms), 3) "
                                 "AS mean_ms, max(time_ms) AS longest_ms, sum(items) AS items\n"
                                 "FROM run_stages GROUP BY name ORDER BY mean_ms DESC"},
        {"Was anything faster than the host alone?",
         "SELECT run, model, target, times_faster_than_host, total_ms, host_only_ms\nFROM v_runs ORDER BY "
         "times_faster_than_host DESC"},
    };
    return kExamples;
}

} // namespace pim
