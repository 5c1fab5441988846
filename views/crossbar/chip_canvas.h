// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine from above: chips, their cores, the arrays in them, coloured by what is asked. An array group
/// is dragged to another core, or carried there with the keys; the verdict shows before it is let go.
#include "views/common/canvas_items.h"
#include "views/common/plot_export.h"
#include "views/crossbar/chip_facts.h"

#include <QWidget>

#include <functional>
#include <optional>

namespace pim::views {

class ChipCanvas : public QWidget {
    Q_OBJECT
public:
    /// Why the group may not lie in that core; empty: it may.
    using Verdict = std::function<QString(const ChipGroup& group, int core)>;

    explicit ChipCanvas(QWidget* parent = nullptr);

    void setFacts(std::shared_ptr<const ChipFacts> facts); ///< Null: nothing.
    void setMeasure(ChipMeasure measure);
    ChipMeasure measure() const { return m_measure; }
    void setVerdict(Verdict verdict) { m_verdict = std::move(verdict); }
    void setHighlight(int entry); ///< Layer that stands out; -1: none.
    int highlight() const { return m_highlight; }
    int core() const { return m_core; } ///< Where the keys are; -1: nowhere.
    void setCore(int core);
    std::optional<ChipGroup> group() const; ///< Chosen in core().

    QRectF rectOf(int core) const; ///< In widget coordinates.
    int coreAt(const QPointF& position) const;
    std::optional<ChipGroup> groupAt(const QPointF& position) const;
    bool isCarrying() const { return m_held.has_value(); }
    QString verdictText() const { return m_verdictText; }
    ExportSource exportSource();
    QSize sizeHint() const override { return {520, 400}; }
    QSize minimumSizeHint() const override { return {180, 140}; }

signals:
    void coreChosen(int core);
    void entryChosen(int entry); ///< A layer, by one of its array groups.
    void moveRequested(const pim::views::ChipGroup& group, int core);
    void verdictChanged();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Held {
        ChipGroup group;
        int from = -1, over = -1;
        bool byKeys = false;
        bool isLegal = false;
    };
    QSizeF whole(const QSizeF& room) const;
    QRectF chipRect(int chip, const QRectF& area) const;
    QRectF coreRect(int core, const QRectF& area) const;
    QRectF drawingArea() const;
    /// Places of the arrays of a core, one after the other, in \p rect.
    QRectF cellRect(int core, int cell, const QRectF& rect) const;
    void paintOn(QPainter& painter, const QRectF& area) const;
    void paintCore(QPainter& painter, int core, const QRectF& rect) const;
    void paintLegend(QPainter& painter, const QRectF& rect) const;
    CanvasItem spokenCore(int core) const;
    void hold(std::optional<Held> held);
    void moveOver(int core);
    void letGo();
    void step(int dx, int dy);
    QString csv() const;

    std::shared_ptr<const ChipFacts> m_facts;
    Verdict m_verdict;
    ChipMeasure m_measure = ChipMeasure::Layer;
    int m_highlight = -1, m_core = -1;
    std::size_t m_chosen = 0; ///< Group in m_core the keys are at.
    std::optional<Held> m_held;
    std::optional<std::pair<QPointF, ChipGroup>> m_pressed;
    QString m_verdictText;
};

} // namespace pim::views
