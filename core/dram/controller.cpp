// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What all protocols share: taking requests, choosing among them, issuing, refresh.
#include "core/dram/controller.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::size_t kMaintenanceLimit = 1568; // as the simulator has it; a refresh storm never gets near it

int firstOf(const DramDevice& device, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const int found = device.command(name); found >= 0)
            return found;
    return -1;
}

} // namespace

Result<DramController> DramController::create(const DramDevice& device, const DramControllerConfig& config,
                                              IDramObserver* observer) {
    const auto needs = [&](const char* what) {
        return fail(ErrorCode::Unsupported, fmt::format("device \"{}\" has no {}", device.name, what), {},
                    "choose another device or controller");
    };
    if (config.readQueue < 1 || config.readQueue > 1024 || config.writeQueue < 1 || config.writeQueue > 1024)
        return fail(ErrorCode::Usage, fmt::format("queues of {} and {} entries; 1 to 1024 are allowed",
                                                  config.readQueue, config.writeQueue));
    DramController controller(device, config, observer);
    if (controller.m_activate < 0)
        return needs("command that opens a row");
    if (controller.m_prechargeBank < 0 || controller.m_prechargeAll < 0)
        return needs("command PREpb or PREab");
    if (controller.m_read < 0 || controller.m_write < 0)
        return needs("command RD or WR");
    if (device.protocol == "split-activate" &&
        (controller.m_activateFirst < 0 || controller.m_syncRead < 0 || controller.m_syncWrite < 0))
        return needs("command ACT1 or CAS");
    if (config.refresh == DramRefresh::AllBank && (device.command("REFab") < 0 || device.time("nREFI") <= 0))
        return needs("all-bank refresh (REFab, nREFI)");
    if (config.refresh == DramRefresh::PerBank &&
        (device.command("REFpb") < 0 || device.time("nREFIpb") <= 0))
        return needs("per-bank refresh (REFpb, nREFIpb)");
    return controller;
}

DramController::DramController(const DramDevice& device, const DramControllerConfig& config,
                               IDramObserver* observer)
    : m_device(device), m_config(config), m_observer(observer), m_map(device), m_engine(device, [&] {
          // Only what will be issued has to be kept up to date.
          std::vector<bool> used(device.commands.size(), false);
          for (const char* name : {"ACT", "ACT1", "ACT2", "PREpb", "PREab", "RD", "WR", "RD_S", "WR_S", "CAS",
                                   "CAS_RD", "CAS_WR"})
              if (const int found = device.command(name); found >= 0)
                  used[std::size_t(found)] = true;
          const int refresh = config.refresh == DramRefresh::AllBank   ? device.command("REFab")
                              : config.refresh == DramRefresh::PerBank ? device.command("REFpb")
                                                                       : -1;
          if (refresh >= 0)
              used[std::size_t(refresh)] = true;
          return used;
      }()) {
    m_activate = firstOf(device, {"ACT", "ACT2"});
    m_activateFirst = device.command("ACT1");
    m_prechargeBank = device.command("PREpb");
    m_prechargeAll = device.command("PREab");
    m_read = firstOf(device, {"RD", "RD_S"});
    m_write = firstOf(device, {"WR", "WR_S"});
    m_syncRead = firstOf(device, {"CAS_RD", "CAS"});
    m_syncWrite = firstOf(device, {"CAS_WR", "CAS"});
    if (config.refresh == DramRefresh::AllBank) {
        m_refreshCommand = device.command("REFab");
        m_refreshInterval = device.time("nREFI");
    } else if (config.refresh == DramRefresh::PerBank) {
        m_refreshCommand = device.command("REFpb");
        m_refreshInterval = device.time("nREFIpb");
    }
    if (m_refreshCommand >= 0 && m_refreshInterval > 0)
        m_nextRefresh = m_refreshInterval;
    const auto banks = std::size_t(device.bankCount());
    const auto makeRoom = [](Queue& queue, std::size_t limit) {
        queue.limit = limit;
        queue.entries.reserve(limit);
    };
    makeRoom(m_reads, std::size_t(config.readQueue));
    makeRoom(m_writes, std::size_t(config.writeQueue));
    makeRoom(m_active, banks);
    makeRoom(m_activating, banks);
    makeRoom(m_maintenance, kMaintenanceLimit);
    m_activeInBank.assign(banks, 0);
    m_activateBy.assign(banks, -1);
    m_rowHitArrival.assign(banks, kDramNever);
    makeRoom(m_unwanted, 1);
    m_wanted.assign(banks, false);
    m_lastAccess.assign(banks, 0);
    if (config.pagePolicy == DramPagePolicy::Timeout)
        m_pageTimeout = config.pageTimeout > 0 ? config.pageTimeout : device.time("nRC");
    m_pseudoChannelLevel = std::max(0, device.level("PseudoChannel"));
    m_readToData = device.time("nRL") > 0 ? device.time("nRL") : device.time("nCL");
    m_writeToData = device.time("nWL") > 0 ? device.time("nWL") : device.time("nCWL");
    m_burst = device.time("nBL_min");
    m_clockTail = device.time("nWCKPST");
    m_activateWindow = device.time("nAAD");
    m_syncGuard = std::max<DramTick>(1, device.time("nCASGuard"));
    m_statistics.commands.assign(device.commands.size(), 0);
    for (const DramCommand& command : device.commands)
        m_bus.push_back(command.bus);
}

bool DramController::buffered(const Queue& queue, std::uint64_t address) const {
    const int shift = m_config.wholeAccesses ? m_device.offsetBits() : 0;
    return std::any_of(queue.entries.begin(), queue.entries.end(), [&](const Entry& entry) {
        return entry.write && entry.address >> shift == address >> shift;
    });
}

/// A write to the address waits.
bool DramController::buffered(std::uint64_t address) const {
    return buffered(m_writes, address) ||
           (m_config.wholeAccesses && (buffered(m_active, address) || buffered(m_activating, address)));
}

bool DramController::accepts(const DramRequest& request) const {
    if (!(request.write ? m_writes : m_reads).full())
        return true;
    return buffered(request.address);
}

void DramController::offer(const DramRequest& request) {
    ++m_statistics.requests;
    m_statistics.allSent = m_now;
    if (buffered(request.address)) {
        if (request.write) {
            ++m_statistics.coalesced;
            m_statistics.drained = std::max(m_statistics.drained, m_now + 1);
        } else {
            ++m_statistics.forwarded;
            m_statistics.readLatencySum += 1;
            m_statistics.readLatencyMax = std::max<DramTick>(m_statistics.readLatencyMax, 1);
            m_statistics.drained = std::max(m_statistics.drained, m_now + 1);
        }
        return;
    }
    const DramPlace place = m_map.place(request.address);
    Queue& queue = request.write ? m_writes : m_reads;
    queue.entries.push_back({request.address, place.row, m_now, place.bank, request.write ? m_write : m_read,
                             request.write, false});
    m_wake = m_now + 1;
}

void DramController::advance(DramTick tick) {
    m_now = tick;
    m_wake = kDramNever;
    m_issued = false;
    if (tick == m_nextRefresh)
        refresh();
    switch (m_device.protocol[0]) {
    case 'o':
        stepOneBus();
        break;
    case 't':
        stepTwoBus();
        break;
    case 'h':
        stepHalfClock();
        break;
    default:
        stepSplitActivate();
        break;
    }
    if (m_issued)
        m_wake = tick + 1;
    PIM_ASSERT(m_wake > tick, "a tick without an issue names a later one");
}

/// All nodes of the level at once, or one bank after the other.
void DramController::refresh() {
    m_nextRefresh += m_refreshInterval;
    const int banks = m_engine.bankCount();
    const int under = m_device.banksUnder(m_device.commands[std::size_t(m_refreshCommand)].level);
    const auto request = [&](int bank) {
        PIM_ASSERT(!m_maintenance.full(), "refreshes are served before they pile up");
        Entry entry;
        entry.row = kDramNoRow;
        entry.arrive = m_now;
        entry.bank = bank;
        entry.final = m_refreshCommand;
        entry.counted = true;
        m_maintenance.entries.push_back(entry);
    };
    if (m_config.refresh == DramRefresh::PerBank) {
        request(m_refreshBank);
        m_refreshBank = (m_refreshBank + 1) % banks;
        return;
    }
    for (int bank = 0; bank < banks; bank += under)
        request(bank);
}

int DramController::nextCommand(const Entry& entry) const {
    const std::int64_t open = m_engine.openRow(entry.bank);
    if (open == entry.row)
        return entry.final;
    if (open != kDramNoRow)
        return m_prechargeBank;
    return m_activateFirst >= 0 ? m_activateFirst : m_activate;
}

int DramController::nextMaintenance(const Entry& entry) const {
    if (!m_engine.anyOpen(m_engine.banksOf(entry.final, entry.bank)))
        return entry.final;
    return m_config.refresh == DramRefresh::PerBank ? m_prechargeBank : m_prechargeAll;
}

bool DramController::targetsActive(int command, int bank) const {
    const DramBanks banks = m_engine.banksOf(command, bank);
    for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
        if (m_activeInBank[std::size_t(b)] > 0)
            return true;
    return false;
}

bool DramController::targetsActivating(int command, int bank) const {
    const DramBanks banks = m_engine.banksOf(command, bank);
    for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
        if (m_activateBy[std::size_t(b)] >= 0)
            return true;
    return false;
}

/// Held back by what other requests are about, until one of them is served; time alone does not help.
bool DramController::blocked(int command, const Entry& entry) const {
    if (!m_activating.empty()) {
        // While an activation is half done: no second one, and nothing that closes its bank.
        if (command == m_activateFirst)
            return true;
        if (!isAccess(command) && targetsActivating(command, entry.bank))
            return true;
    }
    if (command != m_prechargeBank)
        return false;
    if (m_activeInBank[std::size_t(entry.bank)] > 0)
        return true;
    return m_config.scheduler == DramScheduler::FrFcfsRowHit &&
           m_rowHitArrival[std::size_t(entry.bank)] <= entry.arrive;
}

bool DramController::slotTakes(int command, const Entry& entry, Slot slot) {
    switch (slot) {
    case Slot::Any:
        return true;
    case Slot::Row:
        return m_bus[std::size_t(command)] == DramBus::Row;
    case Slot::Column:
        return m_bus[std::size_t(command)] == DramBus::Column;
    case Slot::FallingEdge:
        break;
    }
    if (command != m_prechargeBank && command != m_prechargeAll)
        return false;
    if (m_now != m_pairedEdge)
        return true;
    const DramBanks pseudoChannel = m_engine.banksAt(m_pseudoChannelLevel, m_pairedBank);
    if (entry.bank < pseudoChannel.first || entry.bank >= pseudoChannel.first + pseudoChannel.count)
        return true;
    const bool allBanks = m_device.commands[std::size_t(m_pairedCommand)].level < m_device.bankLevel;
    return !allBanks && command == m_prechargeBank && entry.bank != m_pairedBank;
}

void DramController::noteRowHits(const Queue& queue) {
    std::fill(m_rowHitArrival.begin(), m_rowHitArrival.end(), kDramNever);
    for (const Entry& entry : queue.entries)
        if (m_engine.openRow(entry.bank) == entry.row) {
            DramTick& oldest = m_rowHitArrival[std::size_t(entry.bank)];
            oldest = std::min(oldest, entry.arrive);
        }
}

/// The oldest request of a queue in order of arrival that can go now.
DramController::Pick DramController::pickFrom(Queue& queue, Slot slot) {
    if (m_config.scheduler == DramScheduler::FrFcfsRowHit)
        noteRowHits(queue);
    const bool headOnly = m_config.scheduler == DramScheduler::Fcfs;
    const std::size_t end = headOnly ? std::min<std::size_t>(1, queue.entries.size()) : queue.entries.size();
    for (std::size_t i = 0; i < end; ++i) {
        const Entry& entry = queue.entries[i];
        const int command = nextCommand(entry);
        const DramTick ready = m_engine.earliest(command, entry.bank);
        // Most wait longer than another one already found: nothing more has to be known of them.
        if (ready > m_now && ready >= m_wake)
            continue;
        if (blocked(command, entry))
            continue;
        if (!slotTakes(command, entry, slot)) {
            if (slot == Slot::FallingEdge)
                wakeAt(std::max(ready, m_now + 1));
            continue;
        }
        if (ready <= m_now)
            return {&queue, i, command};
        wakeAt(ready);
    }
    return {};
}

/// Requests whose row was opened for them; they may have been opened out of order of arrival.
DramController::Pick DramController::pickActive(Slot slot) {
    Pick best;
    for (std::size_t i = 0; i < m_active.entries.size(); ++i) {
        const Entry& entry = m_active.entries[i];
        const int command = nextCommand(entry);
        const DramTick ready = m_engine.earliest(command, entry.bank);
        if (!slotTakes(command, entry, slot)) {
            if (slot == Slot::FallingEdge)
                wakeAt(std::max(ready, m_now + 1));
            continue;
        }
        if (ready > m_now)
            wakeAt(ready);
        else if (!best || entry.arrive < m_active.entries[best.index].arrive)
            best = {&m_active, i, command};
    }
    return best;
}

DramController::Pick DramController::pickMaintenance(Slot slot) {
    if (m_maintenance.empty())
        return {};
    const Entry& entry = m_maintenance.entries.front();
    const int command = nextMaintenance(entry);
    const bool closes = command != entry.final;
    if (closes && targetsActive(command, entry.bank))
        return {};
    if (!m_activating.empty() && targetsActivating(command, entry.bank))
        return {};
    const DramTick ready = m_engine.earliestAll(command, entry.bank);
    if (ready > m_now) {
        wakeAt(ready);
        return {};
    }
    if (!slotTakes(command, entry, slot)) {
        if (slot == Slot::FallingEdge)
            wakeAt(m_now + 1);
        return {};
    }
    return {&m_maintenance, 0, command};
}

void DramController::setWriteMode() {
    const auto writes = double(m_writes.entries.size());
    if (!m_writeMode)
        m_writeMode = writes > m_config.writeHigh * m_config.writeQueue || m_reads.empty();
    else if (writes < m_config.writeLow * m_config.writeQueue && !m_reads.empty())
        m_writeMode = false;
}

DramController::Pick DramController::pickQueued(Slot slot) {
    if (!m_maintenance.empty())
        return {};
    setWriteMode();
    return pickFrom(m_writeMode ? m_writes : m_reads, slot);
}

void DramController::noteWanted(const Queue& queue) {
    for (const Entry& entry : queue.entries)
        if (m_engine.openRow(entry.bank) == entry.row)
            m_wanted[std::size_t(entry.bank)] = true;
}

/// A row to be closed by the page policy.
DramController::Pick DramController::pickUnwanted(Slot slot) {
    if (m_config.pagePolicy == DramPagePolicy::Open)
        return {};
    std::fill(m_wanted.begin(), m_wanted.end(), false);
    for (const Queue* queue : {&m_reads, &m_writes, &m_active})
        noteWanted(*queue);
    for (int bank = 0; bank < m_engine.bankCount(); ++bank) {
        if (m_engine.openRow(bank) == kDramNoRow || m_wanted[std::size_t(bank)] ||
            targetsActivating(m_prechargeBank, bank))
            continue;
        const DramTick ready = std::max(m_engine.earliest(m_prechargeBank, bank),
                                        m_lastAccess[std::size_t(bank)] + m_pageTimeout);
        Entry entry;
        entry.row = kDramNoRow;
        entry.bank = bank;
        entry.final = m_prechargeBank;
        entry.counted = true;
        if (ready > m_now || !slotTakes(m_prechargeBank, entry, slot)) {
            wakeAt(std::max(ready, m_now + 1));
            continue;
        }
        m_unwanted.entries.assign(1, entry);
        return {&m_unwanted, 0, m_prechargeBank};
    }
    return {};
}

void DramController::count(Entry& entry) {
    if (entry.counted)
        return;
    entry.counted = true;
    const std::int64_t open = m_engine.openRow(entry.bank);
    ++(open == entry.row    ? m_statistics.hits
       : open == kDramNoRow ? m_statistics.misses
                            : m_statistics.conflicts);
}

/// Tells the device, the statistics and the observer.
void DramController::issueRow(int command, Entry& entry) {
    m_issued = true;
    ++m_statistics.commands[std::size_t(command)];
    if (m_observer)
        m_observer->onCommand(m_now, command, entry.bank, entry.row,
                              entry.row == kDramNoRow ? -1 : m_map.place(entry.address).column);
    m_engine.issue(command, entry.bank, entry.row, m_now);
}

/// The access was issued: the request leaves.
void DramController::serve(Queue& queue, std::size_t index) {
    const Entry& entry = queue.entries[index];
    if (&queue == &m_active)
        --m_activeInBank[std::size_t(entry.bank)];
    if (isAccess(entry.final)) {
        m_lastAccess[std::size_t(entry.bank)] = m_now;
        if (entry.write) {
            ++m_statistics.writes;
            m_statistics.drained = std::max(m_statistics.drained, m_now);
        } else {
            ++m_statistics.reads;
            const DramTick back = m_now + m_device.readLatency;
            m_statistics.readLatencySum += back - entry.arrive;
            m_statistics.readLatencyMax = std::max(m_statistics.readLatencyMax, back - entry.arrive);
            m_statistics.drained = std::max(m_statistics.drained, back);
        }
    }
    queue.entries.erase(queue.entries.begin() + std::ptrdiff_t(index));
}

void DramController::issue(const Pick& pick) {
    Queue& queue = *pick.queue;
    Entry& entry = queue.entries[pick.index];
    count(entry);
    issueRow(pick.command, entry);
    if (pick.command == entry.final) {
        serve(queue, pick.index);
        return;
    }
    const bool first = pick.command == m_activateFirst;
    if (!first && pick.command != m_activate)
        return;
    if (first)
        m_activateBy[std::size_t(entry.bank)] = m_now + m_activateWindow;
    else
        ++m_activeInBank[std::size_t(entry.bank)];
    (first ? m_activating : m_active).entries.push_back(entry);
    queue.entries.erase(queue.entries.begin() + std::ptrdiff_t(pick.index));
}

} // namespace pim
