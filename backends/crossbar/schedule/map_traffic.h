// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Maps outside of lanes: where each lies in global memory, and how its rows come from there, or from what a core kept of earlier
/// rounds, and go there. Flow: RowShares + Lanes -> [MapTraffic] -> loads, stores and copies of rows.
#include "backends/crossbar/schedule/kept_rows.h"
#include "backends/crossbar/schedule/program_writer.h"
#include "backends/crossbar/schedule/row_shares.h"

namespace pim {

class MapTraffic {
public:
    MapTraffic(const ScheduleInput& in, const RowShares& shares, Lanes& lanes, ProgramWriter& writer);

    /// Does the map of a layer go to global memory?
    bool isStored(LayerId layer) const { return m_stored[layer.index()]; }
    const KeptRows& kept() const { return m_kept; }
    /// HT: was every row kept in a core read before its successor took its place? If not, the program is wrong.
    bool keptInTime() const { return m_keptInTime; }
    std::uint32_t globalEnd() const { return m_globalEnd; } ///< First global address behind all maps.

    /// Columns \p span of a row come to their piece of a lane, for layer \p layerOf: from what the core kept of rounds before,
    /// the rest from global memory.
    void load(LaneId lane, int row, ColumnSpan span, LayerId layerOf);
    /// Pixels that somebody loads go to global memory, and into what the core keeps. \p address: of the first.
    void publish(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address);

    /// Where maps lie, and how often.
    void describe(CrossbarSchedule& schedule) const;

private:
    void planKept();
    RowsInRound rowsMade(const TaskShare& task) const;
    RowsInRound rowsRead(LaneId lane) const;
    std::vector<double> rowTimes(ShareId share, int input, bool ends) const;
    void storeForOthers();
    void countCopies();
    void placeMaps();

    void loadGlobal(const Lane& lane, int row, ColumnSpan span, LayerId layerOf);
    void takeKept(LaneId lane, int row, ColumnSpan span, LayerId layerOf);
    void renew(KeptRows::Chain& chain, int row, ColumnSpan span, LayerId layerOf,
               const std::function<void(ColumnSpan)>& copyIn);
    void store(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address);
    void keepResult(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address);

    ScheduleInput m_in;
    const RowShares& m_shares;
    Lanes& m_lanes;
    ProgramWriter& m_writer;
    std::vector<bool> m_stored; ///< [layer]
    KeptRows m_kept;
    bool m_keptInTime = true;
    // Of CrossbarSchedule.
    std::vector<std::uint32_t> m_mapAddress;
    std::vector<int> m_copies, m_stage;
    std::uint64_t m_globalElements = 0;
    std::uint32_t m_globalEnd = 0;
    /// [layer][row] chips that hold its columns; empty for one chip.
    std::vector<std::vector<std::vector<std::pair<ColumnSpan, int>>>> m_homes;
};

} // namespace pim
