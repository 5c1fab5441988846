// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/predictor_table.h"

#include "core/drafts/exhaustive.h"
#include "core/predict/kernel_families.h"
#include "core/predict/shipped.h"
#include "core/predict/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace pim::evaluation {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Source {
    const char *target, *family, *paperName;
};
constexpr std::array kSources{
    Source{"attacc", "attention", "AttAcc+ATTN"},       Source{"attacc", "gemv", "AttAcc+GEMV"},
    Source{"attacc", "reduction", "AttAcc+RED"},        Source{"hbm-pim-hbm3", "gemv", "HBM-PIM+GEMV"},
    Source{"hbm-pim-hbm3", "reduction", "HBM-PIM+RED"}, Source{"hbm-pim-hbm3", "addition", "HBM-PIM+VA"},
    Source{"hbm-pim-hbm3", "relu", "HBM-PIM+RELU"}};

/// Drafts in the order in which the predictor likes them.
std::vector<std::size_t> ranked(const DraftStudy& study, const PricedDrafts& priced,
                                const DraftPredictor& predictor) {
    std::vector<double> ns(priced.drafts.size());
    predictor.predict(*study.space, *study.target, study.residency,
                      {priced.drafts, priced.summaries, priced.prices}, ns);
    std::vector<std::size_t> order = priced.byPrice();
    std::stable_sort(order.begin(), order.end(),
                     [&ns](std::size_t a, std::size_t b) { return ns[a] < ns[b]; });
    return order;
}

Result<PredictorSize> measured(const OpwiseBackend& backend, const DraftStudy& study, KernelSize size,
                               const CompileOptions& options, const TaskContext& task) {
    const TilingOptions& tiling = options.tiling;
    const TaskContext quiet{task.stop, {}};
    PIM_TRY(const std::vector<Draft> drafts, keptDrafts(*study.space, tiling, nullptr, quiet));
    PIM_TRY(const ExhaustiveResult truth,
            searchExhaustively(study, drafts, {.threads = options.threads}, quiet));
    PIM_TRY(const PricedDrafts priced, priceDrafts(*study.space, *study.pricer, tiling, kBoundReach, quiet));
    if (truth.simulated.empty() || priced.drafts.empty())
        return fail(ErrorCode::Unsupported, "no draft could be simulated", study.space->kernel().name);
    const auto timeOf = [&](std::size_t draft) {
        const auto run = study.measurer->measure(*study.space, priced.drafts[draft], study.residency, quiet);
        return run ? run->totalNs() : kNever;
    };
    const std::vector<std::size_t> order = ranked(study, priced, *options.predictor);
    PIM_TRY(const DraftChoice taken,
            backend.choose(study.space->kernel(), *study.target, options, nullptr, quiet));
    if (task.cancelled())
        return TaskContext::cancelledError("measuring the predictor");
    return PredictorSize{size.rows,
                         size.columns,
                         truth.simulated.front().ns,
                         timeOf(order.front()),
                         taken.origin == Origin::Simulated ? taken.price.totalNs() : kNever,
                         timeOf(priced.byPrice().front()),
                         study.target->timeNs("timing.tCK").value_or(0)};
}

} // namespace

double PredictorRow::share(bool (PredictorSize::*holds)() const) const {
    const auto count = std::count_if(sizes.begin(), sizes.end(),
                                     [holds](const PredictorSize& size) { return (size.*holds)(); });
    return sizes.empty() ? 0 : 100.0 * double(count) / double(sizes.size());
}

std::size_t PredictorRow::others() const {
    return std::size_t(
        std::count_if(sizes.begin(), sizes.end(), [](const PredictorSize& size) { return !size.isFound(); }));
}

double PredictorRow::rest() const {
    double sum = 0;
    for (const PredictorSize& size : sizes)
        sum += size.isFound() ? 0 : 100 * size.bestNs / size.chosenNs;
    return others() > 0 ? sum / double(others()) : 100;
}

double PredictorRow::worst() const {
    double least = 100;
    for (const PredictorSize& size : sizes)
        least = size.isFound() ? least : std::min(least, 100 * size.bestNs / size.chosenNs);
    return least;
}

PredictorTotals totalsOf(std::span<const PredictorRow> rows) {
    PredictorTotals totals;
    double found = 0, others = 0, rest = 0, paperSizes = 0, paperFound = 0, paperRest = 0;
    for (const PredictorRow& row : rows) {
        totals.sizes += row.sizes.size();
        found += double(row.sizes.size() - row.others());
        others += double(row.others());
        rest += row.rest() * double(row.others());
        paperSizes += row.paperSizes;
        paperFound += row.paperFound;
        paperRest += row.paperRest * (row.paperSizes - row.paperFound);
    }
    totals.found = totals.sizes > 0 ? 100 * found / double(totals.sizes) : 0;
    totals.rest = others > 0 ? rest / others : 100;
    totals.paperFound = paperSizes > 0 ? 100 * paperFound / paperSizes : 0;
    totals.paperRest = paperSizes > paperFound ? paperRest / (paperSizes - paperFound) : 100;
    return totals;
}

std::vector<PredictorRow> predictorRows(const PaperNumbers& paper) {
    std::vector<PredictorRow> rows;
    for (const Source& source : kSources) {
        PredictorRow row{.target = source.target, .family = source.family, .paperName = source.paperName};
        if (const auto at = paper.predictor.find(row.paperName);
            at != paper.predictor.end() && at->second.size() >= 3) {
            row.paperSizes = at->second[0];
            row.paperFound = at->second[1];
            row.paperRest = at->second[2];
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<void> measureRow(PredictorRow& row, int sizes, const BackendList& backends,
                        const TargetCatalog& catalog, int threads, const TaskContext& task) {
    PIM_TRY(const std::shared_ptr<const Target> target, catalog.find(row.target));
    PIM_TRY(const Backend* found, backends.find(target->backend));
    const auto* const backend = dynamic_cast<const OpwiseBackend*>(found);
    Diagnostics problems;
    CompileOptions options;
    options.threads = threads;
    options.verifyDrafts = kVerifiedDrafts;
    usePredictor(options, *target, &problems);
    if (!backend || !options.predictor)
        return fail(ErrorCode::NotFound,
                    problems.empty() ? "no predictor is trained for it" : problems.front().message,
                    row.target, fmt::format("train one: pimc predictor train --target {}", row.target));
    row.model = options.predictorVersion;
    PIM_TRY(const KernelFamily* family, findKernelFamily(row.family));
    const std::vector<KernelSize> asked = kernelSizes(*family, sizes, 1);
    row.sizes.clear();
    for (const KernelSize& size : asked) {
        task.report(fmt::format("Table II: {} of {}", row.family, row.target), std::ssize(row.sizes),
                    std::ssize(asked));
        PIM_TRY(Kernel kernel, makeKernel(*family, size));
        PIM_TRY(const DraftStudy study, backend->study(std::move(kernel), target, {}));
        PIM_TRY(const PredictorSize one, measured(*backend, study, size, options, task));
        row.sizes.push_back(one);
    }
    return {};
}

} // namespace pim::evaluation
