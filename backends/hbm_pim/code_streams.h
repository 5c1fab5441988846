// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Commands of HBM-PIM code: the mode protocol, the microprogram, rows opened while others are computed on,
/// operands and results over the bus. Flow: CodeLayout -> [streams] -> PimCode.
///
/// Commands of single banks (ACT PRE RD WR) belong to single-bank mode; those ending in _AB act on the even
/// (bank 0) or odd (bank 1) banks of all blocks at once and belong to all-bank and PIM mode. [protocol,
/// registers and instructions: PIMSimulator b464dde; there a host asks for bursts and the controller closes
/// rows, here the commands say so themselves]
#include "backends/hbm_pim/code_layout.h"

namespace pim::hbm {

std::vector<Opcode> opcodes();

/// Of an element-wise kernel: what the blocks do after the first operand is in its register.
struct MapFunction {
    std::vector<bool> multiplies; ///< One an operand after the first: multiplied by it, or added.
    bool reluFirst = false, reluLast = false;
    /// Error::Unsupported for a function the blocks do not have.
    static Result<MapFunction> of(const Kernel& kernel, int operands);
};

/// The microprogram, at most 32 instructions. \param function of the form Map; ignored by the others.
std::vector<std::uint32_t> microprogram(const CodePlan& plan, const MapFunction& function);

/// Phases load (if anything is resident), input, mode on, compute, mode off, output. In a chain (core/dram_pim/chain.h): an
/// op that takes its operand in place begins with "mode out" if it has others, stays in the mode otherwise; one that keeps its
/// result ends after compute. Alone, "load" puts things as the op before leaves them, "unload" shows the result.
PimCode codeOf(std::shared_ptr<const CodeLayout> layout, const MapFunction& function,
               const std::string& unit);

} // namespace pim::hbm
