// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/op_code.h"

#include "backends/upmem/upmem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace pim::upmem {
namespace {

/// A name of C made from one of a network.
std::string cName(std::string_view text) {
    std::string name;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    while (!name.empty() && name.back() == '_')
        name.pop_back();
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
        name.insert(0, "op_");
    return name;
}

} // namespace

OpProgram opProgram(const Kernel& kernel, const DraftSummary& draft, KernelTile tile, int dpus) {
    const TaskletCode& code = tile.tile.code();
    const std::vector<int> operands = operandsOf(kernel, tile);
    HostProgram host;
    host.name = cName(kernel.name);
    host.meaning = kernel.statement;
    host.dpus = dpus;
    for (std::size_t a = 0; a < code.arrays().size(); ++a) {
        const TaskletCode::Array& array = code.arrays()[a];
        const std::int64_t slice = code.evaluate(array.bytes, tile.tile.sizes()) / bytesOf(array.type);
        if (a + 1 == code.arrays().size()) { // the results come last
            HostOutput output;
            output.name = array.name;
            output.meaning = array.meaning;
            output.type = array.type;
            output.slice = slice;
            output.elements = slice * dpus;
            host.outputs.push_back(std::move(output));
            continue;
        }
        HostInput input;
        input.name = array.name;
        input.meaning = array.meaning;
        input.type = array.type;
        input.slice = slice;
        const int tensor = kernel.accesses[std::size_t(operands[a])].tensor;
        const bool same = inputTransfer(kernel, draft, tile, tensor).kind == TransferKind::Broadcast;
        input.split = same ? HostInput::Split::Copies : HostInput::Split::Slices;
        input.elements = same ? slice : slice * dpus;
        host.inputs.push_back(std::move(input));
    }
    std::string name = host.name;
    return {std::move(name), {}, std::move(tile), std::move(host)};
}

Result<OpProgram> opProgram(const Plan& plan, OpId id) {
    const OpPlan& op = plan.opPlan(id);
    const Op& node = plan.graph->op(id);
    if (op.onHost() || !op.space || !op.draft)
        return fail(ErrorCode::Unsupported, "it runs on the host, so there is no program for DPUs",
                    node.name);
    const DraftSummary draft = op.space->summarize(*op.draft);
    const Machine machine = machineOf(targetOf(plan, op.placement));
    PIM_TRY(KernelTile tile, tileOf(op.space->kernel(), draft, machine.timing));
    if (!computes(tile.tile.shape().type))
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} is computed by a library of soft floats, for which no code is written",
                                name(tile.tile.shape().type)),
                    node.name, "compile with --dtype i8 or i16");
    OpProgram program = opProgram(op.space->kernel(), draft, std::move(tile), int(draft.groupsUsed));
    program.name = cName(node.name);
    program.host.name = program.name;
    program.origin = fmt::format("{} {} on {} DPUs", node.type, node.name, draft.groupsUsed);
    return program;
}

} // namespace pim::upmem
