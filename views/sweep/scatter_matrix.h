// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Scatter matrix: each pair of columns of a sweep as a plot, with the Pareto front of the pair as a line where both are figures that ought to be small
/// or large. A rectangle drawn in a cell is a brush over both columns. Drawn by how many points share a pixel, so that a million take no
/// longer than the eye notices.
#include "views/common/canvas_items.h"
#include "views/sweep/point_brushes.h"

#include <QPixmap>
#include <QWidget>

#include <cstdint>
#include <vector>

class QMenu;
class QToolButton;

namespace pim::views {

class ScatterMatrix : public QWidget {
    Q_OBJECT
public:
    /// \p points outlives it.
    explicit ScatterMatrix(PointBrushes& points, QWidget* parent = nullptr);

    static constexpr int kMostColumns = 8;
    /// Of PointBrushes::columns(), in their order; the user's choice, else the objectives and up to three other figures that vary.
    const std::vector<int>& shown();
    void setShown(const std::vector<int>& columns);

    /// Of the columns at two places of shown(), the first to the right, the second upwards; \p x < \p y.
    QRectF cell(int x, int y);
    QPointF pointAt(int x, int y, int row); ///< Where a row is drawn.
    int rowAt(QPointF position);            ///< Nearest within reach, those within brushes only; -1: none.
    /// Rows on the front of the pair, that of each network, from left to right; empty: it has none.
    std::vector<int> front(int x, int y);
    void setCurrentRow(int row); ///< Ringed; -1: none.
    void paint(QPainter& painter, QSize size);

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {260, 140}; }

signals:
    void rowChosen(int row);
    void rowActivated(int row); ///< Double click or Enter: open that plan.

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
    struct Pair {
        int x = 0, y = 0;       ///< Places in m_shown.
        std::vector<int> front; ///< Rows, from left to right; those of one network before those of another.
        std::vector<std::vector<int>> lines; ///< By network: of these as many as can be told apart.
    };
    QStringList facts(int row) const; ///< A line for each column that has a value.
    CanvasItem spokenRow(int row);
    int rowBeside(int by); ///< Of those within brushes, in the order of the first column shown; -1: none.
    void forget();
    void place();
    void sort();
    std::vector<int> usual() const;
    void fillMenu();
    const PointColumn& columnAt(int place) const {
        return m_points.column(m_shown[static_cast<std::size_t>(place)]);
    }
    QRectF cell(int x, int y, QSize size) const;
    QPointF at(const Pair& pair, int row, QSize size) const;
    const Pair* pairAt(QPointF position) const;
    double valueAt(int place, double share) const;
    int nearest(const Pair& pair, QPointF position) const;
    QImage pictureOf(const Pair& pair, QSize pixels, double dot) const;
    void paintDots(QPainter& painter, const Pair& pair, QSize size) const;
    void paintFront(QPainter& painter, const Pair& pair, QSize size) const;
    void paintBrush(QPainter& painter, const Pair& pair, QSize size) const;
    void paintNames(QPainter& painter, QSize size) const;
    void paintSaid(QPainter& painter, QSize size) const;

    PointBrushes& m_points;
    QToolButton* m_choose;
    QMenu* m_menu;
    QStringList m_chosen; ///< Names; empty: the usual ones.
    bool m_isPlaced = false;
    std::vector<int> m_shown;
    std::vector<std::pair<double, double>> m_extents; ///< Of those shown.
    /// Of those shown, by row: where it is, in 65534ths of the extent; kNowhere: no value.
    std::vector<std::vector<std::uint16_t>> m_places;
    std::vector<std::uint8_t> m_kinds; ///< Of dots, by row.
    bool m_isSorted = false;
    std::vector<Pair> m_pairs;
    QPixmap m_picture;  ///< As painted last; null: something changed.
    int m_pressed = -1; ///< Pair.
    QPointF m_pressedAt;
    bool m_isDragged = false;
    int m_current = -1;
};

} // namespace pim::views
