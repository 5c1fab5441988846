// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the cycles of a DPU went: a bar for its pipeline, one for each tasklet, each cut into its parts; above them how
/// close the pipeline came to its ceiling. Flow: OpOnDpu -> [sections of shares] -> bars.
#include "backends/upmem/op_run.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"

#include <QAbstractScrollArea>

#include <vector>

namespace pim::views {

struct SharePart {
    QString name, meaning;
    QColor color;
    std::int64_t cycles = 0;
};
struct ShareBar {
    QString name;
    std::vector<SharePart> parts; ///< In the order they are drawn; together \ref cycles.
    std::int64_t cycles = 0;
};

/// What the pipeline did in every cycle.
ShareBar pipelineShares(const upmem::OpOnDpu& run);
std::vector<ShareBar> taskletShares(const upmem::OpOnDpu& run); ///< One a tasklet.
/// Instructions a cycle that so many tasklets reach at most: one each 11 cycles, together one a cycle.
double ipcCeiling(int tasklets);

class ShareBars : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const upmem::OpOnDpu> run);      ///< Null: nothing.
    const std::vector<ShareBar>& bars() const { return m_bars; } ///< The pipeline first.
    void setCurrent(int bar);                                    ///< -1: none. Emits nothing.
    int current() const { return m_current; }
    QRectF barRect(int bar) const; ///< In the viewport.
    QString tipAt(const QPoint& position) const;
    QString describe(int bar) const; ///< One line.
    QString csv() const;
    ExportSource exportSource();
    QSize minimumSizeHint() const override { return {220, 100}; }

signals:
    void chosen(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    double lineHeight() const;
    int contentHeight(int width) const;
    int legendHeight(const std::vector<SharePart>& parts, int width) const;
    double topOf(int bar, int width) const; ///< Unscrolled.
    double labelWidth() const;
    void paintContent(QPainter& painter, int width) const;
    void paintIpc(QPainter& painter, const QRectF& rect) const;
    void paintLegend(QPainter& painter, const std::vector<SharePart>& parts, double top, int width) const;
    void paintBar(QPainter& painter, int bar, const QRectF& rect) const;
    void relayout();
    void choose(int bar);

    std::shared_ptr<const upmem::OpOnDpu> m_run;
    std::vector<ShareBar> m_bars;
    int m_current = -1;
};

} // namespace pim::views
