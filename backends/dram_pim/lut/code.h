// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of a layer of look-ups. Flow: LutMapping -> [lutCode] -> LutCode -> timed and run (run.h).
///
/// Commands that add carry an index: their operands name the column of a codebook's first entry and which index it is moved by.
/// bindIndex() makes the command that goes out; it differs in the column alone, so times do not depend on indices.
/// [PIM-DL, ASPLOS 2024, section 6.7: the assumption; on HBM-PIM nothing is assumed, the address of a column command is such an
/// operand anyway]
///
/// HBM-PIM, for each tile: the row of registers open in the odd banks, WRR_AB clears the registers and starts the program: one ADD
/// for each register from the even bank, one from the odd one, again and again. Visits alternate between the banks; rows close and
/// open while the others are read. The program is stopped and WR_AB copies GRF_A to the even, GRF_B to the odd banks. Afterwards the
/// host reads all results. AiM, for each tile: WRMAC16 clears the sums, MAC16 adds an entry to each of them for every codebook of the
/// open row, RDMAC16 sends them lane by lane. The global buffer holds ones.
#include "backends/dram_pim/lut/mapping.h"
#include "core/dram_pim/channel.h"

namespace pim::dram {

/// Tensors that bursts name; -1 are constants.
inline constexpr std::int64_t kLutTable = 0, kLutOutput = 1, kLutIndices = 2;

struct LutCode {
    Program
        program; ///< Phases load (the table), input (indices, where they are sent), mode on, compute, mode off, output.
    std::vector<PimWord> constants;
    LutLayer layer;
    LutMapping mapping;
    LutMachine machine;

    int groups() const { return static_cast<int>(mapping.channels()); }
};

/// \pre the mapping is one of mapLut().
LutCode lutCode(const LutLayer& layer, const LutMapping& mapping, const LutMachine& machine);

/// Where an opcode of the program has the operands that bindIndex() takes: position of "index"; -1: it carries none.
int indexOperand(const Opcode& opcode);
/// \p operands as they go out when the index that they name is \p index: those in front of "index", the column moved; \returns how
/// many these are.
int bindIndex(const LutCode& code, int indexAt, std::int64_t index, std::span<std::int64_t> operands);
/// The code with the indices of one channel bound, every turn of every loop of its own: what goes out over the bus.
/// \param indices [rows of the channel, padding included][codebooks]
Program boundProgram(const LutCode& code, std::span<const std::uint16_t> indices);

/// An entry of the table; codebook -1: padding.
struct LutEntry {
    std::int64_t codebook = -1, centroid = 0, feature = 0;
};
/// What lies in a lane of a bank of channel \p group.
LutEntry entryAt(const LutCode& code, int group, std::int64_t bank, std::int64_t row, std::int64_t column,
                 int lane);
/// An element of the output; row -1: padding.
struct LutResult {
    std::int64_t row = -1, feature = 0;
};
/// What lane \p lane of a burst of kLutOutput is.
LutResult resultAt(const LutCode& code, int group, std::int64_t burst, int lane);

} // namespace pim::dram
