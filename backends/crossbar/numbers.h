// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs of crossbar cores on numbers, in fixed point or real, on exact or real devices; cells of bundles against the
/// weights of the model.
#include "core/plan/number_facet.h"

namespace pim {

class CrossbarNumberFacet final : public NumberFacet {
public:
    const OptionTable* choices() const override;
    Result<std::unique_ptr<NumericNetwork>> prepare(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const override;
    Result<NumberReport> checkPlan(const Plan& plan, const NumberOptions& options,
                                   const TaskContext& task) const override;
    Result<NumberReport> checkBundle(const NumberBundle& bundle, const NumberOptions& options,
                                     const TaskContext& task) const override;
};

} // namespace pim
