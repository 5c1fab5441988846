// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/point_rows.h"

#include <sqlite3.h>

namespace pim {
namespace {

/// Columns, in their order.
enum Column { kId, kTotalNs, kHostOnlyNs, kMacs, kCompileMs, kProblem, kNames, kNumbers };
constexpr const char* kTableName = "new_points";
constexpr const char* kTable =
    "CREATE TABLE new_points(id, total_ns, host_only_ns, macs, compile_ms, problem, names, numbers)";

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

/// There as long as the rows are.
void giveText(sqlite3_context* context, const std::string& text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void give(sqlite3_context* context, const PointRows& rows, std::size_t at, int column) {
    const PointRecord& point = rows.points[at];
    const auto giveTime = [&](double value) {
        if (point.problem.empty()) // else NULL
            sqlite3_result_double(context, value);
    };
    switch (column) {
    case kId:
        return sqlite3_result_int64(context, rows.first + point.index);
    case kTotalNs:
        return giveTime(point.totalNs);
    case kHostOnlyNs:
        return giveTime(point.hostOnlyNs);
    case kMacs:
        return giveTime(point.macs);
    case kCompileMs:
        return sqlite3_result_double(context, point.compileMs);
    case kProblem:
        return giveText(context, point.problem);
    case kNames:
        return sqlite3_result_int64(context, rows.names[at]);
    default:
        return giveText(context, point.numbers);
    }
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
    give(context, rowsOf(cursor), reinterpret_cast<Cursor*>(cursor)->at, number);
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

} // namespace pim
