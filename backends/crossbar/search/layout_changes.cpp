// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout_changes.h"

#include "backends/crossbar/search/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pim {
namespace {

using Kind = LayoutChange::Kind;

constexpr double kFactors[] = {1.5, 1.25, 2.5, 1.12}; // of replicas or cores, attempt by attempt
constexpr int kRowsOfBand[] = {2, 4, 6};              // of the largest map
constexpr double kBandsWait = 0.2;                    // part of the sample that bands may shorten
constexpr int kMostBetween = 4;        // layers without weights between two with, to be neighbours
constexpr double kNotMeanwhile = 0.02; // of the work of a layer that is done at another time

std::vector<CoreId> coresOf(const CrossbarLayout& layout, MatrixId entry) {
    std::vector<CoreId> cores = layout.cores(entry);
    std::ranges::sort(cores);
    const auto rest = std::ranges::unique(cores);
    cores.erase(rest.begin(), rest.end());
    return cores;
}

/// Cores of a replica, most.
int spanOf(const CrossbarLayout& layout, MatrixId entry) {
    std::size_t most = 1;
    for (const ReplicaId replica : FirstIds<ReplicaId>(layout.replicas(entry))) {
        const auto cores = layout.replica(entry, replica);
        most = std::max(most, std::set<CoreId>(cores.begin(), cores.end()).size());
    }
    return int(most);
}

std::vector<CoreId> leastBusyFirst(const std::vector<double>& loads) {
    std::vector<CoreId> cores = FirstIds<CoreId>(std::ssize(loads)).list();
    std::ranges::stable_sort(cores, {}, [&](CoreId core) { return loads[core.index()]; });
    return cores;
}

/// At least one more or one less.
int scaledCount(int count, double by) {
    const int result = int(std::lround(count * by));
    return by > 1 ? std::max(result, count + 1) : by < 1 ? std::max(1, std::min(result, count - 1)) : count;
}

} // namespace

LayoutChanges::LayoutChanges(const CrossbarLayoutModel& model) : m_model(model) {
    findNeighbours();
}

int LayoutChanges::heightOf(MatrixId entry) const {
    return m_model.network->layers[at(entry).layer.index()].out.height;
}
bool LayoutChanges::isFree(MatrixId entry) const {
    return m_model.pinned[entry.index()].empty() && m_model.wantedReplicas[entry.index()] == 0;
}

void LayoutChanges::findNeighbours() {
    m_read.resize(m_model.layers.size());
    m_siblings.resize(m_model.layers.size());
    for (const MatrixId entry : m_model.allEntries()) {
        std::vector<LayerId> layers{at(entry).layer};
        for (int depth = 0; depth <= kMostBetween && !layers.empty(); ++depth) {
            std::vector<LayerId> next;
            for (const LayerId layer : layers)
                for (const FlowId flow : m_model.flowsTo[layer.index()]) {
                    const LayerId from = m_model.flows[flow.index()].from;
                    if (const MatrixId read = m_model.entryOf[from.index()]; read.valid())
                        m_read[entry.index()].insert(read);
                    else
                        next.push_back(from);
                }
            std::ranges::sort(next);
            const auto rest = std::ranges::unique(next);
            next.erase(rest.begin(), rest.end());
            layers = std::move(next);
        }
    }
    for (const std::vector<FlowId>& readers : m_model.flowsFrom)
        for (const FlowId one : readers)
            for (const FlowId other : readers) {
                const MatrixId a = m_model.entryOf[m_model.flows[one.index()].to.index()],
                               b = m_model.entryOf[m_model.flows[other.index()].to.index()];
                if (a.valid() && b.valid() && a != b)
                    m_siblings[a.index()].insert(b);
            }
}

void LayoutChanges::setBase(const CrossbarLayout& layout, const RowPipelineTimes& times) {
    m_base = layout;
    m_times = times;
    m_waits = criticalWeights(m_model, times.layerEndNs);
    m_clusters.clear();
    m_clusterOf.assign(m_model.layers.size(), -1);
    std::map<std::pair<std::vector<CoreId>, MatrixId>, int> clusters;
    for (const MatrixId entry : m_model.allEntries()) {
        if (!isFree(entry))
            continue;
        const bool tiled = layout.isTiled(entry);
        // Tiles fit each other: these entries keep their cores and change one by one.
        const std::pair key{coresOf(layout, entry), tiled ? entry : MatrixId()};
        const auto [place, isNew] = clusters.emplace(key, int(m_clusters.size()));
        if (isNew)
            m_clusters.push_back({{}, key.first, 1, tiled});
        Cluster& cluster = m_clusters[std::size_t(place->second)];
        cluster.entries.push_back(entry);
        cluster.span = std::max(cluster.span, spanOf(layout, entry));
        m_clusterOf[entry.index()] = place->second;
    }
}

std::vector<LayoutChange> LayoutChanges::all() const {
    std::vector<LayoutChange> changes;
    std::map<int, double> heights;
    int mostRows = 1;
    double sum = 0;
    for (const MatrixId entry : m_model.allEntries()) {
        mostRows = std::max(mostRows, heightOf(entry));
        if (isFree(entry) && !m_base->isTiled(entry)) {
            heights[heightOf(entry)] += m_waits[entry.index()];
            sum += m_waits[entry.index()];
        }
    }
    for (const auto& [height, waitNs] : heights)
        for (const Kind kind : {Kind::HeightReplicas, Kind::HeightFewer, Kind::HeightSplit, Kind::HeightAgain,
                                Kind::WiderClusters})
            changes.push_back({kind, height, 0, waitNs});
    for (auto one = heights.begin(); one != heights.end(); ++one)
        if (const auto next = std::next(one); next != heights.end() && heights.size() > 2)
            changes.push_back({Kind::WiderClusters, one->first, next->first, one->second + next->second});
    if (heights.size() > 1)
        changes.push_back({Kind::WiderClusters, 0, 0, sum});
    // [measured by the rules of PIMCOMP-NN, products of 4000 ns: SqueezeNet 849 to 659 us, ResNet-18 with its
    // first layer in tiles 1084 to 1006 us; products of 800 ns: none better]
    if (m_model.referee != CrossbarReferee::Profiler && !heights.empty())
        for (const int rows : kRowsOfBand)
            changes.push_back({Kind::Bands, std::max(1, mostRows / rows), 0, m_times.ns * kBandsWait});
    for (const Cluster& cluster : m_clusters)
        addOfCluster(changes, cluster);
    return changes;
}

void LayoutChanges::addOfCluster(std::vector<LayoutChange>& changes, const Cluster& cluster) const {
    const auto waitOf = [&](MatrixId entry) { return m_waits[entry.index()]; };
    double waitNs = 0;
    for (const MatrixId entry : cluster.entries)
        waitNs += waitOf(entry);
    const int first = cluster.entries.front().value;
    changes.push_back({Kind::MoreReplicas, first, 0, waitNs});
    changes.push_back({Kind::FewerReplicas, first, 0, waitNs});
    if (cluster.tiled)
        return;
    changes.push_back({Kind::MoreCores, first, 0, waitNs});
    changes.push_back({Kind::FewerCores, first, 0, waitNs});
    for (const MatrixId entry : cluster.entries) {
        if (cluster.entries.size() > 1)
            changes.push_back({Kind::Apart, entry.value, 0, waitOf(entry)});
        const auto join = [&](MatrixId one, MatrixId other) {
            const int place = m_clusterOf[other.index()], own = m_clusterOf[one.index()];
            if (own >= 0 && place >= 0 && place != own && !m_clusters[std::size_t(place)].tiled &&
                !m_clusters[std::size_t(own)].tiled)
                changes.push_back({Kind::Join, one.value, other.value, waitOf(one) + waitOf(other)});
        };
        for (const MatrixId read : m_read[entry.index()]) {
            join(entry, read);
            join(read, entry);
        }
        for (const MatrixId sibling : m_siblings[entry.index()])
            join(entry, sibling);
    }
}

std::optional<CrossbarLayout> LayoutChanges::made(const LayoutChange& change, int attempt) const {
    const double by = kFactors[std::size_t(attempt) % std::size(kFactors)];
    switch (change.kind) {
    case Kind::Bands: {
        if (m_base->tiles().bands == change.subject)
            return std::nullopt;
        CrossbarLayout layout = *m_base;
        layout.setTiles({layout.tiles().fromRows, change.subject});
        return layout;
    }
    case Kind::HeightReplicas:
        return heightChanged(change.subject, by, 1);
    case Kind::HeightFewer:
        return heightChanged(change.subject, 1 / by, 1);
    case Kind::HeightSplit:
        return heightChanged(change.subject, 1, by);
    case Kind::HeightAgain:
        return heightChanged(change.subject, 1, 1);
    case Kind::WiderClusters:
        return clustersWider(change.subject, change.other, by);
    default:
        return clusterChanged(change, by);
    }
}

LayoutChanges::Wanted LayoutChanges::scaled(MatrixId entry, double by) const {
    return {entry, std::clamp(scaledCount(m_base->replicas(entry), by), 1, at(entry).maxReplicas)};
}

std::optional<CrossbarLayout> LayoutChanges::heightChanged(int height, double replicas, double cores) const {
    CrossbarLayout layout = *m_base;
    std::vector<Wanted> wanted;
    for (const MatrixId entry : m_model.allEntries())
        if (isFree(entry) && !layout.isTiled(entry) && heightOf(entry) == height) {
            wanted.push_back(scaled(entry, replicas));
            clear(layout, entry);
        }
    Loads loads = loadsWithout(layout, wanted);
    std::ranges::stable_sort(wanted, {}, [&](const Wanted& one) { return -at(one.entry).crossbars; });
    for (const Wanted& one : wanted)
        if (!placeSplit(layout, one, int(std::ceil(spanOf(*m_base, one.entry) * cores)), loads))
            return std::nullopt;
    return layout;
}

std::optional<CrossbarLayout> LayoutChanges::clustersWider(int height, int second, double by) const {
    CrossbarLayout layout = *m_base;
    struct Part {
        const Cluster* cluster = nullptr;
        std::vector<Wanted> wanted;
        int cores = 0;
        double arrays = 0; ///< Of a core.
    };
    std::vector<Part> parts;
    std::vector<Wanted> all;
    for (const Cluster& cluster : m_clusters) {
        const int rows = heightOf(cluster.entries.front());
        if (cluster.tiled || (height > 0 && rows != height && rows != second))
            continue;
        Part& part = parts.emplace_back();
        part.cluster = &cluster;
        part.cores = scaledCount(int(cluster.cores.size()), by);
        for (const MatrixId entry : cluster.entries) {
            part.wanted.push_back(scaled(entry, double(part.cores) / double(cluster.cores.size())));
            part.arrays += double(part.wanted.back().replicas) * at(entry).crossbars / part.cores;
            clear(layout, entry);
        }
        all.insert(all.end(), part.wanted.begin(), part.wanted.end());
    }
    Loads loads = loadsWithout(layout, all);
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return -part.arrays; });
    for (const Part& part : parts) {
        if (part.cluster->whole()) {
            if (!placeTogether(layout, part.wanted, part.cores, loads))
                return std::nullopt;
            continue;
        }
        for (const Wanted& one : part.wanted)
            if (!placeSplit(layout, one, part.cluster->span, loads))
                return std::nullopt;
    }
    return layout;
}

std::optional<CrossbarLayout> LayoutChanges::clusterChanged(const LayoutChange& change, double by) const {
    const Cluster& cluster = clusterOf(MatrixId(change.subject));
    if (cluster.tiled)
        return tilesChanged(MatrixId(change.subject), change.kind == Kind::MoreReplicas ? 1 : -1);
    return cluster.whole() ? wholeChanged(change, cluster, by) : spanningChanged(change, cluster, by);
}

/// Each replica lies in one core.
std::optional<CrossbarLayout> LayoutChanges::wholeChanged(const LayoutChange& change, const Cluster& cluster,
                                                          double by) const {
    const bool alone = change.kind == Kind::Apart || change.kind == Kind::Join;
    const int cores = int(cluster.cores.size());
    CrossbarLayout layout = *m_base;
    std::vector<Wanted> wanted;
    for (const MatrixId entry : alone ? std::vector{MatrixId(change.subject)} : cluster.entries) {
        clear(layout, entry);
        wanted.push_back({entry, m_base->replicas(entry)});
    }
    const auto scaleAll = [&](double factor) {
        for (Wanted& one : wanted)
            one = scaled(one.entry, factor);
    };
    const auto fillUp = [&](int count) { // every core has as many
        for (Wanted& one : wanted)
            one.replicas = (one.replicas + count - 1) / count * count;
    };
    Loads loads = loadsWithout(layout, wanted);
    bool placed = false;
    switch (change.kind) {
    case Kind::MoreCores: {
        const int more = scaledCount(cores, by);
        scaleAll(double(more) / cores);
        placed = placeTogether(layout, wanted, more, loads);
        break;
    }
    case Kind::FewerCores:
        placed = cores > 1 && placeTogether(layout, wanted, scaledCount(cores, 1 / by), loads);
        break;
    case Kind::MoreReplicas:
        scaleAll(by);
        fillUp(cores);
        placed = placeIn(layout, wanted, cluster.cores);
        break;
    case Kind::FewerReplicas:
        for (Wanted& one : wanted)
            one.replicas = std::max(1, scaled(one.entry, 1 / by).replicas / cores) * cores;
        placed = placeIn(layout, wanted, cluster.cores);
        break;
    case Kind::Apart:
        placed = placeTogether(layout, wanted, cores, loads);
        break;
    default: { // Join
        const Cluster& there = clusterOf(MatrixId(change.other));
        fillUp(int(there.cores.size()));
        placed = there.whole() && placeIn(layout, wanted, there.cores);
    }
    }
    return placed ? std::optional(std::move(layout)) : std::nullopt;
}

/// Replicas lie in several cores each.
std::optional<CrossbarLayout> LayoutChanges::spanningChanged(const LayoutChange& change,
                                                             const Cluster& cluster, double by) const {
    if (change.kind == Kind::Join)
        return std::nullopt;
    const bool counts = change.kind == Kind::MoreCores || change.kind == Kind::FewerCores;
    const double factor = !counts ? 1 : change.kind == Kind::MoreCores ? by : 1 / by;
    const int more = change.kind == Kind::MoreReplicas ? 1 : change.kind == Kind::FewerReplicas ? -1 : 0;
    CrossbarLayout layout = *m_base;
    std::vector<Wanted> wanted;
    for (const MatrixId entry :
         change.kind == Kind::Apart ? std::vector{MatrixId(change.subject)} : cluster.entries) {
        clear(layout, entry);
        wanted.push_back(scaled(entry, factor));
    }
    Loads loads = loadsWithout(layout, wanted);
    for (const Wanted& one : wanted)
        if (!placeSplit(layout, one, cluster.span + more, loads))
            return std::nullopt;
    return layout;
}

/// In each of its cores.
std::optional<CrossbarLayout> LayoutChanges::tilesChanged(MatrixId entry, int more) const {
    CrossbarLayout layout = *m_base;
    const std::vector<CoreId>& cores = clusterOf(entry).cores;
    const int count = int(cores.size()), each = layout.replicas(entry) / count + more;
    if (each < 1 || layout.replicas(entry) % count != 0)
        return std::nullopt;
    clear(layout, entry);
    return placeIn(layout, {{entry, each * count}}, cores) ? std::optional(std::move(layout)) : std::nullopt;
}

void LayoutChanges::clear(CrossbarLayout& layout, MatrixId entry) {
    for (int left = layout.replicas(entry); left-- > 0;)
        layout.remove(entry, ReplicaId(left));
}

/// Dealt out evenly, each in one core. False where one finds no room at all.
bool LayoutChanges::placeIn(CrossbarLayout& layout, const std::vector<Wanted>& wanted,
                            const std::vector<CoreId>& cores) const {
    for (const Wanted& one : wanted)
        for (int i = 0; i < std::min(one.replicas, at(one.entry).maxReplicas); ++i) {
            const CoreId core = cores[std::size_t(i) % cores.size()];
            if (layout.fitsWhole(one.entry, core))
                layout.addWhole(one.entry, core);
            else if (i == 0)
                return false;
        }
    return true;
}

/// In the \p count least busy cores with room for all of them.
bool LayoutChanges::placeTogether(CrossbarLayout& layout, const std::vector<Wanted>& wanted, int count,
                                  Loads& loads) const {
    count = std::clamp(count, 1, m_model.cores());
    std::vector<int> needed(m_model.capacity.size(), 0);
    for (const Wanted& one : wanted)
        needed[std::size_t(at(one.entry).arrayKind)] +=
            (one.replicas + count - 1) / count * at(one.entry).crossbars;
    std::vector<CoreId> cores;
    for (const CoreId core : leastBusyFirst(loads)) {
        bool fits = std::ssize(cores) < count;
        for (std::size_t kind = 0; kind < needed.size(); ++kind)
            fits = fits && needed[kind] <= layout.free(int(kind), core);
        if (fits)
            cores.push_back(core);
    }
    if (std::ssize(cores) < count)
        return false;
    std::ranges::sort(cores);
    for (const Wanted& one : wanted)
        for (const CoreId core : cores)
            loads[core.index()] += workNs(one.entry, count) * at(one.entry).groups;
    return placeIn(layout, wanted, cores);
}

/// Each replica in the \p count least busy cores, or in more if there is no room in so few; as many as find
/// room.
bool LayoutChanges::placeSplit(CrossbarLayout& layout, const Wanted& wanted, int count, Loads& loads) const {
    for (const ReplicaId replica : FirstIds<ReplicaId>(wanted.replicas)) {
        const std::vector<CoreId> cores = splitOver(layout, wanted.entry, count, loads);
        if (cores.empty())
            return replica != ReplicaId(0);
        layout.add(wanted.entry, cores);
        for (const CoreId core : cores)
            loads[core.index()] += workNs(wanted.entry, wanted.replicas);
    }
    return true;
}

std::vector<CoreId> LayoutChanges::splitOver(const CrossbarLayout& layout, MatrixId entry, int count,
                                             const Loads& loads) const {
    const CrossbarLayoutLayer& layer = at(entry);
    const std::vector<CoreId> byLoad = leastBusyFirst(loads);
    std::vector<int> groups(std::size_t(layer.groups));
    std::iota(groups.begin(), groups.end(), 0);
    std::ranges::stable_sort(groups, {}, [&](int group) { return layer.groupChannels[std::size_t(group)]; });
    for (count = std::clamp(count, 1, layer.groups); count <= layer.groups; ++count) {
        std::vector<CoreId> result(groups.size());
        std::size_t next = 0;
        int used = 0;
        for (const CoreId core : byLoad) {
            // as many groups as this core's even part of them
            const std::size_t end = groups.size() * std::size_t(used + 1) / std::size_t(count);
            int crossbars = 0;
            for (std::size_t i = next; i < end; ++i)
                crossbars += layer.partition->groups[std::size_t(groups[i])].crossbars;
            if (crossbars > layout.free(layer.arrayKind, core))
                continue;
            for (; next < end; ++next)
                result[std::size_t(groups[next])] = core;
            if (++used == count)
                return result;
        }
    }
    return {};
}

/// What cores do while these entries work.
LayoutChanges::Loads LayoutChanges::loadsWithout(const CrossbarLayout& layout,
                                                 const std::vector<Wanted>& wanted) const {
    const auto timeOf = [&](MatrixId entry) {
        const auto layer = at(entry).layer.index();
        return std::pair{m_times.layerBeginNs[layer], m_times.layerEndNs[layer]};
    };
    double begin = std::numeric_limits<double>::infinity(), end = 0;
    for (const Wanted& one : wanted) {
        const auto [from, to] = timeOf(one.entry);
        begin = std::min(begin, from);
        end = std::max(end, to);
    }
    Loads loads(std::size_t(m_model.cores()), 0);
    for (const MatrixId entry : m_model.allEntries()) {
        const int replicas = layout.replicas(entry);
        if (replicas == 0)
            continue;
        const auto [from, to] = timeOf(entry);
        const double meanwhile =
            std::clamp((std::min(to, end) - std::max(from, begin)) / std::max(1.0, to - from), 0.0, 1.0);
        const double ns = workNs(entry, replicas) * (meanwhile + kNotMeanwhile);
        for (const CoreId core : layout.cores(entry))
            loads[core.index()] += ns;
    }
    return loads;
}

/// Of one array group.
double LayoutChanges::workNs(MatrixId entry, int replicas) const {
    return double(at(entry).windows) / replicas * m_model.chip->mvmIssueNs;
}

} // namespace pim
