// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/point_rows.h"

#include <sqlite3.h>

#include <array>
#include <charconv>
#include <cmath>

namespace pim {
namespace {

/// Columns, in their order.
enum Column { kPoint, kTotalNs, kHostOnlyNs, kMacs, kCompileMs, kProblem, kNames, kNumbers };
constexpr const char* kTableName = "new_points";
constexpr const char* kTable =
    "CREATE TABLE new_points(point, total_ns, host_only_ns, macs, compile_ms, problem, names, numbers)";

struct Table {
    sqlite3_vtab base;
    const PointRows* rows;
};
struct Cursor {
    sqlite3_vtab_cursor base;
    std::size_t at;
};

const PointRows& rowsOf(sqlite3_vtab_cursor* cursor) {
    return *reinterpret_cast<Table*>(cursor->pVtab)->rows;
}

int connect(sqlite3* handle, void* rows, int, const char* const*, sqlite3_vtab** made, char**) {
    auto* const table = new Table{{}, static_cast<const PointRows*>(rows)};
    *made = &table->base;
    return sqlite3_declare_vtab(handle, kTable);
}
int disconnect(sqlite3_vtab* table) {
    delete reinterpret_cast<Table*>(table);
    return SQLITE_OK;
}
int bestIndex(sqlite3_vtab*, sqlite3_index_info*) {
    return SQLITE_OK;
}
int open(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
    *made = &(new Cursor{})->base;
    return SQLITE_OK;
}
int close(sqlite3_vtab_cursor* cursor) {
    delete reinterpret_cast<Cursor*>(cursor);
    return SQLITE_OK;
}
int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
    reinterpret_cast<Cursor*>(cursor)->at = 0;
    return SQLITE_OK;
}
int next(sqlite3_vtab_cursor* cursor) {
    ++reinterpret_cast<Cursor*>(cursor)->at;
    return SQLITE_OK;
}
int isAtEnd(sqlite3_vtab_cursor* cursor) {
    return reinterpret_cast<Cursor*>(cursor)->at >= rowsOf(cursor).points.size() ? 1 : 0;
}
int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(reinterpret_cast<Cursor*>(cursor)->at);
    return SQLITE_OK;
}

void giveText(sqlite3_context* context, const std::string& text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void give(sqlite3_context* context, const PointRows& rows, std::size_t at, int column) {
    const SweepPoint& point = rows.points[at];
    const auto giveTime = [&](double value) {
        if (point.problem.empty()) // else NULL
            sqlite3_result_double(context, value);
    };
    switch (column) {
    case kPoint:
        return sqlite3_result_int64(context, point.index);
    case kTotalNs:
        return giveTime(point.totalNs);
    case kHostOnlyNs:
        return giveTime(point.hostOnlyNs);
    case kMacs:
        return giveTime(point.macs);
    case kCompileMs:
        return sqlite3_result_double(context, point.compileMs);
    case kProblem:
        return sqlite3_result_text64(context, point.problem.data(), point.problem.size(), SQLITE_STATIC,
                                     SQLITE_UTF8); // there as long as the rows are
    case kNames:
        return sqlite3_result_int64(context, rows.names[at]);
    default:
        return giveText(context, numbersText(point));
    }
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
    try { // SQLite is C
        give(context, rowsOf(cursor), reinterpret_cast<Cursor*>(cursor)->at, number);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    }
    return SQLITE_OK;
}

/// Without xCreate it is there by its name alone.
constexpr sqlite3_module kModule = [] {
    sqlite3_module module{};
    module.xConnect = connect;
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnect;
    module.xOpen = open;
    module.xClose = close;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = isAtEnd;
    module.xColumn = column;
    module.xRowid = rowId;
    return module;
}();

void append(std::string& text, double value) {
    std::array<char, 32> digits{};
    text += text.size() > 1 ? "," : "";
    if (std::isinf(value))
        text += value > 0 ? "9e999" : "-9e999";
    else if (std::isnan(value))
        text += "null";
    else
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

} // namespace

Result<void> PointRows::attach(const Database& database) {
    const int status = sqlite3_create_module_v2(database.handle(), kTableName, &kModule, this, nullptr);
    if (status != SQLITE_OK)
        return tl::unexpected<Error>(database.lastError(status));
    m_database = &database;
    return {};
}

PointRows::~PointRows() {
    if (m_database)
        sqlite3_create_module_v2(m_database->handle(), kTableName, nullptr, nullptr, nullptr);
}

std::string numbersText(const SweepPoint& point) {
    std::string text = "[";
    for (const Baseline& baseline : point.baselines)
        append(text, baseline.totalNs);
    for (const auto& figure : point.figures)
        append(text, figure.second);
    return text + "]";
}

} // namespace pim
