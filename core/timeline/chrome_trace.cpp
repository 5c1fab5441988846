// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/chrome_trace.h"

#include "core/base/file_io.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace pim {
namespace {

constexpr int kBandProcess = 1; ///< Those of groups follow.

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double picoseconds(double ns) {
    return std::round(ns * 1e3);
}

/// Microseconds, with the digits a picosecond has.
std::string microseconds(double ps) {
    std::string text = fmt::format("{:.6f}", ps / 1e6);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

/// Picoseconds from begin to end, each rounded; what is less than a duration is exact to, is no overlap with the next span: viewers
/// draw a span that begins within another as a part of it.
struct Stretch {
    double begin = 0, end = 0;

    Stretch(double startNs, double durationNs, std::optional<double> nextNs)
        : begin(picoseconds(startNs)), end(picoseconds(startNs + durationNs)) {
        const double next = nextNs ? picoseconds(*nextNs) : end;
        if (end > next && end - next <= 1 + durationNs * 1e3 * std::numeric_limits<float>::epsilon())
            end = std::max(begin, next);
    }
    /// "ts":…,"dur":…
    std::string text() const {
        return fmt::format(R"("ts":{},"dur":{})", microseconds(begin), microseconds(end - begin));
    }
};

class TraceWriter {
public:
    TraceWriter(const Timeline& timeline, OutputFile& file) : m_timeline(timeline), m_file(file) {}

    Result<void> write(const std::string& title) {
        m_text = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"title\":{}}},\"traceEvents\":[",
                             quoted(title));
        nameProcesses();
        nameTracks();
        bands();
        spans();
        m_text += "\n]}\n";
        flush();
        return m_written;
    }

private:
    void event(const std::string& text) {
        m_text += m_isFirst ? "\n" : ",\n";
        m_isFirst = false;
        m_text += text;
        if (m_text.size() > std::size_t(1) << 20)
            flush();
    }
    void flush() {
        if (m_written)
            m_written = m_file.write(m_text);
        m_text.clear();
    }
    void meta(const char* what, int process, int thread, const std::string& args) {
        event(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, process,
                          thread, args));
    }
    bool hasSpans(std::size_t track) const {
        return m_timeline.firstSpan[track] < m_timeline.firstSpan[track + 1];
    }

    void nameProcess(int process, const std::string& name) {
        meta("process_name", process, 0, R"("name":)" + quoted(name));
        meta("process_sort_index", process, 0, fmt::format(R"("sort_index":{})", process));
    }
    void nameProcesses() {
        if (!m_timeline.bands.empty()) {
            nameProcess(kBandProcess, m_timeline.bandWord + "s");
            meta("thread_name", kBandProcess, 1, R"("name":)" + quoted(m_timeline.bandWord + "s"));
        }
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t) {
            if (!hasSpans(t))
                continue;
            const auto [at, isNew] = m_processes.try_emplace(m_timeline.tracks[t].group,
                                                             kBandProcess + 1 + int(m_processes.size()));
            if (isNew)
                nameProcess(at->second, at->first.empty() ? "machine" : at->first);
        }
    }
    void nameTracks() {
        std::vector<std::size_t> shownBy(m_timeline.tracks.size(), 0);
        for (const TimelineTrack& track : m_timeline.tracks)
            for (const std::uint32_t shown : track.shows)
                ++shownBy[shown];
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t) {
            if (!hasSpans(t))
                continue;
            const std::string& name = m_timeline.tracks[t].name;
            const std::string told =
                shownBy[t] > 1 ? fmt::format("{} (on {} alike)", name, shownBy[t]) : name;
            meta("thread_name", processOf(t), threadOf(t), R"("name":)" + quoted(told));
            meta("thread_sort_index", processOf(t), threadOf(t),
                 fmt::format(R"("sort_index":{})", threadOf(t)));
        }
    }
    void bands() {
        for (const TimelineBand& band : m_timeline.bands)
            event(fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":1,{}}})", quoted(band.name),
                              quoted(m_timeline.bandWord), kBandProcess,
                              Stretch(band.startNs, band.endNs - band.startNs, {}).text()));
    }
    void spans() {
        std::vector<std::string> labels, kinds;
        for (const std::string& label : m_timeline.labels)
            labels.push_back(quoted(label));
        for (const SpanKind& kind : m_timeline.kinds)
            kinds.push_back(quoted(kind.name));
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t)
            for (std::size_t s = m_timeline.firstSpan[t]; s < m_timeline.firstSpan[t + 1]; ++s) {
                const TimelineSpan& span = m_timeline.spans[s];
                const bool isNamed = !m_timeline.labels[span.label].empty();
                const bool isLast = s + 1 == m_timeline.firstSpan[t + 1];
                const Stretch stretch(span.startNs, double(span.durationNs),
                                      isLast ? std::nullopt : std::optional(m_timeline.spans[s + 1].startNs));
                event(fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},{}}})",
                                  isNamed ? labels[span.label] : kinds[span.kind], kinds[span.kind],
                                  processOf(t), threadOf(t), stretch.text()));
            }
    }

    int processOf(std::size_t track) const { return m_processes.at(m_timeline.tracks[track].group); }
    static int threadOf(std::size_t track) { return int(track) + 1; }

    const Timeline& m_timeline;
    OutputFile& m_file;
    std::string m_text;
    bool m_isFirst = true;
    Result<void> m_written;
    std::map<std::string, int> m_processes; ///< By group.
};

} // namespace

Result<void> writeChromeTrace(const Timeline& timeline, const std::string& title,
                              const std::filesystem::path& file) {
    PIM_ASSERT(timeline.firstSpan.size() == timeline.tracks.size() + 1, "a finished timeline");
    PIM_TRY(OutputFile out, OutputFile::create(file));
    PIM_CHECK(TraceWriter(timeline, out).write(title));
    return out.finish();
}

} // namespace pim
