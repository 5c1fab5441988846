// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/tasklet_timeline.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace pim::views {
namespace {

struct TaskletTimeline {
    Q_DECLARE_TR_FUNCTIONS(pim::views::TaskletTimeline)
};

TaskletKind kindOf(upmem::TaskletSpan::Kind kind) {
    switch (kind) {
    case upmem::TaskletSpan::Kind::Running:
        return TaskletKind::Running;
    case upmem::TaskletSpan::Kind::Dma:
        return TaskletKind::Dma;
    case upmem::TaskletSpan::Kind::Asleep:
        break;
    }
    return TaskletKind::Asleep;
}

} // namespace

Timeline taskletTimeline(const upmem::OpOnDpu& run) {
    Timeline made;
    for (int t = 0; t < run.tasklets; ++t)
        made.tracks.push_back({TaskletTimeline::tr("tasklet").toStdString() + " " + std::to_string(t),
                               TaskletTimeline::tr("tasklets").toStdString(),
                               false,
                               false,
                               {},
                               {}});
    made.kinds = {{TaskletTimeline::tr("running").toStdString(), SpanRole::Compute},
                  {TaskletTimeline::tr("DMA").toStdString(), SpanRole::MemoryIn},
                  {TaskletTimeline::tr("asleep").toStdString(), SpanRole::Other}};
    made.labels = {""};
    std::map<std::int64_t, std::uint32_t> labels; // of DMAs, by their size
    made.spans.reserve(run.run.spans.size());
    for (const upmem::TaskletSpan& span : run.run.spans) {
        std::uint32_t label = 0;
        if (span.bytes > 0) {
            const auto [entry, isNew] = labels.try_emplace(span.bytes, std::uint32_t(made.labels.size()));
            if (isNew)
                made.labels.push_back(std::to_string(span.bytes) + " B");
            label = entry->second;
        }
        made.spans.push_back({double(span.begin) * run.cycleNs,
                              float(double(span.end - span.begin) * run.cycleNs), std::uint32_t(span.tasklet),
                              std::uint16_t(kindOf(span.kind)), 0xffff, label});
    }
    // A tasklet that has ended sleeps, as in its TaskletTime.
    std::vector<std::int64_t> ends(std::size_t(run.tasklets));
    for (const upmem::TaskletSpan& span : run.run.spans)
        ends[std::size_t(span.tasklet)] = std::max(ends[std::size_t(span.tasklet)], span.end);
    for (std::size_t t = 0; t < ends.size(); ++t)
        if (ends[t] < run.run.cycles)
            made.spans.push_back({double(ends[t]) * run.cycleNs,
                                  float(double(run.run.cycles - ends[t]) * run.cycleNs), std::uint32_t(t),
                                  std::uint16_t(TaskletKind::Asleep), 0xffff, 0});
    made.labelOps.assign(made.labels.size(), -1);
    made.finish();
    const double wholeNs = run.cycles * run.cycleNs;
    if (!run.isWhole && wholeNs > made.endNs)
        made.runNs = wholeNs;
    return made;
}

} // namespace pim::views
