// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_channel.h"

#include <algorithm>

namespace pim {
namespace {

using G = HbmPimGeometry;

constexpr std::int64_t kPatience = 16; ///< Intervals of refresh.

constexpr int groupOf(int bank) {
    return bank / G::kBanksPerGroup;
}

constexpr unsigned bit(int bank) {
    return 1u << bank;
}

void atLeast(std::int64_t& value, std::int64_t least) {
    value = std::max(value, least);
}

} // namespace

std::string_view name(HbmPimTag tag) {
    static constexpr std::string_view kNames[] = {"",
                                                  "START_PARK_IN_",
                                                  "PARK_IN_",
                                                  "END_PARK_IN_",
                                                  "START_PARK_OUT_",
                                                  "PARK_OUT_",
                                                  "END_PARK_OUT_",
                                                  "START_SB_TO_HAB_",
                                                  "END_SB_TO_HAB_",
                                                  "START_HAB_TO_SB",
                                                  "END_HAB_TO_SB",
                                                  "PROGRAM_CRF",
                                                  "PIM",
                                                  "WRIO_TO_GRF_",
                                                  "MAC_",
                                                  "GRFB_TO_BANK_",
                                                  "BANK_TO_GRF_",
                                                  "ADD",
                                                  "GRF_TO_BANK",
                                                  "FILL&ReLU",
                                                  "GRF_A_TO_EVEN_BANK",
                                                  "GRF_B_TO_ODD_BANK"};
    return kNames[static_cast<std::size_t>(tag)];
}

std::string_view name(HbmPimMode mode) {
    static constexpr std::string_view kNames[] = {"SB", "HAB", "HAB_PIM"};
    return kNames[static_cast<std::size_t>(mode)];
}

std::string_view name(HbmPimCommandKind kind) {
    static constexpr std::string_view kNames[] = {"ACT", "PRE", "RD", "WR", "REF"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::int64_t HbmPimCounts::of(HbmPimCommandKind kind) const {
    std::int64_t sum = 0;
    for (const auto& mode : byMode)
        sum += mode[static_cast<std::size_t>(kind)];
    return sum;
}

std::int64_t HbmPimCounts::total() const {
    std::int64_t sum = 0;
    for (const auto& mode : byMode)
        for (const std::int64_t count : mode)
            sum += count;
    return sum;
}

HbmPimCounts& HbmPimCounts::add(const HbmPimCounts& other, std::int64_t times) {
    for (std::size_t mode = 0; mode < byMode.size(); ++mode)
        for (std::size_t kind = 0; kind < byMode[mode].size(); ++kind)
            byMode[mode][kind] += times * other.byMode[mode][kind];
    readSteps += times * other.readSteps;
    writeSteps += times * other.writeSteps;
    grfWrites += times * other.grfWrites;
    crfWrites += times * other.crfWrites;
    modeWrites += times * other.modeWrites;
    allBankWrites += times * other.allBankWrites;
    return *this;
}

HbmPimChannel::HbmPimChannel(const HbmPimTiming& timing, int ranks, bool keepLog)
    : m_timing(timing), m_ranks(ranks), m_keepLog(keepLog) {
    m_queue.reserve(G::kQueueDepth);
    // The ranks take turns: their timers start spread over one interval.
    for (int rank = 0; rank < ranks; ++rank)
        m_refreshDue.push_back(std::int64_t(timing.tREFI / ranks) * (rank + 1));
}

void HbmPimChannel::offer(const std::vector<HbmPimBurst>& bursts) {
    PIM_ASSERT(m_offered == nullptr || m_next == m_offered->size(), "the former bursts were drained");
    m_offered = &bursts;
    m_next = 0;
    m_lastIssued = m_now;
}

bool HbmPimChannel::drain(const std::stop_token& stop) {
    if (m_offered == nullptr || m_offered->empty())
        return true;
    for (unsigned n = 1; m_next < m_offered->size() || !m_queue.empty(); ++n) {
        step();
        // A refresh of rank 0 closes all rows; what does not go on after some of them never will.
        m_isStuck = m_now - m_lastIssued > kPatience * m_timing.tREFI;
        if (m_isStuck || (n % 16384 == 0 && stop.stop_requested()))
            return false;
    }
    runTo(m_lastDone + 1);
    return true;
}

void HbmPimChannel::runTo(std::int64_t cycle) {
    // A jump may lead past the end: the state does not change in between, only the clock.
    while (m_now < cycle)
        step();
    m_now = cycle;
}

/// Order inside a clock: what was sent a clock ago arrives, refresh falls due, one command is issued, one
/// burst enters the queue.
void HbmPimChannel::step() {
    if (m_onBus)
        arrive();
    if (m_now == m_refreshDue[static_cast<std::size_t>(m_refreshTurn)]) {
        m_refreshing = m_refreshTurn;
        m_refreshDue[static_cast<std::size_t>(m_refreshTurn)] += m_timing.tREFI;
        m_refreshTurn = (m_refreshTurn + 1) % m_ranks;
    }
    const bool issued = issue();
    const bool entered = enqueue();
    m_now = issued || entered ? m_now + 1 : nextEvent();
}

std::int64_t HbmPimChannel::nextEvent() const {
    std::int64_t next = m_refreshDue[static_cast<std::size_t>(m_refreshTurn)];
    const auto consider = [&](std::int64_t cycle) {
        if (cycle > m_now && cycle < next)
            next = cycle;
    };
    for (std::size_t bank = 0; bank < kBanks; ++bank) {
        consider(m_idleAt[bank]);
        consider(m_nextActivate[bank]);
        consider(m_nextRead[bank]);
        consider(m_nextWrite[bank]);
        consider(m_nextPrecharge[bank]);
    }
    consider(windowOpens());
    return next;
}

bool HbmPimChannel::enqueue() {
    if (m_offered == nullptr || m_next == m_offered->size() || m_queue.size() == G::kQueueDepth)
        return false;
    const HbmPimBurst& burst = (*m_offered)[m_next];
    const std::uint32_t place =
        std::uint32_t(burst.bank) << 24 | std::uint32_t(burst.row) << 8 | std::uint32_t(burst.column);
    m_queue.push_back(
        {place, burst.row, burst.bank, burst.write, burst.barrier, static_cast<std::int32_t>(m_next)});
    ++m_next;
    return true;
}

bool HbmPimChannel::issue() {
    if (m_refreshing >= 0 && refresh())
        return true;
    return issueColumn() || issueActivate() || issuePrecharge();
}

bool HbmPimChannel::refresh() {
    if (m_refreshing == 0) {
        bool anyOpen = false;
        for (int bank = 0; bank < kBanks; ++bank) {
            if (!m_open[static_cast<std::size_t>(bank)])
                continue;
            anyOpen = true;
            if (m_now >= m_nextPrecharge[static_cast<std::size_t>(bank)]) {
                doPrecharge(bank);
                return true;
            }
        }
        if (anyOpen)
            return false;
        // tRP after the last precharge is not waited for: a quirk of the simulator.
        if (m_timing.strict && m_now < *std::max_element(m_idleAt.begin(), m_idleAt.end()))
            return false;
        for (std::size_t bank = 0; bank < kBanks; ++bank) {
            m_idleAt[bank] = m_now + m_timing.tRFC;
            atLeast(m_nextActivate[bank], m_now + m_timing.tRFC);
        }
    }
    send(HbmPimCommandKind::Refresh, m_refreshing, -1, -1, nullptr);
    m_refreshing = -1;
    return true;
}

bool HbmPimChannel::issueColumn() {
    for (std::size_t i = 0; i < m_queue.size(); ++i) {
        const Entry& entry = m_queue[i];
        if (entry.barrier && i > 0)
            return false;
        if (m_open[entry.bank] && m_row[entry.bank] == entry.row &&
            m_now >= (entry.write ? m_nextWrite : m_nextRead)[entry.bank]) {
            const bool waits = std::any_of(m_queue.begin(), m_queue.begin() + static_cast<std::ptrdiff_t>(i),
                                           [&](const Entry& older) { return older.place == entry.place; });
            if (!waits) {
                doColumn(entry);
                m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
        }
        if (entry.barrier)
            return false; // nothing younger passes the oldest
    }
    return false;
}

bool HbmPimChannel::issueActivate() {
    for (std::size_t i = 0; i < m_queue.size(); ++i) {
        const Entry& entry = m_queue[i];
        // A barrier at the head does not stop the search: rows of younger bursts may be opened early.
        if (entry.barrier && i > 0)
            return false;
        if (!m_open[entry.bank] && m_now >= m_idleAt[entry.bank] && m_now >= m_nextActivate[entry.bank] &&
            (m_mode == HbmPimMode::SingleBank || entry.bank < 2) && m_now >= windowOpens()) {
            doActivate(entry);
            return true;
        }
    }
    return false;
}

bool HbmPimChannel::issuePrecharge() {
    unsigned wanted = 0; // banks whose open row a burst up to the first barrier still needs
    bool known = false;
    for (int n = 0; n < kBanks; ++n) {
        const int bank = (m_precharge + n) % kBanks;
        const auto at = static_cast<std::size_t>(bank);
        if (!m_open[at] || m_now < m_nextPrecharge[at])
            continue;
        if (!known) {
            known = true;
            for (const Entry& entry : m_queue) {
                if (m_open[entry.bank] && m_row[entry.bank] == entry.row)
                    wanted |= bit(entry.bank);
                if (entry.barrier)
                    break;
            }
        }
        if (wanted & bit(bank))
            continue;
        m_precharge = bank;
        doPrecharge(bank);
        return true;
    }
    return false;
}

/// First clock at which the four-activate window lets another activation through.
std::int64_t HbmPimChannel::windowOpens() const {
    if (!m_timing.strict)
        return 0;
    // Four banks at a time in all-bank mode: none of the window may be taken.
    return m_lastActivations[m_mode == HbmPimMode::SingleBank ? 0 : 3] + m_timing.tXAW;
}

void HbmPimChannel::doActivate(const Entry& entry) {
    const auto at = static_cast<std::size_t>(entry.bank);
    const bool eight = m_timing.strict && m_mode != HbmPimMode::SingleBank;
    const int later = eight ? m_timing.tXAW : 0; // of the second four banks
    if (eight) {
        m_lastActivations.fill(m_now + later);
    } else {
        std::rotate(m_lastActivations.begin(), m_lastActivations.begin() + 1, m_lastActivations.end());
        m_lastActivations.back() = m_now;
    }
    for (int other = 0; other < kBanks; ++other) {
        if (other == entry.bank)
            continue;
        const bool sameGroup = groupOf(other) == groupOf(entry.bank);
        atLeast(m_nextActivate[static_cast<std::size_t>(other)],
                m_now + (sameGroup ? m_timing.tRRDL : m_timing.tRRDS));
    }
    m_open[at] = true;
    m_row[at] = entry.row;
    atLeast(m_nextActivate[at], m_now + later + m_timing.tRC);
    atLeast(m_nextPrecharge[at], m_now + later + m_timing.tRAS);
    atLeast(m_nextRead[at], m_now + later + m_timing.tRCDRD);
    atLeast(m_nextWrite[at], m_now + later + m_timing.tRCDWR);
    send(HbmPimCommandKind::Activate, 0, entry.bank, entry.row, &entry);
}

void HbmPimChannel::doPrecharge(int bank) {
    const auto at = static_cast<std::size_t>(bank);
    m_open[at] = false;
    m_idleAt[at] = m_now + m_timing.tRP;
    atLeast(m_nextActivate[at], m_now + m_timing.tRP);
    send(HbmPimCommandKind::Precharge, 0, bank, m_row[at], nullptr);
}

void HbmPimChannel::doColumn(const Entry& entry) {
    const std::int64_t near = m_now + std::max(m_timing.tCCDL, m_timing.burst());
    const std::int64_t far = m_now + std::max(m_timing.tCCDS, m_timing.burst());
    auto& same = entry.write ? m_nextWrite : m_nextRead;
    auto& turned = entry.write ? m_nextRead : m_nextWrite;
    const bool allGroups = m_timing.strict && m_mode != HbmPimMode::SingleBank;
    for (int bank = 0; bank < kBanks; ++bank) {
        const auto at = static_cast<std::size_t>(bank);
        const bool sameGroup = allGroups || groupOf(bank) == groupOf(entry.bank);
        atLeast(same[at], sameGroup ? near : far);
        atLeast(turned[at], m_now + (!entry.write ? m_timing.readToWrite()
                                     : sameGroup  ? m_timing.writeToRead()
                                                  : m_timing.writeToOtherGroup()));
    }
    atLeast(m_nextPrecharge[entry.bank],
            m_now + (entry.write ? m_timing.writeToPrecharge() : m_timing.readToPrecharge()));
    m_lastIssued = m_now;
    atLeast(m_lastDone, m_now + (entry.write ? m_timing.writeDone() : m_timing.readDone()));
    send(entry.write ? HbmPimCommandKind::Write : HbmPimCommandKind::Read, 0, entry.bank, entry.row, &entry);
}

void HbmPimChannel::send(HbmPimCommandKind kind, int rank, int bank, int row, const Entry* entry) {
    m_sent = {};
    m_sent.cycle = m_now + 1;
    m_sent.kind = kind;
    m_sent.rank = static_cast<std::int8_t>(rank);
    m_sent.bank = static_cast<std::int8_t>(bank);
    m_sent.row = row;
    if (entry != nullptr) {
        const HbmPimBurst& burst = (*m_offered)[static_cast<std::size_t>(entry->burst)];
        m_sent.tag = burst.tag;
        m_sent.barrier = burst.barrier;
        if (kind != HbmPimCommandKind::Activate) {
            m_sent.column = burst.column;
            m_sent.data = burst.data;
            m_sent.pimOn = burst.pimOn;
        }
    }
    m_onBus = true;
}

void HbmPimChannel::arrive() {
    m_onBus = false;
    // PIM modes are of rank 0; the others stay as they are after power-up.
    m_sent.mode = m_sent.rank == 0 ? m_mode : HbmPimMode::SingleBank;
    count(m_sent);
    if (m_keepLog)
        m_log.push_back(m_sent);
    if (m_sent.rank == 0)
        follow(m_sent);
}

void HbmPimChannel::count(const HbmPimCommand& command) {
    ++m_counts.byMode[static_cast<std::size_t>(command.mode)][static_cast<std::size_t>(command.kind)];
    const bool read = command.kind == HbmPimCommandKind::Read;
    const bool write = command.kind == HbmPimCommandKind::Write;
    if ((!read && !write) || command.mode == HbmPimMode::SingleBank)
        return;
    const bool isStep = command.mode == HbmPimMode::Pim && !(command.row & 0x1000);
    if (isStep)
        ++(read ? m_counts.readSteps : m_counts.writeSteps);
    if (!write || isStep)
        return;
    ++m_counts.allBankWrites;
    if (command.row != G::kRegisterRow)
        return;
    if (command.column == 0)
        ++m_counts.modeWrites;
    else if (command.column >= 4 && command.column < 8)
        ++m_counts.crfWrites;
    else if (command.column >= 8)
        ++m_counts.grfWrites;
}

/// The mode protocol: entered on the activation of one row in four banks, left on the closing of another in
/// two.
void HbmPimChannel::follow(const HbmPimCommand& command) {
    constexpr unsigned kEnter = bit(0) | bit(1) | bit(8) | bit(9), kLeave = bit(0) | bit(1);
    switch (command.kind) {
    case HbmPimCommandKind::Activate:
        if (m_mode == HbmPimMode::SingleBank && command.row == G::kEnterRow) {
            m_entered |= bit(command.bank);
            if ((m_entered & kEnter) == kEnter) {
                m_mode = HbmPimMode::AllBank;
                m_entered = 0;
            }
        }
        break;
    case HbmPimCommandKind::Precharge:
        if (m_mode == HbmPimMode::AllBank && command.row == G::kLeaveRow) {
            m_left |= bit(command.bank);
            if ((m_left & kLeave) == kLeave) {
                m_mode = HbmPimMode::SingleBank;
                m_left = 0;
            }
        }
        break;
    case HbmPimCommandKind::Write:
        if (m_mode != HbmPimMode::SingleBank && command.row == G::kRegisterRow && command.column == 0)
            m_mode = command.pimOn ? HbmPimMode::Pim : HbmPimMode::AllBank;
        break;
    default:
        break;
    }
}

} // namespace pim
