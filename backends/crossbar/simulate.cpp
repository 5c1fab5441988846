// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/crossbar.h"

#include "backends/crossbar/plan/planner.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <map>

namespace pim {
namespace {

/// "57 cores by waiting for others, 30 by memory".
std::string limitsOf(const CrossbarProfile& profile) {
    std::map<CrossbarLimit, int> cores;
    for (const CoreProfile& core : profile.cores)
        if (const CrossbarLimit limit = core.limit(); limit != CrossbarLimit::Idle)
            ++cores[limit];
    std::string text;
    for (const auto& [limit, count] : cores)
        text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", count, name(limit));
    return text;
}

} // namespace

Result<std::shared_ptr<const Simulation>> CrossbarBackend::simulate(const Plan& plan,
                                                                    const TaskContext& task) const {
    const auto* crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    if (crossbar->schedule->program.size() == 0)
        return fail(ErrorCode::Unsupported, "nothing runs on the chip, so there is nothing to simulate");
    task.report("timing the program");
    PIM_TRY(CrossbarProfile profile, profilePlan(*crossbar, true, task));
    auto result = std::make_shared<Simulation>();
    const bool ht = crossbar->options.mode == CrossbarMode::HighThroughput;
    result->totalNs = ht ? profile.periodNs : profile.latencyNs;
    result->summary = ht ? fmt::format("{:.0f} samples/s: one every {}, the first after {} in {} stages.",
                                       profile.samplesPerSecond(), timeText(profile.periodNs),
                                       timeText(profile.firstBatchNs), crossbar->schedule->stages())
                         : fmt::format("A sample takes {}.", timeText(profile.latencyNs));
    if (const std::string limits = limitsOf(profile); !limits.empty())
        result->summary += fmt::format(" Cores are held up: {}.", limits);
    if (profile.timeline.runNs > 0)
        result->summary += " The picture ends where it has a million spans.";
    const std::pair<const char*, std::optional<double>> parts[] = {
        {"crossbars", profile.energy.arrays},   {"vector units", profile.energy.vector},
        {"local memory", profile.energy.local}, {"global memory", profile.energy.global},
        {"network", profile.energy.network},    {"between chips", profile.energy.offChip},
        {"leakage", profile.energy.leakage}};
    std::string unknown;
    for (const auto& [part, pj] : parts)
        if (pj)
            result->energyParts[part] = *pj;
        else
            unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", part);
    result->energyPj = profile.energy.total();
    if (!unknown.empty())
        result->energyNote = "The target has no figures for: " + unknown + ".";
    result->timeline = std::move(profile.timeline);
    return result;
}

} // namespace pim
