// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/group_weights.h"

#include "core/numeric/kernels.h"

namespace pim {

GroupLayout::GroupLayout(const CrossbarLayer& layer, const LayerPartition& partition,
                         const ArrayGroupShape& shape)
    : m_work(*layer.matrix()), m_phase(phaseWindow(m_work.window, shape.phase)),
      m_unfolding(partition.unfolding), m_shape(shape) {}

GroupLayout::Row GroupLayout::row(int i) const {
    const int channels = m_work.inOfGroup() * m_shape.blocks, first = m_shape.blockBegin * m_work.inOfGroup();
    const int r = m_shape.rowBegin + i;
    return {m_phase.place(r / channels), first + r % channels};
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

WeightRange GroupLayout::range() const {
    const std::int64_t rowsOfChannel = std::int64_t(m_work.window.kernel()) * m_work.inOfGroup();
    WeightRange all{m_work.outChannels, 0, rowsOfChannel, 0};
    std::vector<Column> kinds; // one column of each place: rows do not depend on its channel
    for (int j = 0; j < columns(); ++j) {
        const Column to = column(j);
        all.firstChannel = std::min(all.firstChannel, to.channel);
        all.endChannel = std::max(all.endChannel, to.channel + 1);
        if (m_shape.blocks > 1 || kinds.empty() || kinds.back().place != to.place)
            kinds.push_back(to);
    }
    for (const Column& to : kinds)
        for (int i = 0; i < rows(); ++i)
            if (const std::int64_t at = weight(row(i), to); at >= 0) {
                all.firstRow = std::min(all.firstRow, at % rowsOfChannel);
                all.endRow = std::max(all.endRow, at % rowsOfChannel + 1);
            }
    return all;
}

namespace {

/// \p weights are those of \p range; \p rowsOfChannel of all the layer.
template <class Number>
void fill(const GroupLayout& layout, std::span<const Number> weights, const WeightRange& range,
          std::int64_t rowsOfChannel, int stride, std::vector<Number>& to) {
    to.resize(std::size_t(stride) * std::size_t(layout.columns()));
    std::vector<GroupLayout::Row> rows;
    for (int i = 0; i < layout.rows(); ++i)
        rows.push_back(layout.row(i));
    for (int j = 0; j < layout.columns(); ++j) {
        const GroupLayout::Column column = layout.column(j);
        const std::int64_t begin = (column.channel - range.firstChannel) * range.rows() - range.firstRow -
                                   column.channel * rowsOfChannel;
        Number* at = to.data() + std::ptrdiff_t(j) * stride;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const std::int64_t from = layout.weight(rows[i], column); from >= 0)
                at[i] = weights[std::size_t(begin + from)];
    }
}

GroupWeights emptyGroup(const GroupLayout& layout) {
    return {layout.rows(), layout.columns(), int(paddedLength(layout.rows())), {}, {}};
}

WeightRange wholeLayer(const MatrixWork& work) {
    return {0, work.outChannels, 0, std::int64_t(work.window.kernel()) * work.inOfGroup()};
}

} // namespace

GroupWeights groupWeights(const CrossbarLayer& layer, const LayerNumbers& numbers,
                          const LayerPartition& partition, GroupId group) {
    const WeightRange all = wholeLayer(*layer.matrix());
    if (numbers.realWeights.empty())
        return groupWeights(layer, numbers.weights, all, partition, group);
    const GroupLayout layout(layer, partition, partition.groups[group.index()]);
    GroupWeights weights = emptyGroup(layout);
    fill<float>(layout, numbers.realWeights, all, all.rows(), weights.stride, weights.real);
    return weights;
}

GroupWeights groupWeights(const CrossbarLayer& layer, std::span<const std::int16_t> from,
                          const WeightRange& range, const LayerPartition& partition, GroupId group) {
    const GroupLayout layout(layer, partition, partition.groups[group.index()]);
    GroupWeights weights = emptyGroup(layout);
    fill<std::int16_t>(layout, from, range, wholeLayer(*layer.matrix()).rows(), weights.stride,
                       weights.fixed);
    return weights;
}

} // namespace pim
