// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/dpu/isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim::upmem {
namespace {

/// How the operands of an operation are written, and which of its registers are a pair.
struct OpShape {
    DpuOp op;
    std::string_view name;
    bool result, first, second;   ///< rc, ra, and rb or the constant.
    bool pairResult, readsResult; ///< rc is a pair; rc is read as well.
};
constexpr std::array kShapes{
    OpShape{DpuOp::Nop, "nop", false, false, false, false, false},
    OpShape{DpuOp::Add, "add", true, true, true, false, false},
    OpShape{DpuOp::AddC, "addc", true, true, true, false, false},
    OpShape{DpuOp::Sub, "sub", true, true, true, false, false},
    OpShape{DpuOp::SubC, "subc", true, true, true, false, false},
    OpShape{DpuOp::And, "and", true, true, true, false, false},
    OpShape{DpuOp::Or, "or", true, true, true, false, false},
    OpShape{DpuOp::Xor, "xor", true, true, true, false, false},
    OpShape{DpuOp::Lsl, "lsl", true, true, true, false, false},
    OpShape{DpuOp::Lsr, "lsr", true, true, true, false, false},
    OpShape{DpuOp::Asr, "asr", true, true, true, false, false},
    OpShape{DpuOp::MulU8, "mul_ul_ul", true, true, true, false, false},
    OpShape{DpuOp::MulS8, "mul_sl_sl", true, true, true, false, false},
    OpShape{DpuOp::MulShUl, "mul_sh_ul", true, true, true, false, false},
    OpShape{DpuOp::MulShSh, "mul_sh_sh", true, true, true, false, false},
    OpShape{DpuOp::MulStep, "mul_step", true, true, true, true, true},
    OpShape{DpuOp::DivStep, "div_step", true, true, true, true, true},
    OpShape{DpuOp::LslAdd, "lsl_add", true, true, true, false, false},
    OpShape{DpuOp::Clz, "clz", true, true, false, false, false},
    OpShape{DpuOp::Cao, "cao", true, true, false, false, false},
    OpShape{DpuOp::Lb, "lbs", true, true, true, false, false},
    OpShape{DpuOp::Lbu, "lbu", true, true, true, false, false},
    OpShape{DpuOp::Lh, "lhs", true, true, true, false, false},
    OpShape{DpuOp::Lhu, "lhu", true, true, true, false, false},
    OpShape{DpuOp::Lw, "lw", true, true, true, false, false},
    OpShape{DpuOp::Ld, "ld", true, true, true, true, false},
    OpShape{DpuOp::Sb, "sb", true, true, true, false, true},
    OpShape{DpuOp::Sh, "sh", true, true, true, false, true},
    OpShape{DpuOp::Sw, "sw", true, true, true, false, true},
    OpShape{DpuOp::Sd, "sd", true, true, true, true, true},
    OpShape{DpuOp::Ldma, "ldma", true, true, true, false, true},
    OpShape{DpuOp::Sdma, "sdma", true, true, true, false, true},
    OpShape{DpuOp::Acquire, "acquire", false, true, true, false, false},
    OpShape{DpuOp::Release, "release", false, true, true, false, false},
    OpShape{DpuOp::Resume, "resume", false, true, false, false, false},
    OpShape{DpuOp::Stop, "stop", false, false, false, false, false},
    OpShape{DpuOp::Jump, "jump", false, true, false, false, false},
    OpShape{DpuOp::Call, "call", true, false, false, false, false},
    OpShape{DpuOp::Exit, "exit", false, false, false, false, false},
};
static_assert(kShapes.size() == std::size_t(DpuOp::Exit) + 1);

constexpr std::array<std::string_view, 12> kConditions{"never", "true", "z",   "nz",  "mi",  "pl",
                                                       "eq",    "neq",  "lts", "ges", "ltu", "geu"};

const OpShape& shape(DpuOp op) {
    return kShapes[std::size_t(op)];
}

bool isStore(DpuOp op) {
    return op == DpuOp::Sb || op == DpuOp::Sh || op == DpuOp::Sw || op == DpuOp::Sd;
}

bool isDma(DpuOp op) {
    return op == DpuOp::Ldma || op == DpuOp::Sdma;
}

/// A register and a constant behind it: how far to shift, how many bytes.
bool hasConstantToo(DpuOp op) {
    return isDma(op) || op == DpuOp::LslAdd;
}

std::string regText(DpuReg r, bool pair = false) {
    switch (r) {
    case DpuReg::Zero:
        return "zero";
    case DpuReg::Id:
        return "id";
    case DpuReg::Id4:
        return "id4";
    case DpuReg::Id8:
        return "id8";
    default:
        return fmt::format("{}{}", pair ? 'd' : 'r', int(r));
    }
}

std::uint32_t bits(DpuReg r, bool pair = false) {
    if (!isGeneral(r))
        return 0;
    return (pair ? 3U : 1U) << int(r);
}

tl::unexpected<Error> bad(const DpuProgram& program, std::size_t at, std::string message,
                          std::string hint = {}) {
    return fail(ErrorCode::InvalidKernel, std::move(message),
                fmt::format("{}, instruction {}", program.name, at), std::move(hint));
}

Result<void> checkInstruction(const DpuProgram& program, std::size_t at) {
    const DpuInstruction& in = program.code[at];
    const OpShape& s = shape(in.op);
    if (s.pairResult && (int(in.rc) % 2 != 0 || !isGeneral(in.rc)))
        return bad(program, at, fmt::format("the pair of {} begins at {}", s.name, regText(in.rc)),
                   "begin pairs at an even register");
    if (in.condition != DpuCondition::Never && in.target >= program.code.size())
        return bad(
            program, at,
            fmt::format("it goes to {}, the program has {} instructions", in.target, program.code.size()));
    if ((in.op == DpuOp::Jump || in.op == DpuOp::Call) && in.condition == DpuCondition::Never &&
        !(in.op == DpuOp::Jump && isGeneral(in.ra)))
        return bad(program, at, "it goes nowhere");
    if (isDma(in.op) && in.imm != 0 &&
        (in.imm < kLeastDmaBytes || in.imm > kMostDmaBytes || in.imm % kDmaAlignment != 0))
        return bad(program, at,
                   fmt::format("a DMA of {} bytes; {} to {} in steps of {} are possible", in.imm,
                               kLeastDmaBytes, kMostDmaBytes, kDmaAlignment),
                   "cut it into pieces");
    return {};
}

} // namespace

std::string_view name(DpuOp op) {
    return shape(op).name;
}

std::string_view name(DpuCondition condition) {
    return kConditions[std::size_t(condition)];
}

std::optional<DpuOp> dpuOpNamed(std::string_view text) {
    const auto found = std::ranges::find(kShapes, text, &OpShape::name);
    return found == kShapes.end() ? std::nullopt : std::optional(found->op);
}

std::optional<DpuCondition> dpuConditionNamed(std::string_view text) {
    const auto found = std::ranges::find(kConditions, text);
    return found == kConditions.end() ? std::nullopt
                                      : std::optional(DpuCondition(found - kConditions.begin()));
}

std::optional<DpuReg> dpuRegNamed(std::string_view text) {
    for (int number = 0; number <= int(DpuReg::Id8); ++number)
        if (text == regText(DpuReg(number)) || (number % 2 == 0 && text == regText(DpuReg(number), true)))
            return DpuReg(number);
    return std::nullopt;
}

DpuOperands operandsOf(DpuOp op) {
    const OpShape& s = shape(op);
    return {s.result, s.first, s.second, hasConstantToo(op)};
}

RegisterUse registerUse(const DpuInstruction& in) {
    const OpShape& s = shape(in.op);
    RegisterUse use;
    if (s.first)
        use.reads |= bits(in.ra);
    if (!in.useImm)
        use.reads |= bits(in.rb);
    if (s.readsResult)
        use.reads |= bits(in.rc, s.pairResult);
    if (s.result && !isStore(in.op) && !isDma(in.op))
        use.writes |= bits(in.rc, s.pairResult);
    return use;
}

std::string text(const DpuInstruction& in) {
    const OpShape& s = shape(in.op);
    std::string line(s.name);
    const char* gap = " ";
    const auto add = [&](std::string_view part) {
        line += gap;
        line += part;
        gap = ", ";
    };
    if (s.result)
        add(regText(in.rc, s.pairResult));
    if (s.first)
        add(regText(in.ra));
    if (s.second && hasConstantToo(in.op)) {
        add(regText(in.rb));
        add(fmt::format("{}", in.imm));
    } else if (s.second) {
        add(in.useImm ? fmt::format("{}", in.imm) : regText(in.rb));
    }
    if (in.condition != DpuCondition::Never)
        add(fmt::format("{} @{}", name(in.condition), in.target));
    return line;
}

std::string text(const DpuProgram& program) {
    std::string all = fmt::format("dpu {}\n", program.name);
    for (std::size_t i = 0; i < program.code.size(); ++i) {
        const std::string line = text(program.code[i]);
        const std::string note = i < program.notes.size() ? program.notes[i] : std::string();
        all += note.empty() ? fmt::format("{:4} {}\n", i, line)
                            : fmt::format("{:4} {:<32} # {}\n", i, line, note);
    }
    return all;
}

Result<void> check(const DpuProgram& program) {
    if (program.code.empty())
        return fail(ErrorCode::InvalidKernel, "the program has no instruction", program.name);
    if (program.code.size() > std::size_t(kMaxInstructions))
        return fail(ErrorCode::InvalidKernel,
                    fmt::format("the program has {} instructions, the IRAM has room for {}",
                                program.code.size(), kMaxInstructions),
                    program.name, "unroll less, or cut the kernel into several launches");
    for (std::size_t i = 0; i < program.code.size(); ++i)
        PIM_CHECK(checkInstruction(program, i));
    return {};
}

} // namespace pim::upmem
