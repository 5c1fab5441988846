// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A channel of AiM with sums of 16 lanes at every bank (LutOptions) on data. Products and sums are binary32, as those of
/// backends/aim/channel.h, whose adder tree this leaves out.
#include "backends/dram_pim/lut/code.h"

namespace pim::dram {

class AimLutChannel final : public PimChannel {
public:
    explicit AimLutChannel(const LutCode& code);
    Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) override;

private:
    Result<void> needMode(bool registers) const;
    Result<void> needOpen(std::int64_t row, std::int64_t column) const;
    Result<void> needSum(std::int64_t sum) const;
    Result<void> activate(std::int64_t row);
    void add(std::int64_t column, std::int64_t sum);

    using Lanes = std::array<float, kPimLanes>;
    int m_banks, m_columns;
    std::int64_t m_rows, m_sums;
    std::vector<PimWord> m_memory; ///< [row][column][bank]
    std::vector<Lanes> m_buffer;   ///< By column.
    std::vector<Lanes> m_sum;      ///< [sum][bank]
    std::int64_t m_open = -1;
    bool m_registers = false;
};

} // namespace pim::dram
