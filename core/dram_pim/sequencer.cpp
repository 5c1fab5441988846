// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Walks the program as text, not as it unrolls. Which banks have a row open, and when what was issued, is
/// the state; row and column numbers have been checked beforehand (device_program.h) and do not matter to
/// time. So a piece of a loop that begins in a state it has begun in before takes as long as it did then,
/// issues what it did and ends as it did, if no refresh falls into it: it is not walked again (LoopMemo).
#include "core/dram_pim/sequencer.h"

#include "core/dram_pim/command_clock.h"
#include "core/dram_pim/device_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace pim {
namespace {

constexpr DramTick kNever = std::numeric_limits<DramTick>::max();
constexpr std::int64_t kPollSequenceEvery =
    1 << 16; // commands between looks at the stop button: a few milliseconds
// Commands of a whole loop, below which looking for repeats costs more than it saves.
constexpr std::int64_t kWorthwhile = 256;
constexpr std::int64_t kPiece = 32;      // commands that are looked up together, at least
constexpr std::size_t kMostEntries = 32; // states kept of a loop
constexpr int kPatience = 8;             // misses before a loop is looked at less often
constexpr int kLongestPause = 256;       // pieces

using Counts = std::vector<std::int64_t>;

/// What of a device's command matters here, close together.
struct Issued {
    bool row = false, column = false; ///< Buses it takes.
    bool waitsForData = false;
    DramRowEffect effect = DramRowEffect::None;
    DramTick ticks = 1, dataTicks = 0;
};

/// A command where it stands in the text.
struct Site {
    int command = 0;
    std::int64_t bank = 0;
    int first = 0, count = 0;  ///< How the bank moves, in PhasePlan::movements.
    int row = -1, column = -1; ///< Positions among the operands.
};

/// What a piece of a loop did.
struct Piece {
    std::uint64_t hash = 0;
    std::vector<DramTick> begin, end; ///< Saved states.
    DramTick ticks = 0;               ///< From the last command before it to its last command.
    Counts commands, waited;
    /// Tick, from its begin on, of the last command before which no row was open; -1: there is none.
    DramTick lastClosed = -1;
    bool same = false; ///< It ends as it began.
};

/// What is known of a loop: pieces of `turns` turns by the state they begin in.
struct LoopMemo {
    bool looks = false;
    std::int64_t turns = 1;
    std::vector<int> depths; ///< Loops around it whose counters move banks inside it: part of the state.
    std::vector<Piece> pieces;
    std::size_t oldest = 0; ///< Next to be replaced.
    int misses = 0, pause = 0;
    std::int64_t next = 0; ///< Turn at which the piece that is being walked ends.
    bool recording = false;
    Piece open;
    DramTick began = 0;
    std::int64_t refreshes = 0; ///< When it began.
};

struct PhasePlan {
    const FlatPhase* flat = nullptr;
    std::vector<Site> sites;             ///< By node; those of loops are empty.
    std::vector<LoopMemo> loops;         ///< By node; those of commands are empty.
    std::vector<FlatMovement> movements; ///< Of banks.
};

class Sequencer {
public:
    Sequencer(const DramDevice& device, const Program& program, const DeviceProgram& run,
              const SequencerOptions& options, ISequenceObserver* observer, const TaskContext& task)
        : m_device(device), m_program(program), m_run(run), m_options(options), m_observer(observer),
          m_task(task), m_issued(issuedOf(device)), m_interval(device.time("nREFI")),
          m_refresh(findRefresh()), m_closeAll(findCloseAll()), m_openOne(findOpenOne()),
          m_clock(device, usedCommands()), m_opener(std::size_t(device.bankCount()), 0),
          m_row(std::size_t(device.bankCount()), -1), m_commands(device.commands.size(), 0),
          m_waited(m_clock.reasons().size(), 0) {}

    Result<SequenceTiming> run();

private:
    /// What a command waits for.
    struct When {
        DramTick byOrder = 0, tick = 0;
        int reason = -1;
    };

    static std::vector<Issued> issuedOf(const DramDevice& device);
    int findRefresh() const;
    int findCloseAll() const;
    int findOpenOne() const;
    std::vector<bool> usedCommands() const;
    PhasePlan planOf(const FlatPhase& flat) const;
    void planLoops(PhasePlan& plan) const;

    Result<void> walk(PhasePlan& plan);
    bool command(const PhasePlan& plan, int at);
    When when(int command, int bank) const;
    void issue(int command, int bank, std::int64_t row, std::int64_t column, const When& when);
    Result<void> refreshBefore(int command, int bank, When& go);
    void refreshAll();
    Result<void> refreshWithOpenRows(DramTick due);
    Result<void> openAgain(const std::vector<std::uint16_t>& openers, const std::vector<std::int64_t>& rows);
    void maintain(int command, int bank, std::int64_t row, DramTick notBefore);

    std::int64_t turnBegins(LoopMemo& loop, std::int64_t turn, std::int64_t turns);
    std::int64_t timesUntilRefresh(const Piece& piece, std::int64_t most) const;
    void endPiece(LoopMemo& loop);
    void saveState(const LoopMemo& loop);
    void repeat(const Piece& piece, std::int64_t times);

    const DramDevice& m_device;
    const Program& m_program;
    const DeviceProgram& m_run;
    SequencerOptions m_options;
    ISequenceObserver* m_observer;
    const TaskContext& m_task;
    std::vector<Issued> m_issued; ///< By command.
    DramTick m_interval;          ///< Between two refreshes; 0 if the device says none.
    /// Commands of the controller; -1 if the device has none or they are not needed.
    int m_refresh, m_closeAll, m_openOne;

    CommandClock m_clock;
    std::vector<std::uint16_t> m_opener; ///< By bank: command that opened its row, plus one; 0: closed.
    std::vector<std::int64_t> m_row;     ///< For observers: not followed through repeats.
    int m_open = 0;                      ///< Banks with an open row.
    DramTick m_now = -1;                 ///< Last issue.
    DramTick m_begin = 0;                ///< Of the phase.
    DramTick m_rowFree = 0, m_columnFree = 0, m_dataEnd = 0;
    DramTick m_due = kNever; ///< Of the next refresh.

    Counts m_commands, m_waited; ///< By command, by reason.
    DramTick m_refreshTicks = 0;
    std::int64_t m_refreshes = 0, m_walked = 0;
    DramTick m_lastClosed = -1; ///< Last command before which no row was open: where refreshes go out.
    Result<void> m_failure;
    int m_phase = 0;
    int m_because = -1; ///< Reason for all waiting meanwhile; -1: its own.
    std::vector<std::int64_t> m_turns, m_operands;
    std::vector<DramTick> m_saved;
};

// ---- the controller ----

std::vector<Issued> Sequencer::issuedOf(const DramDevice& device) {
    const bool oneBus = device.protocol == "one-bus";
    std::vector<Issued> result;
    for (const DramCommand& command : device.commands) {
        const bool none = command.bus == DramBus::None;
        result.push_back({!none && (oneBus || command.bus != DramBus::Column),
                          !none && (oneBus || command.bus != DramBus::Row), command.waitsForData, command.row,
                          command.ticks, command.dataTicks});
    }
    return result;
}

int Sequencer::findRefresh() const {
    if (!m_options.refresh)
        return -1;
    int found = -1;
    for (std::size_t i = 0; i < m_device.commands.size(); ++i)
        if (m_device.commands[i].refreshes &&
            (found < 0 || m_device.commands[i].level < m_device.commands[std::size_t(found)].level))
            found = int(i);
    return found;
}

int Sequencer::findCloseAll() const {
    int found = -1;
    for (std::size_t i = 0; i < m_device.commands.size(); ++i) {
        const DramCommand& row = m_device.commands[i];
        const bool closes =
            row.row == DramRowEffect::Closes && row.access == DramAccess::None && row.repeatedOver < 0;
        if (closes && (found < 0 || row.level < m_device.commands[std::size_t(found)].level))
            found = int(i);
    }
    return m_refresh < 0 ? -1 : found;
}

int Sequencer::findOpenOne() const {
    for (std::size_t i = 0; i < m_device.commands.size(); ++i) {
        const DramCommand& row = m_device.commands[i];
        if (row.row == DramRowEffect::Opens && row.level == m_device.bankLevel && row.repeatedOver < 0)
            return m_refresh < 0 ? -1 : int(i);
    }
    return -1;
}

std::vector<bool> Sequencer::usedCommands() const {
    std::vector<bool> used(m_device.commands.size(), false);
    for (const int command : {m_refresh, m_closeAll, m_openOne})
        if (command >= 0)
            used[std::size_t(command)] = true;
    for (const FlatPhase& phase : m_run.phases)
        for (const FlatNode& node : phase.nodes)
            if (node.kind == FlatNode::Kind::Command)
                used[std::size_t(m_run.opcodes[std::size_t(node.opcode)].command)] = true;
    return used;
}

Sequencer::When Sequencer::when(int command, int bank) const {
    const Issued& info = m_issued[std::size_t(command)];
    When result;
    result.byOrder = std::max(m_now, m_begin);
    if (info.row)
        result.byOrder = std::max(result.byOrder, m_rowFree);
    if (info.column)
        result.byOrder = std::max(result.byOrder, m_columnFree);
    const CommandClock::Ready ready = m_clock.ready(command, bank);
    result.tick = result.byOrder;
    if (ready.tick > result.tick) {
        result.tick = ready.tick;
        result.reason = ready.reason;
    }
    if (info.waitsForData && m_dataEnd > result.tick) {
        result.tick = m_dataEnd;
        result.reason = CommandClock::kData;
    }
    return result;
}

void Sequencer::issue(int command, int bank, std::int64_t row, std::int64_t column, const When& when) {
    const Issued& issued = m_issued[std::size_t(command)];
    const int reason = m_because >= 0 ? m_because : when.reason;
    if (const DramTick idle = when.tick - m_now - 1; idle > 0) {
        const DramTick busy = std::clamp<DramTick>(when.byOrder - m_now - 1, 0, idle);
        m_waited[CommandClock::kBus] += busy;
        if (reason >= 0)
            m_waited[std::size_t(reason)] += idle - busy;
    }
    m_now = when.tick;
    if (issued.row)
        m_rowFree = m_now + issued.ticks;
    if (issued.column)
        m_columnFree = m_now + issued.ticks;
    m_dataEnd = std::max(m_dataEnd, m_now + issued.dataTicks);
    m_clock.issue(command, bank, m_now);
    ++m_commands[std::size_t(command)];
    if (issued.effect != DramRowEffect::None) {
        const bool opens = issued.effect == DramRowEffect::Opens;
        const DramNodeSet banks = m_clock.nodes().banksOf(command, bank);
        for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride) {
            std::uint16_t& opener = m_opener[std::size_t(b)];
            m_open += int(opens) - int(opener != 0);
            opener = opens ? std::uint16_t(command + 1) : 0;
            m_row[std::size_t(b)] = row;
        }
    }
    if (m_observer) {
        const SequencedCommand seen{m_now,
                                    command,
                                    m_clock.nodes().banksOf(command, bank).first,
                                    row,
                                    column,
                                    when.tick - when.byOrder,
                                    when.tick > when.byOrder ? reason : -1,
                                    m_phase};
        if (!m_observer->onCommand(seen))
            m_observer = nullptr;
    }
}

/// A command of the controller itself.
void Sequencer::maintain(int command, int bank, std::int64_t row, DramTick notBefore) {
    m_because = CommandClock::kRefresh;
    When at = when(command, bank);
    at.tick = std::max(at.tick, notBefore);
    issue(command, bank, row, -1, at);
    m_because = -1;
}

/// All nodes of the level, once.
void Sequencer::refreshAll() {
    const int under = m_clock.nodes().under(m_device.commands[std::size_t(m_refresh)].level);
    for (int bank = 0; bank < m_clock.nodes().banks(); bank += under)
        maintain(m_refresh, bank, -1, m_due);
    m_due += m_interval;
    ++m_refreshes;
}

/// Refreshes that are due before a command goes out, as far as they can be done; \p go is put off
/// accordingly.
Result<void> Sequencer::refreshBefore(int command, int bank, When& go) {
    const DramTick without = go.tick;
    const bool closes = m_issued[std::size_t(command)].effect == DramRowEffect::Closes;
    const std::int64_t most = m_refreshes + (go.tick - m_due) / m_interval + 1000;
    while (go.tick >= m_due) {
        if (m_open == 0) {
            refreshAll();
        } else {
            if (closes || go.tick < m_due + m_options.postponedRefreshes * m_interval)
                break;
            PIM_CHECK(refreshWithOpenRows(go.tick));
        }
        m_because = CommandClock::kRefresh;
        go = when(command, bank);
        if (m_refreshes > most)
            return fail(
                ErrorCode::InvalidTarget,
                fmt::format("a refresh takes longer than the interval of {} ticks between two", m_interval),
                m_device.name);
    }
    m_refreshTicks += go.tick - without;
    return {};
}

Result<void> Sequencer::refreshWithOpenRows(DramTick due) {
    if (m_closeAll < 0)
        return fail(ErrorCode::Unsupported,
                    "rows have to be closed for a refresh, and no command closes all of them", m_device.name);
    const std::vector<std::uint16_t> openers = m_opener;
    const std::vector<std::int64_t> rows = m_row;
    const int under = m_clock.nodes().under(m_device.commands[std::size_t(m_closeAll)].level);
    for (int bank = 0; bank < m_clock.nodes().banks(); bank += under)
        if (std::any_of(m_opener.begin() + bank, m_opener.begin() + bank + under,
                        [](std::uint16_t opener) { return opener != 0; }))
            maintain(m_closeAll, bank, -1, 0);
    while (m_due <= due)
        refreshAll();
    return openAgain(openers, rows);
}

/// By the commands that opened them; one bank at a time where that would open banks that were closed.
Result<void> Sequencer::openAgain(const std::vector<std::uint16_t>& openers,
                                  const std::vector<std::int64_t>& rows) {
    for (int bank = 0; bank < int(openers.size()); ++bank) {
        if (openers[std::size_t(bank)] == 0 || m_opener[std::size_t(bank)] != 0)
            continue;
        int opener = openers[std::size_t(bank)] - 1;
        const DramNodeSet banks = m_clock.nodes().banksOf(opener, bank);
        for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
            if (openers[std::size_t(b)] != opener + 1)
                opener = m_openOne;
        if (opener < 0)
            return fail(ErrorCode::Unsupported,
                        "rows were closed for a refresh, and no command opens a single one of them again",
                        m_device.name);
        maintain(opener, bank, rows[std::size_t(bank)], 0);
        m_opener[std::size_t(bank)] = openers[std::size_t(bank)];
    }
    return {};
}

/// False if the run ends here, with the reason in m_failure.
bool Sequencer::command(const PhasePlan& plan, int at) {
    if (++m_walked % kPollSequenceEvery == 0 && m_task.cancelled()) {
        m_failure = TaskContext::cancelledError("timing " + m_program.op);
        return false;
    }
    const Site& site = plan.sites[std::size_t(at)];
    std::int64_t bank = site.bank;
    for (int i = site.first; i < site.first + site.count; ++i)
        bank += plan.movements[std::size_t(i)].stride *
                m_turns[std::size_t(plan.movements[std::size_t(i)].depth)];
    When go = when(site.command, int(bank));
    if (go.tick >= m_due) {
        m_failure = refreshBefore(site.command, int(bank), go);
        if (!m_failure)
            return false;
    }
    std::int64_t row = -1, column = -1;
    if (m_observer) {
        plan.flat->evaluate(plan.flat->nodes[std::size_t(at)], m_turns.data(), m_operands.data());
        row = site.row < 0 ? -1 : m_operands[std::size_t(site.row)];
        column = site.column < 0 ? -1 : m_operands[std::size_t(site.column)];
    }
    if (m_open == 0)
        m_lastClosed = go.tick;
    issue(site.command, int(bank), row, column, go);
    m_because = -1;
    return true;
}

// ---- loops ----

PhasePlan Sequencer::planOf(const FlatPhase& flat) const {
    PhasePlan plan;
    plan.flat = &flat;
    plan.sites.resize(flat.nodes.size());
    plan.loops.resize(flat.nodes.size());
    for (std::size_t i = 0; i < flat.nodes.size(); ++i) {
        const FlatNode& node = flat.nodes[i];
        if (node.kind != FlatNode::Kind::Command)
            continue;
        const OpcodeUse& use = m_run.opcodes[std::size_t(node.opcode)];
        Site& site = plan.sites[i];
        site.command = use.command;
        site.row = use.row;
        site.column = use.column;
        site.first = int(plan.movements.size());
        if (use.bank >= 0)
            site.bank = flat.operands[std::size_t(node.operands + use.bank)];
        for (int k = node.movements; k < node.movements + node.moving; ++k)
            if (use.bank >= 0 && flat.movements[std::size_t(k)].operand == use.bank)
                plan.movements.push_back(flat.movements[std::size_t(k)]);
        site.count = int(plan.movements.size()) - site.first;
    }
    if (m_options.skipRepeats)
        planLoops(plan);
    return plan;
}

/// Which loops are worth a look, and how many turns at a time.
void Sequencer::planLoops(PhasePlan& plan) const {
    std::vector<int> open;                 // heads of the loops around
    std::vector<std::int64_t> commands{0}; // of one turn of each, as far as seen
    constexpr std::int64_t kMany = std::int64_t(1) << 40;
    for (std::size_t i = 0; i < plan.flat->nodes.size(); ++i) {
        const FlatNode& node = plan.flat->nodes[i];
        if (node.kind == FlatNode::Kind::Loop) {
            open.push_back(int(i));
            commands.push_back(0);
            plan.loops[i].looks = true;
        } else if (node.kind == FlatNode::Kind::End) {
            LoopMemo& loop = plan.loops[std::size_t(open.back())];
            const std::int64_t turn = std::max<std::int64_t>(commands.back(), 1);
            const std::int64_t all = node.turns > kMany / turn ? kMany : turn * node.turns;
            loop.turns = (kPiece + turn - 1) / turn;
            loop.looks = loop.looks && all >= kWorthwhile && node.turns >= 2 * loop.turns;
            open.pop_back();
            commands.pop_back();
            commands.back() = std::min(kMany, commands.back() + all);
        } else {
            ++commands.back();
            const Site& site = plan.sites[i];
            for (int k = site.first; k < site.first + site.count; ++k) {
                const int depth = plan.movements[std::size_t(k)].depth;
                plan.loops[std::size_t(open[std::size_t(depth)])].looks = false;
                for (std::size_t inner = std::size_t(depth) + 1; inner < open.size(); ++inner) {
                    std::vector<int>& depths = plan.loops[std::size_t(open[inner])].depths;
                    if (std::find(depths.begin(), depths.end(), depth) == depths.end())
                        depths.push_back(depth);
                }
            }
        }
    }
}

Result<void> Sequencer::walk(PhasePlan& plan) {
    const FlatPhase& flat = *plan.flat;
    m_turns.assign(std::size_t(flat.deepest) + 1, 0);
    m_operands.assign(std::size_t(flat.mostOperands), 0);
    for (int at = 0; at < int(flat.nodes.size()); ++at) {
        const FlatNode& node = flat.nodes[std::size_t(at)];
        if (node.kind == FlatNode::Kind::Command) {
            if (!command(plan, at))
                return m_failure;
            continue;
        }
        const bool head = node.kind == FlatNode::Kind::Loop;
        LoopMemo& loop = plan.loops[std::size_t(head ? at : node.partner)];
        std::int64_t& turn = m_turns[std::size_t(node.depth)];
        turn = head ? 0 : turn + 1;
        if (loop.looks && !m_observer)
            turn = turnBegins(loop, turn, node.turns);
        if (turn < node.turns)
            at = head ? at : node.partner;
        else
            at = head ? node.partner : at;
    }
    return {};
}

/// State, and what of the loops around matters, to m_saved.
void Sequencer::saveState(const LoopMemo& loop) {
    const std::size_t words =
        (m_opener.size() * sizeof(m_opener[0]) + sizeof(DramTick) - 1) / sizeof(DramTick);
    m_saved.resize(m_clock.stateSize() + 4 + words + loop.depths.size());
    m_clock.save(m_now, m_saved.data());
    DramTick* next = m_saved.data() + m_clock.stateSize();
    for (const DramTick tick : {m_begin, m_rowFree, m_columnFree, m_dataEnd})
        *next++ = std::max<DramTick>(tick - m_now, 0);
    next[words - 1] = 0; // what the openers do not fill
    std::memcpy(next, m_opener.data(), m_opener.size() * sizeof(m_opener[0]));
    next += words;
    for (const int depth : loop.depths)
        *next++ = m_turns[std::size_t(depth)];
}

std::uint64_t hashOf(const std::vector<DramTick>& state) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    std::uint64_t lanes[4] = {1, 2, 3, 4}; // side by side: a multiplication waits for the one before
    for (std::size_t i = 0; i < state.size(); ++i) {
        std::uint64_t& lane = lanes[i % 4];
        lane = (lane ^ std::uint64_t(state[i])) * kOdd;
        lane ^= lane >> 29;
    }
    return ((lanes[0] * 3 + lanes[1]) * 5 + lanes[2]) * 7 + lanes[3];
}

void Sequencer::endPiece(LoopMemo& loop) {
    loop.recording = false;
    Piece& piece = loop.open;
    piece.end = m_saved;
    piece.ticks = m_now - loop.began;
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        piece.commands[i] = m_commands[i] - piece.commands[i];
    for (std::size_t i = 0; i < m_waited.size(); ++i)
        piece.waited[i] = m_waited[i] - piece.waited[i];
    piece.lastClosed = m_lastClosed >= loop.began ? m_lastClosed - loop.began : -1;
    piece.same = piece.end == piece.begin;
    if (loop.pieces.size() < kMostEntries)
        loop.pieces.emplace_back();
    std::swap(loop.pieces[loop.oldest], piece);
    loop.oldest = (loop.oldest + 1) % kMostEntries;
}

void Sequencer::repeat(const Piece& piece, std::int64_t times) {
    m_now += piece.ticks * times;
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        m_commands[i] += piece.commands[i] * times;
    for (std::size_t i = 0; i < m_waited.size(); ++i)
        m_waited[i] += piece.waited[i] * times;
    if (piece.lastClosed >= 0)
        m_lastClosed = m_now - piece.ticks + piece.lastClosed;
    m_clock.restore(m_now, piece.end.data());
    const DramTick* next = piece.end.data() + m_clock.stateSize();
    for (DramTick* const tick : {&m_begin, &m_rowFree, &m_columnFree, &m_dataEnd})
        *tick = m_now + *next++;
    std::memcpy(m_opener.data(), next, m_opener.size() * sizeof(m_opener[0]));
    m_open = int(m_opener.size()) - int(std::count(m_opener.begin(), m_opener.end(), 0));
}

/// How often a piece that ends as it began can follow itself before a refresh comes, at most \p most. A
/// refresh that is due goes out before a command that finds no row open; where one is open, only after the
/// longest delay.
std::int64_t Sequencer::timesUntilRefresh(const Piece& piece, std::int64_t most) const {
    if (m_due == kNever)
        return most;
    const DramTick delay = m_options.postponedRefreshes * m_interval;
    const DramTick free = m_due - 1 - m_now;
    if (piece.ticks == 0)
        return free >= 0 ? most : 0;
    if (piece.lastClosed >= 0)
        most = std::min(most, free < piece.lastClosed ? 0 : (free - piece.lastClosed) / piece.ticks + 1);
    return std::clamp<std::int64_t>((free + delay) / piece.ticks, 0, most);
}

/// Skips pieces that are known. \returns the turn to go on with.
std::int64_t Sequencer::turnBegins(LoopMemo& loop, std::int64_t turn, std::int64_t turns) {
    if (turn == 0) {
        loop.recording = false;
        loop.pause = 0;
    } else if (loop.refreshes != m_refreshes) {
        loop.recording = false; // pieces begin anew after a refresh: they are then the same each time
    } else if (turn < loop.next) {
        return turn;
    }
    const bool pauses = loop.pause > 0 && loop.pause-- > 0;
    while (!m_task.cancelled()) { // walking says so
        loop.next = turn + loop.turns;
        loop.refreshes = m_refreshes;
        if (pauses && !loop.recording)
            return turn;
        saveState(loop);
        if (loop.recording)
            endPiece(loop);
        if (pauses || turns - turn < loop.turns)
            return turn;
        const std::uint64_t hash = hashOf(m_saved);
        const auto known = std::find_if(loop.pieces.begin(), loop.pieces.end(), [&](const Piece& piece) {
            return piece.hash == hash && piece.begin == m_saved;
        });
        if (known == loop.pieces.end()) {
            if (++loop.misses > kPatience)
                loop.pause = std::min(loop.misses, kLongestPause);
            loop.recording = true;
            loop.began = m_now;
            loop.open.hash = hash;
            loop.open.begin = m_saved;
            loop.open.commands = m_commands;
            loop.open.waited = m_waited;
            return turn;
        }
        loop.misses = 0;
        const std::int64_t times = timesUntilRefresh(*known, known->same ? (turns - turn) / loop.turns : 1);
        if (times == 0)
            return turn;
        repeat(*known, times);
        turn += times * loop.turns;
    }
    return turn;
}

Result<SequenceTiming> Sequencer::run() {
    if (m_device.protocol != "one-bus" && m_device.protocol != "two-bus")
        return fail(ErrorCode::Unsupported, fmt::format("commands are paced as \"{}\"", m_device.protocol),
                    m_device.name, "code is timed on devices with the protocol \"one-bus\" or \"two-bus\"");
    if (m_options.refresh) {
        if (m_refresh < 0 || m_interval <= 0)
            return fail(ErrorCode::Unsupported, "the device has no refresh command or no nREFI",
                        m_device.name, "switch refresh off");
        m_due = m_interval;
    }
    SequenceTiming timing;
    timing.tickPs = m_device.tickPs;
    timing.reasons = m_clock.reasons();
    for (std::size_t i = 0; i < m_run.phases.size(); ++i) {
        m_phase = m_run.phaseOfProgram[i];
        const Counts before = m_commands;
        const DramTick begin = m_begin = timing.ticks;
        m_now = m_begin - 1;
        PhasePlan plan = planOf(m_run.phases[i]);
        PIM_CHECK(walk(plan));
        const DramTick issued = std::max({begin, m_rowFree, m_columnFree, m_now + 1});
        timing.ticks = std::max(issued, m_dataEnd);
        m_waited[CommandClock::kBus] += issued - m_now - 1;
        m_waited[CommandClock::kData] += timing.ticks - issued;
        timing.phases.push_back({m_run.phases[i].name, begin, timing.ticks});
        timing.phaseCommands.push_back(m_commands);
        for (std::size_t k = 0; k < m_commands.size(); ++k)
            timing.phaseCommands.back()[k] -= before[k];
    }
    timing.commands = m_commands;
    timing.waited = m_waited;
    timing.refreshTicks = m_refreshTicks;
    timing.walked = m_walked;
    return timing;
}

} // namespace

Result<SequenceTiming> timeProgram(const DramDevice& device, const Program& program,
                                   const SequencerOptions& options, const std::vector<std::string>& phases,
                                   ISequenceObserver* observer, const TaskContext& task) {
    PIM_TRY(const DeviceProgram run, programForDevice(device, program, phases, task));
    return Sequencer(device, program, run, options, observer, task).run();
}

} // namespace pim
