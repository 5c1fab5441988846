// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network compiled for many values (sequence length, batch, target): speed-up over the baseline and a
/// figure of the kind of hardware as lines (the share of memory arrays: CMSwitch Fig. 16), time against work per second with the Pareto front, all
/// axes side by side, in pairs, how far it got and what moves it, and a table. May be given more rows while it is looked at. Pages that nobody looks at
/// are filled when somebody does.
#include "views/sweep/sweep_data.h"

#include <QWidget>

#include <functional>
#include <set>

class QCustomPlot;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace pim::views {

class EffectPage;
class EmptyState;
class ParallelPlot;
class ProgressPage;
class ScatterMatrix;
class SweepModel;
class TableView;

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
    PointBrushes& brushes() { return m_points; }
    ParallelPlot* parallelPlot() const { return m_parallel; }
    ScatterMatrix* scatterMatrix() const { return m_scatter; }
    ProgressPage* progressPage() const { return m_progress; }
    EffectPage* effectPage() const { return m_effects; }
    QTabWidget* plots() const { return m_plots; }
    QList<int> shownRows() const; ///< Of the table: those within all brushes.
    TableView* table() const { return m_table; }
    QLabel* title() const { return m_title; }

signals:
    void rowActivated(int row); ///< Double click or Enter: open that plan.

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(QCustomPlot* plot, const QString& label, const std::function<double(const SweepRow&)>& value);
    void fillOverValues();
    void fitFigure(); ///< Two plots over the values where there is room for two.
    void fillFront();
    void fillPage();
    void showBrushed();
    void selectRow(int row);
    QString titleText() const;
    void style();

    SweepData m_data;
    PointBrushes m_points;
    std::set<const QWidget*> m_filled; ///< Pages that show what there is now.
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_title;
    QCustomPlot* m_speedup;
    QCustomPlot* m_figure;
    QCustomPlot* m_front;
    QWidget* m_overValues;
    ParallelPlot* m_parallel;
    ScatterMatrix* m_scatter;
    ProgressPage* m_progress;
    EffectPage* m_effects;
    QTabWidget* m_plots;
    TableView* m_table;
    SweepModel* m_model;
};

} // namespace pim::views
