// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace pim {
namespace {

constexpr double kPsPerNs = 1000;
constexpr const char* kWaiting = "waiting";
/// Ends and starts are kept as start and a length in single precision: what is as near as this is the same moment.
constexpr std::int64_t kSamePs = 2;

/// A span in whole picoseconds.
struct Work {
    std::int64_t start = 0, end = 0;
    std::uint32_t track = 0, label = 0;
    std::ptrdiff_t span = -1;
};

std::vector<Work> workOf(const Timeline& timeline) {
    std::vector<Work> all;
    all.reserve(timeline.spans.size());
    for (std::size_t s = 0; s < timeline.spans.size(); ++s) {
        const TimelineSpan& span = timeline.spans[s];
        if (timeline.kinds[span.kind].role == SpanRole::Idle || span.durationNs <= 0)
            continue;
        const auto start = std::llround(span.startNs * kPsPerNs);
        const auto end = std::llround((span.startNs + double(span.durationNs)) * kPsPerNs);
        if (end > start)
            all.push_back({start, end, span.track, span.label, static_cast<std::ptrdiff_t>(s)});
    }
    return all;
}

/// Goes back along the chain.
class Chain {
public:
    explicit Chain(const Timeline& timeline) : m_work(workOf(timeline)), m_byEnd(m_work.size()) {
        std::iota(m_byEnd.begin(), m_byEnd.end(), std::size_t{0});
        std::ranges::stable_sort(m_byEnd, {}, [this](std::size_t w) { return m_work[w].end; });
        m_first.assign(timeline.tracks.size() + 1, m_work.size());
        for (std::size_t w = m_work.size(); w-- > 0;) // spans are sorted by track
            m_first[m_work[w].track] = w;
        for (std::size_t track = timeline.tracks.size(); track-- > 0;)
            m_first[track] = std::min(m_first[track], m_first[track + 1]);
    }

    std::int64_t end() const { return m_byEnd.empty() ? 0 : m_work[m_byEnd.back()].end; }

    std::vector<PathPiece> path() const {
        std::vector<PathPiece> pieces;
        if (m_byEnd.empty())
            return pieces;
        const Work* now = &m_work[m_byEnd.back()];
        std::int64_t until = now->end;
        while (true) {
            PathPiece piece{std::max<std::int64_t>(0, now->start), until, now->span, LinkCause::Start};
            until = piece.startPs;
            if (until <= kSamePs) {
                piece.startPs = 0;
                pieces.push_back(piece);
                break;
            }
            const Work* before = endedAt(until, *now);
            if (before) {
                piece.cause = before->track == now->track ? LinkCause::Resource : LinkCause::Data;
            } else if ((before = underWayAt(until, *now))) {
                piece.cause = LinkCause::Stream;
            } else {
                piece.cause = LinkCause::Wait;
                pieces.push_back(piece);
                before = lastBefore(until);
                const std::int64_t from = before ? before->end : 0;
                piece = {from, until, -1, LinkCause::Wait};
                until = from;
            }
            pieces.push_back(piece);
            if (!before)
                break;
            now = before;
        }
        std::ranges::reverse(pieces);
        return pieces;
    }

private:
    /// Of those that ended at \p ps: the best as the header says. They begin before \p ps, so going back ends.
    const Work* endedAt(std::int64_t ps, const Work& after) const {
        const Work* best = nullptr;
        const auto rank = [&](const Work& work) {
            return std::tuple(work.track == after.track, work.label == after.label, work.end - work.start);
        };
        auto at = std::ranges::lower_bound(m_byEnd, ps - kSamePs, {},
                                           [this](std::size_t w) { return m_work[w].end; });
        for (; at != m_byEnd.end() && m_work[*at].end <= ps + kSamePs; ++at) {
            const Work& work = m_work[*at];
            if (work.start < ps - kSamePs && work.span != after.span && (!best || rank(*best) < rank(work)))
                best = &work;
        }
        return best;
    }

    /// One that began before \p ps and ended behind it: of the same op, else the one that began last.
    const Work* underWayAt(std::int64_t ps, const Work& after) const {
        const Work* best = nullptr;
        const auto rank = [&](const Work& work) { return std::pair(work.label == after.label, work.start); };
        for (std::size_t track = 0; track + 1 < m_first.size(); ++track) {
            const auto begin = m_work.begin() + static_cast<std::ptrdiff_t>(m_first[track]);
            const auto end = m_work.begin() + static_cast<std::ptrdiff_t>(m_first[track + 1]);
            auto at = std::partition_point(begin, end,
                                           [ps](const Work& work) { return work.start < ps - kSamePs; });
            if (at == begin)
                continue;
            const Work& work = *--at;
            if (work.end > ps && work.span != after.span && (!best || rank(*best) < rank(work)))
                best = &work;
        }
        return best;
    }

    const Work* lastBefore(std::int64_t ps) const {
        const auto at =
            std::ranges::lower_bound(m_byEnd, ps, {}, [this](std::size_t w) { return m_work[w].end; });
        return at == m_byEnd.begin() ? nullptr : &m_work[*std::prev(at)];
    }

    std::vector<Work> m_work; ///< By track, then start.
    std::vector<std::size_t> m_byEnd, m_first;
};

std::vector<PathShare> mostFirst(const std::map<std::string, std::int64_t>& shares) {
    std::vector<PathShare> all;
    for (const auto& [name, ps] : shares)
        all.push_back({name, ps});
    std::ranges::stable_sort(all, std::greater(), &PathShare::ps);
    return all;
}

/// Anywhere in the run.
bool hasWork(const Timeline& timeline, std::size_t track) {
    for (std::size_t s = timeline.firstSpan[track]; s < timeline.firstSpan[track + 1]; ++s)
        if (timeline.kinds[timeline.spans[s].kind].role != SpanRole::Idle)
            return true;
    return false;
}

/// Tracks that others show have no row, but are resources.
std::vector<ResourceUse> resourcesOf(const Timeline& timeline, double fromNs, double toNs,
                                     std::int64_t totalPs) {
    const auto busy = busyNs(timeline, fromNs, toNs);
    std::vector<ResourceUse> all;
    for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
        const TimelineTrack& track = timeline.tracks[t];
        double ns = 0;
        for (std::size_t kind = 0; kind < timeline.kinds.size(); ++kind)
            ns += timeline.kinds[kind].role == SpanRole::Idle ? 0 : busy[t][kind];
        if (ns == 0 && !hasWork(timeline, t) && (track.heads || track.hidden || !track.shows.empty()))
            continue; // stands for others
        auto found = std::ranges::find(all, track.group, &ResourceUse::name);
        if (found == all.end())
            found = all.insert(all.end(), {track.group, 0, 0, {}, 0, 0});
        const double share = totalPs > 0 ? ns * kPsPerNs / double(totalPs) : 0;
        ++found->tracks;
        found->share += share;
        if (share > found->busiestShare || found->busiest.empty()) {
            found->busiestShare = share;
            found->busiest = track.name;
        }
    }
    for (ResourceUse& use : all)
        use.share /= use.tracks;
    return all;
}

std::string percent(double share) {
    return std::to_string(std::llround(share * 100)) + " %";
}

std::string sentenceOf(const Limits& limits, bool isPart) {
    if (limits.resources.empty() || limits.totalPs == 0)
        return "nothing was under way";
    const ResourceUse& first = limits.resources.front();
    const auto shareOf = [&](std::int64_t ps) { return percent(double(ps) / double(limits.totalPs)); };
    const std::string chain = shareOf(first.pathPs) + " of the longest chain of work";
    std::string text;
    const std::string ofRun = isPart ? " of this stretch of the run" : " of the run";
    const auto pauses = std::ranges::find(limits.byLabel, kWaiting, &PathShare::name);
    if (pauses != limits.byLabel.end() && pauses->ps > first.pathPs)
        text = "nothing is under way for " + shareOf(pauses->ps) + ofRun + "; of the rest, ";
    if (first.tracks == 1)
        text += "the time is set by " + first.busiest + ": busy " + percent(first.busiestShare) + ofRun +
                ", and on " + chain;
    else
        text += "the time is set by " + first.name + ": on " + chain + "; the busiest of " +
                std::to_string(first.tracks) + ", " + first.busiest + ", is busy " +
                percent(first.busiestShare) + ofRun;
    for (const PathShare& label : limits.byLabel)
        if (!label.name.empty() && label.name != kWaiting) {
            text += "; the largest part of the chain is " + label.name + ", " + shareOf(label.ps);
            break;
        }
    return text;
}

/// Sums over the path and the resources; \p limits has its path and its stretch.
void sumUp(Limits& limits, const Timeline& timeline, double fromNs, double toNs, bool isPart) {
    limits.resources = resourcesOf(timeline, fromNs, toNs, limits.totalPs);
    std::map<std::string, std::int64_t> labels, tracks, causes;
    for (const PathPiece& piece : limits.path) {
        const std::int64_t ps = piece.endPs - piece.startPs;
        causes[std::string(name(piece.cause))] += ps;
        if (piece.span < 0) {
            labels[kWaiting] += ps;
            tracks[kWaiting] += ps;
            continue;
        }
        const TimelineSpan& span = timeline.spans[static_cast<std::size_t>(piece.span)];
        labels[timeline.labels[span.label]] += ps;
        tracks[timeline.tracks[span.track].name] += ps;
        const auto use =
            std::ranges::find(limits.resources, timeline.tracks[span.track].group, &ResourceUse::name);
        if (use != limits.resources.end())
            use->pathPs += ps;
    }
    limits.byLabel = mostFirst(labels);
    limits.byTrack = mostFirst(tracks);
    limits.byCause = mostFirst(causes);
    std::ranges::stable_sort(limits.resources, [](const ResourceUse& a, const ResourceUse& b) {
        return std::pair(a.pathPs, a.busiestShare) > std::pair(b.pathPs, b.busiestShare);
    });
    limits.sentence = sentenceOf(limits, isPart);
}

} // namespace

std::string_view name(LinkCause cause) {
    static constexpr std::array<std::string_view, 5> kNames{"start", "resource", "data", "stream", "wait"};
    return kNames[static_cast<std::size_t>(cause)];
}

Limits limitsOf(const Timeline& timeline) {
    Limits limits;
    const Chain chain(timeline);
    limits.totalPs = chain.end();
    limits.path = chain.path();
    sumUp(limits, timeline, 0, timeline.endNs, false);
    return limits;
}

Limits limitsWithin(const Timeline& timeline, const Limits& whole, double fromNs, double toNs) {
    const double endNs = double(whole.totalPs) / kPsPerNs;
    const auto inside = [endNs](double ns) -> std::int64_t {
        return std::llround(std::clamp(ns, 0.0, endNs) * kPsPerNs);
    };
    const std::int64_t from = inside(fromNs), to = std::max(from, inside(toNs));
    Limits limits;
    limits.fromPs = from;
    limits.totalPs = to - from;
    auto piece = std::ranges::upper_bound(whole.path, from, {}, &PathPiece::endPs);
    for (; piece != whole.path.end() && piece->startPs < to; ++piece) {
        PathPiece part = *piece;
        part.startPs = std::max(part.startPs, from);
        part.endPs = std::min(part.endPs, to);
        limits.path.push_back(part);
    }
    sumUp(limits, timeline, double(from) / kPsPerNs, double(to) / kPsPerNs, true);
    return limits;
}

std::map<int, std::int64_t> pathByOp(const Timeline& timeline, const Limits& limits) {
    std::map<int, std::int64_t> ops;
    for (const PathPiece& piece : limits.path) {
        const std::size_t label =
            piece.span < 0 ? 0 : timeline.spans[static_cast<std::size_t>(piece.span)].label;
        ops[piece.span >= 0 && label < timeline.labelOps.size() ? timeline.labelOps[label] : -1] +=
            piece.endPs - piece.startPs;
    }
    return ops;
}

} // namespace pim
