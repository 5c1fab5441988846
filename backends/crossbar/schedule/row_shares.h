// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The shares of all layers as rows are made of them: which lanes each core reads, what of a window its array groups
/// take and give, and the stretches of rows that are computed one after the other. Known before the first
/// instruction.
/// Flow: CrossbarTasks -> [RowShares] -> RowEngine and its drivers.
#include "backends/crossbar/schedule/input_pieces.h"
#include "backends/crossbar/schedule/lanes.h"
#include "backends/crossbar/schedule/schedule.h"

#include <optional>

namespace pim {

/// What a program is made for; all of it outlives who keeps this.
struct ScheduleInput {
    const CrossbarNetwork& network;
    const CrossbarChip& chip;
    const CrossbarMapping& mapping;
    const ScheduleOptions& options; ///< With a memoryShare and a ringShare.
    const CrossbarTasks& tasks;     ///< Of the mapping.

    const CrossbarLayer& layer(LayerId layer) const { return network.at(layer); }
    bool lowLatency() const { return mapping.mode == CrossbarMode::LowLatency; }
};

/// What a core does with, see ScheduleOptions::tight.
struct MemoryShares {
    int stretch, ring; ///< Times ScheduleOptions::memoryShare and ringShare.
    bool keep;
};
MemoryShares memoryShares(const ScheduleOptions& options, CoreId core);

/// A stretch of an output row of one share.
struct RowJob {
    ShareId share;
    int y = 0;
    ColumnSpan span;
};

/// Part of a layer's input one core reads.
struct RowFeed {
    PixelSource source;
    int input = 0;
    LaneId lane;
};
/// An array group of a layer: what it reads of a window, and which sums it gives.
struct GroupPlace {
    ArrayGroupShape shape;
    PixelWindow window;      ///< Of its phase.
    int base = 0, width = 1; ///< First channel of its blocks, and theirs together.
    int out = 0;             ///< First output channel.
};
/// Channels of sums that come from another core.
struct SumStretch {
    ColumnSpan channels;
    bool added = false; ///< To what members before have computed; otherwise sums begin here.
};
/// One core of a matrix share.
struct RowMember {
    CoreId core;
    std::vector<GroupId> groups;
    std::vector<GroupPlace> places;                ///< Of \ref groups.
    std::vector<bool> first;                       ///< No group before has these columns.
    std::vector<std::vector<std::size_t>> ofPhase; ///< [phase] positions in \ref groups.
    int kernelRowBegin = 0, kernelRowEnd = 1, kernelColumnBegin = 0, kernelColumnEnd = 1;
    int channelBegin = 0, channelEnd = 0; ///< Of the input.
    int outBegin = 0, outEnd = 0;         ///< Output channels its sums are for …
    /// … by whether the core that finishes has a sum when they come.
    std::vector<SumStretch> stretches;
    std::vector<RowFeed> feeds;

    /// Has it an array group for any pixel of output row \p y?
    bool worksOn(int y, const PixelWindow& window) const;
};

struct RowShare {
    const TaskShare* task = nullptr;
    const LayerMapping* mapping = nullptr; ///< Of a matrix layer.
    bool matrix = false;
    std::vector<RowJob> jobs;                    ///< In order.
    std::size_t next = 0;                        ///< First job that was not begun.
    std::size_t ended = 0;                       ///< Jobs whose results are handed on.
    std::vector<LaneReaderId> readers;           ///< Of its input lanes, see Lanes::advance().
    std::vector<std::pair<int, int>> readerRows; ///< Input and first kernel row of each.
    LaneId outLane;
    int turns = 1;         ///< Of a window, see RowShares::turns().
    std::size_t taker = 0; ///< Of the next window, see RowShares::takers(): replicas take turns.
    std::vector<RowMember> members;
    std::vector<RowFeed> feeds;        ///< Of a vector layer.
    std::optional<InputPieces> pieces; ///< Of a layer whose products span windows.

    bool done() const { return next >= jobs.size(); }
    /// Input row before which \p job and those after it multiply nothing.
    int firstRowOf(const RowJob& job) const;
    /// The job that computes window (y, x).
    std::size_t jobOf(int y, int x) const;
    /// What products of a job are issued for, one after the other: windows, or pieces of the input; one where there
    /// are none.
    int steps(const RowJob& job) const;
};

class RowShares {
public:
    /// Makes the lanes of all that is read and handed on.
    RowShares(const ScheduleInput& in, Lanes& lanes);

    RowShare& operator[](ShareId share) { return m_shares[share.index()]; }
    const RowShare& operator[](ShareId share) const { return m_shares[share.index()]; }
    std::size_t size() const { return m_shares.size(); }
    FirstIds<ShareId> ids() const { return FirstIds<ShareId>(std::ssize(m_shares)); }
    auto begin() { return m_shares.begin(); }
    auto end() { return m_shares.end(); }
    auto begin() const { return m_shares.begin(); }
    auto end() const { return m_shares.end(); }

    const std::vector<ShareId>& of(LayerId layer) const { return m_ofLayer[layer.index()]; }
    const std::vector<ShareId>& readersOf(LaneId lane) const { return m_readersOf[lane.index()]; }
    /// Does any lane load its map from global memory?
    bool isLoaded(LayerId layer) const { return m_isLoaded[layer.index()]; }
    /// Position of a share among those of its layer.
    std::size_t indexOf(ShareId share) const;

    /// HT: a step in turns(share) turns; in a turn every core of the share issues at most one product. Those of a
    /// share are spread over the part of the round they have, see timeOf(), or evenly over all of it; a vector layer
    /// that is not fused has one turn a job.
    int turns(ShareId share) const { return m_shares[share.index()].turns; }
    /// Of all its steps.
    int turns(const RowJob& job) const { return (*this)[job.share].steps(job) * turns(job.share); }
    /// Windows of a row that are computed side by side: one a replica, and of a transposed convolution one a phase.
    std::size_t takers(ShareId share) const;
    /// HT: does a share hand rows on to others of its stage, or take rows from them?
    bool isPaced(ShareId share) const;
    /// HT: part of the round in which \p done of a job of such a share is done.
    double timeOf(const RowJob& job, double done) const;

    /// What of an input a member reads, its part of the kernel alone; without one: all a layer reads.
    static InputWindow windowOf(const CrossbarLayer& layer, const PixelMap& in, const RowFeed& feed,
                                const RowJob& job, const RowMember* member);

private:
    void add(const TaskShare& task);
    void addVectorFeeds(RowShare& share);
    void addMember(RowShare& share, const TaskMember& member);
    void addGroup(RowMember& made, const LayerPartition& partition, GroupId number,
                  const MatrixWork& work) const;
    void addFeed(RowShare& share, RowMember* member, CoreId core, RowFeed feed);
    void findStretches(RowShare& share) const;
    void cutJobs(RowShare& share);

    ScheduleInput m_in;
    Lanes& m_lanes;
    std::vector<RowShare> m_shares;
    std::vector<std::vector<ShareId>> m_ofLayer;
    std::vector<std::vector<ShareId>> m_readersOf; ///< [lane]
    std::vector<bool> m_isLoaded;                  ///< [layer]
};

} // namespace pim
