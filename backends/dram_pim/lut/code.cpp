// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lut/code.h"

#include "backends/dram_pim/loop_builder.h"
#include "backends/dram_pim/lut/streams.h"
#include "core/dram_pim/flat_program.h"

#include <algorithm>

namespace pim::dram {

int indexOperand(const Opcode& opcode) {
    const auto at = std::find(opcode.operands.begin(), opcode.operands.end(), "index");
    return at == opcode.operands.end() ? -1 : static_cast<int>(at - opcode.operands.begin());
}

int bindIndex(const LutCode& code, int indexAt, std::int64_t index, std::span<std::int64_t> operands) {
    const LutMapping& mapping = code.mapping;
    const auto column = static_cast<std::size_t>(code.machine.chip == LutChip::HbmPim ? 2 : 1);
    const std::int64_t part = operands[static_cast<std::size_t>(indexAt) + 1],
                       entry = index - part * mapping.entries;
    if (entry >= 0 && entry < mapping.entries)
        operands[column] += entry * mapping.tileSlices;
    else
        operands[column] = code.machine.columns - 1; // zeros
    return indexAt;
}

Program boundProgram(const LutCode& code, std::span<const std::uint16_t> indices) {
    Program bound = code.program;
    for (Phase& phase : bound.phases) {
        const auto flat = flatten(code.program, phase);
        PIM_ASSERT(flat, "generated code has one stream a phase");
        LoopBuilder items;
        walkFlat(*flat, [&](const FlatNode& node, std::span<const std::int64_t> given) {
            std::vector<std::int64_t> operands(given.begin(), given.end());
            if (const int at = indexOperand(code.program.opcodes[static_cast<std::size_t>(node.opcode)]);
                at >= 0) {
                const std::int64_t which = operands[static_cast<std::size_t>(at)];
                bindIndex(code, at, indices[static_cast<std::size_t>(which)], operands);
            }
            items.command(node.opcode, std::move(operands));
            return true;
        });
        phase.streams.front().items = items.take();
    }
    return bound;
}

LutEntry entryAt(const LutCode& code, int group, std::int64_t bank, std::int64_t row, std::int64_t column,
                 int lane) {
    const LutMapping& mapping = code.mapping;
    const LutLayer& layer = code.layer;
    const std::int64_t turns = code.machine.turns, unit = bank / turns, turn = bank % turns;
    const std::int64_t tile = row / mapping.tableRows, ofTile = row % mapping.tableRows;
    const std::int64_t width = mapping.entries * mapping.tileSlices;
    const std::int64_t inTile = column % mapping.tileSlices, slot = column / width;
    const std::int64_t visit = (ofTile * mapping.codebooksOfRow + slot) * turns + turn;
    const std::int64_t centroid =
        visit % mapping.parts * mapping.entries + column % width / mapping.tileSlices;
    const std::int64_t slice = tile * mapping.tileSlices + inTile;
    const std::int64_t word =
        (group % mapping.featureGroups * mapping.slices + slice) * code.machine.units + unit;
    const LutEntry entry{visit / mapping.parts, centroid, word * kPimLanes + lane};
    const bool isThere = slot < mapping.codebooksOfRow && tile < mapping.sliceTiles &&
                         slice < mapping.slices && entry.codebook < layer.codebooks &&
                         centroid < layer.centroids && entry.feature < layer.features;
    return isThere ? entry : LutEntry{};
}

namespace {

/// \param ofTile which sum of a tile, \param tile counted over slices, then rows.
LutResult resultOf(const LutCode& code, int group, std::int64_t tile, std::int64_t ofTile, std::int64_t unit,
                   int lane) {
    const LutMapping& mapping = code.mapping;
    const std::int64_t row = tile % mapping.rowTiles * mapping.tileRows + ofTile / mapping.tileSlices;
    const std::int64_t slice = tile / mapping.rowTiles * mapping.tileSlices + ofTile % mapping.tileSlices;
    const std::int64_t word =
        (group % mapping.featureGroups * mapping.slices + slice) * code.machine.units + unit;
    const LutResult result{group / mapping.featureGroups * mapping.rows + row, word * kPimLanes + lane};
    const bool isThere = row < mapping.rows && slice < mapping.slices && result.row < code.layer.rows &&
                         result.feature < code.layer.features;
    return isThere ? result : LutResult{};
}

} // namespace

LutResult resultAt(const LutCode& code, int group, std::int64_t burst, int lane) {
    const LutMapping& mapping = code.mapping;
    if (code.machine.chip == LutChip::Aim) // lanes are banks
        return resultOf(code, group, burst / kPimLanes / mapping.sums(), burst / kPimLanes % mapping.sums(),
                        lane, static_cast<int>(burst % kPimLanes));
    const std::int64_t banks = code.machine.banks(), file = code.machine.hbm.registers;
    const std::int64_t bank = burst % banks, column = burst / banks % code.machine.columns,
                       row = burst / banks / code.machine.columns - mapping.sliceTiles * mapping.tableRows;
    const std::int64_t tilesOfRow = code.machine.columns / file,
                       rowsOfSlice = mapping.resultRows / mapping.sliceTiles;
    const std::int64_t rowTile = row % rowsOfSlice * tilesOfRow + column / file,
                       sliceTile = row / rowsOfSlice;
    const std::int64_t sum = column % file + bank % 2 * file;
    if (rowTile >= mapping.rowTiles || sum >= mapping.sums())
        return {};
    return resultOf(code, group, sliceTile * mapping.rowTiles + rowTile, sum, bank / 2, lane);
}

LutCode lutCode(const LutLayer& layer, const LutMapping& mapping, const LutMachine& machine) {
    LutCode code;
    code.layer = layer;
    code.mapping = mapping;
    code.machine = machine;
    machine.chip == LutChip::HbmPim ? hbmStreams(code) : aimStreams(code);
    canonicalize(code.program);
    return code;
}

} // namespace pim::dram
