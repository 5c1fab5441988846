// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Op of the Graph -> Kernel.
#include "core/kernel/kernel.h"

namespace pim {

struct KernelOptions {
    /// Element type the PIM units work in; tensors are converted on the way.
    DataType computeType = DataType::F16;
    bool convAsGemm = true; ///< Convolution as im2col matrix product (else the direct 7-loop nest).
};

/// \returns the loop nest, or Error::Unsupported with the reason in words ("Resize has no loop nest that PIM
/// units can run"). MatMul/Gemm and batched MatMul (leading dimensions broadcast), Conv, element-wise,
/// reductions, Attention, sums of look-ups: Y[m][n] += T[c][I[m][c]][n], which only machines that look up can take
/// (TilingResources::looksUp).
Result<Kernel> kernelFromOp(const Graph& graph, OpId op, const KernelOptions& options = {});

/// Gather along its axis, whose indices another tensor holds: Y[b][l][d] = T[b][I[l]][d], the dimensions before the axis, of the
/// indices, and behind the axis taken as one each. No DRAM-PIM unit looks anything up, so kernelFromOp() leaves the op alone; a
/// machine that does asks here. Error::Unsupported with the reason in words.
Result<Kernel> gatherKernel(const Graph& graph, OpId op, const KernelOptions& options = {});

} // namespace pim
