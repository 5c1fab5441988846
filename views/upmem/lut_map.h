// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A map of mappings: a cell for each, the faster the brighter on a logarithmic scale; what cannot be is hatched and says why under the
/// pointer; the best of all has a star. A click or an arrow key chooses, a double click or Enter decides.
#include "views/common/plot_export.h"
#include "views/upmem/lut_landscape.h"

#include <QWidget>

namespace pim::views {

class LutMap : public QWidget {
    Q_OBJECT
public:
    LutMap(const QString& accessibleName, const QString& exportName, QWidget* parent = nullptr);

    /// \param best position that has the star; -1: none. \param range of times that colours span; empty: that of the cells.
    void setCells(LutCells cells, std::ptrdiff_t best, std::pair<double, double> range = {});
    const LutCells& cells() const { return m_cells; }
    std::ptrdiff_t current() const { return m_current; } ///< Position in cells; -1: none.
    void setCurrent(std::ptrdiff_t cell);                ///< Emits nothing.
    QRectF rectOf(std::ptrdiff_t cell) const;
    std::ptrdiff_t cellAt(const QPointF& position) const; ///< -1: none.
    QString tip(std::ptrdiff_t cell) const;
    std::pair<double, double> range() const { return m_range; } ///< Seconds.
    QString csv() const;
    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {180, 120}; }

signals:
    void chosen(std::ptrdiff_t cell);
    void decided(std::ptrdiff_t cell); ///< After chosen().

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int columns() const { return static_cast<int>(m_cells.columns.size()); }
    int rows() const { return static_cast<int>(m_cells.rows.size()); }
    QRectF area() const; ///< Of all cells.
    QColor colorOf(double seconds) const;
    bool textsFit() const;
    void paintCells(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void choose(std::ptrdiff_t cell);

    LutCells m_cells;
    std::ptrdiff_t m_best = -1, m_current = -1;
    std::pair<double, double> m_range;
    QString m_exportName;
};

} // namespace pim::views
