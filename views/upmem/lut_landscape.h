// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All mappings of a LUT layer on DPUs as maps of cells: sub-LUTs by one dimension of their tiles, and the tiles of one sub-LUT. A cell
/// is the best mapping there, or the reason why there is none.
/// Flow: LutLayer -> lutLandscape -> splitMap, tileMap -> LutMap.
#include "backends/upmem/lut/choice_text.h"
#include "backends/upmem/lut/tuner.h"
#include "core/base/task.h"

#include <QString>
#include <QStringList>

#include <limits>

namespace pim::views {

struct LutLandscape {
    upmem::LutLayer layer;
    std::vector<upmem::LutSplitPoints> splits;
    upmem::LutTuning best;
    /// The most DPUs up to those of the layer for which there is a mapping; 0: none has one.
    std::int64_t usableDpus = 0;

    std::int64_t points() const;
    std::int64_t rejected() const; ///< Micro-kernels that cannot be, and splits that cannot.
};

/// Errors: those of upmem::landscape().
Result<LutLandscape> lutLandscape(const upmem::LutLayer& layer, const TaskContext& task = {});

/// The best mapping on the most DPUs, up to those of \p layer, that have one; that of \p layer with its reason if none has. \p layer gets
/// their number. Errors: those of upmem::tune(), Cancelled.
Result<upmem::LutTuning> tuneOnMost(upmem::LutLayer& layer, const TaskContext& task = {});

/// What tiles of a sub-LUT are told apart by.
enum class TileSide : std::uint8_t { Rows, Features, Codebooks };
QString name(TileSide side); ///< "tile rows, n_mtile"

struct LutCell {
    std::ptrdiff_t split = -1, point = -1; ///< Of the landscape; no point: none is possible.
    double seconds = std::numeric_limits<double>::infinity();
    QString reason; ///< Why there is no point; empty with no point: there is no such tile.

    bool isPossible() const { return point >= 0; }
};

/// cells [rows][columns].
struct LutCells {
    QString columnTitle, rowTitle;
    QStringList columns, rows;
    std::vector<LutCell> cells;

    const LutCell& at(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size()) +
                     static_cast<std::size_t>(column)];
    }
    std::ptrdiff_t best() const; ///< Position of the first of the least; -1: none is possible.
};

/// A column for each sub-LUT, a row for each length of \p side of its tiles.
LutCells splitMap(const LutLandscape& landscape, TileSide side);
/// Tiles of one sub-LUT: columns are features, rows are rows. \param codebooks of a tile; 0: whichever is best.
LutCells tileMap(const LutLandscape& landscape, std::ptrdiff_t split, std::int64_t codebooks = 0);
std::vector<std::int64_t> codebookTiles(const LutLandscape& landscape, std::ptrdiff_t split);

/// The mapping of a possible cell; nothing for others.
std::optional<upmem::LutMapping> mappingOf(const LutLandscape& landscape, const LutCell& cell);
upmem::LutTimes timesOf(const LutLandscape& landscape, const LutCell& cell);
QString secondsText(double seconds); ///< "12.3 ms"
/// "sub-LUT 64 x 96 · tiles 16 x 24 x 8 · nfc · coarse 8 x 16"
QString text(const upmem::LutMapping& mapping);
/// Header and row for `pimc lut-predict`.
QString predictRows(const upmem::LutLayer& layer, const upmem::LutMapping& mapping);

} // namespace pim::views
