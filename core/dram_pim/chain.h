// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Codes of ops that hand their results on where they lie, as one code. Flow: PimCode of every op ->
/// [ChainedCode] -> timed (sequencer.h), run on numbers (run.h).
///
/// Alone, an op that takes its operand in place has a phase "load" that puts it there, and one whose result
/// stays a phase "unload" that shows it. Between two ops of a chain neither is run: the second continues with
/// the banks, rows and modes as the first leaves them.
#include "core/dram_pim/pim_code.h"

namespace pim {

struct ChainedCode {
    PimCode code;                 ///< Its tensors are those of all kernels, one kernel after the other.
    std::vector<int> firstTensor; ///< One an op: number of its first tensor.
    std::vector<int> opOfPhase;   ///< One a phase of the program.
};

/// \param codes one an op, of one backend, target and type, without scratch tensors. \param kernels theirs.
/// Error::Usage where codes do not belong together.
Result<ChainedCode> chainCodes(std::span<const PimCode> codes, std::span<const Kernel* const> kernels);

/// Tensors of all \p kernels for runPimCode of a chain: what passes on in place (\p inPlace, one a tensor)
/// crosses no bus, so it is an operand that nobody asks for.
Kernel chainedKernel(std::span<const Kernel* const> kernels, std::span<const bool> inPlace);

} // namespace pim
