// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When the cores reach the end of what was emitted for them, as far as a scheduler has to know: units in the
/// order of the stream, transfers and global memory in the order of emission. The profiler knows better,
/// afterwards. Or by the rules of PIMCOMP-NN (compat_clock.h), where a transfer waits until both cores are
/// done with everything before it.
#include "backends/crossbar/compat_clock.h"
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/interconnect.h"
#include "backends/crossbar/options.h"

#include <optional>

namespace pim {

class CoreClocks {
public:
    CoreClocks(const CrossbarProgram& program, const CrossbarChip& chip, CrossbarReferee rules);

    /// Nanoseconds at which the last instruction emitted for a core starts at the earliest; where transfers
    /// drain, at which the next product can.
    double front(CoreId core) {
        count(core);
        return m_compat ? double(peer(core).nextProduct(*m_compat, 0)) : m_cores[core.index()].front;
    }
    /// When the last product of a core started, of those since anything else was emitted.
    double lastProduct(CoreId core) {
        count(core);
        return m_compat ? double(peer(core).start) : m_cores[core.index()].front;
    }
    /// Does a transfer wait for all that both cores have begun?
    bool drains() const { return m_compat.has_value(); }
    /// When a transfer of the core can begin.
    double drained(CoreId core) {
        count(core);
        return m_compat ? peer(core).now : m_cores[core.index()].front;
    }
    /// The next instruction starts at \p ns at the earliest: it waits for a product, or for data.
    void waitUntil(CoreId core, double ns) {
        count(core);
        m_cores[core.index()].front = std::max(m_cores[core.index()].front, ns);
    }
    /// A send and its recv have been emitted just now, nothing else since the last call of any function for
    /// these cores. \returns when the data is there.
    double transfer(CoreId from, CoreId to, std::uint32_t elements, bool wide);

private:
    struct Core {
        double front = 0, nextIssue = 0, vectorFree = 0, localFree = 0;
        std::size_t counted = 0; ///< Instructions.
    };
    void count(CoreId core);
    void countOwn(const CrossbarInstruction& instruction, CoreId core);
    void countCompat(const CrossbarInstruction& instruction, CoreId core);
    CompatClock& peer(CoreId core) { return m_peers[core.index()]; }

    const CrossbarProgram& m_program;
    const CrossbarChip& m_chip;
    Interconnect m_interconnect;
    std::vector<Core> m_cores;
    std::optional<CompatHardware> m_compat;    ///< Rules of PIMCOMP-NN.
    std::vector<CompatClock> m_peers;          ///< [core]
    std::vector<std::int64_t> m_groupStart;    ///< [array group] of its last product.
    std::vector<BusyTime> m_memories, m_buses; ///< [chip]
};

} // namespace pim
