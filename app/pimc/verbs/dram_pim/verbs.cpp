// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/dram_pim/verbs.h"

namespace pim::cli {

Action benchKernelVerb(CLI::App& verb, const BackendList& backends);
Action replayVerb(CLI::App& verb, const BackendList& backends);
Action attentionVerb(CLI::App& verb, const BackendList& backends);
Action llmVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kDramPimVerbs[] = {
    {"bench-kernel", "Run one kernel on a PIM memory as another simulator does", benchKernelVerb},
    {"replay", "Run a memory request trace on one DRAM channel, cycle by cycle", replayVerb},
    {"attention", "Count the cycles of decode attention on memory that computes", attentionVerb},
    {"llm", "Time and energy of a language model on GPUs and AttAcc, token by token", llmVerb},
};

} // namespace

VerbGroup dramPimVerbs() {
    return {"DRAM-PIM, as other simulators see it", kDramPimVerbs};
}

} // namespace pim::cli
