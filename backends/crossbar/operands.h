// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which memory an instruction touches, in elements. Shared by check and profiler.
#include "backends/crossbar/instruction.h"

#include <array>
#include <bit>

namespace pim {

/// Addresses of global memory lie above this one, so that a range says which memory it is in.
constexpr std::uint64_t kGlobalBase = std::uint64_t(1) << 40;

/// [begin, end); empty if begin == end.
struct ElementRange {
    std::uint64_t begin = 0, end = 0;
    bool overlaps(const ElementRange& other) const {
        return bool(int(begin < other.end) & int(other.begin < end)); // without a branch
    }
};

struct Operands {
    std::array<ElementRange, 2> reads;
    ElementRange write;
    /// Has \p later to wait for these? Without a branch: asked for every pair in a window.
    bool conflictsWith(const Operands& later) const {
        return bool(int(write.overlaps(later.reads[0])) | int(write.overlaps(later.reads[1])) |
                    int(write.overlaps(later.write)) | int(reads[0].overlaps(later.write)) |
                    int(reads[1].overlaps(later.write)));
    }
};

/// Blocks of memory, modulo 64, in which there are operands: those that share none do not conflict, those that share one may.
struct TouchedBlocks {
    std::uint64_t reads = 0, writes = 0;
    bool mayConflictWith(const TouchedBlocks& later) const {
        return ((writes & (later.reads | later.writes)) | (reads & later.writes)) != 0;
    }
};

inline TouchedBlocks blocksOf(const Operands& operands) {
    constexpr int kBlock = 7; // 128 elements: about a vector
    const auto blocks = [](const ElementRange& range) -> std::uint64_t {
        if (range.begin == range.end)
            return 0;
        const std::uint64_t first = range.begin >> kBlock, more = ((range.end - 1) >> kBlock) - first;
        return more >= 63 ? ~std::uint64_t{0} : std::rotl((std::uint64_t{2} << more) - 1, int(first % 64));
    };
    return {blocks(operands.reads[0]) | blocks(operands.reads[1]), blocks(operands.write)};
}

inline Operands operandsOf(const CrossbarInstruction& i, int accumulatorElements) {
    const auto wide = [&](std::uint8_t flag) {
        return (i.flags & flag) != 0 ? std::uint64_t(accumulatorElements) : 1;
    };
    const auto range = [](std::uint64_t at, std::uint64_t count) { return ElementRange{at, at + count}; };
    const std::uint64_t source = i.length * wide(CrossbarInstruction::kWideSource);
    const std::uint64_t result = i.length * wide(CrossbarInstruction::kWideResult);
    switch (i.opcode) {
    case CrossbarOpcode::Mvm:
        return {{range(i.src1, source), {}}, range(i.dst, i.src2 * wide(CrossbarInstruction::kWideResult))};
    case CrossbarOpcode::Vec:
        return {{range(i.src1, source), takesTwo(i.vec) ? range(i.src2, source) : ElementRange{}},
                range(i.dst, i.vec == VectorOp::Sum ? wide(CrossbarInstruction::kWideResult) : result)};
    case CrossbarOpcode::Copy: // what lies between its pieces too
        return {
            {range(i.src1, i.pieces() == 1 ? source : std::uint64_t(i.peer - 1) * i.src2 + source / i.peer),
             {}},
            range(i.dst, result)};
    case CrossbarOpcode::Write:
        return {{}, range(i.dst, result)};
    case CrossbarOpcode::Load:
        return {{range(kGlobalBase + i.src1, source), {}}, range(i.dst, result)};
    case CrossbarOpcode::Store:
        return {{range(i.src1, source), {}}, range(kGlobalBase + i.dst, result)};
    case CrossbarOpcode::Send:
        return {{range(i.src1, source), {}}, {}};
    case CrossbarOpcode::Recv:
        return {{}, range(i.dst, result)};
    }
    return {};
}

} // namespace pim
