// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How far predictions can be relied on: what plans were predicted to take beside what their simulators say of them. Flow: graphs +
/// targets -> [comparePredictions] -> rows, summary.
#include "core/plan/backend.h"

#include <map>
#include <optional>

namespace pim {

/// One network on one machine.
struct PredictionRow {
    std::string model, target, kind; ///< Name of the network; ids of the target and of its backend.
    std::string problem;             ///< Not empty: nothing to compare, for this reason; no times are set.
    double predictedNs = 0, simulatedNs = 0; ///< Of the same work.
    /// The plan's time was taken from the simulator, so that both are equal by construction, and nothing is learnt here of a formula.
    bool timedWhilePlanning = false;
    /// Time of the first baseline of the plan, such as all arrays computing, over that of the plan, both simulated; 0: the plan was
    /// not timed while it was made, or has no baseline.
    double gain = 0;
    std::string baseline; ///< Its id.
    /// Causes of simulated - predicted, ns; empty where the simulator does not tell.
    std::map<std::string, double> causesNs;
    double ratio() const { return simulatedNs > 0 ? predictedNs / simulatedNs : 0; }
    double error() const; ///< |prediction / simulation - 1|
};

struct PredictionSetup {
    struct Model {
        std::string name;
        std::shared_ptr<const Graph> graph;
    };
    std::vector<Model> models;
    std::vector<std::shared_ptr<const Target>> targets;
    CompileOptions options;
    bool thorough =
        false; ///< Searches as long as those of a compile; else options that nobody chose are OptionInfo::quick.
};

/// Rows by model, then target, each by name. What cannot be planned or simulated is a row with a problem. Error::Cancelled.
Result<std::vector<PredictionRow>>
comparePredictions(const BackendList& backends, const PredictionSetup& setup, const TaskContext& task = {});

/// Over rows without a problem.
struct PredictionSummary {
    std::size_t rows = 0, timedWhilePlanning = 0;
    double median = 0,
           worst = 0;      ///< Of PredictionRow::error(); an even number of rows: mean of the middle two.
    std::size_t gains = 0; ///< Rows with a gain.
    double medianGain = 0, leastGain = 0;
};
/// \param kind id of a backend; empty: all.
PredictionSummary summarise(const std::vector<PredictionRow>& rows, std::string_view kind = {});

/// The time of a plan that is told first: simulated where there is a simulation of it, with the prediction beside it. Of samples in flight, and
/// where the plan was made by simulation, its own times are simulated.
struct TotalTime {
    double ns = 0;
    Origin origin = Origin::Predicted;
    std::optional<double> predictedNs; ///< To set beside \ref ns.
};
/// \param simulation of \p plan; null: there is none.
TotalTime totalTime(const Plan& plan, const Simulation* simulation);

} // namespace pim
