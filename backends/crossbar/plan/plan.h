// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the compiler decided for a machine of crossbar cores and what came out of it.
/// Flow: Graph + Target + Overrides -> network, mapping, schedule, profile = [CrossbarPlan] -> code, views,
/// report.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/profile.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/plan/plan_detail.h"

#include <memory>
#include <optional>

namespace pim {

/// Immutable, shared; the program can be tens of megabytes.
struct CrossbarPlan : PlanDetail {
    CrossbarChip chip;
    CrossbarOptions options;
    unsigned seed = 1; ///< Of the search for the mapping.
    std::shared_ptr<const CrossbarNetwork> network;
    CrossbarMapping mapping;
    std::shared_ptr<const CrossbarSchedule> schedule;
    std::shared_ptr<const CrossbarProfile> profile;  ///< Of the program, without spans.
    double mapMs = 0, scheduleMs = 0, profileMs = 0; ///< Time it took.

    std::string_view kind() const override { return "crossbar"; }
    std::string
    json() const override; ///< Layers with unfolding, replicas and cores; figures. Not the program.
    std::vector<std::pair<std::string, double>> figures() const override;
    std::optional<double>
    firstSampleNs() const override; ///< HT: through all stages, if there is anything in them.
    bool isSharedOut() const override { return true; }

    int arrays() const;            ///< Logical arrays of the machine.
    int arrays(CoreId core) const; ///< Of one core.
    int usedArrays() const;        ///< That hold weights.
    /// What a sample takes: the period in HT, the latency in LL. Nanoseconds.
    double sampleNs() const;
    /// Picojoules of a sample; absent where the target has no figures.
    std::optional<double> energyPj() const { return profile->energy.total(); }
};

/// The instructions that work on one layer, in their cores and groups.
CrossbarProgram instructionsOf(const CrossbarProgram& program, std::uint32_t layer);

} // namespace pim
