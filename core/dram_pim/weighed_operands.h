// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Operands of code whose partial results the host weighs before it adds them up, by what groups have sent it
/// in the scratch tensor: attention whose keys are in several groups. Asked by run.cpp; what it costs the
/// host by whoever prices it.
#include "core/dram_pim/pim_code.h"

#include <vector>

namespace pim {

class WeighedOperands : public PimOperands {
public:
    /// A factor for each element of the output \p tensor as it comes from \p group. \param scratch the
    /// scratch tensor as it is when the phase begins. Empty: results are added as they are.
    virtual std::vector<float> weights(int tensor, int group, std::span<const float> scratch) const = 0;
    /// Elements of the scratch tensor behind PimCode::scratchElements, which nobody writes.
    virtual std::vector<float> scratchConstants() const = 0;
    /// Additions, or as much, that the host does in FP32 to find the weights of all groups.
    virtual double hostAdditions() const = 0;
};

} // namespace pim
