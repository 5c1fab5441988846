// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How much each axis of a sweep moves a figure (core/compile/axis_effects.h): bars, the strongest first, and the mean and spread of the figure over the
/// values of one axis.
#include "core/compile/axis_effects.h"
#include "views/common/canvas_items.h"
#include "views/sweep/point_brushes.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace pim::views {

/// An axis with what it does to the figure that is shown.
struct ShownEffect {
    QString name;
    QStringList values; ///< As written, ascending where they are numbers.
    AxisEffect effect;
};

/// The picture.
class EffectPlot : public QWidget {
    Q_OBJECT
public:
    explicit EffectPlot(QWidget* parent = nullptr);

    /// \param effects strongest first. \param isWhole every combination is there: shares need no comparison with chance.
    void setEffects(QString figure, std::vector<ShownEffect> effects, bool isWhole);
    const std::vector<ShownEffect>& effects() const { return m_effects; }
    int shown() const; ///< The axis whose values are drawn: hovered, else chosen.
    void choose(int axis);
    QRectF barRect(int axis) const; ///< Its row.
    QString tipAt(QPointF position) const;
    void paint(QPainter& painter, QSize size) const;

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    double barsWidth(QSize size) const;
    double rowHeight() const;
    int axisAt(QPointF position) const; ///< -1: none.
    QRectF valuesField(QSize size) const;
    double valueX(std::size_t value, QSize size) const;
    void paintBars(QPainter& painter, QSize size) const;
    void paintValues(QPainter& painter, QSize size) const;
    QString axisTip(int axis) const;
    CanvasItem spokenAxis(int axis) const;
    void hover(int axis);

    QString m_figure;
    std::vector<ShownEffect> m_effects;
    bool m_isWhole = false;
    QString m_chosen; ///< By name: bars change places while points come.
    int m_hovered = -1;
};

class EffectPage : public QWidget {
    Q_OBJECT
public:
    explicit EffectPage(QWidget* parent = nullptr);

    /// \param size points of the sweep when it is complete.
    void setPoints(const std::vector<PointColumn>& columns, std::int64_t rows, std::int64_t size);
    EffectPlot* plot() const { return m_plot; }
    QComboBox* figures() const { return m_choice; }
    QLabel* header() const { return m_header; }
    QString csv() const; ///< All axes on the chosen figure: a line for each value.

private:
    void show();

    std::vector<PointColumn> m_columns;
    std::int64_t m_rows = 0, m_size = 0;
    QLabel* m_header;
    QComboBox* m_choice;
    EffectPlot* m_plot;
};

/// Of each axis that varies on one figure, strongest first. \param figure one of the columns.
std::vector<ShownEffect> effectsOn(const std::vector<PointColumn>& columns, const PointColumn& figure);

} // namespace pim::views
