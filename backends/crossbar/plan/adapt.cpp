// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/plan/adapt.h"

#include "backends/crossbar/search/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pim {
namespace {

/// Arrays of one size in all cores of one layer.
int mostInCore(const CrossbarChip& chip, int rows, int columns) {
    int most = 0;
    for (const CoreId core : FirstIds<CoreId>(chip.cores()))
        for (const CrossbarGroup& group : chip.arraysOf(core))
            if (group.rows == rows && group.columns == columns)
                most = std::max(most, group.count);
    return most;
}

class Adapter {
public:
    Adapter(const CrossbarLayoutModel& model, const CrossbarMapping& base, const std::vector<bool>& isCutAnew)
        : m_model(model), m_base(base), m_isCutAnew(isCutAnew), m_layout(model) {}

    Result<CrossbarMapping> run() {
        // What is pinned first, then what stays, then what wishes add.
        for (const bool pinned : {true, false})
            for (const MatrixId entry : m_model.allEntries())
                if (isPinned(entry) == pinned)
                    PIM_CHECK(placeOld(entry));
        for (const MatrixId entry : m_model.allEntries())
            while (m_layout.replicas(entry) < wanted(entry))
                PIM_CHECK(addOne(entry));
        for (const MatrixId entry : m_model.allEntries())
            if (m_isCutAnew[entry.index()] && m_model.wantedReplicas[entry.index()] == 0)
                fillUp(entry);
        CrossbarMapping mapping = m_layout.mapping(m_base.mode, m_base.strategy);
        // Who waits stays as it was decided; how long a round takes does not.
        mapping.stages.layersAStage = m_base.stages.layersAStage;
        mapping.stages.waiting = m_base.stages.waiting;
        mapping.tiles = m_base.tiles;
        return mapping;
    }

private:
    bool isPinned(MatrixId entry) const { return !m_model.pinned[entry.index()].empty(); }
    int wanted(MatrixId entry) const {
        const int wish = m_model.wantedReplicas[entry.index()];
        return wish > 0 ? wish : m_isCutAnew[entry.index()] ? 1 : m_base.layers[entry.index()].replicas;
    }
    const std::string& name(MatrixId entry) const {
        return m_model.network->layers[m_model.layers[entry.index()].layer.index()].name;
    }

    bool fits(MatrixId entry, std::span<const CoreId> cores) const {
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        std::map<CoreId, int> needed;
        for (std::size_t group = 0; group < cores.size(); ++group)
            needed[cores[group]] += layer.partition->groups[group].crossbars;
        return std::ranges::all_of(needed, [&](const auto& need) {
            return m_layout.free(layer.arrayKind, need.first) >= need.second;
        });
    }

    Result<void> placeOld(MatrixId entry) {
        const LayerMapping& old = m_base.layers[entry.index()];
        const int groups = m_layout.groups(entry);
        const bool hasOld = !m_isCutAnew[entry.index()];
        std::vector<CoreId> cores;
        if (hasOld)
            cores = old.cores;
        cores.resize(std::size_t(std::min(wanted(entry), hasOld ? old.replicas : 0)) * std::size_t(groups));
        for (const auto& [place, core] : m_model.pinned[entry.index()]) {
            if (std::size_t(place) >= cores.size())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("there is no replica {} to pin; replicas are 0 to {}", place / groups,
                                        std::int64_t(cores.size()) / groups - 1),
                            name(entry));
            cores[std::size_t(place)] = core;
        }
        for (std::size_t at = 0; at < cores.size(); at += std::size_t(groups)) {
            const std::span<const CoreId> replica(cores.data() + at, std::size_t(groups));
            if (fits(entry, replica))
                m_layout.add(entry, replica);
            else if (isPinned(entry))
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("replica {} has no room in the cores it is pinned to",
                                        at / std::size_t(groups)),
                            name(entry), "choose cores with more free arrays");
            else if (const std::vector<CoreId> elsewhere = bestFit(m_layout, entry); !elsewhere.empty())
                m_layout.add(entry, elsewhere);
            else if (m_layout.replicas(entry) == 0)
                PIM_CHECK(addOne(entry));
        }
        return {};
    }

    /// One more replica; others give up theirs until it fits.
    Result<void> addOne(MatrixId entry) {
        for (;;) {
            if (const std::vector<CoreId> cores = bestFit(m_layout, entry); !cores.empty()) {
                m_layout.add(entry, cores);
                return {};
            }
            const MatrixId giver = richest(entry);
            if (!giver.valid())
                return fail(
                    ErrorCode::InvalidTarget,
                    fmt::format(
                        "replica {} of {} arrays finds no room, and no other layer has one to give up",
                        m_layout.replicas(entry), m_model.layers[entry.index()].crossbars),
                    name(entry), "ask for fewer replicas");
            m_layout.remove(giver, ReplicaId(m_layout.replicas(giver) - 1));
        }
    }
    /// What was cut anew has as many replicas as the arrays it had hold, where there is room: no other layer
    /// gives any up.
    void fillUp(MatrixId entry) {
        const LayerMapping& old = m_base.layers[entry.index()];
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        const std::int64_t arrays = std::int64_t(old.replicas) * old.partition.crossbars();
        const auto most = std::min<std::int64_t>(layer.maxReplicas, arrays / layer.crossbars);
        while (m_layout.replicas(entry) < most) {
            const std::vector<CoreId> cores = bestFit(m_layout, entry);
            if (cores.empty())
                return;
            m_layout.add(entry, cores);
        }
    }
    MatrixId richest(MatrixId but) const {
        MatrixId found;
        for (const MatrixId entry : m_model.allEntries())
            if (entry != but && m_layout.replicas(entry) > 1 && m_model.wantedReplicas[entry.index()] == 0 &&
                !isPinned(entry) &&
                m_model.layers[entry.index()].arrayKind == m_model.layers[but.index()].arrayKind &&
                (!found.valid() || m_layout.replicas(entry) > m_layout.replicas(found)))
                found = entry;
        return found;
    }

    const CrossbarLayoutModel& m_model;
    const CrossbarMapping& m_base;
    const std::vector<bool>& m_isCutAnew;
    CrossbarLayout m_layout;
};

} // namespace

Result<CrossbarMapping> adaptMapping(const CrossbarNetwork& network, const CrossbarChip& chip,
                                     const CrossbarMapping& base, const std::vector<LayerWish>& wishes) {
    std::vector<LayerPartition> partitions;
    std::vector<bool> isCutAnew;
    for (const LayerMapping& layer : base.layers) {
        const LayerPartition& old = layer.partition;
        const auto wish =
            std::ranges::find(wishes, network.layers[old.layer.index()].name, &LayerWish::layer);
        const bool isNew = wish != wishes.end() && wish->unfolding && *wish->unfolding != old.unfolding;
        isCutAnew.push_back(isNew);
        if (isNew) {
            const MatrixWork& work = *network.layers[old.layer.index()].matrix();
            PIM_TRY(
                LayerPartition cut,
                partitionLayer(network, old.layer, *wish->unfolding, old.arrayRows, old.arrayColumns,
                               mostGroupArrays(chip, mostInCore(chip, old.arrayRows, old.arrayColumns),
                                               old.arrayColumns,
                                               unfoldedMatrix(work, work.window, *wish->unfolding).columns)));
            partitions.push_back(std::move(cut));
        } else {
            partitions.push_back(old);
        }
    }
    PIM_TRY(const CrossbarLayoutModel model,
            crossbarLayoutModel(network, chip, std::move(partitions), wishes));
    return Adapter(model, base, isCutAnew).run();
}

} // namespace pim
