// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a draft where nobody gave one: drafts with prices, ranked, the first ones simulated. [DCC
// §IV-D]
#include "core/base/parallel.h"
#include "core/drafts/exhaustive.h"
#include "core/drafts/opwise_planner.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

/// A draft that was not learned can be further off than all that the error was measured on; by so many times.
constexpr double kUnseen = 2;

/// Which of the drafts in their order are simulated: those that may still win, up to so many. The answer is
/// that of one thread that looks at one after the other; more threads only try ahead.
class Shortlist {
public:
    Shortlist(std::span<const double> rankedNs, std::span<const double> boundsNs, std::size_t most,
              double off)
        : m_rankedNs(rankedNs), m_boundsNs(boundsNs), m_off(off), m_order(rankedNs.size()) {
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        most = std::min(most, m_order.size());
        std::partial_sort(m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(most), m_order.end(),
                          [&](std::size_t a, std::size_t b) {
                              return std::pair(rankedNs[a], a) < std::pair(rankedNs[b], b);
                          });
        m_order.resize(most);
    }
    /// Positions in the order of those to be tried next, at most \p count.
    std::vector<std::size_t> next(std::size_t count) {
        std::vector<std::size_t> batch;
        for (; m_next < m_order.size() && batch.size() < count; ++m_next)
            if (mayWin(m_order[m_next]))
                batch.push_back(m_next);
        return batch;
    }
    /// \p price of the draft at \p rank; nothing: it has no code.
    void take(std::size_t rank, const std::optional<KernelPrice>& price) {
        if (!price || !mayWin(m_order[rank])) // tried ahead
            return;
        m_simulated.push_back(m_order[rank]);
        if (price->totalNs() < m_bestNs) {
            m_bestNs = price->totalNs();
            m_best = rank;
            m_price = *price;
        }
    }
    std::size_t draft(std::size_t rank) const { return m_order[rank]; }
    std::size_t bestRank() const { return m_best; }
    double bestNs() const { return m_bestNs; }
    const KernelPrice& price() const { return m_price; }
    std::span<const std::size_t> simulated() const { return m_simulated; }

private:
    bool mayWin(std::size_t draft) const {
        return m_boundsNs[draft] < m_bestNs && m_rankedNs[draft] * (1 - m_off) < m_bestNs;
    }

    std::span<const double> m_rankedNs, m_boundsNs;
    double m_off;
    std::vector<std::size_t> m_order;
    std::size_t m_next = 0, m_best = 0;
    double m_bestNs = std::numeric_limits<double>::infinity();
    KernelPrice m_price;
    std::vector<std::size_t> m_simulated;
};

} // namespace

Result<bool> OpwisePlanner::searchDrafts(KernelSearch& found, SpaceTable::Entry& entry,
                                         const KernelPricer& pricer, const std::vector<Residency>& residency,
                                         double hostNs, const TaskContext& task) const {
    const TilingSpace& space = *found.space;
    const DraftPredictor* const predictor = predictorOf(space.kernel());
    const double off = predictor ? kUnseen * predictor->offAtMost(space.kernel(), residency).value_or(1) : 1;
    PIM_TRY(const auto kept, entry.kept(m_options.tiling, task));
    // Where the price decides, no draft beats it whose bound does not.
    for (double reach = m_measurer || predictor ? kBoundReach : 1;; reach *= 2) {
        PIM_TRY(const PricedDrafts priced, priceDrafts(*kept, pricer, reach, task));
        found.counts = priced.counts;
        if (priced.drafts.empty())
            return false;
        std::vector<double> rankedNs;
        for (const KernelPrice& price : priced.prices)
            rankedNs.push_back(price.totalNs());
        const double leastNs = *std::min_element(rankedNs.begin(), rankedNs.end());
        if (predictor)
            predictor->predict(space, m_target, residency, {priced.drafts, priced.summaries, priced.prices},
                               rankedNs);
        std::optional<Verified> verified;
        if (m_measurer && isWorthMeasuring(leastNs, hostNs)) {
            PIM_TRY(verified, verify(space, priced, rankedNs, std::min(off, 1.0), residency, task));
            // Prices that are further off than was thought: drafts out of reach may be the fastest.
            if (verified && verified->price.totalNs() > priced.outOfReachBoundNs)
                continue;
        }
        const std::size_t best =
            verified ? verified->draft
                     : static_cast<std::size_t>(std::min_element(rankedNs.begin(), rankedNs.end()) -
                                                rankedNs.begin());
        found.draft = priced.drafts[best];
        found.summary = priced.summaries[best];
        found.price = verified ? verified->price : priced.prices[best];
        found.origin = verified ? Origin::Simulated : Origin::Predicted;
        found.check = verified ? verified->check : DraftCheck();
        found.check->priceNs = priced.prices[best].totalNs();
        if (predictor)
            found.check->predictedNs = rankedNs[best];
        return true;
    }
}

Result<std::optional<OpwisePlanner::Verified>>
OpwisePlanner::verify(const TilingSpace& space, const PricedDrafts& priced, std::span<const double> rankedNs,
                      double rankedOff, const std::vector<Residency>& residency,
                      const TaskContext& task) const {
    Shortlist list(rankedNs, priced.boundsNs, static_cast<std::size_t>(m_options.verifyDrafts), rankedOff);
    const auto ahead = static_cast<std::size_t>(m_options.threads > 0 ? m_options.threads : jobs());
    for (auto batch = list.next(ahead); !batch.empty(); batch = list.next(ahead)) {
        std::vector<std::optional<KernelPrice>> measured(batch.size());
        parallelFor(batch.size(), m_options.threads, [&](std::size_t i) {
            if (auto price = m_measurer->measure(space, priced.drafts[list.draft(batch[i])], residency,
                                                 {task.stop, {}}))
                measured[i] = *price;
        });
        if (task.cancelled())
            return TaskContext::cancelledError("the search for a tiling");
        for (std::size_t i = 0; i < batch.size(); ++i)
            list.take(batch[i], measured[i]);
    }
    if (list.simulated().empty()) // there is no code for any: the one ranked first says why
        return std::optional<Verified>();
    Verified best{list.draft(list.bestRank()), list.price(), {}};
    best.check.simulatedNs = list.bestNs();
    best.check.simulated = static_cast<int>(list.simulated().size());
    best.check.rank = static_cast<int>(list.bestRank()) + 1;
    best.check.lossAtMost =
        lossAtMost(priced.boundsNs, list.simulated(), list.bestNs(), priced.outOfReachBoundNs);
    return std::optional(std::move(best));
}

} // namespace pim
