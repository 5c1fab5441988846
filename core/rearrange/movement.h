// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long data takes between the host and the banks of PIM cores. Flow: DraftSummary + machine -> [time of steps 1 and 3
/// of DCC Fig. 1] -> KernelPrice. The formulas and their sources: README.md beside this file.
#include "core/hardware/target.h"
#include "core/tiling/tiling.h"

namespace pim {

/// What of a target moving data depends on. Figures of one group unless said otherwise.
struct MovementMachine {
    std::int64_t groups = 1; ///< Of the whole machine; their buses work at the same time.
    double burstNs = 0;      ///< One burst on the bus.
    double coreBurstNs = 0;  ///< Bursts to one core alone follow each other at this distance.
    std::int64_t burstBytes = 32;
    bool broadcast = false;       ///< One write reaches all cores that hold the same tile.
    std::int64_t rowBytes = 1024; ///< Of one bank.
    double rowSwitchNs = 0;       ///< Closing a row and opening the next for writing.
    double firstAccessNs = 0;     ///< Latency of a block: read on the host side, write on the PIM side.
    double refreshNs = 0, refreshIntervalNs = 0; ///< 0: no refresh.
    /// Controllable memory of the whole host (GPU shared memory); 0: there is none.
    std::int64_t hostOnChipBytes = 0;
    double hostAddsPerNs = 0; ///< Additions the host does when it merges partial results.

    /// Time with refreshes in it: one for each full interval the work itself takes.
    double withRefreshNs(double workNs) const;
};
/// Bus, row and refresh timing of the target's "group" and "core" levels. Missing figures count as 0.
MovementMachine movementMachine(const Target& target);

/// What a transfer is made of, in the fullest group.
struct Movement {
    double ns = 0;
    std::int64_t busBursts = 0;  ///< On the bus of one group.
    std::int64_t coreBursts = 0; ///< To or from one core.
    std::int64_t tiles = 0;      ///< Different tiles a group gets: one broadcast serves the cores of each.
    std::int64_t blocks = 0;     ///< Rounds through the on-chip memory of the host. [DCC §IV-C I]

    std::int64_t bytes(const MovementMachine& machine) const { return busBursts * machine.burstBytes; }
};

/// Step 1: the tiles of an input into the banks (or buffers) of all groups.
/// \param padded every core gets a tile of the largest size, as commands for a whole group need it. [DCC §IV-C II]
Movement writeTiles(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                    std::int64_t elementBytes, bool padded = true);

/// Step 3: results to the host. \param copiesPerElement how many words a core leaves for one result: 1, or the SIMD lanes
/// where a core cannot add its own lanes. Partial results of cores and groups are added by the host.
Movement readTiles(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                   std::int64_t elementBytes, std::int64_t copiesPerElement = 1);

/// Step 3 where a unit of the group has merged the results of its cores: only final results of a group cross the bus.
Movement readMerged(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                    std::int64_t elementBytes);

} // namespace pim
