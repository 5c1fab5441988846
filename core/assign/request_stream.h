// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Requests one behind the other: the same network again and again on the same devices. Flow: problem, assignment -> [streamOf] -> time between two
/// results.
#include "core/assign/assignment.h"

namespace pim {

struct RequestStream {
    int atOnce = 1;       ///< Requests that are begun and not done, at most.
    double periodNs = 0;  ///< Between the ends of two requests, on average once the first ones are through.
    double longestNs = 0; ///< From the first work on a request to its end, the longest of these.
    double leastNs =
        0; ///< What the busiest device or link does for a request: no order of the same work has a shorter period.
    int busiest = 0; ///< That one: a device, or devices + link.
};

/// There is always a next request, which begins as one of those before is done. Each takes its ops in the order of the assignment; of the requests begun, that goes on whose next op can
/// start first, the older one where two can. A device works on one op of one request at a time, also one that could take the next sample while it has another.
RequestStream streamOf(const AssignmentProblem& problem, const Assignment& assignment, int atOnce = 4);

} // namespace pim
