// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/instruction.h"

#include <array>

namespace pim {

std::string_view name(CrossbarOpcode opcode) {
    constexpr std::array<std::string_view, 8> kNames{"mvm",  "vec",   "copy", "write",
                                                     "load", "store", "send", "recv"};
    return kNames[std::size_t(opcode)];
}

std::string_view name(CrossbarStage stage) {
    constexpr std::array<std::string_view, 7> kNames{"bias",   "input", "main",  "accumulate",
                                                     "gather", "post",  "output"};
    return kNames[std::size_t(stage)];
}

bool takesTwo(VectorOp op) {
    switch (op) {
    case VectorOp::Add:
    case VectorOp::Sub:
    case VectorOp::Mul:
    case VectorOp::Div:
    case VectorOp::Max:
    case VectorOp::Min:
        return true;
    default:
        return false;
    }
}

std::size_t CrossbarProgram::size() const {
    std::size_t sum = 0;
    for (const auto& core : cores)
        sum += core.size();
    return sum;
}

} // namespace pim
