// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/crossbar/verbs.h"

namespace pim::cli {

Action weightsVerb(CLI::App& verb, const BackendList& backends);
Action evaluateStreamVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kCrossbarVerbs[] = {
    {"crossbar-weights", "Write the cells of every crossbar, and the program in primitives of the hardware",
     weightsVerb, "weights"},
    {"crossbar-stream", "Time a stream of PIMCOMP-NN by that program's own rules", evaluateStreamVerb,
     "evaluate-stream"},
};

} // namespace

VerbGroup crossbarVerbs() {
    return {"Crossbar chips", kCrossbarVerbs};
}

} // namespace pim::cli
