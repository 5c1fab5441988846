// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The plainest program of a network on crossbar cores: one layer after the other, one pixel at a time,
/// everything from global memory and back. Its only purpose is to be obviously right; it uses every
/// instruction and every kind of layer.
#include "backends/crossbar/numeric/execute.h"

namespace pim::test {

/// A small chip: cores in a row, arrays of rows x columns, all operations of the vector unit.
CrossbarChip smallChip(int cores = 4, int arraysPerCore = 64, int rows = 16, int columns = 8);

struct PlainProgram {
    CrossbarMapping mapping;
    CrossbarProgram program;
    std::vector<std::uint32_t> mapAddress; ///< Every layer has one.
};
struct PlainOptions {
    Unfolding unfolding = Unfolding::WholeWindow; ///< Where it is valid.
    int replicas = 1;
    bool fused = true; ///< Sums are finished and activated by one instruction, else by two.
};
Result<PlainProgram> plainProgram(const CrossbarNetwork& network, const CrossbarChip& chip,
                                  const PlainOptions& options = {});

} // namespace pim::test
