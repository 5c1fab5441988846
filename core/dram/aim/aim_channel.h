// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When the commands of one AiM channel go out by the rules of the public aim_simulator (aim_kernel.h). Inner part of the
/// kernels and of traces.
#include "core/dram/aim/aim_kernel.h"

#include <algorithm>

namespace pim {

/// One channel: commands in order, each at the first clock all rules allow.
class AimChannel {
public:
    AimChannel(const AimTiming& timing, std::vector<AimCommand>* log)
        : m_timing(timing), m_log(log), m_refreshDue(timing.nREFI) {}

    void writeBias() {
        mode(true);
        issue(AimCommandKind::WrMac16, m_timing.nCCD);
    }
    void writeBuffer(std::int64_t bursts) {
        mode(true);
        for (std::int64_t i = 0; i < bursts; ++i)
            issue(AimCommandKind::WrGb, m_timing.nCCD, -1, static_cast<int>(i));
    }
    void readSums() {
        mode(true);
        issue(AimCommandKind::RdMac16, m_timing.readReturn);
        m_done = m_ready;
    }
    void multiplyAccumulate(std::int64_t row, std::int64_t bursts) {
        mode(false);
        open(row, m_timing.nRCDMAC);
        for (std::int64_t i = 0; i < bursts; ++i) {
            issue(AimCommandKind::Mac16, m_timing.nCCD, static_cast<int>(row), static_cast<int>(i));
            m_mayClose = std::max(m_mayClose, m_last + m_timing.nRTP);
        }
        m_done = m_last + m_timing.columnDone;
    }
    void multiply(std::int64_t row, std::int64_t bursts) {
        mode(false);
        open(row, m_timing.nRCDEWMUL);
        for (std::int64_t i = 0; i < bursts; ++i) {
            issue(AimCommandKind::Ewmul16, m_timing.nCCD, static_cast<int>(row), static_cast<int>(i));
            m_mayClose = std::max(m_mayClose, m_last + m_timing.nCWL + m_timing.nWR);
        }
        m_done = m_last + m_timing.columnDone;
    }
    AimCost cost() const {
        AimCost cost = m_cost;
        cost.cycles = m_done;
        return cost;
    }

private:
    void issue(AimCommandKind kind, int busy, int row = -1, int column = -1) {
        m_last = m_ready;
        m_ready = m_last + busy;
        ++m_cost.perChannel[static_cast<std::size_t>(kind)];
        if (m_log != nullptr)
            m_log->push_back({m_last, kind, row, column});
    }
    /// The switch needs no gap of a column command: it follows on the next clock.
    void mode(bool registers) {
        if (registers == m_registers)
            return;
        m_registers = registers;
        m_ready = m_last + 1;
        issue(AimCommandKind::ModeChange, m_timing.nMODCH);
        refreshIfDue();
    }
    void close() {
        if (m_row < 0)
            return;
        m_ready = std::max(m_ready, m_mayClose);
        issue(AimCommandKind::PreA, m_timing.nRP);
        m_row = -1;
    }
    void refreshIfDue() {
        for (; m_timing.refresh && m_ready >= m_refreshDue; m_refreshDue += m_timing.nREFI) {
            close();
            issue(AimCommandKind::RefAb, m_timing.nRFC);
        }
    }
    void open(std::int64_t row, int toColumn) {
        if (m_row == row)
            return;
        close();
        refreshIfDue();
        m_ready = std::max(m_ready, m_mayOpen);
        issue(AimCommandKind::Act16, toColumn, static_cast<int>(row));
        m_mayClose = m_last + m_timing.nRAS;
        m_mayOpen = m_last + m_timing.nRC;
        m_row = row;
    }

    AimTiming m_timing;
    std::vector<AimCommand>* m_log;
    AimCost m_cost;
    bool m_registers = false;
    std::int64_t m_row = -1;
    std::int64_t m_last = 0;  ///< Clock of the last command.
    std::int64_t m_ready = 1; ///< Earliest clock of the next one.
    std::int64_t m_done = 0;  ///< Clock at which all is done.
    std::int64_t m_mayClose = 0, m_mayOpen = 0;
    std::int64_t m_refreshDue = 0;
};

} // namespace pim
