// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/code_layout.h"

#include "backends/dram_pim/machine.h"
#include "core/dram/hbm_pim/hbm_pim_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

std::int64_t even(std::int64_t n) {
    return n + n % 2;
}

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

std::vector<bool> residentOnes(const std::vector<Residency>& residency) {
    std::vector<bool> resident;
    for (const Residency r : residency)
        resident.push_back(r == Residency::Resident);
    return resident;
}

} // namespace

Result<Machine> Machine::of(const Target& target) {
    Machine machine;
    const Level* const core = target.level("core");
    machine.blocks = core ? core->count : 0;
    machine.registers = int(target.numberOr("register.GRF.entries", 8));
    if (machine.registers != 8 && machine.registers != 16)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("register files of {}, code is made for 8 or 16", machine.registers),
                    "/parameters/register.GRF.entries");
    if (machine.blocks < 8 || machine.blocks % 8 != 0)
        return fail(
            ErrorCode::InvalidTarget,
            fmt::format("{} blocks a pseudo-channel, code is made for a multiple of 8", machine.blocks),
            "/levels/core/count", "two blocks in each of four bank groups, or several such ranks");
    return machine;
}

Result<std::shared_ptr<const CodeLayout>> CodeLayout::create(const TilingSpace& space, const Draft& draft,
                                                             const Machine& machine,
                                                             const std::vector<Residency>& residency) {
    std::shared_ptr<CodeLayout> layout(new CodeLayout(space, machine));
    for (const TensorAccess& access : space.kernel().accesses)
        if (access.isWrite)
            layout->m_outputTensor = access.tensor;
    switch (space.kernel().body) {
    case BodyKind::Mac:
    case BodyKind::Reduce:
        PIM_CHECK(layout->planDots(space, draft, residency));
        break;
    case BodyKind::Elementwise:
        PIM_CHECK(layout->planMap(space, draft, residency));
        break;
    case BodyKind::Attention:
        return fail(ErrorCode::Unsupported, "the blocks have no softmax", space.kernel().name);
    }
    PIM_CHECK(layout->checkRows());
    return std::shared_ptr<const CodeLayout>(std::move(layout));
}

Result<void> CodeLayout::checkRows() const {
    // Rows with bit 12 set are registers and modes; an op lies below them.
    if (m_rows <= HbmPimGeometry::kDataRows)
        return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("{} need {} rows of every bank, an op has {} below the register rows", describe(),
                            m_rows, HbmPimGeometry::kDataRows),
                m_kernel.name, "split the op over more groups or blocks");
}

// ------------------------------------------------------------------------------------------------ dot
// products and sums

Result<void> CodeLayout::planDots(const TilingSpace& space, const Draft& draft,
                                  const std::vector<Residency>& residency) {
    const dram::DotOperands operands(m_kernel, residentOnes(residency));
    const bool sum = m_kernel.body == BodyKind::Reduce;
    if (!sum && operands.buffer() < 0)
        return fail(ErrorCode::Unsupported, "a block multiplies two different operands, bank by register",
                    m_kernel.name);
    m_bankTensor = operands.bank();
    m_bufferTensor = operands.buffer();
    m_walk.emplace_back(space, draft, rolesOf(m_kernel, operands), kPimLanes);
    const DotWalk& walk = m_walk.front();
    m_work = walk.work();
    m_groups = walk.groups();
    m_coreCount = walk.cores();
    std::set<int> sets;
    const std::vector<int> bufferSets = walk.bufferSets();
    for (int core = 0; core < m_coreCount; ++core)
        if (walk.coreWorks(core)) {
            m_cores.push_back(core);
            sets.insert(bufferSets[std::size_t(core)]);
        }
    if (sum) {
        setSum();
    } else {
        m_fill = sets.size() > 1;
        setLanes();
        const double lanes = laneCycles();
        const bool lanesFit = m_rows <= HbmPimGeometry::kDataRows;
        if (!m_fill) {
            setScalars();
            const bool scalarsFit = m_rows <= HbmPimGeometry::kDataRows;
            if (!scalarsFit || (lanesFit && lanes <= scalarCycles()))
                setLanes();
        }
    }
    addMatrix(residency[std::size_t(m_bankTensor)] == Residency::Resident);
    if (m_fill) {
        addFill(residency[std::size_t(m_bufferTensor)] == Residency::Resident);
        m_bufferTensor = -1;
    }
    return {};
}

int CodeLayout::rowsOfTile() const {
    const int registers = m_machine.registers;
    return m_form == Form::Lanes ? registers * registers / kColumns : kScalars * registers / (2 * kColumns);
}

void CodeLayout::setLanes() {
    const int registers = m_machine.registers;
    m_form = Form::Lanes;
    m_alternates = rowsOfTile() == 2; // a program for two tiles fits the instruction memory
    m_batches = m_work.batches;
    m_bufferVectors = m_work.bufferVectors;
    m_sweeps = ceilDiv(m_work.bankVectors, registers);
    m_tiles = ceilDiv(m_work.bursts, registers);
    m_lastBursts = m_work.bursts - (m_tiles - 1) * registers;
    if (m_fill && !m_alternates && m_tiles > 1)
        m_lastBursts = registers; // one program for all tiles
    m_sweepTiles = m_batches * m_sweeps > 1 ? even(m_tiles) : m_tiles;
    m_results = int(std::min<std::int64_t>(registers, m_work.bankVectors));
    m_matrixRows = rowsOfTile() * ceilDiv(m_batches * m_sweeps * m_sweepTiles, 2);
    m_xFirstRow = m_matrixRows;
    const std::int64_t xRows = !m_fill    ? 0
                               : packed() ? m_batches * resultRowsOfInner()
                                          : m_batches * m_bufferVectors * rowsOfVector();
    m_resultRow = m_xFirstRow + xRows;
    m_rows = m_resultRow + m_batches * outerResults() * resultRowsOfInner();
}

void CodeLayout::setScalars() {
    const std::int64_t outputs = std::int64_t(m_machine.registers) * kPimLanes;
    m_form = Form::Scalars;
    m_batches = m_work.batches;
    m_bufferVectors = m_work.bufferVectors;
    m_sweeps = ceilDiv(m_work.bankVectors, outputs);
    m_tiles = m_sweepTiles = ceilDiv(m_work.elements, kScalars);
    m_results = int(std::min<std::int64_t>(m_machine.registers, ceilDiv(m_work.bankVectors, kPimLanes)));
    m_matrixRows = rowsOfTile() * m_batches * m_sweeps * m_tiles + 1;
    m_resultRow = m_matrixRows;
    m_rows = m_resultRow + m_batches * outerResults() * resultRowsOfInner();
}

void CodeLayout::setSum() {
    const int registers = m_machine.registers;
    m_form = Form::Sum;
    m_batches = m_work.batches;
    m_bufferVectors = m_work.bufferVectors;
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
                    : registers;
    m_sweepTiles = ceilDiv(m_steps, 2 * groupsOfRow()); // rows of a bank
    m_matrixRows = m_batches * m_sweeps * m_sweepTiles;
    m_resultRow = m_matrixRows;
    m_rows = m_resultRow + m_batches * outerResults() * resultRowsOfInner();
}

/// Clocks of a column command, nCCDL; of changing from reads to writes and back; to choose between forms
/// only.
double CodeLayout::laneCycles() const {
    constexpr double kColumn = 4, kTurn = 30;
    const double registers = m_machine.registers;
    const double load = registers * kColumn + kTurn + (m_alternates ? 0 : kTurn);
    return double(m_batches * m_bufferVectors * m_sweeps) *
           (double(m_tiles) * load +
            double((m_tiles - 1) * m_machine.registers + m_lastBursts) * registers * kColumn);
}

double CodeLayout::scalarCycles() const {
    constexpr double kColumn = 4, kTurn = 30;
    return double(m_batches * m_bufferVectors * m_sweeps * m_tiles) *
           (kScalars * double(m_machine.registers) * kColumn + kTurn);
}

void CodeLayout::addMatrix(bool resident) {
    BankTensor matrix{m_bankTensor, resident, {}};
    if (m_form == Form::Scalars) {
        const std::int64_t last = m_matrixRows - 1;
        matrix.segments = {{0, 1, 0, 1, 1, kHalfRow, kHalfRow},
                           {1, 1, 0, 1, 1, 0, kColumns},
                           {0, 1, last, 1, 1, 0, kHalfRow}};
        if (last > 1)
            matrix.segments.push_back({0, 2, 1, last - 1, 1, 0, kColumns});
    } else if (m_form == Form::Lanes && m_tiles == 1) { // a row of each bank at most is full
        const int groups = groupsOfRow();
        for (int visit = 0; visit * groups < m_lastBursts; ++visit) {
            Segment segment{visitBank(0, visit), 1, visitRow(0, 0, visit), m_batches * m_sweeps,
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

void CodeLayout::addFill(bool resident) {
    BankTensor x{m_bufferTensor, resident, {}};
    Segment segment{1, 1, m_xFirstRow, m_resultRow - m_xFirstRow};
    segment.columns = m_tiles == 1 ? int(m_lastBursts) : m_machine.registers;
    if (m_alternates && m_tiles > 1) {
        segment.firstBank = 0;
        segment.banks = 2;
    }
    const std::int64_t beside = packed() ? std::min<std::int64_t>(groupsOfRow(), m_bufferVectors) : 1;
    for (int n = 0; n < beside; ++n) {
        segment.column = n * m_machine.registers;
        x.segments.push_back(segment);
    }
    m_bankTensors.push_back(std::move(x));
}

int CodeLayout::visitBank(std::int64_t tile, int visit) const {
    return int((visit + (m_alternates ? tile : 0)) % 2);
}

std::int64_t CodeLayout::visitRow(std::int64_t sweep, std::int64_t tile, int visit) const {
    // The register of x follows from the row, so a row of a bank must fit its place in the tile; every second
    // tile takes the rows that the one before it left free.
    const int place = m_alternates ? visit : visit ^ int(tile % 2);
    return rowsOfTile() * ((sweep * m_sweepTiles + tile) / 2) + place;
}

int CodeLayout::registerOf(std::int64_t tile, int burst) const {
    const int groups = groupsOfRow();
    return m_alternates || tile % 2 == 0 ? burst : (burst / groups ^ 1) * groups + burst % groups;
}

std::int64_t CodeLayout::sweepRows() const {
    switch (m_form) {
    case Form::Lanes:
        return rowsOfTile() * m_sweepTiles / 2;
    case Form::Scalars:
        return rowsOfTile() * m_tiles;
    default:
        return m_sweepTiles;
    }
}

std::int64_t CodeLayout::rowsOfVector() const {
    return m_alternates ? ceilDiv(m_tiles, 2) : m_tiles;
}

std::int64_t CodeLayout::xRow(std::int64_t vector, std::int64_t tile) const {
    if (packed())
        return m_xFirstRow + vector / m_bufferVectors * resultRowsOfInner() +
               vector % m_bufferVectors / groupsOfRow();
    return m_xFirstRow + vector * rowsOfVector() + (m_alternates ? tile / 2 : tile);
}

std::string CodeLayout::describe() const {
    const std::int64_t sweeps = m_batches * m_bufferVectors * m_sweeps;
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
    } else {
        const std::int64_t stepOfAll = linearOf(at.row, at.bank, at.column) / registers;
        const std::int64_t perSweep = m_sweepTiles * 2 * groupsOfRow();
        sweep = stepOfAll / perSweep;
        first = stepOfAll % perSweep;
        if (first >= m_steps)
            return;
    }
    const std::int64_t batch = sweep / m_sweeps, ofVector = sweep % m_sweeps;
    if (batch >= m_batches)
        return;
    for (int lane = 0; lane < kPimLanes; ++lane) {
        std::int64_t vector = ofVector * registers + reg, burst = first;
        int element = lane;
        if (m_form == Form::Scalars || (m_form == Form::Sum && m_sumAlongOutputs)) {
            vector = vector * kPimLanes + lane;
            burst = first / kPimLanes;
            element = int(first % kPimLanes);
        } else if (m_form == Form::Sum) {
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
        if (ofBatch >= m_bufferVectors)
            return;
        vector = row / resultRowsOfInner() * m_bufferVectors + ofBatch;
        tile = 0;
    } else if (m_alternates) {
        tile = tile * 2 + (1 - at.bank);
    }
    if (tile >= m_tiles)
        return;
    const std::int64_t burst = tile * m_machine.registers + registerOf(tile, reg);
    for (int lane = 0; lane < kPimLanes && burst < m_work.bursts; ++lane)
        lanes[std::size_t(lane)] = m_walk.front().buffer(group, at.core, vector / m_bufferVectors,
                                                         vector % m_bufferVectors, burst, lane);
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
    const std::int64_t batch = vector / m_bufferVectors, ofBatch = vector % m_bufferVectors;
    if (batch >= m_batches)
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
        if (m_form == Form::Scalars || (m_form == Form::Sum && m_sumAlongOutputs))
            vector = vector * kPimLanes + lane;
        else if (m_form == Form::Sum)
            vector = sweep * m_sumVectors + reg % m_sumVectors;
        if (vector < m_work.bankVectors)
            lanes[std::size_t(lane)] = m_walk.front().output(group, at.core, batch, vector, bufferVector);
    }
}

// ---------------------------------------------------------------------------------------------------------
// element-wise

Result<void> CodeLayout::planMap(const TilingSpace& space, const Draft& draft,
                                 const std::vector<Residency>& residency) {
    m_form = Form::Map;
    const std::vector<DotPart> parts(m_kernel.loops.size(), DotPart::Summed);
    const auto walkOf = [&](const TensorAccess& access) {
        dram::DotRoles roles;
        roles.parts = parts;
        roles.bank = {m_kernel.tensors[std::size_t(access.tensor)].shape, access.index};
        return DotWalk(space, draft, std::move(roles), kPimLanes);
    };
    for (const TensorAccess& access : m_kernel.accesses) {
        if (access.isWrite)
            m_outputWalk.push_back(walkOf(access));
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
    const int slots = int(m_operands.size()) + 1;
    m_units = ceilDiv(walk.work().bursts, 2 * m_machine.registers);
    m_unitsOfRow = std::max(1, groupsOfRow() / slots);
    m_rowsOfUnit = int(ceilDiv(slots, groupsOfRow()));
    m_rows = ceilDiv(m_units, m_unitsOfRow) * m_rowsOfUnit;
    for (std::size_t i = 0; i < m_operands.size(); ++i) {
        const int tensor = m_operands[i].tensor;
        auto known = std::find_if(m_bankTensors.begin(), m_bankTensors.end(),
                                  [tensor](const auto& t) { return t.tensor == tensor; });
        if (known == m_bankTensors.end())
            known = m_bankTensors.insert(known,
                                         {tensor, residency[std::size_t(tensor)] == Residency::Resident, {}});
        for (int inRow = 0; inRow < m_unitsOfRow && inRow < m_units; ++inRow)
            known->segments.push_back(mapSegment(int(i), inRow));
    }
    return {};
}

std::pair<int, int> CodeLayout::slot(int operand, int inRow) const {
    const int place = inRow * (int(m_operands.size()) + 1) + operand;
    return {place / groupsOfRow(), place % groupsOfRow() * m_machine.registers};
}

Segment CodeLayout::mapSegment(int operand, int inRow) const {
    const auto [row, column] = slot(operand, inRow);
    return {0, 2, row, ceilDiv(m_units - inRow, m_unitsOfRow), m_rowsOfUnit, column, m_machine.registers};
}

void CodeLayout::mapElements(int tensor, int group, const BankPlace& at,
                             std::span<std::int64_t, kPimLanes> lanes) const {
    const int slots = int(m_operands.size()) + 1, registers = m_machine.registers;
    const int place = int(at.row % m_rowsOfUnit) * groupsOfRow() + at.column / registers;
    const int inRow = m_rowsOfUnit > 1 ? 0 : place / slots, operand = place - inRow * slots;
    const std::int64_t unit = at.row / m_rowsOfUnit * m_unitsOfRow + inRow;
    if (operand >= slots || inRow >= m_unitsOfRow || unit >= m_units)
        return;
    const bool isResult = operand + 1 == slots;
    if (tensor != (isResult ? m_outputTensor : m_operands[std::size_t(operand)].tensor))
        return;
    // The first operand of what goes through GRF_A lies in the even bank, the second in the odd one, and so
    // on; of GRF_B the other way round. Results lie beside their register file.
    const int file = isResult ? at.bank : (operand + at.bank) % 2;
    const std::int64_t burst = (unit * 2 + file) * registers + at.column % registers;
    const DotWalk& walk = isResult ? m_outputWalk.front() : m_operands[std::size_t(operand)].walk;
    for (int lane = 0; lane < kPimLanes && burst < walk.work().bursts; ++lane)
        lanes[std::size_t(lane)] = walk.bank(group, at.core, 0, 0, burst, lane);
}

// ---------------------------------------------------------------------------------------------------------------
// places

std::vector<PimPlace> CodeLayout::places(int tensor, std::int64_t element) const {
    std::vector<PimPlace> found;
    const int registers = m_machine.registers;
    const auto add = [&](const DotPlace& of, std::int64_t row, int bank, int column, int lane) {
        found.push_back({of.group, 2 * of.core + bank, row, column, lane});
    };
    if (m_form == Form::Map) {
        const auto addMap = [&](const DotWalk& walk, int operand, bool isResult) {
            for (const DotPlace& of : walk.bankPlaces(element)) {
                const std::int64_t unit = of.burst / (2 * registers);
                const int file = int(of.burst / registers % 2);
                const auto [row, column] = slot(operand, int(unit % m_unitsOfRow));
                add(of, unit / m_unitsOfRow * m_rowsOfUnit + row, isResult ? file : (operand + file) % 2,
                    column + int(of.burst % registers), of.lane);
            }
        };
        for (std::size_t i = 0; i < m_operands.size(); ++i)
            if (m_operands[i].tensor == tensor)
                addMap(m_operands[i].walk, int(i), false);
        if (tensor == m_outputTensor)
            addMap(m_outputWalk.front(), int(m_operands.size()), true);
    } else if (tensor == m_bankTensor) {
        for (const DotPlace& of : m_walk.front().bankPlaces(element)) {
            if (m_form == Form::Lanes) {
                const std::int64_t sweep = of.batch * m_sweeps + of.bankVector / registers,
                                   tile = of.burst / registers;
                const int ofTile = int(of.burst % registers), visit = ofTile / groupsOfRow();
                add(of, visitRow(sweep, tile, visit), visitBank(tile, visit),
                    ofTile % groupsOfRow() * registers + int(of.bankVector % registers), of.lane);
                continue;
            }
            const bool alongOutputs = m_form == Form::Scalars || m_sumAlongOutputs;
            const std::int64_t vectors = alongOutputs ? std::int64_t(registers) * kPimLanes : m_sumVectors;
            const std::int64_t sweep = of.batch * m_sweeps + of.bankVector / vectors,
                               ofSweep = of.bankVector % vectors;
            const std::int64_t step = alongOutputs ? of.burst * kPimLanes + of.lane : of.burst / m_sumParts;
            const std::int64_t reg =
                alongOutputs ? ofSweep / kPimLanes : of.burst % m_sumParts * m_sumVectors + ofSweep;
            const std::int64_t perSweep =
                m_form == Form::Scalars ? m_tiles * kScalars : m_sweepTiles * 2 * groupsOfRow();
            const Pair at((sweep * perSweep + step) * registers + reg +
                          (m_form == Form::Scalars ? kHalfRow : 0));
            add(of, at.row, at.bank, at.column, alongOutputs ? int(ofSweep % kPimLanes) : of.lane);
        }
    } else if (tensor == m_outputTensor) {
        for (const DotPlace& of : m_walk.front().outputPlaces(element)) {
            const bool alongOutputs = m_form == Form::Scalars || (m_form == Form::Sum && m_sumAlongOutputs);
            const std::int64_t perRegister = alongOutputs ? kPimLanes : 1;
            const std::int64_t vectors =
                m_form == Form::Sum && !alongOutputs ? m_sumVectors : registers * perRegister;
            const std::int64_t sweep = of.bankVector / vectors;
            const std::int64_t inner = resultsAlongVectors() ? of.bufferVector : sweep;
            const std::int64_t outer =
                of.batch * outerResults() + (resultsAlongVectors() ? 0 : of.bufferVector);
            const std::int64_t row = m_resultRow + outer * resultRowsOfInner() + inner / groupsOfRow();
            const int column = int(inner % groupsOfRow()) * registers;
            const int copies = m_form == Form::Sum && !alongOutputs ? m_sumParts : 1;
            for (int copy = 0; copy < copies; ++copy) {
                const int reg = int(of.bankVector % vectors / perRegister) + copy * m_sumVectors;
                if (alongOutputs)
                    add(of, row, 1, column + reg, int(of.bankVector % kPimLanes));
                else
                    for (int lane = 0; lane < kPimLanes; ++lane)
                        add(of, row, 1, column + reg, lane);
            }
        }
    } else if (m_fill) {
        for (const DotPlace& of : m_walk.front().bufferPlaces(element)) {
            const std::int64_t tile = of.burst / registers;
            const int beside = packed() ? int(of.bufferVector % groupsOfRow()) : 0;
            add(of, xRow(of.batch * m_bufferVectors + of.bufferVector, tile),
                m_alternates ? int(1 - tile % 2) : 1,
                beside * registers + registerOf(tile, int(of.burst % registers)), of.lane);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace pim::hbm
