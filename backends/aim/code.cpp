// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/code.h"

#include "backends/aim/commands.h"
#include "backends/dram_pim/dot_walk.h"
#include "backends/dram_pim/loop_builder.h"
#include "backends/dram_pim/program_builder.h"
#include "core/base/bfloat16.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::aim {
namespace {

using dram::DotPlace;
using dram::DotWalk;
using dram::LoopBuilder;

/// LoopBuilder with the opcodes' names.
class AimStream {
public:
    void emit(AimOpcode opcode, std::vector<std::int64_t> operands = {}) {
        m_loops.command(int(opcode), std::move(operands));
    }
    template <class Body>
    void repeat(std::int64_t turns, const Body& body) {
        m_loops.repeat(turns, body);
    }
    std::vector<ProgramItem> take() { return m_loops.take(); }

private:
    LoopBuilder m_loops;
};

std::vector<int> workingCores(const DotWalk& walk) {
    std::vector<int> cores;
    for (int core = 0; core < walk.cores(); ++core)
        if (walk.coreWorks(core))
            cores.push_back(core);
    return cores;
}

Result<void> checkRows(const CodeRequest& request, std::int64_t rows) {
    if (rows <= request.shape.rows)
        return {};
    return fail(
        ErrorCode::Unsupported,
        fmt::format("the operands take {} rows of every bank; there are {}", rows, request.shape.rows),
        request.space.kernel().name, "split the kernel over more banks or channels");
}

/// A phase of the program; left out if it has no commands.
void addPhase(Program& program, const char* name, const std::string& unit, std::vector<ProgramItem> items) {
    if (!items.empty())
        program.phases.push_back({name, {{unit, std::move(items)}}});
}

PimCode emptyCode(const CodeRequest& request, const DotWalk& walk, std::int64_t rows) {
    PimCode code;
    code.program.opcodes = opcodes();
    code.type = DataType::BF16;
    code.groups = walk.groups();
    code.rows = rows;
    PimWord ones;
    ones.fill(floatToBfloat(1));
    code.constants = {PimWord{}, ones};
    PIM_ASSERT(walk.cores() <= request.shape.banks, "drafts have no more cores than there are banks");
    return code;
}

/// Dot products: bursts of a tensor are numbered
///   bank operand   [batch][bank vector][burst][core], pieces one after the other
///   buffer operand [set of cores][batch][buffer vector][burst]
///   output         [set of cores][batch][buffer vector][bank vector][piece that leaves], lanes are cores
class ProductOperands final : public PimOperands {
public:
    ProductOperands(DotWalk walk, const Dots& dots, int bankTensor, int bufferTensor, int output)
        : m_walk(std::move(walk)), m_dots(dots), m_bank(bankTensor), m_buffer(bufferTensor), m_output(output),
          m_sets(m_walk.bufferSets()) {}

    std::int64_t bankBurst(std::int64_t batch, std::int64_t vector, std::int64_t burst, int core) const {
        return ((batch * m_dots.bankVectors + vector) * m_dots.vectorBursts() + burst) * m_walk.cores() +
               core;
    }
    std::int64_t bufferBurst(std::int64_t set, std::int64_t batch, std::int64_t vector,
                             std::int64_t burst) const {
        return ((set * m_dots.batches + batch) * m_dots.bufferVectors + vector) * m_dots.vectorBursts() +
               burst;
    }
    std::int64_t outputBurst(std::int64_t set, std::int64_t batch, std::int64_t bufferVector,
                             std::int64_t bankVector, std::int64_t piece) const {
        return (((set * m_dots.batches + batch) * m_dots.bufferVectors + bufferVector) * m_dots.bankVectors +
                bankVector) *
                   m_dots.resultsOfVector() +
               piece;
    }
    std::int64_t row(std::int64_t batch, std::int64_t vector, std::int64_t piece) const {
        const std::int64_t inBatch =
            m_dots.pieces > 1 ? vector * m_dots.pieces + piece : vector / m_dots.perRow;
        return batch * m_dots.rowsOfBatch() + inBatch;
    }

    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override {
        std::fill(lanes.begin(), lanes.end(), -1);
        const auto digit = [&burst](std::int64_t radix) {
            const std::int64_t value = burst % radix;
            burst /= radix;
            return value;
        };
        if (tensor == m_output) {
            digit(m_dots.resultsOfVector());
            const std::int64_t bankVector = digit(m_dots.bankVectors),
                               bufferVector = digit(m_dots.bufferVectors), batch = digit(m_dots.batches);
            for (int core = 0; core < m_walk.cores(); ++core)
                if (m_dots.ones || m_sets[std::size_t(core)] == burst)
                    lanes[std::size_t(core)] = m_walk.output(group, core, batch, bankVector, bufferVector);
        } else if (tensor == m_bank) {
            const int core = int(digit(m_walk.cores()));
            const std::int64_t at = digit(m_dots.vectorBursts()), vector = digit(m_dots.bankVectors);
            for (int lane = 0; lane < kPimLanes; ++lane)
                lanes[std::size_t(lane)] = m_walk.bank(group, core, burst, vector, at, lane);
        } else if (tensor == m_buffer) {
            const std::int64_t at = digit(m_dots.vectorBursts()), vector = digit(m_dots.bufferVectors),
                               batch = digit(m_dots.batches);
            const int core = coreOf(group, burst);
            for (int lane = 0; core >= 0 && lane < kPimLanes; ++lane)
                lanes[std::size_t(lane)] = m_walk.buffer(group, core, batch, vector, at, lane);
        }
    }

    std::vector<PimPlace> places(int tensor, std::int64_t element) const override {
        std::vector<PimPlace> result;
        if (tensor != m_bank)
            return result;
        for (const DotPlace& place : m_walk.bankPlaces(element)) {
            const std::int64_t piece = place.burst / m_dots.piece;
            const std::int64_t column =
                place.burst % m_dots.piece + place.bankVector % m_dots.perRow * m_dots.piece;
            result.push_back({place.group, place.core, row(place.batch, place.bankVector, piece), int(column),
                              place.lane});
        }
        return result;
    }

private:
    /// A core of the set that has work in the group; -1 if none has.
    int coreOf(int group, std::int64_t set) const {
        for (int core = 0; core < m_walk.cores(); ++core)
            if (m_sets[std::size_t(core)] == set && m_walk.works(group, core))
                return core;
        return -1;
    }

    DotWalk m_walk;
    Dots m_dots;
    int m_bank, m_buffer, m_output;
    std::vector<int> m_sets; ///< By core.
};

/// The streams of dot products.
class ProductStreams {
public:
    /// Of the kernel.
    struct Tensors {
        int bank = 0, buffer = 0, output = 0;
    };
    ProductStreams(const Dots& dots, const ProductOperands& operands, const Tensors& tensors,
                   std::vector<int> cores, int sets, bool overlaps)
        : m_dots(dots), m_operands(operands), m_bank(tensors.bank), m_buffer(tensors.buffer),
          m_output(tensors.output), m_cores(std::move(cores)), m_sets(sets), m_overlaps(overlaps) {}

    std::vector<ProgramItem> bankWrites() {
        AimStream stream;
        const std::int64_t full = m_dots.bankVectors / m_dots.perRow,
                           rest = m_dots.bankVectors % m_dots.perRow;
        stream.repeat(m_dots.batches, [&](std::int64_t batch) {
            stream.repeat(full, [&](std::int64_t i) {
                stream.repeat(m_dots.pieces, [&](std::int64_t piece) {
                    writeRow(stream, batch, i * m_dots.perRow, piece, m_dots.perRow);
                });
            });
            if (rest > 0)
                writeRow(stream, batch, full * m_dots.perRow, 0, rest);
        });
        return stream.take();
    }

    std::vector<ProgramItem> compute() {
        AimStream stream;
        stream.emit(AimOpcode::Tmod, {1});
        if (m_dots.ones)
            stream.repeat(m_dots.copies() * m_dots.piece, [&](std::int64_t slot) {
                stream.emit(AimOpcode::WrGb, {slot, -1, kOnes});
            });
        stream.repeat(m_sets, [&](std::int64_t set) {
            stream.repeat(m_dots.batches, [&](std::int64_t batch) {
                stream.repeat(m_dots.bufferVectors, [&](std::int64_t vector) {
                    m_at = {set, batch, vector};
                    if (m_dots.pieces == 1)
                        wholeVectors(stream);
                    else if (m_dots.inputsStay)
                        inputsStay(stream);
                    else
                        outputsStay(stream);
                });
            });
        });
        stream.emit(AimOpcode::Tmod, {0});
        return stream.take();
    }

private:
    /// One row of all banks: \p vectors from \p first on, or one piece of a vector.
    void writeRow(AimStream& stream, std::int64_t batch, std::int64_t first, std::int64_t piece,
                  std::int64_t vectors) const {
        const std::int64_t row = m_operands.row(batch, first, piece);
        stream.emit(AimOpcode::Act16, {row});
        stream.repeat(vectors * m_dots.piece, [&](std::int64_t column) {
            for (const int core : m_cores)
                stream.emit(AimOpcode::Wr,
                            {core, row, column, m_bank,
                             m_operands.bankBurst(batch, first, piece * m_dots.piece + column, core)});
        });
        stream.emit(AimOpcode::PreA);
    }

    void load(AimStream& stream, std::int64_t piece) const {
        if (m_dots.ones)
            return;
        const Sweep at = m_at;
        stream.repeat(m_dots.copies(), [&](std::int64_t copy) {
            stream.repeat(m_dots.piece, [&](std::int64_t i) {
                stream.emit(AimOpcode::WrGb,
                            {copy * m_dots.piece + i, m_buffer,
                             m_operands.bufferBurst(at.set, at.batch, at.vector, piece * m_dots.piece + i)});
            });
        });
    }
    void clear(AimStream& stream) const { stream.emit(AimOpcode::WrMac16, {-1, kZeros}); }
    void result(AimStream& stream, std::int64_t vector, std::int64_t piece) const {
        stream.emit(AimOpcode::RdMac16,
                    {m_output, m_operands.outputBurst(m_at.set, m_at.batch, m_at.vector, vector, piece)});
    }
    void macs(AimStream& stream, std::int64_t row, std::int64_t firstColumn) const {
        stream.repeat(m_dots.piece, [&](std::int64_t i) {
            stream.emit(AimOpcode::Mac16, {row, firstColumn + i});
        });
    }
    /// MACs on a row, which is opened before if it is the first of a sweep. The next one is opened right
    /// after, so that its tRCD passes while the mode changes; without overlap when the mode is back.
    struct RowTurn {
        bool opens = false;     ///< First row of the sweep.
        std::int64_t next = -1; ///< Row to be opened; -1: it was the last.
    };
    void turn(AimStream& stream, std::int64_t next) const {
        stream.emit(AimOpcode::PreA);
        if (next >= 0 && m_overlaps)
            stream.emit(AimOpcode::Act16, {next});
    }
    void pieceOf(AimStream& stream, std::int64_t vector, std::int64_t piece, RowTurn rows) const {
        const std::int64_t row = m_operands.row(m_at.batch, vector, piece);
        if (rows.opens || !m_overlaps)
            stream.emit(AimOpcode::Act16, {row});
        macs(stream, row, 0);
        turn(stream, rows.next);
    }

    /// The vector from the host is in the buffer as a whole; bank vectors lie side by side.
    void wholeVectors(AimStream& stream) const {
        load(stream, 0);
        const std::int64_t full = m_dots.bankVectors / m_dots.perRow,
                           rest = m_dots.bankVectors % m_dots.perRow;
        const auto row = [&](std::int64_t r, std::int64_t vectors, bool isLast) {
            const std::int64_t first = r * m_dots.perRow;
            sideBySide(stream, first, vectors,
                       {false, isLast ? -1 : m_operands.row(m_at.batch, first + m_dots.perRow, 0)});
        };
        const std::int64_t rows = full + (rest > 0 ? 1 : 0);
        sideBySide(stream, 0, full > 0 ? m_dots.perRow : rest,
                   {true, rows > 1 ? m_operands.row(m_at.batch, m_dots.perRow, 0) : -1});
        stream.repeat(full - 2, [&](std::int64_t i) { row(i + 1, m_dots.perRow, false); });
        if (full > 1)
            row(full - 1, m_dots.perRow, rest == 0);
        if (full > 0 && rest > 0)
            row(full, rest, true);
    }
    void sideBySide(AimStream& stream, std::int64_t first, std::int64_t vectors, RowTurn rows) const {
        const std::int64_t row = m_operands.row(m_at.batch, first, 0);
        const auto one = [&](std::int64_t i, bool isFirst, bool isLast) {
            clear(stream);
            stream.emit(AimOpcode::Tmod, {0});
            if (isFirst && (rows.opens || !m_overlaps))
                stream.emit(AimOpcode::Act16, {row});
            macs(stream, row, i * m_dots.piece);
            if (isLast)
                turn(stream, rows.next);
            stream.emit(AimOpcode::Tmod, {1});
            result(stream, first + i, 0);
        };
        one(0, true, vectors == 1);
        stream.repeat(vectors - 2, [&](std::int64_t i) { one(i + 1, false, false); });
        if (vectors > 1)
            one(vectors - 1, false, true);
    }

    void inputsStay(AimStream& stream) const {
        stream.repeat(m_dots.pieces, [&](std::int64_t piece) {
            load(stream, piece);
            const auto partial = [&](std::int64_t vector, bool opens, bool isLast) {
                clear(stream);
                stream.emit(AimOpcode::Tmod, {0});
                pieceOf(stream, vector, piece,
                        {opens, isLast ? -1 : m_operands.row(m_at.batch, vector + 1, piece)});
                stream.emit(AimOpcode::Tmod, {1});
                result(stream, vector, piece);
            };
            firstMiddleLast(stream, m_dots.bankVectors, partial);
        });
    }

    void outputsStay(AimStream& stream) const {
        firstMiddleLast(stream, m_dots.bankVectors, [&](std::int64_t vector, bool isFirst, bool isLast) {
            clear(stream);
            if (m_dots.ones)
                stream.emit(AimOpcode::Tmod, {0});
            firstMiddleLast(stream, m_dots.pieces, [&](std::int64_t piece, bool isStart, bool isEnd) {
                load(stream, piece);
                if (!m_dots.ones)
                    stream.emit(AimOpcode::Tmod, {0});
                const std::int64_t next = m_operands.row(m_at.batch, vector, piece) + 1;
                pieceOf(stream, vector, piece, {isFirst && isStart, isLast && isEnd ? -1 : next});
                if (!m_dots.ones)
                    stream.emit(AimOpcode::Tmod, {1});
            });
            if (m_dots.ones)
                stream.emit(AimOpcode::Tmod, {1});
            result(stream, vector, 0);
        });
    }

    /// \p body(turn, is first, is last), the turns between as a loop.
    template <class Body>
    static void firstMiddleLast(AimStream& stream, std::int64_t turns, const Body& body) {
        body(0, true, turns == 1);
        stream.repeat(turns - 2, [&](std::int64_t i) { body(i + 1, false, false); });
        if (turns > 1)
            body(turns - 1, false, true);
    }

    struct Sweep {
        std::int64_t set = 0, batch = 0, vector = 0;
    };
    Dots m_dots;
    const ProductOperands& m_operands;
    int m_bank, m_buffer, m_output;
    std::vector<int> m_cores;
    int m_sets;
    bool m_overlaps;
    Sweep m_at; ///< Of the loops around what is emitted.
};

int outputOf(const Kernel& kernel) {
    for (const TensorAccess& access : kernel.accesses)
        if (access.isWrite)
            return access.tensor;
    return -1;
}

/// Element-wise products. Values of a channel are counted core by core; 16 lanes of each bank group in turn
/// make one command. Bursts: [factor][command][bank group], of the output without the first.
class MultiplyOperands final : public PimOperands {
public:
    /// What lies in the bank of that number in every group: two factors, which may be the same tensor, and
    /// the product.
    struct Part {
        int tensor;
        DotWalk walk; ///< The values of a core are one vector of it.
    };
    MultiplyOperands(std::vector<Part> parts, ChannelShape shape)
        : m_parts(std::move(parts)), m_shape(shape), m_cores(workingCores(m_parts.front().walk)),
          m_perCore(m_parts.front().walk.work().elements) {}

    std::int64_t commands() const {
        const std::int64_t values = std::int64_t(m_cores.size()) * m_perCore;
        const std::int64_t atOnce = std::int64_t(m_shape.bankGroups) * kPimLanes;
        return (values + atOnce - 1) / atOnce;
    }
    std::int64_t burst(int part, std::int64_t command, int bankGroup) const {
        return (part % int(kProduct) * commands() + command) * m_shape.bankGroups + bankGroup;
    }
    int tensor(int part) const { return m_parts[std::size_t(part)].tensor; }

    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override {
        const std::int64_t ofPart = commands() * m_shape.bankGroups;
        const bool isProduct = tensor == m_parts[kProduct].tensor;
        const DotWalk& walk = m_parts[isProduct ? kProduct : std::size_t(burst / ofPart)].walk;
        for (int lane = 0; lane < kPimLanes; ++lane) {
            const std::int64_t value = burst % ofPart * kPimLanes + lane, at = value / m_perCore;
            const std::int64_t ofCore = value % m_perCore;
            lanes[std::size_t(lane)] = at < std::ssize(m_cores)
                                           ? walk.bank(group, m_cores[std::size_t(at)], 0, 0,
                                                       ofCore / kPimLanes, int(ofCore % kPimLanes))
                                           : -1;
        }
    }

    std::vector<PimPlace> places(int tensor, std::int64_t element) const override {
        std::vector<PimPlace> result;
        for (int part = 0; part <= int(kProduct); ++part) {
            if (m_parts[std::size_t(part)].tensor != tensor)
                continue;
            for (const DotPlace& place : m_parts[std::size_t(part)].walk.bankPlaces(element)) {
                const auto core = std::find(m_cores.begin(), m_cores.end(), place.core) - m_cores.begin();
                const std::int64_t value = core * m_perCore + place.burst * kPimLanes + place.lane;
                const std::int64_t word = value / kPimLanes, command = word / m_shape.bankGroups;
                const int bank = int(word % m_shape.bankGroups) * m_shape.banksOfGroup() + part;
                result.push_back({place.group, bank, command / m_shape.columns,
                                  int(command % m_shape.columns), int(value % kPimLanes)});
            }
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    static constexpr std::size_t kProduct = 2; ///< Its part.

private:
    std::vector<Part> m_parts;
    ChannelShape m_shape;
    std::vector<int> m_cores;   ///< With work.
    std::int64_t m_perCore = 1; ///< Values.
};

/// Rows from the first on: opened, \p column for each of their columns, closed.
template <class Column>
std::vector<ProgramItem> rowsOf(std::int64_t commands, std::int64_t columns, const Column& column) {
    AimStream stream;
    const auto row = [&](std::int64_t number, std::int64_t count) {
        stream.emit(AimOpcode::Act16, {number});
        stream.repeat(count, [&](std::int64_t c) { column(stream, number, c); });
        stream.emit(AimOpcode::PreA);
    };
    stream.repeat(commands / columns, [&](std::int64_t number) { row(number, columns); });
    if (commands % columns > 0)
        row(commands / columns, commands % columns);
    return stream.take();
}

} // namespace

Result<PimCode> productCode(const CodeRequest& request, const dram::DotCosts& costs) {
    const Kernel& kernel = request.space.kernel();
    const dram::DotOperands roles(kernel, request.resident);
    DotWalk walk(request.space, request.draft, dram::rolesOf(kernel, roles), kPimLanes);
    dram::DotProducts work = walk.work();
    work.bankTensor = roles.bank();
    work.bufferTensor = roles.buffer();
    const Dots dots = dotsOf(work, request.shape.columns, costs, request.passes.stationary);
    PIM_CHECK(checkRows(request, dots.bankRows()));
    const std::vector<int> sets = walk.bufferSets(), cores = workingCores(walk);
    int setCount = 1;
    for (const int core : cores)
        setCount = dots.ones ? 1 : std::max(setCount, sets[std::size_t(core)] + 1);
    const int output = outputOf(kernel);

    PimCode code = emptyCode(request, walk, dots.bankRows());
    if (request.detail == CodeDetail::Rows)
        return code;
    const auto operands =
        std::make_shared<ProductOperands>(std::move(walk), dots, roles.bank(), roles.buffer(), output);
    ProductStreams streams(dots, *operands, {roles.bank(), roles.buffer(), output}, cores, setCount,
                           request.passes.overlap);
    const std::string unit = dram::groupsText(request.space.summarize(request.draft));
    const bool resident = request.resident[std::size_t(roles.bank())];
    addPhase(code.program, resident ? "load" : "input", unit, streams.bankWrites());
    addPhase(code.program, "compute", unit, streams.compute());
    code.operands = operands;
    return code;
}

Result<PimCode> multiplyCode(const CodeRequest& request) {
    const Kernel& kernel = request.space.kernel();
    std::vector<MultiplyOperands::Part> parts;
    const auto add = [&](const TensorAccess& access) {
        dram::DotRoles roles;
        roles.parts.assign(kernel.loops.size(), dram::DotPart::Summed);
        roles.bank = {kernel.tensors[std::size_t(access.tensor)].shape, access.index};
        parts.push_back({access.tensor, DotWalk(request.space, request.draft, std::move(roles), kPimLanes)});
    };
    for (const bool writes : {false, true})
        for (const TensorAccess& access : kernel.accesses)
            if (access.isWrite == writes)
                add(access);
    PIM_ASSERT(parts.size() == MultiplyOperands::kProduct + 1, "the backend takes products of two only");
    PimCode code = emptyCode(request, parts.front().walk, 0);
    const ChannelShape shape = request.shape;
    const auto operands = std::make_shared<MultiplyOperands>(std::move(parts), shape);
    const std::int64_t commands = operands->commands();
    code.rows = (commands + shape.columns - 1) / shape.columns;
    PIM_CHECK(checkRows(request, code.rows));
    if (request.detail == CodeDetail::Rows)
        return code;

    const auto access = [&](AimStream& stream, AimOpcode opcode, int part, std::int64_t row,
                            std::int64_t column) {
        for (int group = 0; group < shape.bankGroups; ++group)
            stream.emit(opcode, {group * shape.banksOfGroup() + part, row, column, operands->tensor(part),
                                 operands->burst(part, row * shape.columns + column, group)});
    };
    const auto writes = [&](bool resident) -> std::vector<ProgramItem> {
        const auto isNow = [&](int part) {
            return request.resident[std::size_t(operands->tensor(part))] == resident;
        };
        if (!isNow(0) && !isNow(1))
            return {};
        return rowsOf(commands, shape.columns, [&](AimStream& stream, std::int64_t row, std::int64_t column) {
            for (const int factor : {0, 1})
                if (isNow(factor))
                    access(stream, AimOpcode::Wr, factor, row, column);
        });
    };
    const std::string unit = dram::groupsText(request.space.summarize(request.draft));
    addPhase(code.program, "load", unit, writes(true));
    addPhase(code.program, "input", unit, writes(false));
    addPhase(code.program, "compute", unit,
             rowsOf(commands, shape.columns, [](AimStream& stream, std::int64_t row, std::int64_t column) {
                 stream.emit(AimOpcode::Ewmul16, {row, column});
             }));
    addPhase(code.program, "output", unit,
             rowsOf(commands, shape.columns, [&](AimStream& stream, std::int64_t row, std::int64_t column) {
                 access(stream, AimOpcode::Rd, int(MultiplyOperands::kProduct), row, column);
             }));
    code.operands = operands;
    return code;
}

} // namespace pim::aim
