// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/primitives.h"

#include "core/base/append.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace pim {

namespace {

/// The instruction set PIMCOMP-NN emits (git 2ed10c8, doc/isa.pdf): registers hold byte addresses, which are
/// loaded before use; vectors of the local memory; blocking transfers. Differences to what that program
/// emits: byte addresses instead of element addresses, `setbw` by the true widths, the array group as `group`
/// of mvmul.
class PimcompIsa final : public PrimitiveTranslator {
public:
    void begin(CoreId core, const CrossbarProgram& program, const CrossbarChip& chip,
               std::string& text) override {
        m_elementBytes = std::uint64_t(chip.activationBytes());
        m_wide = std::uint64_t(program.accumulatorElements);
        m_bits = chip.activationBits;
        m_registers.fill(kNothing);
        m_wideIn = m_wideOut = false;
        append(text, "# core ", core.value, "\nsetbw ", m_bits, ", ", m_bits, '\n');
    }

    Result<void> translate(const CrossbarInstruction& in, std::string& text) override {
        const std::uint64_t bytes = std::uint64_t(in.length) * (wideResult(in) ? m_wide : 1) * m_elementBytes;
        switch (in.opcode) {
        case CrossbarOpcode::Mvm:
            widths(false, true, text);
            address(1, in.src1, text);
            address(0, in.dst, text);
            append(text, "mvmul r0, r1, ", m_bits, ", 0, ", in.index, '\n');
            return {};
        case CrossbarOpcode::Vec:
            return vector(in, text);
        case CrossbarOpcode::Copy:
            for (std::uint64_t piece = 0; piece < in.pieces(); ++piece)
                copy(in, in.src1 + piece * in.src2, in.dst + piece * (bytes / m_elementBytes / in.pieces()),
                     text);
            return {};
        case CrossbarOpcode::Write:
            address(0, in.dst, text);
            append(text, "lldi r0, ", std::int32_t(in.src2), ", ", bytes, '\n');
            return {};
        case CrossbarOpcode::Load:
            return memory("ld", 0, in.dst, in.src1, bytes, text);
        case CrossbarOpcode::Store:
            return memory("st", 1, in.src1, in.dst, bytes, text);
        case CrossbarOpcode::Send:
            address(1, in.src1, text);
            append(text, "send r1, ", in.peer, ", ",
                   std::uint64_t(in.length) * (wideSource(in) ? m_wide : 1) * m_elementBytes, ", ", in.index,
                   '\n');
            return {};
        case CrossbarOpcode::Recv:
            address(0, in.dst, text);
            append(text, "recv r0, ", in.peer, ", ", bytes, ", ", in.index, '\n');
            return {};
        }
        return fail(ErrorCode::Unsupported, "it is no instruction");
    }

private:
    static constexpr std::uint64_t kNothing = ~std::uint64_t(0);
    static bool wideSource(const CrossbarInstruction& in) {
        return (in.flags & CrossbarInstruction::kWideSource) != 0;
    }
    static bool wideResult(const CrossbarInstruction& in) {
        return (in.flags & CrossbarInstruction::kWideResult) != 0;
    }

    /// One piece.
    void copy(const CrossbarInstruction& in, std::uint64_t from, std::uint64_t to, std::string& text) {
        const bool widens = wideSource(in) != wideResult(in);
        if (widens)
            widths(wideSource(in), wideResult(in), text);
        address(1, from, text);
        address(0, to, text);
        const std::uint64_t length = in.length / in.pieces();
        if (widens) // the larger of a number and itself, at another width
            append(text, "vvmax r0, r1, r1, ", length, '\n');
        else
            append(text, "lmv r0, r1, ", length * (wideResult(in) ? m_wide : 1) * m_elementBytes, '\n');
    }
    /// Puts a local byte address into a register unless it is there.
    void address(std::size_t number, std::uint64_t element, std::string& text) {
        const std::uint64_t value = element * m_elementBytes;
        if (std::exchange(m_registers[number], value) != value)
            append(text, "sldi r", number, ", ", value, '\n');
    }
    /// Bits of what the next operations read and write.
    void widths(bool wideIn, bool wideOut, std::string& text) {
        if (std::exchange(m_wideIn, wideIn) == wideIn && m_wideOut == wideOut)
            return;
        m_wideOut = wideOut;
        append(text, "setbw ", bits(wideIn), ", ", bits(wideOut), '\n');
    }
    int bits(bool wide) const { return m_bits * (wide ? int(m_wide) : 1); }

    /// A global address takes an even register and the next: lower and upper half.
    Result<void> memory(std::string_view mnemonic, std::size_t local, std::uint64_t at, std::uint64_t global,
                        std::uint64_t bytes, std::string& text) {
        address(local, at, text);
        const std::uint64_t value = global * m_elementBytes;
        if (std::exchange(m_registers[4], value) != value)
            append(text, "sldi r4, ", value & 0xffffffff, "\nsldi r5, ", value >> 32, '\n');
        append(text, mnemonic, " r", local, ", r4, ", bytes, '\n');
        return {};
    }
    Result<void> vector(const CrossbarInstruction& in, std::string& text) {
        const auto* mnemonic = mnemonicOf(in.vec);
        if (!mnemonic)
            return fail(ErrorCode::Unsupported,
                        fmt::format("it has no vector operation \"{}\"", name(in.vec)));
        widths(wideSource(in), wideResult(in), text);
        address(1, in.src1, text);
        if (takesTwo(in.vec))
            address(2, in.src2, text);
        address(0, in.dst, text);
        // vsra brings sums to elements: the amounts of a layer lie in the parameter block it names.
        append(text, mnemonic, " r0, r1, ");
        if (takesTwo(in.vec))
            append(text, "r2, ", in.length, '\n');
        else
            append(text, in.length, ", ", in.layer, '\n');
        return {};
    }
    static const char* mnemonicOf(VectorOp op) {
        switch (op) {
        case VectorOp::Add:
            return "vvadd";
        case VectorOp::Sub:
            return "vvsub";
        case VectorOp::Mul:
            return "vvmul";
        case VectorOp::Max:
            return "vvmax";
        case VectorOp::Relu:
            return "vrelu";
        case VectorOp::Tanh:
            return "vtanh";
        case VectorOp::Sigmoid:
            return "vsigm";
        case VectorOp::Scale:
            return "vsra";
        default:
            return nullptr;
        }
    }

    std::uint64_t m_elementBytes = 2, m_wide = 2;
    int m_bits = 16;
    bool m_wideIn = false, m_wideOut = false;
    std::array<std::uint64_t, 8> m_registers{};
};

} // namespace

const std::vector<PrimitiveSet>& primitiveTranslators() {
    static const std::vector<PrimitiveSet> all{
        {"pimcomp-isa", "Instruction set of PIMCOMP-NN: registers, mvmul, vector instructions, send and recv",
         []() -> std::unique_ptr<PrimitiveTranslator> { return std::make_unique<PimcompIsa>(); }}};
    return all;
}

Result<const PrimitiveSet*> primitiveSet(std::string_view name) {
    std::string names;
    for (const PrimitiveSet& one : primitiveTranslators()) {
        if (one.name == name)
            return &one;
        names += (names.empty() ? "" : ", ") + one.name;
    }
    return fail(ErrorCode::NotFound, "there are no such primitives", std::string(name), "one of: " + names);
}

Result<std::string> translateCore(const CrossbarProgram& program, const CrossbarChip& chip,
                                  const PrimitiveSet& set, CoreId core) {
    const auto& instructions = program.cores[core.index()];
    std::string text;
    if (instructions.empty())
        return text;
    const auto translator = set.make();
    translator->begin(core, program, chip, text);
    for (std::size_t i = 0; i < instructions.size(); ++i)
        if (auto done = translator->translate(instructions[i], text); !done)
            return fail(done.error().code, set.name + ": " + done.error().message,
                        fmt::format("core {}, instruction {}", core.value, i));
    translator->end(text);
    return text;
}

} // namespace pim
