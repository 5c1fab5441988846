// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a layout costs in either pipeline, kept up to date while it changes: products and vector work of
/// every core, bytes that move and over what. Who computes which strip of a map follows the schedules
/// (backends/crossbar/schedule/tasks.h), on average over rows. All sums are whole numbers, so that a cost reached
/// step by step is the one computed from nothing. Flow: CrossbarLayout -> [CrossbarLayoutCost] -> searches;
/// estimateCost().
#include "backends/crossbar/search/layout.h"

namespace pim {

/// What one worker, a core or the cores of a replica, computes of a layer.
struct StripShare {
    CoreId core; ///< Where the result is.
    MapPart part;
};

class CrossbarLayoutCost {
public:
    /// Computes everything. \p layout is read again by update() and must outlive this.
    CrossbarLayoutCost(const CrossbarLayout& layout, CrossbarMode mode);

    /// After replicas of \p entry changed.
    void update(MatrixId entry);
    /// LL: the period is a lower bound; row_pipeline.h knows what layers wait for.
    CrossbarCost cost() const;
    /// HT: cost().periodNs with a little of all that is not the longest, so that a search sees which way is
    /// down.
    double objective() const;
    /// Of a sample that takes \p sampleNs; \p cost: of this layout. 0 where the target has no figures.
    double energyPj(const CrossbarCost& cost, double sampleNs) const;

    double productNs(CoreId core) const; ///< Of the products of a core.
    double vectorNs(CoreId core) const;
    double busyNs(CoreId core) const; ///< Products and what of the vector work they do not hide.
    const std::vector<StripShare>& shares(LayerId layer) const { return m_shares[layer.index()]; }

private:
    struct Traffic {
        std::int64_t load = 0; ///< From global memory.
        /// HT: sums on their way to another core; maps are CrossbarLayoutModel::storedBytes.
        std::int64_t store = 0;
        std::int64_t direct = 0; ///< Over bus or mesh; times hops of a mesh.
        std::int64_t off = 0;    ///< From other chips.
        void add(const Traffic& other, int sign) {
            load += sign * other.load;
            store += sign * other.store;
            direct += sign * other.direct;
            off += sign * other.off;
        }
    };
    /// What one layer adds to cores and chips.
    struct Part {
        std::vector<std::pair<CoreId, std::int64_t>> products, vectorTicks; ///< Sums.
        std::vector<Traffic> gather;   ///< [chip] sums of replicas that lie in several cores
        std::int64_t slowestTicks = 0; ///< Of the core or array group that takes longest for it.
    };
    /// What a core reads for a layer.
    struct Reader {
        CoreId core;
        MapPart part; ///< Of the layer's output.
        int channelBegin = 0, channelEnd = 0;
    };
    struct Member;
    struct Worker;
    struct ChipTimes {
        double globalNs = 0, networkNs = 0, offNs = 0;
    };

    std::vector<Worker> workersOf(MatrixId entry) const;
    std::vector<MapPart> stripsOfMatrix(const CrossbarLayoutLayer& layer,
                                        const std::vector<Worker>& workers) const;
    void computeMatrix(MatrixId entry);
    void computeVector(int vector);
    void computeLanes(LayerId layer);
    std::int64_t keptBytes(LayerId layer, CoreId core, const MapPart& part, std::int64_t pixelBytes) const;
    void addPart(LayerId layer, int sign);
    ChipTimes chipTimes(std::size_t chip) const;
    double chainNs() const;
    int hops(CoreId from, CoreId to) const;
    void countTransfer(Traffic& traffic, CoreId from, CoreId to, std::int64_t bytes) const;
    bool highThroughput() const { return m_mode == CrossbarMode::HighThroughput; }

    const CrossbarLayout* m_layout;
    const CrossbarLayoutModel* m_model;
    CrossbarMode m_mode;
    std::vector<std::vector<StripShare>> m_shares; ///< [layer of the network] ascending by core
    std::vector<std::vector<Reader>> m_readers;    ///< [layer of the network]
    std::vector<Part> m_parts;                     ///< [layer of the network]
    std::vector<std::vector<Traffic>> m_lanes; ///< [layer of the network][chip] what readers of its map move
    std::vector<std::int64_t> m_products, m_vectorTicks; ///< [core]
    std::vector<Traffic> m_chips;                        ///< [chip]
};

} // namespace pim
