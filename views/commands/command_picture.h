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

/// Kinds of spans: the commands of the device, in their order; open rows; banks being refreshed; causes of
/// waiting.
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

    enum class Span { Command, OpenRow, Refresh, Wait };
    Span what(std::size_t span) const;
    /// The command behind a span: the one drawn, the one that opened the row or refreshes, the one that
    /// waited.
    std::optional<std::size_t> commandOf(std::size_t span) const;
    int kindOfReason(int reason) const { return m_firstReason + reason; }
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
    int m_firstReason = 0;
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
    struct Wait {
        int reason = 0;
        std::int64_t count = 0;
        DramTick ticks = 0; ///< A wait that the edge of the stretch cuts counts with the part inside.
    };
    std::vector<Wait> waits; ///< Longest first.
    std::int64_t issued = 0;
    double rowBus = 0, columnBus = 0, dataBus = 0; ///< Shares of the stretch that they are taken.
};
/// Of [from, to) ticks; looks at the commands in it.
CommandSummary summarizeCommands(const CommandPicture& picture, DramTick from, DramTick to);

} // namespace pim::views
