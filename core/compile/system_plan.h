// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network on a system of several machines. Flow: Graph + System + decisions -> [planSystem] -> who runs what, a joined Plan,
/// a schedule on one clock, what else was tried.
///
/// Each machine first plans the whole network, which gives the price of every op on it. The assignment of core/assign
/// is then planned part by part by the families themselves, since machines that are planned as a whole (crossbars, dual-mode chips) do better or worse
/// with a part than their share of the whole says; with the prices of the parts it is searched again, as long as that helps. What is
/// compared in the end, single machines among it, are always planned parts and never guesses.
///
/// Then ops that may gain from it are divided among devices (system_pieces.h), and the network with their pieces is planned in the same way.
#include "core/assign/assignment.h"
#include "core/assign/pieces.h"
#include "core/assign/request_stream.h"
#include "core/compile/override_fit.h"
#include "core/compile/system_problem.h"
#include "core/plan/backend.h"
#include "core/plan/simulation.h"
#include "core/timeline/limits.h"

namespace pim {

struct SystemSetup {
    std::shared_ptr<const Graph> graph;
    System system;
    /// kDeviceField of ops: "host" or the id of a device. Those of other systems, and of plans for one machine, are left out.
    Overrides overrides;
    CompileOptions options;
    /// Families search as long as for a compile; else options that nobody chose are OptionInfo::quick.
    bool thorough = false;
    /// Machines that are planned as a whole are priced by their simulators, which know more than their formulas do.
    bool simulates = true;
    std::int64_t statesAtMost = AssignmentSearch{}.statesAtMost;
    double gapAtMost = AssignmentSearch{}.gapAtMost; ///< Of a search that is not exact.
    int rounds = 3;                                  ///< Of planning the parts and searching again.
    bool dividesOps = true;                          ///< Pieces of an op may run on several devices.
};

/// Another way to run the network on the same system.
struct SystemAlternative {
    std::string id;      ///< "host", "only upmem", "greedy", "host and upmem", "in pieces", "whole"
    std::string meaning; ///< For a person.
    double ns = 0;
    double streamNs = 0; ///< RequestStream::periodNs.
    std::string problem; ///< Not empty: there is no such plan, for this reason.
};

struct SystemPlan {
    std::shared_ptr<const System> system;
    std::shared_ptr<const Plan>
        plan;                  ///< Joined. Its total is the sum over ops, as if nothing ran side by side.
    AssignmentProblem problem; ///< With the times of the parts as they are planned.
    Assignment assignment;     ///< assignment.ns: predicted time of a request, with what runs side by side.
    RequestStream stream;      ///< Of requests one behind the other, with the same assignment.
    std::string foundAs;       ///< "search", or SystemAlternative::id.
    std::vector<AssignmentSpan> spans;
    std::vector<OpPieces>
        pieces;               ///< Ops of the network that was given, which the plan's graph has in pieces.
    std::vector<OpId> wholes; ///< Op of that network which each op of the plan is, or is a part of.
    /// No assignment is faster as long as each op costs what its machine's plan of the whole network says.
    double boundNs = 0;
    double searchedNs = 0; ///< The best found at those prices, for the gap.
    std::vector<SystemAlternative> alternatives;
    std::vector<double> busyNs;     ///< Of the host and each device.
    std::vector<double> linkBusyNs; ///< As linkNames().
    std::vector<double> linkBytes;
    double searchMs = 0;       ///< Of the assignment alone, all rounds.
    std::int64_t searched = 0; ///< Partial schedules and choices of devices that it looked at.

    /// Of the search, at the prices of boundNs.
    double gap() const { return boundNs > 0 ? searchedNs / boundNs - 1 : 0; }
    /// The op of the plan that an op of the network given is; the first of its pieces, if it has any: the others and what joins them follow.
    int opOf(OpId whole) const;
};

/// Errors: Usage (a decision about an op or a device that there is not, or where the op cannot
/// run), those of plan() where no machine can plan the network, Cancelled.
Result<SystemPlan> planSystem(const BackendList& backends, const HostModel& host, const SystemSetup& setup,
                              const TaskContext& task = {});

/// Every part by the simulator of its machine, where it has one; then everything on one clock, in the order of the plan.
struct SystemSimulation {
    double ns = 0;
    RequestStream stream;
    std::vector<std::string>
        predictedParts; ///< Devices with a part that cannot be simulated, whose times are as predicted.
    Timeline timeline;  ///< A track for the host, each device, each link.
};
Result<SystemSimulation> simulateSystem(const BackendList& backends, const SystemPlan& plan,
                                        const TaskContext& task = {});

/// "host", the id of a device, or the name of a link.
std::string nameIn(const System& system, int deviceOrLink);

/// The schedule as a picture; \p problem with the times to show.
Timeline systemTimeline(const SystemPlan& plan, const std::vector<AssignmentSpan>& spans);
/// What limits such a timeline: each machine and each link is a resource of its own.
Limits systemLimits(Timeline timeline);

} // namespace pim
