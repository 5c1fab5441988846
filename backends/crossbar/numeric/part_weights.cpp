// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/part_weights.h"

#include <algorithm>
#include <tuple>

namespace pim {

namespace {

WeightRange rangeOf(const CrossbarLayer& layer, const LayerPartition& partition, GroupId part) {
    return GroupLayout(layer, partition, partition.groups[part.index()]).range();
}

bool sameChannels(const WeightRange& a, const WeightRange& b) {
    return a.firstChannel == b.firstChannel && a.endChannel == b.endChannel;
}

} // namespace

std::vector<GroupId> PartWeights::order(const CrossbarLayer& layer, const LayerPartition& partition) {
    std::vector<std::pair<std::tuple<int, int, std::int64_t>, GroupId>> keys;
    for (const GroupId part : FirstIds<GroupId>(std::ssize(partition.groups))) {
        const WeightRange range = rangeOf(layer, partition, part);
        keys.push_back({{range.firstChannel, range.endChannel, range.firstRow}, part});
    }
    std::ranges::sort(keys);
    std::vector<GroupId> parts;
    for (const auto& [key, part] : keys)
        parts.push_back(part);
    return parts;
}

/// The range of a part and of those that follow in order(), as far as there is room.
WeightRange PartWeights::grown(const CrossbarLayer& layer, const LayerPartition& partition,
                               GroupId part) const {
    WeightRange range = rangeOf(layer, partition, part);
    const std::vector<GroupId> parts = order(layer, partition);
    for (auto next = std::ranges::find(parts, part) + 1; next != parts.end(); ++next) {
        const WeightRange other = rangeOf(layer, partition, *next);
        WeightRange both = range;
        both.firstRow = std::min(both.firstRow, other.firstRow);
        both.endRow = std::max(both.endRow, other.endRow);
        if (!sameChannels(range, other) || both.weights() > m_mostWeights)
            break;
        range = both;
    }
    return range;
}

Result<GroupWeights> PartWeights::of(const LayerPartition& partition, GroupId part) {
    const CrossbarLayer& layer = m_network.layers[partition.layer.index()];
    const LayerNumbers& numbers = m_numbers.layers[partition.layer.index()];
    if (!numbers.weights.empty())
        return groupWeights(layer, numbers, partition, part);
    if (m_layer != partition.layer) {
        m_layer = {};
        m_source.reset();
        PIM_TRY(m_source, LayerWeights::open(m_network, layer));
        m_range = {};
        m_layer = partition.layer;
    }
    if (!m_range.holds(rangeOf(layer, partition, part))) {
        const WeightRange wanted = grown(layer, partition, part);
        m_range = {};
        PIM_CHECK(m_source->readFixed(wanted, numbers, m_numbers.weightBits, m_weights));
        m_range = wanted;
    }
    return groupWeights(layer, m_weights, m_range, partition, part);
}

} // namespace pim
