// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/priced_drafts.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

/// Positions; the \p first least bounds before all others, ascending.
std::vector<std::size_t> leastFirst(const std::vector<double>& boundsNs, std::size_t first) {
    std::vector<std::size_t> order(boundsNs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(first, order.size())),
        order.end(),
        [&](std::size_t a, std::size_t b) { return std::pair(boundsNs[a], a) < std::pair(boundsNs[b], b); });
    return order;
}

} // namespace

std::vector<std::size_t> PricedDrafts::byPrice() const {
    std::vector<std::size_t> order(drafts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return prices[a].totalNs() < prices[b].totalNs();
    });
    return order;
}

Result<PricedDrafts> priceDrafts(const KeptDrafts& all, const KernelPricer& pricer, double reach,
                                 const TaskContext& task) {
    PricedDrafts priced;
    priced.counts = all.counts();
    Draft draft;
    DraftSummary summary;
    std::vector<double> boundsNs(all.size());
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (task.cancelled())
            return TaskContext::cancelledError("pricing drafts");
        all.read(at, draft);
        all.readSummary(at, summary);
        boundsNs[at] = pricer.boundNs(draft, summary);
    }
    // Some of the least bounds first: a low price early saves most of the others theirs.
    constexpr std::size_t kFirst = 64;
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, KernelPrice>> kept;
    for (const std::size_t at : leastFirst(boundsNs, kFirst)) {
        if (boundsNs[at] > reach * least)
            continue;
        all.read(at, draft);
        all.readSummary(at, summary);
        kept.emplace_back(at, pricer.price(draft, summary));
        least = std::min(least, kept.back().second.totalNs());
    }
    std::erase_if(kept, [&](const auto& one) { return boundsNs[one.first] > reach * least; });
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, price] : kept) {
        all.read(at, priced.drafts.emplace_back());
        all.readSummary(at, priced.summaries.emplace_back());
        priced.prices.push_back(price);
        priced.boundsNs.push_back(boundsNs[at]);
    }
    for (const double boundNs : boundsNs)
        if (boundNs > reach * least) {
            ++priced.outOfReach;
            priced.outOfReachBoundNs = std::min(priced.outOfReachBoundNs, boundNs);
        }
    return priced;
}

Result<PricedDrafts> priceDrafts(const TilingSpace& space, const KernelPricer& pricer,
                                 const TilingOptions& options, double reach, const TaskContext& task) {
    PIM_TRY(const auto kept, KeptDrafts::of(space, options, task));
    return priceDrafts(*kept, pricer, reach, task);
}

} // namespace pim
