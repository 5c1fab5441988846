// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What ops of a cinm program take on machines of any other family that plans op by op, through the interface all families have. Such
/// an op keeps its level: its family has levels of its own.
#include "core/hardware/target.h"
#include "core/ir/module.h"
#include "core/plan/backend.h"

#include <map>

namespace pim::cinm {

struct OtherPrice {
    std::string target;       ///< "hbm-pim"
    std::optional<double> ns; ///< One run, transfers included; none: \ref why.
    std::string why;          ///< "computes in f16, not in i8"
};

class OtherMachines {
public:
    /// \p backends outlives it, unless there are no targets.
    OtherMachines(const BackendList* backends, std::vector<std::shared_ptr<const Target>> targets)
        : m_backends(backends), m_targets(std::move(targets)) {}

    /// One a target, in their order. \param constant as kernelOf(). Error::Cancelled.
    Result<std::vector<OtherPrice>> price(const ir::Module& module, const ir::Operation& op,
                                          const std::vector<bool>& constant, const TaskContext& task);

private:
    Result<OtherPrice> priceOn(const std::shared_ptr<const Target>& target, const ir::Module& module,
                               const ir::Operation& op, const std::vector<bool>& constant,
                               const TaskContext& task);

    const BackendList* m_backends;
    std::vector<std::shared_ptr<const Target>> m_targets;
    std::map<std::string, OtherPrice> m_known; ///< By target and the text of the kernel.
};

} // namespace pim::cinm
