// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The best mapping of a LUT layer under the cost model, exactly: what trying all of them would find, ties included, at a few
/// hundredths of a millisecond.
/// Flow: LutLayer -> [tune] -> LutTuning; landscape() is the same space point by point, for pictures.
#include "backends/upmem/lut/cost_model.h"

namespace pim::upmem {

struct LutTuning {
    std::optional<LutMapping> mapping;
    LutTimes times;
    std::string reason; ///< Why there is no mapping; empty if there is one.
    int splitsVisited = 0, splits = 0;
};

/// The space: splits over all DPUs, tiles of rows (multiples of the tasklets), features and codebooks, each a divisor of what it
/// tiles, loads, loop orders; coarse loads only where no tile is divisible by 3. [PIM-DL artifact 87aee67, auto tuner] The first
/// of the least total in that order, all ascending, is taken. Errors: as checkLayer.
/// Released tries all points, the others are searched: DPUs differ in transfers and tiles, not in additions; of the loop orders
/// only nfc and ncf can win; fine loads of 8 features are the best fine loads; coarse loads are taken from prefix minima over the
/// powers of two that divide the tiles and fit WRAM; splits are visited in the order of a lower bound.
Result<LutTuning> tune(const LutLayer& layer, LutReading reading = LutReading::Strict);

/// Divisors of all DPUs in ascending order, as splits of the layer, those beyond MRAM included.
std::vector<LutSplit> lutSplits(const LutLayer& layer);

/// One micro-kernel of a split.
struct LutPoint {
    std::int64_t rows = 0, features = 0, codebooks = 0; ///< n_mtile, f_mtile, cb_mtile
    std::optional<LutKernel> best;                      ///< Over loads and loop orders.
    LutTimes times;
    std::string reason; ///< Why no load is possible.
};
struct LutSplitPoints {
    LutSplit split;
    std::string reason; ///< Why the split is impossible; then there are no points.
    std::vector<LutPoint> points;
    std::ptrdiff_t best = -1; ///< Index in points.
};
/// All splits and all their micro-kernels, in the order of the search. Errors: as checkLayer.
Result<std::vector<LutSplitPoints>> landscape(const LutLayer& layer, LutReading reading = LutReading::Strict);

} // namespace pim::upmem
