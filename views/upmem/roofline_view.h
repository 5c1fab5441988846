// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All ops on DPUs under the roofline of a DPU: how much they compute for a byte of MRAM, how much a cycle. Ceilings are those of the
/// selected op: of the pipeline with its mix of instructions, of its tasklets, of the MRAM.
#include "views/upmem/op_runs.h"

#include <QWidget>

class QCPGraph;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class FiguresModel;
class RooflinePlot;
class TableView;

class RooflineView : public QWidget {
    Q_OBJECT
public:
    explicit RooflineView(QWidget* parent = nullptr);
    explicit RooflineView(Workspace& workspace, QWidget* parent = nullptr);

    void setDots(std::vector<RooflineDot> dots); ///< Empty: nothing to show.
    const std::vector<RooflineDot>& dots() const { return m_dots; }
    void setEmptyText(const QString& missing, const QString& whatToDo);
    void setEmptyAction(const QString& action); ///< Empty: no button.
    QString emptyText() const;
    void setStale(bool stale);
    void setSeen(bool seen);
    void setSelectedOp(OpId op); ///< Emits nothing.
    /// Whose ceilings are drawn: the selected dot, else the one with most cycles; -1: there is none.
    int shownDot() const;
    QPointF pixelOf(int dot) const; ///< In coordinates of plot().
    QString tip(int dot) const;
    RooflinePlot* plot() const { return m_plot; }
    TableView* table() const { return m_table; }
    QLabel* title() const { return m_title; }

signals:
    void opChosen(pim::OpId op);
    void seenChanged(bool seen);
    void actionTriggered(); ///< Of the button.

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildPlot();
    void buildTable();
    void fillPlot();
    void fillTable();
    void drawCeilings();
    void style();
    void choose(OpId op);

    std::vector<RooflineDot> m_dots;
    OpId m_op;
    bool m_isTold = false; ///< The row is chosen from outside.
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QSplitter* m_split;
    QLabel* m_title;
    QLabel* m_status;
    RooflinePlot* m_plot;
    QCPGraph *m_pipeline, *m_tasklets, *m_mram;
    TableView* m_table;
    FiguresModel* m_rows;
};

} // namespace pim::views
