// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Appends bursts to a stream in the words of the host code of Samsung's public simulator (PIMSimulator
/// b464dde).
#include "core/dram/hbm_pim/hbm_pim_kernel.h"

#include <algorithm>

namespace pim {

/// Appends bursts in the words of the simulator's host code.
class HbmPimWriter {
public:
    static constexpr int kControlColumn = 0, kSrfColumn = 1, kCrfColumn = 4, kGrfAColumn = 8;

    explicit HbmPimWriter(HbmPimStream& stream) : m_stream(stream) {}

    void read(int bank, int row, int column, HbmPimTag tag) { push(false, bank, row, column, tag, -1); }
    void write(int bank, int row, int column, HbmPimTag tag, std::int32_t data) {
        push(true, bank, row, column, tag, data);
    }
    /// Eight bursts side by side, then a barrier.
    void eight(bool isWrite, int bank, std::int64_t column, HbmPimTag tag) {
        for (int i = 0; i < 8; ++i, ++column)
            push(isWrite, bank, static_cast<int>(column / HbmPimGeometry::kBurstsPerRow),
                 static_cast<int>(column % HbmPimGeometry::kBurstsPerRow), tag, -1);
        barrier();
    }
    void barrier() {
        if (!m_stream.bursts.empty())
            m_stream.bursts.back().barrier = true;
    }
    std::int32_t keep(const HbmPimWord& word) {
        m_stream.data.push_back(word);
        return static_cast<std::int32_t>(m_stream.data.size()) - 1;
    }

    void park(HbmPimTag first, HbmPimTag middle, HbmPimTag last) {
        barrier();
        for (int i = 0; i < HbmPimGeometry::kBanks; ++i) {
            const int bank = i % HbmPimGeometry::kBankGroups * HbmPimGeometry::kBanksPerGroup +
                             i / HbmPimGeometry::kBankGroups;
            read(bank, HbmPimGeometry::kParkRow, 0,
                 i == 0                            ? first
                 : i + 1 == HbmPimGeometry::kBanks ? last
                                                   : middle);
        }
        barrier();
    }
    void enterAllBank() {
        constexpr int kBanks[] = {0, 1, 8, 9};
        for (const int bank : kBanks)
            write(bank, HbmPimGeometry::kEnterRow, 0x1f,
                  bank == 0   ? HbmPimTag::StartSbToHab
                  : bank == 9 ? HbmPimTag::EndSbToHab
                              : HbmPimTag::None,
                  -1);
        barrier();
    }
    void leaveAllBank() {
        write(0, HbmPimGeometry::kLeaveRow, 0x1f, HbmPimTag::StartHabToSb, -1);
        write(1, HbmPimGeometry::kLeaveRow, 0x1f, HbmPimTag::EndHabToSb, -1);
        barrier();
    }
    void program(const std::vector<std::uint32_t>& instructions) {
        for (std::size_t first = 0; first < instructions.size(); first += 8) {
            HbmPimWord word{};
            for (std::size_t i = first; i < std::min(first + 8, instructions.size()); ++i) {
                word[2 * (i - first)] = static_cast<std::uint16_t>(instructions[i]);
                word[2 * (i - first) + 1] = static_cast<std::uint16_t>(instructions[i] >> 16);
            }
            write(1, HbmPimGeometry::kRegisterRow, kCrfColumn + static_cast<int>(first / 8),
                  HbmPimTag::ProgramCrf, keep(word));
        }
        barrier();
    }
    /// PIM mode on or off; a barrier follows.
    void pimMode(bool on, bool clearA, bool clearB) {
        control(0, on, clearA, clearB);
        barrier();
    }
    /// \param bank is the one whose row of registers is opened.
    void control(int bank, bool on, bool clearA, bool clearB) {
        HbmPimWord word{};
        word[0] = on ? 1 : 0;
        // bytes 20, 21
        word[10] = static_cast<std::uint16_t>((on && clearA ? 1 : 0) | (on && clearB ? 1 << 8 : 0));
        write(bank, HbmPimGeometry::kRegisterRow, kControlColumn, HbmPimTag::PimMode, keep(word));
        m_stream.bursts.back().pimOn = on;
    }

private:
    void push(bool isWrite, int bank, int row, int column, HbmPimTag tag, std::int32_t data) {
        HbmPimBurst burst;
        burst.write = isWrite;
        burst.bank = static_cast<std::uint8_t>(bank);
        burst.row = static_cast<std::uint16_t>(row);
        burst.column = static_cast<std::uint8_t>(column);
        burst.tag = tag;
        burst.data = data;
        m_stream.bursts.push_back(burst);
    }
    HbmPimStream& m_stream;
};

} // namespace pim
