// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Meta-operator flows on numbers: 8-bit tensors through arrays that have a mode, compared bit for bit with a reference that
/// knows nothing of the chip.
#include "core/plan/number_facet.h"

namespace pim {

class DualModeNumberFacet final : public NumberFacet {
public:
    Result<std::unique_ptr<NumericNetwork>> prepare(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const override;
    Result<NumberReport> checkPlan(const Plan& plan, const NumberOptions& options,
                                   const TaskContext& task) const override;
};

} // namespace pim
