// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/chain.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Every tensor is asked of the op it belongs to.
class ChainedOperands final : public PimOperands {
public:
    void add(std::shared_ptr<const PimOperands> operands, int firstTensor) {
        m_ops.push_back({std::move(operands), firstTensor});
    }
    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override {
        const Op& op = ofTensor(tensor);
        op.operands->elements(tensor - op.firstTensor, group, burst, lanes);
    }
    std::vector<PimPlace> places(int tensor, std::int64_t element) const override {
        const Op& op = ofTensor(tensor);
        return op.operands->places(tensor - op.firstTensor, element);
    }

private:
    struct Op {
        std::shared_ptr<const PimOperands> operands;
        int firstTensor = 0;
    };
    const Op& ofTensor(int tensor) const {
        return *std::find_if(m_ops.rbegin(), m_ops.rend(),
                             [tensor](const Op& op) { return tensor >= op.firstTensor; });
    }
    std::vector<Op> m_ops;
};

/// Positions of the operands "tensor" and "burst" of an opcode; -1: it has none.
struct DataOperands {
    int tensor = -1, burst = -1;
    explicit DataOperands(const Opcode& opcode) {
        for (std::size_t i = 0; i < opcode.operands.size(); ++i) {
            tensor = opcode.operands[i] == "tensor" ? int(i) : tensor;
            burst = opcode.operands[i] == "burst" ? int(i) : burst;
        }
    }
};

void renumber(std::vector<ProgramItem>& items, const std::vector<DataOperands>& opcodes, std::int64_t tensors,
              std::int64_t constants) {
    for (ProgramItem& item : items) {
        renumber(item.body, opcodes, tensors, constants);
        const DataOperands& at = opcodes[item.command.opcode];
        if (!item.body.empty() || at.tensor < 0)
            continue;
        std::int64_t& tensor = item.command.operands[std::size_t(at.tensor)];
        if (tensor >= 0)
            tensor += tensors;
        else if (at.burst >= 0)
            item.command.operands[std::size_t(at.burst)] += constants;
    }
}

} // namespace

Result<ChainedCode> chainCodes(std::span<const PimCode> codes, std::span<const Kernel* const> kernels) {
    if (codes.empty() || codes.size() != kernels.size())
        return fail(ErrorCode::Usage,
                    fmt::format("{} codes for a chain of {} kernels", codes.size(), kernels.size()));
    ChainedCode chain;
    PimCode& all = chain.code;
    all.program.op = codes.front().program.op;
    all.program.target = codes.front().program.target;
    all.program.opcodes = codes.front().program.opcodes;
    all.type = codes.front().type;
    const std::vector<DataOperands> data(all.program.opcodes.begin(), all.program.opcodes.end());
    auto operands = std::make_shared<ChainedOperands>();
    int tensors = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const PimCode& code = codes[i];
        if (code.program.opcodes != all.program.opcodes || code.type != all.type ||
            (codes.size() > 1 && code.scratchElements > 0))
            return fail(ErrorCode::Usage, "its code cannot continue that of the ops before", code.program.op);
        operands->add(code.operands, tensors);
        chain.firstTensor.push_back(tensors);
        for (const Phase& phase : code.program.phases) {
            if ((i > 0 && phase.name == "load") || (i + 1 < codes.size() && phase.name == "unload"))
                continue;
            Phase renumbered = phase;
            for (Stream& stream : renumbered.streams)
                renumber(stream.items, data, tensors, std::int64_t(all.constants.size()));
            all.program.phases.push_back(std::move(renumbered));
            chain.opOfPhase.push_back(int(i));
        }
        all.constants.insert(all.constants.end(), code.constants.begin(), code.constants.end());
        all.groups = std::max(all.groups, code.groups);
        all.rows = std::max(all.rows, code.rows);
        tensors += int(kernels[i]->tensors.size());
    }
    all.scratchElements = codes.front().scratchElements;
    if (codes.size() == 1) // which may be more than PimOperands
        all.operands = codes.front().operands;
    else
        all.operands = std::move(operands);
    return chain;
}

Kernel chainedKernel(std::span<const Kernel* const> kernels, std::span<const bool> inPlace) {
    Kernel all = *kernels.back();
    all.tensors.clear();
    for (const Kernel* kernel : kernels)
        all.tensors.insert(all.tensors.end(), kernel->tensors.begin(), kernel->tensors.end());
    for (std::size_t t = 0; t < all.tensors.size() && t < inPlace.size(); ++t)
        if (inPlace[t])
            all.tensors[t].role = TensorRole::Input;
    return all;
}

} // namespace pim
