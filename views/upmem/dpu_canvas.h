// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The DPUs of a machine from above: modules, their ranks, a column for each chip, a cell for each DPU, coloured by one figure. Zooms,
/// pans, goes by keys.
#include "views/common/plot_export.h"
#include "views/upmem/dpu_facts.h"

#include <QWidget>

#include <memory>

namespace pim::views {

class DpuCanvas : public QWidget {
    Q_OBJECT
public:
    explicit DpuCanvas(QWidget* parent = nullptr);

    void setFacts(std::shared_ptr<const DpuFacts> facts); ///< Null: nothing. The view stays where it is.
    void setFigure(DpuFigure figure);
    DpuFigure figure() const { return m_figure; }
    void setCurrent(int dpu); ///< -1: none. Moves it into sight; emits nothing.
    int current() const { return m_current; }

    QRectF rectOf(int dpu) const;             ///< In widget coordinates.
    int dpuAt(const QPointF& position) const; ///< -1: none.
    double zoom() const { return m_zoom; }
    void zoomAt(const QPointF& position, double factor);
    void fit();
    QString csv() const; ///< All figures of all DPUs.
    ExportSource exportSource();
    QSize sizeHint() const override { return {560, 380}; }
    QSize minimumSizeHint() const override { return {180, 130}; }

signals:
    void hovered(int dpu); ///< -1: over none any more.
    void chosen(int dpu);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void arrange();
    QSizeF moduleSize() const; ///< In cells.
    QPointF moduleAt(int module) const;
    QRectF cellOf(int dpu) const; ///< In cells, from the top left.
    QRectF toWidget(const QRectF& cells) const;
    QRectF area() const;
    void pan(double dx, double dy);
    void clampView();
    void step(int dx, int dy);
    void choose(int dpu);
    void paintDpus(QPainter& painter) const;
    void paintModules(QPainter& painter) const;
    void paintLegend(QPainter& painter, const QRectF& rect) const;

    std::shared_ptr<const DpuFacts> m_facts;
    DpuFigure m_figure = DpuFigure::Busy;
    int m_current = -1;
    int m_columns = 1; ///< Modules side by side.
    double m_unit = 1; ///< Pixels of a cell where everything is seen.
    double m_zoom = 1;
    QPointF m_left; ///< Cell position at the top left of area().
    QPointF m_pressed, m_pressedLeft;
    bool m_isDown = false, m_moved = false;
};

} // namespace pim::views
