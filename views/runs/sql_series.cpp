// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/sql_series.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pim::views {
namespace {

struct SqlWords {
    Q_DECLARE_TR_FUNCTIONS(SqlPlot)
};

std::optional<double> numberOf(const QueryValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value); real && std::isfinite(*real))
        return *real;
    return std::nullopt;
}

} // namespace

std::vector<PlotColumn> plotColumns(const QueryResult& result) {
    std::vector<PlotColumn> columns;
    for (const QueryColumn& each : result.columns)
        columns.push_back({static_cast<int>(columns.size()), QString::fromStdString(each.name),
                           QString::fromStdString(each.unit)});
    for (const auto& row : result.rows)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (std::holds_alternative<std::monostate>(row[c]))
                ++columns[c].empty;
            else if (numberOf(row[c]))
                ++columns[c].numbers;
            else if (std::holds_alternative<double>(row[c]))
                ++columns[c].empty; // infinite: nowhere on an axis
            else
                ++columns[c].texts;
        }
    return columns;
}

PlotData plotSeries(const QueryResult& result, int x, const std::vector<int>& ys) {
    const std::vector<PlotColumn> columns = plotColumns(result);
    const bool hasNames = x >= 0 && columns[static_cast<std::size_t>(x)].isNames();
    PlotData data;
    data.xName = x < 0 ? SqlWords::tr("row") : columns[static_cast<std::size_t>(x)].name;
    data.xUnit = x < 0 ? QString() : columns[static_cast<std::size_t>(x)].unit;
    QHash<QString, int> places;
    const auto place = [&](std::size_t row) -> std::optional<double> {
        if (x < 0)
            return static_cast<double>(row + 1);
        const QueryValue& value = result.rows[row][static_cast<std::size_t>(x)];
        if (!hasNames)
            return numberOf(value);
        const QString name = std::holds_alternative<std::monostate>(value)
                                 ? QStringLiteral("NULL")
                                 : QString::fromStdString(queryText(value));
        const auto known = places.constFind(name);
        if (known != places.constEnd())
            return *known;
        places.insert(name, static_cast<int>(data.categories.size()));
        data.categories.append(name);
        return static_cast<double>(data.categories.size() - 1);
    };
    std::vector<std::optional<double>> at(result.rows.size());
    for (std::size_t row = 0; row < at.size(); ++row)
        at[row] = place(row);
    std::vector<bool> isLeftOut(result.rows.size());
    for (const int y : ys) {
        const PlotColumn& column = columns[static_cast<std::size_t>(y)];
        PlotSeries& series = data.series.emplace_back(PlotSeries{column.name, column.unit, {}, {}});
        for (std::size_t row = 0; row < result.rows.size(); ++row) {
            const auto figure = numberOf(result.rows[row][static_cast<std::size_t>(y)]);
            if (!at[row] || !figure) {
                isLeftOut[row] = true;
                continue;
            }
            series.x.push_back(*at[row]);
            series.y.push_back(*figure);
        }
    }
    if (const auto left = std::ranges::count(isLeftOut, true); left > 0)
        data.remark =
            SqlWords::tr("%1 of %2 rows lack a number and are left out.").arg(left).arg(result.rows.size());
    return data;
}

QString whyNoPlot(const QueryResult& result) {
    if (result.columns.empty())
        return SqlWords::tr("Run a query to draw what it answers.");
    if (result.rows.empty())
        return SqlWords::tr("The answer has no rows, so there is nothing to draw.");
    const std::vector<PlotColumn> columns = plotColumns(result);
    if (std::ranges::any_of(columns, &PlotColumn::isFigure))
        return {};
    if (std::ranges::any_of(columns, [](const PlotColumn& each) { return each.texts > 0; }))
        return SqlWords::tr(
            "All columns of the answer hold text, so there is nothing to draw. Numbers that are stored "
            "as text become some with CAST(column AS REAL).");
    return SqlWords::tr("All columns of the answer are empty, so there is nothing to draw.");
}

} // namespace pim::views
