// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The plane of all rooflines: operations over operations a byte, both logarithmic, a dot an op. A click, Left and Right choose one, which
/// gets a ring; drag and wheel move and zoom, F and a double click show all. Ceilings are those of its owner.
#include "core/base/ids.h"
#include "views/common/plot.h"

#include <QColor>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace pim::views {

class RooflinePlot : public Plot {
    Q_OBJECT
public:
    struct Dot {
        OpId op;
        double intensity =
            0;            ///< Operations a byte; infinite: nothing moves, and it stands at the right edge.
        double speed = 0; ///< Greater than 0.
        QString name;
        QColor color;
        bool isSquare = false;
    };
    explicit RooflinePlot(const QString& exportName, QWidget* parent = nullptr);

    /// The selected op stays selected, if it is among them.
    void setDots(std::vector<Dot> dots);
    const std::vector<Dot>& dots() const { return m_dots; }
    /// \param tipOf what is said of a dot.
    void setTips(std::function<QString(int dot)> tipOf) { m_tipOf = std::move(tipOf); }
    /// Points that fit() shows beside the dots: bends of roofs.
    void setCorners(std::vector<QPointF> corners) { m_corners = std::move(corners); }
    void fit();

    void setSelectedOp(OpId op); ///< Emits nothing.
    void setHoveredOp(OpId op);  ///< As if the mouse were over its dot; emits nothing.
    int dotOf(OpId op) const;    ///< -1: none.
    QPointF pixelOf(int dot) const;

    /// \p line up to \p slope times the intensity and no higher than \p flat, wherever one drags to; 0: without that bound.
    static void draw(QCPGraph* line, double slope, double flat);
    /// The roof of the selected op; both 0: none.
    void setRoof(double slope, double flat);

signals:
    void opChosen(pim::OpId op);
    void opHovered(pim::OpId op); ///< Invalid: no dot is under the mouse.

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QPointF place(int dot) const;
    int nearest(const QPointF& position) const;
    void choose(int dot);
    void step(int by);
    void hover(OpId op);
    void showRings();
    void foldLegend();
    void style();

    std::vector<Dot> m_dots;
    double m_edge = 1; ///< Where dots stand that move nothing.
    std::vector<QPointF> m_corners;
    std::function<QString(int)> m_tipOf;
    OpId m_selected, m_hovered;
    std::vector<QCPGraph*> m_looks; ///< One for all dots that look alike.
    QCPGraph *m_roof, *m_ring, *m_hoverRing;
};

} // namespace pim::views
