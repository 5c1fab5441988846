// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Two fidelities: all points of a sweep are predicted, which is quick, and those that may be on the front are simulated. Flow: points of a sweep or a
/// search -> [pointsNearFront] -> [confirmFront] -> the same points, some with "simulated_ns", and the front by that.
#include "core/compile/search/sweep_search.h"

namespace pim {

struct ConfirmedSweep {
    std::vector<SweepPoint> points; ///< All that there were; those confirmed have a figure "simulated_ns".
    /// Simulated time and work per second in place of those predicted: markSweep() leaves out of the front what has none. Energy too is that of the
    /// simulation; what formulas of the user make of "total_ns" stays predicted.
    std::vector<std::string> objectives;
    std::int64_t confirmed = 0; ///< Points near the front: all that were simulated for it, also before.
    /// The most that a simulation of these took longer than its prediction, 0.1: a tenth. More than the margin: the front may lack points that were predicted
    /// too slow.
    double slowest = 0;
};

/// Positions of points that would be on the front if their "total_ns" were less by \p margin (0.1: a tenth), ascending; points with a problem or without
/// an objective never are. \p objectives as SweepMarks::objectives. Points times the size of the front.
std::vector<std::size_t> pointsNearFront(const std::vector<SweepPoint>& points,
                                         const std::vector<std::string>& objectives, double margin);

/// "simulated_ns" for "total_ns", and "simulated_macs_per_s" for work per second.
std::vector<std::string> confirmedObjectives(std::vector<std::string> objectives);
/// \p points with those in place that were \p simulated; both by index.
std::vector<SweepPoint> withConfirmed(std::vector<SweepPoint> points,
                                      const std::vector<SweepPoint>& simulated);

/// Simulates the points near the front of each model, side by side, each once; a simulation that fails leaves its point with a problem. \p setup: prepared, what
/// \p points, by index, were computed from. \p told: of each point once it is simulated; may be null; an error ends it. \p known: simulated before, by index;
/// they are not simulated again. Errors: Usage where "total_ns" is no objective or points are simulated anyway, Cancelled, those of \p told.
Result<ConfirmedSweep> confirmFront(const BackendList& backends, const SweepSetup& setup,
                                    std::vector<SweepPoint> points, std::vector<std::string> objectives,
                                    double margin, const SearchedPoint& told = {},
                                    const TaskContext& task = {}, const std::vector<SweepPoint>& known = {});

} // namespace pim
