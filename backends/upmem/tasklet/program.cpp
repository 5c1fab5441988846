// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/program.h"

#include "backends/upmem/dpu/code.h"
#include "backends/upmem/tasklet/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace pim::upmem {
namespace {

using Kind = VirtualInstruction::Kind;

// WRAM: what the runtime keeps (barrier, words of handshakes) lies among stacks, buffers begin behind them.
constexpr std::int32_t kBarrierPlace = 16, kHandshakes = 256, kStacks = 1024;
constexpr std::int64_t kBuffersBegin = 16'384 + 656; ///< [PIM-DL artifact 87aee67: what the runtime takes]
constexpr int kBarrierLock = 0, kHandshakeLock = 1, kFirstMutex = 2;
constexpr std::uint32_t kEvenRegisters = 0x55555555;
/// What calls and waits take, about, for counts.
double instructionsOf(const VirtualInstruction& in) {
    switch (in.kind) {
    case Kind::Label:
        return 0;
    case Kind::Barrier:
        return 11;
    case Kind::Multiply:
        return 1 + 6 + in.factorBits;
    case Kind::Divide:
        return 1 + 12 + in.factorBits;
    case Kind::WaitFor:
    case Kind::Notify:
        return 10;
    default:
        return 1;
    }
}

DpuReg realOf(RegisterNumber r, const std::vector<int>& given) {
    return r < kVirtual ? DpuReg(r) : reg(given[std::size_t(r - kVirtual) / 2] + r % 2);
}

DpuInstruction realOf(const VirtualInstruction& in, const std::vector<int>& given) {
    DpuInstruction made;
    made.op = in.op;
    made.rc = realOf(in.rc, given);
    made.ra = realOf(in.ra, given);
    made.rb = realOf(in.rb, given);
    made.useImm = in.useImm;
    made.condition = in.condition;
    return made;
}

class Lowered final : public LoweredCode {
public:
    Lowered(const TaskletCode& code, Lowering lowering, std::vector<int> given)
        : m_code(code), m_lowering(std::move(lowering)), m_given(std::move(given)) {
        countNests();
    }

    TaskletCounts count(std::span<const std::int64_t> sizes) const override;
    Result<TaskletProgram> program(std::span<const std::int64_t> sizes, int tasklets) const override;
    std::size_t instructions() const override { return m_lowering.out.code.size(); }

private:
    void countNests() {
        m_nests.resize(m_lowering.nests.size());
        std::uint32_t written = 0;
        for (const VirtualInstruction& in : m_lowering.out.code) {
            NestCount& nest = m_nests[std::size_t(in.nest)];
            nest.instructions += instructionsOf(in);
            if (in.kind == Kind::Label)
                continue;
            if (in.kind != Kind::Plain) {
                // each step reads two registers of a bank; so do five instructions around those of a division
                if (in.kind == Kind::Multiply || in.kind == Kind::Divide)
                    nest.conflicts += (in.kind == Kind::Divide ? 5 : 1) + in.factorBits;
                written = 0;
                continue;
            }
            const RegisterUse use = registerUse(realOf(in, m_given));
            const std::uint32_t banks = use.reads | written;
            written = use.writes;
            nest.conflicts +=
                std::popcount(banks & kEvenRegisters) / 2 + std::popcount(banks & ~kEvenRegisters) / 2;
        }
    }

    std::vector<double> turnsOf(std::span<const std::int64_t> sizes) const {
        std::vector<double> turns(m_lowering.nests.size(), 1);
        for (std::size_t i = 1; i < turns.size(); ++i) { // a nest comes after those it stands in
            const Nest& nest = m_lowering.nests[i];
            turns[i] = turns[std::size_t(nest.parent)] * nest.share *
                       (nest.turns < 0 ? 1.0 : double(m_code.evaluate(nest.turns, sizes)));
        }
        return turns;
    }

    std::int32_t valueOf(const Immediate& imm, std::span<const std::int64_t> sizes,
                         const std::vector<std::int64_t>& wram) const {
        std::int64_t value = imm.constant;
        for (const Immediate::Term& term : imm.terms)
            value += term.factor * m_code.evaluate(term.node, sizes);
        if (imm.wram >= 0)
            value += wram[std::size_t(imm.wram)];
        if (imm.mram >= 0)
            value += m_code.arrayOffset(std::size_t(imm.mram), sizes);
        return static_cast<std::int32_t>(value);
    }

    Result<void> checkTurns(std::span<const std::int64_t> sizes) const {
        for (const Nest& nest : m_lowering.nests)
            if (nest.turns >= 0 && m_code.evaluate(nest.turns, sizes) < 1)
                return fail(ErrorCode::InvalidKernel,
                            fmt::format("one of its loops has {} turns; at least 1 is needed",
                                        m_code.evaluate(nest.turns, sizes)),
                            m_code.name());
        for (const Lowering::Dma& dma : m_lowering.dmas)
            if (const std::int64_t bytes = dma.bytes >= 0 ? m_code.evaluate(dma.bytes, sizes) : 8;
                bytes < kLeastDmaBytes || bytes % kDmaAlignment != 0 || (dma.counts && bytes > kMostDmaBytes))
                return fail(ErrorCode::InvalidKernel,
                            fmt::format("a DMA of {} bytes; {} to {} in steps of {} are possible", bytes,
                                        kLeastDmaBytes, kMostDmaBytes, kDmaAlignment),
                            m_code.name(), "choose another tile");
        return {};
    }

    struct NestCount {
        double instructions = 0, conflicts = 0;
    };
    const TaskletCode& m_code;
    Lowering m_lowering;
    std::vector<int> m_given;
    std::vector<NestCount> m_nests;
};

TaskletCounts Lowered::count(std::span<const std::int64_t> sizes) const {
    const std::vector<double> turns = turnsOf(sizes);
    TaskletCounts counts;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        counts.instructions += turns[i] * m_nests[i].instructions;
        counts.conflicts += turns[i] * m_nests[i].conflicts;
    }
    for (const Lowering::Dma& dma : m_lowering.dmas) {
        const double times = turns[std::size_t(dma.nest)];
        counts.dmas += dma.counts ? times : 0;
        counts.dmaBytes +=
            times * (dma.bytes >= 0 ? double(m_code.evaluate(dma.bytes, sizes)) : dma.constant);
    }
    return counts;
}

/// The words of virtual instructions as real ones.
class Emitter {
public:
    Emitter(DpuCode& code, int tasklets) : m_code(code), m_tasklets(tasklets) {}

    void special(const VirtualInstruction& in, const std::vector<int>& given, std::int32_t imm) {
        switch (in.kind) {
        case Kind::Label:
            return m_code.label(labelName(in.label));
        case Kind::Barrier:
            return m_code.barrier(m_tasklets, kBarrierPlace, kBarrierLock);
        case Kind::Acquire:
            return m_code.acquire(DpuReg::Zero, kFirstMutex + imm);
        case Kind::Multiply:
            m_multiplies = true;
            return m_code.call("mulsi3");
        case Kind::Divide:
            m_divides = true;
            return m_code.call("udivsi3");
        case Kind::WaitFor:
            return m_code.handshakeWait(realOf(in.ra, given), kHandshakes, kHandshakeLock);
        case Kind::Notify:
            return m_code.handshakeNotify(kHandshakes, kHandshakeLock);
        case Kind::Plain:
            return;
        }
    }
    void routines() {
        if (m_multiplies) {
            m_code.label("mulsi3");
            m_code.mulsi3();
        }
        if (m_divides) {
            m_code.label("udivsi3");
            m_code.udivsi3();
        }
    }
    static std::string labelName(int label) { return fmt::format("L{}", label); }

private:
    DpuCode& m_code;
    int m_tasklets;
    bool m_multiplies = false, m_divides = false;
};

Result<TaskletProgram> Lowered::program(std::span<const std::int64_t> sizes, int tasklets) const {
    PIM_CHECK(m_code.checkSizes(sizes, tasklets));
    PIM_CHECK(checkTurns(sizes));
    TaskletProgram made;
    std::vector<std::int64_t> begins;
    std::int64_t at = kBuffersBegin;
    for (std::size_t b = 0; b < m_code.buffers().size(); ++b) {
        begins.push_back(at);
        const TaskletCode::Buffer& buffer = m_code.buffers()[b];
        const int copies = buffer.ofTasklet ? tasklets : 1;
        const std::int64_t each = m_code.bufferBytes(b, sizes, tasklets) / copies;
        for (int t = 0; t < copies; ++t)
            made.wram.push_back({buffer.name, at + t * each, each, buffer.ofTasklet ? t : -1});
        at += each * copies;
    }
    made.wramBytes = at - kBuffersBegin;
    DpuCode code(m_code.name());
    code.start(tasklets);
    if (m_lowering.out.stackSlots > 0) {
        code.note("stack of the tasklet");
        code.set(reg(0), kStacks);
        code.shiftAdd(reg(kStackPointer), reg(0), DpuReg::Id, kStackShift);
    }
    Emitter emitter(code, tasklets);
    for (const VirtualInstruction& in : m_lowering.out.code) {
        made.statementAt.resize(code.size(), -1);
        const std::int32_t imm = valueOf(in.imm, sizes, begins);
        if (in.kind != Kind::Plain) {
            emitter.special(in, m_given, imm);
        } else {
            DpuInstruction real = realOf(in, m_given);
            real.imm = in.op == DpuOp::Release ? imm + kFirstMutex : imm;
            code.add(real, in.label >= 0 ? Emitter::labelName(in.label) : std::string());
        }
        made.statementAt.resize(code.size(), in.statement);
    }
    emitter.routines();
    made.statementAt.resize(code.size(), -1);
    PIM_TRY(made.program, code.finish());
    return made;
}

} // namespace

double TaskletCounts::cycles(const DpuTiming& timing, int tasklets) const {
    const double fixed = (timing.readCycles + timing.pipelineStages) * dmas;
    const double alone = timing.revolverCycles * instructions + fixed + timing.cyclesPerByte * dmaBytes;
    const double issue = tasklets * (instructions + conflicts);
    const double engine = tasklets * (timing.engineCycles * dmas + timing.cyclesPerByte * dmaBytes);
    return std::max({alone, issue, engine});
}

Result<std::unique_ptr<LoweredCode>> lower(const TaskletCode& code) {
    Lowering lowering(code);
    PIM_CHECK(lowering.run());
    // Before sizes are known, a loop counts for eight turns.
    std::vector<double> turns(lowering.nests.size(), 1);
    for (std::size_t i = 1; i < turns.size(); ++i)
        turns[i] = turns[std::size_t(lowering.nests[i].parent)] * lowering.nests[i].share *
                   (lowering.nests[i].turns >= 0 ? 8 : 1);
    PIM_TRY(std::vector<int> given, giveRegisters(lowering.out, turns, code.name()));
    return std::make_unique<Lowered>(code, std::move(lowering), std::move(given));
}

} // namespace pim::upmem
