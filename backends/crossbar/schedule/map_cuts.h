// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Shapes of the shares a map is dealt out in: into parts of rows, each part into strips of columns.
#include "backends/crossbar/schedule/input_window.h"

#include <span>

namespace pim {

/// Parts of rows a map is cut into for so many workers; each part then goes to an equal number of them in strips of columns.
/// \param square: shares as square as they can be, so that they overlap least, as long as the busiest gets hardly more.
/// Else as few parts as there can be.
int rowParts(const PixelMap& map, std::int64_t workers, bool square);

/// LL: of tiles for so many workers, how many lie one above the other: as square as they can be, and as many for maps of any size, so
/// that layers in the same cores have the same part of the picture, and read little of others.
int rowsOfTiles(const PixelMap& map, std::int64_t workers);

/// \param weights [worker] what it takes of the map, over the sum of all.
/// \param straight: borders between columns are the same in all rows of a part.
/// \returns [worker][row] columns; none in rows of other parts.
std::vector<std::vector<ColumnSpan>> cutMap(const PixelMap& map, std::span<const double> weights, int parts,
                                            bool straight);

/// Pixels of its input that the shares of a pool with the map \p out read together, over those there are.
double borderShare(const PixelMap& out, const PixelWindow& window, std::int64_t workers);

} // namespace pim
