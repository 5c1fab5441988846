// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/dpu/code.h"

#include <fmt/format.h>

namespace pim::upmem {
namespace {
using enum DpuCondition;
constexpr DpuReg kZero = DpuReg::Zero;
} // namespace

std::string DpuCode::freshLabel(std::string_view what) {
    return fmt::format("{}.{}", what, ++m_fresh);
}

void DpuCode::op(DpuOp op, DpuReg rc, DpuReg ra, std::int32_t imm, Goto to) {
    m_program.code.push_back({op, rc, ra, kZero, true, to.condition, 0, imm});
    m_program.notes.push_back(std::exchange(m_note, {}));
    if (!to.label.empty())
        m_gotos.emplace_back(m_program.code.size() - 1, to.label);
}

void DpuCode::op(DpuOp operation, DpuReg rc, DpuReg ra, DpuReg rb, Goto to) {
    op(operation, rc, ra, 0, to);
    m_program.code.back().rb = rb;
    m_program.code.back().useImm = false;
}

void DpuCode::add(const DpuInstruction& instruction, std::string_view label) {
    m_program.code.push_back(instruction);
    m_program.notes.push_back(std::exchange(m_note, {}));
    if (!label.empty())
        m_gotos.emplace_back(m_program.code.size() - 1, label);
}

void DpuCode::shiftAdd(DpuReg rc, DpuReg ra, DpuReg rb, std::int32_t shift) {
    op(DpuOp::LslAdd, rc, ra, rb);
    m_program.code.back().imm = shift;
}

void DpuCode::load(DpuReg wram, DpuReg mram, std::int32_t bytes) {
    op(DpuOp::Ldma, kZero, wram, mram);
    m_program.code.back().imm = bytes;
}

void DpuCode::store(DpuReg wram, DpuReg mram, std::int32_t bytes) {
    op(DpuOp::Sdma, kZero, wram, mram);
    m_program.code.back().imm = bytes;
}

/// Asks again until the lock is free.
void DpuCode::acquire(DpuReg address, int lock) {
    const std::string again = freshLabel("acquire");
    label(again);
    op(DpuOp::Acquire, kZero, address, lock, {NotZero, again});
}

void DpuCode::start(int tasklets) {
    const std::string done = freshLabel("started");
    note("wake the next tasklet");
    jumpIf(DpuReg::Id, Equal, tasklets - 1, done);
    op(DpuOp::Add, reg(0), DpuReg::Id, 1);
    op(DpuOp::Resume, kZero, reg(0), 0);
    label(done);
}

void DpuCode::barrier(int tasklets, std::int32_t wram, int lock) {
    const std::string last = freshLabel("last"), wake = freshLabel("wake"), open = freshLabel("open"),
                      out = freshLabel("through");
    note("barrier");
    set(reg(2), wram);
    acquire(kZero, lock);
    op(DpuOp::Lw, reg(0), reg(2), 0);
    op(DpuOp::Add, reg(0), reg(0), 1);
    jumpIf(reg(0), Equal, tasklets, last);
    op(DpuOp::Sw, reg(0), reg(2), 0);
    release(kZero, lock);
    op(DpuOp::Stop, kZero, kZero, 0);
    jump(out);
    label(last);
    op(DpuOp::Sw, kZero, reg(2), 0);
    set(reg(1), tasklets - 1);
    label(wake);
    jumpIf(reg(1), Equal, DpuReg::Id, open);
    const std::string again = freshLabel("resume");
    label(again); // it may not have stopped yet
    op(DpuOp::Resume, kZero, reg(1), 0, {NotZero, again});
    label(open);
    op(DpuOp::Sub, reg(1), reg(1), 1, {Plus, wake});
    release(kZero, lock);
    label(out);
}

void DpuCode::allocate(DpuReg result, std::int32_t bytes, std::int32_t heap, int lock) {
    note(fmt::format("mem_alloc({})", bytes));
    set(reg(0), bytes);
    set(reg(2), heap);
    acquire(kZero, lock);
    op(DpuOp::Lw, reg(1), reg(2), 0);
    op(DpuOp::Add, reg(1), reg(1), 7); // aligned to 8
    op(DpuOp::And, reg(1), reg(1), -8);
    move(result, reg(1));
    op(DpuOp::Add, reg(1), reg(1), reg(0));
    const std::string full = freshLabel("full"), fits = freshLabel("fits");
    set(reg(3), m_heapLimit);
    jumpIf(reg(1), LessUnsigned, result, full);
    jumpIf(reg(1), LessUnsigned, reg(3), fits);
    label(full);
    op(DpuOp::Lw, kZero, DpuReg::Zero, -8, {}); // no such address: the run ends here, and says where
    label(fits);
    op(DpuOp::Sw, reg(1), reg(2), 0);
    op(DpuOp::Sub, reg(3), reg(3), reg(1));
    op(DpuOp::Sw, reg(3), reg(2), 4);
    release(kZero, lock);
}

void DpuCode::mulsi3() {
    const std::string swapped = freshLabel("swapped"), steps = freshLabel("steps"),
                      done = freshLabel("product");
    // The pair d0 holds the rest of the smaller factor (r0) and the sum (r1); r2 is the greater one.
    jumpIf(reg(0), LessUnsigned, reg(1), swapped);
    move(reg(2), reg(0));
    move(reg(0), reg(1));
    op(DpuOp::Or, reg(1), kZero, 0, {Always, steps});
    label(swapped);
    move(reg(2), reg(1));
    set(reg(1), 0);
    label(steps);
    for (int bit = 0; bit < 32; ++bit)
        op(DpuOp::MulStep, reg(0), reg(2), bit, {Zero, done});
    label(done);
    move(reg(0), reg(1));
    ret();
}

void DpuCode::udivsi3() {
    const std::string less = freshLabel("less"), steps = freshLabel("divide");
    jumpIf(reg(1), Equal, 0, less);
    move(reg(2), reg(1));
    op(DpuOp::Clz, reg(3), reg(2), 0);
    op(DpuOp::Clz, reg(1), reg(0), 0);
    op(DpuOp::Sub, reg(3), reg(3), reg(1), {Minus, less}); // bits of the quotient but one
    set(reg(1), 0);
    op(DpuOp::Xor, reg(3), reg(3), 31);
    op(DpuOp::Add, reg(3), reg(3), 0);
    m_addresses.emplace_back(size() - 1, steps);
    op(DpuOp::Jump, kZero, reg(3), 0);
    label(steps); // the pair d0 holds what is left (r0) and the quotient (r1)
    for (int bit = 31; bit >= 0; --bit)
        op(DpuOp::DivStep, reg(0), reg(2), bit);
    move(reg(2), reg(0));
    move(reg(0), reg(1));
    move(reg(1), reg(2));
    ret();
    label(less);
    move(reg(1), reg(0));
    set(reg(0), 0);
    ret();
}

// The word of a tasklet: 0, -1 while it sleeps because nobody waits for it, or 1 + the tasklet that sleeps until it notifies.
void DpuCode::handshakeWait(DpuReg tasklet, std::int32_t wram, int lock) {
    const std::string there = freshLabel("notified"), again = freshLabel("resume"),
                      out = freshLabel("through");
    note("handshake_wait_for");
    move(reg(2), tasklet);
    set(reg(0), wram);
    shiftAdd(reg(0), reg(0), reg(2), 2);
    acquire(kZero, lock);
    op(DpuOp::Lw, reg(1), reg(0), 0);
    jumpIf(reg(1), Equal, -1, there);
    op(DpuOp::Add, reg(1), DpuReg::Id, 1);
    op(DpuOp::Sw, reg(1), reg(0), 0);
    release(kZero, lock);
    op(DpuOp::Stop, kZero, kZero, 0);
    jump(out);
    label(there);
    op(DpuOp::Sw, kZero, reg(0), 0);
    label(again); // it may not have stopped yet
    op(DpuOp::Resume, kZero, reg(2), 0, {NotZero, again});
    release(kZero, lock);
    label(out);
}

void DpuCode::handshakeNotify(std::int32_t wram, int lock) {
    const std::string waits = freshLabel("waits"), again = freshLabel("resume"), out = freshLabel("through");
    note("handshake_notify");
    op(DpuOp::Add, reg(0), DpuReg::Id4, wram);
    acquire(kZero, lock);
    op(DpuOp::Lw, reg(1), reg(0), 0);
    jumpIf(reg(1), NotEqual, 0, waits);
    set(reg(1), -1);
    op(DpuOp::Sw, reg(1), reg(0), 0);
    release(kZero, lock);
    op(DpuOp::Stop, kZero, kZero, 0);
    jump(out);
    label(waits);
    op(DpuOp::Sw, kZero, reg(0), 0);
    op(DpuOp::Sub, reg(1), reg(1), 1);
    label(again);
    op(DpuOp::Resume, kZero, reg(1), 0, {NotZero, again});
    release(kZero, lock);
    label(out);
}

Result<DpuProgram> DpuCode::finish() {
    const auto place = [&](const std::string& label) -> Result<std::size_t> {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
            return fail(ErrorCode::InvalidKernel, fmt::format("there is no label \"{}\"", label),
                        m_program.name);
        return found->second;
    };
    for (const auto& [at, label] : m_addresses) {
        PIM_TRY(const std::size_t address, place(label));
        m_program.code[at].imm = static_cast<std::int32_t>(address);
    }
    for (const auto& [at, label] : m_gotos) {
        PIM_TRY(const std::size_t target, place(label));
        m_program.code[at].target = static_cast<std::uint16_t>(target);
    }
    PIM_CHECK(check(m_program));
    return std::move(m_program);
}

} // namespace pim::upmem
