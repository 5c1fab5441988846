// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which element of a tensor is where in the vectors of DotProducts, and back. Flow: kernel + draft +
/// DotRoles -> [DotWalk]
/// -> layout in the banks, bursts on the bus.
///
/// The loops of one part count as one mixed-radix number, in the order of the kernel, the last loop fastest;
/// the radix of a loop is its longest range on any core (DraftSummary::loopTile). So all cores have vectors
/// of one size: where the range of a core is shorter, and behind the last element of a vector, is padding. A
/// tensor that is read with overlapping windows (convolution) has an element in as many places as there are
/// loop values that reach it.
#include "backends/dram_pim/dot_products.h"

#include <array>
#include <span>

namespace pim::dram {

/// Where a point of the loops reaches a tensor.
struct DotOperand {
    Shape shape;                   ///< Empty: there is no such operand.
    std::vector<AffineExpr> index; ///< One a dimension.
};

struct DotRoles {
    std::vector<DotPart> parts; ///< One a loop.
    DotOperand bank, buffer, output;
};
/// Of a Mac or Reduce kernel.
DotRoles rolesOf(const Kernel& kernel, const DotOperands& operands);

/// One copy of an element. What an operand does not depend on is 0: a bank operand has no buffer vector, a
/// result no burst.
struct DotPlace {
    int group = 0, core = 0;
    std::int64_t batch = 0, bankVector = 0, bufferVector = 0, burst = 0;
    int lane = 0;
    friend auto operator<=>(const DotPlace&, const DotPlace&) = default;
};

/// Immutable, thread-safe. Elements are row-major positions, -1 stands for padding. Cores are numbered as the
/// draft does.
class DotWalk {
public:
    DotWalk(const TilingSpace& space, const Draft& draft, DotRoles roles, int lanes);

    /// The work of every core, padding included; bankTensor and bufferTensor are not set.
    const DotProducts& work() const { return m_work; }
    const DotRoles& roles() const { return m_roles; }
    int groups() const { return m_groups; } ///< Of the draft; some of them may idle.
    int cores() const { return m_cores; }   ///< Of a group, likewise.
    bool works(int group, int core) const;
    bool coreWorks(int core) const; ///< In any group.
    /// Cores of a group that share a number want the same buffer operand, in every group. Numbers count from
    /// 0 in the order of cores; \returns one a core.
    std::vector<int> bufferSets() const;

    std::int64_t bank(int group, int core, std::int64_t batch, std::int64_t bankVector, std::int64_t burst,
                      int lane) const;
    std::int64_t buffer(int group, int core, std::int64_t batch, std::int64_t bufferVector,
                        std::int64_t burst, int lane) const;
    /// All lanes of a burst at once, which is quicker.
    void bankBurst(int group, int core, std::int64_t batch, std::int64_t bankVector, std::int64_t burst,
                   std::span<std::int64_t> lanes) const;
    void bufferBurst(int group, int core, std::int64_t batch, std::int64_t bufferVector, std::int64_t burst,
                     std::span<std::int64_t> lanes) const;
    /// The element that a dot product (or this core's part of it) adds to.
    std::int64_t output(int group, int core, std::int64_t batch, std::int64_t bankVector,
                        std::int64_t bufferVector) const;

    /// All copies, in order. Time by their number and the windows that overlap, not by the size of the
    /// tensor.
    std::vector<DotPlace> bankPlaces(std::int64_t element) const { return places(m_roles.bank, element); }
    std::vector<DotPlace> bufferPlaces(std::int64_t element) const { return places(m_roles.buffer, element); }
    /// Of each partial result.
    std::vector<DotPlace> outputPlaces(std::int64_t element) const { return places(m_roles.output, element); }

    /// A dimension set of the draft, as far as numbering of cores goes: core = sum of digit * coreStride.
    struct Cut {
        int loop = 0;
        DotPart part = DotPart::Batch;
        int groups = 1, cores = 1; ///< Radix of the digits.
        int groupStride = 1, coreStride = 1;
        std::vector<std::pair<std::int64_t, std::int64_t>>
            ranges;            ///< Of the loop, by tile = group digit * cores + core digit.
        bool inBuffer = false; ///< The buffer operand changes with it.

        int groupDigit(int group) const { return group / groupStride % groups; }
        int coreDigit(int core) const { return core / coreStride % cores; }
        const std::pair<std::int64_t, std::int64_t>& range(int group, int core) const {
            return ranges[std::size_t(groupDigit(group) * cores + coreDigit(core))];
        }
    };
    const std::vector<Cut>& cuts() const { return m_cuts; } ///< One a dimension set.

private:
    static constexpr std::size_t kMostLoops = 32;
    using LoopValues = std::array<std::int64_t, kMostLoops>;
    /// A number for each part.
    struct Digits {
        std::int64_t batch = 0, bank = 0, buffer = 0, summed = 0;
        std::int64_t& of(DotPart part) {
            return part == DotPart::Batch    ? batch
                   : part == DotPart::Bank   ? bank
                   : part == DotPart::Buffer ? buffer
                                             : summed;
        }
    };
    std::int64_t element(const DotOperand& operand, int group, int core, Digits digits) const;
    void elements(const DotOperand& operand, int group, int core, Digits digits,
                  std::span<std::int64_t> out) const;
    std::int64_t positionOf(const DotOperand& operand, const LoopValues& values,
                            const LoopValues& ends) const;
    std::pair<std::int64_t, std::int64_t> rangeOf(int loop, int group, int core) const;
    std::vector<DotPlace> places(const DotOperand& operand, std::int64_t element) const;
    void addPlaces(const std::vector<std::int64_t>& values, const std::vector<bool>& fixed,
                   std::vector<DotPlace>& out) const;

    DotRoles m_roles;
    DotProducts m_work;
    int m_lanes = 1, m_groups = 1, m_cores = 1;
    std::vector<std::int64_t> m_extents; ///< Of the loops,
    std::vector<std::int64_t> m_tiles;   ///< and their longest range on a core.
    std::vector<Cut> m_cuts;
    std::vector<int> m_cutOf; ///< By loop; -1: every core runs all of it.
};

} // namespace pim::dram
