// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/draft_table.h"

#include "core/base/parallel.h"
#include "core/predict/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

/// Positions in the order in which they are worth a look.
std::vector<std::size_t> ranked(const DraftStudy& study, const PricedDrafts& drafts,
                                const CompileOptions& options) {
    const DraftPredictor* const predictor = options.predictor.get();
    if (!predictor || !predictor->knows(study.space->kernel(), *study.target))
        return drafts.byPrice;
    std::vector<double> ns(drafts.drafts.size());
    predictor->predict(*study.space, *study.target, study.residency, drafts.drafts, drafts.summaries,
                       drafts.prices, ns);
    std::vector<std::size_t> order = drafts.byPrice;
    std::stable_sort(order.begin(), order.end(),
                     [&ns](std::size_t a, std::size_t b) { return ns[a] < ns[b]; });
    return order;
}

struct Fastest {
    std::size_t draft = 0;
    double ns = 0;
};

/// The simulated fastest of the first \p wanted that have code.
Result<Fastest> verified(const DraftStudy& study, const PricedDrafts& drafts,
                         const std::vector<std::size_t>& order, std::size_t wanted, int threads,
                         const TaskContext& task) {
    std::optional<Fastest> best;
    std::string why = "there is no draft";
    for (std::size_t begin = 0; begin < order.size() && !best; begin += wanted) {
        const std::size_t count = std::min(wanted, order.size() - begin);
        std::vector<Result<KernelPrice>> runs(count, KernelPrice{});
        parallelFor(count, threads, [&](std::size_t i) {
            runs[i] = study.measurer->measure(*study.space, drafts.drafts[order[begin + i]], study.residency,
                                              {task.stop, {}});
        });
        if (task.cancelled())
            return TaskContext::cancelledError("choosing a draft");
        for (std::size_t i = 0; i < count; ++i) {
            if (!runs[i])
                why = runs[i].error().message;
            else if (const double ns = runs[i]->totalNs(); !best || ns < best->ns)
                best = Fastest{order[begin + i], ns};
        }
    }
    if (!best)
        return fail(ErrorCode::Unsupported, "no draft of it has code: " + why, study.space->kernel().name);
    return *best;
}

} // namespace

DraftQuestion questionOf(const DraftStudy& study, const CompileOptions& options) {
    std::string residency;
    for (const Residency r : study.residency)
        residency += name(r)[0];
    CompileOptions asked = options;
    if (options.predictor)
        asked.predictorVersion = options.predictor->version();
    return {study.space->kernel().text(), residency, study.target->hash, optionsJson(asked)};
}

std::optional<DraftAnswer> DraftTable::find(const DraftQuestion& question) const {
    const std::lock_guard lock(m_mutex);
    const auto at = m_answers.find(question);
    return at == m_answers.end() ? std::nullopt : std::optional(at->second);
}

void DraftTable::put(const DraftQuestion& question, const DraftAnswer& answer) {
    const std::lock_guard lock(m_mutex);
    m_answers.insert_or_assign(question, answer);
}

std::map<DraftQuestion, DraftAnswer> DraftTable::all() const {
    const std::lock_guard lock(m_mutex);
    return m_answers;
}

Result<ChosenDraft> chooseDraft(const OpwiseBackend& backend, Kernel kernel,
                                const std::shared_ptr<const Target>& target, const CompileOptions& options,
                                DraftTable* table, const TaskContext& task) {
    PIM_TRY(const DraftStudy study, backend.study(std::move(kernel), target, options));
    const DraftQuestion question = questionOf(study, options);
    if (table)
        if (const auto known = table->find(question)) {
            PIM_TRY(Draft draft, study.space->draftFromText(known->draft));
            return ChosenDraft{std::move(draft), *known, true};
        }
    PIM_TRY(const PricedDrafts drafts, priceDrafts(study, options.tiling, task));
    if (drafts.drafts.empty())
        return fail(ErrorCode::Unsupported, "no draft of it fits the memory of a core",
                    study.space->kernel().name);
    const std::vector<std::size_t> order = ranked(study, drafts, options);
    Fastest best{order.front(), drafts.prices[order.front()].totalNs()};
    if (study.measurer) {
        const auto wanted = static_cast<std::size_t>(std::max(1, options.verifyDrafts));
        PIM_TRY(best, verified(study, drafts, order, wanted, options.threads, task));
    }
    ChosenDraft chosen{drafts.drafts[best.draft],
                       {study.space->draftText(drafts.drafts[best.draft]), best.ns, study.measurer != nullptr,
                        std::ssize(order)},
                       false};
    if (table)
        table->put(question, chosen.answer);
    return chosen;
}

} // namespace pim
