// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/dual_mode/verbs.h"

namespace pim::cli {

Action dualModeAllocateVerb(CLI::App& verb, const BackendList& backends);
Action dualModeSegmentVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kDualModeVerbs[] = {
    {"dual-mode-allocate", "Choose compute and memory arrays of operators given as numbers",
     dualModeAllocateVerb, "cim-allocate"},
    {"dual-mode-segment", "Cut networks given as numbers into segments for a dual-mode chip",
     dualModeSegmentVerb, "cim-segment"},
};

} // namespace

VerbGroup dualModeVerbs() {
    return {"Dual-mode chips", kDualModeVerbs};
}

} // namespace pim::cli
