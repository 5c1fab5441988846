// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Random steps of a layout, each of which can be taken back: replicas come, go, move and change places.
/// Flow: CrossbarLayout + what its cores do -> [LayoutMoves] -> a neighbour of the layout.
#include "backends/crossbar/search/layout_cost.h"
#include "backends/crossbar/search/search_random.h"

#include <utility>
#include <vector>

namespace pim {

class LayoutMoves {
public:
    /// \p layout is what steps change; \p cost is of it and shows which cores are busy and where maps lie.
    LayoutMoves(CrossbarLayout& layout, const CrossbarLayoutCost& cost, std::uint64_t seed);

    /// One step; false where it led nowhere, then nothing is changed.
    bool propose();
    /// Undoes the last step.
    void takeBack();
    std::vector<MatrixId> changedEntries() const; ///< By the last step.
    SearchRandom& random() { return m_random; }
    /// Steps favour layers that weigh much: [entry], not all 0. Without this all weigh the same.
    void setWeights(std::vector<double> weights) { m_weights = std::move(weights); }

private:
    /// A replica taken out or put in.
    struct Edit {
        MatrixId entry;
        std::vector<CoreId> cores; ///< Of the replica.
        bool added = false;
    };

    const CrossbarLayoutLayer& at(MatrixId entry) const { return m_model.layers[entry.index()]; }
    bool mayChangeCount(MatrixId entry) const { return m_model.wantedReplicas[entry.index()] == 0; }
    MatrixId anyEntry() { return m_loose[std::size_t(m_random.below(int(m_loose.size())))]; }
    MatrixId heavyEntry();
    CoreId anyCore() { return CoreId(m_random.below(m_model.cores())); }
    CoreId relatedCore(MatrixId entry);
    CoreId busyCore();
    std::pair<MatrixId, ReplicaId> replicaIn(CoreId core);
    void add(MatrixId entry, std::vector<CoreId> cores);
    void remove(MatrixId entry, ReplicaId replica);
    bool choose();
    bool addSomewhere(MatrixId entry);
    bool addSome();
    bool removeAny(MatrixId entry);
    bool moveOne();
    bool trade();
    bool swapTwo();
    bool moveGroup();

    const CrossbarLayoutModel& m_model;
    CrossbarLayout& m_layout;
    const CrossbarLayoutCost& m_cost;
    SearchRandom m_random;
    std::vector<MatrixId> m_loose; ///< They may change.
    std::vector<double> m_weights;
    std::vector<Edit> m_edits;
};

} // namespace pim
