// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A grid of coloured cells, any number of them, with one chosen and some marked: the elements of a tensor,
/// the rows of the banks. Zooms, pans, goes by keys.
#include "views/common/canvas_items.h"

#include <QImage>
#include <QWidget>

#include <optional>
#include <vector>

namespace pim::views {

struct ExportSource;

/// Column and row of a cell.
struct GridCell {
    qint64 x = 0, y = 0;
    friend bool operator==(const GridCell&, const GridCell&) = default;
};

class GridCanvas : public QWidget {
    Q_OBJECT
public:
    explicit GridCanvas(const QString& accessibleName, QWidget* parent = nullptr);

    /// \p image covers all cells, stretched: of large grids it is a sample. Shows all of it where the size
    /// changed.
    void setGrid(qint64 columns, qint64 rows, const QImage& image);
    void setAxes(const QString& x, const QString& y);
    /// Number of the first row, for what is written beside them.
    void setFirstRow(qint64 row);
    void setCurrent(std::optional<GridCell> cell); ///< Scrolls to it. Emits nothing.
    std::optional<GridCell> current() const { return m_current; }
    /// What a cell holds, in words.
    void setCellText(std::function<QString(const GridCell&)> text) { m_cellText = std::move(text); }
    void setMarks(std::vector<GridCell> cells);
    const std::vector<GridCell>& marks() const { return m_marks; }

    qint64 columns() const { return m_columns; }
    qint64 rows() const { return m_rows; }
    std::optional<GridCell> cellAt(const QPointF& position) const;
    QRectF rectOf(const GridCell& cell) const;
    QRectF area() const; ///< Where cells are drawn.
    void fit();
    void zoomAt(const QPointF& position, double factor);
    ExportSource exportSource(const QString& name);
    QSize minimumSizeHint() const override { return {150, 110}; }

signals:
    void hovered(pim::views::GridCell cell);
    void left(); ///< The pointer is over no cell any more.
    void chosen(pim::views::GridCell cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::vector<GridCell> spokenCells() const;
    void choose(GridCell cell);
    void setWindow(QRectF window);
    void paintCells(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintOutline(QPainter& painter, const GridCell& cell, const QColor& ink, double pen) const;

    qint64 m_columns = 0, m_rows = 0, m_firstRow = 0;
    QImage m_image;
    QString m_xName, m_yName;
    QRectF m_window; ///< Cells shown.
    std::optional<GridCell> m_current;
    std::vector<GridCell> m_marks;
    std::function<QString(const GridCell&)> m_cellText;
    QPointF m_pressed;
    QRectF m_pressedWindow;
    bool m_isDown = false, m_moved = false;
};

} // namespace pim::views
