// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The two pictures of a layout: the tensor coloured by where its elements lie, the banks coloured by what
/// lies in them.
#include "views/dram_pim/place_map.h"

#include <QImage>
#include <QString>

namespace pim::views {

/// A tensor as a matrix: its last two dimensions, the others held at an index.
struct MatrixSlice {
    qint64 rows = 1, columns = 1;
    std::int64_t firstElement = 0;
    std::int64_t element(qint64 row, qint64 column) const { return firstElement + row * columns + column; }
};
/// The matrix that an element is in.
MatrixSlice sliceOf(const Shape& shape, std::int64_t element);

enum class PlaceColor { Channel, Bank, Row };
/// One pixel an element, at most kMostPixels a side: of larger matrices a sample. Elements in no bank are
/// transparent. Of several copies, the first in \p group is taken, else the first. Error::Cancelled.
inline constexpr int kMostPixels = 256;
/// What was found at each pixel, so that another colour needs no other search.
struct PlaceSample {
    int width = 0, height = 0;
    std::vector<PimPlace> places; ///< [y][x]; group -1: in no bank.
};
Result<PlaceSample> samplePlaces(const OpPlaces& places, int tensor, const MatrixSlice& slice, int group,
                                 const TaskContext& task);
QImage paintSample(const PlaceSample& sample, const OpPlaces& places, PlaceColor by);
/// Ends of the scale paintSample() uses.
std::int64_t mostOf(const PlaceSample& sample, const OpPlaces& places, PlaceColor by);

/// One pixel a row of a bank: the index along \p dimension of its first element; -1: how many elements it
/// has.
QImage paintBanks(const PlaceMap& map, const Shape& shape, int dimension);
/// Least and greatest value of that picture, the ends of its colours.
std::pair<std::int64_t, std::int64_t> rangeOf(const PlaceMap& map, const Shape& shape, int dimension);

} // namespace pim::views
