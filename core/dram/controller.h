// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A memory controller over one channel: queues, scheduler, write drain, refresh, and the pace at which the
/// device takes commands. Goes from one tick in which something can happen to the next; the ticks in between
/// are not visited, and the result is the one of visiting them all.
///
/// The configuration `ramulator-2.1` reproduces that simulator (commit c5b1c3a): 32 + 32 entries, write mode
/// above 0.8 and below 0.2 of the write queue, rows stay open, one request offered in a tick, read after
/// buffered write forwarded, write after buffered write dropped.
///
/// The configuration `strict` does what controllers do where that simulator is a simplification: rows that
/// nobody wants are closed after a while, a row is not closed before older requests for it are served, and a
/// read finds every write before it to the same bytes, whatever address within the access it gives and even
/// if the row has been opened for the write already.
///
/// Protocols (DramDevice::protocol):
///   one-bus         one command a tick (DDR3-5, GDDR6)
///   two-bus         a column and a row command a tick (HBM1, HBM2, GDDR7 with its read clock always on)
///   half-clock      ticks are half clocks: both buses at odd ticks, only precharges at even ones (HBM3,
///   HBM4) split-activate  activation in two commands, data clock synchronised before an access after a pause
///   (LPDDR5, 6)
#include "core/dram/address.h"
#include "core/dram/engine.h"

#include <array>

namespace pim {

enum class DramScheduler : std::uint8_t {
    FrFcfs,       ///< Oldest of those whose next command may be issued now.
    FrFcfsRowHit, ///< The same, but a row is not closed while an older request for it waits.
    Fcfs,         ///< The oldest, or nothing.
};
enum class DramRefresh : std::uint8_t { Off, AllBank, PerBank };
/// When a row is closed that no waiting request wants. A row that a request for another row waits for is
/// closed under any.
enum class DramPagePolicy : std::uint8_t {
    Open,    ///< Never.
    Closed,  ///< At once.
    Timeout, ///< Once its last access is DramControllerConfig::pageTimeout ago.
};

struct DramControllerConfig {
    std::string name = "ramulator-2.1";
    DramScheduler scheduler = DramScheduler::FrFcfs;
    DramRefresh refresh = DramRefresh::AllBank;
    int readQueue = 32, writeQueue = 32; ///< Entries, 1..1024.
    double writeHigh = 0.8, writeLow = 0.2;
    DramPagePolicy pagePolicy = DramPagePolicy::Open;
    /// 0: nRC of the device, as long as a row is kept from being opened again anyway.
    DramTick pageTimeout = 0;
    /// Requests to the same access of a bank see each other until the access is issued; otherwise only those
    /// of the same address, until the row is opened.
    bool wholeAccesses = false;
};

struct DramRequest {
    std::uint64_t address = 0; ///< Byte address in the channel.
    bool write = false;
};

struct DramStatistics {
    DramTick allSent = 0; ///< Tick after which the last request was taken; stock Ramulator stops there.
    DramTick drained = 0; ///< Tick in which the last read had returned and the last write was issued.
    std::int64_t requests = 0, reads = 0, writes = 0, forwarded = 0, coalesced = 0;
    std::int64_t hits = 0, misses = 0,
                 conflicts = 0;      ///< By the state of the bank at a request's first command.
    std::int64_t readLatencySum = 0; ///< From offer to data, forwarded reads included.
    DramTick readLatencyMax = 0;
    std::vector<std::int64_t> commands; ///< By index into DramDevice::commands.
};

/// Is told every command; for logs and timelines.
class IDramObserver {
public:
    virtual ~IDramObserver() = default;
    /// \p row and \p column are those of the request, -1 for a refresh and what it needs.
    virtual void onCommand(DramTick tick, int command, int bank, std::int64_t row, std::int64_t column) = 0;
};

class DramController {
public:
    /// Error::Unsupported if the device lacks what the configuration needs.
    static Result<DramController> create(const DramDevice& device, const DramControllerConfig& config,
                                         IDramObserver* observer = nullptr);

    /// Whether offer() would take the request before the next tick.
    bool accepts(const DramRequest& request) const;
    /// Takes it; accepts() has to be true and the address within the device.
    void offer(const DramRequest& request);

    DramTick now() const { return m_now; }
    /// Does the work of tick \p tick, which is after now() and not after wake().
    void advance(DramTick tick);
    /// Next tick in which something can happen if nothing is offered before; now() + 1 is always safe.
    DramTick wake() const { return m_wake < m_nextRefresh ? m_wake : m_nextRefresh; }
    /// Nothing waits in a queue; data may still be on its way until statistics().drained.
    bool idle() const {
        return m_reads.empty() && m_writes.empty() && m_active.empty() && m_activating.empty();
    }

    const DramStatistics& statistics() const { return m_statistics; }
    std::uint64_t addressLimit() const { return m_map.size(); }

private:
    struct Entry {
        std::uint64_t address = 0;
        std::int64_t row = 0;
        DramTick arrive = 0;
        int bank = 0;
        int final = 0; ///< The command that serves it.
        bool write = false;
        bool counted = false; ///< As hit, miss or conflict.
    };
    /// First come at the front; room for its limit is set aside, so nothing is allocated later.
    struct Queue {
        std::vector<Entry> entries;
        std::size_t limit = 0;
        bool empty() const { return entries.empty(); }
        bool full() const { return entries.size() >= limit; }
    };
    struct Pick {
        Queue* queue = nullptr;
        std::size_t index = 0;
        int command = -1;
        explicit operator bool() const { return queue != nullptr; }
    };
    /// Which commands one look at the queues may take.
    enum class Slot : std::uint8_t { Any, Row, Column, FallingEdge };

    DramController(const DramDevice& device, const DramControllerConfig& config, IDramObserver* observer);

    void stepOneBus();
    void stepTwoBus();
    void stepHalfClock();
    void stepSplitActivate();

    int nextCommand(const Entry& entry) const;
    int nextMaintenance(const Entry& entry) const;
    bool slotTakes(int command, const Entry& entry, Slot slot);
    bool blocked(int command, const Entry& entry) const;
    bool targetsActive(int command, int bank) const;
    bool targetsActivating(int command, int bank) const;
    void wakeAt(DramTick tick) { m_wake = tick < m_wake ? tick : m_wake; }
    void noteRowHits(const Queue& queue);
    Pick pickFrom(Queue& queue, Slot slot);
    Pick pickActive(Slot slot);
    Pick pickMaintenance(Slot slot);
    Pick pickQueued(Slot slot);
    Pick pickUnwanted(Slot slot);
    void noteWanted(const Queue& queue);
    Pick pickActivating(bool dueOnly);
    void setWriteMode();
    void issue(const Pick& pick);
    void issueRow(int command, Entry& entry);
    void serve(Queue& queue, std::size_t index);
    void refresh();
    void count(Entry& entry);
    bool buffered(std::uint64_t address) const;
    bool buffered(const Queue& queue, std::uint64_t address) const;
    void finishActivation(const Pick& pick);
    bool synchronise(const Pick& pick);
    bool isAccess(int command) const { return command == m_read || command == m_write; }

    DramDevice m_device;
    DramControllerConfig m_config;
    IDramObserver* m_observer = nullptr;
    DramAddressMap m_map;
    DramEngine m_engine;
    DramStatistics m_statistics;

    // The commands used, by index; -1 where the device has none.
    int m_activate = -1, m_activateFirst = -1, m_prechargeBank = -1, m_prechargeAll = -1, m_read = -1,
        m_write = -1, m_refreshCommand = -1, m_syncRead = -1, m_syncWrite = -1;

    std::vector<DramBus> m_bus; ///< By command.

    Queue m_reads, m_writes, m_active, m_activating, m_maintenance;
    Queue m_unwanted; ///< At most one bank to be closed; filled when there is room for its command.
    std::vector<int> m_activeInBank;       ///< Requests whose activation was issued and whose access was not.
    std::vector<DramTick> m_activateBy;    ///< Second half due, by bank; -1 where none is.
    std::vector<DramTick> m_rowHitArrival; ///< Oldest waiting hit by bank, kDramNever if none.
    std::vector<bool> m_wanted;            ///< By bank: a request for its open row waits.
    std::vector<DramTick> m_lastAccess;    ///< By bank.
    DramTick m_pageTimeout = 0;
    bool m_writeMode = false;

    DramTick m_now = 0;
    DramTick m_wake = 1;
    bool m_issued = false; ///< Something was issued in this tick.
    DramTick m_nextRefresh = kDramNever;
    DramTick m_refreshInterval = 0;
    int m_refreshBank = 0; ///< Next bank of a per-bank refresh.

    // half-clock: the last row command of a rising edge keeps some precharges from the edge it is paired
    // with.
    int m_pairedCommand = -1, m_pairedBank = 0;
    DramTick m_pairedEdge = -1;
    int m_pseudoChannelLevel = 0;

    // split-activate: the data clock runs until m_clockUntil; after CAS the access follows before anything
    // else.
    DramTick m_clockUntil = 0;
    Pick m_afterSync;
    DramTick m_readToData = 0, m_writeToData = 0, m_burst = 0, m_clockTail = 0, m_activateWindow = 0,
             m_syncGuard = 1;
};

} // namespace pim
