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

double TimelineCanvas::pathY(const PathPiece& piece) const {
    const std::uint32_t track = m_timeline->spans[static_cast<std::size_t>(piece.span)].track;
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

/// Level along its pieces, upright where it goes over to another row; what lies within one pixel is one upright line.
void TimelineCanvas::paintPath(QPainter& painter) {
    if (!m_path)
        return;
    const QRectF lanes = lanesRect();
    painter.save();
    painter.setClipRect(lanes);
    painter.setPen(QPen(color(Role::NodeText), 2));
    double column = std::numeric_limits<double>::quiet_NaN(), top = 0, bottom = 0;
    const auto flush = [&] {
        if (bottom > top)
            painter.drawLine(QPointF(column, top), QPointF(column, bottom));
    };
    const auto reach = [&](double x, double y) {
        if (x != column) {
            flush();
            column = x;
            top = bottom = y;
        }
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    };
    double before = std::numeric_limits<double>::quiet_NaN();
    for (auto piece = pieceAt(*m_path, m_fromNs);
         piece != m_path->end() && double(piece->startPs) < m_toNs * kPsPerNs; ++piece) {
        const double y = piece->span < 0 ? before : pathY(*piece);
        if (std::isnan(y))
            continue; // no row shows it
        const double left = std::round(std::max(xOf(double(piece->startPs) / kPsPerNs), lanes.left())),
                     right = std::round(std::min(xOf(double(piece->endPs) / kPsPerNs), lanes.right()));
        if (!std::isnan(before))
            reach(left, before);
        reach(left, y);
        if (right > left) {
            painter.setPen(QPen(color(Role::NodeText), 2, piece->span < 0 ? Qt::DotLine : Qt::SolidLine));
            painter.drawLine(QPointF(left, y), QPointF(right, y));
            painter.setPen(QPen(color(Role::NodeText), 2));
            reach(right, y);
        }
        before = y;
    }
    flush();
    painter.restore();
}

} // namespace pim::views
