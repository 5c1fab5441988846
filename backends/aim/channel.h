// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the commands of AiM do to data: banks, global buffer, an accumulator a bank.
///
/// Arithmetic. Operands are BF16, whose products are exact in binary32. The 16 products of a MAC16 are added
/// as a tree of neighbours in binary32, (((p0+p1)+(p2+p3))+...), the sum is added to a binary32 accumulator,
/// and the accumulator is rounded to BF16 (nearest, ties to even) when it is read. The width inside is not
/// published: what is known is that mantissas are shifted to a common exponent for all 16 products [ISSCC
/// 2022], which keeps them together but not 8 bits wide each, and that a result is read as 16 bits. An
/// accumulator of 8 bits of mantissa would stop counting ones at 256. EWMUL16 rounds each product once.
#include "backends/aim/code.h"
#include "core/dram_pim/channel.h"

namespace pim::aim {

class AimChannel final : public PimChannel {
public:
    AimChannel(const PimCode& code, ChannelShape shape);
    Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) override;

private:
    using Words = std::vector<PimWord>; ///< Of a row, or of the buffer.

    Result<void> needMode(bool registers) const;
    Result<void> needOpen(std::int64_t row, std::int64_t column) const;
    Result<PimWord*> word(std::int64_t bank, std::int64_t row, std::int64_t column);
    void multiplyAccumulate(std::int64_t row, std::int64_t column);
    void multiply(std::int64_t row, std::int64_t column);
    Words& rowOf(int bank, std::int64_t row);

    ChannelShape m_shape;
    std::vector<std::vector<Words>> m_banks;  ///< [bank][row]; rows nobody has touched are empty.
    std::vector<std::vector<float>> m_buffer; ///< [slot][lane]
    std::vector<float> m_accumulators;        ///< One a bank.
    std::int64_t m_open = -1;                 ///< Row of all banks.
    bool m_registers = false;
};

} // namespace pim::aim
