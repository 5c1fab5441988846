// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Instructions of the HBM-PIM microprogram (command register file, 32 words of 32 bits) and the programs of
/// the kernels. Encoding as in Samsung's public simulator (PIMSimulator b464dde): 31:28 opcode, 27:25
/// destination, 24:22 source 0, 21:19 source 1, 18:16 source 2, 15 auto, 12 relu, 11:8, 7:4, 3:0 register
/// numbers; NOP 10:0 repeats; JUMP 27:11 count, 10:0 offset.
#include <cstdint>

namespace pim {

/// Which registers of the places an instruction names.
struct HbmPimRegisters {
    int target = 0, source0 = 0, source1 = 0;
};

struct HbmPimInstruction {
    enum Opcode : std::uint8_t {
        Nop = 0,
        Add = 1,
        Mul = 2,
        Mac = 3,
        Mad = 4,
        Mov = 8,
        Fill = 9,
        Jump = 14,
        Exit = 15
    };
    enum Place : std::uint8_t { AOut, MOut, EvenBank, OddBank, GrfA, GrfB, SrfM, SrfA };

    Opcode opcode = Nop;
    Place target = AOut, source0 = AOut, source1 = AOut, source2 = AOut;
    bool isAuto = false, relu = false;
    int targetIndex = 0, source0Index = 0, source1Index = 0;
    int repeats = 0; ///< NOP: more commands it takes.
    int count = 0;   ///< JUMP: times it is taken.
    int offset = 0;  ///< JUMP: instructions back, itself included, plus one.

    static constexpr HbmPimInstruction decode(std::uint32_t word) {
        HbmPimInstruction i;
        i.opcode = static_cast<Opcode>(word >> 28);
        i.target = static_cast<Place>(word >> 25 & 7);
        i.source0 = static_cast<Place>(word >> 22 & 7);
        i.source1 = static_cast<Place>(word >> 19 & 7);
        i.source2 = static_cast<Place>(word >> 16 & 7);
        i.isAuto = word >> 15 & 1;
        i.relu = word >> 12 & 1;
        i.targetIndex = static_cast<int>(word >> 8 & 15);
        i.source0Index = static_cast<int>(word >> 4 & 15);
        i.source1Index = static_cast<int>(word & 15);
        i.repeats = static_cast<int>(word & 0x7ff);
        i.count = static_cast<int>(word >> 11 & 0x1ffff);
        i.offset = static_cast<int>(word & 0x7ff);
        return i;
    }

    static constexpr std::uint32_t arithmetic(Opcode opcode, Place target, Place source0, Place source1,
                                              bool isAuto, HbmPimRegisters registers = {}) {
        return std::uint32_t(opcode) << 28 | std::uint32_t(target) << 25 | std::uint32_t(source0) << 22 |
               std::uint32_t(source1) << 19 | std::uint32_t(isAuto) << 15 |
               std::uint32_t(registers.target) << 8 | std::uint32_t(registers.source0) << 4 |
               std::uint32_t(registers.source1);
    }
    static constexpr std::uint32_t fill(Place target, Place source, bool relu) {
        return std::uint32_t(Fill) << 28 | std::uint32_t(target) << 25 | std::uint32_t(source) << 22 |
               std::uint32_t(relu) << 12;
    }
    static constexpr std::uint32_t nop(int repeats) { return std::uint32_t(repeats); }
    static constexpr std::uint32_t jump(std::int64_t count, int offset) {
        return std::uint32_t(Jump) << 28 | (std::uint32_t(count) & 0x1ffff) << 11 | std::uint32_t(offset);
    }
    static constexpr std::uint32_t exit() { return std::uint32_t(Exit) << 28; }
};

} // namespace pim
