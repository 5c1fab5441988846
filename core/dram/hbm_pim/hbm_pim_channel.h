// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One pseudo-channel of HBM2-PIM under the controller of Samsung's public simulator (PIMSimulator b464dde),
/// clock by clock and with its quirks: eager closing of rows, barriers that order issue only, refresh that
/// does not wait for tRP, no tFAW (HbmPimTiming::strict goes without the quirks of timing). Takes a list of
/// bursts, gives the clock at which the last one is done, counts and, if asked, every command. Clocks in
/// which nothing can happen are jumped over.
#include "core/dram/hbm_pim/hbm_pim_timing.h"

#include <array>
#include <stop_token>
#include <vector>

namespace pim {

/// What a burst is for; only shown in logs.
enum class HbmPimTag : std::uint8_t {
    None,
    StartParkIn,
    ParkIn,
    EndParkIn,
    StartParkOut,
    ParkOut,
    EndParkOut,
    StartSbToHab,
    EndSbToHab,
    StartHabToSb,
    EndHabToSb,
    ProgramCrf,
    PimMode,
    HostToGrf,
    Mac,
    GrfBToBank,
    BankToGrf,
    Arithmetic,
    GrfToBank,
    FillRelu,
    GrfAToEvenBank,
    GrfBToOddBank,
};
std::string_view name(HbmPimTag tag); ///< As the simulator's own names.

/// One burst the host asks for, in rank 0.
struct HbmPimBurst {
    bool write = false;
    bool barrier = false; ///< Nothing younger is issued before it, and it not before anything older.
    std::uint8_t bank = 0;
    std::uint8_t column = 0; ///< In bursts.
    std::uint16_t row = 0;
    HbmPimTag tag = HbmPimTag::None;
    std::int32_t data = -1; ///< Index of what a write carries; -1: of no interest.
    bool pimOn = false;     ///< Bit 0 of byte 0 where the burst goes to the control register: PIM mode on.
};

enum class HbmPimMode : std::uint8_t { SingleBank, AllBank, Pim };
std::string_view name(HbmPimMode mode); ///< SB, HAB, HAB_PIM

enum class HbmPimCommandKind : std::uint8_t { Activate, Precharge, Read, Write, Refresh };
std::string_view name(HbmPimCommandKind kind); ///< ACT, PRE, RD, WR, REF

/// A command as it reaches the memory.
struct HbmPimCommand {
    std::int64_t cycle = 0; ///< Of arrival, one after its issue.
    HbmPimCommandKind kind = HbmPimCommandKind::Activate;
    HbmPimMode mode = HbmPimMode::SingleBank; ///< Before the command takes effect.
    bool barrier = false;
    std::int8_t rank = 0;
    std::int8_t bank = -1; ///< -1: all of the rank.
    std::int16_t column = -1;
    std::int32_t row = -1;
    HbmPimTag tag = HbmPimTag::None;
    std::int32_t data = -1; ///< HbmPimBurst::data of a read or write.
    bool pimOn = false;     ///< HbmPimBurst::pimOn
};

/// How many commands of each kind arrived, by mode.
struct HbmPimCounts {
    std::array<std::array<std::int64_t, 5>, 3> byMode{}; ///< [HbmPimMode][HbmPimCommandKind]
    std::int64_t readSteps = 0;                          ///< Reads that ran a step of the microprogram.
    std::int64_t writeSteps = 0;
    std::int64_t grfWrites = 0, crfWrites = 0, modeWrites = 0; ///< Bursts to row 3fff.
    std::int64_t allBankWrites = 0; ///< Writes in AllBank and Pim that are no step.

    std::int64_t of(HbmPimCommandKind kind) const;
    std::int64_t total() const;
    HbmPimCounts& add(const HbmPimCounts& other, std::int64_t times);
};

class HbmPimChannel {
public:
    /// \param ranks 1 or more; bursts go to rank 0, the others only take their slots for refresh.
    HbmPimChannel(const HbmPimTiming& timing, int ranks, bool keepLog);

    /// Bursts offered from the present clock on, in this order. \p bursts must outlive drain().
    void offer(const std::vector<HbmPimBurst>& bursts);
    /// Goes on until the last offered burst is done; the present clock is then the one after it.
    /// False if stopped before, or stuck.
    bool drain(const std::stop_token& stop = {});
    /// The burst that will never be issued: the row it needs is closed, and in all-bank mode only rows of banks 0 and 1 open. Null: none.
    const HbmPimBurst* stuckAt() const {
        return m_isStuck ? &(*m_offered)[std::size_t(m_queue.front().burst)] : nullptr;
    }
    /// Goes on, refreshing and closing rows, until \p cycle.
    void runTo(std::int64_t cycle);

    std::int64_t now() const { return m_now; }
    const HbmPimCounts& counts() const { return m_counts; }
    const std::vector<HbmPimCommand>& log() const { return m_log; } ///< Empty unless asked for.

private:
    struct Entry {
        std::uint32_t place; ///< bank, row, column in one word.
        std::int32_t row;
        std::uint8_t bank;
        bool write;
        bool barrier;
        std::int32_t burst;
    };

    void step();
    void arrive();
    bool issue();
    bool refresh();
    std::int64_t windowOpens() const;
    bool issueColumn();
    bool issueActivate();
    bool issuePrecharge();
    void send(HbmPimCommandKind kind, int rank, int bank, int row, const Entry* entry);
    void doActivate(const Entry& entry);
    void doPrecharge(int bank);
    void doColumn(const Entry& entry);
    bool enqueue();
    std::int64_t nextEvent() const;
    void count(const HbmPimCommand& command);
    void follow(const HbmPimCommand& command);

    static constexpr int kBanks = HbmPimGeometry::kBanks;
    HbmPimTiming m_timing;
    int m_ranks;
    bool m_keepLog;
    std::int64_t m_now = 0;

    const std::vector<HbmPimBurst>* m_offered = nullptr;
    std::size_t m_next = 0; ///< First offered burst not in the queue yet.
    std::vector<Entry> m_queue;
    std::int64_t m_lastDone = -1;  ///< Clock at which the last issued burst is done.
    std::int64_t m_lastIssued = 0; ///< Clock at which a burst was issued last, or offered.
    bool m_isStuck = false;

    std::array<bool, kBanks> m_open{};
    std::array<std::int32_t, kBanks> m_row{};
    std::array<std::int64_t, kBanks> m_idleAt{};
    std::array<std::int64_t, kBanks> m_nextActivate{}, m_nextRead{}, m_nextWrite{}, m_nextPrecharge{};
    std::array<std::int64_t, 4> m_lastActivations{-1'000'000, -1'000'000, -1'000'000,
                                                  -1'000'000}; ///< Oldest first.
    int m_precharge = 0; ///< Where the search for a row to close goes on.

    std::vector<std::int64_t> m_refreshDue; ///< Per rank.
    int m_refreshTurn = 0;
    int m_refreshing = -1; ///< Rank that waits for its refresh; -1: none.

    bool m_onBus = false;
    HbmPimCommand m_sent;
    HbmPimMode m_mode = HbmPimMode::SingleBank;
    unsigned m_entered = 0, m_left = 0; ///< Banks seen by the two mode sequences.

    HbmPimCounts m_counts;
    std::vector<HbmPimCommand> m_log;
};

} // namespace pim
