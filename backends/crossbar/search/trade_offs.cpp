// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/trade_offs.h"

#include "backends/crossbar/search/search.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <optional>

namespace pim {
namespace {

constexpr std::size_t kMostTradeOffs = 32;

bool beats(const MappingTradeOff& a, const MappingTradeOff& b) {
    return a.periodNs <= b.periodNs && a.latencyNs <= b.latencyNs && a.energyPj <= b.energyPj;
}

MappingTradeOff tradeOffOf(const CrossbarLayout& layout, CrossbarMode mode) {
    const CrossbarLayoutCost cost(layout, mode);
    const bool throughput = mode == CrossbarMode::HighThroughput;
    MappingTradeOff point;
    point.periodNs =
        (throughput ? cost : CrossbarLayoutCost(layout, CrossbarMode::HighThroughput)).cost().periodNs;
    point.latencyNs = layoutNs(layout, CrossbarMode::LowLatency);
    point.energyPj = cost.energyPj(cost.cost(), throughput ? point.periodNs : point.latencyNs);
    for (const MatrixId entry : layout.model().allEntries())
        point.replicas.push_back(layout.replicas(entry));
    return point;
}

} // namespace

std::vector<MappingTradeOff> tradeOffsOf(const std::vector<const CrossbarLayout*>& layouts,
                                         const MappingOptions& options, const TaskContext& task) {
    std::vector<std::optional<MappingTradeOff>> points(layouts.size());
    parallelFor(layouts.size(), options.threads, [&](std::size_t i) {
        if (i == 0 || !task.cancelled())
            points[i] = tradeOffOf(*layouts[i], options.mode);
    });
    std::vector<MappingTradeOff> kept;
    for (std::optional<MappingTradeOff>& point : points) {
        if (!point || std::ranges::any_of(kept, [&](const auto& other) { return beats(other, *point); }))
            continue;
        std::erase_if(kept, [&](const MappingTradeOff& other) { return beats(*point, other); });
        if (kept.size() < kMostTradeOffs)
            kept.push_back(std::move(*point));
    }
    std::ranges::stable_sort(kept, {}, &MappingTradeOff::periodNs);
    return kept;
}

} // namespace pim
