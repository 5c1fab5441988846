// SPDX-License-Identifier: GPL-3.0-or-later
// State and places of the canvas. timeline_input.cpp is its hands, timeline_tips.cpp its words;
// timeline_raster.cpp, timeline_lanes.cpp and timeline_paint.cpp draw it.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/timeline_levels.h"

#include <QFontMetricsF>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <map>

namespace pim::views {
namespace {

constexpr double kOverTop = 0.55; ///< Where something lies under it, what is drawn over it takes the rest.

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
    m_style.marks = tr("switches");
    m_style.cycle = tr("cycle");
    m_style.cycles = tr("cycles");
    m_scroll->setAccessibleName(tr("Scrolls the tracks"));
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) { setTrackScroll(value); });
    // The rows, and the span that the keys are at: there may be millions of spans.
    const auto rows = [this] { return m_timeline ? static_cast<int>(m_rows.rows().size()) : 0; };
    setCanvasItems(this, this,
                   {[this, rows] { return rows() + (m_current ? 1 : 0); },
                    [this, rows](int item) {
                        return item < rows() ? spokenRow(m_rows.rows()[static_cast<std::size_t>(item)])
                                             : spokenSpan();
                    },
                    [this, rows] { return m_current ? rows() : -1; },
                    [this, rows](int item) {
                        if (item >= rows())
                            return;
                        const std::size_t track = m_rows.rows()[static_cast<std::size_t>(item)];
                        if (const std::size_t first = m_timeline->firstSpan[track];
                            first < m_timeline->firstSpan[track + 1])
                            setCurrentSpan(std::min(m_levels->spanAfter(track, m_fromNs),
                                                    m_timeline->firstSpan[track + 1] - 1));
                    },
                    [this](const QPointF& at) {
                        return m_timeline && lanesRect().contains(at) && trackAt(at.y()) >= 0
                                   ? m_rows.rowOf(static_cast<std::size_t>(trackAt(at.y())))
                                   : -1;
                    },
                    [this, rows](int item) {
                        constexpr qint64 kSpans = qint64(1) << 40; // above all numbers of tracks
                        return item < rows() ? qint64(m_rows.rows()[static_cast<std::size_t>(item)])
                                             : kSpans + static_cast<qint64>(m_current.value_or(0));
                    }});
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
    m_opPart.reset();
    m_brightPart.reset();
    m_pathPart.reset();
    m_path.reset();
    m_pathTracks.clear();
    m_timeline = std::move(timeline);
    m_current.reset();
    m_hovered.reset();
    m_hoveredBand = -1;
    m_selectedOp = -1;
    const bool hadArea = m_area.has_value();
    m_area.reset();
    m_trackZoom = 1;
    m_trackScroll = 0;
    m_overview = {};
    m_spanNames.clear();
    m_fromNs = 0;
    m_toNs = m_timeline && m_timeline->endNs > 0 ? m_timeline->endNs : 1;
    prepare();
    relayout();
    announceItems(this);
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
    m_rows.setTimeline(m_timeline.get());
    prepareSharedRows();
    if (!m_timeline)
        return;
    const Timeline& line = *m_timeline;
    if (!m_levels)
        m_levels = std::make_shared<const TimelineLevels>(line);
    std::vector<SpanRole> roles(line.kinds.size());
    for (std::size_t kind = 0; kind < roles.size(); ++kind)
        roles[kind] = line.kinds[kind].role;

    // Rings tell about the arrays, not about the buses beside them: about the largest group.
    std::map<std::string, std::size_t> sizes;
    for (const TimelineTrack& track : line.tracks)
        if (!track.hidden)
            ++sizes[track.group];
    std::vector<char> isCounted(line.tracks.size());
    std::size_t counted = 0;
    const auto largest = std::max_element(sizes.begin(), sizes.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    m_sharesOf = largest == sizes.end() ? std::string() : largest->first;
    for (std::size_t track = 0; track < line.tracks.size(); ++track) {
        isCounted[track] = !line.tracks[track].hidden && line.tracks[track].group == m_sharesOf;
        counted += std::size_t(isCounted[track]);
    }
    std::vector<double> compute(line.bands.size()), memory(line.bands.size()), other(line.bands.size());
    for (std::size_t i = 0; i < line.spans.size(); ++i) {
        const TimelineSpan& span = line.spans[i];
        const SpanRole role = roles[span.kind];
        if (role == SpanRole::Switching)
            m_switches.push_back(static_cast<std::uint32_t>(i));
        if (span.band < line.bands.size() && isCounted[span.track]) {
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
        const double all = (line.bands[band].endNs - line.bands[band].startNs) * static_cast<double>(counted);
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

void TimelineCanvas::prepareSharedRows() {
    m_rowsOf.clear();
    m_under.clear();
    if (!m_timeline)
        return;
    const std::vector<TimelineTrack>& tracks = m_timeline->tracks;
    m_rowsOf.resize(tracks.size());
    m_under.resize(tracks.size());
    for (std::size_t track = 0; track < tracks.size(); ++track) {
        if (tracks[track].hidden)
            continue;
        const auto lane = static_cast<std::uint32_t>(track);
        m_under[track] = tracks[track].shows.empty() ? std::vector{lane} : tracks[track].shows;
        for (const std::uint32_t under : m_under[track])
            m_rowsOf[under].push_back(lane);
        for (const std::uint32_t over : tracks[track].over)
            m_rowsOf[over].push_back(lane);
    }
}

double TimelineCanvas::overTop(std::size_t track) const {
    const bool isBare = std::none_of(m_under[track].begin(), m_under[track].end(), [&](std::uint32_t under) {
        return m_levels->hasSpans(under, under + 1);
    });
    return isBare ? 0 : kOverTop;
}

void TimelineCanvas::rowsChanged(bool byUser) {
    m_overview = {};
    relayout();
    if (byUser)
        emit lanesChanged();
}

void TimelineCanvas::setLanes(LaneArrangement lanes) {
    if (lanes == m_rows.arrangement())
        return;
    m_rows.setArrangement(std::move(lanes));
    rowsChanged(false);
}

void TimelineCanvas::setLaneFilter(const QString& words) {
    m_rows.setFilter(words);
    rowsChanged(true);
}

void TimelineCanvas::setPinned(std::size_t track, bool pinned) {
    m_rows.setPinned(track, pinned);
    rowsChanged(true);
}

bool TimelineCanvas::moveLane(std::size_t track, bool up) {
    const bool moved = m_rows.moveLane(track, up);
    if (moved)
        rowsChanged(true);
    return moved;
}

bool TimelineCanvas::moveGroup(std::size_t track, bool up) {
    const bool moved = m_rows.moveGroup(track, up);
    if (moved)
        rowsChanged(true);
    return moved;
}

void TimelineCanvas::setFolded(const std::string& group, bool folded) {
    m_rows.setFolded(group, folded);
    rowsChanged(true);
}

void TimelineCanvas::setAllFolded(bool folded) {
    m_rows.setAllFolded(folded);
    rowsChanged(true);
}

void TimelineCanvas::setFlags(std::vector<TimelineFlag> flags) {
    std::stable_sort(flags.begin(), flags.end(),
                     [](const TimelineFlag& a, const TimelineFlag& b) { return a.fromNs < b.fromNs; });
    m_flags = std::move(flags);
    relayout();
}

void TimelineCanvas::setBrightPart(std::shared_ptr<const TimelinePart> part) {
    m_brightPart = std::move(part);
    invalidate();
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
        return QString::fromStdString(timeText(ns));
    const double cycles = ns / m_cycleNs;
    const auto counted = [&](const QString& number) { return number + QLatin1Char(' ') + m_style.cycles; };
    if (std::abs(cycles) >= 1e7)
        return counted(QString::fromStdString(countText(cycles)));
    const double whole = std::round(cycles);
    if (std::abs(cycles - whole) <= 1e-4 * std::max(1.0, std::abs(cycles)))
        return whole == 1 ? QStringLiteral("1 ") + m_style.cycle
                          : counted(QString::fromStdString(exactText(static_cast<std::int64_t>(whole))));
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

void TimelineCanvas::zoomTracks(double factor, double y) {
    if (m_rows.rows().empty() || factor <= 0)
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
    const double most = std::max(0.0, m_rows.contentHeight() - (m_places.lanesBottom - m_places.lanesTop));
    const double at = std::clamp(top, 0.0, std::ceil(most));
    if (at == m_trackScroll)
        return;
    m_trackScroll = at;
    const QSignalBlocker quiet(m_scroll); // its whole pixels would round the position
    m_scroll->setValue(static_cast<int>(at));
    invalidate();
}

double TimelineCanvas::gutterWidth() const {
    const QFontMetricsF metrics(font());
    double gutter = 48;
    const auto widen = [&](const std::string& name) {
        gutter = std::max(gutter, metrics.horizontalAdvance(coreWord(name)) + 14);
    };
    // Names of one machine are alike: a sample is enough.
    const std::vector<std::uint32_t>& lanes = m_rows.lanes();
    const std::size_t step = std::max<std::size_t>(1, lanes.size() / 64);
    for (std::size_t lane = 0; lane < lanes.size(); lane += step)
        widen(m_timeline->tracks[lanes[lane]].name);
    for (const Group& group : m_rows.groups())
        widen(m_timeline->tracks[m_rows.rows()[group.first + group.count - 1]].name);
    if (canFold())
        gutter += 12; // the marks of headings
    if (!lanes.empty() && m_rows.isPinned(lanes.front()))
        gutter += 10; // the marks of the pinned
    return std::min(std::ceil(gutter), width() * 0.26);
}

double TimelineCanvas::legendHeight() const {
    if (height() < m_style.leastForLegend)
        return 0;
    // Rows as paintLegend lays them out.
    const QFontMetricsF metrics(font());
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
                metrics.horizontalAdvance((idle ? tr("idle") : coreWord(m_timeline->kinds[kind].name)) +
                                          (m_style.showsShares ? QStringLiteral(" 100.0 %") : QString())) +
                10;
            if (x + needed > width() - 6 && x > 10) {
                ++rows;
                x = 10;
            }
            x += needed;
        }
    return rows * (std::ceil(metrics.height()) + 4) + 2;
}

void TimelineCanvas::relayout() {
    const double line = std::ceil(QFontMetricsF(font()).height());
    Places& p = m_places;
    p.left = gutterWidth();
    p.legendTop = 4;
    p.legendHeight = legendHeight();
    p.axisTop = p.legendTop + p.legendHeight;
    p.bandsTop = p.axisTop + line + 8;
    p.bandsHeight = m_bandOrder.empty() ? 0 : line + 6;
    p.sharesTop = p.bandsTop + p.bandsHeight;
    p.sharesHeight = m_bandOrder.empty() || height() < 330 || !m_style.showsShares ? 0 : 46;
    p.flagsTop = p.sharesTop + p.sharesHeight;
    p.flagsHeight = m_flags.empty() ? 0 : line + 4;
    p.marksTop = p.flagsTop + p.flagsHeight;
    p.marksHeight = m_switches.empty() || m_style.marks.isEmpty() ? 0 : 9;
    p.lanesTop = p.marksTop + p.marksHeight + 2;
    p.overviewTop = height() - 20;
    p.lanesBottom = std::max(p.lanesTop + 20, p.overviewTop - 5);
    const int barWidth = m_scroll->sizeHint().width();
    const double room = p.lanesBottom - p.lanesTop;
    m_trackZoom = m_rows.place({room, m_style.leastRow, m_trackZoom});
    const double pinned = m_rows.pinnedHeight();
    const bool scrolls = m_rows.contentHeight() > room + 1;
    p.right = width() - 6 - (scrolls ? barWidth : 0);
    m_scroll->setVisible(scrolls);
    m_scroll->setGeometry(width() - barWidth - 1, static_cast<int>(p.lanesTop + pinned), barWidth,
                          static_cast<int>(room - pinned));
    const QSignalBlocker quiet(m_scroll);
    m_scroll->setPageStep(static_cast<int>(room - pinned));
    m_scroll->setSingleStep(20);
    m_scroll->setRange(0, static_cast<int>(std::ceil(std::max(0.0, m_rows.contentHeight() - room))));
    m_trackScroll = std::clamp(m_trackScroll, 0.0, static_cast<double>(m_scroll->maximum()));
    m_scroll->setValue(static_cast<int>(m_trackScroll));
    m_lanesOfKind.clear();
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
QRectF TimelineCanvas::flagsRect() const {
    return {m_places.left, m_places.flagsTop, std::max(1.0, m_places.right - m_places.left),
            m_places.flagsHeight};
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
        if (rect.isNull() || rect.top() > m_places.lanesBottom)
            continue;
        // What scrolls goes behind what is pinned.
        const double edge = m_places.lanesTop +
                            m_rows.clipTop(*m_rows.groupOfRow(static_cast<std::size_t>(m_rows.rowOf(row))));
        if (rect.bottom() <= edge)
            continue;
        const std::vector<std::uint32_t>& over = m_timeline->tracks[row].over;
        if (std::find(over.begin(), over.end(), span.track) != over.end())
            rect.setTop(rect.top() + rect.height() * overTop(row));
        rect.setTop(std::max(rect.top(), edge));
        const double x0 = xOf(span.startNs);
        rects.emplace_back(x0, rect.top(), xOf(span.startNs + span.durationNs) - x0, rect.height());
    }
    return rects;
}

QRectF TimelineCanvas::trackRect(std::size_t track) const {
    const int row = m_rows.rowOf(track);
    if (row < 0)
        return {};
    const Group& group = *m_rows.groupOfRow(static_cast<std::size_t>(row));
    return {m_places.left,
            m_places.lanesTop + m_rows.top(group, m_trackScroll) +
                group.height * static_cast<double>(static_cast<std::size_t>(row) - group.first),
            lanesRect().width(), group.height};
}

int TimelineCanvas::trackAt(double y) const {
    return y < m_places.lanesTop || y >= m_places.lanesBottom
               ? -1
               : m_rows.trackAt(y - m_places.lanesTop, m_trackScroll);
}

void TimelineCanvas::setArea(std::optional<TimelineArea> area) {
    if (!m_timeline || m_rows.lanes().empty())
        area.reset();
    if (area) {
        const std::vector<std::uint32_t>& lanes = m_rows.lanes();
        const auto placeOf = [&](int track) {
            const auto found = std::find(lanes.begin(), lanes.end(), static_cast<std::uint32_t>(track));
            return found != lanes.end() ? found - lanes.begin() : track < 0 ? 0 : std::ssize(lanes) - 1;
        };
        const auto [from, to] = std::minmax(area->fromNs, area->toNs);
        const std::ptrdiff_t a = placeOf(area->firstTrack), b = placeOf(area->lastTrack);
        area = TimelineArea{std::max(0.0, from), std::min(m_timeline->endNs, to),
                            static_cast<int>(lanes[static_cast<std::size_t>(std::min(a, b))]),
                            static_cast<int>(lanes[static_cast<std::size_t>(std::max(a, b))])};
    }
    m_area = area;
    update();
    emit areaChanged();
}

std::vector<std::uint32_t> TimelineCanvas::areaTracks() const {
    return !m_area ? std::vector<std::uint32_t>()
                   : m_rows.between(static_cast<std::size_t>(m_area->firstTrack),
                                    static_cast<std::size_t>(m_area->lastTrack));
}

std::optional<std::pair<double, double>> TimelineCanvas::chosenStretch() const {
    if (m_area)
        return std::pair(m_area->fromNs, m_area->toNs);
    if (!m_current)
        return {};
    const TimelineSpan& span = m_timeline->spans[*m_current];
    return std::pair(span.startNs, span.startNs + span.durationNs);
}

const std::vector<double>& TimelineCanvas::visibleBusyNs() const {
    if (m_timeline && m_busy.empty()) {
        m_busy.resize(m_timeline->kinds.size());
        for (const std::uint32_t track : m_rows.lanes())
            m_levels->addBusy(track, m_fromNs, m_toNs, m_busy.data());
        for (double& value : m_busy)
            value = std::max(0.0, value); // differences of long sums
    }
    return m_busy;
}

const std::vector<int>& TimelineCanvas::lanesOfKinds() const {
    if (m_timeline && m_lanesOfKind.empty()) {
        m_lanesOfKind.resize(m_timeline->kinds.size());
        for (const std::uint32_t track : m_rows.lanes()) {
            std::vector<double> whole(m_timeline->kinds.size());
            m_levels->addBusy(track, 0, m_timeline->endNs, whole.data());
            for (std::size_t kind = 0; kind < whole.size(); ++kind)
                m_lanesOfKind[kind] += whole[kind] > 0 ? 1 : 0;
        }
    }
    return m_lanesOfKind;
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
    return before == 0 ? own : mix(own, isDark() ? Qt::black : Qt::white, std::min(0.5, 0.28 * before));
}

} // namespace pim::views
