// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_blocks.h"

#include <fmt/format.h>

namespace pim {
namespace {

using G = HbmPimGeometry;
using I = HbmPimInstruction;

int byteOf(const HbmPimWord& word, int byte) {
    return word[static_cast<std::size_t>(byte / 2)] >> (byte % 2 * 8) & 0xff;
}

bool isArithmetic(I::Opcode opcode) {
    return opcode >= I::Add && opcode <= I::Mad;
}

} // namespace

HbmPimBlocks::HbmPimBlocks(int banks, int registers)
    : m_rows(static_cast<std::size_t>(banks)), m_blocks(static_cast<std::size_t>(banks / 2)),
      m_registers(registers) {
    PIM_ASSERT(registers == 8 || registers == 16, "register files of 8 or 16");
    for (auto& rows : m_rows)
        rows.resize(G::kRows);
    for (Block& block : m_blocks) {
        block.grfA.resize(static_cast<std::size_t>(registers));
        block.grfB.resize(static_cast<std::size_t>(registers));
    }
}

int HbmPimBlocks::registerIndex(const I& instruction, I::Place place, int index,
                                const HbmPimCommand& command) const {
    if (!instruction.isAuto && instruction.opcode != I::Fill)
        return index & (m_registers - 1);
    // Neighbours meet the same part of the vector: as many bursts as there are registers, a tile of a matrix
    // is as many groups of them (8 x 8 bursts in two rows).
    if (instruction.opcode == I::Mac && place == I::GrfA)
        return (command.row * G::kBurstsPerRow + command.column) / m_registers & (m_registers - 1);
    return command.column & (m_registers - 1);
}

HbmPimWord& HbmPimBlocks::at(int bank, int row, int column) {
    auto& rows = m_rows[static_cast<std::size_t>(bank)];
    if (rows.size() <= static_cast<std::size_t>(row))
        rows.resize(static_cast<std::size_t>(row) + 1);
    auto& found = rows[static_cast<std::size_t>(row)];
    if (!found)
        found = std::make_unique<Row>();
    return (*found)[static_cast<std::size_t>(column)];
}

void HbmPimBlocks::store(int bank, std::int64_t column, const HbmPimWord& word) {
    at(bank, static_cast<int>(column / G::kBurstsPerRow), static_cast<int>(column % G::kBurstsPerRow)) = word;
}

HbmPimWord HbmPimBlocks::load(int bank, std::int64_t column) const {
    const auto& rows = m_rows[static_cast<std::size_t>(bank)];
    const auto row = static_cast<std::size_t>(column / G::kBurstsPerRow);
    return row < rows.size() && rows[row] ? (*rows[row])[static_cast<std::size_t>(column % G::kBurstsPerRow)]
                                          : HbmPimWord{};
}

Result<void> HbmPimBlocks::run(const std::vector<HbmPimCommand>& commands,
                               const std::vector<HbmPimWord>& data) {
    for (const HbmPimCommand& command : commands)
        PIM_CHECK(run(command, command.data >= 0 ? &data[static_cast<std::size_t>(command.data)] : nullptr));
    return {};
}

Result<void> HbmPimBlocks::run(const HbmPimCommand& command, const HbmPimWord* word, HbmPimWord* out) {
    const bool write = command.kind == HbmPimCommandKind::Write;
    if (!write && command.kind != HbmPimCommandKind::Read)
        return {};
    if (command.mode == HbmPimMode::SingleBank) {
        if (write && word != nullptr)
            at(command.bank, command.row, command.column) = *word;
        if (!write && out != nullptr)
            *out = load(command.bank, std::int64_t(command.row) * G::kBurstsPerRow + command.column);
    } else if (command.row == G::kRegisterRow) {
        if (write)
            writeRegister(command, word != nullptr ? *word : HbmPimWord{});
    } else if ((command.row & 0x1000) && !m_highRows) {
        return {}; // mode rows
    } else if (command.mode == HbmPimMode::Pim && !m_exited) {
        if (!(command.bank % 2 == 0 ? m_evenOff : m_oddOff))
            return step(command);
    } else {
        copy(command);
    }
    return {};
}

void HbmPimBlocks::writeRegister(const HbmPimCommand& command, const HbmPimWord& word) {
    const int column = command.column;
    if (column == 0) {
        m_allRegisters = byteOf(word, 10) & 1;
        m_evenOff = byteOf(word, 16) & 1;
        m_oddOff = byteOf(word, 16) & 2;
        m_highRows = byteOf(word, 16) & 4;
        for (Block& block : m_blocks) {
            if (byteOf(word, 20) != 0)
                clear(block.grfA);
            if (byteOf(word, 21) != 0)
                clear(block.grfB);
        }
        if (command.pimOn) {
            m_at = m_repeats = m_jumpsLeft = 0;
            m_lastJump = -1;
            m_exited = false;
        }
    } else if (column == 1) {
        for (Block& block : m_blocks)
            for (std::size_t i = 0; i < 8; ++i) {
                block.srfM[i] = word[i];
                block.srfA[i] = word[8 + i];
            }
    } else if (column >= 4 && column < 8) {
        for (std::size_t i = 0; i < 8; ++i)
            m_program[static_cast<std::size_t>(column - 4) * 8 + i] =
                word[2 * i] | std::uint32_t(word[2 * i + 1]) << 16;
    } else if (const int first = HbmPimGeometry::firstRegisterColumn(m_registers);
               column >= first && column < first + m_registers) {
        for (Block& block : m_blocks)
            block.grfA[static_cast<std::size_t>(column - first)] = word;
    } else if (m_registers == 8 && column >= 24) { // with more of them there are no columns left
        for (Block& block : m_blocks)
            block.grfB[static_cast<std::size_t>(column - 24)] = word;
    }
}

/// Outside a running program, accesses of all banks move bursts between banks and registers.
void HbmPimBlocks::copy(const HbmPimCommand& command) {
    const bool odd = command.bank % 2 != 0;
    const bool read = command.kind == HbmPimCommandKind::Read;
    for (std::size_t k = 0; k < m_blocks.size(); ++k) {
        Block& block = m_blocks[k];
        const int column = command.column;
        const bool first = m_allRegisters ? (column & m_registers) == 0 : !read && !odd;
        HbmPimWord& reg =
            (first ? block.grfA : block.grfB)[static_cast<std::size_t>(column & (m_registers - 1))];
        HbmPimWord& burst = at(static_cast<int>(2 * k) + (odd ? 1 : 0), command.row, command.column);
        (read ? reg : burst) = read ? burst : reg;
    }
}

Result<void> HbmPimBlocks::step(const HbmPimCommand& command) {
    I instruction = I::decode(m_program[static_cast<std::size_t>(m_at & 31)]);
    for (int jumps = 0; instruction.opcode == I::Jump; ++jumps) {
        if (jumps > 64)
            return fail(ErrorCode::Unsupported, "jumps that lead to one another without end",
                        fmt::format("microprogram, instruction {}", m_at));
        ++m_steps.jump;
        if (m_lastJump != m_at && instruction.count > 0) {
            m_lastJump = m_at;
            m_jumpsLeft = instruction.count;
        }
        if (m_jumpsLeft > 0) {
            --m_jumpsLeft;
            m_at -= instruction.offset;
        }
        ++m_at;
        instruction = I::decode(m_program[static_cast<std::size_t>(m_at & 31)]);
    }
    if (instruction.opcode == I::Exit) {
        m_exited = true;
        return {};
    }
    PIM_CHECK(execute(instruction, command));
    const int repeats =
        instruction.opcode == I::Nop ? instruction.repeats + 1
        : instruction.opcode == I::Fill || (isArithmetic(instruction.opcode) && instruction.isAuto)
            ? m_registers
            : 1;
    if (++m_repeats >= repeats) {
        m_repeats = 0;
        ++m_at;
    }
    return {};
}

HbmPimWord HbmPimBlocks::operand(I::Place place, int index, std::size_t block, const I& instruction,
                                 const HbmPimCommand& command) {
    const auto reg = static_cast<std::size_t>(registerIndex(instruction, place, index, command));
    const std::int64_t linear = std::int64_t(command.row) * G::kBurstsPerRow + command.column;
    HbmPimWord scalar;
    switch (place) {
    case I::EvenBank:
        return load(static_cast<int>(2 * block), linear);
    case I::OddBank:
        return load(static_cast<int>(2 * block) + 1, linear);
    case I::GrfA:
        return m_blocks[block].grfA[reg];
    case I::GrfB:
        return m_blocks[block].grfB[reg];
    case I::SrfM:
        scalar.fill(m_blocks[block].srfM[static_cast<std::size_t>(index & 7)]);
        return scalar;
    case I::SrfA:
        scalar.fill(m_blocks[block].srfA[static_cast<std::size_t>(index & 7)]);
        return scalar;
    default:
        return {};
    }
}

Result<void> HbmPimBlocks::execute(const I& instruction, const HbmPimCommand& command) {
    const auto where = [&] { return fmt::format("microprogram, instruction {}", m_at); };
    if (instruction.opcode == I::Nop) {
        ++m_steps.nop;
        if (command.kind == HbmPimCommandKind::Write)
            for (std::size_t k = 0; k < m_blocks.size(); ++k) {
                const bool odd = command.bank % 2 != 0;
                const auto reg = static_cast<std::size_t>(command.column & (m_registers - 1));
                at(static_cast<int>(2 * k) + (odd ? 1 : 0), command.row, command.column) =
                    odd ? m_blocks[k].grfB[reg] : m_blocks[k].grfA[reg];
            }
        return {};
    }
    const bool moves = instruction.opcode == I::Mov || instruction.opcode == I::Fill;
    if (!moves && !isArithmetic(instruction.opcode))
        return fail(ErrorCode::Unsupported, fmt::format("opcode {} is reserved", int(instruction.opcode)),
                    where());
    if (instruction.target != I::GrfA && instruction.target != I::GrfB)
        return fail(ErrorCode::Unsupported,
                    fmt::format("operand place {} cannot be written", int(instruction.target)), where(),
                    "results go to GRF_A or GRF_B; a write command on a NOP stores them");
    const auto target = static_cast<std::size_t>(
        registerIndex(instruction, instruction.target, instruction.targetIndex, command));
    for (std::size_t k = 0; k < m_blocks.size(); ++k) {
        const HbmPimWord a = operand(instruction.source0, instruction.source0Index, k, instruction, command);
        HbmPimWord& result = (instruction.target == I::GrfA ? m_blocks[k].grfA : m_blocks[k].grfB)[target];
        if (moves) {
            for (std::size_t lane = 0; lane < a.size(); ++lane)
                result[lane] = instruction.relu && (a[lane] & 0x8000) ? HalfBits(0) : a[lane];
            continue;
        }
        const HbmPimWord b = operand(instruction.source1, instruction.source1Index, k, instruction, command);
        switch (instruction.opcode) {
        case I::Add:
            for (std::size_t lane = 0; lane < a.size(); ++lane)
                result[lane] = halfAdd(a[lane], b[lane]);
            break;
        case I::Mul:
            for (std::size_t lane = 0; lane < a.size(); ++lane)
                result[lane] = halfMul(a[lane], b[lane]);
            break;
        case I::Mac:
            for (std::size_t lane = 0; lane < a.size(); ++lane)
                result[lane] = halfAdd(halfMul(a[lane], b[lane]), result[lane]);
            break;
        default: { // MAD
            const HbmPimWord c =
                operand(instruction.source2, instruction.source1Index, k, instruction, command);
            for (std::size_t lane = 0; lane < a.size(); ++lane)
                result[lane] = halfAdd(halfMul(a[lane], b[lane]), c[lane]);
        }
        }
    }
    switch (instruction.opcode) {
    case I::Add:
        ++m_steps.add;
        break;
    case I::Mul:
        ++m_steps.mul;
        break;
    case I::Mac:
        ++m_steps.mac;
        break;
    case I::Mad:
        ++m_steps.mad;
        break;
    case I::Fill:
        ++m_steps.fill;
        break;
    default:
        ++m_steps.mov;
    }
    return {};
}

} // namespace pim
