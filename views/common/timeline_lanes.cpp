// SPDX-License-Identifier: GPL-3.0-or-later
// What is written and drawn over the raster of the lanes: names, outlines, the area, notes.
#include "views/common/timeline_canvas.h"

#include "views/common/core_words.h"
#include "views/common/timeline_levels.h"
#include "views/common/timeline_paint.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

using timeline::baseColor;

constexpr double kOverhang = 3; ///< Of a name below its group, where the next one has its first name.

void paintPin(QPainter& painter, const QPointF& middle) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Accent), 1.2));
    painter.setBrush(color(Role::Accent));
    painter.drawEllipse(middle + QPointF(0, -2), 2.2, 2.2);
    painter.drawLine(middle, middle + QPointF(0, 5));
    painter.restore();
}

/// Points to the right where more is folded away, down where it is shown.
void paintFold(QPainter& painter, const QPointF& middle, bool folded) {
    QPainterPath arrow;
    arrow.moveTo(folded ? QPointF(-2.5, -4) : QPointF(-4, -2.5));
    arrow.lineTo(folded ? QPointF(3, 0) : QPointF(0, 3));
    arrow.lineTo(folded ? QPointF(-2.5, 4) : QPointF(4, -2.5));
    arrow.closeSubpath();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    painter.fillPath(arrow, color(Role::Muted));
    painter.restore();
}

} // namespace

void TimelineCanvas::paintGutter(QPainter& painter) {
    painter.save();
    for (const Group& group : m_rows.groups()) {
        const double top = m_places.lanesTop + m_rows.clipTop(group);
        painter.setClipRect(QRectF(0, top, m_places.left, m_places.lanesBottom - top));
        paintLaneNames(painter, group);
    }
    painter.restore();
}

void TimelineCanvas::paintLaneNames(QPainter& painter, const Group& group) {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const double groupTop = m_places.lanesTop + m_rows.top(group, m_trackScroll);
    const double groupBottom = groupTop + group.height * static_cast<double>(group.count);
    // Names of every n-th track where there is no room for all.
    std::size_t step = 1;
    for (const std::size_t n : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096}) {
        step = n;
        if (group.height * static_cast<double>(n) >= line - 3) // the leading between lines
            break;
    }
    const auto first = static_cast<std::size_t>(std::max(0.0, (m_places.lanesTop - groupTop) / group.height));
    for (std::size_t i = first / step * step; i < group.count; i += step) {
        const std::size_t track = m_rows.rows()[group.first + i];
        const double top = groupTop + group.height * static_cast<double>(i);
        if (top > m_places.lanesBottom)
            break;
        const double middle = step == 1 ? top + group.height / 2 : top + line / 2;
        if (step > 1 && i > 0 && middle + line / 2 > groupBottom + kOverhang)
            break;
        double from = 4;
        if (group.isPinned) {
            paintPin(painter, QPointF(from + 4, middle));
            from += 10;
        }
        if (m_rows.canFold(track)) {
            paintFold(painter, QPointF(from + 5, middle), isFolded(m_timeline->tracks[track].group));
            from += 12;
        }
        painter.setPen(m_current && track == m_currentLane ? color(Role::NodeText) : color(Role::Muted));
        painter.drawText(QRectF(from, middle - line / 2, m_places.left - 6 - from, line),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(coreWord(m_timeline->tracks[track].name), Qt::ElideMiddle,
                                            m_places.left - 4 - from));
    }
}

void TimelineCanvas::paintPinnedEdge(QPainter& painter) {
    if (m_rows.pinnedHeight() <= 0)
        return;
    const double y = std::round(m_places.lanesTop + m_rows.pinnedHeight() - 3);
    painter.fillRect(QRectF(4, y, m_places.right - 4, 1), color(Role::NodeBorder));
}

void TimelineCanvas::paintFlags(QPainter& painter) {
    if (m_flags.empty())
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF strip = flagsRect();
    const QColor ink = color(Role::Accent);
    QColor veil = ink;
    veil.setAlpha(30);
    painter.save();
    painter.setClipRect(QRectF(strip.left(), strip.top(), strip.width(), m_places.lanesBottom - strip.top()));
    for (std::size_t flag = 0; flag < m_flags.size(); ++flag) {
        const TimelineFlag& note = m_flags[flag];
        const double x0 = std::round(xOf(note.fromNs)), x1 = std::max(x0 + 1, std::round(xOf(note.toNs)));
        if (x1 < strip.left() || x0 > strip.right())
            continue;
        painter.fillRect(QRectF(x0, strip.bottom() - 3, x1 - x0, 3), ink);
        painter.fillRect(QRectF(x0, m_places.lanesTop, x1 - x0, m_places.lanesBottom - m_places.lanesTop),
                         veil);
        painter.fillRect(QRectF(x0, strip.top() + 1, 1, strip.height() - 1), ink);
        QPainterPath pennant;
        pennant.moveTo(x0, strip.top() + 1);
        pennant.lineTo(x0 + 9, strip.top() + 4.5);
        pennant.lineTo(x0, strip.top() + 8);
        pennant.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(pennant, ink);
        painter.setRenderHint(QPainter::Antialiasing, false);
        // The words go on until the next note.
        const double left = std::max(x0, strip.left()) + 12;
        const double right = flag + 1 < m_flags.size()
                                 ? std::min(xOf(m_flags[flag + 1].fromNs) - 4, strip.right())
                                 : strip.right();
        if (right - left < 24)
            continue;
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(left, strip.top(), right - left, strip.height() - 3),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(QString(note.text).replace(QLatin1Char('\n'), QLatin1Char(' ')),
                                            Qt::ElideRight, right - left));
    }
    painter.restore();
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(4, strip.top(), m_places.left - 10, strip.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("notes"));
}

const QStaticText& TimelineCanvas::spanName(const TimelineSpan& span, double width,
                                            const QFontMetricsF& metrics) {
    // Shaping and eliding text is what drawing it costs.
    const bool isNamed = !m_timeline->labels[span.label].empty();
    const auto bucket = static_cast<std::uint64_t>(std::min(400.0, width) / 8);
    const std::uint64_t key =
        (bucket << 48) | (isNamed ? std::uint64_t{span.label} : (std::uint64_t{1} << 40) | span.kind);
    if (m_spanNames.size() > 4096)
        m_spanNames.clear();
    const auto [found, isNew] = m_spanNames.try_emplace(key);
    if (isNew) {
        const QString name =
            isNamed ? text(m_timeline->labels[span.label]) : coreWord(m_timeline->kinds[span.kind].name);
        QString shown = metrics.elidedText(name, m_style.elide, static_cast<double>(bucket) * 8);
        if (shown.size() < 7 && shown != name)
            shown.clear();
        found->second.setTextFormat(Qt::PlainText);
        found->second.setText(shown);
        found->second.prepare(QTransform(), font());
    }
    return found->second;
}

void TimelineCanvas::paintSpanTexts(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(lanes);
    std::vector<QColor> fills, inks;
    for (std::size_t kind = 0; kind < m_timeline->kinds.size(); ++kind) {
        fills.push_back(kindColor(kind));
        inks.push_back(textOn(fills.back()));
    }
    const auto most = static_cast<std::size_t>(lanes.width() / 4);
    // Name last written from a column on: arrays side by side that do the same carry it once, on the first of
    // them.
    std::vector<std::pair<std::uint32_t, std::size_t>> written(static_cast<std::size_t>(lanes.width()) + 2,
                                                               {0, SIZE_MAX - 1});
    const auto write = [&](std::size_t source, const QRectF& rect, std::size_t row) {
        const std::size_t begin = m_levels->spanAfter(source, m_fromNs);
        const std::size_t end =
            std::min(m_timeline->firstSpan[source + 1], m_levels->spanAfter(source, m_toNs) + 1);
        if (end - begin > most)
            return; // most are too narrow for a name
        for (std::size_t at = begin; at < end; ++at) {
            const TimelineSpan& span = m_timeline->spans[at];
            if (m_timeline->kinds[span.kind].role == SpanRole::Idle || span.startNs >= m_toNs)
                continue;
            const double x0 = std::max(xOf(span.startNs), lanes.left()),
                         x1 = std::min(xOf(span.startNs + span.durationNs), lanes.right());
            if (x1 - x0 < 5)
                continue;
            if (span.startNs > m_fromNs) // a hairline tells apart two ops of the same kind
                painter.fillRect(QRectF(std::floor(x0), rect.top(), 1, rect.height() - 1),
                                 mix(fills[span.kind], baseColor(), 0.6));
            const bool dimmed = brightPart() && !brightPart()->has(at);
            if (dimmed || rect.height() < metrics.height() - 2 || x1 - x0 < 26 ||
                span.label >= m_timeline->labels.size())
                continue;
            auto& above = written[static_cast<std::size_t>(x0 - lanes.left())];
            const bool told = above.first == span.label && above.second + 1 == row;
            above = {span.label, row};
            if (told && m_timeline->labels[span.label] != "")
                continue;
            const QStaticText& shown = spanName(span, x1 - x0 - 8, metrics);
            if (shown.text().isEmpty())
                continue;
            painter.setPen(inks[span.kind]);
            painter.drawStaticText(
                QPointF(x0 + 4, std::round(rect.top() + (rect.height() - 1 - metrics.height()) / 2)), shown);
        }
    };
    for (const Group& group : m_rows.groups()) {
        if (group.height < 5)
            continue;
        painter.setClipRect(lanes.adjusted(0, m_rows.clipTop(group), 0, 0));
        const double groupTop = m_places.lanesTop + m_rows.top(group, m_trackScroll);
        const auto first =
            static_cast<std::size_t>(std::max(0.0, (m_places.lanesTop - groupTop) / group.height));
        for (std::size_t row = group.first + first; row < group.first + group.count; ++row) {
            const std::size_t lane = m_rows.rows()[row];
            const QRectF rect(lanes.left(), groupTop + group.height * static_cast<double>(row - group.first),
                              lanes.width(), group.height);
            if (rect.top() >= lanes.bottom())
                break;
            QRectF upper = rect, lower = rect;
            if (const TimelineTrack& track = m_timeline->tracks[lane]; !track.over.empty()) {
                upper.setHeight(rect.height() * overTop(lane));
                lower.setTop(upper.bottom());
                for (const std::uint32_t over : track.over)
                    write(over, lower, row);
            }
            for (const std::uint32_t under : m_under[lane])
                write(under, upper, row);
        }
    }
    painter.restore();
}

void TimelineCanvas::paintOverlay(QPainter& painter) {
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(
        QRectF(lanes.left(), m_places.marksTop, lanes.width(), lanes.bottom() - m_places.marksTop));
    painter.setRenderHint(QPainter::Antialiasing);
    const auto outline = [&](std::size_t index, const QColor& ink, double pen) {
        for (QRectF box : spanRects(index)) {
            // Never smaller than the eye finds.
            if (box.width() < 5)
                box = QRectF(box.center().x() - 2.5, box.top(), 5, box.height());
            if (box.height() < 5)
                box = QRectF(box.left(), box.center().y() - 2.5, box.width(), 5);
            box = box.intersected(lanes.adjusted(-3, -3, 3, 3));
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(baseColor(), pen + 2));
            painter.drawRect(box);
            painter.setPen(QPen(ink, pen));
            painter.drawRect(box);
        }
    };
    paintPath(painter);
    if (m_hovered && m_hovered != m_current)
        outline(*m_hovered, color(Role::NodeText), 1.2);
    if (m_current) {
        outline(*m_current, color(Role::Selection), 2);
        const TimelineSpan& span = m_timeline->spans[*m_current];
        const double x = (std::max(xOf(span.startNs), lanes.left()) +
                          std::min(xOf(span.startNs + span.durationNs), lanes.right())) /
                         2;
        if (x >= lanes.left() && x <= lanes.right() && span.startNs < m_toNs &&
            span.startNs + span.durationNs >= m_fromNs) {
            // A pointer from the top edge, for a span one pixel wide among a thousand rows.
            QPainterPath arrow;
            arrow.moveTo(x - 5, m_places.marksTop);
            arrow.lineTo(x + 5, m_places.marksTop);
            arrow.lineTo(x, m_places.marksTop + 7);
            arrow.closeSubpath();
            painter.setPen(QPen(baseColor(), 1));
            painter.setBrush(color(Role::Selection));
            painter.drawPath(arrow);
        }
    }
    paintArea(painter);
    painter.restore();
}

void TimelineCanvas::paintArea(QPainter& painter) {
    if (!m_area)
        return;
    const QRectF lanes = lanesRect();
    // From the first to the last that is seen: some may be folded away.
    QRectF rows;
    for (const std::uint32_t track : areaTracks())
        if (const QRectF rect = trackRect(track); !rect.isNull())
            rows = rows.isNull() ? rect : rows.united(rect);
    if (rows.isNull())
        return;
    const QRectF box =
        QRectF(QPointF(xOf(m_area->fromNs), rows.top()), QPointF(xOf(m_area->toNs), rows.bottom()))
            .intersected(lanes.adjusted(-4, -4, 4, 4));
    QColor tint = color(Role::Selection);
    tint.setAlpha(38);
    painter.setPen(QPen(color(Role::Selection), 1.4));
    painter.setBrush(tint);
    painter.drawRect(box);
    const QString length = timeLabel(m_area->toNs - m_area->fromNs);
    const QFontMetricsF metrics(painter.font());
    const double wide = metrics.horizontalAdvance(length) + 10;
    if (box.width() > wide + 4 && box.height() > metrics.height() + 6) {
        const QRectF tag(box.center().x() - wide / 2, box.top() + 3, wide, metrics.height() + 2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Role::Selection));
        painter.drawRoundedRect(tag, 3, 3);
        painter.setPen(textOn(color(Role::Selection)));
        painter.drawText(tag, Qt::AlignCenter, length);
    }
}

void TimelineCanvas::paintOverview(QPainter& painter) {
    const QRectF rect = overviewRect();
    if (m_overview.isNull() ||
        m_overview.width() != std::max(1, static_cast<int>(std::lround(rect.width() * devicePixelRatioF()))))
        refreshOverview();
    painter.drawImage(rect.topLeft(), m_overview);
    const double end = m_timeline->endNs;
    double x0 = rect.left() + m_fromNs / end * rect.width(), x1 = rect.left() + m_toNs / end * rect.width();
    if (x1 - x0 < 4) {
        x0 = (x0 + x1) / 2 - 2;
        x1 = x0 + 4;
    }
    QColor veil = baseColor();
    veil.setAlpha(150);
    painter.fillRect(QRectF(rect.left(), rect.top(), std::max(0.0, x0 - rect.left()), rect.height()), veil);
    painter.fillRect(QRectF(x1, rect.top(), std::max(0.0, rect.right() - x1), rect.height()), veil);
    painter.setPen(QPen(color(Role::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(x0, rect.top() + 0.5, x1 - x0, rect.height() - 1));
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(4, rect.top() - 2, m_places.left - 10, rect.height() + 4),
                     Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(tr("all"), Qt::ElideRight, m_places.left - 8));
}

} // namespace pim::views
