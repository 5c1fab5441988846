// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A timeline at every level of detail: what fills a stretch of a track, answered in constant time however
/// many spans lie in it. One bin says which kind took most of its time, how much of it was busy, and whether
/// a switch lies in it.
#include "core/timeline/limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pim::views {

/// Kind that filled most of a stretch of time (7 bits), a mark for a mode switch in it (1 bit), busy share (8
/// bits; 0 only where nothing was busy at all).
class TimelineCell {
public:
    static constexpr int kKinds = 127; ///< Kinds beyond are drawn as the last.
    TimelineCell() = default;
    TimelineCell(int kind, double busy, bool mark)
        : m_bits(static_cast<std::uint16_t>((kind << 9) | (mark ? 256 : 0) | coverageOf(busy))) {}
    int kind() const { return m_bits >> 9; }
    bool mark() const { return (m_bits & 256) != 0; }
    int coverage() const { return m_bits & 255; } ///< 0 … 255
    bool empty() const { return (m_bits & 255) == 0; }
    std::uint16_t bits() const { return m_bits; }
    /// Of two neighbours of the same size, together.
    static TimelineCell joined(TimelineCell a, TimelineCell b) {
        TimelineCell cell;
        const std::uint16_t winner = b.coverage() > a.coverage() ? b.m_bits : a.m_bits;
        cell.m_bits = static_cast<std::uint16_t>((winner & 0xfe00) | ((a.m_bits | b.m_bits) & 256) |
                                                 ((a.coverage() + b.coverage() + 1) / 2));
        return cell;
    }

private:
    static std::uint16_t coverageOf(double busy) {
        return busy <= 0 ? 0 : busy >= 1 ? 255 : static_cast<std::uint16_t>(1 + busy * 254.5);
    }
    std::uint16_t m_bits = 0;
};

/// Columns of equal time that tracks are sampled in. Made once for all tracks of a frame.
class TimelineColumns {
public:
    TimelineColumns(double from, double step, int columns) : fromNs(from), stepNs(step), count(columns) {}
    const double fromNs, stepNs;
    const int count;

private:
    friend class TimelineLevels;
    const std::vector<std::int32_t>& bins(int level, double endNs);
    std::vector<std::vector<std::int32_t>> m_bins; ///< [level][column]: first bin; one past the end.
};

/// Immutable; refers to the timeline, which must outlive it. Idle spans count as nothing.
class TimelineLevels {
public:
    TimelineLevels() = default;
    explicit TimelineLevels(const Timeline& timeline);

    /// Fills \p cells, one a column, with what the track did.
    void sample(std::size_t track, TimelineColumns& columns, TimelineCell* cells) const;
    /// Adds to \p ns, one entry per kind, what the track did in [fromNs, toNs). Exact.
    void addBusy(std::size_t track, double fromNs, double toNs, double* ns) const;
    /// First span of the track that ends after \p ns; firstSpan[track + 1] if none.
    std::size_t spanAfter(std::size_t track, double ns) const;
    bool hasSpans(std::size_t firstTrack, std::size_t lastTrack) const {
        return m_timeline->firstSpan[firstTrack] != m_timeline->firstSpan[lastTrack];
    }
    std::size_t bytes() const; ///< Of memory.

private:
    struct Track {
        std::size_t firstCell = 0; ///< Of the finest level; the next coarser one follows.
        int finest = 0;            ///< 2^finest bins over the whole time; -1: no level, walk the spans.
    };
    void walk(std::size_t track, const TimelineColumns& columns, TimelineCell* cells) const;
    void buildTrack(std::size_t track, std::vector<float>& sums, std::vector<std::uint8_t>& marks);

    const Timeline* m_timeline = nullptr;
    std::vector<std::uint8_t> m_drawnKind; ///< Of each kind; kSkip for idle.
    std::vector<std::uint8_t> m_isMark;    ///< One a kind: a switch.
    std::vector<Track> m_tracks;
    std::vector<TimelineCell> m_cells;
    std::vector<double> m_sums;          ///< Time of each kind before every 64th span, [track blocks][kinds].
    std::vector<std::size_t> m_firstSum; ///< Of each track, in blocks.
};

/// Some spans of a timeline alone, on the same tracks.
class TimelinePart {
public:
    /// \param spans one a span: whether it is taken.
    TimelinePart(const Timeline& timeline, std::vector<bool> spans);
    TimelinePart(const TimelinePart&) = delete; // the levels refer to the timeline beside them
    TimelinePart& operator=(const TimelinePart&) = delete;

    const TimelineLevels& levels() const { return m_levels; }
    bool isEmpty() const { return m_timeline.spans.empty(); }
    /// \param span position in Timeline::spans.
    bool has(std::size_t span) const { return span < m_spans.size() && m_spans[span]; }

private:
    std::vector<bool> m_spans;
    Timeline m_timeline;
    TimelineLevels m_levels;
};

// Each takes time by the number of spans; for worker threads where there are many.
/// Spans of the ops for which \p wanted is true.
std::shared_ptr<const TimelinePart> partOf(const Timeline& timeline, const std::vector<bool>& wanted);
/// Spans of a chain of work.
std::shared_ptr<const TimelinePart> partOf(const Timeline& timeline, const std::vector<PathPiece>& path);

} // namespace pim::views
