// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The answer to a query as lines, points or bars: columns to choose for x and y, drag and wheel to look closer, export as every plot has.
#include "core/project/query.h"
#include "views/runs/sql_series.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QMenu;
class QStackedWidget;
class QToolButton;
class QCPBarsGroup;

namespace pim::views {

class EmptyState;
class Plot;

class SqlPlot : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Line, Points, Bars };

    explicit SqlPlot(QWidget* parent = nullptr);

    /// Columns of the same names stay chosen. \p result outlives the plot or the next call.
    void setResult(const QueryResult& result);
    /// As the boxes do it; an empty \p x is the number of the row. Columns that there are not, or that have no figures, are not chosen.
    void choose(const QString& x, const QStringList& ys, Kind kind);

    QString x() const { return m_x; } ///< Name of the column; empty: the number of the row.
    const QStringList& ys() const { return m_ys; }
    Kind kind() const { return m_kind; }
    QString message() const; ///< Why nothing is drawn, or what is left out; empty: all is.
    Plot* plot() const { return m_plot; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildControls();
    void chooseUsual();
    void fillControls();
    void draw();
    void drawSeries();
    void drawBars(std::size_t series);
    void labelAxes();
    void fit();
    void style();
    QString tipAt(const QPoint& position) const;
    QString tickName(const QString& name) const;
    QString csv() const;                     ///< Of what is drawn, unrounded.
    int columnOf(const QString& name) const; ///< -1: there is none.

    const QueryResult* m_result = nullptr;
    std::vector<PlotColumn> m_columns;
    PlotData m_data;
    QString m_x;
    QStringList m_ys;
    Kind m_kind = Kind::Line;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QComboBox *m_xBox, *m_kindBox;
    QToolButton* m_yButton;
    QMenu* m_yMenu;
    QLabel* m_remark;
    Plot* m_plot;
    QCPBarsGroup* m_group = nullptr; ///< Bars of several columns, which stand beside each other.
};

} // namespace pim::views
