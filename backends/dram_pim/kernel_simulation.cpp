// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/kernel_simulation.h"

#include "backends/dram_pim/device_of_target.h"
#include "core/dram_pim/weighed_operands.h"
#include "core/rearrange/movement.h"

#include <algorithm>

namespace pim::dram {
namespace {

std::int64_t burstsOf(const Program& program, const std::vector<ProgramItem>& items, int tensor) {
    std::int64_t bursts = 0;
    for (const ProgramItem& item : items) {
        if (!item.body.empty()) {
            bursts += item.repeat * burstsOf(program, item.body, tensor);
            continue;
        }
        const auto& names = program.opcodes[item.command.opcode].operands;
        const auto at = std::find(names.begin(), names.end(), "tensor") - names.begin();
        if (at < std::ssize(names) && item.command.operands[static_cast<std::size_t>(at)] == tensor)
            ++bursts;
    }
    return bursts;
}

double CostSplit::*partOf(std::string_view phase) {
    if (phase == "input")
        return &CostSplit::inputNs;
    if (phase == "output")
        return &CostSplit::outputNs;
    return phase.starts_with("mode") ? &CostSplit::modeSwitchNs : &CostSplit::computeNs;
}

CostSplit costOf(const SequenceTiming& timing) {
    CostSplit cost;
    DramTick begin = 0;
    for (std::size_t i = 0; i < timing.phases.size(); ++i) {
        const DramTick end = i + 1 < timing.phases.size() ? timing.phases[i].end : timing.ticks;
        cost.*partOf(timing.phases[i].name) += timing.ns(end - begin);
        begin = end;
    }
    return cost;
}

/// What a run of more phases has beyond that of its first ones.
SequenceTiming difference(const SequenceTiming& whole, const SequenceTiming& before) {
    SequenceTiming rest = whole;
    rest.ticks -= before.ticks;
    rest.refreshTicks -= before.refreshTicks;
    rest.walked -= before.walked;
    const auto done = static_cast<std::ptrdiff_t>(before.phases.size());
    rest.phases.erase(rest.phases.begin(), rest.phases.begin() + done);
    rest.phaseCommands.erase(rest.phaseCommands.begin(), rest.phaseCommands.begin() + done);
    for (SequencePhase& phase : rest.phases) {
        phase.begin -= before.ticks;
        phase.end -= before.ticks;
    }
    for (std::size_t i = 0; i < before.commands.size(); ++i)
        rest.commands[i] -= before.commands[i];
    for (std::size_t i = 0; i < before.reasons.size(); ++i) {
        const auto at = std::find(rest.reasons.begin(), rest.reasons.end(), before.reasons[i]);
        if (at != rest.reasons.end())
            rest.waited[static_cast<std::size_t>(at - rest.reasons.begin())] -= before.waited[i];
    }
    return rest;
}

} // namespace

Result<ChainCode> chainCodeOf(const DramPimBackend& backend, std::span<const ChainedKernel> ops,
                              const Target& target, const CodePasses& passes) {
    ChainCode all;
    std::vector<const Kernel*> kernels;
    for (const ChainedKernel& op : ops) {
        PIM_TRY(PimCode code, backend.generate(*op.space, op.draft, target, op.residency, passes));
        all.codes.push_back(std::move(code));
        kernels.push_back(&op.space->kernel());
    }
    PIM_TRY(all.chain, chainCodes(all.codes, kernels));
    return all;
}

std::int64_t burstsToHost(const Program& program, int tensor) {
    std::int64_t bursts = 0;
    for (const Phase& phase : program.phases) {
        if (phase.name == "unload")
            continue;
        for (const Stream& stream : phase.streams)
            bursts += burstsOf(program, stream.items, tensor);
    }
    return bursts;
}

KernelSimulator::KernelSimulator(const DramPimBackend& backend, const Target& target, DramDevice device)
    : m_backend(&backend), m_target(&target), m_device(std::move(device)),
      m_hostAddsPerNs(movementMachine(target).hostAddsPerNs) {}

Result<KernelSimulator> KernelSimulator::create(const DramPimBackend& backend, const Target& target) {
    PIM_TRY(DramDevice device, deviceOf(target));
    return KernelSimulator(backend, target, std::move(device));
}

SequencerOptions KernelSimulator::options() const {
    SequencerOptions options;
    options.refresh = m_target->isOn("policy.refresh");
    return options;
}

Result<KernelRun> KernelSimulator::run(const TilingSpace& space, const Draft& draft,
                                       const std::vector<Residency>& residency, const CodePasses& passes,
                                       bool load, const TaskContext& task) const {
    PIM_TRY(const PimCode code, m_backend->generate(space, draft, *m_target, residency, passes));
    KernelRun run;
    run.channels = code.groups;
    PIM_TRY(SequenceTiming timing, timeProgram(m_device, code.program, options(), {}, nullptr, task));
    run.timing = std::make_shared<const SequenceTiming>(std::move(timing));
    run.cost = costOf(*run.timing);
    const bool hasLoad = std::any_of(code.program.phases.begin(), code.program.phases.end(),
                                     [](const Phase& phase) { return phase.name == "load"; });
    if (load && hasLoad) {
        PIM_TRY(const SequenceTiming loading,
                timeProgram(m_device, code.program, options(), {"load"}, nullptr, task));
        run.loadNs = loading.ns(loading.ticks);
    }
    addMerge(run, space, code);
    addEnergy(run);
    return run;
}

Result<std::vector<KernelRun>> KernelSimulator::runChain(std::span<const ChainedKernel> ops,
                                                         const CodePasses& passes,
                                                         const TaskContext& task) const {
    PIM_TRY(const ChainCode all, chainCodeOf(*m_backend, ops, *m_target, passes));
    std::vector<KernelRun> runs;
    SequenceTiming before;
    for (std::size_t op = 0; op < ops.size(); ++op) {
        Program program = all.chain.code.program;
        while (all.chain.opOfPhase[program.phases.size() - 1] > static_cast<int>(op))
            program.phases.pop_back();
        PIM_TRY(SequenceTiming timing, timeProgram(m_device, program, options(), {}, nullptr, task));
        KernelRun run;
        run.channels = all.codes[op].groups;
        run.timing = std::make_shared<const SequenceTiming>(difference(timing, before));
        run.cost = costOf(*run.timing);
        addMerge(run, *ops[op].space, all.codes[op]);
        addEnergy(run);
        runs.push_back(std::move(run));
        before = std::move(timing);
    }
    return runs;
}

void KernelSimulator::addMerge(KernelRun& run, const TilingSpace& space, const PimCode& code) const {
    const Kernel& kernel = space.kernel();
    for (std::size_t t = 0; t < kernel.tensors.size() && m_hostAddsPerNs > 0; ++t)
        if (kernel.tensors[t].role != TensorRole::Input) {
            const auto values = static_cast<double>(burstsToHost(code.program, static_cast<int>(t))) *
                                kPimLanes * code.groups;
            const auto results = static_cast<double>(elementCount(kernel.tensors[t].shape).value_or(0));
            run.mergeNs += std::max(0.0, values - results) / m_hostAddsPerNs;
        }
    if (const auto* weighed = dynamic_cast<const WeighedOperands*>(code.operands.get());
        weighed && m_hostAddsPerNs > 0)
        run.mergeNs += weighed->hostAdditions() / m_hostAddsPerNs;
}

void KernelSimulator::addEnergy(KernelRun& run) const {
    for (std::size_t c = 0; c < run.timing->commands.size(); ++c) {
        const std::int64_t count = run.timing->commands[c];
        if (count == 0)
            continue;
        const DramCommand& command = m_device.commands[c];
        if (const auto pj = commandEnergyPj(m_device, static_cast<int>(c), *m_target))
            run.energyPj[command.name] = *pj * static_cast<double>(count) * run.channels;
        else if (command.row == DramRowEffect::Opens || command.access != DramAccess::None)
            run.withoutEnergy.insert(command.name);
    }
}

} // namespace pim::dram
