// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The run behind profile.h: cores, their windows of instructions, and the order of time. The program was
/// checked. Cores that issue in order and stop for their transfers are followed from one access to what all
/// share to the next (profile_in_order.cpp); all others go from event to event.
#include "backends/crossbar/event_order.h"
#include "backends/crossbar/operands.h"
#include "backends/crossbar/profile.h"

#include <bit>
#include <limits>

namespace pim {

inline bool isTransfer(const CrossbarInstruction& instruction) {
    return instruction.opcode == CrossbarOpcode::Send || instruction.opcode == CrossbarOpcode::Recv;
}

/// Raw result of a run; profile.cpp makes energy, limits and the timeline of it.
class ProfileEngine {
public:
    ProfileEngine(const CrossbarProgram& program, const CrossbarChip& chip, const ProfileOptions& options);
    Result<void> run(const TaskContext& task);

    struct Totals {
        double endNs = 0, firstRunNs = 0;
        std::int64_t instructions = 0, products = 0, activations = 0, loadBytes = 0, storeBytes = 0,
                     networkBytes = 0, networkByteHops = 0, offChipByteHops = 0, offChipBytes = 0,
                     localBytes = 0, vectorBytes = 0, globalBytes = 0;
        double arrayNs = 0;
        std::int64_t arraysUsed = 0;
    };
    /// A stretch on a track of a core (unit of the core) or of a server.
    struct Span {
        double startNs = 0, endNs = 0;
        std::uint32_t track = 0, layer = 0;
        CrossbarLimit kind = CrossbarLimit::Arrays;
    };
    /// Track of unit \p unit of a core: 0 products, 1 copies, 2 + n vector unit n. Servers come after all
    /// cores.
    std::uint32_t trackOf(std::uint32_t core, int unit) const {
        return core * std::uint32_t(2 + m_chip.vectorUnits) + std::uint32_t(unit);
    }
    std::uint32_t serverTrack(int server) const {
        return trackOf(std::uint32_t(m_cores.size()), 0) + std::uint32_t(server);
    }

    Totals totals;
    std::vector<CoreProfile> cores;
    std::vector<LayerProfile> layers;
    std::vector<Span> spans;
    bool spansCut = false;
    double spansEndNs = std::numeric_limits<double>::infinity(); ///< No spans from then on.
    std::vector<std::vector<InstructionTime>> times; ///< [core][instruction]; empty unless asked for.
    const Interconnect& interconnect() const { return m_interconnect; }

private:
    using Mask = std::uint64_t;
    static_assert(kProfileWindow == 64, "a mask has one bit an instruction of the window");

    struct Slot {
        const CrossbarInstruction* instruction = nullptr;
        Operands operands;
        Mask dependsOn = 0;
        std::uint64_t sequence = 0; ///< Position in the stream, over all runs.
        double postedNs = 0;        ///< Transfers: since when this side is there.
        std::int8_t unit = -1;      ///< Vector unit.
        bool posted = false;
        bool forHost = false; ///< A load that waits for the host.
    };
    /// What happens in a core: an instruction ends, or (slot < 0) it tries again.
    struct Event {
        double ns = 0;
        std::int32_t slot = -1;
        bool operator<(const Event& other) const {
            return ns != other.ns ? ns < other.ns : slot < other.slot;
        }
    };
    struct Core {
        std::array<Slot, kProfileWindow> slots;
        Mask waiting = 0, running = 0;
        Mask ready = 0;                              ///< Of the waiting ones: nothing they touch is in use.
        Mask vectors = 0, locals = 0, transfers = 0; ///< Used slots by kind.
        std::array<std::uint8_t, kProfileWindow> order{}; ///< Used slots, oldest first.
        int count = 0;                                    ///< Of those.
        std::uint64_t next = 0;                           ///< Position in the stream of the next instruction.
        std::uint64_t end = 0;                            ///< Of the stream, over all runs.
        double nextIssueNs = 0;                           ///< Of the issue port.
        double wakeNs = -1;                               ///< An event is set for then.
        double portNs = 0; ///< When the second port of the local memory is free.
        double accountedNs = 0;
        std::uint64_t vectorBusy = 0; ///< Units, one bit each.
        CrossbarLimit cause = CrossbarLimit::Idle;
        std::int8_t transfer = -1; ///< Slot of the transfer under way or waiting for its other side.
        bool localBusy = false;
        OrderedRun<Event> events;
        Mask used() const { return waiting | running; }
    };
    /// One array group: when it is free, and the control units (arrays driven by one command) it lies in.
    struct Group {
        double freeNs = 0;
        std::uint32_t arrays = 0, firstControl = 0, lastControl = 0;
    };
    struct Control {
        double startNs = -1, endNs = 0;
    };

    /// In order: what was issued and may not be through yet.
    struct Flight {
        double endNs = 0;
        TouchedBlocks blocks;
        CrossbarLimit kind = CrossbarLimit::Idle;
        std::uint8_t place = 0; ///< Of its operands.
    };
    /// In order: a core that was followed as far as it concerns nobody else.
    struct Follower {
        double nowNs = 0; ///< When it can issue the next instruction at the earliest.
        std::array<Flight, kProfileWindow> flights; ///< The oldest first.
        std::size_t count = 0;                      ///< Of those.
        std::array<Operands, kProfileWindow> operands;
        Mask taken = 0; ///< Places of operands.
        double localFreeNs = 0;
        std::vector<double> vectorFreeNs; ///< [unit]
    };

    void readProgram();
    void placeGroup(std::uint32_t core, const CrossbarInstruction& product, std::uint32_t firstControl);
    Result<void> runByEvents(const TaskContext& task);
    void fetch(std::uint32_t core);
    void findDependencies(Core& core, int slot);
    void advance(std::uint32_t core, double ns);
    void advanceInOrder(std::uint32_t core, double ns);
    void advanceAnyOrder(std::uint32_t core, double ns);
    /// Starts an instruction whose operands are there if its unit is free.
    bool start(std::uint32_t core, int slot, double ns);
    bool startProduct(std::uint32_t core, int slot, double ns);
    bool startVector(std::uint32_t core, int slot, double ns);
    bool startLocal(std::uint32_t core, int slot, double ns);
    bool hostHas(std::uint32_t core, const Slot& slot) const;
    void noteStore(const CrossbarInstruction& store, double ns);
    bool postTransfer(std::uint32_t core, int slot, double ns);
    // What an instruction that starts adds to the totals. Returned is when it is through.
    double multiply(std::uint32_t core, const Slot& slot, bool joins, double ns);
    double calculate(std::uint32_t core, const Slot& slot, int unit, double ns);
    double copyLocally(std::uint32_t core, const Slot& slot, double ns);
    double access(std::uint32_t core, const Slot& slot, double ns);
    double transfer(std::uint32_t from, const Slot& source, std::uint32_t to, const Slot& target, double ns);
    void note(std::uint32_t core, const Slot& slot, double startNs, double endNs);

    // In order.
    Result<void> runInOrder(const TaskContext& task);
    double follow(std::uint32_t core, double turnNs);
    void waitForOperands(std::uint32_t core, const Operands& operands, const TouchedBlocks& blocks);
    void waitUntil(std::uint32_t core, double ns, CrossbarLimit cause);
    void waitForFlights(std::uint32_t core);
    double issueLocally(std::uint32_t core, const Slot& slot);
    double issueProduct(std::uint32_t core, const Slot& slot);
    double issueVector(std::uint32_t core, const Slot& slot);
    bool meet(std::uint32_t core);

    void setRunning(std::uint32_t core, int slot, double endNs);
    void complete(std::uint32_t core, int slot, double ns);
    void account(std::uint32_t core, double ns);
    void setCause(std::uint32_t core);
    void wake(std::uint32_t core, double ns);
    void expect(std::uint32_t core, const Event& event);
    bool controlsFree(const Group& group, double ns, bool& joins) const;
    double portEnd(Core& core, std::int64_t bytes, double ns) const;
    CrossbarLimit limitOf(const Slot& slot) const;
    std::int64_t sourceBytes(const CrossbarInstruction& instruction) const;
    std::int64_t bytesOf(const ElementRange& range) const {
        return std::int64_t(range.end - range.begin) * m_chip.activationBytes();
    }
    LayerProfile& layerOf(const Slot& slot) { return layers[slot.instruction->layer]; }
    void addSpan(std::uint32_t track, std::uint32_t layer, CrossbarLimit kind, double startNs, double endNs);
    void addServed(std::uint32_t layer, CrossbarLimit kind);
    void cutSpans();
    std::vector<ServedSpan>* served() { return m_options.timeline ? &m_served : nullptr; }
    tl::unexpected<Error> deadlock() const;
    const Slot* stuckTransfer(std::uint32_t core) const;

    const CrossbarProgram& m_program;
    const CrossbarChip& m_chip;
    const ProfileOptions& m_options;
    Interconnect m_interconnect;
    std::vector<Core> m_cores;
    std::vector<Follower> m_followers; ///< [core] in order.
    std::vector<std::int64_t> m_hostReads,
        m_hostStored; ///< [host map] elements it reads a run, and that were stored.
    std::vector<Group> m_groups;
    std::vector<Control> m_controls;
    struct Side {
        std::uint32_t core = 0;
        std::int32_t slot = -1;
    };
    std::vector<Side> m_posted; ///< By transfer: the side that came first.
    FirstInTime m_turns;        ///< By the first event of each; that of m_now as it was before.
    std::uint32_t m_now = 0;    ///< Core whose event is under way.
    std::vector<ServedSpan> m_served;
};

} // namespace pim
