// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network compiled for many values (sequence length, batch, target): speed-up over the baseline and a
/// figure of the kind of hardware as lines (the share of memory arrays: CMSwitch Fig. 16), time against work per second with the Pareto front, all
/// axes side by side, and a table. May be given more rows while it is looked at.
#include "views/models/family_panels.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QAbstractTableModel;
class QCustomPlot;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace pim::views {

class EmptyState;
class ParallelPlot;
class TableView;

struct SweepRow {
    QStringList values; ///< Of each swept thing, in the order of SweepData::names.
    double ns = 0;
    double baselineNs = 0;
    double macsPerSecond = 0;
    std::vector<double> figures; ///< In the order of SweepData::figures; NaN: the point has none.
    bool isBest = false;         ///< As SweepMarks::best.
    bool isOnFront = false;      ///< As SweepMarks::front.
    QString error;               ///< Why there are no figures; empty if there are.
    bool isLeftOut = false;      ///< By a condition, which is the error.

    double speedup() const { return error.isEmpty() && ns > 0 ? baselineNs / ns : 0; }
};

/// The first name is the x axis, each combination of the others is a line.
struct SweepData {
    QString what;      ///< "BERT-large on dynaplasia"
    QString baseline;  ///< "all arrays compute (CIM-MLC-like)"
    QStringList names; ///< "sequence length", "batch", "target"
    std::vector<SweepRow> rows;
    std::int64_t size = 0;            ///< Rows when it is complete.
    std::vector<SweepFigure> figures; ///< Of the families swept over; the first is drawn as well.
    int against = -1; ///< Which of the figures the front sets beside time; -1: work per second.
};

class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(QWidget* parent = nullptr);
    ~SweepView() override;

    void setData(SweepData data);
    void setEmptyText(const QString& missing, const QString& whatToDo);
    const SweepData& data() const { return m_data; }
    QCustomPlot* speedupPlot() const { return m_speedup; }
    QCustomPlot* figurePlot() const { return m_figure; }
    QCustomPlot* frontPlot() const { return m_front; }
    ParallelPlot* parallelPlot() const { return m_parallel; }
    TableView* table() const { return m_table; }
    QLabel* title() const { return m_title; }

signals:
    void rowActivated(int row); ///< Double click or Enter: open that plan.

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill(QCustomPlot* plot, const QString& label, const std::function<double(const SweepRow&)>& value);
    void fillFront();
    void fillParallel();
    void showBrushed();
    QString titleText() const;
    void style();

    SweepData m_data;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_title;
    QCustomPlot* m_speedup;
    QCustomPlot* m_figure;
    QCustomPlot* m_front;
    ParallelPlot* m_parallel;
    QTabWidget* m_plots;
    TableView* m_table;
    QAbstractTableModel* m_model;
    bool m_isFiltered = false; ///< The table hides rows outside of brushes.
};

} // namespace pim::views
