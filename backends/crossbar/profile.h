// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a program of crossbar cores takes on a machine: a run of all streams, what they share in the order of
/// time. Flow: CrossbarProgram + CrossbarChip -> [profile] -> CrossbarProfile.
///
/// In a core, an instruction starts when the local memory (and the part of global memory) it touches is not
/// written by an earlier one that still runs, nor read where it writes, and its unit is free: products one
/// every CrossbarChip::mvmIssueNs and one at a time per array group (arrays of one command start together,
/// CrossbarChip::managedArrays); as many vector operations as there are vector units; one copy or write;
/// loads, stores and transfers pass a second port of the local memory. In order, instructions start in their
/// order; out of order, any of the next kProfileWindow may, transfers among themselves in order. Synchronous
/// transfers wait for both sides and, in order, stop both cores; asynchronous ones wait for both sides and
/// stop nobody. Global memory, bus, links: first come, first served (interconnect.h).
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/interconnect.h"
#include "core/base/task.h"
#include "core/timeline/timeline.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace pim {

/// Instructions of a core under way at once.
constexpr int kProfileWindow = 64;

/// What a core is held up by.
enum class CrossbarLimit : std::uint8_t {
    Wait,   ///< The other side of a transfer has not come, or what the host computes.
    Arrays, ///< Products: the issue port, a busy array group, a result not there yet.
    Vector,
    Local,   ///< Copies and writes.
    Memory,  ///< Loads and stores.
    Network, ///< Transfers under way.
    Idle,    ///< Nothing left to do.
    Count_
};
std::string_view name(CrossbarLimit limit); ///< "wait", "arrays", …

/// A map the host computes. In the low-latency pipeline a load of it starts when all the host reads for it is
/// stored; the host's own time is none of the chip's.
struct HostMap {
    using Elements = std::pair<std::uint64_t, std::uint64_t>; ///< [begin, end) of global memory.
    Elements map;
    std::vector<Elements> reads; ///< Stored by cores, each element once a run.
};

struct ProfileOptions {
    /// Runs of the program that follow each other, core by core, without a barrier (low latency).
    int samples = 1;
    int pipelineDepth = 1; ///< Runs until the first sample is through (high throughput).
    std::vector<std::uint32_t>
        arraysOfGroup; ///< Logical arrays of each array group; empty: by rows and columns of its products.
    std::vector<HostMap> hostMaps;       ///< Low latency.
    std::vector<std::string> layerNames; ///< Labels of the timeline; may be empty.
    std::vector<int> layerOps;           ///< Op of the graph of each layer; may be empty.
    bool isChecked =
        false; ///< The program has passed checkCrossbarProgram() for a chip with these memories, arrays and cores.
    bool timeline = false;
    bool times = false; ///< When each instruction of the first run ran.
    /// Of the timeline; what comes later is left out, see Timeline::runNs.
    std::size_t mostSpans = 1'000'000;
};

struct CoreProfile {
    double endNs = 0;                                                 ///< When its last instruction is done.
    std::array<double, std::size_t(CrossbarLimit::Count_)> spentNs{}; ///< Adds up to CrossbarProfile::endNs.
    double issueNs = 0, vectorNs = 0, localNs = 0; ///< Units in use; issue and vector units together.
    std::int64_t products = 0;
    std::int64_t arrays = 0;     ///< Logical arrays its products use.
    std::int64_t localBytes = 0; ///< Highest address touched, plus 1.
    std::int64_t movedBytes = 0; ///< Loaded, stored, sent and received.
    CrossbarLimit limit() const; ///< The largest of spentNs but Idle; Idle for a core without instructions.
};

struct LayerProfile {
    double firstNs = 0, lastNs = 0; ///< First start and last end; both 0 for a layer without instructions.
    double arrayNs = 0;             ///< Products times arrays times time.
    double vectorNs = 0, localNs = 0, memoryNs = 0, networkNs = 0; ///< Sums over all cores, waiting included.
    std::int64_t products = 0, loadBytes = 0, storeBytes = 0, networkBytes = 0;
    /// What passed global memories, vector units (as often as they go over it), the two ports of local memories, and each bus or link of
    /// a mesh, each link between chips on the way.
    std::int64_t globalBytes = 0, vectorBytes = 0, portBytes = 0, networkByteHops = 0, offChipByteHops = 0;
};

/// Picojoules of all runs together; absent where the target gives no figure.
struct CrossbarEnergyParts {
    std::optional<double> arrays, vector, local, global, network, offChip, leakage;
    std::optional<double> total() const; ///< Absent if one is.
};

struct InstructionTime {
    double startNs = 0, endNs = 0;
};

struct CrossbarProfile {
    double endNs = 0;     ///< All runs.
    double latencyNs = 0; ///< Of the first run.
    /// Between two samples: with several runs from the end of the first to the end of the last.
    double periodNs = 0;
    double firstBatchNs = 0; ///< pipelineDepth periods.
    double samplesPerSecond() const { return periodNs > 0 ? 1e9 / periodNs : 0; }

    std::int64_t instructions = 0, products = 0, activations = 0; ///< Activations: products times arrays.
    std::int64_t loadBytes = 0, storeBytes = 0, networkBytes = 0, networkByteHops = 0, offChipBytes = 0,
                 localBytes = 0;
    std::int64_t arraysUsed = 0, arrays = 0;
    double arrayBusy = 0; ///< Share of endNs that a used array computes.
    CrossbarEnergyParts energy;
    std::vector<CoreProfile> cores;
    std::vector<LayerProfile> layers;
    std::vector<SharedServer> servers;               ///< Those that served anything.
    Timeline timeline;                               ///< Empty unless asked for.
    std::vector<std::vector<InstructionTime>> times; ///< [core][instruction]; empty unless asked for.
};

/// Transfers are pairs of equal length between the cores they name, in one group; addresses lie in the
/// memories; an array group belongs to one core. Error::InvalidFile with core and instruction, numbers seen
/// and allowed.
Result<void> checkCrossbarProgram(const CrossbarProgram& program, const CrossbarChip& chip);

/// Errors: those of checkCrossbarProgram; InvalidFile where cores wait for each other forever, with the
/// circle; Cancelled.
Result<CrossbarProfile> profileCrossbar(const CrossbarProgram& program, const CrossbarChip& chip,
                                        const ProfileOptions& options = {}, const TaskContext& task = {});

} // namespace pim
