// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/code_plan.h"

#include "backends/dram_pim/machine.h"
#include "core/dram_pim/pim_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace pim::hbm {
namespace {

using dram::ceilDiv;

constexpr int kHalfRowColumns = CodePlan::kColumns / 2; // Scalars: a tile begins in the middle of a row

std::int64_t even(std::int64_t n) {
    return n + n % 2;
}

} // namespace

MapTask mapTaskOf(const Kernel& kernel, const std::vector<Residency>& residency) {
    MapTask task;
    std::size_t taken = 0;
    for (const TensorAccess& access : kernel.accesses) {
        const Residency where = residency[std::size_t(access.tensor)];
        if (access.isWrite) {
            task.outputTensor = access.tensor;
            task.keeps = where == Residency::InPlace;
            continue;
        }
        if (where == Residency::InPlace) {
            task.takes = true;
            taken = task.inputs.size();
        }
        task.inputs.emplace_back(access.tensor, where == Residency::Resident);
    }
    if (taken > 0)
        std::swap(task.inputs[0], task.inputs[taken]);
    return task;
}

CodePlan::CodePlan(const DotTask& task, Form form, const Machine& machine)
    : m_machine(machine), m_form(form), m_work(task.work), m_fill(task.fill),
      m_bankTensor(task.work.bankTensor), m_bufferTensor(task.work.bufferTensor),
      m_outputTensor(task.outputTensor) {
    if (form == Form::Sum)
        setSum();
    else if (form == Form::Lanes)
        setLanes();
    else
        setScalars();
    m_rows = m_oneRow ? 1 : m_resultRow + m_work.batches * outerResults() * resultRowsOfInner();
    addMatrix(task.bankResident);
    if (m_fill) {
        addFill(task.bufferResident);
        m_bufferTensor = -1;
    }
}

CodePlan::CodePlan(const MapTask& task, const Machine& machine)
    : m_machine(machine), m_form(Form::Map), m_inputs(int(task.inputs.size())), m_inPlace(task.inPlace()),
      m_takes(task.takes), m_keeps(task.keeps), m_outputTensor(task.outputTensor) {
    // Ops of a chain with one operand and with two have the same places.
    const int slots = m_slots = m_inPlace ? std::max(2, m_inputs) : m_inputs + 1,
              steps = m_slots + int(m_inPlace);
    m_oneRow = m_machine.passes.oneRow && task.bursts * slots <= kColumns &&
               task.bursts <= m_machine.registers &&
               task.bursts * steps < kInstructions; // a step an operand, one more for a function of the sum
    m_results = m_oneRow ? int(task.bursts) : 1;
    m_operandColumns = m_inputs * m_results;
    m_units = ceilDiv(task.bursts, 2 * m_machine.registers);
    m_unitsOfRow = std::max(1, groupsOfRow() / slots);
    m_rowsOfUnit = int(ceilDiv(slots, groupsOfRow()));
    m_rows = m_oneRow ? 1 : ceilDiv(m_units, m_unitsOfRow) * m_rowsOfUnit;
    for (int i = 0; i < m_inputs; ++i) {
        const int tensor = task.inputs[std::size_t(i)].first;
        const bool resident = task.inputs[std::size_t(i)].second || (m_takes && i == 0);
        auto known = std::find_if(m_bankTensors.begin(), m_bankTensors.end(),
                                  [number = tensor](const auto& t) { return t.tensor == number; });
        if (known == m_bankTensors.end())
            known = m_bankTensors.insert(known, {tensor, resident, {}});
        if (m_oneRow) {
            known->segments.push_back({0, 1, 0, 1, 1, i * m_results, m_results});
            continue;
        }
        for (int inRow = 0; inRow < m_unitsOfRow && inRow < m_units; ++inRow)
            known->segments.push_back(mapSegment(i, inRow));
    }
}

std::vector<std::vector<CodePlan::Part>> CodePlan::writes(bool resident) const {
    std::vector<Part> parts;
    for (const BankTensor& tensor : m_bankTensors)
        for (const Segment& segment : tensor.segments)
            if (tensor.resident == resident)
                parts.push_back({tensor.tensor, segment});
    const auto rowsOf = [](const Part& part) {
        const Segment& s = part.segment;
        return std::tuple(s.row, s.rows, s.rowStep, s.firstBank, s.banks);
    };
    std::vector<std::vector<Part>> together;
    while (!parts.empty()) {
        const auto others = std::stable_partition(
            parts.begin(), parts.end(),
            [&, rows = rowsOf(parts.front())](const Part& part) { return rowsOf(part) == rows; });
        together.emplace_back(parts.begin(), others);
        parts.erase(parts.begin(), others);
    }
    return together;
}

std::int64_t CodePlan::resultRowsOfInner() const {
    return ceilDiv(innerResults(), groupsOfRow());
}

int CodePlan::rowsOfTile() const {
    const int registers = m_machine.registers;
    return m_form == Form::Lanes ? registers * registers / kColumns : kScalars * registers / (2 * kColumns);
}

void CodePlan::setLanes() {
    const int registers = m_machine.registers;
    // a program for two tiles fits the instruction memory
    m_alternates = rowsOfTile() == 2 && m_machine.passes.inputBanks;
    m_sweeps = ceilDiv(m_work.bankVectors, registers);
    m_tiles = ceilDiv(m_work.bursts, registers);
    m_lastBursts = m_work.bursts - (m_tiles - 1) * registers;
    if (m_fill && !m_alternates && m_tiles > 1)
        m_lastBursts = registers; // one program for all tiles
    m_sweepTiles = m_work.batches * m_sweeps > 1 ? even(m_tiles) : m_tiles;
    // An instruction takes as many steps as there are registers, and a row has to end with one.
    const int least = registers / std::gcd(registers, groupsOfRow());
    if (const std::int64_t columns = ceilDiv(m_work.bankVectors, least) * least;
        m_machine.passes.shortGroups && columns < registers) {
        m_groupColumns = int(columns);
        m_lastBursts = ceilDiv(m_lastBursts, groupsOfRow()) * groupsOfRow();
    }
    m_results = int(std::min<std::int64_t>(registers, m_work.bankVectors));
    m_matrixRows = rowsOfTile() * ceilDiv(m_work.batches * m_sweeps * m_sweepTiles, 2);
    m_xFirstRow = m_matrixRows;
    const std::int64_t xRows = !m_fill    ? 0
                               : packed() ? m_work.batches * resultRowsOfInner()
                                          : m_work.batches * m_work.bufferVectors * rowsOfVector();
    m_resultRow = m_xFirstRow + xRows;
}

void CodePlan::setScalars() {
    const std::int64_t outputs = std::int64_t(m_machine.registers) * kPimLanes;
    m_sweeps = ceilDiv(m_work.bankVectors, outputs);
    m_tiles = m_sweepTiles = ceilDiv(m_work.elements, kScalars);
    m_results = int(std::min<std::int64_t>(m_machine.registers, ceilDiv(m_work.bankVectors, kPimLanes)));
    m_matrixRows = rowsOfTile() * m_work.batches * m_sweeps * m_tiles + 1;
    m_resultRow = m_matrixRows;
}

/// Whether the sums of a block fit one row, lanes along whatever takes fewer bursts.
bool CodePlan::setSumOfOneRow() {
    if (!m_machine.passes.oneRow || m_work.batches > 1)
        return false;
    const std::int64_t alongSum = m_work.bankVectors * m_work.bursts;
    const std::int64_t alongOutputs = ceilDiv(m_work.bankVectors, kPimLanes) * m_work.elements;
    m_sumAlongOutputs = alongOutputs <= alongSum;
    const std::int64_t results =
        m_sumAlongOutputs ? ceilDiv(m_work.bankVectors, kPimLanes) : m_work.bankVectors;
    const std::int64_t columns = std::min(alongSum, alongOutputs);
    if (columns + results > kColumns || results > m_machine.registers || 2 * results >= kInstructions)
        return false;
    m_oneRow = true;
    m_results = int(results);
    m_operandColumns = int(columns);
    m_steps = columns / results;
    m_sumVectors = m_results;
    m_matrixRows = 1;
    return true;
}

void CodePlan::setSum() {
    if (setSumOfOneRow())
        return;
    const int registers = m_machine.registers;
    m_sumVectors = int(
        std::min<std::int64_t>(registers, std::int64_t(std::bit_ceil(std::uint64_t(m_work.bankVectors)))));
    m_sumParts = registers / m_sumVectors;
    const std::int64_t alongSum =
        ceilDiv(m_work.bankVectors, m_sumVectors) * ceilDiv(m_work.bursts, m_sumParts);
    const std::int64_t outputs = std::int64_t(registers) * kPimLanes;
    m_sumAlongOutputs = ceilDiv(m_work.bankVectors, outputs) * m_work.elements <= alongSum;
    m_sweeps =
        m_sumAlongOutputs ? ceilDiv(m_work.bankVectors, outputs) : ceilDiv(m_work.bankVectors, m_sumVectors);
    m_steps = m_sumAlongOutputs ? m_work.elements : ceilDiv(m_work.bursts, m_sumParts);
    m_results = m_sumAlongOutputs
                    ? int(std::min<std::int64_t>(registers, ceilDiv(m_work.bankVectors, kPimLanes)))
                    : (m_machine.passes.addRegisters ? m_sumVectors : registers);
    m_sweepTiles = ceilDiv(m_steps, 2 * groupsOfRow()); // rows of a bank
    m_matrixRows = m_work.batches * m_sweeps * m_sweepTiles;
    m_resultRow = m_matrixRows;
}

void CodePlan::addMatrix(bool resident) {
    BankTensor matrix{m_bankTensor, resident, {}};
    if (m_oneRow) {
        matrix.segments = {{0, 1, 0, 1, 1, 0, m_operandColumns}};
    } else if (m_form == Form::Scalars) {
        const std::int64_t last = m_matrixRows - 1;
        matrix.segments = {{0, 1, 0, 1, 1, kHalfRowColumns, kHalfRowColumns},
                           {1, 1, 0, 1, 1, 0, kColumns},
                           {0, 1, last, 1, 1, 0, kHalfRowColumns}};
        if (last > 1)
            matrix.segments.push_back({0, 2, 1, last - 1, 1, 0, kColumns});
    } else if (m_form == Form::Lanes && m_tiles == 1) { // a row of each bank at most is full
        const int groups = groupsOfRow();
        for (int visit = 0; visit * groups < m_lastBursts; ++visit) {
            Segment segment{visitBank(0, visit), 1, visitRow(0, 0, visit), m_work.batches * m_sweeps,
                            rowsOfTile()};
            segment.columns =
                int(std::min<std::int64_t>(groups, m_lastBursts - visit * groups)) * m_machine.registers;
            matrix.segments.push_back(segment);
        }
    } else {
        matrix.segments = {{0, 2, 0, m_matrixRows}};
    }
    m_bankTensors.push_back(std::move(matrix));
}

void CodePlan::addFill(bool resident) {
    BankTensor x{m_bufferTensor, resident, {}};
    Segment segment{1, 1, m_xFirstRow, m_resultRow - m_xFirstRow};
    segment.columns = m_tiles == 1 ? int(m_lastBursts) : m_machine.registers;
    if (m_alternates && m_tiles > 1) {
        segment.firstBank = 0;
        segment.banks = 2;
    }
    const std::int64_t beside = packed() ? std::min<std::int64_t>(groupsOfRow(), m_work.bufferVectors) : 1;
    for (int n = 0; n < beside; ++n) {
        segment.column = n * m_machine.registers;
        x.segments.push_back(segment);
    }
    m_bankTensors.push_back(std::move(x));
}

int CodePlan::visitBank(std::int64_t tile, int visit) const {
    return int((visit + (m_alternates ? tile : 0)) % 2);
}

std::int64_t CodePlan::visitRow(std::int64_t sweep, std::int64_t tile, int visit) const {
    // The register of x follows from the row, so a row of a bank must fit its place in the tile; every second
    // tile takes the rows that the one before it left free.
    const int place = m_alternates ? visit : visit ^ int(tile % 2);
    return rowsOfTile() * ((sweep * m_sweepTiles + tile) / 2) + place;
}

int CodePlan::registerOf(std::int64_t tile, int burst) const {
    const int groups = groupsOfRow();
    return m_alternates || tile % 2 == 0 ? burst : (burst / groups ^ 1) * groups + burst % groups;
}

std::int64_t CodePlan::sweepRows() const {
    switch (m_form) {
    case Form::Lanes:
        return rowsOfTile() * m_sweepTiles / 2;
    case Form::Scalars:
        return rowsOfTile() * m_tiles;
    default:
        return m_sweepTiles;
    }
}

std::int64_t CodePlan::rowsOfVector() const {
    return m_alternates ? ceilDiv(m_tiles, 2) : m_tiles;
}

std::int64_t CodePlan::xRow(std::int64_t vector, std::int64_t tile) const {
    if (packed())
        return m_xFirstRow + vector / m_work.bufferVectors * resultRowsOfInner() +
               vector % m_work.bufferVectors / groupsOfRow();
    return m_xFirstRow + vector * rowsOfVector() + (m_alternates ? tile / 2 : tile);
}

bool CodePlan::programInSweep(std::size_t words) const {
    const std::int64_t sweeps = m_work.batches * m_work.bufferVectors * m_sweeps;
    return m_machine.passes.modeSequence && m_form != Form::Map && !m_oneRow &&
           sweeps * std::int64_t(words) * m_machine.distances.column <= m_machine.distances.openAllToOpen();
}

std::string CodePlan::describe() const {
    if (m_oneRow)
        return fmt::format("{} bursts of one row", m_operandColumns);
    const std::int64_t sweeps = m_work.batches * m_work.bufferVectors * m_sweeps;
    switch (m_form) {
    case Form::Lanes:
        return fmt::format("{} sweeps of {} tiles, lanes along the sum", sweeps, m_tiles);
    case Form::Scalars:
        return fmt::format("{} sweeps of {} tiles, lanes along the outputs", sweeps, m_tiles);
    case Form::Sum:
        return fmt::format("{} sweeps of {} additions", sweeps, m_steps);
    case Form::Map:
        break;
    }
    return fmt::format("{} rounds of {} bursts", m_units, 2 * m_machine.registers);
}

std::pair<int, int> CodePlan::slot(int operand, int inRow) const {
    const int place = inRow * m_slots + slotOf(operand);
    return {place / groupsOfRow(), place % groupsOfRow() * m_machine.registers};
}

bool CodePlan::leavesFor(const CodePlan& next) const {
    const auto places = [](const CodePlan& of) {
        return std::tuple(of.m_oneRow, of.m_results, of.m_slots, of.m_units, of.m_unitsOfRow,
                          of.m_rowsOfUnit);
    };
    return m_form == Form::Map && next.m_form == Form::Map && m_keeps && next.m_takes &&
           places(*this) == places(next);
}

Segment CodePlan::mapSegment(int operand, int inRow) const {
    const auto [row, column] = slot(operand, inRow);
    return {0, 2, row, ceilDiv(m_units - inRow, m_unitsOfRow), m_rowsOfUnit, column, m_machine.registers};
}

} // namespace pim::hbm
