// SPDX-License-Identifier: GPL-3.0-or-later
// How the canvas draws. Tracks go into one raster, a row of pixels at a time, that is kept until the window
// moves; names, rings and marks are drawn over it.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "views/common/timeline_levels.h"

#include <QGuiApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

constexpr std::size_t kShades = 16;
constexpr double kLeastSplit = 6; ///< Rows lower than that show either what is over or what is under.

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QColor baseColor() {
    return QGuiApplication::palette().color(QPalette::Base);
}

/// Where nothing happens on a track.
QColor idleColor() {
    return mix(baseColor(), color(Role::Idle), 0.55);
}

double tickStep(double raw) {
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

/// Cells of tracks [first, last) together: what fills most of them.
class RowSampler {
public:
    /// \param over whether the rows show what is drawn over them as well.
    RowSampler(const TimelineLevels& levels, const Timeline& line, bool over, double fromNs, double stepNs,
               int count)
        : m_levels(levels), m_line(line), m_over(over),
          m_kinds(std::min<std::size_t>(line.kinds.size(), TimelineCell::kKinds)),
          m_columns(fromNs, stepNs, count), m_cells(static_cast<std::size_t>(count)),
          m_more(static_cast<std::size_t>(count)) {}

    const std::vector<TimelineCell>& row(std::size_t first, std::size_t last) {
        if (last - first > 2) {
            many(first, last);
            return m_cells;
        }
        sample(first, m_cells);
        if (last - first == 2) {
            sample(first + 1, m_more);
            for (std::size_t i = 0; i < m_cells.size(); ++i)
                if (m_cells[i].bits() != m_more[i].bits())
                    m_cells[i] = TimelineCell::joined(m_cells[i], m_more[i]);
        }
        return m_cells;
    }

private:
    void sample(std::size_t track, std::vector<TimelineCell>& cells) {
        const TimelineTrack& row = m_line.tracks[track];
        m_levels.sample(row.shows.empty() ? track : row.shows.front(), m_columns, cells.data());
        for (std::size_t i = 1; i < row.shows.size(); ++i)
            lay(row.shows[i], cells);
        if (m_over)
            for (const std::uint32_t over : row.over)
                lay(over, cells);
    }
    void lay(std::uint32_t track, std::vector<TimelineCell>& cells) {
        if (!m_levels.hasSpans(track, track + 1))
            return;
        m_above.resize(cells.size());
        m_levels.sample(track, m_columns, m_above.data());
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!m_above[i].empty())
                cells[i] = m_above[i];
    }
    void many(std::size_t first, std::size_t last) {
        const std::size_t count = m_cells.size();
        m_sums.assign(count * m_kinds, 0);
        m_marks.assign(count, 0);
        for (std::size_t track = first; track < last; ++track) {
            sample(track, m_more);
            for (std::size_t i = 0; i < count; ++i) {
                const TimelineCell cell = m_more[i];
                m_sums[i * m_kinds + static_cast<std::size_t>(cell.kind())] +=
                    static_cast<std::uint32_t>(cell.coverage());
                m_marks[i] |= cell.mark();
            }
        }
        const double all = 255.0 * static_cast<double>(last - first);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t* sum = &m_sums[i * m_kinds];
            std::size_t best = 0;
            std::uint32_t total = 0;
            for (std::size_t kind = 0; kind < m_kinds; ++kind) {
                total += sum[kind];
                if (sum[kind] > sum[best])
                    best = kind;
            }
            m_cells[i] = TimelineCell(static_cast<int>(best), total / all, m_marks[i] != 0);
        }
    }

    const TimelineLevels& m_levels;
    const Timeline& m_line;
    bool m_over;
    std::size_t m_kinds;
    TimelineColumns m_columns;
    std::vector<TimelineCell> m_cells, m_more, m_above;
    std::vector<std::uint32_t> m_sums;
    std::vector<std::uint8_t> m_marks;
};

/// Colour of every kind at every busy share; \p strength below 1 dims.
std::vector<QRgb> shadesOf(const TimelineCanvas& canvas, double strength) {
    std::vector<QRgb> shades;
    for (std::size_t kind = 0; kind < canvas.timeline()->kinds.size(); ++kind)
        for (std::size_t shade = 0; shade < kShades; ++shade) {
            // Even a little work must be seen, so shades start well above idle.
            const double share = 0.35 + 0.65 * (static_cast<double>(shade) + 1) / kShades;
            shades.push_back(mix(idleColor(), canvas.kindColor(kind), share * strength).rgb());
        }
    return shades;
}

std::size_t shadeOf(TimelineCell cell) {
    return static_cast<std::size_t>(cell.kind()) * kShades + static_cast<std::size_t>(cell.coverage() / 16);
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

void TimelineCanvas::fillRaster(const TimelineLevels& levels, double strength, bool over) {
    const double ratio = m_raster.devicePixelRatio();
    const int width = m_raster.width(), height = m_raster.height();
    const std::vector<QRgb> shades = shadesOf(*this, strength);
    const QRgb idle = idleColor().rgb(), between = baseColor().rgb();
    std::vector<QRgb> line(static_cast<std::size_t>(width)), notched(line.size());
    // The colour of a switch, for marks where it is too short to be seen.
    QRgb markColor = color(Role::Switching).rgb();
    if (strength < 1)
        markColor = mix(idleColor(), color(Role::Switching), strength).rgb();
    std::vector<char> isSwitch(m_timeline->kinds.size());
    for (std::size_t kind = 0; kind < isSwitch.size(); ++kind)
        isSwitch[kind] = m_timeline->kinds[kind].role == SpanRole::Switching;
    const auto apart = static_cast<std::size_t>(4 * ratio);

    for (const Group& group : m_groups) {
        const double step = group.height * ratio, top = (group.top - m_trackScroll) * ratio;
        // Where tracks are smaller than pixels, columns of two pixels show as much and cost half.
        const int grain = step < 1 ? 2 : 1;
        RowSampler sampler(levels, *m_timeline, step < kLeastSplit * ratio, m_fromNs,
                           (m_toNs - m_fromNs) / width * grain, (width + grain - 1) / grain);
        std::size_t lastFirst = SIZE_MAX;
        bool hasNotch = false;
        const int begin = std::max(0, static_cast<int>(std::lround(top)));
        const int end =
            std::min(height, static_cast<int>(std::lround(top + step * static_cast<double>(group.count))));
        for (int y = begin; y < end; ++y) {
            // Every track belongs to exactly one row, or to several rows of its own.
            const auto trackOf = [&](double at) {
                return static_cast<std::size_t>(
                    std::clamp(std::floor((at - top) / step), 0.0, static_cast<double>(group.count)));
            };
            const std::size_t first = std::min(trackOf(y + (step >= 1 ? 0.5 : 0)), group.count - 1);
            const std::size_t last =
                step >= 1 ? first + 1 : std::clamp(trackOf(y + 1), first + 1, group.count);
            auto* out = reinterpret_cast<QRgb*>(m_raster.scanLine(y));
            const double within = y + 0.5 - top - step * static_cast<double>(first);
            if (!over && step >= 5 * ratio && within >= step - ratio) {
                std::fill(out, out + width, between);
                continue;
            }
            if (over && ((step >= 5 * ratio && within >= step - ratio) ||
                         !levels.hasSpans(group.first + first, group.first + last)))
                continue;
            if (first != lastFirst) {
                lastFirst = first;
                hasNotch = false;
                const std::vector<TimelineCell>& cells = sampler.row(group.first + first, group.first + last);
                const QRgb nothing = over ? 0 : idle;
                if (grain == 2) {
                    for (std::size_t x = 0; x < line.size(); x += 2) {
                        const QRgb rgb = cells[x / 2].empty() ? nothing : shades[shadeOf(cells[x / 2])];
                        line[x] = rgb;
                        if (x + 1 < line.size())
                            line[x + 1] = rgb;
                    }
                } else {
                    for (std::size_t x = 0; x < line.size(); ++x)
                        line[x] = cells[x].empty() ? nothing : shades[shadeOf(cells[x])];
                }
                if (!over) {
                    if (step >= 2.5 * ratio) {
                        std::size_t free = 0; // marks that would touch are one
                        for (std::size_t x = 0; x < cells.size(); ++x) {
                            if (!cells[x].mark() || isSwitch[static_cast<std::size_t>(cells[x].kind())] ||
                                x < free)
                                continue;
                            if (!hasNotch)
                                notched = line;
                            hasNotch = true;
                            notched[x] = markColor;
                            free = x + apart;
                        }
                    }
                }
            }
            if (over) {
                for (int x = 0; x < width; ++x)
                    if (line[static_cast<std::size_t>(x)] != 0)
                        out[x] = line[static_cast<std::size_t>(x)];
                continue;
            }
            const bool inNotch = hasNotch && within < std::max(ratio, step * 0.4);
            std::copy_n(inNotch ? notched.data() : line.data(), width, out);
        }
    }
}

void TimelineCanvas::drawOver(const TimelineLevels& levels) {
    const double ratio = m_raster.devicePixelRatio();
    const int width = m_raster.width(), height = m_raster.height();
    const auto columns = static_cast<std::size_t>(width);
    TimelineColumns sampled(m_fromNs, (m_toNs - m_fromNs) / width, width);
    std::unordered_map<std::uint32_t, std::vector<TimelineCell>> cellsOf; // rows share what lies over them
    const std::vector<QRgb> shades = shadesOf(*this, 1);
    std::vector<TimelineCell> cells;
    for (const Group& group : m_groups)
        for (std::size_t track = group.first; track < group.first + group.count; ++track) {
            const std::vector<std::uint32_t>& over = m_timeline->tracks[track].over;
            if (over.empty() || group.height < kLeastSplit)
                continue;
            const double top =
                (group.top - m_trackScroll + group.height * static_cast<double>(track - group.first)) * ratio;
            const int from =
                std::max(0, static_cast<int>(std::lround(top + group.height * overTop(track) * ratio)));
            const int to = std::min(height, static_cast<int>(std::lround(top + (group.height - 1) * ratio)));
            if (from >= to)
                continue;
            cells.assign(columns, TimelineCell());
            for (const std::uint32_t on : over) {
                std::vector<TimelineCell>& made = cellsOf[on];
                if (made.empty()) {
                    made.resize(columns);
                    levels.sample(on, sampled, made.data());
                }
                for (std::size_t x = 0; x < columns; ++x)
                    if (made[x].coverage() > cells[x].coverage())
                        cells[x] = made[x];
            }
            for (int y = from; y < to; ++y) {
                auto* out = reinterpret_cast<QRgb*>(m_raster.scanLine(y));
                for (std::size_t x = 0; x < columns; ++x)
                    if (!cells[x].empty())
                        out[x] = shades[shadeOf(cells[x])];
            }
        }
}

void TimelineCanvas::refreshRaster() {
    const QSizeF size = lanesRect().size();
    const double ratio = devicePixelRatioF();
    const QSize pixels(std::max(1, static_cast<int>(std::lround(size.width() * ratio))),
                       std::max(1, static_cast<int>(std::lround(size.height() * ratio))));
    if (m_raster.size() != pixels)
        m_raster = QImage(pixels, QImage::Format_RGB32);
    m_raster.setDevicePixelRatio(ratio);
    m_raster.fill(baseColor());
    fillRaster(*m_levels, m_opLevels ? 0.25 : 1, false);
    if (m_opLevels)
        fillRaster(*m_opLevels, 1, true);
    drawOver(*m_levels);
    drawBorders();
    m_rasterIsOld = false;
}

void TimelineCanvas::drawBorders() {
    // Where segments are wide enough not to be veiled by them. Into the raster: a hundred translucent lines
    // are slow to paint one by one.
    const double ratio = m_raster.devicePixelRatio();
    const int bottom =
        std::min(m_raster.height(), static_cast<int>(std::lround((contentHeight() - m_trackScroll) * ratio)));
    const QRgb ink = color(Role::NodeText).rgb();
    const auto blend = [](int under, int over) { return (under * 186 + over * 70) / 256; };
    for (auto at = std::upper_bound(m_bandEnds.begin(), m_bandEnds.end(), m_fromNs) - m_bandEnds.begin();
         at < static_cast<std::ptrdiff_t>(m_bandOrder.size()); ++at) {
        const TimelineBand& band = m_timeline->bands[m_bandOrder[static_cast<std::size_t>(at)]];
        if (band.startNs >= m_toNs)
            break;
        const double from = xOf(band.startNs) - m_places.left;
        const int x = static_cast<int>(std::lround(std::round(from) * ratio));
        if (xOf(band.endNs) - m_places.left - from < 12 || x <= 0 || x >= m_raster.width())
            continue;
        for (int y = 0; y < bottom; ++y) {
            QRgb& pixel = reinterpret_cast<QRgb*>(m_raster.scanLine(y))[x];
            pixel = qRgb(blend(qRed(pixel), qRed(ink)), blend(qGreen(pixel), qGreen(ink)),
                         blend(qBlue(pixel), qBlue(ink)));
        }
    }
}

void TimelineCanvas::refreshOverview() {
    const double ratio = devicePixelRatioF();
    const QRectF rect = overviewRect();
    const auto rows = static_cast<std::size_t>(std::max(1L, std::lround(rect.height() * ratio)));
    const int width = std::max(1, static_cast<int>(std::lround(rect.width() * ratio)));
    m_overview = QImage(width, static_cast<int>(rows), QImage::Format_RGB32);
    m_overview.setDevicePixelRatio(ratio);
    m_overview.fill(idleColor());
    const std::size_t tracks = m_rowCount;
    if (tracks == 0 || m_timeline->endNs <= 0)
        return;
    const std::vector<QRgb> shades = shadesOf(*this, 0.8);
    const QRgb idle = idleColor().rgb();
    RowSampler sampler(*m_levels, *m_timeline, true, 0, m_timeline->endNs / width, width);
    for (std::size_t y = 0; y < rows; ++y) {
        const std::size_t first = std::min(tracks - 1, y * tracks / rows),
                          last = std::max(first + 1, (y + 1) * tracks / rows);
        const std::vector<TimelineCell>& cells = sampler.row(first, last);
        auto* out = reinterpret_cast<QRgb*>(m_overview.scanLine(static_cast<int>(y)));
        for (std::size_t x = 0; x < cells.size(); ++x)
            out[x] = cells[x].empty() ? idle : shades[shadeOf(cells[x])];
    }
}

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
    const double all = (m_toNs - m_fromNs) * static_cast<double>(std::max<std::size_t>(1, m_rowCount));
    double used = 0, x = 10, y = m_places.legendTop;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t kind = 0; kind <= busy.size(); ++kind) {
        const bool idle = kind == busy.size();
        if (idle ? !m_style.showsShares
                 : m_timeline->kinds[kind].role == SpanRole::Idle || !m_timeline->kinds[kind].inLegend)
            continue;
        const QString name = idle ? tr("idle") : text(m_timeline->kinds[kind].name);
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
        const double share = ns / all;
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
        QString name = text(band.name);
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
                     metrics.elidedText(m_style.bands, Qt::ElideRight, m_places.left - 8));
}

void TimelineCanvas::paintShares(QPainter& painter) {
    if (m_places.sharesHeight <= 0)
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF lanes = lanesRect();
    const double top = m_places.sharesTop + 2, height = m_places.sharesHeight - 6;
    painter.save();
    painter.setClipRect(QRectF(lanes.left(), m_places.sharesTop, lanes.width(), m_places.sharesHeight));
    // Bands too narrow for a ring are columns; those narrower than a pixel are averaged over it.
    double pixel = -1, weight = 0;
    BandShare sum;
    const auto column = [&](double x, double width, const BandShare& share) {
        painter.fillRect(QRectF(x, top, width, height), idleColor());
        double bottom = top + height;
        const std::array<std::pair<float, Role>, 3> parts{
            {{share.compute, Role::Compute}, {share.memory, Role::MemoryIn}, {share.other, Role::Rewriting}}};
        for (const auto& [part, role] : parts) {
            const double tall = part * height;
            painter.fillRect(QRectF(x, bottom - tall, width, tall), color(role));
            bottom -= tall;
        }
    };
    const double words = std::max(metrics.horizontalAdvance(tr("%1 compute").arg(text(percentText(1)))),
                                  metrics.horizontalAdvance(tr("%1 memory").arg(text(percentText(1))))) +
                         8;
    const auto flush = [&] {
        if (weight > 0)
            column(pixel, 1,
                   {static_cast<float>(sum.compute / weight), static_cast<float>(sum.memory / weight),
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
        const double left = std::max(x0, lanes.left()), right = std::min(x1, lanes.right());
        const double radius = std::min(height, right - left - 4) / 2;
        if (radius < 9) {
            column(std::round(x0), std::max(1.0, std::round(x1) - std::round(x0) - 1), share);
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing);
        const QString first = tr("%1 compute").arg(text(percentText(share.compute))),
                      second = tr("%1 memory").arg(text(percentText(share.memory)));
        const bool told = right - left >= height + words + 10 && height >= 2 * metrics.height();
        const double middle = told ? left + 6 + height / 2 : (left + right) / 2;
        paintRing(painter, QPointF(middle, top + height / 2), radius, share);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (told) {
            painter.setPen(color(Role::NodeText));
            const double x = middle + height / 2 + 8, y = top + height / 2;
            painter.drawText(QPointF(x, y - metrics.descent()), first);
            painter.drawText(QPointF(x, y + metrics.ascent()), second);
        }
    }
    flush();
    painter.restore();
    painter.setPen(color(Role::Muted));
    const QString what =
        m_groups.empty()
            ? tr("shares")
            : tr("use of %1")
                  .arg(text(
                      std::max_element(m_groups.begin(), m_groups.end(), [](const Group& a, const Group& b) {
                          return a.count < b.count;
                      })->name));
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
                           std::log1p(static_cast<double>(std::max<std::size_t>(2, m_rowCount))),
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

void TimelineCanvas::paintGutter(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    painter.save();
    painter.setClipRect(
        QRectF(0, m_places.lanesTop, m_places.left, m_places.lanesBottom - m_places.lanesTop));
    const std::size_t currentTrack = m_current ? m_timeline->spans[*m_current].track : SIZE_MAX;
    for (const Group& group : m_groups) {
        // Names of every n-th track where there is no room for all.
        const double line = metrics.height();
        std::size_t step = 1;
        for (const std::size_t n : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096}) {
            step = n;
            if (group.height * static_cast<double>(n) >= line - 3) // the leading between lines
                break;
        }
        const auto first =
            static_cast<std::size_t>(std::max(0.0, (m_trackScroll - group.top) / group.height));
        for (std::size_t i = first / step * step; i < group.count; i += step) {
            const QRectF rect = trackRect(group.first + i);
            if (rect.top() > m_places.lanesBottom)
                break;
            const double middle = step == 1 ? rect.center().y() : rect.top() + line / 2;
            if (step > 1 && middle + line / 2 > m_places.lanesTop - m_trackScroll + group.top +
                                                    group.height * static_cast<double>(group.count) + kShades)
                break;
            painter.setPen(group.first + i == currentTrack ? color(Role::NodeText) : color(Role::Muted));
            double from = 4;
            if (i == 0 && group.all > 1 && m_timeline->tracks[group.first].heads) {
                paintFold(painter, QPointF(from + 5, middle), isFolded(group.name));
                from += 12;
            }
            painter.drawText(QRectF(from, middle - line / 2, m_places.left - 6 - from, line),
                             Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(text(m_timeline->tracks[group.first + i].name),
                                                Qt::ElideMiddle, m_places.left - 4 - from));
        }
    }
    painter.restore();
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
            text(isNamed ? m_timeline->labels[span.label] : m_timeline->kinds[span.kind].name);
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
            const bool dimmed = m_opLevels && !(span.label < m_timeline->labelOps.size() &&
                                                m_timeline->labelOps[span.label] == m_selectedOp);
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
    for (const Group& group : m_groups) {
        if (group.height < 5)
            continue;
        const auto first =
            static_cast<std::size_t>(std::max(0.0, (m_trackScroll - group.top) / group.height));
        for (std::size_t row = group.first + first; row < group.first + group.count; ++row) {
            const QRectF rect = trackRect(row);
            if (rect.top() >= lanes.bottom())
                break;
            QRectF upper = rect, lower = rect;
            if (const TimelineTrack& track = m_timeline->tracks[row]; !track.over.empty()) {
                upper.setHeight(rect.height() * overTop(row));
                lower.setTop(upper.bottom());
                for (const std::uint32_t over : track.over)
                    write(over, lower, row);
            }
            for (const std::uint32_t under : m_under[row])
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
    if (m_area) {
        const QRectF top = trackRect(static_cast<std::size_t>(m_area->firstTrack)),
                     bottom = trackRect(static_cast<std::size_t>(m_area->lastTrack));
        const QRectF box =
            QRectF(QPointF(xOf(m_area->fromNs), top.top()), QPointF(xOf(m_area->toNs), bottom.bottom()))
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
    painter.restore();
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
