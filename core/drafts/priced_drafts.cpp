// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/priced_drafts.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

/// Drafts that the rules keep, with bounds. Parts lie one after the other: there can be a million drafts, of
/// which a few are looked at again.
class BoundedDrafts {
public:
    explicit BoundedDrafts(std::size_t parts) : m_width(parts) {}

    void add(const Draft& draft, double boundNs) {
        m_parts.insert(m_parts.end(), draft.parts.begin(), draft.parts.end());
        m_strategies.push_back(draft.strategy);
        m_boundsNs.push_back(boundNs);
    }
    std::size_t size() const { return m_boundsNs.size(); }
    double boundNs(std::size_t draft) const { return m_boundsNs[draft]; }
    void read(std::size_t draft, Draft& into) const {
        const auto begin = m_parts.begin() + static_cast<std::ptrdiff_t>(draft * m_width);
        into.parts.assign(begin, begin + static_cast<std::ptrdiff_t>(m_width));
        into.strategy = m_strategies[draft];
    }
    /// Positions; the \p first least bounds before all others, ascending.
    std::vector<std::size_t> leastFirst(std::size_t first) const {
        std::vector<std::size_t> order(size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::partial_sort(order.begin(),
                          order.begin() + static_cast<std::ptrdiff_t>(std::min(first, order.size())),
                          order.end(), [this](std::size_t a, std::size_t b) {
                              return std::pair(m_boundsNs[a], a) < std::pair(m_boundsNs[b], b);
                          });
        return order;
    }

private:
    std::size_t m_width;
    std::vector<DraftPart> m_parts; ///< m_width a draft.
    std::vector<IndexStrategy> m_strategies;
    std::vector<double> m_boundsNs;
};

} // namespace

std::vector<std::size_t> PricedDrafts::byPrice() const {
    std::vector<std::size_t> order(drafts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return prices[a].totalNs() < prices[b].totalNs();
    });
    return order;
}

Result<PricedDrafts> priceDrafts(const TilingSpace& space, const KernelPricer& pricer,
                                 const TilingOptions& options, double reach, const TaskContext& task) {
    PricedDrafts priced;
    BoundedDrafts all(space.sets().size());
    const auto bound = [&](const Draft& draft, const DraftSummary& ofDraft) {
        all.add(draft, pricer.boundNs(draft, ofDraft));
        return !task.cancelled();
    };
    PIM_TRY(priced.counts, forEachKeptDraft(space, options, bound, task));
    if (task.cancelled())
        return TaskContext::cancelledError("pricing drafts");
    // Some of the least bounds first: a low price early saves most of the others theirs.
    constexpr std::size_t kFirst = 64;
    DraftSummary summary;
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, KernelPrice>> kept;
    Draft draft;
    for (const std::size_t at : all.leastFirst(kFirst)) {
        if (all.boundNs(at) > reach * least)
            continue;
        all.read(at, draft);
        space.summarize(draft, summary);
        kept.emplace_back(at, pricer.price(draft, summary));
        least = std::min(least, kept.back().second.totalNs());
    }
    std::erase_if(kept, [&](const auto& one) { return all.boundNs(one.first) > reach * least; });
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, price] : kept) {
        all.read(at, draft);
        priced.summaries.push_back(space.summarize(draft));
        priced.drafts.push_back(draft);
        priced.prices.push_back(price);
        priced.boundsNs.push_back(all.boundNs(at));
    }
    for (std::size_t at = 0; at < all.size(); ++at)
        if (all.boundNs(at) > reach * least) {
            ++priced.outOfReach;
            priced.outOfReachBoundNs = std::min(priced.outOfReachBoundNs, all.boundNs(at));
        }
    return priced;
}

} // namespace pim
