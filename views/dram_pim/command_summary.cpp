// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/dram_nodes.h"
#include "views/dram_pim/command_picture.h"

#include <algorithm>

namespace pim::views {
namespace {

/// Lengths of what takes time, as they come.
class Lengths {
public:
    void add(DramTick ticks) { m_ticks.push_back(ticks); }
    bool empty() const { return m_ticks.empty(); }
    CommandSummary::Stretches take() {
        CommandSummary::Stretches made;
        made.count = std::int64_t(m_ticks.size());
        for (const DramTick ticks : m_ticks)
            made.ticks += ticks;
        made.median = percentile(0.5);
        made.p95 = percentile(0.95);
        return made;
    }

private:
    DramTick percentile(double share) {
        if (m_ticks.empty())
            return 0;
        const auto at = std::ptrdiff_t(share * double(m_ticks.size() - 1) + 0.5);
        std::nth_element(m_ticks.begin(), m_ticks.begin() + at, m_ticks.end());
        return m_ticks[std::size_t(at)];
    }
    std::vector<DramTick> m_ticks;
};

/// Modes are spans of a track of the picture: what lies in [from, to), and the commands issued in them.
std::vector<CommandSummary::Mode> modesIn(const CommandPicture& picture, DramTick from, DramTick to) {
    const Timeline& line = picture.timeline();
    const auto& commands = picture.trace().commands;
    std::vector<Lengths> lengths(kChannelModes);
    std::vector<std::int64_t> issued(kChannelModes);
    const auto firstAt = [&](DramTick tick) {
        return std::partition_point(commands.begin(), commands.end(),
                                    [&](const SequencedCommand& c) { return c.tick < tick; });
    };
    for (std::size_t i = line.firstSpan[CommandPicture::kModeTrack];
         i < line.firstSpan[CommandPicture::kModeTrack + 1]; ++i) {
        const TimelineSpan& span = line.spans[i];
        const DramTick begin = std::max(from, picture.tickOf(span.startNs));
        const DramTick end = std::min(to, picture.tickOf(span.startNs + double(span.durationNs)));
        if (begin >= end)
            continue;
        const auto mode = std::size_t(int(span.kind) - picture.kindOfMode(ChannelMode::Host));
        lengths[mode].add(end - begin);
        issued[mode] += firstAt(end) - firstAt(begin);
    }
    std::vector<CommandSummary::Mode> made;
    for (std::size_t mode = 0; mode < kChannelModes; ++mode)
        if (!lengths[mode].empty())
            made.push_back({ChannelMode(mode), lengths[mode].take(), issued[mode]});
    return made;
}

} // namespace

CommandSummary summarizeCommands(const CommandPicture& picture, DramTick from, DramTick to) {
    const CommandTrace& trace = picture.trace();
    const DramDevice& device = trace.device;
    CommandSummary made{from, to, {}, {}, modesIn(picture, from, to), 0, 0, 0, 0};
    std::vector<CommandSummary::Count> counts(device.commands.size());
    std::vector<Lengths> waits(trace.timing.reasons.size());
    const DramNodes nodes(device);
    const int busLevel = std::max(0, device.level("PseudoChannel")); // each has a data bus
    DramTick row = 0, column = 0;
    double data = 0;
    auto at = std::partition_point(trace.commands.begin(), trace.commands.end(),
                                   [&](const SequencedCommand& c) { return c.tick < from; });
    for (; at != trace.commands.end(); ++at) {
        // A wait may reach into the stretch from a command behind its end.
        const DramTick waited = std::min(at->tick, to) - std::max(at->tick - at->waited, from);
        if (at->reason >= 0 && waited > 0)
            waits[std::size_t(at->reason)].add(waited);
        if (at->tick >= to)
            break;
        const DramCommand& command = device.commands[std::size_t(at->command)];
        CommandSummary::Count& count = counts[std::size_t(at->command)];
        ++count.count;
        const DramTick taken = std::min<DramTick>(to - at->tick, std::max(1, command.ticks));
        count.ticks += taken;
        ++made.issued;
        (isRowCommand(command) ? row : column) += command.bus == DramBus::None ? 0 : taken;
        if (trace.movesData[std::size_t(at->command)])
            data += double(burstTicks(device) * nodes.touched(at->command, at->bank, busLevel).count) /
                    nodes.count(busLevel);
    }
    const double all = double(std::max<DramTick>(1, to - from));
    made.rowBus = double(row) / all;
    made.columnBus = double(column) / all;
    made.dataBus = std::min(1.0, data / all);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].count > 0) {
            counts[i].command = int(i);
            made.commands.push_back(counts[i]);
        }
    for (std::size_t i = 0; i < waits.size(); ++i)
        if (!waits[i].empty())
            made.waits.push_back({int(i), waits[i].take()});
    std::stable_sort(made.commands.begin(), made.commands.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    std::stable_sort(made.waits.begin(), made.waits.end(),
                     [](const auto& a, const auto& b) { return a.stretches.ticks > b.stretches.ticks; });
    return made;
}

} // namespace pim::views
