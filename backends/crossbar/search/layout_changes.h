// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// LL: changes of a layout that reach several layers at once, which single replicas never amount to: layers
/// whose maps have the same height work at the same time, and layers that lie in the same cores share what
/// they read. Flow: CrossbarLayout + its times -> [LayoutChanges] -> other layouts for LayoutSpreader.
#include "backends/crossbar/search/layout.h"
#include "backends/crossbar/search/row_pipeline.h"

#include <optional>
#include <set>
#include <tuple>

namespace pim {

struct LayoutChange {
    enum class Kind : std::uint8_t {
        // Of the layers of one height, each placed anew where least is done meanwhile:
        HeightReplicas, ///< More of them.
        HeightFewer,    ///< Fewer.
        HeightSplit,    ///< Each in more cores.
        HeightAgain,    ///< As many.
        // Of clusters, entries that lie in the same cores:
        /// All of one height, of two or of all (subject 0): more cores, as full as they are.
        WiderClusters,
        MoreCores,     ///< As full as they are.
        FewerCores,    ///< With as many replicas.
        MoreReplicas,  ///< In the same cores; of a replica in several cores: in more cores.
        FewerReplicas, ///< Likewise.
        Apart,         ///< An entry leaves its cluster.
        /// An entry comes to the cores of another one that it reads, or that reads the same.
        Join,
        Bands, ///< Of strips; see MappedTiles.
        Count
    };
    Kind kind = Kind::Bands;
    int subject = 0;   ///< Height, entry or number of bands.
    int other = 0;     ///< Second height, or entry it comes to.
    double waitNs = 0; ///< What a sample waits for at what it changes.

    std::tuple<Kind, int, int> key() const { return {kind, subject, other}; }
};

class LayoutChanges {
public:
    explicit LayoutChanges(const CrossbarLayoutModel& model);

    /// What is changed from now on. \p times: of \p layout.
    void setBase(const CrossbarLayout& layout, const RowPipelineTimes& times);
    /// None of what the user has decided.
    std::vector<LayoutChange> all() const;
    /// \param attempt: how often the change was made before; each time it goes another length. None where there
    /// is no room, or nothing to change.
    std::optional<CrossbarLayout> made(const LayoutChange& change, int attempt) const;

private:
    struct Wanted {
        MatrixId entry;
        int replicas = 0;
    };
    /// Entries in the same cores.
    struct Cluster {
        std::vector<MatrixId> entries;
        std::vector<CoreId> cores;
        int span = 1; ///< Cores of a replica.
        bool tiled = false;
        bool whole() const { return span == 1; }
    };
    using Loads = std::vector<double>; // [core] products meanwhile, ns

    const CrossbarLayoutLayer& at(MatrixId entry) const { return m_model.layers[entry.index()]; }
    int heightOf(MatrixId entry) const;
    bool isFree(MatrixId entry) const;
    const Cluster& clusterOf(MatrixId entry) const {
        return m_clusters[std::size_t(m_clusterOf[entry.index()])];
    }
    void findNeighbours();
    void addOfCluster(std::vector<LayoutChange>& changes, const Cluster& cluster) const;
    Wanted scaled(MatrixId entry, double by) const;
    Loads loadsWithout(const CrossbarLayout& layout, const std::vector<Wanted>& wanted) const;
    double workNs(MatrixId entry, int replicas) const;

    std::optional<CrossbarLayout> heightChanged(int height, double replicas, double cores) const;
    std::optional<CrossbarLayout> clustersWider(int height, int second, double by) const;
    std::optional<CrossbarLayout> clusterChanged(const LayoutChange& change, double by) const;
    std::optional<CrossbarLayout> wholeChanged(const LayoutChange& change, const Cluster& cluster,
                                               double by) const;
    std::optional<CrossbarLayout> spanningChanged(const LayoutChange& change, const Cluster& cluster,
                                                  double by) const;
    std::optional<CrossbarLayout> tilesChanged(MatrixId entry, int more) const;

    static void clear(CrossbarLayout& layout, MatrixId entry);
    bool placeIn(CrossbarLayout& layout, const std::vector<Wanted>& wanted,
                 const std::vector<CoreId>& cores) const;
    bool placeTogether(CrossbarLayout& layout, const std::vector<Wanted>& wanted, int count,
                       Loads& loads) const;
    bool placeSplit(CrossbarLayout& layout, const Wanted& wanted, int count, Loads& loads) const;
    std::vector<CoreId> splitOver(const CrossbarLayout& layout, MatrixId entry, int count,
                                  const Loads& loads) const;

    const CrossbarLayoutModel& m_model;
    std::vector<std::set<MatrixId>> m_read,
        m_siblings; ///< [entry] whose maps it reads; that read the same map.
    std::optional<CrossbarLayout> m_base;
    RowPipelineTimes m_times;
    std::vector<double> m_waits; ///< [entry] see criticalWeights()
    std::vector<Cluster> m_clusters;
    std::vector<int> m_clusterOf; ///< [entry] or -1 where the user has decided.
};

} // namespace pim
