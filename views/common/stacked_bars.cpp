// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/stacked_bars.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/origin_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr int kMargin = 12, kLegendHeight = 30, kLegendLine = 20, kTitleHeight = 30, kRowHeight = 27,
              kAxisHeight = 26;

Origin originOf(const StackedBar& bar) {
    return bar.predicted ? Origin::Predicted : Origin::Simulated;
}

QString totalText(const StackedBar& bar) {
    return figureText(originOf(bar), timeText(bar.cost.totalNs()));
}

/// 1, 2 or 5 times a power of ten, so that about \p steps of them make \p span.
double tickStep(double span, int steps) {
    const double raw = span / steps, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

QString tickText(double ns) {
    return withoutTrailingZeros(text(timeText(ns)));
}

} // namespace

const std::array<CostPart, kCostParts>& costParts() {
    static const std::array<CostPart, kCostParts> kParts{{
        {Role::InputRearrangement, StackedBars::tr("input rearrangement"), &CostSplit::inputNs},
        {Role::Compute, StackedBars::tr("compute"), &CostSplit::computeNs},
        {Role::OutputRearrangement, StackedBars::tr("output rearrangement"), &CostSplit::outputNs},
        {Role::ModeSwitch, StackedBars::tr("mode switch"), &CostSplit::modeSwitchNs},
        {Role::Rewriting, StackedBars::tr("weight rewrite"), &CostSplit::rewriteNs},
        {Role::HostTime, StackedBars::tr("host"), &CostSplit::hostNs},
    }};
    return kParts;
}

StackedBars::StackedBars(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Times by part"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(kRowHeight);
    const auto row = [this](int bar) {
        return *std::find_if(m_rows.begin(), m_rows.end(),
                             [&](const Row& each) { return each.bar && bar-- == 0; });
    };
    setCanvasItems(
        this, this,
        {[this] {
             return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
                                                   [](const Row& each) { return each.bar != nullptr; }));
         },
         [this, row](int bar) {
             const Row shown = row(bar);
             return CanvasItem{
                 spokenName(*shown.bar), spokenParts(*shown.bar),
                 QRectF(0, shown.top - verticalScrollBar()->value(), viewport()->width(), shown.height),
                 shown.bar->id >= 0 && shown.bar->id == m_selected};
         },
         [this] {
             int bar = 0;
             for (const Row& each : m_rows)
                 if (each.bar && each.bar->id >= 0 && each.bar->id == m_selected)
                     return bar;
                 else
                     bar += each.bar ? 1 : 0;
             return -1;
         },
         [this, row](int bar) { choose(row(bar).bar->id); }});
}

QString StackedBars::spokenName(const StackedBar& bar) const {
    return QStringLiteral("%1 %2 %3").arg(bar.label, bar.detail, bar.note).simplified();
}

QString StackedBars::spokenParts(const StackedBar& bar) const {
    const double total = bar.cost.totalNs();
    QStringList parts{tr("total %1").arg(totalText(bar))};
    for (const CostPart& part : costParts())
        if (const double ns = bar.cost.*part.ns; ns > 0)
            parts << tr("%1 %2, %3").arg(part.name, text(timeText(ns)), text(percentText(ns / total)));
    return parts.join(QStringLiteral("; "));
}

void StackedBars::setSections(std::vector<BarSection> sections) {
    m_sections = std::move(sections);
    m_hovered = -1;
    relayout();
    announceItems(this);
    viewport()->update();
}

void StackedBars::setCompact(bool compact) {
    m_compact = compact;
    setVerticalScrollBarPolicy(compact ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    relayout();
}

void StackedBars::relayout() {
    m_rows.clear();
    int y = 0;
    for (const BarSection& section : m_sections) {
        if (!section.title.isEmpty()) {
            m_rows.push_back({&section, nullptr, false, y, kTitleHeight});
            y += kTitleHeight;
        }
        for (const StackedBar& bar : section.bars) {
            m_rows.push_back({&section, &bar, false, y, kRowHeight});
            y += kRowHeight;
        }
        m_rows.push_back({&section, nullptr, true, y, kAxisHeight});
        y += kAxisHeight;
    }
    const int legend = legendHeight(viewport()->width()) + 6; // which tells of the bars there are
    for (Row& row : m_rows)
        row.top += legend;
    m_height = y + legend + 4;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, m_height - viewport()->height()));
    if (m_compact)
        setFixedHeight(m_height);
}

QSize StackedBars::contentSize() const {
    return {std::max(viewport()->width(), 480), m_height};
}

StackedBars::Columns StackedBars::columnsFor(int width) const {
    const QFontMetricsF metrics(font());
    double label = 90;
    double right = 60;
    for (const Row& row : m_rows)
        if (row.bar) {
            const QString detail =
                row.bar->detail.isEmpty() ? QString() : QStringLiteral("  ") + row.bar->detail;
            label = std::max(label, metrics.horizontalAdvance(row.bar->label + detail) + 14);
            const QString note = row.bar->note.isEmpty() ? QString() : QStringLiteral("   ") + row.bar->note;
            right = std::max(right, metrics.horizontalAdvance(totalText(*row.bar) + note) + 14);
        }
    label = std::min(label, width * 0.36);
    right = std::min(right, width * 0.34);
    const double bar = kMargin + label;
    return {bar, std::max(40.0, width - bar - right - kMargin), right};
}

double StackedBars::scaleOf(const BarSection& section) const {
    double longest = 0;
    for (const StackedBar& bar : section.bars)
        longest = std::max(longest, bar.cost.totalNs());
    return longest;
}

std::vector<const CostPart*> StackedBars::shownParts() const {
    std::vector<const CostPart*> shown;
    for (const CostPart& part : costParts())
        if (std::any_of(m_rows.begin(), m_rows.end(),
                        [&](const Row& row) { return row.bar && row.bar->cost.*part.ns > 0; }))
            shown.push_back(&part);
    return shown;
}

std::vector<StackedBars::LegendEntry> StackedBars::legendFor(int width) const {
    const QFontMetricsF metrics(font());
    std::vector<LegendEntry> entries;
    double x = kMargin;
    int line = 0;
    for (const CostPart* part : shownParts()) {
        const double needed = 18 + metrics.horizontalAdvance(part->name);
        if (x > kMargin && x + needed > width - kMargin) {
            x = kMargin;
            ++line;
        }
        entries.push_back({part, QPointF(x, kLegendHeight / 2.0 + line * kLegendLine)});
        x += needed + 16;
    }
    return entries;
}

int StackedBars::legendHeight(int width) const {
    const auto entries = legendFor(width);
    return static_cast<int>(entries.empty() ? 0 : entries.back().at.y() + kLegendHeight / 2.0);
}

void StackedBars::paintLegend(QPainter& painter, int width) const {
    const QFontMetricsF metrics(painter.font());
    for (const LegendEntry& entry : legendFor(width)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(entry.part->role));
        painter.drawRoundedRect(QRectF(entry.at.x(), entry.at.y() - 5, 12, 12), 2.5, 2.5);
        painter.setPen(color(Role::NodeText));
        painter.drawText(entry.at + QPointF(18, 1 + (metrics.ascent() - metrics.descent()) / 2),
                         entry.part->name);
    }
}

void StackedBars::paintAxis(QPainter& painter, const Row& row, const Columns& columns) const {
    const QFontMetricsF metrics(painter.font());
    const double scale = scaleOf(*row.section);
    painter.setPen(color(Role::Muted));
    if (scale <= 0)
        return;
    const double step = tickStep(scale, std::clamp(static_cast<int>(columns.barWidth / 110), 2, 8));
    for (double ns = 0; ns <= scale * 1.0001; ns += step) {
        const QString label = tickText(ns);
        const double x = columns.bar + ns / scale * columns.barWidth;
        const double at = std::max(columns.bar, x - metrics.horizontalAdvance(label) / 2);
        painter.drawText(QPointF(at, row.top + metrics.ascent() + 3), label);
    }
}

void StackedBars::paintTitle(QPainter& painter, const Row& row) const {
    QFont bold = painter.font();
    bold.setWeight(QFont::DemiBold);
    painter.save();
    painter.setFont(bold);
    painter.setPen(color(Role::NodeText));
    painter.drawText(QPointF(kMargin, row.top + row.height - 9), row.section->title);
    painter.restore();
}

void StackedBars::paintParts(QPainter& painter, const StackedBar& bar, const QRectF& track,
                             double scale) const {
    const double total = bar.cost.totalNs();
    if (scale <= 0 || total <= 0)
        return;
    const double end = std::max(2.0, total / scale * track.width());
    painter.save();
    QPainterPath rounded;
    rounded.addRoundedRect(QRectF(track.left(), track.top(), end, track.height()), 3, 3);
    painter.setClipPath(rounded);
    double before = 0;
    for (const CostPart& part : costParts()) {
        const double ns = bar.cost.*part.ns;
        if (ns <= 0)
            continue;
        const QRectF piece(track.left() + before / total * end, track.top(), ns / total * end,
                           track.height());
        painter.fillRect(piece, color(part.role));
        if (before > 0) // a hairline between parts tells them apart without colour
            painter.fillRect(QRectF(piece.left() - 0.5, piece.top(), 1, piece.height()),
                             QGuiApplication::palette().color(QPalette::Base));
        before += ns;
    }
    painter.restore();
}

void StackedBars::paintRow(QPainter& painter, const Row& row, const Columns& columns, int width) const {
    if (row.isAxis)
        return paintAxis(painter, row, columns);
    if (!row.bar)
        return paintTitle(painter, row);
    const QFontMetricsF metrics(painter.font());
    const StackedBar& bar = *row.bar;
    const QRectF whole(4, row.top, width - 8, row.height);
    const bool selected = bar.id >= 0 && bar.id == m_selected, hovered = bar.id >= 0 && bar.id == m_hovered;
    if (selected || hovered) {
        QColor tint = color(selected ? Role::Selection : Role::Accent);
        tint.setAlpha(selected ? 46 : 22);
        painter.setPen(selected ? QPen(color(Role::Selection), 1.2) : QPen(Qt::NoPen));
        painter.setBrush(tint);
        painter.drawRoundedRect(whole.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const double baseline = row.top + row.height / 2.0 + (metrics.ascent() - metrics.descent()) / 2;
    const double labelWidth = columns.bar - kMargin - 10;
    const double detailWidth = bar.detail.isEmpty() ? 0 : metrics.horizontalAdvance(bar.detail) + 8;
    // The end of a long name tells it apart from its neighbours.
    const QString label =
        metrics.elidedText(bar.label, Qt::ElideLeft, std::max(40.0, labelWidth - detailWidth));
    painter.setPen(color(Role::NodeText));
    painter.drawText(QPointF(kMargin, baseline), label);
    if (detailWidth > 0 && labelWidth - metrics.horizontalAdvance(label) >= detailWidth - 1) {
        painter.setPen(color(Role::Muted));
        painter.drawText(QPointF(kMargin + metrics.horizontalAdvance(label) + 8, baseline), bar.detail);
    }

    paintParts(painter, bar, QRectF(columns.bar, row.top + 5, columns.barWidth, row.height - 10),
               scaleOf(*row.section));
    const QString value = totalText(bar);
    const double x = columns.bar + columns.barWidth + 10;
    painter.setPen(color(Role::NodeText));
    const QFont upright = painter.font();
    painter.setFont(originFont(originOf(bar), upright));
    painter.drawText(QPointF(x, baseline), value);
    painter.setFont(upright);
    if (!bar.note.isEmpty()) {
        painter.setPen(color(Role::Muted));
        const double used = metrics.horizontalAdvance(value + QStringLiteral("   "));
        painter.drawText(QPointF(x + used, baseline),
                         metrics.elidedText(bar.note, Qt::ElideRight, width - kMargin / 2.0 - x - used));
    }
}

void StackedBars::paintContent(QPainter& painter, int width) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    painter.fillRect(QRect(0, 0, width, m_height), QGuiApplication::palette().color(QPalette::Base));
    const Columns columns = columnsFor(width);
    paintLegend(painter, width);
    // Lines of the scale run behind the bars of a section.
    for (const BarSection& section : m_sections) {
        const double scale = scaleOf(section);
        if (scale <= 0)
            continue;
        int top = m_height, bottom = 0;
        for (const Row& row : m_rows)
            if (row.section == &section && row.bar) {
                top = std::min(top, row.top);
                bottom = std::max(bottom, row.top + row.height);
            }
        const double step = tickStep(scale, std::clamp(static_cast<int>(columns.barWidth / 110), 2, 8));
        painter.setPen(QPen(color(Role::GridLine), 1));
        for (double ns = 0; ns <= scale * 1.0001; ns += step) {
            const double x = std::round(columns.bar + ns / scale * columns.barWidth) + 0.5;
            painter.drawLine(QPointF(x, top), QPointF(x, bottom + 3));
        }
    }
    for (const Row& row : m_rows)
        paintRow(painter, row, columns, width);
}

void StackedBars::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), QGuiApplication::palette().color(QPalette::Base));
    painter.translate(0, -verticalScrollBar()->value());
    paintContent(painter, viewport()->width());
    if (hasFocus()) {
        painter.resetTransform();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void StackedBars::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

const StackedBars::Row* StackedBars::rowAt(int y) const {
    for (const Row& row : m_rows)
        if (y >= row.top && y < row.top + row.height)
            return &row;
    return nullptr;
}

QPoint StackedBars::barPosition(int id) const {
    for (const Row& row : m_rows)
        if (row.bar && row.bar->id == id)
            return {static_cast<int>(columnsFor(viewport()->width()).bar) + 2,
                    row.top + row.height / 2 - verticalScrollBar()->value()};
    return {-1, -1};
}

QString StackedBars::tipAt(const QPoint& position) const {
    const Row* row = rowAt(position.y() + verticalScrollBar()->value());
    if (!row || !row->bar)
        return {};
    const StackedBar& bar = *row->bar;
    const double total = bar.cost.totalNs();
    const Columns columns = columnsFor(viewport()->width());
    const double at = (position.x() - columns.bar) / columns.barWidth * scaleOf(*row->section);
    QString tip =
        QStringLiteral("<b>%1</b> %2<table>").arg(bar.label.toHtmlEscaped(), bar.detail.toHtmlEscaped());
    double before = 0;
    for (const CostPart& part : costParts()) {
        const double ns = bar.cost.*part.ns;
        const bool here = at >= before && at < before + ns;
        before += ns;
        if (ns > 0)
            tip +=
                QStringLiteral("<tr><td style='padding-right:12px'>%4%1%5</td><td align='right' "
                               "style='padding-right:12px'>%2</td>"
                               "<td align='right'>%3</td></tr>")
                    .arg(part.name, text(timeText(ns)), text(percentText(total > 0 ? ns / total : 0)),
                         here ? QStringLiteral("<b>") : QString(), here ? QStringLiteral("</b>") : QString());
    }
    return tip + QStringLiteral("<tr><td>%1</td><td align='right'>%2</td><td></td></tr></table>")
                     .arg(tr("total"), text(timeText(total)));
}

bool StackedBars::viewportEvent(QEvent* event) {
    if (answerToolTip(event, viewport(), [this](const QPoint& at) { return tipAt(at); }))
        return true;
    if (event->type() == QEvent::Leave && m_hovered >= 0) {
        m_hovered = -1;
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void StackedBars::choose(int id) {
    if (id < 0 || id == m_selected)
        return;
    setSelected(id);
    emit barClicked(id);
}

void StackedBars::setSelected(int id) {
    if (id == m_selected)
        return;
    m_selected = id;
    for (const Row& row : m_rows)
        if (id >= 0 && row.bar && row.bar->id == id) {
            const int top = verticalScrollBar()->value();
            if (row.top < top)
                verticalScrollBar()->setValue(row.top);
            else if (row.top + row.height > top + viewport()->height())
                verticalScrollBar()->setValue(row.top + row.height - viewport()->height());
            setAccessibleDescription(
                tr("%1, %2").arg(row.bar->label, text(timeText(row.bar->cost.totalNs()))));
        }
    announceCurrent(this);
    viewport()->update();
}

void StackedBars::mousePressEvent(QMouseEvent* event) {
    const Row* row = rowAt(event->pos().y() + verticalScrollBar()->value());
    if (event->button() == Qt::LeftButton && row && row->bar)
        choose(row->bar->id);
}

void StackedBars::mouseDoubleClickEvent(QMouseEvent* event) {
    const Row* row = rowAt(event->pos().y() + verticalScrollBar()->value());
    if (row && row->bar && row->bar->id >= 0)
        emit barActivated(row->bar->id);
}

void StackedBars::mouseMoveEvent(QMouseEvent* event) {
    const Row* row = rowAt(event->pos().y() + verticalScrollBar()->value());
    const int id = row && row->bar ? row->bar->id : -1;
    if (id == m_hovered)
        return;
    m_hovered = id;
    viewport()->setCursor(id >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void StackedBars::keyPressEvent(QKeyEvent* event) {
    std::vector<int> ids;
    for (const Row& row : m_rows)
        if (row.bar && row.bar->id >= 0)
            ids.push_back(row.bar->id);
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_selected >= 0) {
        emit barActivated(m_selected);
        return;
    }
    if (ids.empty() || (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const auto found = std::find(ids.begin(), ids.end(), m_selected);
    if (found == ids.end())
        choose(ids.front());
    else if (event->key() == Qt::Key_Down && found + 1 != ids.end())
        choose(*(found + 1));
    else if (event->key() == Qt::Key_Up && found != ids.begin())
        choose(*(found - 1));
}

void StackedBars::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        relayout();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace pim::views
