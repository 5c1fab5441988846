// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// HT: when layers of one stage work in a round, those that read what others of the stage compute after
/// them, row by row. Times are parts of the round. [PIMCOMP §VII-A, layer grouping; the paper has layers that
/// depend on each other work one after the other within a cycle. Here a row is handed on when it is done, so
/// that layers with nearly as much work as a round has time for can share a stage as well.]
/// Flow: CrossbarTasks -> [RoundTimes] -> stages, turns of the high-throughput driver.
#include "backends/crossbar/schedule/tasks.h"

namespace pim {

/// Layers that hand rows to each other within a round, directly or through others, with those that take
/// results at once; topological order.
std::vector<std::vector<LayerId>> handingGroups(const CrossbarNetwork& network, const CrossbarTasks& tasks);

class RoundTimes {
public:
    /// \p tasks may be filled layer by layer; \p roundNs: how long a round takes, about.
    RoundTimes(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarTasks& tasks,
               double roundNs);

    /// Places the rows of a layer as early as what it reads of its stage allows, at an even pace that takes
    /// \p part of a round or what its arrays need. Layers it reads come before. \returns when the last row is
    /// done.
    double place(LayerId layer, double part);
    /// Places the layers of every stage that hands rows on as slowly as they are through with the round.
    void spread();

    /// Rows of a layer of a stage that hands rows on: [share][row]; empty for other layers.
    std::vector<std::vector<RowTime>> take(LayerId layer);

private:
    struct Layer {
        std::vector<std::vector<RowTime>> shares;
        std::vector<float> made; ///< [pixel] when readers can have it.
    };
    const CrossbarLayer& layer(LayerId position) const { return m_network.layers[position.index()]; }
    double leastPart(LayerId layer) const;
    double readyAt(LayerId layer, int y, ColumnSpan span) const;
    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarTasks& m_tasks;
    double m_roundNs;
    std::vector<Layer> m_layers;
    std::vector<double> m_least; ///< [layer] see leastPart(); less than 0: not asked yet.
};

} // namespace pim
