// SPDX-License-Identifier: GPL-3.0-or-later
// The chain of work that sets the length of the run: how it is drawn, said and walked along.
#include "views/common/timeline_canvas.h"

#include "core/base/number_text.h"
#include "views/common/text.h"
#include "views/common/timeline_levels.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::views {
namespace {

constexpr double kPsPerNs = 1000;
constexpr std::uint32_t kNoTrack = ~std::uint32_t{0}; ///< Of a pause.

/// First piece that ends behind \p ns.
auto pieceAt(const std::vector<PathPiece>& path, double ns) {
    return std::ranges::upper_bound(path, std::llround(ns * kPsPerNs), {}, &PathPiece::endPs);
}

QString causeText(LinkCause cause) {
    switch (cause) {
    case LinkCause::Start:
        return TimelineCanvas::tr("where the run begins");
    case LinkCause::Resource:
        return TimelineCanvas::tr("as soon as its unit is free");
    case LinkCause::Data:
        return TimelineCanvas::tr("as soon as the one before ends");
    case LinkCause::Stream:
        return TimelineCanvas::tr("fed piece by piece by the one before");
    case LinkCause::Wait:
        break;
    }
    return TimelineCanvas::tr("after a pause");
}

} // namespace

void TimelineCanvas::setPath(std::shared_ptr<const std::vector<PathPiece>> pieces,
                             std::shared_ptr<const TimelinePart> part) {
    m_path = std::move(pieces);
    m_pathPart = std::move(part);
    m_pathTracks.clear();
    if (m_path)
        for (const PathPiece& piece : *m_path)
            m_pathTracks.push_back(
                piece.span < 0 ? kNoTrack : m_timeline->spans[static_cast<std::size_t>(piece.span)].track);
    invalidate();
    if (m_current) // what is said about it changes
        setCurrentSpan(m_current, false);
}

const PathPiece* TimelineCanvas::pieceOf(std::size_t span) const {
    if (!m_path || !m_pathPart || !m_pathPart->has(span))
        return nullptr;
    // No two pieces begin at once, and only the first may begin before the run.
    const auto start = std::max<std::int64_t>(0, std::llround(m_timeline->spans[span].startNs * kPsPerNs));
    for (auto at = std::ranges::lower_bound(*m_path, start, {}, &PathPiece::startPs);; --at) {
        if (at != m_path->end() && at->span == static_cast<std::ptrdiff_t>(span))
            return &*at;
        if (at == m_path->begin())
            return nullptr;
    }
}

double TimelineCanvas::pathY(std::uint32_t track) const {
    const QRectF row = trackRect(m_rowsOf[track].empty() ? track : m_rowsOf[track].front());
    // Below the words of its spans.
    return row.isNull() ? std::numeric_limits<double>::quiet_NaN()
                        : std::round(row.bottom() - std::min(3.0, row.height() / 2));
}

QString TimelineCanvas::pathText(std::size_t span) const {
    const PathPiece* const piece = pieceOf(span);
    if (!piece)
        return {};
    return tr("piece %1 of %2 of the critical path, %3")
        .arg(text(exactText(piece - m_path->data() + 1)), text(exactText(std::ssize(*m_path))),
             causeText(piece->cause));
}

bool TimelineCanvas::goAlongPath(bool backwards) {
    if (!m_path)
        return false;
    const PathPiece* const now = m_current ? pieceOf(*m_current) : nullptr;
    auto at = now ? m_path->begin() + (now - m_path->data())
                  : pieceAt(*m_path, m_current ? m_timeline->spans[*m_current].startNs : m_fromNs);
    if (!now && !backwards && at != m_path->end() && at->span >= 0) {
        setCurrentSpan(static_cast<std::size_t>(at->span));
        return true;
    }
    while (backwards ? at != m_path->begin() : at != m_path->end() && at + 1 != m_path->end()) {
        at += backwards ? -1 : 1;
        if (at->span < 0)
            continue; // a pause
        setCurrentSpan(static_cast<std::size_t>(at->span));
        return true;
    }
    return false;
}

namespace {

/// The path from left to right, column of pixels by column: level along a row, upright where it goes over to another.
class PathPen {
public:
    PathPen(QPainter& painter, const QColor& ink) : m_painter(painter), m_ink(ink) {}

    /// From column \p x on it is in the row at \p y; NaN: in none that is shown.
    void go(double x, double y, bool isPause) {
        if (m_isDown && y == m_y && isPause == m_isPause)
            return;
        end(x);
        m_isDown = !std::isnan(y);
        if (!m_isDown)
            return;
        if (!std::isnan(m_y) && m_y != y)
            line(x, std::min(y, m_y), x, std::max(y, m_y));
        m_from = x;
        m_y = y;
        m_isPause = isPause;
    }
    void end(double x) {
        if (!m_isDown || x <= m_from)
            return;
        if (m_isPause) {
            m_painter.setPen(QPen(m_ink, 2, Qt::DotLine));
            m_painter.drawLine(QPointF(m_from, m_y), QPointF(x, m_y));
        } else {
            line(m_from, m_y, x, m_y);
        }
    }

private:
    /// Two pixels wide; a rectangle, since lines of a pen are stroked first.
    void line(double left, double top, double right, double bottom) {
        m_painter.fillRect(QRectF(left - 1, top - 1, right - left + 2, bottom - top + 2).toRect(), m_ink);
    }

    QPainter& m_painter;
    QColor m_ink;
    bool m_isDown = false, m_isPause = false;
    double m_from = 0, m_y = std::numeric_limits<double>::quiet_NaN();
};

/// What lies within one column of pixels.
class PathColumn {
public:
    struct Part {
        std::uint32_t track;
        bool isPause;
        double width;
    };
    void add(std::uint32_t track, bool isPause, double width) {
        const auto same = [&](const Part& part) { return part.track == track && part.isPause == isPause; };
        if (const auto known = std::ranges::find_if(m_parts, same); known != m_parts.end())
            known->width += width;
        else
            m_parts.push_back({track, isPause, width});
    }
    /// The first of those with most of it. There has to be one.
    Part take() {
        const Part most = *std::ranges::max_element(m_parts, {}, &Part::width);
        m_parts.clear();
        return most;
    }
    bool isEmpty() const { return m_parts.empty(); }

private:
    std::vector<Part> m_parts;
};

} // namespace

/// Of pieces narrower than a pixel the row that has most of it is drawn: with all of them a long path would cover everything.
void TimelineCanvas::paintPath(QPainter& painter) {
    if (!m_path)
        return;
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(lanes);
    PathPen pen(painter, color(Role::NodeText));
    const double fromPs = m_fromNs * kPsPerNs, perPs = lanes.width() / ((m_toNs - m_fromNs) * kPsPerNs);
    const auto xOfPs = [&](std::int64_t ps) {
        return std::clamp(lanes.left() + (double(ps) - fromPs) * perPs, lanes.left(), lanes.right());
    };
    PathColumn column;
    const auto go = [&](double x, const PathColumn::Part& part) {
        pen.go(x, part.track == kNoTrack ? std::numeric_limits<double>::quiet_NaN() : pathY(part.track),
               part.isPause);
    };
    auto piece = pieceAt(*m_path, m_fromNs);
    double right = piece == m_path->end() ? 0 : xOfPs(piece->startPs);
    std::uint32_t track = kNoTrack; // a pause stays in the row of the piece before it
    for (; piece != m_path->end() && double(piece->startPs) < m_toNs * kPsPerNs; ++piece) {
        const double left = right;
        right = xOfPs(piece->endPs); // where the next begins
        const std::uint32_t of = m_pathTracks[static_cast<std::size_t>(piece - m_path->begin())];
        const bool isPause = of == kNoTrack;
        track = isPause ? track : of;
        const double first = std::floor(left), last = std::floor(right);
        column.add(track, isPause, std::min(right, first + 1) - left);
        if (last == first)
            continue;
        go(first, column.take());
        if (last > first + 1)
            go(first + 1, {track, isPause, 1});
        column.add(track, isPause, right - last);
    }
    if (!column.isEmpty())
        go(std::floor(right), column.take());
    pen.end(right);
    painter.restore();
}

} // namespace pim::views
