// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Transfers that wait, where each drains both of its cores: it begins when everything either has begun is
/// done, and holds both up until then. A core that has some begins nothing that would keep them waiting
/// longer; what is done by the time the other side comes costs nothing. So products come in batches, and the
/// transfers between them together. Flow: steps of the low-latency pipeline -> [PendingTransfers] -> when a
/// core may begin a product.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace pim {

class PendingTransfers {
public:
    explicit PendingTransfers(int cores) : m_ofCore(std::size_t(cores)) {}

    struct Pair {
        int from = 0, to = 0; ///< Cores.
        std::size_t number = 0;
    };
    /// \p since: when it could have begun if both cores were idle.
    void add(const Pair& pair, double since) {
        for (const int core : {pair.from, pair.to})
            m_ofCore[std::size_t(core)].push_back({pair, since});
    }
    void remove(const Pair& pair) {
        for (const int core : {pair.from, pair.to}) {
            auto& all = m_ofCore[std::size_t(core)];
            const auto at = std::ranges::find(all, pair.number, [](const Entry& e) { return e.pair.number; });
            *at = all.back();
            all.pop_back();
        }
    }
    /// A band of rows that could begin at \p next comes after the transfers of its core, one by one.
    template <class Drained>
    double heldUntil(int core, double next, const Drained& drained) const {
        constexpr double kLong = std::numeric_limits<double>::infinity();
        return heldUntil(core, next, kLong, drained, [](std::size_t) { return true; });
    }
    /// A product that could begin at \p next and takes \p productNs begins then, or when the first of the
    /// core's transfers is through. \tparam Drained when a core is done with what it has begun; \tparam
    /// Urgent whether somebody can go on when a transfer is through: others wait for more products, for some
    /// time.
    template <class Drained, class Urgent>
    double heldUntil(int core, double next, double productNs, const Drained& drained,
                     const Urgent& urgent) const {
        constexpr double kPatience = 6; // products one after the other
        double meet = std::numeric_limits<double>::infinity();
        bool held = false;
        for (const Entry& entry : m_ofCore[std::size_t(core)]) {
            meet = std::min(meet, std::max(drained(entry.pair.from), drained(entry.pair.to)));
            if (next + productNs <= meet)
                continue;
            held = held || entry.since + kPatience * productNs <= next || urgent(entry.pair.number);
        }
        if (!held || next + productNs <= meet)
            return next;
        return std::max(next, meet + 1); // after it, not beside it
    }

private:
    struct Entry {
        Pair pair;
        double since = 0; ///< ns
    };
    std::vector<std::vector<Entry>> m_ofCore;
};

} // namespace pim
