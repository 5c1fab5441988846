// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/upmem.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

using namespace upmem;

class DpuRoofs {
public:
    DpuRoofs(const Plan& plan, const Simulation& simulation, const HostModel& model)
        : m_plan(plan), m_simulation(simulation), m_machine(machineOf(*plan.target)) {
        addHost(
            m_roofline, plan, model, [&](const OpPlan& op) { return decidedType(plan, op); },
            [&](const OpPlan& op) { return simulation.ops[op.op.index()].cost.totalNs(); });
    }

    Result<Roofline> take() {
        const double perNs = m_machine.dpus / m_machine.timing.cycleNs();
        const std::string dpus = exactText(m_machine.dpus);
        m_pipelines = m_roofline.ceiling(
            {"DPU pipelines", false, false, perNs,
             fmt::format("{} DPUs, an instruction every {:.4g} ns", dpus, m_machine.timing.cycleNs())});
        m_mram = m_roofline.ceiling(
            {"MRAM", true, false, perNs / m_machine.timing.cyclesPerByte,
             fmt::format("{} DMA engines, {:g} bytes a cycle", dpus, 1 / m_machine.timing.cyclesPerByte)});
        m_link = m_roofline.ceiling({"link to the DPUs", true, false, m_machine.link.mostBytesPerNs(),
                                     fmt::format("{} ranks, {} at most", m_machine.link.ranks,
                                                 bandwidthText(m_machine.link.mostBytesPerNs()))});
        for (const SimulatedOp& op : m_simulation.ops)
            if (!m_plan.opPlan(op.op).onHost() && op.cost.totalNs() > 0) {
                PIM_TRY(OpUnderRoof at, onDpus(op));
                m_roofline.ops.push_back(std::move(at));
            }
        std::ranges::sort(m_roofline.ops, {}, [](const OpUnderRoof& op) { return op.op.index(); });
        return std::move(m_roofline);
    }

private:
    Result<OpUnderRoof> onDpus(const SimulatedOp& op) const {
        const OpPlan& planned = m_plan.opPlan(op.op);
        const Kernel& kernel = planned.space->kernel();
        const DraftSummary draft = planned.space->summarize(*planned.draft);
        PIM_TRY(const KernelTile tile, tileOf(kernel, draft, m_machine.timing));
        const TaskletCounts counts = tile.tile.counts();
        const int tasklets = tile.tile.shape().tasklets();
        const double both = double(draft.groupsUsed) * tasklets;
        OpUnderRoof at{op.op, false, op.cost.totalNs(), operationsOf(m_plan.graph->op(op.op)), {}, {}};
        at.amounts.assign(m_roofline.ceilings.size(), 0);
        at.amounts[m_pipelines] = at.operations;
        at.amounts[m_mram] = counts.dmaBytes * both;
        for (int t = 0; t < std::ssize(kernel.tensors); ++t) {
            const bool isInput = kernel.tensors[std::size_t(t)].role == TensorRole::Input;
            if (isInput && planned.tensors[std::size_t(t)].residency == Residency::Resident)
                continue;
            const HostTransfer transfer =
                isInput ? inputTransfer(kernel, draft, tile, t) : outputTransfer(draft, tile);
            at.amounts[m_link] += double(HostLink::paddedBytes(transfer.bytesPerDpu)) * transfer.dpus;
            if (planned.tensors[std::size_t(t)].residency == Residency::Streamed &&
                m_roofline.ceilings[0].ofHost && m_roofline.ceilings[0].isMemory)
                at.amounts[0] += double(planned.tensors[std::size_t(t)].bytes);
        }
        at.why = whyOf(op, at, counts.instructions * both, int(draft.groupsUsed), tasklets);
        return at;
    }

    std::string whyOf(const SimulatedOp& op, const OpUnderRoof& at, double instructions, int dpus,
                      int tasklets) const {
        constexpr double kWorthNaming = 0.05;
        std::string text;
        const auto add = [&](std::string part) { text += (text.empty() ? "" : "; ") + std::move(part); };
        for (const auto& [ns, what] :
             {std::pair(op.cost.inputNs + op.cost.outputNs, "calls and transfers take"),
              std::pair(op.cost.modeSwitchNs, "launching takes"),
              std::pair(op.cost.computeNs, "the DPUs compute")})
            if (ns > kWorthNaming * at.ns)
                add(fmt::format("{} {} of its time", what, percentText(ns / at.ns)));
        if (at.operations > 0)
            add(fmt::format("{:.3g} instructions an operation", instructions / at.operations));
        if (tasklets < m_machine.timing.revolverCycles)
            add(fmt::format("{} tasklets, {} fill a pipeline", tasklets, m_machine.timing.revolverCycles));
        if (dpus < m_machine.dpus)
            add(fmt::format("{} of {} DPUs have work", exactText(dpus), exactText(m_machine.dpus)));
        return text;
    }

    const Plan& m_plan;
    const Simulation& m_simulation;
    Machine m_machine;
    Roofline m_roofline;
    std::size_t m_pipelines = 0, m_mram = 0, m_link = 0;
};

} // namespace

Result<Roofline> UpmemReportFacet::roofline(const Plan& plan, const Simulation& simulation) const {
    if (simulation.ops.size() != plan.ops.size())
        return fail(ErrorCode::Unsupported, "its simulation says nothing of single ops", plan.target->id);
    return DpuRoofs(plan, simulation, m_backend.hostModel()).take();
}

} // namespace pim
