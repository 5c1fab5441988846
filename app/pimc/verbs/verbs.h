// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The verbs of `pimc`, one file each. A function declares the options of its verb and says what to run;
/// adding one = one file + one line in allVerbs().
#include "app/pimc/session.h"

#include <functional>

namespace CLI {
class App;
}

namespace pim::cli {

/// What the verb does once its options are parsed.
using Action = std::function<Result<void>(Session&)>;

Action targetsVerb(CLI::App& verb);
Action inspectVerb(CLI::App& verb);
Action zooVerb(CLI::App& verb);
Action compileVerb(CLI::App& verb);
Action exploreVerb(CLI::App& verb);
Action kernelVerb(CLI::App& verb);
Action sweepVerb(CLI::App& verb);
Action trainVerb(CLI::App& verb);
Action requestVerb(CLI::App& verb);
Action runsVerb(CLI::App& verb);
Action sqlVerb(CLI::App& verb);
Action notesVerb(CLI::App& verb);
Action draftsVerb(CLI::App& verb);
Action reportVerb(CLI::App& verb);
Action reproduceVerb(CLI::App& verb);
Action verifyVerb(CLI::App& verb);
Action checkVerb(CLI::App& verb);
Action weightsVerb(CLI::App& verb);
Action dualModeAllocateVerb(CLI::App& verb);
Action dualModeSegmentVerb(CLI::App& verb);
Action evaluateStreamVerb(CLI::App& verb);
Action benchKernelVerb(CLI::App& verb);
Action replayVerb(CLI::App& verb);
Action attentionVerb(CLI::App& verb);
Action llmVerb(CLI::App& verb);
Action versionVerb(CLI::App& verb);

} // namespace pim::cli
