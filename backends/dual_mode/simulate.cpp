// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/dual_mode.h"

#include "backends/dual_mode/flow/simulate.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace pim {
namespace {

struct NamedGap {
    const char* name;
    double DualModeGap::*cycles;
};
constexpr NamedGap kGaps[] = {{"write-back", &DualModeGap::writeBack},
                              {"mode switches", &DualModeGap::switching},
                              {"rewriting weights", &DualModeGap::rewrite},
                              {"bytes that lie elsewhere than in the model", &DualModeGap::transfer},
                              {"pipelines filling", &DualModeGap::fill},
                              {"vector unit", &DualModeGap::vector},
                              {"main memory bus shared", &DualModeGap::bus}};

/// The largest parts of a gap, largest first: "pipelines filling +2.9 %, vector unit +1.0 %".
std::string inWords(const DualModeGap& gap, double analytic, std::size_t most) {
    std::vector<std::pair<double, const char*>> parts;
    for (const NamedGap& part : kGaps)
        if (std::abs(gap.*part.cycles) > 0.0005 * analytic)
            parts.emplace_back(gap.*part.cycles, part.name);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
    std::string text;
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i)
        text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", parts[i].second,
                            parts[i].first > 0 ? "+" : "−", percentText(std::abs(parts[i].first) / analytic));
    return text;
}

std::string summaryOf(const DualModeSimulation& run, double cycleNs, bool timed) {
    const double off = run.analyticCycles > 0 ? run.cycles / run.analyticCycles - 1 : 0;
    std::string text = timed ? fmt::format("{} simulated, by what the plan was judged", timeText(run.ns))
                             : fmt::format("{} simulated, {} {} the prediction of {}", timeText(run.ns),
                                           percentText(std::abs(off)), off < 0 ? "under" : "over",
                                           timeText(run.analyticCycles * cycleNs));
    if (const std::string causes = inWords(run.gap, run.analyticCycles, 4); !timed && !causes.empty())
        text += ": " + causes;
    if (run.hostOps > 0)
        text += fmt::format("; {} ops of the host are charged their transfers alone", run.hostOps);
    text += ".";
    if (run.stretchNs > 0)
        text += fmt::format(" What is shorter than {} is drawn together.", timeText(run.stretchNs));
    return text;
}

} // namespace

Result<std::shared_ptr<const Simulation>> DualModeBackend::simulate(const Plan& plan,
                                                                    const TaskContext& task) const {
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return fail(ErrorCode::Unsupported, "nothing runs on the chip, so there is nothing to simulate");
    task.report("writing the flow");
    PIM_TRY(const DualModeFlow flow, emitFlow(*plan.graph, *dualMode));
    PIM_TRY(DualModeSimulation run, simulateFlow(flow, *dualMode, task));
    const double cycleNs = dualMode->chip.cycleNs;
    auto result = std::make_shared<Simulation>();
    result->totalNs = run.ns;
    const bool timed = dualMode->options.cost != CostRule::Formula; // by this simulator: nothing to compare
    if (!timed)
        result->predictedNs = run.analyticCycles * cycleNs;
    result->summary = summaryOf(run, cycleNs, timed);
    result->phaseWord = "segment";
    for (const DualModeBlockSimulation& block : run.blocks)
        result->phases.push_back(
            {block.name, block.analytic.cycles() * cycleNs, block.simulated.cycles() * cycleNs,
             timed ? std::string() : inWords(block.gap, std::max(block.analytic.cycles(), 1.0), 3)});
    for (const NamedGap& part : std::span(kGaps, timed ? 0 : std::size(kGaps)))
        result->differenceNs[part.name] = run.gap.*part.cycles * cycleNs;
    result->energyPj = run.energy.total;
    const std::pair<const char*, std::optional<double>> parts[] = {{"multiply-accumulates", run.energy.mac},
                                                                   {"memory arrays", run.energy.arrays},
                                                                   {"main memory", run.energy.main},
                                                                   {"rewriting weights", run.energy.rewrite},
                                                                   {"mode switches", run.energy.switching}};
    std::string unknown;
    for (const auto& [part, pj] : parts)
        if (pj)
            result->energyParts[part] = *pj;
        else
            unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", part);
    if (!unknown.empty())
        result->energyNote = result->energyPj
                                 ? "Nobody published what these take, so they are left out: " + unknown + "."
                                 : "The target has no energy figures.";
    result->timeline = std::move(run.timeline);
    return result;
}

} // namespace pim
