// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/placement.h"

#include "core/drafts/min_cut.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

/// Whole picoseconds: a cut needs sums that are exact.
std::int64_t picoseconds(double ns) {
    constexpr double kMost = 1e15; // 11 days for one op; thousands of such ops still fit 64 bits
    return std::llround(std::clamp(ns, 0.0, kMost) * 1000.0);
}

} // namespace

std::vector<DeviceId> placeOps(const Dataflow& flow, const std::vector<OpPrice>& prices) {
    // An op that cannot move needs no node; whatever depends on it becomes a cost of the other one alone.
    const auto fixed = [&prices](OpId op) -> std::optional<DeviceId> {
        if (!op.valid() || !prices[op.index()].pimNs)
            return DeviceId::host();
        return prices[op.index()].pinned;
    };
    std::vector<std::int64_t> onHost(prices.size()), onPim(prices.size());
    struct Pair {
        OpId host, pim;
        std::int64_t cost;
    };
    std::vector<Pair> pairs; ///< Paid if the first is on the host and the second on PIM.
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const OpId op{static_cast<std::int64_t>(i)};
        if (!prices[i].pimNs)
            continue;
        onHost[i] = picoseconds(prices[i].hostNs);
        onPim[i] = picoseconds(*prices[i].pimNs);
        for (const auto& read : prices[i].reads) {
            const OpId producer = flow.value(read.tensor).producer;
            const auto where = fixed(producer);
            if (where == DeviceId::host())
                onPim[i] += picoseconds(read.ns);
            else if (!where)
                pairs.push_back({producer, op, picoseconds(read.ns)});
        }
    }
    struct Write {
        OpId producer;
        std::vector<OpId> consumers; ///< Those that may be on the host.
        std::int64_t cost;
    };
    std::vector<Write> writes;
    for (const FlowValue& value : flow.values()) {
        if (!value.producer.valid() || !prices[value.producer.index()].pimNs)
            continue;
        const OpPrice& producer = prices[value.producer.index()];
        Write write{value.producer, {}, picoseconds(producer.writeNs)};
        bool certain = value.isGraphOutput;
        for (const OpId consumer : value.consumers) {
            const auto where = fixed(consumer);
            certain = certain || where == DeviceId::host();
            if (!where)
                write.consumers.push_back(consumer);
        }
        if (certain)
            onPim[value.producer.index()] += write.cost;
        else if (!write.consumers.empty())
            writes.push_back(std::move(write));
    }

    TwoLabels cut; // A: host, B: PIM
    std::vector<int> node(prices.size(), -1);
    for (std::size_t i = 0; i < prices.size(); ++i) {
        if (!prices[i].pimNs)
            continue;
        const auto pinned = prices[i].pinned;
        node[i] = cut.add(pinned == DeviceId::first() ? TwoLabels::kForbidden : onHost[i],
                          pinned == DeviceId::host() ? TwoLabels::kForbidden : onPim[i]);
    }
    for (const Pair& pair : pairs)
        cut.addPair(node[pair.host.index()], node[pair.pim.index()], pair.cost);
    for (const Write& write : writes) {
        const int host = cut.add(0, 0); // "some consumer is on the host"
        for (const OpId consumer : write.consumers)
            cut.addPair(node[consumer.index()], host, TwoLabels::kForbidden);
        cut.addPair(host, node[write.producer.index()], write.cost);
    }
    const std::vector<bool> isPim = cut.solve();
    std::vector<DeviceId> placement(prices.size());
    for (std::size_t i = 0; i < prices.size(); ++i)
        if (node[i] >= 0 && isPim[static_cast<std::size_t>(node[i])])
            placement[i] = DeviceId::first();
    return placement;
}

bool neededOnHost(const FlowValue& value, const std::vector<DeviceId>& placement) {
    return value.isGraphOutput ||
           std::any_of(value.consumers.begin(), value.consumers.end(),
                       [&](OpId consumer) { return placement[consumer.index()].onHost(); });
}

} // namespace pim
