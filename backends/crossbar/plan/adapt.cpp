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
    for (int core = 0; core < chip.cores(); ++core)
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
            for (int entry = 0; entry < int(m_model.layers.size()); ++entry)
                if (isPinned(entry) == pinned)
                    PIM_CHECK(placeOld(entry));
        for (int entry = 0; entry < int(m_model.layers.size()); ++entry)
            while (m_layout.replicas(entry) < wanted(entry))
                PIM_CHECK(addOne(entry));
        for (int entry = 0; entry < int(m_model.layers.size()); ++entry)
            if (m_isCutAnew[std::size_t(entry)] && m_model.wantedReplicas[std::size_t(entry)] == 0)
                fillUp(entry);
        CrossbarMapping mapping = m_layout.mapping(m_base.mode, m_base.strategy);
        // Who waits stays as it was decided; how long a round takes does not.
        mapping.stages.layersAStage = m_base.stages.layersAStage;
        mapping.stages.waiting = m_base.stages.waiting;
        mapping.tiles = m_base.tiles;
        return mapping;
    }

private:
    bool isPinned(int entry) const { return !m_model.pinned[std::size_t(entry)].empty(); }
    int wanted(int entry) const {
        const int wish = m_model.wantedReplicas[std::size_t(entry)];
        return wish > 0                          ? wish
               : m_isCutAnew[std::size_t(entry)] ? 1
                                                 : m_base.layers[std::size_t(entry)].replicas;
    }
    const std::string& name(int entry) const {
        return m_model.network->layers[std::size_t(m_model.layers[std::size_t(entry)].layer)].name;
    }

    bool fits(int entry, std::span<const int> cores) const {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        std::map<int, int> needed;
        for (std::size_t group = 0; group < cores.size(); ++group)
            needed[cores[group]] += layer.partition->groups[group].crossbars;
        return std::ranges::all_of(needed, [&](const auto& need) {
            return m_layout.free(layer.arrayKind, need.first) >= need.second;
        });
    }

    Result<void> placeOld(int entry) {
        const LayerMapping& old = m_base.layers[std::size_t(entry)];
        const int groups = m_layout.groups(entry);
        const bool hasOld = !m_isCutAnew[std::size_t(entry)];
        std::vector<int> cores;
        if (hasOld)
            std::ranges::transform(old.cores, std::back_inserter(cores), &CoreId::value);
        cores.resize(std::size_t(std::min(wanted(entry), hasOld ? old.replicas : 0)) * std::size_t(groups),
                     -1);
        for (const auto& [place, core] : m_model.pinned[std::size_t(entry)]) {
            if (std::size_t(place) >= cores.size())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("there is no replica {} to pin; replicas are 0 to {}", place / groups,
                                        std::int64_t(cores.size()) / groups - 1),
                            name(entry));
            cores[std::size_t(place)] = core.value;
        }
        for (std::size_t at = 0; at < cores.size(); at += std::size_t(groups)) {
            const std::span<const int> replica(cores.data() + at, std::size_t(groups));
            if (fits(entry, replica))
                m_layout.add(entry, replica);
            else if (isPinned(entry))
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("replica {} has no room in the cores it is pinned to",
                                        at / std::size_t(groups)),
                            name(entry), "choose cores with more free arrays");
            else if (const std::vector<int> elsewhere = bestFit(m_layout, entry); !elsewhere.empty())
                m_layout.add(entry, elsewhere);
            else if (m_layout.replicas(entry) == 0)
                PIM_CHECK(addOne(entry));
        }
        return {};
    }

    /// One more replica; others give up theirs until it fits.
    Result<void> addOne(int entry) {
        for (;;) {
            if (const std::vector<int> cores = bestFit(m_layout, entry); !cores.empty()) {
                m_layout.add(entry, cores);
                return {};
            }
            const int giver = richest(entry);
            if (giver < 0)
                return fail(
                    ErrorCode::InvalidTarget,
                    fmt::format(
                        "replica {} of {} arrays finds no room, and no other layer has one to give up",
                        m_layout.replicas(entry), m_model.layers[std::size_t(entry)].crossbars),
                    name(entry), "ask for fewer replicas");
            m_layout.remove(giver, m_layout.replicas(giver) - 1);
        }
    }
    /// What was cut anew has as many replicas as the arrays it had hold, where there is room: no other layer
    /// gives any up.
    void fillUp(int entry) {
        const LayerMapping& old = m_base.layers[std::size_t(entry)];
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        const std::int64_t arrays = std::int64_t(old.replicas) * old.partition.crossbars();
        const auto most = std::min<std::int64_t>(layer.maxReplicas, arrays / layer.crossbars);
        while (m_layout.replicas(entry) < most) {
            const std::vector<int> cores = bestFit(m_layout, entry);
            if (cores.empty())
                return;
            m_layout.add(entry, cores);
        }
    }
    int richest(int but) const {
        int found = -1;
        for (int entry = 0; entry < int(m_model.layers.size()); ++entry)
            if (entry != but && m_layout.replicas(entry) > 1 &&
                m_model.wantedReplicas[std::size_t(entry)] == 0 && !isPinned(entry) &&
                m_model.layers[std::size_t(entry)].arrayKind == m_model.layers[std::size_t(but)].arrayKind &&
                (found < 0 || m_layout.replicas(entry) > m_layout.replicas(found)))
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
