// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Every op under the ceilings of its machine and of the host: operations a second over operations a byte, a dot an op, beside a table of
/// them. A dot has the colour of its lowest roof; the roof of the selected one is drawn, and a sentence says what keeps it there.
#include "core/plan/roofline.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QCPGraph;
class QLabel;

namespace pim::views {

class FiguresModel;
class RooflinePlot;
class TableView;

class RoofsView : public QWidget {
    Q_OBJECT
public:
    explicit RoofsView(QWidget* parent = nullptr);

    struct OpText {
        QString name, kind; ///< "MatMul_3", "MatMul"
    };
    /// \param roofline null: nothing to show. \param textOf of its ops.
    void setRoofline(std::shared_ptr<const Roofline> roofline, std::function<OpText(OpId)> textOf);
    const Roofline* roofline() const { return m_roofline.get(); }
    void setSelectedOp(OpId op); ///< Emits nothing.
    void setHoveredOp(OpId op);  ///< Emits nothing.
    RooflinePlot* plot() const { return m_plot; }
    TableView* table() const { return m_table; }
    QLabel* sentence() const { return m_sentence; }
    /// In coordinates of plot(); nothing for an op that is not drawn.
    std::optional<QPointF> pixelOf(OpId op) const;
    QString tip(OpId op) const;

signals:
    void opChosen(pim::OpId op);
    void opHovered(pim::OpId op); ///< Invalid: none.

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildPlot();
    void buildTable();
    void fill();
    void fillTable();
    void drawCeilings();
    void drawDots();
    void showSelected();
    void choose(OpId op);
    int rowOf(OpId op) const; ///< -1: none.
    bool isDrawn(const OpUnderRoof& op) const { return op.operations > 0; }

    std::shared_ptr<const Roofline> m_roofline;
    std::function<OpText(OpId)> m_textOf;
    std::vector<const OpUnderRoof*> m_ops; ///< Those that take most time first: rows of the table.
    OpId m_selected;
    bool m_isTold = false; ///< The row is chosen from outside.
    QLabel* m_sentence;
    RooflinePlot* m_plot;
    std::vector<QCPGraph*> m_ceilings; ///< One a ceiling.
    TableView* m_table;
    FiguresModel* m_rows;
};

} // namespace pim::views
