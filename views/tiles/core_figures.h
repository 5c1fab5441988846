// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every core holds and does under a draft, as plain columns: what maps are drawn from. Flow:
/// TilingSpace + Draft -> [TileFigures] -> tiles_view.h.
#include "core/base/task.h"
#include "core/tiling/tiling.h"

#include <memory>
#include <vector>

namespace pim::views {

struct TileFigures {
    std::shared_ptr<const TilingSpace> space;
    Draft draft;
    int groups = 0, cores = 0;
    std::vector<double> iterations; ///< [group][core], row-major, as all columns; 0: the core idles.
    std::vector<std::vector<double>> tensorBytes; ///< One column a tensor of the kernel.
    std::vector<std::vector<double>> loopFirst;   ///< First value of each loop.

    std::size_t at(int group, int core) const {
        return static_cast<std::size_t>(group) * static_cast<std::size_t>(cores) +
               static_cast<std::size_t>(core);
    }
    double bytes(std::size_t cell, int tensor) const; ///< \param tensor -1: of all.
};

/// Null if it was cancelled.
std::shared_ptr<const TileFigures> coreFigures(std::shared_ptr<const TilingSpace> space, const Draft& draft,
                                               const TaskContext& task = {});

/// What a map measures, data side (bytes of a tensor) and compute side.
struct CoreMeasure {
    enum class What { Bytes, Macs, Iterations, LoopFirst } what = What::Bytes;
    int index = -1; ///< Tensor (-1: all) or loop.
};
/// Of all cores; cores without work have no value.
std::vector<double> measure(const TileFigures& figures, const CoreMeasure& what);
/// B less A, core by core. Where one of both idles its value counts as 0; where both idle there is none.
std::vector<double> measuredDifference(const TileFigures& a, const TileFigures& b, const CoreMeasure& what);

} // namespace pim::views
