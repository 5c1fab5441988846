// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When the cores reach the end of what was emitted for them, as far as a scheduler has to know: units in the
/// order of the stream, transfers and global memory in the order of emission. The profiler knows better,
/// afterwards.
#include "core/crossbar/instruction.h"
#include "core/crossbar/interconnect.h"

namespace pim {

class CoreClocks {
public:
    CoreClocks(const CrossbarProgram& program, const CrossbarChip& chip);

    /// Nanoseconds at which the last instruction emitted for a core starts at the earliest.
    double front(int core) {
        count(core);
        return m_cores[std::size_t(core)].front;
    }
    /// The next instruction starts at \p ns at the earliest: it waits for a product, or for data.
    void waitUntil(int core, double ns) {
        count(core);
        m_cores[std::size_t(core)].front = std::max(m_cores[std::size_t(core)].front, ns);
    }
    /// A send and its recv have been emitted just now, nothing else since the last call of any function for
    /// these cores. \returns when the data is there.
    double transfer(int from, int to, std::int64_t bytes);

private:
    struct Core {
        double front = 0, nextIssue = 0, vectorFree = 0, localFree = 0;
        std::size_t counted = 0; ///< Instructions.
    };
    void count(int core);

    const CrossbarProgram& m_program;
    const CrossbarChip& m_chip;
    Interconnect m_interconnect;
    std::vector<Core> m_cores;
};

} // namespace pim
