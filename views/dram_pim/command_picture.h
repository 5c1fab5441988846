// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of one channel as a timeline: what waited for what, refresh, the two command buses, the data
/// bus, then banks with the rows they have open and the commands they get. Banks addressed together share
/// their spans, so a command for 64 banks is drawn in 64 rows and kept once. Knows no widget.
#include "core/base/task.h"
#include "core/dram_pim/command_trace.h"
#include "core/timeline/timeline.h"

#include <memory>
#include <optional>

namespace pim::views {

class TimelineLevels;

/// What the channel is for at a time: told from the commands it gets.
enum class ChannelMode { Host, OneBank, AllBanks, Switching };
inline constexpr int kChannelModes = 4;

/// Kinds of spans: the commands of the device, in their order; open rows; banks being refreshed; causes of
/// waiting; modes.
class CommandPicture {
public:
    /// Takes time by the number of commands. Error::Cancelled.
    static Result<std::shared_ptr<const CommandPicture>> draw(std::shared_ptr<const CommandTrace> trace,
                                                              const TaskContext& task = {});

    const CommandTrace& trace() const { return *m_trace; }
    /// Times in nanoseconds; \ref tickOf goes back.
    const Timeline& timeline() const { return m_timeline; }
    const std::shared_ptr<const TimelineLevels>& levels() const { return m_levels; } ///< Of the timeline.
    const std::vector<BankUse>& banks() const { return m_banks; }
    /// In kSlices equal slices of the run.
    const BusUse& buses() const { return m_buses; }
    static constexpr int kSlices = 600;
    DramTick tickOf(double ns) const;
    double nsOf(DramTick tick) const { return m_trace->timing.ns(tick); }

    enum class Span { Command, OpenRow, Refresh, Wait, Mode };
    Span what(std::size_t span) const;
    /// The command behind a span: the one drawn, the one that opened the row or refreshes, the one that
    /// waited.
    std::optional<std::size_t> commandOf(std::size_t span) const;
    int kindOfReason(int reason) const { return m_firstReason + reason; }
    int kindOfMode(ChannelMode mode) const { return m_firstMode + int(mode); }
    static constexpr std::uint32_t kModeTrack = 0; ///< The strip of modes, above the other rows.
    /// "all banks", "bank 5", "banks 4-7", "banks 0, 2 … 62"
    std::string banksText(const SequencedCommand& command) const;
    /// "PC1 R0 BG3": the levels between channel and bank that have several nodes, shortened; empty if there
    /// are none.
    std::string nodeText(int bank) const;

private:
    CommandPicture() = default;
    class Painter;

    std::shared_ptr<const CommandTrace> m_trace;
    Timeline m_timeline;
    std::shared_ptr<const TimelineLevels> m_levels;
    std::vector<BankUse> m_banks;
    BusUse m_buses;
    std::vector<DramTick> m_dataDelay; ///< Ticks from a command to its data, by command.
    int m_firstReason = 0, m_firstMode = 0;
    std::uint32_t m_firstHidden = 0; ///< Tracks of sets of banks.
};

/// What happened in a stretch of the run.
struct CommandSummary {
    DramTick from = 0, to = 0;
    struct Count {
        int command = 0;
        std::int64_t count = 0;
        DramTick ticks = 0; ///< Of its bus.
    };
    std::vector<Count> commands; ///< Most frequent first; those that did not occur are left out.
    /// Things of one kind that take time; one that the edge of the stretch cuts counts with the part inside.
    struct Stretches {
        std::int64_t count = 0;
        DramTick ticks = 0;
        DramTick median = 0, p95 = 0; ///< Nearest rank, of the parts inside.
        double mean() const { return count > 0 ? double(ticks) / double(count) : 0; }
    };
    struct Wait {
        int reason = 0;
        Stretches stretches;
    };
    std::vector<Wait> waits; ///< Longest first.
    struct Mode {
        ChannelMode mode = ChannelMode::Host;
        Stretches stretches;
        std::int64_t commands = 0; ///< Issued in it.
    };
    std::vector<Mode>
        modes; ///< Those there are, in the order of ChannelMode. Their parts inside add up to it.
    std::int64_t issued = 0;
    double rowBus = 0, columnBus = 0, dataBus = 0; ///< Shares of the stretch that they are taken.
};
/// Of [from, to) ticks; looks at the commands in it.
CommandSummary summarizeCommands(const CommandPicture& picture, DramTick from, DramTick to);

/// Goes over the bus of rows: opens, closes or refreshes.
bool isRowCommand(const DramCommand& command);
DramTick burstTicks(const DramDevice& device); ///< Of the data bus for one access.

} // namespace pim::views
