// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/timeline_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pim {

TimelineLog::TimelineLog(int arrays, double cycleNs, std::size_t most)
    : m_arrays(arrays), m_cycleNs(cycleNs), m_most(most) {
    for (int array = 0; array < arrays; ++array)
        m_timeline.tracks.push_back({fmt::format("array {}", array), "arrays"});
    m_timeline.tracks.push_back({"main memory bus", "buses"});
    m_timeline.tracks.push_back({"vector unit", "digital units"});
    m_timeline.kinds = {{"compute", SpanRole::Compute},
                        {"memory in", SpanRole::MemoryIn},
                        {"memory out", SpanRole::MemoryOut},
                        {"switch to memory", SpanRole::Switching},
                        {"switch to compute", SpanRole::Switching},
                        {"rewrite weights", SpanRole::Rewriting},
                        {"idle", SpanRole::Idle},
                        {"transfer", SpanRole::Transfer},
                        {"vector", SpanRole::Vector}};
    addLabel("", -1);
}

std::uint32_t TimelineLog::addLabel(std::string text, int op) {
    m_timeline.labels.push_back(std::move(text));
    m_timeline.labelOps.push_back(op);
    return static_cast<std::uint32_t>(m_timeline.labels.size() - 1);
}

void TimelineLog::beginBlock(std::string name, double cycle) {
    m_timeline.bands.push_back({std::move(name), cycle * m_cycleNs, cycle * m_cycleNs});
}

void TimelineLog::endBlock(double cycle) {
    m_timeline.bands.back().endNs = cycle * m_cycleNs;
    if (m_timeline.spans.size() >= m_most)
        thin(); // not before: spans of one block come in no order
}

void TimelineLog::add(int track, const FlowSpan& span) {
    if (span.end <= span.start)
        return;
    TimelineSpan made;
    made.startNs = span.start * m_cycleNs;
    const double endNs = span.end * m_cycleNs;
    made.durationNs = static_cast<float>(endNs - made.startNs);
    if (made.startNs + made.durationNs > endNs) // spans must not overlap, not by a rounding either
        made.durationNs = std::nextafter(made.durationNs, 0.0F);
    made.track = static_cast<std::uint32_t>(track);
    made.kind = span.kind;
    made.label = span.label;
    const std::size_t band = m_timeline.bands.size();
    made.band = band >= 1 && band <= 0xffff ? static_cast<std::uint16_t>(band - 1) : std::uint16_t(0xffff);
    m_timeline.spans.push_back(made);
}

void TimelineLog::thin() {
    std::vector<TimelineSpan>& spans = m_timeline.spans;
    std::ranges::sort(spans, {},
                      [](const TimelineSpan& span) { return std::pair(span.track, span.startNs); });
    const double endNs = std::ranges::max(spans, {}, &TimelineSpan::startNs).startNs;
    m_stretchNs = std::max(m_stretchNs, 2 * endNs * static_cast<double>(m_timeline.tracks.size()) /
                                            static_cast<double>(m_most));
    for (join(); spans.size() > m_most / 2 && m_stretchNs < endNs; join())
        m_stretchNs *= 2;
}

/// Short spans of a track that begin in the same stretch of time become one of each kind, as long as all of that kind together, one behind
/// the other from where the first began; each has the label of the longest in it.
void TimelineLog::join() {
    std::vector<TimelineSpan>& spans = m_timeline.spans;
    const auto stretchOf = [&](const TimelineSpan& span) { return std::floor(span.startNs / m_stretchNs); };
    struct Joined {
        double ns = 0;
        float longest = 0;
        std::uint32_t label = 0;
    };
    std::vector<Joined> kinds(m_timeline.kinds.size());
    std::size_t kept = 0;
    for (std::size_t first = 0; first < spans.size();) {
        const TimelineSpan begin = spans[first];
        std::size_t end = first;
        for (; end < spans.size() && spans[end].track == begin.track && spans[end].durationNs < m_stretchNs &&
               stretchOf(spans[end]) == stretchOf(begin);
             ++end) {
            Joined& joined = kinds[spans[end].kind];
            joined.ns += spans[end].durationNs;
            if (spans[end].durationNs > joined.longest) {
                joined.longest = spans[end].durationNs;
                joined.label = spans[end].label;
            }
        }
        if (end <= first + 1) { // alone, or long
            spans[kept++] = begin;
            kinds[begin.kind] = {};
            ++first;
            continue;
        }
        double at = begin.startNs;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            if (Joined& joined = kinds[kind]; joined.ns > 0) {
                TimelineSpan& made = spans[kept++];
                made = begin;
                made.startNs = at;
                made.durationNs = static_cast<float>(joined.ns);
                if (at + made.durationNs > at + joined.ns) // as above
                    made.durationNs = std::nextafter(made.durationNs, 0.0F);
                made.kind = static_cast<std::uint16_t>(kind);
                made.label = joined.label;
                at += joined.ns;
                joined = {};
            }
        first = end;
    }
    spans.resize(kept);
}

void TimelineLog::add(const std::vector<int>& tracks, const std::vector<FlowSpan>& spans, std::size_t most) {
    std::vector<FlowSpan> merged;
    for (const FlowSpan& span : spans) {
        if (!merged.empty() && merged.back().kind == span.kind && merged.back().label == span.label &&
            span.start <= merged.back().end + 1e-9)
            merged.back().end = std::max(merged.back().end, span.end);
        else if (span.end > span.start)
            merged.push_back(span);
    }
    if (merged.size() > most) {
        const double begin = merged.front().start, end = merged.back().end;
        const std::size_t stretches = std::max<std::size_t>(1, most / 2);
        const double width = (end - begin) / static_cast<double>(stretches);
        std::vector<FlowSpan> drawn;
        std::size_t next = 0;
        for (std::size_t i = 0; i < stretches; ++i) {
            const double from = begin + width * static_cast<double>(i);
            const double to = i + 1 == stretches ? end : begin + width * static_cast<double>(i + 1);
            std::map<std::pair<std::uint16_t, std::uint32_t>, double> share;
            for (std::size_t s = next; s < merged.size() && merged[s].start < to; ++s) {
                share[{merged[s].kind, merged[s].label}] +=
                    std::max(0.0, std::min(to, merged[s].end) - std::max(from, merged[s].start));
                if (merged[s].end <= to)
                    next = s + 1;
            }
            double at = from;
            for (const auto& [what, busy] : share) {
                drawn.push_back({at, std::min(to, at + busy), what.first, what.second});
                at = std::min(to, at + busy);
            }
        }
        merged = std::move(drawn);
    }
    for (const int track : tracks)
        for (const FlowSpan& span : merged)
            add(track, span);
}

Timeline TimelineLog::finish(double cycles) {
    m_timeline.bandWord = "segment";
    m_timeline.finish();
    m_timeline.endNs = std::max(m_timeline.endNs, cycles * m_cycleNs);
    return std::move(m_timeline);
}

} // namespace pim
