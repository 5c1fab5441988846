// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Fixed-point weights of array groups, one after the other, read from the model with bounded memory: what
/// groups beside each other need is read together, up to so many weights. Flow: LayerWeights +
/// LayerPartition -> [PartWeights] -> weight image, comparison of cells.
#include "backends/crossbar/numeric/group_weights.h"
#include "backends/crossbar/numeric/layer_weights.h"

#include <optional>

namespace pim {

class PartWeights {
public:
    /// Weights that are in memory at a time; a single group that has more is read all the same.
    static constexpr std::int64_t kMostWeights = 16 << 20;

    /// Both outlive it. Where \p numbers has weights, these are taken.
    PartWeights(const CrossbarNetwork& network, const CrossbarNumbers& numbers,
                std::int64_t mostWeights = kMostWeights)
        : m_network(network), m_numbers(numbers), m_mostWeights(mostWeights) {}

    /// Parts (positions in LayerPartition::groups) in the order in which the model is read least.
    static std::vector<GroupId> order(const CrossbarLayer& layer, const LayerPartition& partition);
    /// Errors: those of LayerWeights.
    Result<GroupWeights> of(const LayerPartition& partition, GroupId part);

private:
    WeightRange grown(const CrossbarLayer& layer, const LayerPartition& partition, GroupId part) const;

    const CrossbarNetwork& m_network;
    const CrossbarNumbers& m_numbers;
    std::int64_t m_mostWeights;
    std::optional<LayerWeights> m_source;
    LayerId m_layer;
    WeightRange m_range;
    std::vector<std::int16_t> m_weights; ///< Of m_range in m_layer.
};

} // namespace pim
