// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Transfers that wait, where each drains both of its cores: it begins when everything either has begun is
/// done, and holds both up until then. A core that has some begins nothing that would keep them waiting
/// longer; what is done by the time the other side comes costs nothing. So products come in batches, and the
/// transfers between them together, one after the other. Flow: steps of the low-latency pipeline ->
/// [PendingTransfers] -> when a core may begin a product.
#include "backends/crossbar/ids.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace pim {

class PendingTransfers {
public:
    explicit PendingTransfers(int cores) : m_ofCore(std::size_t(cores)) {}

    struct Pair {
        CoreId from, to;
        std::size_t number = 0;
    };
    /// \p since: when it could have begun if both cores were idle.
    void add(const Pair& pair, double since) {
        for (const CoreId core : {pair.from, pair.to})
            m_ofCore[core.index()].push_back({pair, since});
    }
    void remove(const Pair& pair) {
        for (const CoreId core : {pair.from, pair.to}) {
            auto& all = m_ofCore[core.index()];
            const auto at = std::ranges::find(all, pair.number, [](const Entry& e) { return e.pair.number; });
            *at = all.back();
            all.pop_back();
        }
    }
    /// A band of rows that could begin at \p next comes after the transfers of its core, one by one. \tparam
    /// Drained when a core is done with what it has begun.
    template <class Drained>
    double bandHeldUntil(CoreId core, double next, const Drained& drained) const {
        constexpr double kLong = std::numeric_limits<double>::infinity();
        const auto all = [](std::size_t) { return true; };
        return heldUntil(core, next, kLong, 1, drained, all);
    }
    /// A product that could begin at \p next and takes \p productNs begins then, or some time after the first
    /// of the core's transfers is through. \tparam Urgent whether somebody can go on when a transfer is
    /// through: others wait for more products, for some time.
    template <class Drained, class Urgent>
    double productHeldUntil(CoreId core, double next, double productNs, const Drained& drained,
                            const Urgent& urgent) const {
        return heldUntil(core, next, productNs, kRest * productNs + 1, drained, urgent);
    }

private:
    struct Entry {
        Pair pair;
        double since = 0; ///< ns
    };
    /// In products one after the other: what is not urgent waits so long, and a core gives other transfers so
    /// long to come through after one. [measured by the rules of PIMCOMP-NN, about seven layouts of each of
    /// eight cases: patience of 6 makes samples 1 % longer, no rest 1 to 4 % with products of 800 ns and 3 to
    /// 14 % with 4000; a rest of 0.25 or 0.75 is as good]
    static constexpr double kPatience = 12, kRest = 0.5;

    template <class Drained, class Urgent>
    double heldUntil(CoreId core, double next, double lengthNs, double restNs, const Drained& drained,
                     const Urgent& urgent) const {
        double meet = std::numeric_limits<double>::infinity();
        bool held = false;
        for (const Entry& entry : m_ofCore[core.index()]) {
            meet = std::min(meet, std::max(drained(entry.pair.from), drained(entry.pair.to)));
            if (next + lengthNs <= meet)
                continue;
            held = held || entry.since + kPatience * lengthNs <= next || urgent(entry.pair.number);
        }
        if (!held || next + lengthNs <= meet)
            return next;
        return std::max(next, meet + restNs); // after it, not beside it
    }

    std::vector<std::vector<Entry>> m_ofCore;
};

} // namespace pim
