// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas says about a place: which span is there, its words, the figures for an export.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "core/timeline/chrome_trace.h"
#include "views/common/core_words.h"
#include "views/common/plot_export.h"
#include "views/common/timeline_levels.h"

#include <QPainter>

#include <algorithm>

namespace pim::views {
std::optional<std::size_t> TimelineCanvas::spanAt(const QPointF& position) const {
    const int track = trackAt(position.y());
    if (!m_levels || track < 0 || position.x() < m_places.left || position.x() > m_places.right)
        return {};
    const auto row = static_cast<std::size_t>(track);
    const double ns = nsAt(position.x());
    // A span narrower than a pixel is hit within two pixels; under the pointer, a switch goes first.
    const double reach = (m_toNs - m_fromNs) / lanesRect().width() * 2;
    const QRectF rect = trackRect(row);
    const std::vector<std::uint32_t>& over = m_timeline->tracks[row].over;
    if (!over.empty() && position.y() >= rect.top() + rect.height() * overTop(row))
        if (const auto found = spanNear(over, ns, reach))
            return found;
    return spanNear(m_under[row], ns, reach);
}

double TimelineCanvas::distance(std::size_t index, double ns) const {
    const TimelineSpan& span = m_timeline->spans[index];
    return std::max({0.0, span.startNs - ns, ns - span.startNs - span.durationNs});
}

std::optional<std::size_t> TimelineCanvas::spanNear(const std::vector<std::uint32_t>& tracks, double ns,
                                                    double reach) const {
    std::optional<std::size_t> nearest;
    for (const std::uint32_t track : tracks)
        if (const auto span = spanNear(track, ns, reach);
            span && (!nearest || distance(*span, ns) < distance(*nearest, ns)))
            nearest = span;
    return nearest;
}

std::optional<std::size_t> TimelineCanvas::spanNear(std::size_t track, double ns, double reach) const {
    std::optional<std::size_t> found;
    double nearest = reach;
    const std::size_t end = m_timeline->firstSpan[track + 1];
    int looked = 0;
    for (std::size_t i = m_levels->spanAfter(track, ns - reach); i < end && looked < 256; ++i, ++looked) {
        const TimelineSpan& span = m_timeline->spans[i];
        if (span.startNs > ns + reach)
            break;
        const SpanRole role = m_timeline->kinds[span.kind].role;
        if (role == SpanRole::Idle)
            continue;
        const double off = distance(i, ns);
        if (role == SpanRole::Switching && span.durationNs < reach)
            return i;
        if (off < nearest || (off == 0 && !found)) {
            nearest = off;
            found = i;
        }
    }
    return found;
}

int TimelineCanvas::bandAt(const QPointF& position) const {
    if (!m_timeline || !bandsRect().contains(position))
        return -1;
    const double ns = nsAt(position.x());
    const auto after =
        std::upper_bound(m_bandOrder.begin(), m_bandOrder.end(), ns,
                         [&](double at, std::size_t band) { return at < m_timeline->bands[band].startNs; });
    if (after == m_bandOrder.begin())
        return -1;
    const std::size_t band = *(after - 1);
    return ns < m_timeline->bands[band].endNs ? static_cast<int>(band) : -1;
}

QString TimelineCanvas::spanText(std::size_t index) const {
    const TimelineSpan& span = m_timeline->spans[index];
    QStringList parts{coreWord(m_timeline->tracks[span.track].name),
                      coreWord(m_timeline->kinds[span.kind].name)};
    if (m_facts)
        for (const auto& [name, value] : m_facts(index))
            parts << QStringLiteral("%1 %2").arg(name, value);
    else if (span.label < m_timeline->labels.size() && !m_timeline->labels[span.label].empty())
        parts << QString::fromStdString(m_timeline->labels[span.label]);
    parts << tr("from %1").arg(timeLabel(span.startNs)) << tr("for %1").arg(timeLabel(span.durationNs));
    if (span.band < m_timeline->bands.size())
        parts << QString::fromStdString(m_timeline->bands[span.band].name);
    if (const QString path = pathText(index); !path.isEmpty())
        parts << path;
    return parts.join(QStringLiteral(" · "));
}

CanvasItem TimelineCanvas::spokenRow(std::size_t row) const {
    const TimelineTrack& track = m_timeline->tracks[row];
    std::vector<double> busy(m_timeline->kinds.size());
    std::size_t spans = 0;
    for (const std::uint32_t under : m_under[row]) {
        m_levels->addBusy(under, m_fromNs, m_toNs, busy.data());
        spans += m_timeline->firstSpan[under + 1] - m_timeline->firstSpan[under];
    }
    QStringList parts;
    for (std::size_t kind = 0; kind < busy.size(); ++kind)
        if (busy[kind] > 0)
            parts << tr("%1 %2 of the time shown")
                         .arg(QString::fromStdString(m_timeline->kinds[kind].name),
                              QString::fromStdString(percentText(busy[kind] / (m_toNs - m_fromNs))));
    if (parts.isEmpty())
        parts << tr("idle in the time shown");
    parts << tr("%1 spans in all").arg(QString::fromStdString(exactText(static_cast<std::int64_t>(spans))));
    return {track.group.empty()
                ? QString::fromStdString(track.name)
                : tr("%1 (%2)").arg(QString::fromStdString(track.name), QString::fromStdString(track.group)),
            parts.join(QStringLiteral(", ")), trackRect(row), false};
}

CanvasItem TimelineCanvas::spokenSpan() const {
    const TimelineSpan& span = m_timeline->spans[*m_current];
    QRectF place;
    for (const QRectF& rect : spanRects(*m_current))
        place = place.isNull() ? rect : place;
    const bool isNamed = span.label < m_timeline->labels.size() && !m_timeline->labels[span.label].empty();
    return {
        QString::fromStdString(isNamed ? m_timeline->labels[span.label] : m_timeline->kinds[span.kind].name),
        spanText(*m_current).replace(QStringLiteral(" · "), QStringLiteral(", ")), place, true};
}

QString TimelineCanvas::tipAt(const QPointF& position) const {
    if (!m_timeline)
        return {};
    if (const int flag = flagAt(position); flag >= 0) {
        const TimelineFlag& note = m_flags[static_cast<std::size_t>(flag)];
        return QStringLiteral("<p>%1</p><p>%2</p>")
            .arg(note.text.toHtmlEscaped(),
                 tr("%1 from %2").arg(timeLabel(note.toNs - note.fromNs), timeLabel(note.fromNs)));
    }
    const auto row = [](const QString& name, const QString& value) {
        return QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
            .arg(name, value.toHtmlEscaped());
    };
    const auto percent = [](double share) { return QString::fromStdString(percentText(share)); };
    if (const int band = bandAt(position); band >= 0) {
        const auto at = static_cast<std::size_t>(band);
        const TimelineBand& b = m_timeline->bands[at];
        const BandShare& share = m_bandShares[at];
        return QStringLiteral("<b>%1</b><table>").arg(QString::fromStdString(b.name).toHtmlEscaped()) +
               row(tr("start"), timeLabel(b.startNs)) + row(tr("duration"), timeLabel(b.endNs - b.startNs)) +
               (!m_style.showsShares
                    ? QString()
                    : row(tr("compute"), percent(share.compute)) + row(tr("memory"), percent(share.memory)) +
                          row(tr("switching, rewriting, …"), percent(share.other)) +
                          row(tr("idle"),
                              percent(std::max(0.0F, 1 - share.compute - share.memory - share.other)))) +
               QStringLiteral("</table>");
    }
    const auto found = spanAt(position);
    if (!found) {
        const int track = trackAt(position.y());
        return track < 0 || position.x() < m_places.left
                   ? QString()
                   : tr("%1: idle").arg(coreWord(m_timeline->tracks[static_cast<std::size_t>(track)].name));
    }
    const TimelineSpan& span = m_timeline->spans[*found];
    const TimelineTrack& track = m_timeline->tracks[span.track];
    QString tip =
        QStringLiteral("<b>%1</b><table>").arg(coreWord(m_timeline->kinds[span.kind].name).toHtmlEscaped());
    if (m_facts)
        for (const auto& [name, value] : m_facts(*found))
            tip += row(name, value);
    else if (span.label < m_timeline->labels.size() && !m_timeline->labels[span.label].empty())
        tip += row(tr("op"), QString::fromStdString(m_timeline->labels[span.label]));
    tip += row(tr("track"), track.group.empty()
                                ? coreWord(track.name)
                                : tr("%1 (%2)").arg(coreWord(track.name), coreWord(track.group)));
    tip += row(tr("start"), timeLabel(span.startNs)) + row(tr("duration"), timeLabel(span.durationNs));
    if (span.band < m_timeline->bands.size())
        tip += row(coreWord(m_timeline->bandWord), QString::fromStdString(m_timeline->bands[span.band].name));
    const double perPixel = (m_toNs - m_fromNs) / lanesRect().width();
    const std::size_t here = m_levels->spanAfter(span.track, nsAt(position.x()) + perPixel) -
                             m_levels->spanAfter(span.track, nsAt(position.x()) - perPixel);
    if (here > 2)
        tip += row(tr("under the pointer"),
                   tr("%1 spans, zoom in to tell them apart")
                       .arg(QString::fromStdString(exactText(static_cast<std::int64_t>(here)))));
    return tip + QStringLiteral("</table>");
}

ExportSource TimelineCanvas::exportSource() {
    return {QStringLiteral("timeline"), [this] { return size(); },
            [this](QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground); },
            [this] {
                QString csv;
                if (!m_timeline)
                    return csv;
                QStringList header{QStringLiteral("track"), QStringLiteral("group"),
                                   QStringLiteral("from_ns"), QStringLiteral("to_ns")};
                for (const SpanKind& kind : m_timeline->kinds)
                    header << QString::fromStdString(kind.name).replace(QLatin1Char(' '), QLatin1Char('_')) +
                                  QStringLiteral("_ns");
                csv = csvLine(header) + QLatin1Char('\n');
                const auto busy = busyNs(*m_timeline, m_fromNs, m_toNs);
                for (std::size_t track = 0; track < busy.size(); ++track) {
                    QStringList fields{QString::fromStdString(m_timeline->tracks[track].name),
                                       QString::fromStdString(m_timeline->tracks[track].group),
                                       exactNumber(m_fromNs), exactNumber(m_toNs)};
                    for (const double ns : busy[track])
                        fields << exactNumber(ns);
                    csv += csvLine(fields) + QLatin1Char('\n');
                }
                return csv;
            },
            [this](const QString& path) -> Result<void> {
                if (!m_timeline)
                    return fail(ErrorCode::Usage, "there is no timeline yet", path.toStdString());
                return writeChromeTrace(*m_timeline, "PIM Studio", path.toStdString());
            }};
}

} // namespace pim::views
