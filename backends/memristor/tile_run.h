// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the tiles do when: runs the driver calls of a program (level "memristor") in time, not on numbers (the interpreter does
/// that). Module -> [runTiles] -> TileRun -> views, report.
///
/// The host goes through the program; a call is handed over in no time and starts when its tile (and the port, where it is
/// shared) is free; a barrier waits; shift_add takes the host. Writing a tile and a product take their words as OccDevice
/// counts them, so that with a shared port and without merges the time of a run is costOf() of its counts.
#include "backends/memristor/occ.h"
#include "core/base/task.h"
#include "core/timeline/timeline.h"

#include <functional>

namespace pim::memristor {

struct TileRunOptions {
    /// OCC's counters know one interface, whose words follow one another. Else every tile has drivers and converters of its
    /// own, as the paper's parallel configuration takes for granted (section 4.2).
    bool sharedPort = true;
    /// Calls drawn as late as they may start without the program taking longer, instead of as soon.
    bool drawLate = false;
    std::int64_t mostCalls = 20'000'000;
    std::size_t mostSpans = 200'000; ///< Of the timeline; what comes later is left out.
    /// Of a call that was made for no op of a network. Null, or empty text: as the call itself.
    std::function<std::string(const ir::Location&)> nameOf;
};

/// Of one tile; the parts add up to the time of the run.
struct TileTime {
    double writeNs = 0, rowsNs = 0, resultsNs = 0, idleNs = 0;
    std::int64_t writes = 0, products = 0;
};

/// What was done for one op of the program; numbers of more than 8 bits are digits, and edges are filled up.
struct TileOp {
    std::uint32_t label = 0; ///< In TileRun::timeline; the first that has its name.
    double ns = 0;           ///< In which anything worked on it.
    double operations = 0;   ///< Of the arrays, two a multiply-accumulate of 8 bits.
    std::int64_t wordsWritten = 0, wordsRead = 0;
    std::int64_t sums = 0; ///< That the host added.
};

struct TileRun {
    double ns = 0;
    double mergeNs = 0, waitNs = 0; ///< Of the host; add up to \ref ns.
    TileCounts counts;              ///< merges: all sums the host added, the first of each result too.
    TileCost cost;                  ///< Energy and wear of \ref counts; its time is that of a shared port.
    bool sharedPort = true;         ///< As in the options.
    std::vector<TileTime> tiles;
    std::vector<TileOp> ops; ///< In the order in which they were met first.
    Timeline timeline;
};

/// Runs \p function. Errors: NotFound; Unsupported where loops depend on what was computed or the calls are too many;
/// Cancelled.
Result<TileRun> runTiles(const ir::Module& module, std::string_view function, const OccDevice& device = {},
                         const TileRunOptions& options = {}, const TaskContext& task = {});

} // namespace pim::memristor
