// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout_moves.h"

#include <algorithm>

namespace pim {
namespace {

constexpr int kCoresTried = 6;

} // namespace

LayoutMoves::LayoutMoves(CrossbarLayout& layout, const CrossbarLayoutCost& cost, std::uint64_t seed)
    : m_model(layout.model()), m_layout(layout), m_cost(cost), m_random(seed) {
    for (const MatrixId entry : m_model.allEntries())
        if (m_model.pinned[entry.index()].empty() && !layout.isTiled(entry)) // tiles of layers fit each other
            m_loose.push_back(entry);
}

std::vector<MatrixId> LayoutMoves::changedEntries() const {
    std::vector<MatrixId> entries;
    for (const Edit& edit : m_edits)
        if (std::ranges::find(entries, edit.entry) == entries.end())
            entries.push_back(edit.entry);
    return entries;
}

void LayoutMoves::add(MatrixId entry, std::vector<CoreId> cores) {
    m_layout.add(entry, cores);
    m_edits.push_back({entry, std::move(cores), true});
}

void LayoutMoves::remove(MatrixId entry, ReplicaId replica) {
    const auto cores = m_layout.replica(entry, replica);
    m_edits.push_back({entry, {cores.begin(), cores.end()}, false});
    m_layout.remove(entry, replica);
}

void LayoutMoves::takeBack() {
    while (!m_edits.empty()) {
        const Edit& edit = m_edits.back();
        if (edit.added)
            m_layout.remove(edit.entry, ReplicaId(m_layout.replicas(edit.entry) - 1));
        else
            m_layout.add(edit.entry, edit.cores);
        m_edits.pop_back();
    }
}

MatrixId LayoutMoves::heavyEntry() {
    if (m_weights.empty())
        return anyEntry();
    double left = 0;
    for (const MatrixId entry : m_loose)
        left += m_weights[entry.index()];
    left *= m_random.unit();
    for (const MatrixId entry : m_loose)
        if ((left -= m_weights[entry.index()]) < 0)
            return entry;
    return anyEntry();
}

/// A core that has something to do with \p entry: holds it, or a layer it reads or that reads it; else
/// any.
CoreId LayoutMoves::relatedCore(MatrixId entry) {
    const LayerId layer = at(entry).layer;
    const auto& flows = m_random.below(2) ? m_model.flowsFrom[layer.index()] : m_model.flowsTo[layer.index()];
    LayerId other = layer;
    if (!flows.empty() && m_random.below(3)) {
        const CrossbarFlow& flow =
            m_model.flows[flows[std::size_t(m_random.below(int(flows.size())))].index()];
        other = flow.from == layer ? flow.to : flow.from;
    }
    const auto& shares = m_cost.shares(other);
    if (shares.empty() || m_model.inGlobalMemory[other.index()])
        return anyCore();
    return shares[std::size_t(m_random.below(int(shares.size())))].core;
}

/// The busiest of a few cores.
CoreId LayoutMoves::busyCore() {
    CoreId best = anyCore();
    for (int i = 0; i < 6; ++i)
        if (const CoreId core = anyCore(); m_cost.productNs(core) > m_cost.productNs(best))
            best = core;
    return best;
}

/// A replica with a group in \p core; invalid: there is none.
std::pair<MatrixId, ReplicaId> LayoutMoves::replicaIn(CoreId core) {
    std::pair<MatrixId, ReplicaId> found;
    int seen = 0;
    for (const MatrixId entry : m_loose) {
        const auto& cores = m_layout.cores(entry);
        for (std::size_t i = 0; i < cores.size(); ++i) {
            if (cores[i] != core)
                continue;
            if (m_random.below(++seen) == 0)
                found = {entry, ReplicaId(std::int64_t(i) / at(entry).groups)};
            i = (i / std::size_t(at(entry).groups) + 1) * std::size_t(at(entry).groups) -
                1; // on to the next replica
        }
    }
    return found;
}

/// The least busy of a few cores that have room, or split over several.
bool LayoutMoves::addSomewhere(MatrixId entry) {
    if (m_layout.replicas(entry) >= at(entry).maxReplicas)
        return false;
    CoreId best;
    for (int i = 0; i < kCoresTried; ++i)
        if (const CoreId core = i % 2 ? anyCore() : relatedCore(entry);
            m_layout.fitsWhole(entry, core) && (!best.valid() || m_cost.busyNs(core) < m_cost.busyNs(best)))
            best = core;
    if (best.valid()) {
        add(entry, std::vector(std::size_t(at(entry).groups), best));
        return true;
    }
    std::vector<CoreId> cores = bestFit(m_layout, entry);
    if (cores.empty())
        return false;
    add(entry, std::move(cores));
    return true;
}

/// One replica more, or several: what one of many replicas changes is hardly seen.
bool LayoutMoves::addSome() {
    const MatrixId entry = heavyEntry();
    if (!mayChangeCount(entry))
        return false;
    const int most = std::max(1, m_layout.replicas(entry) / 2);
    bool added = false;
    for (int left = m_weights.empty() ? 1 : 1 + m_random.below(most); left > 0 && addSomewhere(entry); --left)
        added = true;
    return added;
}

bool LayoutMoves::removeAny(MatrixId entry) {
    if (m_layout.replicas(entry) < 2)
        return false;
    remove(entry, ReplicaId(m_random.below(m_layout.replicas(entry))));
    return true;
}

/// A replica leaves a busy core.
bool LayoutMoves::moveOne() {
    const auto [entry, replica] = replicaIn(m_random.below(4) ? busyCore() : anyCore());
    if (!entry.valid())
        return false;
    remove(entry, replica);
    return addSomewhere(entry);
}

/// One replica goes so that another layer gets one more where it was.
bool LayoutMoves::trade() {
    const CoreId core = anyCore();
    const auto [entry, replica] = replicaIn(core);
    if (!entry.valid() || !mayChangeCount(entry) || m_layout.replicas(entry) < 2)
        return false;
    remove(entry, replica);
    const MatrixId other = heavyEntry();
    if (!mayChangeCount(other) || !m_layout.fitsWhole(other, core) ||
        m_layout.replicas(other) >= at(other).maxReplicas)
        return false;
    add(other, std::vector(std::size_t(at(other).groups), core));
    return true;
}

/// Two replicas change places.
bool LayoutMoves::swapTwo() {
    const CoreId first = busyCore(), second = anyCore();
    const auto [a, i] = replicaIn(first);
    const auto [b, j] = replicaIn(second);
    if (!a.valid() || !b.valid() || a == b || first == second)
        return false;
    remove(a, i);
    remove(b, j);
    if (!m_layout.fitsWhole(a, second))
        return false;
    add(a, std::vector(std::size_t(at(a).groups), second));
    if (!m_layout.fitsWhole(b, first))
        return false;
    add(b, std::vector(std::size_t(at(b).groups), first));
    return true;
}

/// One group of a replica that lies in several cores goes to another of them, or to a new one.
bool LayoutMoves::moveGroup() {
    const MatrixId entry = anyEntry();
    const CrossbarLayoutLayer& layer = at(entry);
    if (layer.groups < 2)
        return false;
    const ReplicaId replica(m_random.below(m_layout.replicas(entry)));
    const auto now = m_layout.replica(entry, replica);
    std::vector<CoreId> cores(now.begin(), now.end());
    const int group = m_random.below(layer.groups);
    const CoreId core = m_random.below(4) ? cores[std::size_t(m_random.below(layer.groups))] : anyCore();
    if (core == cores[std::size_t(group)] ||
        m_layout.free(layer.arrayKind, core) < layer.partition->groups[std::size_t(group)].crossbars)
        return false;
    remove(entry, replica);
    cores[std::size_t(group)] = core;
    add(entry, std::move(cores));
    return true;
}

bool LayoutMoves::propose() {
    m_edits.clear();
    if (m_loose.empty())
        return false;
    if (choose())
        return true;
    takeBack();
    return false;
}

bool LayoutMoves::choose() {
    switch (m_random.below(10)) {
    case 0:
    case 1:
        return addSome();
    case 2: {
        const MatrixId entry = anyEntry();
        return mayChangeCount(entry) && removeAny(entry);
    }
    case 3:
    case 4:
    case 5:
        return moveOne();
    case 6:
    case 7:
        return trade();
    case 8:
        return swapTwo();
    default:
        return moveGroup();
    }
}

} // namespace pim
