// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/channel.h"

#include "backends/aim/commands.h"
#include "core/base/bfloat16.h"

#include <fmt/format.h>

namespace pim::aim {
namespace {

Result<void> wrong(std::string message, std::string hint = {}) {
    return fail(ErrorCode::InvalidFile, std::move(message), {}, std::move(hint));
}

} // namespace

AimChannel::AimChannel(const PimCode& code, ChannelShape shape)
    : m_shape(shape),
      m_banks(std::size_t(shape.banks), std::vector<Words>(std::size_t(std::min(code.rows, shape.rows)))),
      m_buffer(std::size_t(shape.columns), std::vector<float>(kPimLanes, 0.0F)),
      m_accumulators(std::size_t(shape.banks), 0.0F) {}

Result<void> AimChannel::run(int opcode, std::span<const std::int64_t> operands, PimPort& port) {
    switch (AimOpcode(opcode)) {
    case AimOpcode::Act16:
        PIM_CHECK(needMode(false));
        if (m_open >= 0)
            return wrong(fmt::format("row {} is open already", m_open), "close it first");
        if (operands[0] < 0 || operands[0] >= std::ssize(m_banks.front()))
            return wrong(
                fmt::format("there is no row {}, the code uses {}", operands[0], m_banks.front().size()));
        m_open = operands[0];
        return {};
    case AimOpcode::PreA:
        PIM_CHECK(needMode(false));
        m_open = -1;
        return {};
    case AimOpcode::Wr: {
        PIM_TRY(PimWord* const into, word(operands[0], operands[1], operands[2]));
        *into = port.read(operands[3], operands[4]);
        return {};
    }
    case AimOpcode::Rd: {
        PIM_TRY(const PimWord* const from, word(operands[0], operands[1], operands[2]));
        port.write(operands[3], operands[4], *from);
        return {};
    }
    case AimOpcode::WrGb: {
        PIM_CHECK(needMode(true));
        if (operands[0] < 0 || operands[0] >= std::ssize(m_buffer))
            return wrong(
                fmt::format("the global buffer has no slot {}, it has {}", operands[0], m_buffer.size()));
        const PimWord given = port.read(operands[1], operands[2]);
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            m_buffer[std::size_t(operands[0])][lane] = bfloatToFloat(given[lane]);
        return {};
    }
    case AimOpcode::WrMac16: {
        PIM_CHECK(needMode(true));
        const PimWord given = port.read(operands[0], operands[1]);
        for (std::size_t bank = 0; bank < m_accumulators.size(); ++bank)
            m_accumulators[bank] = bfloatToFloat(given[bank]);
        return {};
    }
    case AimOpcode::RdMac16: {
        PIM_CHECK(needMode(true));
        PimWord results{};
        for (std::size_t bank = 0; bank < m_accumulators.size(); ++bank)
            results[bank] = floatToBfloat(m_accumulators[bank]);
        port.write(operands[0], operands[1], results);
        return {};
    }
    case AimOpcode::Mac16:
        PIM_CHECK(needOpen(operands[0], operands[1]));
        multiplyAccumulate(operands[0], operands[1]);
        return {};
    case AimOpcode::Ewmul16:
        PIM_CHECK(needOpen(operands[0], operands[1]));
        multiply(operands[0], operands[1]);
        return {};
    case AimOpcode::Tmod:
        m_registers = operands[0] != 0;
        return {};
    }
    return wrong(fmt::format("opcode {} is none of AiM's", opcode));
}

Result<void> AimChannel::needMode(bool registers) const {
    if (m_registers == registers)
        return {};
    return wrong(registers ? "the channel takes commands to banks, not to buffer and accumulators"
                           : "the channel takes commands to buffer and accumulators, not to banks",
                 "switch with TMOD");
}

Result<void> AimChannel::needOpen(std::int64_t row, std::int64_t column) const {
    PIM_CHECK(needMode(false));
    if (row != m_open || row < 0)
        return wrong(m_open < 0 ? fmt::format("row {} is needed, none is open", row)
                                : fmt::format("row {} is needed, row {} is open", row, m_open));
    if (column < 0 || column >= m_shape.columns)
        return wrong(fmt::format("a row has no column {}, it has {}", column, m_shape.columns));
    return {};
}

Result<PimWord*> AimChannel::word(std::int64_t bank, std::int64_t row, std::int64_t column) {
    if (bank < 0 || bank >= m_shape.banks)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("there is no bank {}, there are {}", bank, m_shape.banks));
    PIM_CHECK(needOpen(row, column));
    return &rowOf(int(bank), row)[std::size_t(column)];
}

AimChannel::Words& AimChannel::rowOf(int bank, std::int64_t row) {
    Words& words = m_banks[std::size_t(bank)][std::size_t(row)];
    if (words.empty())
        words.resize(std::size_t(m_shape.columns));
    return words;
}

void AimChannel::multiplyAccumulate(std::int64_t row, std::int64_t column) {
    const float* const operand = m_buffer[std::size_t(column)].data();
    for (int bank = 0; bank < m_shape.banks; ++bank) {
        const PimWord& word = rowOf(bank, row)[std::size_t(column)];
        std::array<float, kPimLanes> sums{};
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            sums[lane] = bfloatToFloat(word[lane]) * operand[lane];
        for (std::size_t width = kPimLanes / 2; width > 0; width /= 2)
            for (std::size_t i = 0; i < width; ++i)
                sums[i] = sums[2 * i] + sums[2 * i + 1];
        m_accumulators[std::size_t(bank)] += sums[0];
    }
}

void AimChannel::multiply(std::int64_t row, std::int64_t column) {
    for (int first = 0; first < m_shape.banks; first += m_shape.banksOfGroup()) {
        const PimWord& a = rowOf(first, row)[std::size_t(column)];
        const PimWord& b = rowOf(first + 1, row)[std::size_t(column)];
        PimWord& product = rowOf(first + 2, row)[std::size_t(column)];
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            product[lane] = floatToBfloat(bfloatToFloat(a[lane]) * bfloatToFloat(b[lane]));
    }
}

} // namespace pim::aim
