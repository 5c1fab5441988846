// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who computes which pixels: every layer's output map is dealt out to the cores that hold its weights, vector layers to the
/// cores that have most of what they read. [PIMCOMP §VI-B]
///
/// LL: a share is a strip of columns through all rows, so that the rows a window needs are there from the row before, a strip's
/// neighbours overlap by the kernel alone, and layers of a pipeline work on the same rows at the same time. Where there are more
/// cores than columns, strips are cut in rows as well. Layers of large maps may be dealt out in tiles instead, see
/// MappedTiles: all cores have a part of each such layer, and hand on its border when all of it is done.
/// HT: shares are as square as they can be, so that they overlap least.
/// Flow: CrossbarNetwork + CrossbarMapping -> [CrossbarTasks] -> rows.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/schedule/input_window.h"

#include <limits>

namespace pim {

/// Array groups of one replica that lie in one core.
struct TaskMember {
    CoreId core;
    std::vector<GroupId> groups;

    friend bool operator==(const TaskMember&, const TaskMember&) = default;
};

/// What one core (or the cores of a replica) computes of a layer. Of a transposed convolution it may have the rows of
/// one y mod spreadY alone.
struct TaskShare {
    LayerId layer;
    CoreId core;                                  ///< Where results are.
    Unfolding unfolding = Unfolding::WholeWindow; ///< Matrix layers.
    std::vector<ReplicaId> replicas; ///< Matrix layers: windows go to them in turn; all lie alike.
    std::vector<TaskMember> members; ///< Matrix layers: cores of a replica, the one of results first.
    std::vector<ColumnSpan> rows;    ///< [output row] what it computes.
    /// [output row] what it hands on: all, but for columns computed twice.
    std::vector<ColumnSpan> owned;
    int channelBegin = 0, channelEnd = 0; ///< Vector layers of one pixel may be dealt out by channels.
    int rowPhases = 1;                    ///< Of how many y mod spreadY it has rows.
    int firstRow() const {                ///< That it computes.
        int y = 0;
        while (y + 1 < int(rows.size()) && rows[std::size_t(y)].empty())
            ++y;
        return y;
    }

    friend bool operator==(const TaskShare&, const TaskShare&) = default;
};

/// A layer seen through concatenations: channels [begin, end) of \ref layer are channels at, at + 1, … of the reader's input.
struct PixelSource {
    LayerId layer;
    int begin = 0, end = 0;
    int at = 0;

    friend bool operator==(const PixelSource&, const PixelSource&) = default;
};

/// Part of the round in which a share works on a row.
struct RowTime {
    double begin = 0, end = 0;

    friend bool operator==(const RowTime&, const RowTime&) = default;
};

/// HT: which layers that depend on each other share a stage.
struct StageGrouping {
    int most = 1;       ///< Layers that wait for each other in a stage, what takes results at once aside.
    double roundNs = 0; ///< How long a round takes, about.
    double least = 0;   ///< Part of the round a layer of weights is given at least when a stage is filled …
    double latest = std::numeric_limits<double>::infinity(); ///< … with what is done by this part of it.
    std::vector<bool> apart; ///< [layer] waits for no other of its stage; empty: none is asked to.
    /// [layer] is dealt out in tiles as square as they can be, as no other of its stage reads it or is read
    /// by it; empty: all may be, so all are dealt out in strips.
    std::vector<bool> tiles;
    bool on() const { return most > 1; }
};

struct CrossbarTasks {
    std::vector<std::vector<TaskShare>> shares; ///< [layer]
    /// [layer] HT: the layer whose results it takes at once, in the same cores; invalid: none.
    std::vector<LayerId> fusedWith;
    std::vector<int> stage; ///< [layer] see CrossbarSchedule.
    /// [layer] what its output is made of: itself, or what a concatenation joins.
    std::vector<std::vector<PixelSource>> sources;
    std::vector<bool> tiled;     ///< [layer] LL: dealt out in tiles.
    std::vector<int> rowsAtOnce; ///< [layer] of a share, that are handed on together.
    /// [layer] HT: others of its stage than those that take results at once read it.
    std::vector<bool> handedOn;
    /// [layer][share][row] HT: of layers of a stage that hands rows on; else empty.
    std::vector<std::vector<std::vector<RowTime>>> times;
    double roundNs = 0; ///< HT: that these are parts of.

    /// Rows of a share that are handed on together end with the row before this.
    int handedAfter(const TaskShare& share, int y) const {
        const int first = share.firstRow(), rows = rowsAtOnce[share.layer.index()];
        return first + ((y - first) / rows + 1) * rows;
    }
    /// HT: does \p reader have what \p source computes in the same round?
    bool together(LayerId reader, LayerId source) const {
        return stage[reader.index()] == stage[source.index()] && !shares[reader.index()].empty() &&
               !shares[source.index()].empty();
    }

    friend bool operator==(const CrossbarTasks&, const CrossbarTasks&) = default;
};

/// \param fuse HT: vector layers follow their input at once where the core has it; columns at the border of a strip that a pool
/// needs are computed twice rather than sent, as long as the shares together compute no more than \p mostTwice times the map.
CrossbarTasks dealOutTasks(const CrossbarNetwork& network, const CrossbarChip& chip,
                           const CrossbarMapping& mapping, bool fuse, double mostTwice = 1.3,
                           const StageGrouping& grouping = {});

} // namespace pim
