// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a simulator found when it ran a plan. Flow: Plan -> Backend::simulate -> [Simulation] -> views, report.
#include "core/compile/plan.h"
#include "core/timeline/timeline.h"

#include <map>
#include <optional>

namespace pim {

/// A stretch of the run, predicted and simulated: a segment of the network.
struct SimulatedPhase {
    std::string name;
    double predictedNs = 0, simulatedNs = 0;
    std::string why; ///< What the difference comes from, in words.
};

struct Simulation {
    double totalNs = 0;
    double predictedNs = 0;            ///< Of the plan, for the same work.
    std::string summary;               ///< "2.31 ms simulated, 4.1 % over predicted: pipeline fill 2.9 %, …"
    std::vector<SimulatedPhase> phases;
    std::map<std::string, double> differenceNs; ///< By cause; adds up to totalNs - predictedNs.
    std::optional<double> energyPj;    ///< Absent where the target has no figures.
    std::map<std::string, double> energyParts; ///< pJ by cause.
    std::string energyNote;            ///< What the energy leaves out.
    Timeline timeline;
};

} // namespace pim
