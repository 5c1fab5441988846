// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lut/aim_channel.h"

#include "backends/dram_pim/lut/streams.h"
#include "core/base/bfloat16.h"

#include <fmt/format.h>

namespace pim::dram {
namespace {

template <typename... T>
tl::unexpected<Error> illegal(fmt::format_string<T...> format, T&&... values) {
    return fail(ErrorCode::InvalidFile, fmt::format(format, std::forward<T>(values)...));
}

} // namespace

AimLutChannel::AimLutChannel(const LutCode& code)
    : m_banks(code.machine.units), m_columns(code.machine.columns), m_rows(code.mapping.bankRows()),
      m_sums(code.machine.registers), m_memory(std::size_t(m_rows * m_columns * m_banks)),
      m_buffer(std::size_t(m_columns), Lanes{}), m_sum(std::size_t(m_sums * m_banks), Lanes{}) {}

Result<void> AimLutChannel::needMode(bool registers) const {
    if (m_registers == registers)
        return {};
    return illegal("the channel takes commands to {}", m_registers ? "buffer and accumulators" : "banks");
}

Result<void> AimLutChannel::needOpen(std::int64_t row, std::int64_t column) const {
    PIM_CHECK(needMode(false));
    if (row < 0 || row != m_open)
        return illegal("row {} is needed, open is {}", row, m_open);
    if (column < 0 || column >= m_columns)
        return illegal("column {}, allowed are 0 to {}", column, m_columns - 1);
    return {};
}

Result<void> AimLutChannel::needSum(std::int64_t sum) const {
    if (sum < 0 || sum >= m_sums)
        return illegal("sum {}, allowed are 0 to {}", sum, m_sums - 1);
    return {};
}

Result<void> AimLutChannel::activate(std::int64_t row) {
    PIM_CHECK(needMode(false));
    if (m_open >= 0)
        return illegal("row {} is open still", m_open);
    if (row < 0 || row >= m_rows)
        return illegal("row {}, the code has 0 to {}", row, m_rows - 1);
    m_open = row;
    return {};
}

void AimLutChannel::add(std::int64_t column, std::int64_t sum) {
    const Lanes& factors = m_buffer[std::size_t(column)];
    for (int bank = 0; bank < m_banks; ++bank) {
        const PimWord& word = m_memory[std::size_t((m_open * m_columns + column) * m_banks + bank)];
        Lanes& into = m_sum[std::size_t(sum * m_banks + bank)];
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            into[lane] += bfloatToFloat(word[lane]) * factors[lane];
    }
}

Result<void> AimLutChannel::run(int opcode, std::span<const std::int64_t> operands, PimPort& port) {
    switch (AimLutOpcode(opcode)) {
    case AimLutOpcode::Act16:
        return activate(operands[0]);
    case AimLutOpcode::PreA:
        PIM_CHECK(needMode(false));
        m_open = -1;
        return {};
    case AimLutOpcode::Wr:
        PIM_CHECK(needOpen(operands[1], operands[2]));
        m_memory[std::size_t((m_open * m_columns + operands[2]) * m_banks + operands[0])] =
            port.read(operands[3], operands[4]);
        return {};
    case AimLutOpcode::WrGb: {
        PIM_CHECK(needMode(true));
        const PimWord word = port.read(operands[1], operands[2]);
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            m_buffer[std::size_t(operands[0])][lane] = bfloatToFloat(word[lane]);
        return {};
    }
    case AimLutOpcode::WrMac16: {
        PIM_CHECK(needMode(true));
        PIM_CHECK(needSum(operands[0]));
        const PimWord word = port.read(operands[1], operands[2]);
        for (int bank = 0; bank < m_banks; ++bank)
            m_sum[std::size_t(operands[0] * m_banks + bank)].fill(bfloatToFloat(word[std::size_t(bank)]));
        return {};
    }
    case AimLutOpcode::RdMac16: {
        PIM_CHECK(needMode(true));
        PIM_CHECK(needSum(operands[0]));
        PimWord word{};
        for (int bank = 0; bank < m_banks; ++bank)
            word[std::size_t(bank)] =
                floatToBfloat(m_sum[std::size_t(operands[0] * m_banks + bank)][std::size_t(operands[1])]);
        port.write(operands[2], operands[3], word);
        return {};
    }
    case AimLutOpcode::Mac16:
        PIM_CHECK(needOpen(operands[0], operands[1]));
        PIM_CHECK(needSum(operands[2]));
        add(operands[1], operands[2]);
        return {};
    case AimLutOpcode::Tmod:
        m_registers = operands[0] != 0;
        return {};
    }
    return illegal("opcode {} is none of AiM's", opcode);
}

} // namespace pim::dram
