// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timeline_picture.h"

#include "core/base/number_text.h"
#include "core/report/drawing_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace pim::report {
namespace {

constexpr double kTrackName = 150, kTrackRow = 15, kTrackBar = 12, kGroupGap = 6;
constexpr double kFieldWidth = 560;
constexpr std::size_t kSlots = 280; ///< Of time, kFieldWidth / 2: what is narrower cannot be told apart.
constexpr int kHeights = 4;         ///< Bars have the height of the share that is busy, in so many steps.
constexpr std::size_t kMostBands = 40, kTrackLetters = 22;

/// A kind of work as it is drawn.
struct WorkLook {
    Ink ink;
    bool hatched = false;
    friend auto operator<=>(const WorkLook&, const WorkLook&) = default;
};

WorkLook lookOf(const SpanKind& kind) {
    if (kind.category >= 0) {
        constexpr std::array kInOrder{Ink::Input,  Ink::Compute, Ink::Output,
                                      Ink::Switch, Ink::Rewrite, Ink::Accent};
        const auto at = static_cast<std::size_t>(kind.category);
        return {kInOrder[at % kInOrder.size()], (at / kInOrder.size()) % 2 == 1};
    }
    switch (kind.role) {
    case SpanRole::Compute:
        return {Ink::Compute};
    case SpanRole::MemoryIn:
        return {Ink::Input};
    case SpanRole::MemoryOut:
        return {Ink::Output};
    case SpanRole::Switching:
        return {Ink::Switch, true};
    case SpanRole::Rewriting:
        return {Ink::Rewrite};
    case SpanRole::Transfer:
        return {Ink::Accent};
    case SpanRole::Vector:
        return {Ink::Host};
    case SpanRole::Idle:
    case SpanRole::Other:
        break;
    }
    return {Ink::Muted};
}

/// Tracks of a group that have a row, and how many have none.
struct TrackGroup {
    std::string name;
    std::vector<std::size_t> tracks;
    std::size_t leftOut = 0;
};

std::vector<TrackGroup> groupsOf(const Timeline& timeline) {
    std::vector<TrackGroup> groups;
    std::map<std::string, std::size_t> known;
    for (std::size_t track = 0; track < timeline.tracks.size(); ++track) {
        if (timeline.tracks[track].hidden)
            continue;
        const auto [place, isNew] = known.try_emplace(timeline.tracks[track].group, groups.size());
        if (isNew)
            groups.push_back({timeline.tracks[track].group, {}, 0});
        groups[place->second].tracks.push_back(track);
    }
    return groups;
}

/// As many rows as there is room for; a group keeps one at least. \returns rows of groups that have no place at all.
std::size_t fold(std::vector<TrackGroup>& groups, const Timeline& timeline, std::size_t most) {
    std::size_t rows = 0;
    for (const TrackGroup& group : groups)
        rows += group.tracks.size();
    std::size_t dropped = 0;
    for (; rows > most && groups.size() > most; groups.pop_back()) {
        dropped += groups.back().tracks.size();
        rows -= groups.back().tracks.size();
    }
    if (rows <= most)
        return dropped;
    const auto keep = [&](TrackGroup& group, std::size_t count) {
        if (count >= group.tracks.size())
            return;
        rows -= group.tracks.size() - count;
        group.leftOut += group.tracks.size() - count;
        group.tracks.resize(count);
    };
    for (TrackGroup& group : groups)
        if (timeline.tracks[group.tracks.front()].heads)
            keep(group, 1);
    // The largest groups give up rows until all fit.
    for (std::size_t least = most; rows > most && least >= 1; least /= 2)
        for (TrackGroup& group : groups)
            if (rows > most)
                keep(group, std::max(least / 2, std::size_t{1}));
    return dropped;
}

/// Busy time of one row by slot and kind.
class TrackTimes {
public:
    TrackTimes(const Timeline& timeline, std::size_t track)
        : m_slotNs(timeline.endNs / double(kSlots)), m_busy(timeline.kinds.size() * kSlots) {
        const TimelineTrack& row = timeline.tracks[track];
        if (row.shows.empty())
            add(timeline, track);
        for (const std::uint32_t shown : row.shows)
            add(timeline, shown);
        for (const std::uint32_t over : row.over)
            add(timeline, over);
        m_sources = std::max<std::size_t>(1, row.shows.size());
    }

    /// Kind that takes most of the slot, and how much of it is busy, in steps; nothing where nothing is done.
    struct Slot {
        int kind = -1, height = 0;
        friend bool operator==(const Slot&, const Slot&) = default;
    };
    Slot at(std::size_t slot) const {
        Slot found;
        double all = 0, most = 0;
        for (std::size_t kind = 0; kind * kSlots < m_busy.size(); ++kind) {
            const double ns = m_busy[kind * kSlots + slot];
            all += ns;
            if (ns > most) {
                most = ns;
                found.kind = static_cast<int>(kind);
            }
        }
        const double share = all / (m_slotNs * double(m_sources));
        if (found.kind >= 0)
            found.height = std::clamp(static_cast<int>(std::lround(share * kHeights)), 1, kHeights);
        return found;
    }
    double busyNs(int kind) const {
        double ns = 0;
        for (std::size_t slot = 0; slot < kSlots; ++slot)
            ns += m_busy[static_cast<std::size_t>(kind) * kSlots + slot];
        return ns;
    }

private:
    void add(const Timeline& timeline, std::size_t track) {
        for (std::size_t at = timeline.firstSpan[track]; at < timeline.firstSpan[track + 1]; ++at) {
            const TimelineSpan& span = timeline.spans[at];
            if (timeline.kinds[span.kind].role == SpanRole::Idle || !(span.durationNs > 0))
                continue;
            const double end = std::min(span.startNs + double(span.durationNs), timeline.endNs);
            double from = std::max(span.startNs, 0.0);
            for (auto slot = static_cast<std::size_t>(from / m_slotNs); slot < kSlots && from < end; ++slot) {
                const double to = std::min(end, double(slot + 1) * m_slotNs);
                m_busy[span.kind * kSlots + slot] += std::max(0.0, to - from);
                from = std::max(from, to);
            }
        }
    }

    double m_slotNs;
    std::vector<double> m_busy; ///< [kinds][slots]
    std::size_t m_sources = 1;
};

class TimelinePainter {
public:
    TimelinePainter(const Timeline& timeline, std::size_t most)
        : m_timeline(timeline), m_groups(groupsOf(timeline)) {
        m_leftOut = fold(m_groups, timeline, std::max<std::size_t>(most, 1));
    }

    Drawing draw() {
        const double top = 34, left = kTrackName;
        double bottom = top;
        std::size_t rows = 0;
        for (const TrackGroup& group : m_groups) {
            bottom += double(group.tracks.size() + (group.leftOut > 0 ? 1 : 0)) * kTrackRow + kGroupGap;
            rows += group.tracks.size();
            m_leftOut += group.leftOut;
        }
        addTimeAxis(m_drawing, left, kFieldWidth, top, bottom, m_timeline.endNs);
        addBands(top, bottom);
        double y = top;
        for (const TrackGroup& group : m_groups) {
            for (const std::size_t track : group.tracks) {
                addTrack(track, y);
                y += kTrackRow;
            }
            if (group.leftOut > 0) {
                const std::string text = fmt::format("{} more", exactText(std::int64_t(group.leftOut)));
                m_drawing.marks.push_back(
                    Label{left - 8, y + kTrackBar - 1, text, Ink::Muted, 10, Anchor::End});
                y += kTrackRow;
            }
            y += kGroupGap;
        }
        const double right = addKeys(left);
        m_drawing.width = std::max(left + kFieldWidth + 30, right);
        m_drawing.height = bottom + 22;
        m_drawing.title = fmt::format("What {} units did in {}", rows, timeText(m_timeline.endNs));
        m_drawing.description = "A row a unit; colours tell what it does most of the time, heights how much "
                                "of the time it is busy";
        if (m_leftOut > 0)
            m_drawing.description +=
                fmt::format("; {} more units are not drawn", exactText(std::int64_t(m_leftOut)));
        if (m_timeline.runNs > m_timeline.endNs)
            m_drawing.description +=
                fmt::format("; the run takes {}, its later part was not kept", timeText(m_timeline.runNs));
        return std::move(m_drawing);
    }

private:
    double xOf(double ns) const { return kTrackName + kFieldWidth * ns / m_timeline.endNs; }

    void addTrack(std::size_t track, double y) {
        const std::string& who = m_timeline.tracks[track].name;
        m_drawing.marks.push_back(Label{kTrackName - 8, y + kTrackBar - 1, shortened(who, kTrackLetters),
                                        Ink::Text, 10, Anchor::End});
        const TrackTimes times(m_timeline, track);
        constexpr double kSlotWidth = kFieldWidth / double(kSlots);
        for (std::size_t from = 0, to = 0; from < kSlots; from = to) {
            const TrackTimes::Slot slot = times.at(from);
            for (to = from + 1; to < kSlots && times.at(to) == slot; ++to) {
            }
            if (slot.kind < 0)
                continue;
            const auto kind = static_cast<std::size_t>(slot.kind);
            m_isSeen.insert(kind);
            const WorkLook look = lookOf(m_timeline.kinds[kind]);
            const double height = kTrackBar * slot.height / kHeights;
            const std::string tip =
                fmt::format("{}: {}, {} in all", shortened(who, 100), m_timeline.kinds[kind].name,
                            timeText(times.busyNs(slot.kind)));
            m_drawing.marks.push_back(Bar{kTrackName + double(from) * kSlotWidth, y + kTrackBar - height,
                                          double(to - from) * kSlotWidth, height, look.ink, look.hatched,
                                          tip});
        }
    }

    /// Where stretches of time begin, with their names as far as they fit.
    void addBands(double top, double bottom) {
        if (m_timeline.bands.size() > kMostBands)
            return;
        for (const TimelineBand& band : m_timeline.bands) {
            const double x = xOf(band.startNs), room = xOf(band.endNs) - x - 4;
            m_drawing.marks.push_back(Rule{x, top - 12, x, bottom, Ink::Muted, 1, true});
            const auto letters = static_cast<std::size_t>(std::max(0.0, room) / widthOf("n"));
            if (letters >= std::min<std::size_t>(band.name.size(), 6))
                m_drawing.marks.push_back(Label{
                    x + 3, top - 4, shortened(band.name, std::max<std::size_t>(letters, 1)), Ink::Muted, 10});
        }
    }

    /// Kinds of work that have one look stand together. \returns where the line ends.
    double addKeys(double x) {
        std::map<WorkLook, std::string> names;
        for (const std::size_t kind : m_isSeen) {
            std::string& text = names[lookOf(m_timeline.kinds[kind])];
            text += (text.empty() ? "" : ", ") + shortened(m_timeline.kinds[kind].name, 40);
        }
        for (const auto& [look, text] : names) {
            m_drawing.marks.push_back(Bar{x, 2, 12, 10, look.ink, look.hatched, {}});
            m_drawing.marks.push_back(Label{x + 17, 11, text, Ink::Muted, kTextSize});
            x += 17 + widthOf(text) + 18;
        }
        return x;
    }

    const Timeline& m_timeline;
    std::vector<TrackGroup> m_groups;
    std::size_t m_leftOut = 0;      ///< Tracks.
    std::set<std::size_t> m_isSeen; ///< Kinds.
    Drawing m_drawing;
};

} // namespace

Result<Drawing> timelinePicture(const Timeline& timeline, std::size_t most) {
    if (timeline.spans.empty() || !(timeline.endNs > 0))
        return fail(ErrorCode::Unsupported, "its simulator does not record what units do when", "timeline",
                    "the report tells what the simulation found");
    return TimelinePainter(timeline, most).draw();
}

} // namespace pim::report
