// SPDX-License-Identifier: GPL-3.0-or-later
// State, places and hands of the canvas; timeline_paint.cpp draws it.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "views/common/plot_export.h"
#include "views/common/timeline_levels.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kGap = 5;         ///< Between groups of tracks.
constexpr double kLeastSmall = 16; ///< A bus beside a thousand arrays stays readable.
constexpr std::size_t kSmallGroup = 8;
constexpr double kTallest = 44, kTallestZoomed = 90;
constexpr double kDragDistance = 4;
constexpr double kOverTop = 0.55; ///< Where something lies under it, what is drawn over it takes the rest.

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

Role roleOf(SpanRole role) {
    switch (role) {
    case SpanRole::Compute:
        return Role::Compute;
    case SpanRole::MemoryIn:
        return Role::MemoryIn;
    case SpanRole::MemoryOut:
        return Role::MemoryOut;
    case SpanRole::Switching:
        return Role::Switching;
    case SpanRole::Rewriting:
        return Role::Rewriting;
    case SpanRole::Transfer:
        return Role::Transfer;
    case SpanRole::Vector:
        return Role::VectorUnit;
    case SpanRole::Idle:
        return Role::Idle;
    case SpanRole::Other:
        break;
    }
    return Role::OtherWork;
}

TimelineCanvas::TimelineCanvas(QWidget* parent)
    : QWidget(parent), m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_style.bands = tr("segments");
    m_style.marks = tr("switches");
    m_style.cycle = tr("cycle");
    m_style.cycles = tr("cycles");
    m_scroll->setAccessibleName(tr("Scrolls the tracks"));
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) { setTrackScroll(value); });
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::setStyle(TimelineStyle style) {
    m_style = std::move(style);
    relayout();
}

void TimelineCanvas::setTimeline(std::shared_ptr<const Timeline> timeline,
                                 std::shared_ptr<const TimelineLevels> levels) {
    // An old timeline's levels refer to it.
    m_levels = std::move(levels);
    m_opLevels.reset();
    m_opTimeline.reset();
    m_timeline = std::move(timeline);
    m_current.reset();
    m_hovered.reset();
    m_hoveredBand = -1;
    m_selectedOp = -1;
    const bool hadArea = m_area.has_value();
    m_area.reset();
    m_folded.clear();
    m_trackZoom = 1;
    m_trackScroll = 0;
    m_overview = {};
    m_spanNames.clear();
    m_fromNs = 0;
    m_toNs = m_timeline && m_timeline->endNs > 0 ? m_timeline->endNs : 1;
    prepare();
    relayout();
    emit windowChanged();
    emit currentSpanChanged();
    if (hadArea)
        emit areaChanged();
}

void TimelineCanvas::prepare() {
    m_switches.clear();
    m_bandOrder.clear();
    m_bandEnds.clear();
    m_bandShares.clear();
    prepareRows();
    if (!m_timeline)
        return;
    const Timeline& line = *m_timeline;
    if (!m_levels)
        m_levels = std::make_shared<const TimelineLevels>(line);
    std::vector<SpanRole> roles(line.kinds.size());
    for (std::size_t kind = 0; kind < roles.size(); ++kind)
        roles[kind] = line.kinds[kind].role;

    // Rings tell about the arrays, not about the buses beside them.
    const auto largest = std::max_element(m_groups.begin(), m_groups.end(),
                                          [](const Group& a, const Group& b) { return a.count < b.count; });
    const std::size_t first = largest == m_groups.end() ? 0 : largest->first;
    const std::size_t last = largest == m_groups.end() ? 0 : first + largest->count;
    std::vector<double> compute(line.bands.size()), memory(line.bands.size()), other(line.bands.size());
    for (std::size_t i = 0; i < line.spans.size(); ++i) {
        const TimelineSpan& span = line.spans[i];
        const SpanRole role = roles[span.kind];
        if (role == SpanRole::Switching)
            m_switches.push_back(static_cast<std::uint32_t>(i));
        if (span.band < line.bands.size() && span.track >= first && span.track < last) {
            if (role == SpanRole::Compute)
                compute[span.band] += span.durationNs;
            else if (role == SpanRole::MemoryIn || role == SpanRole::MemoryOut)
                memory[span.band] += span.durationNs;
            else if (role != SpanRole::Idle)
                other[span.band] += span.durationNs;
        }
    }
    std::sort(m_switches.begin(), m_switches.end(), [&](std::uint32_t a, std::uint32_t b) {
        return line.spans[a].startNs != line.spans[b].startNs ? line.spans[a].startNs < line.spans[b].startNs
                                                              : a < b;
    });
    m_bandShares.resize(line.bands.size());
    m_bandOrder.resize(line.bands.size());
    for (std::size_t band = 0; band < line.bands.size(); ++band) {
        m_bandOrder[band] = band;
        const double all =
            (line.bands[band].endNs - line.bands[band].startNs) * static_cast<double>(last - first);
        if (all > 0)
            m_bandShares[band] = {static_cast<float>(std::min(1.0, compute[band] / all)),
                                  static_cast<float>(std::min(1.0, memory[band] / all)),
                                  static_cast<float>(std::min(1.0, other[band] / all))};
    }
    std::stable_sort(m_bandOrder.begin(), m_bandOrder.end(), [&](std::size_t a, std::size_t b) {
        return line.bands[a].startNs < line.bands[b].startNs;
    });
    double latest = 0;
    for (const std::size_t band : m_bandOrder)
        m_bandEnds.push_back(latest = std::max(latest, line.bands[band].endNs));
}

void TimelineCanvas::prepareRows() {
    m_groups.clear();
    m_rowsOf.clear();
    m_under.clear();
    m_rowCount = 0;
    if (!m_timeline)
        return;
    const std::vector<TimelineTrack>& tracks = m_timeline->tracks;
    m_rowsOf.resize(tracks.size());
    for (std::size_t track = 0; track < tracks.size() && !tracks[track].hidden; ++track) {
        ++m_rowCount;
        if (m_groups.empty() || m_groups.back().name != tracks[track].group)
            m_groups.push_back({tracks[track].group, track, 0, 0});
        Group& group = m_groups.back();
        ++group.all;
        group.count = tracks[group.first].heads && isFolded(group.name) ? 1 : group.all;
        const auto row = static_cast<std::uint32_t>(track);
        m_under.push_back(tracks[track].shows.empty() ? std::vector{row} : tracks[track].shows);
        for (const std::uint32_t under : m_under.back())
            m_rowsOf[under].push_back(row);
        for (const std::uint32_t over : tracks[track].over)
            m_rowsOf[over].push_back(row);
    }
}

double TimelineCanvas::overTop(std::size_t track) const {
    const bool isBare = std::none_of(m_under[track].begin(), m_under[track].end(), [&](std::uint32_t under) {
        return m_levels->hasSpans(under, under + 1);
    });
    return isBare ? 0 : kOverTop;
}

void TimelineCanvas::setFolded(const std::string& group, bool folded) {
    if (folded ? m_folded.insert(group).second : m_folded.erase(group) > 0) {
        prepareRows();
        relayout();
    }
}

void TimelineCanvas::setAllFolded(bool folded) {
    m_folded.clear();
    if (folded)
        for (const Group& group : m_groups)
            if (m_timeline->tracks[group.first].heads)
                m_folded.insert(group.name);
    prepareRows();
    relayout();
}

bool TimelineCanvas::canFold() const {
    return std::any_of(m_groups.begin(), m_groups.end(), [&](const Group& group) {
        return group.all > 1 && m_timeline->tracks[group.first].heads;
    });
}

void TimelineCanvas::setCycleNs(double ns) {
    m_cycleNs = ns > 0 && std::isfinite(ns) ? ns : 0;
    update();
    emit windowChanged();
}

void TimelineCanvas::setShowsCycles(bool on) {
    m_showsCycles = on;
    update();
    emit windowChanged();
}

QString TimelineCanvas::timeLabel(double ns) const {
    if (!showsCycles())
        return text(timeText(ns));
    const double cycles = ns / m_cycleNs;
    const auto counted = [&](const QString& number) { return number + QLatin1Char(' ') + m_style.cycles; };
    if (std::abs(cycles) >= 1e7)
        return counted(text(countText(cycles)));
    const double whole = std::round(cycles);
    if (std::abs(cycles - whole) <= 1e-4 * std::max(1.0, std::abs(cycles)))
        return whole == 1 ? QStringLiteral("1 ") + m_style.cycle
                          : counted(text(exactText(static_cast<std::int64_t>(whole))));
    return counted(QString::number(cycles, 'g', 4));
}

double TimelineCanvas::shortestWindow() const {
    return m_timeline ? std::max(m_timeline->endNs * 1e-9, 0.05) : 1;
}

void TimelineCanvas::setWindow(double fromNs, double toNs) {
    const double end = m_timeline && m_timeline->endNs > 0 ? m_timeline->endNs : 1;
    if (!std::isfinite(fromNs) || !std::isfinite(toNs))
        return;
    double span = toNs - fromNs;
    if (span < shortestWindow()) {
        fromNs = (fromNs + toNs) / 2 - shortestWindow() / 2;
        span = shortestWindow();
    }
    span = std::min(span, end);
    fromNs = std::clamp(fromNs, 0.0, end - span);
    toNs = fromNs + span;
    if (fromNs == m_fromNs && toNs == m_toNs)
        return;
    m_fromNs = fromNs;
    m_toNs = toNs;
    invalidate();
    emit windowChanged();
}

void TimelineCanvas::zoomAt(double ns, double factor) {
    if (factor <= 0 || !std::isfinite(factor))
        return;
    const double end = m_timeline ? m_timeline->endNs : 1;
    const double span = std::clamp((m_toNs - m_fromNs) / factor, std::min(shortestWindow(), end), end);
    const double share = (ns - m_fromNs) / (m_toNs - m_fromNs);
    setWindow(ns - share * span, ns + (1 - share) * span);
}

void TimelineCanvas::fit() {
    m_trackZoom = 1;
    m_trackScroll = 0;
    relayout();
    setWindow(0, m_timeline ? m_timeline->endNs : 1);
}

double TimelineCanvas::contentHeight() const {
    return m_groups.empty()
               ? 0
               : m_groups.back().top + m_groups.back().height * static_cast<double>(m_groups.back().count);
}

void TimelineCanvas::zoomTracks(double factor, double y) {
    if (m_groups.empty() || factor <= 0)
        return;
    const int track = trackAt(std::clamp(y, m_places.lanesTop, m_places.lanesBottom - 1));
    const double within = track < 0 ? 0
                                    : (y - trackRect(static_cast<std::size_t>(track)).top()) /
                                          trackRect(static_cast<std::size_t>(track)).height();
    m_trackZoom = std::clamp(m_trackZoom * factor, 1.0, 4000.0);
    relayout();
    if (track >= 0) {
        const QRectF now = trackRect(static_cast<std::size_t>(track));
        setTrackScroll(m_trackScroll + now.top() + within * now.height() - y);
    }
    invalidate();
    emit windowChanged();
}

void TimelineCanvas::setTrackScroll(double top) {
    const double most = std::max(0.0, contentHeight() - (m_places.lanesBottom - m_places.lanesTop));
    const double at = std::clamp(top, 0.0, std::ceil(most));
    if (at == m_trackScroll)
        return;
    m_trackScroll = at;
    const QSignalBlocker quiet(m_scroll); // its whole pixels would round the position
    m_scroll->setValue(static_cast<int>(at));
    invalidate();
}

void TimelineCanvas::relayout() {
    const QFontMetricsF metrics(font());
    const double line = std::ceil(metrics.height());
    Places& p = m_places;
    double gutter = 48;
    if (m_timeline) {
        const std::size_t tracks = m_rowCount;
        // Names of one machine are alike: a sample is enough.
        const std::size_t step = std::max<std::size_t>(1, tracks / 64);
        for (std::size_t track = 0; track < tracks; track += step)
            gutter = std::max(gutter, metrics.horizontalAdvance(text(m_timeline->tracks[track].name)) + 14);
        for (const Group& group : m_groups)
            gutter = std::max(
                gutter,
                metrics.horizontalAdvance(text(m_timeline->tracks[group.first + group.count - 1].name)) + 14);
        if (canFold())
            gutter += 12; // the marks of headings
    }
    p.left = std::min(std::ceil(gutter), width() * 0.22);
    p.legendTop = 4;
    // Rows of the legend: as paintLegend lays them out.
    double x = 10;
    int rows = 1;
    if (m_timeline)
        for (std::size_t kind = 0; kind <= m_timeline->kinds.size(); ++kind) {
            const bool idle = kind == m_timeline->kinds.size();
            if (idle ? !m_style.showsShares
                     : m_timeline->kinds[kind].role == SpanRole::Idle || !m_timeline->kinds[kind].inLegend)
                continue;
            const double needed =
                18 +
                metrics.horizontalAdvance((idle ? tr("idle") : text(m_timeline->kinds[kind].name)) +
                                          (m_style.showsShares ? QStringLiteral(" 100.0 %") : QString())) +
                10;
            if (x + needed > width() - 6 && x > 10) {
                ++rows;
                x = 10;
            }
            x += needed;
        }
    p.legendHeight = height() < m_style.leastForLegend ? 0 : rows * (line + 4) + 2;
    p.axisTop = p.legendTop + p.legendHeight;
    p.bandsTop = p.axisTop + line + 8;
    p.bandsHeight = m_bandOrder.empty() ? 0 : line + 6;
    p.sharesTop = p.bandsTop + p.bandsHeight;
    p.sharesHeight = m_bandOrder.empty() || height() < 330 || !m_style.showsShares ? 0 : 46;
    p.marksTop = p.sharesTop + p.sharesHeight;
    p.marksHeight = m_switches.empty() || m_style.marks.isEmpty() ? 0 : 9;
    p.lanesTop = p.marksTop + p.marksHeight + 2;
    p.overviewTop = height() - 20;
    p.lanesBottom = std::max(p.lanesTop + 20, p.overviewTop - 5);
    const int barWidth = m_scroll->sizeHint().width();
    const double room = p.lanesBottom - p.lanesTop;

    const auto place = [&] {
        std::size_t largest = 0;
        for (const Group& group : m_groups)
            largest = std::max(largest, group.count);
        double small = 0;
        std::size_t many = 0;
        for (const Group& group : m_groups) {
            if (group.count <= kSmallGroup && largest > kSmallGroup)
                small += kLeastSmall * static_cast<double>(group.count);
            else
                many += group.count;
        }
        const double gaps = kGap * static_cast<double>(std::max<std::size_t>(1, m_groups.size()) - 1);
        const double fitted =
            many > 0 ? std::clamp(std::max(room * 0.25, room - small - gaps) / static_cast<double>(many),
                                  m_style.leastRow, kTallest)
                     : kLeastSmall;
        double tall = std::min(fitted * m_trackZoom, std::max(kTallestZoomed, fitted));
        m_trackZoom = std::max(1.0, tall / fitted);
        // Whole pixels where that costs little: rows of equal height look calm.
        if (tall - std::floor(tall) < 0.04 * tall)
            tall = std::floor(tall);
        double top = 0;
        for (Group& group : m_groups) {
            group.height =
                group.count <= kSmallGroup && largest > kSmallGroup ? std::max(kLeastSmall, tall) : tall;
            group.top = top;
            top += group.height * static_cast<double>(group.count) + kGap;
        }
    };
    place();
    const bool scrolls = contentHeight() > room + 1;
    p.right = width() - 6 - (scrolls ? barWidth : 0);
    m_scroll->setVisible(scrolls);
    m_scroll->setGeometry(width() - barWidth - 1, static_cast<int>(p.lanesTop), barWidth,
                          static_cast<int>(room));
    const QSignalBlocker quiet(m_scroll);
    m_scroll->setPageStep(static_cast<int>(room));
    m_scroll->setSingleStep(20);
    m_scroll->setRange(0, static_cast<int>(std::ceil(std::max(0.0, contentHeight() - room))));
    m_trackScroll = std::clamp(m_trackScroll, 0.0, static_cast<double>(m_scroll->maximum()));
    m_scroll->setValue(static_cast<int>(m_trackScroll));
    invalidate();
}

void TimelineCanvas::invalidate() {
    m_rasterIsOld = true;
    m_busy.clear();
    m_hovered.reset();
    update();
}

QRectF TimelineCanvas::lanesRect() const {
    return {m_places.left, m_places.lanesTop, std::max(1.0, m_places.right - m_places.left),
            m_places.lanesBottom - m_places.lanesTop};
}
QRectF TimelineCanvas::bandsRect() const {
    return {m_places.left, m_places.bandsTop, std::max(1.0, m_places.right - m_places.left),
            m_places.bandsHeight + m_places.sharesHeight};
}
QRectF TimelineCanvas::overviewRect() const {
    return {m_places.left, m_places.overviewTop, std::max(1.0, m_places.right - m_places.left), 16};
}

double TimelineCanvas::xOf(double ns) const {
    return m_places.left + (ns - m_fromNs) / (m_toNs - m_fromNs) * lanesRect().width();
}
double TimelineCanvas::nsAt(double x) const {
    return m_fromNs + (x - m_places.left) / lanesRect().width() * (m_toNs - m_fromNs);
}

std::vector<QRectF> TimelineCanvas::spanRects(std::size_t index) const {
    const TimelineSpan& span = m_timeline->spans[index];
    std::vector<QRectF> rects;
    for (const std::uint32_t row : m_rowsOf[span.track]) {
        QRectF rect = trackRect(row);
        if (rect.isNull() || rect.bottom() < m_places.lanesTop || rect.top() > m_places.lanesBottom)
            continue;
        const std::vector<std::uint32_t>& over = m_timeline->tracks[row].over;
        if (std::find(over.begin(), over.end(), span.track) != over.end())
            rect.setTop(rect.top() + rect.height() * overTop(row));
        const double x0 = xOf(span.startNs);
        rects.emplace_back(x0, rect.top(), xOf(span.startNs + span.durationNs) - x0, rect.height());
    }
    return rects;
}

QRectF TimelineCanvas::trackRect(std::size_t track) const {
    for (const Group& group : m_groups)
        if (track >= group.first && track < group.first + group.count)
            return {m_places.left,
                    m_places.lanesTop - m_trackScroll + group.top +
                        group.height * static_cast<double>(track - group.first),
                    lanesRect().width(), group.height};
    return {};
}

int TimelineCanvas::trackAt(double y) const {
    if (y < m_places.lanesTop || y >= m_places.lanesBottom)
        return -1;
    const double at = y - m_places.lanesTop + m_trackScroll;
    for (const Group& group : m_groups)
        if (at >= group.top && at < group.top + group.height * static_cast<double>(group.count))
            return static_cast<int>(
                group.first +
                std::min(group.count - 1, static_cast<std::size_t>((at - group.top) / group.height)));
    return -1;
}

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
    QStringList parts{text(m_timeline->tracks[span.track].name), text(m_timeline->kinds[span.kind].name)};
    if (m_facts)
        for (const auto& [name, value] : m_facts(index))
            parts << QStringLiteral("%1 %2").arg(name, value);
    else if (span.label < m_timeline->labels.size() && !m_timeline->labels[span.label].empty())
        parts << text(m_timeline->labels[span.label]);
    parts << tr("from %1").arg(timeLabel(span.startNs)) << tr("for %1").arg(timeLabel(span.durationNs));
    if (span.band < m_timeline->bands.size())
        parts << text(m_timeline->bands[span.band].name);
    return parts.join(QStringLiteral(" · "));
}

QString TimelineCanvas::tipAt(const QPointF& position) const {
    if (!m_timeline)
        return {};
    const auto row = [](const QString& name, const QString& value) {
        return QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
            .arg(name, value.toHtmlEscaped());
    };
    const auto percent = [](double share) { return text(percentText(share)); };
    if (const int band = bandAt(position); band >= 0) {
        const auto at = static_cast<std::size_t>(band);
        const TimelineBand& b = m_timeline->bands[at];
        const BandShare& share = m_bandShares[at];
        return QStringLiteral("<b>%1</b><table>").arg(text(b.name).toHtmlEscaped()) +
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
                   : tr("%1: idle").arg(text(m_timeline->tracks[static_cast<std::size_t>(track)].name));
    }
    const TimelineSpan& span = m_timeline->spans[*found];
    const TimelineTrack& track = m_timeline->tracks[span.track];
    QString tip =
        QStringLiteral("<b>%1</b><table>").arg(text(m_timeline->kinds[span.kind].name).toHtmlEscaped());
    if (m_facts)
        for (const auto& [name, value] : m_facts(*found))
            tip += row(name, value);
    else if (span.label < m_timeline->labels.size() && !m_timeline->labels[span.label].empty())
        tip += row(tr("op"), text(m_timeline->labels[span.label]));
    tip += row(tr("track"), track.group.empty() ? text(track.name)
                                                : tr("%1 (%2)").arg(text(track.name), text(track.group)));
    tip += row(tr("start"), timeLabel(span.startNs)) + row(tr("duration"), timeLabel(span.durationNs));
    if (span.band < m_timeline->bands.size())
        tip += row(m_style.bands, text(m_timeline->bands[span.band].name));
    const double perPixel = (m_toNs - m_fromNs) / lanesRect().width();
    const std::size_t here = m_levels->spanAfter(span.track, nsAt(position.x()) + perPixel) -
                             m_levels->spanAfter(span.track, nsAt(position.x()) - perPixel);
    if (here > 2)
        tip += row(
            tr("under the pointer"),
            tr("%1 spans, zoom in to tell them apart").arg(text(exactText(static_cast<std::int64_t>(here)))));
    return tip + QStringLiteral("</table>");
}

void TimelineCanvas::setSelectedOp(int op) {
    if (op == m_selectedOp)
        return;
    m_selectedOp = op;
    m_opLevels.reset();
    m_opTimeline.reset();
    if (m_timeline && op >= 0) {
        const Timeline& line = *m_timeline;
        std::vector<char> wanted(line.labels.size());
        bool any = false;
        for (std::size_t label = 0; label < std::min(line.labels.size(), line.labelOps.size()); ++label) {
            wanted[label] = line.labelOps[label] == op;
            any = any || wanted[label];
        }
        if (any) {
            m_opTimeline = std::make_unique<Timeline>();
            m_opTimeline->tracks = line.tracks;
            m_opTimeline->kinds = line.kinds;
            m_opTimeline->endNs = line.endNs;
            m_opTimeline->firstSpan.reserve(line.tracks.size() + 1);
            for (std::size_t track = 0; track < line.tracks.size(); ++track) {
                m_opTimeline->firstSpan.push_back(m_opTimeline->spans.size());
                for (std::size_t i = line.firstSpan[track]; i < line.firstSpan[track + 1]; ++i)
                    if (line.spans[i].label < wanted.size() && wanted[line.spans[i].label])
                        m_opTimeline->spans.push_back(line.spans[i]);
            }
            m_opTimeline->firstSpan.push_back(m_opTimeline->spans.size());
            m_opLevels = std::make_unique<TimelineLevels>(*m_opTimeline);
        }
    }
    invalidate();
}

void TimelineCanvas::setCurrentSpan(std::optional<std::size_t> span, bool scroll) {
    if (span && (!m_timeline || *span >= m_timeline->spans.size()))
        span.reset();
    m_current = span;
    if (m_current) {
        const std::vector<std::uint32_t>& rows = m_rowsOf[m_timeline->spans[*m_current].track];
        if (!rows.empty() && std::find(rows.begin(), rows.end(), m_currentRow) == rows.end())
            m_currentRow = rows.front();
    }
    if (m_current && scroll)
        showCurrentSpan();
    setAccessibleDescription(m_current ? spanText(*m_current) : QString());
    update();
    emit currentSpanChanged();
}

void TimelineCanvas::showCurrentSpan() {
    const TimelineSpan& span = m_timeline->spans[*m_current];
    const double end = span.startNs + span.durationNs, width = m_toNs - m_fromNs;
    if (span.durationNs < width && (span.startNs < m_fromNs || end > m_toNs)) {
        const double middle = span.startNs + span.durationNs / 2;
        setWindow(middle - width / 2, middle + width / 2);
    } else if (span.durationNs >= width && (end <= m_fromNs || span.startNs >= m_toNs)) {
        setWindow(span.startNs - width * 0.1, span.startNs + width * 0.9);
    }
    const QRectF rect = trackRect(m_currentRow);
    if (rect.isNull())
        return; // folded away
    if (rect.top() < m_places.lanesTop)
        setTrackScroll(m_trackScroll + rect.top() - m_places.lanesTop - 20);
    else if (rect.bottom() > m_places.lanesBottom)
        setTrackScroll(m_trackScroll + rect.bottom() - m_places.lanesBottom + 20);
}

bool TimelineCanvas::goToSwitch(bool backwards) {
    if (m_switches.empty())
        return false;
    const auto& spans = m_timeline->spans;
    std::ptrdiff_t at;
    if (m_current) {
        const auto before = [&](std::uint32_t a, std::size_t b) {
            return spans[a].startNs != spans[b].startNs ? spans[a].startNs < spans[b].startNs : a < b;
        };
        const auto found = std::lower_bound(m_switches.begin(), m_switches.end(), *m_current, before);
        at = found - m_switches.begin();
        const bool isIt = found != m_switches.end() && *found == *m_current;
        at += backwards ? -1 : isIt ? 1 : 0;
    } else {
        const auto found = std::partition_point(m_switches.begin(), m_switches.end(),
                                                [&](std::uint32_t s) { return spans[s].startNs < m_fromNs; });
        at = found - m_switches.begin() - (backwards ? 1 : 0);
    }
    const auto count = static_cast<std::ptrdiff_t>(m_switches.size());
    setCurrentSpan(m_switches[static_cast<std::size_t>((at + count) % count)]);
    return true;
}

bool TimelineCanvas::goAlongTrack(bool backwards) {
    if (!m_timeline || m_timeline->spans.empty())
        return false;
    if (!m_current) {
        const int track = std::max(0, trackAt(m_places.lanesTop + 1));
        const std::size_t i = m_levels->spanAfter(static_cast<std::size_t>(track), m_fromNs);
        setCurrentSpan(std::min(i, m_timeline->spans.size() - 1));
        return true;
    }
    const std::size_t track = m_timeline->spans[*m_current].track;
    const std::size_t first = m_timeline->firstSpan[track], last = m_timeline->firstSpan[track + 1] - 1;
    if (*m_current == (backwards ? first : last))
        return false;
    setCurrentSpan(backwards ? *m_current - 1 : *m_current + 1);
    return true;
}

bool TimelineCanvas::goToRow(bool up) {
    const double ns = m_current ? m_timeline->spans[*m_current].startNs : m_fromNs;
    std::size_t row = m_current ? m_currentRow : 0;
    // The next row that is not folded away and has anything.
    while (up ? row > 0 : row + 1 < m_rowCount) {
        row = up ? row - 1 : row + 1;
        if (trackRect(row).isNull())
            continue;
        std::vector<std::uint32_t> tracks = m_under[row];
        tracks.insert(tracks.end(), m_timeline->tracks[row].over.begin(), m_timeline->tracks[row].over.end());
        for (const std::uint32_t track : tracks) {
            const std::size_t end = m_timeline->firstSpan[track + 1];
            if (m_timeline->firstSpan[track] == end)
                continue;
            m_currentRow = row;
            setCurrentSpan(std::min(m_levels->spanAfter(track, ns), end - 1));
            return true;
        }
    }
    return false;
}

void TimelineCanvas::setArea(std::optional<TimelineArea> area) {
    if (!m_timeline || m_timeline->tracks.empty())
        area.reset();
    if (area) {
        const int last = static_cast<int>(m_rowCount) - 1;
        const auto [from, to] = std::minmax(area->fromNs, area->toNs);
        const auto [top, bottom] = std::minmax(area->firstTrack, area->lastTrack);
        area = TimelineArea{std::max(0.0, from), std::min(m_timeline->endNs, to), std::clamp(top, 0, last),
                            std::clamp(bottom, 0, last)};
    }
    m_area = area;
    update();
    emit areaChanged();
}

const std::vector<double>& TimelineCanvas::visibleBusyNs() const {
    if (m_timeline && m_busy.empty()) {
        m_busy.resize(m_timeline->kinds.size());
        for (std::size_t track = 0; track < m_rowCount; ++track)
            m_levels->addBusy(track, m_fromNs, m_toNs, m_busy.data());
        for (double& value : m_busy)
            value = std::max(0.0, value); // differences of long sums
    }
    return m_busy;
}

QColor TimelineCanvas::kindColor(std::size_t kind) const {
    if (const int own = m_timeline->kinds[kind].category; own >= 0)
        return category(own);
    const SpanRole role = m_timeline->kinds[kind].role;
    // A second kind of the same role is told apart by lightness.
    int before = 0;
    for (std::size_t k = 0; k < kind; ++k)
        before += m_timeline->kinds[k].role == role && m_timeline->kinds[k].category < 0 &&
                  m_timeline->kinds[k].inLegend;
    const QColor own = color(roleOf(role));
    return before == 0 ? own
                       : mix(own, currentTheme() == Theme::Dark ? Qt::black : Qt::white,
                             std::min(0.5, 0.28 * before));
}

int TimelineCanvas::groupAt(const QPointF& position) const {
    const int track = position.x() < m_places.left ? trackAt(position.y()) : -1;
    for (std::size_t group = 0; track >= 0 && group < m_groups.size(); ++group)
        if (m_groups[group].first == static_cast<std::size_t>(track) && m_groups[group].all > 1 &&
            m_timeline->tracks[m_groups[group].first].heads)
            return static_cast<int>(group);
    return -1;
}

bool TimelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    relayout();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_overview = {};
        m_spanNames.clear();
        relayout();
    }
    QWidget::changeEvent(event);
}

void TimelineCanvas::leaveEvent(QEvent*) {
    m_hovered.reset();
    m_hoveredBand = -1;
    update();
}

void TimelineCanvas::setHover(const QPointF& position) {
    const auto span = spanAt(position);
    const int band = bandAt(position);
    if (span == m_hovered && band == m_hoveredBand)
        return;
    m_hovered = span;
    m_hoveredBand = band;
    setCursor(span || band >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_timeline) {
        event->ignore();
        return;
    }
    m_pressed = m_mouse = event->position();
    m_pressedFromNs = m_fromNs;
    m_pressedScroll = m_trackScroll;
    m_moved = false;
    if (overviewRect().adjusted(0, -3, 0, 4).contains(m_pressed)) {
        m_drag = Drag::Overview;
        mouseMoveEvent(event);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_drag = m_pressed.x() >= m_places.left ? Drag::Area : Drag::None;
    } else {
        m_drag = Drag::Pan;
    }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    if (m_drag == Drag::None) {
        setHover(m_mouse);
        return;
    }
    const QPointF by = m_mouse - m_pressed;
    if (m_drag == Drag::Overview) {
        const double width = m_toNs - m_fromNs;
        const double middle =
            (m_mouse.x() - overviewRect().left()) / overviewRect().width() * m_timeline->endNs;
        setWindow(middle - width / 2, middle + width / 2);
        return;
    }
    if (!m_moved && by.manhattanLength() < kDragDistance)
        return;
    m_moved = true;
    if (m_drag == Drag::Pan) {
        const double width = m_toNs - m_fromNs;
        const double from = m_pressedFromNs - by.x() / lanesRect().width() * width;
        setWindow(from, from + width);
        setTrackScroll(m_pressedScroll - by.y());
        setCursor(Qt::ClosedHandCursor);
    } else {
        const auto at = [this](double y) {
            // Above and below the tracks count as the first and the last that is seen; so does a gap.
            for (double shift = 0; shift <= kGap + 1; ++shift)
                if (const int track =
                        trackAt(std::clamp(y - shift, m_places.lanesTop, m_places.lanesBottom - 1));
                    track >= 0)
                    return track;
            return static_cast<int>(m_rowCount) - 1;
        };
        m_area =
            TimelineArea{std::clamp(nsAt(std::min(m_pressed.x(), m_mouse.x())), m_fromNs, m_toNs),
                         std::clamp(nsAt(std::max(m_pressed.x(), m_mouse.x())), m_fromNs, m_toNs),
                         at(std::min(m_pressed.y(), m_mouse.y())), at(std::max(m_pressed.y(), m_mouse.y()))};
        update();
    }
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const Drag drag = m_drag;
    m_drag = Drag::None;
    setCursor(Qt::ArrowCursor);
    if (drag == Drag::Area && m_moved) {
        setArea(m_area);
        return;
    }
    if (drag != Drag::Pan || m_moved)
        return;
    if (const int group = groupAt(m_pressed); group >= 0) {
        const std::string name = m_groups[static_cast<std::size_t>(group)].name;
        setFolded(name, !isFolded(name));
        return;
    }
    if (m_pressed.y() < m_places.lanesTop || m_pressed.x() < m_places.left)
        return;
    const auto span = spanAt(m_pressed);
    setCurrentSpan(span, false);
    const std::uint32_t label = span ? m_timeline->spans[*span].label : 0;
    const int op = span && label < m_timeline->labelOps.size() ? m_timeline->labelOps[label] : -1;
    setSelectedOp(op);
    emit opClicked(op);
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_timeline)
        return;
    const auto zoomTo = [this](double from, double to) {
        const double margin = (to - from) * 0.02;
        setWindow(from - margin, to + margin);
    };
    if (const int band = bandAt(event->position()); band >= 0) {
        const TimelineBand& b = m_timeline->bands[static_cast<std::size_t>(band)];
        zoomTo(b.startNs, b.endNs);
    } else if (const auto span = spanAt(event->position())) {
        const TimelineSpan& s = m_timeline->spans[*span];
        const double around = std::max<double>(s.durationNs, shortestWindow() / 4);
        setWindow(s.startNs - around, s.startNs + s.durationNs + around);
    }
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    // Alt turns a vertical wheel into a horizontal one on most platforms.
    const QPoint angle = event->angleDelta();
    const bool alt = event->modifiers() & Qt::AltModifier;
    const double steps = (alt && angle.y() == 0 ? angle.x() : angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    const bool sideways = angle.y() == 0 && angle.x() != 0 && !alt;
    event->accept();
    if (!m_timeline || steps == 0)
        return;
    const double width = m_toNs - m_fromNs;
    if (event->modifiers() & Qt::ControlModifier)
        zoomAt(nsAt(std::clamp(event->position().x(), m_places.left, m_places.right)), std::pow(1.25, steps));
    else if (alt)
        zoomTracks(std::pow(1.25, steps), event->position().y());
    else if (sideways || (event->modifiers() & Qt::ShiftModifier) || !m_scroll->isVisibleTo(this))
        setWindow(m_fromNs - steps * width * 0.1, m_fromNs - steps * width * 0.1 + width);
    else
        setTrackScroll(m_trackScroll - steps * 60);
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_timeline || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        QWidget::keyPressEvent(event);
        return;
    }
    const double width = m_toNs - m_fromNs;
    const bool mouseInside = underMouse() && m_mouse.x() >= m_places.left && m_mouse.x() <= m_places.right;
    const double anchor =
        m_current && m_timeline->spans[*m_current].startNs >= m_fromNs &&
                m_timeline->spans[*m_current].startNs <= m_toNs
            ? m_timeline->spans[*m_current].startNs + m_timeline->spans[*m_current].durationNs / 2
        : mouseInside ? nsAt(m_mouse.x())
                      : (m_fromNs + m_toNs) / 2;
    const auto pan = [&](double share) {
        setWindow(m_fromNs + share * width, m_fromNs + share * width + width);
    };
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAt(std::clamp(anchor, m_fromNs, m_toNs), 1.5);
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomAt(std::clamp(anchor, m_fromNs, m_toNs), 1 / 1.5);
        break;
    case Qt::Key_A:
        pan(-0.15);
        break;
    case Qt::Key_D:
        pan(0.15);
        break;
    case Qt::Key_F:
        fit();
        break;
    case Qt::Key_N:
        goToSwitch(event->modifiers() & Qt::ShiftModifier);
        break;
    case Qt::Key_Period:
    case Qt::Key_Right:
        goAlongTrack(false);
        break;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        goAlongTrack(true);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        goToRow(event->key() == Qt::Key_Up);
        break;
    case Qt::Key_E:
        if (canFold())
            setAllFolded(m_folded.empty());
        break;
    case Qt::Key_Home:
        setWindow(0, width);
        break;
    case Qt::Key_End:
        setWindow(m_timeline->endNs - width, m_timeline->endNs);
        break;
    case Qt::Key_PageUp:
        setTrackScroll(m_trackScroll - lanesRect().height() * 0.8);
        break;
    case Qt::Key_PageDown:
        setTrackScroll(m_trackScroll + lanesRect().height() * 0.8);
        break;
    case Qt::Key_Z: // what is chosen: the area, else the current span
        if (m_area)
            setWindow(m_area->fromNs, m_area->toNs);
        else if (m_current) {
            const TimelineSpan& span = m_timeline->spans[*m_current];
            const double around = std::max<double>(span.durationNs, shortestWindow() / 4);
            setWindow(span.startNs - around, span.startNs + span.durationNs + around);
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current && m_timeline->spans[*m_current].label < m_timeline->labelOps.size()) {
            const int op = m_timeline->labelOps[m_timeline->spans[*m_current].label];
            setSelectedOp(op);
            emit opClicked(op);
        }
        break;
    case Qt::Key_Escape:
        if (m_drag == Drag::Area)
            m_drag = Drag::None;
        if (m_area) {
            setArea({});
        } else if (m_current || m_selectedOp >= 0) {
            setCurrentSpan({});
            setSelectedOp(-1);
            emit opClicked(-1);
        } else {
            QWidget::keyPressEvent(event);
        }
        break;
    default:
        QWidget::keyPressEvent(event);
    }
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
                    header << text(kind.name).replace(QLatin1Char(' '), QLatin1Char('_')) +
                                  QStringLiteral("_ns");
                csv = csvLine(header) + QLatin1Char('\n');
                const auto busy = busyNs(*m_timeline, m_fromNs, m_toNs);
                for (std::size_t track = 0; track < busy.size(); ++track) {
                    QStringList fields{text(m_timeline->tracks[track].name),
                                       text(m_timeline->tracks[track].group), exactNumber(m_fromNs),
                                       exactNumber(m_toNs)};
                    for (const double ns : busy[track])
                        fields << exactNumber(ns);
                    csv += csvLine(fields) + QLatin1Char('\n');
                }
                return csv;
            }};
}

} // namespace pim::views
