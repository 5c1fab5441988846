// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/compute_stream.h"

#include "backends/dram_pim/program_builder.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pim::hbm {
namespace {

using G = HbmPimGeometry;

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
    static constexpr bool kSweepsAreAlike = false;
    using Number = Moving;
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

/// All banks of the channel at a row without data: before and after the other modes.
void park(Emitter& to, int banks, std::int64_t zero) {
    // Ranks and bank groups in turn: each rank has an activation window of its own. Odd banks first: they
    // close first when the modes are left.
    const int ranks = banks / G::kBanks, halves = ranks > 1 ? 2 : 1;
    const auto everyBank = [&](const auto& command) {
        const Moving ofGroup = to.loop(G::kBanksPerGroup), group = to.loop(G::kBankGroups);
        const Moving rank = to.loop(ranks / halves), half = to.loop(halves);
        command((half * (ranks / halves) + rank) * G::kBanks + group * G::kBanksPerGroup + ofGroup * -1 +
                (G::kBanksPerGroup - 1));
        for (int loop = 0; loop < 4; ++loop)
            to.end();
    };
    everyBank([&](const Moving& bank) { to("ACT", {bank, G::kParkRow}); });
    everyBank([&](const Moving& bank) { to("RD", {bank, G::kParkRow, 0, kConstants, zero}); });
    to("PREA");
}
/// The activations switch the mode. (The host code of the simulator writes to these rows, its means to
/// have them opened.)
void enterAllBank(Emitter& to, bool inTurn) {
    for (const int bank : inTurn ? std::array{0, 8, 1, 9} : std::array{0, 1, 8, 9})
        to("ACT", {bank, G::kEnterRow});
    to("PREA");
}

/// The cores themselves are in such an order. Those of a last round that is not complete go between those of the round
/// before, far from their neighbours in a bank group there and in the round that follows with the next column.
std::vector<int> spread(const CodeLayout& layout) {
    std::vector<int> cores = layout.cores();
    const int buses = layout.machine().buses(), round = layout.machine().ranks() * G::kBankGroups;
    const int last = cores.empty() ? 0 : cores.back() / round;
    if (last == 0 || (cores.back() + 1) % round == 0)
        return cores;
    const auto place = [&](int core) {
        const int ofRound = core % round;
        return core / round < last || ofRound >= round / 2
                   ? std::pair(2 * core, 0)
                   : std::pair(2 * (core - round - ofRound % buses + round / 2 + buses - 1) + 1, core);
    };
    std::sort(cores.begin(), cores.end(), [&](int a, int b) { return place(a) < place(b); });
    return cores;
}

/// Working blocks in an order that changes first the half of the channel (on HBM3 one of two pseudo-channels
/// of the standard, each with a bus), then the rank, then the bank group from one to the next, so that
/// neither the activation window nor the longer distances within a bank group count.
std::vector<int> interleaved(const CodeLayout& layout) {
    if (layout.machine().passes.spreadBlocks)
        return spread(layout);
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
    void write(bool resident) {
        for (const auto& parts : m_layout.writes(resident))
            access("WR", parts);
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
        if (m_layout.oneRow())
            return access("RD", {{m_layout.outputTensor(), m_layout.oneRowResults()}});
        for (int inRow = 0; inRow < m_layout.unitsOfRow() && inRow < m_layout.units(); ++inRow)
            access("RD", {{m_layout.outputTensor(), m_layout.mapSegment(m_layout.inputs(), inRow)}});
    }

private:
    using Part = CodePlan::Part;

    /// Columns of rows that all parts have in common.
    void access(std::string_view opcode, const std::vector<Part>& parts) {
        const Segment rows = parts.front().segment;
        const Moving row = m_to.loop(rows.rows) * rows.rowStep + rows.row;
        for (int bank = rows.firstBank; bank < rows.firstBank + rows.banks; ++bank)
            for (const int core : m_cores)
                m_to("ACT", {m_layout.bankOf(core, bank), row});
        for (const Part& part : parts) {
            const Moving column = m_to.loop(part.segment.columns) + part.segment.column;
            for (int bank = rows.firstBank; bank < rows.firstBank + rows.banks; ++bank)
                for (const int core : m_cores)
                    m_to(opcode,
                         {m_layout.bankOf(core, bank), row, column, part.tensor,
                          row * (2 * CodeLayout::kColumns) + column + m_layout.bankBurst(core, 0, bank, 0)});
            m_to.end();
        }
        m_to("PREA");
        m_to.end();
    }
    void resultRow(const Moving& row, std::int64_t groups) {
        for (const int core : m_cores)
            m_to("ACT", {m_layout.bankOf(core, 1), row});
        const Moving group = m_to.loop(groups), reg = m_to.loop(m_layout.results());
        const Moving column = group * m_layout.machine().registers + reg;
        for (const int core : m_cores)
            m_to("RD", {m_layout.bankOf(core, 1), row, column, m_layout.outputTensor(),
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
        return [&layout, resident](Emitter& to) { HostStream(*layout, to).write(resident); };
    };
    const auto leave = [&](Emitter& to) { ComputeStream<Emitter>(*layout, to, code.constants).finish(); };
    const auto& inBanks = layout->bankTensors();
    if (std::any_of(inBanks.begin(), inBanks.end(), [](const auto& tensor) { return tensor.resident; }))
        phase("load", [&](Emitter& to) {
            write(true)(to);
            if (layout->takes()) { // as the op before leaves it
                enterAllBank(to, true);
                ComputeStream<Emitter>(*layout, to, code.constants).beContinued();
            }
        });
    if (layout->takes() && !layout->staysInMode())
        phase("mode out", leave);
    if (!layout->staysInMode())
        phase("input", write(false));
    const std::int64_t zero = keepConstant(code.constants, {});
    const int banks = layout->machine().banks();
    const bool parks = !layout->machine().passes.modeSequence;
    phase("mode on", [&](Emitter& to) {
        if (parks && !layout->staysInMode())
            park(to, banks, zero);
        if (!layout->staysInMode())
            enterAllBank(to, !parks);
        ComputeStream<Emitter>(*layout, to, code.constants).begin(function);
    });
    phase("compute",
          [&](Emitter& to) { ComputeStream<Emitter>(*layout, to, code.constants).compute(function); });
    const auto results = [&](Emitter& to) {
        HostStream host(*layout, to);
        layout->form() == Form::Map || layout->oneRow() ? host.mapResults() : host.results();
    };
    if (layout->keeps()) { // only for those who want to see the result
        phase("unload", [&](Emitter& to) {
            leave(to);
            results(to);
        });
    } else {
        phase("mode off", [&](Emitter& to) {
            leave(to);
            if (parks)
                park(to, banks, zero);
        });
        phase("output", results);
    }
    code.groups = layout->groups();
    code.rows = layout->rows();
    code.type = DataType::F16;
    code.operands = std::move(layout);
    return code;
}

} // namespace pim::hbm
