// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn around the lanes: legend, axis, bands, rings, switches.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/timeline_paint.h"

#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

using timeline::baseColor;
using timeline::idleColor;

double tickStep(double raw) {
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

/// Three parts of a whole as a ring.
void paintRing(QPainter& painter, const QPointF& middle, double radius,
               const TimelineCanvas::BandShare& share) {
    const QRectF outer(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius);
    const double hole = radius * 0.52;
    QPainterPath ring;
    ring.addEllipse(outer);
    ring.addEllipse(middle, hole, hole);
    painter.save();
    painter.setClipPath(ring, Qt::IntersectClip);
    painter.setPen(Qt::NoPen);
    painter.setBrush(idleColor());
    painter.drawEllipse(outer);
    double at = 90 * 16;
    const std::array<std::pair<float, Role>, 3> parts{
        {{share.compute, Role::Compute}, {share.memory, Role::MemoryIn}, {share.other, Role::Rewriting}}};
    for (const auto& [part, role] : parts) {
        const double sweep = -part * 360 * 16;
        painter.setBrush(color(role));
        painter.drawPie(outer, static_cast<int>(std::lround(at)), static_cast<int>(std::lround(sweep)));
        at += sweep;
    }
    painter.restore();
    painter.setPen(QPen(color(Role::NodeBorder), 0.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(outer);
}

} // namespace

void TimelineCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool any = m_timeline && m_levels && m_timeline->endNs > 0;
    // What the raster covers is painted once.
    QRegion around(rect());
    if (any)
        around -= lanesRect().toRect().adjusted(1, 1, -1, -1);
    for (const QRect& part : around)
        painter.fillRect(part, baseColor());
    if (any) {
        if (m_rasterIsOld)
            refreshRaster();
        painter.setFont(font());
        paintAxis(painter);
        painter.drawImage(lanesRect().topLeft(), m_raster);
        paintLegend(painter);
        paintBands(painter);
        paintShares(painter);
        paintMarks(painter);
        paintGutter(painter);
        paintSpanTexts(painter);
        paintFlags(painter);
        paintPinnedEdge(painter);
        paintOverlay(painter);
        paintOverview(painter);
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineCanvas::paintLegend(QPainter& painter) {
    if (m_places.legendHeight <= 0)
        return;
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height()) + 4;
    const std::vector<double>& busy = visibleBusyNs();
    const double all = (m_toNs - m_fromNs) * static_cast<double>(std::max<std::size_t>(1, laneCount()));
    double used = 0, x = 10, y = m_places.legendTop;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t kind = 0; kind <= busy.size(); ++kind) {
        const bool idle = kind == busy.size();
        if (idle ? !m_style.showsShares
                 : m_timeline->kinds[kind].role == SpanRole::Idle || !m_timeline->kinds[kind].inLegend)
            continue;
        const QString name = idle ? tr("idle") : coreWord(m_timeline->kinds[kind].name);
        const double needed =
            18 +
            metrics.horizontalAdvance(name + (m_style.showsShares ? QStringLiteral(" 100.0 %") : QString())) +
            10;
        if (x + needed > width() - 6 && x > 10) {
            y += line;
            x = 10;
        }
        const double ns = idle ? std::max(0.0, all - used) : busy[kind];
        used += ns;
        painter.setPen(Qt::NoPen);
        painter.setBrush(idle ? idleColor() : kindColor(kind));
        painter.drawRoundedRect(QRectF(x, y + line / 2 - 6, 12, 12), 2.5, 2.5);
        const double baseline = y + line / 2 + (metrics.ascent() - metrics.descent()) / 2;
        painter.setPen(color(Role::NodeText));
        painter.drawText(QPointF(x + 18, baseline), name);
        x += needed;
        if (!m_style.showsShares)
            continue;
        painter.setPen(color(Role::Muted));
        // A share that rounds to nothing is still something: switches of one cycle.
        // Of the lanes that ever do it: one bus among a hundred arrays is a resource of its own.
        const double share = idle ? ns / all : ns / ((m_toNs - m_fromNs) * std::max(1, lanesOfKinds()[kind]));
        const QString shown = share > 0 && share < 0.0005 && ns > (idle ? 1e-9 * all : 0)
                                  ? tr("<0.1 %")
                                  : text(percentText(share));
        painter.drawText(
            QPointF(x - needed + 18 + metrics.horizontalAdvance(name + QLatin1Char(' ')), baseline), shown);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineCanvas::paintAxis(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF lanes = lanesRect();
    const double unit = showsCycles() ? m_cycleNs : 1;
    const double from = m_fromNs / unit, to = m_toNs / unit;
    const double step = tickStep((to - from) / std::clamp(lanes.width() / 120, 2.0, 20.0));
    // Unit by the largest figure shown; where that takes too many digits, ticks count from the first one.
    double shift = 0;
    const bool relative = std::log10(to / step) > 6;
    if (relative)
        shift = std::floor(from / step) * step;
    const double largest = relative ? to - shift : to;
    static const std::array<const char*, 4> kTimes{"ns", "µs", "ms", "s"};
    static const std::array<const char*, 4> kCounts{"", "k", "M", "G"};
    std::size_t power = 0;
    double scale = 1;
    const double threshold = showsCycles() ? 1e5 : 1000;
    while (power + 1 < kTimes.size() && largest >= (power == 0 ? threshold : scale * 1000) &&
           step >= scale / 10) {
        scale *= 1000;
        ++power;
    }
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / scale) - 1e-9)));
    const QString name = showsCycles() ? QString::fromUtf8(kCounts[power]) : QString::fromUtf8(kTimes[power]);
    const double baseline = m_places.axisTop + 4 + metrics.ascent();
    const double bottom = m_places.bandsTop - 1;
    painter.setPen(color(Role::Muted));
    QString left = showsCycles() ? m_style.cycles : tr("time");
    if (relative) {
        const double at = shift * unit;
        left = showsCycles()
                   ? text(exactText(static_cast<std::int64_t>(std::llround(shift)))) + QStringLiteral(" +")
                   : QString::number(at / 1e3, 'f', at < 1e6 ? 3 : 2) + tr(" µs +");
        if (metrics.horizontalAdvance(left) > m_places.left - 10 && !showsCycles())
            left = QString::number(at / 1e6, 'f', 3) + tr(" ms +");
    }
    painter.drawText(QRectF(4, m_places.axisTop + 4, m_places.left - 10, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(left, Qt::ElideLeft, m_places.left - 8));
    painter.setPen(QPen(color(Role::NodeBorder), 1));
    painter.drawLine(QPointF(lanes.left(), bottom + 0.5), QPointF(lanes.right(), bottom + 0.5));
    double free = lanes.left();
    for (double tick = std::ceil(from / step - 1e-9) * step; tick <= to + step * 1e-6; tick += step) {
        const double x = std::floor(xOf(tick * unit)) + 0.5;
        painter.setPen(QPen(color(Role::NodeBorder), 1));
        painter.drawLine(QPointF(x, bottom - 4), QPointF(x, bottom));
        const double value = std::abs(tick - shift) < step * 1e-6 ? 0 : (tick - shift) / scale;
        QString label = value == 0 ? QStringLiteral("0") : QString::number(value, 'f', decimals);
        if (relative)
            label.prepend(QLatin1Char('+'));
        if (!name.isEmpty() && label != QLatin1String("0"))
            label += QLatin1Char(' ') + name;
        const double width = metrics.horizontalAdvance(label);
        const double at =
            std::clamp(x - width / 2, lanes.left(), std::max(lanes.left(), this->width() - width - 4));
        if (at < free)
            continue;
        free = at + width + 8;
        painter.setPen(color(Role::Muted));
        painter.drawText(QPointF(at, baseline), label);
    }
}

void TimelineCanvas::paintBands(QPainter& painter) {
    if (m_bandOrder.empty())
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(
        QRectF(lanes.left(), m_places.bandsTop, lanes.width(), m_places.lanesBottom - m_places.bandsTop));
    const QColor even = mix(baseColor(), color(Role::NodeText), 0.07),
                 odd = mix(baseColor(), color(Role::NodeText), 0.15);
    std::size_t at = static_cast<std::size_t>(
        std::upper_bound(m_bandEnds.begin(), m_bandEnds.end(), m_fromNs) - m_bandEnds.begin());
    double done = -1e9; // pixels up to here are drawn
    for (; at < m_bandOrder.size() && m_timeline->bands[m_bandOrder[at]].startNs < m_toNs; ++at) {
        const TimelineBand& band = m_timeline->bands[m_bandOrder[at]];
        const double x0 = xOf(band.startNs), x1 = xOf(band.endNs);
        if (x1 < done + 1)
            continue;
        done = std::floor(x1);
        const QRectF box(std::round(x0), m_places.bandsTop, std::max(1.0, std::round(x1) - std::round(x0)),
                         m_places.bandsHeight - 1);
        const bool hovered = static_cast<int>(m_bandOrder[at]) == m_hoveredBand;
        painter.fillRect(box, hovered ? mix(baseColor(), color(Role::Accent), 0.3) : at % 2 ? odd : even);
        if (box.width() >= 3) {
            painter.fillRect(QRectF(box.left(), box.top(), 1, box.height()), color(Role::NodeBorder));
        }
        const double left = std::max(box.left(), lanes.left()) + 5,
                     right = std::min(box.right(), lanes.right()) - 4;
        if (right - left < 6)
            continue;
        QString name = coreWord(band.name);
        // "segment 12" becomes "12" where there is room for no more.
        if (metrics.horizontalAdvance(name) > right - left)
            if (const qsizetype space = name.lastIndexOf(QLatin1Char(' '));
                space > 0 && metrics.horizontalAdvance(name.mid(space + 1)) <= right - left)
                name = name.mid(space + 1);
        if (metrics.horizontalAdvance(name) <= right - left) {
            painter.setPen(color(Role::NodeText));
            painter.drawText(QRectF(left, box.top(), right - left, box.height()),
                             Qt::AlignVCenter | Qt::AlignLeft, name);
        }
    }
    painter.restore();
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(4, m_places.bandsTop, m_places.left - 10, m_places.bandsHeight),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(coreWord(m_timeline->bandWord), Qt::ElideRight, m_places.left - 8));
}

/// Bands too narrow for a ring are columns.
void TimelineCanvas::paintShareColumn(QPainter& painter, double x, double width, const BandShare& share) {
    const double top = m_places.sharesTop + 2, height = m_places.sharesHeight - 6;
    painter.fillRect(QRectF(x, top, width, height), idleColor());
    double bottom = top + height;
    const std::array<std::pair<float, Role>, 3> parts{
        {{share.compute, Role::Compute}, {share.memory, Role::MemoryIn}, {share.other, Role::Rewriting}}};
    for (const auto& [part, role] : parts) {
        const double tall = part * height;
        painter.fillRect(QRectF(x, bottom - tall, width, tall), color(role));
        bottom -= tall;
    }
}

/// A ring between \p left and \p right, with words beside it where there is room for \p words pixels of them.
void TimelineCanvas::paintShareRing(QPainter& painter, double left, double right, double words,
                                    const BandShare& share) {
    const QFontMetricsF metrics(painter.font());
    const double top = m_places.sharesTop + 2, height = m_places.sharesHeight - 6;
    painter.setRenderHint(QPainter::Antialiasing);
    const QString first = tr("%1 compute").arg(text(percentText(share.compute))),
                  second = tr("%1 memory").arg(text(percentText(share.memory)));
    const bool told = right - left >= height + words + 10 && height >= 2 * metrics.height();
    const double middle = told ? left + 6 + height / 2 : (left + right) / 2;
    paintRing(painter, QPointF(middle, top + height / 2), std::min(height, right - left - 4) / 2, share);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!told)
        return;
    painter.setPen(color(Role::NodeText));
    const double x = middle + height / 2 + 8, y = top + height / 2;
    painter.drawText(QPointF(x, y - metrics.descent()), first);
    painter.drawText(QPointF(x, y + metrics.ascent()), second);
}

void TimelineCanvas::paintShares(QPainter& painter) {
    if (m_places.sharesHeight <= 0)
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(QRectF(lanes.left(), m_places.sharesTop, lanes.width(), m_places.sharesHeight));
    // Bands narrower than a pixel are averaged over it.
    double pixel = -1, weight = 0;
    BandShare sum;
    const double words = std::max(metrics.horizontalAdvance(tr("%1 compute").arg(text(percentText(1)))),
                                  metrics.horizontalAdvance(tr("%1 memory").arg(text(percentText(1))))) +
                         8;
    const auto flush = [&] {
        if (weight > 0)
            paintShareColumn(painter, pixel, 1,
                             {static_cast<float>(sum.compute / weight),
                              static_cast<float>(sum.memory / weight),
                              static_cast<float>(sum.other / weight)});
        sum = {};
        weight = 0;
    };
    std::size_t at = static_cast<std::size_t>(
        std::upper_bound(m_bandEnds.begin(), m_bandEnds.end(), m_fromNs) - m_bandEnds.begin());
    for (; at < m_bandOrder.size() && m_timeline->bands[m_bandOrder[at]].startNs < m_toNs; ++at) {
        const std::size_t index = m_bandOrder[at];
        const TimelineBand& band = m_timeline->bands[index];
        const BandShare& share = m_bandShares[index];
        const double x0 = xOf(band.startNs), x1 = xOf(band.endNs);
        if (x1 - x0 < 2) {
            if (std::floor(x0) != pixel) {
                flush();
                pixel = std::floor(x0);
            }
            const double w = std::max(1e-9, x1 - x0);
            sum.compute += static_cast<float>(share.compute * w);
            sum.memory += static_cast<float>(share.memory * w);
            sum.other += static_cast<float>(share.other * w);
            weight += w;
            continue;
        }
        flush();
        constexpr double kSmallestRing = 18; // pixels
        const double left = std::max(x0, lanes.left()), right = std::min(x1, lanes.right());
        if (std::min<double>(m_places.sharesHeight - 6, right - left - 4) < kSmallestRing)
            paintShareColumn(painter, std::round(x0), std::max(1.0, std::round(x1) - std::round(x0) - 1),
                             share);
        else
            paintShareRing(painter, left, right, words, share);
    }
    flush();
    painter.restore();
    painter.setPen(color(Role::Muted));
    const QString what = m_sharesOf.empty() ? tr("shares") : tr("use of %1").arg(text(m_sharesOf));
    painter.drawText(QRectF(4, m_places.sharesTop, m_places.left - 10, m_places.sharesHeight - 4),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap, what);
}

void TimelineCanvas::paintMarks(QPainter& painter) {
    if (m_places.marksHeight <= 0)
        return;
    // A tick wherever an array switches, however short the switch and however small its row.
    const QRectF lanes = lanesRect();
    const auto& spans = m_timeline->spans;
    const QColor ink = color(Role::Switching);
    const double top = m_places.marksTop + 1, height = m_places.marksHeight - 2;
    auto next = std::partition_point(m_switches.begin(), m_switches.end(),
                                     [&](std::uint32_t s) { return spans[s].startNs < m_fromNs; });
    while (next != m_switches.end() && spans[*next].startNs < m_toNs) {
        const double x = std::floor(xOf(spans[*next].startNs));
        const double limit = nsAt(x + 1);
        auto after = next;
        // Gallop: most pixels hold few switches, some hold thousands.
        for (std::ptrdiff_t leap = 1; after != m_switches.end() && spans[*after].startNs < limit; leap *= 2) {
            const auto far = after + std::min(leap, m_switches.end() - after);
            after = far == m_switches.end() || spans[*far].startNs >= limit
                        ? std::partition_point(after, far,
                                               [&](std::uint32_t s) { return spans[s].startNs < limit; })
                        : far;
            if (after != far)
                break;
        }
        // How many switch in this pixel: the height, on a logarithmic scale of all tracks.
        const double count = static_cast<double>(after - next);
        const double tall =
            std::clamp(std::log1p(count) /
                           std::log1p(static_cast<double>(std::max<std::size_t>(2, laneCount()))),
                       0.45, 1.0) *
            height;
        painter.fillRect(QRectF(x, top + height - tall, 1.6, tall), ink);
        next = after == next ? next + 1 : after;
    }
    painter.fillRect(QRectF(lanes.left(), top + height, lanes.width(), 1), color(Role::GridLine));
    QFont small = font();
    small.setPointSizeF(std::max(6.0, small.pointSizeF() * 0.85));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(4, m_places.marksTop + m_places.marksHeight / 2 - metrics.height() / 2,
                            m_places.left - 10, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, m_style.marks);
    painter.setFont(font());
}

} // namespace pim::views
