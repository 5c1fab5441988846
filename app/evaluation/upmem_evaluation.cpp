// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/upmem_evaluation.h"

#include "app/evaluation/document_text.h"
#include "app/evaluation/published_rows.h"
#include "backends/upmem/benchmarks/benchmarks.h"
#include "backends/upmem/dpu/reference_programs.h"
#include "backends/upmem/host_run.h"
#include "core/base/number_text.h"
#include "core/base/parse_number.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace pim::evaluation {
namespace {

using namespace upmem;
using nlohmann::ordered_json;

constexpr int kSimulatedDrafts = 8;
constexpr std::int64_t kMatrix = 1024; ///< Of mm. [CINM, samples/gemm.mlir of its repository]

using Fields = PublishedRow;

std::optional<double> number(const std::string& text) {
    return parseNumber<double>(text);
}

// ---- Figure 6 of uPIMulator ----

/// The size at which our programs were held against uPIMulator, the largest.
std::optional<std::int64_t> sizeOf(std::string_view benchmark) {
    if (benchmark == "VA" || benchmark == "RED")
        return 16384;
    if (benchmark == "HST-S" || benchmark == "HST-L")
        return 4096;
    if (benchmark == "GEMV")
        return 96;
    return std::nullopt;
}

/// Run as a program of backends/upmem/benchmarks, at its usual size.
bool isOfPrim(std::string_view benchmark) {
    return benchmark == "SEL" || benchmark == "BFS" || benchmark == "TS" || benchmark == "MLP";
}

std::string_view shareReason(std::string_view benchmark) {
    if (benchmark == "VA")
        return "our loop has 7 instructions an element, the compiled one 8, so ours waits for the DMA engine "
               "sooner";
    if (benchmark == "RED")
        return "5 instructions for each 8 bytes; the compiled loop has more, and waits less for memory";
    if (benchmark == "GEMV")
        return "the product of 32 bits is the same routine; rows of 64 columns instead of 1024 make loops "
               "shorter";
    if (benchmark == "HST-S" || benchmark == "HST-L")
        return "one image of 4096 pixels instead of 1.5 million: start and merge weigh more, locks are met "
               "as often";
    if (isOfPrim(benchmark))
        return "PrIM's algorithm in a program of our own: every DMA is as long as what it is for, so it "
               "waits for memory "
               "at other places";
    return "not written in the instructions of uPIMulator here";
}

Result<std::array<double, 4>> sharesOf(const std::string& benchmark, std::int64_t size, int tasklets,
                                       const TaskContext& task) {
    PIM_TRY(const DpuRun run,
            runReference({benchmark, size, tasklets, 1024}, dpuTiming(DpuPreset::UpimulatorCompat), task));
    const auto all = double(std::max<std::int64_t>(run.cycles, 1));
    return std::array<double, 4>{double(run.issued) / all, double(run.waitedDma) / all,
                                 double(run.waitedElse) / all, double(run.heldUp) / all};
}

Result<std::array<double, 4>> sharesOfPrim(const std::string& benchmark, int tasklets,
                                           const TaskContext& task) {
    PIM_TRY(const BenchmarkCase made, makeBenchmark(benchmark, {.dpus = 1, .tasklets = tasklets}));
    PIM_TRY(const HostRun run, runOnEngine({made.host, *made.code, made.sizes, made.tasklets}, made.inputs,
                                           dpuTiming(DpuPreset::UpimulatorCompat), task));
    const auto all = double(std::max<std::int64_t>(run.cycles, 1));
    return std::array<double, 4>{double(run.issued) / all, double(run.waitedDma) / all,
                                 double(run.waitedElse) / all, double(run.heldUp) / all};
}

Result<std::vector<CycleShareRow>> cycleShares(const TaskContext& task) {
    PIM_TRY(const std::vector<Fields> rows, publishedRows("upimulator_figure6.csv", 6));
    std::vector<CycleShareRow> shares;
    for (const Fields& fields : rows) {
        CycleShareRow row;
        row.benchmark = fields[0];
        row.tasklets = int(number(fields[1]).value_or(0));
        for (std::size_t i = 0; i < 4; ++i)
            row.published[i] = number(fields[i + 2]).value_or(0);
        row.reason = shareReason(row.benchmark);
        if (const auto size = sizeOf(row.benchmark)) {
            PIM_TRY(row.ours, sharesOf(row.benchmark, *size, row.tasklets, task));
        } else if (isOfPrim(row.benchmark)) {
            PIM_TRY(row.ours, sharesOfPrim(row.benchmark, row.tasklets, task));
        }
        shares.push_back(std::move(row));
        if (task.cancelled())
            return TaskContext::cancelledError("the figures of UPMEM");
    }
    return shares;
}

// ---- Times of CINM ----

/// Products of a benchmark, each of kMatrix x kMatrix x kMatrix; 0: its size was not published.
int productsOf(std::string_view benchmark) {
    return benchmark == "mm" ? 1 : benchmark == "2mm" ? 2 : benchmark == "3mm" ? 3 : 0;
}

/// One product, on the modules of the row.
Result<void> timeProduct(ModuleTimeRow& row, const BackendList& backends, const TargetCatalog& catalog,
                         const TaskContext& task) {
    PIM_TRY(const auto target, catalog.find(fmt::format("upmem-{}", row.modules)));
    PIM_TRY(const Backend* const backend, backends.find(target->backend));
    PIM_TRY(Kernel kernel,
            parseKernel(fmt::format("def mm(A[{0}][{0}]: i32, B[{0}][{0}]: i32, C[{0}][{0}]: i32):\n"
                                    "    for m in range({0}):\n"
                                    "        for n in range({0}):\n"
                                    "            for k in range({0}):\n"
                                    "                C[m][n] += A[m][k] * B[k][n]\n",
                                    kMatrix)));
    PIM_TRY(const DraftFacet* const drafts, draftsOf(*backend, kernel.name));
    CompileOptions options;
    options.computeType = DataType::I32;
    PIM_TRY(const auto exploration, drafts->exploreKernel(kernel, target, options, task));
    std::vector<std::size_t> best;
    for (std::size_t d = 0; d < std::min<std::size_t>(kSimulatedDrafts, exploration->drafts.size()); ++d)
        best.push_back(d);
    PIM_TRY(const auto simulated, drafts->simulateDrafts(*exploration, best, 0, task));
    for (const SimulatedDraft& draft : simulated) {
        const double ms = draft.cost.totalNs() / 1e6;
        if (!draft.problem.empty() || (row.simulatedMs && ms >= *row.simulatedMs))
            continue;
        row.simulatedMs = ms;
        row.predictedMs = exploration->costs[draft.draft].totalNs() / 1e6;
        row.draft = exploration->space->draftText(exploration->drafts[draft.draft]);
    }
    return {};
}

Result<std::vector<ModuleTimeRow>> moduleTimes(const BackendList& backends, const TargetCatalog& catalog,
                                               const TaskContext& task) {
    // figure, bench, cpu_opt, prim x 3, cinm x 3, cinm_opt x 3
    PIM_TRY(const std::vector<Fields> rows, publishedRows("cinm_upmem_ms.csv", 12));
    std::vector<ModuleTimeRow> times;
    std::map<int, ModuleTimeRow> products; // of one, by modules
    for (const Fields& fields : rows) {
        if (fields[0] != "fig11")
            continue;
        constexpr std::array kModules{4, 8, 16};
        for (std::size_t m = 0; m < kModules.size(); ++m) {
            ModuleTimeRow row;
            row.benchmark = fields[1];
            row.modules = kModules[m];
            row.cinmMs = number(fields[6 + m]);
            row.cinmOptMs = number(fields[9 + m]);
            const int count = productsOf(row.benchmark);
            if (count == 0) {
                row.reason = "its sizes were not published";
            } else {
                ModuleTimeRow& one = products[row.modules];
                one.modules = row.modules;
                if (!one.simulatedMs)
                    PIM_CHECK(timeProduct(one, backends, catalog, task));
                row.predictedMs = one.predictedMs.value_or(0) * count;
                row.simulatedMs = one.simulatedMs.value_or(0) * count;
                row.draft = one.draft;
                row.reason = "1024 x 1024 x 1024 in int32; a product takes about 28 instructions (__mulsi3 "
                             "of factors of "
                             "16 bits), transfers of operands and results are included";
            }
            times.push_back(std::move(row));
        }
    }
    return times;
}

std::string shareText(const std::array<double, 4>& shares) {
    return fmt::format("{:.3f} {:.3f} {:.3f} {:.3f}", shares[0], shares[1], shares[2], shares[3]);
}

std::string msText(const std::optional<double>& ms) {
    return ms ? fmt::format("{:.1f}", *ms) : std::string("-");
}

} // namespace

Result<UpmemEvaluation> computeUpmem(const BackendList& backends, const TargetCatalog& catalog,
                                     const TaskContext& task) {
    UpmemEvaluation evaluation;
    PIM_TRY(evaluation.shares, cycleShares(task));
    PIM_TRY(evaluation.times, moduleTimes(backends, catalog, task));
    return evaluation;
}

report::Document upmemDocument(const UpmemEvaluation& evaluation) {
    report::Document document;
    document.eyebrow = "Evaluation";
    document.headline = "What was published about UPMEM modules, recomputed";
    document.lead = "uPIMulator (HPCA 2024) on single DPUs, CINM (ASPLOS 2025) on 4 to 16 modules.";
    document.footer = "PIM Studio";
    std::vector<std::vector<std::string>> shares, times;
    for (const CycleShareRow& row : evaluation.shares)
        shares.push_back({row.benchmark, std::to_string(row.tasklets), shareText(row.published),
                          row.ours ? shareText(*row.ours) : "-", row.reason});
    document.sections.push_back(
        tableSection("Where the cycles of a DPU go: issuing, memory, revolver, registers "
                     "(uPIMulator, figure 6)",
                     {"benchmark", ">tasklets", "published", "ours", "why they differ"}, std::move(shares)));
    for (const ModuleTimeRow& row : evaluation.times)
        times.push_back({row.benchmark, std::to_string(row.modules), msText(row.cinmMs),
                         msText(row.cinmOptMs), msText(row.predictedMs), msText(row.simulatedMs),
                         row.reason});
    document.sections.push_back(tableSection(
        "Products on UPMEM modules, ms (CINM, figure 11)",
        {"benchmark", ">modules", ">cinm", ">cinm-opt", ">ours, predicted", ">ours, simulated", "note"},
        std::move(times)));
    return document;
}

std::string upmemJson(const UpmemEvaluation& evaluation) {
    ordered_json shares = ordered_json::array(), times = ordered_json::array();
    const auto optional = [](const std::optional<double>& value) {
        return value ? ordered_json(*value) : ordered_json();
    };
    for (const CycleShareRow& row : evaluation.shares) {
        ordered_json one{{"benchmark", row.benchmark}, {"tasklets", row.tasklets}};
        for (std::size_t i = 0; i < kCycleShares.size(); ++i) {
            const std::string name(kCycleShares[i]);
            one[name + "_published"] = row.published[i];
            one[name] = row.ours ? ordered_json((*row.ours)[i]) : ordered_json();
        }
        one["reason"] = row.reason;
        shares.push_back(std::move(one));
    }
    for (const ModuleTimeRow& row : evaluation.times)
        times.push_back({{"benchmark", row.benchmark},
                         {"modules", row.modules},
                         {"cinm_ms", optional(row.cinmMs)},
                         {"cinm_opt_ms", optional(row.cinmOptMs)},
                         {"predicted_ms", optional(row.predictedMs)},
                         {"simulated_ms", optional(row.simulatedMs)},
                         {"draft", row.draft},
                         {"reason", row.reason}});
    return ordered_json{{"cycle_shares", shares}, {"module_times", times}}.dump(2) + "\n";
}

} // namespace pim::evaluation
