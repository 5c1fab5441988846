// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/predictions.h"

#include "core/base/parallel.h"
#include "core/compile/compiler.h"
#include "core/compile/which.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <tuple>

namespace pim {
namespace {

Result<PredictionRow> comparedOn(const BackendList& backends, const PredictionSetup& setup,
                                 const PredictionSetup::Model& model,
                                 const std::shared_ptr<const Target>& target, const TaskContext& task) {
    PredictionRow row{.model = model.name, .target = target->id, .kind = target->backend};
    PIM_TRY(const Backend* const backend, backends.find(target->backend));
    CompileOptions options = setup.options;
    if (!setup.thorough) {
        PIM_TRY(options, quickOptions(*backend, std::move(options)));
    }
    const auto failed = [&](const Error& error) -> Result<PredictionRow> {
        if (error.code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(error);
        row.problem = error.message;
        return row;
    };
    PlanCache cache;
    const auto plan = compile(backends, {model.graph, target, {}, options}, &cache, task);
    if (!plan)
        return failed(plan.error());
    const auto simulation = backend->simulate(**plan, task);
    if (!simulation)
        return failed(simulation.error());
    row.simulatedNs = (*simulation)->totalNs;
    row.timedWhilePlanning = !(*simulation)->predictedNs;
    row.predictedNs = (*simulation)->predictedNs.value_or(row.simulatedNs);
    row.causesNs = (*simulation)->differenceNs;
    if (row.timedWhilePlanning && !(*plan)->baselines.empty()) {
        row.baseline = (*plan)->baselines.front().id;
        row.gain = (*plan)->speedupOver((*plan)->baselines.front());
    }
    return row;
}

/// Sorts them.
double medianOf(std::vector<double>& values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

} // namespace

double PredictionRow::error() const {
    return std::abs(ratio() - 1);
}

Result<std::vector<PredictionRow>> comparePredictions(const BackendList& backends,
                                                      const PredictionSetup& setup, const TaskContext& task) {
    const std::size_t targets = setup.targets.size(), pairs = setup.models.size() * targets;
    std::vector<PredictionRow> rows(pairs);
    std::mutex oneAtATime;
    std::int64_t finished = 0;
    std::optional<Error> wrong;
    const TaskContext quiet{task.stop, {}};
    parallelFor(pairs, setup.options.threads, [&](std::size_t i) {
        if (task.cancelled())
            return;
        const auto& model = setup.models[i / targets];
        const auto& target = setup.targets[i % targets];
        auto row = comparedOn(backends, setup, model, target, quiet);
        const std::lock_guard lock(oneAtATime);
        task.report(model.name + " on " + target->id, ++finished, static_cast<std::int64_t>(pairs));
        if (row)
            rows[i] = std::move(*row);
        else if (!wrong)
            wrong = row.error();
    });
    if (task.cancelled())
        return TaskContext::cancelledError("comparing predictions");
    if (wrong)
        return tl::unexpected<Error>(std::move(*wrong));
    std::ranges::stable_sort(rows, [](const PredictionRow& a, const PredictionRow& b) {
        return std::tie(a.model, a.target) < std::tie(b.model, b.target);
    });
    return rows;
}

PredictionSummary summarise(const std::vector<PredictionRow>& rows, std::string_view kind) {
    PredictionSummary sum;
    std::vector<double> errors, gains;
    for (const PredictionRow& row : rows)
        if (row.problem.empty() && (kind.empty() || row.kind == kind)) {
            errors.push_back(row.error());
            sum.timedWhilePlanning += row.timedWhilePlanning;
            if (row.gain > 0)
                gains.push_back(row.gain);
        }
    sum.rows = errors.size();
    sum.gains = gains.size();
    sum.median = medianOf(errors);
    sum.medianGain = medianOf(gains);
    if (!errors.empty())
        sum.worst = errors.back();
    if (!gains.empty())
        sum.leastGain = gains.front();
    return sum;
}

TotalTime totalTime(const Plan& plan, const Simulation* simulation) {
    const double planned = plan.total.totalNs();
    if (simulation && plan.origin != Origin::Simulated && !plan.firstSampleNs() && planned > 0)
        return {simulation->totalNs, Origin::Simulated, planned};
    return {planned, plan.origin, {}};
}

} // namespace pim
