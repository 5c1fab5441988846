// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the banks of one channel are doing: which row is open, and from which tick on each command may be
/// issued. Interprets the tables of a DramDevice; controllers ask and issue. All levels are folded into one
/// number per (command, bank), so that asking costs one load and the scan of a queue is cheap; issuing
/// updates ranges of banks. Not thread-safe; one engine per channel. No allocation after construction.
#include "core/dram/device.h"

#include <limits>

namespace pim {

inline constexpr std::int64_t kDramNoRow = -1;
inline constexpr DramTick kDramNever = std::numeric_limits<DramTick>::max();

/// Banks first, first + stride, ... (count of them).
struct DramBanks {
    int first = 0;
    int stride = 1;
    int count = 1;
};

class DramEngine {
public:
    /// \param used commands that will ever be issued or asked for, by index; empty means all. Fewer are
    /// faster.
    explicit DramEngine(const DramDevice& device, const std::vector<bool>& used = {});

    int bankCount() const { return m_banks; }
    /// The banks a command addresses if \p bank is one of them.
    DramBanks banksOf(int command, int bank) const;
    /// The banks under the node of \p level that holds \p bank.
    DramBanks banksAt(int level, int bank) const;

    /// First tick at which a single-bank command may be issued to \p bank.
    DramTick earliest(int command, int bank) const {
        return m_ready[std::size_t(command) * m_stride + std::size_t(bank)];
    }
    /// The same for all banks the command addresses.
    DramTick earliestAll(int command, int bank) const;
    /// `earliest` of one command, indexed by bank.
    const DramTick* readyRow(int command) const { return m_ready.data() + std::size_t(command) * m_stride; }

    std::int64_t openRow(int bank) const { return m_open[std::size_t(bank)]; }
    const std::int64_t* openRows() const { return m_open.data(); }
    /// Whether any bank under the node has an open row.
    bool anyOpen(const DramBanks& banks) const;

    /// Issues at \p now; does not check (ask earliest() first). \p row is the row opened, ignored by other
    /// commands.
    void issue(int command, int bank, std::int64_t row, DramTick now);

private:
    struct Effect {
        int level = 0;
        int after = 0;
        DramTick ticks = 0;
        int window = 1;
        bool siblings = false;
        int history = -1; ///< First slot of m_history for windows over 1.
        int ring = -1;    ///< Index of the ring positions.
    };
    void keepBack(int after, int first, int count, DramTick until);
    void apply(const Effect& effect, int firstBank, DramTick now);

    int m_banks = 0;
    std::size_t m_stride = 0;
    std::vector<int> m_under; ///< Banks under a node, by level.
    int m_bankLevel = 0;
    std::vector<DramCommand> m_commands;
    std::vector<std::vector<Effect>> m_effects; ///< By command.
    std::vector<DramTick> m_ready;              ///< [command][bank]
    std::vector<std::int64_t> m_open;
    std::vector<DramTick> m_history; ///< Rings of the last `window` issues, by node.
    std::vector<int> m_ring;         ///< Next slot of each ring.
};

} // namespace pim
