// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Columns of an answer as figures to draw. Flow: QueryResult -> [plotColumns, plotSeries] -> SqlPlot. Nothing of a text is guessed: only
/// what SQLite calls a number is one.
#include "core/project/query.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace pim::views {

struct PlotColumn {
    int index = 0;
    QString name, unit;
    std::size_t numbers = 0, texts = 0, empty = 0; ///< Rows of each kind; a blob is a text.
    /// Has something to draw upwards.
    bool isFigure() const { return numbers > 0 && texts == 0; }
    /// Names rather than numbers.
    bool isNames() const { return texts > 0; }
};

std::vector<PlotColumn> plotColumns(const QueryResult& result);

struct PlotSeries {
    QString name, unit;
    std::vector<double> x, y;
};

struct PlotData {
    QString xName, xUnit;
    QStringList categories; ///< Of x, where it is names: x is the place in this list.
    std::vector<PlotSeries> series;
    QString remark; ///< What is left out, in a sentence; empty: nothing.
};

/// \param x column; -1: the number of the row, from 1. \param ys columns that are figures. Rows without a number are left out.
PlotData plotSeries(const QueryResult& result, int x, const std::vector<int>& ys);

/// Why nothing of an answer can be drawn, in a sentence; empty: something can.
QString whyNoPlot(const QueryResult& result);

} // namespace pim::views
