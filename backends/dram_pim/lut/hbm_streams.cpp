// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/loop_builder.h"
#include "backends/dram_pim/lut/hbm_clocks.h"
#include "backends/dram_pim/lut/streams.h"
#include "core/dram/hbm_pim/hbm_pim_program.h"

#include <algorithm>
#include <numeric>

namespace pim::dram {
namespace {

using G = HbmPimGeometry;
using I = HbmPimInstruction;

enum HbmOpcode : std::uint8_t { kAct, kPreA, kRd, kWr, kActAb, kPreAb, kRdAb, kWrAb, kWrrAb };

std::vector<Opcode> hbmLutOpcodes() {
    return {{"ACT", {"bank", "row"}, "Open a row of one bank."},
            {"PREA", {}, "Close the rows of all banks."},
            {"RD", {"bank", "row", "col", "tensor", "burst"}, "Read 32 B of one bank over the bus."},
            {"WR", {"bank", "row", "col", "tensor", "burst"}, "Write 32 B into one bank."},
            {"ACT_AB", {"bank", "row"}, "Open a row of all even (bank 0) or all odd (bank 1) banks."},
            {"PRE_AB", {"bank"}, "Close the rows of all even or all odd banks."},
            {"RD_AB",
             {"bank", "row", "col", "index", "part"},
             "Every block adds 32 B of its bank to a register; the index moves the column."},
            {"WR_AB", {"bank", "row", "col"}, "Every block stores a register into its bank."},
            {"WRR_AB",
             {"bank", "row", "reg", "tensor", "burst"},
             "Write 32 B into a register, the program or the mode register of all blocks."}};
}

constexpr int kControlColumn = 0, kCrfColumn = 4;
enum HbmConstant : std::int64_t { kStop, kStart, kProgram };

/// ADD to every register from the even bank, the same from the odd one, and back.
std::vector<std::uint32_t> additionProgram(const LutCode& code) {
    const int file = code.machine.hbm.registers;
    std::vector<std::uint32_t> program;
    for (const I::Place bank : {I::EvenBank, I::OddBank})
        for (int sum = 0; sum < int(code.mapping.sums()); ++sum) {
            const I::Place place = sum < file ? I::GrfA : I::GrfB;
            const int reg = sum % file;
            program.push_back(I::arithmetic(I::Add, place, place, bank, false, {reg, reg, 0}));
        }
    if (const std::int64_t turns = (code.mapping.visits + 1) / 2; turns > 1)
        program.push_back(I::jump(turns - 1, int(program.size()) + 1));
    return program;
}

std::vector<PimWord> hbmConstants(const LutCode& code) {
    PimWord start{};
    start[0] = 1;
    start[10] = 1 | 1 << 8; // bytes 20 and 21: clear GRF_A and GRF_B
    std::vector<PimWord> words{PimWord{}, start};
    const std::vector<std::uint32_t> program = additionProgram(code);
    for (std::size_t first = 0; first < program.size(); first += 8) {
        PimWord word{};
        for (std::size_t i = first; i < std::min(first + 8, program.size()); ++i) {
            word[2 * (i - first)] = std::uint16_t(program[i]);
            word[2 * (i - first) + 1] = std::uint16_t(program[i] >> 16);
        }
        words.push_back(word);
    }
    return words;
}

class HbmLutWriter {
public:
    explicit HbmLutWriter(const LutCode& code)
        : m_code(code), m_mapping(code.mapping), m_file(code.machine.hbm.registers),
          m_banks(code.machine.banks()),
          m_clocks(code.machine.hbm.distances, code.mapping.sums(), code.mapping.codebooksOfRow) {}

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
        for (const int bank : {0, 8, 1, 9})
            emit(kAct, {bank, G::kEnterRow});
        emit(kPreA);
        emit(kActAb, {1, G::kRegisterRow});
        for (std::size_t i = kProgram; i < m_code.constants.size(); ++i)
            control(1, kCrfColumn + int(i - kProgram), std::int64_t(i));
        emit(kPreAb, {1});
        return m_to.take();
    }

    std::vector<ProgramItem> compute() {
        const std::int64_t tilesOfRow = m_code.machine.columns / m_file,
                           full = m_mapping.rowTiles / tilesOfRow, rest = m_mapping.rowTiles % tilesOfRow,
                           rowsOfSlice = m_mapping.resultRows / m_mapping.sliceTiles;
        m_to.repeat(m_mapping.sliceTiles, [&](std::int64_t slice) {
            const std::int64_t first = m_mapping.sliceTiles * m_mapping.tableRows + slice * rowsOfSlice;
            m_to.repeat(full, [&](std::int64_t i) {
                m_to.repeat(tilesOfRow,
                            [&](std::int64_t j) { tile(slice, i * tilesOfRow + j, first + i, j * m_file); });
            });
            m_to.repeat(
                rest, [&](std::int64_t j) { tile(slice, full * tilesOfRow + j, first + full, j * m_file); });
        });
        return m_to.take();
    }

    std::vector<ProgramItem> modeOff() {
        emit(kActAb, {1, G::kLeaveRow});
        emit(kActAb, {0, G::kLeaveRow});
        emit(kPreAb, {1});
        emit(kPreAb, {0});
        return m_to.take();
    }

    std::vector<ProgramItem> output() {
        const std::int64_t tilesOfRow = m_code.machine.columns / m_file,
                           full = m_mapping.rowTiles / tilesOfRow, rest = m_mapping.rowTiles % tilesOfRow,
                           rowsOfSlice = m_mapping.resultRows / m_mapping.sliceTiles;
        m_to.repeat(m_mapping.sliceTiles, [&](std::int64_t slice) {
            const std::int64_t first = m_mapping.sliceTiles * m_mapping.tableRows + slice * rowsOfSlice;
            m_to.repeat(full, [&](std::int64_t i) { results(first + i, tilesOfRow); });
            if (rest > 0)
                results(first + full, rest);
        });
        return m_to.take();
    }

private:
    void emit(HbmOpcode opcode, std::vector<std::int64_t> operands = {}) {
        m_to.command(opcode, std::move(operands));
    }
    void control(int bank, int column, std::int64_t constant) {
        emit(kWrrAb, {bank, G::kRegisterRow, column, -1, constant});
    }
    std::int64_t burst(int bank, std::int64_t row, std::int64_t column) const {
        return (row * m_code.machine.columns + column) * m_banks + bank;
    }
    /// Columns 0 ... of a row of all banks.
    void write(std::int64_t row, std::int64_t columns, std::int64_t tensor) {
        for (const int bank : banks(true))
            emit(kAct, {bank, row});
        m_to.repeat(columns, [&](std::int64_t column) {
            for (const int bank : banks(true))
                emit(kWr, {bank, row, column, tensor, burst(bank, row, column)});
        });
        emit(kPreA);
    }
    /// All, or the even ones; bank groups in turn, so that neither the activation window nor the longer distance within a group
    /// counts more than it must.
    std::vector<int> banks(bool odd) const {
        const int ranks = m_banks / G::kBanks, halves = ranks > 1 ? 2 : 1;
        std::vector<int> all;
        for (int ofGroup = 0; ofGroup < G::kBanksPerGroup; ofGroup += odd ? 1 : 2)
            for (int group = 0; group < G::kBankGroups; ++group)
                for (int rank = 0; rank < ranks / halves; ++rank)
                    for (int half = 0; half < halves; ++half)
                        all.push_back((half * (ranks / halves) + rank) * G::kBanks +
                                      group * G::kBanksPerGroup + ofGroup);
        return all;
    }

    std::int64_t rowOfVisit(std::int64_t slice, std::int64_t visit) const {
        return slice * m_mapping.tableRows + visit / (2 * m_mapping.codebooksOfRow);
    }
    /// Row that the banks which are not read in a visit have open when it begins, and the one they need next.
    std::int64_t otherOpen(std::int64_t slice, std::int64_t visit) const {
        return visit == 0 ? G::kRegisterRow : rowOfVisit(slice, visit - 1);
    }
    std::int64_t otherNext(std::int64_t slice, std::int64_t visit) const {
        return visit + 1 < m_mapping.visits ? rowOfVisit(slice, visit + 1) : G::kRegisterRow;
    }

    void tile(std::int64_t slice, std::int64_t rowTile, std::int64_t resultRow, std::int64_t resultColumn) {
        emit(kActAb, {1, G::kRegisterRow});
        control(1, kControlColumn, kStart);
        emit(kActAb, {0, rowOfVisit(slice, 0)});
        // The first period begins differently, the last ones end so; those between are alike.
        const std::int64_t period = m_mapping.codebooksOfRow * std::lcm<std::int64_t>(2, m_mapping.parts),
                           periods = std::max<std::int64_t>(1, (m_mapping.visits - 1) / period);
        const auto visits = [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t k = from; k < std::min(to, m_mapping.visits); ++k)
                visit(slice, rowTile, k);
        };
        visits(0, period);
        m_to.repeat(periods - 1, [&](std::int64_t i) { visits((i + 1) * period, (i + 2) * period); });
        visits(periods * period, m_mapping.visits);
        store(resultRow, resultColumn);
    }

    /// Reads of a codebook, or a part of one, for all sums; meanwhile the other banks change their row if they have to.
    void visit(std::int64_t slice, std::int64_t rowTile, std::int64_t visit) {
        const int bank = int(visit % 2);
        const std::int64_t open = otherOpen(slice, visit), next = otherNext(slice, visit);
        const HbmRowChange change = m_clocks.change(visit);
        const std::int64_t sums = m_mapping.sums();
        const std::int64_t column =
            visit / 2 % m_mapping.codebooksOfRow * m_mapping.entries * m_mapping.tileSlices;
        for (std::int64_t sum = 0; sum <= sums; ++sum) {
            if (open != next && sum == change.readsBeforeClose)
                emit(kPreAb, {1 - bank});
            if (open != next && sum == change.readsBeforeOpen)
                emit(kActAb, {1 - bank, next});
            if (sum == sums)
                break;
            const std::int64_t row = rowTile * m_mapping.tileRows + sum / m_mapping.tileSlices;
            emit(kRdAb, {bank, rowOfVisit(slice, visit), column + sum % m_mapping.tileSlices,
                         row * m_code.layer.codebooks + visit / m_mapping.parts, visit % m_mapping.parts});
        }
    }

    /// After the last visit: the banks it did not read have the row of registers open.
    void store(std::int64_t row, std::int64_t column) {
        const int same = int((m_mapping.visits - 1) % 2), other = 1 - same;
        const std::int64_t odd = std::max<std::int64_t>(0, m_mapping.sums() - m_file),
                           even = m_mapping.sums() - odd;
        const auto registers = [&](int bank) { return bank == 0 ? even : odd; };
        const auto write = [&](int bank, std::int64_t from, std::int64_t to) {
            for (std::int64_t reg = from; reg < to; ++reg)
                emit(kWrAb, {bank, row, column + reg});
        };
        emit(kPreAb, {same});
        control(other, kControlColumn, kStop);
        if (registers(same) > 0)
            emit(kActAb, {same, row});
        emit(kPreAb, {other});
        constexpr std::int64_t kMeanwhile = 3; // until the other banks' row can open
        write(same, 0, std::min(kMeanwhile, registers(same)));
        if (registers(other) > 0)
            emit(kActAb, {other, row});
        write(same, std::min(kMeanwhile, registers(same)), registers(same));
        write(other, 0, registers(other));
        for (const int bank : {same, other})
            if (registers(bank) > 0)
                emit(kPreAb, {bank});
    }

    void results(std::int64_t row, std::int64_t tiles) {
        const std::int64_t odd = std::max<std::int64_t>(0, m_mapping.sums() - m_file),
                           even = m_mapping.sums() - odd;
        for (const int bank : banks(odd > 0))
            emit(kAct, {bank, row});
        m_to.repeat(tiles, [&](std::int64_t tile) {
            const auto read = [&](std::int64_t from, std::int64_t to, bool withOdd) {
                m_to.repeat(to - from, [&](std::int64_t i) {
                    const std::int64_t column = tile * m_file + from + i;
                    for (const int bank : banks(withOdd))
                        emit(kRd, {bank, row, column, kLutOutput, burst(bank, row, column)});
                });
            };
            read(0, odd, true);
            read(odd, even, false);
        });
        emit(kPreA);
    }

    const LutCode& m_code;
    const LutMapping& m_mapping;
    std::int64_t m_file;
    int m_banks;
    HbmTileClocks m_clocks;
    LoopBuilder m_to;
};

} // namespace

void hbmStreams(LutCode& code) {
    code.program.opcodes = hbmLutOpcodes();
    code.constants = hbmConstants(code);
    const std::string unit =
        code.groups() > 1 ? "groups 0-" + std::to_string(code.groups() - 1) : std::string("group 0");
    HbmLutWriter writer(code);
    const auto add = [&](const char* name, std::vector<ProgramItem> items) {
        code.program.phases.push_back({name, {{unit, std::move(items)}}});
    };
    add("load", writer.load());
    if (code.mapping.indexRows > 0)
        add("input", writer.indices());
    add("mode on", writer.modeOn());
    add("compute", writer.compute());
    add("mode off", writer.modeOff());
    add("output", writer.output());
}

} // namespace pim::dram
