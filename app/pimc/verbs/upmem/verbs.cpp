// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/upmem/verbs.h"

namespace pim::cli {

Action dpuBenchVerb(CLI::App& verb, const BackendList& backends);
Action dpuCodeVerb(CLI::App& verb, const BackendList& backends);
Action lutPredictVerb(CLI::App& verb, const BackendList& backends);
Action lutTuneVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kUpmemVerbs[] = {
    {"dpu-bench", "Run reference kernels on one DPU, cycle by cycle and on numbers", dpuBenchVerb},
    {"dpu-code", "Write a kernel of PrIM as C for host and DPUs, and run it on simulated DPUs", dpuCodeVerb},
    {"lut-tune", "Find the best mapping of look-up-table layers of PIM-DL", lutTuneVerb},
    {"lut-predict", "Say how long given mappings of look-up-table layers take, or why they cannot be",
     lutPredictVerb},
};

} // namespace

VerbGroup upmemVerbs() {
    return {"UPMEM", kUpmemVerbs};
}

} // namespace pim::cli
