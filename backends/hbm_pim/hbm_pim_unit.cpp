// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/hbm_pim_unit.h"

#include <fmt/format.h>

namespace pim::hbm {
namespace {

using G = HbmPimGeometry;

/// Error of a command sequence the hardware does not know.
template <typename... T>
tl::unexpected<Error> illegal(fmt::format_string<T...> format, T&&... values) {
    return fail(ErrorCode::InvalidFile, fmt::format(format, std::forward<T>(values)...));
}

} // namespace

HbmPimUnit::HbmPimUnit(const Program& program, const Machine& machine)
    : m_machine(machine), m_blocks(machine.banks(), machine.registers),
      m_open(std::size_t(machine.banks()), -1) {
    constexpr std::pair<std::string_view, Kind> kKinds[] = {{"ACT", Kind::Act},
                                                            {"PRE", Kind::Pre},
                                                            {"PREA", Kind::PreAll},
                                                            {"RD", Kind::Read},
                                                            {"WR", Kind::Write},
                                                            {"ACT_AB", Kind::ActAll},
                                                            {"PRE_AB", Kind::PreAllBanks},
                                                            {"RD_AB", Kind::Step},
                                                            {"WR_AB", Kind::Store},
                                                            {"WRR_AB", Kind::Register}};
    for (const Opcode& opcode : program.opcodes) {
        Kind kind = Kind::Unknown;
        for (const auto& [name, known] : kKinds)
            if (opcode.name == name)
                kind = known;
        m_kinds.push_back(kind);
    }
}

Result<int> HbmPimUnit::bankOf(std::int64_t operand, int count) const {
    if (operand < 0 || operand >= count)
        return illegal("bank {}, allowed are 0 to {}", operand, count - 1);
    return int(operand);
}

Result<void> HbmPimUnit::checkMode(bool single) const {
    if ((m_mode == HbmPimMode::SingleBank) == single)
        return {};
    return illegal("the memory is in mode {}, this command is for {}", name(m_mode),
                   single ? "SB" : "HAB and HAB_PIM");
}

Result<void> HbmPimUnit::activate(int firstBank, int stride, std::int64_t row) {
    if (row < 0 || row >= G::kRows)
        return illegal("row {}, allowed are 0 to {}", row, G::kRows - 1);
    for (int bank = firstBank; bank < m_machine.banks(); bank += stride) {
        if (m_open[std::size_t(bank)] >= 0)
            return illegal("row {} of bank {} is still open", m_open[std::size_t(bank)], bank);
        m_open[std::size_t(bank)] = row;
    }
    constexpr unsigned kEnter = 1u << 0 | 1u << 1 | 1u << 8 | 1u << 9;
    if (m_mode == HbmPimMode::SingleBank && row == G::kEnterRow && firstBank < 16) {
        m_entered |= 1u << firstBank;
        if ((m_entered & kEnter) == kEnter) {
            m_mode = HbmPimMode::AllBank;
            m_entered = 0;
        }
    }
    return {};
}

void HbmPimUnit::precharge(int firstBank, int stride) {
    const std::int64_t row = m_open[std::size_t(firstBank)];
    if (m_mode == HbmPimMode::AllBank && row == G::kLeaveRow && firstBank < 2)
        m_left |= 1u << firstBank;
    for (int bank = firstBank; bank < m_machine.banks(); bank += stride)
        m_open[std::size_t(bank)] = -1;
    if (m_left == 3) {
        m_mode = HbmPimMode::SingleBank;
        m_left = 0;
    }
}

Result<void> HbmPimUnit::checkAccess(int firstBank, int stride, std::int64_t row, std::int64_t column) const {
    if (column < 0 || column >= G::kBurstsPerRow)
        return illegal("column {}, allowed are 0 to {}", column, G::kBurstsPerRow - 1);
    for (int bank = firstBank; bank < m_machine.banks(); bank += stride)
        if (m_open[std::size_t(bank)] != row)
            return m_open[std::size_t(bank)] < 0
                       ? illegal("bank {} has no row open, row {} is wanted", bank, row)
                       : illegal("bank {} has row {} open, row {} is wanted", bank, m_open[std::size_t(bank)],
                                 row);
    return {};
}

Result<void> HbmPimUnit::run(int opcode, std::span<const std::int64_t> operands, PimPort& port) {
    const Kind kind =
        opcode >= 0 && std::size_t(opcode) < m_kinds.size() ? m_kinds[std::size_t(opcode)] : Kind::Unknown;
    const int all = m_machine.banks();
    switch (kind) {
    case Kind::Act: {
        PIM_CHECK(checkMode(true));
        PIM_TRY(const int bank, bankOf(operands[0], all));
        return activate(bank, all, operands[1]);
    }
    case Kind::Pre: {
        PIM_CHECK(checkMode(true));
        PIM_TRY(const int bank, bankOf(operands[0], all));
        precharge(bank, all);
        return {};
    }
    case Kind::PreAll:
        for (const int bank : {0, 1})
            precharge(bank, 2);
        return {};
    case Kind::Read:
    case Kind::Write:
        PIM_CHECK(checkMode(true));
        return readOrWrite(kind == Kind::Write, operands, port);
    case Kind::Unknown:
        return illegal("a command this memory does not have");
    default:
        PIM_CHECK(checkMode(false));
        return allBanks(kind, operands, port);
    }
}

Result<void> HbmPimUnit::readOrWrite(bool isWrite, std::span<const std::int64_t> operands, PimPort& port) {
    PIM_TRY(const int bank, bankOf(operands[0], m_machine.banks()));
    PIM_CHECK(checkAccess(bank, m_machine.banks(), operands[1], operands[2]));
    if (operands[1] & 0x1000) // rows of modes and registers: nothing is kept there
        return {};
    HbmPimCommand command;
    command.kind = isWrite ? HbmPimCommandKind::Write : HbmPimCommandKind::Read;
    command.bank = std::int8_t(bank);
    command.row = std::int32_t(operands[1]);
    command.column = std::int16_t(operands[2]);
    HbmPimWord word{};
    if (isWrite)
        word = port.read(operands[3], operands[4]);
    PIM_CHECK(m_blocks.run(command, &word, &word));
    if (!isWrite)
        port.write(operands[3], operands[4], word);
    return {};
}

Result<void> HbmPimUnit::allBanks(Kind kind, std::span<const std::int64_t> operands, PimPort& port) {
    PIM_TRY(const int bank, bankOf(operands[0], 2));
    if (kind == Kind::ActAll)
        return activate(bank, 2, operands[1]);
    if (kind == Kind::PreAllBanks) {
        precharge(bank, 2);
        return {};
    }
    PIM_CHECK(checkAccess(bank, 2, operands[1], operands[2]));
    HbmPimCommand command;
    command.kind = kind == Kind::Step ? HbmPimCommandKind::Read : HbmPimCommandKind::Write;
    command.mode = m_mode;
    command.bank = std::int8_t(bank);
    command.row = std::int32_t(operands[1]);
    command.column = std::int16_t(operands[2]);
    if (kind != Kind::Register) {
        if (command.row & 0x1000)
            return illegal("row {} holds registers and modes, a step of the program needs a row of data",
                           command.row);
        return m_blocks.run(command, nullptr);
    }
    if (!(command.row & 0x1000))
        return illegal("row {} holds data, registers and modes are where bit 12 is set", command.row);
    const HbmPimWord word = port.read(operands[3], operands[4]);
    if (command.row == G::kRegisterRow && command.column == 0) {
        command.pimOn = word[0] & 1;
        m_mode = command.pimOn ? HbmPimMode::Pim : HbmPimMode::AllBank;
    }
    return m_blocks.run(command, &word);
}

} // namespace pim::hbm
