// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline.h"

#include <algorithm>

namespace pim {

void Timeline::finish() {
    const auto before = [](const TimelineSpan& a, const TimelineSpan& b) {
        return a.track != b.track ? a.track < b.track : a.startNs < b.startNs;
    };
    if (!std::is_sorted(spans.begin(), spans.end(), before))
        std::sort(spans.begin(), spans.end(), before);
    firstSpan.assign(tracks.size() + 1, spans.size());
    std::size_t next = 0;
    for (std::size_t track = 0; track < tracks.size(); ++track) {
        while (next < spans.size() && spans[next].track < track)
            ++next;
        firstSpan[track] = next;
    }
    endNs = 0;
    for (const TimelineSpan& span : spans)
        endNs = std::max(endNs, span.startNs + span.durationNs);
    for (const TimelineBand& band : bands)
        endNs = std::max(endNs, band.endNs);
}

std::vector<std::vector<double>> busyNs(const Timeline& timeline, double fromNs, double toNs) {
    std::vector<std::vector<double>> busy(timeline.tracks.size(),
                                          std::vector<double>(timeline.kinds.size(), 0));
    for (std::size_t track = 0; track < timeline.tracks.size(); ++track) {
        const auto begin = timeline.spans.begin() + static_cast<std::ptrdiff_t>(timeline.firstSpan[track]);
        const auto end = timeline.spans.begin() + static_cast<std::ptrdiff_t>(timeline.firstSpan[track + 1]);
        // Spans of a track do not overlap, so their ends are sorted like their starts.
        auto span = std::partition_point(
            begin, end, [&](const TimelineSpan& s) { return s.startNs + s.durationNs <= fromNs; });
        for (; span != end && span->startNs < toNs; ++span)
            busy[track][span->kind] +=
                std::min(toNs, span->startNs + span->durationNs) - std::max(fromNs, span->startNs);
    }
    return busy;
}

} // namespace pim
