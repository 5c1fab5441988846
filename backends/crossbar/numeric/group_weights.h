// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The logical array of an array group: which weight of the network every cell holds, for every unfolding and
/// for groups that hold several channel groups block-diagonally. Flow: CrossbarNumbers + CrossbarMapping ->
/// [GroupWeights] -> image, execution.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/numeric/numbers.h"

#include <span>
#include <vector>

namespace pim {

/// Some of a layer's weights: output channels, and of each the rows of LayerNumbers::weights.
struct WeightRange {
    int firstChannel = 0, endChannel = 0;
    std::int64_t firstRow = 0, endRow = 0;
    std::int64_t rows() const { return endRow - firstRow; }
    std::int64_t weights() const { return rows() * (endChannel - firstChannel); }
    bool holds(const WeightRange& other) const {
        return firstChannel <= other.firstChannel && other.endChannel <= endChannel &&
               firstRow <= other.firstRow && other.endRow <= endRow;
    }
};

/// Where the rows and columns of an array group come from. [mapping.h, ArrayGroupShape]
class GroupLayout {
public:
    GroupLayout(const CrossbarLayer& layer, const LayerPartition& partition, const ArrayGroupShape& shape);

    /// A row is an input channel at a place of the layer's kernel (ky * kernelX + kx); unfoldings that
    /// multiply one input pixel or one row of the kernel with all places at once have the place, or its ky,
    /// in the column.
    struct Row {
        int place = 0, channel = 0;
    };
    struct Column {
        int place = 0, channel = 0;
    };
    int rows() const { return m_shape.rows; }
    int columns() const { return m_shape.columns; }
    Row row(int i) const;
    Column column(int j) const;
    /// Element of LayerNumbers::weights, or -1: the cell is outside the diagonal blocks and holds no weight.
    std::int64_t weight(int i, int j) const { return weight(row(i), column(j)); }
    std::int64_t weight(const Row& from, const Column& to) const;
    /// The smallest range with all its weights.
    WeightRange range() const;

private:
    const MatrixWork& m_work;
    PhaseWindow m_phase;
    Unfolding m_unfolding;
    const ArrayGroupShape& m_shape;
};

/// Weights of a group, column by column.
struct GroupWeights {
    int rows = 0, columns = 0;
    /// Elements from one column to the next: rows, padded with zeros to a step of the kernels.
    int stride = 0;
    std::vector<std::int16_t> fixed; ///< [column * stride + row]; empty where numbers are real.
    std::vector<float> real;
    int weight(int row, int column) const {
        return fixed[std::size_t(column) * std::size_t(stride) + std::size_t(row)];
    }
};

GroupWeights groupWeights(const CrossbarLayer& layer, const LayerNumbers& numbers,
                          const LayerPartition& partition, GroupId group);
/// The same from some of the weights: those of \p range, which holds GroupLayout::range(), row by row of each
/// channel.
GroupWeights groupWeights(const CrossbarLayer& layer, std::span<const std::int16_t> weights,
                          const WeightRange& range, const LayerPartition& partition, GroupId group);

} // namespace pim
