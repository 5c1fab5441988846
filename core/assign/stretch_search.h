// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Best schedule of a stretch of a network by branch and bound. Flow: a problem of its own -> [searchStretch] -> schedule + bound.
#include "core/assign/assignment.h"

#include <string>

namespace pim {

/// A network, or what lies between two ops that all its paths pass through.
struct Stretch {
    AssignmentProblem problem;
    std::vector<int> startDevice; ///< One a value: where those without a producer are at 0.
    int lastDevice = -1;          ///< Where the last op has to run; -1: anywhere.
};

struct StretchFound {
    Assignment
        best; ///< Its time with the rents of its ops. Empty order: there is no schedule, `best.ns` is kNever.
    double boundNs = 0;
    std::int64_t states = 0;

    double gapNs() const { return best.ns > boundNs ? best.ns - boundNs : 0; }
};

/// What is known of a stretch.
struct SolvedStretch {
    Stretch stretch;
    std::string form; ///< stretch_forms.h
    StretchFound found;
    int looks = 0; ///< How often it was searched, longer each time.
};

/// What no schedule beats, without a search for one.
StretchFound boundOf(const Stretch& stretch);

/// Level by level: partial schedules of as many ops are extended by every op that is ready on every device. One is dropped if its bound (stretch_bounds.h)
/// does not beat the best schedule so far, or if another one with the same ops done and the same values on the same devices is nowhere later. Of the
/// others a level keeps the most promising, few at first, which gives a schedule to beat; then devices are chosen before the order (device_search.h);
/// then levels keep more, until none is left out, the gap is `gapAtMostNs` or `statesAtMost` were made.
StretchFound searchStretch(const Stretch& stretch, std::int64_t statesAtMost, double gapAtMostNs,
                           const TaskContext& task);

} // namespace pim
