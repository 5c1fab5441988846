// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/lower_bound.h"

#include "backends/dram_pim/machine.h"

#include <algorithm>
#include <numeric>

namespace pim::hbm {
namespace {

using dram::ceilDiv;

/// Distances between the commands of compute_stream.h, which go out in order; rows of all blocks are ready,
/// and may be closed, a window later.
class Bounds {
public:
    explicit Bounds(const Machine& machine)
        : m_machine(machine), m_d(machine.distances), m_registers(machine.registers),
          m_write(m_d.openToWrite + m_d.allBankWindow), m_read(m_d.openToRead + m_d.allBankWindow) {}

    std::int64_t enter() const {
        return std::min(m_d.enter(), 2 * m_d.openInGroup + m_d.open) + m_d.openToClose + m_d.closeToOpen;
    }
    /// A row of registers to be written; where each sweep writes the program, only its words.
    std::int64_t program(std::int64_t sweeps) const {
        const bool inSweep = m_machine.passes.modeSequence && sweeps * m_d.column <= m_d.openAllToOpen();
        return inSweep ? m_d.column : m_write + m_d.writeToClose;
    }
    /// After the last write to registers or results the row that the mode is left by opens and closes.
    std::int64_t leave() const {
        return m_d.writeToClose + m_d.closeToOpen + m_d.openToClose + m_d.allBankWindow;
    }
    /// The mode register is written before.
    std::int64_t stop() const { return m_write; }

    /// One form of a task: its sweeps, and columns of results that each leaves.
    struct Sweeps {
        std::int64_t ofVector = 1, results = 1, ticks = 0;
    };
    Sweeps lanes(const DotTask& task) const {
        const dram::DotProducts& work = task.work;
        Sweeps sweeps{ceilDiv(work.bankVectors, m_registers), std::min(work.bankVectors, m_registers), 0};
        const std::int64_t tiles = ceilDiv(work.bursts, m_registers),
                           rest = work.bursts - (tiles - 1) * m_registers;
        const std::int64_t wide = groupColumns(work.bankVectors);
        sweeps.ticks = begin() + (tiles - 1) * tile(task.fill, m_registers, wide) +
                       tile(task.fill, rest, wide) - afterTile(task.fill) + store(sweeps.results);
        if (task.fill) // the row of registers gives way to that of the operand
            sweeps.ticks += m_d.writeToClose + m_d.closeToOpen + m_read - m_d.column;
        return sweeps;
    }
    Sweeps scalars(const DotTask& task) const {
        const dram::DotProducts& work = task.work;
        const std::int64_t tiles = ceilDiv(work.elements, CodePlan::kScalars);
        const std::int64_t reads = CodePlan::kScalars * m_registers;
        const std::int64_t tile = m_d.writeToRead + (reads - 1) * m_d.column + m_d.readToWrite;
        Sweeps sweeps{ceilDiv(work.bankVectors, m_registers * kPimLanes),
                      std::min(m_registers, ceilDiv(work.bankVectors, kPimLanes)), 0};
        sweeps.ticks = begin() + tiles * tile - m_d.readToWrite + store(sweeps.results);
        return sweeps;
    }

    std::int64_t all(const DotTask& task, const Sweeps& sweeps) const {
        const std::int64_t count = task.work.batches * task.work.bufferVectors * sweeps.ofVector;
        return enter() + program(count) + count * sweeps.ticks - m_d.closeToOpen + stop() + leave() +
               results(task, sweeps);
    }

private:
    /// All columns of a group of products, or as many as there are vectors if instructions and rows end with
    /// them.
    std::int64_t groupColumns(std::int64_t bankVectors) const {
        const std::int64_t least = m_registers / std::gcd(m_registers, CodePlan::kColumns / m_registers);
        const std::int64_t columns = ceilDiv(bankVectors, least) * least;
        return m_machine.passes.shortGroups ? std::min(columns, m_registers) : m_registers;
    }
    /// The row of registers opens, the mode is written, then the first column command.
    std::int64_t begin() const { return m_write + m_d.column; }
    /// From the last product: rows close, that of the results opens, is written and closed, another one may
    /// open.
    std::int64_t store(std::int64_t results) const {
        return m_d.readToClose + 1 + m_write + (results - 1) * m_d.column + m_d.writeToClose +
               m_d.closeToOpen;
    }
    std::int64_t afterTile(bool fill) const { return fill ? m_d.column : m_d.readToWrite; }
    /// From the first command that loads \p bursts of the other operand to that of the next tile.
    std::int64_t tile(bool fill, std::int64_t bursts, std::int64_t wide) const {
        const std::int64_t loads = fill ? m_registers : bursts, ofRow = CodePlan::kColumns / m_registers;
        const std::int64_t before = std::min<std::int64_t>(loads, 2); // ComputeStream::kWritesBeforeOpen
        const std::int64_t first = std::max((loads - 1) * m_d.column + (fill ? m_d.column : m_d.writeToRead),
                                            (before - 1) * m_d.column + 1 + m_read);
        const std::int64_t visits = ceilDiv(bursts, ofRow), last = (bursts - (visits - 1) * ofRow) * wide;
        return first + (visits - 1) * visit(ofRow * wide) + (last - 1) * m_d.column + afterTile(fill);
    }
    /// From the first product of a row to that of the next, which opens meanwhile.
    std::int64_t visit(std::int64_t columns) const {
        const std::int64_t before = std::min<std::int64_t>(columns, 8); // ComputeStream::kOpen
        return std::max(columns * m_d.column, (before - 1) * m_d.column + 1 + m_read);
    }
    /// The host reads the results of all blocks, row by row.
    std::int64_t results(const DotTask& task, const Sweeps& sweeps) const {
        const std::int64_t vectors = task.work.bufferVectors, perRow = CodePlan::kColumns / m_registers;
        const bool alongVectors = sweeps.ofVector == 1;
        const std::int64_t outer = task.work.batches * (alongVectors ? 1 : vectors),
                           inner = alongVectors ? vectors : sweeps.ofVector;
        const std::int64_t full = inner / perRow, rest = inner % perRow;
        std::int64_t ticks = outer * full * hostRow(task.cores, perRow * sweeps.results);
        if (rest > 0)
            ticks += outer * hostRow(task.cores, rest * sweeps.results);
        return ticks - m_d.closeToOpen; // the last one only closes
    }
    /// From a row of \p cores banks to the next: opened four in a window a rank, read over all buses, closed.
    std::int64_t hostRow(std::int64_t cores, std::int64_t columns) const {
        const std::int64_t lastOpen = (ceilDiv(cores, m_machine.ranks()) - 1) / 4 * m_d.window;
        const std::int64_t bursts = ceilDiv(cores, m_machine.buses()) * columns;
        return m_d.openToRead + std::max(lastOpen, (bursts - 1) * m_d.otherColumn) + m_d.readToClose +
               m_d.closeToOpen;
    }

    const Machine& m_machine;
    const Distances& m_d;
    std::int64_t m_registers, m_write, m_read;
};

} // namespace

double hostRowTicksAtLeast(const Machine& machine, bool write) {
    const Distances& d = machine.distances;
    return double((write ? d.openToWrite + d.writeToClose + d.closeToOpen : d.openToRead + d.readDone) -
                  d.otherColumn);
}

double modeTicksAtLeast(const Machine& machine, bool stays, bool keeps) {
    const Bounds bounds(machine);
    const Distances& d = machine.distances;
    return double((stays ? 0 : bounds.enter() + d.openToWrite + d.allBankWindow) +
                  (keeps ? 0 : bounds.leave()) + d.writeToRead + d.readToWrite - 2 * d.column);
}

double productTicksAtLeast(const DotTask& task, const Machine& machine) {
    const Bounds bounds(machine);
    const std::int64_t lanes = bounds.all(task, bounds.lanes(task));
    return double(task.fill ? lanes : std::min(lanes, bounds.all(task, bounds.scalars(task))));
}

} // namespace pim::hbm
