// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Emits the instructions of a stretch of an output row: what it reads is brought into vectors for the array groups, products
/// are issued, their sums added up, finished and handed on. What is ready and when it is run is the drivers' business.
/// Flow: CrossbarTasks -> [RowEngine] <- high-throughput and low-latency drivers.
#include "backends/crossbar/schedule/core_clocks.h"
#include "backends/crossbar/schedule/host_results.h"
#include "backends/crossbar/schedule/input_pieces.h"
#include "backends/crossbar/schedule/kept_rows.h"
#include "backends/crossbar/schedule/lanes.h"
#include "backends/crossbar/schedule/schedule.h"

#include <deque>
#include <set>
#include <utility>

namespace pim {

/// A stretch of an output row of one share.
struct RowJob {
    ShareId share; ///< Position in RowEngine::shares().
    int y = 0;
    ColumnSpan span;
};

class RowEngine {
public:
    /// \p options with a memoryShare and a ringShare.
    RowEngine(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
              const ScheduleOptions& options);

    struct Share {
        const TaskShare* task = nullptr;
        const LayerMapping* mapping = nullptr; ///< Of a matrix layer.
        bool matrix = false;
        std::vector<RowJob> jobs;                    ///< In order.
        std::size_t next = 0;                        ///< First job that was not begun.
        std::size_t ended = 0;                       ///< Jobs whose results are handed on.
        std::vector<LaneReaderId> readers;           ///< Of its input lanes, see Lanes::advance().
        std::vector<std::pair<int, int>> readerRows; ///< Input and first kernel row of each.
        LaneId outLane;
        int turns = 1;         ///< Of a window, see RowEngine::turns().
        std::size_t taker = 0; ///< Of the next window, see RowEngine::takers(): replicas take turns.
        bool done() const { return next >= jobs.size(); }
    };
    std::vector<Share>& shares() { return m_shares; }
    const std::vector<std::vector<ShareId>>& sharesOf() const { return m_sharesOf; } ///< [layer]
    const CrossbarTasks& tasks() const { return m_tasks; }
    const CrossbarLayer& layer(LayerId position) const { return m_network.layers[position.index()]; }

    /// Is what \p job reads in its cores (what lies in global memory aside)?
    bool ready(const RowJob& job);
    /// A whole job of a vector layer.
    Result<void> run(const RowJob& job) { return vectorRow(job); }

    /// A job of a matrix layer in steps: begin, every window, end. plan() says what memory it will need.
    struct Running;
    Running plan(const RowJob& job) const;
    void nextOperation() { m_lanes.nextOperation(); } ///< See Lanes.
    /// Takes the memory; HT: what is read stays until the end. After an error release() gives back what was taken.
    /// \param sumsFirst they lie side by side: where they find no room among what is read, they may before it comes.
    Result<void> begin(Running& running, bool sumsFirst = false);
    /// Room for the result; end() sees to it where nobody did before.
    Result<void> openFor(Running& running);
    void release(Running& running);
    /// What products of a job are issued for, one after the other: windows, or pieces of the input; one where
    /// there are none.
    int steps(const RowJob& job) const;
    /// LL: brings back what had to give way since the job began, and issues the products of a step.
    Result<void> windowAgain(Running& running, int index);
    /// HT: a step in turns(share) turns; in a turn every core of the share issues at most one product. Those
    /// of a share are spread over the part of the round they have, see timeOf(), or evenly over all of it; a
    /// vector layer that is not fused has one turn a job.
    int turns(ShareId share) const { return m_shares[share.index()].turns; }
    /// Of all its steps.
    int turns(const RowJob& job) const { return steps(job) * turns(job.share); }
    /// Windows of a row that are computed side by side: one a replica, and of a transposed convolution one a
    /// phase.
    std::size_t takers(ShareId share) const;
    void turn(Running& running, int number);
    Result<void> end(Running& running);
    void whenFull(Lanes::MakeRoom makeRoom) {
        m_lanes.whenFull(std::move(makeRoom));
    } ///< It may emit turns and ends.
    /// HT: no round is shorter, by products of the busiest core and array group and by the global memory of the busiest chip.
    double roundBoundNs() { return m_roundBoundNs > 0 ? m_roundBoundNs : m_roundBoundNs = roundBound(); }
    /// HT: was every row kept in a core read before its successor took its place? If not, the program is wrong.
    bool keptInTime() const { return m_keptInTime; }

    /// Rows that wait to be sent. In HT those that are handed on within the round.
    struct Transfer {
        LaneId from, to;
        int row = 0;
        ColumnSpan span;
        int channelBegin = 0, channelEnd = 0; ///< That were computed.
    };
    std::vector<Transfer>& transfers() { return m_transfers; }
    /// LL: shares that read what the host has come to have since this was asked last, and when, by clocks().
    std::vector<std::pair<ShareId, double>> hostReaders();
    /// HT: does a share hand rows on to others of its stage, or take rows from them?
    bool isPaced(ShareId share) const {
        return !m_tasks.times[m_shares[share.index()].task->layer.index()].empty();
    }
    /// HT: part of the round in which \p done of a job of such a share is done.
    double timeOf(const RowJob& job, double done) const;
    Result<double> exchange(const Transfer& transfer); ///< \returns when it is there, by clocks().
    CoreId laneCore(LaneId lane) { return m_lanes[lane].core; }
    LayerId laneLayer(LaneId lane) { return m_lanes[lane].layer; }
    const std::vector<ShareId>& readersOf(LaneId lane) { return m_readersOf[lane.index()]; }
    std::uint64_t capacity() const {
        return m_lanes.memory(CoreId(0)).capacity();
    } ///< Elements of a core's memory.
    CoreClocks& clocks() { return m_clocks; }

    Error explained(Error error) const; ///< With what holds room for rows to come, if it is for want of it.
    std::set<CoreId> fullCores() const; ///< After an error: that work on the layer that found no room.

    void endGroup(); ///< Of instructions, in all cores.
    CrossbarSchedule finish();
    bool lowLatency() const { return m_mapping.mode == CrossbarMode::LowLatency; }

private:
    /// Part of a layer's input one core reads.
    struct Feed {
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
    struct Stretch {
        ColumnSpan channels;
        bool added = false; ///< To what members before have computed; otherwise sums begin here.
    };
    /// One core of a matrix share.
    struct Member {
        CoreId core;
        std::vector<GroupId> groups;
        std::vector<GroupPlace> places;                ///< Of \ref groups.
        std::vector<bool> first;                       ///< No group before has these columns.
        std::vector<std::vector<std::size_t>> ofPhase; ///< [phase] positions in \ref groups.
        int kernelRowBegin = 0, kernelRowEnd = 1, kernelColumnBegin = 0, kernelColumnEnd = 1;
        int channelBegin = 0, channelEnd = 0; ///< Of the input.
        int outBegin = 0, outEnd = 0;         ///< Output channels its sums are for …
        /// … by whether the core that finishes has a sum when they come.
        std::vector<Stretch> stretches;
        std::vector<Feed> feeds;
    };

    /// One core's part of a stretch of windows.
    struct Part {
        std::uint32_t sums = kNoRow,
                      sumElements = 0; ///< [window][output channel] accumulators; kNoRow: not taken yet.
        std::uint64_t lastPartial = 0; ///< Number of its youngest partial sum in the core's ring.
    };

    /// Room that is given out round and round, each piece as long as it is asked for.
    struct Ring {
        std::uint32_t begin = 0, elements = 0; ///< Of local memory.
        std::uint32_t next = 0;                ///< Place in the ring.
        bool wraps(std::uint32_t length) const { return next + length > elements; }
        std::uint32_t take(std::uint32_t length) {
            if (wraps(length))
                next = 0;
            return begin + std::exchange(next, next + length);
        }
    };
    /// What the products of a core under way need, whatever their layers: vectors that had to be brought together, and results
    /// that are still to be added to others. See rings.cpp for how many.
    struct Rings {
        /// Products that have a place in a ring.
        struct Use {
            std::int64_t groups = 0; ///< Array groups they are of.
            double products = 0;     ///< HT: of a round, if all went on at the pace they have while they do.
        };
        Use all, adding;       ///< Of the core; whose results are to be added to others.
        double products = 0;   ///< Of all layers, in a run of the program.
        std::int64_t rows = 0; ///< Elements of all rows a window of each reader needs.
        /// Elements the job needs that needs most: its sums, and what they are made of.
        std::int64_t job = 0;
        struct Partial {
            std::uint32_t from = 0, to = 0, length = 0;
            LayerId layer;
            std::uint64_t number = 0;
        };
        std::uint32_t vectorSize = 1, partialSize = 1; ///< Of the largest array group.
        Ring vectors, partials;                        ///< Empty: not taken yet.
        std::int64_t mostPartials = 1;                 ///< Under way at once.
        std::uint64_t nextPartial = 0;                 ///< Number.
        std::deque<Partial> pending;                   ///< The oldest first.
    };
    void countProducts(ShareId share);
    void countElements(ShareId share);
    std::int64_t mostUnderWay(const Rings& rings, const Rings::Use& use);
    Result<void> takeRings(CoreId core, LayerId layer);
    /// What a core does with, see ScheduleOptions::tight.
    struct MemoryShares {
        int stretch, ring; ///< Times ScheduleOptions::memoryShare and ringShare.
        bool keep;
    };
    MemoryShares memoryShares(CoreId core) const;

    void addShare(const TaskShare& task);
    void addMember(Share& share, const TaskShare& task, const TaskMember& member);
    LaneId addFeed(Share& share, const TaskShare& task, CoreId core, int input, const PixelSource& source,
                   const Member* member);
    static InputWindow windowOf(const CrossbarLayer& layer, const PixelMap& in, int input, int y,
                                ColumnSpan span, const Member* member);
    void cutJobs(Share& share);
    void placeMaps();
    double roundBound();
    void planKept();
    RowsInRound rowsMade(const TaskShare& task) const;
    RowsInRound rowsRead(LaneId lane);
    std::vector<double> rowTimes(ShareId share, int input, bool ends) const;
    void takeKept(LaneId lane, int row, ColumnSpan span, LayerId layerOf);
    void renew(KeptRows::Chain& chain, int row, ColumnSpan span, LayerId layerOf,
               const std::function<void(ColumnSpan)>& copyIn);

    using Pieces = std::vector<Lanes::PieceName>;
    Result<void> bring(const Feed& feed, int row, ColumnSpan columns, LayerId layerOf,
                       Pieces* kept = nullptr);
    Result<void> bringAll(const RowJob& job, Pieces* kept = nullptr);
    void keep(const Lanes::PieceName& name, Pieces* kept);
    void load(LaneId lane, int row, ColumnSpan span, LayerId layerOf);
    void loadGlobal(const Lane& lane, int row, ColumnSpan span, LayerId layerOf);
    void store(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address);
    void keepResult(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address);
    std::vector<Part> partsOf(const RowJob& job) const;
    void window(Running& running, int index);
    void turn(Running& running, int index, int turn); ///< Of a step.
    void product(Running& running, std::size_t member, std::size_t group, int index, ReplicaId replica);
    void clearUncovered(const Running& running, std::size_t member);
    bool worksOnRow(const Member& member, LayerId layer, int y) const;
    std::uint32_t vectorFor(const Member& member, LayerId layer, const GroupPlace& place, int top, int left);
    std::uint32_t takePartial(CoreId core, std::uint32_t elements);
    void flushSums(CoreId core, std::uint64_t upTo);
    void finishWindows(Running& running, int end);
    void findStretches(ShareId share);
    void gather(Running& running, std::size_t member);
    void addReceived(Running& running, std::size_t member, ColumnSpan windows, ColumnSpan channels);

    // Layers whose products give sums of several windows: piece_rows.cpp.
    int firstRowOf(const RowJob& job) const;
    std::size_t jobOf(ShareId share, int y, int x) const;
    Result<void> openSums(const Running& running);
    void takeSums(Running& running);
    Result<void> bringPiece(ShareId share, const InputPiece& piece);
    void pieceProduct(Running& running, std::size_t member, std::size_t group, const InputPiece& piece,
                      ReplicaId replica);

    Result<void> vectorRow(const RowJob& job);
    Result<void> poolRow(const RowJob& job, std::uint32_t out);
    bool poolPixel(const RowJob& job, int row, int x, std::uint32_t dst, std::uint32_t widened, bool first);
    void movePixel(const RowJob& job, int x, std::uint32_t dst);
    Result<std::uint32_t> contiguous(const RowJob& job, int input,
                                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& temporaries);
    struct Output {
        std::uint32_t address = 0, temporary = LocalMemory::kFull; ///< The same where it stays in no lane.
    };
    Result<Output> openOutput(const RowJob& job);
    void closeOutput(const RowJob& job, const Output& output);
    void publish(const RowJob& job, const Output& output);
    void sendOn(const RowJob& job, ColumnSpan owned);
    std::vector<ColumnSpan> notOwn(const RowJob& job, LaneId lane, ColumnSpan wanted) const;
    void handOn(ShareId share);
    std::size_t indexOf(ShareId share) const;
    void advance(const RowJob& job);
    void pass(const RowJob& job, int rows);

    CrossbarInstruction& emit(CoreId core, CrossbarOpcode opcode, CrossbarStage stage, LayerId layer,
                              std::uint32_t dst, std::uint32_t src1, std::uint32_t length);
    void copy(CoreId core, CrossbarStage stage, LayerId layer, std::uint32_t dst, std::uint32_t src,
              std::uint32_t length);
    double sendAcross(CoreId from, CoreId to, LayerId layer, CrossbarStage stage, std::uint32_t src,
                      std::uint32_t dst, std::uint32_t length, bool wide);

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    ScheduleOptions m_options;
    CrossbarSchedule m_result;
    CrossbarTasks m_tasks;
    Lanes m_lanes;
    std::vector<Share> m_shares;
    std::vector<std::vector<ShareId>> m_sharesOf;
    std::vector<std::vector<Member>> m_members;       ///< [share]
    std::vector<std::vector<Feed>> m_feeds;           ///< [share] of vector layers.
    std::vector<std::optional<InputPieces>> m_pieces; ///< [share] of layers whose products span windows.
    std::vector<std::map<std::size_t, std::vector<Part>>>
        m_early;                ///< [share][job] sums of windows that pieces read before reach.
    std::vector<bool> m_stored; ///< [layer] its map goes to global memory.
    KeptRows m_kept;
    double m_roundBoundNs = 0; ///< 0: not asked for yet.
    bool m_keptInTime = true;
    HostResults m_host;
    /// [layer][row] chips that hold its columns; empty for one chip.
    std::vector<std::vector<std::vector<std::pair<ColumnSpan, int>>>> m_homes;
    std::vector<Rings> m_rings;                  ///< [core]
    std::vector<std::vector<Transfer>> m_unsent; ///< [share] of rows that others are handed on with.
    std::vector<Transfer> m_transfers;
    std::vector<std::vector<ShareId>> m_readersOf; ///< [lane]
    CoreClocks m_clocks;
    std::uint32_t m_nextGlobal = 0; ///< First global address that is free.
};

} // namespace pim
