// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The two decisions for dual-mode chips by themselves, on problems given as numbers, so that they can be
/// compared with other solvers.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/dual_mode/problem_input.h"
#include "app/pimc/verbs/dual_mode/verbs.h"
#include "core/base/file_text.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

std::string label(const std::string& file) {
    return file == "-" ? "stdin" : file;
}

Result<void> allocateAll(Session& session, const std::string& file) {
    PIM_TRY(const std::string text, inputText(file, session.task()));
    PIM_TRY(const auto problems, readAllocationProblems(text, label(file)));
    ordered_json all = ordered_json::array();
    TextTable table({">index", ">operators", ">arrays", ">used", ">cycles", "compute", "memory", "shared"});
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (session.task().cancelled())
            return TaskContext::cancelledError("allocation");
        Result<Allocation> found = allocate(problems[i]);
        if (!found) {
            Error error = std::move(found).error();
            error.where = fmt::format("{}: instances[{}]{}{}", label(file), i,
                                      error.where.empty() ? "" : ", ", error.where);
            return tl::unexpected<Error>(std::move(error));
        }
        if (session.json)
            all.push_back({{"index", i},
                           {"T", found->latency},
                           {"com", found->compute},
                           {"mem", found->memory},
                           {"shared", found->shared}});
        else
            table.add({std::to_string(i), std::to_string(problems[i].ops.size()),
                       std::to_string(problems[i].arrays), std::to_string(found->arraysUsed()),
                       countText(found->latency), fmt::format("{}", fmt::join(found->compute, " ")),
                       fmt::format("{}", fmt::join(found->memory, " ")),
                       fmt::format("{}", fmt::join(found->shared, " "))});
    }
    return session.print(session.json ? jsonDocument(all) : table.text());
}

struct SegmentOptions {
    std::string file, name;
    bool further = false;
};

/// As the file writes segments: [first, last, compute, memory, shared arrays, latency, write-back, switching,
/// rewrite].
ordered_json segmentsJson(const Segmentation& plan) {
    ordered_json rows = ordered_json::array();
    for (const DualModeSegment& segment : plan.segments) {
        int shared = 0;
        for (const SharedArrays& both : segment.shared)
            shared += both.arrays;
        rows.push_back(
            ordered_json::array({segment.first, segment.last, segment.compute, segment.memory, shared,
                                 segment.intra, segment.writeBack, segment.switching, segment.rewrite}));
    }
    return rows;
}

struct CaseResult {
    Segmentation dual, allCompute, further, allComputeFurther;
};

Result<Segmentation> solve(Session& session, const NamedSegmentation& one, DualModeStrategy strategy,
                           bool further) {
    SegmentationProblem problem = one.problem;
    problem.options.strategy = strategy;
    problem.options.keepAllCompute = further;
    problem.options.jointBorders = further;
    Result<Segmentation> plan = segmentNetwork(problem, session.task());
    if (!plan)
        plan.error().where = one.name + (plan.error().where.empty() ? "" : ", ") + plan.error().where;
    return plan;
}

ordered_json caseJson(const CaseResult& result, bool further) {
    ordered_json document{{"total", result.dual.cycles},
                          {"total_all_compute", result.allCompute.cycles},
                          {"segments", segmentsJson(result.dual)}};
    if (further) {
        document["total_further"] = result.further.cycles;
        document["total_all_compute_further"] = result.allComputeFurther.cycles;
        document["segments_further"] = segmentsJson(result.further);
    }
    return document;
}

std::string caseText(const NamedSegmentation& one, const CaseResult& result, bool further) {
    const Segmentation& plan = further ? result.further : result.dual;
    TextTable table({">sub-operators", ">compute", ">memory", ">shared", ">cycles", ">latency", ">write-back",
                     ">switching", ">rewrite"});
    for (const DualModeSegment& segment : plan.segments) {
        int shared = 0;
        for (const SharedArrays& both : segment.shared)
            shared += both.arrays;
        table.add({segment.first == segment.last ? std::to_string(segment.first)
                                                 : fmt::format("{}-{}", segment.first, segment.last),
                   std::to_string(segment.computeArrays()), std::to_string(segment.memoryArrays()),
                   std::to_string(shared), countText(segment.cycles()), countText(segment.intra),
                   countText(segment.writeBack), countText(segment.switching), countText(segment.rewrite)});
    }
    std::string text = fmt::format("{}: {} sub-operators, {} segments\n{}", one.name,
                                   one.problem.subOps.size(), plan.segments.size(), table.text());
    text += fmt::format("dual mode {} cycles, all arrays compute {} cycles: {}\n",
                        countText(result.dual.cycles), countText(result.allCompute.cycles),
                        ratioText(result.allCompute.cycles / result.dual.cycles));
    if (further)
        text += fmt::format(
            "with more allocations per segment {} cycles ({} of what they were), all arrays compute {} "
            "cycles: {}\n",
            countText(result.further.cycles), percentText(result.further.cycles / result.dual.cycles),
            countText(result.allComputeFurther.cycles),
            ratioText(result.allComputeFurther.cycles / result.further.cycles));
    return text;
}

Result<void> segmentAll(Session& session, const SegmentOptions& options) {
    PIM_TRY(const std::string text, inputText(options.file, session.task()));
    PIM_TRY(const auto cases, readSegmentations(text, label(options.file), options.name));
    ordered_json all = ordered_json::object();
    std::string printed;
    for (const NamedSegmentation& one : cases) {
        CaseResult result;
        PIM_TRY(result.dual, solve(session, one, DualModeStrategy::DualMode, false));
        PIM_TRY(result.allCompute, solve(session, one, DualModeStrategy::AllCompute, false));
        if (options.further) {
            PIM_TRY(result.further, solve(session, one, DualModeStrategy::DualMode, true));
            PIM_TRY(result.allComputeFurther, solve(session, one, DualModeStrategy::AllCompute, true));
        }
        if (session.json)
            all[one.name] = caseJson(result, options.further);
        else
            printed += (printed.empty() ? "" : "\n") + caseText(one, result, options.further);
    }
    if (!session.json)
        return session.print(printed);
    return session.print(
        jsonDocument(options.name.empty() ? ordered_json{{"cases", all}} : all[options.name]));
}

} // namespace

Action dualModeAllocateVerb(CLI::App& verb, const BackendList&) {
    auto file = std::make_shared<std::string>();
    verb.add_option("FILE", *file, "Problems as JSON; - is stdin")->required()->type_name("");
    verb.footer(
        "Chooses compute and memory arrays of operators that run side by side on a dual-mode chip: smallest\n"
        "latency, then fewest arrays.\n"
        "  N arrays; Dcim bytes per cycle of an array in memory mode; Dmain of main memory\n"
        "  W arrays hold the weights of an operator once; cw array-cycles of work; tr bytes moved\n"
        "  an edge [from, to, cap] lets at most cap arrays be output of one and input of the other\n\n"
        "Example file:\n"
        "  {\"instances\": [{\"N\": 96, \"Dcim\": 4, \"Dmain\": 32, \"com_mode\": \"integer_duplication\",\n"
        "    \"ops\": [{\"W\": 4, \"cw\": 160000, \"tr\": 90000}, {\"W\": 8, \"cw\": 80000, \"tr\": "
        "50000}],\n"
        "    \"edges\": [[0, 1, 3]]}]}\n\n"
        "Examples:\n"
        "  pimc dual-mode-allocate problems.json\n"
        "  pimc dual-mode-allocate problems.json --json");
    return [file](Session& session) { return allocateAll(session, *file); };
}

Action dualModeSegmentVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<SegmentOptions>();
    verb.add_option("FILE", options->file, "Networks as JSON; - is stdin")->required()->type_name("");
    verb.add_option("--case", options->name, "Only this one")->type_name("NAME");
    verb.add_flag(
        "--further", options->further,
        "Also weigh slower allocations with cheaper borders and the all-compute one, and say what it gains");
    verb.footer(
        "Cuts networks into segments for a dual-mode chip and for one whose arrays all compute; times in "
        "cycles.\n"
        "Without --further a segment has one allocation: smallest latency, then fewest arrays.\n"
        "  constants: N arrays of arr_bytes; Dcim, Dmain, ext bytes per cycle of an array in memory mode, of "
        "main\n"
        "  memory, of write-back; Lw cycles to write an array; L_MC, L_CM to switch one; rw \"max\" or "
        "\"sum\"\n"
        "  a sub-operator: [operator, W, M, N, K, G, cw, tr, out_bytes], see dual-mode-allocate\n"
        "  op_preds: operators each operator reads from\n"
        "  segments: [first, last, compute, memory, shared, latency, write-back, switching, rewrite]\n\n"
        "Example file:\n"
        "  {\"constants\": {\"N\": 96, \"arr_bytes\": 12800, \"Dcim\": 4, \"Dmain\": 32, \"ext\": 32, "
        "\"Lw\": 32,\n"
        "    \"L_MC\": 1, \"L_CM\": 1, \"rw\": \"max\"},\n"
        "   \"cases\": {\"two layers\": {\"op_preds\": [[], [0]],\n"
        "    \"subops\": [[0, 28, 3136, 576, 256, 1, 8780800, 2756608, 802816],\n"
        "               [1, 56, 3136, 1152, 256, 1, 17561600, 4710400, 802816]]}}}\n\n"
        "Examples:\n"
        "  pimc dual-mode-segment networks.json --case \"two layers\" --json\n"
        "  pimc dual-mode-segment networks.json --further");
    return [options](Session& session) { return segmentAll(session, *options); };
}

} // namespace pim::cli
