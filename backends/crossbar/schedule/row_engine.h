// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Emits the instructions of a stretch of an output row: what it reads is brought into vectors for the array groups, products
/// are issued, their sums added up, finished and handed on. What is ready and when it is run is the drivers' business.
/// Flow: CrossbarTasks -> RowShares -> [RowEngine] <- high-throughput and low-latency drivers.
#include "backends/crossbar/schedule/host_results.h"
#include "backends/crossbar/schedule/map_traffic.h"
#include "backends/crossbar/schedule/rings.h"
#include "backends/crossbar/schedule/row_transfers.h"

#include <set>

namespace pim {

class RowEngine {
public:
    /// \p options with a memoryShare and a ringShare.
    RowEngine(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
              const ScheduleOptions& options);

    RowShares& shares() { return m_shares; }
    const CrossbarTasks& tasks() const { return m_tasks; }
    const CrossbarLayer& layer(LayerId layer) const { return m_in.layer(layer); }
    const Lane& lane(LaneId lane) { return m_lanes[lane]; }
    std::uint64_t capacity() const {
        return m_lanes.memory(CoreId(0)).capacity();
    } ///< Elements of a core's memory.
    CoreClocks& clocks() { return m_writer.clocks(); }
    RowTransfers& transfers() { return m_transfers; }

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
    /// LL: brings back what had to give way since the job began, and issues the products of a step.
    Result<void> windowAgain(Running& running, int index);
    /// HT: see RowShares::turns().
    void turn(Running& running, int number);
    Result<void> end(Running& running);
    /// It may emit turns and ends.
    void whenFull(Lanes::MakeRoom makeRoom) { m_lanes.whenFull(std::move(makeRoom)); }

    /// HT: no round is shorter, by products of the busiest core and array group and by the global memory of the busiest chip.
    double roundBoundNs() const { return m_roundBoundNs; }
    bool keptInTime() const { return m_traffic.keptInTime(); } ///< See MapTraffic.
    /// LL: shares that read what the host has come to have since this was asked last, and when, by clocks().
    std::vector<std::pair<ShareId, double>> hostReaders();

    Error explained(Error error) const; ///< With what holds room for rows to come, if it is for want of it.
    std::set<CoreId> fullCores() const; ///< After an error: that work on the layer that found no room.

    void endGroup() { m_writer.endGroup(); } ///< Of instructions, in all cores.
    CrossbarSchedule finish();

private:
    /// One core's part of a stretch of windows.
    struct Part {
        /// [window][output channel] accumulators; kNoRow: not taken yet.
        std::uint32_t sums = kNoRow, sumElements = 0;
        std::uint64_t lastPartial = 0; ///< Number of its youngest partial sum in the core's ring.
    };
    using Pieces = std::vector<Lanes::PieceName>;

    double roundBound();
    void countElements(ShareId share);

    Result<void> bring(const RowFeed& feed, int row, ColumnSpan columns, LayerId layerOf,
                       Pieces* kept = nullptr);
    Result<void> bringAll(const RowJob& job, Pieces* kept = nullptr);
    void keep(const Lanes::PieceName& name, Pieces* kept);

    // Products: matrix_rows.cpp, product_vectors.cpp.
    std::vector<Part> partsOf(const RowJob& job) const;
    void window(Running& running, int index);
    void turn(Running& running, int index, int turn); ///< Of a step.
    void product(Running& running, std::size_t member, std::size_t group, int index, ReplicaId replica);
    std::uint32_t vectorFor(const RowMember& member, LayerId layer, const GroupPlace& place, int top,
                            int left);
    void issue(const RowShare& share, const RowMember& member, std::size_t group, ReplicaId replica,
               std::uint32_t dst, std::uint32_t vector);

    // Sums: row_sums.cpp.
    void clearUncovered(const Running& running, std::size_t member);
    void gather(Running& running, std::size_t member);
    void addReceived(Running& running, std::size_t member, ColumnSpan windows, ColumnSpan channels);
    void finishWindows(Running& running, int end);

    // Layers whose products give sums of several windows: piece_rows.cpp.
    Result<void> openSums(const Running& running);
    void takeSums(Running& running);
    Result<void> bringPiece(ShareId share, const InputPiece& piece);
    void pieceProduct(Running& running, std::size_t member, std::size_t group, const InputPiece& piece,
                      ReplicaId replica);

    // vector_rows.cpp
    Result<void> vectorRow(const RowJob& job);
    Result<void> poolRow(const RowJob& job, std::uint32_t out);
    bool poolPixel(const RowJob& job, int row, int x, std::uint32_t dst, std::uint32_t widened, bool first);
    void movePixel(const RowJob& job, int x, std::uint32_t dst);
    Result<std::uint32_t> contiguous(const RowJob& job, int input,
                                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& temporaries);

    // Results: row_results.cpp.
    struct Output {
        std::uint32_t address = 0, temporary = LocalMemory::kFull; ///< The same where it stays in no lane.
    };
    Result<Output> openOutput(const RowJob& job);
    void closeOutput(const RowJob& job, const Output& output);
    void publish(const RowJob& job, const Output& output);
    void advance(const RowJob& job);
    void pass(const RowJob& job, int rows);

    ScheduleOptions m_options;
    CrossbarTasks m_tasks;
    ScheduleInput m_in;
    int m_wide; ///< Elements of an accumulator.
    ProgramWriter m_writer;
    std::uint32_t m_nextGlobal = 0; ///< First global address that is free.
    Lanes m_lanes;
    RowShares m_shares;
    MapTraffic m_traffic;
    double m_roundBoundNs;
    ProductRings m_rings;
    RowTransfers m_transfers;
    /// [share][job] sums of windows that pieces read before reach.
    std::vector<std::map<std::size_t, std::vector<Part>>> m_early;
    HostResults m_host;
};

} // namespace pim
