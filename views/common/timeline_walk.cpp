// SPDX-License-Identifier: GPL-3.0-or-later
// From span to span: what is current, and where the keys go from it.
#include "views/common/timeline_canvas.h"

#include "views/common/timeline_levels.h"

#include <algorithm>

namespace pim::views {

std::optional<std::size_t> TimelineCanvas::currentLane() const {
    if (m_current)
        return m_currentLane;
    if (const int track = underMouse() ? trackAt(m_mouse.y()) : -1; track >= 0)
        return static_cast<std::size_t>(track);
    if (m_rows.rows().empty())
        return {};
    return m_rows.rows().front();
}

void TimelineCanvas::setSelectedOp(int op) {
    if (op == m_selectedOp)
        return;
    m_selectedOp = op;
    m_opPart.reset();
    if (m_timeline && op >= 0) {
        std::vector<bool> wanted(static_cast<std::size_t>(op) + 1);
        wanted.back() = true;
        if (auto part = partOf(*m_timeline, wanted); !part->isEmpty())
            m_opPart = std::move(part);
    }
    invalidate();
}

void TimelineCanvas::setCurrentSpan(std::optional<std::size_t> span, bool scroll) {
    if (span && (!m_timeline || *span >= m_timeline->spans.size()))
        span.reset();
    m_current = span;
    if (m_current) {
        const std::vector<std::uint32_t>& rows = m_rowsOf[m_timeline->spans[*m_current].track];
        if (!rows.empty() && std::find(rows.begin(), rows.end(), m_currentLane) == rows.end())
            m_currentLane = rows.front();
    }
    if (m_current && scroll)
        showCurrentSpan();
    setAccessibleDescription(m_current ? spanText(*m_current) : QString());
    announceCurrent(this);
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
    const QRectF rect = trackRect(m_currentLane);
    if (rect.isNull())
        return; // folded away
    const double top = m_places.lanesTop + m_rows.pinnedHeight();
    if (m_rows.pinnedHeight() > 0 && m_rows.isPinned(m_currentLane))
        return;
    if (rect.top() < top)
        setTrackScroll(m_trackScroll + rect.top() - top - 20);
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
    const std::vector<std::uint32_t>& rows = m_rows.rows();
    auto row = static_cast<std::size_t>(m_current ? std::max(0, m_rows.rowOf(m_currentLane)) : 0);
    // The next row that has anything.
    while (up ? row > 0 : row + 1 < rows.size()) {
        row = up ? row - 1 : row + 1;
        const std::size_t lane = rows[row];
        std::vector<std::uint32_t> tracks = m_under[lane];
        tracks.insert(tracks.end(), m_timeline->tracks[lane].over.begin(),
                      m_timeline->tracks[lane].over.end());
        for (const std::uint32_t track : tracks) {
            const std::size_t end = m_timeline->firstSpan[track + 1];
            if (m_timeline->firstSpan[track] == end)
                continue;
            m_currentLane = lane;
            setCurrentSpan(std::min(m_levels->spanAfter(track, ns), end - 1));
            return true;
        }
    }
    return false;
}

} // namespace pim::views
