// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/numeric/group_weights.h"

#include "core/numeric/kernels.h"

namespace pim {

GroupLayout::GroupLayout(const CrossbarLayer& layer, const LayerPartition& partition,
                         const ArrayGroupShape& shape)
    : m_work(*layer.matrix()), m_unfolding(partition.unfolding), m_shape(shape) {}

GroupLayout::Row GroupLayout::row(int i) const {
    const int channels = m_work.inOfGroup() * m_shape.blocks, first = m_shape.blockBegin * m_work.inOfGroup();
    const int r = m_shape.rowBegin + i;
    return {r / channels, first + r % channels};
}

GroupLayout::Column GroupLayout::column(int j) const {
    const int c = m_shape.columnBegin + j;
    if (m_unfolding == Unfolding::AllPositions || m_unfolding == Unfolding::RowAcrossWindows)
        return {c / m_work.outChannels, c % m_work.outChannels};
    return {0, m_shape.blockBegin * m_work.outOfGroup() + c};
}

std::int64_t GroupLayout::weight(int i, int j) const {
    const Row from = row(i);
    const Column to = column(j);
    if (from.channel / m_work.inOfGroup() != to.channel / m_work.outOfGroup())
        return -1;
    const int place = m_unfolding == Unfolding::RowAcrossWindows
                          ? to.place * m_work.window.kernelX + from.place
                          : from.place + to.place;
    return (std::int64_t(to.channel) * m_work.window.kernel() + place) * m_work.inOfGroup() +
           from.channel % m_work.inOfGroup();
}

GroupWeights groupWeights(const CrossbarLayer& layer, const LayerNumbers& numbers,
                          const LayerPartition& partition, int group) {
    const GroupLayout layout(layer, partition, partition.groups[std::size_t(group)]);
    GroupWeights weights{layout.rows(), layout.columns(), int(paddedLength(layout.rows())), {}, {}};
    const auto size = std::size_t(weights.stride) * std::size_t(weights.columns);
    const bool real = !numbers.realWeights.empty();
    if (real)
        weights.real.resize(size);
    else
        weights.fixed.resize(size);
    for (int j = 0; j < weights.columns; ++j)
        for (int i = 0; i < weights.rows; ++i) {
            const std::int64_t from = layout.weight(i, j);
            if (from < 0)
                continue;
            const auto to = std::size_t(j) * std::size_t(weights.stride) + std::size_t(i);
            if (real)
                weights.real[to] = numbers.realWeights[std::size_t(from)];
            else
                weights.fixed[to] = numbers.weights[std::size_t(from)];
        }
    return weights;
}

} // namespace pim
