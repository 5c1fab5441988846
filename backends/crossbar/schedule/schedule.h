// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs of crossbar cores for a mapped network, in both pipelines. Every value is computed and lies at a real address; a
/// program obeys the local memory of the cores, and its transfers are emitted in one order for all cores, so that they cannot
/// wait for each other in a circle. [PIMCOMP §VI-B, §VII]
/// Flow: CrossbarNetwork + CrossbarMapping -> tasks -> rows of windows -> [CrossbarSchedule] -> profile, functional run, text.
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/profile.h"
#include "backends/crossbar/schedule/tasks.h"
#include "core/base/task.h"

namespace pim {

/// A program and where the maps of the network lie in global memory.
///
/// Global addresses are unique in the machine; `peer` of a load or store is the chip whose memory it is. In the high-throughput
/// pipeline all layers work at once, each on the sample of its stage: a map is written in one round and read in later ones, so
/// its address stands for a ring of \ref copies buffers that the controller turns after each round. Run round by round on one
/// sample, a program has its result after stages() rounds.
struct CrossbarSchedule {
    CrossbarProgram program;
    static constexpr std::uint32_t kNowhere = 0xffffffff;
    /// [layer] first element in global memory; kNowhere: it stays on cores.
    std::vector<std::uint32_t> mapAddress;
    /// [layer] buffers of the map: rounds between its writing and its last reading, plus one.
    std::vector<int> copies;
    /// [layer] round in which it works on the first sample; 0 for inputs. LL: all 0.
    std::vector<int> stage;
    std::uint64_t globalElements = 0; ///< Of all maps with their copies.
    std::uint32_t transfers = 0;      ///< send/recv pairs.
    /// HT: layers that take rows from others of their stage while these work; rising.
    std::vector<LayerId> waiting;
    int layersAStage = 1; ///< HT: most layers that wait for each other.
    double mostTwice = 0; ///< HT: ScheduleOptions::mostTwice as it was chosen.
    /// Layers that would share a stage, but memory is too small for what they then hold.
    std::vector<LayerId> apart;

    int stages() const;
};

/// Why its program cannot be timed: \p error, or that the maps take more than global memory has.
Error explained(const CrossbarSchedule& schedule, const CrossbarNetwork& network, const CrossbarChip& chip,
                Error error);

/// Low latency: what the profile has to know of the host; nothing in high throughput, where the host works a
/// round apart.
std::vector<HostMap> hostMapsOf(const CrossbarNetwork& network, const CrossbarSchedule& schedule,
                                CrossbarMode mode);

/// Have local memories little room for rows beside what products need?
bool hasSmallMemories(const CrossbarChip& chip);

/// ScheduleOptions::memoryShare of a chip. HT: short stretches leave room for rows, where memories are small; where they are not, and in LL,
/// they only mean more to hand over. [measured in 16 cases, HT, products of 4000 ns: GoogLeNet on ISAAC 610 us a
/// sample with 32, 390 us with 128; on 64 PCM cores 108 us with 32, 134 us with 128. LL, 800 ns: ResNet-18 on isaac-12 984 us with 32, 1215 us with 128]
int memoryShareOf(const CrossbarChip& chip, CrossbarMode mode);
/// Of a row of a map that lie side by side in local memories, in one piece: twice what sums of a stretch may take.
int columnsOfPiece(const PixelMap& map, const CrossbarChip& chip, int memoryShare);

/// ScheduleOptions::ringShare. [measured, three networks on five chips, products of 4000 ns: in HT a half is faster than a quarter,
/// by a sixth for ResNet-18 on ISAAC, in LL slower, by a tenth for GoogLeNet on PUMA]
int ringShareOf(CrossbarMode mode);

/// Options that trade memory and time; the defaults are what the compiler uses.
struct ScheduleOptions {
    /// Sums of one stretch take at most this part of a core's memory; 0: memoryShareOf().
    int memoryShare = 0;
    /// What products under way need takes at most twice this part: vectors, and results to be added up; 0:
    /// ringShareOf().
    int ringShare = 0;
    /// [core] how often it found no room, so that it does with less: shorter stretches and nothing kept, fewer products under way.
    /// Empty: all do with what is said above. Set by scheduleCrossbar().
    std::vector<std::uint8_t> tight;
    double mostTwice = 0; ///< HT: see dealOutTasks(); 0: what makes the bound of the round least.
    bool fuse = true;     ///< HT: results that the same core needs in this round stay in it.
    /// HT: rows that the same core reads again in later rounds stay in it, see kept_rows.h.
    bool keep = true;
    bool keepLate = false; ///< HT: a buffer more for each, as readers may come after the row was renewed.
    /// By whose clocks: how long a product takes, and in LL in which order steps come.
    CrossbarReferee rules = CrossbarReferee::Profiler;
    /// HT: layers that wait for each other in one stage at most; kAutomaticStages; or kMappedStages: CrossbarMapping::stages.
    int layersAStage = kMappedStages;
    StageGrouping grouping; ///< HT: how these share it; set by scheduleCrossbar().
};

/// Errors: InvalidTarget where a core's local memory is too small, with layer, core and bytes; Unsupported; Cancelled.
Result<CrossbarSchedule> scheduleCrossbar(const CrossbarNetwork& network, const CrossbarChip& chip,
                                          const CrossbarMapping& mapping, const ScheduleOptions& options = {},
                                          const TaskContext& task = {});

} // namespace pim
