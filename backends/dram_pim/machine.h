// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the DRAM-PIM backends have in common: reading a target, saying what its units can do, timing in cycles.
#include "core/drafts/opwise.h"
#include "core/rearrange/movement.h"

#include <span>

namespace pim::dram {

/// Groups, cores, lanes and capacity as the tiling search needs them.
TilingResources tilingResources(const Target& target);

/// Levels "group" and "core" with a unit, and the cycle counts in \p cycles.
Diagnostics checkTarget(const Target& target, std::span<const char* const> cycles);

/// A unit of \p levelId that offers \p operation in the element type of the kernel; Error::Unsupported says what is
/// offered instead.
Result<void> needOperation(const Target& target, std::string_view levelId, std::string_view operation,
                           const Kernel& kernel);

/// Of a Mac kernel: cores multiply and add, and one operand comes out of their buffer; \p why they cannot do
/// without.
Result<void> needProduct(const Target& target, const Kernel& kernel, std::string_view why);
/// Of a Reduce kernel, over one operand.
Result<void> needReduction(const Target& target, const Kernel& kernel);

/// One a kernel tensor: does it stay in the banks from run to run?
std::vector<bool> residentOnes(const std::vector<Residency>& residency);

/// Named cycle counts of a target.
class Cycles {
public:
    explicit Cycles(const Target& target) : m_target(target) {}
    double operator()(const char* parameter, double fallback = 0) const {
        return m_target.numberOr(parameter, fallback);
    }
    double nsPerCycle() const { return m_target.timeNs("timing.tCK").value_or(1); }

private:
    const Target& m_target;
};

/// Cycles with all-bank refreshes in them, if the target refreshes: one for each full interval of work.
double withRefresh(const Cycles& cycles, bool refreshes, double work);

/// Bus cycles a command for one core costs where no command for the whole group is used: every core needs its own.
/// [DCC §IV-C II] \param perCore commands of one core, \param cores of the group.
double bankLevelCycles(const Target& target, double groupCycles, double perCore, double cores);

/// Bringing in a resident tensor once: host memory read, then the banks of all groups. [DCC Fig. 1, step 1]
double loadNs(const MovementMachine& machine, const Target& target, const DraftSummary& draft, int tensor,
              std::int64_t elementBytes, bool padded);

inline std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return b > 0 ? (a + b - 1) / b : 0;
}

} // namespace pim::dram
