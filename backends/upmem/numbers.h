// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Networks on numbers: their ops on DPUs by the engine, the others as the reference does. In 8 bit compared bit for bit with the
/// reference of core/numeric; in other types op by op with the same whole-number arithmetic, and as a whole with float32.
#include "core/plan/number_facet.h"

namespace pim {

class UpmemNumberFacet final : public NumberFacet {
public:
    const OptionTable* choices() const override;
    Result<std::unique_ptr<NumericNetwork>> prepare(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const override;
    Result<NumberReport> checkPlan(const Plan& plan, const NumberOptions& options,
                                   const TaskContext& task) const override;
    /// And the C code of the bundle's plan, compiled, run and held against the engine.
    Result<NumberReport> checkBundle(const NumberBundle& bundle, const NumberOptions& options,
                                     const TaskContext& task) const override;
};

} // namespace pim
