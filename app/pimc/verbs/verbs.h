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

Action targetsVerb(CLI::App& verb, const BackendList& backends);
Action inspectVerb(CLI::App& verb, const BackendList& backends);
Action zooVerb(CLI::App& verb, const BackendList& backends);
Action compileVerb(CLI::App& verb, const BackendList& backends);
Action exploreVerb(CLI::App& verb, const BackendList& backends);
Action kernelVerb(CLI::App& verb, const BackendList& backends);
Action sweepVerb(CLI::App& verb, const BackendList& backends);
Action trainVerb(CLI::App& verb, const BackendList& backends);
Action requestVerb(CLI::App& verb, const BackendList& backends);
Action runsVerb(CLI::App& verb, const BackendList& backends);
Action sqlVerb(CLI::App& verb, const BackendList& backends);
Action notesVerb(CLI::App& verb, const BackendList& backends);
Action draftsVerb(CLI::App& verb, const BackendList& backends);
Action reportVerb(CLI::App& verb, const BackendList& backends);
Action reproduceVerb(CLI::App& verb, const BackendList& backends);
Action verifyVerb(CLI::App& verb, const BackendList& backends);
Action checkVerb(CLI::App& verb, const BackendList& backends);
Action weightsVerb(CLI::App& verb, const BackendList& backends);
Action dualModeAllocateVerb(CLI::App& verb, const BackendList& backends);
Action dualModeSegmentVerb(CLI::App& verb, const BackendList& backends);
Action evaluateStreamVerb(CLI::App& verb, const BackendList& backends);
Action benchKernelVerb(CLI::App& verb, const BackendList& backends);
Action replayVerb(CLI::App& verb, const BackendList& backends);
Action attentionVerb(CLI::App& verb, const BackendList& backends);
Action llmVerb(CLI::App& verb, const BackendList& backends);
Action versionVerb(CLI::App& verb, const BackendList& backends);

} // namespace pim::cli
