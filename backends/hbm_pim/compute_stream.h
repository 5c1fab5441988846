// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the blocks are told between entering and leaving all-bank mode, command by command: rows opened while
/// others are computed on, registers written, results stored. Written once for whoever listens: the code
/// (code_streams.cpp) and its price (step_timer.h).
#include "backends/dram_pim/machine.h"
#include "backends/hbm_pim/code_streams.h"

#include <algorithm>

namespace pim::hbm {

inline constexpr int kConstants = -1; ///< As a tensor.

inline std::int64_t keepConstant(std::vector<PimWord>& constants, const PimWord& word) {
    const auto known = std::find(constants.begin(), constants.end(), word);
    if (known != constants.end())
        return known - constants.begin();
    constants.push_back(word);
    return std::int64_t(constants.size()) - 1;
}

/// \tparam Sink takes the commands: kSweepsAreAlike (columns do not matter), a type Number that may move with
/// loops, `Number loop(turns)`, `end()`, `operator()(opcode, operands)`, and `run(opcode, bank, row, column,
/// count)` for accesses to columns in a row.
template <class Sink>
class ComputeStream {
public:
    ComputeStream(const CodePlan& plan, Sink& to, std::vector<PimWord>& constants)
        : m_plan(plan), m_to(to), m_constants(constants), m_registers(plan.machine().registers) {}

    /// The microprogram goes into the blocks.
    void begin(const MapFunction& function) {
        const auto program = microprogram(m_plan, function);
        if (m_plan.oneRow())
            return beginOneRow(program);
        if (beginsMap())
            return beginMap(program);
        if (!m_plan.programInSweep(wordsOf(program)))
            writeProgram(program);
    }
    void compute(const MapFunction& function) {
        if (m_plan.oneRow())
            return oneRow(function);
        if (m_plan.form() == Form::Map)
            return map(function);
        if (const auto program = microprogram(m_plan, function); m_plan.programInSweep(wordsOf(program)))
            m_program = program;
        sweeps();
    }
    /// PIM mode off, and back to the mode of single banks: closing the rows does it. The odd banks open
    /// theirs while the even ones still have the register row.
    void finish() {
        if (m_plan.oneRow())
            return finishOneRow();
        m_to("ACT_AB", {0, G::kRegisterRow});
        control(0, false, false);
        m_to("ACT_AB", {1, G::kLeaveRow});
        m_to("PRE_AB", {0});
        m_to("ACT_AB", {0, G::kLeaveRow});
        for (const int bank : {1, 0})
            m_to("PRE_AB", {bank});
    }

    /// Rows as an op leaves them whose result stays in place.
    void beContinued() {
        if (!m_plan.oneRow())
            return;
        m_to("ACT_AB", {1, G::kRegisterRow});
        m_to("ACT_AB", {0, 0});
    }

private:
    using G = HbmPimGeometry;
    using Number = typename Sink::Number;
    static constexpr int kControlColumn = 0, kSrfColumn = 1, kCrfColumn = 4;
    /// Column commands after a row was last used, or opened, before the next row command is due: nothing
    /// waits for it then.
    static constexpr int kClose = 3, kOpen = 8;
    static constexpr int kWritesBeforeOpen = 2;

    void writeConstant(int bank, int row, int column, std::int64_t constant) {
        m_to("WRR_AB", {bank, row, column, kConstants, constant});
    }

    static std::size_t wordsOf(const std::vector<std::uint32_t>& program) { return (program.size() + 7) / 8; }
    /// The register row of these banks is open.
    void writeWords(int bank, const std::vector<std::uint32_t>& program) {
        for (std::size_t first = 0; first < program.size(); first += 8) {
            PimWord word{};
            for (std::size_t i = first; i < std::min(first + 8, program.size()); ++i) {
                word[2 * (i - first)] = std::uint16_t(program[i]);
                word[2 * (i - first) + 1] = std::uint16_t(program[i] >> 16);
            }
            writeConstant(bank, G::kRegisterRow, kCrfColumn + int(first / 8),
                          keepConstant(m_constants, word));
        }
    }
    /// Through the banks that do not open the register row next: which ones it is does not matter to
    /// registers.
    void writeProgram(const std::vector<std::uint32_t>& program) {
        const int bank = m_plan.form() == Form::Map ? 1 : 0;
        m_to("ACT_AB", {bank, G::kRegisterRow});
        writeWords(bank, program);
        m_to("PRE_AB", {bank});
    }
    /// PIM mode on, from the first instruction, or off.
    void control(int bank, bool on, bool clearResults) {
        PimWord word{};
        word[0] = on ? 1 : 0;
        word[10] = !clearResults ? 0 : m_plan.oneRow() ? 1 : 1 << 8; // byte 20: GRF_A, 21: GRF_B
        writeConstant(bank, G::kRegisterRow, kControlColumn, keepConstant(m_constants, word));
    }

    // --- all of an op in one row of the even banks, the odd ones with the registers

    void beginOneRow(const std::vector<std::uint32_t>& program) {
        const bool opens = !m_plan.staysInMode();
        if (opens)
            m_to("ACT_AB", {1, G::kRegisterRow});
        writeWords(1, program);
        if (opens)
            m_to("ACT_AB", {0, 0});
        control(1, true, m_plan.form() == Form::Sum);
    }
    /// Results are stored with the program left, when accesses move registers of their columns: so the odd banks can close
    /// the register row meanwhile.
    void oneRow(const MapFunction& function) {
        if (m_plan.form() == Form::Sum) {
            m_to.run("RD_AB", 0, 0, 0, m_plan.operandColumns());
        } else {
            const Number result = m_to.loop(m_plan.results());
            for (int operand = 0; operand < m_plan.inputs(); ++operand)
                m_to("RD_AB", {0, 0, result + operand * m_plan.results()});
            if (function.reluLast) // registers only
                m_to("RD_AB", {0, 0, result});
            m_to.end();
        }
        control(1, false, false);
        m_to.run("WR_AB", 0, 0, m_plan.resultColumn(), m_plan.results());
    }
    void finishOneRow() {
        for (const int bank : {1, 0}) {
            m_to("PRE_AB", {bank});
            m_to("ACT_AB", {bank, G::kLeaveRow});
        }
        for (const int bank : {1, 0})
            m_to("PRE_AB", {bank});
    }

    /// Element-wise ops are told to begin with the row of the program open, while the first row of data opens.
    bool beginsMap() const { return m_plan.form() == Form::Map && m_plan.machine().passes.modeSequence; }
    void beginMap(const std::vector<std::uint32_t>& program) {
        m_to("ACT_AB", {1, G::kRegisterRow});
        writeWords(1, program);
        if (m_plan.rowsOfUnit() == 1)
            m_to("ACT_AB", {0, 0});
        control(1, true, false);
        m_to("PRE_AB", {1});
    }

    /// A vector of x and the columns of results it leaves.
    struct Sweep {
        Number matrix{};     ///< Counted over batches and sweeps of a vector.
        Number vector{};     ///< Counted over batches and vectors.
        Number operandRow{}; ///< Form Lanes with fill: of the first tile of x.
        Number resultRow{};
        std::int64_t column = 0; ///< Of the results, and of x where vectors lie side by side.
    };

    /// Batches, then the dimension of results that rows count, then the one side by side in a row.
    void sweeps() {
        const std::int64_t perRow = m_plan.groupsOfRow(), inner = m_plan.innerResults();
        const bool alongVectors = m_plan.resultsAlongVectors();
        const Number batch = m_to.loop(m_plan.batches()), outer = m_to.loop(m_plan.outerResults());
        const auto one = [&](const Number& row, std::int64_t side) {
            const Number at = row * perRow + side;
            Sweep sweep;
            sweep.matrix = batch * m_plan.sweeps() + (alongVectors ? Number(0) : at);
            sweep.vector = batch * m_plan.bufferVectors() + (alongVectors ? at : outer);
            sweep.resultRow = (batch * m_plan.outerResults() + outer) * m_plan.resultRowsOfInner() + row +
                              m_plan.resultRow();
            sweep.operandRow =
                m_plan.packed() ? batch * m_plan.resultRowsOfInner() + row + m_plan.xRow(0, 0)
                                : sweep.vector * (m_plan.xRow(1, 0) - m_plan.xRow(0, 0)) + m_plan.xRow(0, 0);
            sweep.column = side * m_registers;
            switch (m_plan.form()) {
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
        if constexpr (Sink::kSweepsAreAlike) {
            one(m_to.loop(inner), 0);
            m_to.end();
        } else {
            const Number row = m_to.loop(inner / perRow);
            for (std::int64_t side = 0; side < perRow; ++side)
                one(row, side);
            m_to.end();
            for (std::int64_t side = 0; side < inner % perRow; ++side)
                one(inner / perRow, side);
        }
        m_to.end();
        m_to.end();
    }

    /// \p count bursts of a row meet the microprogram. Meanwhile the other banks close their row and open the
    /// next, if any.
    void visit(int bank, const Number& row, int column, std::int64_t count, const Number* next) {
        if (!m_plan.machine().passes.alternateBanks) {
            steps(bank, row, column, 0, count);
            m_to("PRE_AB", {1 - bank});
            if (next != nullptr)
                m_to("ACT_AB", {1 - bank, *next});
            return;
        }
        const std::int64_t close = std::min<std::int64_t>(count, kClose),
                           open = std::min<std::int64_t>(count, kOpen);
        steps(bank, row, column, 0, close);
        m_to("PRE_AB", {1 - bank});
        if (open > close)
            steps(bank, row, column, close, open);
        if (next != nullptr)
            m_to("ACT_AB", {1 - bank, *next});
        if (count > open)
            steps(bank, row, column, open, count);
    }
    /// The commands [from, end) of a row that is computed on from a column on; with short groups, not all columns.
    void steps(int bank, const Number& row, int column, std::int64_t from, std::int64_t end) {
        const std::int64_t wide = m_plan.groupColumns();
        if (wide == m_registers)
            return m_to.run("RD_AB", bank, row, column + from, end - from);
        while (from < end) {
            const std::int64_t inGroup = from % wide, count = std::min(wide - inGroup, end - from);
            m_to.run("RD_AB", bank, row, column + from / wide * m_registers + inGroup, count);
            from += count;
        }
    }

    void storeResults(const Sweep& sweep) {
        m_to("ACT_AB", {1, sweep.resultRow});
        m_to.run("WR_AB", 1, sweep.resultRow, sweep.column, m_plan.results());
        m_to("PRE_AB", {1});
    }

    /// The register row of the odd banks opens; PIM mode on.
    void beginSweep() {
        m_to("ACT_AB", {1, G::kRegisterRow});
        writeWords(1, m_program);
        control(1, true, true);
    }

    void lanes(const Sweep& sweep) {
        beginSweep();
        if (m_plan.fill()) {
            m_to("PRE_AB", {1});
            m_to("ACT_AB", {1, operandRow(sweep, 0, 0)});
        }
        const std::int64_t pairs = (m_plan.tiles() - 1) / 2;
        const Number pair = m_to.loop(pairs);
        for (int odd = 0; odd < 2; ++odd)
            tile(sweep, pair, odd, m_registers, false);
        m_to.end();
        const bool both = m_plan.tiles() % 2 == 0;
        if (both)
            tile(sweep, pairs, 0, m_registers, false);
        tile(sweep, pairs, both ? 1 : 0, m_plan.lastBursts(), true);
        storeResults(sweep);
    }

    /// Row of x in the banks (form Lanes with fill): of tile 2 * pair + odd.
    Number operandRow(const Sweep& sweep, const Number& pair, int odd) const {
        const std::int64_t perPair = m_plan.xRow(0, 2) - m_plan.xRow(0, 0);
        return sweep.operandRow + pair * perPair + (m_plan.xRow(0, odd) - m_plan.xRow(0, 0));
    }

    /// x into the registers through the banks that the tile does not begin with, then the products. Before
    /// and after it those banks have the row for that open, the others are closed.
    void tile(const Sweep& sweep, const Number& pair, int odd, std::int64_t bursts, bool last) {
        const int first = m_plan.visitBank(odd, 0), other = 1 - first;
        const auto row = [&](int n) {
            return sweep.matrix * m_plan.sweepRows() + pair * m_plan.rowsOfTile() +
                   m_plan.visitRow(0, odd, n);
        };
        const auto loadTo = [&](std::int64_t from, std::int64_t end) {
            if (m_plan.fill())
                return m_to.run("RD_AB", other, operandRow(sweep, pair, odd),
                                from + (m_plan.packed() ? sweep.column : 0), end - from);
            const Number tileOfAll = sweep.vector * m_plan.tiles() + pair * 2 + odd;
            for (std::int64_t j = from; j < end; ++j) {
                const int reg = m_plan.registerOf(odd, int(j));
                m_to("WRR_AB", {other, G::kRegisterRow, G::firstRegisterColumn(m_registers) + reg,
                                m_plan.bufferTensor(), tileOfAll * m_registers + reg});
            }
        };
        const std::int64_t loads = m_plan.fill() ? m_registers : bursts,
                           before = std::min<std::int64_t>(loads, kWritesBeforeOpen);
        loadTo(0, before);
        m_to("ACT_AB", {first, row(0)});
        if (loads > before)
            loadTo(before, loads);
        const int groups = m_plan.groupsOfRow(), visits = int(dram::ceilDiv(bursts, groups));
        const Number next = !m_plan.fill() ? Number(G::kRegisterRow)
                            : odd == 0     ? operandRow(sweep, pair, 1)
                                           : operandRow(sweep, pair + 1, 0);
        for (int n = 0; n < visits; ++n) {
            const std::int64_t columns =
                std::min<std::int64_t>(groups, bursts - std::int64_t(n) * groups) * m_plan.groupColumns();
            const bool isLast = n + 1 == visits;
            const Number following = isLast ? next : row(n + 1);
            visit(m_plan.visitBank(odd, n), row(n), 0, columns,
                  !isLast || (!last && m_plan.alternates()) ? &following : nullptr);
        }
        m_to("PRE_AB", {m_plan.visitBank(odd, visits - 1)});
        if (!last && !m_plan.alternates())
            m_to("ACT_AB", {other, next});
    }

    void scalars(const Sweep& sweep) {
        constexpr int kHalf = CodePlan::kColumns / 2;
        const Number first = sweep.matrix * m_plan.sweepRows();
        beginSweep();
        m_to("ACT_AB", {0, first});
        const Number tile = m_to.loop(m_plan.tiles());
        const Number row = first + tile * m_plan.rowsOfTile();
        m_to("WRR_AB",
             {1, G::kRegisterRow, kSrfColumn, m_plan.bufferTensor(), sweep.vector * m_plan.tiles() + tile});
        const int chunks = 2 * m_plan.rowsOfTile();
        for (int n = 0; n <= chunks;
             ++n) { // half a row of the even banks, whole ones in turn, half a row of the even ones
            const Number next = n == chunks ? Number(G::kRegisterRow) : row + (n + 1) / 2;
            const bool half = n == 0 || n == chunks;
            visit(n % 2, row + n / 2, n == 0 ? kHalf : 0, half ? kHalf : CodePlan::kColumns, &next);
        }
        m_to.end();
        m_to("PRE_AB", {0});
        m_to("PRE_AB", {1});
        storeResults(sweep);
    }

    void sum(const Sweep& sweep) {
        const std::int64_t perRow = m_plan.groupsOfRow(), visits = dram::ceilDiv(m_plan.steps(), perRow);
        const Number first = sweep.matrix * m_plan.sweepRows();
        beginSweep();
        m_to("ACT_AB", {0, first});
        const auto one = [&](const Number& pair, int bank, bool last) {
            const std::int64_t steps = last ? m_plan.steps() - (visits - 1) * perRow : perRow;
            const Number next = first + pair + bank;
            visit(bank, first + pair, 0, steps * m_registers, last ? nullptr : &next);
        };
        const std::int64_t pairs = (visits - 1) / 2;
        const Number pair = m_to.loop(pairs);
        one(pair, 0, false);
        one(pair, 1, false);
        m_to.end();
        const bool both = visits % 2 == 0;
        one(pairs, 0, !both);
        if (both)
            one(pairs, 1, true);
        if (m_plan.registerAdditions() > 0) // any column will do
            m_to.run("RD_AB", both ? 1 : 0, first + pairs, 0, m_plan.registerAdditions());
        m_to("PRE_AB", {both ? 1 : 0});
        storeResults(sweep);
    }

    void map(const MapFunction& function) {
        if (!beginsMap()) {
            m_to("ACT_AB", {0, G::kRegisterRow});
            control(0, true, false);
            m_to("PRE_AB", {0});
        }
        const std::int64_t perRow = m_plan.unitsOfRow(), rows = dram::ceilDiv(m_plan.units(), perRow);
        const int last = int(m_plan.units() - (rows - 1) * perRow);
        if (m_plan.rowsOfUnit() > 1) {
            mapUnit(function, m_to.loop(rows) * m_plan.rowsOfUnit());
            m_to.end();
            return;
        }
        if (!beginsMap())
            m_to("ACT_AB", {0, 0});
        const Number row = m_to.loop(rows - 1);
        mapRow(function, row, int(perRow), false);
        m_to.end();
        mapRow(function, rows - 1, last, true);
    }

    void mapReads(int operand, const Number& row, int column) {
        for (int file = 0; file < 2; ++file)
            m_to.run("RD_AB", (operand + file) % 2, row, column, m_registers);
    }

    void mapResults(const MapFunction& function, const Number& row, int column) {
        if (function.reluLast) // registers only, whatever row is open
            for (int file = 0; file < 2; ++file)
                m_to.run("RD_AB", file, row, column, m_registers);
        for (int file = 0; file < 2; ++file)
            m_to.run("WR_AB", file, row, column, m_registers);
    }

    /// Some units that lie side by side. The even banks have the row open; at the end they have the next one,
    /// if any.
    void mapRow(const MapFunction& function, const Number& row, int units, bool last) {
        const int operands = m_plan.inputs();
        for (int unit = 0; unit < units; ++unit) {
            for (int operand = 0; operand < operands; ++operand) {
                const int column = m_plan.slot(operand, unit).second;
                if (unit > 0 || operand > 0) {
                    mapReads(operand, row, column);
                    continue;
                }
                m_to.run("RD_AB", 0, row, column, 1);
                m_to("ACT_AB", {1, row});
                m_to.run("RD_AB", 0, row, column + 1, m_registers - 1);
                m_to.run("RD_AB", 1, row, column, m_registers);
            }
            mapResults(function, row, m_plan.slot(operands, unit).second);
        }
        m_to("PRE_AB", {0});
        if (!last)
            m_to("ACT_AB", {0, row + 1});
        m_to("PRE_AB", {1});
    }

    /// One that takes several rows.
    void mapUnit(const MapFunction& function, const Number& first) {
        const int operands = m_plan.inputs();
        for (int operand = 0; operand <= operands; ++operand) {
            const auto [row, column] = m_plan.slot(operand, 0);
            if (operand == 0 || row != m_plan.slot(operand - 1, 0).first) {
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

    const CodePlan& m_plan;
    Sink& m_to;
    std::vector<PimWord>& m_constants;
    int m_registers;
    std::vector<std::uint32_t> m_program; ///< That every sweep writes; empty: it is there already.
};

} // namespace pim::hbm
