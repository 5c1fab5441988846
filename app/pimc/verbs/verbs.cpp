// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The one list of verbs: those of no family here, those of a family in its folder.
#include "app/pimc/verbs/verbs.h"

#include "app/pimc/verbs/cinm/verbs.h"
#include "app/pimc/verbs/crossbar/verbs.h"
#include "app/pimc/verbs/dram_pim/verbs.h"
#include "app/pimc/verbs/dual_mode/verbs.h"
#include "app/pimc/verbs/upmem/verbs.h"

namespace pim::cli {

Action compileVerb(CLI::App& verb, const BackendList& backends);
Action exploreVerb(CLI::App& verb, const BackendList& backends);
Action kernelVerb(CLI::App& verb, const BackendList& backends);
Action sweepVerb(CLI::App& verb, const BackendList& backends);
Action whichVerb(CLI::App& verb, const BackendList& backends);
Action systemVerb(CLI::App& verb, const BackendList& backends);
Action requestVerb(CLI::App& verb, const BackendList& backends);
Action limitsVerb(CLI::App& verb, const BackendList& backends);
Action predictorVerb(CLI::App& verb, const BackendList& backends);
Action inspectVerb(CLI::App& verb, const BackendList& backends);
Action targetsVerb(CLI::App& verb, const BackendList& backends);
Action zooVerb(CLI::App& verb, const BackendList& backends);
Action runsVerb(CLI::App& verb, const BackendList& backends);
Action draftsVerb(CLI::App& verb, const BackendList& backends);
Action notesVerb(CLI::App& verb, const BackendList& backends);
Action sqlVerb(CLI::App& verb, const BackendList& backends);
Action reportVerb(CLI::App& verb, const BackendList& backends);
Action verifyVerb(CLI::App& verb, const BackendList& backends);
Action accuracyVerb(CLI::App& verb, const BackendList& backends);
Action checkVerb(CLI::App& verb, const BackendList& backends);
Action predictionsVerb(CLI::App& verb, const BackendList& backends);
Action reproduceVerb(CLI::App& verb, const BackendList& backends);
Action exportOnnxVerb(CLI::App& verb, const BackendList& backends);
Action exportTraceVerb(CLI::App& verb, const BackendList& backends);
Action importTraceVerb(CLI::App& verb, const BackendList& backends);
Action completionVerb(CLI::App& verb, const BackendList& backends);
Action doctorVerb(CLI::App& verb, const BackendList& backends);
Action schemaVerb(CLI::App& verb, const BackendList& backends);
Action versionVerb(CLI::App& verb, const BackendList& backends);

namespace {

constexpr Verb kCompile[] = {
    {"compile", "Place every op of a model on host or PIM and choose its tiling draft", compileVerb},
    {"explore", "List all tiling drafts of one op with their predicted times", exploreVerb},
    {"kernel", "List the tiling drafts of a loop nest written as text", kernelVerb},
    {"sweep", "Compile a model for many values of its open dimensions", sweepVerb},
    {"which", "Compare all machines for a model, with one host for all", whichVerb},
    {"system", "Spread a model over several machines at once: who runs what, and when", systemVerb},
    {"limits", "Say what limits the simulated run of a plan: resources, and the longest chain of work",
     limitsVerb},
    {"request", "Time and energy of requests to a language model, prompt to last token", requestVerb},
    {"predictor", "Train, evaluate or show what ranks the drafts of a target", predictorVerb},
};
constexpr Verb kModelsAndMachines[] = {
    {"inspect", "Show what is in a model: ops, shapes, work, passes", inspectVerb},
    {"targets", "List the PIM machines and hosts, or describe one", targetsVerb},
    {"zoo", "Write one of the networks of the papers as an ONNX file", zooVerb},
};
constexpr Verb kProjectsAndReports[] = {
    {"runs", "List, compare, repeat, label or delete the runs of a project", runsVerb},
    {"drafts", "List or clear the best drafts a project knows", draftsVerb},
    {"notes", "List, add or remove the notes of a project", notesVerb},
    {"sql", "Query a project in SQL, read-only", sqlVerb},
    {"report", "Write the report of a stored run as HTML or PDF", reportVerb},
};
constexpr Verb kCheck[] = {
    {"verify", "Check a compiled bundle: hashes, programs, totals", verifyVerb},
    {"accuracy", "Measure how often a classifier is right, as it is and with look-up tables", accuracyVerb},
    {"check", "Execute a compiled program on numbers and compare every one", checkVerb},
    {"predictions", "Set predicted times beside simulated ones, for many models and machines",
     predictionsVerb},
    {"reproduce", "Recompute the figures of a paper and set them beside the published ones", reproduceVerb},
    {"export-onnx", "Write the model again, with where each node runs as its metadata", exportOnnxVerb},
    {"export-trace", "Write the commands of an op as a trace of the machine's public simulator",
     exportTraceVerb},
    {"import-trace", "Check, count and time a trace of a public simulator", importTraceVerb},
};
constexpr Verb kTheProgramItself[] = {
    {"completion", "Print what completes command lines in bash, zsh or fish", completionVerb, nullptr,
     VerbOutput::One},
    {"doctor", "Check that everything the program needs is there and works", doctorVerb},
    {"schema", "Print the JSON schema of what a verb prints with --json", schemaVerb, nullptr,
     VerbOutput::One},
    {"version",
     "Print the versions of the program, its project files, its targets and the libraries it was built with",
     versionVerb},
};

} // namespace

std::vector<VerbGroup> verbGroups() {
    return {
        {"Compile", kCompile},
        {"Models and machines", kModelsAndMachines},
        {"Projects and reports", kProjectsAndReports},
        {"Check", kCheck},
        {"The program itself", kTheProgramItself},
        // Families of hardware, one line each.
        cinmVerbs(),
        crossbarVerbs(),
        dramPimVerbs(),
        dualModeVerbs(),
        upmemVerbs(),
    };
}

} // namespace pim::cli
