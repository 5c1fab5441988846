// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/timeline_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace pim::views {
namespace {

constexpr std::uint8_t kSkip = 255;
constexpr std::size_t kBlock = 64; ///< Spans between two stored sums.
constexpr int kMaxFinest = 20;

/// Time of each kind in the stretch that is being walked over; cheap to empty.
struct Tally {
    std::array<float, TimelineCell::kKinds> share{};
    std::array<std::uint8_t, TimelineCell::kKinds> touched{};
    int touchedCount = 0;
    float total = 0;
    bool mark = false;

    void add(int kind, float amount, bool isMark) {
        const auto k = static_cast<std::size_t>(kind);
        if (share[k] == 0)
            touched[static_cast<std::size_t>(touchedCount++)] = static_cast<std::uint8_t>(kind);
        // A span without length still happened.
        share[k] += std::max(amount, 1e-6F);
        total += amount;
        mark = mark || isMark;
    }
    TimelineCell take() {
        int best = 0;
        float most = -1;
        for (int i = 0; i < touchedCount; ++i) {
            const auto k = static_cast<std::size_t>(touched[static_cast<std::size_t>(i)]);
            if (share[k] > most || (share[k] == most && static_cast<int>(k) < best)) {
                most = share[k];
                best = static_cast<int>(k);
            }
            share[k] = 0;
        }
        const TimelineCell cell =
            touchedCount > 0 ? TimelineCell(best, std::max(total, 1e-6F), mark) : TimelineCell();
        touchedCount = 0;
        total = 0;
        mark = false;
        return cell;
    }
};

} // namespace

TimelineLevels::TimelineLevels(const Timeline& timeline) : m_timeline(&timeline) {
    const std::size_t kinds = timeline.kinds.size();
    m_drawnKind.resize(kinds);
    m_isMark.resize(kinds);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        m_drawnKind[kind] =
            timeline.kinds[kind].role == SpanRole::Idle
                ? kSkip
                : static_cast<std::uint8_t>(std::min<std::size_t>(kind, TimelineCell::kKinds - 1));
        m_isMark[kind] = timeline.kinds[kind].role == SpanRole::Switching;
    }
    m_tracks.resize(timeline.tracks.size());
    std::vector<float> sums;
    std::vector<std::uint8_t> marks;
    for (std::size_t track = 0; track < m_tracks.size(); ++track)
        buildTrack(track, sums, marks);

    m_firstSum.resize(timeline.tracks.size() + 1);
    std::vector<double> running(kinds);
    for (std::size_t track = 0; track < m_tracks.size(); ++track) {
        m_firstSum[track] = m_sums.size();
        std::fill(running.begin(), running.end(), 0);
        for (std::size_t i = timeline.firstSpan[track]; i < timeline.firstSpan[track + 1]; ++i) {
            if ((i - timeline.firstSpan[track]) % kBlock == 0)
                m_sums.insert(m_sums.end(), running.begin(), running.end());
            running[timeline.spans[i].kind] += timeline.spans[i].durationNs;
        }
    }
    m_firstSum.back() = m_sums.size();
}

void TimelineLevels::buildTrack(std::size_t track, std::vector<float>& sums,
                                std::vector<std::uint8_t>& marks) {
    const Timeline& timeline = *m_timeline;
    const std::size_t begin = timeline.firstSpan[track], end = timeline.firstSpan[track + 1];
    Track& made = m_tracks[track];
    made.firstCell = m_cells.size();
    made.finest = -1;
    if (end - begin < 128 || timeline.endNs <= 0)
        return; // a walk over so few spans is as quick
    // Up to two bins a span: below that, spans are wider than pixels and are walked over themselves.
    int finest = 1;
    while ((std::size_t{1} << finest) < 2 * (end - begin) && finest < kMaxFinest)
        ++finest;
    made.finest = finest;
    const std::size_t bins = std::size_t{1} << finest;
    const std::size_t kinds = std::min<std::size_t>(timeline.kinds.size(), TimelineCell::kKinds);
    const double perNs = static_cast<double>(bins) / timeline.endNs;
    sums.assign(bins * kinds, 0);
    marks.assign(bins, 0);
    for (std::size_t i = begin; i < end; ++i) {
        const TimelineSpan& span = timeline.spans[i];
        const std::uint8_t kind = m_drawnKind[span.kind];
        if (kind == kSkip)
            continue;
        const double from = std::max(0.0, span.startNs * perNs);
        const double to = std::min(static_cast<double>(bins), (span.startNs + span.durationNs) * perNs);
        const std::size_t first = std::min(static_cast<std::size_t>(from), bins - 1);
        const std::size_t last = std::max(first, std::min(static_cast<std::size_t>(to), bins - 1));
        for (std::size_t bin = first; bin <= last; ++bin) {
            const double share =
                std::min(to, static_cast<double>(bin + 1)) - std::max(from, static_cast<double>(bin));
            sums[bin * kinds + kind] += static_cast<float>(std::max(share, bin == first ? 1e-6 : 0.0));
        }
        if (m_isMark[span.kind])
            marks[first] = 1;
    }
    // Sums are folded, not dominant kinds, so every level is exact.
    float width = 1;
    for (std::size_t count = bins;; count /= 2, width *= 2) {
        for (std::size_t bin = 0; bin < count; ++bin) {
            const float* sum = &sums[bin * kinds];
            std::size_t best = 0;
            float total = 0;
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                total += sum[kind];
                if (sum[kind] > sum[best])
                    best = kind;
            }
            m_cells.emplace_back(static_cast<int>(best), total / width, marks[bin] != 0);
        }
        if (count == 1)
            break;
        for (std::size_t bin = 0; bin < count / 2; ++bin) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                sums[bin * kinds + kind] = sums[2 * bin * kinds + kind] + sums[(2 * bin + 1) * kinds + kind];
            marks[bin] = marks[2 * bin] | marks[2 * bin + 1];
        }
    }
}

const std::vector<std::int32_t>& TimelineColumns::bins(int level, double endNs) {
    if (m_bins.size() <= static_cast<std::size_t>(level))
        m_bins.resize(static_cast<std::size_t>(level) + 1);
    std::vector<std::int32_t>& made = m_bins[static_cast<std::size_t>(level)];
    if (made.empty()) {
        const auto all = static_cast<double>(std::size_t{1} << level);
        for (int i = 0; i <= count; ++i)
            made.push_back(static_cast<std::int32_t>(
                std::clamp(std::floor((fromNs + i * stepNs) / endNs * all), 0.0, all)));
    }
    return made;
}

void TimelineLevels::sample(std::size_t track, TimelineColumns& columns, TimelineCell* cells) const {
    const Track& levels = m_tracks[track];
    const double end = m_timeline->endNs;
    int level = levels.finest;
    if (level < 0 || end / static_cast<double>(std::size_t{1} << level) > columns.stepNs) {
        walk(track, columns, cells);
        return;
    }
    // The coarsest level whose bins are no wider than a column.
    std::size_t first = levels.firstCell;
    while (level > 0 && end / static_cast<double>(std::size_t{1} << (level - 1)) <= columns.stepNs) {
        first += std::size_t{1} << level;
        --level;
    }
    const TimelineCell* row = &m_cells[first];
    const std::int32_t* bins = columns.bins(level, end).data();
    for (int i = 0; i < columns.count; ++i) {
        std::int32_t bin = bins[i];
        const std::int32_t next = bins[i + 1];
        if (bin == next) { // past the end
            cells[i] = {};
            continue;
        }
        TimelineCell cell = row[bin];
        while (++bin < next)
            if (cell.bits() != row[bin].bits())
                cell = TimelineCell::joined(cell, row[bin]);
        cells[i] = cell;
    }
}

void TimelineLevels::walk(std::size_t track, const TimelineColumns& columns, TimelineCell* cells) const {
    const auto [fromNs, stepNs, count] = std::tuple(columns.fromNs, columns.stepNs, columns.count);
    std::fill(cells, cells + count, TimelineCell());
    const Timeline& timeline = *m_timeline;
    const double toNs = fromNs + stepNs * count, perNs = 1 / stepNs;
    // Most columns hold one kind alone; what is in them is tallied only where there are several.
    Tally tally;
    int open = -1, onlyKind = -1; // -1: tallied
    float only = 0;
    bool onlyMark = false;
    const auto close = [&] {
        if (open >= 0)
            cells[open] =
                onlyKind >= 0 ? TimelineCell(onlyKind, std::max(only, 1e-6F), onlyMark) : tally.take();
    };
    const auto put = [&](int at, int kind, double share, bool isMark) {
        const auto amount = static_cast<float>(share);
        if (at != open) {
            close();
            open = at;
            onlyKind = kind;
            only = amount;
            onlyMark = isMark;
        } else if (kind == onlyKind) {
            only += amount;
            onlyMark = onlyMark || isMark;
        } else {
            if (onlyKind >= 0)
                tally.add(std::exchange(onlyKind, -1), only, onlyMark);
            tally.add(kind, amount, isMark);
        }
    };
    const std::size_t end = timeline.firstSpan[track + 1];
    for (std::size_t i = spanAfter(track, fromNs); i < end && timeline.spans[i].startNs < toNs; ++i) {
        const TimelineSpan& span = timeline.spans[i];
        const std::uint8_t kind = m_drawnKind[span.kind];
        if (kind == kSkip)
            continue;
        const bool isMark = m_isMark[span.kind] != 0;
        const double from = std::max(0.0, (span.startNs - fromNs) * perNs);
        const double to =
            std::min(static_cast<double>(count), (span.startNs + span.durationNs - fromNs) * perNs);
        const int first = std::min(static_cast<int>(from), count - 1);
        const int last = std::min(static_cast<int>(to), count - 1);
        put(first, kind, std::min(to, first + 1.0) - from, isMark);
        if (last > first) {
            if (last > first + 1)
                std::fill(cells + first + 1, cells + last, TimelineCell(kind, 1, false));
            if (to > last)
                put(last, kind, to - last, false);
        }
    }
    close();
}

std::size_t TimelineLevels::spanAfter(std::size_t track, double ns) const {
    const auto& spans = m_timeline->spans;
    const auto begin = spans.begin() + static_cast<std::ptrdiff_t>(m_timeline->firstSpan[track]);
    const auto end = spans.begin() + static_cast<std::ptrdiff_t>(m_timeline->firstSpan[track + 1]);
    return static_cast<std::size_t>(
        std::partition_point(begin, end,
                             [&](const TimelineSpan& s) { return s.startNs + s.durationNs <= ns; }) -
        spans.begin());
}

void TimelineLevels::addBusy(std::size_t track, double fromNs, double toNs, double* ns) const {
    const Timeline& timeline = *m_timeline;
    const std::size_t begin = timeline.firstSpan[track], end = timeline.firstSpan[track + 1];
    if (begin == end || toNs <= fromNs)
        return;
    const std::size_t kinds = timeline.kinds.size();
    // Time of each kind from the start of the track up to ns, times sign.
    const auto until = [&](double at, double sign) {
        const std::size_t last = spanAfter(track, at);
        const std::size_t block = std::min(last - begin, end - begin - 1) / kBlock;
        const double* before = &m_sums[m_firstSum[track] + block * kinds];
        for (std::size_t kind = 0; kind < kinds; ++kind)
            ns[kind] += sign * before[kind];
        for (std::size_t i = begin + block * kBlock; i < last; ++i)
            ns[timeline.spans[i].kind] += sign * timeline.spans[i].durationNs;
        if (last < end && timeline.spans[last].startNs < at)
            ns[timeline.spans[last].kind] += sign * (at - timeline.spans[last].startNs);
    };
    until(toNs, 1);
    until(fromNs, -1);
}

std::size_t TimelineLevels::bytes() const {
    return m_cells.size() * sizeof(TimelineCell) + m_sums.size() * sizeof(double) +
           m_tracks.size() * sizeof(Track);
}

TimelinePart::TimelinePart(const Timeline& timeline, std::vector<bool> spans) : m_spans(std::move(spans)) {
    m_timeline.tracks = timeline.tracks;
    m_timeline.kinds = timeline.kinds;
    m_timeline.endNs = timeline.endNs;
    m_timeline.firstSpan.reserve(timeline.tracks.size() + 1);
    for (std::size_t track = 0; track < timeline.tracks.size(); ++track) {
        m_timeline.firstSpan.push_back(m_timeline.spans.size());
        for (std::size_t i = timeline.firstSpan[track]; i < timeline.firstSpan[track + 1]; ++i)
            if (has(i))
                m_timeline.spans.push_back(timeline.spans[i]);
    }
    m_timeline.firstSpan.push_back(m_timeline.spans.size());
    m_levels = TimelineLevels(m_timeline);
}

std::shared_ptr<const TimelinePart> partOf(const Timeline& timeline, const std::vector<bool>& wanted) {
    std::vector<char> labels(timeline.labels.size());
    for (std::size_t label = 0; label < std::min(labels.size(), timeline.labelOps.size()); ++label) {
        const int op = timeline.labelOps[label];
        labels[label] =
            op >= 0 && static_cast<std::size_t>(op) < wanted.size() && wanted[static_cast<std::size_t>(op)];
    }
    std::vector<bool> spans(timeline.spans.size());
    for (std::size_t span = 0; span < spans.size(); ++span)
        spans[span] = timeline.spans[span].label < labels.size() && labels[timeline.spans[span].label];
    return std::make_shared<const TimelinePart>(timeline, std::move(spans));
}

std::shared_ptr<const TimelinePart> partOf(const Timeline& timeline, const std::vector<PathPiece>& path) {
    std::vector<bool> spans(timeline.spans.size());
    for (const PathPiece& piece : path)
        if (piece.span >= 0)
            spans[static_cast<std::size_t>(piece.span)] = true;
    return std::make_shared<const TimelinePart>(timeline, std::move(spans));
}

} // namespace pim::views
