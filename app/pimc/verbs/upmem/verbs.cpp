// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/upmem/verbs.h"

namespace pim::cli {

Action dpuBenchVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kUpmemVerbs[] = {
    {"dpu-bench", "Run reference kernels on one DPU, cycle by cycle and on numbers", dpuBenchVerb},
};

} // namespace

VerbGroup upmemVerbs() {
    return {"UPMEM", kUpmemVerbs};
}

} // namespace pim::cli
