// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The event simulation of one block behind its border: actors that take portions through read, run and write
/// stages over shared servers. Knows nothing of flows. Internal to backends/dual_mode/flow.
#include "core/base/task.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pim {

/// Serves requests in the order they come.
struct FlowServer {
    double bytesPerCycle = 0; ///< Or elements. Infinite: takes no time.
    double freeAt = 0;
};

/// Bytes an actor moves over a server, spread evenly over its rows.
struct FlowTransfer {
    int server = -1;
    double bytes = 0;
    bool write = false;
};

/// An actor's need of another tensor's progress.
struct FlowWait {
    int tensor = -1;
    double lead = 0; ///< Fraction of the tensor needed ahead; 1: all of it.
};

struct FlowActor {
    std::int64_t rows = 1;       ///< Cut into portions.
    std::int64_t granule = 1;    ///< Portions are whole multiples: rows of all copies together.
    double cyclesPerGranule = 0; ///< On units of its own,
    int runServer = -1;          ///< or on a shared one:
    double runWork = 0;          ///< so much of its work in all.
    std::vector<FlowTransfer> in, out;
    std::vector<FlowWait> waits;
    std::vector<int> makes; ///< Tensors whose progress this actor is part of.
    double notBefore = 0;   ///< Cycle its weights are there.
    std::vector<int> after; ///< Actors that have to be done first.

    // Results.
    double start = -1, end = 0, busy = 0;
};

/// Something that kept a unit busy.
struct FlowBusy {
    double start = 0, end = 0;
    std::int32_t actor = -1;
    bool write = false; ///< Of a transfer.
};

struct FlowBlockRun {
    std::vector<FlowServer> servers;
    std::vector<FlowActor> actors;
    int tensors = 0; ///< Numbers of progress used in waits and makes. A tensor nobody here makes is complete.
    int portions = 64;
    bool keepBusy = false;

    // What simulation leaves out, to tell causes apart.
    bool ignoreWaits = false;
    std::vector<char> privateServer; ///< [server]: every actor has it for itself.

    // Results.
    double end = 0;
    std::int64_t events = 0;
    std::vector<std::vector<FlowBusy>> serverBusy; ///< [server]
    std::vector<std::vector<FlowBusy>> actorBusy;  ///< [actor], units of its own

    /// Runs all actors from cycle 0. \returns the actor that waits for ever, -1 if all came to an end, -2 if
    /// cancelled.
    int run(const TaskContext& task);
};

/// Runs that were done, by all that they depend on: blocks that are alike run once. Layers of a network repeat, and so do the blocks of
/// plans that are tried one after the other. Thread-safe.
class FlowBlockTable {
public:
    /// FlowBlockRun::run(), or what it gave for a run like this one. What servers and actors were busy with is not kept: not for keepBusy.
    int run(FlowBlockRun& block, const TaskContext& task);

private:
    struct ActorTimes {
        double start = 0, end = 0, busy = 0;
    };
    struct Known {
        int stuck = -1;
        double end = 0;
        std::int64_t events = 0;
        std::vector<ActorTimes> actors;
    };
    std::mutex m_mutex;
    std::unordered_map<std::string, Known> m_known;
    std::size_t m_bytes = 0;
};

} // namespace pim
