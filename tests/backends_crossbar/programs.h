// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Small machines and programs for tests of the profiler and the text form.
#include "backends/crossbar/instruction.h"

#include <random>

namespace pim::test {

/// Four cores in a square with figures that are easy to reckon with: 16-bit elements, memory 20 B/ns, bus 10
/// B/ns, local memory 40 B/ns, 64 B of a vector in 10 ns, products of 800 ns every 200 ns.
inline CrossbarChip smallChip() {
    CrossbarChip chip;
    chip.name = "small";
    chip.coresX = chip.coresY = 2;
    chip.connectionBytesPerNs = 10;
    chip.offChipBytesPerNs = 5;
    chip.globalBytesPerNs = 20;
    chip.globalBytes = 1 << 20;
    chip.localBytes = 1 << 16;
    chip.localBytesPerNs = 40;
    chip.vectorBytes = 64;
    chip.vectorNs = 10;
    chip.groups = {{{128, 128, 8}}};
    chip.cellBits = 2;
    chip.physicalPerLogical = 8;
    chip.mvmNs = 800;
    chip.mvmIssueNs = 200;
    chip.energy = {10, 1, 0.5, 2, 0.25, 4, 0.001, 0.01, 0.1};
    return chip;
}

inline CrossbarInstruction mvm(std::uint32_t group, std::uint32_t dst, std::uint32_t src,
                               std::uint32_t rows = 128, std::uint32_t columns = 128) {
    return {.opcode = CrossbarOpcode::Mvm,
            .dst = dst,
            .src1 = src,
            .src2 = columns,
            .length = rows,
            .index = group};
}
inline CrossbarInstruction vec(VectorOp op, std::uint32_t dst, std::uint32_t a, std::uint32_t b,
                               std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Vec,
            .vec = op,
            .stage = CrossbarStage::Post,
            .dst = dst,
            .src1 = a,
            .src2 = b,
            .length = length};
}
inline CrossbarInstruction copy(std::uint32_t dst, std::uint32_t src, std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Copy, .dst = dst, .src1 = src, .length = length};
}
inline CrossbarInstruction load(std::uint32_t dst, std::uint32_t src, std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Load,
            .stage = CrossbarStage::Input,
            .dst = dst,
            .src1 = src,
            .length = length};
}
inline CrossbarInstruction store(std::uint32_t dst, std::uint32_t src, std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Store,
            .stage = CrossbarStage::Output,
            .dst = dst,
            .src1 = src,
            .length = length};
}
inline CrossbarInstruction send(std::uint32_t transfer, std::uint32_t to, std::uint32_t src,
                                std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Send,
            .stage = CrossbarStage::Output,
            .src1 = src,
            .length = length,
            .index = transfer,
            .peer = to};
}
inline CrossbarInstruction recv(std::uint32_t transfer, std::uint32_t from, std::uint32_t dst,
                                std::uint32_t length) {
    return {.opcode = CrossbarOpcode::Recv,
            .stage = CrossbarStage::Input,
            .dst = dst,
            .length = length,
            .index = transfer,
            .peer = from};
}

/// All in one group.
inline CrossbarProgram program(std::vector<std::vector<CrossbarInstruction>> cores) {
    CrossbarProgram result;
    result.cores = std::move(cores);
    for (const auto& core : result.cores)
        result.groupEnds.push_back({std::uint32_t(core.size())});
    result.localPeak.assign(result.cores.size(), 0);
    return result;
}

/// Anything legal; transfers lie in the same order on both sides, so that no cores wait for each other
/// forever.
inline CrossbarProgram randomProgram(unsigned seed, int cores, int groups, int steps) {
    std::mt19937 random(seed);
    const auto pick = [&](std::uint32_t n) { return std::uint32_t(random() % n); };
    CrossbarProgram result;
    result.cores.resize(std::size_t(cores));
    result.groupEnds.resize(std::size_t(cores));
    result.localPeak.assign(std::size_t(cores), 4096);
    std::uint32_t transfer = 0;
    for (int g = 0; g < groups; ++g) {
        for (int i = 0; i < steps; ++i) {
            const std::uint32_t core = pick(std::uint32_t(cores)), a = pick(3000), b = pick(3000),
                                c = pick(3000), n = 1 + pick(200);
            auto& stream = result.cores[core];
            const std::uint32_t layer = pick(5);
            const auto add = [&](std::vector<CrossbarInstruction>& to, CrossbarInstruction one) {
                one.layer = layer;
                to.push_back(one);
            };
            switch (pick(7)) {
            case 0:
                add(stream, mvm(core * 4 + pick(4), a, b, 1 + pick(128), 1 + pick(128)));
                break;
            case 1:
                add(stream, vec(VectorOp(1 + pick(20)), a, b, c, n));
                break;
            case 2:
                add(stream, copy(a, b, n));
                break;
            case 3:
                add(stream, load(a, b, n));
                break;
            case 4:
                add(stream, store(a, b, n));
                break;
            case 5: {
                CrossbarInstruction fill{
                    .opcode = CrossbarOpcode::Write, .dst = a, .src2 = pick(9), .length = n};
                add(stream, fill);
                break;
            }
            default:
                if (const std::uint32_t other = pick(std::uint32_t(cores)); other != core) {
                    add(stream, send(transfer, other, a, n));
                    add(result.cores[other], recv(transfer++, core, b, n));
                }
            }
        }
        for (std::size_t core = 0; core < result.cores.size(); ++core)
            result.groupEnds[core].push_back(std::uint32_t(result.cores[core].size()));
    }
    return result;
}

} // namespace pim::test
