// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/command_picture.h"

#include "core/dram_pim/dram_nodes.h"
#include "views/common/timeline_levels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

namespace pim::views {
namespace {

constexpr std::size_t kCommandsPerPoll = 1 << 16; ///< Commands between two looks at the stop token.
constexpr int kColoured = 10; ///< Causes of waiting with a colour of their own, the longest.

/// Hidden tracks of every set of banks, and which of them is of its data.
constexpr std::uint32_t kTracksOfSet = 4, kDataTrack = 2;

/// Rows above the banks.
enum Lane : std::size_t { Modes, Waits, Refreshes, RowBus, ColumnBus, DataBus, kLanes };

constexpr std::array<const char*, kChannelModes> kModeNames{"host access", "PIM, one bank", "PIM, all banks",
                                                            "mode switch"};
constexpr std::array kModeRoles{SpanRole::Transfer, SpanRole::Vector, SpanRole::Compute, SpanRole::Switching};

/// \param movesData whether data crosses the bus with it.
SpanRole roleOf(const DramCommand& command, bool movesData) {
    if (command.refreshes)
        return SpanRole::Rewriting;
    switch (command.access) {
    case DramAccess::Read:
        return SpanRole::MemoryOut;
    case DramAccess::Write:
        return SpanRole::MemoryIn;
    case DramAccess::Other:
        return SpanRole::Compute;
    case DramAccess::None:
        break;
    }
    if (command.row != DramRowEffect::None)
        return SpanRole::Rewriting;
    return movesData ? SpanRole::Transfer : SpanRole::Vector; // buffers and registers of the units
}

/// Ticks until a refreshed bank can be opened.
DramTick refreshTicks(const DramDevice& device, int command) {
    DramTick longest = 1;
    for (const DramConstraint& row : device.constraints) {
        const auto has = [](const std::vector<int>& list, int wanted) {
            return std::find(list.begin(), list.end(), wanted) != list.end();
        };
        const bool opens = std::any_of(row.after.begin(), row.after.end(), [&](int after) {
            return device.commands[std::size_t(after)].row == DramRowEffect::Opens;
        });
        if (opens && !row.siblings && has(row.before, command))
            longest = std::max(longest, row.ticks);
    }
    return longest;
}

std::string textOf(const DramNodeSet& banks, int all) {
    const int last = banks.first + (banks.count - 1) * banks.stride;
    if (banks.count == all)
        return "all banks";
    if (banks.count == 1)
        return "bank " + std::to_string(banks.first);
    if (banks.stride == 1)
        return "banks " + std::to_string(banks.first) + "-" + std::to_string(last);
    return "banks " + std::to_string(banks.first) + ", " + std::to_string(banks.first + banks.stride) +
           (banks.count > 2 ? " … " + std::to_string(last) : std::string());
}

std::string initials(const std::string& name) {
    std::string made;
    for (const char c : name)
        if (std::isupper(static_cast<unsigned char>(c)))
            made += c;
    return made.empty() ? name : made;
}

} // namespace

bool isRowCommand(const DramCommand& command) {
    if (command.bus != DramBus::Any)
        return command.bus == DramBus::Row;
    return command.refreshes || (command.row != DramRowEffect::None && command.access == DramAccess::None);
}

DramTick burstTicks(const DramDevice& device) {
    return std::max<DramTick>(1, device.time("nBL"));
}

/// Collects spans track by track; tracks of one set of banks are made when the first command for it comes.
class CommandPicture::Painter {
public:
    explicit Painter(CommandPicture& picture)
        : m_picture(picture), m_trace(*picture.m_trace), m_device(m_trace.device), m_nodes(m_device),
          m_banks(m_nodes.banks()), m_setOf(m_device.commands.size() * std::size_t(m_banks), -1),
          m_lanes(kLanes), m_openBanks(std::size_t(m_banks)), m_refreshTicks(m_device.commands.size()) {
        for (std::size_t command = 0; command < m_device.commands.size(); ++command)
            m_refreshTicks[command] = refreshTicks(m_device, int(command));
    }

    Result<void> paint(const TaskContext& task) {
        makeKinds();
        const auto& commands = m_trace.commands;
        for (std::size_t i = 0; i < commands.size(); ++i) {
            if (i % kCommandsPerPoll == 0) {
                if (task.cancelled())
                    return TaskContext::cancelledError("drawing the commands");
                task.report("Drawing commands", std::int64_t(i), std::int64_t(commands.size()));
            }
            add(commands[i]);
        }
        closeAll();
        assemble();
        return {};
    }

private:
    /// Banks that some command addresses together, with what happened to all of them at once.
    struct BankSet {
        DramNodeSet banks;
        std::vector<TimelineSpan> open, refreshes, data, accesses;
        std::uint32_t firstTrack = 0; ///< Of the four, in that order.

        std::uint32_t openTrack() const { return firstTrack; }
        std::uint32_t refreshTrack() const { return firstTrack + 1; }
        std::uint32_t dataTrack() const { return firstTrack + kDataTrack; }
        std::uint32_t accessTrack() const { return firstTrack + 3; }
    };
    /// An activation whose banks have not all been closed.
    struct Opening {
        int set = 0;
        DramTick tick = 0;
        std::int64_t row = 0;
    };

    void makeKinds() {
        Timeline& line = m_picture.m_timeline;
        bool refreshes = false;
        for (std::size_t i = 0; i < m_device.commands.size(); ++i) {
            const bool isUsed = i < m_trace.timing.commands.size() && m_trace.timing.commands[i] > 0;
            line.kinds.push_back(
                {m_device.commands[i].name, roleOf(m_device.commands[i], m_trace.movesData[i]), -1, isUsed});
            refreshes |= isUsed && m_device.commands[i].refreshes;
        }
        m_openKind = int(line.kinds.size());
        line.kinds.push_back({"row open", SpanRole::Other});
        line.kinds.push_back({"refreshing", SpanRole::Switching, -1, refreshes});
        m_picture.m_firstReason = int(line.kinds.size());
        const SequenceTiming& timing = m_trace.timing;
        std::vector<std::size_t> order(timing.reasons.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return timing.waited[a] > timing.waited[b]; });
        line.kinds.resize(line.kinds.size() + order.size());
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            line.kinds[std::size_t(m_picture.kindOfReason(int(order[rank])))] = {
                "waited: " + timing.reasons[order[rank]], SpanRole::Other, rank < kColoured ? int(rank) : -1,
                false};
        m_picture.m_firstMode = int(line.kinds.size());
        for (std::size_t mode = 0; mode < kChannelModes; ++mode)
            line.kinds.push_back({kModeNames[mode], kModeRoles[mode], -1, false});
        line.labels.emplace_back();
        m_firstReasonLabel = std::uint32_t(line.labels.size());
        line.labels.insert(line.labels.end(), timing.reasons.begin(), timing.reasons.end());
        line.labelOps.assign(line.labels.size(), -1);
    }

    TimelineSpan span(DramTick from, DramTick to, int kind, std::uint32_t label = 0) const {
        TimelineSpan made;
        made.startNs = m_trace.timing.ns(from);
        made.durationNs = float(m_trace.timing.ns(to - from));
        made.kind = std::uint16_t(kind);
        made.band = 0xffff;
        made.label = label;
        return made;
    }

    int setOf(int command, int bank) {
        int& known = m_setOf[std::size_t(command) * std::size_t(m_banks) + std::size_t(bank)];
        return known >= 0 ? known : known = setOf(m_nodes.banksOf(command, bank));
    }
    int setOf(const DramNodeSet& banks) {
        const auto [found, isNew] =
            m_sets.try_emplace({banks.first, banks.stride, banks.count}, int(m_bankSets.size()));
        if (isNew)
            m_bankSets.push_back({banks, {}, {}, {}, {}, 0});
        return found->second;
    }
    template <class Do>
    static void forBanks(const DramNodeSet& banks, const Do& doIt) {
        for (int i = 0, bank = banks.first; i < banks.count; ++i, bank += banks.stride)
            doIt(bank);
    }

    void add(const SequencedCommand& issued) {
        const DramCommand& command = m_device.commands[std::size_t(issued.command)];
        const DramTick end = issued.tick + std::max(1, command.ticks);
        if (issued.waited > 0 && issued.reason >= 0) {
            const DramTick from = std::max(issued.tick - issued.waited, m_waitedTo);
            if (from < issued.tick)
                m_lanes[Waits].push_back(span(from, issued.tick, m_picture.kindOfReason(issued.reason),
                                              m_firstReasonLabel + std::uint32_t(issued.reason)));
            m_waitedTo = issued.tick;
        }
        const int set = setOf(issued.command, issued.bank);
        addMode(issued, m_bankSets[std::size_t(set)].banks.count);
        if (command.refreshes)
            m_bankSets[std::size_t(set)].refreshes.push_back(
                span(issued.tick, issued.tick + m_refreshTicks[std::size_t(issued.command)], m_openKind + 1));
        if (isRowCommand(command))
            m_lanes[RowBus].push_back(span(issued.tick, end, issued.command));
        else
            m_bankSets[std::size_t(set)].accesses.push_back(span(issued.tick, end, issued.command));
        if (m_trace.movesData[std::size_t(issued.command)]) {
            const DramTick data = issued.tick + m_picture.m_dataDelay[std::size_t(issued.command)];
            m_bankSets[std::size_t(set)].data.push_back(
                span(data, data + burstTicks(m_device), issued.command));
        }
        if (command.row == DramRowEffect::Opens) {
            close(set, issued.tick);
            open(set, issued.tick, issued.row);
        } else if (command.row == DramRowEffect::Closes) {
            close(set, issued.tick);
        }
    }

    /// What a command says about the mode. Opening and closing rows says nothing: it prepares what comes.
    std::optional<ChannelMode> modeOf(const SequencedCommand& issued, int banks) const {
        const DramCommand& command = m_device.commands[std::size_t(issued.command)];
        const auto& phases = m_trace.timing.phases;
        const bool switches = std::size_t(issued.phase) < phases.size() &&
                              phases[std::size_t(issued.phase)].name.starts_with("mode");
        if (switches || command.switchesMode)
            return ChannelMode::Switching;
        if (command.access == DramAccess::None)
            return m_trace.movesData[std::size_t(issued.command)] ? std::optional(ChannelMode::Host)
                                                                  : std::nullopt;
        if (banks > 1)
            return ChannelMode::AllBanks;
        return command.access == DramAccess::Other ? ChannelMode::OneBank : ChannelMode::Host;
    }

    void addMode(const SequencedCommand& issued, int banks) {
        const auto mode = modeOf(issued, banks);
        if (!mode) {
            // A refresh belongs to no mode; a row is opened for what comes.
            if (m_preparedFrom < 0 && !m_device.commands[std::size_t(issued.command)].refreshes)
                m_preparedFrom = issued.tick;
            return;
        }
        if (mode != m_mode) {
            const DramTick from = !m_mode ? 0 : m_preparedFrom >= 0 ? m_preparedFrom : issued.tick;
            closeMode(from);
            m_mode = mode;
            m_modeFrom = from;
        }
        m_preparedFrom = -1;
    }
    void closeMode(DramTick to) {
        if (m_mode && to > m_modeFrom)
            m_lanes[Modes].push_back(span(m_modeFrom, to, m_picture.kindOfMode(*m_mode)));
        if (m_mode)
            m_picture.m_timeline.kinds[std::size_t(m_picture.kindOfMode(*m_mode))].inLegend = true;
    }

    void open(int set, DramTick tick, std::int64_t row) {
        m_openings.push_back({set, tick, row});
        forBanks(m_bankSets[std::size_t(set)].banks,
                 [&](int bank) { m_openBanks[std::size_t(bank)] = m_openings.size(); });
    }

    /// Banks opened together and closed together are one span; else each bank gets its own.
    void close(int set, DramTick tick) {
        const DramNodeSet banks = m_bankSets[std::size_t(set)].banks;
        m_touched.clear();
        forBanks(banks, [&](int bank) {
            if (const std::size_t at = m_openBanks[std::size_t(bank)]; at > 0)
                m_touched.push_back({at - 1, bank});
        });
        std::sort(m_touched.begin(), m_touched.end());
        for (std::size_t i = 0; i < m_touched.size();) {
            std::size_t end = i;
            while (end < m_touched.size() && m_touched[end].first == m_touched[i].first)
                ++end;
            const Opening opening = m_openings[m_touched[i].first];
            const bool isWhole = int(end - i) == m_bankSets[std::size_t(opening.set)].banks.count;
            if (isWhole)
                addOpen(opening.set, opening, tick);
            for (; i < end; ++i) {
                const int bank = m_touched[i].second;
                if (!isWhole)
                    addOpen(setOf(DramNodeSet{bank, 1, 1}), opening, tick);
                m_openBanks[std::size_t(bank)] = 0;
            }
        }
    }
    void closeAll() {
        // What is open at the end stays so.
        close(setOf(DramNodeSet{0, 1, m_banks}), std::max(m_trace.timing.ticks, lastTick()));
        closeMode(m_trace.truncated ? lastTick() : std::max(m_trace.timing.ticks, lastTick()));
    }
    DramTick lastTick() const { return m_trace.commands.empty() ? 0 : m_trace.commands.back().tick + 1; }

    void addOpen(int set, const Opening& opening, DramTick to) {
        m_bankSets[std::size_t(set)].open.push_back(span(opening.tick, to, m_openKind, labelOf(opening.row)));
    }
    std::uint32_t labelOf(std::int64_t row) {
        Timeline& line = m_picture.m_timeline;
        const auto [found, isNew] = m_rowLabels.try_emplace(row, std::uint32_t(line.labels.size()));
        if (isNew) {
            line.labels.push_back("row " + std::to_string(row));
            line.labelOps.push_back(-1);
        }
        return found->second;
    }

    void assemble() {
        Timeline& line = m_picture.m_timeline;
        for (const SequencePhase& phase : m_trace.timing.phases)
            line.bands.push_back({phase.name, m_trace.timing.ns(phase.begin), m_trace.timing.ns(phase.end)});
        static constexpr std::array<const char*, kLanes> kNames{
            "mode", "waiting", "refresh", "row commands", "column commands", "data bus"};
        for (const char* lane : kNames)
            line.tracks.push_back({lane, "channel"});
        makeBankRows();

        for (std::size_t lane = 0; lane < kLanes; ++lane)
            take(m_lanes[lane], std::uint32_t(lane));
        for (BankSet& set : m_bankSets) {
            take(set.open, set.openTrack());
            take(set.refreshes, set.refreshTrack());
            take(set.data, set.dataTrack());
            take(set.accesses, set.accessTrack());
        }
        line.finish();
        line.endNs =
            std::max(line.endNs, m_trace.timing.ns(m_trace.truncated ? lastTick() : m_trace.timing.ticks));
    }

    void take(std::vector<TimelineSpan>& spans, std::uint32_t track) {
        std::stable_sort(spans.begin(), spans.end(),
                         [](const TimelineSpan& a, const TimelineSpan& b) { return a.startNs < b.startNs; });
        for (TimelineSpan& one : spans)
            one.track = track;
        m_picture.m_timeline.spans.insert(m_picture.m_timeline.spans.end(), spans.begin(), spans.end());
        spans = {};
    }

    void makeBankRows() {
        Timeline& line = m_picture.m_timeline;
        const int under = m_device.bankLevel > 0 ? m_device.banksUnder(m_device.bankLevel - 1) : m_banks;
        auto track = std::uint32_t(int(kLanes) + m_banks + (under > 1 ? m_banks / under : 0));
        m_picture.m_firstHidden = track;
        for (BankSet& set : m_bankSets) {
            set.firstTrack = track;
            track += kTracksOfSet;
        }
        std::vector<std::vector<std::uint32_t>> shows(m_openBanks.size()), over(m_openBanks.size());
        for (const BankSet& set : m_bankSets) {
            if (!set.accesses.empty())
                line.tracks[ColumnBus].over.push_back(set.accessTrack());
            if (!set.data.empty())
                line.tracks[DataBus].over.push_back(set.dataTrack());
            if (!set.refreshes.empty())
                line.tracks[Refreshes].shows.push_back(set.refreshTrack());
            forBanks(set.banks, [&](int bank) {
                if (!set.open.empty())
                    shows[std::size_t(bank)].push_back(set.openTrack());
                if (!set.refreshes.empty())
                    shows[std::size_t(bank)].push_back(set.refreshTrack());
                if (!set.accesses.empty())
                    over[std::size_t(bank)].push_back(set.accessTrack());
            });
        }
        for (int first = 0; first < m_banks; first += under) {
            const std::string node = m_picture.nodeText(first);
            const std::string group = node.empty() ? "banks" : node;
            if (under > 1) {
                TimelineTrack head{group, group, true, false, {}, {}};
                for (int bank = first; bank < first + under; ++bank) {
                    merge(head.shows, shows[std::size_t(bank)]);
                    merge(head.over, over[std::size_t(bank)]);
                }
                line.tracks.push_back(std::move(head));
            }
            for (int bank = first; bank < first + under; ++bank)
                line.tracks.push_back({"bank " + std::to_string(bank), under > 1 ? group : "banks", false,
                                       false, shows[std::size_t(bank)], over[std::size_t(bank)]});
        }
        for (const BankSet& set : m_bankSets)
            for (std::uint32_t i = 0; i < kTracksOfSet; ++i)
                line.tracks.push_back({i == kDataTrack ? "data bus" : textOf(set.banks, m_banks),
                                       "banks",
                                       false,
                                       true,
                                       {},
                                       {}});
    }
    static void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
        for (const std::uint32_t track : from)
            if (std::find(into.begin(), into.end(), track) == into.end())
                into.push_back(track);
    }

    CommandPicture& m_picture;
    const CommandTrace& m_trace;
    const DramDevice& m_device;
    DramNodes m_nodes;
    int m_banks = 0;
    int m_openKind = 0;
    std::uint32_t m_firstReasonLabel = 0;
    std::vector<int> m_setOf; ///< [command][bank], -1: not asked yet.
    std::map<std::array<int, 3>, int> m_sets;
    std::vector<BankSet> m_bankSets;
    std::vector<std::vector<TimelineSpan>> m_lanes;
    std::vector<Opening> m_openings;
    std::vector<std::size_t> m_openBanks; ///< Of each bank, one past its opening; 0: closed.
    std::vector<std::pair<std::size_t, int>> m_touched;
    std::vector<DramTick> m_refreshTicks;
    std::map<std::int64_t, std::uint32_t> m_rowLabels;
    DramTick m_waitedTo = 0;
    std::optional<ChannelMode> m_mode;
    DramTick m_modeFrom = 0, m_preparedFrom = -1;
};

Result<std::shared_ptr<const CommandPicture>> CommandPicture::draw(std::shared_ptr<const CommandTrace> trace,
                                                                   const TaskContext& task) {
    std::shared_ptr<CommandPicture> picture(new CommandPicture);
    picture->m_trace = std::move(trace);
    const DramDevice& device = picture->m_trace->device;
    for (const DramCommand& command : device.commands)
        picture->m_dataDelay.push_back(std::max(burstTicks(device), command.dataTicks) - burstTicks(device));
    Painter painter(*picture);
    if (auto painted = painter.paint(task); !painted)
        return tl::unexpected(painted.error());
    picture->m_levels = std::make_shared<const TimelineLevels>(picture->m_timeline);
    picture->m_banks = bankUse(*picture->m_trace);
    picture->m_buses = busUse(*picture->m_trace, kSlices);
    return picture;
}

DramTick CommandPicture::tickOf(double ns) const {
    const int ps = m_trace->timing.tickPs;
    return ps > 0 ? DramTick(std::llround(ns * 1000 / ps)) : 0;
}

CommandPicture::Span CommandPicture::what(std::size_t span) const {
    const int kind = m_timeline.spans[span].kind;
    const int ofBanks = m_firstReason - kind;
    return kind >= m_firstMode ? Span::Mode
           : ofBanks <= 0      ? Span::Wait
           : ofBanks == 1      ? Span::Refresh
           : ofBanks == 2      ? Span::OpenRow
                               : Span::Command;
}

std::optional<std::size_t> CommandPicture::commandOf(std::size_t index) const {
    const TimelineSpan& span = m_timeline.spans[index];
    const Span kind = what(index);
    if (kind == Span::Mode)
        return {};
    DramTick tick = tickOf(kind == Span::Wait ? span.startNs + double(span.durationNs) : span.startNs);
    if (kind == Span::Command && span.track >= m_firstHidden &&
        (span.track - m_firstHidden) % kTracksOfSet == kDataTrack)
        tick -= m_dataDelay[span.kind];
    const auto& commands = m_trace->commands;
    auto at = std::partition_point(commands.begin(), commands.end(),
                                   [&](const SequencedCommand& c) { return c.tick < tick; });
    for (; at != commands.end() && at->tick == tick; ++at) {
        const DramCommand& command = m_trace->device.commands[std::size_t(at->command)];
        const bool isIt = kind == Span::Wait ? kindOfReason(at->reason) == int(span.kind) && at->reason >= 0
                          : kind == Span::OpenRow ? command.row == DramRowEffect::Opens
                          : kind == Span::Refresh ? command.refreshes
                                                  : at->command == int(span.kind);
        if (isIt)
            return std::size_t(at - commands.begin());
    }
    return {};
}

std::string CommandPicture::banksText(const SequencedCommand& command) const {
    const DramDevice& device = m_trace->device;
    return textOf(DramNodes(device).banksOf(command.command, command.bank), device.bankCount());
}

std::string CommandPicture::nodeText(int bank) const {
    const DramDevice& device = m_trace->device;
    std::string text;
    for (int level = 1; level < device.bankLevel; ++level) {
        const DramLevel& here = device.levels[std::size_t(level)];
        if (here.count > 1)
            text += (text.empty() ? "" : " ") + initials(here.name) +
                    std::to_string(bank / device.banksUnder(level) % here.count);
    }
    return text;
}

} // namespace pim::views
