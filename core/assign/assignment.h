// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who runs what: a network on several devices that work side by side. Flow: times of every op on every device, times of every
/// transfer -> [assign] -> device of each op, order, schedule, and a bound that no schedule can beat.
///
/// Plain values, no plan and no target: what the numbers mean is up to core/compile/system_plan.h.
///
/// The schedules that are searched: ops are taken one by one in an order that respects their inputs. Each brings the operands that are not on
/// its device over the links, from the device that made them, one after the other in the order of its inputs, each as early as its links
/// are free after the value is there; a value that was brought to a device stays there. Then the op starts as soon as its operands are there and its
/// device is free. Nothing is interrupted, nothing is put in before what was taken earlier on the same device or link. An op that takes no time
/// anywhere, reads one value that nobody else reads, and makes one that moves like it, is a view: it is taken as soon as its value is there, where that
/// was made.
#include "core/base/task.h"

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pim {

/// An op that a device cannot run.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct AssignmentProblem {
    /// Something that one op makes and others read.
    struct Value {
        int producer = -1;        ///< -1: it is there from the beginning, on device 0.
        std::vector<int> readers; ///< Ascending.
        /// [from][to], nanoseconds on the way; 0 where from is to.
        std::vector<double> transferNs;
    };
    struct Op {
        std::vector<double> ns;  ///< [device]; kNever: cannot. At least one is finite.
        std::vector<int> inputs; ///< Positions in \ref values, each once.
        std::vector<int> outputs;
        /// [device] What it pays for its place there, in addition to the length of the schedule and without making it longer; empty: nothing.
        std::vector<double> rentNs;
    };

    int devices = 1;                      ///< The first one is the host.
    int links = 0;                        ///< Each carries one transfer at a time.
    std::vector<std::vector<int>> routes; ///< [from * devices + to]: links that a transfer holds.
    std::vector<bool> holdsHost;          ///< [device]: while it works, the host cannot.
    std::vector<Op> ops;                  ///< In an order in which they can run.
    std::vector<Value> values;
    /// Values that have to be on device 0 in the end.
    std::vector<int> results;

    double transferNs(int value, int from, int to) const {
        return values[static_cast<std::size_t>(value)]
            .transferNs[static_cast<std::size_t>(from * devices + to)];
    }
};

/// A stretch of an op on its device, or of a value on its way.
struct AssignmentSpan {
    int op = -1;    ///< -1: a transfer.
    int value = -1; ///< Of a transfer.
    int from = 0;   ///< Of a transfer.
    int device = 0; ///< Where the op runs, where the transfer goes.
    double startNs = 0, endNs = 0;
};

struct Assignment {
    std::vector<int> device; ///< One an op.
    std::vector<int> order;  ///< Of ops, in which they are taken.
    double ns = 0;           ///< Until all ops are done and all results are on device 0.
};

/// The schedule of an assignment as it stands. Needs: every op once in `order`, after its producers; no op where it cannot run.
std::vector<AssignmentSpan> schedule(const AssignmentProblem& problem, const Assignment& assignment);
/// Its length alone.
double scheduledNs(const AssignmentProblem& problem, std::span<const int> device, std::span<const int> order);

struct SolvedStretch; // stretch_search.h
using SolvedStretches = std::map<std::string, SolvedStretch>;

struct AssignmentSearch {
    std::vector<int> pinned; ///< One an op: its device, or -1; empty: none is.
    std::int64_t statesAtMost =
        20'000; ///< Partial schedules looked at for one stretch between two ops that all paths pass through.
    double gapAtMost =
        0.01; ///< The search of more than 14 ops ends there: what it may still gain is below what prices are worth.
    int threads = 0; ///< 0: as many as the machine has. The answer does not depend on it.
    /// What earlier searches over the same devices and links, with as many states, found out; gets what this one does. Null: nothing is shared.
    SolvedStretches* solved = nullptr;
};

struct AssignmentFound {
    Assignment best;
    double boundNs =
        0; ///< No schedule of the problem (with what is pinned) is shorter; with its rents, where there are any.
    std::int64_t states = 0;

    /// How much longer it may be than the best there is.
    double gap() const { return boundNs > 0 ? best.ns / boundNs - 1 : 0; }
};

/// Exact for networks of up to 14 ops; longer ones are searched, stretch by stretch between ops that all paths pass through, until the gap is at
/// most as asked or no states are left. Where ops pay rents, what is made small is length and rents together. Same problem, same answer. Error::Usage where an op is pinned to where it cannot run; Cancelled.
Result<AssignmentFound> assign(const AssignmentProblem& problem, const AssignmentSearch& search = {},
                               const TaskContext& task = {});

} // namespace pim
