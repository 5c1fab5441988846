// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/exhaustive.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {
namespace {

/// Drafts simulated at once: enough for all threads, few enough that a better time found is soon made use of. It grows,
/// because whoever times drafts prepares something for each batch.
constexpr std::size_t kFirstBatch = 64, kLargestBatch = 1024;

class Search {
public:
    Search(std::span<const double> boundsNs, const TimeDrafts& time, const ExhaustiveOptions& options,
           std::size_t drafts)
        : m_boundsNs(boundsNs), m_time(time), m_options(options), m_tried(drafts, false),
          m_bestNs(options.toBeatNs) {}

    Result<void> simulate(std::span<const std::size_t> drafts) {
        PIM_TRY(const std::vector<double> ns, m_time(drafts));
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            m_tried[drafts[i]] = true;
            if (std::isnan(ns[i])) {
                ++m_result.withoutCode;
                continue;
            }
            m_result.simulated.push_back({drafts[i], ns[i]});
            m_bestNs = std::min(m_bestNs, ns[i]);
        }
        return {};
    }
    bool isTried(std::size_t draft) const { return m_tried[draft]; }
    double boundOf(std::size_t draft) const { return m_boundsNs.empty() ? 0 : m_boundsNs[draft]; }
    bool isWorthIt(std::size_t draft) const {
        return m_options.everyDraft || boundOf(draft) < m_options.worthwhile * m_bestNs;
    }
    std::int64_t done() const { return std::ssize(m_result.simulated) + m_result.withoutCode; }

    ExhaustiveResult finish() {
        std::sort(m_result.simulated.begin(), m_result.simulated.end(), [](const auto& a, const auto& b) {
            return std::pair(a.ns, a.draft) < std::pair(b.ns, b.draft);
        });
        for (std::size_t draft = 0; draft < m_tried.size(); ++draft)
            if (!m_tried[draft]) {
                const double bound = boundOf(draft);
                m_result.skippedBoundNs =
                    m_result.skipped == 0 ? bound : std::min(m_result.skippedBoundNs, bound);
                ++m_result.skipped;
            }
        return std::move(m_result);
    }

private:
    std::span<const double> m_boundsNs;
    const TimeDrafts& m_time;
    const ExhaustiveOptions& m_options;
    std::vector<bool> m_tried;
    double m_bestNs;
    ExhaustiveResult m_result;
};

std::vector<std::size_t> ascending(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return order;
}

} // namespace

std::optional<double> ExhaustiveResult::timeOf(std::size_t draft) const {
    const auto at = std::find_if(simulated.begin(), simulated.end(),
                                 [draft](const Timed& one) { return one.draft == draft; });
    return at == simulated.end() ? std::nullopt : std::optional(at->ns);
}

Result<ExhaustiveResult> searchExhaustively(std::span<const double> boundsNs,
                                            std::span<const double> rankedNs, const TimeDrafts& time,
                                            const ExhaustiveOptions& options, const TaskContext& task) {
    const std::size_t drafts = rankedNs.size();
    Search search(boundsNs, time, options, drafts);
    const std::vector<std::size_t> ranked = ascending(rankedNs);
    std::vector<std::size_t> batch;
    for (std::size_t i = 0; i < drafts && batch.size() < options.guesses; ++i)
        if (search.isWorthIt(ranked[i]))
            batch.push_back(ranked[i]);
    PIM_CHECK(search.simulate(batch));
    const std::vector<std::size_t> order = boundsNs.empty() ? ranked : ascending(boundsNs);
    std::size_t next = 0, size = kFirstBatch;
    while (next < drafts) {
        if (task.cancelled())
            return TaskContext::cancelledError("simulating all drafts");
        batch.clear();
        for (; next < drafts && batch.size() < size; ++next) {
            if (!search.isWorthIt(order[next])) { // nor is any behind it
                next = drafts;
                break;
            }
            if (!search.isTried(order[next]))
                batch.push_back(order[next]);
        }
        if (!batch.empty())
            PIM_CHECK(search.simulate(batch));
        size = std::min(2 * size, kLargestBatch);
        const auto left = std::count_if(order.begin() + static_cast<std::ptrdiff_t>(next), order.end(),
                                        [&search](std::size_t draft) { return search.isWorthIt(draft); });
        task.report("simulating all drafts", search.done(), search.done() + left);
    }
    if (task.cancelled())
        return TaskContext::cancelledError("simulating all drafts");
    return search.finish();
}

Result<ExhaustiveResult> searchExhaustively(const DraftFacet& facet, const Exploration& exploration,
                                            const ExhaustiveOptions& options, const TaskContext& task) {
    std::vector<double> ranked;
    for (const CostSplit& cost : exploration.costs)
        ranked.push_back(cost.totalNs());
    const TaskContext quiet{task.stop, {}};
    const TimeDrafts time = [&](std::span<const std::size_t> drafts) -> Result<std::vector<double>> {
        PIM_TRY(const auto simulated, facet.simulateDrafts(exploration, drafts, options.threads, quiet));
        std::vector<double> ns;
        for (const SimulatedDraft& draft : simulated)
            ns.push_back(draft.problem.empty() ? draft.cost.totalNs() : std::nan(""));
        return ns;
    };
    return searchExhaustively(exploration.boundsNs, ranked, time, options, task);
}

Result<ExhaustiveResult> searchExhaustively(const DraftStudy& study, std::span<const Draft> drafts,
                                            const ExhaustiveOptions& options, const TaskContext& task) {
    if (!study.measurer)
        return fail(ErrorCode::Unsupported, "the commands of this machine cannot be timed here",
                    study.target->id);
    std::vector<double> bounds, ranked;
    DraftSummary summary;
    for (const Draft& draft : drafts) {
        study.space->summarize(draft, summary);
        bounds.push_back(study.pricer->boundNs(draft, summary));
        ranked.push_back(study.pricer->price(draft, summary).totalNs());
    }
    const TaskContext quiet{task.stop, {}};
    const TimeDrafts time = [&](std::span<const std::size_t> batch) -> Result<std::vector<double>> {
        std::vector<double> ns(batch.size(), std::nan(""));
        parallelFor(batch.size(), options.threads, [&](std::size_t i) {
            if (task.cancelled())
                return;
            if (const auto price =
                    study.measurer->measure(*study.space, drafts[batch[i]], study.residency, quiet))
                ns[i] = price->totalNs();
        });
        return ns;
    };
    return searchExhaustively(bounds, ranked, time, options, task);
}

std::int64_t rankOf(std::span<const double> rankedNs, std::size_t draft) {
    std::int64_t rank = 1;
    for (std::size_t i = 0; i < rankedNs.size(); ++i)
        rank += std::pair(rankedNs[i], i) < std::pair(rankedNs[draft], draft);
    return rank;
}

std::optional<double> lossAtMost(std::span<const double> boundsNs, std::span<const std::size_t> simulated,
                                 double bestNs, double otherBoundNs) {
    std::vector<bool> known(boundsNs.size(), false);
    for (const std::size_t draft : simulated)
        known[draft] = true;
    double least = std::min(bestNs, otherBoundNs);
    for (std::size_t i = 0; i < boundsNs.size(); ++i)
        if (!known[i])
            least = std::min(least, boundsNs[i]);
    return least > 0 && !boundsNs.empty() ? std::optional(bestNs / least - 1) : std::nullopt;
}

} // namespace pim
