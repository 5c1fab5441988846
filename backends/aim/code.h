// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Commands of AiM kernels, and which data they carry. Flow: kernel + draft -> [PimCode] -> sequencer,
/// channel.
///
/// Operands that come from the bank are written row by row, all banks in turn, rows opened with ACT16. Dot
/// products: the other operand goes to the global buffer, every bank adds up a result of its own, and the
/// results of all banks leave as one word each time (RDMAC16): there is no output phase. Banks that want
/// different operands take turns. A row is closed and the next one opened before the mode
/// changes, so that precharging and activation pass behind it. Element-wise products: the values of a channel
/// in order over bank groups, factors in banks 0 and 1, products read from bank 2.
#include "backends/aim/dots.h"
#include "backends/aim/passes.h"
#include "core/dram_pim/pim_code.h"
#include "core/tiling/tiling.h"

namespace pim::aim {

/// What code depends on of a channel.
struct ChannelShape {
    int banks = 16, bankGroups = 4;
    std::int64_t rows = 16384, columns = 64;
    int banksOfGroup() const { return banks / bankGroups; }
};

/// What is to be generated. \p resident one a kernel tensor.
struct CodeRequest {
    const TilingSpace& space;
    const Draft& draft;
    std::vector<bool> resident;
    ChannelShape shape;
    Passes passes = {};
    CodeDetail detail = CodeDetail::Commands;
};

/// Of Mac and Reduce kernels. Error::Unsupported if the operand takes more rows than there are.
Result<PimCode> productCode(const CodeRequest& request, const dram::DotCosts& costs);
/// Of the element-wise product of two tensors. Same error.
Result<PimCode> multiplyCode(const CodeRequest& request);

} // namespace pim::aim
