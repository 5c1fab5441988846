// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/device_of_target.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/host_stream.h"
#include "core/base/number_text.h"
#include "core/drafts/dataflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

using dram::UnitCommands;

constexpr double kWorthNaming = 0.05; ///< Of an op's time.

/// Ticks between two of a command, at least.
DramTick intervalOf(const DramDevice& device, int command) {
    DramTick most = 1;
    for (const DramConstraint& constraint : device.constraints)
        if (constraint.window == 1 && !constraint.siblings &&
            std::ranges::find(constraint.before, command) != constraint.before.end() &&
            std::ranges::find(constraint.after, command) != constraint.after.end())
            most = std::max(most, constraint.ticks);
    return most;
}

class Roofs {
public:
    Roofs(const Plan& plan, const Simulation& simulation, const DramDevice& device,
          const UnitCommands& commands, const HostModel& model)
        : m_plan(plan), m_simulation(simulation), m_device(device), m_commands(commands) {
        addHost(
            m_roofline, plan, model, [&](const OpPlan& op) { return decidedType(plan, op); },
            [&](const OpPlan& op) { return simulation.ops[op.op.index()].cost.totalNs(); });
    }

    Roofline take(const dram::HostStreams& streams) {
        raiseHostMemory(streams);
        addCeilings();
        for (const SimulatedOp& op : m_simulation.ops)
            if (!m_plan.opPlan(op.op).onHost() && op.cost.totalNs() > 0)
                m_roofline.ops.push_back(onUnits(op));
        std::ranges::sort(m_roofline.ops, {}, [](const OpUnderRoof& op) { return op.op.index(); });
        return std::move(m_roofline);
    }

private:
    /// What units and host hand each other is simulated on whole channels, which may be more than the host's own figure.
    void raiseHostMemory(const dram::HostStreams& streams) {
        const double perNs = double(streams.channels()) * dram::peakBytesPerNs(streams.device());
        for (Ceiling& ceiling : m_roofline.ceilings)
            if (ceiling.ofHost && ceiling.isMemory && ceiling.perNs < perNs) {
                ceiling.perNs = perNs;
                ceiling.because =
                    fmt::format("as simulated: {} channels of {}, {} each", streams.channels(),
                                streams.device().name, bandwidthText(dram::peakBytesPerNs(streams.device())));
            }
    }

    void addCeilings() {
        const Target& target = *m_plan.target;
        const Level &group = *target.level("group"), &core = *target.level("core");
        const auto groups = double(target.instances("group")), cores = double(target.instances("core"));
        m_groups = int(groups);
        const Unit* unit = core.unitFor("mac");
        if (!unit)
            unit = &core.units.front(); // checkTarget() asks for one
        m_bytesOfAll = double(m_device.accessBytes) * core.count;
        double shortest = 0; // ns between two commands of the quickest kind
        for (const dram::UnitCommand& command : m_commands.compute) {
            const int index = m_device.command(command.name);
            const double ns = index < 0 ? 0 : double(intervalOf(m_device, index)) * m_device.tickPs / 1000;
            if (ns > 0 && (shortest == 0 || ns < shortest))
                shortest = ns;
        }
        if (shortest > 0)
            m_arithmetic =
                int(m_roofline.ceiling({unit->name + "s", false, false, 2.0 * unit->lanes * cores / shortest,
                                        fmt::format("{} of {} lanes, a multiply-accumulate every {:g} ns",
                                                    exactText(std::int64_t(cores)), unit->lanes, shortest)}));
        if (const Memory* const bank = core.memory("bank"); bank && bank->bytesPerNs > 0)
            m_banks =
                int(m_roofline.ceiling({"banks", true, false, bank->bytesPerNs * cores,
                                        fmt::format("of {} units, {} each", exactText(std::int64_t(cores)),
                                                    bandwidthText(bank->bytesPerNs))}));
        if (group.bus.bytesPerNs > 0)
            m_buses =
                int(m_roofline.ceiling({group.name + " buses", true, false, group.bus.bytesPerNs * groups,
                                        fmt::format("{} of {}", exactText(std::int64_t(groups)),
                                                    bandwidthText(group.bus.bytesPerNs))}));
        m_hostMemory =
            target.host.memoryBytesPerNs > 0
                ? int(m_roofline.ceiling({"host memory", true, true, target.host.memoryBytesPerNs, {}}))
                : -1;
    }

    OpUnderRoof onUnits(const SimulatedOp& op) const {
        const OpPlan& planned = m_plan.opPlan(op.op);
        OpUnderRoof at{op.op, false, op.cost.totalNs(), operationsOf(m_plan.graph->op(op.op)), {}, {}};
        at.amounts.assign(m_roofline.ceilings.size(), 0);
        const auto amount = [&](int ceiling) -> double* {
            return ceiling < 0 ? nullptr : &at.amounts[std::size_t(ceiling)];
        };
        if (double* const operations = amount(m_arithmetic))
            *operations = at.operations;
        if (double* const memory = amount(m_hostMemory))
            *memory = bytesOf(planned, {Residency::Streamed}) + appended(planned);
        if (!op.timing) {
            if (double* const buses = amount(m_buses))
                *buses = bytesOf(planned, {Residency::Streamed, Residency::Produced});
            at.why = "as predicted, " + op.note;
            return at;
        }
        const auto issued = [&](std::string_view name) {
            const int command = m_device.command(name);
            return command < 0 ? 0.0 : double(op.timing->commands[std::size_t(command)]) * op.channels;
        };
        if (double* const banks = amount(m_banks))
            for (const dram::UnitCommand& command : m_commands.compute)
                *banks +=
                    issued(command.name) *
                    (command.accesses > 0 ? double(command.accesses) * m_device.accessBytes : m_bytesOfAll);
        if (double* const buses = amount(m_buses))
            for (const std::string_view command : m_commands.bus)
                *buses += issued(command) * m_device.accessBytes;
        at.why = whyOf(op);
        return at;
    }

    static double bytesOf(const OpPlan& op, std::initializer_list<Residency> which) {
        double bytes = 0;
        for (const TensorPlan& tensor : op.tensors)
            if (tensor.tensor.valid() && std::ranges::find(which, tensor.residency) != which.end())
                bytes += double(tensor.bytes);
        return bytes;
    }

    /// What a run adds to caches that stay.
    double appended(const OpPlan& op) const {
        double bytes = 0;
        for (std::size_t t = 0; t < op.tensors.size() && op.space; ++t)
            if (const KernelTensor& tensor = op.space->kernel().tensors[t];
                op.tensors[t].residency == Residency::Resident && tensor.cache &&
                op.tensors[t].tensor.valid())
                bytes += double(appendedBytes(*m_plan.graph, op.tensors[t].tensor, tensor.dtype));
        return bytes;
    }

    /// Parts of its time beside computing, what its commands waited for, channels that rested.
    std::string whyOf(const SimulatedOp& op) const {
        std::vector<std::pair<double, std::string>> parts;
        const double all = op.cost.totalNs();
        const auto add = [&](double ns, const std::string& what) {
            if (ns > kWorthNaming * all)
                parts.emplace_back(ns / all, what);
        };
        add(op.hostReadNs + op.hostWriteNs, "the host and its memory");
        add(op.cost.inputNs - op.hostReadNs, "operands over the buses");
        add(op.cost.outputNs - op.hostWriteNs, "results over the buses");
        add(op.cost.modeSwitchNs, "mode switches");
        for (std::size_t i = 0; i < op.timing->reasons.size(); ++i)
            add(op.timing->ns(op.timing->waited[i]), "waiting for " + op.timing->reasons[i]);
        std::ranges::stable_sort(parts, std::greater(), &std::pair<double, std::string>::first);
        std::string text;
        constexpr std::size_t kMost = 3;
        for (std::size_t i = 0; i < std::min(kMost, parts.size()); ++i)
            text += fmt::format("{}{} {}", text.empty() ? "its time goes to " : ", ", parts[i].second,
                                percentText(parts[i].first));
        if (op.channels < m_groups)
            text +=
                fmt::format("{}{} of {} channels have work", text.empty() ? "" : "; ", op.channels, m_groups);
        return text;
    }

    const Plan& m_plan;
    const Simulation& m_simulation;
    const DramDevice& m_device;
    const UnitCommands& m_commands;
    Roofline m_roofline;
    int m_arithmetic = -1, m_banks = -1, m_buses = -1, m_hostMemory = -1; ///< Ceilings; -1: unknown.
    int m_groups = 0;
    double m_bytesOfAll = 0; ///< Of a command for all units of a channel.
};

} // namespace

Result<Roofline> DramPimReportFacet::roofline(const Plan& plan, const Simulation& simulation) const {
    if (simulation.ops.size() != plan.ops.size())
        return fail(ErrorCode::Unsupported, "its simulation says nothing of single ops", plan.target->id);
    PIM_TRY(const DramDevice device, deviceOf(*plan.target));
    const UnitCommands commands = m_backend.unitCommands();
    PIM_TRY(const auto streams, dram::HostStreams::create(*plan.target));
    return Roofs(plan, simulation, device, commands, m_backend.hostModel()).take(*streams);
}

} // namespace pim
