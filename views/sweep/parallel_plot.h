// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Parallel coordinates: every point of a sweep as a line over vertical axes, one for each thing that varies and each figure. Dragging along an axis
/// keeps the points within (brushing); several brushes have to hold at once. Drawn by how many points share a stretch, so that a
/// million take no longer than thousands.
#include "views/common/canvas_items.h"
#include "views/sweep/point_brushes.h"

#include <QPixmap>
#include <QWidget>

#include <cstdint>
#include <vector>

namespace pim::views {

class ParallelPlot : public QWidget {
    Q_OBJECT
public:
    /// Every column of \p points is an axis; marked rows are drawn on top. \p points outlives it.
    explicit ParallelPlot(PointBrushes& points, QWidget* parent = nullptr);

    int axes() const { return m_points.count(); }
    double axisX(int axis) const; ///< In pixels, as is valueY().
    double valueY(int axis, double value) const;
    void paint(QPainter& painter, QSize size) const;

    /// A line is outside of a brush, kept, or kept and marked.
    enum Kind { kOutside, kWithin, kMarked, kKinds };
    static constexpr int kEnds = 241;   ///< Places of an axis at which lines are told apart.
    using Stretches = std::vector<int>; ///< Lines by kind, place on an axis, and place on the next.

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    using Extent = std::pair<double, double>;
    int axisAt(QPointF position) const;         ///< -1: none is near.
    double share(int axis, double value) const; ///< 0 at the bottom, 1 at the top.
    double valueAt(int axis, double y) const;
    QRectF field(QSize size) const;
    double axisX(int axis, QSize size) const;
    CanvasItem spokenAxis(int axis) const;
    void place();
    void sort();
    Stretches stretchesFrom(int axis) const;
    static void paintEach(QPainter& painter, const QRectF& room, const Stretches& stretches);
    static QImage pictureOf(QSize size, const Stretches& stretches);
    void paintLines(QPainter& painter, QSize size) const;
    void paintAxes(QPainter& painter, QSize size) const;

    PointBrushes& m_points;
    std::vector<Extent> m_scales;
    std::vector<bool> m_isWhole;                     ///< Has a value on every axis.
    std::vector<std::uint8_t> m_kinds;               ///< By row; kKinds: no line.
    std::vector<std::vector<std::uint8_t>> m_places; ///< By axis and row.
    QPixmap m_lines;                                 ///< As painted last; null: something changed.
    int m_dragged = -1;
    int m_current = 0; ///< Axis that keys work on.
    double m_dragFrom = 0;
};

} // namespace pim::views
