// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/plan_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pim {
namespace {

/// The machine's own figure of this name, if it has one.
std::optional<double> figureOf(const Plan& plan, std::string_view key) {
    if (plan.detail)
        for (const auto& [name, value] : plan.detail->figures())
            if (name == key)
                return value;
    return std::nullopt;
}

void addMachine(PlanEnergy& energy, const Plan& plan, const Simulation* simulation, double ns) {
    const Target& target = *plan.target;
    const Evidence evidence = energyEvidence(target).value_or(Evidence::Assumption);
    if (simulation && !simulation->energyParts.empty())
        for (const auto& [part, pj] : simulation->energyParts) {
            // Opening a row is in the bytes read out of it, the host's memory in the power of its board.
            if (pj > 0 && !(part == kHostMemoryPart && hostPower(target.host, "busy")))
                energy.budget.add({part, pj * measure::kPicojoule, evidence});
        }
    else if (const auto pj = figureOf(plan, "energy_pj"))
        energy.budget.add({"machine", *pj * measure::kPicojoule, evidence});
    else if (const auto power = workingPower(target))
        energy.budget.add("modules", *power, ns * measure::kNanosecond);
    if (simulation && !simulation->energyNote.empty())
        energy.note = "Of the machine: " + simulation->energyNote;
}

/// The host computes what is not on PIM; operands and results it moves where the machine hangs on its bus.
double hostBusyNs(const Plan& plan) {
    const bool moves =
        std::ranges::any_of(plan.target->levels, [](const Level& level) { return level.bus.bytesPerNs > 0; });
    return plan.total.hostNs + (moves ? plan.total.inputNs + plan.total.outputNs : 0);
}

void addHost(PlanEnergy& energy, const Plan& plan, double ns) {
    const double busyNs = std::min(hostBusyNs(plan), ns);
    const auto add = [&](const char* part, std::string_view state, double partNs) {
        if (const auto power = hostPower(plan.target->host, state))
            energy.budget.add(part, *power, partNs * measure::kNanosecond);
        else if (partNs > 0)
            energy.note += fmt::format("{}What the host draws while it is {} is unknown and left out.",
                                       energy.note.empty() ? "" : " ", state);
    };
    add("host", "busy", busyNs);
    add("host waiting", "idle", ns - busyNs);
}

} // namespace

PlanEnergy energyOf(const Plan& plan, const Simulation* simulation, double ns) {
    PlanEnergy energy;
    addMachine(energy, plan, simulation, ns);
    if (!energy.budget.empty())
        addHost(energy, plan, ns);
    return energy;
}

} // namespace pim
