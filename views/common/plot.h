// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plot that draws itself once an event-loop turn, however often it was resized or refilled in it, and leaves showing
/// that to the next repaint of the window instead of repainting the window at once. A legend within the axes goes where it would cover them.
/// Left and Right go from point to point, Up and Down from series to series, and a screen reader reads the points; a view
/// that knows more of its points says so with setCanvasItems() of canvas_items.h and takes the keys itself.
#include "views/common/canvas_items.h"

#include <QPointer>

#include <qcustomplot.h>

#include <optional>

namespace pim::views {

class Plot : public QCustomPlot {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);

    /// The point that the keys are at, as it is read out; empty: none.
    QString currentText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// A point of one of the series that are seen.
    struct Point {
        int series = 0, index = 0; ///< Of plottable(), of its data.
        friend bool operator==(const Point&, const Point&) = default;
    };
    int pointsOf(int series) const; ///< 0 for what is hidden or has no points.
    int points() const;
    Point pointAt(int item) const;
    int itemOf(const Point& point) const;
    int nearest(const QPointF& position) const; ///< Item; -1: none within reach.
    QPointF pixelOf(const Point& point) const;
    CanvasItem spoken(const Point& point) const;
    std::optional<Point> after(int key) const;
    void goTo(std::optional<Point> point);
    void fitLegend();

    std::optional<Point> m_current;
    QPointer<QCPItemEllipse>
        m_ring; ///< Around the current point; null: not needed yet, or cleared with all items.
};

} // namespace pim::views
