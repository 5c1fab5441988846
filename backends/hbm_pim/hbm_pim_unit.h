// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One pseudo-channel of HBM-PIM on data: banks and blocks (core/dram/hbm_pim/hbm_pim_blocks.h: FP16, every
/// operation rounded, multiply-accumulate not fused, results added in the order of the commands), rows that
/// have to be open, the mode protocol. What the hardware could not do is an error.
#include "backends/hbm_pim/hbm_pim_machine.h"
#include "core/dram/hbm_pim/hbm_pim_blocks.h"
#include "core/dram_pim/channel.h"

namespace pim::hbm {

class HbmPimUnit final : public PimChannel {
public:
    HbmPimUnit(const Program& program, const Machine& machine);
    Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) override;
    HbmPimMode mode() const { return m_mode; }

private:
    enum class Kind : std::uint8_t {
        Act,
        Pre,
        PreAll,
        Read,
        Write,
        ActAll,
        PreAllBanks,
        Step,
        Store,
        Register,
        Unknown
    };

    Result<void> checkMode(bool single) const;
    Result<void> activate(int firstBank, int stride, std::int64_t row);
    void precharge(int firstBank, int stride);
    Result<void> checkAccess(int firstBank, int stride, std::int64_t row, std::int64_t column) const;
    Result<void> readOrWrite(bool isWrite, std::span<const std::int64_t> operands, PimPort& port);
    Result<void> allBanks(Kind kind, std::span<const std::int64_t> operands, PimPort& port);
    Result<int> bankOf(std::int64_t operand, int count) const;

    std::vector<Kind> m_kinds; ///< By opcode.
    Machine m_machine;
    HbmPimBlocks m_blocks;
    std::vector<std::int64_t> m_open; ///< Row by bank; -1: none.
    HbmPimMode m_mode = HbmPimMode::SingleBank;
    unsigned m_entered = 0, m_left = 0; ///< Banks seen by the two mode sequences.
};

} // namespace pim::hbm
