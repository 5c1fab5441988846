// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/flat_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

class Flattener {
public:
    Flattener(const Program& program, FlatPhase& phase) : m_program(program), m_phase(phase) {}

    Result<void> items(const std::vector<ProgramItem>& body, int depth) {
        m_phase.deepest = std::max(m_phase.deepest, depth);
        for (const ProgramItem& item : body)
            PIM_CHECK(item.body.empty() ? command(item, depth) : loop(item, depth));
        return {};
    }

private:
    Result<void> loop(const ProgramItem& item, int depth) {
        if (item.repeat < 1)
            return refuse(fmt::format("a loop of {} turns", item.repeat));
        const int head = int(m_phase.nodes.size());
        FlatNode node;
        node.kind = FlatNode::Kind::Loop;
        node.depth = depth;
        node.turns = item.repeat;
        m_phase.nodes.push_back(node);
        PIM_CHECK(items(item.body, depth + 1));
        node.kind = FlatNode::Kind::End;
        node.partner = head;
        m_phase.nodes[std::size_t(head)].partner = int(m_phase.nodes.size());
        m_phase.nodes.push_back(node);
        return {};
    }

    Result<void> command(const ProgramItem& item, int depth) {
        if (item.command.opcode >= m_program.opcodes.size())
            return refuse(
                fmt::format("opcode {}; the program has {}", item.command.opcode, m_program.opcodes.size()));
        const Opcode& opcode = m_program.opcodes[item.command.opcode];
        const std::vector<std::int64_t>& operands = item.command.operands;
        if (operands.size() != opcode.operands.size())
            return refuse(fmt::format("{} with {} operands; it has {}", opcode.name, operands.size(),
                                      opcode.operands.size()));
        FlatNode node;
        node.opcode = item.command.opcode;
        node.depth = depth;
        node.operands = int(m_phase.operands.size());
        node.count = int(operands.size());
        node.movements = int(m_phase.movements.size());
        m_phase.operands.insert(m_phase.operands.end(), operands.begin(), operands.end());
        m_phase.mostOperands = std::max(m_phase.mostOperands, node.count);
        if (int(item.strides.size()) > depth)
            return refuse(fmt::format("{} moves in {} loops and stands in {}", opcode.name,
                                      item.strides.size(), depth));
        for (std::size_t k = 0; k < item.strides.size(); ++k)
            for (std::size_t i = 0; i < std::min(item.strides[k].size(), operands.size()); ++i)
                if (item.strides[k][i] != 0)
                    m_phase.movements.push_back({int(k), int(i), item.strides[k][i]});
        node.moving = int(m_phase.movements.size()) - node.movements;
        m_phase.nodes.push_back(node);
        return {};
    }

    Result<void> refuse(std::string what) const {
        return fail(ErrorCode::InvalidFile, std::move(what),
                    fmt::format("{}, phase \"{}\"", m_program.op, m_phase.name));
    }

    const Program& m_program;
    FlatPhase& m_phase;
};

} // namespace

void FlatPhase::evaluate(const FlatNode& node, const std::int64_t* turns, std::int64_t* into) const {
    std::copy_n(operands.data() + node.operands, node.count, into);
    const FlatMovement* movement = movements.data() + node.movements;
    for (int i = 0; i < node.moving; ++i, ++movement)
        into[movement->operand] += movement->stride * turns[movement->depth];
}

Result<FlatPhase> flatten(const Program& program, const Phase& phase) {
    FlatPhase flat;
    flat.name = phase.name;
    if (phase.streams.size() > 1)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} streams; all groups run the same one", phase.streams.size()),
                    fmt::format("{}, phase \"{}\"", program.op, phase.name));
    for (const Stream& stream : phase.streams)
        PIM_CHECK(Flattener(program, flat).items(stream.items, 0));
    return flat;
}

std::string commandText(const Program& program, int opcode, std::span<const std::int64_t> operands) {
    const Opcode& row = program.opcodes[std::size_t(opcode)];
    std::string text = row.name;
    for (std::size_t i = 0; i < operands.size() && i < row.operands.size(); ++i)
        text += fmt::format(" {}={}", row.operands[i], operands[i]);
    return text;
}

} // namespace pim
