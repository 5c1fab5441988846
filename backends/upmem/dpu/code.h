// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes DPU programs: instructions with labels, and what the runtime library of the SDK does for every kernel (start of the
/// tasklets, barrier, buffers, products of 32 bits). Register 23 holds return addresses.
#include "backends/upmem/dpu/isa.h"

#include <map>
#include <utility>

namespace pim::upmem {

/// A jump of an instruction: condition and label.
struct Goto {
    DpuCondition condition = DpuCondition::Never;
    std::string_view label = {};
};

class DpuCode {
public:
    /// \param heapLimit first byte of WRAM that is not for buffers.
    explicit DpuCode(std::string name, std::int32_t heapLimit = kWramBytes) : m_heapLimit(heapLimit) {
        m_program.name = std::move(name);
    }

    void label(std::string_view name) { m_labels[std::string(name)] = m_program.code.size(); }
    /// A label no other has.
    std::string freshLabel(std::string_view what);
    void note(std::string text) { m_note = std::move(text); } ///< Of the next instruction.

    void op(DpuOp op, DpuReg rc, DpuReg ra, std::int32_t imm, Goto to = {});
    void op(DpuOp op, DpuReg rc, DpuReg ra, DpuReg rb, Goto to = {});
    void move(DpuReg rc, DpuReg ra) { op(DpuOp::Or, rc, ra, 0); }
    void set(DpuReg rc, std::int32_t value) { op(DpuOp::Or, rc, DpuReg::Zero, value); }
    /// rc = ra + (rb << shift)
    void shiftAdd(DpuReg rc, DpuReg ra, DpuReg rb, std::int32_t shift);
    /// Any instruction; its target is \p label if that is not empty.
    void add(const DpuInstruction& instruction, std::string_view label = {});
    std::size_t size() const { return m_program.code.size(); }
    void load(DpuReg wram, DpuReg mram, std::int32_t bytes);
    void store(DpuReg wram, DpuReg mram, std::int32_t bytes);
    void jump(std::string_view label) {
        op(DpuOp::Jump, DpuReg::Zero, DpuReg::Zero, 0, {DpuCondition::Always, label});
    }
    /// Compares and jumps.
    void jumpIf(DpuReg ra, DpuCondition condition, DpuReg rb, std::string_view label) {
        op(DpuOp::Sub, DpuReg::Zero, ra, rb, {condition, label});
    }
    void jumpIf(DpuReg ra, DpuCondition condition, std::int32_t value, std::string_view label) {
        op(DpuOp::Sub, DpuReg::Zero, ra, value, {condition, label});
    }
    void call(std::string_view label) {
        op(DpuOp::Call, reg(23), DpuReg::Zero, 0, {DpuCondition::Always, label});
    }
    void ret() { op(DpuOp::Jump, DpuReg::Zero, reg(23), 0); }
    void acquire(DpuReg address, int lock = 0); ///< Lock \p address + \p lock.
    void release(DpuReg address, int lock = 0) { op(DpuOp::Release, DpuReg::Zero, address, lock); }
    void exit() { op(DpuOp::Exit, DpuReg::Zero, DpuReg::Zero, 0); }

    /// Each tasklet wakes the next one.
    void start(int tasklets);
    /// Where the barrier keeps its count and list: 8 + 4 bytes for each tasklet.
    void barrier(int tasklets, std::int32_t wramAddress, int lock);
    /// A buffer of the heap for each tasklet, as mem_alloc() gives it: under a lock, one tasklet after the other.
    /// \param heapAddress where the heap's end and what is left are kept in WRAM, 8 bytes.
    void allocate(DpuReg result, std::int32_t bytes, std::int32_t heapAddress, int lock);
    /// r0 = r0 * r1, low 32 bits; uses r1 and r2. As many steps as the smaller factor has bits.
    void mulsi3();
    /// r0 = r0 / r1, r1 = r0 % r1, unsigned; uses r2 and r3. As many steps as the quotient has bits. Divided by 0 it is 0, and the
    /// rest r0.
    void udivsi3();
    /// Until \p tasklet notifies, and the other side of it. Each tasklet has a word from \p wram on; uses r0 to r2.
    void handshakeWait(DpuReg tasklet, std::int32_t wram, int lock);
    void handshakeNotify(std::int32_t wram, int lock);

    /// ErrorCode::InvalidKernel for a label that is nowhere, and whatever check() finds.
    Result<DpuProgram> finish();

private:
    DpuProgram m_program;
    std::map<std::string, std::size_t, std::less<>> m_labels;
    std::vector<std::pair<std::size_t, std::string>> m_gotos, m_addresses; ///< As targets, and as constants.
    std::string m_note;
    int m_fresh = 0;
    std::int32_t m_heapLimit;
};

} // namespace pim::upmem
