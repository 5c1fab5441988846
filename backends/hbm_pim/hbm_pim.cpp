// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/hbm_pim.h"

#include "backends/dram_pim/lower_bound.h"
#include "backends/dram_pim/program_builder.h"
#include "backends/hbm_pim/channel_work.h"
#include "backends/hbm_pim/code_streams.h"
#include "backends/hbm_pim/hbm_pim_unit.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

using hbm::ChannelModel;
using hbm::ChannelWork;

class HbmPimPricer final : public KernelPricer {
public:
    HbmPimPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 const CompileOptions& options)
        : m_space(space), m_target(target), m_model(space, target, residency, options.passes),
          m_machine(movementMachine(target)), m_nsPerTick(dram::Cycles(target).nsPerCycle()),
          m_traffic(space, residency, m_machine.burstBytes),
          m_refresh(dram::Cycles(target), target.isOn("policy.refresh")),
          m_groupCommands(options.groupCommands) {}

    double boundNs(const Draft&, const DraftSummary& draft) const override {
        return m_refresh.with(m_model.boundTicks(draft, m_traffic)) * m_nsPerTick;
    }

    /// The blocks compute in all-bank mode only, so commands always go to the whole group.
    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const ChannelWork channel = m_model.of(draft);
        const hbm::PhaseTicks& ticks = channel.ticks;
        KernelPrice price;
        price.busInputNs = ticks.input * m_nsPerTick;
        price.computeNs = ticks.compute * m_nsPerTick;
        price.busOutputNs = ticks.output * m_nsPerTick + channel.mergeNs;
        price.modeSwitchNs = (ticks.modeOn + ticks.modeOff) * m_nsPerTick;
        return price;
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        const DataType type = m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype;
        return dram::loadNs(m_machine, m_target, draft, tensor, bytesOf(type), m_groupCommands);
    }

private:
    const TilingSpace& m_space;
    const Target& m_target;
    ChannelModel m_model;
    MovementMachine m_machine;
    double m_nsPerTick;
    dram::UnavoidableTraffic m_traffic;
    dram::UnavoidableRefresh m_refresh;
    bool m_groupCommands;
};

/// "add+mul" is two operations.
std::vector<std::string> operationsOf(const Kernel& kernel) {
    std::vector<std::string> operations;
    for (std::size_t begin = 0; begin <= kernel.function.size();) {
        const std::size_t end = std::min(kernel.function.find('+', begin), kernel.function.size());
        operations.push_back(kernel.function.substr(begin, end - begin));
        begin = end + 1;
    }
    return operations;
}

/// Nothing of it stays from run to run, and what it takes in place is one of the first two operands, which change places.
bool isChainable(const ChainedKernel& op) {
    const Kernel& kernel = op.space->kernel();
    if (kernel.body != BodyKind::Elementwise)
        return false;
    int reads = 0, taken = 0;
    for (const TensorAccess& access : kernel.accesses) {
        if (access.isWrite)
            continue;
        const Residency where = op.residency[static_cast<std::size_t>(access.tensor)];
        if (where == Residency::Resident || (where == Residency::InPlace && reads > 1))
            return false;
        taken += where == Residency::InPlace ? 1 : 0;
        ++reads;
    }
    const auto function = hbm::MapFunction::of(kernel, reads);
    return function && taken <= 1 && (reads == 1 || !function->reluFirst);
}

const TensorAccess* accessInPlace(const ChainedKernel& op, bool written) {
    for (const TensorAccess& access : op.space->kernel().accesses)
        if (access.isWrite == written &&
            op.residency[static_cast<std::size_t>(access.tensor)] == Residency::InPlace)
            return &access;
    return nullptr;
}

/// Every core meets the elements of the result of one and of the operand of the other in the same order.
bool sameElements(const ChainedKernel& first, const ChainedKernel& second) {
    const TensorAccess* const left = accessInPlace(first, true);
    const TensorAccess* const taken = accessInPlace(second, false);
    const Kernel &from = first.space->kernel(), &to = second.space->kernel();
    if (!left || !taken || left->index != taken->index || from.loops.size() != to.loops.size() ||
        from.tensors[static_cast<std::size_t>(left->tensor)].shape !=
            to.tensors[static_cast<std::size_t>(taken->tensor)].shape)
        return false;
    for (std::size_t loop = 0; loop < from.loops.size(); ++loop)
        if (from.loops[loop].extent != to.loops[loop].extent)
            return false;
    const TilingResources& resources = first.space->resources();
    for (int group = 0; group < resources.groups; ++group)
        for (int core = 0; core < resources.coresPerGroup; ++core)
            if (first.space->tile(first.draft, group, core).loops !=
                second.space->tile(second.draft, group, core).loops)
                return false;
    return true;
}

} // namespace

std::span<const CodePassInfo> HbmPimBackend::codePasses() const {
    return hbm::kCodePasses;
}

Diagnostics HbmPimBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nCCDL",  "timing.nRP",  "timing.nRCDRD",
                                        "timing.nRCDWR", "timing.nCWL", "timing.nCL"};
    return dram::checkTarget(target, kNeeded);
}

Result<void> HbmPimBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac:
        return dram::needProduct(target, kernel,
                                 "a block multiplies two different operands, bank by register");
    case BodyKind::Attention:
        return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Reduce:
        return dram::needReduction(target, kernel);
    case BodyKind::Elementwise:
        for (const std::string& operation : operationsOf(kernel))
            PIM_CHECK(dram::needOperation(target, "core", operation == "copy" ? "move" : operation, kernel));
        // "sum" of a block adds up one operand, it is not ONNX's Sum of several
        PIM_CHECK(hbm::MapFunction::of(
            kernel,
            static_cast<int>(std::count_if(kernel.accesses.begin(), kernel.accesses.end(),
                                           [](const TensorAccess& access) { return !access.isWrite; }))));
        return {};
    }
    return {};
}

std::unique_ptr<KernelPricer> HbmPimBackend::pricer(const TilingSpace& space, const Target& target,
                                                    const std::vector<Residency>& residency,
                                                    const CompileOptions& options) const {
    return std::make_unique<HbmPimPricer>(space, target, residency, options);
}

Result<PimCode> HbmPimBackend::makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                                        const std::vector<Residency>& residency, const CodePasses& passes,
                                        CodeDetail detail) const {
    PIM_TRY(const hbm::Machine machine, hbm::Machine::of(target, passes));
    PIM_TRY(const std::shared_ptr<const hbm::CodeLayout> layout,
            hbm::CodeLayout::create(space, draft, machine, residency));
    hbm::MapFunction function;
    if (layout->form() == hbm::Form::Map) {
        PIM_TRY(function, hbm::MapFunction::of(space.kernel(), layout->inputs()));
    }
    if (detail == CodeDetail::Rows) {
        PimCode code;
        code.rows = layout->rows();
        return code;
    }
    return hbm::codeOf(layout, function, dram::groupsText(space.summarize(draft)));
}

bool HbmPimBackend::fitsInPlace(const ChainedKernel& first, const ChainedKernel& second, const Target& target,
                                const CodePasses& passes) const {
    const auto machine = hbm::Machine::of(target, passes);
    if (!machine || !machine->passes.inPlace || !isChainable(first) || !isChainable(second) ||
        !sameElements(first, second))
        return false;
    const auto left = hbm::CodeLayout::create(*first.space, first.draft, *machine, first.residency);
    const auto taken = hbm::CodeLayout::create(*second.space, second.draft, *machine, second.residency);
    return left && taken && (*left)->groups() == (*taken)->groups() && (*left)->leavesFor(**taken);
}

std::unique_ptr<PimChannel> HbmPimBackend::makeChannel(const PimCode& code, const Target& target) const {
    const Result<hbm::Machine> machine = hbm::Machine::of(target);
    return machine ? std::make_unique<hbm::HbmPimUnit>(code.program, *machine) : nullptr;
}

} // namespace pim
