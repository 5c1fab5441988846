// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/loop_builder.h"
#include "backends/dram_pim/lut/streams.h"
#include "core/base/bfloat16.h"

namespace pim::dram {
namespace {

std::vector<Opcode> aimLutOpcodes() {
    return {
        {"ACT16", {"row"}, "Open a row in all banks of the channel."},
        {"PREA", {}, "Close the rows of all banks."},
        {"WR", {"bank", "row", "col", "tensor", "burst"}, "Write 32 B of host data into a bank."},
        {"WRGB", {"slot", "tensor", "burst"}, "Write 32 B of host data into the global buffer."},
        {"WRMAC16", {"sum", "tensor", "burst"}, "Set all lanes of a sum of every bank, 16 bits each bank."},
        {"RDMAC16", {"sum", "lane", "tensor", "burst"}, "Read a lane of a sum of every bank, 16 bits each."},
        {"MAC16",
         {"row", "col", "sum", "index", "part"},
         "Every bank multiplies 16 values with those of the global buffer and adds each product to a lane of "
         "the sum; the index moves the column."},
        {"TMOD", {"registers"}, "Switch between commands to buffer and accumulators (1) and to banks (0)."}};
}

enum AimConstant : std::int64_t { kZeros, kOnes };

class AimLutWriter {
public:
    explicit AimLutWriter(const LutCode& code) : m_code(code), m_mapping(code.mapping) {}

    std::vector<ProgramItem> load() {
        m_to.repeat(m_mapping.sliceTiles * m_mapping.tableRows,
                    [&](std::int64_t row) { write(row, m_code.machine.columns, kLutTable); });
        return m_to.take();
    }

    std::vector<ProgramItem> indices() {
        const std::int64_t columns = m_code.machine.columns, full = m_mapping.indexColumns / columns,
                           rest = m_mapping.indexColumns % columns,
                           first = m_mapping.bankRows() - m_mapping.indexRows;
        m_to.repeat(full, [&](std::int64_t i) { write(first + i, columns, kLutIndices); });
        if (rest > 0)
            write(first + full, rest, kLutIndices);
        return m_to.take();
    }

    std::vector<ProgramItem> modeOn() {
        emit(AimLutOpcode::Act16, {0});
        emit(AimLutOpcode::Tmod, {1});
        m_to.repeat(m_code.machine.columns, [&](std::int64_t slot) {
            emit(AimLutOpcode::WrGb, {slot, -1, kOnes});
        });
        return m_to.take();
    }

    /// Every tile begins with its first row open and commands to registers, and leaves the same for the next.
    std::vector<ProgramItem> compute() {
        const std::int64_t rows = m_mapping.tableRows, last = m_mapping.sliceTiles - 1;
        const auto slice = [&](std::int64_t at, std::int64_t afterwards) {
            m_to.repeat(m_mapping.rowTiles - 1, [&](std::int64_t tile) { this->tile(at, tile, at * rows); });
            tile(at, m_mapping.rowTiles - 1, afterwards);
        };
        m_to.repeat(last, [&](std::int64_t at) { slice(at, (at + 1) * rows); });
        slice(last, -1);
        return m_to.take();
    }

private:
    void emit(AimLutOpcode opcode, std::vector<std::int64_t> operands = {}) {
        m_to.command(int(opcode), std::move(operands));
    }

    /// Columns 0 ... of a row of all banks.
    void write(std::int64_t row, std::int64_t columns, std::int64_t tensor) {
        emit(AimLutOpcode::Act16, {row});
        m_to.repeat(columns, [&](std::int64_t column) {
            m_to.repeat(m_code.machine.units, [&](std::int64_t bank) {
                emit(AimLutOpcode::Wr,
                     {bank, row, column, tensor,
                      (row * m_code.machine.columns + column) * m_code.machine.units + bank});
            });
        });
        emit(AimLutOpcode::PreA);
    }

    /// \param next row that is open afterwards; -1: none.
    void tile(std::int64_t slice, std::int64_t rowTile, std::int64_t next) {
        m_to.repeat(m_mapping.sums(), [&](std::int64_t sum) {
            emit(AimLutOpcode::WrMac16, {sum, -1, kZeros});
        });
        emit(AimLutOpcode::Tmod, {0});
        const std::int64_t first = slice * m_mapping.tableRows, all = m_mapping.codebooksOfRow,
                           rest = m_mapping.visits - (m_mapping.tableRows - 1) * all;
        const auto rowThenNext = [&](std::int64_t row) {
            additions(first + row, rowTile, row * all, all);
            emit(AimLutOpcode::PreA);
            emit(AimLutOpcode::Act16, {first + row + 1});
        };
        // Rows of the parts of a codebook differ in what they do to an index.
        const std::int64_t full = (m_mapping.tableRows - 1) / m_mapping.parts;
        m_to.repeat(full, [&](std::int64_t turn) {
            for (std::int64_t part = 0; part < m_mapping.parts; ++part)
                rowThenNext(turn * m_mapping.parts + part);
        });
        for (std::int64_t row = full * m_mapping.parts; row + 1 < m_mapping.tableRows; ++row)
            rowThenNext(row);
        const std::int64_t lastRow = first + m_mapping.tableRows - 1;
        additions(lastRow, rowTile, (m_mapping.tableRows - 1) * all, rest);
        if (next != lastRow)
            emit(AimLutOpcode::PreA);
        if (next >= 0 && next != lastRow)
            emit(AimLutOpcode::Act16, {next});
        emit(AimLutOpcode::Tmod, {1});
        m_to.repeat(m_mapping.sums(), [&](std::int64_t sum) {
            m_to.repeat(kPimLanes, [&](std::int64_t lane) {
                const std::int64_t tile = slice * m_mapping.rowTiles + rowTile;
                emit(AimLutOpcode::RdMac16,
                     {sum, lane, kLutOutput, (tile * m_mapping.sums() + sum) * kPimLanes + lane});
            });
        });
    }

    /// Of the codebooks (or the part of one) in an open row, one after the other, each for all sums.
    void additions(std::int64_t row, std::int64_t rowTile, std::int64_t firstVisit, std::int64_t visits) {
        const std::int64_t slices = m_mapping.tileSlices, parts = m_mapping.parts;
        const auto visit = [&](std::int64_t slot) {
            m_to.repeat(m_mapping.tileRows, [&](std::int64_t i) {
                m_to.repeat(slices, [&](std::int64_t slice) {
                    const std::int64_t index = (rowTile * m_mapping.tileRows + i) * m_code.layer.codebooks +
                                               (firstVisit + slot) / parts;
                    emit(AimLutOpcode::Mac16, {row, slot * m_mapping.entries * slices + slice,
                                               i * slices + slice, index, (firstVisit + slot) % parts});
                });
            });
        };
        m_to.repeat(visits, visit);
    }

    const LutCode& m_code;
    const LutMapping& m_mapping;
    LoopBuilder m_to;
};

} // namespace

void aimStreams(LutCode& code) {
    code.program.opcodes = aimLutOpcodes();
    PimWord ones;
    ones.fill(floatToBfloat(1));
    code.constants = {PimWord{}, ones};
    const std::string unit =
        code.groups() > 1 ? "groups 0-" + std::to_string(code.groups() - 1) : std::string("group 0");
    AimLutWriter writer(code);
    const auto add = [&](const char* name, std::vector<ProgramItem> items) {
        code.program.phases.push_back({name, {{unit, std::move(items)}}});
    };
    add("load", writer.load());
    if (code.mapping.indexRows > 0)
        add("input", writer.indices());
    add("mode on", writer.modeOn());
    add("compute", writer.compute());
}

} // namespace pim::dram
