// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_program.h"

#include "core/dram/hbm_pim/hbm_pim_gemv.h"

namespace pim {
namespace {

using I = HbmPimInstruction;

std::vector<std::uint32_t> gemvProgram(std::int64_t inTiles) {
    const std::int64_t even = (inTiles + 1) / 2, odd = inTiles / 2;
    // A jump count of -1 (no odd tile) wraps in the field, as it does in the simulator.
    return {I::arithmetic(I::Mac, I::GrfB, I::GrfA, I::EvenBank, true),
            I::jump(8 * even - 1, 2),
            I::arithmetic(I::Mac, I::GrfB, I::GrfA, I::OddBank, true),
            I::jump(8 * odd - 1, 2),
            I::nop(7),
            I::exit()};
}

std::vector<std::uint32_t> elementwiseProgram(I::Opcode opcode, std::int64_t tiles) {
    std::vector<std::uint32_t> program = {I::fill(I::GrfA, I::EvenBank, false),
                                          I::arithmetic(opcode, I::GrfA, I::GrfA, I::EvenBank, true),
                                          I::nop(7),
                                          I::fill(I::GrfB, I::OddBank, false),
                                          I::arithmetic(opcode, I::GrfB, I::GrfB, I::OddBank, true),
                                          I::nop(7)};
    if (tiles > 1)
        program.push_back(I::jump(tiles - 1, 7));
    program.push_back(I::exit());
    return program;
}

std::vector<std::uint32_t> reluProgram(std::int64_t tiles) {
    std::vector<std::uint32_t> program = {I::fill(I::GrfA, I::EvenBank, true), I::nop(7),
                                          I::fill(I::GrfB, I::OddBank, true), I::nop(7)};
    if (tiles > 1)
        program.push_back(I::jump(tiles - 1, 5));
    program.push_back(I::exit());
    return program;
}

/// Sums a tile after the other into GRF_A and GRF_B, those two, then the eight registers into the first.
std::vector<std::uint32_t> redProgram(std::int64_t tiles) {
    std::vector<std::uint32_t> program;
    program.push_back(I::arithmetic(I::Add, I::GrfA, I::GrfA, I::EvenBank, true));
    if (tiles > 1)
        program.push_back(I::jump(tiles - 1, 2));
    program.push_back(I::arithmetic(I::Add, I::GrfB, I::GrfB, I::OddBank, true));
    if (tiles > 1)
        program.push_back(I::jump(tiles - 1, 2));
    program.push_back(I::arithmetic(I::Add, I::GrfA, I::GrfA, I::GrfB, true));
    for (const int half : {4, 2, 1})
        for (int i = 0; i < half; ++i)
            program.push_back(I::arithmetic(I::Add, I::GrfA, I::GrfA, I::GrfA, false, {i, i, i + half}));
    program.push_back(I::nop(0));
    program.push_back(I::exit());
    return program;
}

} // namespace

std::vector<std::uint32_t> hbmPimProgram(const HbmPimShape& shape) {
    switch (shape.kind) {
    case HbmPimKernelKind::Gemv:
        return shape.optimised ? optimisedGemvProgram(HbmPimGemvPlan::of(shape))
                               : gemvProgram(shape.inTiles());
    case HbmPimKernelKind::Add:
        return elementwiseProgram(I::Add, shape.tiles());
    case HbmPimKernelKind::Mul:
        return elementwiseProgram(I::Mul, shape.tiles());
    case HbmPimKernelKind::Relu:
        return reluProgram(shape.tiles());
    case HbmPimKernelKind::Red:
        return redProgram(shape.tiles());
    }
    return {};
}

} // namespace pim
