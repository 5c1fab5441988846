// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/comparison.h"

#include "backends/dram_pim/fixed_mapping.h"
#include "core/drafts/opwise.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim::evaluation {
namespace {

/// An exploration of one draft only, so that it can be simulated like any other.
Exploration only(const Exploration& exploration, const Draft& draft) {
    Exploration one;
    one.space = exploration.space;
    one.target = exploration.target;
    one.tensors = exploration.tensors;
    one.codePasses = exploration.codePasses;
    one.drafts = {draft};
    one.costs = {{}};
    return one;
}

CodePasses plainCode(const Backend& backend) {
    CodePasses passes;
    for (const CodePassInfo& pass : backend.drafts()->codePasses())
        if (pass.id != "group-commands")
            passes.leftOut.emplace_back(pass.id);
    std::sort(passes.leftOut.begin(), passes.leftOut.end());
    return passes;
}

TimedDraft timed(const Exploration& exploration, const SimulatedDraft& simulated, const Rules& rules) {
    TimedDraft draft{exploration.drafts[simulated.draft], {}, simulated.cost};
    draft.text = exploration.space->draftText(draft.draft);
    if (!rules.modeSwitches)
        draft.cost.modeSwitchNs = 0;
    return draft;
}

/// \param exploration has one draft.
Result<TimedDraft> simulatedAlone(const Backend& backend, const Exploration& exploration, const Rules& rules,
                                  const TaskContext& task) {
    const std::size_t first = 0;
    PIM_TRY(const auto run, backend.drafts()->simulateDrafts(exploration, {&first, 1}, 1, task));
    if (!run[0].problem.empty())
        return fail(ErrorCode::Unsupported, "the published mapping has no code: " + run[0].problem,
                    exploration.space->kernel().name);
    return timed(exploration, run[0], rules);
}

double costUnder(const CostSplit& cost, const Rules& rules) {
    return cost.totalNs() - (rules.modeSwitches ? 0 : cost.modeSwitchNs);
}

/// The first \p count positions of \p exploration in the order of \p key; ties in the order of enumeration.
template <class Key>
std::vector<std::size_t> best(const Exploration& exploration, std::size_t count, const Key& key) {
    std::vector<std::size_t> order(exploration.drafts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return key(exploration.costs[a]) < key(exploration.costs[b]);
    });
    order.resize(std::min(order.size(), count));
    return order;
}

} // namespace

std::string name(const Rules& rules) {
    std::vector<std::string> off;
    if (!rules.activateWindow)
        off.emplace_back("no activate window");
    if (!rules.modeSwitches)
        off.emplace_back("no mode switches");
    if (!rules.powerLimit)
        off.emplace_back("no power limit");
    return off.empty() ? "strict" : fmt::format("{}", fmt::join(off, ", "));
}

double geomean(const std::vector<double>& values) {
    double logs = 0;
    for (const double value : values)
        logs += std::log(value);
    return values.empty() ? 0 : std::exp(logs / double(values.size()));
}

Evaluator::Evaluator(const BackendList& backends, const TargetCatalog& catalog, EvaluationOptions options)
    : m_backends(backends), m_catalog(catalog), m_options(options) {}

Result<std::shared_ptr<const Target>> Evaluator::target(const std::string& id, const Rules& rules) {
    const std::string key = fmt::format("{}\n{}", id, name(rules));
    const std::lock_guard lock(m_mutex);
    if (const auto at = m_targets.find(key); at != m_targets.end())
        return at->second;
    PIM_TRY(std::shared_ptr<const Target> found, m_catalog.find(id));
    if (rules != kStrict) {
        auto changed = std::make_shared<Target>(*found);
        if (!rules.activateWindow)
            changed->parameters["policy.allBankFaw"].value = 0;
        if (!rules.powerLimit)
            changed->parameters["policy.powerLimit"].value = 0;
        changed->hash += name(rules);
        found = changed;
    }
    return m_targets[key] = found;
}

Result<const Comparison*> Evaluator::compare(const EvaluatedKernel& kernel, const std::string& id,
                                             const Rules& rules, const TaskContext& task) {
    const std::string key = fmt::format("{}\n{}\n{}", id, name(rules), kernel.kernel.text());
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_known.find(key); at != m_known.end())
            return static_cast<const Comparison*>(at->second.get());
    }
    PIM_TRY(const auto target, this->target(id, rules));
    PIM_TRY(Comparison comparison, compareAnew(kernel, target, rules, task));
    const std::lock_guard lock(m_mutex);
    const auto at = m_known.try_emplace(key, std::make_unique<Comparison>(std::move(comparison))).first;
    return static_cast<const Comparison*>(at->second.get());
}

std::vector<const Comparison*> Evaluator::strictComparisons() {
    const std::lock_guard lock(m_mutex);
    const std::string strict = fmt::format("\n{}\n", name(kStrict));
    std::vector<const Comparison*> all;
    for (const auto& [key, comparison] : m_known)
        if (key.find(strict) != std::string::npos)
            all.push_back(comparison.get());
    return all;
}

Result<Comparison> Evaluator::compareAnew(const EvaluatedKernel& kernel, std::shared_ptr<const Target> target,
                                          const Rules& rules, const TaskContext& task) const {
    PIM_TRY(const Backend* backend, m_backends.find(target->backend));
    CompileOptions options;
    options.threads = m_options.threads;
    Comparison result;
    result.kernel = kernel;
    result.target = target;
    result.gpuNs = gpuNs(target->host, kernel);

    PIM_TRY(const auto exploration, backend->drafts()->exploreKernel(kernel.kernel, target, options, task));

    result.space = exploration->space;
    result.residency = residencyOf(exploration->tensors);
    // DCC gives HBM-PIM the same
    PIM_TRY(const Draft published, dram::attAccMapping(*exploration->space, *target));
    Exploration fixed = only(*exploration, published);
    PIM_TRY(result.fixed, simulatedAlone(*backend, fixed, rules, task));
    fixed.codePasses = plainCode(*backend);
    PIM_TRY(result.plainFixed, simulatedAlone(*backend, fixed, rules, task));

    const auto count = static_cast<std::size_t>(std::max(1, m_options.verified));
    std::vector<std::size_t> wanted =
        best(*exploration, count, [&rules](const CostSplit& c) { return costUnder(c, rules); });
    const std::vector<std::size_t> computing =
        best(*exploration, count, [](const CostSplit& c) { return c.computeNs; });
    for (const std::size_t draft : computing)
        if (std::find(wanted.begin(), wanted.end(), draft) == wanted.end())
            wanted.push_back(draft);
    PIM_TRY(const auto runs,
            backend->drafts()->simulateDrafts(*exploration, wanted, m_options.threads, task));
    const SimulatedDraft *chosen = nullptr, *computeFirst = nullptr;
    const auto take = [&rules](const SimulatedDraft*& holder, const SimulatedDraft& run) {
        if (run.problem.empty() && (!holder || costUnder(run.cost, rules) < costUnder(holder->cost, rules)))
            holder = &run;
    };
    for (const SimulatedDraft& run : runs) {
        take(chosen, run);
        if (std::find(computing.begin(), computing.end(), run.draft) != computing.end())
            take(computeFirst, run);
    }
    if (!chosen || !computeFirst)
        return fail(ErrorCode::Unsupported, "no draft could be simulated: " + runs.front().problem,
                    kernel.label);
    result.chosen = timed(*exploration, *chosen, rules);
    result.computeFirst = timed(*exploration, *computeFirst, rules);
    // The published mapping is one of the choices there are, though rules may prune it.
    if (result.fixed.cost.totalNs() < result.chosen.cost.totalNs())
        result.chosen = result.fixed;
    result.drafts = std::ssize(exploration->drafts);
    result.simulated = std::ssize(wanted);
    return result;
}

} // namespace pim::evaluation
