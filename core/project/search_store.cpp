// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/search_store.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

std::string namesJson(const std::vector<std::string>& names) {
    return nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<std::string>> namesFrom(const Database& database, const std::string& text) {
    const auto names = nlohmann::json::parse(text, nullptr, false);
    if (!names.is_array() || !std::ranges::all_of(names, [](const auto& name) { return name.is_string(); }))
        return fail(ErrorCode::Database, fmt::format("a search has objectives that are none: {}", text),
                    database.file().string(), "restore a copy of the project");
    return names.get<std::vector<std::string>>();
}

} // namespace

Result<void> storeSearch(const Database& database, std::int64_t sweep, const StoredSearch& search) {
    PIM_TRY(Statement row, database.prepare("INSERT OR REPLACE INTO sweep_searches VALUES(?,?,?,?,?,?)"));
    const std::string seed = std::to_string(search.options.seed), objectives = namesJson(search.objectives);
    return row
        .bind(sweep, name(search.options.method), search.options.evaluations, seed, objectives,
              std::int64_t{search.isFinished})
        .run();
}

Result<std::optional<StoredSearch>> readSearch(const Database& database, std::int64_t sweep) {
    PIM_TRY(Statement row, database.prepare("SELECT method, evaluations, seed, objectives_json, finished "
                                            "FROM sweep_searches WHERE sweep_id = ?"));
    PIM_TRY(const bool isThere, row.bind(sweep).step());
    if (!isThere)
        return std::optional<StoredSearch>();
    const auto method = searchMethod(row.text(0));
    const auto seed = parseNumber<std::uint64_t>(row.text(2));
    if (!method || !seed || row.integer(1) < 1)
        return fail(ErrorCode::Database,
                    fmt::format("a search is by \"{}\" with {} evaluations and the seed \"{}\"", row.text(0),
                                row.integer(1), row.text(2)),
                    database.file().string(), "restore a copy of the project");
    StoredSearch search{{*method, row.integer(1), *seed}, {}, row.integer(4) != 0};
    PIM_TRY(search.objectives, namesFrom(database, row.text(3)));
    return std::optional(std::move(search));
}

Result<void> storeTurns(const Database& database, std::int64_t sweep, std::span<const PointRecord> points) {
    PIM_TRY(Statement row,
            database.prepare("INSERT INTO sweep_turns SELECT ?1, coalesce(max(turn), 0) + 1, ?2 "
                             "FROM sweep_turns WHERE sweep_id = ?1"));
    for (const PointRecord& point : points)
        PIM_CHECK(row.bind(sweep, point.index).run());
    return {};
}

Result<std::vector<std::int64_t>> readTurns(const Database& database, std::int64_t sweep) {
    std::vector<std::int64_t> points;
    PIM_TRY(Statement rows,
            database.prepare("SELECT point FROM sweep_turns WHERE sweep_id = ? ORDER BY turn"));
    rows.bind(sweep);
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        points.push_back(row.integer(0));
        return {};
    }));
    return points;
}

Result<void> storeConfirmation(const Database& database, std::int64_t sweep,
                               const StoredConfirmation& confirmation) {
    PIM_TRY(Statement row, database.prepare("INSERT OR REPLACE INTO sweep_confirmations VALUES(?,?,?)"));
    const std::string objectives = namesJson(confirmation.objectives);
    return row.bind(sweep, confirmation.margin, objectives).run();
}

Result<std::optional<StoredConfirmation>> readConfirmation(const Database& database, std::int64_t sweep) {
    PIM_TRY(Statement row,
            database.prepare("SELECT margin, objectives_json FROM sweep_confirmations WHERE sweep_id = ?"));
    PIM_TRY(const bool isThere, row.bind(sweep).step());
    if (!isThere)
        return std::optional<StoredConfirmation>();
    StoredConfirmation confirmation;
    confirmation.margin = row.real(0);
    PIM_TRY(confirmation.objectives, namesFrom(database, row.text(1)));
    return std::optional(std::move(confirmation));
}

} // namespace pim
