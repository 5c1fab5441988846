// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What code for HBM-PIM blocks is made of: its form, how often the blocks do what, which rows that takes.
/// Counts only, so that it serves for pricing drafts by the thousand; which element lies where is added by
/// code_layout.h. Flow: kernel + draft summary -> [CodePlan] -> commands (code_streams.h), price
/// (channel_work.h).
///
/// A block has an even and an odd bank; the rows that are computed on alternate between them, so that one
/// opens while the other is read. Forms:
///   Lanes    a burst of the bank operand is 16 elements of a vector; 16 of the other operand are in a
///            register, results are 16 partial sums, added up by the host
///   Scalars  a burst of the bank operand is one element of 16 vectors; the other operand comes from a scalar
///            register, 8 elements at once; results are 16 outputs. All blocks of a group have to share the
///            other operand
///   Sum      no other operand: bursts are added up in the registers, lanes along the outputs or along the
///   sum Map      element-wise
/// A sweep is what is computed before results leave the registers: as many bursts of results as a register
/// file holds.
#include "backends/dram_pim/dot_products.h"
#include "backends/hbm_pim/hbm_pim_machine.h"

#include <string>
#include <vector>

namespace pim::hbm {

enum class Form : std::uint8_t { Lanes, Scalars, Sum, Map };

/// Rows and columns of the banks of every block that a tensor occupies in the same way. Rows count from row 0
/// of the op.
struct Segment {
    int firstBank = 0, banks = 1; ///< Of the pair: 0 even, 1 odd.
    std::int64_t row = 0, rows = 1, rowStep = 1;
    int column = 0, columns = 32;
};

/// Dots and sums: the work of a block, and what its tensors are to the commands.
struct DotTask {
    dram::DotProducts work; ///< With bankTensor and bufferTensor.
    bool sum = false;
    bool fill = false; ///< Blocks of a group want different buffer operands, so these lie in the banks.
    int outputTensor = -1;
    bool bankResident = false, bufferResident = false;
    int cores = 1; ///< Blocks of a group that work.
};

/// Element-wise: tensors read, in order, and whether each is resident.
struct MapTask {
    std::int64_t bursts = 1; ///< Of a block.
    std::vector<std::pair<int, bool>> inputs;
    int outputTensor = -1;
    /// The first operand lies where the op before left it; blocks are in all-bank mode still.
    bool takes = false;
    bool keeps = false; ///< The result stays where it is for the next op; blocks stay in all-bank mode.
    bool inPlace() const { return takes || keeps; }
};
/// The task of a kernel but its bursts: an operand that is taken in place comes first, which the operations allow.
MapTask mapTaskOf(const Kernel& kernel, const std::vector<Residency>& residency);

class CodePlan {
public:
    static constexpr int kColumns = 32;      ///< Bursts of a row.
    static constexpr int kScalars = 8;       ///< Of a tile in the form Scalars.
    static constexpr int kInstructions = 32; ///< Of a microprogram.

    CodePlan() = default;
    /// \param form Lanes or Scalars (not with fill); Sum for a sum.
    CodePlan(const DotTask& task, Form form, const Machine& machine);
    CodePlan(const MapTask& task, const Machine& machine);

    Form form() const { return m_form; }
    const Machine& machine() const { return m_machine; }
    std::int64_t rows() const { return m_rows; }
    /// Sum and Map: operands, then results, lie in row 0 of the even bank; the odd banks have the register row open
    /// meanwhile. Operands (Map) or what goes into a register (Sum) lie one behind the other.
    bool oneRow() const { return m_oneRow; }
    int operandColumns() const { return m_operandColumns; } ///< oneRow: results lie behind them.
    int resultColumn() const { return m_inPlace ? 0 : m_operandColumns; } ///< oneRow: of the first result.
    Segment oneRowResults() const { return {0, 1, 0, 1, 1, resultColumn(), m_results}; }
    int oneRowRegister(int result) const {
        return (resultColumn() + result) % m_machine.registers;
    } ///< Of GRF_A.
    /// An op lies below the rows that are registers and modes.
    bool fits() const { return m_rows <= HbmPimGeometry::kDataRows; }

    // Dots and sums: batches x bufferVectors x sweepsOfVector sweeps of `tiles` tiles.
    std::int64_t batches() const { return m_work.batches; }
    std::int64_t bufferVectors() const { return m_work.bufferVectors; }
    std::int64_t sweeps() const { return m_sweeps; } ///< For one vector of the buffer.
    std::int64_t tiles() const { return m_tiles; }   ///< Lanes: of R bursts of x; Scalars: of 8 elements.
    std::int64_t lastBursts() const { return m_lastBursts; } ///< Lanes: bursts of x that the last tile has.
    std::int64_t steps() const { return m_steps; }           ///< Sum: bursts added up in each register.
    int results() const { return m_results; }                ///< Registers with results, of a sweep.
    bool fill() const { return m_fill; }             ///< Lanes: x lies in the banks, each block has its own.
    bool alternates() const { return m_alternates; } ///< Lanes: odd tiles begin with the odd banks.
    /// Lanes: columns of a group (as many bursts of the matrix as there are registers, for one of x) that are computed on.
    int groupColumns() const { return m_groupColumns > 0 ? m_groupColumns : m_machine.registers; }
    int groupsOfRow() const { return kColumns / m_machine.registers; }
    int rowsOfTile() const; ///< Lanes: in both banks together; Scalars, Sum: in each.

    /// Lanes: bank and row of the n-th row of a tile. \param sweep counted over batches and sweeps.
    int visitBank(std::int64_t tile, int visit) const;
    std::int64_t visitRow(std::int64_t sweep, std::int64_t tile, int visit) const;
    /// Lanes: register of the j-th burst of x of a tile.
    int registerOf(std::int64_t tile, int burst) const;
    std::int64_t sweepRows() const; ///< Of a bank, from the first row of a sweep to that of the next.
    /// Lanes with fill: row of x of a tile. With packed() vectors of one tile lie side by side, groupsOfRow()
    /// in a row.
    std::int64_t xRow(std::int64_t vector, std::int64_t tile) const;
    bool packed() const { return m_fill && m_tiles == 1 && m_sweeps == 1; }
    std::int64_t resultRow() const { return m_resultRow; }
    /// Sum: additions of registers when all bursts are in.
    int registerAdditions() const {
        return m_form == Form::Sum && !m_oneRow && !alongOutputs() ? m_machine.registers - m_results : 0;
    }
    int sumVectors() const { return m_sumVectors; }
    /// Each sweep writes the program, with the rows open that switch the mode: few sweeps, so that this is less than rows of
    /// its own.
    bool programInSweep(std::size_t words) const;
    /// Sweeps side by side in a row of results: the inner dimension of the two, batches excepted.
    bool resultsAlongVectors() const { return m_sweeps == 1; }
    std::int64_t innerResults() const { return resultsAlongVectors() ? bufferVectors() : m_sweeps; }
    std::int64_t outerResults() const { return resultsAlongVectors() ? 1 : bufferVectors(); }
    std::int64_t resultRowsOfInner() const;
    /// Results are 16 outputs each, not 16 parts of one.
    bool alongOutputs() const {
        return m_form == Form::Scalars || (m_form == Form::Sum && m_sumAlongOutputs);
    }

    // Map. In place, results overwrite the first operand, and all ops of a chain have the same places for both.
    int inputs() const { return m_inputs; }
    bool takes() const { return m_takes; } ///< MapTask::takes
    bool keeps() const { return m_keeps; }
    bool staysInMode() const {
        return m_takes && m_inputs == 1;
    } ///< Nothing comes over the bus before it computes.
    /// Do results of this plan lie where \p next, which takes them, reads its first operand?
    bool leavesFor(const CodePlan& next) const;
    std::int64_t units() const { return m_units; } ///< Of two register files each.
    int unitsOfRow() const { return m_unitsOfRow; }
    int rowsOfUnit() const { return m_rowsOfUnit; }
    int slotOf(int operand) const { return m_inPlace && operand == m_inputs ? 0 : operand; }
    /// Row within the unit and column of an operand (the result comes last) in both banks, \p inRow units
    /// into the row.
    std::pair<int, int> slot(int operand, int inRow) const;
    Segment mapSegment(int operand, int inRow) const; ///< Of all units that have that place in their row.

    /// Tensors that the host writes into banks, with what they occupy there.
    struct BankTensor {
        int tensor = -1;
        bool resident = false;
        std::vector<Segment> segments;
    };
    const std::vector<BankTensor>& bankTensors() const { return m_bankTensors; }
    struct Part {
        int tensor = -1;
        Segment segment;
    };
    /// What of them the host writes, parts that lie in the same rows together.
    std::vector<std::vector<Part>> writes(bool resident) const;
    /// That goes into registers over the bus; -1: none does.
    int bufferTensor() const { return m_bufferTensor; }
    int outputTensor() const { return m_outputTensor; }
    std::string describe() const; ///< "8 sweeps of 32 tiles, lanes along the sum"

protected:
    std::int64_t rowsOfVector() const; ///< Of x, in each bank that has any.

    Machine m_machine;
    Form m_form = Form::Lanes;
    std::int64_t m_rows = 0;

    dram::DotProducts m_work;
    std::int64_t m_sweeps = 1, m_tiles = 1, m_lastBursts = 0, m_steps = 0;
    std::int64_t m_sweepTiles = 1; ///< m_tiles with padding.
    int m_results = 1, m_groupColumns = 0;
    bool m_oneRow = false;
    int m_operandColumns = 0;
    bool m_fill = false, m_alternates = true;
    bool m_sumAlongOutputs = false;
    int m_sumVectors = 1, m_sumParts = 1; ///< Sum along the sum: registers are vectors x parts of a sum.
    std::int64_t m_matrixRows = 0, m_xFirstRow = 0, m_resultRow = 0;

    int m_inputs = 0, m_slots = 1; ///< Slots: places for the operands and the result of a unit.
    bool m_inPlace = false, m_takes = false, m_keeps = false;
    std::int64_t m_units = 0;
    int m_unitsOfRow = 1, m_rowsOfUnit = 1;

    std::vector<BankTensor> m_bankTensors;
    int m_bankTensor = -1, m_bufferTensor = -1, m_outputTensor = -1;

private:
    void setLanes();
    void setScalars();
    void setSum();
    bool setSumOfOneRow();
    void addMatrix(bool resident);
    void addFill(bool resident);
};

} // namespace pim::hbm
