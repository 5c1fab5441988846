// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/upmem.h"

#include <fmt/format.h>

#include <map>

namespace pim::upmem {
namespace {

/// Opcodes of one program, in the order in which they come first. A DPU instruction with a constant, or with a condition, is an
/// opcode of its own: "add", "addi", "addi_nz".
class Opcodes {
public:
    explicit Opcodes(Program& program) : m_program(program) {}

    std::uint16_t of(const std::string& name, std::vector<std::string> operands, std::string meaning) {
        const auto [found, isNew] = m_places.try_emplace(name, std::uint16_t(m_program.opcodes.size()));
        if (isNew)
            m_program.opcodes.push_back({name, std::move(operands), std::move(meaning)});
        return found->second;
    }

private:
    Program& m_program;
    std::map<std::string, std::uint16_t> m_places;
};

ProgramItem item(std::uint16_t opcode, std::vector<std::int64_t> operands) {
    ProgramItem made;
    made.command = {opcode, std::move(operands)};
    return made;
}

ProgramItem transferItem(Opcodes& opcodes, const HostTransfer& transfer, int tensor) {
    const bool to = transfer.direction == Direction::ToDpu;
    const bool all = transfer.kind == TransferKind::Broadcast;
    return item(opcodes.of(all  ? "BROADCAST"
                           : to ? "PUSH"
                                : "PULL",
                           {"tensor", "bytes", "dpus"},
                           all  ? "Sends the same bytes to every DPU."
                           : to ? "Sends every DPU its piece, all equally long."
                                : "Fetches every DPU's piece, all equally long."),
                {tensor, HostLink::paddedBytes(transfer.bytesPerDpu), transfer.dpus});
}

ProgramItem instructionItem(Opcodes& opcodes, const DpuInstruction& in) {
    const DpuOperands has = operandsOf(in.op);
    std::string name(upmem::name(in.op));
    std::vector<std::string> names;
    std::vector<std::int64_t> values;
    const auto add = [&](const char* what, std::int64_t value) {
        names.emplace_back(what);
        values.push_back(value);
    };
    if (has.result)
        add("rc", int(in.rc));
    if (has.first)
        add("ra", int(in.ra));
    if (has.second && (!in.useImm || has.constant))
        add("rb", int(in.rb));
    else if (has.second)
        name += "i";
    if (has.second && (in.useImm || has.constant))
        add("imm", in.imm);
    if (in.condition != DpuCondition::Never) {
        name += fmt::format("_{}", upmem::name(in.condition));
        add("to", in.target);
    }
    return item(opcodes.of(name, std::move(names),
                           "Instruction of every tasklet; registers 24 to 27 are zero, id, 4 id, 8 id."),
                std::move(values));
}

} // namespace

Program programOf(const Kernel& kernel, const DraftSummary& draft, const std::vector<Residency>& residency,
                  const KernelTile& tile, const DpuProgram& code) {
    Program program;
    Opcodes opcodes(program);
    Stream in{"host", {}}, run{fmt::format("DPUs 0-{}", draft.groupsUsed - 1), {}}, out{"host", {}};
    for (int t = 0; t < std::ssize(kernel.tensors); ++t) {
        if (kernel.tensors[std::size_t(t)].role != TensorRole::Input)
            out.items.push_back(transferItem(opcodes, outputTransfer(draft, tile), t));
        else if (residency[std::size_t(t)] != Residency::Resident)
            in.items.push_back(transferItem(opcodes, inputTransfer(kernel, draft, tile, t), t));
    }
    for (const DpuInstruction& instruction : code.code)
        run.items.push_back(instructionItem(opcodes, instruction));
    if (!in.items.empty())
        program.phases.push_back({"input", {std::move(in)}});
    program.phases.push_back({"compute", {std::move(run)}});
    program.phases.push_back({"output", {std::move(out)}});
    return program;
}

} // namespace pim::upmem
