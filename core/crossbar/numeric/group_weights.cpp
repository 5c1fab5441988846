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

std::int64_t GroupLayout::weight(const Row& from, const Column& to) const {
    if (from.channel / m_work.inOfGroup() != to.channel / m_work.outOfGroup())
        return -1;
    const int place = m_unfolding == Unfolding::RowAcrossWindows
                          ? to.place * m_work.window.kernelX + from.place
                          : from.place + to.place;
    return (std::int64_t(to.channel) * m_work.window.kernel() + place) * m_work.inOfGroup() +
           from.channel % m_work.inOfGroup();
}

std::pair<int, int> GroupLayout::channels() const {
    int first = m_work.outChannels, end = 0;
    for (int j = 0; j < columns(); ++j) {
        first = std::min(first, column(j).channel);
        end = std::max(end, column(j).channel + 1);
    }
    return {first, std::max(first, end)};
}

namespace {

/// \p weights begins with element \p begin of the layer.
template <class Number>
void fill(const GroupLayout& layout, std::span<const Number> weights, std::int64_t begin, int stride,
          std::vector<Number>& to) {
    to.resize(std::size_t(stride) * std::size_t(layout.columns()));
    std::vector<GroupLayout::Row> rows;
    for (int i = 0; i < layout.rows(); ++i)
        rows.push_back(layout.row(i));
    for (int j = 0; j < layout.columns(); ++j) {
        const GroupLayout::Column column = layout.column(j);
        Number* at = to.data() + std::ptrdiff_t(j) * stride;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const std::int64_t from = layout.weight(rows[i], column); from >= 0)
                at[i] = weights[std::size_t(from - begin)];
    }
}

GroupWeights emptyGroup(const GroupLayout& layout) {
    return {layout.rows(), layout.columns(), int(paddedLength(layout.rows())), {}, {}};
}

} // namespace

GroupWeights groupWeights(const CrossbarLayer& layer, const LayerNumbers& numbers,
                          const LayerPartition& partition, int group) {
    if (numbers.realWeights.empty())
        return groupWeights(layer, numbers.weights, 0, partition, group);
    const GroupLayout layout(layer, partition, partition.groups[std::size_t(group)]);
    GroupWeights weights = emptyGroup(layout);
    fill<float>(layout, numbers.realWeights, 0, weights.stride, weights.real);
    return weights;
}

GroupWeights groupWeights(const CrossbarLayer& layer, std::span<const std::int16_t> from, int firstChannel,
                          const LayerPartition& partition, int group) {
    const GroupLayout layout(layer, partition, partition.groups[std::size_t(group)]);
    GroupWeights weights = emptyGroup(layout);
    const MatrixWork& work = *layer.matrix();
    fill<std::int16_t>(layout, from, std::int64_t(firstChannel) * work.window.kernel() * work.inOfGroup(),
                       weights.stride, weights.fixed);
    return weights;
}

} // namespace pim
