// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/code_layout.h"

#include "backends/dram_pim/machine.h"
#include "backends/hbm_pim/channel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pim::hbm {
namespace {

using dram::ceilDiv;
using dram::DotPart;
using dram::DotPlace;
using dram::DotWalk;

constexpr int kColumns = CodeLayout::kColumns;
constexpr int kScalars = CodeLayout::kScalars;
constexpr int kHalfRow = kColumns / 2; // Scalars: a tile begins in the middle of a row of the even bank

/// A row of the even and one of the odd bank after the other, counted in columns.
struct Pair {
    std::int64_t row;
    int bank, column;
    explicit Pair(std::int64_t linear)
        : row(linear / (2 * kColumns)), bank(int(linear / kColumns % 2)), column(int(linear % kColumns)) {}
};
std::int64_t linearOf(std::int64_t row, int bank, int column) {
    return (row * 2 + bank) * kColumns + column;
}

} // namespace

Result<std::shared_ptr<const CodeLayout>> CodeLayout::create(const TilingSpace& space, const Draft& draft,
                                                             const Machine& machine,
                                                             const std::vector<Residency>& residency) {
    std::shared_ptr<CodeLayout> layout(new CodeLayout(space));
    for (const TensorAccess& access : space.kernel().accesses)
        if (access.isWrite)
            layout->m_outputTensor = access.tensor;
    switch (space.kernel().body) {
    case BodyKind::Mac:
    case BodyKind::Reduce:
        PIM_CHECK(layout->planDots(space, draft, machine, residency));
        break;
    case BodyKind::Elementwise:
        PIM_CHECK(layout->planMap(space, draft, machine, residency));
        break;
    case BodyKind::Attention:
        return fail(ErrorCode::Unsupported, "the blocks have no softmax", space.kernel().name);
    }
    PIM_CHECK(layout->checkRows());
    return std::shared_ptr<const CodeLayout>(std::move(layout));
}

Result<void> CodeLayout::checkRows() const {
    // Rows with bit 12 set are registers and modes; an op lies below them.
    if (fits())
        return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("{} need {} rows of every bank, an op has {} below the register rows", describe(),
                            m_rows, HbmPimGeometry::kDataRows),
                m_kernel.name, "split the op over more groups or blocks");
}

// ------------------------------------------------------------------------------------------------ dot
// products and sums

Result<void> CodeLayout::planDots(const TilingSpace& space, const Draft& draft, const Machine& machine,
                                  const std::vector<Residency>& residency) {
    const dram::DotOperands operands(m_kernel, dram::residentOnes(residency));
    const bool sum = m_kernel.body == BodyKind::Reduce;
    if (!sum && operands.buffer() < 0)
        return fail(ErrorCode::Unsupported, "a block multiplies two different operands, bank by register",
                    m_kernel.name);
    m_walk.emplace_back(space, draft, rolesOf(m_kernel, operands), kPimLanes);
    const DotWalk& walk = m_walk.front();
    m_groups = walk.groups();
    m_coreCount = walk.cores();
    std::set<int> sets;
    const std::vector<int> bufferSets = walk.bufferSets();
    for (int core = 0; core < m_coreCount; ++core)
        if (walk.coreWorks(core)) {
            m_cores.push_back(core);
            sets.insert(bufferSets[std::size_t(core)]);
        }
    DotTask task{walk.work(),
                 sum,
                 !sum && (sets.size() > 1 || !machine.passes.broadcast),
                 m_outputTensor,
                 residency[std::size_t(operands.bank())] == Residency::Resident,
                 operands.buffer() >= 0 && residency[std::size_t(operands.buffer())] == Residency::Resident,
                 int(m_cores.size())};
    task.work.bankTensor = operands.bank();
    task.work.bufferTensor = operands.buffer();
    static_cast<CodePlan&>(*this) = planOf(task, machine);
    return {};
}

void CodeLayout::elements(int tensor, int group, std::int64_t burst,
                          std::span<std::int64_t, kPimLanes> lanes) const {
    std::fill(lanes.begin(), lanes.end(), -1);
    if (burst < 0 || m_rows == 0)
        return;
    if (m_form != Form::Map && tensor == m_bufferTensor)
        return registerElements(group, burst, lanes);
    BankPlace at;
    at.column = int(burst % kColumns);
    at.bank = int(burst / kColumns % 2);
    at.row = burst / (2 * kColumns) % m_rows;
    at.core = int(burst / (2 * kColumns) / m_rows);
    if (at.core >= m_coreCount)
        return;
    if (m_form == Form::Map)
        return mapElements(tensor, group, at, lanes);
    if (tensor == m_outputTensor)
        return resultElements(group, at, lanes);
    if (tensor == m_bankTensor)
        return matrixElements(group, at, lanes);
    if (m_fill)
        fillElements(group, at, lanes);
}

void CodeLayout::matrixElements(int group, const BankPlace& at,
                                std::span<std::int64_t, kPimLanes> lanes) const {
    const DotWalk& walk = m_walk.front();
    const int registers = m_machine.registers;
    const int reg = at.column % registers;
    if (at.row >= m_matrixRows)
        return;
    std::int64_t sweep = 0, first = 0; // element of the vector, or burst
    if (m_form == Form::Lanes) {
        const std::int64_t pair = at.row / rowsOfTile();
        const int place = int(at.row % rowsOfTile());
        const int odd = (place ^ at.bank) & 1; // of the tile
        const std::int64_t tileOfAll = 2 * pair + odd, tile = tileOfAll % m_sweepTiles;
        const int visit = m_alternates ? place : place ^ odd;
        sweep = tileOfAll / m_sweepTiles;
        first = tile * registers + visit * groupsOfRow() + at.column / registers;
        if (tile >= m_tiles || first >= m_work.bursts)
            return;
    } else if (m_form == Form::Scalars) {
        const std::int64_t linear = linearOf(at.row, at.bank, at.column) - kHalfRow;
        if (linear < 0)
            return;
        const std::int64_t perTile = std::int64_t(kScalars) * registers;
        const std::int64_t tileOfAll = linear / perTile;
        sweep = tileOfAll / m_tiles;
        first = tileOfAll % m_tiles * kScalars + linear % perTile / registers;
    } else if (m_oneRow) {
        if (at.bank != 0 || at.column >= m_operandColumns)
            return;
        first = at.column % m_steps;
    } else {
        const std::int64_t stepOfAll = linearOf(at.row, at.bank, at.column) / registers;
        const std::int64_t perSweep = m_sweepTiles * 2 * groupsOfRow();
        sweep = stepOfAll / perSweep;
        first = stepOfAll % perSweep;
        if (first >= m_steps)
            return;
    }
    const std::int64_t batch = sweep / m_sweeps, ofVector = sweep % m_sweeps;
    if (batch >= m_work.batches)
        return;
    for (int lane = 0; lane < kPimLanes; ++lane) {
        std::int64_t vector = m_oneRow ? at.column / m_steps : ofVector * registers + reg, burst = first;
        int element = lane;
        if (alongOutputs()) {
            vector = vector * kPimLanes + lane;
            burst = first / kPimLanes;
            element = int(first % kPimLanes);
        } else if (m_form == Form::Sum && !m_oneRow) {
            vector = ofVector * m_sumVectors + reg % m_sumVectors;
            burst = first * m_sumParts + reg / m_sumVectors;
        }
        if (vector < m_work.bankVectors)
            lanes[std::size_t(lane)] = walk.bank(group, at.core, batch, vector, burst, element);
    }
}

void CodeLayout::fillElements(int group, const BankPlace& at,
                              std::span<std::int64_t, kPimLanes> lanes) const {
    const std::int64_t row = at.row - m_xFirstRow;
    const int reg = at.column % m_machine.registers, beside = at.column / m_machine.registers;
    if (row < 0 || at.row >= m_resultRow || (beside > 0 && !packed()) ||
        (at.bank == 0 && (packed() || !m_alternates)))
        return;
    std::int64_t vector = row / rowsOfVector(), tile = row % rowsOfVector();
    if (packed()) {
        const std::int64_t ofBatch = row % resultRowsOfInner() * groupsOfRow() + beside;
        if (ofBatch >= m_work.bufferVectors)
            return;
        vector = row / resultRowsOfInner() * m_work.bufferVectors + ofBatch;
        tile = 0;
    } else if (m_alternates) {
        tile = tile * 2 + (1 - at.bank);
    }
    if (tile >= m_tiles)
        return;
    const std::int64_t burst = tile * m_machine.registers + registerOf(tile, reg);
    for (int lane = 0; lane < kPimLanes && burst < m_work.bursts; ++lane)
        lanes[std::size_t(lane)] = m_walk.front().buffer(group, at.core, vector / m_work.bufferVectors,
                                                         vector % m_work.bufferVectors, burst, lane);
}

/// Burst of x for the registers of all blocks: Lanes: counted over vectors, tiles, registers; Scalars:
/// vectors and tiles.
void CodeLayout::registerElements(int group, std::int64_t burst,
                                  std::span<std::int64_t, kPimLanes> lanes) const {
    const DotWalk& walk = m_walk.front();
    const auto core =
        std::find_if(m_cores.begin(), m_cores.end(), [&](int c) { return walk.works(group, c); });
    if (core == m_cores.end())
        return;
    const bool scalars = m_form == Form::Scalars;
    const std::int64_t tileOfAll = scalars ? burst : burst / m_machine.registers;
    const std::int64_t vector = tileOfAll / m_tiles, tile = tileOfAll % m_tiles;
    const std::int64_t batch = vector / m_work.bufferVectors, ofBatch = vector % m_work.bufferVectors;
    if (batch >= m_work.batches)
        return;
    if (scalars) {
        for (int i = 0; i < kScalars; ++i) {
            const std::int64_t element = tile * kScalars + i;
            lanes[std::size_t(i)] =
                walk.buffer(group, *core, batch, ofBatch, element / kPimLanes, int(element % kPimLanes));
        }
        return;
    }
    const std::int64_t ofVector =
        tile * m_machine.registers + registerOf(tile, int(burst % m_machine.registers));
    for (int lane = 0; lane < kPimLanes && ofVector < m_work.bursts; ++lane)
        lanes[std::size_t(lane)] = walk.buffer(group, *core, batch, ofBatch, ofVector, lane);
}

void CodeLayout::resultElements(int group, const BankPlace& at,
                                std::span<std::int64_t, kPimLanes> lanes) const {
    if (m_oneRow) {
        const int result = at.column - m_operandColumns;
        for (int lane = 0; at.bank == 0 && result >= 0 && result < m_results && lane < kPimLanes; ++lane)
            if (const std::int64_t vector = alongOutputs() ? std::int64_t(result) * kPimLanes + lane : result;
                vector < m_work.bankVectors)
                lanes[std::size_t(lane)] = m_walk.front().output(group, at.core, 0, vector, 0);
        return;
    }
    const std::int64_t row = at.row - m_resultRow;
    const int registers = m_machine.registers, reg = at.column % registers;
    const std::int64_t inner = row % resultRowsOfInner() * groupsOfRow() + at.column / registers;
    if (row < 0 || at.bank == 0 || inner >= innerResults() || reg >= m_results)
        return;
    const std::int64_t outer = row / resultRowsOfInner(), batch = outer / outerResults();
    const std::int64_t sweep = resultsAlongVectors() ? 0 : inner;
    const std::int64_t bufferVector = resultsAlongVectors() ? inner : outer % outerResults();
    for (int lane = 0; lane < kPimLanes; ++lane) {
        std::int64_t vector = sweep * registers + reg;
        if (alongOutputs())
            vector = vector * kPimLanes + lane;
        else if (m_form == Form::Sum)
            vector = sweep * m_sumVectors + reg % m_sumVectors;
        if (vector < m_work.bankVectors)
            lanes[std::size_t(lane)] = m_walk.front().output(group, at.core, batch, vector, bufferVector);
    }
}

// ---------------------------------------------------------------------------------------------------------
// element-wise

Result<void> CodeLayout::planMap(const TilingSpace& space, const Draft& draft, const Machine& machine,
                                 const std::vector<Residency>& residency) {
    const std::vector<DotPart> parts(m_kernel.loops.size(), DotPart::Summed);
    const auto walkOf = [&](const TensorAccess& access) {
        dram::DotRoles roles;
        roles.parts = parts;
        roles.bank = {m_kernel.tensors[std::size_t(access.tensor)].shape, access.index};
        return DotWalk(space, draft, std::move(roles), kPimLanes);
    };
    MapTask task = mapTaskOf(m_kernel, residency);
    for (const TensorAccess& access : m_kernel.accesses) {
        if (access.isWrite)
            m_outputWalk.push_back(walkOf(access));
        else if (task.takes && access.tensor == task.inputs.front().first)
            m_operands.insert(m_operands.begin(), {access.tensor, walkOf(access)});
        else
            m_operands.push_back({access.tensor, walkOf(access)});
    }
    if (m_operands.empty() || m_outputWalk.size() != 1)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} tensors read and {} written", m_operands.size(), m_outputWalk.size()),
                    m_kernel.name);
    const DotWalk& walk = m_outputWalk.front();
    m_groups = walk.groups();
    m_coreCount = walk.cores();
    for (int core = 0; core < m_coreCount; ++core)
        if (walk.coreWorks(core))
            m_cores.push_back(core);
    task.bursts = walk.work().bursts;
    static_cast<CodePlan&>(*this) = CodePlan(task, machine);
    return {};
}

void CodeLayout::mapElements(int tensor, int group, const BankPlace& at,
                             std::span<std::int64_t, kPimLanes> lanes) const {
    const int slots = m_slots, registers = m_machine.registers;
    const int place = int(at.row % m_rowsOfUnit) * groupsOfRow() + at.column / registers;
    const int inRow = m_rowsOfUnit > 1 ? 0 : place / slots;
    const int operand = m_oneRow ? at.column / m_results : place - inRow * slots;
    const std::int64_t unit = at.row / m_rowsOfUnit * m_unitsOfRow + inRow;
    if (operand >= slots || (m_oneRow ? at.bank != 0 : inRow >= m_unitsOfRow || unit >= m_units))
        return;
    const bool isResult = tensor == m_outputTensor;
    if (isResult ? operand != slotOf(m_inputs)
                 : operand >= m_inputs || tensor != m_operands[std::size_t(operand)].tensor)
        return;
    // The first operand of what goes through GRF_A lies in the even bank, the second in the odd one, and so
    // on; of GRF_B the other way round. Results lie beside their register file.
    const int file = isResult ? at.bank : (operand + at.bank) % 2;
    const std::int64_t burst =
        m_oneRow ? at.column % m_results : (unit * 2 + file) * registers + at.column % registers;
    const DotWalk& walk = isResult ? m_outputWalk.front() : m_operands[std::size_t(operand)].walk;
    for (int lane = 0; lane < kPimLanes && burst < walk.work().bursts; ++lane)
        lanes[std::size_t(lane)] = walk.bank(group, at.core, 0, 0, burst, lane);
}

// ---------------------------------------------------------------------------------------------------------------
// places

void CodeLayout::add(std::vector<PimPlace>& found, const dram::DotPlace& of, const BankPlace& at,
                     int lane) const {
    found.push_back({of.group, bankOf(of.core, at.bank), at.row, at.column, lane});
}

void CodeLayout::addMapPlaces(int tensor, std::int64_t element, std::vector<PimPlace>& found) const {
    const int registers = m_machine.registers;
    const auto addMap = [&](const DotWalk& walk, int operand, bool isResult) {
        for (const DotPlace& of : walk.bankPlaces(element)) {
            if (m_oneRow) {
                add(found, of, {of.core, 0, 0, slotOf(operand) * m_results + int(of.burst)}, of.lane);
                continue;
            }
            const std::int64_t unit = of.burst / (2 * registers);
            const int file = int(of.burst / registers % 2);
            const auto [row, column] = slot(operand, int(unit % m_unitsOfRow));
            add(found, of,
                {of.core, unit / m_unitsOfRow * m_rowsOfUnit + row, isResult ? file : (operand + file) % 2,
                 column + int(of.burst % registers)},
                of.lane);
        }
    };
    for (std::size_t i = 0; i < m_operands.size(); ++i)
        if (m_operands[i].tensor == tensor)
            addMap(m_operands[i].walk, int(i), false);
    if (tensor == m_outputTensor)
        addMap(m_outputWalk.front(), int(m_operands.size()), true);
}

void CodeLayout::addOneRowPlaces(int tensor, std::int64_t element, std::vector<PimPlace>& found) const {
    const bool ofOutputs = alongOutputs();
    if (tensor == m_bankTensor) {
        for (const DotPlace& of : m_walk.front().bankPlaces(element))
            if (ofOutputs)
                add(found, of,
                    {of.core, 0, 0,
                     int(of.bankVector / kPimLanes * m_steps + of.burst * kPimLanes) + of.lane},
                    int(of.bankVector % kPimLanes));
            else
                add(found, of, {of.core, 0, 0, int(of.bankVector * m_steps + of.burst)}, of.lane);
    } else {
        for (const DotPlace& of : m_walk.front().outputPlaces(element))
            for (int lane = 0; lane < kPimLanes; ++lane)
                if (!ofOutputs || lane == of.bankVector % kPimLanes)
                    add(found, of,
                        {of.core, 0, 0, m_operandColumns + int(of.bankVector / (ofOutputs ? kPimLanes : 1))},
                        lane);
    }
}

void CodeLayout::addBankPlaces(std::int64_t element, std::vector<PimPlace>& found) const {
    const int registers = m_machine.registers;
    const bool alongOutputs = this->alongOutputs();
    for (const DotPlace& of : m_walk.front().bankPlaces(element)) {
        if (m_form == Form::Lanes) {
            const std::int64_t sweep = of.batch * m_sweeps + of.bankVector / registers,
                               tile = of.burst / registers;
            const int ofTile = int(of.burst % registers), visit = ofTile / groupsOfRow();
            add(found, of,
                {of.core, visitRow(sweep, tile, visit), visitBank(tile, visit),
                 ofTile % groupsOfRow() * registers + int(of.bankVector % registers)},
                of.lane);
            continue;
        }
        const std::int64_t vectors = alongOutputs ? std::int64_t(registers) * kPimLanes : m_sumVectors;
        const std::int64_t sweep = of.batch * m_sweeps + of.bankVector / vectors,
                           ofSweep = of.bankVector % vectors;
        const std::int64_t step = alongOutputs ? of.burst * kPimLanes + of.lane : of.burst / m_sumParts;
        const std::int64_t reg =
            alongOutputs ? ofSweep / kPimLanes : of.burst % m_sumParts * m_sumVectors + ofSweep;
        const std::int64_t perSweep =
            m_form == Form::Scalars ? m_tiles * kScalars : m_sweepTiles * 2 * groupsOfRow();
        const Pair at((sweep * perSweep + step) * registers + reg + (m_form == Form::Scalars ? kHalfRow : 0));
        add(found, of, {of.core, at.row, at.bank, at.column},
            alongOutputs ? int(ofSweep % kPimLanes) : of.lane);
    }
}

void CodeLayout::addResultPlaces(std::int64_t element, std::vector<PimPlace>& found) const {
    const int registers = m_machine.registers;
    const bool alongOutputs = this->alongOutputs();
    for (const DotPlace& of : m_walk.front().outputPlaces(element)) {
        const std::int64_t perRegister = alongOutputs ? kPimLanes : 1;
        const std::int64_t vectors =
            m_form == Form::Sum && !alongOutputs ? m_sumVectors : registers * perRegister;
        const std::int64_t sweep = of.bankVector / vectors;
        const std::int64_t inner = resultsAlongVectors() ? of.bufferVector : sweep;
        const std::int64_t outer = of.batch * outerResults() + (resultsAlongVectors() ? 0 : of.bufferVector);
        const std::int64_t row = m_resultRow + outer * resultRowsOfInner() + inner / groupsOfRow();
        const int column = int(inner % groupsOfRow()) * registers;
        const int copies = m_form == Form::Sum && !alongOutputs ? m_results / m_sumVectors : 1;
        for (int copy = 0; copy < copies; ++copy) {
            const int reg = int(of.bankVector % vectors / perRegister) + copy * m_sumVectors;
            if (alongOutputs)
                add(found, of, {of.core, row, 1, column + reg}, int(of.bankVector % kPimLanes));
            else
                for (int lane = 0; lane < kPimLanes; ++lane)
                    add(found, of, {of.core, row, 1, column + reg}, lane);
        }
    }
}

void CodeLayout::addFillPlaces(std::int64_t element, std::vector<PimPlace>& found) const {
    const int registers = m_machine.registers;
    for (const DotPlace& of : m_walk.front().bufferPlaces(element)) {
        const std::int64_t tile = of.burst / registers;
        const int beside = packed() ? int(of.bufferVector % groupsOfRow()) : 0;
        add(found, of,
            {of.core, xRow(of.batch * m_work.bufferVectors + of.bufferVector, tile),
             m_alternates ? int(1 - tile % 2) : 1,
             beside * registers + registerOf(tile, int(of.burst % registers))},
            of.lane);
    }
}

std::vector<PimPlace> CodeLayout::places(int tensor, std::int64_t element) const {
    std::vector<PimPlace> found;
    if (m_form == Form::Map)
        addMapPlaces(tensor, element, found);
    else if (m_oneRow && (tensor == m_bankTensor || tensor == m_outputTensor))
        addOneRowPlaces(tensor, element, found);
    else if (tensor == m_bankTensor)
        addBankPlaces(element, found);
    else if (tensor == m_outputTensor)
        addResultPlaces(element, found);
    else if (m_fill)
        addFillPlaces(element, found);
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace pim::hbm
