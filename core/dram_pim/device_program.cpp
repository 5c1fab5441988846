// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/device_program.h"

#include "core/dram_pim/dram_nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::int64_t kClosed = -1;
constexpr std::int64_t kMostVisits = 50'000'000; // of commands: loops in loops in loops would take for ever

tl::unexpected<Error> refuse(const Program& program, const std::string& phase, std::string what,
                             std::string hint = {}) {
    return fail(ErrorCode::InvalidFile, std::move(what), fmt::format("{}, phase \"{}\"", program.op, phase),
                std::move(hint));
}

OpcodeUse useOf(const DramDevice& device, const Opcode& opcode) {
    const auto position = [&](std::string_view name) {
        const auto found = std::find(opcode.operands.begin(), opcode.operands.end(), name);
        return found == opcode.operands.end() ? -1 : int(found - opcode.operands.begin());
    };
    return {device.command(opcode.name), position("bank"), position("row"), position("col")};
}

/// Accesses in a row.
std::int64_t columnsOf(const DramDevice& device) {
    const int level = device.rowLevel + 1;
    for (const DramAddressField& field : device.addressMap)
        if (field.level == level)
            return std::int64_t(1) << field.bits;
    return device.levels[std::size_t(level)].count;
}

/// What each command of a phase is and how far its operands go, loops and all.
class OperandCheck {
public:
    OperandCheck(const DramDevice& device, const Program& program, const std::vector<OpcodeUse>& uses,
                 const FlatPhase& phase)
        : m_device(device), m_program(program), m_uses(uses), m_phase(phase) {}

    Result<void> run() {
        std::vector<std::int64_t> turns;
        for (const FlatNode& node : m_phase.nodes) {
            if (node.kind == FlatNode::Kind::Loop)
                turns.push_back(node.turns);
            else if (node.kind == FlatNode::Kind::End)
                turns.pop_back();
            else
                PIM_CHECK(command(node, turns));
        }
        return {};
    }

private:
    Result<void> command(const FlatNode& node, const std::vector<std::int64_t>& turns) const {
        const OpcodeUse& use = m_uses[std::size_t(node.opcode)];
        const std::string& name = m_program.opcodes[std::size_t(node.opcode)].name;
        if (use.command < 0)
            return refuse(m_program, m_phase.name,
                          fmt::format("{} is no command of device {}", name, m_device.name));
        const DramCommand& row = m_device.commands[std::size_t(use.command)];
        if (row.refreshes)
            return refuse(m_program, m_phase.name,
                          fmt::format("{} is a refresh, which the controller does", name));
        if (use.bank < 0 && (row.level > 0 || row.repeatedOver >= 0))
            return refuse(m_program, m_phase.name,
                          fmt::format("{} has no operand \"bank\" and addresses one {} of several", name,
                                      m_device.levels[std::size_t(row.level)].name));
        if (use.row < 0 && row.row == DramRowEffect::Opens)
            return refuse(m_program, m_phase.name,
                          fmt::format("{} opens a row and has no operand \"row\"", name));
        PIM_CHECK(within(node, turns, use.bank, m_device.bankCount(), "banks in the channel"));
        PIM_CHECK(within(node, turns, use.row, m_device.levels[std::size_t(m_device.rowLevel)].count,
                         "rows in a bank"));
        return within(node, turns, use.column, columnsOf(m_device), "accesses in a row");
    }

    Result<void> within(const FlatNode& node, const std::vector<std::int64_t>& turns, int operand,
                        std::int64_t count, const char* what) const {
        if (operand < 0)
            return {};
        std::int64_t low = m_phase.operands[std::size_t(node.operands + operand)], high = low;
        for (int i = 0; i < node.moving; ++i) {
            const FlatMovement& movement = m_phase.movements[std::size_t(node.movements + i)];
            if (movement.operand == operand)
                move(movement.stride < 0 ? low : high, movement.stride,
                     turns[std::size_t(movement.depth)] - 1);
        }
        if (low >= 0 && high < count)
            return {};
        const std::span operands(m_phase.operands.data() + node.operands, std::size_t(node.count));
        return refuse(m_program, m_phase.name,
                      fmt::format("{} and its repeats go from {} to {}; there are {} {}",
                                  commandText(m_program, node.opcode, operands), low, high, count, what));
    }

    /// Stops at the ends of the numbers there are.
    static void move(std::int64_t& value, std::int64_t stride, std::int64_t times) {
        std::int64_t way = 0;
        if (__builtin_mul_overflow(stride, times, &way) || __builtin_add_overflow(value, way, &value))
            value = stride < 0 ? INT64_MIN : INT64_MAX;
    }

    const DramDevice& m_device;
    const Program& m_program;
    const std::vector<OpcodeUse>& m_uses;
    const FlatPhase& m_phase;
};

/// What is open in the banks while the phases run.
class RowCheck {
public:
    RowCheck(const DramDevice& device, const Program& program, const std::vector<OpcodeUse>& uses,
             const TaskContext& task)
        : m_device(device), m_nodes(device), m_program(program), m_uses(uses), m_task(task),
          m_banks(std::size_t(device.bankCount())) {}

    Result<void> run(const FlatPhase& phase) {
        m_phase = &phase;
        m_turns.assign(std::size_t(phase.deepest) + 1, 0);
        m_operands.assign(std::size_t(phase.mostOperands), 0);
        for (Bank& bank : m_banks)
            bank.opened = -1; // in another phase: its row does not move any more
        return nodes(0, int(phase.nodes.size()));
    }

private:
    struct Bank {
        std::int64_t row = kClosed;
        int opener = 0;           ///< Node of the command that opened it.
        std::int64_t opened = -1; ///< Number of that visit.
    };

    Result<void> nodes(int from, int to) {
        for (int at = from; at < to; ++at) {
            const FlatNode& node = m_phase->nodes[std::size_t(at)];
            if (node.kind == FlatNode::Kind::Command) {
                PIM_CHECK(command(at, node));
            } else {
                PIM_CHECK(loop(at, node));
                at = node.partner;
            }
        }
        return {};
    }

    Result<void> loop(int at, const FlatNode& node) {
        const bool all = node.turns <= 3 || moves(at, node);
        std::int64_t& turn = m_turns[std::size_t(node.depth)];
        for (turn = 0; turn < node.turns; ++turn) {
            const std::int64_t before = m_visits;
            PIM_CHECK(nodes(at + 1, node.partner));
            if (!all &&
                turn == 1) { // the state after the last but one: rows opened in this turn have moved on
                const std::int64_t skipped = node.turns - 3;
                for (Bank& bank : m_banks)
                    if (bank.row != kClosed && bank.opened > before)
                        bank.row += skipped * rowStride(m_phase->nodes[std::size_t(bank.opener)], node.depth);
                turn += skipped;
            }
        }
        turn = 0;
        return {};
    }

    /// Whether the bank of any command in the loop depends on its counter.
    bool moves(int at, const FlatNode& loopNode) const {
        for (int i = at + 1; i < loopNode.partner; ++i) {
            const FlatNode& node = m_phase->nodes[std::size_t(i)];
            if (node.kind == FlatNode::Kind::Command &&
                stride(node, m_uses[std::size_t(node.opcode)].bank, loopNode.depth) != 0)
                return true;
        }
        return false;
    }
    std::int64_t rowStride(const FlatNode& node, int depth) const {
        return stride(node, m_uses[std::size_t(node.opcode)].row, depth);
    }
    std::int64_t stride(const FlatNode& node, int operand, int depth) const {
        std::int64_t sum = 0;
        for (int i = 0; i < node.moving; ++i) {
            const FlatMovement& movement = m_phase->movements[std::size_t(node.movements + i)];
            sum += movement.operand == operand && movement.depth == depth ? movement.stride : 0;
        }
        return sum;
    }

    Result<void> command(int at, const FlatNode& node) {
        if (++m_visits % (1 << 16) == 0 && m_task.cancelled())
            return TaskContext::cancelledError("timing " + m_program.op);
        if (m_visits > kMostVisits)
            return fail(
                ErrorCode::Unsupported,
                fmt::format("its loops are nested {} deep; that is too much to check", m_phase->deepest),
                fmt::format("{}, phase \"{}\"", m_program.op, m_phase->name));
        const OpcodeUse& use = m_uses[std::size_t(node.opcode)];
        const DramCommand& row = m_device.commands[std::size_t(use.command)];
        if (row.access == DramAccess::None && row.row == DramRowEffect::None)
            return {};
        m_phase->evaluate(node, m_turns.data(), m_operands.data());
        const std::int64_t wanted = use.row < 0 ? kClosed : m_operands[std::size_t(use.row)];
        const DramNodeSet banks =
            m_nodes.banksOf(use.command, use.bank < 0 ? 0 : int(m_operands[std::size_t(use.bank)]));
        for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride) {
            Bank& bank = m_banks[std::size_t(b)];
            if (row.access != DramAccess::None &&
                (bank.row == kClosed || (use.row >= 0 && bank.row != wanted)))
                return wrong(node, b,
                             bank.row == kClosed ? "has no row open"
                                                 : fmt::format("has row {} open", bank.row));
            if (row.row == DramRowEffect::Opens && bank.row != kClosed)
                return wrong(node, b, fmt::format("has row {} open, which has to be closed first", bank.row));
            if (row.row == DramRowEffect::Opens)
                bank = {wanted, at, m_visits};
            else if (row.row == DramRowEffect::Closes)
                bank.row = kClosed;
        }
        return {};
    }

    Result<void> wrong(const FlatNode& node, int bank, const std::string& what) const {
        std::string turns;
        for (int depth = 0; depth < node.depth; ++depth)
            turns += fmt::format("{}{}", depth == 0 ? ", turn " : ".", m_turns[std::size_t(depth)]);
        const std::span operands(m_operands.data(), std::size_t(node.count));
        return refuse(m_program, m_phase->name,
                      fmt::format("{}{}: bank {} {}", commandText(m_program, node.opcode, operands), turns,
                                  bank, what));
    }

    const DramDevice& m_device;
    DramNodes m_nodes;
    const Program& m_program;
    const std::vector<OpcodeUse>& m_uses;
    const TaskContext& m_task;
    const FlatPhase* m_phase = nullptr;
    std::vector<Bank> m_banks;
    std::vector<std::int64_t> m_turns, m_operands;
    std::int64_t m_visits = 0;
};

} // namespace

Result<DeviceProgram> programForDevice(const DramDevice& device, const Program& program,
                                       const std::vector<std::string>& names, const TaskContext& task) {
    DeviceProgram result;
    for (const Opcode& opcode : program.opcodes)
        result.opcodes.push_back(useOf(device, opcode));
    for (const std::string& name : names)
        if (std::none_of(program.phases.begin(), program.phases.end(),
                         [&](const Phase& phase) { return phase.name == name; }))
            return fail(ErrorCode::Usage, fmt::format("there is no phase \"{}\"", name), program.op);
    RowCheck rows(device, program, result.opcodes, task);
    for (std::size_t i = 0; i < program.phases.size(); ++i) {
        const Phase& phase = program.phases[i];
        const bool wanted = names.empty() ? phase.name != "load" && phase.name != "unload"
                                          : std::find(names.begin(), names.end(), phase.name) != names.end();
        if (!wanted)
            continue;
        PIM_TRY(FlatPhase flat, flatten(program, phase));
        PIM_CHECK(OperandCheck(device, program, result.opcodes, flat).run());
        PIM_CHECK(rows.run(flat));
        result.phases.push_back(std::move(flat));
        result.phaseOfProgram.push_back(int(i));
    }
    return result;
}

} // namespace pim
