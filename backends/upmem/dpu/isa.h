// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Instructions of a DPU, the core beside each 64 MB of a UPMEM memory: a compact form of its assembly, as much of it as our
/// kernels use. Flow: kernels -> [DpuProgram] -> DpuEngine.
///
/// Every instruction may end in a condition on its result and a place to go to, as in "sub r1, r2, r3, ltu, @loop".
/// [UPMEM SDK 2023.2 instruction set; uPIMulator 870d916]
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pim::upmem {

constexpr int kMaxTasklets = 24;
constexpr int kRegisters = 24;         ///< 32 bit each; even and odd ones lie in two banks.
constexpr int kMaxInstructions = 4096; ///< IRAM: 24 KB, 48 bits each.
constexpr std::int32_t kWramBytes = 64 << 10;
constexpr std::int64_t kMramBytes = 64 << 20;
constexpr int kLocks = 256; ///< One-bit, hardware.
constexpr int kLeastDmaBytes = 8, kMostDmaBytes = 2048, kDmaAlignment = 8;

/// A register, or a constant that reads like one.
enum class DpuReg : std::uint8_t {
    // 0 .. 23: r0 .. r23
    Zero = kRegisters,
    Id,  ///< Of the tasklet.
    Id4, ///< Times 4.
    Id8  ///< Times 8.
};
constexpr DpuReg reg(int number) {
    return static_cast<DpuReg>(number);
}
constexpr bool isGeneral(DpuReg r) {
    return static_cast<int>(r) < kRegisters;
}

enum class DpuOp : std::uint8_t {
    Nop,
    Add,
    AddC, ///< With the carry of the instruction before.
    Sub,
    SubC,
    And,
    Or,
    Xor,
    Lsl,
    Lsr,
    Asr,
    MulU8,   ///< Of the low bytes, unsigned.
    MulS8,   ///< Of the low bytes, signed.
    MulShUl, ///< Second byte of ra, signed, times the low byte of rb.
    MulShSh, ///< Of the second bytes, signed.
    MulStep, ///< Of a 32-bit product: adds ra << imm to the odd register of the pair if bit 0 of the even one is set, which is
             ///< then shifted right. The condition looks at the even register.
    DivStep, ///< Of a 32-bit division: bit \p imm of the quotient. The pair holds remainder (even) and quotient (odd).
    LslAdd, ///< ra + (rb << imm).
    Clz,    ///< Leading zeros of ra.
    Cao,    ///< Ones of ra.
    // Memory: address ra + imm.
    Lb,
    Lbu,
    Lh,
    Lhu,
    Lw,
    Ld, ///< Into a pair of registers.
    Sb,
    Sh,
    Sw,
    Sd,
    // Between WRAM at ra and MRAM at rb, imm bytes (or as many as register rc says, if imm is 0).
    Ldma, ///< MRAM to WRAM.
    Sdma, ///< WRAM to MRAM.
    // Lock ra + imm. The condition tells whether it was got (Zero) or not (NotZero).
    Acquire,
    Release,
    Resume, ///< Wakes the tasklet in ra.
    Stop,   ///< Sleeps until resumed.
    Jump,   ///< To the target, or to the address in ra.
    Call,   ///< Leaves the next address in rc.
    Exit    ///< The tasklet has ended.
};
std::string_view name(DpuOp op);

/// Of the result, but for the comparisons, which are of ra with rb or the constant.
enum class DpuCondition : std::uint8_t {
    Never,
    Always,
    Zero,
    NotZero,
    Minus,
    Plus,
    Equal,
    NotEqual,
    Less,
    NotLess,
    LessUnsigned,
    NotLessUnsigned
};
std::string_view name(DpuCondition condition);
std::optional<DpuOp> dpuOpNamed(std::string_view text);
std::optional<DpuCondition> dpuConditionNamed(std::string_view text);
std::optional<DpuReg>
dpuRegNamed(std::string_view text); ///< "r3", "d4" for the pair r4 and r5, "zero", "id8"

/// Which operands the text of an instruction has, in this order.
struct DpuOperands {
    bool result = false, first = false, second = false; ///< rc, ra, and rb or a constant.
    bool constant = false; ///< And behind rb: how many bytes a DMA moves, how far LslAdd shifts.
};
DpuOperands operandsOf(DpuOp op);

struct DpuInstruction {
    DpuOp op = DpuOp::Nop;
    DpuReg rc = DpuReg::Zero; ///< Result; of a store the value.
    DpuReg ra = DpuReg::Zero;
    DpuReg rb = DpuReg::Zero; ///< Read where useImm is false, and by Ldma and Sdma.
    bool useImm = true;
    DpuCondition condition = DpuCondition::Never;
    std::uint16_t target = 0; ///< Place in the program.
    std::int32_t imm = 0;
};

/// Registers an instruction reads and writes as bit sets; bit n is rn.
struct RegisterUse {
    std::uint32_t reads = 0, writes = 0;
};
RegisterUse registerUse(const DpuInstruction& instruction);

struct DpuProgram {
    std::string name;
    std::vector<DpuInstruction> code;
    std::vector<std::string> notes; ///< One for each instruction, empty for most: what it is for.
    std::int64_t iramBytes() const { return std::int64_t(code.size()) * 6; }
};

/// "add r1, r2, 4, nz, @12"
std::string text(const DpuInstruction& instruction);
/// One instruction per line with its place and note; parseDpuProgram() gives it back.
std::string text(const DpuProgram& program);
/// ErrorCode::InvalidKernel with line and column. The result is checked.
Result<DpuProgram> parseDpuProgram(std::string_view text);

/// ErrorCode::InvalidKernel: more instructions than IRAM has room for, a target outside, a pair that begins at an odd register, a
/// DMA of an impossible size.
Result<void> check(const DpuProgram& program);

} // namespace pim::upmem
