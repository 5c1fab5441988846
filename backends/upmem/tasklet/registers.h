// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Instructions over any number of registers, and which of the real ones they get. Flow: lowering -> [VirtualCode] ->
/// giveRegisters() -> DpuProgram.
#include "backends/upmem/dpu/isa.h"

namespace pim::upmem {

/// A constant of an instruction, a number once the sizes and the number of tasklets are known: a sum.
struct Immediate {
    struct Term {
        std::int64_t factor = 1;
        int node = -1; ///< Static expression of the TaskletCode.
    };
    std::int64_t constant = 0;
    std::vector<Term> terms;
    int wram = -1; ///< Plus where this buffer begins.
    int mram = -1; ///< Plus where this array begins.
    bool isPlain() const { return terms.empty() && wram < 0 && mram < 0; }
};

/// A register: a real one or a constant one (DpuReg) below kVirtual, else two numbers for each virtual one, the second being the
/// upper half of a pair.
using RegisterNumber = int;
constexpr RegisterNumber kVirtual = 64;
constexpr RegisterNumber kNoRegister = int(DpuReg::Zero);

struct VirtualInstruction {
    enum class Kind : std::uint8_t {
        Plain,
        Label,    ///< \p label is here.
        Barrier,  // What follows becomes several instructions or a call; r0 to r3 are used.
        Acquire,  ///< Lock imm.
        Multiply, ///< r0 *= r1
        Divide,   ///< r0 / r1, rest in r1
        WaitFor,  ///< Tasklet \p ra.
        Notify
    };
    Kind kind = Kind::Plain;
    DpuOp op = DpuOp::Nop;
    RegisterNumber rc = kNoRegister, ra = kNoRegister, rb = kNoRegister;
    bool useImm = true;
    Immediate imm;
    DpuCondition condition = DpuCondition::Never;
    int label = -1;
    int statement = -1; ///< Id of what it is made from.
    int nest = 0;       ///< Of loops it stands in.
    int factorBits =
        16; ///< Of a product or quotient: its steps, about; 16 is an assumption where nothing is known.
};

struct VirtualCode {
    std::vector<VirtualInstruction> code;
    std::vector<bool> isPair; ///< One a virtual register.
    int labels = 0;
    bool divides = false;
    int stackSlots = 0; ///< Of 4 bytes, at kStackPointer: of values that no register is left for.
};
constexpr int kStackPointer = 22; ///< r22, where values are kept on the stack.
constexpr int kStackShift = 7;    ///< 2^7 bytes of stack for each tasklet.

/// Registers read and written, numbers as in RegisterNumber; constant ones are left out.
struct VirtualUse {
    std::vector<RegisterNumber> reads, writes;
};
VirtualUse useOf(const VirtualInstruction& instruction);

/// The real register of each virtual one (the lower of a pair), such that few instructions find two in one bank. Where too many
/// values are alive at a time, those that are used least are kept on the stack, which changes \p code.
/// \param weights how often an instruction of a nest is run, about; one a nest.
/// ErrorCode::Unsupported: the stack has no room for them either.
Result<std::vector<int>> giveRegisters(VirtualCode& code, const std::vector<double>& weights,
                                       const std::string& name);

} // namespace pim::upmem
