// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Every op under the ceilings of its machine and of the host: operations a second over operations a byte, a dot an op, beside a table of
/// them. A dot has the colour of its lowest roof; the roof of the selected one is drawn, and a sentence says what keeps it there.
#include "core/plan/plan.h"
#include "core/plan/roofline.h"

#include <QWidget>

#include <memory>
#include <optional>

class QCPGraph;
class QCustomPlot;
class QLabel;

namespace pim::views {

class FiguresModel;
class TableView;
class Workspace;

class RoofsView : public QWidget {
    Q_OBJECT
public:
    explicit RoofsView(Workspace& workspace, QWidget* parent = nullptr);

    /// \param plan that \p roofline is of. Null: nothing to show.
    void setRoofline(std::shared_ptr<const Plan> plan, std::shared_ptr<const Roofline> roofline);
    void setSelectedOp(OpId op); ///< Emits nothing.
    QCustomPlot* plot() const { return m_plot; }
    TableView* table() const { return m_table; }
    QLabel* sentence() const { return m_sentence; }
    /// In coordinates of plot(); nothing for an op that is not drawn.
    std::optional<QPointF> pixelOf(OpId op) const;
    QString tip(OpId op) const;

signals:
    void opChosen(pim::OpId op);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildPlot();
    void buildTable();
    void fill();
    void fillTable();
    void drawCeilings();
    void drawDots();
    void showSelected();
    void fitAxes();
    void style();
    void choose(int row);
    void step(int by);
    int nearest(const QPointF& position) const;
    int selectedRow() const; ///< -1: none.
    bool isDrawn(const OpUnderRoof& op) const { return op.operations > 0; }
    double shownIntensity(const OpUnderRoof& op) const; ///< Ops that move nothing stand at the right edge.
    QPointF place(const OpUnderRoof& op) const;

    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Roofline> m_roofline;
    std::vector<const OpUnderRoof*> m_ops; ///< Those that take most time first: rows of the table.
    OpId m_selected;
    bool m_isTold = false; ///< The row is chosen from outside.
    QLabel* m_sentence;
    QCustomPlot* m_plot;
    std::vector<QCPGraph*> m_ceilings; ///< One a ceiling.
    std::vector<QCPGraph*>
        m_dots; ///< Without a roof, then one a ceiling; of each first the machine's, then the host's.
    QCPGraph *m_roof, *m_ring;
    TableView* m_table;
    FiguresModel* m_rows;
};

} // namespace pim::views
