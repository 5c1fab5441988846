// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/query.h"

#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct SqlArguments {
    std::string project, sql;
    std::optional<std::size_t> limit;
    bool csv = false, schema = false, examples = false;
};

std::string dumped(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string titleOf(const QueryColumn& column) {
    // Chosen by the name it has in the query and in CSV.
    return column.unit.empty() ? fmt::format("{0}\t{0}", column.name)
                               : fmt::format("{0} [{1}]\t{0}", column.name, column.unit);
}

ordered_json jsonOf(const QueryValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return *integer;
    if (const auto* real = std::get_if<double>(&value))
        return std::isfinite(*real) ? ordered_json(*real) : ordered_json();
    if (std::holds_alternative<std::monostate>(value))
        return nullptr;
    return queryText(value);
}

/// Columns may have the same name in SQL: rows are arrays, and the names stand beside them.
std::string asJson(const QueryResult& result) {
    ordered_json columns = ordered_json::array(), rows = ordered_json::array();
    for (const QueryColumn& column : result.columns)
        columns.push_back({{"name", column.name}, {"unit", column.unit}});
    for (const auto& row : result.rows) {
        ordered_json& cells = rows.emplace_back(ordered_json::array());
        for (const QueryValue& value : row)
            cells.push_back(jsonOf(value));
    }
    return dumped({{"columns", columns}, {"rows", rows}, {"more", result.more}});
}

std::string asCsv(const QueryResult& result) {
    std::string text;
    const auto line = [&text](const auto& cells, const auto& textOf) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += (i ? "," : "") + csvField(textOf(cells[i]));
        text += '\n';
    };
    line(result.columns, [](const QueryColumn& column) { return column.name; });
    for (const auto& row : result.rows)
        line(row, queryText);
    return text;
}

std::string asTable(const QueryResult& result) {
    std::vector<std::string> headings;
    for (std::size_t column = 0; column < result.columns.size(); ++column) {
        const bool isNumber = std::any_of(result.rows.begin(), result.rows.end(), [&](const auto& row) {
            return std::holds_alternative<std::int64_t>(row[column]) ||
                   std::holds_alternative<double>(row[column]);
        });
        headings.push_back((isNumber ? ">" : "") + titleOf(result.columns[column]));
    }
    TextTable table(headings);
    for (const auto& row : result.rows) {
        std::vector<std::string> cells;
        for (const QueryValue& value : row)
            cells.push_back(queryText(value));
        table.add(std::move(cells));
    }
    return table.text();
}

Result<void> printSchema(Session& session, const ProjectQuery& query) {
    PIM_TRY(const auto tables, query.schema());
    if (session.json) {
        ordered_json all = ordered_json::array();
        for (const SchemaTable& table : tables) {
            ordered_json columns = ordered_json::array();
            for (const SchemaColumn& column : table.columns)
                columns.push_back({{"name", column.name}, {"type", column.type}, {"unit", column.unit}});
            all.push_back({{"name", table.name}, {"view", table.isView}, {"columns", columns}});
        }
        return session.print(dumped(all));
    }
    TextTable text({"table", "column", "type", "unit"});
    for (const SchemaTable& table : tables)
        for (const SchemaColumn& column : table.columns)
            text.add({table.name, column.name, column.type, column.unit});
    return session.print(text.text());
}

Result<void> printExamples(Session& session) {
    ordered_json all = ordered_json::array();
    std::string text;
    for (const QueryExample& example : queryExamples()) {
        all.push_back({{"title", example.title}, {"sql", example.sql}});
        text += fmt::format("-- {}\n{};\n\n", example.title, example.sql);
    }
    return session.print(session.json ? dumped(all) : text);
}

Result<void> run(Session& session, const SqlArguments& options) {
    if (options.examples)
        return printExamples(session);
    PIM_TRY(ProjectQuery query, ProjectQuery::open(options.project));
    if (options.schema)
        return printSchema(session, query);
    if (options.sql.empty())
        return fail(ErrorCode::Usage, "there is no query", {}, "give one, or --schema, or --examples");
    std::string sql = options.sql;
    if (sql == "-") {
        PIM_TRY(sql, inputText(sql, session.task()));
    }
    const bool asLines = options.csv && !session.json;
    const std::size_t limit = options.limit.value_or(asLines ? 0 : ProjectQuery::kRows);
    PIM_TRY(const QueryResult result, query.run(sql, limit, session.task()));
    PIM_CHECK(asLines ? session.printCsv(asCsv(result))
                      : session.print(session.json ? asJson(result) : asTable(result)));
    const std::string cut = result.stoppedBy + "; --limit 0 takes all that fit into memory";
    if (result.more && asLines)
        session.complain("warning: " + cut); // nothing in CSV tells that lines are missing
    else if (result.more)
        session.say(cut);
    return {};
}

} // namespace

Action sqlVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<SqlArguments>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    verb.add_option("QUERY", options->sql, "One SELECT; - reads it from standard input")->type_name("");
    verb.add_option("--limit", options->limit,
                    fmt::format("Rows at most; 0: no limit. By default {}, in CSV all", ProjectQuery::kRows))
        ->type_name("N");
    verb.add_flag("--csv", options->csv, "Print CSV, numbers unrounded");
    verb.add_flag("--schema", options->schema, "List tables, views and columns with their units");
    verb.add_flag("--examples", options->examples, "Print example queries");
    verb.footer("The project is only read, whatever the query says. Ctrl-C stops it.\n"
                "Examples:\n"
                "  pimc sql p.pimproj \"SELECT * FROM v_runs\"\n"
                "  pimc sql p.pimproj \"SELECT op, total_us FROM v_slowest_ops WHERE run = 3\" --csv\n"
                "  pimc sql p.pimproj --schema");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
