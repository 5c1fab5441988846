// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/code_streams.h"

#include "backends/dram_pim/program_builder.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pim::hbm {
namespace {

using G = HbmPimGeometry;

constexpr int kControlColumn = 0, kSrfColumn = 1, kCrfColumn = 4;
constexpr int kConstants = -1; ///< As a tensor.
/// Column commands after a row was last used, or opened, before the next row command is due: nothing waits
/// for it then.
constexpr int kClose = 3, kOpen = 8;
constexpr int kWritesBeforeOpen = 2;

/// A number that changes from turn to turn of the loops around it.
struct Moving {
    std::int64_t base = 0;
    std::array<std::int64_t, 10> by{}; ///< Outermost loop first.
    Moving(std::int64_t value = 0) : base(value) {}
    friend Moving operator+(Moving a, const Moving& b) {
        a.base += b.base;
        for (std::size_t i = 0; i < a.by.size(); ++i)
            a.by[i] += b.by[i];
        return a;
    }
    friend Moving operator*(Moving a, std::int64_t factor) {
        a.base *= factor;
        for (std::int64_t& stride : a.by)
            stride *= factor;
        return a;
    }
};

class Emitter {
public:
    explicit Emitter(const std::vector<Opcode>& all) : m_stream(all) {}
    /// \returns the number of the turn.
    Moving loop(std::int64_t turns) {
        m_stream.loop(turns);
        Moving turn;
        PIM_ASSERT(m_depth < turn.by.size(), "loops nest no deeper");
        turn.by[m_depth++] = 1;
        return turn;
    }
    void end() {
        m_stream.end();
        --m_depth;
    }
    void operator()(std::string_view opcode, const std::vector<Moving>& operands = {}) {
        std::vector<std::int64_t> values;
        std::vector<std::vector<std::int64_t>> strides(m_depth, std::vector<std::int64_t>(operands.size()));
        for (std::size_t i = 0; i < operands.size(); ++i) {
            values.push_back(operands[i].base);
            for (std::size_t depth = 0; depth < m_depth; ++depth)
                strides[depth][i] = operands[i].by[depth];
        }
        m_stream.command(opcode, std::move(values), std::move(strides));
    }
    /// \p count column commands of all blocks, \p column … in a row.
    void run(std::string_view opcode, int bank, const Moving& row, const Moving& column, std::int64_t count) {
        if (count == 1)
            return (*this)(opcode, {bank, row, column});
        const Moving i = loop(count);
        (*this)(opcode, {bank, row, column + i});
        end();
    }
    std::vector<ProgramItem> take() { return m_stream.take(); }

private:
    dram::StreamBuilder m_stream;
    std::size_t m_depth = 0;
};

class ComputeStream {
public:
    ComputeStream(const CodeLayout& layout, Emitter& to, std::vector<PimWord>& constants)
        : m_layout(layout), m_to(to), m_constants(constants), m_registers(layout.machine().registers) {}

    void emit(const MapFunction& function) {
        m_zero = keep({});
        park();
        enterAllBank();
        writeProgram(microprogram(m_layout, function));
        if (m_layout.form() == Form::Map)
            map(function);
        else
            sweeps();
        m_to("ACT_AB", {0, G::kRegisterRow});
        control(0, false, false);
        m_to("PRE_AB", {0});
        leaveAllBank();
        park();
    }

private:
    std::int64_t keep(const PimWord& word) {
        const auto known = std::find(m_constants.begin(), m_constants.end(), word);
        if (known != m_constants.end())
            return known - m_constants.begin();
        m_constants.push_back(word);
        return std::int64_t(m_constants.size()) - 1;
    }
    void writeConstant(int bank, int row, int column, std::int64_t constant) {
        m_to("WRR_AB", {bank, row, column, kConstants, constant});
    }

    /// All banks of the channel at a row without data: before and after the other modes.
    void park() {
        // Ranks and bank groups in turn: each rank has an activation window of its own.
        const int ranks = m_layout.machine().banks() / G::kBanks, halves = ranks > 1 ? 2 : 1;
        const auto everyBank = [&](const auto& command) {
            const Moving ofGroup = m_to.loop(G::kBanksPerGroup), group = m_to.loop(G::kBankGroups);
            const Moving rank = m_to.loop(ranks / halves), half = m_to.loop(halves);
            command((half * (ranks / halves) + rank) * G::kBanks + group * G::kBanksPerGroup + ofGroup);
            for (int loop = 0; loop < 4; ++loop)
                m_to.end();
        };
        everyBank([&](const Moving& bank) { m_to("ACT", {bank, G::kParkRow}); });
        everyBank([&](const Moving& bank) { m_to("RD", {bank, G::kParkRow, 0, kConstants, m_zero}); });
        m_to("PREA");
    }
    /// The activations switch the mode. (The host code of the simulator writes to these rows, its means to
    /// have them opened.)
    void enterAllBank() {
        for (const int bank : {0, 1, 8, 9})
            m_to("ACT", {bank, G::kEnterRow});
        m_to("PREA");
    }
    /// Closing the rows does it.
    void leaveAllBank() {
        for (const int bank : {0, 1})
            m_to("ACT_AB", {bank, G::kLeaveRow});
        for (const int bank : {0, 1})
            m_to("PRE_AB", {bank});
    }
    void writeProgram(const std::vector<std::uint32_t>& program) {
        m_to("ACT_AB", {1, G::kRegisterRow});
        for (std::size_t first = 0; first < program.size(); first += 8) {
            PimWord word{};
            for (std::size_t i = first; i < std::min(first + 8, program.size()); ++i) {
                word[2 * (i - first)] = std::uint16_t(program[i]);
                word[2 * (i - first) + 1] = std::uint16_t(program[i] >> 16);
            }
            writeConstant(1, G::kRegisterRow, kCrfColumn + int(first / 8), keep(word));
        }
        m_to("PRE_AB", {1});
    }
    /// PIM mode on, from the first instruction, or off.
    void control(int bank, bool on, bool clearResults) {
        PimWord word{};
        word[0] = on ? 1 : 0;
        word[10] = clearResults ? 1 << 8 : 0; // byte 21: GRF_B
        writeConstant(bank, G::kRegisterRow, kControlColumn, keep(word));
    }

    /// A vector of x and the columns of results it leaves.
    struct Sweep {
        Moving matrix;     ///< Counted over batches and sweeps of a vector.
        Moving vector;     ///< Counted over batches and vectors.
        Moving operandRow; ///< Form Lanes with fill: of the first tile of x.
        Moving resultRow;
        std::int64_t column = 0; ///< Of the results, and of x where vectors lie side by side.
    };

    /// Batches, then the dimension of results that rows count, then the one side by side in a row.
    void sweeps() {
        const std::int64_t perRow = m_layout.groupsOfRow(), inner = m_layout.innerResults();
        const bool alongVectors = m_layout.resultsAlongVectors();
        const Moving batch = m_to.loop(m_layout.batches()), outer = m_to.loop(m_layout.outerResults());
        const auto one = [&](const Moving& row, std::int64_t side) {
            const Moving at = row * perRow + side;
            Sweep sweep;
            sweep.matrix = batch * m_layout.sweeps() + (alongVectors ? Moving(0) : at);
            sweep.vector = batch * m_layout.bufferVectors() + (alongVectors ? at : outer);
            sweep.resultRow = (batch * m_layout.outerResults() + outer) * m_layout.resultRowsOfInner() + row +
                              m_layout.resultRow();
            sweep.operandRow =
                m_layout.packed()
                    ? batch * m_layout.resultRowsOfInner() + row + m_layout.xRow(0, 0)
                    : sweep.vector * (m_layout.xRow(1, 0) - m_layout.xRow(0, 0)) + m_layout.xRow(0, 0);
            sweep.column = side * m_registers;
            switch (m_layout.form()) {
            case Form::Lanes:
                lanes(sweep);
                break;
            case Form::Scalars:
                scalars(sweep);
                break;
            default:
                sum(sweep);
            }
        };
        const Moving row = m_to.loop(inner / perRow);
        for (std::int64_t side = 0; side < perRow; ++side)
            one(row, side);
        m_to.end();
        for (std::int64_t side = 0; side < inner % perRow; ++side)
            one(inner / perRow, side);
        m_to.end();
        m_to.end();
    }

    /// \p count bursts of a row meet the microprogram. Meanwhile the other banks close their row and open the
    /// next, if any.
    void visit(int bank, const Moving& row, int column, std::int64_t count, const Moving* next) {
        const std::int64_t close = std::min<std::int64_t>(count, kClose),
                           open = std::min<std::int64_t>(count, kOpen);
        m_to.run("RD_AB", bank, row, column, close);
        m_to("PRE_AB", {1 - bank});
        if (open > close)
            m_to.run("RD_AB", bank, row, column + close, open - close);
        if (next != nullptr)
            m_to("ACT_AB", {1 - bank, *next});
        if (count > open)
            m_to.run("RD_AB", bank, row, column + open, count - open);
    }

    void storeResults(const Sweep& sweep) {
        m_to("ACT_AB", {1, sweep.resultRow});
        m_to.run("WR_AB", 1, sweep.resultRow, sweep.column, m_layout.results());
        m_to("PRE_AB", {1});
    }

    void lanes(const Sweep& sweep) {
        m_to("ACT_AB", {1, G::kRegisterRow});
        control(1, true, true);
        if (m_layout.fill()) {
            m_to("PRE_AB", {1});
            m_to("ACT_AB", {1, operandRow(sweep, 0, 0)});
        }
        const std::int64_t pairs = (m_layout.tiles() - 1) / 2;
        const Moving pair = m_to.loop(pairs);
        for (int odd = 0; odd < 2; ++odd)
            tile(sweep, pair, odd, m_registers, false);
        m_to.end();
        const bool both = m_layout.tiles() % 2 == 0;
        if (both)
            tile(sweep, pairs, 0, m_registers, false);
        tile(sweep, pairs, both ? 1 : 0, m_layout.lastBursts(), true);
        storeResults(sweep);
    }

    /// Row of x in the banks (form Lanes with fill): of tile 2 * pair + odd.
    Moving operandRow(const Sweep& sweep, const Moving& pair, int odd) const {
        const std::int64_t perPair = m_layout.xRow(0, 2) - m_layout.xRow(0, 0);
        return sweep.operandRow + pair * perPair + (m_layout.xRow(0, odd) - m_layout.xRow(0, 0));
    }

    /// x into the registers through the banks that the tile does not begin with, then the products. Before
    /// and after it those banks have the row for that open, the others are closed.
    void tile(const Sweep& sweep, const Moving& pair, int odd, std::int64_t bursts, bool last) {
        const int first = m_layout.visitBank(odd, 0), other = 1 - first;
        const auto row = [&](int n) {
            return sweep.matrix * m_layout.sweepRows() + pair * m_layout.rowsOfTile() +
                   m_layout.visitRow(0, odd, n);
        };
        const auto loadTo = [&](std::int64_t from, std::int64_t end) {
            if (m_layout.fill())
                return m_to.run("RD_AB", other, operandRow(sweep, pair, odd),
                                from + (m_layout.packed() ? sweep.column : 0), end - from);
            const Moving tileOfAll = sweep.vector * m_layout.tiles() + pair * 2 + odd;
            for (std::int64_t j = from; j < end; ++j) {
                const int reg = m_layout.registerOf(odd, int(j));
                m_to("WRR_AB", {other, G::kRegisterRow, G::firstRegisterColumn(m_registers) + reg,
                                m_layout.bufferTensor(), tileOfAll * m_registers + reg});
            }
        };
        const std::int64_t loads = m_layout.fill() ? m_registers : bursts,
                           before = std::min<std::int64_t>(loads, kWritesBeforeOpen);
        loadTo(0, before);
        m_to("ACT_AB", {first, row(0)});
        if (loads > before)
            loadTo(before, loads);
        const int groups = m_layout.groupsOfRow(), visits = int(dram::ceilDiv(bursts, groups));
        const Moving next = !m_layout.fill() ? Moving(G::kRegisterRow)
                            : odd == 0       ? operandRow(sweep, pair, 1)
                                             : operandRow(sweep, pair + 1, 0);
        for (int n = 0; n < visits; ++n) {
            const std::int64_t columns =
                std::min<std::int64_t>(groups, bursts - std::int64_t(n) * groups) * m_registers;
            const bool isLast = n + 1 == visits;
            const Moving following = isLast ? next : row(n + 1);
            visit(m_layout.visitBank(odd, n), row(n), 0, columns,
                  !isLast || (!last && m_layout.alternates()) ? &following : nullptr);
        }
        m_to("PRE_AB", {m_layout.visitBank(odd, visits - 1)});
        if (!last && !m_layout.alternates())
            m_to("ACT_AB", {other, next});
    }

    void scalars(const Sweep& sweep) {
        constexpr int kHalf = CodeLayout::kColumns / 2;
        const Moving first = sweep.matrix * m_layout.sweepRows();
        m_to("ACT_AB", {1, G::kRegisterRow});
        control(1, true, true);
        m_to("ACT_AB", {0, first});
        const Moving tile = m_to.loop(m_layout.tiles());
        const Moving row = first + tile * m_layout.rowsOfTile();
        m_to("WRR_AB", {1, G::kRegisterRow, kSrfColumn, m_layout.bufferTensor(),
                        sweep.vector * m_layout.tiles() + tile});
        const int chunks = 2 * m_layout.rowsOfTile();
        for (int n = 0; n <= chunks;
             ++n) { // half a row of the even banks, whole ones in turn, half a row of the even ones
            const Moving next = n == chunks ? Moving(G::kRegisterRow) : row + (n + 1) / 2;
            const bool half = n == 0 || n == chunks;
            visit(n % 2, row + n / 2, n == 0 ? kHalf : 0, half ? kHalf : CodeLayout::kColumns, &next);
        }
        m_to.end();
        m_to("PRE_AB", {0});
        m_to("PRE_AB", {1});
        storeResults(sweep);
    }

    void sum(const Sweep& sweep) {
        const std::int64_t perRow = m_layout.groupsOfRow(), visits = dram::ceilDiv(m_layout.steps(), perRow);
        const Moving first = sweep.matrix * m_layout.sweepRows();
        m_to("ACT_AB", {1, G::kRegisterRow});
        control(1, true, true);
        m_to("ACT_AB", {0, first});
        const auto one = [&](const Moving& pair, int bank, bool last) {
            const std::int64_t steps = last ? m_layout.steps() - (visits - 1) * perRow : perRow;
            const Moving next = first + pair + bank;
            visit(bank, first + pair, 0, steps * m_registers, last ? nullptr : &next);
        };
        const std::int64_t pairs = (visits - 1) / 2;
        const Moving pair = m_to.loop(pairs);
        one(pair, 0, false);
        one(pair, 1, false);
        m_to.end();
        const bool both = visits % 2 == 0;
        one(pairs, 0, !both);
        if (both)
            one(pairs, 1, true);
        m_to("PRE_AB", {both ? 1 : 0});
        storeResults(sweep);
    }

    void map(const MapFunction& function) {
        m_to("ACT_AB", {0, G::kRegisterRow});
        control(0, true, false);
        m_to("PRE_AB", {0});
        const std::int64_t perRow = m_layout.unitsOfRow(), rows = dram::ceilDiv(m_layout.units(), perRow);
        const int last = int(m_layout.units() - (rows - 1) * perRow);
        if (m_layout.rowsOfUnit() > 1) {
            mapUnit(function, m_to.loop(rows) * m_layout.rowsOfUnit());
            m_to.end();
            return;
        }
        m_to("ACT_AB", {0, 0});
        const Moving row = m_to.loop(rows - 1);
        mapRow(function, row, int(perRow), false);
        m_to.end();
        mapRow(function, rows - 1, last, true);
    }

    void mapReads(int operand, const Moving& row, int column) {
        for (int file = 0; file < 2; ++file)
            m_to.run("RD_AB", (operand + file) % 2, row, column, m_registers);
    }

    void mapResults(const MapFunction& function, const Moving& row, int column) {
        if (function.reluLast) // registers only, whatever row is open
            for (int file = 0; file < 2; ++file)
                m_to.run("RD_AB", file, row, column, m_registers);
        for (int file = 0; file < 2; ++file)
            m_to.run("WR_AB", file, row, column, m_registers);
    }

    /// Some units that lie side by side. The even banks have the row open; at the end they have the next one,
    /// if any.
    void mapRow(const MapFunction& function, const Moving& row, int units, bool last) {
        const int operands = int(m_layout.operands().size());
        for (int unit = 0; unit < units; ++unit) {
            for (int operand = 0; operand < operands; ++operand) {
                const int column = m_layout.slot(operand, unit).second;
                if (unit > 0 || operand > 0) {
                    mapReads(operand, row, column);
                    continue;
                }
                m_to.run("RD_AB", 0, row, column, 1);
                m_to("ACT_AB", {1, row});
                m_to.run("RD_AB", 0, row, column + 1, m_registers - 1);
                m_to.run("RD_AB", 1, row, column, m_registers);
            }
            mapResults(function, row, m_layout.slot(operands, unit).second);
        }
        m_to("PRE_AB", {0});
        if (!last)
            m_to("ACT_AB", {0, row + 1});
        m_to("PRE_AB", {1});
    }

    /// One that takes several rows.
    void mapUnit(const MapFunction& function, const Moving& first) {
        const int operands = int(m_layout.operands().size());
        for (int operand = 0; operand <= operands; ++operand) {
            const auto [row, column] = m_layout.slot(operand, 0);
            if (operand == 0 || row != m_layout.slot(operand - 1, 0).first) {
                for (int bank = 0; operand > 0 && bank < 2; ++bank)
                    m_to("PRE_AB", {bank});
                for (const int bank : {0, 1})
                    m_to("ACT_AB", {bank, first + row});
            }
            if (operand < operands)
                mapReads(operand, first + row, column);
            else
                mapResults(function, first + row, column);
        }
        for (const int bank : {0, 1})
            m_to("PRE_AB", {bank});
    }

    const CodeLayout& m_layout;
    Emitter& m_to;
    std::vector<PimWord>& m_constants;
    int m_registers;
    std::int64_t m_zero = 0;
};

/// Working blocks in an order that changes first the half of the channel (on HBM3 one of two pseudo-channels
/// of the standard, each with a bus), then the rank, then the bank group from one to the next, so that
/// neither the activation window nor the longer distances within a bank group count.
std::vector<int> interleaved(const CodeLayout& layout) {
    const int ranks = layout.machine().blocks / G::kBlocks, half = std::max(1, ranks / 2);
    const auto place = [half](int core) {
        const int rank = core / G::kBlocks;
        return std::tuple(core % 2, core % G::kBlocks / 2, rank % half, rank / half);
    };
    std::vector<int> cores = layout.cores();
    std::sort(cores.begin(), cores.end(), [&](int a, int b) { return place(a) < place(b); });
    return cores;
}

/// Accesses of the host to the same rows and columns of all blocks, row by row.
class HostStream {
public:
    HostStream(const CodeLayout& layout, Emitter& to)
        : m_layout(layout), m_to(to), m_cores(interleaved(layout)) {}

    /// Tensors that lie side by side in the same rows are written while these are open.
    void write(const std::vector<CodeLayout::BankTensor>& tensors, bool resident) {
        std::vector<Part> parts;
        for (const CodeLayout::BankTensor& tensor : tensors)
            for (const Segment& segment : tensor.segments)
                if (tensor.resident == resident)
                    parts.push_back({tensor.tensor, segment});
        while (!parts.empty()) {
            const Segment& rows = parts.front().segment;
            const auto others = std::stable_partition(parts.begin(), parts.end(), [&](const Part& part) {
                return std::tuple(part.segment.row, part.segment.rows, part.segment.rowStep,
                                  part.segment.firstBank, part.segment.banks) ==
                       std::tuple(rows.row, rows.rows, rows.rowStep, rows.firstBank, rows.banks);
            });
            access("WR", {parts.begin(), others});
            parts.erase(parts.begin(), others);
        }
    }
    /// Results, a few columns beside the next few in each row.
    void results() {
        const std::int64_t perRow = m_layout.groupsOfRow(), inner = m_layout.innerResults();
        const Moving outer = m_to.loop(m_layout.batches() * m_layout.outerResults());
        const Moving first = outer * m_layout.resultRowsOfInner() + m_layout.resultRow();
        const Moving full = m_to.loop(inner / perRow);
        resultRow(first + full, perRow);
        m_to.end();
        if (inner % perRow > 0)
            resultRow(first + inner / perRow, inner % perRow);
        m_to.end();
    }
    void mapResults() {
        for (int inRow = 0; inRow < m_layout.unitsOfRow() && inRow < m_layout.units(); ++inRow)
            access("RD",
                   {{m_layout.outputTensor(), m_layout.mapSegment(int(m_layout.operands().size()), inRow)}});
    }

private:
    struct Part {
        int tensor = -1;
        Segment segment;
    };

    /// Columns of rows that all parts have in common.
    void access(std::string_view opcode, const std::vector<Part>& parts) {
        const Segment rows = parts.front().segment;
        const Moving row = m_to.loop(rows.rows) * rows.rowStep + rows.row;
        for (int bank = rows.firstBank; bank < rows.firstBank + rows.banks; ++bank)
            for (const int core : m_cores)
                m_to("ACT", {2 * core + bank, row});
        for (const Part& part : parts) {
            const Moving column = m_to.loop(part.segment.columns) + part.segment.column;
            for (int bank = rows.firstBank; bank < rows.firstBank + rows.banks; ++bank)
                for (const int core : m_cores)
                    m_to(opcode,
                         {2 * core + bank, row, column, part.tensor,
                          row * (2 * CodeLayout::kColumns) + column + m_layout.bankBurst(core, 0, bank, 0)});
            m_to.end();
        }
        m_to("PREA");
        m_to.end();
    }
    void resultRow(const Moving& row, std::int64_t groups) {
        for (const int core : m_cores)
            m_to("ACT", {2 * core + 1, row});
        const Moving group = m_to.loop(groups), reg = m_to.loop(m_layout.results());
        const Moving column = group * m_layout.machine().registers + reg;
        for (const int core : m_cores)
            m_to("RD", {2 * core + 1, row, column, m_layout.outputTensor(),
                        row * (2 * CodeLayout::kColumns) + column + m_layout.bankBurst(core, 0, 1, 0)});
        m_to.end();
        m_to.end();
        m_to("PREA");
    }

    const CodeLayout& m_layout;
    Emitter& m_to;
    std::vector<int> m_cores;
};

} // namespace

std::vector<Opcode> opcodes() {
    return {{"ACT", {"bank", "row"}, "Open a row of one bank."},
            {"PRE", {"bank"}, "Close the row of one bank."},
            {"PREA", {}, "Close the rows of all banks."},
            {"RD", {"bank", "row", "col", "tensor", "burst"}, "Read 32 B of one bank over the bus."},
            {"WR", {"bank", "row", "col", "tensor", "burst"}, "Write 32 B into one bank."},
            {"ACT_AB", {"bank", "row"}, "Open a row of all even (bank 0) or all odd (bank 1) banks."},
            {"PRE_AB", {"bank"}, "Close the rows of all even or all odd banks."},
            {"RD_AB",
             {"bank", "row", "col"},
             "Every block takes the next step of its program, with 32 B of its bank."},
            {"WR_AB",
             {"bank", "row", "col"},
             "Every block takes the next step: it stores a register into its bank."},
            {"WRR_AB",
             {"bank", "row", "reg", "tensor", "burst"},
             "Write 32 B into a register, the program or the mode register of all blocks."}};
}

PimCode codeOf(std::shared_ptr<const CodeLayout> layout, const MapFunction& function,
               const std::string& unit) {
    PimCode code;
    Program& program = code.program;
    program.opcodes = opcodes();
    const auto phase = [&](const char* name, const auto& fill) {
        Emitter to(program.opcodes);
        fill(to);
        program.phases.push_back({name, {{unit, to.take()}}});
    };
    const auto write = [&](bool resident) {
        return [&layout, resident](Emitter& to) {
            HostStream(*layout, to).write(layout->bankTensors(), resident);
        };
    };
    const auto& inBanks = layout->bankTensors();
    if (std::any_of(inBanks.begin(), inBanks.end(), [](const auto& tensor) { return tensor.resident; }))
        phase("load", write(true));
    phase("input", write(false));
    phase("compute", [&](Emitter& to) { ComputeStream(*layout, to, code.constants).emit(function); });
    phase("output", [&](Emitter& to) {
        HostStream host(*layout, to);
        layout->form() == Form::Map ? host.mapResults() : host.results();
    });
    code.groups = layout->groups();
    code.rows = layout->rows();
    code.type = DataType::F16;
    code.operands = std::move(layout);
    return code;
}

} // namespace pim::hbm
