// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Times by part as horizontal stacked bars: sections that share a scale, legend, hover text,
/// selection.
#include "core/plan/plan.h"
#include "views/common/palette.h"

#include <QAbstractScrollArea>

#include <array>

class QPainter;

namespace pim::views {

/// The parts of a CostSplit in the order they are stacked.
inline constexpr int kCostParts = static_cast<int>(kCostSplitParts.size());
struct CostPart {
    Role role;
    QString name; ///< "input rearrangement"
    double CostSplit::*ns;
};
const std::array<CostPart, kCostParts>& costParts();

struct StackedBar {
    int id = -1; ///< What a click selects; -1: cannot be selected.
    QString label;
    QString detail; ///< Muted, behind the label.
    CostSplit cost;
    QString note;           ///< Behind the total: "3.40×"
    bool predicted = false; ///< Its total is shown as predicted figures are (origin_style.h).
};

struct BarSection {
    QString title;
    std::vector<StackedBar> bars; ///< All drawn to the scale of the longest.
};

class StackedBars : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit StackedBars(QWidget* parent = nullptr);

    void setSections(std::vector<BarSection> sections);
    const std::vector<BarSection>& sections() const { return m_sections; }
    void setSelected(int id); ///< Scrolls to it. Emits nothing.
    int selected() const { return m_selected; }
    /// Fixes the height to what there is to show; for a few bars among other things.
    void setCompact(bool compact);

    QString tipAt(const QPoint& position) const; ///< In viewport coordinates.
    QPoint barPosition(int id) const;            ///< Middle of the first part of a bar, viewport coordinates.
    std::vector<const CostPart*> shownParts() const; ///< What the legend explains: parts that some bar has.
    QSize contentSize() const;
    void paintContent(QPainter& painter, int width) const; ///< For export: all of it, background included.

signals:
    void barClicked(int id);
    void barActivated(int id); ///< Double click or Enter.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override {} // ours, as the press is
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        const BarSection* section = nullptr;
        const StackedBar* bar = nullptr; ///< Null: title of the section, or its axis where isAxis.
        bool isAxis = false;
        int top = 0, height = 0;
    };
    struct Columns {
        double bar = 0, barWidth = 0, right = 0;
    };
    struct LegendEntry {
        const CostPart* part;
        QPointF at; ///< Left of the swatch, middle of the line.
    };
    void relayout();
    std::vector<LegendEntry> legendFor(int width) const; ///< Wrapped: no part is left out for want of room.
    int legendHeight(int width) const;
    Columns columnsFor(int width) const;
    double scaleOf(const BarSection& section) const;
    const Row* rowAt(int y) const;
    void paintLegend(QPainter& painter, int width) const;
    void paintAxis(QPainter& painter, const Row& row, const Columns& columns) const;
    void paintTitle(QPainter& painter, const Row& row) const;
    void paintParts(QPainter& painter, const StackedBar& bar, const QRectF& track, double scale) const;
    void paintRow(QPainter& painter, const Row& row, const Columns& columns, int width) const;
    void choose(int id);
    QString spokenName(const StackedBar& bar) const;
    QString spokenParts(const StackedBar& bar) const;

    std::vector<BarSection> m_sections;
    std::vector<Row> m_rows;
    int m_height = 0;
    int m_selected = -1, m_hovered = -1;
    bool m_compact = false;
};

} // namespace pim::views
