// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a simulator found when it ran a plan. Flow: Plan -> Backend::simulate -> [Simulation] -> views, report.
#include "core/dram_pim/sequencer.h"
#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

#include <map>
#include <optional>

namespace pim {

/// A stretch of the run, predicted and simulated, as the machine has them: an op, a segment of the network.
struct SimulatedPhase {
    std::string name;
    double predictedNs = 0, simulatedNs = 0;
    std::string why; ///< What the difference comes from, in words.
};

/// One op of a plan, beside what was predicted for it.
struct SimulatedOp {
    OpId op;
    /// Predicted: on the host, or its commands could not be simulated (note).
    Origin origin = Origin::Predicted;
    CostSplit predicted, cost;
    /// Of one channel; shared by ops with equal commands; null: not simulated.
    std::shared_ptr<const SequenceTiming> timing;
    int channels = 0;      ///< That run these commands.
    double hostReadNs = 0; ///< Of cost.inputNs: operands out of the host's memory.
    /// Of cost.outputNs: results into the host's memory, partial ones added up.
    double hostWriteNs = 0;
    /// Of the commands of all channels; absent where the target has no figures.
    std::optional<double> energyPj;
    std::string note; ///< Why it was not simulated.
};

/// A candidate of an Exploration, simulated.
struct SimulatedDraft {
    std::size_t draft = 0; ///< Position in Exploration::drafts.
    CostSplit cost;
    std::shared_ptr<const SequenceTiming> timing;
    std::string problem; ///< Why it could not be simulated; empty: it was.
};

/// Part of Simulation::energyParts that is the host's, not the machine's.
inline constexpr const char* kHostMemoryPart = "host memory";

struct Simulation {
    double totalNs = 0;
    /// Of the plan, for the same work; absent where the plan's own time comes from this simulator.
    std::optional<double> predictedNs;
    std::string summary; ///< "2.31 ms simulated, 4.1 % over predicted: pipeline fill 2.9 %, …"
    std::vector<SimulatedPhase> phases;
    std::string phaseWord = "op";               ///< What one is called: "segment".
    std::map<std::string, double> differenceNs; ///< By cause; adds up to totalNs - *predictedNs.
    std::optional<double> energyPj;             ///< Absent where the target has no figures.
    std::map<std::string, double> energyParts;  ///< pJ by cause.
    std::string energyNote;                     ///< What the energy leaves out.
    /// One an op of the plan, same order; empty for machines that do not run op by op.
    std::vector<SimulatedOp> ops;
    /// Time in which no command went out, by what was waited for ("ACTAB -> MACAB", "refresh"), over all ops.
    std::map<std::string, double> waitedNs;
    std::int64_t commands = 0; ///< Of one channel, over all ops.
    /// "strict": the configuration that ordered the commands; empty: there is none.
    std::string controller;
    std::string device; ///< "AttAcc HBM3"
    Timeline timeline;
};

} // namespace pim
