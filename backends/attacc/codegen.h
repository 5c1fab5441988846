// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of a kernel on an AttAcc channel. Flow: KernelWork -> [generateCode] -> PimCode.
///
/// A stage is ACTAB, WRGB or MVGB of its operands while the row opens, BARRIER, then MACABs row by row.
/// Results of a block leave (MVSB) between the MACABs of the next block, in the cycles that MACABs leave
/// free. What the softmax needs (SFM) goes between the MACABs of the next head's scores; its values are
/// multiplied after that: the order of AttAcc's own streams. [AttAcc simulator c600051, trace generator]
#include "backends/attacc/operands.h"

namespace pim::attacc {

Result<PimCode> generateCode(const TilingSpace& space, const Draft& draft, const Target& target,
                             const std::vector<Residency>& residency, const Passes& passes = {},
                             CodeDetail detail = CodeDetail::Commands);

} // namespace pim::attacc
