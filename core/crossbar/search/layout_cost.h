// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a layout costs in the high-throughput pipeline, kept up to date while it changes: products and vector work of every core,
/// bytes that leave a core, over which memory, bus or link. All sums are whole numbers, so that a cost reached step by step is the
/// one computed from nothing.
/// Flow: CrossbarLayout -> [CrossbarLayoutCost] -> searches; estimateCost().
#include "core/crossbar/search/layout.h"

namespace pim {

/// Pixels of a layer that one core computes (HT: contiguous, in proportion to its replicas; cores ascending).
struct PixelShare {
    int core = 0;
    PixelSpan pixels;
};

/// Windows of \p total dealt out in proportion: share \p index of weights that sum up to \p sum, \p before of it dealt out.
inline PixelSpan proportionalSpan(std::int64_t total, std::int64_t before, std::int64_t weight, std::int64_t sum) {
    return {total * before / sum, total * (before + weight) / sum};
}

class CrossbarLayoutCost {
public:
    /// Computes everything. \p layout is read again by update() and must outlive this.
    explicit CrossbarLayoutCost(const CrossbarLayout& layout);

    /// After replicas of \p entry changed.
    void update(int entry);
    CrossbarCost cost() const;
    double productNs(int core) const; ///< Issue of the products of a core.
    double vectorNs(int core) const;
    const std::vector<PixelShare>& shares(int layer) const { return m_shares[std::size_t(layer)]; }

private:
    struct Traffic {
        std::int64_t forced = 0; ///< From global memory in any case.
        std::int64_t load = 0;   ///< From global memory, if all went through it.
        std::int64_t direct = 0; ///< Over bus or mesh, if all went over it; times hops of a mesh.
        std::int64_t off = 0;    ///< From other chips.
        void add(const Traffic& other, int sign) {
            forced += sign * other.forced;
            load += sign * other.load;
            direct += sign * other.direct;
            off += sign * other.off;
        }
    };
    /// What memory, network and links of a chip have to do; \p direct: part of what may go either way that goes directly.
    struct ChipTimes {
        double forcedBytes = 0, globalBytes = 0, networkBytes = 0, gatherBytes = 0, direct = 0;
        double globalNs = 0, networkNs = 0, offNs = 0;
    };
    /// What one layer adds to cores and chips.
    struct Part {
        std::vector<std::pair<int, std::int64_t>> products, vectorTicks; ///< (core, sum)
        std::vector<Traffic> gather;                                    ///< [chip] partial sums
    };
    /// A core that needs pixels, and which part of their channels.
    struct Reader {
        int core = 0;
        PixelSpan pixels;
        double share = 1;
    };

    void computeMatrix(int entry);
    void computeVector(int vector);
    void computeFlow(int flow);
    void recomputeOwned(int layer, std::vector<int>& touched);
    void addPart(int layer, int sign);
    const std::vector<Reader>& readersOf(int layer) const { return m_readers[std::size_t(layer)]; }
    ChipTimes chipTimes(std::size_t chip) const;
    double energyPj(const CrossbarCost& cost) const;
    int hops(int from, int to) const;
    void countTransfer(Traffic& traffic, int from, int to, std::int64_t bytes) const;

    const CrossbarLayout* m_layout;
    const CrossbarLayoutModel* m_model;
    std::vector<std::vector<PixelShare>> m_shares; ///< [layer of the network]
    std::vector<std::vector<Reader>> m_readers;    ///< [layer of the network]
    std::vector<Part> m_parts;                     ///< [layer of the network]
    std::vector<std::vector<Traffic>> m_flows;     ///< [flow][chip]
    std::vector<std::vector<std::int64_t>> m_flowStores; ///< [flow][chip] bytes of the source others read
    std::vector<std::int64_t> m_products, m_vectorTicks; ///< [core]
    std::vector<Traffic> m_chips, m_gather;        ///< [chip]
    std::vector<std::int64_t> m_stores;            ///< [chip]
};

} // namespace pim
